"""The end of a deal: settlement, totals, and the wait for the next one.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument.
"""

import time

from micropython import const

import journal
from game import READY_MS, SETTLED
from seats import HUMAN
from shelf import put_back

RESULTS = ("double", "single", "level", "broken")  # as in shared_rules.score
RESULT = const(120)  # where they lie in the header, 20 bytes that its own check leaves out

_WON = const(4)  # sounds (host/sounds.py)
_LOST = const(5)
_SHOW = const(3000)  # ms; the settlement at least, also when nobody has to get ready


def end(g, now):
    """Settle: from here on everything may be seen."""
    g.enter(journal.END)
    put_back("opening", "shared_rules.score")
    led = g.ledger
    for s, seat in enumerate(g.seats):
        seat.total = led.after[s]
        if not g.test:
            __import__("players").put_total(g.settings, seat.player, g.rules_index, seat.total)
    put_back("players", "slots")
    settled(g, now)
    _cheer(g, now)


def settled(g, now):
    """Show the settlement until all are ready; remember what the next deal's first lead depends on."""
    led = g.ledger
    g.phase = SETTLED
    g.settlement = led.settlement
    g.big = None
    g.due = time.ticks_add(now, _SHOW)
    g.last_result = led.settlement.result
    g.last_first = led.table.out[0] if led.table.out else -1
    for s, seat in enumerate(g.seats):
        seat.ready = led.ready[s] != 0
        seat.trustee = seat.peek = seat.hidden = False
        seat.notice = seat.page = 0
        g.ready_due[s] = time.ticks_add(now, READY_MS)
    _keep(g.journal, led.settlement)
    if g.settings.dirty > 1:
        if not __import__("players").save(g.settings, g.deal_no):
            g.fault(4)
        put_back("players", "slots")
    __import__("sectors").prepare(g.journal)


def _keep(book, t):
    """What came of the deal, for the score sheet, in its header: index of the result, points of the seats, a check.

    Done again after a power cut: the same bits, so that a half-done one becomes whole."""
    data = bytearray(18)
    data[0] = RESULTS.index(t.result)
    for s in range(4):
        journal.put_number(data, 1 + 4 * s, t.points[s])
    data[17] = journal.check(data, 17, RESULT, journal.SMALL)
    if book.ok and book.header[RESULT : RESULT + 18] != data:
        book.note(book.flash.program(book.sector, RESULT, data))
        book.header[RESULT : RESULT + 18] = data


def _cheer(g, now):
    """The ring shows who has won. The sound is that of a deal lost if nobody at the pads has."""
    won = persons = 0
    points = g.settlement.points
    for s, seat in enumerate(g.seats):
        if points[s] > 0:
            won |= 1 << s
        if seat.kind == HUMAN:
            persons |= 1 << s
    g.big = [16, 0, won, time.ticks_add(now, _SHOW), 0]
    sound = g.ledger.record.sound
    if sound:
        sound.play(_LOST if persons and not won & persons else _WON)
