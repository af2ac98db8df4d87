"""What a real bus would not take is reported, one test a kind; and clean traffic is not."""

import json

import pytest

from host.sim.violations import KINDS

FAULTS = {
    "two-selected": """
CS[1].value(0)
cmd(0, 0x00)
""",
    "too-early": """
cmd(2, 0x01)
time.sleep_ms(3)
cmd(2, 0x11)
""",
    "window-overflow": """
window(3, 10, 10, 4, 2)
cmd(3, 0x2C, bytes(18))
""",
    "odd-pixel": """
window(0, 0, 0, 8, 1)
cmd(0, 0x2C, bytes(5))
cmd(0, 0x00)
""",
    "late-reset": """
reset()
""",
    "fast-read": """
DC.value(0)
CS[1].value(0)
spi.write(b"\\x0a")
DC.value(1)
spi.read(2)
CS[1].value(1)
""",
    "pixel-format": """
cmd(0, 0x3A, b"\\x66")
window(0, 0, 0, 2, 1)
cmd(0, 0x2C, bytes(4))
""",
    "interrupt-drive": """
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
i2c.writeto_mem(0x21, 0x0C, b"\\xff\\xff")
i2c.writeto_mem(0x21, 0x04, b"\\x7f\\x1f")
say("armed")
time.sleep_ms(300)
Pin(34, Pin.IN).value()
""",
    "key-direction": """
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
i2c.writeto_mem(0x22, 0x00, b"\\x00")
""",
    "lost-samples": """
i2s = machine.I2S(0, sck=Pin(16), ws=Pin(17), sd=Pin(4), mode=machine.I2S.TX, bits=16, format=machine.I2S.MONO,
                  rate=8000, ibuf=4096)
i2s.irq(lambda out: None)
for _ in range(6):
    i2s.write(bytes(4096))
""",
    "flash-range": """
import link
import ops
link.call_words(ops.FLASH_ERASE, 0, 0x400000)
""",
}

NAP = "cmd(0, 0x10)\ntime.sleep_ms(130)\ncmd(0, 0x11)\n"

SETTING_UP = """
reset()
for seat in range(4):
    set_up(seat)
say("up")
time.sleep_ms(1)
"""


def test_every_kind_of_violation_has_its_test():
    assert set(FAULTS) == set(KINDS)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_on_the_bus_is_reported(script, kind):
    s = script(SETTING_UP + FAULTS[kind] + "\nsay('done')\nidle()\n")
    s.until("up")
    assert s.kinds() == []
    if kind == "interrupt-drive":
        s.until("armed")
        s.table.press(1, "hint")
    s.until("done")
    assert kind in s.kinds()
    seat = {"two-selected": 0, "too-early": 2, "window-overflow": 3, "late-reset": 0, "interrupt-drive": 1}
    row = next(r for r in s.table.violations.kept if r["kind"] == kind)
    assert row["seat"] == seat.get(kind, row["seat"])
    told = s.table.command({"stats": True})["violations"]
    assert row in told
    json.dumps(told)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("SLPOUT right after a reset out of sleep", "cmd(0, 0x01)\ntime.sleep_ms(6)\ncmd(0, 0x11)"),
        (
            "a command 4 ms after SLPOUT",
            "cmd(0, 0x10)\ntime.sleep_ms(130)\ncmd(0, 0x11)\ntime.sleep_ms(4)\ncmd(0, 0x29)",
        ),
        (
            "sleep 100 ms after SLPOUT",
            "cmd(0, 0x10)\ntime.sleep_ms(130)\ncmd(0, 0x11)\ntime.sleep_ms(100)\ncmd(0, 0x10)",
        ),
    ],
)
def test_sleep_and_reset_delays_are_the_data_sheets(script, what, text):
    s = script(SETTING_UP + text + "\nsay('done')\nidle()\n")
    s.until("done")
    assert s.kinds() == ["too-early"], what


def test_a_window_beyond_the_panel_is_an_overflow(script):
    s = script(SETTING_UP + "window(1, 300, 0, 21, 1)\nsay('done')\nidle()\n")
    s.until("done")
    assert s.kinds() == ["window-overflow"]


def test_painting_four_displays_one_after_the_other_is_clean(script):
    s = script(
        SETTING_UP
        + """
buf = bytes(320 * 12 * 2)
for y in range(0, 240, 12):
    for seat in range(4):
        window(seat, 0, y, 320, 12)
        cmd(seat, 0x2C, buf)
say("done")
idle()
"""
    )
    s.until("done")
    assert s.kinds() == []
    assert s.table.violations.count == 0


def test_a_display_that_came_back_may_be_set_up_alone(script):
    s = script(
        SETTING_UP
        + """
time.sleep_ms(200)
cmd(2, 0x01)
time.sleep_ms(121)
set_up(2)
say("again")
idle()
"""
    )
    s.until("up")
    s.table.command({"unplug": {"seat": 2}, "what": "display"})
    s.table.advance(50)
    s.table.command({"plug": {"seat": 2}, "what": "display"})
    s.until("again")
    assert s.kinds() == []
    assert [panel.shows() for panel in s.table.board.panels] == [True] * 4
