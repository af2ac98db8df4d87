"""Ending the evening: the question and what follows. A page (``pages.py``).

Any person may end it; the question guards against a slip. The totals are saved, the table goes back to the lobby, the
journal remembers that the next deal begins another evening, and every screen shows how the players stand until a key
is pressed at its seat. Going to the lobby for another rule set leaves the evening open.
"""

from micropython import const

# Keys: indices into pins.KEYS
_KEY_PLAY = const(5)
_KEY_HINT = const(7)

_PAGE = const(8)  # row of pages.py


def show(game, seat):
    """Ask."""
    seat.page = _PAGE


def key(game, seat, k, now):
    """A press of key k: ``play`` ends the evening, ``hint`` opens the lobby, any other goes back."""
    seat.page = 0
    if game.between_deals() and (k == _KEY_PLAY or k == _KEY_HINT):
        game.hub.make_room()
        game.between("gathering", "end_evening" if k == _KEY_PLAY else "change_rules", now)
