"""Pages of a seat: what stands over the upper part of a playing screen, or in place of the screen between deals.

``seat.page`` is the page that a seat shows, 0 for none: a row of ``ROWS``. Whoever sets it has opened or closed the
page; ``Seat.clear_deal``, the end of a deal and the settlement close all of them. A row names

  the module of its keys     ``key(game, seat, k, now)`` has every press while the page is open
  the module of its view     as in ``screen/seat.py``; in a deal only its regions 0-3 are shown, which lie above y 106

Both are in memory only while they are used, as is this table (``shelf.py``). A page that the heap has no room for
closes.
"""

import gc
import sys

from micropython import const

from shelf import put_back

_PAUSED = const(4)  # page

ROWS = (
    (None, None),
    ("menu", "screen.menu"),  # 1
    ("trick", "screen.trick"),  # 2 the last trick again
    ("ask", "screen.ask"),  # 3 asks whether to leave the deal
    ("ask", "screen.ask"),  # 4 a pause
    ("sheet", "screen.sheet"),  # 5 the score sheet
    ("naming", "screen.naming"),  # 6 who plays here
    ("naming", "screen.naming"),  # 7 writing a name
    ("closing", "screen.closing"),  # 8 asks whether to end the evening
)

_UPPER = (0x87F, 0x1F)  # regions above y 106 of play.py and compact.py, a bit each: a page covers them
_PAGE = const(15)  # the page's own regions in a deal


def key(game, seat, k, now):
    """A press of key k at a seat that shows a page, or at any seat during a pause."""
    name = ROWS[_PAUSED if game.pause & 16 else seat.page][0]
    try:
        __import__(name).key(game, seat, k, now)
    except MemoryError:
        seat.page = 0
        put_back(name)
    put_back("pages")


def show(screen):
    """Let a SeatScreen show the page that its seat has opened, or none any more."""
    seat = screen.seat
    screen.over = None
    used = []
    for other in screen.game.seats:
        used.extend(ROWS[other.page])
    for row in ROWS[1:]:
        for name in row:
            if name not in used:
                put_back(name)
    if "sheet" not in used and "naming" not in used:
        put_back("evening", "seating", "settling", "players", "slots", "sectors")
    view = None
    name = ROWS[seat.page][1]
    if name:
        gc.collect()
        try:
            __import__(name)
            view = sys.modules[name]
        except MemoryError:
            seat.page = 0
            put_back(name)
    if screen.game.between_deals():
        if view:
            screen.turn_to(view)
    else:
        screen.cover(view, _UPPER[seat.layout], _PAGE)
    put_back("pages")
