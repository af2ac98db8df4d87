"""Power cuts, in peace and inside a flash operation; the flash file between runs."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host import layout
from host.sim.models import flash
from host.sim.settings import Settings
from host.sim.table import SimTable

WRITER = """
from esp32 import Partition
part = Partition.find(Partition.TYPE_DATA, label="journal")[0]
say("boot")
time.sleep_ms(100)
part.writeblocks(5, b"\\0" * 200, 0)
say("first")
part.writeblocks(5, b"\\x0f" * 100, 256)
say("second")
part.ioctl(6, 5)
say("erased")
idle()
"""
AT = layout.partition("journal").offset + 5 * layout.SECTOR


def test_power_off_is_dark_and_silent_and_on_boots_again(script):
    s = script("say('boot')\nreset()\nset_up(0)\ncmd(0, 0x2C, bytes(100))\ncmd(0, 0x21)\nsay('lit')\nidle()\n")
    s.until("lit")
    assert s.table.frame(0) != bytes(320 * 240 * 2)
    assert s.table.command({"power": "cut"}) == {"ok": True}
    assert s.table.frame(0) == bytes(320 * 240 * 2)
    assert s.table.lights(0) == [False] * 4
    answer = s.table.command({"until": "lit", "ms": 5000})
    assert not answer["ok"] and answer["why"] == "The power is off."
    assert not s.table.command({"press": {"seat": 0, "key": "up"}})["ok"]
    assert not s.table.command({"power": "cut"})["ok"]
    assert s.table.command({"advance": 700})["ok"]
    assert s.table.command({"power": "on"}) == {"ok": True}
    assert s.until("boot")["t"] == 0
    assert not s.table.command({"power": "on"})["ok"]


@pytest.mark.parametrize(
    ("at", "after", "first", "second"),
    [
        (1, None, bytes(100) + b"\xff" * 100, b"\xff" * 100),
        (1, 0, b"\xff" * 200, b"\xff" * 100),
        (1, 7, bytes(7) + b"\xff" * 193, b"\xff" * 100),
        (2, None, bytes(200), b"\x0f" * 50 + b"\xff" * 50),
        (2, 4096, bytes(200), b"\x0f" * 100),
        (3, 100, b"\xff" * 100 + bytes(100), b"\x0f" * 100),
        (3, None, b"\xff" * 200, b"\xff" * 100),
    ],
)
def test_a_cut_inside_a_flash_operation_leaves_it_half_done(script, at, after, first, second):
    s = script(WRITER)
    s.until("boot")
    line = {"power": "cut", "at_write": at}
    if after is not None:
        line["bytes"] = after
    assert s.table.command(line) == {"ok": True}
    s.table.advance(1000)
    assert not s.table.powered
    assert [e["ev"] for e in s.events] == ["boot", "first", "second"][:at]
    image = s.table.flash.image
    assert bytes(image[AT : AT + 200]) == first
    assert bytes(image[AT + 256 : AT + 356]) == second
    s.table.command({"power": "on"})
    s.until("erased")
    assert bytes(image[AT : AT + 4096]) == b"\xff" * 4096


def test_a_cut_that_was_armed_does_not_outlive_another_cut(script):
    s = script(WRITER)
    s.until("boot")
    s.table.command({"power": "cut", "at_write": 2})
    s.table.command({"power": "cut"})
    s.table.command({"power": "on"})
    s.until("erased")


class TestFlashFile:
    def table(self, path, firmware):
        firmware.mkdir(exist_ok=True)
        (firmware / "main.py").write_text("import time\nwhile True:\n    time.sleep_ms(5)\n")
        return SimTable(Settings(firmware=firmware, seats=None, flash=str(path)), quiet=True)

    def test_keeps_what_was_written_until_the_next_run(self, tmp_path):
        path = tmp_path / "flash.bin"
        one = self.table(path, tmp_path / "f")
        assert one.said == []
        one.flash.program(AT, b"kept")
        one.stop()
        two = self.table(path, tmp_path / "f")
        assert two.said == []
        assert bytes(two.flash.image[AT : AT + 4]) == b"kept"
        two.stop()

    def test_gets_todays_firmware_and_keeps_its_journal(self, tmp_path):
        path = tmp_path / "flash.bin"
        one = self.table(path, tmp_path / "f")
        one.flash.program(AT, b"kept")
        one.stop()
        (tmp_path / "f" / "more.py").write_text("x = 1\n")
        two = self.table(path, tmp_path / "f")
        assert len(two.said) == 1 and "brought up to date" in two.said[0]
        assert bytes(two.flash.image[AT : AT + 4]) == b"kept"
        two.stop()

    @pytest.mark.parametrize(
        ("damage", "why"),
        [
            (lambda b: b[:-1], "4194303 bytes instead of 4194304"),
            (lambda b: b"", "0 bytes"),
            (lambda b: b[:0x8000] + b"\0" + b[0x8001:], "magic"),
            (lambda b: b[:0x8004] + b"\0\x10" + b[0x8006:], "checksum"),
            (lambda b: b[:0x8000] + b"\xff" * 0xC00 + b[0x8C00:], "no partition table"),
        ],
    )
    def test_that_is_damaged_is_set_aside_and_said_so(self, tmp_path, damage, why):
        path = tmp_path / "flash.bin"
        bad = damage(flash.fresh(b""))
        for n in (1, 2):
            path.write_bytes(bad)
            table = self.table(path, tmp_path / "f")
            assert len(table.said) == 1
            assert why in table.said[0] and f"flash.bin.damaged-{n}" in table.said[0]
            assert (tmp_path / f"flash.bin.damaged-{n}").read_bytes() == bad
            assert flash.damage(path.read_bytes()) is None
            table.stop()

    def test_is_used_by_one_run_at_a_time(self, tmp_path):
        path = tmp_path / "flash.bin"
        one = self.table(path, tmp_path / "f")
        with pytest.raises(flash.Busy, match=r"flash\.bin is in use by another simulator"):
            self.table(path, tmp_path / "f")
        one.stop()
        self.table(path, tmp_path / "f").stop()

    def test_survives_the_death_of_the_simulator(self, tmp_path):
        path = tmp_path / "flash.bin"
        program = (
            "import os, sys; sys.path.insert(0, sys.argv[1])\n"
            "from host.sim.clock import Clock\nfrom host.sim.models.flash import Flash\n"
            f"f = Flash(Clock(), None, b'', sys.argv[2])\nf.program({AT}, b'kept')\nos.kill(os.getpid(), 9)\n"
        )
        subprocess.run([sys.executable, "-c", program, str(layout.__file__).rsplit("/host/", 1)[0], str(path)])
        assert path.read_bytes()[AT : AT + 4] == b"kept"


@pytest.mark.parametrize("interpreter", ["micropython", "cpython"])
def test_the_interpreter_ends_with_its_supervisor(tmp_path, interpreter):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "main.py").write_text(
        "import time\nimport machine\nspi = machine.SPI(2)\nwhile True:\n"
        "    try:\n        spi.write(bytes(300))\n        time.sleep_ms(5)\n    except OSError:\n        pass\n"
    )
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from host.sim.settings import Settings\nfrom host.sim.table import SimTable\n"
        f"t = SimTable(Settings(firmware=sys.argv[2], seats=None, vm={interpreter!r}))\n"
        "t.start()\nt.advance(100)\nprint(t.vm.process.pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(layout.__file__).rsplit("/host/", 1)[0], str(tmp_path / "f")],
        capture_output=True,
        text=True,
    )
    pid = int(run.stdout)
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists() or "zombie" in Path(f"/proc/{pid}/status").read_text():
            return
        time.sleep(0.05)
    os.kill(pid, 9)
    raise AssertionError("the interpreter lives on")
