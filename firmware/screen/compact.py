"""The playing screen, compact layout: four rows in turn order with each seat's last action, the bar, a card counter, a
smaller hand. A view of ``seat.py``; the bar is that of ``play.py``.

The counter tells how many cards of each rank the seat has not seen: all 108 less its own and those that were played.
"""

from micropython import const

from screen import cards, hand, play
from shared_rules import names
from shared_rules.compare import star

# RGB565, bytes swapped
_FELT = const(0x2712)
_NIGHT = const(0xA208)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_PAPER = const(0x9BF7)
_INK = const(0xE310)
_RED = const(0x44C1)
_AMBER = const(0x85F5)
_TRAY = const(0x0411)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)
_BLAZE = const(0x03A1)
_EMBER = const(0x43DA)

_R16 = const(0)
_B16 = const(1)
_R12 = const(5)
_RANK = const(6)
_TINY = const(7)
_MARK = const(8)

_T_PLAYING = const(4)
_T_FIRST = const(7)
_T_THINKING = const(6)
_T_TRUSTEE = const(11)
_T_ME = const(13)
_T_YOUR_TURN = const(14)
_T_UNSEEN = const(33)
_T_COMMIT = const(96)

_DEAL = const(1)  # phase DEALING of game.py

# Regions: 0-3 rows of the seats, 4 readings to choose from (over rows 2 and 3), 5 counter; 7-10 the bar of play.py
_CHOICES = const(4)
_COUNTER = const(5)
_NOTHING = const(6)
ALL = (1 << 11) - 1 - (1 << _NOTHING)
ORDER = b"\x08\x07\x09\x00\x01\x02\x03\x04\x0a\x05"
COMPACT = 1
HAND_Y = 166
_AREAS = (  # x / 2, y, w / 2, h
    # rows of the seats: 0 0 320 27, 0 27 320 26, 0 53 320 26, 0 79 320 27
    b"\x00\x00\xa0\x1b", b"\x00\x1b\xa0\x1a", b"\x00\x35\xa0\x1a", b"\x00\x4f\xa0\x1b",
    b"\x00\x35\xa0\x35",  # readings 0 53 320 53
    b"\x00\x83\xa0\x23",  # counter 0 131 320 35
    b"\x00\x00\x00\x00",  # nothing
    b"\x00\x6a\x27\x16",  # bar and time as in play.py
    b"\x27\x6a\x65\x16",
    b"\x8c\x6a\x14\x16",
    b"\x00\x80\xa0\x03",
)


def mark(v):
    """What each region shows, as a number; looked at only when something may have changed."""
    if play.changed(v):
        _mark(v, v.game, v.seat, v.game.table)
    hand.mark(v)


def _mark(v, game, seat, table):
    choices = seat.choices
    for i in range(4):
        s = (seat.index + 1 + i) & 3
        n = play.note(game, s) | table.counts[s][15] << 5 | (table.turn == s) << 10
        if table.owner == s:
            n |= 1 << 11 | (table.n_plays & 63) << 14
            if game.big:
                n |= 1 << 12 | (game.big[4] & 4) << 18
        n |= bool(game.seats[s].trustee) << 13 | (hash(game.seats[s].name) & 0x1FF) << 21
        if choices and i > 1:
            n = -2
        v.see(i, n)
    v.see(_CHOICES, choices[0] << 4 | seat.choice if choices else 0)
    n = 0
    for r in range(15):
        n = (n << 1 ^ n >> 27 ^ unseen(table, seat.index, r)) & 0xFFFFFFF
    if seat.hidden:
        n = 1 << 28  # what is unseen tells what the hand is
    v.see(_COUNTER, n << 1 | (game.phase == _DEAL))
    play.mark_bar(v, game, seat, table)


def unseen(table, me, r):
    """Cards of a rank that the seat has not seen: what the other three hold together."""
    n = 0
    for i in range(1, 4):
        n += table.counts[(me + i) & 3][r]
    return n


def area(v, r):
    """The windows of a region; rows under the choice of readings are not painted, and come back after it."""
    if r > 6:
        return play.bar_area(v, r) or _AREAS[r]
    if r == _CHOICES and not v.seat.choices:
        if not v.fresh >> _CHOICES & 1:
            v.dirty |= 12
        return _AREAS[_NOTHING]
    if v.seat.choices and r in (2, 3):
        return _AREAS[_NOTHING]
    if r < 4:
        return _row_area(v, v.canvas, r)
    if r == _COUNTER and not v.fresh >> _COUNTER & 1 and not v.delta[_COUNTER] & 1:
        return b"\x17\x88\x89\x19"  # its columns only: 46 136 274 25
    return _AREAS[r]


def _row_area(v, c, i):
    """Windows of a row: cards left; what the seat did, as far as that reaches or reached; the frame of its turn."""
    h, c.h = c.h, -10000  # measured first: nothing is drawn in a window of negative height
    end = min(_said(v, c, i) + 7, 316) & ~1
    c.h = h
    was, v.plan[i] = v.plan[i], end
    delta = v.delta[i]
    if delta < 0 or delta >> 21 or v.fresh >> i & 1:
        return _AREAS[i]
    y = 1 + 26 * i
    frame = delta & 0x400
    return bytes((
        2, y + 2, 16 if delta & 0x3E0 else 0, 21,
        52, y, (max(end, was) - 104 >> 1) if delta & 0x1FFC1F else 0, 25,
        1, y, 158 if frame else 0, 2, 1, y + 23, 158 if frame else 0, 2,
        1, y, 1 if frame else 0, 25, 158, y, 1 if frame else 0, 25,
    ))


def draw(v, c, r):
    """Draw a region."""
    if r < 4:
        _row(v, c, r)
    elif r == _CHOICES:
        play.scene(v, c, "rows")
    elif r == _COUNTER:
        _counter(v, c)
    elif r > 6:
        play.draw_bar(v, c, r)


def _row(v, c, i):
    """The row of a seat: cards left, name, what it did."""
    game = v.game
    table = game.table
    s = (v.seat.index + 1 + i) & 3
    seat = game.seats[s]
    y = 1 + 26 * i
    me = i == 3
    team = i & 1
    own = _TEXT if me else _TEAM if team else _FOE
    if table.owner == s and table.meld:
        c.card(104, y, v.plan[i] - 104, 25, _FELT if not game.big else _EMBER if v.shown[i] >> 20 & 1 else _BLAZE)
    if table.turn == s:
        c.frame(2, y, 316, 25, _AMBER)
    _count(c, 6, y + 2, table.counts[s][15], own, play.note(game, s) - _T_FIRST)
    if not me:
        c.glyph(_TINY, 111 if team else 118, 39, y + 9, own)
    name = c.type.text(c.lang, _T_ME) if me else seat.name.encode()
    wide = c.width(_R16, name) < 56
    c.text(_R16 if wide else _R12, 49, y + (4 if wide else 6), name, _TEXT, 104)
    _said(v, c, i)


def _said(v, c, i):
    """What the seat of a row did: its meld with its cards, or a word. Returns the x after it."""
    game = v.game
    table = game.table
    s = (v.seat.index + 1 + i) & 3
    seat = game.seats[s]
    y = 1 + 26 * i
    turn = table.turn == s
    said = play.note(game, s) - 1
    x = 110
    if seat.trustee:
        c.glyph(_MARK, 103, x, y + 7, _AMBER if turn else _MUTED)
        x += 17
    if table.owner == s and table.meld:
        m = table.meld
        name = names.meld_name(c.lang, m)
        x = c.text(_B16, x, y + 4, name, _TEXT) + 8
        stars = star(table.rules, m)
        if stars:
            c.glyph(_MARK, 42, x, y + 6, _AMBER)
            x += 38 if stars > 9 else 26
            c.digits(_RANK, stars, x, y + 6, _AMBER)
            x += 8
        n = cards.lay(m, table.shown, table.n_shown, table.rules.small_wild)
        pitch = cards.fit(n, 0, 314 - x)
        if pitch > 13 or x + cards.row_width(n, 13, 0) < 316:
            pitch = min(pitch, 19)
            cards.row(c, x, y, n, pitch, 0, True)
            x += cards.row_width(n, pitch, 0) - 2
        return x
    if said >= 0:
        if turn and game.phase != _DEAL:
            said = _T_YOUR_TURN if i == 3 and not seat.trustee and seat.pad_present else _T_THINKING
        face = _B16 if said == _T_YOUR_TURN else _R16
        x = c.text(face, x, y + 4, c.type.text(c.lang, said), _AMBER if turn or said == _T_FIRST else _MUTED)
    return x


def _count(c, x, y, n, own, place):
    """The block of cards left, 27 x 21."""
    middle = x + 14
    if not n:
        c.card(x, y, 27, 21, _TRAY)
        c.number(_RANK, place, middle, y + 4, _AMBER if place == 1 else _MUTED)
        return
    low = n < 4
    c.card(x, y, 27, 21, _PAPER if low else own)
    if low:
        c.frame(x + 2, y + 2, 23, 17, _RED, 1)
    c.number(_RANK, n, middle, y + 4, _RED if low else _INK)


def _counter(v, c):
    """How many of each rank are still to come; four and more (a bomb) in amber."""
    game = v.game
    if game.phase == _DEAL and game.commit:
        c.text(_R12, 8, 134, c.type.text(c.lang, _T_COMMIT), _MUTED)
        for i in range(4):
            c.text(_R12, 198 if i & 1 else 82, 134 if i < 2 else 148, game.commit[16 * i : 16 * i + 16], _TEXT)
        return
    c.text(_R16, 8, 138, c.type.text(c.lang, _T_UNSEEN), _MUTED)
    for i in range(0 if v.seat.hidden else 15):
        r = 14 - i
        x = 51 + 18 * i
        n = unseen(game.table, v.seat.index, r)
        ink = _TEXT if n else _DIM
        if r > 12:
            c.glyph(_TINY, cards.CODES[r], x, 138, _RED if r == 14 and n else ink)
        else:
            c.glyph(_TINY, cards.CODES[r], x - (1 if r == 7 else 0), 137, ink)
        if n:
            c.glyph(_TINY, 48 + n, x, 149, _AMBER if n > 3 else _TEXT)
        else:
            c.glyph(_TINY, 45, x + 1, 149, _DIM)
