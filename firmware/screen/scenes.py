"""What lies on the table now and then, in place of the cards: a deal that begins, a big play, readings to choose from.

In memory only while one of them is shown (``shelf.py``): ``play.py`` and ``compact.py`` load it, and put it back when
they draw the table as it mostly is.
"""

from micropython import const

from screen import cards
from shared_rules import names
from shared_rules.compare import star

# RGB565, bytes swapped
_FELT = const(0x2712)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_INK = const(0xE310)
_AMBER = const(0x85F5)
_LIFT = const(0xF0FE)
_BLAZE = const(0x03A1)
_EMBER = const(0x43DA)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_B24 = const(3)
_R12 = const(5)
_TINY = const(7)
_MARK = const(8)
_RANK2 = const(9)

_T_ME = const(13)
_T_DEAL_N = const(95)
_T_COMMIT = const(96)
_T_LEADS = const(97)

_codes = bytearray(27)
_kept = []  # the picture of the star, while this is in memory


def deal(v, c):
    """A deal begins: its number, who leads, and the commitment to its seed."""
    game = v.game
    t = c.type
    c.text(_B20, 16, 48, t.text(c.lang, _T_DEAL_N).replace(b"{}", str(game.deal_no).encode()), _TEXT)
    lead = game.table.turn
    if lead >= 0:
        name = t.text(c.lang, _T_ME) if lead == v.seat.index else game.seats[lead].name.encode()
        s = t.text(c.lang, _T_LEADS).replace(b"{}", name)
        c.text(_R16, 304 - c.width(_R16, s), 50, s, _AMBER)
    if game.commit:
        c.text(_R12, 16, 73, t.text(c.lang, _T_COMMIT), _MUTED)
        for i in range(4):
            s = game.commit[16 * i : 16 * i + 16]
            c.text(_R12, 198 if i & 1 else 82, 73 if i < 2 else 87, s, _TEXT)


def big(v, c):
    """A big play: a band of the whole width with its star, which pulses."""
    table = v.game.table
    m = table.meld
    c.rect(0, 41, 320, 63, _BLAZE)
    c.rect(0, 41, 320, 2, _AMBER)
    c.rect(0, 102, 320, 2, _AMBER)
    for x, y, w in ((0, 47, 14), (0, 53, 8), (66, 47, 8), (0, 92, 10), (0, 98, 18), (68, 98, 8)):
        c.rect(x, y, w, 2, _EMBER)
    if not _kept:
        _kept.append(c.type.large(10, 42))
    bright = v.shown[6] >> 27 & 1
    c.star(_kept[0], 5, 43, _AMBER if bright else _EMBER)
    c.star(_kept[0], 4, 41, _LIFT if bright else _AMBER)
    c.number(_RANK2, star(table.rules, m), 37, 62, _INK)
    x = 80
    if c.x + c.w < x:  # the star only
        return
    side = (table.owner - v.seat.index) & 3
    if side:
        c.glyph(_TINY, 111 if side == 2 else 118, x, 52, _LIFT)
        x += 11
    who = v.game.seats[table.owner].name.encode() if side else c.type.text(c.lang, _T_ME)
    x = c.text(_R16, x, 47, who, _LIFT)
    name = names.meld_name(c.lang, m)
    c.text(_B24 if x + 12 + c.width(_B24, name) < 318 else _B20, x + 12, 44, name, _TEXT)
    n = cards.lay(m, table.shown, table.n_shown, table.rules.small_wild)
    cards.row(c, 80, 71, n, cards.fit(n, 3, 236), 3)


def choices(v, c):
    """Two readings side by side, the chosen one framed; more of them scroll."""
    seat = v.seat
    rules = v.game.rules
    first = seat.choice & ~1
    k = cards.lifted(v.game.table.cards[seat.index], seat.raised, _codes)
    for i in range(first, min(first + 2, len(seat.choices))):
        m = seat.choices[i]
        x = 162 if i & 1 else 4
        chosen = i == seat.choice
        c.card(x, 44, 154, 60, _FELT)
        if chosen:
            c.frame(x, 44, 154, 60, _AMBER)
            c.glyph(_MARK, 121, x + 136, 51, _AMBER)
        name = names.meld_name(c.lang, m)
        c.text(_B16 if chosen else _R16, x + 10, 48, name, _TEXT if chosen else _MUTED, x + 134)
        n = cards.lay(m, _codes, k, rules.small_wild)
        cards.row(c, x + 10, 69, n, cards.fit(n, 0, 136), 0)
    if len(seat.choices) > 2:
        for i in range((len(seat.choices) + 1) >> 1):
            c.rect(150 + 8 * i, 40, 6, 2, _AMBER if i == first >> 1 else _DIM)


def rows(v, c):
    """The readings to choose from, two rows; more of them scroll."""
    seat = v.seat
    n = len(seat.choices)
    first = min(seat.choice, n - 2) if n > 1 else 0
    k = cards.lifted(v.game.table.cards[seat.index], seat.raised, _codes)
    for i in range(min(n, 2)):
        m = seat.choices[first + i]
        y = 53 + 26 * i
        chosen = first + i == seat.choice
        c.card(2, y, 316, 25, _FELT)
        if chosen:
            c.frame(2, y, 316, 25, _AMBER)
            c.glyph(_MARK, 121, 10, y + 8, _AMBER)
        x = c.text(_B16 if chosen else _R16, 28, y + 4, names.meld_name(c.lang, m), _TEXT if chosen else _MUTED) + 10
        laid = cards.lay(m, _codes, k, v.game.rules.small_wild)
        pitch = cards.fit(laid, 0, 314 - x)
        if pitch > 13 or x + cards.row_width(laid, 13, 0) < 316:
            cards.row(c, x, y, laid, min(pitch, 19), 0, True)
