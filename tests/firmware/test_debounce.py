"""Keys: what bounces, is held or comes too early makes no press; each press carries the turn in which it began."""

import machine
import rig  # noqa: F401  (ticks)

import pins
import record
from drivers import mcp23017
from keys import Debounce, Keys

DOWN = 1 << 5


def presses(samples, start=0):
    """Indices of the samples at which a press came."""
    d = Debounce()
    d.start(start)
    return [i for i, raw in enumerate(samples) if d.sample(raw)]


def test_a_press_comes_with_the_fourth_sample_that_agrees():
    assert presses([0, DOWN, DOWN, DOWN, DOWN, DOWN]) == [4]


def test_a_bounce_of_up_to_three_samples_is_no_press():
    assert presses([DOWN, 0, DOWN, DOWN, 0, DOWN, DOWN, DOWN, 0, 0]) == []


def test_a_press_that_bounces_on_its_way_down_and_up_is_one_press():
    assert presses([DOWN, 0, DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, 0, DOWN, 0, 0, 0, 0, 0]) == [5]


def test_a_key_that_is_held_does_nothing_more():
    assert presses([DOWN] * 500) == [3]


def test_a_key_that_is_down_when_the_pad_appears_acts_only_after_its_release():
    assert presses([DOWN] * 20, start=DOWN) == []
    assert presses([DOWN] * 5 + [0] * 4 + [DOWN] * 4, start=DOWN) == [12]


def test_the_bounce_of_one_key_does_not_delay_another():
    assert presses([1 | (2 if i % 2 else 0) for i in range(6)]) == [3]


class Table:
    """A game that notes the keys it is given, and a turn that can be set."""

    def __init__(self):
        self.turn_no = 7
        self.pressed = []
        self.pads = []
        self.faults = []
        self.game = self

    def key(self, seat, key, turn, now):
        self.pressed.append((seat, pins.KEYS[key], turn))

    def fault(self, what):
        self.faults.append(what)

    def pad_changed(self, seat, present):
        self.pads.append((seat, present))


def pads(*seats):
    """Keys over expanders at these seats, all keys up, and the table."""
    machine.fresh()
    for seat in seats:
        machine.i2c[pins.PAD_ADDRESS[seat]] = bytearray(b"\xff" * 32)
    bus = mcp23017.Pads()
    table = Table()
    keys = Keys(bus, [mcp23017.Pad(bus, s) for s in range(4)], table, 0)
    keys.find()
    return keys, table


def hold(seat, *names):
    """Pull the lines of these keys low, release the others."""
    device = machine.i2c[pins.PAD_ADDRESS[seat]]
    bits = 0xFFFF
    for name in names:
        bits &= ~(1 << pins.KEY_LINES[pins.KEYS.index(name)])
    device[0x12] = bits & 255
    device[0x13] = bits >> 8
    machine.levels[pins.PAD_INT] = 0


def pass_time(keys, start, ms):
    for now in range(start, start + ms, 5):
        keys.step(now)
    return start + ms


def test_every_key_of_a_pad_has_its_line():
    keys, table = pads(2)
    now = 0
    for name in pins.KEYS:
        hold(2, name)
        now = pass_time(keys, now, 40)
        hold(2)
        now = pass_time(keys, now, 40)
    assert table.pressed == [(2, name, 7) for name in pins.KEYS]


def test_a_press_carries_the_turn_of_its_first_contact():
    keys, table = pads(0)
    hold(0, "play")
    keys.step(0)
    table.turn_no = 8
    pass_time(keys, 5, 40)
    assert table.pressed == [(0, "play", 7)]


def test_expanders_are_set_up_with_pull_ups_and_an_open_drain_interrupt():
    pads(1)
    device = machine.i2c[pins.PAD_ADDRESS[1]]
    lines = sum([1 << n for n in pins.KEY_LINES])
    for register in (0x00, 0x04, 0x0C):
        assert device[register] | device[register + 1] << 8 == lines
    assert device[0x0A] & 0x44 == 0x44


def test_lights_have_their_lines():
    pads(0)
    bus = mcp23017.Pads()
    pad = mcp23017.Pad(bus, 0)
    assert pad.check()
    device = machine.i2c[pins.PAD_ADDRESS[0]]
    for i, line in enumerate(pins.LIGHT_LINES):
        pad.lights(1 << i)
        assert device[0x14] | device[0x15] << 8 == 1 << line


def test_a_pad_that_goes_and_comes_is_told_and_its_held_keys_wait_for_their_release():
    keys, table = pads(0, 3)
    assert table.pads == [(0, True), (3, True)]
    device = machine.i2c.pop(pins.PAD_ADDRESS[3])
    now = pass_time(keys, 0, 2000)
    assert table.pads[2:] == [(3, False)]
    machine.i2c[pins.PAD_ADDRESS[3]] = device
    hold(3, "play")
    now = pass_time(keys, now, 2000)
    assert table.pads[3:] == [(3, True)]
    assert table.pressed == []


def test_a_pad_that_lost_its_set_up_between_two_reads_is_set_up_again():
    keys, table = pads(0)
    device = machine.i2c[pins.PAD_ADDRESS[0]]
    device[0] = device[1] = 0xFF
    device[0x0C] = device[0x0D] = 0
    machine.levels[pins.PAD_INT] = 1
    pass_time(keys, 0, 1000)
    assert device[0] | device[1] << 8 == sum([1 << n for n in pins.KEY_LINES])
    assert device[0x0C] == device[0]
    assert table.pads == [(0, True)]


def test_two_failed_transactions_are_no_reason_to_give_a_pad_up():
    keys, table = pads(0)
    now = pass_time(keys, 0, 500)
    machine.fails = 2
    machine.fail = machine.ENODEV
    pass_time(keys, now, 1000)
    assert table.pads == [(0, True)]


def test_a_stuck_bus_is_clocked_free():
    keys, table = pads(0)
    machine.bus[:] = []
    machine.held[pins.I2C_SDA] = 5  # a device waits for five more clocks
    machine.fails = 1
    machine.fail = 110
    pass_time(keys, 0, 300)
    clocks = [level for kind, n, level in [e for e in machine.bus if e[0] == "pin"] if n == pins.I2C_SCL]
    assert clocks.count(0) == 5
    assert clocks[-1] == 1
    assert machine.held[pins.I2C_SDA] == 0
    assert table.pads == [(0, True)]


def test_a_bus_that_never_finishes_is_told_of_and_costs_one_transfer_now_and_then():
    """On the ESP32 each such transfer takes 0.4 s: four pads a second would leave no time for anything else."""
    keys, table = pads()
    machine.fail = 110
    machine.fails = 1000
    pass_time(keys, 0, 6100)
    assert set(table.faults) == {record.FAULTS.index("i2c")}
    assert 1000 - machine.fails <= 3
    machine.fails = 0
    machine.i2c[pins.PAD_ADDRESS[2]] = bytearray(b"\xff" * 32)
    pass_time(keys, 6100, 9200)
    assert table.pads == [(2, True)]


def test_the_seed_is_stirred_by_the_time_of_contacts():
    keys, table = pads(0)
    before = bytes(keys.noise)
    hold(0, "hint")
    pass_time(keys, 0, 30)
    assert bytes(keys.noise) != before
