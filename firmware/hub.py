"""The hub: its parts, put together by ``assembly.py``, and the loop that gives each its turn.

``run`` goes by a grid of ticks, a few ms apart. A tick, ``step``: advance the game, sample keys, look at the console,
lights and ring. What is left of the time until the next tick is for ``spare``: thinking, repeating the record, painting
slice by slice; a slice that would not end before the tick waits for the next one. So acts and lines of the record come
at times that do not depend on what a screen paints, and tell nothing of a hand.
"""

import gc
import os
import time
from hashlib import sha256

import machine
from micropython import const

from game import DEALING, LOBBY, PLAY
from seats import HUMAN
from settings import BRIGHTNESS
from shelf import MODULES, put_back
from sound import Sound

_TICK_US = const(5000)  # while a key could be pressed
_TICK_BOTS_US = const(20000)  # while only bots play and no key is moving
# The longest slice: a full canvas (screen/canvas.py) at 20 MHz, with its commands. Over a slower bus slices overrun
# their tick, which then is one later.
_SLICE_US = const(2150)
_SHARE_MS = const(20)  # of the time for painting hands that are dealt, a seat after the other
_YIELD_US = const(2000)  # from here on a rest gives the processor away
_FEED_MS = const(2000)
_LATER_MS = const(1000)


class Hub:
    """All parts; made once, at boot. ``heap_free``, ``heap_low``: bytes free after a collection, the least so far."""

    def __init__(self, canvas, hints):
        """canvas: screen.canvas.Canvas; hints: shared_rules.hints.Hints; the two largest things of the heap."""
        self.heap_free = self.heap_low = 0
        self.running = False
        self.due = None  # when trial.py looks at this start (ms); 0: never
        self._next = 0  # seat whose screen is looked at first for a slice of painting
        self.seat = 0  # whose screen is looked at while a key is moving
        self._turn_seen = -1
        self._repeat = None
        self._late = False  # the last tick left no time to paint
        parts = __import__("assembly").build(self, canvas, hints)
        self.panels, self.backlight, self.bus, self.pads, self.ring, self.game = parts[:6]
        self.screens, self.keys, self.console, out = parts[6:]
        del parts
        self.sound = self.game.ledger.record.sound = Sound(out, self.game)
        self.watchdog = None  # once the hub has started

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
        put_back(*[name for name in MODULES if name[:7] == "screen." or name[:7] == "shared_"])
        put_back("menu", "trick", "ask", "pages", "naming", "sheet", "closing")
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
        """A tick. Returns the us until the next one."""
        now = time.ticks_ms()
        game = self.game
        game.step(now)  # first: what is due acts at the tick, whether pads are read in it or not
        self.keys.step(now)
        self.console.step(now)
        if game.turn_no != self._turn_seen:
            self._turn_seen = game.turn_no
            self.note_heap()
        if self.due and time.ticks_diff(self.due, now) <= 0:
            try:
                self.due = __import__("trial").step(self, now)
            except (MemoryError, OSError):  # not now: the deal goes first
                self.due = time.ticks_add(now, _LATER_MS) or 1
            put_back("trial")
        # While a key is moving, a tick is short: the first pixel that answers it must not wait for the rest.
        self.seat = (self.seat + 1) & 3
        seats = self.keys.wanted or (1 << self.seat if self.keys.busy else 15)
        if seats & 1:
            self._shine()
        self.sound.step(now)
        self.look(now, seats)
        if self.keys.busy or game.phase == LOBBY:
            return _TICK_US
        for seat in game.seats:
            if seat.kind == HUMAN:
                return _TICK_US
        return _TICK_BOTS_US

    def spare(self, left):
        """Do one small thing in the left us before the next tick. False if there is none, or it would take too long."""
        if self.game.work():
            return True
        if left < _SLICE_US:
            # Two such ticks running: the board itself is slow, and no grid is kept by waiting.
            self._late = not self._late
            if self._late:
                return False
        else:
            self._late = False
        if self.paint():
            return True
        if self._repeat:
            try:
                done = self._repeat.step()
            except MemoryError:  # the deal goes first
                self.console.write('{"re":null,"ok":false,"why":"There is no memory for that now."}\n')
                done = True
            if done:
                self._repeat = None
                put_back("repeat", "copying", "sectors", "opening", "shared_rules.deal", "shared_rules.score")
            return True
        return False

    def _shine(self):
        """Lights of the pads, and the ring."""
        game = self.game
        turn = game.table.turn if game.phase == PLAY else -1
        big = game.big
        for s, pad in enumerate(self.pads):
            seat = game.seats[s]
            pad.lights(
                (1 if s == turn or game.phase == LOBBY and not seat.ready else 0)
                | (2 if seat.legal and s == turn else 0)
                | (4 if seat.trustee else 0)
                | (8 if seat.notice or seat.refusal or big and not big[4] & 4 else 0)
            )
        if big:
            self.ring.show(turn, big[0] << 4 | big[2], big[4])
        else:
            self.ring.show(turn, 0, 0)

    def look(self, now, seats=15):
        """Panels that come up are to be drawn whole; what has changed on screens (seats: a bit each) is marked."""
        for s in range(4):
            if not seats >> s & 1:
                continue
            panel = self.panels[s]
            was = panel.present
            if panel.step(now):
                self.screens[s].reset()
            if panel.present != was:
                self.game.display(s, panel.present)
            if panel.ready:
                try:
                    self.screens[s].mark()
                except MemoryError:  # not now: the deal goes first, the screen waits for room in the heap
                    self.screens[s].close()

    def paint(self):
        """Paint one slice of the next screen that wants one. False if none does."""
        # Hands that are dealt have their own times: how many columns one has must not show in when another is done.
        dealing = self.game.phase == DEALING
        for i in range(8):
            s = (self._next + i) & 3
            screen = self.screens[s]
            if not (screen.dirty or screen.columns or screen.region >= 0):
                continue
            if i > 3 and dealing and time.ticks_diff(time.ticks_ms(), 0) // _SHARE_MS & 3 != s:
                continue
            try:
                if self.panels[s].ready and screen.paint(i < 4):
                    self._next = (s + 1) & 3
                    return True
            except MemoryError:
                screen.close()
        return False

    def run(self):
        """For ever. The watchdog is fed by ticks that came to their end, nothing else."""
        try:
            due = time.ticks_us()
            while True:
                due = time.ticks_add(due, self.step())
                self.watchdog.feed()
                while True:
                    left = time.ticks_diff(due, time.ticks_us())
                    if not self.spare(left):
                        break
                while left <= -_TICK_US:  # late: the grid stays as it is
                    left += _TICK_US
                    due = time.ticks_add(due, _TICK_US)
                if left >= _YIELD_US:
                    time.sleep_ms(left // 1000 - 1)
                    left = time.ticks_diff(due, time.ticks_us())
                if left > 0:
                    time.sleep_us(left)
        except KeyboardInterrupt:
            # Someone wants the REPL. The watchdog cannot be stopped: a timer feeds it from now on.
            machine.Timer(0, period=_FEED_MS, callback=lambda timer: self.watchdog.feed())
            raise
