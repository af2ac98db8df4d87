"""A board with nothing on its wires: the hub starts, says what is missing, answers its console, and goes on."""

import pytest

from host.sim.settings import Settings
from host.sim.table import SimTable


def bare(vm, stuck=False, **settings):
    """A table whose pads, displays and clock do not answer; stuck: SDA is held low for ever."""
    table = SimTable(Settings(seats=None, vm=vm, **settings), quiet=True)
    for part in (*table.board.pads, *table.board.panels, table.board.rtc):
        part.present = False
    if stuck:
        pad = table.board.pads[0]
        pad.power_on = lambda: setattr(pad, "stuck", 1 << 30)
    table.events = []
    table.on_line(table.events.append)
    return table


@pytest.mark.parametrize("vm", ["micropython", "cpython"])
def test_it_says_what_is_missing_and_keeps_running(vm):
    with bare(vm) as table:
        table.command({"until": "boot", "ms": 60_000})
        table.command({"advance": 30_000})
        assert table.crashed is None
        text = "\n".join(table.events)
        for seat in range(4):
            for what in ("pad", "display"):
                assert text.count(f'"ev":"{what}"') == 4, text
                assert f'"seat":{seat},"present":false' in text
        assert '"ev":"fault"' in text and '"what":"clock"' in text
        assert text.count('"ev":"boot"') == 1, "no watchdog, no crash"
        assert table.command({"stats": True})["ok"]
        assert table.command({"cmd": "stats"})["ok"], "the console answers"


def test_a_bus_that_hangs_is_told_of_and_leaves_time_for_the_rest():
    with bare("micropython", stuck=True) as table:
        table.command({"until": "boot", "ms": 60_000})
        before = table.command({"stats": True})["i2c_transactions"]
        table.command({"advance": 30_000})
        text = "\n".join(table.events)
        assert '"what":"i2c"' in text and '"what":"clock"' in text
        assert text.count('"ev":"boot"') == 1
        assert table.command({"stats": True})["i2c_transactions"] - before <= 14
        assert table.command({"cmd": "stats"})["ok"]


def test_what_is_plugged_in_later_is_taken_up():
    with bare("micropython") as table:
        table.command({"until": "boot", "ms": 60_000})
        table.command({"advance": 2000})
        for seat in range(4):
            assert table.command({"plug": {"seat": seat}})["ok"]
            assert table.command({"plug": {"seat": seat, "what": "display"}})["ok"]
        table.command({"advance": 3000})
        text = "\n".join(table.events)
        assert text.count('"present":true') == 8
        assert all(bytes_in > 100_000 for bytes_in in table.command({"stats": True})["spi_bytes"]), "painted whole"
