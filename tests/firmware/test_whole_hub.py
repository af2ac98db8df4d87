"""The whole firmware on the simulated hardware: deals on both interpreters, through cuts and pulled plugs."""

import json

import pytest

from host.sim.settings import BOARD_HEAP, Settings
from host.sim.table import SimTable

SEED = "0" * 63 + "7"
BOTS = ["bot"] * 4
# Four hands that are over after few plays.
SHORT = [
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "T T T T T T T T J J J J J J J J Q Q Q Q Q Q Q Q K K K",
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "2 2 2 2 2 2 2 2 A A A A A A A A X X x x 9 9 K K K K K",
]


class Watched(SimTable):
    """A table that keeps its lines."""

    def __init__(self, **settings):
        settings.setdefault("seats", BOTS)
        settings.setdefault("seed", SEED)
        super().__init__(Settings(**settings), quiet=True)
        self.lines = []
        self.texts = []
        self.on_line(self._note)

    def _note(self, text):
        self.texts.append(text)
        self.lines.append(json.loads(text))

    def events(self, name, **fields):
        return [e for e in self.lines if e["ev"] == name and all(e.get(k) == v for k, v in fields.items())]

    def until(self, name, ms=600_000, **fields):
        found = self.wait_for(lambda e: e["ev"] == name and all(e.get(k) == v for k, v in fields.items()), ms)
        assert found, f"no {name} {fields} in {ms} ms; {self.last_errors}"
        return found


@pytest.fixture
def table():
    made = []

    def make(**settings):
        one = Watched(**settings)
        made.append(one)
        one.start()
        return one

    yield make
    for one in made:
        one.stop()
        assert one.violations.count == 0


def test_bot_deals_end_and_are_the_same_to_the_byte_on_both_interpreters(table):
    texts = []
    for vm in ("micropython", "cpython"):
        one = table(vm=vm, hands=SHORT, lead=3)
        one.until("end")
        one.until("end")
        texts.append(one.texts)
    assert texts[0] == texts[1]


def test_a_deal_passes_on_three_quarters_of_the_boards_heap(table):
    one = table(heap=BOARD_HEAP * 3 // 4)
    one.until("end")
    one.until("turn")
    stats = one.ask({"cmd": "stats"})
    assert 0 < stats["heap_low"] <= stats["heap_free"]


def record(tables):
    """What was said of the deals, over power cuts: each id once, without times and without what tells of the hub."""
    out = {}
    for line in [line for one in tables for line in one.lines]:
        if line["ev"] not in ("boot", "resumed", "ready"):
            plain = {k: v for k, v in line.items() if k not in ("t", "id")}
            out.setdefault(tuple(line["id"]), plain)
    return [out[place] for place in sorted(out)]


@pytest.mark.parametrize("at, bytes_", [(5, 0), (12, 3), (13, 0), (20, 7), (31, 1)])
def test_a_deal_goes_on_after_a_power_cut_inside_a_write(table, at, bytes_):
    whole = table(hands=SHORT, lead=3)
    whole.until("end")
    one = table(hands=SHORT, lead=3)
    one.until("turn")
    assert one.command({"power": "cut", "at_write": at, "bytes": bytes_})["ok"]
    while one.powered:
        one.advance(100)
    assert one.command({"power": "on"})["ok"]
    one.until("resumed")
    one.until("end")
    one.advance(100)
    assert record([one]) == record([whole])
    assert one.events("resumed")[0]["n"] == 1


def test_a_display_pulled_and_put_back_shows_the_same_again_and_disturbs_no_other(table):
    one = table(seats=["human", "bot", "bot", "bot"], lead=0, turn_seconds=0)
    one.advance(500)
    one.press(0, "play")
    one.until("turn", seat=0)
    one.advance(1500)
    before = [one.frame(s) for s in range(4)]
    one.take_dirty(1), one.take_dirty(2), one.take_dirty(3)
    assert one.command({"unplug": {"seat": 0, "what": "display"}})["ok"]
    one.until("display", 2000, seat=0, present=False)
    assert one.command({"plug": {"seat": 0, "what": "display"}})["ok"]
    one.until("display", 2000, seat=0, present=True)
    one.advance(1500)
    assert one.frame(0) == before[0]
    assert [one.take_dirty(s) for s in (1, 2, 3)] == [None] * 3


def test_a_pad_pulled_is_played_for_and_takes_over_again(table):
    one = table(seats=["human", "bot", "bot", "bot"], lead=0, turn_seconds=0)
    one.advance(500)
    one.press(0, "play")
    one.until("turn", seat=0)
    one.command({"unplug": {"seat": 0}})
    one.until("pad", 1000, present=False)
    one.until("trustee", 6000, on=True, cause="pad")
    one.until("play", 2000, seat=0, cause="trustee")
    one.command({"plug": {"seat": 0}})
    one.until("trustee", 3000, on=False, cause="pad")
    assert one.events("pad", seat=0)[-1]["present"] is True


def test_a_pad_that_comes_back_while_the_power_is_off_takes_over_again(table):
    one = table(seats=["human", "bot", "bot", "bot"], lead=1, turn_seconds=0)
    one.advance(500)
    one.press(0, "play")
    one.until("turn")
    one.command({"unplug": {"seat": 0}})
    one.until("trustee", seat=0, on=True)
    one.command({"power": "cut"})
    one.command({"plug": {"seat": 0}})
    one.command({"power": "on"})
    one.until("trustee", seat=0, on=False, cause="pad")
    assert one.events("pad")[-1]["present"]


def test_a_bus_that_fails_or_is_held_low_is_got_over(table):
    one = table(seats=["human", "bot", "bot", "bot"], lead=0, turn_seconds=0)
    one.advance(500)
    one.press(0, "play")
    one.until("turn", seat=0)
    one.command({"i2c": {"seat": 2, "fail": 2}})
    one.advance(2000)
    one.command({"i2c": {"seat": 1, "stuck": True}})
    one.advance(3000)
    one.press(0, "up")
    one.press(0, "play")
    assert one.events("play", seat=0, cause="key")
    assert [seat for seat in range(4) if one.events("pad", seat=seat, present=False)] in ([], [1])


def test_nothing_of_the_hardware_but_the_hub_itself_is_needed_to_start(table):
    one = Watched(turn_seconds=0)
    try:
        one.start()
        for seat in range(4):
            one.command({"unplug": {"seat": seat}})
            one.command({"unplug": {"seat": seat, "what": "display"}})
        one.until("end")
        assert [e["seat"] for e in one.events("display", present=False)] == [0, 1, 2, 3]
        assert one.crashed is None
    finally:
        one.stop()
    assert one.violations.count == 0


def test_a_person_plays_a_deal_with_presses_alone(table):
    one = table(seats=["human", "bot", "bot", "bot"], turn_seconds=0)
    one.advance(500)
    one.press(0, "play")
    while not one.ended:
        if not one.wait_for(lambda e: e["ev"] == "end" or e["ev"] == "turn" and e["seat"] == 0, 300_000):
            break
        for key in ("hint", "play", "play", "pass"):
            if one.persons.turn != 0:
                break
            one.press(0, key)
            one.advance(350)
    assert len(one.ended) == 1
    assert not one.events("warning")
    slow = [ms for ms in one.key_to_pixel[1:] if ms > 40]
    assert len(slow) <= len(one.key_to_pixel) // 50 + 1, one.key_to_pixel
