"""Four 320 x 240 SPI displays (ILI9341, or ST7789 by the same driver) on one bus.

``Bus`` owns the SPI bus, D/C and the common reset line, which it pulses once. A ``Panel`` has its own chip select; it
is set up (``bring_up.py``), watched and, when it comes back after its cable was out, reset by command and set up alone
under that chip select, so that the other three never notice. Enter at ``Panel.step(now)`` and ``Panel.blit()``.

D/C and CS are explicit: every command goes through ``Panel.command``, and no chip select is low outside of it.
Delays are deadlines (``time.ticks_ms``), except the reset pulse at boot.
"""

import time

from machine import SPI, Pin, SoftSPI
from micropython import const

from shelf import put_back

_RDDPM = const(0x0A)
_CASET = const(0x2A)
_PASET = const(0x2B)
_RAMWR = const(0x2C)

# Power mode as RDDPM gives it: bit 4 sleep is over, bit 2 display on; bits 1 and 0 are always 0.
_AWAKE = const(0x14)
_NEVER = const(0x03)

_RESET_PULSE_US = const(20)  # at least 10 us low
_RESET_MS = const(121)  # after reset until SLPOUT is taken
_WATCH_MS = const(500)  # how often presence is read back

# States of a panel: 0 to be reset by command, 1 to leave sleep, 2 to be configured, then
RUNNING = const(3)
_AWAY = const(4)


class Bus:
    """SPI, D/C, reset and backlight, shared by the panels; made, and the displays reset, once."""

    def __init__(self):
        import pins

        self.cs = [Pin(n, Pin.OUT, value=1) for n in pins.DISPLAY_CS]  # all high before the first clock edge
        self.dc = Pin(pins.DISPLAY_DC, Pin.OUT, value=1)
        rst = Pin(pins.DISPLAY_RST, Pin.OUT, value=1)
        sck, mosi, miso = Pin(pins.SPI_SCK), Pin(pins.SPI_MOSI), Pin(pins.SPI_MISO)
        self.fast = SPI(pins.SPI_ID, baudrate=pins.SPI_HZ, polarity=0, phase=0, sck=sck, mosi=mosi, miso=miso)
        # Bit by bit until a display answers: the SPI unit waits for its interrupt for ever, and a board without
        # displays, or an emulator without that unit, shall come up all the same.
        self.spi = SoftSPI(baudrate=pins.SPI_READ_HZ, polarity=0, phase=0, sck=sck, mosi=mosi, miso=miso)
        self.write_hz = pins.SPI_HZ
        self.read_hz = pins.SPI_READ_HZ
        self.kind = pins.PANEL
        self.byte = bytearray(1)
        self.window = bytearray(4)
        self.answer = bytearray(2)
        rst.value(0)
        time.sleep_us(_RESET_PULSE_US)  # the only wait of this module
        rst.value(1)


class Panel:
    """One display. ``ready`` is True while it can be painted; ``present`` while it answers.

    ``step(now)`` returns True once each time the panel has just been set up and must be painted whole.
    """

    def __init__(self, bus, seat, now):
        """seat 0-3; now: ms. The bus has just been made."""
        self._bus = bus
        self._cs = bus.cs[seat]
        self.present = True  # until it does not answer; the set-up after the reset finds out
        self.ready = False
        self.state = 1
        self.due = time.ticks_add(now, _RESET_MS)

    def command(self, command, data=None):
        """One command with its parameters (any bytes-like), chip select low around it."""
        bus = self._bus
        bus.byte[0] = command
        bus.dc.value(0)
        self._cs.value(0)
        bus.spi.write(bus.byte)
        bus.dc.value(1)
        if data:
            bus.spi.write(data)
        self._cs.value(1)

    def power_mode(self):
        """RDDPM read back at the read clock: 0 if nothing answers.

        The serial interface gives the parameter at once or after a dummy byte, by controller: both are looked at.
        """
        bus = self._bus
        spi = bus.spi
        bus.byte[0] = _RDDPM
        spi.init(baudrate=bus.read_hz)
        bus.dc.value(0)
        self._cs.value(0)
        spi.write(bus.byte)
        bus.dc.value(1)
        spi.readinto(bus.answer, 0)
        self._cs.value(1)
        spi.init(baudrate=bus.write_hz)
        for value in bus.answer:
            if value and not value & _NEVER:
                return value
        return 0

    def step(self, now):
        """Advance set-up or look whether the display is still there; see the class."""
        if time.ticks_diff(self.due, now) > 0:
            return False
        if self.state < RUNNING:
            try:
                from drivers import bring_up
            except MemoryError:  # not now: the deal goes first
                self.due = time.ticks_add(now, _WATCH_MS)
                return False
            if not bring_up.panel(self, self._bus.kind, now):
                return False
            put_back("drivers.bring_up")
        mode = self.power_mode()
        bus = self._bus
        if mode and bus.spi != bus.fast:
            bus.spi = bus.fast
            self.power_mode()  # changing the clock is what gives the wires to the unit
        self.due = time.ticks_add(now, _WATCH_MS)
        if self.state == _AWAY:
            if mode:
                self.state = 0
                self.due = now
            return False
        was = self.ready
        self.present = mode != 0
        self.ready = mode & _AWAKE == _AWAKE
        if self.ready:
            self.state = RUNNING
        elif mode and was:  # it answers from its power-on state: the cable was out
            self.state = 0
            self.due = now
        else:
            self.state = _AWAY
        return self.ready and not was

    def blit(self, x, y, w, h, mv):
        """Write w x h pixels at (x, y): mv holds 2*w*h bytes, big-endian RGB565, row by row.

        CASET and PASET set the window, RAMWR fills it. Nothing happens while the panel is not ready.
        """
        if not self.ready:
            return
        window = self._bus.window
        last = x + w - 1
        window[0] = x >> 8
        window[1] = x & 255
        window[2] = last >> 8
        window[3] = last & 255
        self.command(_CASET, window)
        last = y + h - 1
        window[0] = y >> 8
        window[1] = y & 255
        window[2] = last >> 8
        window[3] = last & 255
        self.command(_PASET, window)
        self.command(_RAMWR, mv)
