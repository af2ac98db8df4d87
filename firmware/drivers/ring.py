"""The ring of WS2812 in the middle of the table: whose turn it is, and the big plays.

``show(seat, star, phase)`` computes 24 pixels and sends them only if they changed (24 pixels are 0.8 ms).
"""

from machine import Pin
from micropython import const
from neopixel import NeoPixel

import pins

_QUARTER = const(6)  # pixels a seat

TURN = (36, 22, 3)  # amber, as the turn is on the screens; far below full brightness
DARK = (0, 0, 0)
BLAZE = ((48, 9, 3), (12, 2, 1))  # a big play, two phases of its blink


class Ring:
    """One strip; made once."""

    def __init__(self):
        self._np = NeoPixel(Pin(pins.RING, Pin.OUT), pins.RING_PIXELS)
        self._shown = -1

    def show(self, turn, star, phase):
        """turn: seat 0-3 or -1; star: 0, or that of the big play on show; phase 0 or 1 of its blink.

        A big play lights one pixel in three more for every star from four on, all of them from 12 on.
        """
        key = (turn + 1) << 8 | star << 1 | (phase if star else 0)
        if key == self._shown:
            return
        self._shown = key
        pixels = self._np
        for i in range(pins.RING_PIXELS):
            if star:
                pixels[i] = BLAZE[phase] if i % 3 == 0 or i < 2 * star else DARK
            else:
                pixels[i] = TURN if turn >= 0 and i // _QUARTER == turn else DARK
        pixels.write()
