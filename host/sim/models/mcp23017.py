"""MCP23017: the sixteen lines of a pad. Twelve have keys to ground, four drive lights.

``write`` and ``read`` are I2C transactions after the address; ``press`` is a contact; ``interrupt_low`` is INTA
and INTB, wired together and with the other pads'. Register names are the data sheet's (DS20001952); line 0-7 is
GPA0-7, 8-15 GPB0-7. GPA7 and GPB7 can only be outputs: as inputs they read 0.
"""

_IODIR, _IPOL, _GPINTEN, _DEFVAL, _INTCON, _IOCON, _GPPU, _INTF, _INTCAP, _GPIO, _OLAT = range(0, 22, 2)
_BANK, _MIRROR, _SEQOP, _ODR, _INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
_OUTPUT_ONLY = 0x8080


class Expander:
    """``keys``, ``lights``: line numbers; a light is on while its line is driven high."""

    def __init__(self, seat, report, keys, lights):
        self.seat = seat
        self._report = report
        self._keys = keys
        self._lights = lights
        self._key_mask = sum(1 << line for line in keys)
        self.present = True
        self.fail = 0  # so many transactions will fail
        self.stuck = 0  # holds SDA low for so many more clocks
        self.contacts = 0  # bits of lines that are pulled to ground by a key
        self.power_on()

    def power_on(self):
        """Registers as after power-on reset: everything an input, no pull-ups, no interrupts."""
        # Registers by their address while IOCON.BANK is 0.
        self._reg = bytearray(22)
        self._reg[_IODIR] = self._reg[_IODIR + 1] = 0xFF
        self._pointer = 0
        self._flags = 0
        self.stuck = 0
        self._told = False
        self._seen = self._port()

    def plug(self, present):
        """The pad's cable in or out."""
        if present and not self.present:
            self.power_on()
        self.present = present
        self.stuck = 0

    def _pair(self, register):
        return self._reg[register] | self._reg[register + 1] << 8

    def _put(self, register, value):
        self._reg[register] = value & 255
        self._reg[register + 1] = value >> 8

    # Pins

    def _pins(self):
        """Levels at the pins: an output's latch; an input high if pulled up and not pressed. A floating input
        reads 0."""
        inputs = self._pair(_IODIR)
        high = self._pair(_GPPU) & ~self.contacts
        return self._pair(_OLAT) & ~inputs | high & inputs & ~_OUTPUT_ONLY

    def _port(self):
        """GPIO as it is read: inputs through IPOL."""
        return self._pins() ^ self._pair(_IPOL) & self._pair(_IODIR)

    def press(self, line, down):
        """A key's contact closes or opens."""
        if down:
            self.contacts |= 1 << line
        else:
            self.contacts &= ~(1 << line)
        self._update()

    def _update(self):
        port = self._port()
        enabled = self._pair(_GPINTEN) & self._pair(_IODIR)
        against_default = self._pair(_INTCON)
        fired = enabled & ((port ^ self._seen) & ~against_default | (port ^ self._pair(_DEFVAL)) & against_default)
        for at in (0, 1):
            # INTF and INTCAP of a port freeze at its first interrupt until that port is read.
            new = fired >> 8 * at & 255
            if new and not self._reg[_INTF + at]:
                self._reg[_INTF + at] = new
                self._reg[_INTCAP + at] = port >> 8 * at & 255
        self._seen = port

    def _cleared(self, at):
        """Reading GPIO or INTCAP of a port ends its interrupt."""
        self._reg[_INTF + at] = 0
        self._update()
        # A condition against DEFVAL that still holds fires anew.

    def interrupt_low(self):
        """Whether this pad pulls the shared INT line low."""
        if not self.present or not (self._reg[_INTF] or self._reg[_INTF + 1]):
            return False
        iocon = self._reg[_IOCON]
        if not iocon & _ODR and not self._told:
            self._told = True
            self._report("interrupt-drive", self.seat, "an interrupt with a push-pull output on the shared INT line")
        return bool(iocon & _ODR) or not iocon & _INTPOL

    def lights(self):
        """Which lights are on, in the pad's order."""
        driven = self._pair(_OLAT) & ~self._pair(_IODIR) if self.present else 0
        return [bool(driven >> line & 1) for line in self._lights]

    # I2C

    def _address(self, pointer):
        """The BANK = 0 address of a register pointer, or None outside the map."""
        if self._reg[_IOCON] & _BANK:
            low = pointer & 15
            return low * 2 + (pointer >> 4 & 1) if low < 11 and pointer < 32 else None
        return pointer if pointer < 22 else None

    def _advance(self):
        iocon = self._reg[_IOCON]
        if iocon & _BANK:
            if not iocon & _SEQOP:
                self._pointer = (self._pointer & 0x10) | ((self._pointer + 1) & 15) % 11
        elif iocon & _SEQOP:
            self._pointer ^= 1
        else:
            self._pointer = (self._pointer + 1) % 22

    def write(self, data):
        """A write transaction: the register pointer, then registers."""
        if not data:
            return
        self._pointer = data[0]
        for byte in data[1:]:
            at = self._address(self._pointer)
            if at is not None:
                self._set(at, byte)
            self._advance()

    def _set(self, at, byte):
        register = at & ~1
        if register in (_INTF, _INTCAP):
            return
        if register == _GPIO:
            at += _OLAT - _GPIO
        if register == _IOCON:
            self._reg[_IOCON] = self._reg[_IOCON + 1] = byte
        else:
            self._reg[at] = byte
        if register == _IODIR and ~self._pair(_IODIR) & self._key_mask & self._keys_of(at & 1):
            self._report("key-direction", self.seat, "a line with a key is set as an output")
        if register in (_GPPU, _IODIR, _IPOL, _OLAT, _GPIO):
            # A change that the firmware makes itself is no change of a pin to be told of.
            self._seen = self._port()
        self._update()

    def _keys_of(self, port):
        return 0xFF00 if port else 0x00FF

    def read(self, count):
        """A read transaction from the register pointer on: count bytes."""
        out = bytearray()
        for _ in range(count):
            at = self._address(self._pointer)
            if at is None:
                out.append(0)
            else:
                register = at & ~1
                if register == _GPIO:
                    out.append(self._port() >> 8 * (at & 1) & 255)
                else:
                    out.append(self._reg[at])
                if register in (_GPIO, _INTCAP):
                    self._cleared(at & 1)
            self._advance()
        return bytes(out)
