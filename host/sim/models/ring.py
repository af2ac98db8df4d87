"""The ring of WS2812: 24 bits a pixel, 1.25 us a bit, latched after 50 us of silence (data sheet, WS2812B)."""

BIT = 1250
LATCH = 50_000


class Ring:
    """``colours``: (r, g, b) a pixel, as last latched."""

    def __init__(self, clock, count):
        self._clock = clock
        self._count = count
        self.writes = 0
        self.power_on()

    def power_on(self):
        self.colours = [(0, 0, 0)] * self._count

    def write(self, data):
        """Bytes in the order G R B; pixels that get none keep their colour."""
        self._clock.spend(len(data) * 8 * BIT + LATCH)
        self.writes += 1
        for i in range(min(self._count, len(data) // 3)):
            g, r, b = data[3 * i : 3 * i + 3]
            self.colours[i] = (r, g, b)
