"""A table on a desk: the game with flash that can be torn, keys by name, and the lines of its record.

Runs on CPython and MicroPython. Nothing waits: ``Rig.run`` moves the time on and calls ``Game.step``.
"""

import json
import time

if not hasattr(time, "ticks_ms"):  # CPython
    _PERIOD = 1 << 30
    time.ticks_add = lambda a, b: (a + b) & (_PERIOD - 1)
    time.ticks_diff = lambda a, b: ((a - b + (_PERIOD >> 1)) & (_PERIOD - 1)) - (_PERIOD >> 1)
    time.ticks_us = lambda: 12345
    time.ticks_ms = lambda: 0
    time.sleep_us = lambda us: None

import journal
import ledger
import pins
import players
import record
from game import Game
from shared_rules.hints import Hints

LOBBY, DEALING, PLAY, LAST_TRICK, SETTLED = range(5)
STEP = 20  # ms
PERIOD = time.ticks_add(0, -1) + 1  # of the tick counter: 2**30 on the board
SEED = bytes(range(32))


class PowerCut(Exception):
    """The power went while the flash was written."""


class Chip:
    """Flash of 4 KiB sectors as drivers.flash.Flash has it. ``cut``: operations until the power goes (-1: never), with
    ``torn`` bytes of that one done. ``ops`` counts programs and erases; ``broken``: it takes nothing any more."""

    def __init__(self, sectors=16):
        self.sectors = sectors
        self.memory = [bytearray(b"\xff" * 4096) for _ in range(sectors)]
        self.ops = 0
        self.cut = -1
        self.torn = 0
        self.broken = False
        self.erased = []  # sectors, in order

    def read(self, sector, offset, buf):
        buf[:] = self.memory[sector][offset : offset + len(buf)]
        return True

    def _op(self, size):
        """How many bytes of an operation are done."""
        self.ops += 1
        if self.cut == 0:
            return min(self.torn, size)
        self.cut -= 1
        return -1

    def program(self, sector, offset, buf):
        if self.broken:
            return False
        assert offset // 256 == (offset + len(buf) - 1) // 256, "a program over the end of a page"
        done = self._op(len(buf))
        for i in range(len(buf) if done < 0 else done):
            self.memory[sector][offset + i] &= buf[i]
        if done >= 0:
            raise PowerCut
        return True

    def erase(self, sector):
        if self.broken:
            return False
        done = self._op(4096)
        self.erased.append(sector)
        for i in range(4096 if done < 0 else done):
            self.memory[sector][i] = 255
        if done >= 0:
            raise PowerCut
        return True


class Rig:
    """A hub without hardware: ``game``, and ``lines``, the record so far as dicts."""

    def __init__(self, chip=None, hints=None):
        self.chip = chip or Chip()
        self.lines = []
        self.texts = []
        self.now = 1000
        self.at = 0  # lines that ``until`` has looked at
        led = ledger.Ledger(record.Record(self._write))
        self.game = Game(journal.Journal(self.chip), led, players.load(self.chip), self, hints or Hints())

    def _write(self, text):
        assert text.endswith("\n")
        self.texts.append(text)
        self.lines.append(json.loads(text))

    def boot(self, now=1000):
        """Start, with four pads."""
        self.now = now
        self.game.between("booting", "boot", 1 << 8, 0, now)
        for seat in self.game.seats:
            seat.pad_present = True
        return self

    def seed(self):
        """What the hub would draw."""
        return SEED

    def note_heap(self):
        """The heap is no matter here."""

    make_room = settings_changed = note_heap

    def test(self, seats="hbbb", rules=0, **more):
        """Start a test: h for a person, b for a bot; seed, lead, hands, turn_seconds, options as in the console."""
        test = {
            "rules": rules,
            "options": (),
            "kinds": [0 if c == "h" else 1 for c in seats],
            "seed": SEED,
            "lead": -1,
            "hands": None,
            "turn_seconds": 30,
            "lang": 2,
        }
        test.update(more)
        self.game.between("gathering", "start_test", test, self.now)
        return self

    def run(self, ms):
        """Let time pass."""
        end = self.now + ms
        while self.now < end:
            self.now += STEP
            now = self.now & (PERIOD - 1)
            self.game.step(now)
            while self.game.work():
                pass

    def until(self, event, ms=600000, **fields):
        """Let time pass until a line of that event (with these fields); it, or None. Looks at every line once."""
        end = self.now + ms
        while True:
            while self.at < len(self.lines):
                line = self.lines[self.at]
                self.at += 1
                if line["ev"] == event and all(line.get(k) == v for k, v in fields.items()):
                    return line
            if self.now >= end:
                return None
            self.run(STEP)

    def press(self, seat, *keys):
        """Press keys one after the other, slowly."""
        for key in keys:
            self.run(400)
            self.game.key(seat, pins.KEYS.index(key), self.game.turn_no, self.now & (PERIOD - 1))

    def events(self, name):
        """All lines of that event."""
        return [line for line in self.lines if line["ev"] == name]

    def deal(self, seats="hbbb", **more):
        """A deal in play: a test begun, persons ready, the first turn on."""
        self.test(seats, **more)
        for seat, c in enumerate(seats):
            if c == "h":
                self.press(seat, "play")
        self.until("turn")
        return self


def hands(*texts):
    """Four lists of 27 codes: the texts give what matters (rank letters), the rest of the decks fills them up."""
    from shared_rules import cards

    used = bytearray(14)
    out = []
    for text in texts:
        hand = []
        for word in text.split():
            code = cards.place(cards.read(word), used)
            assert code >= 0, word
            hand.append(code)
        out.append(hand)
    while len(out) < 4:
        out.append([])
    for code in range(108):
        if not cards.has(used, code):
            for hand in out:
                if len(hand) < 27:
                    hand.append(code)
                    break
    return [sorted(hand) for hand in out]
