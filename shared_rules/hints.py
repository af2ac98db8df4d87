"""The hint key (提示): every legal play of a hand, in the order that a good player would like. RULES.md section 9.2.

``Hints`` splits the hand into a plan of few plays, lists the melds that may be played (``generate``) and gives each a
key; ``next`` steps through the keys in order. Order of the keys:

1. what completes the raised cards, before all else
2. no bomb before bombs; bombs from small to large
3. fewer jokers first
4. on a lead what the plan holds: long sequences, then the lowest groups; else what harms the plan least, then the lower

``start``, then ``work`` until it is True (each call is one bounded slice), then ``next``. All buffers are made once.
"""

from array import array

from shared_rules import generate
from shared_rules.compare import strength
from shared_rules.dialect import const
from shared_rules.plan import Plan
from shared_rules.table import read

_BOMBS_FROM = const(7 << 17)
_CHUNK = const(12)  # melds that get their key in one slice: on a lead,
_CHUNK_FOLLOW = const(2)  # and where each is weighed by the plan of the rest
_BOMB_LESS = const(6)  # what breaking a bomb costs above the plays, in the plan's 4 a play
_LAST = const(0x3FFFFFFF)


class Hints:
    """The hint machine. ``plan``: how the hand is split. ``again``: ``next`` started over."""

    def __init__(self):
        self.melds = array("i", range(generate.MOST))  # as much room, and nothing thrown away to make it
        self.keys = array("i", range(generate.MOST))
        self.n = 0
        self.plan = Plan()
        self._trial = Plan()
        self._rest = bytearray(16)
        self.again = False
        self._readings = array("i", (0,) * 8)
        self._counts = bytearray(16)
        self._raised = bytearray(16)
        self._rules = None
        self._old = 0
        self._bombs = False
        self._has_raised = False
        self._stage = 0
        self._done = 0
        self._key = -1
        self._wild = 0

    def start(self, rules, counts, old, raised=None, bombs=False):
        """Begin to think: hints for a hand (bytearray(16)) on the meld ``old`` (0: a lead).

        ``raised``: counts of the cards that the player has raised, or None. ``bombs``: bombs only. Counts are copied.
        """
        self._rules = rules
        self._old = old
        self._bombs = bombs
        for i in range(16):
            self._counts[i] = counts[i]
            self._raised[i] = 0 if raised is None else raised[i]
        self._has_raised = raised is not None and raised[15] > 0
        self._wild = generate.wild_cards(rules, counts)
        self.n = 0
        self._stage = -1
        self._done = 0
        self._key = -1
        self.again = False
        self.plan.start(counts)

    def work(self):
        """One bounded slice of thinking, about 5 ms on the board. True when hints are ready."""
        stage = self._stage
        if stage < 0:
            if self.plan.work():
                self._stage = 0
            return False
        if stage < generate.PARTS:
            if stage >= 4 or not self._bombs:
                self.n = generate.part(self._rules, self._counts, self._old, self.melds, self.n, stage)
            self._stage += 1
            return False
        if self._done < self.n:
            i = self._done
            end = i + (_CHUNK_FOLLOW if self._old else _CHUNK)
            if end > self.n:
                end = self.n
            while i < end:
                self.keys[i] = self._rate(self.melds[i]) << 8 | i
                i += 1
            self._done = i
            return i == self.n
        return True

    def next(self, out):
        """Write the next hint's cards to ``out`` (bytearray(16)). Returns its meld, 0 when nothing is legal.

        After the last comes the first again, with ``again`` set.
        """
        self.again = False
        while True:
            best = _LAST
            last = self._key
            keys = self.keys
            i = self.n
            while i > 0:
                i -= 1
                k = keys[i]
                if last < k < best:
                    best = k
            if best == _LAST:
                if last < 0 or self.again:
                    return 0
                self._key = -1
                self.again = True
                continue
            self._key = best
            i = best & 255
            m = self.melds[i]
            if not self._has_raised or best >> 28:
                if self._cards(m, out, None):
                    return m
            elif self._cards(m, out, self._raised):
                return m
            else:
                self.keys[i] = best | 1 << 28  # without the raised cards, later

    def _cards(self, m, out, raised):
        """Choose the cards of a meld; True when they are read as that meld without being asked."""
        if not generate.pick(self._rules, self._counts, m, out, raised):
            return False
        return read(self._rules, out, self._old, 0, self._readings) == m

    def jokers(self, m):
        """Jokers that a meld of the hand needs; more than one rank's groups above the smallest are natural."""
        top = m & 15
        if top > 12:
            return m >> 12 & 31
        unit = m >> 8 & 15
        n = 0
        r = top - (m >> 4 & 15) + 1
        while r <= top:
            if self._counts[r] < unit:
                n += unit - self._counts[r]
            r += 1
        return n

    def harm(self, m):
        """What a meld, no bomb, spoils: cost of the rest beyond that of the plan, 4 a play; 0 when planned."""
        if self.planned(m) or not generate.pick(self._rules, self._counts, m, self._rest):
            return 0
        harm = self._trial.rough(self._counts, self._rest) - self.plan.cost + 4  # the play itself is none
        if harm < 0:
            harm = 0
        unit = m >> 8 & 15
        r = m & 15
        foot = r - (m >> 4 & 15)
        while r > foot:
            if 4 <= self._counts[r] < 4 + unit:  # a bomb less
                harm += _BOMB_LESS
            r -= 1
        return harm

    def cost(self, i):
        """What following with the ``i``-th meld costs without its jokers: harm * 3, its top, more for a high top."""
        return self.keys[i] >> 8 & 0x7FFF

    def planned(self, m):
        """Whether the plan holds the meld as it is: one of its sequences, or all cards of a rank beside them."""
        plan = self.plan
        if m >> 4 & 15 == 1:
            return plan.groups[m & 15] == m >> 12 & 31
        i = plan.n
        while i > 0:
            i -= 1
            if plan.melds[i] == m:
                return True
        return False

    def _rate(self, m):
        """A meld's place in the order, below 2^21; less comes first."""
        if m >= _BOMBS_FROM:
            key = 1 << 19 | strength(self._rules, m)
        else:
            top = m & 15
            k = m >> 4 & 15
            jokers = self.jokers(m)
            if self._old:
                # a high card costs something too: an ace is kept rather than a pair of threes left whole
                key = self.harm(m) * 3 + top + (top - 9 if top > 9 else 0)
            elif self.planned(m):
                key = (12 - k if k > 1 else 16) << 4 | top
            else:
                key = 1 << 9 | (31 - (m >> 12 & 31)) << 4 | top
            key |= jokers << 15
        if self._has_raised and not self._holds(m):
            key |= 1 << 20
        return key

    def _holds(self, m):
        """Whether the raised cards can be part of the meld; ``next`` makes sure."""
        top = m & 15
        foot = top - (m >> 4 & 15) + 1
        most = 8 if m >> 17 == 8 else m >> 8 & 15
        for r in range(13):
            if self._raised[r] and (self._raised[r] > most or not foot <= r <= top):
                return False
        return self._raised[15] <= m >> 12 & 31
