"""What happens between deals: starting the hub, the lobby, a test, and the next deal. ``game.py`` calls it.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument.
"""

import time
from hashlib import sha256

from micropython import const

import journal
import ledger
import opening
import players
import sectors
from game import DEALING, LOBBY, READY_MS, SETTLED
from seats import BOT, HUMAN
from settings import LANGS, LAYOUTS, RULES

_NONE = const(255)
_LEAD_FACE_UP = const(1)  # of shared_rules.rulesets
_DEALING = const(1500)  # ms; the commitment is shown before the first turn
_SHOW = const(3000)  # ms; the settlement at least, also when nobody has to get ready


def boot(g, version, cause, now):
    """Load what the journal holds, say that the hub is on, and go on with a deal or open the lobby.

    version: major << 15 | minor << 8 | patch; cause: index into record.BOOTS.
    """
    book = g.journal
    led = g.ledger
    if sectors.find(book):
        opening.load(led, book.header)
        _replay(g)
        if led.table is None or led.ended:
            renew(g)
    elif book.ok:
        _make(g.header, 0, g.settings.get(RULES), 0)
        sectors.begin(book, g.header)
        book.said()
    book.wide(journal.BOOT, 0, 0, cause << 20 | version)
    led.apply(journal.BOOT, book)
    book.said()
    if not book.ok:
        g.fault(0)
    if g.settings.damaged:
        g.fault(4)
    g.deal_no = led.number
    if led.table is None:
        to_lobby(g, now)
        return
    _restore(g)
    if led.ended:
        _settled(g, now)
        for s in range(4):
            g.seats[s].ready = led.ready[s] != 0
        return
    g.enter(journal.RESUMED)
    g.resumed = True
    if led.over():
        g.last_trick(now)
    elif led.started:
        g.begin_turn(now)
    else:
        g.phase = DEALING
        g.due = time.ticks_add(now, _DEALING)


def _make(header, number, rules_index, flags):
    """Begin a header (bytearray(256)): cleared, with these fields."""
    for i in range(256):
        header[i] = 0
    journal.put_number(header, 8, number)
    header[14] = rules_index
    header[15] = flags
    header[18] = header[19] = _NONE


def _replay(g):
    """Bring the ledger to where the newest sector ends; write the lines that a power cut has swallowed."""
    book = g.journal
    led = g.ledger
    rec = led.record
    header = book.header
    rec.start(led.number, header[12] | header[13] << 8)
    if led.table:
        rec.silent = header[255] != _NONE
        opening.announce(led, header)
        if not rec.silent:
            book.due = 255
            book.said()
    reader = sectors.Reader(book.flash, book.sector)
    kind = reader.next()
    while kind:
        rec.silent = reader.said
        led.apply(kind, reader)
        if not reader.said:
            book.due = reader.offset - 1
            book.said()
        kind = reader.next()
    rec.silent = False
    book.offset = reader.offset


def renew(g):
    """Between deals: go on in a fresh sector when this one is full."""
    book = g.journal
    if book.room(27):
        return
    header = g.header
    header[:] = book.header
    k = g.ledger.record.k
    header[12] = k & 255
    header[13] = k >> 8 & 255
    header[15] &= ~ledger.DEAL
    for s in range(4):
        journal.put_number(header, 64 + 4 * s, g.ledger.after[s])
    sectors.begin(book, header)
    book.said()


def _restore(g):
    """Seats and table as the journal's header says."""
    header = g.journal.header
    led = g.ledger
    g.table = led.table
    _use(g, led.rules_index, led.options)
    g.test = led.test
    g.chain = header[15] & ledger.CHAIN != 0
    g.lead_fixed = header[18] if header[18] != _NONE else -1
    g.commit = led.commit
    g.turn_seconds = header[22] | header[23] << 8
    for s, seat in enumerate(g.seats):
        seat.kind = BOT if header[21] >> s & 1 else HUMAN
        seat.lang = min(header[24 + s], 2)
        seat.layout = header[28 + s] & 1
        seat.player = header[80 + s] & 15
        seat.name = players.name(g.settings, seat.player, seat.lang)
        seat.total = led.after[s] if led.ended else led.totals[s]
        seat.fresh = False
        seat.trustee = led.trustee[s] != 0
        seat.warnings = led.warnings[s]
        seat.arrange(g.table.counts[s])
        if not g.test and led.number >= journal.number(g.settings.data, 20):
            players.put_total(g.settings, seat.player, led.rules_index, seat.total)
    g.peek()


def chained(seed):
    """The seed that follows from a given one: SHA-256 of its 32 bytes. A test aid, never for seeds of our own."""
    return sha256(seed).digest()


def end(g, now):
    """Settle: from here on everything may be seen."""
    g.enter(journal.END)
    led = g.ledger
    for s, seat in enumerate(g.seats):
        seat.total = led.after[s]
        if not g.test:
            players.put_total(g.settings, seat.player, g.rules_index, seat.total)
    _settled(g, now)


def _settled(g, now):
    """Show the settlement until all are ready; remember what the next deal's first lead depends on."""
    led = g.ledger
    g.phase = SETTLED
    g.settlement = led.settlement
    g.big = None
    g.due = time.ticks_add(now, _SHOW)
    g.last_result = led.settlement.result
    g.last_first = led.table.out[0] if led.table.out else -1
    for s, seat in enumerate(g.seats):
        seat.ready = seat.trustee = seat.peek = False
        seat.notice = 0
        g.ready_due[s] = time.ticks_add(now, READY_MS)
    sectors.prepare(g.journal)


def _use(g, index, options):
    g.rules_index = index
    g.rules = opening.row(g.ledger, index)
    g.options = options


def to_lobby(g, now):
    """Everybody may join; rule set, languages, layouts and the clock may be chosen."""
    settings = g.settings
    players.save(settings, g.deal_no)
    g.phase = LOBBY
    g.table = g.settlement = g.big = None
    g.test = g.chain = g.resumed = False
    g.lead_fixed = -1
    g.next_seed = g.next_hands = None
    g.last_first = -1
    g.turn_seconds = settings.turn_seconds()
    _use(g, settings.get(RULES), ())
    for s, seat in enumerate(g.seats):
        seat.clear_deal()
        seat.kind = BOT
        seat.player = s
        seat.lang = min(settings.get(LANGS + s), 2)
        seat.layout = settings.get(LAYOUTS + s) & 1
        seat.name = players.name(settings, s, seat.lang)
        seat.ready = True
        seat.menu = 0
        seat.fresh = False
        seat.total = players.total(settings, s, g.rules_index)
        g.ready_due[s] = time.ticks_add(now, READY_MS)


def choose_rules(g, index):
    """In the lobby: play this rule set; persons must get ready anew."""
    players.save(g.settings, g.deal_no)
    g.settings.put(RULES, index)
    _use(g, index, ())
    for seat in g.seats:
        seat.total = players.total(g.settings, seat.player, index)
        if seat.kind == HUMAN:
            seat.ready = False


def start_test(g, test, now):
    """A test's settings: its seats skip the lobby, bots are ready at once, persons by ``play``.

    test: a dict of ``rules`` index; ``options`` tuple of names; ``kinds`` 4 of HUMAN, BOT; ``seed`` 32 bytes or None;
    ``lead`` 0-3 or -1; ``hands`` 4 lists of codes or None; ``turn_seconds``, 0 none; ``lang`` 0-2. A seed that follows
    from the last deal's goes on with that test, as after a power cut between two of its deals.
    """
    led = g.ledger
    index = test["rules"]
    seed = test["seed"]
    same = g.test and g.chain and led.ended and index == g.rules_index and test["options"] == g.options
    if same and seed == chained(led.seed) and not test["hands"]:
        g.lead_fixed = test["lead"]
        g.turn_seconds = test["turn_seconds"]
        return
    to_lobby(g, now)
    _use(g, index, test["options"])
    g.test = True
    g.chain = seed is not None
    g.next_seed = seed
    g.next_hands = test["hands"]
    g.lead_fixed = test["lead"]
    g.turn_seconds = test["turn_seconds"]
    g.due = now
    for s, seat in enumerate(g.seats):
        seat.kind = test["kinds"][s]
        seat.lang = test["lang"]
        seat.name = players.name(g.settings, s, seat.lang)
        seat.total = 0
        seat.ready = False
    for seat in g.seats:
        if seat.kind == BOT:
            g.set_ready(seat)


def deal(g, now):
    """Shuffle, journal and announce the next deal."""
    from shared_rules import deal as dealt

    led = g.ledger
    book = g.journal
    if g.next_seed:
        seed = g.next_seed
    elif g.chain:
        seed = chained(led.seed)
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
    sectors.begin(book, g.header)
    opening.load(led, g.header)
    g.saving = book.ok
    led.record.start(g.deal_no)
    opening.announce(led, g.header)
    book.said()
    if not book.ok:
        g.fault(0)
    g.table = led.table
    g.commit = led.commit
    g.settlement = g.big = None
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
    _make(header, g.deal_no, g.rules_index, flags)
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
