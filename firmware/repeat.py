"""Lines of the record repeated from the journal: what a host missed, from an id on, one entry a step.

In memory while it repeats (``shelf.py``). Enter at ``Repeat.step``.
"""

import opening
from drivers.flash import PAGE
from journal import number
from ledger import Ledger
from record import Record
from sectors import Reader, sealed


class Repeat:
    """The lines behind id [deal, k], up to what was written when this was made. ``write(text)`` takes whole lines."""

    def __init__(self, book, write, deal, k):
        self._book = book
        self._write = write
        self._from = deal
        self._after = k
        self._ledger = Ledger(Record(write))
        self._header = bytearray(PAGE)
        self._last = book.sector  # the newest sector, and where it ended
        self._end = book.offset
        self._sector = book.sector
        self._left = book.ring if book.ok and book.sector >= 0 else 0
        self._reader = None

    def step(self):
        """One entry, or one sector. True when all is done and the answer is written."""
        rec = self._ledger.record
        reader = self._reader
        if reader:
            done = self._sector == self._last and reader.offset >= self._end
            kind = 0 if done else reader.next()
            if kind:
                self._ledger.apply(kind, reader)
            else:
                self._reader = None
            return False
        if not self._left:
            self._write('{"re":"since","ok":true,"lines":%d}\n' % rec.lines)
            return True
        # The oldest sector lies behind the newest, the newest comes last.
        self._left -= 1
        self._sector = (self._sector + 1) % self._book.ring
        header = self._header
        if self._book.flash.read(self._sector, 0, header) and sealed(header):
            deal = number(header, 8)
            if deal >= self._from:
                # A deal that went on in a fresh sector (booting.py): its first lines are repeated once.
                last = rec.k - 1 if deal == rec.deal else -1
                rec.start(deal, header[12] | header[13] << 8)
                rec.after = max(last, self._after if deal == self._from else -1)
                if opening.load(self._ledger, header):
                    opening.announce(self._ledger, header)
                self._reader = Reader(self._book.flash, self._sector)
        return False
