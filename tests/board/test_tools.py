"""The tools of a running hub, against a virtual board: record, backup, settings, lock, doctor, and their faults."""

import base64
import contextlib
import json
import os
import threading
import time

import pytest

from host import cli, statuses
from host.board import ports
from host.board.virtual import VirtualBoard
from host.tools import backup, console, link
from host.tools.archive import Archive
from host.tools.record import Recorder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="virtual boards need a pseudo-terminal")

BOTS = {"cmd": "test", "seats": ["bot"] * 4, "rules": "wenzhou", "seed": "5" * 64}
SPEED = 40  # times as fast as the wall clock
CODE = "246810"


@contextlib.contextmanager
def board(tmp_path, name="board", **more):
    """A virtual board that has started; its link is ``name`` in tmp_path."""
    with VirtualBoard(tmp_path / f"{name}.flash", link=tmp_path / name, seed="ab12", **more) as one:
        one.set_speed(SPEED)
        assert one.wait_boot(60), one.last_errors
        yield one


def run(capsys, *argv):
    """Run a command; (status, what it wrote on standard output, and on standard error)."""
    capsys.readouterr()
    try:
        status = cli.main([str(word) for word in argv])
    except SystemExit as end:
        status = end.code
    out = capsys.readouterr()
    return status, out.out, out.err


def until(wanted, seconds=60):
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end, "it did not come in time"
        time.sleep(0.05)


def lines(path):
    """All lines of an archive, by id."""
    with Archive(path) as archive:
        return archive.db.execute("SELECT journal, deal, k, text FROM line ORDER BY journal, deal, k").fetchall()


def test_ports_that_cannot_be_used_are_told_with_the_remedy(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("SHUANGKOU_PORT", raising=False)
    monkeypatch.setattr(ports.list_ports, "comports", list)
    status, _, err = run(capsys, "settings")
    assert status == statuses.NO_PORT and "plug it in" in err
    status, _, err = run(capsys, "settings", "--port", tmp_path / "none")
    assert status == statuses.NO_PORT and "no such port" in err
    status, _, err = run(capsys, "settings", "--port", "rfc2217://127.0.0.1:1")
    assert status == statuses.NO_PORT and "cannot be opened" in err
    master, slave = os.openpty()
    try:
        port = os.ttyname(slave)
        with link.Link(port) as mute:
            with pytest.raises(link.Silent, match="EN"):
                mute.ask({"cmd": "hub"}, 0.3)
            status, _, err = run(capsys, "settings", "--port", port)
            assert status == statuses.BUSY and "Another program" in err
            os.write(master, b'{"ev":"boot","id":[0,0]}\n')
            with pytest.raises(link.Silent, match="does not answer"):
                mute.ask({"cmd": "hub"}, 0.3)
            os.write(master, b"\r\n>>> ")
            with pytest.raises(link.Silent, match="REPL"):
                mute.ask({"cmd": "hub"}, 0.3)
    finally:
        os.close(slave)
        os.close(master)


def test_settings_are_shown_set_and_refused(tmp_path, capsys):
    with board(tmp_path) as one:
        status, out, _ = run(capsys, "settings", "--port", one.port, "--json")
        assert status == statuses.OK and json.loads(out)["locked"] is False
        wanted = ("--rules", "baibian", "--lang", "en,en,zh-Hant,zh-Hans", "--brightness", 40, "--turn-seconds", 45)
        status, out, _ = run(
            capsys, "settings", "--port", one.port, *wanted, "--clock", "2026-02-28 20:15:00", "--json"
        )
        said = json.loads(out)
        assert status == statuses.OK and said["rules"] == "baibian" and said["brightness"] == 40
        assert said["lang"] == ["en", "en", "zh-Hant", "zh-Hans"] and said["turn_seconds"] == 45
        assert said["time"].startswith("2026-02-28 20:1")
        status, _, err = run(capsys, "settings", "--port", one.port, "--brightness", 101)
        assert status == statuses.FAILED and "0 to 100" in err
        assert run(capsys, "settings", "--lang", "fr")[0] == statuses.USAGE
        one.power_cut()
        one.power_on()
        assert one.wait_boot(60)
        said = json.loads(run(capsys, "settings", "--port", one.port, "--json")[1])
        assert said["brightness"] == 40 and said["rules"] == "baibian"


def test_a_locked_hub_keeps_its_door_shut_until_the_code_comes(tmp_path, capsys, monkeypatch):
    with board(tmp_path) as one:
        monkeypatch.setenv("SHUANGKOU_CODE", CODE)
        assert run(capsys, "settings", "--port", one.port, "--lock")[0] == statuses.OK
        for words in (("settings", "--volume", 5), ("backup", tmp_path / "b"), ("doctor", "--auto")):
            status, _, err = run(capsys, *words, "--port", one.port)
            assert status == statuses.LOCKED and "locked" in err, words
        one.power_cut()
        one.power_on()
        assert one.wait_boot(60)
        with link.Link(one.port) as hub:
            hub.write(b"\x03\x03\r\n\x03")  # Ctrl-C is a byte like another
            assert hub.ask({"cmd": "hub"})["locked"] is True
            with pytest.raises(link.Refused, match="locked"):
                hub.ask(BOTS)
            with pytest.raises(link.Refused, match="wrong"):
                hub.ask({"cmd": "unlock", "code": "000000"})
            with pytest.raises(link.Refused, match="looked at in"):
                hub.ask({"cmd": "unlock", "code": CODE})  # right, but too soon after a wrong one
            began = one.clock.now
            until(lambda: one.clock.now - began > 2.2e9)
            assert hub.ask({"cmd": "repl", "code": CODE})["ok"]
            until(lambda: hub.line(0.2) is not None and hub.at_prompt())
        one.reset()
        assert one.wait_boot(60)
        assert run(capsys, "settings", "--port", one.port, "--unlock")[0] == statuses.OK
        assert json.loads(run(capsys, "settings", "--port", one.port, "--json")[1])["locked"] is False


def test_the_record_has_every_line_once_through_cables_and_power_cuts(tmp_path, capsys):
    archive_path = tmp_path / "table.db"
    heard = {}
    with board(tmp_path) as one:
        one.listen(lambda event, line: heard.setdefault(tuple(event["id"]), event))
        with link.Link(one.port) as hub:
            hub.ask(BOTS)
        until(lambda: one.deal == 1 and one.persons.turn is not None)
        # Started late: what was before is asked for.
        assert run(capsys, "record", "--db", archive_path, "--once", "--port", one.port)[0] == statuses.OK
        with Archive(archive_path, create=True) as archive:
            recorder = Recorder(archive, link.Link(one.port))
            recorder.catch_up()
            stop = threading.Event()

            def live(seconds):
                end = time.monotonic() + seconds
                while time.monotonic() < end and not stop.is_set():
                    if recorder.live(0.2):
                        recorder.catch_up()

            live(1.5)
            one.pull_cable()
            with pytest.raises(link.Lost, match="came out"):
                live(5)
            one.plug_cable()
            assert one.wait_boot(60)
            assert recorder.link.reopen(10)
            recorder.catch_up()
            live(1)
            one.power_cut(at_write=3)
            until(lambda: not one.powered)
            one.power_on()
            assert one.wait_boot(60)
            recorder.catch_up()
            live(1)
            one.advance(0)
            recorder.catch_up()
            recorder.link.close()
    kept = lines(archive_path)
    assert len({row[0] for row in kept}) == 1
    ids = [(deal, k) for _, deal, k, _ in kept]
    for (deal, k), (after_deal, after_k) in zip(ids, ids[1:]):
        assert (after_deal, after_k) in ((deal, k + 1), (deal + 1, 0)), f"after {deal}.{k}"
    assert {tuple(e["id"]) for e in heard.values() if tuple(e["id"]) <= ids[-1]} <= set(ids)
    assert all("seed" not in text or '"ev":"end"' in text for *_, text in kept)


def test_a_backup_leaves_the_running_deal_out_and_goes_onto_another_board(tmp_path, capsys):
    path = tmp_path / "table.backup"
    with board(tmp_path, "first") as one:
        assert run(capsys, "settings", "--port", one.port, "--volume", 17)[0] == statuses.OK
        with link.Link(one.port) as hub:
            hub.ask(BOTS)
        until(lambda: 1 in one.ended and one.persons.turn is not None and one.deal == 2, 120)
        status, out, _ = run(capsys, "backup", path, "--port", one.port)
        assert status == statuses.OK and "Deal 2 is running" in out
        running = one.deal
    data = backup.read(path)
    assert data["left_out"] == running
    sectors = [base64.b64decode(text) for text in data["sectors"]]
    numbers = [int.from_bytes(sector[8:12], "little") for sector in sectors]
    assert numbers == sorted(numbers) and numbers[-1] == running - 1
    with board(tmp_path, "second") as two:
        # A cut while the backup is put back: the next start does it anew.
        image = backup.packed(data)
        with link.Link(two.port) as hub:
            hub.ask({"cmd": "repl"})
        time.sleep(0.5)
        real = backup._mpremote

        def cut_then_reset(port, *steps):
            if steps == ("reset",):
                two.power_cut(at_write=9)
            return real(port, *steps)

        backup._mpremote = cut_then_reset
        try:
            backup._write(two.port, image)
        except link.LinkError:
            pass
        finally:
            backup._mpremote = real
        until(lambda: not two.powered)
        two.power_on()
        assert two.wait_boot(120)
        with link.Link(two.port) as hub:
            assert backup.differences(data, backup.take(hub)) == []
        # And again by the command itself.
        status, out, err = run(capsys, "restore", path, "--port", two.port)
        assert status == statuses.OK, err
        assert json.loads(run(capsys, "settings", "--port", two.port, "--json")[1])["volume"] == 17


def test_a_damaged_backup_is_refused_before_anything_is_written(tmp_path, capsys):
    data = {"format": backup.FORMAT, "version": 1, "settings": "", "sectors": [], "sha256": "0"}
    for text, said in (
        ("{", "not JSON"),
        ("[]", "no backup"),
        (json.dumps({**data, "version": 2}), "version 2"),
        (json.dumps(data), "damaged"),
    ):
        (tmp_path / "b").write_text(text)
        status, _, err = run(capsys, "restore", tmp_path / "b", "--port", tmp_path / "none")
        assert status == statuses.UNUSABLE and said in err


def test_the_doctor_finds_what_is_out_and_which_key_is_down(tmp_path, capsys):
    with board(tmp_path) as one:
        status, out, _ = run(capsys, "doctor", "--port", one.port, "--json")
        parts = {row["part"]: row["state"] for row in json.loads(out)["parts"]}
        assert status == statuses.OK and set(parts.values()) == {"ok", "not seen"}
        assert {"display 3", "pad 0 INT", "pad 2 lights", "journal", "clock", "ring"} <= set(parts)
        one.command({"unplug": {"seat": 1, "what": "display"}})
        one.command({"unplug": {"seat": 2}})
        status, out, _ = run(capsys, "doctor", "--port", one.port, "--auto")
        assert status == statuses.FAILED and "parts are not right" in out
        found = {line[:20].strip(): line[20:29].strip() for line in out.splitlines()}
        assert found["display 1"] == "absent" and found["pad 2"] == "absent"
        assert found["display 0"] == found["pad 1"] == "ok"
        one.key(3, "hint", True)  # last: somebody has joined, and a deal begins soon
        with link.Link(one.port) as hub:
            for _ in range(20):  # the contact may still be bouncing
                keys = hub.ask({"cmd": "check", "part": "pad", "seat": 3})["keys"]
                if keys:
                    break
            assert keys == 1 << one.pins.KEYS.index("hint")


def test_the_console_is_plain_where_nobody_looks(tmp_path, capsys, monkeypatch):
    event = {"ev": "pass", "id": [7, 3], "seat": 2, "cause": "key"}
    assert console.sentence(event, 2).startswith("     7.3  seat 2  pass")
    assert "\x1b[35m" in console.sentence(event, 2, True)
    assert console.sentence({"ev": "turn", "id": [7, 4], "seat": 3, "leading": False}, 2) is None
    with board(tmp_path) as one:
        status, out, _ = run(capsys, "console", "--port", one.port, "--since", 0, "--seconds", 0.2)
        assert status == statuses.OK and "The hub starts" in out and "\x1b" not in out
        status, out, _ = run(capsys, "console", "--port", one.port, "--since", 0, "--seconds", 0.2, "--json")
        assert json.loads(out.splitlines()[0])["ev"] == "boot"
