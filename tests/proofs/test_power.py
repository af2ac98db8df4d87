"""A small part of each proof by power cuts and garbage; the whole ones are commands (README.md beside this)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import boots
import gibberish
import power_cuts
import wear


@pytest.mark.parametrize("rules", power_cuts.RULES)
def test_cuts_of_an_evening_leave_no_trace_in_record_state_and_flash(rules):
    _, ops, cuts, bad = power_cuts.sweep(rules, every=149, first=7)
    assert ops > 200 and cuts >= 4
    assert bad == []


def test_cuts_while_settings_and_the_next_deal_are_written():
    whole, frames, known = power_cuts.record("jiangzhe")
    erases = [i for i, frame in enumerate(frames) if frame[1][2] is None]
    assert len(erases) >= 4
    for at in erases[1:4]:
        for i in (at, at + 1):
            length = power_cuts.lengths(frames[i])[1]
            assert power_cuts.cut("jiangzhe", whole, frames[i], known[i], length) is None


def test_a_cut_that_loses_a_play_would_be_seen():
    whole, frames, known = power_cuts.record("jiangzhe")
    before, pads, paused = known[-60]
    told = power_cuts.cut("jiangzhe", whole, frames[100], (before, pads, paused), 0)
    assert told is not None


@pytest.mark.parametrize("where", (power_cuts.PLAY, power_cuts.SETTLED, power_cuts.LOBBY))
def test_starts_with_cuts_lose_nothing(where):
    torn, _, _, wrong = boots.prove(where, 20, seed=3, deals=3)
    assert torn > 3
    assert wrong == []


def test_a_deals_sector_full_of_starts_goes_on_in_a_fresh_one():
    rig = boots.before(power_cuts.PLAY, deals=1)
    lines, chip = rig.lines, rig.chip
    want = power_cuts.state(rig)
    sequence = rig.game.journal.sequence
    for _ in range(160):
        rig = power_cuts.Table(chip, power_cuts.HINTS)
        rig.lines = lines
        rig.start([True] * 4)
    assert rig.game.journal.sequence > sequence
    assert power_cuts.state(rig) == want
    assert power_cuts.ids(lines) is None
    deal = rig.game.deal_no
    again = [power_cuts.rigs.json.loads(text) for text in power_cuts.repeated(rig, deal)]
    assert again == [line for line in lines if line["id"][0] == deal]


def test_garbage_is_refused_line_by_line():
    answered, deals, wrong = gibberish.console(500, seed=2)
    assert (answered, deals, wrong) == (500, 1, [])


def test_the_flash_lasts_ten_years():
    assert wear.main([]) == 0
    assert wear.main(["--deals", "100000"]) == 1
