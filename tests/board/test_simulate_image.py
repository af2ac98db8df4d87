"""``simulate --image``: what is flashed is what is simulated, from a copy."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host import build, esp_image, image, layout, statuses
from host.sim.models.flash import fresh
from host.sim.settings import Settings
from host.sim.table import SimTable

ROOT = Path(__file__).resolve().parents[2]
BOTS = "bot,bot,bot,bot"


def simulate(path, *more, lines='{"until": "boot", "ms": 60000}\n{"stats": true}\n'):
    line = [sys.executable, "-m", "host", "simulate", "--headless", "--seats", BOTS, "--image", str(path), *more]
    done = subprocess.run(line, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """The file system of a firmware of version 9.8.7, and a flash image with it and the official MicroPython."""
    folder = tmp_path_factory.mktemp("other")
    shutil.copytree(build.FIRMWARE, folder / "firmware", ignore=shutil.ignore_patterns("boards", "__pycache__"))
    (folder / "firmware" / "version.py").write_text("VERSION = (9, 8, 7)\n")
    vfs = build.vfs_image(folder / "firmware")
    (folder / "vfs.bin").write_bytes(vfs)
    (folder / "flash.bin").write_bytes(image.compose(esp_image.load("1.25.0"), vfs))
    return folder


@pytest.mark.parametrize("name", ["vfs.bin", "flash.bin"])
def test_the_firmware_in_the_image_is_what_runs_and_the_file_stays_as_it_is(other, name):
    before = hashlib.sha256((other / name).read_bytes()).digest()
    status, lines, said = simulate(other / name)
    assert status == statuses.OK, said
    boot = [json.loads(line) for line in lines if '"ev":"boot"' in line]
    assert [event["version"] for event in boot] == ["9.8.7"]
    assert json.loads(lines[-1])["flash_writes"] > 0, "it wrote, but into a copy"
    assert hashlib.sha256((other / name).read_bytes()).digest() == before


def test_the_journal_in_the_image_goes_on(tmp_path):
    with SimTable(Settings(seats=["bot"] * 4, vm="micropython", seed="5" * 64), quiet=True) as table:
        table.command({"until": "turn", "ms": 600_000})
        table.command({"advance": 3000})
        table.command({"power": "cut"})
        (tmp_path / "flash.bin").write_bytes(bytes(table.flash.image))
    status, lines, said = simulate(tmp_path / "flash.bin", lines='{"until": "resumed", "ms": 60000}\n')
    assert status == statuses.OK, said
    assert any('"ev":"resumed"' in line for line in lines)


def test_with_a_flash_file_the_image_is_its_firmware_and_the_journal_is_the_files(other, tmp_path):
    path = tmp_path / "kept.flash"
    row = layout.partition("journal")
    old = bytearray(fresh(build.vfs_image()))
    old[row.offset + 0x64000] = 0x12
    path.write_bytes(old)
    status, lines, said = simulate(other / "vfs.bin", "--flash", str(path))
    assert status == statuses.OK, said
    assert any('"version":"9.8.7"' in line for line in lines)
    assert path.read_bytes()[row.offset + 0x64000] == 0x12


def _vfs_with(**files):
    return build.pack({"main.py": b"", **{name.replace("_", "."): data for name, data in files.items()}})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (lambda: None, "cannot be read"),
        (lambda: b"hello", "has 5 bytes: a flash image has 4194304, a file system image \\d+"),
        (lambda: b"\xff" * layout.FLASH_SIZE, "there is no partition table"),
        (lambda: b"\xff" * layout.partition("vfs").size, "holds no littlefs"),
        (lambda: fresh(b""), "holds no littlefs"),
        (lambda: build.pack({"a.py": b""}), "has no main.py"),
        (lambda: _vfs_with(a_mpy=b"M\x05\x00\x1f"), "bytecode of version 5; version 6 is needed"),
        (lambda: _vfs_with(a_mpy=b"M\x06\x2b\x1f"), "native code"),
        (lambda: _vfs_with(a_mpy=b"no"), "is not bytecode"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(tmp_path, content, why):
    path = tmp_path / "x.bin"
    data = content()
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(image.ImageError, match=why):
        SimTable(Settings(seats=None, vm="micropython", image=path), quiet=True)


def test_the_command_has_a_status_for_it(tmp_path):
    status, lines, said = simulate(tmp_path / "none.bin")
    assert (status, lines) == (statuses.UNUSABLE, [])
    assert said.count("\n") == 1
    status, _, said = simulate(ROOT / "README.md", "--vm", "cpython")
    assert status == statuses.USAGE and "bytecode for MicroPython" in said
