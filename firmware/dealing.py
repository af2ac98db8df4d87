"""The next deal: its seed and header, first lead and change of seats, the deal line.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument.
"""

import time
from hashlib import sha256

from micropython import const

import journal
import ledger
from game import DEALING
from seats import BOT, HUMAN
from shelf import put_back

_NONE = const(255)
_LEAD_FACE_UP = const(1)  # of shared_rules.rulesets
_DEALING = const(1500)  # ms; the commitment is shown before the first turn


def deal(g, now):
    """Shuffle, journal and announce the next deal."""
    from shared_rules import deal as dealt

    led = g.ledger
    book = g.journal
    if g.settings.dirty > 1:  # what was set in the lobby
        if not __import__("players").save(g.settings, g.deal_no):
            g.fault(4)
        put_back("players", "slots")
    if g.next_seed:
        seed = g.next_seed
    elif g.chain:
        seed = sha256(led.seed).digest()  # a test aid: never done with a seed of our own
    else:
        seed = g.hub.seed()
    d = dealt.shuffle(seed)
    if g.next_hands:
        up = d.deck[d.face_up]
        for i in range(108):
            d.deck[i] = g.next_hands[i & 3][i >> 2]
        d.face_up = bytes(d.deck).find(bytes((up,)))
    _announce(g, seed, d)
    g.next_seed = g.next_hands = None
    del d
    __import__("sectors").begin(book, g.header)
    put_back("sectors")
    opening = __import__("opening")
    opening.load(led, g.header)
    g.saving = book.ok
    led.record.start(g.deal_no)
    opening.announce(led, g.header)
    book.said()
    del opening
    if not book.ok:
        g.fault(0)
    g.table = led.table
    g.commit = led.commit
    g.settlement = g.big = None
    g.pause = 0
    g.resumed = False
    g.phase = DEALING
    g.due = time.ticks_add(now, _DEALING)
    for s, seat in enumerate(g.seats):
        seat.arrange(g.table.counts[s])
        g.pad_waits[s] = 0
        if seat.kind == HUMAN and not seat.pad_present:
            g.wait_for_pad(s, now)


def _announce(g, seed, d):
    """Lead, change of seats, and the header of the deal ``d`` (a shared_rules.deal.Deal)."""
    from shared_rules import deal as dealt

    rules = g.rules
    lead = dealt.first_lead(rules, d, g.last_first, g.last_result)
    swap = dealt.seat_change(rules, d)
    if g.lead_fixed >= 0:
        lead = g.lead_fixed
    a = swap >> 2
    b = swap & 3
    if swap:
        g.seats[a].swap(g.seats[b])
    flags = ledger.DEAL
    if g.test:
        flags |= ledger.TEST
    if g.chain:
        flags |= ledger.CHAIN
    if g.next_hands:
        flags |= ledger.HANDS
    header = g.header
    g.deal_no += 1
    make(header, g.deal_no, g.rules_index, flags)
    if not g.evening:
        g.evening = g.deal_no
    journal.put_number(header, 116, g.evening)
    for i, name in enumerate(rules.options):
        if name in g.options:
            header[16] |= 1 << i
    header[17] = lead
    if g.lead_fixed >= 0:
        header[18] = g.lead_fixed
    if rules.lead == _LEAD_FACE_UP:
        header[19] = d.deck[d.face_up]
    header[20] = swap
    header[22] = g.turn_seconds & 255
    header[23] = g.turn_seconds >> 8
    header[32:64] = seed
    if g.next_hands:
        for i in range(108):
            s = i & 3
            if swap and (s == a or s == b):
                s = a + b - s
            code = d.deck[i]
            header[88 + (code >> 2)] |= s << 2 * (code & 3)
    for s, seat in enumerate(g.seats):
        seat.clear_deal()
        seat.fresh = False
        header[21] |= (1 if seat.kind == BOT else 0) << s
        header[24 + s] = seat.lang
        header[28 + s] = seat.layout
        header[80 + s] = seat.player
        journal.put_number(header, 64 + 4 * s, seat.total)


def make(header, number, rules_index, flags):
    """Begin a header (bytearray(256)): cleared, with these fields."""
    for i in range(256):
        header[i] = 0
    journal.put_number(header, 8, number)
    header[14] = rules_index
    header[15] = flags
    header[18] = header[19] = _NONE
