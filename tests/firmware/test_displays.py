"""Displays: explicit D/C and chip select, one reset for all, set-up of one without the others, windows in bytes."""

import machine
import rig  # noqa: F401  (ticks)

import pins
from drivers import bring_up, ili9341

AWAKE = 0x9C


def commands(events):
    """Display commands on the bus as (seats with chip select low, command byte, data)."""
    out = []
    low = []
    data = False
    for event in events:
        if event[0] == "pin":
            _, n, level = event
            if n in pins.DISPLAY_CS:
                seat = pins.DISPLAY_CS.index(n)
                if level:
                    low = [s for s in low if s != seat]
                else:
                    low = low + [seat]
            elif n == pins.DISPLAY_DC:
                data = level
        elif event[0] == "write":
            if data:
                out[-1] = (out[-1][0], out[-1][1], out[-1][2] + event[1])
            else:
                out.append((tuple(low), event[1][0], b""))
    return out


def panels(answer=AWAKE):
    machine.fresh()
    for n in pins.DISPLAY_CS:
        machine.answers[n] = (answer, 0)
    bus = ili9341.Bus()
    return [ili9341.Panel(bus, s, 0) for s in range(4)]


def up(all_panels, until=400):
    now = 0
    fresh = []
    while now < until:
        now += 5
        for s, panel in enumerate(all_panels):
            if panel.step(now):
                fresh.append(s)
    return fresh


def test_the_common_reset_is_pulsed_once_with_all_chip_selects_high():
    panels()
    pulses = [e for e in machine.bus if e[0] == "pin" and e[1] == pins.DISPLAY_RST]
    assert [level for _, _, level in pulses] == [1, 0, 1]
    first = machine.bus.index(pulses[0])
    for n in pins.DISPLAY_CS:
        assert ("pin", n, 1) in machine.bus[:first]


def test_nothing_is_sent_before_the_reset_delay_is_over():
    four = panels()
    for now in range(0, 120, 5):
        assert [panel.step(now) for panel in four] == [False] * 4
    assert commands(machine.bus) == []


def test_each_panel_is_set_up_under_its_own_chip_select():
    four = panels()
    assert sorted(up(four)) == [0, 1, 2, 3]
    sent = commands(machine.bus)
    assert {low for low, _, _ in sent} == {(0,), (1,), (2,), (3,)}
    table = bring_up.TABLES["ili9341"]
    for s in range(4):
        mine = [(command, data) for low, command, data in sent if low == (s,) and command != 0x0A]
        assert mine[0] == (0x11, b"")
        assert mine[1 : 1 + len(table)] == list(table)


def test_a_window_is_column_page_and_pixels():
    four = panels()
    up(four)
    machine.bus[:] = []
    four[2].blit(258, 200, 3, 2, memoryview(bytes(range(12))))
    assert commands(machine.bus) == [
        ((2,), 0x2A, b"\x01\x02\x01\x04"),
        ((2,), 0x2B, b"\x00\xc8\x00\xc9"),
        ((2,), 0x2C, bytes(range(12))),
    ]


def test_a_display_that_is_missing_is_noticed_and_never_painted():
    four = panels()
    machine.answers[pins.DISPLAY_CS[1]] = (0, 0)
    assert sorted(up(four)) == [0, 2, 3]
    assert [panel.present for panel in four] == [True, False, True, True]
    machine.bus[:] = []
    four[1].blit(0, 0, 1, 1, b"\0\0")
    assert machine.bus == []


def test_a_display_whose_parameter_comes_after_a_dummy_byte_is_present():
    four = panels()
    machine.answers[pins.DISPLAY_CS[0]] = (0, AWAKE)
    machine.answers[pins.DISPLAY_CS[1]] = (0xFF, 0xFF)  # a line that floats high
    up(four)
    assert four[0].present and not four[1].present


def test_a_display_that_comes_back_is_reset_by_command_alone():
    four = panels()
    up(four)
    cs = pins.DISPLAY_CS[3]
    machine.answers[cs] = (0, 0)
    now = 400
    while four[3].present:
        now += 50
        four[3].step(now)
    assert now <= 1000
    machine.answers[cs] = (0x08, 0)  # power-on state: asleep
    machine.bus[:] = []
    fresh = False
    while not fresh:
        now += 5
        if four[3].state == 2:  # the step that configures it turns it on
            machine.answers[cs] = (AWAKE, 0)
        fresh = four[3].step(now)
        assert now < 3000
    sent = [(low, c) for low, c, _ in commands(machine.bus)]
    resets = [c for _, c in sent if c == 0x01]
    assert len(resets) == 1
    assert {low for low, _ in sent} == {(3,)}
    assert ("pin", pins.DISPLAY_RST, 0) not in machine.bus
    assert four[3].ready


def test_a_cable_that_was_out_between_two_looks_is_noticed_by_the_power_mode():
    four = panels()
    up(four)
    machine.answers[pins.DISPLAY_CS[0]] = (0x08, 0)
    machine.bus[:] = []
    four[0].step(1000)
    four[0].step(1005)
    assert 0x01 in [c for _, c, _ in commands(machine.bus)]
    assert not four[0].ready


def test_reads_are_slower_than_writes():
    four = panels()
    up(four)
    four[2].blit(0, 0, 2, 2, bytes(8))
    assert machine.bus.index(("unit",)) < len(machine.bus) - 20
    for i, event in enumerate(machine.bus):
        if event[0] == "read":
            speeds = [e[1] for e in machine.bus[:i] if e[0] == "hz"]
            assert speeds[-1] == pins.SPI_READ_HZ <= 6_000_000
        if event[0] == "write" and len(event[1]) > 1 and machine.bus[i - 1] == ("unit",):
            speeds = [e[1] for e in machine.bus[:i] if e[0] == "hz"]
            assert speeds[-1] == pins.SPI_HZ


def test_the_SPI_unit_is_first_used_when_a_display_has_answered():
    """Its transfers wait for an interrupt without an end: a board without displays never begins one."""
    four = panels(0)
    up(four, 3000)
    assert [panel.present for panel in four] == [False] * 4
    assert any(event[0] == "read" for event in machine.bus)
    assert ("unit",) not in machine.bus
    machine.answers[pins.DISPLAY_CS[1]] = (AWAKE, 0)
    machine.bus[:] = []
    for now in range(3000, 4500, 5):
        for panel in four:
            panel.step(now)
    assert [panel.present for panel in four] == [False, True, False, False]
    unit = machine.bus.index(("unit",))
    machine.bus[:] = machine.bus[unit:]
    transfers = [i for i, event in enumerate(machine.bus) if event[0] in ("read", "write")]
    assert len(transfers) > 20
    assert all(machine.bus[i - 1] == ("unit",) for i in transfers)


def test_the_ring_is_written_only_when_it_changes():
    from drivers.ring import Ring

    ring = Ring()
    ring.show(1, 0, 0)
    ring.show(1, 0, 1)
    assert ring._np.writes == 1
    lit = [i for i in range(pins.RING_PIXELS) if ring._np[i] != (0, 0, 0)]
    assert lit == list(range(6, 12))
    ring.show(1, 7, 0)
    ring.show(1, 7, 1)
    assert ring._np.writes == 3


def test_the_clock_is_set_and_read_in_binary_coded_decimal():
    from drivers import mcp23017
    from drivers.ds3231 import Clock, days

    machine.fresh()
    clock = Clock(mcp23017.Pads())
    assert clock.read() is None
    machine.i2c[pins.CLOCK_ADDRESS] = bytearray(32)
    machine.i2c[pins.CLOCK_ADDRESS][0x0F] = 0x80  # the oscillator was stopped
    assert clock.read() is None
    assert clock.set(2024, 2, 29, 23, 59, 8)
    assert bytes(machine.i2c[pins.CLOCK_ADDRESS][:7]) == b"\x08\x59\x23\x04\x29\x02\x24"
    assert clock.read() == (2024, 2, 29, 23, 59, 8)
    assert days(2000, 3, 1) == 60 and days(2024, 12, 31) == 9131
