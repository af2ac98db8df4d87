"""The bench (``python -m host bench rules``) and the limits of time that it measures against."""

import shutil
import statistics

import pytest

from host import bench, deals, interpreter

# the hardest hand of the first 1,000 and some others: all of them take minutes (the bench does that)
HANDS = (0, 1, 2, 3, 57, 138, 222, 345, 511, 640, 777, 999)


@pytest.fixture(scope="module")
def counted():
    assert shutil.which("valgrind"), "valgrind is not installed: on Debian, apt-get install valgrind"
    return bench.instructions(HANDS)


def test_a_first_hint_takes_an_estimated_25_ms_on_the_board_and_at_most_100_ms(counted):
    loop, costs = counted
    estimates = [bench.milliseconds(loop, c) for c in costs]
    assert len(estimates) == len(HANDS)
    assert statistics.median(estimates) <= 25, estimates
    assert max(estimates) <= 100, estimates


def test_instructions_repeat_exactly(counted):
    loop, costs = bench.instructions([0])
    assert (loop, costs) == bench.instructions([0])
    assert loop == counted[0]


def test_the_table_has_a_row_for_everything_it_measures():
    said = []
    bench.rules(0.02, 1, said.append)
    text = "\n".join(said)
    names = ["first hint, lead", "all melds", "classification", "bot deals", "bot plays", "random deals"]
    names += ["random plays", "RLCard doudizhu", "OpenSpiel dou_dizhu", "empty loop", "median hand", "hardest, hand 0"]
    names += ["engine's code", "peak of a four-bot deal", "taken by: hint", "taken by: settlement"]
    assert [n for n in names if n not in text] == []
    assert "-" not in [row.split()[-1] for row in said if row.startswith(("bot", "random", "all", "first hint, lead"))]


def test_what_is_not_installed_is_said_in_its_row(monkeypatch):
    monkeypatch.setattr(bench.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(interpreter, "NPM", interpreter.ROOT / "nowhere")
    monkeypatch.setattr(bench.shutil, "which", lambda name: None)
    said = []
    bench.rules(0.02, 1, said.append)
    text = "\n".join(said)
    assert "not installed: pip install rlcard" in text
    assert "not installed: pip install open_spiel" in text
    assert "valgrind or the MicroPython interpreter is not installed" in text
    assert "'make setup' installs it" in text


def test_a_wrong_argument_is_refused_with_a_sentence(capsys):
    for arguments in (["rules", "--seconds", "0"], ["rules", "--hands", "0"], ["nosuch"], []):
        with pytest.raises(SystemExit) as stop:
            bench.main(arguments)
        assert stop.value.code == 2
        assert "error: " in capsys.readouterr().err


def test_random_numbers_are_spread_evenly_and_small():
    random = deals.Random(3)
    found = [random.below(5) for _ in range(5000)]
    assert all(800 < found.count(i) < 1200 for i in range(5))
    assert 0 < random.state < 1 << 29
