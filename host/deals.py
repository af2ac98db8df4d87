"""Work for the rules engine alone, in either interpreter: for ``bench`` and for tests.

``Bots`` plays four-bot deals and tells their record line by line; ``Randoms`` plays deals of random legal plays;
``Hands`` asks about single hands of 27 cards. ``rate`` tells how often a second something can be done.
Written in the dialect that CPython and MicroPython share; buffers are made once.
"""

import time
from array import array
from binascii import hexlify

from shared_rules import bot, cards, classify, deal, generate, hints, meld, rulesets, score, table


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
        say(f"{self.rules.id} {deal.commit(seed)} lead {t.turn}")
        while not t.ended:
            seat = t.turn
            m = self.turn()
            if m:
                shown = " ".join([cards.text(t.shown[i]) for i in range(t.n_shown)])
                say(f"{seat} {meld.text(m)} {shown} left {t.left(seat)}")
            else:
                say(f"{seat} pass")
        s = score.settle_table(t)
        say(f"{s.result} {s.places} x{s.multiplier} {s.contributions} {s.points} {s.stars}")
        say("history " + hexlify(t.history[: 4 * t.n_plays]).decode())


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


class Hands:
    """Questions about dealt hands of 27 cards: hand k is seat k % 4 of the deal of ``seed_of(k // 4)``."""

    def __init__(self, rules_id):
        self.rules = rulesets.get(rules_id)
        self.hints = hints.Hints()
        self.counts = bytearray(16)
        self.raised = bytearray(16)
        self.melds = array("i", [0] * generate.MOST)
        self.readings = array("i", [0] * 8)
        self.sets = []  # counts of cards that make a meld

    def take(self, k):
        """Make hand k the one that is asked about."""
        cards.count(shuffled(k >> 2).hand(k & 3), self.counts)

    def hint(self, old=0):
        """The first hint, from nothing. Returns its meld."""
        self.hints.start(self.rules, self.counts, old)
        while not self.hints.work():
            pass
        return self.hints.next(self.raised)

    def all(self, old=0):
        """All melds that beat ``old``. Returns how many."""
        return generate.melds(self.rules, self.counts, old, self.melds)

    def spread(self):
        """Fill ``sets`` with the cards of every fifth meld of the hand."""
        self.sets = []
        for i in range(0, self.all(), 5):
            generate.pick(self.rules, self.counts, self.melds[i], self.raised)
            self.sets.append(bytearray(self.raised))

    def classify(self):
        """Classify all of ``sets``. Returns how many there were."""
        for counts in self.sets:
            classify.classify(self.rules, counts, self.readings)
        return len(self.sets)


_shuffled = [-1, None]


def shuffled(n):
    """The deal of ``seed_of(n)``, kept for the next seat's question."""
    if _shuffled[0] != n:
        _shuffled[:] = [n, deal.shuffle(seed_of(n))]
    return _shuffled[1]


def clock():
    """Seconds that this process has worked: what else runs on the machine does not blur a comparison."""
    return time.process_time() if hasattr(time, "process_time") else time.clock()


def rate(work, seconds):
    """Call ``work(k)``, k counting up, for some seconds. ``work`` returns how much it did. Returns that per second."""
    done = k = 0
    start = clock()
    while True:
        done += work(k)
        k += 1
        took = clock() - start
        if took >= seconds:
            return done / took


def rates(rules_id, seconds):
    """The rows of ``bench`` that both interpreters have, as [(name, per second)]."""
    hands = Hands(rules_id)
    asked = []
    for k in range(64):
        hands.take(k * 7)
        asked.append(bytearray(hands.counts))

    def use(k):
        hands.counts = asked[k % 64]

    def hint(k):
        use(k)
        hands.hint()
        return 1

    def melds(k):
        use(k)
        hands.all()
        return 1

    sets = []
    for k in range(16):
        use(k)
        hands.spread()
        sets += hands.sets
    hands.sets = sets

    def classified(k):
        return hands.classify()

    found = [
        ("first hint, lead with 27 cards", rate(hint, seconds)),
        ("all melds of 27 cards", rate(melds, seconds)),
        ("classification", rate(classified, seconds)),
    ]
    for name, player in (("bot", Bots(rules_id)), ("random", Randoms(rules_id))):
        per_second, plays = _deal_rate(player, seconds)
        found.append((name + " deals", per_second))
        found.append((name + " plays", per_second * plays))
    return found


def _deal_rate(player, seconds):
    """(deals a second, plays and passes a deal) of Bots or Randoms."""
    counted = [0]

    def play(k):
        player.play(seed_of(k))
        counted[0] += 1
        return 1

    return rate(play, seconds), player.plays / counted[0]
