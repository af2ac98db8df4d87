"""One deal as it is kept: a header, a table, and entries that change it and write its lines of the record.

The same code runs for a deal being played, for a deal resumed from the journal, and for lines repeated from it:
``load`` a header, then ``apply`` each entry (or, at the live table, the methods that ``apply`` calls). What a line says
follows from header and entries alone.

Header, 256 bytes (``journal.py`` adds magic, sequence and check): 8 deal number · 12 k of the first line · 14 rule
set · 15 flags · 16 options, a bit each · 17 lead · 18 lead fixed for a test, FF none · 19 face-up code, FF none · 20
change of seats · 21 bots, a bit each · 22 turn clock in s · 24 languages · 28 layouts · 32 seed · 64 totals before the
deal, 4 bytes a seat · 80 players, a byte a seat · 88 owners of the 108 cards, 2 bits each (if dealt by hand).
"""

import hashlib

from micropython import const

import journal
import record
from shared_rules import cards
from shared_rules.classify import classify
from shared_rules.table import CODES, Table

TEST = const(1)  # flags: a test deal, kept out of the totals of named players
HANDS = const(2)  # dealt by hand: no seed, no commitment
DEAL = const(4)  # a deal; without it the sector only holds lines between deals
CHAIN = const(8)  # a seed was given: the next one follows from it

_NONE = const(255)
_LEAVE_TRUSTEE = const(0)  # of shared_rules.rulesets, which is in memory between deals only

# Kinds of entry that need no deal.
_ALONE = 1 << journal.READY | 1 << journal.PAD | 1 << journal.DISPLAY | 1 << journal.FAULT | 1 << journal.BOOT


def make(header, number, rules_index, flags):
    """Begin a header (bytearray(256)): cleared, with these fields."""
    for i in range(256):
        header[i] = 0
    journal.put_number(header, 8, number)
    header[14] = rules_index
    header[15] = flags
    header[18] = header[19] = _NONE


def signed(n):
    """A number of 32 bits as a signed one."""
    return n - (1 << 32) if n & 0x80000000 else n


def chained(seed):
    """The seed that follows a given one: SHA-256 of its 32 bytes. A test aid, never used for seeds of our own."""
    return hashlib.sha256(seed).digest()


class Ledger:
    """See the module. ``table`` is None while no deal is loaded."""

    def __init__(self, rec):
        self.record = rec
        self.table = None
        self.rules = None  # a row of shared_rules.rulesets
        self.rules_index = -1
        self.options = ()
        self.number = 0
        self.test = False
        self.chain = False
        self.seed = b""
        self.commit = ""
        self.lead = 0
        self.lead_fixed = -1
        self.face_up = -1
        self.swap = 0
        self.totals = [0, 0, 0, 0]  # before the deal
        self.after = [0, 0, 0, 0]  # after it, once settled
        self.settlement = None
        self.leaver = -1
        self.started = False
        self.ended = False  # the end line is written
        self.trustee = bytearray(4)
        self.trustee_cause = bytearray(4)
        self.uses = bytearray(4)  # how often the key turned the trustee on
        self.warnings = bytearray(4)
        self.ready = bytearray(4)  # seats that want the next deal
        self.chain_seed = b""
        self._raised = bytearray(16)
        self._readings = [0] * 8

    def row(self, index):
        """The rule set of an index, kept; between deals only."""
        if index != self.rules_index:
            from shared_rules import rulesets

            self.rules = rulesets.get(rulesets.RULE_SETS[index])
            self.rules_index = index
        return self.rules

    def load(self, header):
        """Set the table up from a whole header. False if it holds no deal, or one that this version cannot play."""
        self.number = journal.number(header, 8)
        flags = header[15]
        rules_index = header[14]
        from shared_rules import deal, rulesets

        if not flags & DEAL or rules_index >= len(rulesets.RULE_SETS):
            self.table = None
            return False
        rules = self.row(rules_index)
        names = rules.options
        self.options = tuple([names[i] for i in range(len(names)) if header[16] >> i & 1])
        if self.table is None or self.table.rules is not rules or self.table.options != self.options:
            self.table = Table(rules, self.options)
        self.test = bool(flags & TEST)
        self.chain = bool(flags & CHAIN)
        self.lead = header[17]
        self.lead_fixed = header[18] if header[18] != _NONE else -1
        self.face_up = header[19] if header[19] != _NONE else -1
        self.chain_seed = bytes(header[32:64])
        self.swap = header[20]
        for s in range(4):
            self.totals[s] = self.after[s] = signed(journal.number(header, 64 + 4 * s))
        if flags & HANDS:
            self.seed = b""
            self.commit = ""
            hands = [bytearray() for _ in range(4)]
            for code in range(108):
                hands[header[88 + (code >> 2)] >> 2 * (code & 3) & 3].append(code)
        else:
            self.seed = self.chain_seed
            self.commit = deal.commit(self.seed)
            hands = deal.shuffle(self.seed).hands()
            if self.swap:
                a = self.swap >> 2
                b = self.swap & 3
                hands[a], hands[b] = hands[b], hands[a]
        self.table.begin(hands, self.lead)
        self.settlement = None
        self.leaver = -1
        self.started = self.ended = False
        for s in range(4):
            self.trustee[s] = self.trustee_cause[s] = self.uses[s] = self.warnings[s] = self.ready[s] = 0
        return True

    def hands(self):
        """The four hands as dealt (after a change of seats): lists of codes."""
        return [[c for c in range(108) if cards.has(identity, c)] for identity in self.table.dealt]

    def cards_left(self):
        """Cards in all hands together."""
        t = self.table
        return t.left(0) + t.left(1) + t.left(2) + t.left(3) if t else 0

    # What happens in a deal: the change, then its lines.

    def begin(self):
        """The deal line."""
        self.record.deal_(self)

    def start(self):
        """The first turn."""
        self.started = True
        self.record.turn(self.table.turn, True)

    def word(self, raised, mask, m):
        """A play as 30 bits: the mask over the hand as dealt, and which of its readings was meant."""
        n = classify(self.rules, raised, self._readings)
        for i in range(n):
            if self._readings[i] == m:
                return mask | i << 27
        raise ValueError("a play that its own cards do not make")

    def _replay(self, seat, word):
        """Play a word; the meld that it was."""
        mask = word & 0x7FFFFFF
        raised = self._raised
        cards.clear(raised)
        dealt = self.table.dealt[seat]
        bit = 0
        for code in range(108):
            if cards.has(dealt, code):
                if mask >> bit & 1:
                    raised[cards.rank(code)] += 1
                    raised[15] += 1
                bit += 1
        classify(self.rules, raised, self._readings)
        m = self._readings[word >> 27]
        self.table.play_mask(seat, mask, m)
        return m

    def played(self, seat, m, cause):
        """The lines of a play that the table has taken."""
        table = self.table
        if cause == record.TIMEOUT:
            self._warn(seat)
        self.record.play(seat, table, m, cause)
        if table.left(seat) == 0:
            self.record.out(seat, len(table.out))
        if not table.ended:
            self.record.turn(table.turn, False)

    def pass_(self, seat, cause):
        """The seat passes."""
        table = self.table
        if cause == record.TIMEOUT:
            self._warn(seat)
        owner = table.owner
        table.pass_(seat)
        self.record.pass_(seat, cause)
        if table.meld == 0:
            self.record.trick(owner)
        self.record.turn(table.turn, table.meld == 0)

    def _warn(self, seat):
        self.warnings[seat] += 1
        self.record.warning(seat, self.warnings[seat])

    def set_trustee(self, seat, on, cause):
        """Turn a seat's trustee on or off; cause: index into record.TRUSTEE_CAUSES."""
        self.trustee[seat] = on
        self.trustee_cause[seat] = cause
        if on and cause == 0:
            self.uses[seat] += 1
        self.record.trustee(seat, on, cause)

    def leave(self, seat):
        """A player leaves the deal (RULES.md section 8)."""
        self.record.leave(seat)
        if self.rules.leave == _LEAVE_TRUSTEE:
            self.trustee[seat] = 1
            self.trustee_cause[seat] = 3
            self.record.trustee(seat, 1, 3)
        else:
            self.leaver = seat

    def over(self):
        """Whether the deal is decided: a team is out, or someone has left it."""
        return self.table.ended or self.leaver >= 0

    def settle(self):
        """Compute the settlement, without a line."""
        from shared_rules import score

        self.settlement = score.settle_table(self.table, self.totals, self.leaver)
        for s in range(4):
            self.after[s] = self.totals[s] + self.settlement.points[s]

    def end(self):
        """The end line."""
        if self.settlement is None:
            self.settle()
        self.ended = True
        self.record.end(self, self.settlement, self.after)

    def apply(self, kind, entry):
        """Apply an entry; entry: a journal.Reader at it, or anything with seat, cause, data, word."""
        seat = entry.seat
        rec = self.record
        if self.table is None and not _ALONE >> kind & 1:
            return
        if kind == journal.PLAY:
            self.played(seat, self._replay(seat, entry.word), entry.cause)
        elif kind == journal.PASS:
            self.pass_(seat, entry.cause)
        elif kind == journal.START:
            self.start()
        elif kind == journal.TRUSTEE:
            self.set_trustee(seat, entry.data, entry.cause)
        elif kind == journal.LEAVE:
            self.leave(seat)
        elif kind == journal.END:
            self.end()
        elif kind == journal.READY:
            self.ready[seat] = 1
            rec.ready(seat)
        elif kind == journal.PAD:
            rec.pad(seat, entry.data)
        elif kind == journal.DISPLAY:
            rec.display(seat, entry.data)
        elif kind == journal.REFUSED:
            rec.refused(seat, min(entry.data, len(CODES) - 1))
        elif kind == journal.FAULT:
            rec.fault(min(entry.data, len(record.FAULTS) - 1))
        elif kind == journal.BOOT:
            rec.boot(entry.word & 0xFFFFF, min(entry.word >> 20, len(record.BOOTS) - 1))
        elif kind == journal.RESUMED:
            rec.resumed(self.table.turn)
