"""The one command of the host tools: ``python -m host COMMAND`` (also installed as ``shuangkou``).

``COMMANDS`` is the whole list: a command is a function that takes its arguments and returns an exit status.
Modules are imported only when their command is asked for: one tool's libraries never slow another down.
"""

import importlib
import sys

# name: (module:function, what it does)
COMMANDS = {
    "simulate": ("host.sim.cli:main", "open the simulated table in a browser, or drive it by lines"),
    "flash": ("host.board.flash:main", "write MicroPython and the hub to a board on USB"),
    "virtual-board": ("host.board.cli:main", "a virtual board on a serial port, for the tools that take the real one"),
    "console": ("host.tools.console:main", "the live record of a hub, in words"),
    "record": ("host.tools.record:main", "keep the record of a hub in an archive (SQLite)"),
    "scores": ("host.tools.scores:main", "players, titles and history from an archive"),
    "audit": ("host.tools.audit:main", "check every deal of an archive: seed, hands, plays, points"),
    "settings": ("host.tools.settings:main", "show and set what a hub remembers; lock and unlock it"),
    "backup": ("host.tools.backup:main", "settings, players and the last 200 deals of a hub into a file"),
    "restore": ("host.tools.backup:restore", "put a backup onto a hub"),
    "doctor": ("host.tools.doctor:main", "check a hub, part by part"),
    "rules": ("host.rules:main", "answer questions about the rules, one JSON object a line"),
    "build": ("host.build_cli:main", "compile for the board: the image of its file system or whole flash"),
    "deploy": ("host.deploy:main", "a new version onto a running hub, into the slot that does not run"),
    "fonts": ("host.fonts:main", "make the compact font from Noto Sans CJK"),
    "pictures": ("host.pictures:main", "make the documents' pictures from key scripts"),
    "wiring": ("host.wiring:main", "the wiring table of hardware/README.md, from the pin table"),
    "bench": ("host.bench:main", "measure the rules engine (bench rules) or the page (bench page)"),
}


def usage():
    """The help text: one line a command."""
    rows = "\n".join(f"  {name:<13} {what}" for name, (_, what) in COMMANDS.items())
    more = "'python -m host COMMAND --help' tells a command's options."
    return f"usage: python -m host COMMAND [options]\n\n{rows}\n\n{more}"


def main(argv=None):
    """Run one command. Returns its exit status; 2 for an unknown command."""
    argv = list(sys.argv[1:] if argv is None else argv)
    if not argv or argv[0] in ("-h", "--help"):
        print(usage())
        return 0 if argv else 2
    if argv[0] not in COMMANDS:
        print(f"There is no command '{argv[0]}': 'python -m host --help' lists them.", file=sys.stderr)
        return 2
    module, function = COMMANDS[argv[0]][0].split(":")
    return getattr(importlib.import_module(module), function)(argv[1:])
