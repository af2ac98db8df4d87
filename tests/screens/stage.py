"""A stage for screens: a capture display, a game of plain attributes, and states to show.

``Panel`` keeps what was blitted as a 320 x 240 picture of RGB565 and counts the bytes; ``Game`` has the attributes
that firmware/game.py has, over the real ``shared_rules.table.Table``.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "host" / "sim" / "shims" / "cpython", ROOT / "firmware", ROOT):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from screen.canvas import Canvas  # noqa: E402
from screen.seat import SeatScreen  # noqa: E402
from shared_rules import cards, meld, rulesets  # noqa: E402
from shared_rules.compare import star  # noqa: E402
from shared_rules.table import Table  # noqa: E402

LOBBY, DEALING, PLAY, LAST_TRICK, SETTLED = range(5)
NAMES = ("小林", "老周", "美玲", "阿强")
ENGLISH = ("Lin", "Zhou", "Meiling", "Qiang")


class Panel:
    """A display that keeps its pixels: ``pixels`` big-endian RGB565, ``sent`` bytes, ``blits`` (x, y, w, h)."""

    width, height = 320, 240

    def __init__(self):
        self.pixels = bytearray(320 * 240 * 2)
        self.sent = 0
        self.blits = []

    def blit(self, x, y, w, h, data):
        data = bytes(data)
        assert len(data) == w * h * 2 <= 8192, (x, y, w, h, len(data))
        assert x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= 320 and y + h <= 240, (x, y, w, h)
        for j in range(h):
            at = 2 * ((y + j) * 320 + x)
            self.pixels[at : at + 2 * w] = data[2 * w * j : 2 * w * (j + 1)]
        self.sent += len(data)
        self.blits.append((x, y, w, h))

    def image(self, scale=1):
        """The picture as PIL image, as the panel would show it."""
        from PIL import Image

        rgb = bytearray()
        for i in range(0, len(self.pixels), 2):
            v = self.pixels[i] << 8 | self.pixels[i + 1]
            r, g, b = v >> 11, v >> 5 & 63, v & 31
            rgb += bytes((r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2))
        image = Image.frombytes("RGB", (320, 240), bytes(rgb))
        return image if scale == 1 else image.resize((320 * scale, 240 * scale), 0)


class Seat:
    """A seat as firmware/game.py has it."""

    def __init__(self, index, name):
        self.index, self.name = index, name
        self.kind, self.lang, self.layout = 0, 0, 0
        self.ready, self.total = False, 0
        self.cursor, self.order, self.n_order = -1, bytearray(15), 0
        self.menu, self.player, self.fresh, self.page = 0, index, True, 0
        self.raised = bytearray(16)
        self.sort, self.hidden, self.trustee, self.warnings = 0, False, False, 0
        self.choices, self.choice, self.refusal = [], 0, None
        self.reading, self.legal = 0, False
        self.pad_present = self.display_present = True
        self.peek, self.notice = False, 0


class Game:
    """A game as firmware/game.py has it, set by hand."""

    def __init__(self, rules="wenzhou", names=NAMES):
        self.rules = rulesets.get(rules)
        self.options = ()
        self.table = None
        self.phase = LOBBY
        self.deal_no = 1
        self.seats = [Seat(i, names[i]) for i in range(4)]
        self.turn_ms = self.turn_left_ms = 0
        self.settlement, self.big, self.commit = None, None, ""
        self.rules_index, self.turn_seconds = rulesets.RULE_SETS.index(rules), 30
        self.evening = 0
        self.saving, self.resumed, self.faults, self.test = True, False, 0, False
        self.pause = 0
        self.ledger = SimpleNamespace(leaver=-1)
        self.settings = {16: 80, 17: 60}  # brightness and volume, with ``get`` as in firmware/settings.py

    @property
    def turn_no(self):
        """Counts up with every turn, as the game's does."""
        if not self.table:
            return 0
        return sum(self.table.turns) + (self.table.turn + 1) * 256 + self.deal_no * 2048 & 0xFFFF

    def between_deals(self):
        """True while no deal is running."""
        return self.phase in (LOBBY, SETTLED)

    def deal(self, hands, lead):
        """Begin a deal with four hands as text, e.g. "X x 2 A Kd"; fewer than 27 cards are fine."""
        used = bytearray(14)
        codes = [[cards.place(cards.read(w), used) for w in hand.split()] for hand in hands]
        assert all(c >= 0 for hand in codes for c in hand)
        self.table = Table(self.rules, self.options)
        self.table.begin(codes, lead)
        self.phase = PLAY
        self.refresh()

    def refresh(self):
        """Bring order, reading and legal up to date with the hands, as the game does."""
        from array import array

        out = array("i", bytes(32))
        for seat in self.seats:
            owner = (seat.index + 2) & 3 if seat.peek else seat.index
            counts = self.table.counts[owner]
            ranks = [r for r in range(14, -1, -1) if counts[r]]
            seat.n_order = len(ranks)
            seat.order[:] = bytes(ranks) + bytes(15 - len(ranks))
            if seat.cursor >= len(ranks):
                seat.cursor = len(ranks) - 1
            if any(seat.raised[:15]):
                got = self.table.judge(seat.index, seat.raised)
                from shared_rules.classify import classify

                n = classify(self.rules, seat.raised, out)
                seat.reading = got if got > 0 else out[0] if n else 0
                seat.legal = got > 0
            else:
                seat.reading, seat.legal = 0, False

    def play(self, text, name=None):
        """The seat whose turn it is plays the cards (ranks only), or passes with "pass"."""
        table = self.table
        s = table.turn
        if text == "pass":
            table.pass_(s)
        else:
            raised = counts_of(text)
            m = meld.parse(name) if name else table.judge(s, raised)
            assert m > 0, m
            table.play(s, raised, m)
        self.refresh()

    def lift(self, seat, text):
        """Raise these cards of a seat."""
        self.seats[seat].raised[:] = counts_of(text)
        self.refresh()

    def show_big(self):
        """The last play is shown as a big play."""
        self.big = [self.table.owner, self.table.meld, star(self.rules, self.table.meld), 0, 0]


def counts_of(text):
    """bytearray(16) of counts of a text of ranks."""
    out = bytearray(16)
    for word in text.split():
        out[cards.read(word) >> 3] += 1
        out[15] += 1
    return out


class Screens:
    """Four seat screens of a game over one canvas, each with its Panel."""

    def __init__(self, game):
        self.game = game
        self.canvas = Canvas(str(ROOT / "firmware" / "screen" / "type.bin"))
        self.panels = [Panel() for _ in range(4)]
        self.screens = [SeatScreen(p, game, game.seats[i], self.canvas) for i, p in enumerate(self.panels)]

    def settle(self, seat=None):
        """Mark and paint until nothing is left; the bytes sent per display."""
        before = [p.sent for p in self.panels]
        for i, screen in enumerate(self.screens):
            if seat is None or seat == i:
                screen.mark()
                slices = 0
                while screen.paint():
                    slices += 1
                    assert slices < 400, "painting never ends"
        return [p.sent - b for p, b in zip(self.panels, before)]
