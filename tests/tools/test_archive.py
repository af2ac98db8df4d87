"""Archive, audit and scores: a record of the real firmware, and what the audit says when somebody has changed it."""

import json
import re

import pytest

from host import cli, statuses
from host.sim.settings import Settings
from host.sim.table import SimTable
from host.tools import archive as archives
from host.tools import audit, scores
from host.tools.link import Refused
from host.tools.record import Recorder

RULES = ("wenzhou", "baibian")


def played(rules):
    """The lines of a test deal of four computers, as the hub writes them."""
    lines = []
    settings = Settings(rules=rules, seats=["bot"] * 4, seed="6" * 64, clock="virtual")
    with SimTable(settings, quiet=True) as table:
        table.listen(lambda event, line: lines.append(re.sub(r',"t":\d+}$', "}", line)))
        assert table.wait_for(lambda e: e["ev"] == "end", 3_000_000)
    return lines


@pytest.fixture(scope="module")
def records():
    return {rules: played(rules) for rules in RULES}


def keep(path, lines, number="0badcafe"):
    with archives.Archive(path, create=True) as archive:
        journal = archive.journal("240ac4000001", number)
        for line in lines:
            assert archive.add(journal, line, json.loads(line)) == "new"


def found(tmp_path, lines):
    """What the audit finds in an archive of these lines."""
    path = tmp_path / "a.db"
    path.unlink(missing_ok=True)
    keep(path, lines)
    with archives.Archive(path) as archive:
        return " ".join(row["what"] for row in audit.audit(archive)["found"])


def changed(lines, event, **fields):
    """The lines with fields of the first line of that event changed; a function changes what is there."""
    out = list(lines)
    at = [i for i, line in enumerate(out) if json.loads(line)["ev"] == event][0]
    line = json.loads(out[at])
    for name, value in fields.items():
        line[name] = value(line[name]) if callable(value) else value
    out[at] = json.dumps(line, separators=(",", ":"))
    return out


@pytest.mark.parametrize("rules", RULES)
def test_a_deal_as_it_was_played_is_right(tmp_path, records, rules):
    assert found(tmp_path, records[rules]) == ""


def other(text):
    """Another hex digit at the front."""
    return ("0" if text[0] != "0" else "1") + text[1:]


@pytest.mark.parametrize(
    "event, fields, said",
    [
        ("end", {"seed": other}, "committed"),
        ("deal", {"commit": other}, "committed"),
        ("end", {"hands": lambda h: [h[1], h[0], h[2], h[3]]}, "hands are not those of the seed"),
        ("deal", {"swap": [0, 1]}, "change of seats"),
        ("deal", {"n": 8}, "calls itself deal 8"),
        ("deal", {"test": False, "lead": lambda s: (s + 1) & 3}, "led, and not seat"),
        ("play", {"cards": "X X"}, "did not hold"),
        ("play", {"meld": "bomb8:2"}, "not legal"),
        ("play", {"left": 3}, "cards left, not 3"),
        ("play", {"seat": lambda s: (s + 1) & 3}, "should stand here|not the turn"),
        ("trick", {"seat": lambda s: (s + 1) & 3}, "'trick'"),
        ("out", {"place": 4}, "'out'"),
        ("turn", {"seat": lambda s: (s + 1) & 3}, "turn of seat"),
        ("end", {"points": lambda p: [n + 1 for n in p]}, "points are"),
        ("end", {"stars": [9, 9, 9, 9]}, "stars are"),
        ("end", {"places": lambda p: p[::-1]}, "places are"),
        ("end", {"result": "broken"}, "result is broken"),
        ("end", {"seed": 5}, "lacks what it must say"),
    ],
)
def test_what_was_changed_is_found(tmp_path, records, event, fields, said):
    assert re.search(said, found(tmp_path, changed(records["wenzhou"], event, **fields)))


def test_lines_that_are_missing_are_found(tmp_path, records):
    lines = records["wenzhou"]
    at = next(i for i, line in enumerate(lines) if '"ev":"pass"' in line)
    assert "lines are missing" in found(tmp_path, lines[:at] + lines[at + 1 :])
    begun = next(i for i, line in enumerate(lines) if '"ev":"deal"' in line)
    assert "beginning is missing" in found(tmp_path, lines[:begun] + lines[begun + 1 :])
    # The newest deal of an archive may be running.
    assert found(tmp_path, lines[: begun + 20]) == ""


def test_commands_tell_by_words_json_and_status(tmp_path, records, capsys):
    path = tmp_path / "table.db"
    keep(path, records["wenzhou"])
    assert cli.main(["audit", "--db", str(path)]) == statuses.OK
    assert "1 deals checked, 0 of them wrong" in capsys.readouterr().out
    assert cli.main(["scores", "--db", str(path), "--tests", "--json"]) == statuses.OK
    said = json.loads(capsys.readouterr().out)
    end = json.loads(next(line for line in records["wenzhou"] if '"ev":"end"' in line))
    assert sorted(row["points"] for row in said["players"]) == sorted(end["points"])
    assert {row["title"] for row in said["players"]} <= {"Day Hand", "Beggar"}
    assert said["deals"] == 1 and said["history"][0]["result"] == end["result"]
    # Test deals count only when asked for.
    assert cli.main(["scores", "--db", str(path)]) == statuses.OK
    assert "No deal has ended" in capsys.readouterr().out
    bad = tmp_path / "bad.db"
    keep(bad, changed(records["wenzhou"], "end", stars=[1, 1, 1, 1]))
    assert cli.main(["audit", "--db", str(bad), "--json"]) == statuses.FAILED
    assert len(json.loads(capsys.readouterr().out)["found"]) == 1


def test_files_that_are_no_archive_are_left_alone(tmp_path, capsys):
    (tmp_path / "text").write_text("no database at all, but long enough to be one " * 100)
    for path in (tmp_path / "text", tmp_path / "none"):
        assert cli.main(["audit", "--db", str(path)]) == statuses.UNUSABLE
    assert "archive" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


class Hub:
    """A hub as the recorder sees it: lines and answers, one after another."""

    garbled = 0

    def __init__(self, number, lines, following, live=()):
        self.number, self.lines, self.following, self.coming = number, lines, following, list(live)
        self.asked = []

    def ask(self, command, seconds=0, heard=None):
        self.asked.append(command)
        if command["cmd"] == "hub":
            return {"hub": "h", "journal": self.number, "next": self.following, "running": 1}
        for line in self.lines:
            if json.loads(line)["id"] > command["id"]:
                heard(line, json.loads(line))
        return {"ok": True}

    def line(self, seconds):
        line = self.coming.pop(0)
        return line, json.loads(line)


def line(deal, k, more=""):
    return f'{{"ev":"x","id":[{deal},{k}]{more}}}'


def test_a_recorder_asks_again_when_a_line_is_missing(tmp_path):
    before = [line(1, k) for k in range(5)]
    with archives.Archive(tmp_path / "a.db", create=True) as archive:
        hub = Hub("0000abcd", before, [1, 5], [line(1, 5), line(1, 7)])
        recorder = Recorder(archive, hub)
        recorder.catch_up()
        assert recorder.added == 5 and archive.mark(recorder.journal) == (1, 4)
        assert not recorder.live(0)
        assert recorder.live(0), "the gap is not noticed"
        assert archive.mark(recorder.journal) == (1, 5)
        hub.lines = before + [line(1, k) for k in (5, 6, 7)]
        hub.following = [1, 8]
        recorder.catch_up()
        assert hub.asked[-1] == {"cmd": "since", "id": [1, 4]}
        assert archive.mark(recorder.journal) == (1, 7) and archive.count() == 8


def test_journals_are_kept_apart(tmp_path):
    with archives.Archive(tmp_path / "a.db", create=True) as archive:
        first = [line(1, k) for k in range(3)]
        Recorder(archive, Hub("00000001", first, [1, 3])).catch_up()
        # The journal was begun anew, and another hub: the same numbers, other deals.
        Recorder(archive, Hub("00000002", [line(1, k, ',"other":1') for k in range(3)], [1, 3])).catch_up()
        # The first hub was set back by a backup: fewer lines, then other ones.
        said = []
        set_back = Recorder(archive, Hub("00000001", first[:2], [1, 2]), said.append)
        set_back.catch_up()
        assert "set back" in said[0]
        assert archive.count() == 8
        anew = [*first[:2], line(1, 2, ',"other":1')]
        Recorder(archive, Hub("00000001", anew, [1, 3])).catch_up()
        assert archive.count() == 9
        assert [row[1:] for row in archive.journals()] == [
            ("h", "00000001", 0),
            ("h", "00000002", 0),
            ("h", "00000001", 1),
        ]
        never = Hub("00000001", [line(1, 1, ',"third":1')], [1, 9])
        never.lines = [line(1, 2, ',"third":1')]
        with pytest.raises(Refused):
            never.ask = lambda command, seconds=0, heard=None, ask=never.ask: (
                (
                    heard
                    and command["cmd"] == "since"
                    and [heard(t, json.loads(t)) for t in (line(1, 2, ',"a":1'), line(1, 2))]
                )
                or ask({"cmd": "hub"})
            )
            Recorder(archive, never).catch_up()


def test_titles_follow_the_ladder_of_the_rule_set():
    class Names:
        def journals(self):
            return [(1, "h", "n", 0)]

        def names(self, journal):
            return {0: "Lin"}

    deal = {"journal": 1, "rules": "diexiang", "players": [0, 17, 2, 19], "points": [8, -8, 8, -8]}
    rows = scores.table(Names(), [{**deal, "totals": [3_100_000, -8, 100, 0]}])
    assert [(row["player"], row["title"]) for row in rows] == [
        ("Lin", "Sovereign"),
        ("guest 2", "Day Hand"),
        ("computer 3", "Day Hand"),
        ("computer 1", "Beggar"),
    ]
