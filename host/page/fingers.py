"""Fingers on the pads: what browsers send becomes presses that a debounced pad notices.

A click in a browser can be shorter than the pad's debouncing, and two clicks closer together than a finger can
manage. Each seat has one queue: every press lasts at least ``HOLD_MS``, the same key rests at least ``REST_MS``
between two presses, and the order in which keys were pressed is kept. These are milliseconds of the table, whose
clock stands still while a busy machine computes. A key that two browsers hold is up when both have let go.
"""

import asyncio

from .links import SEATS

KEYS = ("left", "right", "up", "down", "clear", "play", "pass", "hint", "bomb", "sort", "trustee", "menu")
# Debouncing takes four agreeing samples, 5 ms apart, and a contact bounces for up to 4 ms: 40 ms is surely noticed.
HOLD_MS = 40
REST_MS = 40
# A table whose clock does not run for so long has stopped: its keys are let go all the same.
PATIENCE_S = 3.0
LOOK_EVERY_S = 0.004
# More than this many transitions waiting at one seat is no person: the rest is dropped.
QUEUE = 128


def told(task):
    """A task that runs as long as the page: if it fails, that is said at once and not only at the end."""
    task.add_done_callback(_tell_failure)
    return task


def _tell_failure(task):
    if not task.cancelled() and task.exception():
        what = {"message": "A part of the page has failed.", "exception": task.exception()}
        task.get_loop().call_exception_handler(what)


class Fingers:
    """All four pads. ``touch(seat, key, down)`` is the table's ``key``, ``clock()`` its time in ms; both are called in
    a worker thread, because the table may let them wait."""

    def __init__(self, touch, clock):
        self._touch = touch
        self._clock = clock
        self._held = {}
        self._queues = {}
        self._workers = []

    def start(self):
        """Begin to work; call inside the event loop."""
        for seat in SEATS:
            self._queues[seat] = asyncio.Queue(QUEUE)
            self._workers.append(told(asyncio.create_task(self._work(seat))))

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
            await self._since(changed.get(key), REST_MS if down else HOLD_MS)
            moves = [(key, down)] if down != (key in pressed) else []
            if queue.empty():
                moves += [(k, False) for k in pressed - {key} if not self._held.get((seat, k))]
            for key, down in moves:
                changed[key] = await loop.run_in_executor(None, self._move, seat, key, down)
                (pressed.add if down else pressed.discard)(key)
            queue.task_done()

    def _move(self, seat, key, down):
        self._touch(seat, key, down)
        return self._clock()

    async def _since(self, then, least):
        """Wait until the table has lived for ``least`` ms since ``then``."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        while then is not None and loop.time() < until:
            if await loop.run_in_executor(None, self._clock) - then >= least:
                return
            await asyncio.sleep(LOOK_EVERY_S)
