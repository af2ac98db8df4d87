"""What the four displays hold, read back by glyphs, is the state of the game: a whole deal of the real firmware.

The firmware runs in the simulator; the deal is known from its seed and the lines of the record. At every turn all four
display memories are read and held against a table of our own. Nothing that another seat holds is on a screen.
"""

import pytest
from reader import B16, B20, B24, R12, R16, RANK2, Reader

from host.sim.settings import Settings
from host.sim.table import SimTable
from shared_rules import cards, compare, deal, meld, names, rulesets
from shared_rules.table import PASSED, Table

SEED = "5" * 64
NAMES = (("小林", "小林", "Lin"), ("老周", "老周", "Zhou"), ("美玲", "美玲", "Meiling"), ("阿强", "阿強", "Qiang"))
LANGS = ("zh-Hans", "zh-Hant", "en")
TILES = (2, 108, 214)  # x; previous, partner, next
WORDS = {  # texts of the screens, by language
    "pass": ("不要", "不要", "passed"), "wait": ("等{}出牌", "等{}出牌", "{} to play"),
    "turn": ("轮到你", "輪到你", "Your turn"), "lead": ("你领出，任意牌型", "你領出，任意牌型", "lead any meld"),
    "double": ("双扣", "雙扣", "Double"), "single": ("单扣", "單扣", "Single"), "level": ("平扣", "平扣", "Level"),
    "me": ("我", "我", "me"), "won": ("赢了", "贏了", "win"), "lost": ("输了", "輸了", "loss"),
}


class Shadow:
    """The table as the seed and the record tell it."""

    def __init__(self, seed):
        self.rules = rulesets.get("wenzhou")
        d = deal.shuffle(bytes.fromhex(seed))
        hands = [bytearray(d.deck[4 * i + s] for i in range(27)) for s in range(4)]
        self.table = Table(self.rules, ())
        self.hands = hands
        self.settlement = None
        self.turns = 0

    def hear(self, event):
        table = self.table
        if event["ev"] == "deal":
            table.begin(self.hands, event["lead"])
        elif event["ev"] == "play":
            raised = bytearray(16)
            for word in event["cards"].split():
                raised[cards.read(word) >> 3] += 1
                raised[15] += 1
            table.play(event["seat"], raised, meld.parse(event["meld"]))
        elif event["ev"] == "pass":
            table.pass_(event["seat"])


def hand_of(table, s):
    """Columns of a hand as the reader gives them: (rank, count, suits front first)."""
    columns = []
    for r in range(14, -1, -1):
        if table.counts[s][r]:
            suits = []
            for i in range(8):
                code = cards.code_of(r, i)
                if code >= 0 and cards.has(table.cards[s], code):
                    suits.append(cards.SUITS[cards.suit(code)])
            columns.append((cards.RANKS[r], table.counts[s][r], [] if r > 12 else suits[::-1]))
    return columns


def shown_of(table):
    """Cards on the table as the reader gives them, sorted; a joker that stands for a rank as "R*"."""
    codes = [table.shown[i] for i in range(table.n_shown)]
    m = table.meld
    if meld.top(m) > 12:
        return sorted(cards.text(c) for c in codes)
    natural = [cards.text(c) for c in codes if cards.rank(c) < 13]
    stands = []
    jokers = len(codes) - len(natural)
    for r in range(meld.top(m) - meld.ranks(m) + 1, meld.top(m) + 1):
        have = sum(cards.rank(c) == r for c in codes)
        take = jokers if r == meld.top(m) else min(jokers, max(0, meld.smallest(m) - have))
        stands += [cards.RANKS[r] + "*"] * take
        jokers -= take
    return sorted(natural + stands)


def check_hand(reader, table, seat, compact):
    """The hand in columns: ranks, counts, suits (compact: of the front cards), nothing raised."""
    columns = reader.hand(compact)
    want = hand_of(table, seat)
    if compact:
        want = [(rank, count, suits[:1]) for rank, count, suits in want]
    assert [(c["rank"], c["count"], c["suits"]) for c in columns] == want, "the hand"
    for column in columns:
        assert column["raised"] == 0
        assert column["written"] == (str(column["count"]) if column["count"] > 3 else "")


def check_bar(reader, table, seat, lang):
    """Whose turn it is."""
    bar = (0, 104, 280, 26)
    if table.turn == seat:
        assert reader.says(WORDS["turn"][lang], B16, lang, bar)
        if not table.meld:
            assert reader.says(WORDS["lead"][lang], R16, lang, bar)
    elif table.left(seat):
        assert reader.says(WORDS["wait"][lang].format(NAMES[table.turn][lang]), R16, lang, bar)


def check_compact(reader, shadow, seat, lang):
    """Hold one seat's playing screen in the compact layout against the state."""
    table = shadow.table
    check_hand(reader, table, seat, True)
    for i in range(4):
        s = (seat + 1 + i) % 4
        y = 1 + 26 * i
        left = table.left(s)
        if left:
            assert [n for _, n in reader.numbers((5, y, 30, 25), "red" if left < 4 else "ink")] == [left], f"seat {s}"
        else:
            place = list(table.out).index(s) + 1
            assert [n for _, n in reader.numbers((5, y, 30, 25), "amber" if place == 1 else "muted")] == [place]
        name = WORDS["me"][lang] if i == 3 else NAMES[s][lang]
        assert reader.says(name, R16, lang, (40, y - 1, 72, 27)), f"name of seat {s}"
        row = reader.row((108, y - 1, 212, 28))
        if table.owner == s and table.meld:
            assert reader.says(names.meld_name(lang, table.meld), B16, lang, (104, y - 1, 216, 27)), "the meld"
            shown = shown_of(table)
            assert row == [] or sorted(row) == shown or {c[0] for c in row} == {c[0] for c in shown}, "its cards"
        else:
            assert row == []
        if table.last[s] == PASSED and table.turn != s and left:
            assert reader.says(WORDS["pass"][lang], R16, lang, (104, y - 1, 216, 27)), f"seat {s} has passed"
    for i in range(15):
        unseen = sum(table.counts[s][14 - i] for s in range(4) if s != seat)
        assert reader.small((46 + 18 * i, 147, 18, 13)) == (str(unseen) if unseen else "-"), "the card counter"
    check_bar(reader, table, seat, lang)


def check(reader, shadow, seat, lang):
    """Hold one seat's playing screen in the large layout against the state."""
    table = shadow.table
    check_hand(reader, table, seat, False)
    star = compare.star(shadow.rules, table.meld) if table.meld else 0
    for i, x in enumerate(TILES):
        s = (seat + 3 - i) % 4
        team = "team" if i == 1 else "foe"
        left = table.left(s)
        big = star > 5 and table.owner == s and reader.at(x + 40, 30) == team
        ink = team if big else "red" if left < 4 else "ink"
        numbers = [n for _, n in reader.numbers((x + 4, 8, 30, 24), ink)]
        if left:
            assert numbers == [left], f"cards left of seat {s}"
        else:
            place = list(table.out).index(s) + 1
            assert [n for _, n in reader.numbers((x + 4, 8, 30, 24), "amber" if place == 1 else "muted")] == [place]
        name = (x + 40, 0, 64, 24)
        assert any(reader.says(NAMES[s][lang], face, lang, name) for face in (R16, R12)), f"name of seat {s}"
        if table.last[s] == PASSED and table.turn != s and left:
            assert reader.says(WORDS["pass"][lang], R16, lang, (x + 40, 16, 66, 24)), f"seat {s} has passed"

    area = (0, 40, 320, 66)
    row = sorted(reader.row(area))
    if table.meld:
        shown = shown_of(table)
        if len(row) == len(shown):
            assert row == shown, "the cards on the table"
        else:  # a long chain: each rank once
            assert {card[0] for card in row} == {card[0] for card in shown}
        name = names.meld_name(lang, table.meld)
        assert reader.says(name, B20, lang, area) or reader.says(name, B24, lang, area), "the meld on the table"
        if star:
            small = [n for _, n in reader.numbers(area, "amber")]
            large = reader.find(str(star), RANK2, 0, area, ("ink",))
            assert small == [star] or large, "the star of the meld on the table"
    else:
        assert row == [], "nothing lies on the table"

    check_bar(reader, table, seat, lang)


def check_settlement(reader, event, seat, lang, table):
    """The settlement as the end event tells it: points and totals by place, the hands that were left."""
    won = event["points"][seat] >= event["points"][(seat + 1) % 4]
    assert reader.says(WORDS[event["result"]][lang], B20, lang, (0, 0, 160, 28))
    assert reader.says(WORDS["won" if won else "lost"][lang], B20, lang, (0, 0, 160, 28))
    for s in range(4):
        y = 42 + 23 * (event["places"][s] - 1)
        points = event["points"][s]
        text = f"+{points}" if points >= 0 else f"−{-points}"
        assert any(reader.says(NAMES[s][lang], face, lang, (26, y - 2, 60, 27)) for face in (R16, R12))
        assert any(reader.says(text, face, lang, (222, y - 2, 50, 27)) for face in (B16, R12)), f"points of seat {s}"
    left = [c for s in range(4) if table.left(s) <= 14 for c in hand_of(table, s)]
    want = sorted(r + (s or "") if r not in "xX" else r for r, _, suits in left for s in (suits or [""]))
    if max(table.left(s) for s in range(4)) <= 14 and not any(c[0] in "xX" for c in left):
        assert sorted(reader.row((84, 134, 236, 80))) == want, "the hands that were left"


@pytest.mark.parametrize(
    ("lang", "vm", "seed", "compact"),
    [(0, "micropython", SEED, False), (2, "cpython", "7" * 64, False), (1, "micropython", "8" * 64, True)],
    ids=["large-zh-Hans", "large-en-on-cpython", "compact-zh-Hant"],
)
def test_every_screen_at_every_turn_of_a_deal_shows_the_state(lang, vm, seed, compact):
    shadow = Shadow(seed)
    settings = Settings(seats=["bot"] * 4, seed=seed, lang=LANGS[lang], vm=vm)
    with SimTable(settings, quiet=True) as table:
        table.on_event(shadow.hear)
        if compact:
            table.advance(1000)
            for seat in range(4):
                table.press(seat, "menu")
                table.press(seat, "menu")
        turns = 0
        while True:
            event = table.wait_for(lambda e: e["ev"] in ("turn", "end"), 60000)
            assert event, "the deal goes on"
            if event["ev"] == "end":
                break
            table.advance(500)
            turns += 1
            for seat in range(4):
                reader = Reader(table.frame(seat))
                try:
                    (check_compact if compact else check)(reader, shadow, seat, lang)
                except AssertionError as error:
                    raise AssertionError(f"turn {turns}, screen of seat {seat}: {error}") from error
        assert turns > 40
        table.advance(1000)
        for seat in range(4):
            check_settlement(Reader(table.frame(seat)), event, seat, lang, shadow.table)
        assert table.violations.count == 0
        assert max(table.command({"stats": True})["spi_bytes"]) <= 4_000_000, "bytes sent to a display in a deal"


def test_both_interpreters_paint_the_same_pixels():
    frames = []
    for vm in ("micropython", "cpython"):
        with SimTable(Settings(seats=["bot"] * 4, seed="6" * 64, vm=vm), quiet=True) as table:
            for _ in range(5):
                assert table.wait_for(lambda e: e["ev"] == "turn", 60000)
            table.advance(500)
            frames.append([table.frame(seat) for seat in range(4)])
    assert frames[0] == frames[1]
