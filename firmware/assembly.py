"""The hub put together at boot: parts made and connected, pads looked for, the journal taken up.

In memory only until the hub runs (``shelf.py``).
"""

import sys
import time

import machine
from micropython import const

import journal
import keys
import ledger
import pins
import players
import record
from console import Console
from drivers import flash, ili9341, mcp23017, ring
from game import Game
from screen.seat import SeatScreen
from seats import Seat
from shelf import made, put_back

VERSION = (0, 1, 0)

_WATCHDOG_MS = const(8000)


def build(hub, canvas, hints):
    """The parts of a ``hub.Hub``: panels, backlight, I2C bus, pads, ring, game, screens, keys, console.

    canvas: screen.canvas.Canvas; hints: shared_rules.hints.Hints.
    """
    now = time.ticks_ms()
    displays = ili9341.Bus()
    panels = [ili9341.Panel(displays, s, now) for s in range(4)]
    backlight = machine.PWM(machine.Pin(pins.BACKLIGHT), freq=pins.BACKLIGHT_HZ, duty_u16=0)
    bus = mcp23017.Pads()
    pads = [mcp23017.Pad(bus, s) for s in range(4)]
    light = ring.Ring()
    chip = flash.Flash()
    led = ledger.Ledger(record.Record(sys.stdout.write))
    game = Game(journal.Journal(chip), led, players.load(chip), hub, hints)
    screens = [SeatScreen(panels[s], game, game.seats[s], canvas) for s in range(4)]
    fingers = keys.Keys(bus, pads, hub, now)
    console = Console(hub, sys.stdout.write)
    made(ili9341.Bus, ili9341.Panel, mcp23017.Pads, mcp23017.Pad, ring.Ring, flash.Flash, journal.Journal)
    made(Game, Seat, SeatScreen, keys.Keys, Console)
    return panels, backlight, bus, pads, light, game, screens, fingers, console


def start(hub):
    """Find the pads, tell the console that the hub is on, say what is missing, and go on where the journal ends.

    Returns the watchdog.
    """
    now = time.ticks_ms()
    major, minor, patch = VERSION
    hub.keys.find()
    for seat in hub.game.seats:
        seat.display_present = True  # until its panel finds it missing
    hub.game.between("booting", "boot", major << 15 | minor << 8 | patch, _cause(), now)
    hub.running = True
    for seat in hub.game.seats:
        if not seat.pad_present:
            hub.game.pad(seat.index, False, now)
    hub.settings_changed()
    # The displays' set-up is waited for: nobody presses a key in the first quarter of a second.
    while [panel for panel in hub.panels if panel.state < ili9341.RUNNING]:
        time.sleep_ms(5)
        hub.look(time.ticks_ms())
    put_back("assembly", "pins", "players", "slots")
    return machine.WDT(timeout=_WATCHDOG_MS)


def _cause():
    """Why the hub was started, as an index into record.BOOTS."""
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return 0
    if cause == machine.WDT_RESET:
        return 2
    return 1 if cause in (machine.HARD_RESET, machine.SOFT_RESET) else 3
