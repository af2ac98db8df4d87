"""What the four displays hold, read back by glyphs, is the state of the game: a whole deal of the real firmware.

The firmware runs in the simulator; the deal is known from its seed and the lines of the record. At every turn all four
display memories are read and held against a table of our own. Nothing that another seat holds is on a screen.
"""

import pytest
from holds import LANGS, Shadow, check, check_compact, check_settlement
from reader import Reader

from host.sim.settings import Settings
from host.sim.table import SimTable

SEED = "5" * 64


@pytest.mark.parametrize(
    ("lang", "vm", "seed", "compact"),
    [(0, "micropython", SEED, False), (2, "cpython", "7" * 64, False), (1, "micropython", "8" * 64, True)],
    ids=["large-zh-Hans", "large-en-on-cpython", "compact-zh-Hant"],
)
def test_every_screen_at_every_turn_of_a_deal_shows_the_state(lang, vm, seed, compact):
    shadow = Shadow(seed)
    settings = Settings(seats=["bot"] * 4, seed=seed, lang=LANGS[lang], vm=vm)
    with SimTable(settings, quiet=True) as table:
        table.on_event(shadow.hear)
        if compact:
            table.advance(1000)
            for seat in range(4):
                table.press(seat, "menu")
                table.press(seat, "menu")
        turns = 0
        while True:
            event = table.wait_for(lambda e: e["ev"] in ("turn", "end"), 60000)
            assert event, "the deal goes on"
            if event["ev"] == "end":
                break
            table.advance(500)
            turns += 1
            for seat in range(4):
                reader = Reader(table.frame(seat))
                try:
                    (check_compact if compact else check)(reader, shadow, seat, lang)
                except AssertionError as error:
                    raise AssertionError(f"turn {turns}, screen of seat {seat}: {error}") from error
        assert turns > 40
        table.advance(1000)
        for seat in range(4):
            check_settlement(Reader(table.frame(seat)), event, seat, lang, shadow.table)
        assert table.violations.count == 0
        assert max(table.command({"stats": True})["spi_bytes"]) <= 4_000_000, "bytes sent to a display in a deal"


def test_both_interpreters_paint_the_same_pixels():
    frames = []
    for vm in ("micropython", "cpython"):
        with SimTable(Settings(seats=["bot"] * 4, seed="6" * 64, vm=vm), quiet=True) as table:
            for _ in range(5):
                assert table.wait_for(lambda e: e["ev"] == "turn", 60000)
            table.advance(500)
            frames.append([table.frame(seat) for seat in range(4)])
    assert frames[0] == frames[1]
