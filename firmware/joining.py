"""The keys of the lobby: join, choose, get ready, leave the seat to the computer.

In memory while the table is in the lobby (``shelf.py``). A seat's screen shows ``ROWS``: up and down move through them,
left and right change what the row offers.
"""

from micropython import const

import seating
from seats import BOT, COMPACT, LARGE
from settings import LANGS, LAYOUTS

# Keys: indices into pins.KEYS
_KEY_LEFT = const(0)
_KEY_RIGHT = const(1)
_KEY_UP = const(2)
_KEY_DOWN = const(3)
_KEY_CLEAR = const(4)
_KEY_PLAY = const(5)

ROWS = ("rules", "lang", "clock", "layout")  # in a test every second one is free
CLOCKS = (0, 15, 20, 30, 45, 60)  # s; 0: none

_RULE_SETS = const(5)


def key(game, seat, k):
    """A press of key k in the lobby. A test has chosen seats, rules and clock; language and layout stay free."""
    if game.test:
        if seat.kind == BOT or k == _KEY_CLEAR:
            return
    elif k == _KEY_CLEAR:
        seating.leave(game, seat)
        return
    if seat.kind == BOT:
        seating.sit(game, seat)
        if k != _KEY_PLAY:
            return
    if k == _KEY_PLAY:
        game.set_ready(seat)
    elif k == _KEY_UP or k == _KEY_DOWN:
        step = 1 if k == _KEY_DOWN else -1
        seat.menu = (seat.menu + (2 * step if game.test else step)) % len(ROWS)
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
        seating.refresh(game, seat)
    elif seat.menu == 2:
        i = 0
        while i < len(CLOCKS) - 1 and CLOCKS[i] < game.turn_seconds:
            i += 1
        game.turn_seconds = CLOCKS[(i + step) % len(CLOCKS)]
        settings.put_turn_seconds(game.turn_seconds)
    else:
        seat.layout = COMPACT if seat.layout == LARGE else LARGE
        _keep(game, LAYOUTS + seat.index, seat.layout)


def _keep(game, setting, value):
    """Remember what a seat chose; a test leaves no trace."""
    if not game.test:
        game.settings.put(setting, value)
