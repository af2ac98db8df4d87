"""The hub's start: pads looked for, the journal taken up.

In memory only until the hub runs (``shelf.py``).
"""

import time

import machine
import micropython
from micropython import const

import pins
from settings import KIOSK
from shelf import put_back
from version import VERSION

_WATCHDOG_MS = const(8000)
_CONFIRM_MS = const(10000)  # of running, then a version on trial is kept
_CTRL_C = const(3)
_BY_PAD = const(2)  # index into record.TRUSTEE_CAUSES
_FORGET_MS = const(60000)  # ... failures of the one that runs are forgotten


def start(hub):
    """Find the pads, tell the console that the hub is on, say what is missing, and go on where the journal ends.

    Returns the watchdog.
    """
    now = time.ticks_ms()
    major, minor, patch = VERSION
    note = machine.RTC().memory()  # see starter.py
    cause = note[4] if len(note) == 24 else 0
    hub.due = time.ticks_add(now, _CONFIRM_MS if len(note) == 24 and note[5] else _FORGET_MS) or 1
    if not hub.game.settings.get(KIOSK):
        micropython.kbd_intr(_CTRL_C)
    hub.keys.find()
    for seat in hub.game.seats:
        seat.display_present = True  # until its panel finds it missing
    hub.game.between("booting", "boot", major << 15 | minor << 8 | patch, cause or _cause(), now)
    hub.running = True
    for seat in hub.game.seats:
        # A pad that came back while the power was off ends its trustee.
        here = seat.pad_present
        if not here or seat.trustee and hub.game.ledger.trustee_cause[seat.index] == _BY_PAD:
            hub.game.pad(seat.index, here, now)
    if not hub.bus.ok:
        hub.game.fault(3)
    try:
        hub.bus.i2c.readfrom_mem_into(pins.CLOCK_ADDRESS, 0, hub.bus.pair)
    except OSError:
        hub.game.fault(2)
    hub.settings_changed()
    put_back("pins", "players", "slots")
    if machine.reset_cause() == machine.SOFT_RESET:
        machine.Timer(0).deinit()  # boot.py's: only progress feeds it from now on
    return machine.WDT(timeout=_WATCHDOG_MS)


def _cause():
    """Why the hub was started, as an index into record.BOOTS."""
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return 0
    if cause == machine.WDT_RESET:
        return 2
    return 1 if cause in (machine.HARD_RESET, machine.SOFT_RESET) else 3
