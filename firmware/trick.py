"""The last trick again: finding it, and the keys of its page (``pages.py``).

``seat.menu`` holds what the page shows: the index of the trick's first play in ``Table.history``, how many there are,
and by how many the player has scrolled back.
"""

from micropython import const

# Keys: indices into pins.KEYS
_KEY_UP = const(2)
_KEY_DOWN = const(3)


ROWS = const(4)  # plays that the page shows at once
_PAGE = const(2)  # row of pages.py

_BITS = b"\x00\x01\x01\x02\x01\x02\x02\x03\x01\x02\x02\x03\x02\x03\x03\x04"  # set bits of 0-15


def show(game, seat):
    """Open the page with the trick that was over last; with none, it says so."""
    seat.menu = last(game.table)
    seat.page = _PAGE


def key(game, seat, k, now):
    """A press of key k while the page is open: up and down scroll through a long trick, any other closes."""
    if k != _KEY_UP and k != _KEY_DOWN:
        seat.page = 0
    elif seat.menu:
        back = (seat.menu >> 18) + (1 if k == _KEY_UP else -1)
        if 0 <= back <= (seat.menu & 255) - ROWS:
            seat.menu = seat.menu & 0x3FFFF | back << 18


def last(table, seats=None):
    """The last trick that is over as a number: 1 + index of its first play << 10 | how many plays it has; 0 if there
    was none.

    seats: bytearray(108) for the seats of all plays, or None. The history says how many passed before each play: a
    trick is over when all the others that hold cards have.
    """
    left = bytearray(4)
    for s in range(4):
        for b in table.dealt[s]:
            left[s] += _BITS[b & 15] + _BITS[b >> 4]
    history = table.history
    seat = table.lead
    found = begun = 0
    for i in range(table.n_plays + 1):
        at = 4 * i
        if i:
            passes = history[at + 3] >> 6 if i < table.n_plays else table.passes
            others = 0
            for s in range(4):
                others += s != seat and left[s] > 0
            if passes >= others:
                found = begun + 1 << 10 | i - begun
                begun = i
                if not left[seat]:
                    seat = seat + 2 & 3
            else:
                while passes >= 0:
                    seat = seat + 1 & 3
                    if left[seat]:
                        passes -= 1
        if i < table.n_plays:
            if seats:
                seats[i] = seat
            n = _BITS[history[at + 3] & 7]
            for k in range(at, at + 3):
                n += _BITS[history[k] & 15] + _BITS[history[k] >> 4]
            left[seat] -= n
    return found
