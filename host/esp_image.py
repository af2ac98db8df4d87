"""MicroPython for the ESP32 as its project publishes it: found by version or file, taken apart, checked.

Such a file is what lies in the flash from 0x1000 on: bootloader, the project's own partition table at 0x8000, and the
application at 0x10000. ``read()`` gives bootloader and application, each an ESP image (magic E9, segments, checksum, an
appended SHA-256; https://docs.espressif.com/projects/esptool/en/latest/esp32/advanced-topics/firmware-image-format.html).
``find()`` gets a known version: what ``make setup`` has laid beside this Python, the cache, or the download site.
"""

import contextlib
import functools
import hashlib
import operator
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

from . import layout

SITE = "https://micropython.org/resources/firmware/"

# version: (file on the download site, SHA-256 of it)
KNOWN = {
    "1.25.0": (
        "ESP32_GENERIC-20250415-v1.25.0.bin",
        "1eb1a88473e32aa6a4d45dc1b5b6ad40bc1f06128e7aa8548e438cfa4633da1b",
    ),
}
OLDEST = (1, 23)  # the first whose bytecode is version 6.3

CHIP_ESP32 = 0
# The header's chip id of other chips (ESP-IDF, esp_chip_id_t).
_CHIPS = {2: "ESP32-S2", 5: "ESP32-C3", 9: "ESP32-S3", 12: "ESP32-C2", 13: "ESP32-C6", 16: "ESP32-H2", 18: "ESP32-P4"}
_MAGIC = 0xE9
_SIZE_4MB = 0x20  # upper half of the header's fourth byte
_DIGEST = 32
_HEADER = 24  # its last byte: whether a SHA-256 is appended
_SEGMENT_HEADER = 8  # address and length
_CHECKSUM_BEGIN = 0xEF
_VERSION = re.compile(rb"MicroPython v(\d+)\.(\d+)\.?(\d*)[^ \0]* on \d{4}-\d\d-\d\d")
_TIMEOUT_S = 20
_CHUNK = 1 << 16


class FirmwareError(Exception):
    """A file cannot be used, or a version cannot be had; the text is one sentence, with the next step."""


class Firmware(NamedTuple):
    """``bootloader`` and ``application``: bytes, each with its appended SHA-256; ``version``: "1.25.0"."""

    bootloader: bytes
    application: bytes
    version: str


def cache_folder():
    """Where downloads are kept: ``$XDG_CACHE_HOME/shuangkou``, by default ``~/.cache/shuangkou``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shuangkou"


def find(version, show=None):
    """The file of a known version as bytes, from this machine or the download site. FirmwareError.

    show(done, total): called while bytes arrive.
    """
    if version not in KNOWN:
        raise FirmwareError(
            f"There is no known image of MicroPython {version}: known is {', '.join(KNOWN)}. "
            f"Another one can be downloaded from micropython.org and given as --firmware FILE."
        )
    name, digest = KNOWN[version]
    cached = cache_folder() / name
    for path in (Path(sys.prefix) / "firmware" / name, cached):
        with contextlib.suppress(OSError):
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == digest:
                return data
    data = _download(SITE + name, show)
    if hashlib.sha256(data).hexdigest() != digest:
        raise FirmwareError(f"What {SITE}{name} gave is not the known file (its SHA-256 differs): nothing was kept.")
    with contextlib.suppress(OSError):  # without a cache it is downloaded again
        cached.parent.mkdir(parents=True, exist_ok=True)
        temporary = cached.with_name(f"{name}.{os.getpid()}")
        temporary.write_bytes(data)
        temporary.replace(cached)
    return data


def _download(url, show):
    data = bytearray()
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while chunk := answer.read(_CHUNK):
                data += chunk
                if show:
                    show(len(data), total)
    except urllib.error.HTTPError as error:
        raise FirmwareError(f"{url} answered {error.code} {error.reason}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise FirmwareError(
            f"The download site does not answer ({reason}): without a network give the file itself, --firmware FILE."
        ) from None
    return bytes(data)


def load(wanted, show=None):
    """Firmware from ``--firmware``: a version number, or the path of a file. FirmwareError."""
    if re.fullmatch(r"v?\d+\.\d+(\.\d+)?", wanted) and not Path(wanted).exists():
        number = wanted.lstrip("v")
        return read(find(number if number.count(".") == 2 else f"{number}.0", show), wanted)
    try:
        data = Path(wanted).read_bytes()
    except OSError as error:
        raise FirmwareError(f"{wanted} cannot be read ({error.strerror}).") from None
    return read(data, wanted)


def read(data, name="the file"):
    """Take the bytes of a published file apart: Firmware, checked. FirmwareError with ``name`` in its sentence."""
    at = layout.TABLE_OFFSET - layout.BOOTLOADER_OFFSET
    start = layout.partition("factory").offset - layout.BOOTLOADER_OFFSET
    if not data or data[0] != _MAGIC:
        raise FirmwareError(
            f"{name} is not an ESP32 image: it does not begin with the byte E9. "
            f"Take ESP32_GENERIC-...bin from micropython.org/download/ESP32_GENERIC."
        )
    chip = int.from_bytes(data[12:14], "little")
    if len(data) >= 14 and chip != CHIP_ESP32:
        raise FirmwareError(f"{name} is for the {_CHIPS.get(chip, f'chip {chip}')}, not for the ESP32.")
    if len(data) > layout.FLASH_SIZE - layout.BOOTLOADER_OFFSET:
        raise FirmwareError(f"{name} is too large for a 4 MiB flash: it has {len(data)} bytes.")
    if len(data) < start + 24:
        raise FirmwareError(
            f"{name} is too short: it has {len(data)} bytes, and the application would begin at byte {start}."
        )
    bootloader = _image(data[:at], f"The bootloader in {name}")
    try:
        layout.parse_table(data[at : at + layout.TABLE_SIZE])
    except ValueError as error:
        raise FirmwareError(f"{name} is not a whole MicroPython image: {error}.") from None
    application = _image(data[start:], f"The application in {name}")
    row = layout.partition("factory")
    if len(application) > row.size:
        raise FirmwareError(
            f"The application in {name} has {len(application)} bytes; the partition '{row.label}' holds {row.size}."
        )
    said = _VERSION.search(application)
    if not said:
        raise FirmwareError(f"{name} is an ESP32 program, but not MicroPython.")
    version = tuple(int(n or 0) for n in said.groups())
    text = ".".join(map(str, version))
    if version < OLDEST:
        raise FirmwareError(f"{name} is MicroPython {text}; the firmware needs {OLDEST[0]}.{OLDEST[1]} or newer.")
    return Firmware(_of_4_mib(bootloader), application, text)


def _image(data, name):
    """The bytes of the ESP image that data begins with. FirmwareError if it is not whole and for an ESP32."""
    if data[0] != _MAGIC:
        raise FirmwareError(f"{name} does not begin with the byte E9: the file is damaged or of another kind.")
    chip = int.from_bytes(data[12:14], "little")
    if chip != CHIP_ESP32:
        raise FirmwareError(f"{name} is for the {_CHIPS.get(chip, f'chip {chip}')}, not for the ESP32.")
    at = _HEADER
    checksum = _CHECKSUM_BEGIN
    for n in range(data[1]):
        begin = at + _SEGMENT_HEADER
        at = begin + int.from_bytes(data[at + 4 : begin], "little")
        if begin > len(data) or at > len(data):
            raise FirmwareError(f"{name} is cut short or damaged (segment {n} ends at byte {at} of {len(data)}).")
        checksum ^= functools.reduce(operator.xor, data[begin:at], 0)
    size = at // 16 * 16 + 16  # the checksum is the last byte of a block of 16
    if size > len(data):
        raise FirmwareError(f"{name} is cut short or damaged (its checksum is missing).")
    if data[size - 1] != checksum:
        raise FirmwareError(f"{name} is damaged: its checksum does not fit.")
    if data[_HEADER - 1] != 1:
        raise FirmwareError(f"{name} has no SHA-256 at its end: the file is of another kind.")
    if hashlib.sha256(data[:size]).digest() != data[size : size + _DIGEST]:
        raise FirmwareError(f"{name} is damaged: its SHA-256 does not fit.")
    return bytes(data[: size + _DIGEST])


def _of_4_mib(bootloader):
    """The bootloader with a flash size of 4 MB in its header, its SHA-256 made anew if that changed it."""
    if bootloader[3] & 0xF0 == _SIZE_4MB:
        return bootloader
    body = bytearray(bootloader[:-_DIGEST])
    body[3] = body[3] & 0x0F | _SIZE_4MB
    return bytes(body) + hashlib.sha256(body).digest()
