"""The journal: every deal as its header and its entries in one sector of the raw partition, durable as it is played.

A ring of sectors; the last two sectors of the partition are not part of it (``slots.py``). A sector is erased between
deals only. Page 0 is the header (``ledger.py`` lays it out); from byte 256 on stand entries in granules of 4 bytes:

======  =================================================================================================
small   tag · data · check · said                       tag = kind << 4 | seat << 2 | cause
wide    tag · three low bytes of a 30-bit word, then tail · two checks · said     tail = word >> 24 (below 64)
======  =================================================================================================

An entry counts only if its check is right: one torn by a power cut is skipped. It is programmed before its lines of
the record are written; ``said`` is programmed (FF to 00) after them. An entry without it has its lines written when
the hub is back (``booting.py``): each line at least once. A cut between lines and mark makes that twice, as the hub
cannot know what got out: same id, same text, for the reader to drop. No granule but the end is blank. The last one of
a page is filled (00) together with the mark before it, so that every entry is one program: what a play costs is the
same for all.

``Journal`` appends; sectors are found, read and opened by ``sectors.py``. With no partition, or a failing one, ``ok``
is False and everything else is without effect: the deal goes on.
"""

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
BOOT = const(10)  # wide: cause << 20 | version; with cause 1 in the tag: that many lines are in the sector before
END = const(11)
FAULT = const(12)  # data: index into record.FAULTS
LEAVE = const(13)

# Seeds of the checks of small and wide entries.
SMALL = const(0)
WIDE_1 = const(0)
WIDE_2 = const(0x5A)

# CRC-8, polynomial 0x07, of each upper half of a byte.
_CRC = b"\x00\x07\x0e\x09\x1c\x1b\x12\x15\x38\x3f\x36\x31\x24\x23\x2a\x2d"

_SLOTS = const(2)
_CARD = const(20)  # bytes that a card still in hand may need: a wide entry and three passes
_SPARE = const(128)  # and for the end of a deal, and for filled granules


def check(buf, n, offset, seed):
    """CRC-8 (polynomial 0x07) of buf[0:n] at an offset in its sector; never FF, which is blank flash."""
    crc = seed ^ (offset >> 2 & 255) ^ offset >> 10
    for i in range(n):
        crc ^= buf[i]
        crc = crc << 4 & 255 ^ _CRC[crc >> 4]
        crc = crc << 4 & 255 ^ _CRC[crc >> 4] ^ seed
    return crc if crc != 255 else 254


def number(buf, offset):
    """Four bytes, low byte first, as a number."""
    return buf[offset] | buf[offset + 1] << 8 | buf[offset + 2] << 16 | buf[offset + 3] << 24


def put_number(buf, offset, n):
    """Store a number as four bytes, low byte first (two's complement)."""
    for i in range(4):
        buf[offset + i] = n >> 8 * i & 255


class Journal:
    """The ring as it grows. ``ok``: entries are being kept. ``header``: page 0 of the newest sector."""

    def __init__(self, flash):
        self.flash = flash
        self.ring = max(flash.sectors - _SLOTS, 0)
        self.ok = self.ring > 1
        self.header = bytearray(PAGE)
        self.sector = -1  # of the newest header; -1: none yet
        self.sequence = 0
        self.offset = SECTOR  # where the next entry goes
        self.due = -1  # offset of the said mark to be programmed
        self.blank = -1  # a sector that is known to be erased
        self._buf = bytearray(8)
        self._zeros = bytes(5)  # a mark, and the granule behind it
        # The entry that was appended last.
        self.seat = self.cause = self.data = self.word = 0

    def room(self, cards):
        """Whether an entry that the deal can do without still fits; cards: cards still in hands."""
        return not self.ok or self.offset + cards * _CARD + _SPARE < SECTOR

    def small(self, kind, seat=0, cause=0, data=0):
        """Append a small entry; durable when this returns."""
        self.seat = seat
        self.cause = cause
        self.data = data
        buf = self._buf
        buf[0] = kind << 4 | seat << 2 | cause
        buf[1] = data
        buf[2] = check(buf, 2, self.offset, SMALL)
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
        buf[5] = check(buf, 5, self.offset, WIDE_1)
        buf[6] = check(buf, 5, self.offset, WIDE_2)
        self._append(8)

    def _append(self, length):
        if not self.ok:
            return
        offset = self.offset
        if offset + length > SECTOR:
            self.ok = False
            return
        self.offset = offset + length
        # A page is programmed at a time. Only after a cut an entry may lie over its end, and counts after two programs.
        first = min(length - 1, PAGE - offset % PAGE)
        view = memoryview(self._buf)
        done = self.flash.program(self.sector, offset, view[:first])
        if done and first < length - 1:
            done = self.flash.program(self.sector, offset + first, view[first : length - 1])
        self.note(done)
        self.due = offset + length - 1

    def said(self):
        """The lines of the last entry (or of the header) have been written."""
        if self.ok and self.due >= 0:
            n = 1
            if self.offset % PAGE == PAGE - 4 and self.due == self.offset - 1:
                n = 5
                self.offset += 4
            self.note(self.flash.program(self.sector, self.due, memoryview(self._zeros)[:n]))
        self.due = -1

    def note(self, done):
        """Give up when the flash has not done something."""
        if not done:
            self.ok = False
