"""The last trick again: its plays in order, who made each, in words and cards. A view of ``seat.py``; a page."""

from array import array

from micropython import const

import trick
from screen import cards
from shared_rules import names
from shared_rules.cards import clear
from shared_rules.classify import classify

# RGB565, bytes swapped
_TRAY = const(0x0411)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_AMBER = const(0x85F5)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)

_R16 = const(0)
_B16 = const(1)
_R12 = const(5)
_TINY = const(7)
_MARK = const(8)

_T_ME = const(13)
_T_NO_TRICK = const(153)

# Regions: 0-3 a play each
ALL = (1 << 4) - 1
ORDER = b"\x00\x01\x02\x03"
_AREAS = (  # x / 2, y, w / 2, h, as the rows of compact.py
    b"\x00\x00\xa0\x1b", b"\x00\x1b\xa0\x1a", b"\x00\x35\xa0\x1a", b"\x00\x4f\xa0\x1b",
)

_WHO = bytearray(108)  # seats of all plays
_SEEN = [0]  # for which trick


def mark(v):
    """What each region shows, as a number."""
    for r in range(4):
        v.see(r, v.seat.menu)


def area(v, r):
    """The window of a region."""
    return _AREAS[r]


def draw(v, c, r):
    """Draw a region."""
    n = v.seat.menu
    if not n:
        if r == 1:
            s = c.type.text(c.lang, _T_NO_TRICK)
            c.text(_R16, (320 - c.width(_R16, s)) >> 1, 32, s, _MUTED)
        return
    plays = n & 255
    i = max(plays - trick.ROWS, 0) - (n >> 18) + r
    if i < plays:
        _play(v, c, n, i, 1 + 26 * r)


def _player(table, n, i):
    """Who made the i-th play of the deal; looked up once for a trick ``n``."""
    if _SEEN[0] != n:
        _SEEN[0] = n
        trick.last(table, _WHO)
    return _WHO[i]


def _play(v, c, n, i, y):
    """The i-th play of the trick, a row 25 px high from y."""
    table = v.game.table
    i += (n >> 10 & 255) - 1
    at = 4 * i
    seat = _player(table, n & 0x3FFFF, i)
    h = table.history
    mask = h[at] | h[at + 1] << 8 | h[at + 2] << 16 | (h[at + 3] & 7) << 24
    codes = bytearray(27)
    raised = bytearray(16)
    clear(raised)
    k = 0
    dealt = table.dealt[seat]
    for code in range(108):
        if dealt[code >> 3] >> (code & 7) & 1:
            if mask & 1:
                codes[k] = code
                k += 1
                rank = code % 54
                raised[rank >> 2 if rank < 52 else rank - 39] += 1
            mask >>= 1
    raised[15] = k
    readings = array("i", bytes(32))
    classify(table.rules, raised, readings)
    m = readings[h[at + 3] >> 3 & 7]
    last = i == (n >> 10 & 255) + (n & 255) - 2
    if last:
        c.card(2, y, 316, 25, _TRAY)
        c.glyph(_MARK, 121, 6, y + 8, _AMBER)  # on top: it won
    side = (seat - v.seat.index) & 3
    if side:
        c.glyph(_TINY, 111 if side == 2 else 118, 26, y + 9, _TEAM if side == 2 else _FOE)
    name = v.game.seats[seat].name.encode() if side else c.type.text(c.lang, _T_ME)
    wide = c.width(_R16, name) < 56
    c.text(_R16 if wide else _R12, 36, y + (4 if wide else 6), name, _TEXT, 92)
    x = c.text(_B16, 96, y + 4, names.meld_name(c.lang, m), _AMBER if last else _TEXT) + 8
    laid = cards.lay(m, codes, k, table.rules.small_wild)
    pitch = cards.fit(laid, 0, 314 - x)
    if pitch > 13 or x + cards.row_width(laid, 13, 0) < 316:
        cards.row(c, x, y, laid, min(pitch, 19), 0, True)
