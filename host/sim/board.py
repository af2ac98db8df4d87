"""The hub's wiring around the models: which pin goes where, and what a message on the wire does.

The pins are ``firmware/pins.py``, read as data. Everything that costs time spends it on the clock here or in the
model that owns the operation.
"""

import random
import runpy
import struct
from array import array
from pathlib import Path
from types import SimpleNamespace

from .clock import US
from .models.ds3231 import Clock3231
from .models.flash import PowerCut
from .models.ili9341 import Panel
from .models.mcp23017 import Expander
from .models.ring import Ring
from .models.sound import Sound
from .shims import ops

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"

ENODEV = 19
ETIMEDOUT = 110
_I2C_TIMEOUT = 50_000 * US
# A chip that was interrupted in the middle of a byte lets go of SDA after so many clocks (at most nine).
STUCK_CLOCKS = 7
# ILI9341: serial clock cycle of a read at least 150 ns.
_READ_HZ = 6_666_667

_WORD = struct.Struct("<I")
_WORDS = struct.Struct("<II")
_THREE = struct.Struct("<III")


def pins(folder=FIRMWARE):
    """The constants of pins.py as attributes."""
    return SimpleNamespace(**runpy.run_path(str(Path(folder) / "pins.py")))


class Board:
    """Models and buses. ``flash``: a Flash; ``seed``: text that the random bytes follow from."""

    def __init__(self, clock, violations, flash, pins, seed):
        self.clock = clock
        self.flash = flash
        self.pins = pins
        self.report = violations.report
        self.panels = [Panel(seat, clock, self.report) for seat in range(4)]
        self.pads = [Expander(seat, self.report, pins.KEY_LINES, pins.LIGHT_LINES) for seat in range(4)]
        self.rtc = Clock3231(clock)
        self.ring = Ring(clock, pins.RING_PIXELS)
        self.sound = Sound(clock)
        self.i2c_transactions = 0
        self.watchdog = None  # deadline in ns
        self.timers = set()  # numbers of those that run
        self.reset_cause = 1
        self.rtc_memory = b""  # of the ESP32's own real-time clock: outlives resets, not the power
        self._random = random.Random(f"urandom {seed}")
        self._i2c = {address: self.pads[seat] for seat, address in enumerate(pins.PAD_ADDRESS)}
        self._i2c[pins.CLOCK_ADDRESS] = self.rtc
        self._cs = {gpio: seat for seat, gpio in enumerate(pins.DISPLAY_CS)}
        self.posted = [self._unknown] * ops.FENCE
        for op, act in (
            (ops.PIN, self._pin),
            (ops.MODE, self._mode),
            (ops.SPI_HZ, self._spi_hz),
            (ops.SPI, self._spi),
            (ops.PWM, self._pwm),
            (ops.RING, self._ring),
            (ops.I2C_HZ, self._i2c_hz),
            (ops.WATCHDOG, self._watchdog),
            (ops.I2S_OPEN, self._i2s_open),
            (ops.SLEPT, self._slept),
            (ops.TIMER, self._timer),
        ):
            self.posted[op] = act
        self.answers = {
            ops.FENCE: lambda arg, data: (0, b""),
            ops.SPI_READ: self._spi_read,
            ops.SPI_BOTH: self._spi_both,
            ops.I2C_WRITE: self._i2c_write,
            ops.I2C_READ: self._i2c_read,
            ops.I2C_MEM_READ: self._i2c_mem_read,
            ops.FLASH_PROGRAM: self._flash_program,
            ops.FLASH_ERASE: self._flash_erase,
            ops.RANDOM: self._random_bytes,
            ops.RESET_CAUSE: lambda arg, data: (self.reset_cause, b""),
            ops.I2S_WRITE: self._i2s_write,
            ops.RTC_SIZE: lambda arg, data: (len(self.rtc_memory), b""),
            ops.RTC_READ: lambda arg, data: (0, self.rtc_memory),
            ops.RTC_WRITE: self._rtc_write,
            ops.I2S_SHIFT: self._i2s_shift,
        }
        self.chip_reset()

    def chip_reset(self):
        """The ESP32 starts anew: its pins float, and the pull-ups on the board hold CS, RST and I2C high."""
        self._levels = (1 << 40) - 1
        self._spi_clock = 1_000_000
        self._byte_ns = 8000
        self._selected = []
        self._i2c_ns = 2500
        self.backlight = 65535  # the MOSFET's gate is pulled up: lit until PWM takes over
        self.watchdog = None
        self.timers.clear()
        self.sound.reset()
        for panel in self.panels:
            panel.select(False)
            panel.was_set_up = False

    def power_on(self):
        """Supply comes up everywhere."""
        for panel in self.panels:
            panel.power_on()
        for pad in self.pads:
            pad.power_on()
        self.ring.power_on()
        self.rtc_memory = b""
        self.reset_cause = 1
        self.chip_reset()

    # Pins

    def levels(self):
        """GPIO 0-39 as bits: what is driven, or what drives an input."""
        levels = self._levels
        if any(pad.interrupt_low() for pad in self.pads):
            levels &= ~(1 << self.pins.PAD_INT)
        if any(pad.stuck for pad in self.pads):
            levels &= ~(1 << self.pins.I2C_SDA)
        return levels

    def _unknown(self, arg, data):
        raise ValueError("a message that is not in ops.py came over the wire")

    def _mode(self, gpio, data):
        pass

    def _pin(self, arg, data):
        gpio, high = arg & 127, arg >> 7
        bit = 1 << gpio
        if bool(self._levels & bit) == high:
            return
        self._levels ^= bit
        if gpio in self._cs:
            self._select(self._cs[gpio], not high)
        elif gpio == self.pins.DISPLAY_RST:
            if not high:
                up = [panel.seat for panel in self.panels if panel.present and panel.was_set_up]
                if up:
                    self.report("late-reset", up[0], f"RST pulled low after the display of seat {up[0]} was set up")
            for panel in self.panels:
                panel.reset(high)
        elif gpio == self.pins.I2C_SCL and high:
            for pad in self.pads:
                if pad.stuck:
                    pad.stuck -= 1

    def _select(self, seat, low):
        panel = self.panels[seat]
        panel.select(low)
        self._selected = [p for p in self.panels if p.selected]
        if low and len(self._selected) > 1:
            both = " and ".join(str(p.seat) for p in self._selected)
            self.report("two-selected", seat, f"CS of seats {both} low at once")

    # SPI

    def _spi_hz(self, arg, data):
        self._byte_ns = ops.spi_byte_ns(_WORD.unpack(data)[0])
        self._spi_clock = 8_000_000_000 // self._byte_ns

    def _spi(self, arg, data):
        self.clock.now += len(data) * self._byte_ns
        dc = self._levels >> self.pins.DISPLAY_DC & 1
        for panel in self._selected:
            panel.write(dc, data)

    def _spi_in(self, count):
        self.clock.spend(count * self._byte_ns)
        data = b"\xff" * count
        for panel in self._selected:
            if self._spi_clock > _READ_HZ:
                self.report("fast-read", panel.seat, f"read at {self._spi_clock} Hz, {_READ_HZ} Hz at most")
            data = panel.read(count)
        return data

    def _spi_read(self, arg, data):
        return 0, self._spi_in(_WORDS.unpack(data)[0])

    def _spi_both(self, arg, data):
        dc = self._levels >> self.pins.DISPLAY_DC & 1
        for panel in self._selected:
            panel.write(dc, data)
        return 0, self._spi_in(len(data))

    # I2C

    def _i2c_hz(self, arg, data):
        self._i2c_ns = 1_000_000_000 // max(1, _WORD.unpack(data)[0])

    def _reach(self, address, count):
        """Address a chip for a transaction of count bytes: the chip, or a negative error number."""
        self.i2c_transactions += 1
        if any(pad.stuck for pad in self.pads):
            self.clock.spend(_I2C_TIMEOUT)
            self.clock.settle()
            return -ETIMEDOUT
        chip = self._i2c.get(address)
        missing = chip is None or not getattr(chip, "present", True)
        if not missing and getattr(chip, "fail", 0):
            chip.fail -= 1
            missing = True
        # Start, address and acknowledge, the bytes with theirs, stop.
        self.clock.spend((11 if missing else 11 + 9 * count) * self._i2c_ns)
        self.clock.settle()
        return -ENODEV if missing else chip

    def _i2c_write(self, address, data):
        chip = self._reach(address, len(data))
        if isinstance(chip, int):
            return chip, b""
        chip.write(data)
        return len(data), b""

    def _i2c_read(self, address, data):
        count = _WORDS.unpack(data)[0]
        chip = self._reach(address, count)
        return (chip, b"") if isinstance(chip, int) else (0, chip.read(count))

    def _i2c_mem_read(self, address, data):
        count, register = _WORDS.unpack(data)
        chip = self._reach(address, count + 2)  # the register, and the address again after a repeated start
        if isinstance(chip, int):
            return chip, b""
        chip.write(bytes((register,)))
        return 0, chip.read(count)

    def _slept(self, arg, data):
        self.clock.now = self.clock.after(data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24)

    # Flash

    def _flash_program(self, arg, data):
        self.flash.program(_WORD.unpack_from(data)[0], data[4:])
        return 0, b""

    def _flash_erase(self, arg, data):
        self.flash.erase(_WORDS.unpack(data)[0])
        return 0, b""

    # The rest

    def _pwm(self, gpio, data):
        if gpio == self.pins.BACKLIGHT:
            self.backlight = data[0] | data[1] << 8

    def _ring(self, gpio, data):
        if gpio == self.pins.RING:
            self.ring.write(bytes(data))

    def _watchdog(self, arg, data):
        self.watchdog = self.clock.now + _WORD.unpack(data)[0] * 1000 * US

    def _timer(self, arg, data):
        (self.timers.add if arg & 128 else self.timers.discard)(arg & 127)

    def _i2s_open(self, arg, data):
        self.sound.open(*_THREE.unpack(data))

    def _i2s_write(self, wait, data):
        us = self.sound.write(data, wait)
        if us < 0:
            self.report("lost-samples", None, "I2S got a third block while two were waiting: the port drops it")
        return us, b""

    def _i2s_shift(self, arg, data):
        bits, by = arg & 48, arg & 15
        values = array("h" if bits == 16 else "i", data)
        mask, sign = (1 << bits) - 1, 1 << bits - 1
        for i, v in enumerate(values):
            values[i] = v >> by if arg & 128 else ((v << by & mask) ^ sign) - sign
        return 0, values.tobytes()

    def _random_bytes(self, arg, data):
        return 0, self._random.randbytes(_WORDS.unpack(data)[0])

    def _rtc_write(self, arg, data):
        self.rtc_memory = bytes(data)
        return 0, b""

    def lit(self):
        """Whether the backlight is on."""
        return self.backlight > 0


__all__ = ["Board", "PowerCut", "pins"]
