"""`neopixel` as the ESP32 port has it: ``NeoPixel(pin, n)``, colours (r, g, b), ``write()``."""

import link
import ops


class NeoPixel:
    ORDER = (1, 0, 2, 3)

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)

    def __len__(self):
        return self.n

    def __setitem__(self, i, v):
        at = i * self.bpp
        for k in range(self.bpp):
            self.buf[at + self.ORDER[k]] = v[k]

    def __getitem__(self, i):
        at = i * self.bpp
        return tuple(self.buf[at + self.ORDER[k]] for k in range(self.bpp))

    def fill(self, v):
        for i in range(self.n):
            self[i] = v

    def write(self):
        link.post(ops.RING, self.pin.id, self.buf)
        link.lapse()
