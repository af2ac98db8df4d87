"""``python -m host completion SHELL``: the script that completes ``shuangkou`` in a shell.

Made from the table of commands and their parsers. A command's parser is caught at the moment when it would parse: so
none has to be given away in another way, and none can be forgotten.
"""

import argparse
from unittest import mock

from . import options, statuses

SHELLS = ("bash", "zsh", "fish")


class _Caught(Exception):
    pass


def parser_of(name):
    """The argparse parser of a command of ``cli.COMMANDS``."""
    from . import cli

    def caught(self, args=None, namespace=None):
        raise _Caught(self)

    with mock.patch.object(argparse.ArgumentParser, "parse_args", caught):
        try:
            cli.run(name, [])
        except _Caught as found:
            return found.args[0]
    raise LookupError(f"the command '{name}' has no parser")


def whole():
    """One parser with every command as a subcommand."""
    from . import cli

    top = argparse.ArgumentParser(prog="shuangkou", description="Tools of the table hub.")
    commands = top.add_subparsers(dest="command")
    for name, (_, what) in cli.COMMANDS.items():
        own = parser_of(name)
        # A % would be a format in a help text.
        commands.add_parser(name, help=what.replace("%", "%%"), parents=[own], conflict_handler="resolve")
    return top


def script(shell):
    """The completion script for one of SHELLS, as text."""
    import shtab

    return shtab.complete(whole(), shell=shell)


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = options.parser(
        "completion",
        "Print the script that completes the command 'shuangkou' in a shell.",
        (
            'eval "$(shuangkou completion bash)"     in ~/.bashrc',
            "shuangkou completion zsh > ~/.zfunc/_shuangkou",
            "shuangkou completion fish > ~/.config/fish/completions/shuangkou.fish",
        ),
        port=False,
    )
    p.add_argument("shell", choices=SHELLS, help="the shell")
    print(script(p.parse_args(argv).shell))
    return statuses.OK
