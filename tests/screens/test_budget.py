"""How many bytes a key press costs on the bus: the cursor at most 1 KB, a raised card at most 10 KB, other
seats nothing.
"""

import pytest

from host.sim.settings import Settings
from host.sim.table import SimTable

KB = 1024
WATCH = 8  # bytes: the hub asks a display now and then whether it is there


@pytest.fixture(scope="module")
def table():
    """A table where seat 0 leads and nothing moves by itself."""
    settings = Settings(seats=["human", "bot", "bot", "bot"], seed="9" * 64, lead=0, turn_seconds=0, lang="en")
    with SimTable(settings, quiet=True) as running:
        running.advance(1000)
        running.press(0, "play")
        assert running.wait_for(lambda e: e["ev"] == "turn" and e["seat"] == 0, 20000)
        running.advance(1000)
        yield running


def cost(table, key, ms=300):
    """Bytes per display that a press of seat 0 brings."""
    before = table.command({"stats": True})["spi_bytes"]
    table.press(0, key)
    table.advance(ms)
    return [b - a for a, b in zip(before, table.command({"stats": True})["spi_bytes"])]


@pytest.mark.parametrize("key", ["left", "left", "right", "left", "left", "left"])
def test_a_cursor_move_sends_at_most_1_kb_to_its_own_display(table, key):
    sent = cost(table, key)
    assert 0 < sent[0] <= KB
    assert max(sent[1:]) <= WATCH


@pytest.mark.parametrize("key", ["up", "down", "up", "clear"])
def test_raising_a_card_sends_at_most_10_kb_to_its_own_display(table, key):
    sent = cost(table, key)
    assert 0 < sent[0] <= 10 * KB
    assert max(sent[1:]) <= WATCH


def test_a_refusal_and_its_end_send_at_most_9_kb_each(table):
    sent = cost(table, "pass")
    assert 0 < sent[0] <= 9 * KB
    assert max(sent[1:]) <= WATCH
    sent = cost(table, "clear")
    assert 0 < sent[0] <= 9 * KB


def test_another_layout_repaints_one_screen_and_no_other(table):
    sent = cost(table, "menu", 1000)
    assert 30 * KB < sent[0] <= 70 * KB, "the menu covers the upper part and nothing else"
    assert max(sent[1:]) <= WATCH
    sent = cost(table, "menu", 1000)
    assert 100 * KB < sent[0] <= 160 * KB
    assert max(sent[1:]) <= WATCH
    assert cost(table, "left")[0] <= KB
    assert cost(table, "up")[0] <= 10 * KB


def test_the_first_pixel_answers_a_key_within_40_ms(table):
    table.command({"stats": True})
    for key in ("left", "up", "right", "down"):
        cost(table, key)
    times = table.command({"stats": True})["key_to_pixel_ms"]
    assert times and max(times[-4:]) <= 40


def test_the_models_saw_no_violation(table):
    assert table.violations.count == 0
