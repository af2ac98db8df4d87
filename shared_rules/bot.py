"""The normal bot, and the simple player that stands in as trustee (託管). RULES.md section 9.4.

A bot sees its own hand and what everybody sees: card counts, the table, who passed. It is deterministic. ``start``,
``work`` until True (each call one bounded slice), then ``choose``.
"""

from array import array

from shared_rules import generate
from shared_rules.classify import classify
from shared_rules.compare import beats, star
from shared_rules.dialect import const
from shared_rules.meld import same_rank

_BOMBS_FROM = const(7 << 17)
_NEVER = const(1 << 20)
_HIGH = const(60)  # beyond every usual score of a lead
_TORN = const(24)  # for a bomb that is not all cards of its rank

# All numbers below were found by playing some thousand deals against the version before.
# A lead: the least top + bias goes first; of no meld, single, pair, triple, straight, pairs, triples.
_LEAD_BIAS = (0, 2, -1, -3, -6, -8, -8)
# A follow costs what the hints say and 40 for each joker.
_JOKER = const(40)
_MOST = const(30)  # what it may cost
_MOST_DANGER = const(80)  # while an opponent has few cards
_FEW = const(8)  # cards that are few
_NEARLY_OUT = const(6)  # for the trustee
# On the partner's play: only when that was low and short, and at next to no cost.
_PARTNER_MOST = const(9)
_PARTNER_TOP = const(8)
_PARTNER_SIZE = const(3)
# With so few plays to go bombs are there to be played; with not many more, to stop a trick that nobody else can.
_LAST_PLAYS = const(3)
_LATE_PLAYS = const(5)


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
        if self._table.meld == 0:
            return self.hints.plan.work()
        return self.hints.work()

    def choose(self, out):
        """Write the cards to play to ``out`` (bytearray(16)). Returns the meld, 0 for a pass (never on a lead)."""
        table = self._table
        rules = table.rules
        own = table.counts[self._seat]
        n = classify(rules, own, self._readings)
        for i in range(n):
            if beats(rules, self._readings[i], table.meld):  # goes out
                for r in range(16):
                    out[r] = own[r]
                return self._readings[i]
        m = self._lead() if table.meld == 0 else self._follow()
        if m:
            generate.pick(rules, own, m, out)
        return m

    def _enemy_least(self):
        """Cards of the opponent who holds fewest but still plays."""
        least = 99
        for i in (1, 3):
            n = self._table.counts[(self._seat + i) & 3][15]
            if 0 < n < least:
                least = n
        return least

    def _lead(self):
        """The meld to lead: what the plan wants gone first."""
        plan = self.hints.plan
        danger = self._enemy_least()
        best = 0
        best_score = _NEVER
        for i in range(plan.n):
            m = plan.melds[i]
            score = self._lead_score(m, danger, plan.plays)
            if score < best_score:
                best_score = score
                best = m
        for r in range(15):
            c = plan.groups[r]
            if c and (r < 13 or best == 0):
                m = same_rank(r, c if r < 13 else 1)
                score = self._lead_score(m, danger, plan.plays)
                if score < best_score:
                    best_score = score
                    best = m
        return best

    def _lead_score(self, m, danger, plays):
        """Less is led first."""
        top = m & 15
        size = m >> 12 & 31
        if m >= _BOMBS_FROM:
            return 0 if plays <= 2 else _HIGH + 40 + size
        if plays <= 2 or size == danger <= 3:  # the higher one first: it holds, or gives nothing away
            return _HIGH - top
        return top + _LEAD_BIAS[m >> 17] + 20

    def _follow(self):
        """The meld to follow with, 0 to pass."""
        table = self._table
        hints = self.hints
        best = 0
        cost = _NEVER
        bomb = 0
        bomb_cost = _NEVER
        for i in range(hints.n):
            m = hints.melds[i]
            if m >= _BOMBS_FROM:
                # which bomb to spend: few stars, a whole one, few jokers
                c = star(table.rules, m) * 4 + hints.jokers(m) * 6
                if not hints.planned(m):
                    c += _TORN
                if c < bomb_cost:
                    bomb_cost = c
                    bomb = m
            else:
                c = hints.cost(i) + hints.jokers(m) * _JOKER
                if c < cost:
                    cost = c
                    best = m
        danger = self._enemy_least()
        partner = table.owner == (self._seat + 2) & 3
        if self.simple:
            if partner:
                return 0
            return best if best or danger > _NEARLY_OUT else bomb
        if partner:
            low = table.meld & 15 <= _PARTNER_TOP and table.meld >> 12 & 31 <= _PARTNER_SIZE
            return best if low and cost <= _PARTNER_MOST else 0
        few = danger <= _FEW
        plays = hints.plan.plays
        urgent = few or plays <= _LAST_PLAYS
        if best and cost <= (_MOST_DANGER if urgent else _MOST):
            return best
        return bomb if urgent or table.waiting == 1 and plays <= _LATE_PLAYS else 0
