"""The one flash layout of the hub: `flash`, the build, the simulator and the virtual board all read this table.

A partition is (label, type, subtype, offset, size) in bytes. ``table_bytes()`` gives the binary that lies at
``TABLE_OFFSET`` in the flash, ``parse_table()`` reads one back (ESP-IDF partition table: 32-byte entries, magic AA 50,
closed by an entry with the MD5 of those before it).
"""

import hashlib
import struct
from typing import NamedTuple

FLASH_SIZE = 0x400000
SECTOR = 4096
PAGE = 256

BOOTLOADER_OFFSET = 0x1000
TABLE_OFFSET = 0x8000
TABLE_SIZE = 0xC00

APP, DATA = 0, 1

_ENTRY = struct.Struct("<2sBBII16sI")
_MAGIC = b"\xaa\x50"
_MD5_MAGIC = b"\xeb\xeb" + b"\xff" * 14


class Partition(NamedTuple):
    """One row of the table; offset and size in bytes, both multiples of a 4 KiB sector."""

    label: str
    type: int
    subtype: int
    offset: int
    size: int


PARTITIONS = (
    Partition("nvs", DATA, 0x02, 0x9000, 0x6000),
    Partition("phy_init", DATA, 0x01, 0xF000, 0x1000),
    Partition("factory", APP, 0x00, 0x10000, 0x1F0000),
    # Raw sectors: a ring of deals, and the settings' two slots in the last ones. Never a file system.
    # The ring of 214 keeps the last 200 deals; what it does not need goes to the file system.
    Partition("journal", DATA, 0x40, 0x200000, 0xD8000),
    # littlefs: code and fonts, two versions of them; nothing that is written while a deal runs.
    Partition("vfs", DATA, 0x81, 0x2D8000, 0x128000),
)


def partition(label):
    """The row of that label. KeyError if there is none."""
    for row in PARTITIONS:
        if row.label == label:
            return row
    raise KeyError(label)


def table_bytes(rows=PARTITIONS):
    """The partition table as it lies in the flash: TABLE_SIZE bytes."""
    entries = b"".join(_ENTRY.pack(_MAGIC, p.type, p.subtype, p.offset, p.size, p.label.encode(), 0) for p in rows)
    entries += _MD5_MAGIC + hashlib.md5(entries).digest()
    if len(entries) > TABLE_SIZE:
        raise ValueError("the partition table has too many rows")
    return entries.ljust(TABLE_SIZE, b"\xff")


def parse_table(data):
    """The rows of a partition table (bytes from TABLE_OFFSET on). ValueError says what is wrong with it."""
    rows = []
    for at in range(0, min(len(data), TABLE_SIZE) - 31, 32):
        entry = data[at : at + 32]
        if entry == b"\xff" * 32:
            break
        if entry[:16] == _MD5_MAGIC:
            if entry[16:] != hashlib.md5(bytes(data[:at])).digest():
                raise ValueError("the partition table's checksum does not fit")
            break
        magic, kind, subtype, offset, size, label, _ = _ENTRY.unpack(entry)
        if magic != _MAGIC:
            raise ValueError("the partition table has an entry without its magic number")
        if offset % SECTOR or size % SECTOR or offset + size > FLASH_SIZE:
            raise ValueError("the partition table has an entry outside the flash")
        rows.append(Partition(label.rstrip(b"\0").decode("ascii", "replace"), kind, subtype, offset, size))
    if not rows:
        raise ValueError("there is no partition table")
    return rows
