"""What the displays and the console show of a deal that runs, and of one that is over.

``python tests/proofs/privacy.py --deals 10``; exit status 0, or 1 if anything was shown that may not be, or missing.

The displays of four seats are read back from their pixels (tests/screens/reader.py) some times a turn, while four
persons' trustees play, hands are hidden and shown, a player leaves and comes back, a pad is out and in. The lower
part of a display holds the seat's own hand, or nothing while it is hidden or the player is away, or the partner's for
who went out first; the cards above are those that everybody has seen in this trick. When the deal is over these hands
are gone. In mid-deal ``backup`` and ``since`` are asked for: neither seed nor hands may be in them.
"""

import argparse
import base64
import collections
import hashlib
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "screens")]

from reader import Reader  # noqa: E402

from host.sim.settings import Settings  # noqa: E402
from host.sim.table import SimTable  # noqa: E402
from shared_rules import cards, deal  # noqa: E402

RULES = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")


class Watch:
    """One deal, watched. ``wrong``: sentences; ``looks``: how many displays were read; ``said``: console lines."""

    def __init__(self, rules, seed, compact=False):
        self.seed = bytes.fromhex(seed)
        self.rules = rules
        self.compact = compact
        settings = Settings(rules=rules, seats=["human"] * 4, seed=seed, turn_seconds=0, lang="en")
        self.table = SimTable(settings, quiet=True)
        self.table.on_event(self._hear)
        self.wrong = []
        self.looks = self.hidden_looks = self.peeks = 0
        self.hands = None
        self.trick = []  # texts of the plays of this trick and of the one before
        self.out = []
        self.away = set()  # seats whose hand is not to be seen
        self.end = None
        self.raw = []
        self.newest = [-1, -1]

    def _hear(self, event):
        name = event["ev"]
        if event["id"] <= self.newest:  # repeated by ``since``
            return
        self.newest = event["id"]
        if name == "deal" and self.hands is None:
            hands = deal.shuffle(self.seed).hands()
            if event.get("swap"):
                a, b = event["swap"]
                hands[a], hands[b] = hands[b], hands[a]
            self.hands = [collections.Counter(cards.text(c)[0] for c in hand) for hand in hands]
        elif name == "play":
            ranks = collections.Counter(word[0] for word in event["cards"].split())
            self.hands[event["seat"]] -= ranks
            self.trick.append(ranks)
        elif name == "trick":
            self.trick = self.trick[-1:]
        elif name == "out":
            self.out.append(event["seat"])
        elif name == "end":
            self.end = event

    def look(self, what):
        """Read all four displays."""
        if self.end:
            return
        for seat in range(4):
            self.looks += 1
            reader = Reader(self.table.frame(seat))
            columns = reader.hand(self.compact)
            seen = collections.Counter()
            for column in columns:
                seen[column["rank"]] += column["count"]
            mine = collections.Counter() if seat in self.away else self.hands[seat]
            if self.out and self.out[0] == seat:
                self.peeks += 1
                mine = self.hands[(seat + 2) % 4]
            self.hidden_looks += seat in self.away
            if seen != mine:
                self._say(what, seat, f"the hand shows {_text(seen)}, and is {_text(mine)}")
            top = 139 if self.compact else 130
            # A figure on paper without a suit is a count, or what a joker stands for.
            above = collections.Counter(c[0] for c in reader.row((0, 0, 320, top)) if c[1:] != "*")
            public = collections.Counter()
            for ranks in self.trick:
                public |= ranks
            more = above - public
            if more:
                self._say(what, seat, f"cards are shown that it may not know: {_text(more)}")

    def _say(self, what, seat, sentence):
        self.wrong.append(f"{self.rules}, {what}, display of seat {seat}: {sentence}")

    def _turns(self, n, what):
        """So many turns, each looked at."""
        for _ in range(n):
            event = self.table.wait_for(lambda e: e["ev"] in ("turn", "end"), 60_000)
            if event is None:
                self.wrong.append(f"{self.rules}, {what}: the table stands")
                return
            if event["ev"] == "end":
                return
            self.table.advance(650)
            self.look(what)

    def run(self, turns=1000):
        """The deal; turns: at most so many of its last part. Returns the sentences."""
        table = self.table
        with table:
            lines = table.vm.lines

            def kept():
                out = list(lines())
                self.raw += out
                return out

            for seat in range(4):
                table.press(seat, "play")
            table.wait_for(lambda e: e["ev"] == "deal", 5000)
            if self.compact:
                for seat in range(4):
                    table.press(seat, "menu")
                    table.press(seat, "menu")
            for seat in range(4):
                table.press(seat, "trustee")
            self._turns(4, "trustees play")
            table.vm.lines = kept
            self._asks("backup")
            self._asks("since")
            table.press(1, "menu")
            table.press(1, "pass")
            self.away = {1}
            self._turns(3, "hidden")
            table.press(1, "up")
            self.away = set()
            self._turns(2, "shown again")
            # A player's pad goes while nobody plays for it, and its trustee comes.
            table.press(2, "trustee")
            table.command({"unplug": {"seat": 2}})
            if table.wait_for(lambda e: e["ev"] == "trustee" and e["seat"] == 2 and e["on"], 120_000):
                self.away = {2}
            self._turns(3, "pad out")
            table.command({"plug": {"seat": 2}})
            table.wait_for(lambda e: e["ev"] == "trustee" and e["seat"] == 2, 5000)
            self.away = set()
            table.advance(1000)
            self.look("pad back")
            table.press(2, "trustee")
            if self.rules in ("wenzhou", "diexiang"):
                table.press(3, "trustee")
                table.press(3, "menu")
                table.press(3, "trustee")
                table.press(3, "play")
                self.away = {3}
                self._turns(3, "left")
                table.press(3, "trustee")  # back again
                table.advance(400)
                table.press(3, "trustee")
                self.away = set()
            self._turns(turns, "to the end")
            if self.end:
                self._over()
            if table.violations.count or table.crashed is not None:
                self.wrong.append(f"{self.rules}: {table.violations.kept} {table.last_errors[-300:]}")
        return self.wrong

    def _over(self):
        """The deal is over, and the next one is dealt."""
        table = self.table
        table.advance(1500)
        for seat in range(4):
            if Reader(table.frame(seat)).hand(self.compact) and not any(h for h in self.hands):
                self._say("settlement", seat, "a hand is left")
            table.press(seat, "play")
        peeked = self.out[0]
        self.hands = None
        self.seed = bytes.fromhex(deals_next(self.end["seed"]))
        self.end, self.trick, self.out = None, [], []
        if not table.wait_for(lambda e: e["ev"] == "deal", 40_000):
            self.wrong.append(f"{self.rules}: no next deal")
            return
        table.advance(1300)
        self.look(f"the next deal, dealing (seat {peeked} had seen its partner's)")
        for seat in range(4):
            table.press(seat, "trustee")
        self._turns(2, "the next deal")

    def _asks(self, command):
        """What the console tells in mid-deal holds neither the seed nor a hand."""
        self.raw.clear()
        line = {"cmd": command} if command == "backup" else {"cmd": command, "id": [0, -1]}
        answer = self.table.ask(line, 60_000)
        if not answer or not answer["ok"]:
            self.wrong.append(f"{command} was answered with {answer}")
            return
        data = b""
        for raw in self.raw:
            try:
                said = json.loads(raw)
            except ValueError:
                continue
            data += base64.b64decode(said.get("data", "")) if "data" in said else b""
            if "seed" in said or "hands" in said:
                self.wrong.append(f"{command} in mid-deal: {raw[:80]!r}")
        text = b"".join(self.raw)
        if self.seed in data or self.seed.hex().encode() in text or base64.b64encode(self.seed)[:-4] in text:
            self.wrong.append(f"{command} in mid-deal tells the seed")
        if not self.raw:
            self.wrong.append(f"{command} said nothing")


RANKS = "3456789TJQKA2xX"


def deals_next(seed):
    """The seed after this one, hex."""
    from host.sim.player import next_seed

    return next_seed(seed)


def _text(counter):
    return " ".join(rank * n for rank in RANKS if (n := counter[rank])) or "nothing"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=10, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="number of the first seed")
    parser.add_argument(
        "--turns", type=int, default=1000, metavar="N", help="looked at after all that happens, at most"
    )
    args = parser.parse_args(argv)
    began = time.monotonic()
    wrong = []
    looks = hidden = peeks = 0
    for n in range(args.first, args.first + args.deals):
        watch = Watch(RULES[n % 5], hashlib.sha256(b"privacy %d" % n).hexdigest(), compact=n % 2 == 1)
        found = watch.run(args.turns)
        wrong += found
        looks += watch.looks
        hidden += watch.hidden_looks
        peeks += watch.peeks
        print(f"deal {n}, {watch.rules}: {watch.looks} displays read, {len(found)} wrong", flush=True)
        for sentence in found[:5]:
            print(f"  {sentence}")
    print(
        f"{args.deals} deals: {looks} displays read, {hidden} of them with no hand to be seen, {peeks} with the "
        f"partner's; {len(wrong)} wrong; {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong or not looks else 0


if __name__ == "__main__":
    sys.exit(main())
