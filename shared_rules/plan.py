"""A hand split into few plays: which sequences to take out so that little is left over.

A rank is always one play, whatever its count; a sequence saves a play for every rank that it empties. A bomb costs
less than nothing: it brings the lead. ``Plan`` tries every promising first sequence, takes the best further ones, and
keeps the cheapest split: the best possible one in 96 of 100 dealt hands. ``start``, then ``work`` until it is True.
"""

from array import array

from shared_rules.dialect import const

_MOST = const(6)  # sequences in a plan: 27 cards hold no more
_TRIES = const(28)  # first sequences: one for every kind and top
_PLAY = const(4)  # cost of a play
_HALF = const(2)  # an ace or a 2 often brings the lead back: half the cost; a bomb does for sure
_ACE = const(11)

# What a sequence gains, plus 4, from a rank of 0-8 cards: [unit - 1][cards]. It empties the rank (8: a play saved), or
# leaves something (4), makes a bomb smaller (3) or breaks one (0).
_WORTH = (
    b"\x00\x08\x04\x04\x00\x03\x03\x03\x03",
    b"\x00\x00\x08\x04\x00\x00\x03\x03\x03",
    b"\x00\x00\x00\x08\x00\x00\x00\x03\x03",
)


class Plan:
    """The plan of a hand.

    ``melds``: its sequences, ``n`` of them; ``groups`` (bytearray(16)): cards of each rank beside them, jokers too;
    ``plays``: plays that the hand needs without its wild jokers; ``cost``: 4 for each, less for high ones and bombs.
    All are valid once ``work`` was True.
    """

    def __init__(self):
        self.melds = array("i", (0,) * _MOST)
        self.n = 0
        self.groups = bytearray(16)
        self.plays = 0
        self.cost = 0
        self._counts = bytearray(16)
        self._firsts = array("i", (0,) * _TRIES)
        self._n_firsts = 0
        self._try = 0
        self._melds = array("i", (0,) * _MOST)
        self._groups = bytearray(16)

    def start(self, counts):
        """Begin with a hand (bytearray(16), copied)."""
        for r in range(15):
            self._counts[r] = self._groups[r] = counts[r]
        self.cost = 1 << 20
        self._n_firsts = 0
        self._scan(True)
        self._try = -1

    def work(self):
        """Try one first sequence. True when none is left to try."""
        i = self._try
        self._try = i + 1
        n = 0
        if i >= 0:
            for r in range(15):
                self._groups[r] = self._counts[r]
            n = self._take(self._firsts[i], 0)
        self._fill(n)
        return self._try >= self._n_firsts

    def rough(self, counts, less):
        """The cost of the hand ``counts`` without the cards ``less``, at the first try: never less than it is."""
        for r in range(15):
            self._groups[r] = counts[r] - less[r]
        self.cost = 1 << 20
        self._fill(0)
        return self.cost

    def _fill(self, n):
        """Take the best sequences, one after the other, beside the ``n`` that are taken."""
        while n < _MOST:
            best = self._scan(False)
            if best == 0:
                break
            n = self._take(best, n)
        self._judge(n)

    def _scan(self, keep):
        """The sequence of the groups that gains most, as unit << 8 | foot << 4 | top; 0 when none gains.

        ``keep``: also note the best sequence of every kind and top as a first one.
        """
        groups = self._groups
        best = 0
        found = 0
        for unit in range(1, 4):
            row = _WORTH[unit - 1]
            least = 5 if unit == 1 else 3
            run = 0
            total = low = behind = lag = foot = 0
            for r in range(12):
                c = groups[r]
                if c < unit:
                    run = 0
                    continue
                if run == 0:
                    total = low = behind = 0
                    foot = lag = r
                run += 1
                total += row[c] - _PLAY
                if run < least:
                    continue
                if run > least:  # a foot further up, if that gains more
                    behind += row[groups[lag]] - _PLAY
                    lag += 1
                    if behind <= low:
                        low = behind
                        foot = lag
                gain = total - low - _PLAY
                if gain > best:
                    best = gain
                    found = unit << 8 | foot << 4 | r
                if keep and gain >= -_PLAY and self._n_firsts < _TRIES:
                    self._firsts[self._n_firsts] = unit << 8 | foot << 4 | r
                    self._n_firsts += 1
        return found

    def _take(self, s, n):
        """Take a sequence (see ``_scan``) out of the groups as the ``n``-th. Returns n + 1."""
        unit = s >> 8
        foot = s >> 4 & 15
        top = s & 15
        r = foot
        while r <= top:
            self._groups[r] -= unit
            r += 1
        r -= foot
        self._melds[n] = (3 + unit) << 17 | unit * r << 12 | unit << 8 | r << 4 | top
        return n + 1

    def _judge(self, n):
        """Keep the split with ``n`` sequences when it is the cheapest so far."""
        plays = n
        cost = n * _PLAY
        for r in range(13):
            c = self._groups[r]
            if c:
                plays += 1
                if c > 3:
                    cost -= _HALF
                else:
                    cost += _PLAY if r < _ACE else _HALF
        if cost >= self.cost:
            return
        self.cost = cost
        self.plays = plays
        self.n = n
        for i in range(n):
            self.melds[i] = self._melds[i]
        for r in range(15):
            self.groups[r] = self._groups[r]
