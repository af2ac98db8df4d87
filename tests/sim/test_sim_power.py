"""Power cuts, in peace and inside a flash operation; the flash file between runs."""

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host import layout
from host.sim.cli import Headless
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


def drive(tmp_path, lines, seed, vm="micropython", seats="bot,bot,bot,bot"):
    """The hub's own firmware, driven by lines: what came back, in order."""
    settings = Settings(seats=seats.split(","), seed=f"{seed:064d}", vm=vm)
    source = tmp_path / "lines"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = io.StringIO()
    with SimTableOfTheHub(settings) as table, source.open("rb") as file:
        Headless(table, settings, file.fileno(), out).run()
    return [json.loads(line) for line in out.getvalue().splitlines()]


class SimTableOfTheHub(SimTable):
    """Started by the line mode or the test; stopped at the end."""

    def __init__(self, settings):
        super().__init__(settings, quiet=True)

    def __enter__(self):
        return self


def ids(said):
    return [tuple(line["id"]) for line in said if "ev" in line]


def answers(said):
    return [i for i, line in enumerate(said) if "ev" not in line]


def test_what_was_said_before_a_cut_stands_before_the_answer_and_until_sees_only_what_comes_after(tmp_path, vm):
    said = drive(
        tmp_path,
        [
            {"power": "cut", "at_write": 18},
            {"until": "end", "ms": 6000},
            {"power": "on"},
            {"until": "turn", "ms": 20_000},
        ],
        33,
        vm,
    )
    armed, cut, on, turn = answers(said)
    assert [(e["ev"], e["id"]) for e in said[armed + 1 : cut]][-2:] == [("deal", [1, 0]), ("turn", [1, 1])]
    assert said[cut].pop("t") - said[cut - 1]["t"] in (0, 1)  # the mark behind the lines was being written
    assert said[cut] == {"ok": False, "why": "The power is off."}
    assert on == cut + 1
    assert [e["ev"] for e in said[on + 1 : turn]] == ["boot", "resumed", "play", "turn"]
    assert said[turn] == {"ok": True, "t": said[turn - 1]["t"]} and said[turn]["t"] > 0
    assert ids(said) == sorted(set(ids(said)))


def test_a_line_still_unheard_stands_before_the_answer_to_a_cut_in_peace(script):
    s = script("say('boot')\ntime.sleep_ms(10)\nsay('one')\nsay('two')\nidle()\n")
    s.until("one")
    assert [e["ev"] for e in s.events] == ["boot", "one"]
    s.table.command({"power": "cut"})
    assert [e["ev"] for e in s.events] == ["boot", "one", "two"]
    s.table.command({"power": "on"})
    assert s.until("two")["t"] == 10


@pytest.mark.parametrize(("at", "bytes_"), [(2, 0), (6, 1), (9, 0), (14, 1), (16, 0), (17, 1), (18, 0), (20, 0)])
def test_the_record_has_no_line_twice_wherever_the_power_goes(tmp_path, at, bytes_):
    cut = {"power": "cut", "at_write": at, "bytes": bytes_}
    again = {"power": "cut", "at_write": 1 + at % 3, "bytes": 0}  # while it starts, too
    lines = [cut, {"advance": 4000}, {"power": "on"}, again, {"advance": 2000}, {"power": "on"}, {"advance": 3000}]
    said = drive(tmp_path, lines, 21, "cpython")
    found = ids(said)
    assert len(found) == len(set(found)) and len(found) > 7
    last = max(deal for deal, k in found)
    for deal in range(last + 1):  # and none is missing
        places = [k for d, k in found if d == deal]
        assert places == list(range(len(places)))


def test_the_hub_repeats_the_lines_of_its_last_entry_after_a_cut(tmp_path):
    """The repeats that the table drops do come: without it the test above would prove nothing."""
    settings = Settings(seats=["bot"] * 4, seed=f"{33:064d}", vm="cpython")
    heard = []

    class Raw(SimTableOfTheHub):
        def _repeated(self, text):
            heard.append(text)
            return super()._repeated(text)

    with Raw(settings) as table:
        table.start()
        table.command({"power": "cut", "at_write": 18})
        table.advance(6000)
        table.command({"power": "on"})
        table.advance(500)
    assert sum(text.startswith('{"ev":"turn","id":[1,1],') for text in heard) == 2


def test_since_brings_lines_again_and_changes_nothing_of_what_the_table_knows(tmp_path, vm):
    with SimTableOfTheHub(Settings(seats=["bot"] * 4, seed=f"{21:064d}", vm=vm)) as table:
        events = []
        table.on_event(events.append)
        table.start()
        for _ in range(3):
            table.wait_for(lambda e: e["ev"] == "turn", 60_000)
        before = [e["id"] for e in events]

        def known():
            persons = table.persons
            return (
                (table.deal, table.boot_ms, persons.turn, persons.table, persons.dealt, table._setting_up),
                [bytes(p.counts) for p in persons.seats],
                [p.cursor for p in persons.seats],
            )

        was = known()
        answer = table.command({"cmd": "since", "id": [0, 0]})
        assert answer["ok"] and answer["lines"] == len(before) - 1
        assert [e["id"] for e in events] == before + before[1:]
        assert known() == was


@pytest.mark.parametrize("after_cut", [False, True])
def test_a_press_before_the_hub_is_set_up_is_not_lost(tmp_path, vm, after_cut):
    lines = [{"press": {"seat": 0, "key": "play"}}, {"until": "deal", "ms": 5000}]
    if after_cut:
        lines = [{"advance": 300}, {"power": "cut"}, {"power": "on"}, *lines]
    said = drive(tmp_path, lines, 3, vm, "human,bot,bot,bot")
    assert said[-1]["ok"] and said[-2]["ev"] == "deal"


def test_a_press_waits_only_once_for_a_firmware_that_answers_nothing(script):
    s = script("say('boot')\nidle()\n", seats=["human", "bot", "bot", "bot"])
    s.table.press(0, "up")
    assert 5000 < s.table.clock.ms() < 5500
    s.table.press(0, "up")
    assert s.table.clock.ms() < 6000
