"""Holds a screen that was read back against the state of the table: hand, tiles, table, bar, counter, settlement.

Enter at ``check`` and ``check_compact`` (a playing screen) and ``check_settlement``. ``Shadow`` is a table of our own
that follows the record. Each check raises AssertionError with what differs.
"""

from reader import B16, B20, B24, R12, R16, RANK2

from shared_rules import cards, compare, deal, meld, names, rulesets
from shared_rules.table import PASSED, Table

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

    def __init__(self, seed=None, hands=None, rules="wenzhou"):
        """seed: 64 hex digits, or hands: four lists of card codes."""
        self.rules = rulesets.get(rules)
        if hands is None:
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


def check_hand(reader, table, seat, compact, raised=bytes(16), shade=False, order=None):
    """The hand in columns: ranks, counts, suits (compact: of the front cards), what is raised (by rank; None: not
    known), and whether the trustee plays; order: of the ranks, if not the highest first. Of a rank that is partly
    raised the suits behind the lowest raised card need not show."""
    columns = reader.hand(compact)
    want = hand_of(table, seat)
    if order:
        want.sort(key=lambda column: order.index(cards.RANKS.index(column[0])))
    if compact:
        want = [(rank, count, suits[:1]) for rank, count, suits in want]
    assert [(c["rank"], c["count"]) for c in columns] == [w[:2] for w in want], "the hand"
    for column, (rank, count, suits) in zip(columns, want, strict=True):
        up = column["raised"]
        if raised is not None:
            assert up == raised[cards.RANKS.index(rank)], f"how many {rank} are raised"
        shown = column["suits"]
        assert shown == suits or up and shown == suits[: count - up] + suits[count - up + 1 :], f"the suits of {rank}"
        text = f"{up}/{count}" if 0 < up < count else str(count) if count > 3 else ""
        assert column["written"] == text, f"the count of {rank}"
        assert column["shade"] == (shade and not up), "faces in shade"


def check_bar(reader, table, seat, lang):
    """Whose turn it is."""
    bar = (0, 104, 280, 26)
    if table.turn == seat:
        assert reader.says(WORDS["turn"][lang], B16, lang, bar)
        if not table.meld:
            assert reader.says(WORDS["lead"][lang], R16, lang, bar)
    elif table.left(seat):
        assert reader.says(WORDS["wait"][lang].format(NAMES[table.turn][lang]), R16, lang, bar)


def check_compact(reader, shadow, seat, lang, bar=True, person=False, **own):
    """Hold one seat's playing screen in the compact layout against the state; own: of ``check_hand``;
    bar: whose turn it is, too (a notice stands there for some seconds); person: no bot sits there."""
    table = shadow.table
    check_hand(reader, table, hand_shown(table, seat) if person else seat, True, **own)
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
    if bar:
        check_bar(reader, table, seat, lang)


def hand_shown(table, seat):
    """Whose hand a person sees: the own one, or its partner's when it was first out (RULES.md 9.8)."""
    return (seat + 2) % 4 if table.out and table.out[0] == seat else seat


def check(reader, shadow, seat, lang, bar=True, person=False, **own):
    """Hold one seat's playing screen in the large layout against the state; own: of ``check_hand``;
    bar: whose turn it is, too (a notice stands there for some seconds); person: no bot sits there."""
    table = shadow.table
    check_hand(reader, table, hand_shown(table, seat) if person else seat, False, **own)
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

    if bar:
        check_bar(reader, table, seat, lang)


def check_settlement(reader, event, seat, lang, table):
    """The settlement as the end event tells it: points and totals by place, the hands that were left."""
    won = event["points"][seat] >= event["points"][(seat + 1) % 4]
    assert reader.says(WORDS[event["result"]][lang], B20, lang, (0, 0, 160, 28))
    if event["result"] != "level" or len(set(event["points"])) == 2:  # a level deal may be worth nothing
        assert reader.says(WORDS["won" if won else "lost"][lang], B20, lang, (0, 0, 160, 28)), "won or lost"
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
