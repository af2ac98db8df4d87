"""The console's input: lines as they arrive, a few bytes a round, obeyed by ``commands.py``, each answered by a line.

``Console.step(now)`` never waits. ``commands.py`` is in memory only while it obeys.
"""

import select
import sys

from micropython import const

from shelf import put_back

MOST = const(2048)  # bytes in a line
_CHUNK = const(64)  # bytes taken in a step


class Console:
    """See the module. ``stream``: bytes in, unbuffered; ``write(text)``: whole lines out."""

    def __init__(self, hub, write, stream=None, ready=None):
        """ready(0): a poll of the stream; both default to standard input."""
        self._hub = hub
        self.write = write
        self._stream = stream or getattr(sys.stdin, "buffer", sys.stdin)
        if ready is None:
            poll = select.poll()
            poll.register(sys.stdin, select.POLLIN)
            ready = getattr(poll, "ipoll", poll.poll)  # ipoll allocates nothing; CPython has none
        self._ready = ready
        self._line = bytearray()
        self._too_long = False
        self.closed = False
        self.strikes = 0  # wrong codes of the operator, and until when (ms) no other is looked at (locking.py)
        self.due = 0

    def step(self, now):
        """Take at most 64 bytes; True if a line was obeyed."""
        if self.closed:
            return False
        for _i in range(_CHUNK):
            for _ in self._ready(0):
                break
            else:
                return False
            byte = self._stream.read(1)
            if not byte:
                self.closed = True
                return False
            if byte == b"\n" or byte == b"\r":
                if self._line or self._too_long:
                    self._obey(now)
                    return True
            elif len(self._line) < MOST:
                self._line += byte
            else:
                self._too_long = True
        return False

    def _obey(self, now):
        line = self._line
        self._line = bytearray()
        too_long = self._too_long
        self._too_long = False
        for again in (1, 0):
            try:
                answer = __import__("commands").obey(self._hub, None if too_long else line, now)
                again = 0
            except MemoryError:
                answer = '{"re":null,"ok":false,"why":"There is no memory for that now."}\n'
            put_back("commands", "testing", "keeping", "copying", "checking", "locking", "sectors", "version")
            put_back("players", "slots", "pins", "drivers.ds3231", "shared_rules.rulesets")
            if not again:
                break
            self._hub.make_room()
        self.write(answer)
