"""The chips' models, each on its own: what their data sheets say."""

import random

import pytest

from host.sim.clock import MS, Clock
from host.sim.models.ds3231 import Clock3231
from host.sim.models.ili9341 import BYTES, WIDTH, Panel
from host.sim.models.keys import BOUNCE, Fingers
from host.sim.models.mcp23017 import Expander
from host.sim.models.ring import Ring
from host.sim.picture import image

KEYS = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
LIGHTS = (7, 13, 14, 15)


class Glass:
    """A panel out of sleep, with the bus around it."""

    def __init__(self, madctl=0x28):
        self.clock = Clock()
        self.reports = []
        self.panel = Panel(0, self.clock, lambda kind, seat, what: self.reports.append(kind))
        self.clock.now = 200 * MS
        self.command(0x11)
        self.clock.now += 121 * MS
        self.command(0x36, bytes((madctl,)))
        self.command(0x3A, b"\x55")
        self.command(0x29)

    def command(self, command, data=b"", *more):
        self.panel.select(True)
        self.panel.write(0, bytes((command,)))
        for part in (data, *more):
            self.panel.write(1, part)
        self.panel.select(False)

    def window(self, x, y, w, h):
        self.command(0x2A, b"".join(n.to_bytes(2, "big") for n in (x, x + w - 1)))
        self.command(0x2B, b"".join(n.to_bytes(2, "big") for n in (y, y + h - 1)))

    def at(self, x, y):
        i = (y * WIDTH + x) * 2
        return bytes(self.panel.frame()[i : i + 2])

    def read(self, command, n):
        self.panel.select(True)
        self.panel.write(0, bytes((command,)))
        out = self.panel.read(n)
        self.panel.select(False)
        return out


class TestDisplay:
    def test_fills_its_window_row_by_row(self):
        g = Glass()
        g.window(10, 20, 3, 2)
        g.command(0x2C, b"\1\1\2\2\3\3\4\4\5\5\6\6")
        assert [g.at(x, y) for y in (20, 21) for x in (10, 11, 12)] == [bytes((n, n)) for n in range(1, 7)]
        assert g.at(13, 20) == g.at(9, 21) == b"\0\0"
        assert g.reports == []

    def test_takes_pixels_in_any_pieces(self):
        g = Glass()
        g.window(0, 0, 4, 2)
        pixels = bytes(range(16))
        g.command(0x2C, pixels[:3], pixels[3:4], pixels[4:13], pixels[13:])
        assert b"".join(g.at(x, y) for y in (0, 1) for x in range(4)) == pixels
        assert g.reports == []

    def test_continues_after_a_pause_with_RAMWRC(self):
        g = Glass()
        g.window(0, 0, 2, 2)
        g.command(0x2C, b"\1\1\2\2")
        g.command(0x3C, b"\3\3\4\4")
        assert [g.at(0, 0), g.at(1, 0), g.at(0, 1), g.at(1, 1)] == [b"\1\1", b"\2\2", b"\3\3", b"\4\4"]

    @pytest.mark.parametrize(
        ("madctl", "where"),
        [
            (0x28, lambda c, r: (c, r)),
            (0xE8, lambda c, r: (319 - c, 239 - r)),
            (0x08, lambda c, r: (r, c)),
            (0x48, lambda c, r: (r, 239 - c)),
            (0x88, lambda c, r: (319 - r, c)),
            (0xC8, lambda c, r: (319 - r, 239 - c)),
        ],
    )
    def test_turns_and_mirrors_as_MADCTL_says(self, madctl, where):
        g = Glass(madctl)
        g.window(5, 7, 3, 2)
        g.panel.take_dirty()
        g.command(0x2C, bytes(n for k in range(1, 7) for n in (k, k)))
        xs, ys = zip(*[where(c, r) for r in (7, 8) for c in (5, 6, 7)])
        assert g.panel.take_dirty() == (min(xs), min(ys), max(xs), max(ys))
        k = 0
        for r in (7, 8):
            for c in (5, 6, 7):
                k += 1
                assert g.at(*where(c, r)) == bytes((k, k)), (c, r)

    def test_says_which_part_has_changed(self):
        g = Glass()
        g.panel.take_dirty()
        g.window(10, 20, 3, 2)
        g.command(0x2C, bytes(6))
        g.window(100, 5, 1, 1)
        g.command(0x2C, bytes(2))
        assert g.panel.take_dirty() == (10, 5, 100, 20)
        assert g.panel.take_dirty() is None

    def test_is_black_while_off_asleep_or_unplugged(self):
        g = Glass()
        g.command(0x2C, b"\xff" * 100)
        lit = g.panel.frame()
        assert lit[:100] == b"\xff" * 100
        for command, back in ((0x28, 0x29), (0x10, 0x11)):
            g.clock.now += 200 * MS
            g.command(command)
            assert g.panel.frame() == bytes(BYTES)
            g.clock.now += 200 * MS
            g.command(back)
            assert g.panel.frame() == lit
        g.panel.plug(False)
        assert g.panel.frame() == bytes(BYTES)

    def test_loses_its_memory_and_set_up_with_its_cable(self):
        g = Glass()
        g.command(0x2C, b"\xff" * 100)
        g.panel.plug(False)
        assert g.read(0x0A, 2) == b"\xff\xff"
        g.panel.plug(True)
        g.clock.now += 20 * MS
        assert g.read(0x0A, 1) == b"\x08"
        assert not g.panel.shows()
        assert bytes(g.panel.gram[:100]) == bytes(100)

    def test_tells_its_power_mode_identity_and_formats(self):
        g = Glass()
        assert g.read(0x0A, 2) == b"\x9c\x00"
        assert g.read(0xD3, 4) == b"\x00\x00\x93\x41"
        assert g.read(0x0B, 1) == b"\x28"
        assert g.read(0x0C, 1) == b"\x55"
        # RDDID comes one clock late: shifted back it is 00 93 41.
        assert int.from_bytes(g.read(0x04, 4), "big") >> 7 == 0x009341

    def test_is_reset_by_a_pulse_of_ten_microseconds_and_no_shorter(self):
        g = Glass()
        for us, resets in ((9, False), (10, True)):
            g.panel.reset(0)
            g.clock.now += us * 1000
            g.panel.reset(1)
            assert g.panel.awake != resets

    def test_needs_BGR_for_right_colours(self):
        g = Glass(0x20)
        g.command(0x2C, b"\xf8\x00\x07\xe0\x00\x1f")
        assert [g.at(x, 0) for x in range(3)] == [b"\x00\x1f", b"\x07\xe0", b"\xf8\x00"]

    def test_shows_as_a_picture_in_the_colours_of_RGB565(self):
        g = Glass()
        g.command(0x2C, b"\xf8\x00\x07\xe0\x00\x1f\xff\xff")
        picture = image(g.panel.frame())
        assert picture.size == (320, 240)
        assert [picture.getpixel((x, 0)) for x in range(5)] == [
            (255, 0, 0),
            (0, 255, 0),
            (0, 0, 255),
            (255, 255, 255),
            (0, 0, 0),
        ]


class Pad:
    """An expander with all keys armed, interrupts open drain."""

    def __init__(self, iocon=0x44):
        self.reports = []
        self.chip = Expander(1, lambda kind, seat, what: self.reports.append(kind), KEYS, LIGHTS)
        self.put(0x0A, iocon, iocon)
        self.put(0x0C, 0x7F, 0x1F)
        self.put(0x00, 0x7F, 0x1F)
        self.put(0x04, 0x7F, 0x1F)

    def put(self, register, *values):
        self.chip.write(bytes((register, *values)))

    def get(self, register, n=1):
        self.chip.write(bytes((register,)))
        return self.chip.read(n)


class TestExpander:
    def test_reads_a_pressed_key_as_low(self):
        p = Pad()
        assert p.get(0x12, 2) == b"\x7f\x1f"
        p.chip.press(3, True)
        p.chip.press(12, True)
        assert p.get(0x12, 2) == b"\x77\x0f"
        p.chip.press(3, False)
        assert p.get(0x12, 2) == b"\x7f\x0f"

    def test_pulls_INT_low_from_a_change_until_its_port_is_read(self):
        p = Pad()
        assert not p.chip.interrupt_low()
        p.chip.press(9, True)
        assert p.chip.interrupt_low()
        p.get(0x12)  # port A
        assert p.chip.interrupt_low()
        assert p.get(0x0E, 2) == b"\x00\x02"  # INTF
        p.get(0x13)
        assert not p.chip.interrupt_low()
        p.chip.press(9, False)
        assert p.chip.interrupt_low()

    def test_keeps_the_port_of_its_first_interrupt_in_INTCAP(self):
        p = Pad()
        p.chip.press(1, True)
        p.chip.press(2, True)
        assert p.get(0x0E) == b"\x02"
        assert p.get(0x10) == b"\x7d"
        assert not p.chip.interrupt_low()
        assert p.get(0x12) == b"\x79"

    def test_compares_with_DEFVAL_where_INTCON_says_so(self):
        p = Pad()
        p.put(0x06, 0x7F, 0x1F)
        p.put(0x08, 0x7F, 0x1F)
        assert not p.chip.interrupt_low()
        p.chip.press(0, True)
        p.get(0x12)
        assert p.chip.interrupt_low()  # the condition still holds
        p.chip.press(0, False)
        p.get(0x12)
        assert not p.chip.interrupt_low()

    def test_lights_follow_the_latch_of_output_lines(self):
        p = Pad()
        p.put(0x14, 0x80, 0xA0)
        assert p.chip.lights() == [True, True, False, True]
        p.put(0x12, 0x00, 0x40)  # a write to GPIO writes the latch
        assert p.chip.lights() == [False, False, True, False]
        assert p.get(0x14, 2) == b"\x00\x40"

    def test_GPA7_and_GPB7_are_no_inputs(self):
        p = Pad()
        p.put(0x00, 0xFF, 0xFF)
        p.put(0x0C, 0xFF, 0xFF)
        assert p.get(0x12, 2) == b"\x7f\x7f"

    def test_inverts_with_IPOL(self):
        p = Pad()
        p.put(0x02, 0x7F, 0x00)
        p.chip.press(0, True)
        assert p.get(0x12, 2) == b"\x01\x1f"

    def test_a_floating_input_is_low(self):
        p = Pad()
        p.put(0x0C, 0x00, 0x1F)
        assert p.get(0x12) == b"\x00"

    def test_registers_go_on_from_the_pointer_and_wrap(self):
        p = Pad()
        assert len(p.get(0x00, 22)) == 22
        p.put(0x15, 0x20, 0x7E)  # OLATB, then IODIRA
        assert p.get(0x00) == b"\x7e"

    def test_without_SEQOP_the_pointer_stays_in_its_pair(self):
        p = Pad(iocon=0x64)
        assert p.get(0x12, 4) == b"\x7f\x1f\x7f\x1f"

    def test_BANK_orders_the_registers_by_port(self):
        p = Pad()
        p.put(0x0A, 0xC4)
        assert p.get(0x09) == b"\x7f"  # GPIOA
        assert p.get(0x19) == b"\x1f"  # GPIOB
        p.put(0x1A, 0x20)  # OLATB
        assert p.chip.lights() == [False, True, False, False]
        p.put(0x05, 0x44)  # IOCON, back to one row
        assert p.get(0x12, 2) == b"\x7f\x3f"

    def test_forgets_its_set_up_with_its_cable(self):
        p = Pad()
        p.put(0x14, 0x80, 0)
        p.chip.plug(False)
        assert p.chip.lights() == [False] * 4
        p.chip.plug(True)
        assert p.get(0x00, 2) == b"\xff\xff"
        assert p.chip.lights() == [False] * 4


class TestClockChip:
    def test_carries_from_second_to_year(self):
        clock = Clock()
        chip = Clock3231(clock)
        chip.write(bytes((0, 0x59, 0x59, 0x23, 7, 0x31, 0x12, 0x30)))
        clock.now += 1000 * MS
        chip.write(b"\0")
        assert chip.read(7) == bytes((0x00, 0x00, 0x00, 3, 0x01, 0x01, 0x31))

    def test_a_date_that_does_not_exist_is_not_taken(self):
        clock = Clock()
        chip = Clock3231(clock)
        chip.write(bytes((0, 0, 0, 0, 1, 0x31, 0x02, 0x26)))
        chip.write(b"\0")
        assert chip.read(7)[6] == 0x25


class TestRing:
    def test_takes_green_red_blue_and_keeps_what_it_did_not_get(self):
        ring = Ring(Clock(), 3)
        ring.write(bytes((1, 2, 3, 4, 5, 6, 7, 8, 9)))
        ring.write(bytes((10, 20, 30)))
        assert ring.colours == [(20, 10, 30), (5, 4, 6), (8, 7, 9)]


class TestFingers:
    def edges(self, seed, down):
        clock = Clock()
        seen = []
        fingers = Fingers(clock, seed, lambda seat, key, state, when: seen.append((when, state)))
        for n in range(50):
            fingers.move(0, "up", down, n * 100 * MS)
        clock.go(10_000 * MS)
        return seen

    def test_bounce_is_short_and_ends_as_it_should(self):
        for down in (True, False):
            seen = self.edges("a", down)
            assert len(seen) > 80
            for n in range(50):
                mine = [(when - n * 100 * MS, state) for when, state in seen if 0 <= when - n * 100 * MS < 100 * MS]
                assert mine[0] == (0, down)
                assert mine[-1][1] == down
                assert all(when <= BOUNCE for when, _ in mine)
                assert [state for _, state in mine] == [down, not down] * (len(mine) // 2) + [down]

    def test_bounce_repeats_with_its_seed(self):
        assert self.edges("a", True) == self.edges("a", True)
        assert self.edges("a", True) != self.edges("b", True)


def test_what_is_due_happens_in_order_and_at_its_time():
    clock = Clock()
    seen = []
    times = random.Random(1).sample(range(1000), 100)
    for when in times:
        clock.at(when, seen.append)
    clock.spend(500)
    assert seen == []
    clock.settle()
    assert seen == sorted(t for t in times if t <= 500)
    clock.go(2000)
    assert seen == sorted(times)
    assert clock.next_due() is None
