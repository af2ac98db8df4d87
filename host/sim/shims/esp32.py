"""`esp32` as the ESP32 port has it, as far as the hub uses it: partitions of the flash."""

from struct import pack_into, unpack_from

import link
import ops

_TABLE = 0x8000
_SECTOR = 4096
_INVALID_SIZE = -260  # ESP_ERR_INVALID_SIZE


class Partition:
    """A row of the partition table; block 4096 bytes."""

    BOOT = 0
    RUNNING = 1
    TYPE_APP = 0
    TYPE_DATA = 1

    def __init__(self, which):
        if which in (0, 1):
            rows = Partition.find(Partition.TYPE_APP)
        elif isinstance(which, str):
            rows = Partition.find(Partition.TYPE_APP, label=which) or Partition.find(Partition.TYPE_DATA, label=which)
        else:
            self._info = which
            return
        if not rows:
            raise link.error(2)
        self._info = rows[0]._info

    @staticmethod
    def find(type=0, subtype=-1, label=None, block_size=4096):
        found = []
        entry = bytearray(32)
        at = _TABLE
        while True:
            link.flash_read(at, entry)
            at += 32
            if entry[0] != 0xAA or entry[1] != 0x50:
                return found
            name = bytes(entry[12:28]).rstrip(b"\0").decode()
            if entry[2] == type and subtype in (-1, 255, entry[3]) and label in (None, name):
                offset, size = unpack_from("<II", entry, 4)
                found.append(Partition((type, entry[3], offset, size, name, False)))

    def info(self):
        return self._info

    def _at(self, block, offset, buf):
        at = block * _SECTOR + offset
        if at < 0 or at + len(buf) > self._info[3]:
            raise link.error(_INVALID_SIZE)
        return self._info[2] + at

    def readblocks(self, block, buf, offset=0):
        link.flash_read(self._at(block, offset, buf), buf)

    def writeblocks(self, block, buf, offset=None):
        at = self._at(block, offset or 0, buf)
        if offset is None:  # whole blocks: erased first
            for k in range((len(buf) + _SECTOR - 1) // _SECTOR):
                _check(link.call_words(ops.FLASH_ERASE, 0, at + k * _SECTOR))
        done = 0
        view = memoryview(buf)
        while done < len(buf):
            part = min(_SECTOR, len(buf) - done)
            message = bytearray(4 + part)
            pack_into("<I", message, 0, at + done)
            message[4:] = view[done : done + part]
            _check(link.call(ops.FLASH_PROGRAM, 0, message))
            done += part

    def ioctl(self, op, arg):
        if op == 4:
            return self._info[3] // _SECTOR
        if op == 5:
            return _SECTOR
        if op == 6:
            _check(link.call_words(ops.FLASH_ERASE, 0, self._at(arg, 0, b"")))
            return 0
        return 0 if op in (1, 2, 3) else None


class RMT:
    """Only what decides how ``neopixel`` makes its bits."""

    @staticmethod
    def bitstream_channel(value=None):
        return value


def _check(result):
    if result < 0:
        raise link.error(-result)
