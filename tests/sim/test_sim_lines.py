"""The line mode: every line is answered, every end has its exit status."""

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host.sim.cli import CRASHED, OK, USAGE, VIOLATED, WAITING, Headless
from host.sim.settings import Settings
from host.sim.table import SimTable

ROOT = Path(__file__).resolve().parents[2]

# A hub that answers its console, says "tick" every second, and ends a deal every ten.
HUB = """
import json
import select
import sys
import time
import machine

print('{"ev":"boot","id":[0,0],"version":"0.0.0","cause":"power"}')
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
seats = None
n = 0
while True:
    time.sleep_ms(5)
    while poll.poll(0):
        line = sys.stdin.readline()
        try:
            name = json.loads(line)["cmd"]
        except (ValueError, KeyError, TypeError):
            name = None
        if name == "test":
            seats = json.loads(line)["seats"]
        if name == "fly":
            print('{"re":null,"ok":false,"why":"There is no such command."}')
        else:
            print('{"re":"%s","ok":true,"heap_free":1,"heap_low":1}' % name)
    n += 1
    if n % 200 == 0 and "human" not in seats:
        print('{"ev":"tick","id":[%d,%d],"seat":%d}' % (n // 2000, n % 2000, n // 200 % 4))
    if n % 2000 == 0 and "human" not in seats:
        print('{"ev":"end","id":[%d,0],"seed":null}' % (n // 2000))
"""


def run(tmp_path, lines, hub=HUB, seats="bot,bot,bot,bot", **more):
    """Feed the lines; (exit status, answers, events)."""
    folder = tmp_path / "hub"
    folder.mkdir(exist_ok=True)
    (folder / "main.py").write_text(hub)
    settings = Settings(firmware=folder, seats=seats.split(","), vm="cpython", **more)
    table = SimTable(settings, threaded=settings.clock == "real", quiet=True)
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    source = tmp_path / "lines"
    source.write_bytes(text.encode("utf-8", "surrogatepass"))
    out = io.StringIO()
    with source.open("rb") as file:
        try:
            status = Headless(table, settings, file.fileno(), out).run()
        finally:
            table.stop()
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    return status, [s for s in said if "ev" not in s], [s for s in said if "ev" in s]


BROKEN = [
    "garbage\n",
    "{\n",
    "[]\n",
    "null\n",
    '"until"\n',
    "{}\n",
    "\xff\udcfe\n",
    "[" * 100_000 + "\n",
    "x" * 3_000_000 + "\n",
    '{"press": {"seat": 0, "key": "up"}, "advance": 5}\n',
    '{"fly": true}\n',
    '{"advance": -1}\n',
    '{"advance": 1.5}\n',
    '{"advance": true}\n',
    '{"advance": "100"}\n',
    '{"advance": 1e999}\n',
    '{"advance": 5, "speed": 2}\n',
    '{"press": {"seat": 4, "key": "up"}}\n',
    '{"press": {"seat": true, "key": "up"}}\n',
    '{"press": {"seat": 0, "key": "fire"}}\n',
    '{"press": {"seat": 0, "key": ["up"]}}\n',
    '{"press": {"seat": 0, "key": "up", "ms": 0}}\n',
    '{"press": "up"}\n',
    '{"until": "tick"}\n',
    '{"until": 5, "ms": 5}\n',
    '{"until": "tick", "ms": 5, "seat": 7}\n',
    '{"play": {"seat": 0}}\n',
    '{"play": {"seat": 0, "cards": "3", "pass": true}}\n',
    '{"play": {"seat": 0, "cards": 3}}\n',
    '{"play": {"seat": 0, "cards": "3", "as": 7}}\n',
    '{"play": {"seat": 0, "cards": "3"}}\n',
    '{"shot": {"seat": 0}}\n',
    '{"shot": {"seat": 0, "file": "/no/such/folder/a.png"}}\n',
    '{"shot": {"seat": 0, "file": "a.no-picture"}}\n',
    '{"shot": {"seat": 0, "file": "a\\u0000.png"}}\n',
    '{"shot": {"seat": 0, "file": "\\ud800.png"}}\n',
    '{"unplug": {"seat": 1, "what": "table"}}\n',
    '{"unplug": 1}\n',
    '{"i2c": {"seat": 1}}\n',
    '{"i2c": {"seat": 1, "fail": -1}}\n',
    '{"i2c": {"seat": 1, "stuck": 1}}\n',
    '{"i2c": {"seat": 1, "stuck": true, "fail": 1}}\n',
    '{"power": "off"}\n',
    '{"power": "on"}\n',
    '{"power": "cut", "at_write": 0}\n',
    '{"power": "cut", "bytes": 5}\n',
    '{"power": "cut", "at_write": 1, "bytes": 5000}\n',
    '{"stats": false}\n',
    '{"cmd": 5}\n',
]


def test_broken_lines_are_answered_with_one_sentence_and_the_run_goes_on(tmp_path):
    status, answers, events = run(tmp_path, [*BROKEN, {"until": "tick", "ms": 2000}])
    assert status == OK
    assert len(answers) == len(BROKEN) + 1
    for line, answer in zip(BROKEN, answers):
        assert answer["ok"] is False, line[:80]
        assert set(answer) == {"ok", "why"}, line[:80]
        assert answer["why"].endswith(".") and "\n" not in answer["why"], line[:80]
    assert answers[-1]["ok"] is True


def test_every_command_of_the_contract_is_answered(tmp_path):
    picture = tmp_path / "a.png"
    status, answers, events = run(
        tmp_path,
        [
            {"advance": 100},
            {"press": {"seat": 0, "key": "hint"}},
            {"press": {"seat": 3, "key": "menu"}, "ms": 200},
            {"until": "tick", "ms": 3000},
            {"until": "tick", "ms": 5000, "seat": 0},
            {"until": "never", "ms": 50},
            {"shot": {"seat": 0, "file": str(picture)}},
            {"unplug": {"seat": 1}},
            {"plug": {"seat": 1}},
            {"unplug": {"seat": 1}, "what": "display"},
            {"plug": {"seat": 1, "what": "display"}},
            {"i2c": {"seat": 1, "fail": 3}},
            {"i2c": {"seat": 1, "stuck": True}},
            {"i2c": {"seat": 1, "stuck": False}},
            {"stats": True},
            {"power": "cut"},
            {"advance": 10},
            {"power": "on"},
            {"power": "cut", "at_write": 3, "bytes": 9},
        ],
    )
    assert status == OK
    assert [a["ok"] for a in answers] == [True] * 5 + [False] + [True] * 13
    assert answers[0]["t"] == 100
    assert answers[3]["t"] == 1000
    assert answers[4]["t"] == 4000
    stats = answers[14]
    assert {"heap_free", "heap_low", "spi_bytes", "i2c_transactions", "flash_writes", "boot_ms"} <= set(stats)
    assert stats["spi_bytes"] == [0, 0, 0, 0] and stats["boot_ms"] == 0 and stats["key_to_pixel_ms"] == []
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert [e["ev"] for e in events][:2] == ["boot", "tick"]


def test_events_carry_the_time_since_power_on_and_stand_before_the_answer(tmp_path):
    folder = tmp_path / "hub"
    folder.mkdir()
    (folder / "main.py").write_text(HUB)
    settings = Settings(firmware=folder, seats=["bot"] * 4, vm="cpython")
    reading, writing = os.pipe()
    os.write(writing, b'{"until": "tick", "ms": 3000}\n{"advance": 1}\n')
    os.close(writing)
    out = io.StringIO()
    table = SimTable(settings, quiet=True)
    Headless(table, settings, reading, out).run()
    table.stop()
    lines = out.getvalue().splitlines()
    assert lines[0] == '{"ev":"boot","id":[0,0],"version":"0.0.0","cause":"power","t":0}'
    assert lines[1] == '{"ev":"tick","id":[0,200],"seat":1,"t":1000}'
    assert json.loads(lines[2]) == {"ok": True, "t": 1000}


def test_the_run_goes_on_after_the_input_until_the_deals_have_ended(tmp_path):
    status, answers, events = run(tmp_path, [], deals=2)
    assert status == OK
    assert [e["t"] for e in events if e["ev"] == "end"] == [10_000, 20_000]
    assert events[-1]["ev"] == "end"


def test_without_deals_the_end_of_the_input_ends_the_run(tmp_path):
    status, answers, events = run(tmp_path, [{"advance": 3000}])
    assert status == OK
    assert len(answers) == 1 and answers[0]["t"] == 3000


def test_a_table_that_waits_for_a_person_for_ever_ends_with_3(tmp_path, capfd):
    status, _, _ = run(tmp_path, [], seats="human,bot,bot,bot", deals=1, turn_seconds=0)
    assert status == WAITING
    assert "waits for a person" in capfd.readouterr().err


def test_a_crash_ends_the_run_with_1_and_its_traceback(tmp_path, capfd):
    hub = HUB + "    if n == 300:\n        {}['gone']\n"
    folder = tmp_path / "hub"
    folder.mkdir()
    (folder / "main.py").write_text(hub)
    settings = Settings(firmware=folder, seats=["bot"] * 4)
    reading, writing = os.pipe()
    os.write(writing, b'{"advance": 60000}\n{"advance": 1}\n')
    os.close(writing)
    out = io.StringIO()
    table = SimTable(settings)
    status = Headless(table, settings, reading, out).run()
    table.stop()
    assert status == CRASHED
    assert "KeyError: gone" in capfd.readouterr().err
    assert out.getvalue().count('"ok"') == 1


def test_a_violation_makes_the_run_end_with_4(tmp_path):
    hub = "from machine import Pin\nPin(13, Pin.OUT, value=0)\nPin(14, Pin.OUT, value=0)\n" + HUB
    status, answers, _ = run(tmp_path, [{"advance": 100}, {"stats": True}], hub=hub)
    assert status == VIOLATED
    assert [row["kind"] for row in answers[1]["violations"]] == ["two-selected"]


def test_in_real_time_the_same_lines_take_their_time(tmp_path):
    began = time.monotonic()
    status, answers, events = run(tmp_path, [{"press": {"seat": 0, "key": "up"}}, {"advance": 1500}], clock="real")
    assert status == OK
    assert [a["ok"] for a in answers] == [True, True]
    assert time.monotonic() - began > 1.5
    assert [e["ev"] for e in events][:2] == ["boot", "tick"]


def test_an_unknown_console_command_is_answered_by_the_hub(tmp_path):
    status, answers, _ = run(tmp_path, [{"cmd": "fly"}, {"cmd": "stats"}])
    assert answers[0]["re"] is None and answers[1]["re"] == "stats"


WRONG = [
    (["--rules", "poker"], "--rules takes wenzhou, jiangzhe, jiangzhe3, diexiang or baibian, not 'poker'."),
    (["--option", "fast"], "--option: there is no option 'fast'"),
    (["--rules", "baibian", "--option", "by_cards_left"], "baibian has no options"),
    (["--seats", "human,bot"], "--seats takes human or bot for each of four seats"),
    (["--seats", "human,bot,bot,cat"], "--seats takes human or bot"),
    (["--seed", "12"], "--seed takes 64 hex digits."),
    (["--seed", "g" * 64], "--seed takes 64 hex digits."),
    (["--clock", "fast"], "--clock takes virtual or real, not 'fast'."),
    (["--vm", "pypy"], "--vm takes micropython or cpython, not 'pypy'."),
    (["--heap", "lots"], "--heap takes a whole number"),
    (["--heap", "5"], "--heap takes a whole number from 16384"),
    (["--turn-seconds", "-1"], "--turn-seconds takes a whole number from 0"),
    (["--lang", "fr"], "--lang takes zh-Hans, zh-Hant or en, not 'fr'."),
    (["--deals", "0"], "--deals takes a whole number from 1"),
    (["--lead", "4"], "--lead takes a whole number from 0 to 3, not '4'."),
    (["--hands", "3 4|5"], "--hands takes four hands"),
    (["--hands", "3|4|5|6"], "--hands: seat 0 has 1 cards, not 27."),
    (["--hands", "|".join(["3 " * 27] * 4)], "--hands: two decks do not hold so many '3'."),
    (["--hands", "|".join(["1 " * 27] * 4)], "--hands: there is no card '1'."),
    (["--flash", "/no/such/folder/f"], "The flash file cannot be used: there is no folder /no/such/folder.\n"),
    (["--flash", "/"], "The flash file cannot be used: / cannot be opened (Is a directory).\n"),
    (["--flash", "/proc/f"], "The flash file cannot be used: /proc/f could not be written ("),
]


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_a_wrong_option_is_one_sentence(options, sentence, capsys, monkeypatch):
    from host.sim import cli

    status = cli.main(["--headless", *options])
    said = capsys.readouterr()
    assert status == (CRASHED if options[0] == "--flash" else USAGE)
    assert sentence in said.err
    assert said.err.count("\n") == 1 and said.out == ""


def test_a_page_has_no_virtual_time(capsys):
    from host.sim import cli

    assert cli.main(["--clock", "virtual"]) == USAGE
    assert capsys.readouterr().err == "--clock virtual goes with --headless: a page lives in real time.\n"


def test_an_unknown_option_ends_with_2():
    run_ = subprocess.run(
        [sys.executable, "-m", "host", "simulate", "--headless", "--sleds", "4"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert run_.returncode == USAGE
    assert "unrecognized arguments: --sleds 4" in run_.stderr


def test_without_an_interpreter_cpython_takes_its_place_and_says_so(monkeypatch, capsys):
    from host.sim import cli, launch

    monkeypatch.setattr(launch, "micropython", lambda: None)
    assert launch.choose(None) == "cpython"
    assert capsys.readouterr().err == "No MicroPython interpreter here: the firmware runs on CPython (--vm cpython).\n"
    assert cli.main(["--headless", "--vm", "micropython"]) == USAGE
    assert capsys.readouterr().err.startswith("There is no MicroPython interpreter here")
