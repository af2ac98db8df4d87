"""Pads: four MCP23017 expanders on one I2C bus, twelve keys and four lights each, INT lines wired together.

``Pads`` owns the bus; ``Pad.read()`` gives the twelve key bits (1 = down, in the order of ``pins.KEYS``),
``Pad.lights(bits)`` sets the lights. A pad that fails three times running is away until it answers again; one that came
back in its power-on state is noticed by its IODIR register. Set-up and the way out of a stuck bus are in
``bring_up.py``. Registers are those of IOCON.BANK = 0 (MCP23017 data sheet, table 3-3).
"""

from machine import I2C, Pin
from micropython import const

from shelf import put_back

_IODIRA = const(0x00)
_GPIOA = const(0x12)
_OLATA = const(0x14)

_STRIKES = const(3)  # failures running until a pad counts as away
_ETIMEDOUT = const(110)

# The lines of pins.KEY_LINES and pins.LIGHT_LINES as masks over both ports; a test holds them together.
_INPUTS = const(0x1F7F)
_INPUT_BYTES = b"\x7f\x1f"


class Pads:
    """The I2C bus of the hub and the pads' INT line."""

    def __init__(self):
        import pins

        self.int = Pin(pins.PAD_INT, Pin.IN)
        self.pair = bytearray(2)
        self.ok = True  # False after a transfer that the bus did not finish, until one that it did
        self.i2c = I2C(pins.I2C_ID, scl=Pin(pins.I2C_SCL), sda=Pin(pins.I2C_SDA), freq=pins.I2C_HZ)

    def free(self):
        """Clock a stuck bus free and open it anew."""
        import pins
        from drivers import bring_up

        bring_up.free()
        self.i2c = I2C(pins.I2C_ID, scl=Pin(pins.I2C_SCL), sda=Pin(pins.I2C_SDA), freq=pins.I2C_HZ)
        put_back("drivers.bring_up", "pins")


class Pad:
    """One expander. ``present``: it answers. All methods are free of exceptions; a failure counts a strike."""

    def __init__(self, pads, seat):
        import pins

        self._pads = pads
        self._address = pins.PAD_ADDRESS[seat]
        self.present = False
        self._strikes = 0
        self._shown = -1  # light bits as last written, -1: unknown

    def _failed(self, error):
        self._pads.ok = error.args[0] != _ETIMEDOUT
        if not self._pads.ok:
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
        pads.ok = True
        return pads.pair[0] | pads.pair[1] << 8

    def put(self, register, data):
        """Write two registers; True if the pad took them."""
        try:
            self._pads.i2c.writeto_mem(self._address, register, data)
        except OSError as error:
            self._failed(error)
            return False
        return True

    def check(self):
        """See that the expander is set up, and set it up if it is not but answers. True if that was done now."""
        bits = self._get(_IODIRA)
        if bits < 0 or bits == _INPUTS and self.present:
            return False
        try:
            from drivers import bring_up
        except MemoryError:  # not now: the deal goes first
            return False
        self._shown = -1
        self.present = bring_up.pad(self, _INPUT_BYTES)
        put_back("drivers.bring_up")
        return self.present

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
        if self.put(_OLATA, pair):
            self._shown = bits
