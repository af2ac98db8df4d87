"""Runs the firmware's sources on CPython as MicroPython would on the board: ``start.py FOLDER WIRE FLASH``.

Puts MicroPython's modules in place of CPython's, then runs boot.py and main.py.
"""

# What the firmware or its tracebacks may use of the standard library must be there before `time` is another one.
import binascii  # noqa: F401
import builtins
import calendar
import errno  # noqa: F401
import gc
import hashlib  # noqa: F401
import json  # noqa: F401
import linecache  # noqa: F401
import os
import select
import struct  # noqa: F401
import sys
import time as _real_time
import traceback
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", "..", ".."))
FIRMWARE = os.path.abspath(sys.argv[1])

sys.path[:] = [HERE, os.path.dirname(HERE), FIRMWARE, ROOT, *[p for p in sys.path if p and p != HERE]]


class _Console:
    """Standard input without a buffer, as text and as bytes."""

    def __init__(self, binary=False):
        self._binary = binary
        self.buffer = self if binary else _Console(True)

    def fileno(self):
        return 0

    def read(self, n=-1):
        data = os.read(0, n if n >= 0 else 65536)
        return data if self._binary else data.decode("utf-8", "replace")

    def readline(self):
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(0, 1)
            if not byte:
                break
            line += byte
        return line if self._binary else line.decode("utf-8", "replace")


class _Poll:
    """select.poll as MicroPython has it: answers with the objects that were registered."""

    def __init__(self):
        self._poll = _poll()
        self._objects = {}

    def register(self, thing, mask=select.POLLIN | select.POLLOUT):
        fd = thing if isinstance(thing, int) else thing.fileno()
        self._objects[fd] = thing
        self._poll.register(fd, mask)

    modify = register

    def unregister(self, thing):
        fd = thing if isinstance(thing, int) else thing.fileno()
        self._objects.pop(fd, None)
        self._poll.unregister(fd)

    def poll(self, timeout=-1):
        return [(self._objects[fd], event) for fd, event in self._poll.poll(timeout)]

    ipoll = poll


def _open(file, *args, **more):
    """open(), with the board's root at the firmware's folder."""
    if isinstance(file, str) and file.startswith("/"):
        inside = os.path.join(FIRMWARE, file[1:])
        if os.path.exists(inside):
            file = inside
    return _real_open(file, *args, **more)


def _print_exception(error, file=None):
    traceback.print_exception(type(error), error, error.__traceback__, file=file or sys.stdout)


_poll = select.poll
_real_open = builtins.open
select.poll = _Poll
builtins.open = _open
sys.stdin = _Console()
sys.print_exception = _print_exception
# There is no heap limit here; these are the board's, so that who asks gets a number.
gc.mem_alloc = lambda: 0
gc.mem_free = lambda: 110 * 1024
gc.threshold = lambda amount=-1: -1

_utime = types.ModuleType("utime")
_utime.gmtime = lambda seconds: tuple(_real_time.gmtime(seconds))[:8]
_utime.mktime = lambda t: calendar.timegm((*t[:6], 0, 0, 0))
sys.modules["utime"] = _utime
for _name in ("uos", "ustruct", "ujson", "uhashlib", "ubinascii", "uselect", "usys"):
    sys.modules[_name] = sys.modules[_name[1:]]


def _replace(name):
    """Load the shim of a module that CPython has loaded already."""
    module = types.ModuleType(name)
    module.__file__ = os.path.join(os.path.dirname(HERE), name + ".py")
    with _real_open(module.__file__) as file:
        exec(compile(file.read(), module.__file__, "exec"), module.__dict__)
    return module


import link  # noqa: E402
import ops  # noqa: E402

_time = _replace("time")
for _name, _value in vars(_real_time).items():
    _time.__dict__.setdefault(_name, _value)  # what the standard library needs
sys.modules["time"] = _time
os.urandom = _replace("os").urandom


def _main():
    shared = {"__name__": "__main__"}
    try:
        for name in ("boot.py", "main.py"):
            path = os.path.join(FIRMWARE, name)
            if os.path.exists(path):
                with _real_open(path, encoding="utf-8") as file:
                    exec(compile(file.read(), path, "exec"), shared)
    except SystemExit:
        link.call(ops.RESET, 1, b"")
    except BaseException as error:
        _print_exception(error, sys.stderr)
        link.call(ops.ENDED, 1, b"")
        sys.exit(1)
    link.call(ops.ENDED, 0, b"")


_main()
