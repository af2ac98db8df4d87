"""A strip that counts how often it was written."""


class NeoPixel:
    def __init__(self, pin, n):
        self._colours = [(0, 0, 0)] * n
        self.writes = 0

    def __len__(self):
        return len(self._colours)

    def __setitem__(self, i, colour):
        self._colours[i] = colour

    def __getitem__(self, i):
        return self._colours[i]

    def write(self):
        self.writes += 1
