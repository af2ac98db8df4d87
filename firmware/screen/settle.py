"""The settlement: who won, how each player's number came about, and every hand that was left. A view of ``seat.py``.

Points = base x multiplier (x stake) + contributions (RULES.md section 8). Here all hands may be seen (9.9).
"""

from micropython import const

from screen import cards

# RGB565, bytes swapped
_PAPER = const(0x9BF7)
_RED = const(0x44C1)
_TRAY = const(0x0411)
_FELT = const(0x2712)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_INK = const(0xE310)
_AMBER = const(0x85F5)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R12 = const(5)
_RANK = const(6)
_TINY = const(7)
_MARK = const(8)

_T_READY = const(40)
_T_N_READY = const(39)
_T_KEY_PLAY = const(22)
_T_DOUBLE = const(99)
_T_SINGLE = const(100)
_T_LEVEL = const(101)
_T_BROKEN = const(102)
_T_COL_BASE = const(103)
_T_N_LEFT = const(107)
_T_NEXT_DEAL = const(108)
_T_WON = const(109)
_T_LOST = const(110)

_HUMAN = const(0)
_LEAVE_FINE = const(2)  # of shared_rules.rulesets

# Regions: 0 head, 1 players, 2 hands, 3 foot
ALL = (1 << 4) - 1
ORDER = b"\x03\x00\x01\x02"
_AREAS = (  # x / 2, y, w / 2, h
    b"\x00\x00\xa0\x1b",  # 0 0 320 27
    b"\x00\x1b\xa0\x6c",  # 0 27 320 108
    b"\x00\x87\xa0\x4f",  # 0 135 320 79
    b"\x00\xd6\xa0\x1a",  # 0 214 320 26
)
_RIGHT = (181, 223, 272, 316)  # right edges of the columns


def mark(v):
    """What each region shows, as a number."""
    game = v.game
    for r in range(3):
        v.see(r, game.deal_no & 0xFFFFF)
    n = 0
    for i in range(4):
        n |= bool(game.seats[i].ready) << i
    v.see(3, n)


def area(v, r):
    """The window of a region."""
    return _AREAS[r]


def draw(v, c, r):
    """Draw a region."""
    if r == 3:
        _foot(v, c)
    elif r == 0:
        _head(v, c)
    elif r == 1:
        _players(v, c)
    else:
        _hands(v, c)


def _head(v, c):
    """The result as this seat sees it, and what multiplied."""
    t = c.type
    game = v.game
    end = game.settlement
    me = v.seat.index
    broken = end.base is None
    won = not broken and end.points[me] - end.contributions[me] >= 0 and (end.places[me] == 1 or
                                                                          end.places[(me + 2) & 3] == 1)
    if not broken and "by_cards_left" in game.options:
        won = end.base[me] > 0
    drawn = not broken and not any(end.base)  # nobody has won or lost
    if drawn:
        won = False
    c.rect(0, 0, 320, 26, _AMBER if won else _TRAY)
    ink = _INK if won else _TEXT
    if broken:
        c.text(_B20, 9, 1, t.text(c.lang, _T_BROKEN), ink)
    else:
        word = {"double": _T_DOUBLE, "single": _T_SINGLE, "level": _T_LEVEL}[end.result]
        x = c.text(_B20, 9, 1, t.text(c.lang, word), ink) + 8
        if not drawn:
            c.text(_B20, x, 1, t.text(c.lang, _T_WON if won else _T_LOST), ink)
    best = _best(game, end, me, won)
    if best < 0:
        return
    x = c.digits(_RANK, end.multiplier, 313, 6, ink) - 17
    c.text(_B16, x, 4, "×", ink)
    x = c.digits(_RANK, end.stars[best], x - 9, 6, ink) - 16
    c.glyph(_MARK, 42, x, 6, ink)
    name = game.seats[best].name.encode()
    c.text(_R16, max(x - 8 - c.width(_R16, name), 150), 4, name, ink, x - 2)


def _best(game, end, me, won):
    """The seat whose stars multiply; -1 if nobody has five."""
    best = -1
    for s in range(4):
        if end.base is None and game.rules.leave == _LEAVE_FINE and not (s ^ game.ledger.leaver) & 1:
            continue  # only the other team's stars count against who has left
        if not game.rules.anyone and end.base is not None and ((s ^ me) & 1 == 0) != won:
            continue
        if end.stars[s] > 4 and (best < 0 or end.stars[s] > end.stars[best]):
            best = s
    return best


def _signed(n):
    """A number with its sign; a true minus."""
    return "+%d" % n if n >= 0 else "−%d" % -n


def _right(c, x, y, s, ink, bold, room):
    """Text that ends at ``x``, smaller when wider than ``room``."""
    face = _B16 if bold else _R16
    if c.width(face, s) > room:
        face, y = _R12, y + 3
    c.text(face, x - c.width(face, s), y, s, ink)


def _players(v, c):
    """A row a player, by place: base x multiplier, contributions, points, total."""
    game = v.game
    end = game.settlement
    t = c.type
    for i in range(4):
        s = t.text(c.lang, _T_COL_BASE + i)
        c.text(_R12, _RIGHT[i] - c.width(_R12, s), 28, s, _MUTED)
    for row in range(4):
        y = 42 + 23 * row
        if c.misses(0, y, 320, 23):
            continue
        s = row
        if end.places is not None:
            s = end.places.index(row + 1)
        seat = game.seats[s]
        if seat is v.seat:
            c.card(2, y, 316, 23, _FELT)
        elif not row & 1:
            c.card(2, y, 316, 23, _TRAY)
        if end.places is not None:
            c.glyph(_RANK, 49 + row, 6, y + 4, _AMBER if not row else _MUTED)
        team = not (s ^ v.seat.index) & 1
        c.glyph(_TINY, 111 if team else 118, 19, y + 8, _TEAM if team else _FOE)
        name = seat.name.encode()
        wide = c.width(_R16, name) < 53
        c.text(_R16 if wide else _R12, 29, y + (2 if wide else 5), name, _TEXT, 81)
        if end.stars[s]:
            c.glyph(_TINY, 42, 83, y + 8, _AMBER)
            c.digits(_TINY, end.stars[s], 97 if end.stars[s] < 10 else 104, y + 7, _AMBER, 1)
        if end.base is not None:
            base = end.base[s]
            part = base * end.multiplier
            text = _signed(base) + "×%d" % end.multiplier
            if part and (end.points[s] - end.contributions[s]) // part > 1:
                text += "×%d" % ((end.points[s] - end.contributions[s]) // part)
            _right(c, _RIGHT[0], y + 2, text, _MUTED, False, 63)
        else:
            _right(c, _RIGHT[0], y + 2, _share(game, end, s), _MUTED, False, 63)
            if s == game.ledger.leaver:
                c.glyph(_MARK, 110, 5, y + 6, _FOE)
        _right(c, _RIGHT[1], y + 2, _signed(end.contributions[s]), _MUTED, False, 36)
        _right(c, _RIGHT[2], y + 2, _signed(end.points[s]), _TEXT, True, 46)
        total = seat.total
        _right(c, _RIGHT[3], y + 2, "%d" % total if total >= 0 else "−%d" % -total, _MUTED, False, 41)


def _share(game, end, s):
    """What a seat gets or pays because a deal was broken off, without contributions (RULES.md section 8)."""
    part = end.points[s] - end.contributions[s]
    factor = end.multiplier
    if game.rules.leave == _LEAVE_FINE:
        factor = part // -game.rules.leave_unit if s == game.ledger.leaver else 1
    return _signed(part // factor) + ("×%d" % factor if part and factor > 1 else "")


def _hands(v, c):
    """The hands that were left, as they lay: at most two in full, more of them rank by rank."""
    game = v.game
    table = game.table
    n = 0
    for s in range(4):
        n += table.counts[s][15] > 0
    y = 155 if n < 2 else 139 if n < 3 else 135
    step = 36 if n < 3 else 20
    for i in range(4):
        s = (v.seat.index + i) & 3
        left = table.counts[s][15]
        if not left:
            continue
        if not c.misses(0, y - 2, 320, step + 2):  # a name begins above its hand
            _hand(v, c, s, left, y, n > 2)
        y += step


def _hand(v, c, s, left, y, low):
    """One hand that was left."""
    team = not (s ^ v.seat.index) & 1
    c.glyph(_TINY, 111 if team else 118, 8, y + 5, _TEAM if team else _FOE)
    name = v.game.seats[s].name.encode()
    if low:
        c.text(_R12, 19, y + 2, name, _TEXT, 80)
    else:
        wide = c.width(_R16, name) < 60
        c.text(_R16 if wide else _R12, 19, y - 1 if wide else y + 2, name, _TEXT, 84)
        c.text(_R12, 19, y + 17, c.type.text(c.lang, _T_N_LEFT).replace(b"{}", b"%d" % left), _MUTED)
    if left <= 14 and not low:
        n = _lay_hand(v.game.table.cards[s])
        pitch = cards.fit(n, 0, 228)
        cards.row(c, 314 - cards.row_width(n, pitch, 0), y, n, pitch, 0)
    else:
        _ranks(c, 314, y, v.game.table.counts[s], low)


def _lay_hand(identity):
    """Lay out the cards of a hand into cards.LAID, high to low, as themselves. Returns how many."""
    n = 0
    for r in range(14, -1, -1):
        for i in range(cards.suits(identity, r)):
            cards.LAID[2 * n] = r
            cards.LAID[2 * n + 1] = r - 7 if r > 12 else cards.SUIT_LIST[i]
            n += 1
    return n


def _ranks(c, x, y, counts, low):
    """A large hand, ending at ``x``: each rank once with its count below; ``low``: 18 px high, without cards."""
    n = 0
    for r in range(15):
        n += counts[r] > 0
    x -= n * 15
    for r in range(14, -1, -1):
        k = counts[r]
        if not k:
            continue
        if low:
            ink = _RED if r == 14 else _TEXT
            c.glyph(_TINY, cards.CODES[r], x + (3 if r > 12 or r == 7 else 4), y + (1 if r > 12 else 0), ink)
            c.glyph(_TINY, 48 + k, x + 4, y + 10, _AMBER if k > 3 else _MUTED)
        else:
            c.card(x, y, 14, 30, _PAPER)
            ink = _RED if r == 14 else _INK
            if r > 12:
                c.glyph(_MARK, 87 if r == 14 else 119, x + 3, y + 7, ink)
            else:
                cards.rank(c, x + 7, y + 3, r, ink)
            c.glyph(_TINY, 48 + k, x + 4, y + 19, ink)
        x += 15


def _foot(v, c):
    """The key for the next deal, and how many are ready for it."""
    t = c.type
    c.rect(0, 214, 320, 26, _TRAY)
    game = v.game
    n = 0
    for seat in game.seats:
        n += bool(seat.ready)
    s = t.text(c.lang, _T_N_READY).replace(b"{}", b"%d" % n)
    c.text(_R16, 312 - c.width(_R16, s), 218, s, _MUTED)
    if v.seat.kind != _HUMAN:
        return
    if v.seat.ready:
        c.glyph(_MARK, 121, 8, 223, _TEAM)
        c.text(_R16, 24, 218, t.text(c.lang, _T_READY), _TEXT)
        return
    key = t.text(c.lang, _T_KEY_PLAY)
    wide = c.width(_B16, key) + 14
    c.card(8, 217, wide, 20, _AMBER)
    c.text(_B16, 15, 218, key, _INK)
    c.text(_R16, 16 + wide, 218, t.text(c.lang, _T_NEXT_DEAL), _TEXT)
