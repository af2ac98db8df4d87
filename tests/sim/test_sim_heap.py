"""The firmware has the board's heap: the stand-ins for the board's own modules do not count against it."""

import pytest

from host.sim import launch
from host.sim.settings import BOARD_HEAP

# CPython has no heap limit.
pytestmark = pytest.mark.parametrize("vm", ["micropython"], indirect=True)

# A bare interpreter with a file system mounted holds so much: its own objects, and what VfsLfs2 holds on the board too.
BARE = 2400

MEASURE = """
import gc
gc.collect()
say("heap", used=gc.mem_alloc(), free=gc.mem_free())
idle()
"""


def test_the_shims_take_what_is_added_for_them(script, vm):
    s = script("")
    (s.folder / "boot.py").write_text(
        'import gc\ngc.collect()\nprint(\'{"ev":"heap","id":[0,0],"used":%d}\' % gc.mem_alloc())\n'
        "import time\nwhile True:\n    time.sleep_ms(5)\n"
    )
    s.table.stop()
    again = type(s)(s.folder, "", vm)
    try:
        used = again.until("heap")["used"]
    finally:
        again.table.stop()
    assert launch.SHIM_HEAP - 1024 <= used - BARE <= launch.SHIM_HEAP


def test_the_heap_is_the_boards_scaled_to_the_objects_of_the_interpreter(script, vm):
    s = script(MEASURE, heap=64 * 1024)
    e = s.until("heap")
    # The collector's tables take about a thirty-third of it.
    assert 0.95 * (2 * 64 * 1024 + launch.SHIM_HEAP) < e["used"] + e["free"] < 2 * 64 * 1024 + launch.SHIM_HEAP


def test_the_default_is_110_kilobytes(vm):
    assert BOARD_HEAP == 110 * 1024


def test_more_than_the_heap_is_a_memory_error(script, vm):
    s = script("say('boot')\ntime.sleep_ms(1)\nkeep = [bytearray(1000) for i in range(300)]\n")
    s.until("boot")
    s.table.advance(100)
    assert "MemoryError" in s.table.last_errors
