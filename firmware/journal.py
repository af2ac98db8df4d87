"""The journal: every deal as its header and its entries in one sector of the raw partition, durable as it is played.

A ring of sectors; the last two sectors of the partition are not part of it (``slots.py``). A sector is erased between
deals only. Page 0 is the header (``ledger.py`` lays it out); from byte 256 on stand entries in granules of 4 bytes:

======  =================================================================================================
small   tag · data · check · said                       tag = kind << 4 | seat << 2 | cause
wide    tag · three low bytes of a 30-bit word, then tail · two checks · said     tail = word >> 24 (below 64)
======  =================================================================================================

An entry counts only if its check is right: one torn by a power cut is skipped. It is programmed before its lines of
the record are written; ``said`` is programmed (FF to 00) after them, so that lines which a cut has swallowed are
written again, under the same id, when the hub is back. No granule but the end is blank.

``Journal`` appends, ``Reader`` reads. With no partition, or a failing one, ``ok`` is False and everything else is
without effect: the deal goes on.
"""

import hashlib

from micropython import const

from drivers.flash import PAGE, SECTOR

# Kinds of entry. A tag of kind 0 is the second half of a wide entry, 15 is blank flash.
START = const(1)  # the first turn
PLAY = const(2)  # wide: 27 bits of the hand as dealt, 3 bits of reading
PASS = const(3)
TRUSTEE = const(4)  # data: 1 on, 0 off; cause: an index into record.TRUSTEE_CAUSES
PAD = const(5)  # data: present
DISPLAY = const(6)  # data: present
REFUSED = const(7)  # data: index into shared_rules.table.CODES
READY = const(8)
RESUMED = const(9)
BOOT = const(10)  # wide: cause << 20 | version
END = const(11)
FAULT = const(12)  # data: index into record.FAULTS
LEAVE = const(13)

_WIDE = const(1 << PLAY | 1 << BOOT)

_FIRST = PAGE  # offset of the first entry
_MAGIC = b"SKJ1"
_CHECK = const(247)  # offset of the 8 check bytes in a header; 255 is its said mark
_SLOTS = const(2)
_CARD = const(20)  # bytes that a card still in hand may need: a wide entry and three passes
_SPARE = const(64)  # and for the end of a deal


def _crc(crc, byte):
    """CRC-8, polynomial 0x07, one byte further."""
    crc ^= byte
    for _ in range(8):
        crc = (crc << 1 ^ 7) & 255 if crc & 128 else crc << 1
    return crc


def _small_check(offset, tag, data):
    """Check byte of a small entry; never FF, which is blank flash."""
    crc = _crc(_crc(_crc(offset >> 2 & 255, offset >> 10), tag), data)
    return crc if crc != 255 else 254


def _wide_check(offset, buf, seed):
    """One of the two check bytes of a wide entry in buf[0:5]."""
    crc = _crc(_crc(seed, offset >> 2 & 255), offset >> 10)
    for i in range(5):
        crc = _crc(crc, buf[i] ^ seed)
    return crc if crc != 255 else 254


def number(buf, offset):
    """Four bytes, low byte first, as a number."""
    return buf[offset] | buf[offset + 1] << 8 | buf[offset + 2] << 16 | buf[offset + 3] << 24


def put_number(buf, offset, n):
    """Store a number as four bytes, low byte first (two's complement)."""
    for i in range(4):
        buf[offset + i] = n >> 8 * i & 255


def seal(header):
    """Complete a header of 256 bytes with magic and check; its said mark stays blank."""
    header[0:4] = _MAGIC
    header[_CHECK:255] = hashlib.sha256(memoryview(header)[:_CHECK]).digest()[:8]
    header[255] = 255


def sealed(header):
    """Whether these 256 bytes are a whole header."""
    return (
        header[0:4] == _MAGIC and header[_CHECK:255] == hashlib.sha256(memoryview(header)[:_CHECK]).digest()[:8]
    )


class Reader:
    """Entries of one sector in order. ``next()`` gives the kind, or 0 at the end; the fields hold that entry."""

    def __init__(self, flash):
        self._flash = flash
        self._buf = bytearray(8)
        self.start(0)

    def start(self, sector):
        """Begin with a sector's first entry."""
        self.sector = sector
        self.offset = _FIRST  # of the entry after the last that was read
        self.at = 0  # of the entry that was read last
        self.torn = False  # whether a broken entry was skipped
        self.seat = self.cause = self.data = self.word = 0
        self.said = True

    def next(self):
        """The next whole entry's kind (START ... LEAVE), or 0."""
        buf = self._buf
        while self.offset <= SECTOR - 4:
            offset = self.offset
            length = 8 if offset <= SECTOR - 8 else 4
            if not self._flash.read(self.sector, offset, buf if length == 8 else memoryview(buf)[:4]):
                return 0
            if buf[0] & buf[1] & buf[2] & buf[3] == 255:
                return 0
            kind = self._whole(offset, length)
            if kind:
                return kind
            self.offset = offset + 4
            self.torn = True
        return 0

    def _whole(self, offset, length):
        buf = self._buf
        tag = buf[0]
        kind = tag >> 4
        if not START <= kind <= LEAVE:
            return 0
        if _WIDE >> kind & 1:
            if length < 8 or buf[4] > 63:
                return 0
            if buf[5] != _wide_check(offset, buf, 0) or buf[6] != _wide_check(offset, buf, 0x5A):
                return 0
            self.word = buf[1] | buf[2] << 8 | buf[3] << 16 | buf[4] << 24
            self.said = buf[7] != 255
            self.offset = offset + 8
        else:
            if buf[2] != _small_check(offset, tag, buf[1]):
                return 0
            self.data = buf[1]
            self.said = buf[3] != 255
            self.offset = offset + 4
        self.seat = tag >> 2 & 3
        self.cause = tag & 3
        self.at = offset
        return kind


class Journal:
    """The ring as it grows. ``ok``: entries are being kept. ``header``: page 0 of the newest sector."""

    def __init__(self, flash):
        self._flash = flash
        self.ring = max(flash.sectors - _SLOTS, 0)
        self.ok = self.ring > 1
        self.header = bytearray(PAGE)
        self.sector = -1  # of the newest header; -1: none yet
        self.sequence = 0
        self.offset = SECTOR  # where the next entry goes
        self._mark = -1  # offset of the said mark that is due
        self._blank = -1  # a sector that is known to be erased
        self._buf = bytearray(8)
        self._byte = bytearray(1)
        # The entry that was appended last.
        self.seat = self.cause = self.data = self.word = 0

    def find(self):
        """Find the newest whole header and load it; False if there is none."""
        limit = 1 << 32
        head = bytearray(8)
        while self.ok:
            best = -1
            newest = -1
            for sector in range(self.ring):
                if self._flash.read(sector, 0, head) and head[0:4] == _MAGIC:
                    n = number(head, 4)
                    if newest < n < limit:
                        newest = n
                        best = sector
            if best < 0:
                return False
            if self._flash.read(best, 0, self.header) and sealed(self.header):
                self.sector = best
                self.sequence = newest
                return True
            limit = newest
        return False

    def reader(self):
        """A Reader at the newest sector's first entry."""
        reader = Reader(self._flash)
        reader.start(self.sector)
        return reader

    def resume(self, reader):
        """Go on behind the last entry that a Reader has read from the newest sector."""
        self.offset = reader.offset

    def prepare(self):
        """Erase the sector of the next deal, if that has not been done: 45 ms, between deals only."""
        if not self.ok:
            return
        sector = (self.sector + 1) % self.ring
        if self._blank != sector:
            self._check(self._flash.erase(sector))
            self._blank = sector

    def open(self, header):
        """Begin a deal's sector with its header (256 bytes, sequence and check are filled in here)."""
        self.prepare()
        self.sequence += 1
        put_number(header, 4, self.sequence)
        seal(header)
        self.header[:] = header
        if not self.ok:
            return
        self.sector = self._blank
        self._blank = -1
        self.offset = _FIRST
        self._check(self._flash.program(self.sector, 0, memoryview(header)[:255]))
        self._mark = 255

    def room(self, cards):
        """Whether an entry that the deal can do without still fits; cards: cards still in hands."""
        return not self.ok or self.offset + cards * _CARD + _SPARE < SECTOR

    def small(self, kind, seat=0, cause=0, data=0):
        """Append a small entry; durable when this returns."""
        self.seat = seat
        self.cause = cause
        self.data = data
        buf = self._buf
        tag = buf[0] = kind << 4 | seat << 2 | cause
        buf[1] = data
        buf[2] = _small_check(self.offset, tag, data)
        self._append(4)

    def wide(self, kind, seat, cause, word):
        """Append a wide entry; word below 2**30."""
        self.seat = seat
        self.cause = cause
        self.word = word
        buf = self._buf
        buf[0] = kind << 4 | seat << 2 | cause
        buf[1] = word & 255
        buf[2] = word >> 8 & 255
        buf[3] = word >> 16 & 255
        buf[4] = word >> 24
        buf[5] = _wide_check(self.offset, buf, 0)
        buf[6] = _wide_check(self.offset, buf, 0x5A)
        self._append(8)

    def _append(self, length):
        if not self.ok:
            return
        offset = self.offset
        if offset + length > SECTOR:
            self.ok = False
            return
        self.offset = offset + length
        # A page is programmed at a time: an entry over its end takes two programs, and counts only after both.
        first = min(length - 1, PAGE - offset % PAGE)
        view = memoryview(self._buf)
        done = self._flash.program(self.sector, offset, view[:first])
        if done and first < length - 1:
            done = self._flash.program(self.sector, offset + first, view[first : length - 1])
        self._check(done)
        self._mark = offset + length - 1

    def said(self):
        """The lines of the last entry (or of the header) have been written."""
        if self.ok and self._mark >= 0:
            self._byte[0] = 0
            self._check(self._flash.program(self.sector, self._mark, self._byte))
        self._mark = -1

    def mark(self, offset):
        """The lines of the entry at this said mark were written after all (on resuming)."""
        self._mark = offset
        self.said()

    def _check(self, done):
        if not done:
            self.ok = False
