"""Between deals with pad keys alone, on the simulated hardware: names, seats, score sheet, end of an evening."""

import sys
from pathlib import Path

import pytest

from host.sim.settings import Settings
from host.sim.table import SimTable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "screens"))
from reader import B20, R16, Reader


@pytest.fixture
def table():
    made = []

    def make(**settings):
        one = SimTable(Settings(**settings), quiet=True)
        made.append(one)
        one.start()
        one.advance(500)
        return one

    yield make
    for one in made:
        one.stop()
        assert one.violations.count == 0


def press(table, seat, *keys):
    for key in keys:
        table.press(seat, key)
        table.advance(350)


def says(table, seat, text, face, lang=0):
    return Reader(table.frame(seat)).says(text, face, lang, (0, 0, 320, 240))


def test_a_name_is_written_with_the_pad(table):
    one = table(seats=["human", "bot", "bot", "bot"], vm="cpython")
    press(one, 0, "menu", "pass", "play")  # the menu, names, a new player
    press(one, 0, "hint", "up", "up", "up", "down", "play", "pass")
    names = one.ask({"cmd": "seats"})["seats"][0]["names"]
    assert len(names[0]) == 1 and names[0] != "小林"[:1]
    press(one, 0, "menu", "pass")
    assert says(one, 0, "你是谁？", B20)
    press(one, 0, "clear")


def test_the_sheet_shows_what_a_deal_came_to_and_the_evening_ends_on_all_screens(table):
    one = table(seats=["human", "bot", "bot", "bot"], vm="cpython", turn_seconds=0)
    press(one, 0, "play")
    assert one.wait_for(lambda e: e["ev"] == "turn", 20000)
    press(one, 0, "trustee")
    end = one.wait_for(lambda e: e["ev"] == "end", 600000)
    one.advance(1000)
    press(one, 0, "menu", "hint")
    assert says(one, 0, "记分单", B20)
    for points in end["points"]:
        assert says(one, 0, f"+{points}" if points >= 0 else f"−{-points}", R16)
    press(one, 0, "clear", "menu", "bomb")
    assert says(one, 0, "结束今晚的牌局？", B20)
    press(one, 0, "play")
    one.advance(1500)
    for seat in range(4):
        assert says(one, seat, "本晚战绩", B20), seat
    press(one, 2, "clear")
    assert not says(one, 2, "本晚战绩", B20)
    assert one.ask({"cmd": "seats"})["seats"][0]["kind"] == "bot"


def test_a_seat_is_left_to_the_computer_and_taken_again_between_deals(table):
    one = table(seats=["human", "human", "bot", "bot"], vm="cpython", turn_seconds=0)
    press(one, 0, "play")
    press(one, 1, "play")
    assert one.wait_for(lambda e: e["ev"] == "turn", 20000)
    press(one, 0, "trustee")
    press(one, 1, "trustee")
    assert one.wait_for(lambda e: e["ev"] == "end", 600000)
    one.advance(500)
    press(one, 1, "menu", "trustee")
    press(one, 2, "play")
    kinds = [seat["kind"] for seat in one.ask({"cmd": "seats"})["seats"]]
    assert kinds == ["human", "bot", "human", "bot"]
    press(one, 0, "play")
    press(one, 2, "play")
    assert one.wait_for(lambda e: e["ev"] == "deal", 20000)["bots"] == [0, 1, 0, 1]
