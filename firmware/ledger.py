"""One deal as it is kept: a header, a table, and entries that change it and write its lines of the record.

The same code runs for a deal being played, for a deal resumed from the journal, and for lines repeated from it:
``opening.load`` a header, then ``apply`` each entry. What a line says follows from header and entries alone.

Header, 256 bytes (``journal.py`` adds magic, sequence and check): 8 deal number · 12 k of the first line · 14 rule
set · 15 flags · 16 options, a bit each · 17 lead · 18 lead fixed for a test, FF none · 19 face-up code, FF none · 20
change of seats · 21 bots, a bit each · 22 turn clock in s · 24 languages · 28 layouts · 32 seed · 64 totals before the
deal, 4 bytes a seat · 80 players, a byte a seat · 84 number of the journal, drawn when it was begun · 88 owners of the
108 cards, 2 bits each (if dealt by hand) · 116 number of the evening's first deal · 120 what came of the deal
(``settling.py``), blank until then.
"""

from micropython import const

import journal
from record import BOOTS, CAUSES, FAULTS, TRUSTEE_CAUSES, codes_text
from shared_rules import cards, meld
from shared_rules.classify import classify
from shared_rules.table import CODES

TEST = const(1)  # flags: a test deal, kept out of the totals of named players
HANDS = const(2)  # dealt by hand: no seed, no commitment
DEAL = const(4)  # a deal; without it the sector only holds lines between deals
CHAIN = const(8)  # a seed was given: the next one follows from it

TIMEOUT = const(3)  # index into record.CAUSES

_LEAVE_TRUSTEE = const(0)  # of shared_rules.rulesets, which is in memory between deals only

# Lines of one seat and one yes or no.
_PRESENT = {journal.PAD: "pad", journal.DISPLAY: "display"}


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
        self.seed = b""  # 32 bytes; of a deal by hand, what the next seed follows from
        self.commit = ""
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
        self.meld = 0  # that was played last
        self._raised = bytearray(16)
        self._readings = [0] * 8

    def cards_left(self):
        """Cards in all hands together."""
        n = 0
        if self.table:
            for counts in self.table.counts:
                n += counts[15]
        return n

    def over(self):
        """Whether the deal is decided: a team is out, or someone has left it."""
        return self.table.ended or self.leaver >= 0

    def word(self, seat, raised, m):
        """A play as 30 bits: the mask over the hand as dealt, and which of its readings was meant."""
        n = classify(self.rules, raised, self._readings)
        for i in range(n):
            if self._readings[i] == m:
                return self.table.mask_for(seat, raised) | i << 27
        raise ValueError("a play that its own cards do not make")

    def _play(self, seat, word, cause):
        """Play a word and write its lines."""
        table = self.table
        mask = word & 0x7FFFFFF
        raised = self._raised
        cards.clear(raised)
        dealt = table.dealt[seat]
        bit = 0
        for code in range(108):
            if cards.has(dealt, code):
                if mask >> bit & 1:
                    raised[cards.rank(code)] += 1
                    raised[15] += 1
                bit += 1
        classify(self.rules, raised, self._readings)
        m = self.meld = self._readings[word >> 27]
        table.play_mask(seat, mask, m)
        line = self.record.of_seat
        line(
            "play",
            seat,
            ',"cards":"%s","meld":"%s","left":%d,"cause":"%s"'
            % (codes_text(table.shown, table.n_shown), meld.text(m), table.left(seat), CAUSES[cause]),
        )
        if table.left(seat) == 0:
            line("out", seat, ',"place":%d' % len(table.out))

    def apply(self, kind, entry):
        """Apply an entry of that kind (journal.START ...) and write its lines.

        entry: journal.Reader, or journal.Journal after appending; its seat, cause, data and word are used.
        """
        seat = entry.seat
        cause = entry.cause
        data = entry.data
        line = self.record.of_seat
        if kind == journal.READY:
            self.ready[seat] = 1
            line("ready", seat)
        elif kind in _PRESENT:
            line(_PRESENT[kind], seat, ',"present":%s' % ("true" if data else "false"))
        elif kind == journal.FAULT:
            self.record.line("fault", ',"what":"%s"' % FAULTS[min(data, len(FAULTS) - 1)])
        elif kind == journal.BOOT:
            v = entry.word
            if cause:  # lines that were not taken along into this sector (booting.py)
                self.record.k += v
                return
            self.record.line(
                "boot",
                ',"version":"%d.%d.%d","cause":"%s"'
                % (v >> 15 & 31, v >> 8 & 127, v & 255, BOOTS[min(v >> 20, len(BOOTS) - 1)]),
            )
        elif self.table is not None:
            self._in_deal(kind, seat, cause, data, entry.word, line)

    def _in_deal(self, kind, seat, cause, data, word, line):
        table = self.table
        if kind == journal.PLAY or kind == journal.PASS:
            if cause == TIMEOUT:
                self.warnings[seat] += 1
                line("warning", seat, ',"count":%d' % self.warnings[seat])
            if kind == journal.PLAY:
                self._play(seat, word, cause)
            else:
                owner = table.owner
                table.pass_(seat)
                line("pass", seat, ',"cause":"%s"' % CAUSES[cause])
                if table.meld == 0:
                    line("trick", owner)
        elif kind == journal.START:
            self.started = True
        elif kind == journal.TRUSTEE:
            self._trustee(seat, data, cause)
        elif kind == journal.REFUSED:
            line("refused", seat, ',"why":"%s"' % CODES[min(data, len(CODES) - 1)])
        elif kind == journal.RESUMED:
            turn = table.turn
            self.record.line("resumed", ',"n":%d,"turn":%s' % (self.number, str(turn) if turn >= 0 else "null"))
        elif kind == journal.END:
            import opening

            opening.end(self)
        elif kind == journal.LEAVE:
            line("leave", seat)
            if self.rules.leave == _LEAVE_TRUSTEE:
                self._trustee(seat, 1, 3)
            else:
                self.leaver = seat
                table.turn = -1
        if kind <= journal.PASS and not table.ended:  # START, PLAY, PASS
            line("turn", table.turn, ',"leading":%s' % ("false" if table.meld else "true"))

    def _trustee(self, seat, on, cause):
        self.trustee[seat] = on
        self.trustee_cause[seat] = cause
        if on and cause == 0:
            self.uses[seat] += 1
        self.record.of_seat(
            "trustee", seat, ',"on":%s,"cause":"%s"' % ("true" if on else "false", TRUSTEE_CAUSES[cause])
        )
