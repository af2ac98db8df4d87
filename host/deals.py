"""Whole deals played by the rules engine alone, in either interpreter: for ``bench`` and for tests.

``Bots`` plays four-bot deals and tells their record line by line; ``Randoms`` plays deals of random legal plays.
Written in the dialect that CPython and MicroPython share; buffers are made once.
"""

from array import array

from shared_rules import bot, cards, deal, generate, hints, meld, rulesets, score, table


class Random:
    """Numbers that are the same in both interpreters: xorshift of 29 bits, small integers only."""

    def __init__(self, seed):
        self.state = seed * 2 + 1 & 0x1FFFFFFF or 1

    def below(self, n):
        """A number below n (n up to some thousands)."""
        x = self.state
        x ^= (x & 0xFFFF) << 13
        x ^= x >> 17
        x ^= (x & 0xFFFFFF) << 5
        self.state = x = x & 0x1FFFFFFF or 1
        return (x >> 5) % n


def seed_of(n):
    """32 bytes from a number: seeds of a series of deals."""
    seed = bytearray(32)
    for i in range(4):
        seed[31 - i] = n >> 8 * i & 255
    return bytes(seed)


def deal_out(rules, seed):
    """(hands by seat after a change of seats, lead, face-up code) of a first deal."""
    d = deal.shuffle(seed)
    hands = d.hands()
    change = deal.seat_change(rules, d)
    if change:
        a, b = change >> 2, change & 3
        hands[a], hands[b] = hands[b], hands[a]
    return hands, deal.first_lead(rules, d), d.deck[d.face_up]


class Bots:
    """Four normal bots at one table. ``simple``: seats that the trustee plays, as bits."""

    def __init__(self, rules_id, simple=0):
        self.rules = rulesets.get(rules_id)
        self.table = table.Table(self.rules)
        self.bot = bot.Bot(hints.Hints())
        self.raised = bytearray(16)
        self.simple = simple
        self.plays = 0  # plays and passes so far, over all deals

    def begin(self, seed):
        """Start the deal of a seed."""
        hands, lead, _ = deal_out(self.rules, seed)
        self.table.begin(hands, lead)

    def turn(self):
        """One play or pass. Returns its meld, 0 for a pass. Allocates nothing."""
        t = self.table
        seat = t.turn
        self.bot.start(t, seat, bool(self.simple >> seat & 1))
        while not self.bot.work():
            pass
        m = self.bot.choose(self.raised)
        if m:
            t.play(seat, self.raised, m)
        else:
            t.pass_(seat)
        self.plays += 1
        return m

    def play(self, seed):
        """A whole deal without a record."""
        self.begin(seed)
        while not self.table.ended:
            self.turn()

    def record(self, seed, say):
        """A whole deal; ``say`` gets its record line by line."""
        self.begin(seed)
        t = self.table
        say("%s %s lead %d" % (self.rules.id, deal.commit(seed), t.turn))
        while not t.ended:
            seat = t.turn
            m = self.turn()
            if m:
                shown = " ".join([cards.text(t.shown[i]) for i in range(t.n_shown)])
                say("%d %s %s left %d" % (seat, meld.text(m), shown, t.left(seat)))
            else:
                say("%d pass" % seat)
        s = score.settle_table(t)
        say("%s %s x%d %s %s %s" % (s.result, s.places, s.multiplier, s.contributions, s.points, s.stars))
        say("history %s" % "".join(["%02x" % b for b in t.history[: 4 * t.n_plays]]))


class Randoms:
    """Deals in which every play is drawn uniformly from all melds that beat the table, and pass."""

    def __init__(self, rules_id, number=1):
        self.rules = rulesets.get(rules_id)
        self.table = table.Table(self.rules)
        self.melds = array("i", [0] * generate.MOST)
        self.raised = bytearray(16)
        self.random = Random(number)
        self.plays = 0  # plays and passes so far, over all deals

    def begin(self, seed):
        """Start the deal of a seed."""
        hands, lead, _ = deal_out(self.rules, seed)
        self.table.begin(hands, lead)

    def turn(self):
        """One play or pass. Returns its meld, 0 for a pass."""
        t = self.table
        seat = t.turn
        n = generate.melds(self.rules, t.counts[seat], t.meld, self.melds)
        i = self.random.below(n + 1 if t.meld else n)
        self.plays += 1
        if i == n:
            t.pass_(seat)
            return 0
        m = self.melds[i]
        generate.pick(self.rules, t.counts[seat], m, self.raised)
        t.play(seat, self.raised, m)
        return m

    def play(self, seed):
        """A whole deal."""
        self.begin(seed)
        while not self.table.ended:
            self.turn()
