"""The keys of the lobby: join, choose, get ready, leave the seat to the computer.

In memory while the table is in the lobby (``shelf.py``). A seat's screen shows ``ROWS``: up and down move through them,
left and right change what the row offers; in the last row they open the page of names (``naming.py``). What was chosen
is saved when somebody gets ready.
"""

from micropython import const

from seats import BOT, COMPACT, LARGE
from settings import BRIGHTNESS, LANGS, LAYOUTS, VOLUME

# Keys: indices into pins.KEYS
_KEY_LEFT = const(0)
_KEY_RIGHT = const(1)
_KEY_UP = const(2)
_KEY_DOWN = const(3)
_KEY_CLEAR = const(4)
_KEY_PLAY = const(5)

ROWS = ("rules", "lang", "clock", "layout", "volume", "brightness", "name")
_FREE = const(0b1010)  # rows that a test leaves free, a bit each
CLOCKS = (0, 15, 20, 30, 45, 60)  # s; 0: none

_RULE_SETS = const(5)


def key(game, seat, k):
    """A press of key k in the lobby. A test has chosen seats, rules and clock; language and layout stay free."""
    if game.test:
        if seat.kind == BOT or k == _KEY_CLEAR:
            return
    elif k == _KEY_CLEAR:
        game.between("seating", "leave", seat)
        return
    if seat.kind == BOT:
        game.between("seating", "sit", seat)
        if k != _KEY_PLAY:
            return
    if k == _KEY_PLAY:
        game.set_ready(seat)
        game.between("seating", "keep")
    elif k == _KEY_UP or k == _KEY_DOWN:
        step = 1 if k == _KEY_DOWN else -1
        seat.menu = (seat.menu + step) % len(ROWS)
        while game.test and not _FREE >> seat.menu & 1:
            seat.menu = (seat.menu + step) % len(ROWS)
    elif k == _KEY_LEFT or k == _KEY_RIGHT:
        _choose(game, seat, 1 if k == _KEY_RIGHT else -1)


def _choose(game, seat, step):
    """Change what the seat's row offers."""
    settings = game.settings
    if seat.menu == 0:
        game.between("gathering", "choose_rules", (game.rules_index + step) % _RULE_SETS)
    elif seat.menu == 1:
        seat.lang = (seat.lang + step) % 3
        _keep(game, LANGS + seat.index, seat.lang)
        game.between("seating", "refresh", seat)
    elif seat.menu == 2:
        i = 0
        while i < len(CLOCKS) - 1 and CLOCKS[i] < game.turn_seconds:
            i += 1
        game.turn_seconds = CLOCKS[(i + step) % len(CLOCKS)]
        settings.put_turn_seconds(game.turn_seconds)
    elif seat.menu == 3:
        seat.layout = COMPACT if seat.layout == LARGE else LARGE
        _keep(game, LAYOUTS + seat.index, seat.layout)
    elif seat.menu == 6:
        __import__("naming").show(game, seat)
    else:
        # Steps of ten; the light never goes out.
        dim = seat.menu - 4
        setting = BRIGHTNESS if dim else VOLUME
        value = settings.get(setting) // 10 + step
        settings.put(setting, 10 * min(max(dim, value), 10))
        game.hub.settings_changed()


def _keep(game, setting, value):
    """Remember what a seat chose; a test leaves no trace."""
    if not game.test:
        game.settings.put(setting, value)
