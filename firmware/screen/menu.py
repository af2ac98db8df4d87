"""The menu: two columns of entries, each with its key. A view of ``seat.py``; a page (``pages.py``)."""

from micropython import const

import menu
from settings import BRIGHTNESS, VOLUME

# RGB565, bytes swapped
_TRAY = const(0x0411)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_INK = const(0xE310)
_AMBER = const(0x85F5)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R12 = const(5)
_TINY = const(7)

_T_KEY_TRUSTEE = const(26)
_T_TO_LARGE = const(144)
_T_LANG_NAME = const(51)
_T_KEY_PASS = const(134)
_T_KEY_HINT = const(135)
_T_KEY_BOMB = const(136)
_T_KEY_SORT = const(137)
_T_KEY_MENU = const(138)
_T_MENU = const(140)
_T_MENU_KEYS = const(141)
_T_HIDE = const(142)
_T_AGAIN = const(143)
_T_SOUND = const(146)
_T_MUTE = const(147)
_T_LIGHT = const(148)
_T_PAUSE = const(149)
_T_AGREE = const(150)
_T_NO_PAUSE = const(151)
_T_M_SHEET = const(90)
_T_M_NAME = const(91)
_T_M_UP = const(92)
_T_M_END = const(94)
_T_LEAVE = const(152)

_LAYOUT = const(2)  # entries of menu.py
_SOUND = const(4)  # entries of menu.py
_LIGHT = const(5)  # entries of menu.py
_PAUSE = const(6)  # entries of menu.py
_SEAT = const(10)
# By entry of menu.py: its text and the word of its key (0: an arrow)
_WORDS = bytes((
    _T_HIDE, _T_AGAIN, _T_TO_LARGE, _T_LANG_NAME, _T_SOUND, _T_LIGHT, _T_PAUSE, _T_LEAVE,
    _T_M_SHEET, _T_M_NAME, _T_M_UP, _T_M_END,
))
_CAPS = bytes((
    _T_KEY_PASS, _T_KEY_HINT, _T_KEY_MENU, _T_KEY_SORT, 60, 62, _T_KEY_BOMB, _T_KEY_TRUSTEE,
    _T_KEY_HINT, _T_KEY_PASS, _T_KEY_TRUSTEE, _T_KEY_BOMB,
))

# Regions: 0-4 a row of two entries each, 5 head, 6 foot; those two between deals only
ALL = (1 << 7) - 1
ORDER = b"\x00\x01\x02\x03\x04\x05\x06"
_ROWS = const(5)


def _top(v):
    """y of the first row."""
    return 44 if v.game.between_deals() else 1


def mark(v):
    """What each region shows, as a number."""
    game = v.game
    seat = v.seat
    shown = menu.choices(game)
    at = seat.menu % len(shown)
    for r in range(_ROWS):
        n = 0
        for i in (2 * r, 2 * r + 1):
            n <<= 10
            if i < len(shown):
                n |= _value(game, seat, shown[i]) << 2 | menu.legal(game, seat, shown[i]) << 1 | (i == at)
        v.see(r, n)
    v.see(5, 0)
    v.see(6, 0)


def _value(game, seat, entry):
    """What an entry shows besides its words, as a number below 256."""
    if entry == _SOUND:
        return game.settings.get(VOLUME)
    if entry == _LIGHT:
        return game.settings.get(BRIGHTNESS)
    return menu.wanted(game) if entry == _PAUSE else seat.layout


def area(v, r):
    """The windows of a region."""
    if r == 5:
        return b"\x00\x00\xa0\x2c"  # 0 0 320 44
    if r == 6:
        return b"\x00\xae\xa0\x42"  # 0 174 320 66
    y = _top(v) + 26 * r
    h = 26
    if y == 1:
        y, h = 0, 27
    elif y == 79:
        h = 27
    return bytes((0, y, 160, h))


def draw(v, c, r):
    """Draw a region."""
    if r < _ROWS:
        shown = menu.choices(v.game)
        for i in (2 * r, 2 * r + 1):
            if i < len(shown):
                x = 2 + 159 * (i & 1)
                y = _top(v) + 26 * r
                c.card(x, y, 157, 25, _TRAY)
                if v.shown[r] >> (0 if i & 1 else 10) & 1:
                    c.frame(x, y, 157, 25, _AMBER)
                _entry(v, c, shown[i], x, y)
    elif r == 5:
        c.text(_B20, 8, 10, c.type.text(c.lang, _T_MENU), _TEXT)
    else:
        c.rect(0, 198, 320, 42, _TRAY)
        s = c.type.text(c.lang, _T_MENU_KEYS)
        c.text(_R12, (320 - c.width(_R12, s)) >> 1, 212, s, _MUTED)


def _entry(v, c, entry, x, y):
    """One entry, 157 x 25: the cap of its key, its words, the value it changes."""
    game = v.game
    seat = v.seat
    t = c.type
    may = menu.legal(game, seat, entry)
    word = _CAPS[entry]
    end = x + 65 if c.lang == 2 else x + 50
    if not may:
        pass
    elif word == 60 or word == 62:
        c.card(end - 20, y + 4, 17, 17, _AMBER)
        c.glyph(_TINY, word, end - 14, y + 9, _INK)
    else:
        s = t.text(c.lang, word)
        face = _R12 if c.lang == 2 else _B16
        w = c.width(face, s) + 8
        c.card(end - 3 - w, y + 4, w, 17, _AMBER)
        c.text(face, end + 1 - w, y + (5 if face == _R12 else 3), s, _INK)
    word = _WORDS[entry]
    if entry == _LAYOUT:
        word += not seat.layout
    elif entry == _SEAT:
        word += seat.kind
    elif entry == _PAUSE:
        wants = menu.wanted(game)
        if wants:
            word = _T_NO_PAUSE if wants >> seat.index & 1 else _T_AGREE
    ink = _TEXT if may else _DIM
    c.text(_R16, end + 3, y + 4, t.text(c.lang, word), ink)
    if entry == _SOUND or entry == _LIGHT:
        n = game.settings.get(VOLUME if entry == _SOUND else BRIGHTNESS)
        s = b"%d" % n if n or entry == _LIGHT else t.text(c.lang, _T_MUTE)
    else:
        return
    c.text(_R16, x + 152 - c.width(_R16, s), y + 4, s, _AMBER)
