"""The hub: its parts, put together by ``assembly.py``, and the loop that gives each its turn.

One round of ``step``: sample keys, advance the game, look at the console, lights and ring, then paint one slice of one
screen. ``run`` sleeps to the next deadline, a few ms at most while a key could be pressed. Nothing in it waits.
"""

import gc
import os
import time
from hashlib import sha256

import machine
from micropython import const

from game import LOBBY, PLAY
from seats import HUMAN
from settings import BRIGHTNESS
from shelf import put_back

_REST_MS = const(5)  # sleep while a key could be pressed
_REST_BOTS_MS = const(20)  # ... while only bots play and no key is moving
_BLINK_MS = const(200)
_FEED_MS = const(2000)


class Hub:
    """All parts; made once, at boot. ``heap_free``, ``heap_low``: bytes free after a collection, the least so far."""

    def __init__(self, canvas, hints):
        """canvas: screen.canvas.Canvas; hints: shared_rules.hints.Hints; the two largest things of the heap."""
        import assembly

        self.heap_free = self.heap_low = 0
        self.running = False
        self._next = 0  # seat whose screen is looked at first for a slice of painting
        self._turn_seen = -1
        self._repeat = None
        parts = assembly.build(self, canvas, hints)
        self.panels, self.backlight, self.bus, self.pads, self.ring, self.game = parts[:6]
        self.screens, self.keys, self.console = parts[6:]
        del parts
        self.note_heap()
        self.watchdog = assembly.start(self)

    def seed(self):
        """32 bytes for a deal: the hardware generator, mixed with the timing of key presses and the clock."""
        h = sha256(os.urandom(32))
        h.update(self.keys.noise)
        h.update(str(time.ticks_us()).encode())
        return h.digest()

    def pad_changed(self, seat, present):
        """A pad has come or gone."""
        if self.running:
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

    def make_room(self):
        """Take the code of what the screens show out of the heap: they are about to show something else."""
        for screen in self.screens:
            screen.close()
        put_back("screen.play", "screen.compact", "screen.hand", "screen.lobby", "screen.settle")
        gc.collect()

    def settings_changed(self):
        """Brightness may have changed; in the lobby the rule set and the clock, too."""
        game = self.game
        settings = game.settings
        self.backlight.duty_u16(settings.get(BRIGHTNESS) * 65535 // 100)
        if game.phase == LOBBY and not game.test:
            game.turn_seconds = settings.turn_seconds()

    def repeat(self, repeat):
        """Repeat the record (a repeat.Repeat) when there is nothing else to do."""
        self._repeat = repeat

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
        if self.paint(now) or busy:
            return 0
        if self._repeat:
            if self._repeat.step():
                self._repeat = None
                put_back("repeat", "sectors", "opening", "shared_rules.deal", "shared_rules.score")
            return 0
        if self.keys.busy or game.phase == LOBBY:
            return _REST_MS
        for seat in game.seats:
            if seat.kind == HUMAN:
                return _REST_MS
        return _REST_BOTS_MS

    def _shine(self, now):
        """Lights of the pads, and the ring."""
        game = self.game
        turn = game.table.turn if game.phase == PLAY else -1
        for s, pad in enumerate(self.pads):
            seat = game.seats[s]
            pad.lights(
                (1 if s == turn or game.phase == LOBBY and not seat.ready else 0)
                | (2 if seat.legal and s == turn else 0)
                | (4 if seat.trustee else 0)
                | (8 if seat.notice or seat.refusal else 0)
            )
        big = game.big
        self.ring.show(turn, big[2] if big else 0, time.ticks_diff(big[3], now) // _BLINK_MS & 1 if big else 0)

    def paint(self, now):
        """Panels that come up are drawn whole; else one slice of the next screen that wants one. True: more is left."""
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
                self._next = (s + 1) & 3
                return True
        return False

    def run(self):
        """For ever. The watchdog is fed by rounds that came to their end, nothing else."""
        try:
            while True:
                rest = self.step()
                self.watchdog.feed()
                if rest:
                    time.sleep_ms(rest)
        except KeyboardInterrupt:
            # Someone wants the REPL. The watchdog cannot be stopped: a timer feeds it from now on.
            machine.Timer(0, period=_FEED_MS, callback=lambda timer: self.watchdog.feed())
            raise
