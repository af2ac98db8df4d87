"""The I2S output and its amplifier: DMA buffers that are emptied at the sample rate, whatever the firmware does.

In non-blocking mode the ESP32 port has a task that copies one block at a time into the buffers, and a queue of one
behind it; what comes on top of that is dropped without a word (ports/esp32/machine_i2s.c, xQueueSend without a wait).
When the buffers run dry the port sends zeros: a gap. Gaps of a moment are told from the silence between two sounds.
"""

_MOMENT = 100_000_000  # ns: a gap shorter than that was none that was meant
_DMA = 512  # bytes: the port has whole buffers of 256 frames
_KEPT = 1 << 20  # bytes of samples that wait for whoever listens


class Sound:
    """``clock`` gives ns. ``rate``: Hz; ``bytes_in``, ``begun`` (sounds after a silence) and ``gaps`` count up."""

    def __init__(self, clock):
        self._clock = clock
        self.rate = 0
        self.bytes_in = self.begun = self.gaps = 0
        self.heard = []  # (when ns, bytes): what the amplifier got, in order
        self.reset()

    def reset(self):
        """The chip has started anew."""
        self._ns_per_byte = 0
        self._room = 0
        self._empty_at = 0  # when the amplifier will have played all
        self._copied = []  # when each of the blocks under way will be in the buffers

    def open(self, rate, frame, buffer):
        """rate in Hz, bytes a frame, bytes of buffer."""
        self.rate = rate
        self._ns_per_byte = 1_000_000_000 // max(1, rate * frame)
        self._room = max(2, buffer // (_DMA * frame // 2)) * (_DMA * frame // 2)

    def write(self, data, wait):
        """Take samples. With ``wait`` time passes until all have found room. Returns us until they have; -1: lost."""
        now = self._clock.now
        self._copied = [when for when in self._copied if when > now]
        if not wait and len(self._copied) > 1:
            return -1
        if now > self._empty_at:
            if self._empty_at and now - self._empty_at < _MOMENT:
                self.gaps += 1
            else:
                self.begun += 1
            self._empty_at = now
        self.heard.append((self._empty_at, bytes(data)))
        if len(self.heard) * _DMA > _KEPT:
            del self.heard[0]
        self._empty_at += len(data) * self._ns_per_byte
        self.bytes_in += len(data)
        until = max(0, self._empty_at - self._room * self._ns_per_byte - now)
        if wait:
            self._clock.spend(until)
            return 0
        self._copied.append(now + until)
        return -(-until // 1000)

    def take(self):
        """What the amplifier got since the last call: [(when ns, bytes)], 16-bit samples."""
        heard, self.heard = self.heard, []
        return heard
