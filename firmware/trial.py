"""A version proves itself: 10 s of rounds confirm one on trial; after a minute its failures are forgotten.

In memory only while it is used (``shelf.py``). What lies in the real-time clock's memory and in ``/slots`` is told in
``starter.py``.
"""

import os
import time

import machine
from micropython import const

from game import PLAY
from seats import BOT

_FORGET_MS = const(50000)  # after the confirmation
_AGAIN_MS = const(200)
_LOOKS = const(100)  # for a moment in which no key is waited for; then it is written all the same


def step(hub, now):
    """Called when it is due. Returns when next (ms, never 0), or 0 for never."""
    memory = machine.RTC().memory
    note = bytearray(memory())
    if len(note) != 24:
        return 0
    later = 0
    if not note[5]:
        note[3] = 0
    elif note[5] < _LOOKS and _waited_for(hub):
        note[5] += 1
        later = _AGAIN_MS
    else:
        # A few ms; at worst an erase of the flash.
        with open("/slots", "w") as file:
            file.write(os.getcwd()[1:] + " - 0 -\n")
        note[5] = 0
        later = _FORGET_MS
    memory(note)
    return (time.ticks_add(now, later) or 1) if later else 0


def _waited_for(hub):
    """True if a person may press a key at this moment of a deal, or does."""
    game = hub.game
    if game.phase == PLAY:
        seat = game.seats[game.table.turn]
        if seat.kind != BOT and not seat.trustee:
            return True
    return hub.keys.busy
