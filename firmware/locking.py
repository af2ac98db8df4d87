"""The kiosk lock: the console's ``lock``, ``unlock`` and ``repl``.

A locked hub refuses what only its operator should do (``commands.py``), and Ctrl-C does not reach the REPL: ``boot.py``
shuts it out before anything else, ``starting.py`` lets it in again on a hub that is not locked. This keeps guests with
a cable from the hub's files and settings. It does not keep out who has the flash itself: esptool reads and writes that
without asking the firmware. In memory only while a command is obeyed (``shelf.py``).
"""

import time
from hashlib import sha256

import micropython
from machine import unique_id
from micropython import const

import players
from commands import Refused, between, idle
from settings import KIOSK

_CODE = const(24)  # offset in the payload, and length
_LENGTH = const(16)
_LEAST = const(6)  # characters of a code
_MOST = const(64)
_FIRST_MS = const(2000)  # after a wrong code no other is looked at for so long, twice as long after each further one
_DOUBLINGS = const(7)  # up to 256 s
_CTRL_C = const(3)


def _code(line):
    """The code of a line, and its digest: what the settings keep."""
    code = line.get("code")
    if not isinstance(code, str) or not _LEAST <= len(code) <= _MOST:
        raise Refused('"code" must be a text of %d to %d characters.' % (_LEAST, _MOST))
    return sha256(unique_id() + code.encode()).digest()[:_LENGTH]


def _judge(hub, line):
    """Refused unless the line holds the operator's code. Wrong ones are slowed down."""
    given = _code(line)
    console = hub.console
    now = time.ticks_ms()
    if console.strikes:
        left = time.ticks_diff(console.due, now)
        if 0 < left <= _FIRST_MS << _DOUBLINGS:
            raise Refused("A wrong code was given; the next one is looked at in %d s." % (left // 1000 + 1))
    if bytes(hub.game.settings.data[_CODE : _CODE + _LENGTH]) != given:
        console.due = time.ticks_add(now, _FIRST_MS << min(console.strikes, _DOUBLINGS))
        console.strikes += 1
        raise Refused("The code is wrong.")
    console.strikes = 0


def lock(hub, line):
    """Lock the hub with a code; one that is locked, with the code that it has."""
    settings = hub.game.settings
    if settings.get(KIOSK):
        _judge(hub, line)
        return ""
    given = _code(line)
    between(hub)
    for i in range(_LENGTH):
        settings.put(_CODE + i, given[i])
    _put(hub, 1)
    micropython.kbd_intr(-1)
    return ""


def unlock(hub, line):
    """Open a locked hub for good."""
    if hub.game.settings.get(KIOSK):
        between(hub)
        _judge(hub, line)
        _put(hub, 0)
    micropython.kbd_intr(_CTRL_C)
    return ""


def repl(hub, line):
    """Leave for the REPL, until the next reset; a locked hub wants its code."""
    if hub.game.settings.get(KIOSK):
        _judge(hub, line)
    idle(hub)
    micropython.kbd_intr(_CTRL_C)
    hub.repeat(Leave())
    return ""


def _put(hub, on):
    game = hub.game
    game.settings.put(KIOSK, on)
    if not players.save(game.settings, game.deal_no):
        game.settings.put(KIOSK, 1 - on)
        raise Refused("The flash did not take the lock; nothing has changed.")


class Leave:
    """When there is nothing else to do, and the answer is out: the loop ends as Ctrl-C ends it."""

    def step(self):
        raise KeyboardInterrupt
