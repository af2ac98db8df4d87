"""Whether to end the evening: the question, what follows, the keys. A view of ``seat.py``; a page (``pages.py``)."""

from micropython import const

# RGB565, bytes swapped
_TRAY = const(0x0411)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_INK = const(0xE310)
_AMBER = const(0x85F5)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)

_T_KEY_PLAY = const(22)
_T_KEY_HINT = const(135)
_T_KEY_CLEAR = const(139)
_T_END_ASK = const(85)
_T_END_SAVES = const(86)
_T_END_YES = const(87)
_T_END_RULES = const(88)
_T_END_NO = const(89)

# Regions: 0 question, 1-3 answers, 4 what is below
ALL = (1 << 5) - 1
ORDER = b"\x00\x01\x02\x03\x04"
_KEYS = bytes((_T_KEY_PLAY, _T_KEY_HINT, _T_KEY_CLEAR))


def mark(v):
    """What each region shows, as a number."""
    for r in range(5):
        v.see(r, 0)


def area(v, r):
    """The window of a region: x / 2, y, w / 2, h."""
    if r == 0:
        return b"\x00\x00\xa0\x5a"  # 0 0 320 90
    if r == 4:
        return b"\x00\xba\xa0\x36"  # 0 186 320 54
    return bytes((0, 58 + 32 * r, 160, 32))


def draw(v, c, r):
    """Draw a region."""
    t = c.type
    if r == 0:
        s = t.text(c.lang, _T_END_ASK)
        c.text(_B20, (320 - c.width(_B20, s)) >> 1, 20, s, _AMBER)
        s = t.text(c.lang, _T_END_SAVES)
        c.text(_R16, (320 - c.width(_R16, s)) >> 1, 56, s, _MUTED)
    elif r < 4:
        y = 58 + 32 * r
        c.card(24, y, 272, 29, _TRAY)
        s = t.text(c.lang, _KEYS[r - 1])
        w = c.width(_B16, s) + 14
        c.card(112 - w, y + 4, w, 21, _AMBER if r == 1 else _MUTED)
        c.text(_B16, 119 - w, y + 6, s, _INK)
        c.text(_R16, 122, y + 6, t.text(c.lang, _T_END_YES + r - 1), _TEXT)
