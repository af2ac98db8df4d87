"""The I2S output: a buffer that the amplifier empties at its rate. Samples are counted, and when they were missing."""


class Sound:
    """``clock`` gives ns."""

    def __init__(self, clock):
        self._clock = clock
        self.reset()
        self.bytes_in = 0
        self.underruns = 0

    def reset(self):
        self._ns_per_byte = 0
        self._room = 0
        self._empty_at = 0

    def open(self, rate, frame, buffer):
        """rate in Hz, bytes a frame, bytes of buffer."""
        self._ns_per_byte = 1_000_000_000 // max(1, rate * frame)
        self._room = buffer

    def write(self, data, wait):
        """Take samples. Returns the bytes taken; with ``wait`` time passes until all have found room."""
        now = self._clock.now
        if self._empty_at and now > self._empty_at:
            self.underruns += 1
        filled = max(0, self._empty_at - now) // self._ns_per_byte if self._ns_per_byte else 0
        taken = len(data)
        if filled + taken > self._room:
            if wait:
                self._clock.spend((filled + taken - self._room) * self._ns_per_byte)
            else:
                taken = max(0, self._room - filled)
        self._empty_at = max(self._empty_at, now) + taken * self._ns_per_byte
        self.bytes_in += taken
        return taken
