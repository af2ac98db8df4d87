"""Sound: what all may know, heard from the record's lines, played from ``sounds.pcm`` block by block.

``Record`` tells each line it writes to ``hear``; nothing else of a deal is heard, so no sound tells of a hand. ``step``
gives the amplifier 32 ms more when it has less than 128 of its 256 ms left: it never has to wait. The file and its
sounds are described in host/sounds.py.
"""

import time

from micropython import const

from seats import HUMAN
from settings import VOLUME
from shared_rules.compare import star

# Sounds in the file's order, which is that in which they follow one another. First those that silence others: 0-2 a
# bomb of 4 and 5 stars, of 6 and 7, of more; then
_CLOCK = const(3)  # ten seconds left; 4 and 5 are won and lost (settling.py); then lines by the event's name
_LINES = const(6)
_EVENTS = ("deal", "resumed", "pass", "play", "ready", "refused", "trick", "out", "warning", "turn")
_PLAY = const(9)
_TURN = const(15)
_CUTS = const(8)  # the first that waits for what is being played

_SCORE = const(32)
_BLOCK = const(512)
_BLOCK_MS = const(32)
_AHEAD_MS = const(96)
_MOST_MS = const(256)  # what the amplifier can have; more is a time long gone, after days without a sound
_LEFT = const(10000)  # ms


class Sound:
    """out: machine.I2S in 16 bits, or None; game: game.Game. ``wanted``: a bit for each sound that is to be played."""

    def __init__(self, out, game):
        self._out = out
        self._game = game
        self._file = open("sounds.pcm", "rb")
        self._score = bytearray(_SCORE + 1)
        self._buf = bytearray(_BLOCK)
        self._next = self._left = self.wanted = self.due = 0

    def hear(self, event):
        """A line of the record is written."""
        if event in _EVENTS:
            n = _LINES + _EVENTS.index(event)
            game = self._game
            led = game.ledger  # while a deal is taken up again the game has no table yet
            if n == _TURN:
                seat = game.seats[led.table.turn]
                if seat.kind != HUMAN or seat.trustee:
                    return
            elif n == _PLAY:
                stars = star(led.rules, led.table.meld)
                if stars:
                    n = (stars > 5) + (stars > 7)
            self.play(n)

    def play(self, n):
        """Play sound n of the file, at once or behind others."""
        if n < _CUTS:
            self.wanted = self._score[self._next] = 0
        self.wanted |= 1 << n

    def step(self, now):
        """Hand the amplifier the next block, if it has room for it."""
        left = self._game.turn_left_ms
        if 0 < left < _LEFT <= self._left:
            self.play(_CLOCK)
        self._left = left
        ahead = time.ticks_diff(self.due, now)
        if _AHEAD_MS < ahead <= _MOST_MS:
            return
        score = self._score
        f = self._file
        if not score[self._next]:
            if not self.wanted:
                return
            n = 0
            while not self.wanted >> n & 1:
                n += 1
            self.wanted ^= 1 << n
            f.seek(n * _SCORE)
            f.readinto(score)
            score[_SCORE] = self._next = 0
        block = score[self._next]
        volume = self._game.settings.get(VOLUME)
        if not volume or not self._out:
            score[self._next] = 0
            return
        self._next += 1
        f.seek((block >> 3) * _BLOCK)
        f.readinto(self._buf)
        softer = (block & 7) + (100 - volume) // 17  # each is 6 dB
        self._out.shift(buf=self._buf, bits=16, shift=-softer)
        self._out.write(self._buf)
        self.due = time.ticks_add(now, (ahead if 0 < ahead <= _AHEAD_MS else 0) + _BLOCK_MS)
