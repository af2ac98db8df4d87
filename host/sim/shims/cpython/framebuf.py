"""`framebuf` on CPython: the formats and drawing that the hub uses, pixel for pixel as MicroPython's
extmod/modframebuf.c."""

MONO_VLSB, RGB565, GS4_HMSB, MONO_HLSB, MONO_HMSB, GS2_HMSB, GS8 = 0, 1, 2, 3, 4, 5, 6
MVLSB = MONO_VLSB

_BITS = {GS4_HMSB: 4, MONO_HLSB: 1, MONO_HMSB: 1, GS2_HMSB: 2}


class FrameBuffer:
    """Pixels in somebody's buffer; see MicroPython's documentation."""

    def __init__(self, buffer, width, height, format, stride=None):
        if width < 1 or height < 1 or width > 0xFFFF or height > 0xFFFF:
            raise ValueError
        stride = width if stride is None else stride
        if stride < width:
            raise ValueError
        self._w, self._h, self._format = width, height, format
        if format in _BITS:
            per_byte = 8 // _BITS[format]
            stride = (stride + per_byte - 1) // per_byte * per_byte
        self._stride = stride
        need = {RGB565: stride * height * 2, GS8: stride * height, MONO_VLSB: (height + 7) // 8 * stride}
        if format not in need and format not in _BITS:
            raise ValueError
        size = need.get(format, stride * height * _BITS.get(format, 0) // 8)
        view = memoryview(buffer).cast("B")
        if len(view) < size:
            raise ValueError
        self._buf = view[: size // 2 * 2].cast("H") if format == RGB565 else view

    def _get(self, x, y):
        f, s, b = self._format, self._stride, self._buf
        if f == RGB565 or f == GS8:
            return b[y * s + x]
        if f == MONO_VLSB:
            return b[(y >> 3) * s + x] >> (y & 7) & 1
        i = y * s + x
        if f == MONO_HLSB:
            return b[i >> 3] >> (7 - (x & 7)) & 1
        if f == MONO_HMSB:
            return b[i >> 3] >> (x & 7) & 1
        if f == GS4_HMSB:
            return b[i >> 1] >> (0 if x & 1 else 4) & 15
        return b[i >> 2] >> ((x & 3) << 1) & 3

    def _set(self, x, y, c):
        f, s, b = self._format, self._stride, self._buf
        if f == RGB565:
            b[y * s + x] = c & 0xFFFF
            return
        if f == GS8:
            b[y * s + x] = c & 255
            return
        if f == MONO_VLSB:
            at, shift, mask = (y >> 3) * s + x, y & 7, 1
        elif f == MONO_HLSB:
            at, shift, mask = (y * s + x) >> 3, 7 - (x & 7), 1
        elif f == MONO_HMSB:
            at, shift, mask = (y * s + x) >> 3, x & 7, 1
        elif f == GS4_HMSB:
            at, shift, mask = (y * s + x) >> 1, 0 if x & 1 else 4, 15
        else:
            at, shift, mask = (y * s + x) >> 2, (x & 3) << 1, 3
        if mask == 1:
            c = c != 0
        b[at] = b[at] & ~(mask << shift) & 255 | (c & mask) << shift

    def pixel(self, x, y, c=None):
        if 0 <= x < self._w and 0 <= y < self._h:
            if c is None:
                return self._get(x, y)
            self._set(x, y, c)
        return None

    def fill(self, c):
        self.fill_rect(0, 0, self._w, self._h, c)

    def fill_rect(self, x, y, w, h, c):
        if w < 1 or h < 1 or x + w <= 0 or y + h <= 0 or x >= self._w or y >= self._h:
            return
        x1, y1 = min(self._w, x + w), min(self._h, y + h)
        x, y = max(x, 0), max(y, 0)
        if self._format == RGB565:
            s, b = self._stride, self._buf
            row = memoryview((c & 0xFFFF).to_bytes(2, "little") * (x1 - x)).cast("H")
            for line in range(y, y1):
                b[line * s + x : line * s + x1] = row
            return
        for line in range(y, y1):
            for column in range(x, x1):
                self._set(column, line, c)

    def hline(self, x, y, w, c):
        self.fill_rect(x, y, w, 1, c)

    def vline(self, x, y, h, c):
        self.fill_rect(x, y, 1, h, c)

    def rect(self, x, y, w, h, c, f=False):
        if f:
            self.fill_rect(x, y, w, h, c)
            return
        self.fill_rect(x, y, w, 1, c)
        self.fill_rect(x, y + h - 1, w, 1, c)
        self.fill_rect(x, y, 1, h, c)
        self.fill_rect(x + w - 1, y, 1, h, c)

    def line(self, x1, y1, x2, y2, c):
        dx, sx = (x2 - x1, 1) if x2 > x1 else (x1 - x2, -1)
        dy, sy = (y2 - y1, 1) if y2 > y1 else (y1 - y2, -1)
        steep = dy > dx
        if steep:
            x1, y1, dx, dy, sx, sy = y1, x1, dy, dx, sy, sx
        e = 2 * dy - dx
        for _ in range(dx):
            self.pixel(*((y1, x1) if steep else (x1, y1)), c)
            while e >= 0:
                y1 += sy
                e -= 2 * dx
            x1 += sx
            e += 2 * dy
        self.pixel(x2, y2, c)

    def scroll(self, dx, dy):
        xs = range(self._w) if dx < 0 else range(self._w - 1, -1, -1)
        ys = range(self._h) if dy < 0 else range(self._h - 1, -1, -1)
        for y in ys:
            for x in xs:
                if 0 <= x - dx < self._w and 0 <= y - dy < self._h:
                    self._set(x, y, self._get(x - dx, y - dy))

    def blit(self, source, x, y, key=-1, palette=None):
        source = _buffer(source)
        palette = None if palette is None else _buffer(palette)
        if x >= self._w or y >= self._h or -x >= source._w or -y >= source._h:
            return
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(self._w, x + source._w), min(self._h, y + source._h)
        key &= 0xFFFFFFFF
        colours = None
        if palette is not None:
            colours = [palette._get(i, 0) for i in range(palette._w)]
        fast = self._format == RGB565
        if source._format == MONO_HLSB and self._blit_bits(source, x, y, (x0, y0, x1, y1), key, colours):
            return
        get, out, stride = source._get, self._buf, self._stride
        for row in range(y0, y1):
            at = row * stride
            for column in range(x0, x1):
                c = get(column - x, row - y)
                if colours is not None:
                    c = colours[c]
                if c != key:
                    if fast:
                        out[at + column] = c
                    else:
                        self._set(column, row, c)

    def _blit_bits(self, source, x, y, box, key, colours):
        """The two blits of glyphs, which need not look at every pixel; False for all others."""
        x0, y0, x1, y1 = box
        wide = source._stride >> 3
        if self._format == RGB565 and colours is not None and colours[0] == key:
            # A glyph in one colour on what is there: only its ink counts.
            ink = colours[1]
            for row in range(y0, y1):
                start = (row - y) * wide
                bits = int.from_bytes(source._buf[start : start + wide], "big") >> source._stride - source._w
                at = row * self._stride + x + source._w - 1
                while bits:
                    low = bits & -bits
                    column = at - low.bit_length() + 1
                    if x0 <= column - row * self._stride < x1:
                        self._buf[column] = ink
                    bits ^= low
            return True
        whole = x == 0 and source._w == self._w and source._w & 7 == 0 and wide == self._stride >> 3
        if self._format == MONO_HLSB and colours is None and key == 0xFFFFFFFF and whole:
            # Rows as they are.
            self._buf[y0 * wide : y1 * wide] = bytes(source._buf[(y0 - y) * wide : (y1 - y) * wide])
            return True
        return False


def _buffer(source):
    """A FrameBuffer, or one made from a tuple (buffer, width, height, format[, stride])."""
    return source if isinstance(source, FrameBuffer) else FrameBuffer(*source)
