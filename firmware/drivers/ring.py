"""The ring of WS2812 in the middle of the table: whose turn it is, and the big plays.

``show`` computes the pixels and sends them only if they changed (24 pixels are 0.8 ms).
"""

from esp32 import RMT
from machine import Pin
from micropython import const
from neopixel import NeoPixel

_QUARTER = const(6)  # pixels a seat

_TURN = (36, 22, 3)  # amber, as the turn is on the screens; far below full brightness
_DARK = (0, 0, 0)
_BLAZE = ((48, 9, 3), (12, 2, 1))  # a big play, two phases of its blink


class Ring:
    """One strip; made once."""

    def __init__(self):
        import pins

        # Bits timed by the processor, 0.8 ms without interrupts: the RMT unit's driver would be installed and removed
        # for each write, and raises an error where there is no such unit.
        RMT.bitstream_channel(None)
        self._np = NeoPixel(Pin(pins.RING, Pin.OUT), pins.RING_PIXELS)
        self._shown = -1

    def show(self, turn, star, phase):
        """turn: seat 0-3 or -1; star: 0, or that of the big play on show; phase 0 or 1 of its blink.

        A big play lights every third pixel, and from pixel 0 two more for each star.
        """
        key = (turn + 1) << 8 | star << 1 | (phase if star else 0)
        if key == self._shown:
            return
        self._shown = key
        pixels = self._np
        for i in range(len(pixels)):
            if star:
                pixels[i] = _BLAZE[phase] if i % 3 == 0 or i < 2 * star else _DARK
            else:
                pixels[i] = _TURN if turn >= 0 and i // _QUARTER == turn else _DARK
        pixels.write()
