"""Glyphs and texts from ``type.bin``, read on demand: the type of the screens.

Enter at ``Type``. The file (made by ``python -m host fonts``, its format is told in host/fonts.py) stays
open. In memory are a sparse index of each face (every 32nd code) and a cache of glyphs, one picture a size of
cell with the glyphs below each other: a frame buffer for every glyph would cost more than the glyphs. A code
has one possible place in the cache, so a look-up is one comparison, and drawing never allocates.
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

_STEP = const(32)  # every 32nd code of a face is in memory

# Cache places of each cell size: width, height, places. Sizes are those of host/fonts.py; a full hand, the
# longest message and a row of a meld find room side by side.
_CELLS = ((8, 9, 17), (16, 15, 29), (16, 20, 19), (24, 28, 5), (32, 34, 1))


class Type:
    """The open font file with its cache. ``path``: type.bin. OSError if it cannot be read, ValueError if it is none.

    ``advances``: of ASCII 32-126 in the text faces, 95 bytes a face: measuring English needs no glyph.
    ``heights``: rows of a face's cell. ``advance``: of the glyph fetched last."""

    def __init__(self, path):
        self._file = f = open(path, "rb")
        head = f.read(12)
        if head[:4] != b"SKT1":
            raise ValueError("type.bin is no font file")
        n = head[4]
        self._n_texts = head[6] | head[7] << 8
        self._texts = struct.unpack_from("<I", head, 8)[0]
        table = f.read(16 * n)
        self.advances = f.read(95 * (_R12 + 1))
        self.heights = bytearray(n)
        self.advance = 0
        self._faces = array("I", bytes(12 * n))  # place of the codes, of the records, count << 16 | size of a record
        self._cell_of = bytearray(n)
        self._cells = []
        for w, h, places in _CELLS:
            bits = bytearray((w >> 3) * h)
            self._cells.append((
                places, h,
                framebuf.FrameBuffer(bytearray(places * len(bits)), w, h * places, framebuf.MONO_HLSB),
                framebuf.FrameBuffer(bits, w, h, framebuf.MONO_HLSB), bits,
                array("I", bytes(4 * places)), bytearray(places + 1),  # keys; advances, and which glyph ``bits`` hold
            ))
        self._sparse = []
        for i in range(n):
            w, h, _, _, count, size, codes, records = struct.unpack_from("<BBBBHHII", table, 16 * i)
            self.heights[i] = h
            for k in range(len(_CELLS)):
                if _CELLS[k][0] == w and _CELLS[k][1] == h:
                    self._cell_of[i] = k
            self._faces[3 * i] = codes
            self._faces[3 * i + 1] = records
            self._faces[3 * i + 2] = count << 16 | size
            index = array("H", bytes(2 * ((count + _STEP - 1) // _STEP)))
            for k in range(len(index)):
                f.seek(codes + 4 * _STEP * k)
                index[k] = struct.unpack("<H", f.read(2))[0]
            self._sparse.append(index)
        self._part = bytearray(4 * _STEP)
        self._one = bytearray(1)

    def fetch(self, face, code):
        """The glyph of ``code`` in ``face`` as a frame buffer, good until the next one is fetched; sets ``advance``."""
        n, h, cache, one, bits, keys, advances = self._cells[self._cell_of[face]]
        i = (code * 5 + face * 3) % n
        key = face + 1 << 16 | code
        if keys[i] != key:
            keys[i] = 0
            self._file.seek(self._find(face, code))
            self._file.readinto(self._one)
            self._file.readinto(bits)
            cache.blit(one, 0, i * h)
            advances[i] = self._one[0]
            keys[i] = key
        elif advances[n] != i:
            one.blit(cache, 0, -i * h)
        advances[n] = i
        self.advance = advances[i]
        return one

    def _find(self, face, code):
        """Place of the glyph's record in the file; that of "?" (or the face's first glyph) for a code the
        face lacks.
        """
        sparse = self._sparse[face]
        low, high = 0, len(sparse)
        while high - low > 1:
            middle = (low + high) >> 1
            if sparse[middle] <= code:
                low = middle
            else:
                high = middle
        part = self._part
        size = self._faces[3 * face + 2]
        self._file.seek(self._faces[3 * face] + 4 * _STEP * low)
        self._file.readinto(part)
        for k in range(0, 4 * min(_STEP, (size >> 16) - _STEP * low), 4):
            if part[k] | part[k + 1] << 8 == code:
                return self._faces[3 * face + 1] + (part[k + 2] | part[k + 3] << 8) * (size & 0xFFFF)
        if code != 63 and face <= _R12:
            return self._find(face, 63)
        return self._faces[3 * face + 1]

    def large(self, face, code):
        """A glyph that has no place in the cache (the big star): a frame buffer made for the occasion."""
        cell = bytearray((self._faces[3 * face + 2] & 0xFFFF) - 1)
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
