"""The normal bot, and the simple player that stands in as trustee (託管). RULES.md section 9.4.

A bot sees its own hand and what everybody sees: card counts, the table, who passed. It is deterministic. ``start``,
``work`` until True (each call one bounded slice), then ``choose``.
"""

from array import array

from shared_rules.table import read

_BOMBS_FROM = 7 << 17


class Bot:
    """``hints``: a Hints, shared by all bots of a table: only one of them thinks at a time.

    ``simple``: the trustee: follows cheaply, never on the partner, and bombs only against a hand that is nearly out.
    """

    def __init__(self, hints):
        self.hints = hints
        self.simple = False
        self._table = None
        self._seat = 0
        self._readings = array("i", (0,) * 8)

    def start(self, table, seat, simple=False):
        """Begin to think about ``seat``'s turn."""
        self._table = table
        self._seat = seat
        self.simple = simple
        self.hints.start(table.rules, table.counts[seat], table.meld)

    def work(self):
        """One slice; True when ``choose`` may be called."""
        return self.hints.work()

    def choose(self, out):
        """Write the cards to play to ``out`` (bytearray(16)). Returns the meld, 0 for a pass (never on a lead)."""
        table = self._table
        own = table.counts[self._seat]
        m = read(table.rules, own, table.meld, 0, self._readings)
        if m > 0:  # goes out
            for i in range(16):
                out[i] = own[i]
            return m
        if table.meld == 0:
            return self._lead(out)
        return self._follow(out)

    def _enemy_least(self):
        """Cards of the opponent who holds fewest but still plays; 27 when both are out of reach."""
        least = 27
        for i in (1, 3):
            n = self._table.left((self._seat + i) & 3)
            if 0 < n < least:
                least = n
        return least

    def _lead(self, out):
        """What the plan wants gone first; no single into a hand of one card when something else can be led."""
        hints = self.hints
        first = hints.next(out)
        if self.simple:
            return first
        danger = self._enemy_least()
        m = first
        while danger <= 3 and m >> 12 & 31 == danger and not hints.again:
            m = hints.next(out)
        if hints.again or m >= _BOMBS_FROM and first < _BOMBS_FROM and hints.plays > 3:
            # nothing else: the highest of them
            best = first
            hints.next(out)
            while not hints.again:
                m = hints.next(out)
                if m < _BOMBS_FROM and m > best and m >> 4 == first >> 4:
                    best = m
            m = hints.next(out)
            while m != best:
                m = hints.next(out)
        return m

    def _follow(self, out):
        """Cheaply on an opponent, hardly ever on the partner; bombs when they bring the lead or stop a hand."""
        table = self._table
        hints = self.hints
        m = hints.next(out)
        if m == 0:
            return 0
        partner = table.owner == (self._seat + 2) & 3
        danger = self._enemy_least()
        bomb = m >= _BOMBS_FROM
        if self.simple:
            if partner or bomb and danger > 6:
                return 0
            return m
        jokers = out[13] + out[14]
        if partner:
            if bomb or jokers or table.meld & 15 > 7 or table.meld >> 12 & 31 > 3:
                return 0
            return m if m & 15 < 12 else 0
        if bomb:
            if danger <= 10 or hints.plays <= 4 or table.meld >= _BOMBS_FROM and hints.plays <= 6:
                return m
            return 0
        if jokers and danger > 8 and hints.plays > 4:
            return 0
        return m
