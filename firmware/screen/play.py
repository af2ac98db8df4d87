"""The playing screen, large layout: three seat tiles, the table, the bar, the hand. A view of ``seat.py``.

Also shown while the cards are dealt (the table then tells the deal's number, commitment and first lead) and
for the three seconds on the last trick.
"""

from micropython import const

from screen import cards, hand
from shared_rules import names
from shared_rules.compare import star
from shelf import put_back

# RGB565, bytes swapped
_FELT = const(0x2712)
_NIGHT = const(0xA208)
_TRAY = const(0x0411)
_LINE = const(0x4932)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_PAPER = const(0x9BF7)
_EDGE = const(0x2A6B)
_INK = const(0xE310)
_RED = const(0x44C1)
_AMBER = const(0x85F5)
_LIFT = const(0xF0FE)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)
_BLAZE = const(0x03A1)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R12 = const(5)
_RANK = const(6)
_TINY = const(7)
_MARK = const(8)

_T_PASS = const(0)
_T_LED = const(1)
_T_TOP = const(2)
_T_PLAYED = const(3)
_T_PLAYING = const(4)
_T_UNPLUGGED = const(12)
_T_NOT_SAVED = const(36)
_T_FIRST = const(7)
_T_ME = const(13)
_T_YOUR_TURN = const(14)
_T_WAIT_FOR = const(15)
_T_LEAD_ANY = const(16)
_T_MUST_BEAT = const(17)
_T_NO_MELD = const(18)
_T_TOO_LOW = const(19)
_T_WHICH = const(20)
_T_CHANGE = const(21)
_T_KEY_PLAY = const(22)
_T_THIS_ONE = const(23)
_T_PARTNERS_HAND = const(24)
_T_TRUSTEE_PLAYS = const(25)
_T_KEY_TRUSTEE = const(26)
_T_TAKE_BACK = const(27)
_T_OUT = const(28)
_T_LAST_TRICK = const(29)
_T_LEFT = const(157)
_T_REFUSED = const(30)
_T_PAD_AWAY = const(31)
_T_OPENS = const(5)
_T_DEALING = const(98)
_T_LOW = const(111)
_T_NEED_TOP = const(112)
_T_NEED_KIND = const(113)
_T_NEED_BOMB = const(114)
_T_MUST_LEAD = const(115)
_T_NOT_HELD = const(116)
_T_NOT_OFFERED = const(117)
_T_ENDED = const(118)
_T_TIMEOUT_1 = const(119)  # the first notice: number 1 of seats.py

_BOMBS = const(7 << 17)  # a meld of at least this is a bomb (shared_rules.meld)
_PASSED = const(-1)
_DEAL = const(1)  # phases DEALING, LAST_TRICK of game.py
_OVER = const(3)

# Regions
_TABLE = const(6)  # before them: three tiles' insides (0-2) and frames (3-5)
_BAR_A = const(7)  # the bar's numbers are compact.py's too
_BAR_B = const(8)
_BAR_C = const(9)
_TIME = const(10)
_GROUND = const(11)
ALL = (1 << 12) - 1
ORDER = b"\x08\x07\x09\x00\x01\x02\x03\x04\x05\x06\x0a\x0b"

COMPACT = 0
HAND_Y = 131

_X = (2, 108, 214)  # of the tiles
_AREAS = (  # x / 2, y, w / 2, h of each window
    # insides of the tiles: 4 3 100 34, 110 3 100 34, 216 3 100 34
    b"\x02\x03\x32\x22", b"\x37\x03\x32\x22", b"\x6c\x03\x32\x22",
    # their frames, 104 x 38 around those: top, bottom, left, right
    b"\x01\x01\x34\x02\x01\x25\x34\x02\x01\x03\x01\x22\x34\x03\x01\x22",
    b"\x36\x01\x34\x02\x36\x25\x34\x02\x36\x03\x01\x22\x69\x03\x01\x22",
    b"\x6b\x01\x34\x02\x6b\x25\x34\x02\x6b\x03\x01\x22\x9e\x03\x01\x22",
    b"\x00\x27\xa0\x43",  # table 0 39 320 67
    b"\x00\x6a\x27\x16",  # bar: 0 106 78 22, 78 106 202 22, 280 106 40 22, time 0 128 320 3
    b"\x27\x6a\x65\x16",
    b"\x8c\x6a\x14\x16",
    b"\x00\x80\xa0\x03",
    # ground: 0 0 320 1, and 2 x 38 between the tiles at 0, 106, 212, 318
    b"\x00\x00\xa0\x01\x00\x01\x01\x26\x35\x01\x01\x26\x6a\x01\x01\x26\x9f\x01\x01\x26",
)


def mark(v):
    """What each region shows, as a number; looked at only when something may have changed."""
    if changed(v):
        _mark(v, v.game, v.seat, v.game.table)
    hand.mark(v)


def changed(v):
    """Whether anything above the hand may look different: a quick check, made in every round for every seat.

    What all see changes with the turn, the phase, a trustee or a big play; what only this seat sees, with what
    is raised, said or offered; and the clock."""
    game = v.game
    seat = v.seat
    seats = game.seats
    n = game.turn_no << 10 | bool(seat.pad_present) << 9 | bool(game.saving) << 8
    if game.big:
        n |= 16 | (game.big[4] & 4) << 25
    n |= game.phase << 5 | bool(seats[0].trustee) << 3 | bool(seats[1].trustee) << 2
    n |= bool(seats[2].trustee) << 1 | bool(seats[3].trustee) | bool(seat.hidden) << 26
    m = seat.reading << 8 | seat.notice << 4 | bool(seat.legal) << 3 | (seat.raised[15] > 0) << 2
    m |= bool(seat.choices) << 1 | bool(seat.peek)
    s = (game.turn_left_ms + 999) // 1000
    if n == v.public and m == v.own and s == v.seconds and seat.refusal is v.refusal:
        return False
    v.public = n
    v.own = m
    v.seconds = s
    return True


def _mark(v, game, seat, table):
    me = seat.index
    for i in range(3):
        s = (me + 3 - i) & 3
        other = game.seats[s]
        turn = table.turn == s
        big = game.big is not None and game.big[0] == s
        n = note(game, s) | table.counts[s][15] << 5 | turn << 10 | (table.owner == s) << 11
        v.see(i, n | big << 12 | bool(other.trustee) << 13 | (hash(other.name) & 0xFFFF) << 14)
        v.see(3 + i, turn | big << 1)
    choices = seat.choices
    if choices:
        v.see(_TABLE, 1 << 29 | seat.choice << 21 | choices[0])
    elif game.phase == _DEAL:
        v.see(_TABLE, 3 << 28 | game.deal_no & 0xFFFFF)
    elif table.meld:
        n = (table.n_plays & 63) << 21 | table.meld
        if game.big:
            n |= 1 << 28 | (game.big[4] & 4) << 25
        v.see(_TABLE, n)
    else:
        v.see(_TABLE, 0)
    mark_bar(v, game, seat, table)
    v.see(_GROUND, 0)


def mark_bar(v, game, seat, table):
    me = seat.index
    if seat.refusal is not v.refusal:
        v.refusal = seat.refusal
        v.refusals = (v.refusals + 1) & 255
    mine = table.turn == me
    n = mine | (table.turn & 7) << 1 | bool(seat.choices) << 4 | bool(seat.trustee) << 5 | bool(seat.peek) << 6
    n |= bool(table.ended) << 7 | (table.counts[me][15] == 0) << 8 | (game.phase == _DEAL) << 9
    n |= (not game.saving) << 10 | bool(seat.pad_present) << 11
    amber = mine and ground(v) == _AMBER
    m = n
    if v.refusal is not None:
        n |= 1 << 29 | v.refusals << 12
    else:
        n = mix(n, seat.notice)
    v.see(_BAR_A, m if amber else n)
    if v.refusal is None:
        n = mix(n, table.meld)
        n = mix(n, seat.reading << 2 | bool(seat.legal) << 1 | (seat.raised[15] > 0))
    v.see(_BAR_B, n)
    n = m = amber
    if game.turn_ms and table.turn >= 0:
        s = (game.turn_left_ms + 999) // 1000
        m |= s << 1
        n |= min(320, 320000 * s // game.turn_ms) << 1
    v.see(_BAR_C, m)
    v.see(_TIME, n)


def mix(h, n):
    """A hash of what ``h`` stands for and ``n`` (both below 2**30)."""
    return (h & 0x1FFFFFF) << 5 ^ h >> 25 ^ n


def note(game, s):
    """What a seat did last: 0 nothing, else 1 + the number of its text."""
    table = game.table
    out = table.out
    for i in range(len(out)):
        if out[i] == s:
            return 1 + _T_FIRST + i
    seat = game.seats[s]
    if seat.trustee and not seat.pad_present:
        return 1 + _T_UNPLUGGED
    if table.turn == s:
        return 1 + (_T_OPENS if game.phase == _DEAL else _T_PLAYING)
    did = table.last[s]
    if did == _PASSED:
        return 1 + _T_PASS
    if not did:
        return 0
    if table.owner != s:
        return 1 + _T_PLAYED
    for i in range(4):
        if i != s and table.last[i] > 0:
            return 1 + _T_TOP
    return 1 + _T_LED


def area(v, r):
    """The windows in which a region is painted: only what changed of a tile, of the table and of the message."""
    rects = v.rects
    if r < 3:
        delta = v.delta[r]
        if delta >> 12 or v.fresh >> r & 1:
            return _AREAS[r]
        # cards left; what it did, with whose turn it is and whose meld lies on the table
        x = _X[r] >> 1
        rects[0], rects[1], rects[2], rects[3] = x + 2, 5, 14 if delta & 0x3E0 else 0, 30
        gear = 7 if v.shown[r] >> 13 & 1 else 0
        rects[4], rects[5], rects[6], rects[7] = x + 24 - gear, 19, 27 + gear if delta & 0xC1F else 0, 18
        return rects
    if r == _TABLE:
        return _table_area(v, rects)
    return bar_area(v, r) or _AREAS[r]


def draw(v, c, r):
    """Draw a region."""
    if r < 3:
        _tile(v, c, _X[r], (v.seat.index + 3 - r) & 3, v.shown[r])
    elif r < 6:
        if v.shown[r] & 2:
            c.card(_X[r - 3], 1, 104, 38, _FOE if r != 4 else _TEAM)
        elif v.shown[r] & 1:
            c.frame(_X[r - 3], 1, 104, 38, _AMBER)
    elif r == _TABLE:
        _table(v, c)
    else:
        draw_bar(v, c, r)


# Tiles -----------------------------------------------------------------------------------------------------------


def _tile(v, c, x, s, n):
    """The tile of seat ``s``: cards left, name, what it did, whose turn."""
    team = not (s ^ v.seat.index) & 1
    own = _TEAM if team else _FOE
    big = n >> 12 & 1
    ink, faint = _TEXT, _MUTED
    if big:
        c.rect(x + 2, 3, 100, 34, own)
        ink = faint = _INK
    elif n >> 10 & 1:
        faint = _AMBER
    elif n >> 11 & 1:
        faint = own
    said = (n & 31) - 1
    count(c, x + 5, 5, n >> 5 & 31, own, said - _T_FIRST + 1, big)
    c.glyph(_TINY, 111 if team else 118, x + 37, 9, _INK if big else own)
    name = v.game.seats[s].name.encode()
    # Latin letters have descenders and no top row: both lines of them stand a pixel higher.
    if c.width(_R16, name) > 52:
        c.text(_R12, x + 48, 5, name, ink, x + 100)
    else:
        c.text(_R16, x + 48, 2 if name and name[0] < 128 else 3, name, ink)
    if n >> 13 & 1:
        c.glyph(_MARK, 103, x + 35, 23, faint)
    if said >= 0:
        s = c.type.text(c.lang, said)
        c.text(_R16 if c.width(_R16, s) < 53 else _R12, x + 48, 19 if c.lang == 2 else 20, s, faint)


def count(c, x, y, n, own, place, big):
    """The block of cards left, 27 x 30: nearly out it is a framed card, out it tells the place."""
    middle = x + 14
    if not n:
        c.card(x, y, 27, 30, _TRAY)
        c.number(_RANK, place, middle, y + 8, _AMBER if place == 1 else _MUTED)
        return
    ink = _INK
    if big:
        ground, ink = _INK, own
    elif n < 4:
        ground, ink = _PAPER, _RED
    else:
        ground = own
    c.card(x, y, 27, 30, ground)
    if ground == _PAPER:
        c.frame(x + 2, y + 2, 23, 26, _RED, 1)
    c.number(_RANK, n, middle, y + 8, ink)


# The table -------------------------------------------------------------------------------------------------------


def _table_area(v, rects):
    """Windows of the table: what the old meld covered and what the new one covers, or all of it."""
    if v.delta[_TABLE] == 1 << 27 and not v.fresh >> _TABLE & 1:
        return b"\x02\x2b\x21\x3c"  # a big play's star: 4 43 66 60
    plan = v.plan
    x0, x1 = plan[0], plan[1]
    shown = v.shown[_TABLE]
    _plan(v)
    if v.fresh >> _TABLE & 1 or (shown | v.delta[_TABLE]) >> 28:
        return _AREAS[_TABLE]
    a, b = plan[0], plan[1]
    if x1 > x0 and b > a and x0 < b and a < x1:
        x0, x1, b = min(x0, a), max(x1, b), a
    rects[0], rects[1], rects[2], rects[3] = x0 >> 1, 39, (x1 - x0) >> 1, 67
    rects[4], rects[5], rects[6], rects[7] = a >> 1, 39, (b - a) >> 1, 67
    return rects


def _plan(v):
    """Find where things on the table go: plan = [x0, x1 of all of it, x of mark, owner, name, star, first
    card, pitch].
    """
    plan = v.plan
    c = v.canvas
    table = v.game.table
    m = table.meld
    plan[0] = plan[1] = 0
    if not m or v.shown[_TABLE] >> 28:
        return
    side = (table.owner - v.seat.index) & 3
    n = cards.lay(m, table.shown, table.n_shown, table.rules.small_wild)
    mark = 11 if side else 0
    who = c.width(_R16, _who(v, c)) + 12
    name = c.width(_B20, names.meld_name(c.lang, m))
    stars = star(table.rules, m)
    width = mark + who + name + ((43 if stars > 9 else 31) if stars else 0)
    pitch = cards.fit(n, 4, 292)
    row = cards.row_width(n, pitch, 4)
    wide = max(width, row)
    x = _side_x(side, width)
    plan[2] = x
    plan[3] = x + mark
    plan[4] = plan[3] + who
    plan[5] = plan[4] + name + 6
    plan[6] = _side_x(side, row)
    plan[7] = pitch
    x = _side_x(side, wide)
    arrow = (160, 266, 160, 54)[side] - 52
    plan[0] = min(x, arrow) & ~1
    plan[1] = (max(x + wide, arrow + 104) + 1) & ~1


def _side_x(side, width):
    """x of something ``width`` wide on its owner's side of the table."""
    return 160 - (width >> 1) if not side & 1 else 12 if side == 3 else 308 - width


def _who(v, c):
    owner = v.game.table.owner
    return c.type.text(c.lang, _T_ME) if owner == v.seat.index else v.game.seats[owner].name.encode()


def _table(v, c):
    """What lies on the table, on the side of its owner; the readings to choose from; the deal that begins."""
    shown = v.shown[_TABLE] >> 28
    table = v.game.table
    m = table.meld
    if shown == 2 and scene(v, c, "choices") or shown == 1 and m and scene(v, c, "big"):
        return
    c.card(4, 45, 312, 59, _FELT)
    if shown == 3:
        scene(v, c, "deal")
        return
    put_back("screen.scenes")
    if not m:
        return
    plan = v.plan
    side = (table.owner - v.seat.index) & 3  # 0 me, 1 next, 2 partner, 3 before
    own = _TEXT if side == 0 else _TEAM if side == 2 else _FOE
    x = (160, 266, 160, 54)[side]
    c.rect(x - 52, 45 if side else 102, 104, 2, own)
    for i in range(5):
        c.rect(x - 1 - i, 40 + i if side else 105 - i, 2 + 2 * i, 1, own)
    if side:
        c.glyph(_TINY, 111 if side == 2 else 118, plan[2], 55, own)
    c.text(_R16, plan[3], 50, _who(v, c), own)
    c.text(_B20, plan[4], 48, names.meld_name(c.lang, m), _TEXT)
    stars = star(table.rules, m)
    if stars:
        c.glyph(_MARK, 42, plan[5], 53, _AMBER)
        c.digits(_RANK, stars, plan[5] + (37 if stars > 9 else 25), 52, _AMBER)
    n = cards.lay(m, table.shown, table.n_shown, table.rules.small_wild)
    cards.row(c, plan[6], 71, n, plan[7], 4)


def scene(v, c, what):
    """Draw something of ``scenes.py``. False if there is no memory for it now."""
    try:
        getattr(__import__("screen.scenes").scenes, what)(v, c)
    except MemoryError:
        return False
    return True


# The bar ---------------------------------------------------------------------------------------------------------


def ground(v):
    """The ground of the bar: amber on my turn, red under a refusal (message only)."""
    seat = v.seat
    if v.game.table.turn != seat.index or seat.trustee or v.game.phase == _DEAL or away(seat):
        return _NIGHT
    return _AMBER


def away(seat):
    """Whether a person's pad is away: the trustee plays, or soon will."""
    return not seat.pad_present and seat.kind == 0


def border(v):
    """x where the message begins, beside "my turn"."""
    return 104 if v.canvas.lang == 2 else 78


def bar_area(v, r):
    """The windows of the bar where they depend on something, else None: where the language puts the border, how far the
    message reaches or reached (all of it when its ground changes), what has gone of the time line."""
    if r == _BAR_A and v.canvas.lang == 2:
        return b"\x00\x6a\x34\x16"
    if r == _TIME:
        was, now = v.plan[8], v.shown[_TIME] >> 1
        v.plan[8] = now
        if v.delta[_TIME] & 1 or v.fresh >> _TIME & 1 or not was or not now:
            return None
        if was < now:
            was, now = now, was
        v.rects[0], v.rects[1], v.rects[2], v.rects[3] = now >> 1, 128, (was + 1 >> 1) - (now >> 1), 3
        v.rects[6] = 0
        return v.rects
    if r != _BAR_B:
        return None
    c = v.canvas
    x0 = border(v)
    rects = v.rects
    h, c.h = c.h, -10000  # measured first: nothing is drawn in a window of negative height
    x = max(bar_b(v, c), x0 + 2)
    c.h = h
    colour = ground(v)
    end = 280 if colour != v.ground or v.fresh >> _BAR_B & 1 else max(x, v.end)
    v.ground, v.end = colour, x
    rects[0], rects[1], rects[2], rects[3] = x0 >> 1, 106, (min(end, 280) - x0 + 1) >> 1, 22
    rects[6] = 0
    return rects


def draw_bar(v, c, r):
    """Draw a region of the bar."""
    if r == _BAR_A:
        if ground(v) != _NIGHT:
            c.rect(0, 106, 104, 22, ground(v))
        bar_a(v, c)
    elif r == _BAR_B:
        if v.ground != _NIGHT:
            c.rect(0, 106, 280, 22, v.ground)
        bar_b(v, c)
    elif r == _BAR_C:
        _clock(v, c)
    elif r == _TIME:
        n = v.shown[_TIME]
        if n > 1:
            c.rect(0, 128, 320, 3, _LINE)
            c.rect(0, 128, n >> 1, 3, _AMBER if n & 1 else _DIM)


def bar_a(v, c):
    """The left part: it is my turn; else the beginning of the message, a refusal or notice too."""
    if ground(v) == _AMBER:
        c.glyph(_MARK, 62, 8, 113, _INK)
        c.text(_B16, 23, 108, c.type.text(c.lang, _T_WHICH if v.seat.choices else _T_YOUR_TURN), _INK)
    else:
        bar_b(v, c)


def _clock(v, c):
    """Seconds left."""
    n = v.shown[_BAR_C]
    colour = ground(v)
    if colour != _NIGHT:
        c.rect(280, 106, 40, 22, colour)
    if n > 1:
        c.digits(_RANK, n >> 1, 313, 110, _INK if colour == _AMBER else _MUTED)


def _state(v, c):
    """Not my turn, or no keys of mine act: who plays, or why I wait. Returns the x after it."""
    seat = v.seat
    game = v.game
    table = game.table
    t = c.type
    if game.phase == _DEAL:
        return c.text(_R16, 8, 108, t.text(c.lang, _T_DEALING), _TEXT)
    if table.ended:
        return c.text(_R16, 8, 108, t.text(c.lang, _T_LAST_TRICK), _TEXT)
    if game.phase == _OVER:  # somebody has left the deal
        name = game.seats[game.ledger.leaver].name.encode()
        return c.text(_R16, 8, 108, t.text(c.lang, _T_LEFT).replace(b"{}", name), _TEXT)
    if (seat.trustee or away(seat)) and table.counts[seat.index][15]:
        c.glyph(_MARK, 103, 8, 112, _AMBER)
        if not seat.pad_present:
            return c.text(_R16, 24, 108, t.text(c.lang, _T_PAD_AWAY), _AMBER)
        x = c.text(_B16, 24, 108, t.text(c.lang, _T_TRUSTEE_PLAYS), _AMBER)
        return key(c, x + 12, _T_KEY_TRUSTEE, _T_TAKE_BACK, _AMBER, _INK, _MUTED)
    if seat.peek:
        c.glyph(_MARK, 42, 7, 110, _AMBER)
        x = c.text(_B16, 24, 108, t.text(c.lang, _T_FIRST), _AMBER)
        c.glyph(_TINY, 111, x + 14, 114, _TEAM)
        name = game.seats[(seat.index + 2) & 3].name.encode()
        return c.text(_R16, x + 26, 108, t.text(c.lang, _T_PARTNERS_HAND).replace(b"{}", name), _TEAM)
    if not table.counts[seat.index][15]:
        return c.text(_R16, 8, 108, t.text(c.lang, _T_OUT), _TEXT)
    name = game.seats[table.turn].name.encode()
    return c.text(_R16, 8, 108, t.text(c.lang, _T_WAIT_FOR).replace(b"{}", name), _TEXT)


def bar_b(v, c):
    """The message: a refusal, a notice, what is raised, what must be beaten. Returns the x after it."""
    seat = v.seat
    mine = ground(v) == _AMBER
    if v.refusal is not None:
        return _refuse(c, v.refusal, border(v) if mine else 0)
    if mine:
        c.rect(border(v), 111, 1, 13, _EDGE)
    if seat.notice:
        s = c.type.text(c.lang, _T_TIMEOUT_1 - 1 + seat.notice)
        return c.text(_R16, border(v) + 8 if mine else 8, 108, s, _INK if mine else _AMBER)
    if mine:
        return _message(v, c, seat, v.game.table)
    x = _state(v, c)
    if seat.reading and not seat.trustee:
        name = names.meld_name(c.lang, seat.reading)
        w = c.width(_R16, name)
        if x + 12 + w < 276:
            c.text(_R16, 272 - w, 108, name, _MUTED)
            return 280
    elif not v.game.saving:
        s = c.type.text(c.lang, _T_NOT_SAVED)
        c.text(_R12, 274 - c.width(_R12, s), 111, s, _FOE)
        return 280
    return x


def key(c, x, word, what, ground, ink, faint):
    """A key's cap with its word, and what the key does. Returns the x after it."""
    s = c.type.text(c.lang, word)
    w = c.width(_B16, s) + 10
    c.card(x, 107, w, 20, ground)
    c.text(_B16, x + 5, 109, s, ink)
    return c.text(_R16, x + w + 6, 108, c.type.text(c.lang, what), faint)


def _message(v, c, seat, table):
    """My turn: what must be beaten, or what is raised and whether it may be played."""
    t = c.type
    x = border(v) + 10
    if seat.choices:
        for code in (60, 62):
            c.card(x, 107, 17, 20, _INK)
            c.glyph(_TINY, code, x + 6, 114, _AMBER)
            x += 20
        x = c.text(_R16, x + 3, 108, t.text(c.lang, _T_CHANGE), _INK)
        return key(c, x + 12, _T_KEY_PLAY, _T_THIS_ONE, _INK, _AMBER, _INK)
    if not seat.raised[15]:
        if not table.meld:
            return c.text(_R16, x, 108, t.text(c.lang, _T_LEAD_ANY), _INK)
        x = c.text(_R16, x, 108, t.text(c.lang, _T_MUST_BEAT), _INK) + 7
        if table.meld >= _BOMBS:
            return _stars(c, x, star(table.rules, table.meld))
        return c.text(_B16, x, 108, names.meld_name(c.lang, table.meld), _INK)
    c.glyph(_MARK, 121 if seat.legal else 110, x, 113, _INK)
    if not seat.reading:
        return c.text(_R16, x + 15, 108, t.text(c.lang, _T_NO_MELD), _INK)
    name = names.meld_name(c.lang, seat.reading)
    wide = x + c.width(_B16, name) < 230
    x = c.text(_B16 if wide else _R12, x + 15, 108 if wide else 111, name, _INK)
    if seat.reading >= _BOMBS:
        return _stars(c, x + 9, star(table.rules, seat.reading))
    if not seat.legal:
        return c.text(_R16, x + 8, 108, t.text(c.lang, _T_TOO_LOW), _INK)
    return x


def _stars(c, x, stars):
    c.glyph(_MARK, 42, x, 110, _INK)
    x += 38 if stars > 9 else 26
    c.digits(_RANK, stars, x, 110, _INK)
    return x


def _refuse(c, refusal, x):
    """Why the last key was refused, in place of the message."""
    code, tried, old = refusal
    c.rect(x, 106, 280 - x, 22, _BLAZE)
    t = c.type
    c.glyph(_MARK, 110, x + 8, 113, _LIFT)
    word = _T_REFUSED
    if code == -2:
        word = _T_LOW
        if old >= _BOMBS:
            s = t.text(c.lang, _T_NEED_BOMB)
        elif tried >> 4 == old >> 4:
            s = t.text(c.lang, _T_NEED_TOP).replace(b"{}", names.kind_name(c.lang, old).encode(), 1)
            s = s.replace(b"{}", names.rank_name(c.lang, old & 15).encode())
        else:
            s = t.text(c.lang, _T_NEED_KIND).replace(b"{}", names.kind_name(c.lang, old).encode())
    else:
        s = t.text(c.lang, (_T_NO_MELD, 0, _T_NOT_HELD, _T_MUST_LEAD, _T_NOT_OFFERED, _T_ENDED)[-1 - code])
    x = c.text(_B16, x + 23, 108, t.text(c.lang, word), _TEXT) + 8
    wide = x + c.width(_R16, s) < 279
    c.text(_R16 if wide else _R12, x, 108 if wide else 111, s, _LIFT)
    return 280
