"""Pads: four MCP23017 expanders on one I2C bus, twelve keys and four lights each, INT lines wired together.

``Pads`` owns the bus and clocks it free when it is stuck; ``Pad.read()`` gives the twelve key bits (1 = down, in the
order of ``pins.KEYS``), ``Pad.lights(bits)`` sets the lights. A pad that fails three times running is away until it
answers again; one that came back in its power-on state is noticed by its IODIR register and set up anew.
Registers are those of IOCON.BANK = 0 (MCP23017 data sheet, table 3-3).
"""

import time

from machine import I2C, Pin
from micropython import const

import pins

_IODIRA = const(0x00)
_GPINTENA = const(0x04)
_INTCONA = const(0x08)
_IOCON = const(0x0A)
_GPPUA = const(0x0C)
_GPIOA = const(0x12)
_OLATA = const(0x14)

_IOCON_VALUE = b"\x44\x44"  # MIRROR: INTA and INTB as one; ODR: open drain
_STRIKES = const(3)  # failures running until a pad counts as away
_ETIMEDOUT = const(110)


def _mask(lines):
    bits = 0
    for line in lines:
        bits |= 1 << line
    return bits


_INPUTS = _mask(pins.KEY_LINES)
_INPUT_BYTES = bytes((_INPUTS & 255, _INPUTS >> 8))
_SAME = b"\x00\x00"  # INTCON: compare with the value before


class Pads:
    """The I2C bus of the hub and its INT line."""

    def __init__(self):
        self.int = Pin(pins.PAD_INT, Pin.IN)
        self._open()
        self.pair = bytearray(2)

    def _open(self):
        self.i2c = I2C(pins.I2C_ID, scl=Pin(pins.I2C_SCL), sda=Pin(pins.I2C_SDA), freq=pins.I2C_HZ)

    def pending(self):
        """True while an expander holds INT low: some key has changed since it was last read."""
        return not self.int.value()

    def free(self):
        """Clock a stuck bus free: up to nine SCL pulses until SDA is let go, then a stop condition (0.1 ms)."""
        sda = Pin(pins.I2C_SDA, Pin.OPEN_DRAIN, value=1)
        scl = Pin(pins.I2C_SCL, Pin.OPEN_DRAIN, value=1)
        for _ in range(9):
            if sda.value():
                break
            scl.value(0)
            time.sleep_us(5)
            scl.value(1)
            time.sleep_us(5)
        sda.value(0)
        time.sleep_us(5)
        sda.value(1)
        self._open()


class Pad:
    """One expander. ``present``: it answers. All methods are free of exceptions; a failure counts a strike."""

    def __init__(self, pads, seat):
        self._pads = pads
        self._address = pins.PAD_ADDRESS[seat]
        self.present = False
        self._strikes = 0
        self._lights = 0
        self._shown = -1  # light bits as last written, -1: unknown

    def _failed(self, error):
        if error.errno == _ETIMEDOUT:
            self._pads.free()
        self._strikes += 1
        if self._strikes >= _STRIKES:
            self.present = False

    def _get(self, register):
        """Two registers from this one as 16 bits, low address low; -1 on failure."""
        pads = self._pads
        try:
            pads.i2c.readfrom_mem_into(self._address, register, pads.pair)
        except OSError as error:
            self._failed(error)
            return -1
        self._strikes = 0
        return pads.pair[0] | pads.pair[1] << 8

    def _put(self, register, data):
        """Two registers; True if the pad took them."""
        try:
            self._pads.i2c.writeto_mem(self._address, register, data)
        except OSError as error:
            self._failed(error)
            return False
        return True

    def set_up(self):
        """Configure the expander; True, and present, if it took everything."""
        self._shown = -1
        self.present = (
            self._put(_IOCON, _IOCON_VALUE)
            and self._put(_OLATA, _SAME)
            and self._put(_GPPUA, _INPUT_BYTES)
            and self._put(_IODIRA, _INPUT_BYTES)
            and self._put(_INTCONA, _SAME)
            and self._put(_GPINTENA, _INPUT_BYTES)
        )
        if self.present:
            self._strikes = 0
        return self.present

    def check(self):
        """False if the expander answers but has lost its set-up (its cable was out between two reads)."""
        bits = self._get(_IODIRA)
        return bits < 0 or bits == _INPUTS

    def read(self):
        """The keys that are down as 12 bits in the order of pins.KEYS; -1 if the pad did not answer."""
        bits = self._get(_GPIOA)
        if bits < 0:
            return -1
        bits = ~bits & _INPUTS
        return bits & 0x7F | bits >> 1 & 0xF80  # GPA0-6 and GPB0-4 side by side

    def lights(self, bits):
        """Four light bits in the order of pins.LIGHTS; written only when they change."""
        if bits == self._shown or not self.present:
            return
        pair = self._pads.pair
        pair[0] = (bits & 1) << 7
        pair[1] = (bits >> 1 & 7) << 5
        if self._put(_OLATA, pair):
            self._shown = bits
