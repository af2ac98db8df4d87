"""All texts on a screen, read from its pixels: every drawn piece must belong to a whole glyph of a text.

``Texts(reader, lang)`` takes a ``reader.Reader``. ``lines`` are the texts it found: (text, face, x, y, ink), x and y
the pen of the first glyph. ``stray`` are pieces of ink that no whole glyph explains, as (ink, x, y, w, h): a text
that is cut off leaves part of a glyph, and one that is drawn over another leaves glyphs that are none.

A piece is a set of pixels of one ink that touch each other, corners too. A filled area (a bar, a card, the cap
of a key), a line and a frame are no text; what shows of an area between the strokes of a text on it is none either.
"""

from functools import cache

from reader import FACES, R12, TC_SHIFT

INKS = ("text", "muted", "dim", "ink", "red", "amber", "team", "foe", "lift")
SOLID = 6  # px; no stroke is as thick in both directions, shapes aside
LONG = 42  # px; no glyph has a run as long


def pieces(rows):
    """Pieces of a mask: rows of bytes 0 and 1. Each is a frozenset of (x, y)."""
    runs = []
    for y, row in enumerate(rows):
        x = row.find(1)
        while x >= 0:
            end = row.find(0, x)
            end = len(row) if end < 0 else end
            runs.append((x, end, y))
            x = row.find(1, end)
    parent = list(range(len(runs)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    above, here, last = [], [], None
    for i, (x, end, y) in enumerate(runs):
        if y != last:
            above, here = (here if last == y - 1 else []), []
            last = y
        for k in above:
            if runs[k][0] <= end and x <= runs[k][1]:
                parent[root(k)] = root(i)
        here.append(i)
    found = {}
    for i, run in enumerate(runs):
        found.setdefault(root(i), []).append(run)
    return list(found.values())


def corner(runs):
    """(x, y, w, h) of a piece."""
    x = min(r[0] for r in runs)
    y = min(r[2] for r in runs)
    return x, y, max(r[1] for r in runs) - x, max(r[2] for r in runs) - y + 1


def shape(runs):
    """A piece moved to the corner: what tells it from other pieces."""
    x, y, _, _ = corner(runs)
    return tuple(sorted((y1 - y, a - x, b - x) for a, b, y1 in runs))


def solid(runs):
    """Whether a piece holds a filled square of SOLID px, or a line longer than any stroke."""
    x, y, w, h = corner(runs)
    if any(b - a >= LONG for a, b, _ in runs) or h >= LONG:
        return True
    if sum(b - a for a, b, _ in runs) == w * h and max(w, h) >= 12:
        return True  # a line
    columns = [sum(a <= i < b for a, b, _ in runs) for i in (x, x + w - 1)]
    if h >= 12 and w >= 12 and min(columns) >= h - 2:
        return True  # the cap of a key, with the key's name on it
    wide = {}
    for a, b, y in runs:
        if b - a >= SOLID:
            wide.setdefault(y, []).append((a, b))
    for y, spans in wide.items():
        for left, right in spans:
            for row in range(y + 1, y + SOLID):
                fitting = [(max(a, left), min(b, right)) for a, b in wide.get(row, ())]
                left, right = next((s for s in fitting if s[1] - s[0] >= SOLID), (0, 0))
                if not right:
                    break
            else:
                return True
    return False


@cache
def known(lang):
    """{shape of a glyph's largest piece: [(pixels, face, code, dx, dy)]}, the glyphs that a language's screens use."""
    table = {}
    for face, glyphs in enumerate(FACES[:10]):
        for code, glyph in glyphs.items():
            plain = code
            if face < 6:
                shifted = 0x4E00 + TC_SHIFT <= code < 0xA000 + TC_SHIFT
                if shifted and lang == 1:
                    plain = code - TC_SHIFT
                elif shifted or lang == 1 and 0x4E00 <= code < 0xA000:
                    continue
            if not glyph.rows:
                continue
            largest = max(pieces(glyph.rows), key=lambda runs: sum(b - a for a, b, _ in runs))
            x, y, _, _ = corner(largest)
            size = sum(row.count(1) for row in glyph.rows)
            table.setdefault(shape(largest), []).append((size, face, plain, code, x, y))
    for same in table.values():
        same.sort(reverse=True)
    return table


@cache
def letters(lang):
    """(face, character, glyph, places of its ink from the left) of the glyphs that may touch their neighbours, largest
    first."""
    found = []
    for same in known(lang).values():
        for size, face, plain, code, _, _ in same:
            if plain < 127 or face == R12:
                glyph = FACES[face][code]
                places = [(i, j) for i in range(glyph.width) for j in range(glyph.height) if glyph.rows[j][i]]
                found.append((size, face, plain, glyph, places))
    return [row[1:] for row in sorted(found, key=lambda row: -row[0])]


class Texts:
    """The texts of one screen."""

    def __init__(self, reader, lang):
        self.reader = reader
        self.lang = lang
        self.stray = []
        self.glyphs = []  # (x0, y0, {(face, character)}, ink, box)
        waiting = []
        for ink in INKS:
            mask = reader.mask(ink)
            if 1 in mask:
                found = self._ink(ink, [mask[320 * y : 320 * y + 320] for y in range(240)])
                # "lift" is the ink of refusals in the bar; elsewhere it is the ground of raised cards.
                waiting += [one for one in found if ink != "lift" or 106 <= one[1][0][2] < 128]
        for ink, runs in waiting:
            x, y, w, h = corner(runs)
            # What shows of a ground between the strokes of a glyph on it is no ink.
            if not any(
                g[3] != ink and g[4][0] - 2 <= x and g[4][1] - 2 <= y
                and x + w <= g[4][0] + g[4][2] + 2 and y + h <= g[4][1] + g[4][3] + 2
                for g in self.glyphs
            ) and not self._split(runs, ink):
                self.stray.append((ink, x, y, w, h))
        # A piece of a glyph whose other pieces touch its neighbours was waiting for those.
        self.stray = [
            (ink, x, y, w, h) for ink, x, y, w, h in self.stray
            if not any(g[3] == ink and g[4][0] <= x and g[4][1] <= y and x + w <= g[4][0] + g[4][2]
                       and y + h <= g[4][1] + g[4][3] for g in self.glyphs)
        ]
        # What shows of a ground between strokes may look like a glyph.
        self.glyphs = [g for g in self.glyphs if not any(self._within(g, other) for other in self.glyphs)]
        self.lines = self._lines()

    def _within(self, g, other):
        """Whether a glyph lies inside a larger one of another ink."""
        x, y, w, h = g[4]
        ox, oy, ow, oh = other[4]
        return g[3] != other[3] and w * h < ow * oh and (
            ox <= x + 1 and oy <= y + 1 and x + w <= ox + ow + 1 and y + h <= oy + oh + 1)

    def _ink(self, ink, rows):
        """Read the glyphs of one ink; returns (ink, piece) of those that are none."""
        mask = self.reader.mask(ink)
        table = known(self.lang)
        left = bytearray(mask)
        found = []
        every = pieces(rows)
        for runs in every:
            x, y, _, _ = corner(runs)
            found += [
                (size, x - dx, y - dy, face, plain, FACES[face][code])
                for size, face, plain, code, dx, dy in table.get(shape(runs), ())
                if self._stands(mask, x - dx, y - dy, FACES[face][code])
            ]
        # The glyph with most ink first: a part of it may look like another glyph.
        found.sort(key=lambda one: -one[0])
        names = {}
        for _, x, y, face, plain, glyph in found:
            key = x, y, tuple(glyph.rows)
            if key in names:
                names[key].add((face, plain, glyph.left, glyph.top))
            elif self._whole(left, x, y, glyph):
                self._take(left, x, y, glyph)
                names[key] = {(face, plain, glyph.left, glyph.top)}
                self.glyphs.append((x, y, names[key], ink, (x, y, glyph.width, glyph.height)))
        rest = [runs for runs in every if left[320 * runs[0][2] + runs[0][0]] and not solid(runs)]
        return [(ink, runs) for runs in rest]

    def _stands(self, mask, x, y, glyph):
        """Whether a glyph stands there; other ink between its strokes is no part of it."""
        if x < 0 or y < 0 or x + glyph.width > 320 or y + glyph.height > 240:
            return False
        for j, row in enumerate(glyph.rows):
            at = 320 * (y + j) + x
            if mask[at : at + glyph.width] != row and any(
                    r and not m for r, m in zip(row, mask[at : at + glyph.width], strict=True)):
                return False
        return True

    def _whole(self, left, x, y, glyph):
        """Whether no pixel of the glyph belongs to one that was found before."""
        return all(left[320 * (y + j) + x + i] for j, row in enumerate(glyph.rows) for i, dot in enumerate(row) if dot)

    def _take(self, left, x, y, glyph):
        for j, row in enumerate(glyph.rows):
            for i, dot in enumerate(row):
                if dot:
                    left[320 * (y + j) + x + i] = 0

    def _split(self, runs, ink):
        """Read a piece that is made of letters which touch: those whose whole ink is there, from the left."""
        mask = self.reader.mask(ink)
        dots = {(i, j) for a, b, j in runs for i in range(a, b)}
        steps = 0
        _, _, w, h = corner(runs)
        fitting = [row for row in letters(self.lang) if row[2].width <= w and row[2].height <= h]

        def read(rest, found):
            nonlocal steps
            if not rest:
                return found
            x, y = min(rest)
            for face, code, glyph, starts in fitting:
                for i, j in starts:
                    steps += 1
                    if steps > 400_000 or not self._stands(mask, x - i, y - j, glyph):
                        continue
                    own = {(x - i + m, y - j + k) for m, k in starts}
                    got = read(rest - own, [*found, (x - i, y - j, face, code, glyph)])
                    if got:
                        return got
            return None

        got = read(dots, []) if len(dots) < 400 else None
        for x, y, face, code, glyph in got or ():
            self.glyphs.append((x, y, {(face, code, glyph.left, glyph.top)}, ink, (x, y, glyph.width, glyph.height)))
        return bool(got)

    def _lines(self):
        """Glyphs put together by their pens: (text, face, x, y, ink), from the top and the left."""
        pens = {}
        for k, (x, y, names, ink, _) in enumerate(self.glyphs):
            for face, plain, dx, dy in names:
                if face < 6:
                    pens[face, ink, x - dx, y - dy] = k, plain
        lines = []
        used = set()

        def chain(key):
            face, ink, x, y = key
            out, text = [], ""
            while True:
                k, plain = pens[face, ink, x, y]
                out.append(k)
                text += chr(plain)
                code = plain + (TC_SHIFT if self.lang == 1 and 0x4E00 <= plain < 0xA000 else 0)
                x += FACES[face][code].advance
                space = FACES[face][32].advance
                wide = FACES[face][0x3000].advance if 0x3000 in FACES[face] else 0
                for gap, ch in ((0, ""), (space, " "), (2 * space, "  "), (wide, "\u3000")):
                    if (face, ink, x + gap, y) in pens:
                        x += gap
                        text += ch
                        break
                else:
                    return out, text

        chains = sorted(((*chain(key), key) for key in pens), key=lambda c: (-len(c[0]), c[2]))
        for out, text, (face, ink, x, y) in chains:
            if not used & set(out):
                used |= set(out)
                if any(ch.isalnum() for ch in text):  # pips and dots of shapes are no text
                    lines.append((text, face, x, y, ink))
        return sorted(lines, key=lambda line: (line[3], line[2]))
