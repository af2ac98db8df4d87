"""The supervisor's clock: nanoseconds since the simulator began, and what is due at a time.

Virtual time moves only where somebody spends it (``spend``: bits on a bus, a flash operation) or waits (``go``).
"""

import heapq

MS = 1_000_000
US = 1_000


class Clock:
    """``now`` is in ns; ``booted`` is the ``now`` of the last power-on."""

    def __init__(self):
        self.now = 0
        self.booted = 0
        self._due = []
        self._order = 0

    def at(self, when, act):
        """Call ``act(when)`` once the clock has reached ``when`` (ns); equal times keep their order."""
        heapq.heappush(self._due, (when, self._order, act))
        self._order += 1

    def next_due(self):
        """The time of the next thing that is due, or None."""
        return self._due[0][0] if self._due else None

    def spend(self, ns):
        """Time passes on a bus; what fell due meanwhile happens at the next ``settle``."""
        self.now += ns

    def settle(self):
        """Do everything that is due by now."""
        due = self._due
        while due and due[0][0] <= self.now:
            when, _, act = heapq.heappop(due)
            act(when)

    def go(self, when):
        """Wait until ``when`` (not back)."""
        if when > self.now:
            self.now = when
        self.settle()

    def after(self, us):
        """The end (ns) of a sleep of so many microseconds: the board's timer counts whole ones."""
        return (self.now // US + us) * US

    def ms(self):
        """Whole milliseconds since power on: the record's "t"."""
        return (self.now - self.booted) // MS
