"""A player's evening by pad keys alone: how many presses a played card takes.

  python tests/screens/presses.py [--deals 5] [--seed HEX64] [--lang LANG]    with hints: hint, play; pass where
                                                                              nothing beats the table
  python tests/screens/presses.py --by-hand    without hints: every meld is raised with the arrows

One person sits with three bots. The player looks at the screen as a person does, through ``reader.py``, and presses
keys; nothing else reaches the firmware, which runs in the real interpreter from the power-on. Every press counts, those
that begin the next deal, too. Without hints the melds are those that the hints would show, so that every kind comes up;
what is raised is read back from the screen before ``play`` is pressed.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import conftest  # noqa: E402, F401
from holds import LANGS, Shadow, check_hand  # noqa: E402
from reader import Reader  # noqa: E402

from host.sim.player import next_seed  # noqa: E402
from host.sim.settings import Settings  # noqa: E402
from host.sim.table import SimTable  # noqa: E402
from shared_rules.hints import Hints  # noqa: E402

SEAT = 0
LOOK_MS = 400  # from a key until the player presses the next
HINT_MS = 4000  # as long as a player waits for a hint
MOST = 2.5  # presses a played card


class Player:
    """The person at seat 0. ``presses``, ``cards``, ``plays``, ``passes``: what was done so far."""

    def __init__(self, table, seed, by_hand):
        self.table, self.seed, self.by_hand = table, seed, by_hand
        self.presses = self.cards = self.plays = self.passes = self.deals = 0
        self.shadow = Shadow(seed)
        self.turn = None
        self.over = False
        table.listen(self.hear)

    def hear(self, event, line):
        """Follow the record."""
        name = event["ev"]
        if name == "deal" and self.over:
            self.seed = next_seed(self.seed)
            self.shadow = Shadow(self.seed)
            self.over = False
        self.shadow.hear(event)
        if name == "turn":
            self.turn = event["seat"]
        elif name == "end":
            self.over = True
            self.turn = None
            self.deals += 1
        elif name in ("play", "pass"):
            self.turn = None
            if event["seat"] == SEAT:
                assert event["cause"] == "key", f"the table acted for the player: {line}"
                if name == "play":
                    self.plays += 1
                    self.cards += len(event["cards"].split())
                else:
                    self.passes += 1
        elif name == "refused":
            raise AssertionError(f"the table refused what the screen offered: {line}")

    def press(self, key):
        """One press, and a look."""
        self.presses += 1
        answer = self.table.command({"press": {"seat": SEAT, "key": key}})
        assert answer["ok"], answer
        self.table.advance(LOOK_MS)

    def raised(self):
        """How many cards the screen shows raised."""
        return sum(column["raised"] for column in Reader(self.table.frame(SEAT)).hand())

    def act(self):
        """Play or pass, in one's turn."""
        if self.by_hand:
            self.choose()
        else:
            self.press("hint")
            for _ in range(HINT_MS // LOOK_MS):
                if self.raised() or self.turn != SEAT:
                    break
                self.table.advance(LOOK_MS)
        if not self.raised():
            self.press("pass")
            return
        self.press("play")
        if self.turn == SEAT and self.raised():  # it asks which meld is meant
            self.press("play")

    def choose(self):
        """Raise the first meld that the hints would show, with arrows only."""
        table = self.shadow.table
        want = bytearray(16)
        hints = Hints()
        hints.start(table.rules, table.counts[SEAT], table.meld, None, False)
        while not hints.work():
            pass
        if not hints.next(want):
            return
        for key in self.table.persons.seats[SEAT].keys_for(want):
            self.press(key)
        check_hand(Reader(self.table.frame(SEAT)), table, SEAT, False, want)

    def play(self, deals):
        """Play so many deals."""
        self.table.advance(1500)
        self.press("play")
        while self.deals < deals:
            if self.over:
                self.table.advance(3000)
                self.press("play")
            elif self.turn == SEAT:
                self.act()
            else:
                assert self.table.wait_for(lambda e: e["ev"] in ("turn", "end", "deal"), 60_000), "the deal goes on"
                self.table.advance(LOOK_MS)


def evening(deals, seed="5" * 64, lang="zh-Hans", by_hand=False):
    """Play an evening; the Player that did."""
    settings = Settings(seats=["human", "bot", "bot", "bot"], seed=seed, lang=lang, turn_seconds=0)
    with SimTable(settings, quiet=True) as table:
        player = Player(table, seed, by_hand)
        player.play(deals)
        assert table.violations.count == 0
    return player


def main(argv=None):
    """Run the command; 0, or 1 if there were more presses than MOST a card (with hints)."""
    parser = argparse.ArgumentParser(description="A player's evening by pad keys: presses a played card.")
    parser.add_argument("--deals", type=int, default=5, help="default %(default)s")
    parser.add_argument("--seed", default="5" * 64, metavar="HEX64")
    parser.add_argument("--lang", choices=LANGS, default=LANGS[0])
    parser.add_argument("--by-hand", action="store_true", help="without hints, every card raised with the arrows")
    args = parser.parse_args(argv)
    player = evening(args.deals, args.seed, args.lang, args.by_hand)
    each = player.presses / player.cards
    print(f"{player.deals} deals: {player.cards} cards in {player.plays} plays, {player.passes} passes, "
          f"{player.presses} presses: {each:.2f} a card" + ("" if args.by_hand else f" (at most {MOST})"))
    return 1 if each > MOST and not args.by_hand else 0


__all__ = ["MOST", "evening"]

if __name__ == "__main__":
    sys.exit(main())
