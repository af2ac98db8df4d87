"""Four 320 x 240 SPI displays (ILI9341, or ST7789 by the same table) on one bus.

``Bus`` owns the SPI bus, D/C and the common reset line, which it pulses once (``reset()``). A ``Panel`` has its own
chip select; it is set up, watched and, when it comes back after its cable was out, reset by command and set up alone
under that chip select, so that the other three never notice. Enter at ``Panel.step(now)`` and ``Panel.blit()``.

D/C and CS are explicit: every command goes through ``Panel._command``, and no chip select is low outside of it.
Delays are deadlines (``time.ticks_ms``), except the reset pulse at boot.
"""

import time

from machine import SPI, Pin
from micropython import const

import pins

_SWRESET = const(0x01)
_RDDPM = const(0x0A)
_SLPOUT = const(0x11)
_CASET = const(0x2A)
_PASET = const(0x2B)
_RAMWR = const(0x2C)

# Power mode as RDDPM gives it: bit 4 sleep is over, bit 2 display on; bits 1 and 0 are always 0.
_AWAKE = const(0x14)
_NEVER = const(0x03)

_RESET_PULSE_US = const(20)  # at least 10 us low
_RESET_MS = const(120)  # after reset until SLPOUT is taken
_SLPOUT_MS = const(120)  # supply voltages and clocks settle
_WATCH_MS = const(500)  # how often presence is read back

# What a panel needs after SLPOUT: (command, parameters). Landscape, 16 bits a pixel, big-endian RGB565.
# MADCTL: MV (0x20) swaps rows and columns; the ILI9341 modules are wired BGR (0x08), the ST7789 ones mirrored (MX).
TABLES = {
    "ili9341": (
        (0xC0, b"\x23"),  # PWCTR1: GVDD 4.60 V
        (0xC1, b"\x10"),  # PWCTR2
        (0xC5, b"\x3e\x28"),  # VMCTR1
        (0xC7, b"\x86"),  # VMCTR2
        (0x36, b"\x28"),  # MADCTL
        (0x3A, b"\x55"),  # COLMOD: 16 bits
        (0xB1, b"\x00\x18"),  # FRMCTR1: 79 Hz
        (0x26, b"\x01"),  # GAMSET
        (0x29, b""),  # DISPON
    ),
    "st7789": (
        (0x36, b"\x60"),  # MADCTL
        (0x3A, b"\x55"),  # COLMOD: 16 bits
        (0x21, b""),  # INVON: IPS glass
        (0x13, b""),  # NORON
        (0x29, b""),  # DISPON
    ),
}


class Bus:
    """SPI, D/C, reset and backlight, shared by the panels; made once."""

    def __init__(self):
        self.cs = [Pin(n, Pin.OUT, value=1) for n in pins.DISPLAY_CS]  # all high before the first clock edge
        self.dc = Pin(pins.DISPLAY_DC, Pin.OUT, value=1)
        self.rst = Pin(pins.DISPLAY_RST, Pin.OUT, value=1)
        self.spi = SPI(
            pins.SPI_ID,
            baudrate=pins.SPI_HZ,
            polarity=0,
            phase=0,
            sck=Pin(pins.SPI_SCK),
            mosi=Pin(pins.SPI_MOSI),
            miso=Pin(pins.SPI_MISO),
        )
        self.byte = bytearray(1)
        self.window = bytearray(4)
        self.answer = bytearray(2)

    def reset(self):
        """Pulse the common reset line. The only blocking wait of this module (20 us); once, at boot."""
        self.rst.value(0)
        time.sleep_us(_RESET_PULSE_US)
        self.rst.value(1)


class Panel:
    """One display. ``ready`` is True while it can be painted; ``present`` while it answers.

    ``step(now)`` returns True once each time the panel has just been set up and must be painted whole.
    """

    width = pins.WIDTH
    height = pins.HEIGHT

    def __init__(self, bus, seat, now, table=pins.PANEL):
        """seat 0-3; now: ms. The bus has just been reset."""
        self._bus = bus
        self._cs = bus.cs[seat]
        self._table = TABLES[table]
        self.present = True  # until it does not answer; the first step after the reset delay finds out
        self.ready = False
        self._state = 1  # 0 to be reset by command, 1 waiting to leave sleep, 2 waiting to be configured, 3 running
        self._due = time.ticks_add(now, _RESET_MS + 1)

    def _command(self, command, data=None):
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
        spi.init(baudrate=pins.SPI_READ_HZ)
        bus.dc.value(0)
        self._cs.value(0)
        spi.write(bus.byte)
        bus.dc.value(1)
        spi.readinto(bus.answer, 0)
        self._cs.value(1)
        spi.init(baudrate=pins.SPI_HZ)
        for value in bus.answer:
            if value and not value & _NEVER:
                return value
        return 0

    def step(self, now):
        """Advance set-up or look whether the display is still there; see the class."""
        if time.ticks_diff(self._due, now) > 0:
            return False
        state = self._state
        if state == 3:
            mode = self.power_mode()
            self._due = time.ticks_add(now, _WATCH_MS)
            if mode & _AWAKE == _AWAKE:
                return False
            self.ready = False
            self.present = mode != 0
            if mode:  # it answers from its power-on state: the cable was out
                self._state = 0
                self._due = now
            else:
                self._state = 4
        elif state == 4:  # away
            self._due = time.ticks_add(now, _WATCH_MS)
            if self.power_mode():
                self._state = 0
                self._due = now
        elif state == 0:
            self._command(_SWRESET)
            self._state = 1
            self._due = time.ticks_add(now, _RESET_MS + 1)
        elif state == 1:
            self._command(_SLPOUT)
            self._state = 2
            self._due = time.ticks_add(now, _SLPOUT_MS + 1)
        else:
            for command, data in self._table:
                self._command(command, data)
            self._due = time.ticks_add(now, _WATCH_MS)
            if self.power_mode() & _AWAKE == _AWAKE:
                self._state = 3
                self.ready = self.present = True
                return True
            self._state = 4
            self.present = False
        return False

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
        self._command(_CASET, window)
        last = y + h - 1
        window[0] = y >> 8
        window[1] = y & 255
        window[2] = last >> 8
        window[3] = last & 255
        self._command(_PASET, window)
        self._command(_RAMWR, mv)
