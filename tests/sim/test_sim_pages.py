"""The pages of a seat on the hub itself: at four fifths of the heap, in time, and really on (or off) the display."""

import sys
from pathlib import Path

import pytest

from host.sim.settings import BOARD_HEAP, Settings
from host.sim.table import SimTable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "screens"))
from reader import B16, R16, Reader


@pytest.fixture
def table():
    """Seats 0 and 1 of persons, seat 0 leads, four fifths of the board's heap."""
    heap = BOARD_HEAP * 4 // 5
    settings = Settings(seats=["human", "human", "bot", "bot"], seed="9" * 64, lead=0, lang="en", heap=heap)
    with SimTable(settings, quiet=True) as running:
        running.advance(1000)
        running.press(0, "play")
        running.press(1, "play")
        assert running.wait_for(lambda e: e["ev"] == "turn", 20000)
        running.advance(1000)
        yield running
        assert running.last_errors.strip() == ""
        assert running.violations.count == 0


def reader(table, seat=0):
    return Reader(table.frame(seat))


def keys(table, seat, *names):
    for name in names:
        table.press(seat, name)
        table.advance(400)


def test_menu_pages_and_pause_in_a_deal_on_four_fifths_of_the_heap(table):
    hand = reader(table).hand()
    assert len(hand) > 8
    keys(table, 0, "menu")
    screen = reader(table)
    for words in ("hide hand", "last trick", "small cards", "English", "volume", "light", "pause", "leave deal"):
        assert screen.says(words, R16, 2, (0, 0, 320, 106)), words
    assert screen.says("Your turn", B16, 2, (0, 104, 106, 26)), "the bar stays"
    assert screen.hand() == hand
    keys(table, 0, "down", "up", "trustee")
    assert reader(table).says("play on", R16, 2, (0, 0, 320, 106))
    keys(table, 0, "clear", "menu", "pass")
    assert reader(table).hand() == [], "a hidden hand is not on the display"
    keys(table, 0, "play")
    assert reader(table).hand() == hand
    keys(table, 0, "menu", "bomb")
    assert reader(table, 1).says("pause? press MENU", R16, 2, (0, 104, 320, 26))
    keys(table, 1, "menu", "bomb")
    for seat in range(4):
        assert reader(table, seat).says("any key: play goes on", R16, 2, (0, 0, 320, 106))
    table.advance(60_000)
    assert table.persons.turn == 0, "the clock stands still"
    keys(table, 1, "left")
    keys(table, 0, "hint", "play")
    keys(table, 1, "menu", "hint", "hint")
    assert table.persons.turn != 0, "the cards were played after the pause, by their key"


def test_a_key_of_the_menu_is_answered_within_40_ms(table):
    pressed = ("menu", "down", "down", "up", "left", "right", "clear", "menu", "trustee", "clear")
    keys(table, 0, *pressed)
    times = table.command({"stats": True})["key_to_pixel_ms"]
    assert len(times) >= len(pressed)
    assert max(times[-len(pressed) :]) <= 40, str(times[-len(pressed) :])


def test_at_three_quarters_of_the_heap_a_page_that_has_no_room_stays_closed_and_the_deal_goes_on():
    settings = Settings(seats=["human", "bot", "bot", "bot"], seed="9" * 64, lead=0, heap=BOARD_HEAP * 3 // 4)
    with SimTable(settings, quiet=True) as table:
        table.advance(1000)
        keys(table, 0, "play")
        assert table.wait_for(lambda e: e["ev"] == "turn", 20000)
        keys(table, 0, "menu", "down", "hint", "clear", "menu", "trustee", "clear", "clear", "trustee")
        assert table.wait_for(lambda e: e["ev"] == "end", 600_000), table.last_errors
        keys(table, 0, "menu", "sort", "clear", "play")
        assert table.wait_for(lambda e: e["ev"] == "deal", 60_000), table.last_errors
