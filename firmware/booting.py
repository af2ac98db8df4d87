"""Starting the hub: what the journal holds is taken up, or the lobby opened; fresh sectors when one is full.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument.
"""

import time

from micropython import const

import journal
import ledger
import opening
import players
import sectors
from dealing import make
from drivers.flash import PAGE
from game import DEALING
from seats import BOT, HUMAN
from settings import RULES

_NONE = const(255)
_CRASH = const(4)
_BOOTS = const(4)  # cards' worth of room for the lines of this boot and the next ones
_DEALING = const(1500)  # ms; the commitment is shown before the first turn


def boot(g, version, cause, now):
    """Load what the journal holds, say that the hub is on, and go on with a deal or open the lobby.

    version: major << 15 | minor << 8 | patch; cause: index into record.BOOTS. Returns what is to be done next.
    """
    book = g.journal
    led = g.ledger
    if sectors.find(book):
        opening.load(led, book.header)
        _replay(g)
        if led.table is None or led.ended:
            sectors.renew(g)
        elif not book.room(led.cards_left() + _BOOTS):
            thin(g)
    elif book.ok:
        make(g.header, 0, g.settings.get(RULES), 0)
        book.header[84:88] = g.hub.seed()[:4]  # deal numbers begin anew, an archive tells them apart
        sectors.begin(book, g.header)
        book.said()
    book.wide(journal.BOOT, 0, 0, cause << 20 | version)
    led.apply(journal.BOOT, book)
    book.said()
    if not book.ok:
        g.fault(0)
    if g.settings.damaged:
        g.fault(4)
    if cause == _CRASH:
        g.fault(5)
    g.deal_no = led.number
    if led.table is None:
        return "gathering", "to_lobby", now
    _restore(g)
    if led.ended:
        return "settling", "settled", now
    g.enter(journal.RESUMED)
    g.resumed = True
    if led.over():
        g.last_trick(now)
    elif led.started:
        g.begin_turn(now)
    else:
        g.phase = DEALING
        g.due = time.ticks_add(now, _DEALING)


def _replay(g):
    """Bring the ledger to where the newest sector ends; write the lines that a cut may have swallowed."""
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


def thin(g):
    """In a deal: go on in a fresh sector that holds only what the deal depends on.

    What the other lines were is left to the old sector; their numbers are counted. The header comes last: until then
    the old sector is the newest one.
    """
    book = g.journal
    header = g.header
    header[:] = book.header
    reader = sectors.Reader(book.flash, book.sector)
    sectors.prepare(book)
    old = book.sector
    book.sector = book.blank
    book.offset = PAGE
    lines = 0
    kind = reader.next()
    while kind:
        if kind == journal.BOOT:
            lines += reader.word if reader.cause else 1
        elif kind <= journal.TRUSTEE or kind == journal.LEAVE:
            if lines:
                book.wide(journal.BOOT, 0, 1, lines)
                book.said()
            lines = 0
            if kind == journal.PLAY:
                book.wide(kind, reader.seat, reader.cause, reader.word)
            else:
                book.small(kind, reader.seat, reader.cause, reader.data)
            book.said()
        else:
            lines += 1
        kind = reader.next()
    if lines:
        book.wide(journal.BOOT, 0, 1, lines)
        book.said()
    end = book.offset
    book.sector = old
    sectors.begin(book, header)
    book.said()
    book.offset = end


def _restore(g):
    """Seats and table as the journal's header says."""
    header = g.journal.header
    led = g.ledger
    g.table = led.table
    g.rules_index = led.rules_index
    g.rules = led.rules
    g.options = led.options
    g.test = led.test
    g.chain = header[15] & ledger.CHAIN != 0
    g.lead_fixed = header[18] if header[18] != _NONE else -1
    g.commit = led.commit
    g.evening = journal.number(header, 116)
    g.turn_seconds = header[22] | header[23] << 8
    for s, seat in enumerate(g.seats):
        seat.kind = BOT if header[21] >> s & 1 else HUMAN
        seat.lang = min(header[24 + s], 2)
        seat.layout = header[28 + s] & 1
        seat.player = min(header[80 + s], players.MOST + 3)
        seat.name = players.name(g.settings, seat.player, seat.lang)
        seat.total = led.after[s] if led.ended else led.totals[s]
        seat.fresh = False
        seat.trustee = led.trustee[s] != 0
        seat.hidden = seat.trustee and led.trustee_cause[s] > 1  # by pad or by leaving: the player is not there
        seat.warnings = led.warnings[s]
        seat.arrange(g.table.counts[s])
        if not g.test and led.number >= journal.number(g.settings.data, 20):
            players.put_total(g.settings, seat.player, led.rules_index, seat.total)
    g.peek()
