"""The README's table of what the table costs tells what is so, and what must hold does."""

import re

import pytest

from host.interpreter import ROOT
from host.sim import measure

MB = 1 << 20


@pytest.fixture(scope="module")
def costs():
    return {what: (own, other) for what, own, other in measure.keys_cost() + measure.big_cost()}


def test_the_readme_tells_what_keys_cost(costs):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for what, (own, _) in costs.items():
        found = re.search(rf"^{re.escape(what)} +([\d,]+) ", text, re.M)
        assert found, f"README.md has no row '{what}': python -m host bench table"
        told = int(found[1].replace(",", ""))
        assert abs(told - own) <= own / 4 + 64, f"'{what}' is {own} bytes now: python -m host bench table"


def test_a_cursor_move_and_a_raised_card_keep_their_budget(costs):
    assert 0 < costs["cursor moved"][0] <= 1024
    assert 0 < costs["card raised or lowered"][0] <= 10 * 1024


def test_a_deal_of_bots_sends_a_display_at_most_4_mb():
    assert MB < measure.deals_cost(1, False) <= 4 * MB


def test_percentiles_are_values_that_were_measured():
    assert measure.percentile([3, 1, 2], 0.5) == 2
    assert measure.percentile([3, 1, 2], 0.99) == 3
