"""The ring of WS2812 in the middle of the table: whose turn it is, the big plays, who has won.

``show`` computes the pixels and sends them only if they changed (24 pixels are 0.8 ms). What moves is in ``shine.py``,
in memory only while something does.
"""

from esp32 import RMT
from machine import Pin
from micropython import const
from neopixel import NeoPixel

from shelf import put_back

_QUARTER = const(6)  # pixels a seat

_TURN = (36, 22, 3)  # amber, as the turn is on the screens; far below full brightness
_DARK = (0, 0, 0)


class Ring:
    """One strip; made once."""

    def __init__(self):
        import pins

        # Bits timed by the processor, 0.8 ms without interrupts: the RMT unit's driver would be installed and removed
        # for each write, and raises an error where there is no such unit.
        RMT.bitstream_channel(None)
        self._np = NeoPixel(Pin(pins.RING, Pin.OUT), pins.RING_PIXELS)
        self._shown = -1

    def show(self, turn, what, frame):
        """turn: seat 0-3 or -1. what: 0; seat << 4 | stars of the big play on show; 256 | a bit for each seat that
        has won. frame: number of its picture, 50 ms each, counting up to 0."""
        key = (turn + 1) << 16 | what << 6 | (frame & 63 if what else 0)
        if key == self._shown:
            return
        was = self._shown
        self._shown = key
        pixels = self._np
        if what:
            try:
                from drivers import shine

                shine.frame(pixels, what, frame)
            except MemoryError:  # not now: the deal goes first
                return
        else:
            if was >> 6 & 1023:
                put_back("drivers.shine")
            for i in range(len(pixels)):
                pixels[i] = _TURN if turn >= 0 and i // _QUARTER == turn else _DARK
        pixels.write()
