"""The ESP32's ROM loader, and the stub flasher that esptool puts into its RAM, as seen on the serial line.

A model of the device: ``Rom.take(data)`` gets the bytes of the line, answers go out by ``send(data)``. The ROM answers
by itself; once code has been loaded into RAM and started, the model answers as esptool's stub does, which is the only
code that any tool loads there. Everything that lies in the flash goes through the flash model, so that a power cut
may come inside any of its operations.

Source: Espressif, "Serial Protocol" (https://docs.espressif.com/projects/esptool/en/latest/esp32/advanced-topics/
serial-protocol.html): packets, commands, status codes; register addresses from the ESP32 technical reference manual.
"""

import hashlib
import struct
import zlib

from .. import layout

# SLIP (RFC 1055)
_END, _ESC = b"\xc0", b"\xdb"
_LONGEST = 1 << 17  # a longer packet is noise

_REQUEST = struct.Struct("<BBHI")  # direction 0, command, length of the data, checksum
_ANSWER = struct.Struct("<BBHI")  # direction 1, command, length, value
_FOUR = struct.Struct("<IIII")

# Status: the second byte says why.
INVALID_MESSAGE, FAILED, INVALID_CRC, WRITE_ERROR = 0x05, 0x06, 0x07, 0x08
INFLATE_ERROR = 0x0B
# The stub's own.
STUB_CHECKSUM, STUB_NOT_IN_FLASH_MODE, STUB_INFLATE, STUB_UNKNOWN = 0xC1, 0xC6, 0xC7, 0xFF

_CHECKSUM_SEED = 0xEF
_SYNC = b"\x07\x07\x12\x20" + b"\x55" * 32
_SYNC_VALUE = 0x20120707  # the ROM's; the stub answers 0
_SYNC_ANSWERS = 8
_SLOW = 64  # bytes of a READ_FLASH_SLOW

MAC = b"\x24\x0a\xc4\x00\x00\x01"  # as machine.unique_id() says
FLASH_ID = b"\xc8\x40\x16"  # RDID: GigaDevice, GD25Q, 2 ** 22 bytes

# chip: (its id in GET_SECURITY_INFO or None if it has no such command, the word at 0x40001000)
CHIPS = {"esp32": (None, 0x00F01D83), "esp32s3": (9, 0x9), "esp32c3": (5, 0x1B31506F)}

_MAGIC = 0x40001000
_EFUSE = 0x3FF5A000
_UART_CLKDIV = 0x3FF40014
_RTC_CALIBRATION = 0x3FF5F06C
_APB_DATE = 0x3FF6607C
_XTAL = 40_000_000
_SPI = 0x3FF42000
_SPI_CMD, _SPI_USR2, _SPI_W0 = _SPI, _SPI + 0x24, _SPI + 0x80
_SPI_START = 1 << 18
_CK8M = 200  # efuse: what the ROM measured of the 8 MHz clock; with the calibration below it says 40 MHz


class Rom:
    """One stay in the download mode. flash: a models.flash.Flash; send(data): to the line; reset(): the chip starts
    anew, without download mode; chip: a key of CHIPS; on_block(): called before each block of data is written."""

    def __init__(self, flash, send, reset, chip="esp32", on_block=None):
        self._flash = flash
        self._send = send
        self._reset = reset
        self._on_block = on_block or (lambda: None)
        self.baud = None  # found with the first SYNC
        self.stub = False
        self._has_security_info = CHIPS[chip][0] is not None
        self._chip_id = CHIPS[chip][0] or 0
        self._buf = bytearray()
        self._ram = {}  # start: bytes loaded there
        self._loading = None  # (start, bytes so far)
        self._at = None  # where the next byte goes in the flash
        self._end = 0
        self._erased = 0  # the stub erases as it writes: up to here
        self._inflate = None
        self._reading = None  # (offset, length, block, most in flight, sent, acknowledged)
        self._registers = {
            _MAGIC: CHIPS[chip][1],
            _EFUSE + 4: int.from_bytes(MAC[2:], "big"),
            _EFUSE + 8: int.from_bytes(MAC[:2], "big") | _crc8(MAC) << 16,
            # ESP32-D0WD-V3, revision 3.1, 240 MHz.
            _EFUSE + 12: 1 << 15 | 1 << 13 | 1 << 9,
            _EFUSE + 16: 0x11 << 8 | _CK8M,
            _EFUSE + 20: 1 << 24 | 1 << 20,
            _APB_DATE: 1 << 31 | 0x16042000,
            _RTC_CALIBRATION: _XTAL * 40 // (15625 * _CK8M) << 7,
        }
        self._set_divider(115200)
        self._commands = {
            0x02: self._flash_begin,
            0x03: self._flash_data,
            0x04: self._flash_end,
            0x05: self._mem_begin,
            0x06: self._mem_end,
            0x07: self._mem_data,
            0x08: self._sync,
            0x09: self._write_reg,
            0x0A: self._read_reg,
            0x0B: self._nothing,  # SPI_SET_PARAMS
            0x0D: self._nothing,  # SPI_ATTACH
            0x0E: self._read_slow,
            0x0F: self._change_baud,
            0x10: self._defl_begin,
            0x11: self._defl_data,
            0x12: self._flash_end,
            0x13: self._md5,
            0x14: self._security_info,
        }
        self._stub_commands = {
            0xD0: self._erase_flash,
            0xD1: self._erase_region,
            0xD2: self._read_flash,
            0xD3: self._run_user_code,
        }

    def _set_divider(self, baud):
        self._registers[_UART_CLKDIV] = _XTAL // baud | _XTAL * 16 // baud % 16 << 20

    # Packets

    def take(self, data, baud=None):
        """Bytes from the line, sent at this baud rate (None: not known). Sent at another rate than the chip's they
        are noise."""
        if baud and self.baud and abs(baud - self.baud) * 30 > self.baud:
            return
        self._buf += data
        while True:
            start = self._buf.find(_END)
            if start < 0:
                self._buf.clear()
                return
            end = self._buf.find(_END, start + 1)
            if end < 0:
                del self._buf[:start]
                if len(self._buf) > _LONGEST:
                    self._buf.clear()
                return
            packet = bytes(self._buf[start + 1 : end])
            # An end may be the next one's beginning, too.
            del self._buf[: end if not packet else end + 1]
            if packet:
                self._packet(packet.replace(b"\xdb\xdc", _END).replace(b"\xdb\xdd", _ESC), baud)

    def _frame(self, data):
        self._send(_END + data.replace(_ESC, b"\xdb\xdd").replace(_END, b"\xdb\xdc") + _END)

    def _packet(self, packet, baud):
        if self._reading:
            self._acknowledged(packet)
            return
        if len(packet) < 8:
            return
        direction, command, size, check = _REQUEST.unpack_from(packet)
        data = packet[8:]
        if direction != 0 or size != len(data):
            return
        if self.baud is None:
            if command != 0x08:  # the chip knows no baud rate before it has seen a SYNC
                return
            self.baud = baud or 115200
            self._set_divider(self.baud)
        act = self._commands.get(command) or (self._stub_commands.get(command) if self.stub else None)
        if act is None or command == 0x14 and not self._has_security_info:
            self._answer(command, error=STUB_UNKNOWN if self.stub else INVALID_MESSAGE)
            return
        try:
            act(command, data, check)
        except struct.error:
            self._answer(command, error=INVALID_MESSAGE)

    def _answer(self, command, value=0, data=b"", error=0):
        status = bytes((1 if error else 0, error))
        if not self.stub:
            status += b"\0\0"
        data += status
        self._frame(_ANSWER.pack(1, command, len(data), value) + data)

    def _nothing(self, command, data, check):
        self._answer(command)

    def _sync(self, command, data, check):
        if data != _SYNC:
            self._answer(command, error=INVALID_MESSAGE)
            return
        for _ in range(_SYNC_ANSWERS):
            self._answer(command, 0 if self.stub else _SYNC_VALUE)

    def _security_info(self, command, data, check):
        self._answer(command, data=struct.pack("<IB7BII", 0, 0, *[0] * 7, self._chip_id, 0))

    # Registers

    def _read_reg(self, command, data, check):
        (address,) = struct.unpack_from("<I", data)
        self._answer(command, self._registers.get(address, 0))

    def _write_reg(self, command, data, check):
        for address, value, mask, _ in _FOUR.iter_unpack(data):
            old = self._registers.get(address, 0)
            self._registers[address] = old & ~mask | value & mask
            if address == _SPI_CMD and value & _SPI_START:
                self._spi(self._registers.get(_SPI_USR2, 0) & 0xFF)
                self._registers[_SPI_CMD] = 0
        self._answer(command)

    def _spi(self, instruction):
        """A command to the flash chip, of those that only say what it is."""
        self._registers[_SPI_W0] = {0x9F: int.from_bytes(FLASH_ID, "little")}.get(instruction, 0)

    # RAM

    def _mem_begin(self, command, data, check):
        size, _, _, offset = _FOUR.unpack_from(data)
        self._loading = (offset, bytearray())
        self._ram[offset] = self._loading[1]
        self._answer(command)

    def _mem_data(self, command, data, check):
        body = data[16:]
        if self._loading is None:
            self._answer(command, error=FAILED)
        elif check != _checksum(body):
            self._answer(command, error=STUB_CHECKSUM if self.stub else INVALID_CRC)
        else:
            self._loading[1].extend(body)
            self._answer(command)

    def _mem_end(self, command, data, check):
        stay, entry = struct.unpack_from("<II", data)
        self._answer(command)
        if stay:
            return
        if any(start <= entry < start + len(body) for start, body in self._ram.items()):
            self.stub = True
            self._frame(b"OHAI")
        else:  # it jumps into nothing
            self._reset()

    # Flash: what is written

    def _begin(self, size, offset):
        self._at = offset
        self._end = offset + size
        self._erased = offset - offset % layout.SECTOR
        self._inflate = None
        if not self.stub:  # the ROM erases first, the stub as it writes
            self._erase_to(self._end)

    def _erase_to(self, end):
        while self._erased < min(end, layout.FLASH_SIZE):
            self._flash.erase(self._erased)
            self._erased += layout.SECTOR

    def _flash_begin(self, command, data, check):
        size, _, _, offset = _FOUR.unpack_from(data)
        self._begin(size, offset)
        self._answer(command)

    def _defl_begin(self, command, data, check):
        size, _, _, offset = _FOUR.unpack_from(data)
        self._begin(size, offset)
        self._inflate = zlib.decompressobj()
        self._answer(command)

    def _write(self, body):
        body = body[: max(0, min(self._end, layout.FLASH_SIZE) - self._at)]
        self._erase_to(self._at + len(body))
        self._flash.program(self._at, body)
        self._at += len(body)

    def _block(self, command, data, check):
        """The body of a data command, or None if it was refused."""
        length = _FOUR.unpack_from(data)[0]
        body = data[16 : 16 + length]
        if self._at is None:
            self._answer(command, error=STUB_NOT_IN_FLASH_MODE if self.stub else FAILED)
        elif check != _checksum(body) or len(body) != length:
            self._answer(command, error=STUB_CHECKSUM if self.stub else INVALID_CRC)
        else:
            self._on_block()
            return body
        return None

    def _flash_data(self, command, data, check):
        body = self._block(command, data, check)
        if body is not None:
            self._write(body)
            self._answer(command)

    def _defl_data(self, command, data, check):
        body = self._block(command, data, check)
        if body is None:
            return
        if self._inflate is None:
            self._answer(command, error=STUB_NOT_IN_FLASH_MODE if self.stub else FAILED)
            return
        try:
            self._write(self._inflate.decompress(body))
        except zlib.error:
            self._answer(command, error=STUB_INFLATE if self.stub else INFLATE_ERROR)
            return
        self._answer(command)

    def _flash_end(self, command, data, check):
        (stay,) = struct.unpack_from("<I", data)
        self._answer(command)
        self._at = None
        if not stay or not self.stub:
            self._reset()

    def _erase_flash(self, command, data, check):
        for at in range(0, layout.FLASH_SIZE, layout.SECTOR):
            self._flash.erase(at)
        self._answer(command)

    def _erase_region(self, command, data, check):
        offset, size = struct.unpack_from("<II", data)
        if offset % layout.SECTOR or size % layout.SECTOR or offset + size > layout.FLASH_SIZE:
            self._answer(command, error=FAILED)
            return
        for at in range(offset, offset + size, layout.SECTOR):
            self._flash.erase(at)
        self._answer(command)

    # Flash: what is read

    def _content(self, offset, size):
        return bytes(self._flash.image[offset : offset + size])

    def _md5(self, command, data, check):
        offset, size = struct.unpack_from("<II", data)
        digest = hashlib.md5(self._content(offset, size))
        self._answer(command, data=digest.digest() if self.stub else digest.hexdigest().encode())

    def _read_slow(self, command, data, check):
        offset, size = struct.unpack_from("<II", data)
        if size > _SLOW:
            self._answer(command, error=FAILED)
        else:
            self._answer(command, data=self._content(offset, size).ljust(_SLOW, b"\0"))

    def _read_flash(self, command, data, check):
        offset, size, block, most = _FOUR.unpack_from(data)
        self._answer(command)
        self._reading = [offset, size, max(1, block), max(1, most), 0, 0]
        self._read_on()

    def _read_on(self):
        """Send blocks until so many are on the way; the digest behind the last."""
        offset, size, block, most, sent, acknowledged = self._reading
        while sent < size and sent - acknowledged < block * most:
            count = min(block, size - sent)
            self._frame(self._content(offset + sent, count))
            sent += count
        self._reading[4] = sent
        if acknowledged >= size:
            self._reading = None
            self._frame(hashlib.md5(self._content(offset, size)).digest())

    def _acknowledged(self, packet):
        if len(packet) != 4:
            if packet[:2] == b"\0\x08":  # the tool has begun anew
                self._reading = None
            return
        self._reading[5] = min(int.from_bytes(packet, "little"), self._reading[4])
        self._read_on()

    # The rest

    def _change_baud(self, command, data, check):
        new, _ = struct.unpack_from("<II", data)
        self._answer(command)
        self.baud = new or self.baud
        self._set_divider(self.baud)

    def _run_user_code(self, command, data, check):
        self._reset()


def _checksum(data):
    state = _CHECKSUM_SEED
    for word in data:
        state ^= word
    return state


def _crc8(data):
    """CRC-8 of a MAC address, as it lies in the eFuses (polynomial x8 + x5 + x4 + 1, reflected)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8C if crc & 1 else 0)
    return crc
