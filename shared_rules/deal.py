"""The deal: shuffle, commitment, first lead (莊), change of seats. RULES.md section 5."""

import hashlib

# Rows "lead" of rulesets.py. Its table is large, and on the board not in memory when cards are dealt.
LEAD_RANDOM = 0
LEAD_FACE_UP = 1


class Deal:
    """A shuffled deck: ``deck`` bytearray(108), deck[i] goes to seat i % 4; ``face_up`` an index into it;
    ``random_seat`` 0-3."""

    def __init__(self):
        self.deck = bytearray(108)
        self.face_up = 0
        self.random_seat = 0
        self._block = b""
        self._used = 0
        self._k = 0

    def _uniform(self, seed, n):
        """A number below n from the seed's byte stream."""
        while True:
            if self._used == len(self._block):
                h = hashlib.sha256(seed)
                h.update(self._k.to_bytes(4, "big"))
                self._block = h.digest()
                self._used = 0
                self._k += 1
            b = self._block[self._used]
            self._used += 1
            if b < 256 - 256 % n:
                return b % n

    def hand(self, seat):
        """The 27 codes of a seat, ascending, as a new bytearray."""
        mine = bytearray(108)
        for i in range(27):
            mine[self.deck[i * 4 + seat]] = 1
        codes = bytearray(27)
        n = 0
        for code in range(108):
            if mine[code]:
                codes[n] = code
                n += 1
        return codes

    def hands(self):
        """The four hands."""
        return [self.hand(s) for s in range(4)]

    def face_up_seat(self):
        """Who holds the face-up card."""
        return self.face_up % 4


def shuffle(seed):
    """The deal of a seed (32 bytes): Fisher-Yates over a stream of SHA-256 blocks."""
    d = Deal()
    deck = d.deck
    for i in range(108):
        deck[i] = i
    i = 107
    while i > 0:
        j = d._uniform(seed, i + 1)
        c = deck[i]
        deck[i] = deck[j]
        deck[j] = c
        i -= 1
    d.face_up = d._uniform(seed, 108)
    d.random_seat = d._uniform(seed, 4)
    d._block = b""
    return d


def commit(seed):
    """The commitment of a seed, shown before the deal: SHA-256 of b"shuangkou-deal" + seed, in hex."""
    h = hashlib.sha256(b"shuangkou-deal")
    h.update(seed)
    return "".join(["%02x" % b for b in h.digest()])


def first_lead(rules, deal, last_first=-1, last_result=""):
    """The seat that leads, before any change of seats.

    ``last_first``: first finisher of the deal before, -1 for a first deal; ``last_result``: its result word.
    """
    if rules.lead == LEAD_RANDOM:
        return deal.random_seat
    if rules.lead == LEAD_FACE_UP:
        return deal.face_up % 4
    if last_first >= 0 and last_result in ("single", "level"):
        return last_first
    return deal.random_seat


def twin_seat(deal):
    """Who holds the face-up card's twin: same rank and suit, other deck."""
    code = (deal.deck[deal.face_up] + 54) % 108
    for i in range(108):
        if deal.deck[i] == code:
            return i % 4
    return -1


def seat_change(rules, deal):
    """The two seats whose players, hands with them, change places, as a * 4 + b; 0 when nobody moves.

    ``twin`` rule sets: the twin's holder comes to sit opposite the holder of the face-up card.
    """
    if not rules.twin:
        return 0
    lead = deal.face_up % 4
    other = twin_seat(deal)
    opposite = (lead + 2) % 4
    return 0 if other == lead or other == opposite else opposite * 4 + other
