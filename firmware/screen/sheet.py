"""The score sheet: how the players of the evening stand, and its deals. A view of ``seat.py``; a page (``pages.py``).

What it shows is in ``evening.py``; ``seat.choice`` is the page of the sheet, ``seat.menu`` its first line.
"""

from micropython import const

import evening
import players
from shared_rules import titles

# RGB565, bytes swapped
_TRAY = const(0x0411)
_FELT = const(0x2712)
_LINE = const(0x4932)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_AMBER = const(0x85F5)
_FOE = const(0x6DF4)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R12 = const(5)
_RANK = const(6)
_MARK = const(8)
_PORTRAIT = const(49)  # codes of the five portraits in _MARK

_T_BOT = const(42)
_T_RULES_WENZHOU = const(61)
_T_DOUBLE = const(99)
_T_BROKEN = const(102)
_T_COL_TOTAL = const(106)
_T_SHEET = const(66)
_T_STANDING = const(67)
_T_N_DEALS = const(68)
_T_COL_EVENING = const(70)
_T_SUM = const(71)
_T_NO_DEALS = const(72)
_T_SHEET_KEYS = const(73)
_T_PAGE_N = const(69)

_BAIBIAN = const(4)  # index in RULE_SETS

# Regions: 0 head, 1 column heads, 2-8 lines, 9 sums, 10 foot
ALL = (1 << 11) - 1
ORDER = b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a"
_COLUMNS = (137, 198, 259, 317)  # right edges of four players
_WIDE = const(58)


def mark(v):
    """What each region shows, as a number."""
    book = v.game.journal
    n = (book.sequence & 0x3FF) << 18 | v.seat.choice << 14 | v.seat.menu << 2
    for r in range(11):
        v.see(r, n)


def area(v, r):
    """The window of a region: x / 2, y, w / 2, h."""
    if r == 0:
        y, h = 0, 28
    elif r == 10:
        y, h = 214, 26
    elif v.seat.choice:
        if r == 1:
            y, h = 28, 33
        elif r < 9:
            y, h = 61 + 19 * (r - 2), 19
        else:
            y, h = 194, 20
    elif r == 1:
        y, h = 28, 16
    elif r < 7:
        y, h = 44 + 34 * (r - 2), 34
    else:
        y = h = 0
    return bytes((0, y, 160, h))


def draw(v, c, r):
    """Draw a region."""
    evening.load(v.game)
    if r == 0:
        _head(v, c)
    elif r == 10:
        _foot(v, c)
    elif v.seat.choice:
        if r == 1:
            _names(v, c)
        elif r < 9:
            _line(v, c, v.seat.menu + r - 2, 61 + 19 * (r - 2))
        else:
            _sums(v, c)
    elif r == 1:
        _columns(c)
    elif r < 7:
        _stand(v, c, v.seat.menu + r - 2, 44 + 34 * (r - 2))


def _signed(n):
    """A number with its sign; a true minus."""
    return "+%d" % n if n >= 0 else "−%d" % -n


def _right(c, x, y, s, ink, face=_R16, room=_WIDE):
    """Text that ends at ``x``, smaller when wider than ``room``."""
    if c.width(face, s) > room:
        face, y = _R12, y + 3
    c.text(face, x - c.width(face, s), y, s, ink)


def _head(v, c):
    """The title; how many deals; which page of how many."""
    t = c.type
    c.text(_B20, 8, 2, t.text(c.lang, _T_SHEET if v.seat.choice else _T_STANDING), _TEXT)
    pages = 1 + (len(evening.people) + 3 >> 2)
    s = t.text(c.lang, _T_N_DEALS).replace(b"{}", b"%d" % evening.count)
    if pages > 1:
        s += t.text(c.lang, _T_PAGE_N).replace(b"{}", b"%d/%d" % (v.seat.choice + 1, pages))
    c.text(_R16, 312 - c.width(_R16, s), 5, s, _MUTED)
    c.rect(0, 27, 320, 1, _LINE)


def _columns(c):
    """Heads of the columns of how the players stand."""
    t = c.type
    s = t.text(c.lang, _T_COL_EVENING)
    c.text(_R12, 232 - c.width(_R12, s), 29, s, _MUTED)
    s = t.text(c.lang, _T_COL_TOTAL)
    c.text(_R12, 312 - c.width(_R12, s), 29, s, _MUTED)


def _place(i):
    """The place of the i-th of the players: equal points, equal places."""
    people = evening.people
    while i and evening.sums[people[i - 1]] == evening.sums[people[i]]:
        i -= 1
    return i + 1


def _stand(v, c, i, y):
    """How one player stands: place, portrait, name and title, points of the evening, total."""
    if i >= len(evening.people):
        if not i:
            c.text(_R16, 8, y + 6, c.type.text(c.lang, _T_NO_DEALS), _MUTED)
        return
    player = evening.people[i]
    place = _place(i)
    best = place == 1
    c.card(2, y + 1, 316, 32, _FELT if player == v.seat.player else _TRAY)
    c.digits(_RANK, place, 24, y + 10, _AMBER if best else _MUTED)
    total = evening.totals[player]
    if evening.rules_index != _BAIBIAN:
        c.glyph(_MARK, _PORTRAIT + titles.portrait(total), 32, y + 9, _AMBER if best else _TEXT)
    c.text(_R16, 54, y, players.name(v.game.settings, player, c.lang), _TEXT)
    c.text(_R12, 54, y + 18, _title(c, player), _MUTED)
    _right(c, 232, y + 6, _signed(evening.sums[player]), _AMBER if best else _TEXT, _B16, 60)
    _right(c, 312, y + 6, "%d" % total if total >= 0 else "−%d" % -total, _MUTED, _R16, 74)


def _title(c, player):
    """The title of a player; the computer has none."""
    if player >= players.MOST:
        return c.type.text(c.lang, _T_BOT)
    return titles.title(titles.BY_RULE_SET[evening.rules_index], evening.totals[player])[c.lang]


def _names(v, c):
    """Names and titles over the columns of four players."""
    for i in range(4):
        at = 4 * v.seat.choice - 4 + i
        if at < len(evening.people):
            player = evening.people[at]
            _right(c, _COLUMNS[i], 29, players.name(v.game.settings, player, c.lang), _TEXT)
            _right(c, _COLUMNS[i], 46, _title(c, player), _MUTED, _R12)


def _line(v, c, at, y):
    """One line of the sheet: a deal, or the rule set from here on."""
    if at >= len(evening.lines):
        if not at:
            c.text(_R16, 8, y, c.type.text(c.lang, _T_NO_DEALS), _MUTED)
        return
    t = c.type
    word = evening.lines[at]
    if word >= evening.RULES:
        c.text(_R12, 8, y + 3, t.text(c.lang, _T_RULES_WENZHOU + (word & 15)), _AMBER)
        c.rect(84, y + 9, 228, 1, _LINE)
        return
    which = evening.deal(v.game, at)
    header = evening.header
    if at & 1:
        c.card(2, y, 316, 19, _TRAY)
    s = "%d" % (header[8] | header[9] << 8 | header[10] << 16)
    c.text(_R12, 32 - c.width(_R12, s), y + 3, s, _MUTED)
    c.text(_R12, 38, y + 3, t.text(c.lang, _T_DOUBLE + which), _TEXT)
    for i in range(4):
        n = 4 * v.seat.choice - 4 + i
        for at in range(4):
            if n < len(evening.people) and header[80 + at] == evening.people[n]:
                n = evening.points[at]
                _right(c, _COLUMNS[i], y, _signed(n), _TEXT if n >= 0 else _FOE)
                break


def _sums(v, c):
    """What the deals come to."""
    c.rect(0, 194, 320, 1, _LINE)
    c.text(_B16, 8, 195, c.type.text(c.lang, _T_SUM), _TEXT)
    for i in range(4):
        at = 4 * v.seat.choice - 4 + i
        if at < len(evening.people):
            _right(c, _COLUMNS[i], 195, _signed(evening.sums[evening.people[at]]), _AMBER, _B16)


def _foot(v, c):
    """The keys."""
    c.rect(0, 215, 320, 25, _TRAY)
    s = c.type.text(c.lang, _T_SHEET_KEYS)
    c.text(_R12, (320 - c.width(_R12, s)) >> 1, 220, s, _MUTED)
