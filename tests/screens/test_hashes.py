"""Every state looks as it was accepted: decoded pixels by their hashes (differences.py shows and accepts changes)."""

import pytest
from differences import accepted, digest
from stage import Screens
from states import all_states

STATES = {name: (game, seat) for name, game, seat in all_states()}


@pytest.mark.parametrize("name", STATES)
def test_a_screen_looks_as_accepted(name):
    game, seat = STATES[name]
    screens = Screens(game)
    screens.settle(seat)
    assert digest(screens.panels[seat]) == accepted().get(name), (
        "The screen has changed. See it with 'python tests/screens/differences.py'; add --accept if it is meant."
    )


def test_no_hash_is_left_over():
    assert set(accepted()) == set(STATES)
