"""Room in the heap: modules that are needed now and then are put back after use, makers of single things forgotten.

The bytecode of an imported module lies in the heap. Whoever uses such a module imports it inside the function, keeps
nothing of it, and puts it back; ``call`` does all three. CPython, which has room, keeps everything.
"""

import gc
import sys

# All of them, each after those that it imports.
MODULES = (
    "pins",
    "slots",
    "players",
    "sectors",
    "evening",
    "seating",
    "opening",
    "dealing",
    "booting",
    "gathering",
    "settling",
    "joining",
    "trick",
    "menu",
    "ask",
    "sheet",
    "naming",
    "closing",
    "pages",
    "repeat",
    "commands",
    "testing",
    "keeping",
    "trial",
    "copying",
    "checking",
    "locking",
    "restoring",
    "drivers.bring_up",
    "drivers.ds3231",
    "drivers.max98357",
    "drivers.shine",
    "shared_rules.titles",
    "shared_rules.deal",
    "shared_rules.score",
    "shared_rules.names",
    "shared_rules.rulesets",
    "screen.hand",
    "screen.scenes",
    "screen.play",
    "screen.compact",
    "screen.lobby",
    "screen.settle",
    "screen.sheet",
    "screen.naming",
    "screen.closing",
    "screen.menu",
    "screen.trick",
    "screen.ask",
    "version",
    "starting",
    "assembly",
)

_LEAN = sys.implementation.name == "micropython"


def put_back(*names):
    """Forget these modules (dotted names, loaded or not)."""
    if _LEAN:
        for name in names:
            if name in sys.modules:
                del sys.modules[name]
                dot = name.rfind(".")
                if dot > 0:
                    delattr(sys.modules[name[:dot]], name[dot + 1 :])


def show_names():
    """Load every module of the shelf once: the names in it are kept for ever by the interpreter, wherever they lie."""
    if _LEAN:
        for name in MODULES:
            __import__(name)
            put_back(*MODULES)
            gc.collect()


def made(*classes):
    """The only objects of these classes have been made: their ``__init__`` is not needed any more."""
    if _LEAN:
        for c in classes:
            del c.__init__
