"""ILI9341: a 320 x 240 display controller behind four-line SPI, as the bus sees it.

``select``, ``reset``, ``write`` and ``read`` are the wires; ``frame`` is what the glass shows. Command names and
delays are the data sheet's (ILI9341 V1.11, chapters 8 and 15). GRAM is kept as the panel is mounted: landscape,
upright when MADCTL has MV (0x20) and neither mirror, colours right when it has BGR (0x08).
"""

from ..clock import MS, US

WIDTH = 320
HEIGHT = 240
BYTES = WIDTH * HEIGHT * 2

_SWRESET, _RDDID, _RDDPM, _RDDMADCTL, _RDDCOLMOD, _RDSELF = 0x01, 0x04, 0x0A, 0x0B, 0x0C, 0x0F
_SLPIN, _SLPOUT, _NORON, _INVOFF, _INVON, _DISPOFF, _DISPON = 0x10, 0x11, 0x13, 0x20, 0x21, 0x28, 0x29
_CASET, _PASET, _RAMWR, _MADCTL, _COLMOD, _RAMWRC = 0x2A, 0x2B, 0x2C, 0x36, 0x3A, 0x3C
_IDS = {0xDA: b"\x00", 0xDB: b"\x93", 0xDC: b"\x41"}
_RDID4 = 0xD3

_MY, _MX, _MV, _BGR = 0x80, 0x40, 0x20, 0x08

_RESET_PULSE = 10 * US  # a shorter pulse on RESX is no reset
_AFTER_RESET = 5 * MS  # until any command
_AFTER_RESET_AWAKE = 120 * MS  # until SLPOUT, if the panel was out of sleep before
_AFTER_SLPOUT = 5 * MS  # until any command
_AFTER_SLPOUT_SLPIN = 120 * MS
_POWER_UP = 10 * MS  # a panel that was just plugged in does not answer yet

_INVERTED = bytes(255 - i for i in range(256))


class Panel:
    """One display of seat 0-3. ``clock`` gives ns; ``report`` takes violations."""

    def __init__(self, seat, clock, report):
        self.seat = seat
        self._clock = clock
        self._report = report
        self.present = True
        self.bytes_in = 0
        self.gram = bytearray(BYTES)
        self.dirty = None
        self.changed = None  # called with the time at the first pixel that changes; set by whoever waits for it
        self.selected = False
        self._low_since = None
        self.power_on()

    # Power and reset

    def power_on(self):
        """Supply comes up: GRAM is lost, the registers are as after a reset."""
        self.gram[:] = bytes(BYTES)
        self.awake = self.on = False
        self.was_set_up = False  # since the chip that drives it began
        self._fresh = False
        self._answers_at = self._clock.now + _POWER_UP
        self._reset()
        self._early = self._clock.now
        self._slpout_at = self._clock.now
        self._mark_all()

    def plug(self, present):
        """The cable in or out."""
        if present and not self.present:
            self.present = True
            self.power_on()
            self._fresh = True
        elif not present:
            self.present = False
            self._mark_all()

    def _reset(self):
        now = self._clock.now
        self._early = now + _AFTER_RESET
        self._early_why = "the reset"
        self._slpout_at = now + (_AFTER_RESET_AWAKE if self.awake else _AFTER_RESET)
        self._slpin_at = now
        self.awake = self.on = self.inverted = False
        self.madctl = 0
        self.colmod = 0x66
        self._command = None
        self._args = bytearray()
        self._out = b""
        self._carry = b""
        self._window = [0, HEIGHT - 1, 0, WIDTH - 1]
        self._left = 0
        self._orient()
        self._mark_all()

    def reset(self, level):
        """RESX; low for at least 10 us resets when it rises."""
        now = self._clock.now
        if not level:
            if self._low_since is None:
                self._low_since = now
        elif self._low_since is not None:
            if now - self._low_since >= _RESET_PULSE and self.present:
                self._reset()
            self._low_since = None

    # Serial interface

    def select(self, low):
        """CSX: True while selected."""
        if self.selected and not low:
            self._end_pixels()
        self.selected = low

    def write(self, data_line, data):
        """Bytes in with D/C high (``data_line``) or low; ``data``: any bytes-like."""
        self.bytes_in += len(data)
        if not self.present:
            return
        if data_line:
            if self._command in (_RAMWR, _RAMWRC):
                self._pixels(data)
            else:
                self._parameters(data)
        else:
            for byte in bytes(data):
                self._begin(byte)

    def read(self, count):
        """Bytes out on MISO; 0xFF (the line's pull-up) where nothing answers."""
        if not self.present or self._clock.now < self._answers_at:
            return b"\xff" * count
        out, self._out = self._out[:count], self._out[count:]
        return out + bytes(count - len(out))

    def _begin(self, command):
        now = self._clock.now
        self._end_pixels()
        if now < self._early:
            ms = (self._early - now) / MS
            self._report(
                "too-early", self.seat, f"command 0x{command:02X} {ms:.1f} ms before {self._early_why} was over"
            )
        self._command = command
        self._args = bytearray()
        self._out = b""
        if command == _SWRESET:
            self._reset()
        elif command == _SLPOUT:
            if now < self._slpout_at:
                ms = (self._slpout_at - now) / MS
                self._report("too-early", self.seat, f"SLPOUT {ms:.1f} ms before the reset was over")
            self.awake = True
            self.was_set_up = True
            self._fresh = False
            self._early = now + _AFTER_SLPOUT
            self._early_why = "the sleep-out"
            self._slpin_at = now + _AFTER_SLPOUT_SLPIN
            self._mark_all()
        elif command == _SLPIN:
            if now < self._slpin_at:
                self._report("too-early", self.seat, "SLPIN before the sleep-out was over")
            self.awake = False
            self._mark_all()
        elif command in (_DISPON, _DISPOFF):
            self.on = command == _DISPON
            self._mark_all()
        elif command in (_INVON, _INVOFF):
            self.inverted = command == _INVON
            self._mark_all()
        elif command == _RAMWR:
            self._pos = 0
            c0, c1, r0, r1 = self._window
            self._left = (c1 - c0 + 1) * (r1 - r0 + 1) * 2
        elif command == _RDDPM:
            # Booster on, sleep out, normal mode, display on; bits 1 and 0 are never set.
            self._out = bytes((0x80 * self.awake | 0x10 * self.awake | 0x08 | 0x04 * self.on,))
        elif command == _RDDMADCTL:
            self._out = bytes((self.madctl,))
        elif command == _RDDCOLMOD:
            self._out = bytes((self.colmod,))
        elif command == _RDSELF:
            self._out = b"\xc0" if self.awake else b"\x00"
        elif command == _RDDID:
            # 24 bits after one dummy clock: everything comes one bit late.
            self._out = (0x009341 << 7).to_bytes(4, "big")
        elif command == _RDID4:
            self._out = b"\x00\x00\x93\x41"
        elif command in _IDS:
            self._out = _IDS[command]

    def _parameters(self, data):
        args = self._args
        args += data
        if self._command in (_CASET, _PASET) and len(args) >= 4:
            first, last = args[0] << 8 | args[1], args[2] << 8 | args[3]
            columns = self._command == _CASET
            limit = (WIDTH if columns == bool(self.madctl & _MV) else HEIGHT) - 1
            if first > last or last > limit:
                name = "CASET" if columns else "PASET"
                self._report("window-overflow", self.seat, f"{name} {first}-{last} on a panel that ends at {limit}")
                first, last = min(first, limit), min(max(first, last), limit)
            at = 0 if columns else 2
            self._window[at : at + 2] = first, last
            args.clear()
        elif self._command == _MADCTL and args:
            self.madctl = args[0]
            self._orient()
            self._mark_all()
        elif self._command == _COLMOD and args:
            self.colmod = args[0]

    # Pixels

    def _orient(self):
        """Where (column, row) of the window lies in GRAM as mounted: base + column * step + row * stride, in
        pixels."""
        m = self.madctl
        x, dx = (WIDTH - 1, -1) if m & _MY else (0, 1)
        y, dy = ((HEIGHT - 1) * WIDTH, -WIDTH) if m & _MX else (0, WIDTH)
        self._base = x + y
        self._step, self._stride = (dx, dy) if m & _MV else (dy, dx)

    def _end_pixels(self):
        if self._carry:
            self._report("odd-pixel", self.seat, "a pixel write ended with half a pixel")
            self._carry = b""

    def _pixels(self, data):
        if self.colmod & 7 != 5:
            # Just plugged in, and painted before the firmware has noticed: nobody's fault, and nothing to be seen.
            if not self._fresh:
                self._report(
                    "pixel-format", self.seat, f"pixels while COLMOD is 0x{self.colmod:02X}; 16 bits are modelled"
                )
            return
        if self._carry:
            data = self._carry + bytes(data)
            self._carry = b""
        size = len(data)
        if size > self._left:
            self._report("window-overflow", self.seat, f"{size - self._left} bytes more than the window holds")
            size = self._left
        if size & 1:
            size -= 1
            self._carry = bytes(data[size : size + 1])
        if not size:
            return
        self._left -= size
        c0, c1, r0, _ = self._window
        width = c1 - c0 + 1
        if self.changed is None:
            self._store(data, size, c0, r0, width)
        else:
            before = bytes(self.gram)
            self._store(data, size, c0, r0, width)
            if before != self.gram:
                changed, self.changed = self.changed, None
                changed(self._clock.now)

    def _store(self, data, size, c0, r0, width):
        """Put whole pixels into GRAM, a row slice at a time, and grow the dirty rectangle."""
        gram, step = self.gram, self._step
        pos = self._pos
        self._pos = pos + size // 2
        first_row, last_row = r0 + pos // width, r0 + (pos + size // 2 - 1) // width
        at = 0
        pixels = None if step == 1 else memoryview(gram).cast("H")
        while at < size:
            row, col = divmod(pos, width)
            count = min(width - col, (size - at) // 2)
            start = self._base + (c0 + col) * step + (r0 + row) * self._stride
            if step == 1:
                gram[start * 2 : (start + count) * 2] = data[at : at + count * 2]
            else:
                stop = start + count * step
                source = memoryview(bytes(data[at : at + count * 2])).cast("H")
                pixels[start : (stop if stop >= 0 else None) : step] = source
            pos += count
            at += count * 2
        self._mark(c0, first_row, c0 + width - 1, last_row)

    def _mark(self, c0, r0, c1, r1):
        corners = [self._base + c * self._step + r * self._stride for c, r in ((c0, r0), (c1, r1))]
        xs = sorted(p % WIDTH for p in corners)
        ys = sorted(p // WIDTH for p in corners)
        if self.dirty is None:
            self.dirty = (xs[0], ys[0], xs[1], ys[1])
        else:
            x0, y0, x1, y1 = self.dirty
            self.dirty = (min(x0, xs[0]), min(y0, ys[0]), max(x1, xs[1]), max(y1, ys[1]))

    def _mark_all(self):
        self.dirty = (0, 0, WIDTH - 1, HEIGHT - 1)

    # What a person sees

    def shows(self):
        """Whether the glass shows GRAM at all."""
        return self.present and self.awake and self.on

    def frame(self):
        """320 * 240 * 2 bytes, big-endian RGB565, row by row; black while off, asleep or unplugged."""
        if not self.shows():
            return bytes(BYTES)
        data = bytes(self.gram)
        if self.inverted:
            data = data.translate(_INVERTED)
        if not self.madctl & _BGR:
            data = b"".join(
                ((p & 0x07E0) | p >> 11 | (p & 31) << 11).to_bytes(2, "big")
                for p in (data[i] << 8 | data[i + 1] for i in range(0, BYTES, 2))
            )
        return data

    def take_dirty(self):
        """(x0, y0, x1, y1), inclusive, of what changed since the last call, or None."""
        dirty, self.dirty = self.dirty, None
        return dirty
