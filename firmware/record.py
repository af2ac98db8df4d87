"""The table's record: one JSON object a line on the console, each with ``"id": [deal, k]`` (SIMULATOR.md, Events).

Lines are put together by hand, so that they are the same to the byte on every interpreter. k counts the lines of a
deal; a ``Record`` that repeats a deal counts the same way and writes only what lies behind ``after``. What the lines
say is in ``ledger.py``.
"""

from shared_rules import cards

CAUSES = ("key", "bot", "trustee", "timeout")  # of a play or pass: an entry's cause 0-3
TRUSTEE_CAUSES = ("key", "timeout", "pad", "leave")  # why a trustee was turned on or off
BOOTS = ("power", "reset", "watchdog", "other", "crash")
FAULTS = ("journal", "journal-full", "clock", "i2c", "settings", "crash")


def numbers(values):
    """A list of integers as JSON."""
    return "[" + ",".join([str(v) for v in values]) + "]"


def hexed(data):
    """Bytes as hex digits."""
    return "".join(["%02x" % b for b in data])


def codes_text(codes, n):
    """The first n card codes as text, from high to low, suits s h c d within a rank."""
    words = []
    for r in range(14, -1, -1):
        for s in range(3, -1, -1):
            for i in range(n):
                if cards.rank(codes[i]) == r and cards.suit(codes[i]) == s:
                    words.append(cards.text(codes[i]))
    return " ".join(words)


class Record:
    """Writes lines with ids. ``write(text)`` takes a whole line with its end."""

    def __init__(self, write):
        self._write = write
        self.sound = None  # sound.Sound: hears each line that is written
        self.deal = 0
        self.k = 0  # of the next line
        self.after = -1  # lines up to this k are counted, not written
        self.silent = False  # count only (replaying what has been written before)
        self.lines = 0  # how many were written

    def start(self, deal, k=0):
        """Begin to count the lines of a deal."""
        self.deal = deal
        self.k = k

    def line(self, event, rest):
        """One event; rest: its further fields, each with a comma before it."""
        if self.k > self.after and not self.silent:
            self._write('{"ev":"%s","id":[%d,%d]%s}\n' % (event, self.deal, self.k, rest))
            self.lines += 1
            if self.sound:
                self.sound.hear(event)
        self.k += 1

    def of_seat(self, event, seat, rest=""):
        """An event of a seat."""
        self.line(event, ',"seat":%d%s' % (seat, rest))
