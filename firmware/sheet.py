"""The score sheet's keys. A page (``pages.py``): how the players stand, then the deals, four players to a page.

``seat.choice`` is the page of the sheet, ``seat.menu`` its first line. The sheet itself is in ``evening.py``.
"""

from micropython import const

import evening

# Keys: indices into pins.KEYS
_KEY_LEFT = const(0)
_KEY_RIGHT = const(1)
_KEY_UP = const(2)
_KEY_DOWN = const(3)

_SHEET_PAGE = const(5)  # row of pages.py
_STANDING = const(5)  # lines shown of how the players stand
_DEALS = const(7)  # ... and of the deals


def _most(page):
    """The highest first line of a page of the sheet."""
    return max(0, len(evening.lines) - _DEALS if page else len(evening.people) - _STANDING)


def show(game, seat, page):
    """Open the sheet at one of its pages; deals from the newest."""
    evening.load(game)
    seat.page = _SHEET_PAGE
    seat.choice = page
    seat.menu = _most(page)


def key(game, seat, k, now):
    """A press of key k: up and down move through the lines, left and right turn the page, any other closes."""
    evening.load(game)
    if k == _KEY_UP or k == _KEY_DOWN:
        seat.menu = min(max(0, seat.menu + (1 if k == _KEY_DOWN else -1)), _most(seat.choice))
    elif k == _KEY_LEFT or k == _KEY_RIGHT:
        seat.choice = (seat.choice + (1 if k == _KEY_RIGHT else -1)) % (1 + (len(evening.people) + 3 >> 2))
        seat.menu = _most(seat.choice)
    else:
        seat.page = seat.choice = 0
        seat.menu = 1 if game.test else 0  # the lobby's row again
