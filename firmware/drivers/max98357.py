"""The amplifier MAX98357A on I2S: opened once, at boot, without an answer from it (it has no way to give one).

In memory only while it is opened (``shelf.py``). The port's DMA buffers (``_IBUF``) lie outside of MicroPython's heap.
It writes in blocking mode, which needs no task of its own (4 KB of stack), and is never full (``sound.py``).
"""

from machine import I2S, Pin
from micropython import const

import pins

_RATE = const(8000)  # Hz; one of the chip's rates (data sheet, table 5: LRCLK)
_IBUF = const(4096)  # bytes: 256 ms


def opened():
    """The I2S output, 16 bits, mono; None if the port has no memory for it: the hub then stays silent."""
    try:
        return I2S(
            pins.I2S_ID,
            sck=Pin(pins.I2S_BCLK),
            ws=Pin(pins.I2S_WS),
            sd=Pin(pins.I2S_DIN),
            mode=I2S.TX,
            bits=16,
            format=I2S.MONO,
            rate=_RATE,
            ibuf=_IBUF,
        )
    except (OSError, RuntimeError):
        return None
