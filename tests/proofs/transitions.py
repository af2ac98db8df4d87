"""Hands that hammer: random contacts of the pads' keys, and the table goes on by its rules.

``python tests/proofs/transitions.py --transitions 1000000``; exit status 0, or 1 if anything was wrong.

Evenings of one to four persons and computers. A contact is a line of a pad's expander that is pulled to ground or let
go: presses with their bounce, chatter (many contacts within some ms), several keys at once, keys that are held over
turns, keys that stick for up to a minute, and presses that are debounced at the very tick of a time-out. By turns

  lobby   everything with keys alone: joining, choosing, the menu and its pages, leaving, pausing, the sheet
  test    seats given, seeds known, a clock of 2 s
  clock   seats given, a clock of 1 s, keys at the tick of its end only

The hub counts its own cards after every entry of its journal (following.py), the record is followed line by line, and
the simulator reports violations. Displays are plugged in every fourth evening.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from host.sim.clock import MS, US
from host.sim.settings import Settings
from host.sim.table import SimTable
from tests.proofs.following import Follower, probed

RULES = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")
MODES = ("lobby", "test", "clock")
HEAP = 140 * 1024  # as on the board; the probe takes some
SLICE_MS = 100
DEBOUNCED_MS = 20  # from the first contact to the tick that acts, at most
CALM = (150, 40)  # of so many slices between deals, the last ones: everybody wants to play
SILENT_MS = 900_000  # no line for so long: the table hangs
# How often a key is pressed, of 100: what brings a deal on more than what stops it.
WEIGHTS = {"play": 22, "hint": 20, "pass": 10, "up": 9, "down": 5, "left": 7, "right": 7, "clear": 6, "bomb": 4,
           "sort": 3, "trustee": 3, "menu": 4}  # fmt: skip


class Hammer:
    """Random contacts on the keys of some seats. ``count``: contacts so far."""

    def __init__(self, table, seats, chance):
        self.table = table
        self.seats = seats
        self.chance = chance
        self.count = 0
        self.kinds = dict.fromkeys(("press", "several", "chatter", "stuck", "time-out"), 0)
        self._names = list(WEIGHTS)
        self._weights = list(WEIGHTS.values())
        for pad in table.board.pads:
            self._count(pad)

    def _count(self, pad):
        press = pad.press

        def counted(line, down):
            before = pad.contacts
            press(line, down)
            self.count += pad.contacts != before

        pad.press = counted

    def _key(self):
        return self.chance.choices(self._names, self._weights)[0]

    def slice(self, busy):
        """What happens in the next slice; busy: presses a slice, on average."""
        chance, fingers = self.chance, self.table.fingers
        start = self.table.outside()
        for _ in range(int(busy + chance.random())):
            seat = chance.choice(self.seats)
            at = start + chance.randrange(SLICE_MS * MS)
            kind = chance.random()
            if kind < 0.55:
                self.kinds["press"] += 1
                self._press(seat, self._key(), at, chance.randrange(5, 160))
            elif kind < 0.7:
                self.kinds["several"] += 1
                for _ in range(chance.randrange(2, 6)):
                    self._press(seat, self._key(), at + chance.randrange(8 * MS), chance.randrange(10, 120))
            elif kind < 0.996:
                self.kinds["chatter"] += 1
                key = self._key()
                for i in range(2 * chance.randrange(2, 12)):
                    at += chance.randrange(50 * US, 6 * MS)
                    self.table.clock.at(at, lambda t, s=seat, k=key, d=not i & 1: fingers._contact(s, k, d, t))
            else:
                self.kinds["stuck"] += 1
                self._press(seat, self._key(), at, chance.randrange(1000, 60_000))

    def begin(self, first):
        """Everybody gets ready; at first a page that is open closes, or the seat is left, and taken again."""
        start = self.table.outside()
        for seat in self.seats:
            for i, key in enumerate(("clear", "play") if first else ("play",)):
                self._press(seat, key, start + 120 * MS * i, 60)

    def _press(self, seat, key, at, ms):
        fingers = self.table.fingers
        fingers.move(seat, key, True, at)
        fingers.move(seat, key, False, at + ms * MS)

    def at_the_end(self, event, turn_ms):
        """A key that acts at the tick of this turn's time-out, or one tick off."""
        seat = event["seat"]
        if seat not in self.seats:
            return
        self.kinds["time-out"] += 1
        now = self.table.outside()
        key = self.chance.choice(("play", "pass", "hint", "trustee"))
        at = now + turn_ms * MS - self.chance.randrange(DEBOUNCED_MS * MS)
        if key == "play":
            self._press(seat, "hint", at - 200 * MS, 60)
        self._press(seat, key, at, 60)


def evening(number, transitions, seed, firmware=None, painted=None):
    """One evening of so many contacts. Returns (Follower, Hammer, sentences about what was wrong, virtual ms)."""
    chance = random.Random(f"{seed} {number}")
    mode = MODES[number % len(MODES)]
    n = 1 + number % 4
    persons = chance.sample(range(4), n)
    known = None if mode == "lobby" else chance.randbytes(32)
    settings = Settings(
        rules=RULES[number % 5],
        seats=None if mode == "lobby" else ["human" if s in persons else "bot" for s in range(4)],
        seed=known.hex() if known else None,
        turn_seconds=1 if mode == "clock" else 2,
        heap=HEAP,
        firmware=firmware,
    )
    table = SimTable(settings, quiet=True)
    hammer = Hammer(table, persons, chance)
    follower = Follower(table, known)
    if known is None:
        table.board._random.seed(f"{seed} {number}")
    heard = [0]

    def listen(event):
        heard[0] = table.clock.now
        if event["ev"] == "turn" and mode == "clock":
            hammer.at_the_end(event, 1000)

    table.on_event(listen)
    if painted is None:
        painted = number % 4 == 3
    for panel in table.board.panels:
        panel.plug(painted)
    busy = {"lobby": 3, "test": 3, "clock": 0.5}[mode]
    wrong = []
    between = 0
    with table:
        while hammer.count < transitions and not follower.wrong and table.crashed is None:
            between = 0 if follower.running() else between + 1
            if between % CALM[0] < CALM[0] - CALM[1]:
                hammer.slice(busy)
            elif between % 5 == 0:
                hammer.begin(between % CALM[0] == CALM[0] - CALM[1])
            table.pass_time(SLICE_MS * MS)
            if table.clock.now - heard[0] > SILENT_MS * MS:
                wrong.append("the table says nothing any more")
                break
        if table.crashed is not None:
            wrong.append(f"the hub ended: {table.crashed} {table.last_errors[-800:]}")
        else:  # let it end the deal that is on, by itself
            table.pass_time(1)
            answer = table.ask({"cmd": "totals"})
            if mode == "lobby" and answer and not follower.running():
                follower.rest(answer)
        if table.violations.count:
            wrong.append(f"{table.violations.count} violations: {table.violations.kept[:3]}")
        ms = table.clock.ms()
    return follower, hammer, [f"evening {number} ({mode}): {w}" for w in wrong + follower.wrong], ms


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--transitions", type=int, default=1_000_000, metavar="N", help="contacts in all")
    parser.add_argument("--evenings", type=int, default=24, metavar="N", help="they are spread over")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first evening")
    parser.add_argument("--seed", default="transitions", help="of all that is random")
    args = parser.parse_args(argv)
    wrong = []
    kinds, events = {}, {}
    contacts = deals = acts = hours = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        firmware = probed(Path(folder))
        share = -(-args.transitions // args.evenings)
        for number in range(args.first, args.first + args.evenings):
            follower, hammer, found, ms = evening(number, share, args.seed, firmware)
            wrong += found
            contacts += hammer.count
            deals += follower.deals
            acts += follower.acts
            hours += ms / 3_600_000
            for total, more in ((kinds, hammer.kinds), (events, follower.kinds)):
                for name, n in more.items():
                    total[name] = total.get(name, 0) + n
            print(
                f"evening {number:>3}: {hammer.count} contacts, {follower.acts} acts, {follower.deals} deals settled"
                + ("" if not found else "; " + "; ".join(found[:3])),
                flush=True,
            )
    print(f"keys: {kinds}")
    print(f"lines: {events}")
    print(
        f"{contacts} contacts in {args.evenings} evenings ({hours:.1f} h of the table), {acts} acts, {deals} deals "
        f"settled; {len(wrong)} wrong; {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong or contacts < args.transitions or not acts else 0


if __name__ == "__main__":
    sys.exit(main())
