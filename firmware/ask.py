"""Leaving a deal, and a pause by consent: what follows from the keys of these two pages (``pages.py``).

Leaving asks first; RULES.md section 8 says what follows from yes. A pause is asked for in the menu, begins when every
person with a pad has agreed, and is over with any key. ``game.pause``: bits 0-3 who wants it, bit 4 it is on, above
them the turn in which it was asked for: after some turns that lapses, so that nobody agrees to what was asked long ago.
A power cut ends a pause. Its clocks stand still (``game.py``); it changes no deal, and the record has nothing of it.
"""

import time

from micropython import const

import journal
from menu import wanted

# Keys: indices into pins.KEYS
_KEY_PLAY = const(5)

# Of seats.py
_HUMAN = const(0)
_NOTICE_NONE = const(0)
_NOTICE_TRUSTEE_ON = const(4)

_NOTICE_PAUSE = const(14)  # of seats.py
_NOTICE_PAUSE_ASKED = const(15)
_PAUSED = const(16)
_PAUSE_PAGE = const(4)  # row of pages.py
_BY_LEAVE = const(3)  # index into record.TRUSTEE_CAUSES
_LONGER = const(12000)  # ms that these notices are shown beyond the usual
_PLAY = const(2)  # phase PLAY of game.py


def key(game, seat, k, now):
    """A press of key k: any ends a pause, and does nothing else; at the question ``play`` leaves, any other stays."""
    if game.pause & _PAUSED:
        game.pause = 0
        for other in game.seats:
            other.page = 0
        return
    seat.page = 0
    if k != _KEY_PLAY or game.phase != _PLAY or not game.table.left(seat.index):
        return
    if game.rules.leave:
        game.enter(journal.LEAVE, seat.index)
        game.last_trick(now)
    else:
        game.set_trustee(seat, 1, _BY_LEAVE, now)
        game.tell(seat, _NOTICE_TRUSTEE_ON, now)


def begin(game, seat, now):
    """The seat wants a pause, or agrees to one; or does not want it any more."""
    bit = 1 << seat.index
    wants = wanted(game) ^ bit
    game.pause = game.turn_no << 5 | wants if wants else 0
    missing = False
    for other in game.seats:
        if other.notice >= _NOTICE_PAUSE:
            other.notice = _NOTICE_NONE
        if other.kind == _HUMAN and other.pad_present and not wants >> other.index & 1:
            missing = True
            if wants & bit:
                game.tell(other, _NOTICE_PAUSE, time.ticks_add(now, _LONGER))
    if not wants & bit:
        return
    if missing:
        game.tell(seat, _NOTICE_PAUSE_ASKED, time.ticks_add(now, _LONGER))
        return
    game.pause = _PAUSED
    for other in game.seats:
        other.page = _PAUSE_PAGE
