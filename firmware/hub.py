"""The hub: its parts put together, and the loop that gives each its turn.

One round of ``step``: sample keys, advance the game, look at the console, lights and ring, then paint one slice of one
screen. ``run`` sleeps to the next deadline, a few ms at most while a key could be pressed. Nothing in it waits.
"""

import gc
import os
import sys
import time
from hashlib import sha256

import machine
from micropython import const

import journal
import ledger
import record
from console import Console
from drivers import flash, ili9341, mcp23017, ring
from game import LOBBY, PLAY, Game
from keys import Keys
from screen.seat import SeatScreen
from seats import HUMAN
from settings import Settings

VERSION = (0, 1, 0)

_WATCHDOG_MS = const(8000)
_REST_MS = const(5)  # sleep while a key could be pressed
_REST_BOTS_MS = const(20)  # ... while only bots play and no key is moving
_BLINK_MS = const(200)
_LIT = const(0x80)


class Hub:
    """All parts; made once, at boot."""

    def __init__(self, canvas, hints):
        """canvas: screen.canvas.Canvas; hints: shared_rules.hints.Hints; the two largest things of the heap."""
        now = time.ticks_ms()
        self.heap_free = self.heap_low = 0
        self.displays = ili9341.Bus()
        self.displays.reset()
        self.panels = [ili9341.Panel(self.displays, s, now) for s in range(4)]
        self._backlight = machine.PWM(machine.Pin(ili9341.pins.BACKLIGHT), freq=ili9341.pins.BACKLIGHT_HZ, duty_u16=0)
        self.bus = mcp23017.Pads()
        self.pads = [mcp23017.Pad(self.bus, s) for s in range(4)]
        self.ring = ring.Ring()
        self._flash = flash.Flash()
        self._write = sys.stdout.write
        led = ledger.Ledger(record.Record(self._write))
        self.game = Game(
            journal.Journal(self._flash), led, Settings(self._flash), self._seed, hints, self.note_heap
        )
        self.screens = [SeatScreen(self.panels[s], self.game, self.game.seats[s], canvas) for s in range(4)]
        self.keys = Keys(self.bus, self.pads, self._turn, self._press, self._pad_changed, now)
        self.console = Console(self, self._write)
        self._next = 0  # seat whose screen is looked at first for a slice of painting
        self._turn_seen = -1
        self._watchdog = None
        self._started = False
        self.note_heap()

    def _seed(self):
        """32 bytes for a deal: the hardware generator, mixed with the timing of key presses and the clock."""
        h = sha256(os.urandom(32))
        h.update(self.keys.noise)
        h.update(b"%d" % time.ticks_us())
        return h.digest()

    def _turn(self):
        return self.game.turn_no

    def _press(self, seat, key, turn):
        self.game.key(seat, key, turn, time.ticks_ms())

    def _pad_changed(self, seat, present):
        if self._started:
            self.game.pad(seat, present, time.ticks_ms())
        else:
            self.game.seats[seat].pad_present = present

    def note_heap(self):
        """Collect, and remember how much heap is free and the least that ever was."""
        gc.collect()
        if hasattr(gc, "mem_free"):
            self.heap_free = gc.mem_free()
            if not self.heap_low or self.heap_free < self.heap_low:
                self.heap_low = self.heap_free

    def settings_changed(self):
        """Brightness may have changed; in the lobby the rule set and the clock, too."""
        self._backlight.duty_u16(self.game.settings.get(16) * 65535 // 100)
        if self.game.phase == LOBBY and not self.game.test:
            self.game.between("choose_rules", self.game.settings.get(1))
            self.game.turn_seconds = self.game.settings.turn_seconds()

    def repeat(self, deal, k):
        """Write the record behind id [deal, k] again, as far as the journal holds it; how many lines."""
        return 0

    def start(self):
        """Find the pads, tell the console that the hub is on, say what is missing, and go on where the journal ends."""
        now = time.ticks_ms()
        self.keys.find()
        for seat in self.game.seats:
            seat.display_present = True  # until the first step of its panel finds it missing
        major, minor, patch = VERSION
        self.game.between("boot", major << 15 | minor << 8 | patch, _cause(), now)
        self._started = True
        for seat in self.game.seats:
            if not seat.pad_present:
                self.game.pad(seat.index, False, now)
        self.settings_changed()
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)

    def step(self):
        """One round. Returns the ms to sleep after it: 0 while there is something to do at once."""
        now = time.ticks_ms()
        game = self.game
        self.keys.step(now)
        busy = game.step(now)
        if self.console.step(now):
            busy = True
        if game.turn_no != self._turn_seen:
            self._turn_seen = game.turn_no
            self.note_heap()
        self._shine(now)
        if self._paint(now):
            busy = True
        if busy:
            return 0
        if self.keys.busy() or self._persons():
            return _REST_MS
        return _REST_BOTS_MS

    def _persons(self):
        for seat in self.game.seats:
            if seat.kind == HUMAN:
                return True
        return self.game.phase == LOBBY

    def _shine(self, now):
        """Lights of the pads, and the ring."""
        game = self.game
        turn = game.table.turn if game.phase == PLAY else -1
        for s, pad in enumerate(self.pads):
            if pad.present:
                seat = game.seats[s]
                pad.lights(
                    (1 if s == turn or game.phase == LOBBY and not seat.ready else 0)
                    | (2 if seat.legal and s == turn else 0)
                    | (4 if seat.trustee else 0)
                    | (8 if seat.notice or seat.refusal else 0)
                )
        big = game.big
        if big:
            self.ring.show(turn, big[2], time.ticks_diff(big[3], now) // _BLINK_MS & 1)
        else:
            self.ring.show(turn, 0, 0)

    def _paint(self, now):
        """Panels that come up are drawn whole; else one slice of the next screen that wants one."""
        more = False
        for s in range(4):
            panel = self.panels[s]
            was = panel.present
            if panel.step(now):
                self.screens[s].reset()
            if panel.present != was:
                self.game.display(s, panel.present)
            self.screens[s].mark()
        for i in range(4):
            s = (self._next + i) & 3
            if self.panels[s].ready and self.screens[s].paint():
                more = True
                self._next = s + 1 & 3
                break
        return more

    def run(self):
        """For ever."""
        self.start()
        while True:
            rest = self.step()
            self._watchdog.feed()
            if rest:
                time.sleep_ms(rest)


def _cause():
    """Why the hub was started, as an index into record.BOOTS."""
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return 0
    if cause == machine.WDT_RESET:
        return 2
    return 1 if cause in (machine.HARD_RESET, machine.SOFT_RESET) else 3
