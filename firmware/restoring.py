"""A backup put back at boot: the file ``/restore``, written by the host tools, becomes settings and journal.

The file is there whole or not at all (it gets this name when it has been verified), and goes only when everything in
it stands in the flash: a power cut in between finds it again, and all is done anew. So the hub comes up with what it
had, or with what the backup holds. Numbers are low byte first: ``SKB1`` · length of the settings, 4 bytes · settings ·
for each sector its length, 4 bytes (0: end) and bytes, in the order of their deals · 32 bytes SHA-256 of all that.
In memory only while it is used (``shelf.py``). Enter at ``apply``.
"""

import os
from hashlib import sha256

from micropython import const

import players
from drivers.flash import PAGE
from journal import number
from settings import KIOSK
from slots import Slots

_CODE = const(24)  # of the operator, in the payload of the settings, and its end
_CODE_END = const(40)


def apply(flash):
    """Put the backup back, before anything of the flash is read. True if that was done."""
    with open("/restore", "rb") as source:
        done = _check(source) and _put(flash, source)
    if done:
        os.remove("/restore")
        print("The backup has been put back.")
    else:
        os.rename("/restore", "/restore-unfit")
        print("The backup does not fit this version, or is damaged: it is kept as restore-unfit.")
    return done


def _check(source):
    """Whether the SHA-256 at its end is that of what is before it; leaves the file at its beginning."""
    left = source.seek(0, 2) - 32
    source.seek(0)
    h = sha256()
    buf = bytearray(PAGE)
    while left > 0:
        n = source.readinto(memoryview(buf)[: min(left, PAGE)])
        h.update(memoryview(buf)[:n])
        left -= n
    good = source.read(32) == h.digest()
    source.seek(0)
    return good


def _put(flash, source):
    if source.read(4) != b"SKB1":
        return False
    payload = bytearray(source.read(number(source.read(4), 0)))
    old = players.load(flash).data
    if len(payload) != len(old) or payload[0] != old[0]:
        return False
    # The operator's lock stays with its hub.
    payload[KIOSK] = old[KIOSK]
    payload[_CODE:_CODE_END] = old[_CODE:_CODE_END]
    slots = Slots(flash)
    slots.load()
    ring = flash.sectors - 2
    sector = 0
    buf = bytearray(PAGE)
    left = number(source.read(4), 0)
    while left and sector < ring:
        if not flash.erase(sector):
            return False
        offset = 0
        while left:
            n = source.readinto(memoryview(buf)[: min(left, PAGE)])
            if not flash.program(sector, offset, memoryview(buf)[:n]):
                return False
            offset += n
            left -= n
        sector += 1
        left = number(source.read(4), 0)
    # The other sectors are no longer of the journal: their first bytes are programmed to nothing.
    while sector < ring:
        flash.program(sector, 0, b"\x00\x00\x00\x00")
        sector += 1
    return slots.save(payload)
