"""Reads a seat's screen back: cards, numbers and texts from the pixels alone, by matching glyphs.

``Reader(pixels)`` takes what a display's memory holds (320 x 240 RGB565, big-endian) and knows of the firmware
only the glyphs (``type.bin``, parsed here on its own) and the palette. ``hand`` gives the columns of the
hand, ``row`` a row of cards, ``numbers`` what is written in large digits, ``find`` and ``says`` texts.
"""

import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPE = ROOT / "firmware" / "screen" / "type.bin"
RANKS = "3456789TJQKA2xX"
TC_SHIFT = 0x5200

# RGB565 as the panel holds them
PALETTE = {
    "night": 0x08A2, "tray": 0x1104, "felt": 0x1227, "line": 0x3249, "text": 0xF77B, "muted": 0x9554, "dim": 0x5B8E,
    "paper": 0xF79B, "shade": 0xDE97, "edge": 0x6B2A, "ink": 0x10E3, "red": 0xC144, "amber": 0xF585, "lift": 0xFEF0,
    "liftsh": 0xEDEA, "team": 0x5E96, "foe": 0xF46D, "blaze": 0xA103, "ember": 0xDA43,
}
INDEX = {value: number for number, value in enumerate(PALETTE.values())}
NAMES = list(PALETTE)
COLOUR = {name: number for number, name in enumerate(PALETTE)}


class Glyph:
    """Ink of one glyph: rows of 0 and 1 bytes cut to the ink, their place in the cell, and the advance."""

    def __init__(self, advance, rows):
        self.advance = advance
        inked = [y for y, row in enumerate(rows) if 1 in row]
        self.top = inked[0] if inked else 0
        rows = rows[self.top : inked[-1] + 1] if inked else []
        self.left = min((row.index(1) for row in rows if 1 in row), default=0)
        right = max((row.rindex(1) for row in rows if 1 in row), default=-1)
        self.rows = [row[self.left : right + 1] for row in rows]
        self.width, self.height = right + 1 - self.left, len(self.rows)
        # What is searched for first: the row with most ink, from its first pixel to its last.
        self.anchor = max(range(self.height), key=lambda j: self.rows[j].count(1), default=0)
        row = self.rows[self.anchor] if self.rows else b"\x01"
        self.inset = row.find(1)
        self.pattern = row[self.inset : row.rfind(1) + 1]


def load(path=TYPE):
    """Faces of type.bin: a list of {code: Glyph}."""
    data = path.read_bytes()
    assert data[:4] == b"SKT1"
    faces = []
    for i in range(data[4]):
        width, height, stride, _, count, size, codes, records = struct.unpack_from("<BBBBHHII", data, 12 + 16 * i)
        glyphs = {}
        for k in range(count):
            code, number = struct.unpack_from("<HH", data, codes + 4 * k)
            at = records + number * size
            rows = [
                bytes(data[at + 1 + y * stride + (x >> 3)] >> (7 - (x & 7)) & 1 for x in range(width))
                for y in range(height)
            ]
            glyphs[code] = Glyph(data[at], rows)
        faces.append(glyphs)
    return faces


FACES = load()
R16, B16, B20, B24, R28, R12, RANK, TINY, MARK, RANK2, STAR = range(11)


class Reader:
    """One screen."""

    def __init__(self, pixels):
        values = struct.unpack(">76800H", bytes(pixels))
        try:
            self.px = bytes(map(INDEX.__getitem__, values))
        except KeyError as colour:
            raise AssertionError(f"a colour outside of the palette: {colour.args[0]:04x}") from None
        self._masks = {}

    def at(self, x, y):
        """Name of the colour of a pixel."""
        return NAMES[self.px[320 * y + x]]

    def mask(self, ink):
        """Bytes 0 and 1: where the pixel has that ink."""
        if ink not in self._masks:
            table = bytes(1 if i == COLOUR[ink] else 0 for i in range(256))
            self._masks[ink] = self.px.translate(table)
        return self._masks[ink]

    def match(self, glyph, ink, area):
        """Places (x, y of the ink's corner) where a glyph stands in that ink inside ``area`` x, y, w, h."""
        mask = self.mask(ink)
        ax, ay, aw, ah = area
        found = []
        width, rows = glyph.width, list(enumerate(glyph.rows))
        shift = 320 * glyph.anchor + glyph.inset
        end = 320 * (ay + ah - glyph.height + glyph.anchor) + ax + aw
        at = mask.find(glyph.pattern, 320 * (ay + glyph.anchor) + ax, end)
        while at >= 0:
            corner = at - shift
            x = corner % 320
            if ax <= x <= ax + aw - width and all(
                mask[corner + 320 * j : corner + 320 * j + width] == row for j, row in rows
            ):
                found.append((x, corner // 320))
            at = mask.find(glyph.pattern, at + 1, end)
        return found

    def _alone(self, x, y, w, h, ink):
        """Whether nothing of that ink touches the box from left or right."""
        mask = self.mask(ink)
        for side in (x - 1, x + w):
            if 0 <= side < 320 and any(mask[320 * j + side] for j in range(y, y + h)):
                return False
        return True

    # Cards -------------------------------------------------------------------------------------------------------

    def _ranks(self, area, grounds):
        """Ranks in large glyphs on cards: (x middle, y, rank, ground), jokers by their crowns."""
        found = []
        for r, letter in enumerate(RANKS):
            face, inks = (MARK, ("red",) if r == 14 else ("ink",)) if r > 12 else (RANK, ("ink", "red"))
            glyph = FACES[face][ord(letter)]
            for ink in inks:
                for x, y in self.match(glyph, ink, area):
                    ground = self._ground(x, y, glyph)
                    if ground in grounds and self._alone(x, y, glyph.width, glyph.height, ink):
                        found.append((x + glyph.width // 2, y, letter, ground))
        return found

    def _ground(self, x, y, glyph):
        """Colour of a pixel of the glyph's box that is no ink."""
        for j, row in enumerate(glyph.rows):
            i = row.find(0)
            if i >= 0:
                return self.at(x + i, y + j)
        return None

    def hand(self, compact=False):
        """Columns of the hand, left to right: dicts of rank, count, raised, suits (those that show, front first),
        written (digits below, e.g. "2/3"), cursor."""
        top = 140 if compact else 131
        area = (0, top, 320, 240 - top)
        ranks = self._ranks(area, ("paper", "lift", "shade"))
        columns = []
        seen = set()
        for x, y, letter, ground in sorted(ranks):
            same = [(yy, ll, gg) for xx, yy, ll, gg in ranks if abs(xx - x) < 6]
            y, letter, ground = max(same)
            if any(abs(x - done) < 6 for done in seen):
                continue
            seen.add(x)
            columns.append(self._column(x, y, letter, ground, compact))
        return columns

    def _column(self, x, y, letter, ground, compact):
        """One column from its front card's rank at middle ``x`` and row ``y``."""
        cards = {COLOUR[name] for name in ("paper", "lift", "shade")}
        left = x
        printed = cards | {COLOUR["ink"], COLOUR["red"]}
        while left > 0 and self.px[320 * y + left - 1] in printed:
            left -= 1
        front = y
        while self.px[320 * (front - 1) + left + 1] in cards:
            front -= 1
        # Cards behind: each shows an edge above the next one.
        grounds = []
        row = front - 1
        lines = 0
        while row > 120:
            name = self.at(left + 1, row)
            if name == "edge":
                lines += 1
                grounds.append(self.at(left + 1, row - 1))
            elif name not in ("paper", "lift", "shade"):
                break
            row -= 1
        count = lines + 1
        raised = [ground, *grounds].count("lift")
        joker = letter in "xX"
        suits = []
        if not joker and not compact:
            suits += self._suit(MARK, "dchs", (x - 6, y + 16, 13, 14))
            for face, codes in ((TINY, "dchs"), (TINY, "DCHS")):
                suits += [s.lower() for s in self._suit(face, codes, (x - 6, row, 13, front - row + 1))]
        elif not joker:
            suits += self._suit(TINY, "dchs", (x - 6, y + 14, 13, 12))
        return {
            "rank": letter, "count": count, "raised": raised, "suits": suits, "written": self._below(x), "x": x,
            "shade": ground == "shade", "cursor": self.at(x, 238) == "text",
        }

    def _suit(self, face, codes, area):
        """Suits in the area, the lowest on the screen first."""
        found = []
        for code in codes:
            glyph = FACES[face][ord(code)]
            for _, py in self.match(glyph, "red" if code in "dhDH" else "ink", area):
                found.append((py, code))
        return [code for _, code in sorted(found, reverse=True)]

    def _below(self, x):
        """The small digits below a column."""
        found = []
        for ink in ("amber", "text"):
            for code in "0123456789/":
                for px, _ in self.match(FACES[TINY][ord(code)], ink, (x - 12, 228, 24, 9)):
                    found.append((px, code))
        return "".join(code for _, code in sorted(found))

    def small(self, area):
        """What is written in small digits in an area, left to right: figures and "-", in any ink."""
        found = []
        for ink in ("amber", "text", "dim"):
            for code in "0123456789-":
                for x, y in self.match(FACES[TINY][ord(code)], ink, area):
                    glyph = FACES[TINY][ord(code)]
                    if self._alone(x, y, glyph.width, glyph.height, ink):
                        found.append((x, code))
        figures = [f for f in found if f[1] != "-"]  # the bar of a figure looks like a dash
        return "".join(code for _, code in sorted(figures or found))

    def row(self, area):
        """Cards of a row, left to right: "6d", "x" and "X" as themselves, "3*" a joker that stands for a 3."""
        found = []
        for x, y, letter, _ in self._ranks(area, ("paper", "lift", "shade")):
            if letter in "xX":
                found.append((x, letter))
                continue
            below = (x - 7, y + 13, 15, 17)
            suit = self._suit(MARK, "dchs", below) or [s.lower() for s in self._suit(TINY, "DCHS", below)]
            found.append((x, letter + (suit[0] if suit else "*")))
        return [card for _, card in sorted(found)]

    # Numbers and texts -------------------------------------------------------------------------------------------

    def numbers(self, area, ink):
        """Numbers in large digits: (x, value), left to right."""
        digits = []
        for d in range(10):
            glyph = FACES[RANK][48 + d]
            for x, y in self.match(glyph, ink, area):
                if self._alone(x, y, glyph.width, glyph.height, ink):
                    digits.append((x, y, d, glyph.width))
        digits.sort()
        out = []
        end = -99
        for x, _, d, width in digits:
            if x - end <= 4 and out:
                out[-1] = (out[-1][0], out[-1][1] * 10 + d)
            else:
                out.append((x, d))
            end = x + width
        return out

    def find(self, text, face, lang=0, area=(0, 0, 320, 240), inks=None):
        """Places (x, y of the pen) where a text stands whole, in one ink, with its face's spacing; area bounds it."""
        pen, parts = 0, []
        for ch in text:
            code = ord(ch)
            if lang == 1 and 0x4E00 <= code < 0xA000:
                code += TC_SHIFT
            glyph = FACES[face][code]
            if glyph.rows:
                parts.append((pen + glyph.left, glyph))
            pen += glyph.advance
        found = []
        dx, first = parts[0]
        for ink in inks or NAMES:
            mask = self.mask(ink)
            if 1 not in mask:
                continue
            for x, y in self.match(first, ink, area):
                x0, y0 = x - dx, y - first.top
                if all(self._stands(mask, x0 + gx, y0 + g.top, g) for gx, g in parts[1:]):
                    found.append((x0, y0))
        return found

    def _stands(self, mask, x, y, glyph):
        if x < 0 or x + glyph.width > 320 or y + glyph.height > 240:
            return False
        at = 320 * y + x
        return all(mask[at + 320 * j : at + 320 * j + glyph.width] == row for j, row in enumerate(glyph.rows))

    def says(self, text, face, lang=0, area=(0, 0, 320, 240)):
        """Whether the text stands somewhere in the area."""
        return bool(self.find(text, face, lang, area))
