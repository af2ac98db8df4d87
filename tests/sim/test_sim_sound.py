"""Sounds: the tables make a file whose blocks join; the hub plays them whole, and none while it is mute."""

import struct

import pytest

from host import sounds
from host.sim.settings import Settings
from host.sim.table import SimTable


@pytest.mark.parametrize("name", list(sounds.SOUNDS))
def test_a_sound_begins_at_zero_and_is_heard(name):
    values = [v for (v,) in struct.iter_unpack("<h", sounds.samples(name))]
    assert len(values) == sounds.SAMPLES * len(sounds.score(name))
    assert abs(values[0]) <= 1
    assert 500 < max(abs(v) for v in values) <= sounds.PEAK


def test_the_hub_plays_what_the_file_holds():
    settings = Settings(seats=["human", "bot", "bot", "bot"], seed="9" * 64, lead=0, turn_seconds=0)
    with SimTable(settings, quiet=True) as t:
        t.advance(1500)
        t.samples()
        t.press(0, "play")
        assert t.wait_for(lambda e: e["ev"] == "turn", 20000)
        t.advance(1000)
        rate, blocks = t.samples()
        assert rate == sounds.RATE
        heard = b"".join(data for _, data in blocks)
        shift = (100 - 60) // 17  # the volume of a hub that nobody has set
        soft = [v >> shift for (v,) in struct.iter_unpack("<h", sounds.samples("turn"))]
        assert struct.pack(f"<{len(soft)}h", *soft) in heard
        assert t.violations.count == 0
