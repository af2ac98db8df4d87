"""The virtual board: the simulated table behind a serial port, as the real board is over USB.

``VirtualBoard`` is a ``SimTable`` in real time whose interpreter has a terminal as its console: what the board writes
goes to the port, what a tool types there comes in, Ctrl-C leads to the interpreter's own REPL, and a soft or a hard
reset does what it does on the ESP32. The flash is taken as it is: a board with an erased one says what the chip's ROM
says.

    with VirtualBoard(flash="board.bin") as board:
        subprocess.run(["mpremote", "connect", board.port, "fs", "ls"])
        board.press(0, "hint")
        board.power_cut(at_write=3)
"""

import contextlib
import os
import re
import select
import signal
import time

from .. import build, esp_image, image, layout
from ..sim import commands, launch
from ..sim.models.flash import Flash, PowerCut
from ..sim.settings import Settings
from ..sim.shims import ops
from ..sim.table import SimTable
from . import boot, rom, usb
from .vm import BoardVm, Quiet

_MS = 1_000_000
_CTRL_C = b"\x03"
_RAW = b"raw REPL; CTRL-B to exit\r\n>"
_FRIENDLY = b'Type "help()" for more information.\r\n>>> '
_BANNER = re.compile(rb"\r?\n?MicroPython [^\r\n]*\r\nType \"help\(\)\" for more information\.\r\n>>> \r\n")
_TAIL = 200  # bytes in which the newest of these is looked for
# A tool's remote file system (mpremote mount) begins its binary messages so.
_BINARY = b"\x18"

_DEAF_S = 0.3  # code that has not asked for anything for so long is interrupted by a signal
_HELD_S = 2.0  # what is typed behind Ctrl-C waits so long for the prompt
_LOOK_S = 0.001  # while something typed waits for the prompt
_LINE = 1 << 16  # a longer line is none of the record's
_NEWLINE = re.compile(rb"(?<!\r)\n")

# machine.reset_cause()'s numbers, and one of ours for the ROM's own watchdog.
_POWERED, _BY_SOFTWARE, _WATCHDOG, _SOFT, _ROM_WATCHDOG = 1, 2, 3, 5, 99
_CAUSES = {_POWERED: boot.POWERON, _BY_SOFTWARE: boot.SOFTWARE, _WATCHDOG: boot.SOFTWARE}
# While a timer's callback cannot be delivered (the interpreter waits at its prompt) a watchdog that it may feed waits.
_TIMER_GRACE = 1000 * _MS
# EN has a capacitor: the chip looks at GPIO0 once DTR and RTS have changed again after EN was let go, or so much later.
_EN_NS = 100 * _MS

# What can be made to go wrong: {name: what happens}; each takes a value, see ``VirtualBoard.fault``.
FAULTS = {
    "cable-out": "the cable comes out when the tool sends block VALUE of what it writes to the flash (default 3)",
    "power-cut": "the power goes inside flash operation number VALUE from now (default 100)",
    "wrong-chip": "in download mode the chip is another one: esp32s3 or esp32c3 (default esp32s3)",
    "bad-block": "the flash sector at address VALUE takes no data (default 0x20000)",
    "deaf-repl": "nothing that is typed reaches the interpreter, Ctrl-C neither",
    "no-boot": "the button BOOT does not work, and the tool's line neither: no download mode",
}
_DEFAULTS = {"cable-out": 3, "power-cut": 100, "wrong-chip": "esp32s3", "bad-block": 0x20000}


_MICROPYTHON = "1.25.0"  # on a new board


def new_flash():
    """The flash of a new board, with MicroPython and the hub's firmware: 4 MiB.

    esp_image.FirmwareError if there is no MicroPython image; build.BuildError.
    """
    return image.compose(esp_image.load(_MICROPYTHON), build.vfs_image())


class _CableOut(Exception):
    """Just here."""


class VirtualBoard(SimTable):
    """A board on a serial port; a context manager.

    flash: path of the flash file, kept; None: gone after the run. erased: a new flash is empty instead of having the
    hub's firmware. link: path of a symbolic link to the port. heap: bytes, as on the board. seed: text that random
    numbers and the bounce of keys follow from. tcp_port: of the RFC 2217 server, 0: any that is free.
    OSError, models.flash.Busy, launch.NoInterpreter, esp_image.FirmwareError,
    build.BuildError, usb.LinkTaken.
    """

    def __init__(self, flash=None, erased=False, link=None, heap=None, seed=None, quiet=True, tcp_port=0):
        self._erased = erased
        self._link = link
        settings = Settings(seats=None, flash=None if flash is None else str(flash), clock="real", seed=seed)
        settings.vm = "micropython"
        if heap:
            settings.heap = heap
        self._kind = None  # after a soft reset: how the interpreter starts (shims/start.py)
        self._raw = False  # the REPL in use is the raw one
        self._tail = b""
        self._binary = False
        self._swallowing = None  # what is written before the raw REPL of a soft reset is there
        self._record = b""  # a line that has begun
        self._typed = bytearray()
        self._interrupt = None  # when Ctrl-C came, until it is delivered
        self._held = 0.0  # until then what was typed behind it waits
        self._spoke = 0.0  # when the interpreter last asked for something
        self._again = None  # when (ns) the chip starts again by itself: it found nothing to run
        self._usb = None
        self._tcp_port = tcp_port
        self._rom = None  # while the chip is in download mode
        self._rom_done = False
        self._in_reset = False  # EN is held low
        self._look_at = None  # when (ns) the chip comes out of reset
        self._gpio0_low = False  # by the tool's lines
        self.boot_button = False  # held down
        self.faults = {}
        self._blocks = 0
        super().__init__(settings, threaded=True, quiet=quiet)
        try:
            self._plug()
        except (OSError, usb.LinkTaken):
            self.flash.close()
            raise

    def _plug(self):
        self._usb = usb.Cable(self._link, self._dtr_rts, self._tcp_port)
        self._tcp_port = self._usb.tcp_port

    def _open_flash(self):
        path = self.settings.flash
        new = None if self._erased or path and os.path.exists(path) else new_flash()
        return Flash(self.clock, self.violations.report, None, path, new)

    # For tests and for whoever drives it

    @property
    def port(self):
        """The serial port's path for a tool; None while the cable is out."""
        return self._usb.port if self._usb else None

    @property
    def url(self):
        """The port's RFC 2217 address, where DTR and RTS reset the chip; None while the cable is out."""
        return self._usb.url if self._usb else None

    def power_cut(self, at_write=None, after=None):
        """Cut the board's power: now, or inside the ``at_write``-th program or erase of the flash from now, after so
        many bytes of it (default: half). The USB bridge, and so the port, stays."""
        with self._cond:
            if at_write is None:
                self.power(False)
            else:
                self.flash.cut(at_write, after)

    def power_on(self):
        """Put the power on again: the board boots."""
        self.power(True)

    def pull_cable(self):
        """USB out: the port is gone, and so is the power."""
        with self._cond:
            self.power(False)
            if self._usb:
                self._usb.close()
                self._usb = None

    def plug_cable(self):
        """USB in again: a port (its path may be another), and power."""
        with self._cond:
            if self._usb is None:
                self._plug()
            self.power(True)

    def fault(self, name, value=None):
        """Make one of FAULTS happen. ValueError for a name that is not there, or a value that does not fit."""
        if name not in FAULTS:
            raise ValueError(f"there is no fault '{name}': there are {', '.join(FAULTS)}")
        if value is None:
            value = _DEFAULTS.get(name, True)
        if name == "wrong-chip":
            if value not in rom.CHIPS or value == "esp32":
                raise ValueError("the other chips are esp32s3 and esp32c3")
        elif name in _DEFAULTS and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise ValueError(f"'{name}' takes a whole number")
        with self._cond:
            self.faults[name] = value
            self._blocks = 0
            if name == "power-cut":
                self.flash.cut(max(1, value))
            elif name == "bad-block":
                self.flash.worn.add(value - value % layout.SECTOR)

    def mend(self):
        """Nothing goes wrong any more."""
        with self._cond:
            self.faults.clear()
            self.flash.worn.clear()
            self.flash.disarm()

    def reset(self):
        """The button EN."""
        with self._cond:
            if self.powered:
                self._end_vm()
                self._come_up()
                self._cond.notify_all()

    @property
    def failed(self):
        """The board's own thread has ended by an error of the simulator."""
        return self.crashed is not None

    def wait_boot(self, seconds=30):
        """Wait until the hub says that it is on. True if it did."""
        until = time.monotonic() + seconds
        with self._cond:
            while self.boot_ms is None and time.monotonic() < until:
                self._cond.wait(0.05)
            return self.boot_ms is not None

    def stop(self):
        """End the board; the port goes."""
        super().stop()
        if self._usb:
            self._usb.close()
            self._usb = None

    # What differs from the simulator

    def ask(self, command, ms=0):
        """The console is the serial port's: no command goes past it."""
        return None

    def command(self, line):
        """Do one command of SIMULATOR.md or of COMMANDS (a dict); its answer (a dict)."""
        with self._cond:
            return commands.obey(self, line, COMMANDS)

    def _next_seed(self):
        return None  # the hub draws its own; here a seed is text for noise

    def _boot(self):
        self.boot_ms = None
        super()._boot()

    def _start_vm(self):
        kind, self._kind = self._kind, None
        self._record = b""
        self._interrupt = None
        self._typed.clear()
        self._binary = False
        self._again = None
        if kind is None:
            kind = "main"
            self._raw = False
            self._rom = None
            if (self._gpio0_low or self.boot_button) and "no-boot" not in self.faults and not self._rom_done:
                self._send(boot.greeting(_CAUSES.get(self.board.reset_cause, boot.POWERON), download=True))
                chip = self.faults.get("wrong-chip", "esp32")
                self._rom = rom.Rom(self.flash, self._send, self._leave_rom, chip, self._block)
                return None
            self._rom_done = False
            said, runs, pause = boot.start(self.flash.image, _CAUSES.get(self.board.reset_cause, boot.RTC_WATCHDOG))
            self._send(said)
            if not runs:
                self._again = self.clock.now + pause * _MS
                return None
        self._swallowing = b"" if kind == "raw" else None
        command, options = launch.command_line(self.settings.heap, "-i", "-c", "import start")
        vm = BoardVm(command, self.flash.fileno(), kind, self._heard, **options)
        self._spoke = time.monotonic()
        if kind == "raw":
            vm.feed(b"\x01")
        return vm

    def _power_off(self):
        super()._power_off()
        self._still()

    def _still(self):
        """The chip does nothing: without power, or held in reset."""
        self._pending = None
        self._again = None
        self._kind = None
        self._rom = None
        self._rom_done = False
        self._in_reset = False
        self._look_at = None

    # Download mode

    def _dtr_rts(self, dtr, rts):
        """The tool has set DTR and RTS. Two transistors make of them: EN is low if RTS alone is asserted, GPIO0 is low
        if DTR alone is."""
        if not self.powered:
            return
        self._gpio0_low = dtr and not rts
        if rts and not dtr:
            if not self._in_reset:
                self._end_vm()
                self.board.chip_reset()
                self._still()
                self._in_reset = True
            self._look_at = None
        elif self._in_reset:
            if self._look_at is None:
                self._look_at = self.clock.now + _EN_NS
            else:
                self._come_up()

    def _come_up(self):
        self._still()
        self._chip_reset(_POWERED)

    def _leave_rom(self):
        self._rom_done = True

    def _block(self):
        """A tool sends a block for the flash."""
        self._blocks += 1
        if self._blocks == self.faults.get("cable-out"):
            raise _CableOut

    def _load(self, data):
        """Bytes for the ROM."""
        try:
            self._rom.take(data, self._usb.baud)
        except PowerCut:
            self._power_off()
        except _CableOut:
            del self.faults["cable-out"]
            self.pull_cable()
        if self._rom_done:
            self._chip_reset(_BY_SOFTWARE)

    def _reset(self, soft):
        if soft:
            self._soft_reset()
        else:
            self._chip_reset(_BY_SOFTWARE)

    def _soft_reset(self):
        """A new interpreter; the hardware, and a watchdog that was started, go on."""
        self._kind = "raw" if self._raw else "main"
        self._end_vm()
        self._send(b"MPY: soft reboot\r\n")
        self.board.timers.clear()
        self.board.reset_cause = _SOFT
        self._boot()

    def _ended(self, end):
        status = self.vm.process.wait()
        if status < 0:
            self._send(f"\r\nThe interpreter was ended by signal {-status}.\r\n".encode())
            self._chip_reset(_BY_SOFTWARE)
        else:  # Ctrl-D at the prompt, or sys.exit()
            self._soft_reset()

    def _console(self):
        if self.vm:
            self.vm.take()

    # The serial port

    def _send(self, data):
        if self._usb:
            self._usb.write(data)

    def _heard(self, data):
        """Bytes that the interpreter has written."""
        *lines, self._record = (self._record + data).split(b"\n")
        self._record = self._record[-_LINE:]
        t = self.clock.ms()
        for line in lines:
            self._lines.append((line.rstrip(b"\r").decode("utf-8", "replace"), t))
        if self._swallowing is not None:
            self._swallowing += data
            found = _BANNER.search(self._swallowing)
            if found is None and b"MicroPython " in self._swallowing:
                return
            data, self._swallowing = self._swallowing, b""
            if found:
                data = data[: found.start()] + data[found.end() :]
                self._swallowing = None
        self._tail = (self._tail + data)[-_TAIL - len(data) :]
        raw, friendly = self._tail.rfind(_RAW), self._tail.rfind(_FRIENDLY)
        if raw != friendly:
            self._raw = raw > friendly
        self._tail = self._tail[-_TAIL:]
        if not self._binary:
            text, mark, rest = data.partition(_BINARY)
            # The board ends lines so; the interpreter of this machine leaves that to its terminal.
            data = _NEWLINE.sub(b"\r\n", text) + mark + rest
            self._binary = bool(mark)
        self._send(data)

    def _pump(self):
        """Take what tools have typed, and give the interpreter what it may have now."""
        if self._usb:
            data = self._usb.read()
            if data:
                if self._rom:
                    self._load(data)
                elif self.vm and "deaf-repl" not in self.faults:
                    self._typed += data
            if self._usb and self._usb.pending():
                self._usb.flush()
        if (self._typed or self._held) and self.vm:
            self._type()

    def _type(self):
        vm = self.vm
        if self._held:
            # What is typed behind Ctrl-C is for the prompt.
            if vm.at_prompt():
                self._interrupt = None
            elif time.monotonic() < self._held:
                return
            self._held = 0.0
        data = bytes(self._typed)
        if vm.at_prompt() or _CTRL_C not in data or not vm.interruptible():
            self._typed.clear()
            vm.feed(data)
            return
        before = data.index(_CTRL_C)
        vm.feed(data[:before])
        del self._typed[: before + 1]
        self._interrupt = time.monotonic()
        self._held = self._interrupt + _HELD_S

    # Life

    def _hear(self, target):
        self._pump()
        if self.vm is None:  # a reset
            return None
        if self._interrupt is not None and time.monotonic() - max(self._interrupt, self._spoke) > _DEAF_S:
            self._interrupt = None
            if self.vm.interruptible() and not self.vm.at_prompt():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.vm.process.pid, signal.SIGINT)
        began = time.monotonic()
        seconds = max(0.0, (target - self.clock.now) / 1e9)
        if self._typed or self._held:
            seconds = min(seconds, _LOOK_S)
        try:
            message = self.vm.hear(self.board.posted, seconds, self._usb.fds() if self._usb else ())
        except Quiet:
            message = None
        self._hold_watchdog()
        if message is not None:
            self._spoke = time.monotonic()
            return message
        # It computes, or waits at its prompt: time goes on.
        self.clock.go(self.clock.now + int((time.monotonic() - began) * 1e9))
        self._anchor = None
        if self.board.watchdog is not None and self.clock.now >= self.board.watchdog:
            self._chip_reset(_WATCHDOG)
        return None

    def _hold_watchdog(self):
        board = self.board
        if board.timers and board.watchdog is not None:
            board.watchdog = max(board.watchdog, self.clock.now + _TIMER_GRACE)

    def _serve(self, target):
        asked = self._pending
        self._pump()
        if self._pending is not asked:  # a reset
            return
        self._hold_watchdog()
        if self._interrupt is not None and self._pending[0] in (ops.SLEEP, ops.FENCE):
            self._interrupt = None
            if not self.vm.interruptible():
                return
            self._pending = None
            self.vm.reply(self.clock.now - self._reset_at, self.board.levels(), 0, ops.INTERRUPTED)
            return
        super()._serve(target)

    def _idle(self, when):
        """No firmware runs: the power is off, the chip is held in reset or in download mode, or there is none."""
        if self._look_at is not None and self.clock.now >= self._look_at:
            self._come_up()
            return
        if self._again is not None and self.clock.now >= self._again:
            self._chip_reset(_ROM_WATCHDOG)
            return
        began = time.monotonic()
        left = max(0.0, (when - self.clock.now) / 1e9)
        if not (self._usb and self._usb.pending()):
            select.select(self._usb.fds() if self._usb else [], [], [], left)
        self._pump()
        self.clock.go(self.clock.now + int((time.monotonic() - began) * 1e9))
        self._anchor = None


def _usb_command(board, value, line):
    if value == "out":
        if board.port is None:
            raise commands.Bad("The cable is out already.")
        board.pull_cable()
    elif value == "in":
        if board.port is not None:
            raise commands.Bad("The cable is in already.")
        board.plug_cable()
    else:
        raise commands.Bad("'usb' takes out or in.")
    return {"ok": True, "port": board.port, "url": board.url}


def _boot_command(board, value, line):
    if not isinstance(value, bool):
        raise commands.Bad("'boot' is true or false: the button is held down or let go.")
    board.boot_button = value
    return {"ok": True}


def _fault_command(board, value, line):
    if value is None:
        board.mend()
        return {"ok": True}
    try:
        board.fault(value if isinstance(value, str) else "", line.get("value"))
    except ValueError as error:
        text = str(error)
        raise commands.Bad(text[0].upper() + text[1:] + ".") from None
    return {"ok": True}


def _reset_command(board, value, line):
    if value is not True:
        raise commands.Bad("'reset' takes true.")
    if not board.powered:
        raise commands.Bad("The power is off.")
    board.reset()
    return {"ok": True}


# The simulator's, and those of a board on a cable. Its console is the serial port's: none here.
COMMANDS = {
    **{name: row for name, row in commands.COMMANDS.items() if name != "cmd"},
    "usb": (_usb_command, ()),
    "reset": (_reset_command, ()),
    "boot": (_boot_command, ()),
    "fault": (_fault_command, ("value",)),
}
