"""On every screen, in three languages and both layouts, nothing is cut off and nothing overlaps.

Each region of a state is drawn once on a canvas that notes where the ink of every glyph goes. Ink must lie inside the
windows that the region is painted in (else the panel never gets it), and no two texts or shapes may touch
each other's ink boxes.
"""

import framebuf
import pytest
import states
from reader import FACES
from stage import ROOT, SETTLED, Screens
from states import all_states, dress

from host import fonts
from screen import canvas, hand

STATES = list(all_states())


class Noting(canvas.Canvas):
    """A canvas as large as the screen; ``items``: [text, x0, y0, x1, y1] of the ink of each text or shape."""

    def __init__(self):
        super().__init__(str(ROOT / "firmware" / "screen" / "type.bin"))
        self.items = []
        self.all = framebuf.FrameBuffer(bytearray(320 * 240 * 2), 320, 240, framebuf.RGB565)

    def open(self):
        self.fb, self.x, self.y, self.w, self.h = self.all, 0, 0, 320, 240
        self.items = []

    def _note(self, what, boxes):
        boxes = [b for b in boxes if b]
        if boxes and self.h > 0:
            self.items.append((what, min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes),
                               max(b[3] for b in boxes)))

    def _box(self, face, code, x, y):
        glyph = FACES[face][code]
        if glyph.rows:
            return x + glyph.left, y + glyph.top, x + glyph.left + glyph.width, y + glyph.top + glyph.height
        return None

    def glyph(self, face, code, x, y, colour):
        self._note(f"shape {face}:{chr(code)}", [self._box(face, code, x, y)])
        return FACES[face][code].advance

    def text(self, face, x, y, s, colour, limit=0):
        words = s if isinstance(s, str) else s.decode()
        boxes = []
        for ch in words:
            code = ord(ch)
            if self.lang == 1 and 0x4E00 <= code < 0xA000:
                code += 0x5200
            glyph = FACES[face].get(code)
            assert glyph, f"face {face} has no {ch!r} of {words!r}"
            if limit and x + glyph.advance > limit:
                assert self.h < 0, f"{words!r} does not fit and is cut"
                break
            boxes.append(self._box(face, code, x, y - 1))
            x += glyph.advance
        self._note(words, boxes)
        return x


def inside(box, windows):
    """Whether every pixel of a box lies in one of the windows."""
    _, x0, y0, x1, y1 = box
    return all(
        any(wx <= x < wx + ww and wy <= y < wy + wh for wx, wy, ww, wh in windows)
        for x in (x0, x1 - 1) for y in (y0, y1 - 1)
    )


def drawn(game, seat):
    """(items of the whole screen, complaints): each region drawn once, its ink held against its windows."""
    canvas_ = Noting()
    screens = Screens(game)
    screen = screens.screens[seat]
    screen.canvas = canvas_
    canvas_.lang = screen.seat.lang
    screen.mark()
    view = screen.view
    items, wrong = [], []
    for r in screen.view.ORDER:
        view = screen.view
        if screen.covered >> r & 1:
            if r > 3:
                continue
            view = screen.over
        area = bytes(view.area(screen, r))
        windows = [(2 * area[i], area[i + 1], 2 * area[i + 2], area[i + 3]) for i in range(0, len(area), 4)]
        if not any(w and h for _, _, w, h in windows):
            continue
        canvas_.open()
        view.draw(screen, canvas_, r)
        here = list(canvas_.items)
        for item in here:
            spread = getattr(view, "HAND_Y", 0) and 106 <= item[2] < 128  # the bar: its parts share one text
            if spread:
                windows_ = [(0, 106, 320, 22)]
            else:
                windows_ = windows
            if not inside(item, windows_):
                wrong.append(f"region {r}: {item} is not inside {windows_}")
        items += [i for i in here if i not in items]
    view = screen.view
    if game.phase != SETTLED and getattr(view, "HAND_Y", 0):
        canvas_.begin = lambda *a: canvas_.open()
        canvas_.send = lambda display: None
        hand._window(screen, canvas_, 0, view.HAND_Y, 320, 240 - view.HAND_Y)
        for item in canvas_.items:
            if not inside(item, [(0, view.HAND_Y, 320, 240 - view.HAND_Y)]):
                wrong.append(f"hand: {item} is cut")
        items += canvas_.items
    return items, wrong


@pytest.mark.parametrize("name", [name for name, _, _ in STATES])
def test_nothing_is_cut_off_or_overlaps(name):
    game, seat = next((g, s) for n, g, s in STATES if n == name)
    items, wrong = drawn(game, seat)
    assert items
    for i, (what, x0, y0, x1, y1) in enumerate(items):
        if x0 < 0 or y0 < 0 or x1 > 320 or y1 > 240:
            wrong.append(f"{what!r} leaves the screen: {x0, y0, x1, y1}")
        for other, a0, b0, a1, b1 in items[i + 1 :]:
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1:
                wrong.append(f"{what!r} {x0, y0, x1, y1} overlaps {other!r} {a0, b0, a1, b1}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("name", [n for n, _, _ in STATES if n.startswith(("settled", "dealing"))])
def test_numbers_side_by_side_have_a_gap_of_two_pixels(name):
    game, seat = next((g, s) for n, g, s in STATES if n == name)
    items, _ = drawn(game, seat)
    items = [i for i in items if i[2] < 154]
    tight = [
        (a, b) for a in items for b in items
        if a[3] <= b[1] < a[3] + 2 and a[2] < b[4] and b[2] < a[4] and not a[0][:5] == b[0][:5] == "shape"
    ]
    assert tight == []


@pytest.mark.parametrize("name", [n for n, g, s in STATES if n.endswith("large") and not g.seats[s].page])
def test_words_in_a_tile_keep_two_pixels_from_its_frame(name):
    game, seat = next((g, s) for n, g, s in STATES if n == name)
    items, _ = drawn(game, seat)
    words = [i for i in items if i[2] < 38 and not i[0].startswith("shape")]
    assert words
    for what, x0, _, x1, _ in words:
        assert any(x + 4 <= x0 and x1 <= x + 100 for x in (2, 108, 214)), (what, x0, x1)


@pytest.mark.parametrize("name", [n for n, _, _ in STATES if n.startswith(("notice 1 w", "notice 4 w", "notice t"))])
def test_a_notice_is_alone_in_the_bar_of_a_seat_that_waits(name):
    game, seat = next((g, s) for n, g, s in STATES if n == name)
    items, _ = drawn(game, seat)
    assert len([i for i in items if 106 <= i[2] < 128 and not i[0].startswith("shape")]) == 1
    assert not any(i[0].startswith("shape 8") for i in items if 106 <= i[2] < 128)


@pytest.mark.parametrize("lang", range(3))
def test_a_trustees_seat_says_why_no_key_of_it_acts(lang):
    texts = fonts.texts()[0]
    row = {t[0]: t[2 + lang] for t in texts}

    def words(make):
        return [i[0] for i in drawn(dress(make(), lang, 0), 0)[0] if 106 <= i[2] < 128 and i[0][:5] != "shape"]

    assert words(states.trustee) == [row["TRUSTEE_PLAYS"], row["KEY_TRUSTEE"], row["TAKE_BACK"]]
    assert words(states.trustee_out) == [row["OUT"]]
    assert words(states.pad_away) == [row["PAD_AWAY"]]
