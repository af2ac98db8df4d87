"""Fingers on keys: a contact bounces for up to some milliseconds when it closes and when it opens, seeded."""

import random

from ..clock import MS, US

BOUNCE = 4 * MS  # a tactile switch settles well within 5 ms
CHATTERS = 6  # at most so many extra openings or closings


class Fingers:
    """``contact(seat, key, down)`` is told every single closing and opening, at its time."""

    def __init__(self, clock, seed, contact):
        self._clock = clock
        self._seed = seed
        self._contact = contact

    def move(self, seat, key, down, when=None):
        """Press or release a key from ``when`` (ns; now by default) on. Returns the time when it has settled."""
        when = self._clock.now if when is None else when
        # Of each press its own: what other keys did before does not change it.
        chance = random.Random(f"bounce {self._seed} {seat} {key} {down} {when}")
        edges = sorted(chance.randrange(20 * US, BOUNCE) for _ in range(chance.randrange(0, CHATTERS, 2)))
        state = down
        last = when
        for offset in [0, *edges]:
            last = when + offset
            self._clock.at(last, lambda t, s=state: self._contact(seat, key, s, t))
            state = not state
        return last
