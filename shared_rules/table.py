"""The trick machine: whose turn it is, what lies on the table, who is out. RULES.md section 6.

``begin`` a deal, then ``judge`` cards, ``play`` or ``pass_`` until ``ended``. A deal with its history is below 700
bytes; ``replay`` plays a history again.
"""

from array import array

from shared_rules import cards
from shared_rules.classify import classify
from shared_rules.compare import beats, scoring_star

# why a play is refused; CODES[-code] is its name in CONFORMANCE.md
NO_MELD = -1
DOES_NOT_BEAT = -2
NOT_HELD = -3
MUST_LEAD = -4
NOT_OFFERED = -5
ENDED = -6
CODES = ("", "no-meld", "does-not-beat", "not-held", "must-lead", "not-offered", "ended")

PASSED = -1  # in ``last``
_LOWEST_STAR = 4  # events[s][star - 4]


class Table:
    """One deal.

    ``counts[s]``, ``cards[s]``: a seat's hand, bytearray(16) and bytearray(14). ``dealt[s]``: identity as dealt.
    ``turn``: seat to play, -1 when ended. ``meld``: on the table, 0 for a lead; ``owner``: whose, or -1;
    ``waiting``: how many others have not passed on it. ``out``: seats in order of going out. ``ended``.
    ``last[s]``: what a seat did since the trick began: a meld, PASSED or 0. ``turns[s]``: plays and passes so far.
    ``events[s]``: played bombs, [star - 4] of each scoring star (bytearray(9)).
    ``shown``: codes of the last play, high to low (s h c d), ``n_shown`` of them; ``reading``: which reading it was.
    ``history``: 4 bytes a play, ``n_plays`` of them: bits 0-26 the mask (see ``mask_for``), 27-29 the reading, 30-31
    the passes before it; ``replay`` plays it again. ``passes``: passes since the last play.
    """

    def __init__(self, rules, options=()):
        self.rules = rules
        self.options = options
        self.counts = [bytearray(16) for _ in range(4)]
        self.cards = [bytearray(14) for _ in range(4)]
        self.dealt = [bytearray(14) for _ in range(4)]
        self.events = [bytearray(9) for _ in range(4)]
        self.last = array("i", (0, 0, 0, 0))
        self.turns = bytearray(4)
        self.out = bytearray(4)  # emptied, it keeps its room: going out allocates nothing
        self.shown = bytearray(27)
        self.history = bytearray(4 * 107)  # the 108th card is never played
        self._readings = array("i", (0,) * 8)
        self._raised = bytearray(16)
        self._clear()

    def _clear(self):
        self.out[:] = b""
        self.turn = -1
        self.lead = 0
        self.meld = 0
        self.owner = -1
        self.waiting = 0
        self.ended = False
        self.n_shown = 0
        self.n_plays = 0
        self.passes = 0
        self.reading = 0

    def begin(self, hands, lead):
        """Start a deal. ``hands``: 4 sequences of codes, 0-27 each; ``lead``: the first seat, that must hold a card."""
        self._clear()
        for s in range(4):
            cards.count(hands[s], self.counts[s])
            for i in range(14):
                self.cards[s][i] = 0
            for c in hands[s]:
                cards.put(self.cards[s], c)
            self.dealt[s][:] = self.cards[s]
            for i in range(9):
                self.events[s][i] = 0
            self.last[s] = 0
            self.turns[s] = 0
        self.turn = self.lead = lead

    def left(self, s):
        """Cards left in a seat's hand."""
        return self.counts[s][15]

    def judge(self, seat, raised, reading=0):
        """The meld that ``raised`` (bytearray(16) of counts) would be played as now, or a negative code.

        ``reading``: the meld that the player chose, 0 for the usual one: on a lead the strongest, else the last of the
        readings that beat the table. Faults in the order of CONFORMANCE.md. Whose turn it is, is not asked.
        """
        if self.ended:
            return ENDED
        own = self.counts[seat]
        for r in range(15):
            if raised[r] > own[r]:
                return NOT_HELD
        return read(self.rules, raised, self.meld, reading, self._readings)

    def judge_pass(self):
        """0 when a pass is legal now, else a negative code."""
        if self.ended:
            return ENDED
        return 0 if self.meld else MUST_LEAD

    def readings(self, raised, out):
        """All readings of the raised cards that may be played now, strongest first, into ``out`` (8 ints)."""
        n = classify(self.rules, raised, out)
        k = 0
        for i in range(n):
            if beats(self.rules, out[i], self.meld):
                out[k] = out[i]
                k += 1
        return k

    def mask_for(self, seat, raised):
        """``raised`` as a mask over the hand as dealt, of each rank the lowest suits (d c h s). Changes nothing.

        Bit i is the i-th of the codes dealt, ascending: 27 bits. The seat must hold the cards.
        """
        held = self.cards[seat]
        dealt = self.dealt[seat]
        mask = 0
        for r in range(15):
            n = raised[r]
            i = 0
            while n:
                code = cards.code_of(r, i)
                i += 1
                if held[code >> 3] >> (code & 7) & 1:
                    mask |= 1 << _index(dealt, code)
                    n -= 1
        return mask

    def play(self, seat, raised, m):
        """Play ``raised`` as the meld ``m`` that ``judge`` gave. Returns the mask (see ``mask_for``)."""
        mask = self.mask_for(seat, raised)
        self.play_mask(seat, mask, m)
        return mask

    def play_mask(self, seat, mask, m):
        """Play the cards of a mask over the hand as dealt, all of them held, as the meld ``m`` that is legal."""
        counts = self.counts[seat]
        held = self.cards[seat]
        dealt = self.dealt[seat]
        shown = self.shown
        n = 0
        code = 0
        left = mask
        while left:
            if dealt[code >> 3] >> (code & 7) & 1:
                if left & 1:
                    held[code >> 3] ^= 1 << (code & 7)
                    order = cards.order(code)
                    counts[order >> 2] -= 1
                    i = n
                    while i and cards.order(shown[i - 1]) < order:
                        shown[i] = shown[i - 1]
                        i -= 1
                    shown[i] = code
                    n += 1
                left >>= 1
            code += 1
        self.n_shown = n
        counts[15] -= n
        self.reading = index = self._which(n, m)
        i = self.n_plays * 4
        self.history[i] = mask & 255
        self.history[i + 1] = mask >> 8 & 255
        self.history[i + 2] = mask >> 16 & 255
        self.history[i + 3] = mask >> 24 | index << 3 | self.passes << 6
        self.n_plays += 1
        self.passes = 0
        self.meld = m
        self.owner = seat
        self.last[seat] = m
        self.turns[seat] += 1
        s = scoring_star(self.rules, m)
        if s:
            self.events[seat][s - _LOWEST_STAR] += 1
        if counts[15] == 0:
            self.out.append(seat)
            if self.counts[(seat + 2) & 3][15] == 0:
                self.ended = True
                self.turn = -1
                return
        self.waiting = 0
        for i in range(4):
            if i != seat and self.counts[i][15]:
                self.waiting += 1
        self._next(seat)

    def _which(self, n, m):
        """Which of the readings of the cards shown ``m`` is, 0-7."""
        if n < 5 or self.shown[0] % 54 < 52:  # few cards, or none of them a joker, have one reading
            return 0
        raised = self._raised
        cards.clear(raised)
        for i in range(n):
            raised[cards.rank(self.shown[i])] += 1
        raised[15] = n
        i = classify(self.rules, raised, self._readings)
        while i:
            i -= 1
            if self._readings[i] == m:
                return i
        return 0

    def replay(self, history, n):
        """After ``begin``: play the first ``n`` plays of a history (4 bytes each). Returns how many were legal."""
        for i in range(n):
            b = history[4 * i + 3]
            for _ in range(b >> 6):
                if self.judge_pass():
                    return i
                self.pass_(self.turn)
            if self.ended:
                return i
            mask = history[4 * i] | history[4 * i + 1] << 8 | history[4 * i + 2] << 16 | (b & 7) << 24
            m = self.read_mask(self.turn, mask, b >> 3 & 7)
            if m <= 0:
                return i
            self.play_mask(self.turn, mask, m)
        return n

    def read_mask(self, seat, mask, index):
        """The meld of a saved play: the ``index``-th reading of the cards of a mask; or a negative code."""
        if self.ended:
            return ENDED
        raised = self._raised
        cards.clear(raised)
        for code in range(108):
            if cards.has(self.dealt[seat], code):
                if mask & 1:
                    if not cards.has(self.cards[seat], code):
                        return NOT_HELD
                    raised[cards.rank(code)] += 1
                    raised[15] += 1
                mask >>= 1
        if mask:
            return NOT_HELD
        if index >= classify(self.rules, raised, self._readings):
            return NO_MELD
        m = self._readings[index]
        return m if beats(self.rules, m, self.meld) else DOES_NOT_BEAT

    def _next(self, seat):
        """The turn goes to the next seat that holds cards."""
        seat = (seat + 1) & 3
        while self.counts[seat][15] == 0:
            seat = (seat + 1) & 3
        self.turn = seat

    def pass_(self, seat):
        """The seat passes (不出). When all others have, the winner of the trick leads, or the partner (接風)."""
        self.last[seat] = PASSED
        self.turns[seat] += 1
        self.passes += 1
        self.waiting -= 1
        if self.waiting:
            self._next(seat)
            return
        lead = self.owner
        if self.counts[lead][15] == 0:
            lead = (lead + 2) & 3
        self.meld = 0
        self.owner = -1
        self.turn = lead
        for s in range(4):
            self.last[s] = 0


def read(rules, raised, old, reading, out):
    """The meld that cards are played as on ``old``, or NO_MELD, NOT_OFFERED, DOES_NOT_BEAT. ``out``: 8 ints to use."""
    n = classify(rules, raised, out)
    if n == 0:
        return NO_MELD
    if reading:
        for i in range(n):
            if out[i] == reading:
                return reading if beats(rules, reading, old) else DOES_NOT_BEAT
        return NOT_OFFERED
    if old == 0:
        return out[0]
    while n:
        n -= 1
        if beats(rules, out[n], old):
            return out[n]
    return DOES_NOT_BEAT


_BITS = b"\x00\x01\x01\x02\x01\x02\x02\x03\x01\x02\x02\x03\x02\x03\x03\x04"  # set bits of 0-15


def _index(dealt, code):
    """Which of the codes dealt, ascending, this is: 0-26."""
    i = code >> 3
    b = dealt[i] & ((1 << (code & 7)) - 1)
    n = _BITS[b & 15] + _BITS[b >> 4]
    while i > 0:
        i -= 1
        b = dealt[i]
        n += _BITS[b & 15] + _BITS[b >> 4]
    return n
