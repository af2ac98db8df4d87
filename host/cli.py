"""The one command of the host tools: ``python -m host COMMAND`` (also installed as ``shuangkou``).

``GROUPS`` is the whole list: a command is a function that takes its arguments and returns an exit status.
Modules are imported only when their command is asked for: one tool's libraries never slow another down.
"""

import errno
import importlib
import os
import sys

from . import statuses

# group: {name: (module:function, what it does)}
GROUPS = {
    "Play and look": {
        "simulate": ("host.sim.cli:main", "open the simulated table in a browser, or drive it by lines"),
        "rules": ("host.rules:main", "answer questions about the rules, one JSON object a line"),
    },
    "From source to board": {
        "build": ("host.build_cli:main", "compile for the board: the image of its file system or whole flash"),
        "flash": ("host.board.flash:main", "write MicroPython and the hub to a board on USB"),
        "deploy": ("host.deploy:main", "a new version onto a running hub, into the slot that does not run"),
        "doctor": ("host.tools.doctor:main", "check a hub, part by part"),
        "virtual-board": ("host.board.cli:main", "a board on a virtual port, for the tools that take the real one"),
    },
    "A hub on its cable": {
        "console": ("host.tools.console:main", "the live record of a hub, in words"),
        "record": ("host.tools.record:main", "keep the record of a hub in an archive (SQLite)"),
        "settings": ("host.tools.settings:main", "show and set what a hub remembers; lock and unlock it"),
        "backup": ("host.tools.backup:main", "settings, players and the last 200 deals of a hub into a file"),
        "restore": ("host.tools.backup:restore", "put a backup onto a hub"),
    },
    "Archives": {
        "scores": ("host.tools.scores:main", "players, titles and history from an archive"),
        "audit": ("host.tools.audit:main", "check every deal of an archive: seed, hands, plays, points"),
    },
    "For developers": {
        "bench": ("host.bench:main", "measure the rules engine, the table, its heap or the page"),
        "pictures": ("host.pictures:main", "make the documents' pictures from key scripts"),
        "test": ("host.test_on:main", "the tests of rules and firmware on CPython, MicroPython or the board"),
        "fonts": ("host.fonts:main", "make the compact font from Noto Sans CJK"),
        "sounds": ("host.sounds:main", "list the hub's sounds, or write them as WAV files"),
        "wiring": ("host.wiring:main", "the wiring table of hardware/README.md, from the pin table"),
        "completion": ("host.completion:main", "the script that completes these commands in a shell"),
    },
}
COMMANDS = {name: row for group in GROUPS.values() for name, row in group.items()}


def usage():
    """The help text: one line a command, by groups."""
    lines = ["usage: python -m host COMMAND [options]"]
    for group, commands in GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:<13} {what}" for name, (_, what) in commands.items())]
    lines += ["", "examples:", "  python -m host simulate", "  python -m host build --firmware 1.25.0", ""]
    lines.append("'python -m host COMMAND --help' tells a command's options, examples and exit statuses.")
    return "\n".join(lines)


def run(name, argv):
    """Run a command of ``COMMANDS`` with its arguments. Returns its exit status."""
    module, function = COMMANDS[name][0].split(":")
    return getattr(importlib.import_module(module), function)(argv)


def main(argv=None):
    """Run one command. Returns its exit status; 2 for an unknown command.

    A reader of standard output that has gone ends the command quietly; where nothing can be written a sentence says so.
    """
    _stand_in()
    try:
        try:
            return _command(argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard()
        return statuses.OK
    except OSError as error:
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG):
            raise
        _discard()
        return statuses.fail(statuses.FAILED, f"Standard output cannot be written: {error.strerror}.")


def _stand_in():
    """Nothing in the place of a standard stream that is closed, so that no file of ours gets its number."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))


def _discard():
    """What is still to be written to standard output, as it ends, goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(argv):
    argv = list(sys.argv[1:] if argv is None else argv)
    if not argv or argv[0] in ("-h", "--help"):
        print(usage())
        return 0 if argv else 2
    if argv[0] not in COMMANDS:
        print(f"There is no command '{argv[0]}': 'python -m host --help' lists them.", file=sys.stderr)
        return 2
    return run(argv[0], argv[1:])
