"""The flash image: the official MicroPython taken apart, and everything put together at the places of the layout."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from host import build, build_cli, esp_image, image, layout, statuses

ROOT = Path(__file__).resolve().parents[2]
VERSION = "1.25.0"


@pytest.fixture(scope="module")
def official():
    """The bytes of the official image, as ``make setup`` has laid them down."""
    name, digest = esp_image.KNOWN[VERSION]
    path = Path(sys.prefix) / "firmware" / name
    assert path.exists(), "make setup lays it there (tests/board/fetch.py)"
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == digest
    return data


@pytest.fixture(scope="module")
def flash(official):
    return image.compose(esp_image.read(official), build.vfs_image())


def run(*arguments, cwd=ROOT, **more):
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, **more)


class TestImage:
    def test_esptool_accepts_bootloader_and_application_cut_out(self, flash, tmp_path):
        for name, (at, end) in {
            "bootloader": (layout.BOOTLOADER_OFFSET, layout.TABLE_OFFSET),
            "application": (layout.partition("factory").offset, layout.partition("journal").offset),
        }.items():
            path = tmp_path / f"{name}.bin"
            path.write_bytes(flash[at:end])
            said = run("-m", "esptool", "--chip", "esp32", "image-info", str(path))
            assert said.returncode == 0, said.stderr
            assert "(valid)" in said.stdout and "(invalid" not in said.stdout, said.stdout
            assert said.stdout.count("(valid)") == 2, "checksum and appended SHA-256"
            if name == "bootloader":
                assert "Flash size: 4MB" in said.stdout

    def test_the_partition_table_is_ours(self, flash):
        table = flash[layout.TABLE_OFFSET : layout.TABLE_OFFSET + layout.TABLE_SIZE]
        assert layout.parse_table(table) == list(layout.PARTITIONS)

    def test_littlefs_lists_the_application_out_of_it(self, flash):
        assert image.files(image.file_system(flash)) == build.files()

    def test_everything_else_is_erased(self, flash, official):
        firmware = esp_image.read(official)
        assert len(flash) == layout.FLASH_SIZE
        for label in ("nvs", "phy_init", "journal"):
            row = layout.partition(label)
            assert flash[row.offset : row.offset + row.size] == b"\xff" * row.size
        assert flash[: layout.BOOTLOADER_OFFSET] == b"\xff" * layout.BOOTLOADER_OFFSET
        end = layout.partition("factory").offset + len(firmware.application)
        assert set(flash[end : layout.partition("journal").offset]) == {0xFF}

    def test_bootloader_and_application_are_the_official_ones_to_the_byte(self, flash, official):
        firmware = esp_image.read(official)
        assert official.startswith(firmware.bootloader)
        start = layout.partition("factory").offset - layout.BOOTLOADER_OFFSET
        assert official[start:] == firmware.application
        assert flash[0x1000 : 0x1000 + len(firmware.bootloader)] == firmware.bootloader
        assert flash[0x10000 : 0x10000 + len(firmware.application)] == firmware.application
        assert firmware.version == VERSION

    def test_two_builds_are_equal(self, tmp_path):
        """Two processes, two folders, two caches: no order, clock or path gets into the bytes."""
        made = []
        for n in ("1", "2"):
            folder = tmp_path / n
            folder.mkdir()
            code = (
                "import sys, pathlib; from host import build, build_cli; "
                "build.BUILD = pathlib.Path(sys.argv[1], 'cache'); "
                f"sys.exit(build_cli.main(['--firmware', '{VERSION}', '--no-heap', '-o', sys.argv[1] + '/hub.bin']))"
            )
            done = run("-c", code, str(folder), env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": n, "PATH": "/usr/bin"})
            assert done.returncode == 0, done.stderr
            made.append((folder / "hub.bin").read_bytes())
        assert made[0] == made[1]

    def test_a_bootloader_for_another_flash_size_is_set_to_4_MB(self, official):
        body = bytearray(official[:23232])
        body[3] = body[3] & 0x0F | 0x40  # 16 MB
        other = bytes(body) + hashlib.sha256(body).digest() + official[23264:]
        firmware = esp_image.read(other)
        assert firmware.bootloader == official[:23264]

    def test_what_does_not_fit_is_refused(self, official):
        with pytest.raises(image.ImageError, match="do not fit"):
            image.compose(esp_image.read(official), b"\0" * (layout.partition("vfs").size + 1))


def _with(data, at, *values):
    return data[:at] + bytes(values) + data[at + len(values) :]


class TestWrongFiles:
    @pytest.mark.parametrize(
        ("change", "why"),
        [
            (lambda d: b"", "not an ESP32 image"),
            (lambda d: b"PK\x03\x04" + d, "not an ESP32 image"),
            (lambda d: _with(d, 12, 9), "for the ESP32-S3, not for the ESP32"),
            (lambda d: _with(d, 12, 5), "for the ESP32-C3"),
            (lambda d: d[:9], "too short"),
            (lambda d: d[:0xF000], "too short: it has 61440 bytes"),
            (lambda d: d[:-1], "application in .* (damaged|cut short)"),
            (lambda d: d[:0x100000], "application in .* (damaged|cut short)"),
            (lambda d: d + b"\xff" * layout.FLASH_SIZE, "too large for a 4 MiB flash"),
            (lambda d: _with(d, 40, 0), "bootloader in .* damaged: its checksum"),
            (lambda d: _with(d, 0xF000 + 12, 2), "application in .* is for the ESP32-S2"),
            (lambda d: _with(d, 0xF000, 0), "application in .* does not begin"),
            (lambda d: _with(d, 0xF000 + 9, 7), "application in .* damaged: its SHA-256"),
            (lambda d: _with(d, 0x7000, 0), "partition table"),
            (lambda d: _without_name(d), "not MicroPython"),
            (lambda d: _as_version(d, b"MicroPython v1.19.0 on "), "is MicroPython 1.19.0"),
        ],
    )
    def test_the_sentence_says_why(self, official, change, why):
        with pytest.raises(esp_image.FirmwareError, match=why) as found:
            esp_image.read(change(official), "FILE.bin")
        assert "FILE.bin" in str(found.value) and "\n" not in str(found.value)

    def test_an_application_larger_than_its_partition(self, official):
        start = 0xF000
        body = bytearray(official[start:-32])
        # Grow the last segment (100 bytes at 0x400C0000) so that the application outgrows the partition.
        grown = layout.partition("factory").size
        at = bytes(body).rindex((0x400C0000).to_bytes(4, "little"))
        body[at + 4 : at + 8] = (100 + grown).to_bytes(4, "little")
        body = body[: at + 108] + bytes(grown)
        body += bytes(15 - len(body) % 16) + official[-33:-32]  # zeros change no checksum
        with pytest.raises(esp_image.FirmwareError, match="the partition 'factory' holds 2031616"):
            esp_image.read(official[:start] + bytes(body) + hashlib.sha256(body).digest(), "FILE.bin")

    def test_the_command_says_it_in_one_sentence(self, tmp_path, capsys):
        path = tmp_path / "x.bin"
        path.write_bytes(b"hello")
        for wanted in (path, tmp_path / "none.bin", "9.9.9"):
            assert build_cli.main(["--firmware", str(wanted)]) == statuses.UNUSABLE
            assert capsys.readouterr().err.count("\n") == 1

    def test_an_unknown_version_names_the_known_ones(self):
        with pytest.raises(esp_image.FirmwareError, match="known is 1.25.0"):
            esp_image.find("1.9.4")


def _without_name(data):
    return _as_version(data, b"SomethingElse v1.25.0 o")


def _as_version(data, text):
    """The official image with another text in place of 'MicroPython v1.25.0 on ', its sums made anew."""
    old = b"MicroPython v1.25.0 on "
    assert len(text) == len(old)
    body = bytearray(data[0xF000:-32].replace(old, text))
    if data.count(old) % 2:
        for a, b in zip(old, text):
            body[-1] ^= a ^ b  # the checksum: all bytes of the segments xored
    return data[:0xF000] + bytes(body) + hashlib.sha256(body).digest()


class TestFind:
    @pytest.fixture
    def nowhere(self, tmp_path, monkeypatch):
        """A machine that has the file nowhere."""
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        return tmp_path / "cache" / "shuangkou"

    def test_a_download_goes_into_the_cache_and_is_taken_from_there(self, nowhere, official, monkeypatch, tmp_path):
        name, _ = esp_image.KNOWN[VERSION]
        (tmp_path / name).write_bytes(official)
        monkeypatch.setattr(esp_image, "SITE", tmp_path.as_uri() + "/")
        seen = []
        assert esp_image.find(VERSION, lambda done, total: seen.append((done, total))) == official
        assert seen[-1] == (len(official), len(official))
        (tmp_path / name).unlink()
        assert (nowhere / name).read_bytes() == official
        assert esp_image.find(VERSION) == official

    def test_another_file_under_its_name_is_not_kept(self, nowhere, official, monkeypatch, tmp_path):
        name, _ = esp_image.KNOWN[VERSION]
        (tmp_path / name).write_bytes(official[:-1] + b"\0")
        monkeypatch.setattr(esp_image, "SITE", tmp_path.as_uri() + "/")
        with pytest.raises(esp_image.FirmwareError, match="SHA-256 differs"):
            esp_image.find(VERSION)
        assert not nowhere.exists() or not list(nowhere.iterdir())

    def test_offline_the_sentence_names_the_way_out(self, nowhere, monkeypatch):
        monkeypatch.setattr(esp_image, "SITE", "http://127.0.0.1:9/")  # the discard port: nothing listens
        with pytest.raises(esp_image.FirmwareError, match="does not answer .*--firmware FILE"):
            esp_image.find(VERSION)


class TestCommand:
    def test_json_and_the_table_say_the_same(self, tmp_path, capsys):
        target = tmp_path / "hub.bin"
        assert build_cli.main(["--firmware", VERSION, "-o", str(target), "--json"]) == statuses.OK
        said = json.loads(capsys.readouterr().out)
        assert said["bytes"] == layout.FLASH_SIZE and said["micropython"] == VERSION
        assert said["sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
        heap = said["heap_after_boot"]
        assert heap["size"] * 0.3 < heap["used"] < heap["size"], "measured, not made up"
        assert build_cli.main(["--firmware", VERSION, "-o", str(target)]) == statuses.OK
        text = capsys.readouterr().out
        for part in said["flash"]:
            assert f"{part['used']:>10}{part['size']:>10}{100 * part['used'] / part['size']:>7.1f}%" in text
        assert f"about {heap['used']} of {heap['size']} bytes" in text

    def test_a_folder_that_is_none(self, tmp_path, capsys):
        (tmp_path / "file").write_bytes(b"")
        assert build_cli.main(["-o", str(tmp_path / "file" / "x.bin"), "--no-heap"]) == statuses.FAILED
        assert capsys.readouterr().err.count("\n") == 1


def test_the_readme_says_where_the_parts_lie():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    places = [layout.BOOTLOADER_OFFSET, layout.TABLE_OFFSET]
    places += [layout.partition(label).offset for label in ("factory", "journal", "vfs")]
    assert [int(at, 16) for at in re.findall(r"^\| (0x[0-9A-F]+) \| ", text, re.MULTILINE)] == places
