"""The menu of a seat: what it offers, and its keys. A page (``pages.py``).

Every entry has one key that does it at once; up and down move through the entries and ``play`` does the one they are
on; ``clear`` closes. No key of the menu plays cards. A second press of ``menu`` changes the layout.
"""

from micropython import const

from seats import COMPACT, HUMAN, LARGE
from settings import BRIGHTNESS, LANGS, LAYOUTS, VOLUME
from shelf import put_back

# Keys: indices into pins.KEYS
_KEY_LEFT = const(0)
_KEY_RIGHT = const(1)
_KEY_UP = const(2)
_KEY_DOWN = const(3)
_KEY_CLEAR = const(4)
_KEY_PLAY = const(5)
_KEY_PASS = const(6)
_KEY_HINT = const(7)
_KEY_BOMB = const(8)
_KEY_SORT = const(9)
_KEY_TRUSTEE = const(10)
_KEY_MENU = const(11)

# Entries, numbered for KEYS here and the texts of screen/menu.py.
_HIDE = const(0)
_TRICK = const(1)
_LAYOUT = const(2)
_LANGUAGE = const(3)
_SOUND = const(4)
_LIGHT = const(5)
_PAUSE = const(6)
_LEAVE = const(7)
_SHEET = const(8)
_NAME = const(9)
_SEAT = const(10)
_END = const(11)

KEYS = (  # of entries
    _KEY_PASS, _KEY_HINT, _KEY_MENU, _KEY_SORT, _KEY_LEFT, _KEY_RIGHT, _KEY_BOMB, _KEY_TRUSTEE,
    _KEY_HINT, _KEY_PASS, _KEY_TRUSTEE, _KEY_BOMB,
)
_DEAL = b"\x00\x01\x02\x03\x04\x05\x06\x07"  # entries in a deal, in their order on the screen
_BETWEEN = b"\x08\x09\x0a\x0b\x02\x03\x04\x05"  # between deals

_LEAVE_PAGE = const(3)  # row of pages.py
_LOBBY = const(0)  # phases of game.py
_PLAY = const(2)
_LAPSES = const(8)  # turns for which asking for a pause is good
_SOUNDS = b"\x00\x1e\x3c\x64"  # steps of volume and brightness, %
_LIGHTS = b"\x14\x28\x3c\x50\x64"


def choices(game):
    """What the menu offers now: bytes of entries, in their order on the screen."""
    return _BETWEEN if game.between_deals() else _DEAL


def legal(game, seat, entry):
    """Whether an entry does something now; others are shown without their key."""
    if entry == _TRICK:
        return game.table.n_plays > 0
    if entry == _HIDE or entry == _NAME:
        return seat.kind == HUMAN
    if entry == _SEAT:  # a test has chosen who sits in its lobby
        return not game.test or game.phase != _LOBBY
    if entry == _END:
        return seat.kind == HUMAN and game.evening > 0
    if entry == _PAUSE or entry == _LEAVE:
        return seat.kind == HUMAN and game.phase == _PLAY and (entry == _PAUSE or game.table.left(seat.index) > 0)
    return True


def wanted(game):
    """Seats that want a pause now, a bit each."""
    n = game.pause
    return n & 15 if game.turn_no - (n >> 5) & 0xFFFF <= _LAPSES else 0


def key(game, seat, k, now):
    """A press of key k while the menu is open."""
    shown = choices(game)
    if k == _KEY_CLEAR:
        seat.page = 0
    elif k == _KEY_UP or k == _KEY_DOWN:
        seat.menu = (seat.menu + (1 if k == _KEY_DOWN else -1)) % len(shown)
    elif k == _KEY_PLAY:
        _do(game, seat, shown[seat.menu % len(shown)], now)
    else:
        for entry in shown:
            if KEYS[entry] == k:
                _do(game, seat, entry, now)
    if not seat.page and game.between_deals():
        seat.menu = 1 if game.test else 0  # the lobby's row again


def _do(game, seat, entry, now):
    """Do an entry."""
    if not legal(game, seat, entry):
        return
    settings = game.settings
    if entry == _LANGUAGE:
        import players

        seat.lang = (seat.lang + 1) % 3
        _keep(game, LANGS + seat.index, seat.lang)
        seat.name = players.name(settings, seat.player, seat.lang)
    elif entry == _SOUND:
        settings.put(VOLUME, _next(_SOUNDS, settings.get(VOLUME)))
    elif entry == _LIGHT:
        settings.put(BRIGHTNESS, _next(_LIGHTS, settings.get(BRIGHTNESS)))
        game.hub.settings_changed()
    elif entry == _LEAVE:
        seat.page = _LEAVE_PAGE
    elif entry == _SHEET:
        __import__("sheet").show(game, seat, 1)
    elif entry == _NAME:
        __import__("naming").show(game, seat)
    elif entry == _END:
        __import__("closing").show(game, seat)
    elif entry == _SEAT:
        seat.page = 0
        game.between("seating", "leave" if seat.kind == HUMAN else "sit", seat)
    elif entry == _TRICK:
        __import__("trick").show(game, seat)
    else:
        seat.page = 0
        if entry == _HIDE:
            seat.lower()
            seat.hidden = True
        elif entry == _LAYOUT:
            seat.layout = LARGE if seat.layout == COMPACT else COMPACT
            _keep(game, LAYOUTS + seat.index, seat.layout)
        else:
            __import__("ask").begin(game, seat, now)
    put_back("trick", "ask", "sheet", "naming", "closing", "evening", "seating", "settling", "players", "slots")


def _keep(game, setting, value):
    """Remember what a seat chose; a test leaves no trace."""
    if not game.test:
        game.settings.put(setting, value)


def _next(values, value):
    """The value above one, the lowest after the highest."""
    for more in values:
        if more > value:
            return more
    return values[0]
