"""Glyphs and texts from ``type.bin``, read on demand: the type of the screens.

Enter at ``Type``. The file (made by ``python -m host fonts``; its format is told in host/fonts.py) stays open; in memory are a
sparse index of each face (every 16th code) and a cache of glyphs in slots of five sizes, as frame buffers ready to blit.
A code has one possible slot (direct-mapped), so that a look-up is one comparison and nothing is ever allocated for it.
"""

import struct
from array import array

import framebuf
from micropython import const

# Faces, in the file's order (each module that draws names those it uses by such constants; a test holds them alike):
# _R16 = 0  regular 16 px: names, notes, messages
# _B16 = 1  bold 16 px: turn, raised meld
# _B20 = 2  bold 20 px: meld on the table, titles
# _B24 = 3  bold 24 px: big play
# _R28 = 4  regular 28 px: title of the lobby
# _R12 = 5  regular 12 px: column heads, long names
# _RANK = 6  ranks and large digits 10 x 14, drawn by hand
# _TINY = 7  digits 6 x 9, pips
# _MARK = 8  suits, crowns, star, arrows
# _RANK2 = 9  ranks and digits 20 x 28
# _STAR = 10  the 66 px star; not cached
_R12 = const(5)

_STEP = const(16)  # every 16th code of a face is in memory

# Slots of each cell size: (width, height): how many. Sizes are those of host/fonts.py; counts from a paint of a full hand.
_CELLS = ((8, 9, 23), (16, 15, 31), (16, 20, 23), (24, 28, 7), (32, 34, 3))


class Type:
    """The open font file with its cache. ``path``: type.bin. OSError if it cannot be read, ValueError if it is none."""

    def __init__(self, path):
        self._file = f = open(path, "rb")
        head = f.read(12)
        if head[:4] != b"SKT1":
            raise ValueError("type.bin is no font file")
        n = head[4]
        self._n_texts = head[6] | head[7] << 8
        self._texts = struct.unpack_from("<I", head, 8)[0]
        table = f.read(16 * n)
        self.advances = f.read(95 * (_R12 + 1))  # of ASCII 32-126, text faces only: ``width`` needs no glyph for them
        self.heights = bytearray(n)
        self._count = array("H", bytes(2 * n))
        self._size = array("H", bytes(2 * n))
        self._codes = array("I", bytes(4 * n))
        self._records = array("I", bytes(4 * n))
        self._base = bytearray(n)  # first slot of the face's cell size
        self._slots = bytearray(n)
        self._sparse = []
        self.glyphs = []  # frame buffer of each slot
        self.advance = None  # advance of the glyph in each slot
        self._cells = []  # memory of each slot
        first = {}
        for w, h, slots in _CELLS:
            first[w, h] = len(self.glyphs), slots
            for _ in range(slots):
                cell = bytearray((w >> 3) * h)
                self._cells.append(cell)
                self.glyphs.append(framebuf.FrameBuffer(cell, w, h, framebuf.MONO_HLSB))
        self.advance = bytearray(len(self.glyphs))
        self._keys = array("I", bytes(4 * len(self.glyphs)))
        for i in range(n):
            w, h, _, _, count, size, codes, records = struct.unpack_from("<BBBBHHII", table, 16 * i)
            self.heights[i] = h
            self._count[i] = count
            self._size[i] = size
            self._codes[i] = codes
            self._records[i] = records
            self._base[i], self._slots[i] = first.get((w, h), (0, 0))
            f.seek(codes)
            part = f.read(4 * count)
            self._sparse.append(array("H", [part[k] | part[k + 1] << 8 for k in range(0, 4 * count, 4 * _STEP)]))
        self._part = bytearray(4 * _STEP)
        self._one = bytearray(1)

    def slot(self, face, code):
        """The cache slot that holds the glyph of ``code`` in ``face`` (loaded if need be): index of glyphs, advance."""
        i = self._base[face] + (code * 5 + face * 3) % self._slots[face]
        key = face + 1 << 16 | code
        if self._keys[i] != key:
            self._keys[i] = 0
            self._file.seek(self._find(face, code))
            self._file.readinto(self._one)
            self._file.readinto(self._cells[i])
            self.advance[i] = self._one[0]
            self._keys[i] = key
        return i

    def _find(self, face, code):
        """Place of the glyph's record in the file; that of "?" (or the face's first glyph) for a code the face lacks."""
        sparse = self._sparse[face]
        low, high = 0, len(sparse)
        while high - low > 1:
            middle = (low + high) >> 1
            if sparse[middle] <= code:
                low = middle
            else:
                high = middle
        part = self._part
        self._file.seek(self._codes[face] + 4 * _STEP * low)
        self._file.readinto(part)
        for k in range(0, 4 * min(_STEP, self._count[face] - _STEP * low), 4):
            if part[k] | part[k + 1] << 8 == code:
                return self._records[face] + (part[k + 2] | part[k + 3] << 8) * self._size[face]
        if code != 63 and face <= _R12:
            return self._find(face, 63)
        return self._records[face]

    def large(self, face, code):
        """A glyph that has no slot (the big star): a frame buffer made for the occasion. Returns it and its width in px."""
        cell = bytearray(self._size[face] - 1)
        self._file.seek(self._find(face, code) + 1)
        self._file.readinto(cell)
        h = self.heights[face]
        return framebuf.FrameBuffer(cell, len(cell) // h * 8, h, framebuf.MONO_HLSB)

    def text(self, lang, n):
        """Text number ``n`` (a row of texts.py) in ``lang`` (0 简体, 1 繁體, 2 English) as UTF-8 bytes."""
        f = self._file
        f.seek(self._texts + 2 * (lang * self._n_texts + n))
        a = f.read(4)
        start = a[0] | a[1] << 8
        f.seek(self._texts + 2 * (3 * self._n_texts + 1) + start)
        return f.read((a[2] | a[3] << 8) - start)
