"""Sectors of the journal: finding the newest, reading entries, opening the next. Between deals and at boot.

In memory only while it is used (``shelf.py``). ``book`` is a ``journal.Journal``; its format is told there.
"""

import hashlib

from micropython import const

from drivers.flash import PAGE, SECTOR
from journal import BOOT, LEAVE, PLAY, SMALL, START, WIDE_1, WIDE_2, check, number, put_number

_MAGIC = b"SKJ1"
_CHECK = const(247)  # offset of the 8 check bytes in a header; 255 is its said mark
_DEAL = const(4)  # flag of ledger.py
_RESULT = const(120)  # what came of the deal (settling.py): programmed later
_RESULT_END = const(140)


def _digest(header):
    view = memoryview(header)
    h = hashlib.sha256(view[:_RESULT])
    h.update(view[_RESULT_END:_CHECK])
    return h.digest()[:8]


def sealed(header):
    """Whether these 256 bytes are a whole header."""
    return header[0:4] == _MAGIC and header[_CHECK:255] == _digest(header)


def find(book):
    """Find the newest whole header and load it; False if there is none."""
    limit = 1 << 32
    head = bytearray(8)
    while book.ok:
        best = newest = -1
        for sector in range(book.ring):
            if book.flash.read(sector, 0, head) and head[0:4] == _MAGIC:
                n = number(head, 4)
                if newest < n < limit:
                    newest = n
                    best = sector
        if best < 0:
            return False
        if book.flash.read(best, 0, book.header) and sealed(book.header):
            book.sector = best
            book.sequence = newest
            return True
        limit = newest
    return False


def prepare(book):
    """Erase the sector of the next deal, if that has not been done: 45 ms, between deals only."""
    if not book.ok:
        return
    sector = (book.sector + 1) % book.ring
    if book.blank != sector:
        book.note(book.flash.erase(sector))
        book.blank = sector


def begin(book, header):
    """Begin a deal's sector with its header (bytearray(256); sequence, journal and check are filled in here)."""
    prepare(book)
    book.sequence += 1
    put_number(header, 4, book.sequence)
    header[84:88] = book.header[84:88]
    header[0:4] = _MAGIC
    for i in range(_RESULT, _RESULT_END):
        header[i] = 255
    header[_CHECK:255] = _digest(header)
    header[255] = 255
    book.header[:] = header
    if not book.ok:
        return
    book.sector = book.blank
    book.blank = -1
    book.offset = PAGE
    book.note(book.flash.program(book.sector, 0, memoryview(header)[:255]))
    book.due = 255


def renew(g, always=False):
    """Between deals: go on in a fresh sector when this one is full, or to set an end to what came before."""
    book = g.journal
    if book.room(27) and not always:
        return
    header = g.header
    header[:] = book.header
    k = g.ledger.record.k
    header[12] = k & 255
    header[13] = k >> 8 & 255
    header[15] &= ~_DEAL
    for s in range(4):
        put_number(header, 64 + 4 * s, g.ledger.after[s])
    begin(book, header)
    book.said()


class Reader:
    """Entries of one sector in order. ``next()`` gives the kind, or 0 at the end; the fields hold that entry."""

    def __init__(self, flash, sector):
        self._flash = flash
        self._sector = sector
        self._buf = bytearray(8)
        self.offset = PAGE  # behind the entry that was read last
        self.seat = self.cause = self.data = self.word = 0
        self.said = True

    def next(self):
        """The next whole entry's kind (START ... LEAVE), or 0."""
        buf = self._buf
        while self.offset <= SECTOR - 4:
            offset = self.offset
            view = buf if offset <= SECTOR - 8 else memoryview(buf)[:4]
            if not self._flash.read(self._sector, offset, view):
                return 0
            if buf[0] & buf[1] & buf[2] & buf[3] == 255:
                return 0
            kind = buf[0] >> 4
            if not START <= kind <= LEAVE:
                length = 0
            elif kind == PLAY or kind == BOOT:
                whole = buf[5] == check(buf, 5, offset, WIDE_1) and buf[6] == check(buf, 5, offset, WIDE_2)
                length = 8 if whole and buf[4] < 64 and len(view) == 8 else 0
            else:
                length = 4 if buf[2] == check(buf, 2, offset, SMALL) else 0
            self.offset = offset + (length or 4)
            if length:
                self.seat = buf[0] >> 2 & 3
                self.cause = buf[0] & 3
                self.data = buf[1]
                if length == 8:
                    self.word = buf[1] | buf[2] << 8 | buf[3] << 16 | buf[4] << 24
                self.said = buf[length - 1] != 255
                return kind
        return 0
