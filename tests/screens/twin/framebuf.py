"""A small CPython twin of MicroPython's framebuf: RGB565 and MONO_HLSB, what the screens use."""

RGB565 = 1
MONO_HLSB = 3


class FrameBuffer:
    def __init__(self, buffer, width, height, fmt, stride=None):
        self.mv = memoryview(buffer).cast("B")
        self.w, self.h, self.fmt = width, height, fmt
        self.stride = stride or (width if fmt == RGB565 else (width + 7) & ~7)

    def fill(self, c):
        self.fill_rect(0, 0, self.w, self.h, c)

    def fill_rect(self, x, y, w, h, c):
        x1, y1 = min(x + w, self.w), min(y + h, self.h)
        x, y = max(x, 0), max(y, 0)
        if x >= x1 or y >= y1:
            return
        row = bytes((c & 255, c >> 8 & 255)) * (x1 - x)
        for j in range(y, y1):
            at = 2 * (j * self.stride + x)
            self.mv[at : at + len(row)] = row

    def hline(self, x, y, w, c):
        self.fill_rect(x, y, w, 1, c)

    def vline(self, x, y, h, c):
        self.fill_rect(x, y, 1, h, c)

    def pixel(self, x, y, c=None):
        if not (0 <= x < self.w and 0 <= y < self.h):
            return None
        if self.fmt == RGB565:
            at = 2 * (y * self.stride + x)
            if c is None:
                return self.mv[at] | self.mv[at + 1] << 8
            self.mv[at], self.mv[at + 1] = c & 255, c >> 8 & 255
            return None
        at, bit = (y * self.stride + x) >> 3, 0x80 >> (x & 7)
        if c is None:
            return int(bool(self.mv[at] & bit))
        self.mv[at] = self.mv[at] | bit if c else self.mv[at] & ~bit
        return None

    def blit(self, source, x, y, key=-1, palette=None):
        for j in range(max(0, -y), min(source.h, self.h - y)):
            for i in range(max(0, -x), min(source.w, self.w - x)):
                c = source.pixel(i, j)
                if palette is not None:
                    c = palette.pixel(c, 0)
                if c != key:
                    self.pixel(x + i, y + j, c)
