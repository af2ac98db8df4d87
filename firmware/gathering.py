"""The lobby, and what a test puts in its place: who plays which rules at which seat.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument.
"""

import time
from hashlib import sha256

import opening
import players
import seating
from game import LOBBY, READY_MS
from seats import BOT, HUMAN
from settings import LANGS, LAYOUTS, RULES


def to_lobby(g, now):
    """Everybody may join; rule set, languages, layouts and the clock may be chosen."""
    settings = g.settings
    if not players.save(settings, g.deal_no):
        g.fault(4)
    g.phase = LOBBY
    g.table = g.settlement = g.big = None
    g.pause = 0
    g.test = g.chain = g.resumed = False
    g.lead_fixed = -1
    g.next_seed = g.next_hands = None
    g.last_first = -1
    g.evening = 0
    g.turn_seconds = settings.turn_seconds()
    _use(g, settings.get(RULES), ())
    for s, seat in enumerate(g.seats):
        seat.clear_deal()
        seat.lang = min(settings.get(LANGS + s), 2)
        seat.layout = settings.get(LAYOUTS + s) & 1
        seating.leave(g, seat)
        seat.menu = 0
        seat.fresh = False
        g.ready_due[s] = time.ticks_add(now, READY_MS)


def change_rules(g, now):
    """To the lobby for another rule set: the evening goes on."""
    evening = g.evening
    to_lobby(g, now)
    g.evening = evening


def end_evening(g, now):
    """End the evening: everything is saved, every screen shows how the players stand."""
    import sectors
    import sheet

    if g.phase != LOBBY or g.evening:
        to_lobby(g, now)
        if g.journal.sector >= 0:
            sectors.renew(g, True)
    for seat in g.seats:
        sheet.show(g, seat, 0)


def choose_rules(g, index):
    """In the lobby: play this rule set; persons must get ready anew."""
    players.save(g.settings, g.deal_no)
    g.settings.put(RULES, index)
    _use(g, index, ())
    for seat in g.seats:
        seating.refresh(g, seat)
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
        if seat.kind == HUMAN:
            seat.player = s
        seat.name = players.name(g.settings, seat.player, seat.lang)
        seat.total = 0
        seat.ready = False
        seat.menu = 1  # the rule set is chosen
    for seat in g.seats:
        if seat.kind == BOT:
            g.set_ready(seat)


def chained(seed):
    """The seed that follows from a given one: SHA-256 of its 32 bytes. A test aid, never for seeds of our own."""
    return sha256(seed).digest()


def _use(g, index, options):
    g.rules_index = index
    g.rules = opening.row(g.ledger, index)
    g.options = options
