"""Settings and totals, kept in two slots with an age and a check; the newer whole one counts.

The last two sectors of the raw partition. The older slot is erased and written, its first page last; the other stays
whole until then. Written between deals only, when something that a player set has changed (every deal's totals stand in
its journal header, so that the slots need not be written after each).
"""

import hashlib

from micropython import const

from drivers.flash import PAGE, SECTOR
from journal import number, put_number

_MAGIC = b"SKS1"
_HEAD = const(32)  # magic, age, length, 16 bytes of SHA-256 over age, length and payload
MOST = SECTOR - _HEAD


def _digest(head, payload):
    h = hashlib.sha256(memoryview(head)[4:12])
    h.update(payload)
    return h.digest()[:16]


class Slots:
    """``load()`` and ``save(payload)``. ``set_aside``: a slot was found damaged (and is not used)."""

    def __init__(self, flash):
        self._flash = flash
        self._first = flash.sectors - 2
        self.age = 0
        self._at = 1  # slot of the newest whole payload
        self.set_aside = False

    def _read(self, slot):
        """(age, payload) of a slot; (0, None) if it is blank or damaged."""
        head = bytearray(_HEAD)
        if self._first < 0 or not self._flash.read(self._first + slot, 0, head):
            return 0, None
        length = number(head, 8)
        payload = bytearray(length) if length <= MOST else None
        if payload is not None and head[0:4] == _MAGIC and self._flash.read(self._first + slot, _HEAD, payload):
            if _digest(head, payload) == head[16:32]:
                return number(head, 4), payload
        # Blank, or left by a power cut while it was erased or written: the other slot is the newer one by right.
        if head[0] != 255 and head[28:32] != b"\xff\xff\xff\xff":
            self.set_aside = True
        return 0, None

    def load(self):
        """The newest whole payload (bytearray), or None."""
        best = None
        for slot in (0, 1):
            age, payload = self._read(slot)
            if payload is not None and (best is None or age > self.age):
                best = payload
                self.age = age
                self._at = slot
        return best

    def save(self, payload):
        """Write a payload (at most MOST bytes) as the newest; False if the flash did not take it."""
        if self._first < 0:
            return False
        flash = self._flash
        sector = self._first + 1 - self._at
        if not flash.erase(sector):
            return False
        head = bytearray(_HEAD)
        head[0:4] = _MAGIC
        put_number(head, 4, self.age + 1)
        put_number(head, 8, len(payload))
        head[16:32] = _digest(head, payload)
        view = memoryview(payload)
        end = _HEAD + len(payload)
        page = (end - 1) // PAGE * PAGE
        while page >= 0:
            start = max(page, _HEAD)
            if not flash.program(sector, start, view[start - _HEAD : min(page + PAGE, end) - _HEAD]):
                return False
            page -= PAGE
        if not flash.program(sector, 0, head):
            return False
        self.age += 1
        self._at = 1 - self._at
        return True
