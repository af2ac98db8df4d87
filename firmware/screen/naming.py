"""Who plays at a seat: the players to choose from, and the characters of a name. A view of ``seat.py`` for two pages
(``pages.py``), which ``naming.py`` moves through."""

from micropython import const

import naming
import players
from shared_rules import titles

# RGB565, bytes swapped
_TRAY = const(0x0411)
_FELT = const(0x2712)
_LINE = const(0x4932)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_INK = const(0xE310)
_AMBER = const(0x85F5)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R12 = const(5)

_T_KEY_PLAY = const(22)
_T_KEY_CLEAR = const(139)
_T_KEY_PASS = const(134)
_T_WHO = const(74)
_T_NEW_PLAYER = const(75)
_T_NAME_THIS = const(76)
_T_NO_NAME = const(77)
_T_NAMES_FULL = const(78)
_T_WHO_KEYS = const(79)
_T_WRITE = const(80)
_T_WRITE_ADD = const(81)
_T_WRITE_BACK = const(82)
_T_WRITE_DONE = const(83)
_T_WRITE_KEYS = const(84)
_T_NAME_CHARS = const(162)
_T_NAME_LETTERS = const(163)

_WRITE_PAGE = const(7)  # row of pages.py
_GRID = const(16)  # of naming.py, as are these lines
_NEW = const(-1)
_RENAME = const(-2)
_GUEST = const(-3)

# Regions: 0 head, 1-7 lines, 8 foot
ALL = (1 << 9) - 1
ORDER = b"\x00\x01\x02\x03\x04\x05\x06\x07\x08"
_LINES = const(7)


def mark(v):
    """What each region shows, as a number."""
    seat = v.seat
    writing = seat.page == _WRITE_PAGE
    if writing and not seat.choices:
        return
    v.see(0, hash(seat.choices[1]) & 0xFFFFFFF if writing else 0)
    v.see(8, writing)
    if writing:
        first = _first(seat.choice // _GRID)
        for r in range(_LINES):
            here = seat.choice % _GRID + 1 if seat.choice // _GRID == first + r else 0
            v.see(1 + r, 1 << 20 | seat.reading << 16 | first + r << 8 | here)
    else:
        n = hash(seat.name) & 0xFFF
        for r in range(_LINES):
            v.see(1 + r, n << 10 | _first(seat.menu) << 5 | (seat.menu == _first(seat.menu) + r))


def _first(at):
    """The line shown first, when the cursor is on line ``at``."""
    return max(0, at - _LINES + 1)


def area(v, r):
    """The window of a region: x / 2, y, w / 2, h."""
    if r == 0:
        return b"\x00\x00\xa0\x28"  # 0 0 320 40
    if r == 8:
        return b"\x00\xc2\xa0\x2e"  # 0 194 320 46
    return bytes((0, 40 + 22 * (r - 1), 160, 22))


def draw(v, c, r):
    """Draw a region."""
    t = c.type
    seat = v.seat
    writing = seat.page == _WRITE_PAGE
    if r == 0:
        s = t.text(c.lang, _T_WRITE if writing else _T_WHO)
        x = c.text(_B20, 8, 8, s, _TEXT) + 12
        if writing and seat.choices:
            c.card(x, 5, 120, 30, _FELT)
            x = c.text(_R16, x + 8, 11, seat.choices[1], _TEXT)
            c.rect(x + 1, 28, 10, 2, _AMBER)
        c.rect(0, 39, 320, 1, _LINE)
    elif r == 8:
        c.rect(0, 196, 320, 44, _TRAY)
        s = t.text(c.lang, _T_WRITE_KEYS if writing else _T_WHO_KEYS)
        c.text(_R12, (320 - c.width(_R12, s)) >> 1, 223 if writing else 211, s, _MUTED)
        if writing:
            x = _key(c, 8, _T_KEY_PLAY, _T_WRITE_ADD)
            x = _key(c, max(x + 8, 108), _T_KEY_CLEAR, _T_WRITE_BACK)
            _key(c, max(x + 8, 216), _T_KEY_PASS, _T_WRITE_DONE)
    elif writing:
        _characters(c, seat, _first(seat.choice // _GRID) + r - 1, 40 + 22 * (r - 1))
    else:
        _player(v, c, _first(seat.menu) + r - 1, 40 + 22 * (r - 1))


def _key(c, x, key, what):
    """A key's cap and what it does. Returns the x after it."""
    s = c.type.text(c.lang, key)
    w = c.width(_B16, s) + 10
    c.card(x, 199, w, 20, _AMBER)
    c.text(_B16, x + 5, 201, s, _INK)
    return c.text(_R16, x + w + 5, 201, c.type.text(c.lang, what), _TEXT)


def _characters(c, seat, row, y):
    """A line of characters, the letter that their sounds begin with before them."""
    t = c.type
    lang = c.lang
    chars = str(t.text(seat.reading, _T_NAME_CHARS), "utf-8")
    at = row * _GRID
    if at < len(chars):
        c.text(_R12, 6, y + 4, t.text(seat.reading, _T_NAME_LETTERS)[row : row + 1], _AMBER)
    for i in range(_GRID):
        if at + i < len(chars):
            x = 26 + 18 * i
            here = at + i == seat.choice
            if here:
                c.card(x - 1, y + 1, 18, 20, _AMBER)
            c.lang = seat.reading
            s = chars[at + i]
            c.text(_R16, x + (16 - c.width(_R16, s) >> 1), y + 1, s, _INK if here else _TEXT)
            c.lang = lang


def _player(v, c, at, y):
    """A line of the players to choose from."""
    game = v.game
    seat = v.seat
    shown = naming.lines(game, seat)
    if at >= len(shown):
        return
    t = c.type
    which = shown[at]
    c.card(2, y + 1, 316, 20, _TRAY)
    ink = _TEXT
    if which == _NEW:
        full = naming.blank(game) < 0
        s = t.text(c.lang, _T_NAMES_FULL if full else _T_NEW_PLAYER)
        if full:
            ink = _DIM
    elif which == _RENAME:
        s = t.text(c.lang, _T_NAME_THIS).replace(b"{}", players.name(game.settings, seat.player, c.lang).encode())
    elif which == _GUEST:
        s = t.text(c.lang, _T_NO_NAME)
    else:
        s = players.name(game.settings, which, c.lang).encode()
        n = players.total(game.settings, which, game.rules_index)
        title = titles.title(titles.BY_RULE_SET[game.rules_index], n)[c.lang]
        c.text(_R12, 130, y + 5, title, _MUTED)
        n = "%d" % n if n >= 0 else "−%d" % -n
        c.text(_R16, 308 - c.width(_R16, n), y + 2, n, _MUTED)
    c.text(_R16, 12, y + 2, s, ink)
    if at == seat.menu:
        c.frame(2, y, 316, 22, _AMBER)
