"""The evening: its deals as the journal keeps them, and what each player has won and lost in them.

An evening begins with the first deal after the lobby was entered by the end of the one before, and ends when somebody
ends it, or when nobody has pressed a key for a whole deal. Going to the lobby for another rule set does not end it, nor
does a power cut: every deal's header names the evening's first deal. ``load`` reads the headers, newest first; what it
found stays in this module's variables while a screen shows it (``shelf.py``).
"""

from array import array

import ledger
import players
from drivers.flash import PAGE
from journal import SMALL, check, number
from sectors import sealed
from settling import RESULT, RESULTS

RULES = 0x8000  # in ``lines``: not a deal's sector but, in the low bits, the rule set from here on

lines = array("H")  # the score sheet from the top: sectors of deals and changes of rule set
people = []  # players who took part, the best first
sums = []  # points of the evening by player
totals = []  # ... and what they have in all in the last deal's rule set, as far as known
count = 0  # deals
rules_index = 0  # of the last deal
seen = -1  # sequence of the newest header, and whether its deal was settled
header = bytearray(PAGE)
points = [0, 0, 0, 0]


def result(header):
    """Which of settling.RESULTS the deal of a header came to; ``points`` are those of its seats. -1: not settled."""
    data = header[RESULT : RESULT + 18]
    if data[0] >= len(RESULTS) or data[17] != check(data, 17, RESULT, SMALL):
        return -1
    for s in range(4):
        n = number(data, 1 + 4 * s)
        points[s] = n - (1 << 32) if n & 0x80000000 else n
    return data[0]


def load(g):
    """Read the evening that runs, or else the last one, unless that has been done; returns this module's ``lines``."""
    global lines, people, sums, totals, count, rules_index, seen
    book = g.journal
    now = book.sequence << 1 | (result(book.header) >= 0)
    if now == seen:
        return lines
    seen = now
    count = 0
    sums = [0] * (players.MOST + 4)
    totals = [0] * (players.MOST + 4)
    people = []
    found = []
    first = number(book.header, 116)
    sector = book.sector
    for _ in range(book.ring if first and sector >= 0 else 0):
        if not book.flash.read(sector, 0, header) or header[0] == 255:
            break
        if sealed(header):
            if number(header, 8) < first:
                break
            if header[15] & ledger.DEAL and result(header) >= 0:
                _count(g, found)
                found.append(header[14] << 12 | sector)
        sector = (sector or book.ring) - 1
    lines = array("H")
    rules = -1
    for word in reversed(found):
        if word >> 12 != rules:
            rules = word >> 12
            lines.append(RULES | rules)
        lines.append(word & 0xFFF)
    people.sort(key=lambda player: -sums[player])
    return lines


def _count(g, found):
    """Add the deal of ``header`` and ``points``; found: newer deals."""
    global count, rules_index
    count += 1
    if not found:
        rules_index = header[14]
    for s in range(4):
        player = header[80 + s]
        sums[player] += points[s]
        if player not in people:
            people.append(player)
            if not header[15] & ledger.TEST:
                totals[player] = players.total(g.settings, player, rules_index)
            else:  # kept nowhere else
                n = number(header, 64 + 4 * s)
                totals[player] = (n - (1 << 32) if n & 0x80000000 else n) + points[s]


def score(g, player):
    """What a player has won in the evening that runs."""
    load(g)
    return sums[player] if g.evening == number(g.journal.header, 116) else 0


def deal(g, i):
    """Bring line i, a deal, into ``header`` and ``points``; which of settling.RESULTS it is."""
    g.journal.flash.read(lines[i], 0, header)
    return result(header)
