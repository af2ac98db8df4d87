"""Fingers on the pads: what browsers send becomes presses that a debounced pad notices.

A click in a browser can be shorter than the pad's debouncing, and two clicks closer together than a finger
can manage. Each seat has one queue: every press lasts at least ``HOLD_MS``, the same key rests at least
``REST_MS`` between two presses, and the order in which keys were pressed is kept. A key that two browsers
hold is up when both have let go.
"""

import asyncio

from .links import SEATS

KEYS = ("left", "right", "up", "down", "clear", "play", "pass", "hint", "bomb", "sort", "trustee", "menu")
# Debouncing takes four agreeing samples and a contact bounces for a few milliseconds: 50 ms is noticed for
# certain.
HOLD_MS = 50
REST_MS = 50
# More than this many transitions waiting at one seat is no person: the rest is dropped.
QUEUE = 128


class Fingers:
    """All four pads. ``touch(seat, key, down)`` is called in the event loop and reaches the table's
    ``key``; ``slowness()``: real milliseconds a millisecond of the table takes, at least 1 (a slowed table
    needs longer presses)."""

    def __init__(self, touch, slowness=lambda: 1.0):
        self._touch = touch
        self._slowness = slowness
        self._held = {}
        self._queues = {}
        self._workers = []

    def start(self):
        """Begin to work; call inside the event loop."""
        for seat in SEATS:
            self._queues[seat] = asyncio.Queue(QUEUE)
            self._workers.append(asyncio.create_task(self._work(seat)))

    async def stop(self):
        """Let every held key go and end."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for (seat, key), who in self._held.items():
            if who:
                self._touch(seat, key, False)
        self._held.clear()

    def key(self, who, seat, key, down):
        """``who`` presses or lets go a key. Returns False if the seat's queue is full."""
        holders = self._held.setdefault((seat, key), set())
        before = bool(holders)
        if down:
            if self._queues[seat].full():
                return False
            holders.add(who)
        else:
            holders.discard(who)
        if before != bool(holders):
            try:
                self._queues[seat].put_nowait((key, down))
            except asyncio.QueueFull:
                # The queue keeps no room for this release; the worker lets go of every key nobody holds
                # when it is idle.
                return False
        return True

    def leave(self, who):
        """A browser is gone: whatever it held is let go."""
        for (seat, key), holders in self._held.items():
            if who in holders:
                self.key(who, seat, key, False)

    async def settled(self, seat):
        """Wait until everything queued at a seat has been done."""
        await self._queues[seat].join()

    async def _work(self, seat):
        loop = asyncio.get_running_loop()
        queue = self._queues[seat]
        pressed = set()
        changed = {}
        while True:
            key, down = await queue.get()
            least = (REST_MS if down else HOLD_MS) / 1000 * max(1.0, self._slowness())
            wait = changed.get(key, -1e9) + least - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            if down != (key in pressed):
                await loop.run_in_executor(None, self._touch, seat, key, down)
                (pressed.add if down else pressed.discard)(key)
            changed[key] = loop.time()
            if queue.empty():
                for stray in [k for k in pressed if not self._held.get((seat, k))]:
                    await loop.run_in_executor(None, self._touch, seat, stray, False)
                    pressed.discard(stray)
                    changed[stray] = loop.time()
            queue.task_done()
