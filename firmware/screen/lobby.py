"""The lobby: the table with its seats, what may be chosen, and the key that says ready. A view of ``seat.py``."""

from micropython import const

from settings import BRIGHTNESS, VOLUME

# RGB565, bytes swapped
_TRAY = const(0x0411)
_FELT = const(0x2712)
_LINE = const(0x4932)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_INK = const(0xE310)
_AMBER = const(0x85F5)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_R28 = const(4)
_R12 = const(5)
_TINY = const(7)
_MARK = const(8)

_T_GAME_QIAN = const(37)
_T_GAME_BAI = const(38)
_T_N_READY = const(39)
_T_READY = const(40)
_T_WAITING = const(41)
_T_BOT = const(42)
_T_RULES = const(43)
_T_LANGUAGE = const(44)
_T_CLOCK = const(45)
_T_LAYOUT = const(46)
_T_LANG_NAME = const(51)
_T_SECONDS = const(52)
_T_NO_LIMIT = const(53)
_T_LARGE = const(54)
_T_COMPACT = const(55)
_T_PRESS = const(56)
_T_KEY_PLAY = const(22)
_T_TO_START = const(57)
_T_WAIT_OTHERS = const(58)
_T_JOIN = const(59)
_T_LOBBY_KEYS = const(60)
_T_RULES_WENZHOU = const(61)
_T_OFF = const(50)

_HUMAN = const(0)
_BAIBIAN = const(4)  # index in RULE_SETS
_ROWS = const(7)  # of joining.py
_FOOT = const(9)
_NAME_ROW = const(6)

# Regions: 0 title, 1 seats, 2-8 rows of choices, 9 foot, 10 above the rows
ALL = (1 << 11) - 1
ORDER = b"\x02\x03\x04\x05\x06\x07\x08\x09\x01\x00\x0a"
# Seats as they sit: me, next, partner, the one before: x, y of a tile 62 x 48
_TILES = ((55, 146), (110, 96), (55, 46), (0, 96))


def mark(v):
    """What each region shows, as a number."""
    game = v.game
    seat = v.seat
    ready = 0
    who = 0
    for i in range(4):
        other = game.seats[i]
        ready += bool(other.ready)
        who ^= (hash(other.name) & 0xFFFF) << 2 * i ^ (other.kind << 1 | bool(other.ready)) << 22 + 2 * i
        who ^= (other.total & 0xFFF) << 3 * i
    v.see(0, game.rules_index << 3 | ready)
    v.see(1, who)
    mine = 1 if seat.kind == _HUMAN else 0
    settings = game.settings
    for i in range(_ROWS):
        here = mine and seat.menu == i
        v.see(2 + i, here | (
            game.rules_index, 0, game.turn_seconds, seat.layout, settings.get(VOLUME), settings.get(BRIGHTNESS),
            hash(seat.name) & 0xFFFF
        )[i] << 1)
    v.see(_FOOT, mine << 1 | bool(seat.ready))
    v.see(10, 0)


def area(v, r):
    """The window of a region: x / 2, y, w / 2, h."""
    if r == 0:
        return b"\x00\x00\xa0\x2c"  # 0 0 320 44
    if r == 1:
        return b"\x00\x2c\x56\x98"  # 0 44 172 152
    if r == _FOOT:
        return b"\x00\xc4\xa0\x2c"  # 0 196 320 44
    if r == 10:
        return b"\x56\x2c\x4a\x04"  # 172 44 148 4
    return bytes((86, 48 + 21 * (r - 2), 74, 22 if r == 8 else 21))


def draw(v, c, r):
    """Draw a region."""
    if r == 0:
        _title(v, c)
    elif r == 1:
        _seats(v, c)
    elif r < _FOOT:
        _row(v, c, r - 2)
    elif r == _FOOT:
        _foot(v, c)


def _title(v, c):
    """The game's name, and how many are ready."""
    t = c.type
    game = v.game
    c.text(_R28, 8, 5, t.text(c.lang, _T_GAME_BAI if game.rules_index == _BAIBIAN else _T_GAME_QIAN), _TEXT)
    n = 0
    for seat in game.seats:
        n += bool(seat.ready)
    s = t.text(c.lang, _T_N_READY).replace(b"{}", b"%d" % n)
    c.text(_R16, 312 - c.width(_R16, s), 14, s, _AMBER if n == 4 else _MUTED)
    c.rect(0, 42, 320, 1, _LINE)


def _seats(v, c):
    """The table from above, and who sits around it."""
    t = c.type
    c.card(64, 97, 44, 46, _FELT)
    c.rect(85, 101, 2, 38, _TEAM)
    c.rect(68, 119, 36, 2, _FOE)
    c.rect(83, 117, 6, 6, _FELT)
    try:
        from shared_rules import titles
    except MemoryError:  # names do without
        titles = None
    for i in range(4):
        seat = v.game.seats[(v.seat.index + i) & 3]
        x, y = _TILES[i]
        if c.misses(x, y, 62, 50):
            continue
        c.card(x, y, 62, 48, _TRAY)
        team = not i & 1
        c.glyph(_TINY, 111 if team else 118, x + 2, y + 6, _TEAM if team else _FOE)
        name = seat.name.encode()
        wide = c.width(_R16, name) < 50
        c.text(_R16 if wide else _R12, x + 11, y + (0 if wide else 3), name, _TEXT, x + 62)
        if seat.kind != _HUMAN:
            s, ink = _T_BOT, _MUTED
        else:
            if titles:
                s = titles.title(titles.BY_RULE_SET[v.game.rules_index], seat.total)[c.lang]
                c.text(_R12, x + (62 - c.width(_R12, s) >> 1), y + 18, s, _AMBER)
            s, ink = (_T_READY, _TEXT) if seat.ready else (_T_WAITING, _MUTED)
        if seat.ready:
            c.glyph(_MARK, 121, x + 1, y + 33, ink)
        c.text(_R12, x + 17, y + 32, t.text(c.lang, s), ink)
        if not i:
            c.rect(x + 2, y + 48, 58, 2, _TEXT)


def _row(v, c, i):
    """A row of choices: its name and what is chosen; framed and with arrows where the keys are."""
    t = c.type
    game = v.game
    seat = v.seat
    y = 48 + 21 * i
    c.card(174, y, 142, 20, _TRAY)
    here = v.shown[2 + i] & 1
    c.text(_R16, 181, y + 2, t.text(c.lang, _T_RULES + i), _MUTED)
    if i == 0:
        s = t.text(c.lang, _T_RULES_WENZHOU + game.rules_index)
    elif i == 1:
        s = t.text(c.lang, _T_LANG_NAME)
    elif i == 2:
        s = t.text(c.lang, _T_SECONDS if game.turn_seconds else _T_NO_LIMIT)
        s = s.replace(b"{}", b"%d" % game.turn_seconds)
    elif i == 3:
        s = t.text(c.lang, _T_COMPACT if seat.layout else _T_LARGE)
    elif i == _NAME_ROW:
        s = seat.name.encode()
    else:
        n = game.settings.get(VOLUME if i == 4 else BRIGHTNESS)
        s = b"%d" % n if n else t.text(c.lang, _T_OFF)
    face, top = _R16, y + 2
    if c.width(face, s) > 72:
        face, top = _R12, y + 4
    c.text(face, 268 - (c.width(face, s) >> 1), top, s, _TEXT)
    if here:
        c.frame(174, y, 142, 21, _AMBER)
        half = (c.width(face, s) >> 1) + 4
        c.glyph(_TINY, 60, 261 - half, y + 7, _AMBER)
        c.glyph(_TINY, 62, 269 + half, y + 7, _AMBER)


def _foot(v, c):
    """What to press now."""
    t = c.type
    c.rect(0, 198, 320, 42, _TRAY)
    seat = v.seat
    if seat.kind != _HUMAN or seat.ready:
        s = t.text(c.lang, _T_WAIT_OTHERS if seat.kind == _HUMAN else _T_JOIN)
        c.text(_B20, (320 - c.width(_B20, s)) >> 1, 200, s, _AMBER if seat.kind != _HUMAN else _TEXT)
    else:
        a, key, b = t.text(c.lang, _T_PRESS), t.text(c.lang, _T_KEY_PLAY), t.text(c.lang, _T_TO_START)
        wide = c.width(_B16, key) + 14
        x = (320 - c.width(_B20, a) - c.width(_B20, b) - wide - 16) >> 1
        x = c.text(_B20, x, 200, a, _TEXT) + 8
        c.card(x, 202, wide, 20, _AMBER)
        c.text(_B16, x + 7, 203, key, _INK)
        c.text(_B20, x + wide + 8, 200, b, _TEXT)
    if seat.kind == _HUMAN and not v.game.test:  # a test's seats are taken
        s = t.text(c.lang, _T_LOBBY_KEYS)
        c.text(_R12, (320 - c.width(_R12, s)) >> 1, 225, s, _MUTED)
