"""A question with its two answers, and the pause. A view of ``seat.py`` for pages in a deal (``pages.py``)."""

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
_T_KEY_CLEAR = const(139)
_T_LEAVE_ASK = const(154)
_T_LEAVE_AUTO = const(155)
_T_LEAVE_ENDS = const(156)
_T_GO = const(158)
_T_STAY = const(159)
_T_PAUSED = const(160)
_T_ANY_KEY = const(161)

_PAUSED = const(4)  # row of pages.py
_LEAVE_BROKEN = const(1)  # of shared_rules.rulesets

# Regions: bands of the upper part; 0 title, 1 what follows, 2 the answers, 3 nothing
ALL = (1 << 4) - 1
ORDER = b"\x00\x01\x02\x03"
_AREAS = (  # x / 2, y, w / 2, h
    b"\x00\x00\xa0\x2a",  # 0 0 320 42
    b"\x00\x2a\xa0\x18",  # 0 42 320 24
    b"\x00\x42\xa0\x1e",  # 0 66 320 30
    b"\x00\x60\xa0\x0a",  # 0 96 320 10
)


def mark(v):
    """What each region shows, as a number."""
    for r in range(4):
        v.see(r, v.seat.page)


def area(v, r):
    """The window of a region."""
    return _AREAS[r]


def draw(v, c, r):
    """Draw a region."""
    t = c.type
    paused = v.seat.page == _PAUSED
    c.card(4, 4, 312, 98, _TRAY)
    if r == 0:
        _middle(c, _B20, 10, t.text(c.lang, _T_PAUSED if paused else _T_LEAVE_ASK), _AMBER)
    elif r == 1 and paused:
        _middle(c, _R16, 44, t.text(c.lang, _T_ANY_KEY), _TEXT)
    elif r == 1:
        rules = v.game.rules
        s = t.text(c.lang, _T_LEAVE_ENDS if rules.leave else _T_LEAVE_AUTO)
        _middle(c, _R16, 44, s.replace(b"{}", b"%d" % (rules.leave_unit * (3 if rules.leave == _LEAVE_BROKEN else 1))),
                _TEXT)
    elif r == 2 and not paused:
        x = _answer(c, 44, _T_KEY_PLAY, _T_GO, _AMBER, _INK)
        _answer(c, max(x + 24, 170), _T_KEY_CLEAR, _T_STAY, _MUTED, _INK)


def _middle(c, face, y, s, ink):
    c.text(face, (320 - c.width(face, s)) >> 1, y, s, ink)


def _answer(c, x, key, what, ground, ink):
    """A key's cap and what it does. Returns the x after it."""
    s = c.type.text(c.lang, key)
    w = c.width(_B16, s) + 14
    c.card(x, 70, w, 20, ground)
    c.text(_B16, x + 7, 71, s, ink)
    return c.text(_R16, x + w + 8, 71, c.type.text(c.lang, what), _TEXT)
