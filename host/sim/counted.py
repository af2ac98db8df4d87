"""A table whose interpreter runs under valgrind: the instructions between a key's first contact and the first pixel.

The supervisor sets a bit of the pin levels that no pin has (``WATCHED``) while a key waits for its pixel. ``PROGRAM``
runs ahead of the firmware: when it first sees the bit, and after each piece of picture while it stays, it calls the
function that ends one of callgrind's counts. What the stand-ins for the board's modules do is left out: they are
entered through ``+`` of an object, inside of which callgrind does not count (and nothing else in the firmware adds
objects). Counted is the rest that happens in bytecode, functions in C included.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from .clock import MS
from .launch import command_line
from .table import SimTable
from .vm import Vm

MARK = "mp_micropython_opt_level"
WATCHED = 60  # the bit
TURNS = 2000  # of an empty loop, counted as the measure of everything else

PROGRAM = f"""
import link, machine, micropython, time
import sys
opt_level = micropython.opt_level
log = open(sys.argv[0][: -len("begin.py")] + "log", "w")
state = [False]
def mark(letter):
    opt_level()
    log.write(letter)
    log.flush()
class Outside:
    def __init__(self, f):
        self.f = f
    def __add__(self, args):
        return self.f(*args)
call = link.call
def watching():
    now = link.levels >> {WATCHED} & 1
    if now and not state[0]:
        mark("A")
    state[0] = now
def called(*args):
    result = call(*args)
    watching()
    return result
link.call = called
write = machine.SPI.write
def outside(f):
    f = Outside(f)
    return lambda *args: f + args
def put(self, buf):
    write(self, buf)
    if state[0] and len(buf) > 4:
        mark("B")
        link.fence()
def spi(self, buf, f=Outside(put)):
    f + (self, buf)
machine.SPI.write = spi
machine.SPI.readinto = outside(machine.SPI.readinto)
def pin(self, x=None, f=Outside(machine.Pin.value)):
    return f + (self, x)
machine.Pin.value = pin
for name in ("readfrom_mem_into", "writeto_mem"):
    setattr(machine.I2C, name, outside(getattr(machine.I2C, name)))
for name in ("ticks_ms", "ticks_us", "ticks_add", "ticks_diff", "sleep_us", "sleep_ms"):
    setattr(time, name, outside(getattr(time, name)))
machine.WDT.feed = outside(machine.WDT.feed)
def loop(turns):
    mark("L")
    for i in range(turns):
        pass
    mark("E")
loop({TURNS})
import start
"""
_NOTHING_MS = 300  # a key that has changed nothing by then changes nothing


class Keyed(SimTable):
    """Keeps of each press of seat 0 the ms until the first pixel changed: ``keys`` is [[key, ms or None], ...]."""

    def __init__(self, settings, **options):
        self.keys = []
        self._waits = False
        super().__init__(settings, **options)
        levels = self.board.levels
        self.board.levels = lambda: levels() | self._waits << WATCHED

    def _pressed(self, seat, key):
        super()._pressed(seat, key)
        if seat:
            return
        began = self.outside()
        entry = [key, None]
        self.keys.append(entry)
        self._waits = True
        panel = self.board.panels[seat]

        def changed(when):
            self._waits = False
            if when - began < _NOTHING_MS * MS:
                entry[1] = (when - began) / MS

        panel.changed = changed


class Counted(Keyed):
    """The same, with the interpreter under valgrind."""

    def __init__(self, settings, **options):
        self._folder = tempfile.TemporaryDirectory()
        super().__init__(settings, **options)

    def _start_vm(self):
        folder = Path(self._folder.name)
        (folder / "begin.py").write_text(PROGRAM)
        command, options = command_line(self.settings.heap, str(folder / "begin.py"))
        wrap = ["valgrind", "-q", "--tool=callgrind", "--toggle-collect=mp_execute_bytecode"]
        wrap += ["--toggle-collect=instance_binary_op", f"--dump-before={MARK}"]
        wrap += [f"--callgrind-out-file={folder}/count"]
        return Vm([*wrap, sys.executable, *command], self.flash.fileno(), **options)

    def counts(self):
        """(instructions of a turn of the loop, [instructions from each press to its pixel])."""
        folder = Path(self._folder.name)
        dumps = sorted(folder.glob("count.*"), key=lambda p: int(p.suffix[1:]))
        found = [int(re.search(r"^(?:totals|summary): (\d+)", d.read_text(), re.M)[1]) for d in dumps]
        loop = None
        spans = []
        for letter, count in zip((folder / "log").read_text(), found):
            if letter == "E":
                loop = count / TURNS
            elif letter == "A":
                spans.append(0)
            elif letter == "B":
                spans[-1] += count
        return loop, spans


def possible():
    """Whether there is a valgrind."""
    return shutil.which("valgrind") is not None
