"""A small part of each proof of this folder, and what a hub does that hangs, crashes, or draws a seed."""

import collections
import hashlib
import random
import shutil

import pytest

from host import build
from host.sim.settings import Settings
from host.sim.table import SimTable
from shared_rules import deal
from tests.proofs import answers, counters, following, privacy, shuffle, soak, transitions, unseen


@pytest.mark.parametrize("seed", [4, 5])
def test_no_seat_learns_what_another_holds(seed):
    _, steps, looks, differs = unseen.prove(seed, 6)
    assert differs is None
    assert steps == 6 and looks > 200


@pytest.mark.parametrize("number", [1, 2])
def test_hammered_pads_break_nothing(tmp_path, number):
    firmware = following.probed(tmp_path)
    follower, hammer, wrong, _ = transitions.evening(number, 3000, "test", firmware, painted=False)
    assert wrong == []
    assert hammer.count >= 3000
    assert all(hammer.kinds[kind] for kind in ("press", "several", "chatter"))
    assert follower.acts > 10 if number == 2 else follower.kinds["ready"]


def test_the_probe_ends_a_hub_that_loses_a_card(tmp_path):
    firmware = following.probed(tmp_path)
    game = firmware / "game.py"
    text = game.read_text()
    at = "        self.phase = PLAY\n"
    assert at in text
    game.write_text(text.replace(at, at + "        self.table.counts[0][15] -= self.turn_no == 5\n", 1))
    with SimTable(Settings(seats=["bot"] * 4, firmware=firmware, heap=transitions.HEAP), quiet=True) as table:
        assert not table.wait_for(lambda e: e["ev"] == "end", 30_000)
        assert "cards and counts of a seat differ" in table.last_errors


def test_the_follower_notices_what_must_not_be():
    class Said:
        def on_event(self, listener):
            self.say = listener

    begun = {"ev": "deal", "id": [1, 0], "n": 1, "rules": "wenzhou", "commit": "", "lead": 0, "test": True}
    begun |= {"players": [0, 1, 2, 3], "bots": [0, 0, 0, 0]}
    turn = {"ev": "turn", "id": [1, 1], "seat": 0, "leading": True}
    play = {"ev": "play", "id": [1, 2], "seat": 1, "cards": "5s 5h", "meld": "pair:5", "left": 26, "cause": "key"}
    table = Said()
    follower = following.Follower(table)
    for line in (begun, turn, play, {**play, "id": [1, 3]}, {**play, "left": 4}):
        table.say(line)
    told = " ".join(follower.wrong)
    for what in ("seat 1 acts in the turn of 0", "25 cards left, not 26", "in the turn of None", "and then"):
        assert what in told


def test_cables_buses_and_power_cuts_lose_nothing():
    steady = soak.Hub(0, "test", False, 0, False)
    steady.play(2)
    assert steady.wrong + steady.follower.wrong == []
    assert len(steady.heap) == 2 and min(steady.heap) > 20_000
    cut = soak.Hub(1, "test 2", True, 1, False)
    cut.play(1)
    assert cut.wrong + cut.follower.wrong == []
    assert cut.power_cuts and cut.follower.deals == 1


def test_a_counter_that_wraps_changes_no_line():
    plain = counters.deal("wenzhou", 0)
    length = int(plain[-1].rsplit(":", 1)[1].rstrip("}"))
    assert {line.split('"')[3] for line in plain} >= counters.LEAST
    assert counters.deal("wenzhou", counters.PERIOD - length // 2) == plain


def test_after_days_of_idling_everything_goes_on():
    assert counters.idle(whole=False) == []


def test_answers_take_the_same_time_whatever_is_held():
    took = collections.Counter()
    for painted in (False, True):
        for times in answers.measure("diexiang", "3" * 64, painted=painted, acts=40).values():
            took.update(times)
    assert set(took) == {800_000_000} and sum(took.values()) >= 80


def test_displays_and_console_show_what_may_be_seen():
    watch = privacy.Watch("wenzhou", "7" * 64)
    assert watch.run(3) == []
    assert watch.hidden_looks >= 7 and watch.looks > 40


# Fairness ------------------------------------------------------------------------------------------------------------


def test_the_shuffle_is_fair():
    counts = shuffle.measure(1500)
    for name, x, df in counts.rows():
        assert x < shuffle.threshold(df, 10_000), name


def test_an_unfair_shuffle_is_noticed():
    def swapped(seed):
        """The big joker goes to seat 0 a little too often."""
        d = deal.shuffle(seed)
        if seed[0] < 32:
            i, j = d.deck.index(53), 4 * (seed[1] % 27)
            d.deck[i], d.deck[j] = d.deck[j], d.deck[i]
        return d

    beyond = [name for name, x, df in shuffle.measure(1500, 0, swapped).rows() if x > shuffle.threshold(df, 10_000)]
    assert "seat of the big joker" in beyond


@pytest.mark.parametrize(("df", "p", "value"), [(3, 0.001, 16.27), (12, 0.001, 32.91), (107, 0.01, 143.94)])
def test_thresholds_are_those_of_the_tables(df, p, value):
    assert shuffle.threshold(df, 1 / p) == pytest.approx(value, rel=0.02)
    assert shuffle.p_value(value, df) == pytest.approx(p, rel=0.2)


def commitment(generator, first_ms=3000, ms=60):
    """The commitment of the first deal after a cold boot. generator: seeds the hardware's; None: it gives zeros."""
    table = SimTable(Settings(seats=None, seed="0" * 64), quiet=True)
    for panel in table.board.panels:
        panel.plug(False)
    if generator is None:
        table.board._random.randbytes = bytes
    else:
        table.board._random.seed(generator)
    with table:
        table.advance(first_ms)
        table.press(0, "up", ms)
        table.press(0, "play")
        return table.wait_for(lambda e: e["ev"] == "deal", 10_000)["commit"]


def test_two_cold_boots_differ_by_the_generator_or_by_the_players():
    one = commitment(1)
    assert commitment(1) == one, "the simulator repeats what is the same"
    assert commitment(2) != one
    still = commitment(None)
    assert still != one
    assert commitment(None, first_ms=3001) != still, "the moment of a key press counts"


def test_a_hub_seed_is_never_the_bytes_of_the_generator():
    table = SimTable(Settings(seats=["bot"] * 4, seed=None), quiet=True)
    drawn = []
    generator = random.Random(5)

    def randbytes(n):
        drawn.append(generator.randbytes(n))
        return drawn[-1]

    table.board._random.randbytes = randbytes
    with table:
        commit = table.wait_for(lambda e: e["ev"] == "deal", 10_000)["commit"]
    assert any(len(data) == 32 for data in drawn)
    assert commit not in [deal.commit(data) for data in drawn if len(data) == 32]
    assert commit not in [deal.commit(hashlib.sha256(data).digest()) for data in drawn]


# A hub that hangs ----------------------------------------------------------------------------------------------------

HANGS = """        if self.game.turn_no == 9:
            import os

            if "hung" not in os.listdir("/"):
                open("/hung", "w").close()
                while True:
                    time.sleep_ms(10)
"""


def test_the_watchdog_resets_a_loop_that_hangs_and_the_deal_goes_on(tmp_path):
    firmware = tmp_path / "firmware"
    shutil.copytree(build.FIRMWARE, firmware, ignore=shutil.ignore_patterns("__pycache__", "boards"))
    hub = firmware / "hub.py"
    at = "        self.keys.step(now)\n"
    assert at in hub.read_text()
    hub.write_text(hub.read_text().replace(at, HANGS + at, 1))
    table = SimTable(Settings(seats=["bot"] * 4, seed="4" * 64, firmware=firmware, restart=True), quiet=True)
    follower = following.Follower(table, bytes.fromhex("4" * 64))
    lines = []
    table.on_event(lines.append)
    with table:
        assert table.wait_for(lambda e: e["ev"] == "resumed", 60_000)
        assert table.wait_for(lambda e: e["ev"] == "end", 300_000)
    assert follower.wrong == []
    boots = [e for e in lines if e["ev"] == "boot"]
    assert [e["cause"] for e in boots] == ["power", "watchdog"]
    before = [e["t"] for e in lines if e["ev"] == "turn" and e["t"] < boots[1]["t"]][-1]
    assert 7900 <= boots[1]["t"] - before <= 10_000  # the watchdog's time, and the start
