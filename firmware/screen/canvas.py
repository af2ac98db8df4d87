"""The canvas: one piece of picture that all four displays share, drawn in screen coordinates.

Enter at ``Canvas``. ``begin`` opens a window of the screen no larger than the buffer; what is drawn lands in
it, clipped, and ``send`` gives it to a display. A larger region is painted as several windows: its drawing
function runs for each and skips what lies outside. Colours are RGB565 with the bytes swapped, as the panel
takes them (``framebuf`` stores low byte first).
"""

import framebuf
from micropython import const

from screen.type import Type

SIZE = const(5120)  # bytes: eight rows of the screen, 2 ms at 20 MHz
ROWS = SIZE // 2  # rows of a window of width w: ROWS // w
_TC = const(0x5200)  # see type.py
_KEY = const(0x0100)  # no colour of the palette: the ground of a glyph, not drawn
_FBS = const(14)  # windows of so many widths keep their frame buffer

# The first character of text that is as wide as the em, and the shifted traditional forms end
_WIDE = const(0x3000)
_EM = b"\x10\x10\x14\x18\x1c\x0c"  # of the text faces, in px


class Canvas:
    """The shared buffer. ``path``: the font file. ``lang`` (0-2) chooses the form of Chinese characters and
    is set before drawing.
    """

    def __init__(self, path="screen/type.bin"):
        try:
            self.type = Type(path)
        except OSError:  # a build with everything frozen has it in its ROM file system (boards/TABLE_HUB)
            self.type = Type("/rom/type.bin")
        self.lang = 0
        self.x = self.y = self.w = self.h = 0
        self._memory = bytearray(SIZE)
        self._view = memoryview(self._memory)
        self._fbs = {}
        self.fb = None
        self._ink = framebuf.FrameBuffer(bytearray(4), 2, 1, framebuf.RGB565)
        self._ink.pixel(0, 0, _KEY)
        self.begin(0, 0, 2, 2, 0)

    def begin(self, x, y, w, h, colour):
        """Open the window ``x, y, w, h`` (w * h * 2 <= SIZE) and fill it. ValueError if it is too large."""
        if w * h * 2 > SIZE:
            raise ValueError("window larger than the canvas")
        self.x, self.y, self.w, self.h = x, y, w, h
        fb = self._fbs.get(w)
        if fb is None:
            if len(self._fbs) >= _FBS:
                self._fbs.clear()
            fb = self._fbs[w] = framebuf.FrameBuffer(self._memory, w, SIZE // (2 * w), framebuf.RGB565)
        self.fb = fb
        fb.fill_rect(0, 0, w, h, colour)

    def send(self, display):
        """Give the window to ``display.blit(x, y, w, h, pixels)``."""
        display.blit(self.x, self.y, self.w, self.h, self._view[: self.w * self.h * 2])

    def misses(self, x, y, w, h):
        """True if the rectangle has no pixel in the window."""
        return x >= self.x + self.w or x + w <= self.x or y >= self.y + self.h or y + h <= self.y

    def rect(self, x, y, w, h, colour):
        """Fill a rectangle."""
        self.fb.fill_rect(x - self.x, y - self.y, w, h, colour)

    def card(self, x, y, w, h, colour):
        """Fill a rectangle with its corner pixels left out."""
        x -= self.x
        y -= self.y
        self.fb.fill_rect(x + 1, y, w - 2, h, colour)
        self.fb.fill_rect(x, y + 1, w, h - 2, colour)

    def frame(self, x, y, w, h, colour, t=2):
        """A frame ``t`` px thick inside the rectangle."""
        self.rect(x, y, w, t, colour)
        self.rect(x, y + h - t, w, t, colour)
        self.rect(x, y, t, h, colour)
        self.rect(x + w - t, y, t, h, colour)

    def glyph(self, face, code, x, y, colour):
        """Draw one hand-drawn shape (``code``: its character's number). Returns its width in px."""
        t = self.type
        self._ink.pixel(1, 0, colour)
        self.fb.blit(t.fetch(face, code), x - self.x, y - self.y, _KEY, self._ink)
        return t.advance

    def star(self, picture, x, y, colour):
        """Draw the large star (66 x 63); picture: ``type.large(10, 42)``."""
        self._ink.pixel(1, 0, colour)
        self.fb.blit(picture, x - self.x, y - self.y, _KEY, self._ink)

    def number(self, face, n, middle, y, colour):
        """Draw a number >= 0 in digits drawn by hand around ``middle``."""
        t = self.type
        w = -2
        m = n
        while True:
            t.fetch(face, 48 + m % 10)
            w += 2 + t.advance
            m //= 10
            if not m:
                break
        self.digits(face, n, middle + (w >> 1) + (w & 1), y, colour)

    def digits(self, face, n, x, y, colour, gap=2):
        """Draw a number >= 0 in digits drawn by hand, ending left of ``x``. Returns the x where it begins."""
        while True:
            code = 48 + n % 10
            self.type.fetch(face, code)
            x -= self.type.advance
            self.glyph(face, code, x, y, colour)
            n //= 10
            if not n:
                return x
            x -= gap

    def text(self, face, x, y, s, colour, limit=0):
        """Draw UTF-8 bytes (or a str) in a text face, em top at ``y``. Returns the x after it.

        Characters that would end right of ``limit`` (if given) are left out."""
        if not isinstance(s, bytes):
            s = s.encode()
        t = self.type
        draw = not (y - 1 >= self.y + self.h or y - 1 + t.heights[face] <= self.y)
        shift = _TC if self.lang == 1 else 0
        left, right, top = self.x - 32, self.x + self.w, y - 1 - self.y
        ink = self._ink
        ink.pixel(1, 0, colour)
        k, n = 0, len(s)
        while k < n:
            code = s[k]
            k += 1
            if code >= 0xE0:
                code = (code & 15) << 12 | (s[k] & 63) << 6 | s[k + 1] & 63
                k += 2
            elif code >= 0xC0:
                code = (code & 31) << 6 | s[k] & 63
                k += 1
            if 0x4E00 <= code < 0xA000:
                code += shift
                wide = _EM[face]
            elif code < 127:
                wide = t.advances[face * 95 + code - 32]
            elif code >= _WIDE:
                wide = _EM[face]
            else:
                t.fetch(face, code)
                wide = t.advance
            if limit and x + wide > limit:
                break
            if draw and left < x < right and code != 32:
                self.fb.blit(t.fetch(face, code), x - self.x, top, _KEY, ink)
            x += wide
        return x

    def width(self, face, s):
        """Width of a text in px."""
        h, self.h = self.h, -10000  # a window of negative height: nothing is drawn
        x = self.text(face, 0, 0, s, 0)
        self.h = h
        return x
