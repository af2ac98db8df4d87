"""What the chip does between reset and MicroPython: the ROM's and the bootloader's checks, and what they print.

Sources: esptool's documentation "Firmware Image Format"; ESP-IDF's ``bootloader_support`` (the sentences).
"""

import hashlib
import struct
from typing import NamedTuple

from .. import layout

MAGIC = 0xE9
CHIP_ID = 0  # ESP32, in an image's header
_SEED = 0xEF  # of the checksum
_MOST_SEGMENTS = 16

POWERON, SOFTWARE, RTC_WATCHDOG = (0x1, "POWERON_RESET"), (0xC, "SW_CPU_RESET"), (0x10, "RTCWDT_RTC_RESET")
_REPEATS = 8  # the ROM tries so often before its watchdog resets the chip
_ROM_MS, _BOOTLOADER_MS = 380, 100
_MODES = {0: "QIO", 1: "QOUT", 2: "DIO", 3: "DOUT"}


class BadImage(Exception):
    """What is wrong with an image, as the bootloader prints it."""


class Image(NamedTuple):
    """An ESP32 image: ``segments`` (load address, length), entry address, length with checksum and hash in bytes."""

    segments: list
    entry: int
    size: int
    mode: int


def parse(data, at):
    """The image that begins at this offset of the flash. BadImage."""
    magic, count, mode, _, entry = struct.unpack_from("<BBBBI", data, at)
    if magic != MAGIC:
        raise BadImage(f"image at 0x{at:x} has invalid magic byte (nothing flashed here?)")
    (chip,) = struct.unpack_from("<H", data, at + 12)
    if chip != CHIP_ID:
        raise BadImage(f"mismatch chip ID, expected {CHIP_ID}, found {chip}")
    if not 1 <= count <= _MOST_SEGMENTS:
        raise BadImage(f"image at 0x{at:x} segment count {count} exceeds max {_MOST_SEGMENTS}")
    segments = []
    place = at + 24
    check = _SEED
    for n in range(count):
        address, length = struct.unpack_from("<II", data, place)
        place += 8
        if length % 4 or place + length > len(data) - 48:
            raise BadImage(f"Segment {n} extends to invalid size")
        for word in struct.iter_unpack("<I", data[place : place + length]):
            check ^= word[0]
        segments.append((address, length))
        place += length
    check ^= check >> 16
    check = (check ^ check >> 8) & 0xFF
    end = at + (place - at) // 16 * 16 + 15
    if data[end] != check:
        raise BadImage(f"Checksum failed. Calculated 0x{check:x} read 0x{data[end]:x}")
    end += 1
    if data[at + 23]:
        if bytes(data[end : end + 32]) != hashlib.sha256(data[at:end]).digest():
            raise BadImage("Image hash failed - image is corrupt")
        end += 32
    return Image(segments, entry, end - at, mode)


def greeting(cause, download=False):
    """What the ROM prints first. cause: (number, name); download: GPIO0 is low."""
    number, name = cause
    lines = ["ets Jul 29 2019 12:21:46", ""]
    if download:
        lines += [f"rst:0x{number:x} ({name}),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))", ""]
        return ("\r\n".join(lines) + "waiting for download\r\n").encode()
    lines += [f"rst:0x{number:x} ({name}),boot:0x13 (SPI_FAST_FLASH_BOOT)", ""]
    return "\r\n".join(lines).encode()


def start(flash, cause):
    """Boot from the flash (bytes-like, 4 MiB): (what is printed, whether the application runs, ms until the chip
    starts again if it does not)."""
    said = greeting(cause)

    def text(*lines):
        return said + "".join(line + "\r\n" for line in lines).encode()

    (word,) = struct.unpack_from("<I", flash, layout.BOOTLOADER_OFFSET)
    if word & 0xFF != MAGIC:
        return text(*[f"invalid header: 0x{word:08x}"] * _REPEATS), False, _ROM_MS
    lines = ["configsip: 0, SPIWP:0xee", "clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00"]
    lines.append(f"mode:{_MODES.get(flash[layout.BOOTLOADER_OFFSET + 2], 'DIO')}, clock div:2")
    try:
        loader = parse(flash, layout.BOOTLOADER_OFFSET)
    except BadImage as bad:
        return text(*lines, f"{bad}", "ets_main.c 371"), False, _ROM_MS
    lines += [f"load:0x{address:08x},len:{length}" for address, length in loader.segments]
    lines.insert(len(lines) - len(loader.segments) + 1, "ho 0 tail 12 room 4")
    lines.append(f"entry 0x{loader.entry:08x}")
    errors = _second(flash)
    if not errors:
        return text(*lines), True, 0
    lines += [f"\x1b[0;31mE ({45 + n}) {error}\x1b[0m" for n, error in enumerate(errors)]
    return text(*lines), False, _BOOTLOADER_MS


def _second(flash):
    """What the second-stage bootloader complains of, as lines; none: the application starts."""
    table = flash[layout.TABLE_OFFSET : layout.TABLE_OFFSET + layout.TABLE_SIZE]
    if table[:2] != b"\xaa\x50":
        return [
            f"flash_parts: partition 0 invalid magic number 0x{table[0] | table[1] << 8:x}",
            "boot: Failed to verify partition table",
            "boot: load partition table error!",
        ]
    try:
        rows = layout.parse_table(table)
    except ValueError:
        return ["flash_parts: partition table: bad md5", "boot: load partition table error!"]
    for row in rows:
        if row.type == layout.APP:
            try:
                parse(flash, row.offset)
            except BadImage as bad:
                return [f"esp_image: {bad}", "boot: Factory app partition is not bootable", _NONE]
            return []
    return [_NONE]


_NONE = "boot: No bootable app partitions in the partition table"
