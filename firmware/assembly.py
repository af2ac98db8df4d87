"""The hub put together at boot: parts made and connected. What then happens is in ``starting.py``.

In memory only until they are made (``shelf.py``).
"""

import os
import sys
import time

import machine

import journal
import keys
import ledger
import pins
import players
import record
from console import Console
from drivers import flash, ili9341, max98357, mcp23017, ring
from game import Game
from screen.seat import SeatScreen
from seats import Seat
from shelf import made, put_back


def build(hub, canvas, hints):
    """The parts of a ``hub.Hub``: panels, backlight, I2C bus, pads, ring, game, screens, keys, console, I2S.

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
    if sys.implementation.name == "micropython" and "restore" in os.listdir("/"):
        __import__("restoring").apply(chip)
        put_back("restoring")
    led = ledger.Ledger(record.Record(sys.stdout.write))
    game = Game(journal.Journal(chip), led, players.load(chip), hub, hints)
    screens = [SeatScreen(panels[s], game, game.seats[s], canvas) for s in range(4)]
    fingers = keys.Keys(bus, pads, hub, now)
    console = Console(hub, sys.stdout.write)
    made(ili9341.Bus, ili9341.Panel, mcp23017.Pads, mcp23017.Pad, ring.Ring, flash.Flash, journal.Journal)
    made(Game, Seat, SeatScreen, keys.Keys, Console)
    return panels, backlight, bus, pads, light, game, screens, fingers, console, max98357.opened()
