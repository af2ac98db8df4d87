"""Crashes, boot loops and the two version slots: the real firmware, broken on purpose, in the simulated table."""

import shutil
import subprocess
import sys

import pytest

from host import build
from host.sim.models.flash import Flash
from host.sim.settings import Settings
from host.sim.table import SimTable

BOTS = {"seats": ["bot"] * 4, "seed": "ab" * 32}
# In a deal, once: the file system remembers that it has happened.
ONCE = """        if self.game.turn_no == 9:
            import os

            if "crashed" not in os.listdir("/"):
                open("/crashed", "w").close()
                raise ValueError("on purpose")
"""


class TwoSlots(SimTable):
    """A table whose flash holds these files: {path: bytes}."""

    def __init__(self, content, **settings):
        self.content = content
        super().__init__(Settings(restart=True, **settings), quiet=True)
        self.events = []
        self.console = []
        self.on_event(self.events.append)

    def _open_flash(self):
        return Flash(self.clock, self.violations.report, build.pack(self.content))

    def named(self, name):
        return [e for e in self.events if e["ev"] == name]


def broken(folder, text, version="0.1.0", marker='        self.keys.step(now)\n'):
    """Sources of a firmware with ``text`` at the beginning of every round of its loop."""
    firmware = folder / f"firmware-{version}"
    shutil.copytree(build.FIRMWARE, firmware, ignore=shutil.ignore_patterns("__pycache__", "boards"))
    hub = (firmware / "hub.py").read_text()
    assert marker in hub
    (firmware / "hub.py").write_text(hub.replace(marker, text + marker, 1))
    (firmware / "version.py").write_text(f"VERSION = ({version.replace('.', ', ')})\n")
    return firmware


def slots(a, b=None, state=None):
    """The board's files with versions in slots a and b (folders of sources)."""
    content = build.files(a)
    if b:
        content.update({f"b/{name}": data for name, data in build.slot_files(b).items()})
    if state:
        content[build.STATE] = state
    return content


def test_a_crash_is_said_shown_and_the_deal_goes_on(tmp_path):
    with TwoSlots(slots(broken(tmp_path, ONCE)), **BOTS) as table:
        assert table.wait_for(lambda e: e["ev"] == "boot" and e["cause"] == "crash", 100_000)
        assert table.wait_for(lambda e: e["ev"] == "end", 300_000)
    boots = table.named("boot")
    assert [e["cause"] for e in boots] == ["power", "crash"]
    assert 4000 <= boots[1]["t"] - [e for e in table.events if e["t"] < boots[1]["t"]][-1]["t"] <= 6000  # the screen
    assert [e["what"] for e in table.named("fault")] == ["crash"]
    assert table.named("resumed")
    assert table.violations.count == 0


def test_headless_a_crash_ends_the_run_with_its_traceback(tmp_path):
    firmware = broken(tmp_path, '        if self.game.turn_no == 2:\n            raise ValueError("on purpose")\n')
    code = (
        "import sys; from pathlib import Path; from host.sim.cli import Headless\n"
        "from host.sim.settings import Settings\n"
        "from host.sim.table import SimTable\n"
        f"s = Settings(firmware=Path({str(firmware)!r}), seats=['bot'] * 4, deals=1)\n"
        "sys.exit(Headless(SimTable(s), s).run())"
    )
    run = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert run.returncode == 1
    assert "Traceback (most recent call last):\n" in run.stderr
    assert "ValueError: on purpose" in run.stderr
    assert "The firmware crashed." in run.stderr


def test_a_version_that_crashes_three_times_gives_way_to_the_other(tmp_path):
    bad = broken(tmp_path, '        raise ValueError("on purpose")\n', "0.3.0")
    with TwoSlots(slots(bad, build.FIRMWARE), **BOTS) as table:
        assert table.wait_for(lambda e: e["ev"] == "boot" and e["version"] == "0.1.0", 120_000)
        table.advance(15_000)
        assert [e["version"] for e in table.named("boot")] == ["0.3.0"] * 3 + ["0.1.0"]
        table.power(True)  # and it stays so
        assert table.wait_for(lambda e: e["ev"] == "boot", 10_000)["version"] == "0.1.0"


def test_when_both_crash_the_safe_screen_stays(tmp_path):
    bad = broken(tmp_path, '        raise ValueError("on purpose")\n', "0.3.0")
    worse = broken(tmp_path, '        raise KeyError("on purpose")\n', "0.2.0")
    with TwoSlots(slots(bad, worse), **BOTS) as table:
        table.advance(200_000)
        assert [e["version"] for e in table.named("boot")] == ["0.3.0"] * 3 + ["0.2.0"] * 3
        assert table.crashed == "The firmware came to its end."  # on a board: the REPL
        for seat in range(4):
            assert len(set(table.frame(seat))) > 1, "something is written there"
    assert table.violations.count == 0


def test_a_version_on_trial_is_confirmed_after_ten_seconds(tmp_path):
    new = broken(tmp_path, "", "0.10.0")
    with TwoSlots(slots(build.FIRMWARE, new, b"a b 0 -\n"), **BOTS) as table:
        assert table.wait_for(lambda e: e["ev"] == "boot", 10_000)["version"] == "0.10.0"
        assert table.ask({"cmd": "hub"})["trial"] is True
        table.advance(9000)
        assert table.ask({"cmd": "hub"})["trial"] is True
        table.advance(3000)
        said = table.ask({"cmd": "hub"})
        assert (said["trial"], said["slot"], said["version"]) == (False, "b", "0.10.0")
        table.power(True)
        assert table.wait_for(lambda e: e["ev"] == "boot", 10_000)["version"] == "0.10.0"


@pytest.mark.parametrize("why", ["power", "crash"])
def test_a_version_on_trial_that_ends_early_goes(tmp_path, why):
    new = broken(tmp_path, '        raise ValueError("on purpose")\n' if why == "crash" else "", "0.10.0")
    with TwoSlots(slots(build.FIRMWARE, new, b"a b 0 -\n"), **BOTS) as table:
        assert table.wait_for(lambda e: e["ev"] == "boot", 10_000)["version"] == "0.10.0"
        if why == "power":
            table.advance(5000)
            table.power(True)
        assert table.wait_for(lambda e: e["ev"] == "boot", 20_000)["version"] == "0.1.0"


@pytest.mark.parametrize("harm", ["a file is missing", "no state", "nonsense in the state", "no manifest"])
def test_damage_leads_to_a_whole_slot(tmp_path, harm):
    new = broken(tmp_path, "", "0.2.0")
    content = slots(build.FIRMWARE, new)
    if harm == "a file is missing":
        del content["a/game.mpy"]
    elif harm == "no manifest":
        del content["a/manifest"]
    elif harm == "no state":
        del content[build.STATE]
    else:
        content[build.STATE] = b"\xff\x00 a b c d e\n"
    with TwoSlots(content, **BOTS) as table:
        version = table.wait_for(lambda e: e["ev"] == "boot", 10_000)["version"]
        assert version == ("0.1.0" if "state" in harm else "0.2.0")


def test_with_no_whole_slot_the_safe_screen_stays():
    content = slots(build.FIRMWARE)
    del content["a/manifest"]
    with TwoSlots(content, **BOTS) as table:
        table.advance(10_000)
        assert not table.events
        assert table.crashed == "The firmware came to its end."
        assert len(set(table.frame(0))) > 1
