"""Flashing: the real esptool against the ROM loader's model, and the command ``flash`` with all that can fail."""

import hashlib
import json
import struct

import pytest

from host import layout, statuses
from host.board import boot, flash, ports, rom
from host.board.virtual import VirtualBoard
from host.sim.clock import Clock
from host.sim.models.flash import Flash


@pytest.fixture(scope="module")
def image_file(image, tmp_path_factory):
    """The flash image as a file."""
    path = tmp_path_factory.mktemp("image") / "flash.bin"
    path.write_bytes(image)
    return path


def esptool(program, board, *arguments):
    """esptool at the board's port, without the needless negotiation: its output; it must succeed."""
    done = program("host.board.run_esptool", "--chip", "esp32", "--port", board.url, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_esptool_as_it_is_identifies_the_chip_and_reads(program, image, tmp_path):
    with VirtualBoard(seed="esptool") as board:
        back = str(tmp_path / "back.bin")
        done = program("esptool", "--port", board.url, "--no-stub", "read-flash", "0x8000", "0x80", back)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "ESP32-D0WD-V3 (revision v3.1)" in done.stdout
        assert "24:0a:c4:00:00:01" in done.stdout
        assert "40MHz" in done.stdout
        assert (tmp_path / "back.bin").read_bytes() == image[0x8000:0x8080]


@pytest.mark.parametrize("stub", [(), ("--no-stub",)], ids=["stub", "rom"])
def test_what_esptool_writes_it_reads_back_and_verifies(program, tmp_path, stub):
    data = hashlib.sha512(b"board").digest() * 80
    (tmp_path / "data.bin").write_bytes(data)
    with VirtualBoard(erased=True) as board:
        said = esptool(program, board, *stub, "write-flash", "0x20000", str(tmp_path / "data.bin"))
        assert "Hash of data verified" in said
        assert bytes(board.flash.image[0x20000 : 0x20000 + len(data)]) == data
        esptool(program, board, *stub, "read-flash", "0x20000", str(len(data)), str(tmp_path / "back.bin"))
        assert (tmp_path / "back.bin").read_bytes() == data
        said = esptool(program, board, *stub, "verify-flash", "0x20000", str(tmp_path / "data.bin"))
        assert "Verification successful" in said
        if not stub:
            esptool(program, board, "erase-flash")
            assert bytes(board.flash.image) == b"\xff" * layout.FLASH_SIZE


def test_flash_writes_an_erased_board_and_leaves_what_players_have(program, image, image_file):
    journal = layout.partition("journal").offset
    with VirtualBoard(erased=True, seed="flash") as board:
        done = program("host", "flash", str(image_file), "--port", board.url)
        assert done.returncode == statuses.OK, done.stdout + done.stderr
        for _, offset, body in flash.regions(image):
            assert bytes(board.flash.image[offset : offset + len(body)]) == body
        assert board.boot_ms is not None
        mark = bytes(board.flash.image[journal : journal + 64])
        assert mark != b"\xff" * 64  # the hub has begun its journal
        done = program("host", "flash", str(image_file), "--port", board.url, "--json")
        assert json.loads(done.stdout)["kept"] is True
        assert bytes(board.flash.image[journal : journal + 64]) == mark


# fault, its value, the step named, exit status, a word of the remedy
FAULTS = (
    ("wrong-chip", "esp32c3", "identify", statuses.WRONG_CHIP, "ESP32-C3"),
    ("no-boot", None, "connect", statuses.NO_DOWNLOAD, "BOOT"),
    ("bad-block", 0x2000, "verify", statuses.MISMATCH, "worn out"),
    ("cable-out", 1, "write", statuses.LOST, "cable"),
    ("power-cut", 20, "write", statuses.LOST, "cable"),
)


@pytest.mark.parametrize(("fault", "value", "step", "status", "word"), FAULTS, ids=[row[0] for row in FAULTS])
def test_each_fault_is_named_with_its_remedy_and_the_board_boots_afterwards(
    program, image, image_file, fault, value, step, status, word
):
    with VirtualBoard(seed=fault) as board:
        assert board.wait_boot()
        board.fault(fault, value)
        done = program("host", "flash", str(image_file), "--port", board.url, "--json")
        said = json.loads(done.stdout)
        assert (done.returncode, said["status"], said["step"]) == (status, status, step)
        assert word in said["why"]
        board.mend()
        if board.port is None:
            board.plug_cable()
        if step in ("write", "verify"):  # half written: what 'flash' writes when it is run again
            for _, offset, body in flash.regions(image):
                board.flash.image[offset : offset + len(body)] = body
        board.power_on()
        assert board.wait_boot()


def test_a_port_that_cannot_be_opened_is_explained(program, image_file, tmp_path):
    for port, status in (("/dev/no-such-port", statuses.NO_PORT), ("rfc2217://127.0.0.1:1", statuses.NO_PORT)):
        done = program("host", "flash", str(image_file), "--port", port, "--json")
        said = json.loads(done.stdout)
        assert (done.returncode, said["step"]) == (status, "open")
        assert port in said["why"]
    assert ports.refused("/dev/x", PermissionError(13, "Permission denied")).kind == "denied"
    assert ports.refused("/dev/x", OSError(16, "Device or resource busy")).kind == "busy"


def test_what_is_no_image_is_refused(tmp_path, capsys):
    path = tmp_path / "short.bin"
    path.write_bytes(b"\xe9" * 100)
    assert flash.main([str(path), "--port", "x"]) == statuses.UNUSABLE
    assert "100 bytes" in capsys.readouterr().err
    path.write_bytes(b"\xff" * layout.FLASH_SIZE)
    assert flash.main([str(path), "--port", "x"]) == statuses.UNUSABLE
    assert flash.main([str(path), "--port", "x", "--baud", "1"]) == statuses.USAGE


def test_the_regions_leave_players_data_out(image):
    nvs, journal = layout.partition("nvs"), layout.partition("journal")
    spans = [(offset, offset + len(body)) for _, offset, body in flash.regions(image)]
    for row in (nvs, journal):
        assert not any(start < row.offset + row.size and row.offset < end for start, end in spans)
    assert flash.kept(layout.table_bytes())
    assert not flash.kept(b"\xff" * layout.TABLE_SIZE)
    assert not flash.kept(layout.table_bytes(layout.PARTITIONS[:3]))


def test_what_the_chip_checks_before_it_starts(image):
    def said(change=None):
        data = bytearray(image)
        if change:
            change(data)
        text, runs, _ = boot.start(bytes(data), boot.POWERON)
        return text.decode(), runs

    app = layout.partition("factory").offset
    assert said()[1] and "entry 0x" in said()[0]

    def put(at, value):
        def change(data):
            data[at : at + len(value)] = value

        return change

    for at, value, word in (
        (layout.BOOTLOADER_OFFSET, b"\xff" * 4, "invalid header: 0xffffffff"),
        (layout.TABLE_OFFSET, b"\xff" * 32, "partition 0 invalid magic number 0xffff"),
        (app, b"\xff" * 24, "invalid magic byte (nothing flashed here?)"),
        (app + 12, b"\x09\x00", "mismatch chip ID"),
        (app + 5000, b"\x01\x02\x03\x04\x05", "Checksum failed"),
    ):
        text, runs = said(put(at, value))
        assert word in text and not runs


class Wire:
    """A ROM with nothing but its line: packets in, answers out."""

    def __init__(self, chip="esp32"):
        self.out = bytearray()
        self.resets = 0
        self.flash = Flash(Clock(), lambda *a: None, None)
        self.rom = rom.Rom(self.flash, self.out.extend, self._reset, chip)

    def _reset(self):
        self.resets += 1

    def ask(self, command, data=b"", check=0, baud=115200):
        """Send a command; the answers as (command, value, rest)."""
        packet = struct.pack("<BBHI", 0, command, len(data), check) + data
        self.out.clear()
        self.rom.take(b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0", baud)
        found = []
        for frame in bytes(self.out).split(b"\xc0"):
            frame = frame.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
            if len(frame) >= 8:
                _, answered, size, value = struct.unpack("<BBHI", frame[:8])
                assert size == len(frame) - 8
                found.append((answered, value, frame[8:]))
        return found

    def sync(self):
        """Wake it."""
        return self.ask(0x08, b"\x07\x07\x12\x20" + b"\x55" * 32)


def test_the_rom_answers_nothing_before_it_is_synchronised():
    wire = Wire()
    assert wire.ask(0x0A, struct.pack("<I", 0x40001000)) == []
    assert len(wire.sync()) == 8
    assert wire.ask(0x0A, struct.pack("<I", 0x40001000)) == [(0x0A, 0x00F01D83, b"\0\0\0\0")]
    assert wire.ask(0x0A, struct.pack("<I", 0x40001000), baud=9600) == []  # noise


def test_a_block_with_a_wrong_checksum_is_refused_and_nothing_is_written():
    wire = Wire()
    wire.sync()
    wire.ask(0x02, struct.pack("<IIII", 64, 1, 64, 0x1000))
    block = struct.pack("<IIII", 64, 0, 0, 0) + bytes(64)
    assert wire.ask(0x03, block, check=0)[0][2][:2] == b"\x01\x07"
    assert bytes(wire.flash.image[0x1000:0x1040]) == b"\xff" * 64
    assert wire.ask(0x03, block, check=0xEF)[0][2][:2] == b"\0\0"
    assert bytes(wire.flash.image[0x1000:0x1040]) == bytes(64)
    (answer,) = wire.ask(0x13, struct.pack("<IIII", 0x1000, 64, 0, 0))
    assert answer[2][:32].decode() == hashlib.md5(bytes(64)).hexdigest()


def test_unknown_commands_and_the_stubs_own_are_refused_by_the_rom():
    wire = Wire()
    wire.sync()
    for command in (0x14, 0x77, 0xD0, 0xD2):
        assert wire.ask(command)[0][2][:2] == b"\x01\x05"
    assert Wire("esp32s3").sync()
    assert wire.ask(0x06, struct.pack("<II", 0, 0x40080000))[0][2][:2] == b"\0\0"
    assert wire.resets == 1  # nothing was loaded there
