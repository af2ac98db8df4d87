"""The raw ``journal`` partition: 4 KiB sectors that are erased whole and programmed from 1 bits to 0 bits.

``Flash`` answers every call with success or failure and never raises: a hub without its partition, or with a failing
one, plays on without a journal (``journal.py`` says so once).
"""

from esp32 import Partition
from micropython import const

SECTOR = const(4096)
PAGE = const(256)

_SUBTYPE = const(0x40)
_IOCTL_COUNT = const(4)
_IOCTL_ERASE = const(6)


class Flash:
    """``sectors``: how many there are; 0 if the partition is missing."""

    def __init__(self, label="journal"):
        found = Partition.find(Partition.TYPE_DATA, _SUBTYPE, label=label)
        self._part = found[0] if found else None
        self.sectors = self._part.ioctl(_IOCTL_COUNT, 0) if self._part else 0

    def read(self, sector, offset, buf):
        """Fill buf from sector at offset (0-4095)."""
        try:
            self._part.readblocks(sector, buf, offset)
        except (OSError, AttributeError):
            return False
        return True

    def program(self, sector, offset, buf):
        """Program buf at offset, inside one page; bits only go from 1 to 0."""
        try:
            self._part.writeblocks(sector, buf, offset)
        except (OSError, AttributeError):
            return False
        return True

    def erase(self, sector):
        """Erase a sector to 0xFF (about 45 ms): between deals only."""
        try:
            self._part.ioctl(_IOCTL_ERASE, sector)
        except (OSError, AttributeError):
            return False
        return True
