"""The normal bot, and the simple player that stands in as trustee (託管). RULES.md section 9.4.

A bot sees its own hand and what everybody sees: card counts, the table, who passed. It is deterministic. ``start``,
``work`` until True (each call one bounded slice), then ``choose``.
"""

from array import array

from shared_rules import generate
from shared_rules.classify import classify
from shared_rules.compare import beats, star
from shared_rules.meld import same_rank

_BOMBS_FROM = 7 << 17
_NEVER = 1 << 20

# Leading: what goes first has the least top + bias; of single, pair, triple, straight, pairs, triples.
LEAD_BIAS = (0, 0, -1, -2, -4, -6, -6)
# Following: what a play may cost (see _cost) before a pass is better.
FOLLOW_MOST = 40
PARTNER_MOST = 9
PARTNER_TOP = 8
JOKER_COST = 40
HARM = 3
DANGER = 10
BOMB_PLAYS = 4
DANGER_BOMB = 10


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
        size = m >> 12 & 31
        if m >= _BOMBS_FROM:
            return 0 if plays <= 2 else 100 + size
        if plays <= 2:
            return 60 - (m & 15)
        score = (m & 15) + LEAD_BIAS[m >> 17] + 20
        if size == danger and danger <= 3:
            score = 60 - (m & 15)
        return score

    def _cost(self, m):
        """What following with ``m`` costs: harm to the plan, jokers, a high top."""
        top = m & 15
        if top > 12:
            return JOKER_COST * (m >> 12 & 31) + top - 13
        return self.hints.harm(m) * HARM + self.hints.jokers(m) * JOKER_COST + top + (top - 9 if top > 9 else 0)

    def _follow(self):
        """Cheaply on an opponent, hardly ever on the partner; bombs when they bring the lead or stop a hand."""
        table = self._table
        hints = self.hints
        danger = self._enemy_least()
        plays = hints.plan.plays
        partner = table.owner == (self._seat + 2) & 3
        best = 0
        best_cost = _NEVER
        bomb = 0
        bomb_cost = _NEVER
        for i in range(hints.n):
            m = hints.melds[i]
            if m >= _BOMBS_FROM:
                cost = self._bomb_cost(m)
                if cost < bomb_cost:
                    bomb_cost = cost
                    bomb = m
            else:
                cost = self._cost(m)
                if cost < best_cost:
                    best_cost = cost
                    best = m
        if self.simple:
            if best:
                return 0 if partner else best
            return bomb if bomb and not partner and danger <= 6 else 0
        if partner:
            if best and best_cost <= PARTNER_MOST and table.meld & 15 <= PARTNER_TOP and table.meld >> 12 & 31 <= 3:
                return best
            return 0
        most = FOLLOW_MOST
        if danger <= DANGER:
            most += 40
        if plays <= 3:
            most += 20
        if best and best_cost <= most:
            return best
        if bomb and (table.waiting == 1 or danger <= DANGER_BOMB or plays <= BOMB_PLAYS):
            return bomb
        return 0

    def _bomb_cost(self, m):
        """Which bomb to spend: a whole one, few stars, few jokers."""
        return star(self._table.rules, m) * 4 + self.hints.harm(m) * HARM + self.hints.jokers(m) * 6
