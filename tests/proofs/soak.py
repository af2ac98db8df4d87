"""Deals without end: cables out and in, buses that fail, an INT line that lies, power cuts; and nothing is lost.

``python tests/proofs/soak.py --deals 1000``; exit status 0, or 1 if anything was wrong.

Two hubs. The first runs without a power cut for ``--steady`` of 100 deals: four computers and no displays, so that it
is fast, and every tenth deal with a person's trustee; meanwhile pads and displays go and come, transfers fail, the bus
is held low, INT is pulled low for nothing. What is free in its heap at the first turn of a deal, after a collection, is
compared: the first deals against the last. The second hub plays the rest with power cuts in peace and inside flash
operations as well; it begins in the lobby, so that its players' totals are kept, and are compared with the sum of what
was won. Every deal must be settled, and be right by ``host audit``.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from host.sim.clock import MS
from host.sim.settings import Settings
from host.sim.table import SimTable
from tests.proofs.following import Follower

RULES = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")
DEAL_MS = 1_500_000  # a deal that is not settled by then hangs
GROWTH = 256  # bytes as on the board: what the heap may differ by, on average, and not be growing
FEW = 50  # deals that are compared at each end, at most


class Faults:
    """Random faults of a table. ``done``: how many of each."""

    def __init__(self, table, chance, displays):
        self.table = table
        self.chance = chance
        self.displays = displays  # seats whose display is in
        self.noisy = False
        self.done = dict.fromkeys(("pad out", "pad in", "display out", "display in", "fail", "stuck", "INT"), 0)
        levels = table.board.levels
        pin = 1 << table.pins.PAD_INT

        def lying():
            return levels() & ~pin if self.noisy and self.chance.random() < 0.5 else levels()

        table.board.levels = lying

    def one(self):
        """One fault, or the end of one."""
        chance, board = self.chance, self.table.board
        seat = chance.randrange(4)
        board.clock.settle()
        what = chance.choice(("pad", "pad", "display", "fail", "stuck", "INT"))
        if what == "pad":
            pad = board.pads[seat]
            self._count("pad out" if pad.present else "pad in")
            pad.plug(not pad.present)
        elif what == "display" and self.displays:
            panel = board.panels[chance.choice(self.displays)]
            self._count("display out" if panel.present else "display in")
            panel.plug(not panel.present)
        elif what == "fail":
            self._count("fail")
            board.pads[seat].fail = chance.randrange(1, 30)
        elif what == "stuck" and board.pads[seat].present:
            self._count("stuck")
            board.pads[seat].stuck = chance.randrange(1, 9)
        elif what == "INT":
            self._count("INT")
            self.noisy = not self.noisy

    def _count(self, what):
        self.done[what] += 1

    def mend(self):
        """Everything is in and whole again."""
        self.noisy = False
        for pad in self.table.board.pads:
            pad.fail = pad.stuck = 0
            if not pad.present:
                pad.plug(True)


class Hub:
    """A hub under faults. ``heap``: bytes free, as on the board, at the first turn of each deal."""

    def __init__(self, number, seed, cuts, persons, painted):
        self.chance = random.Random(f"{seed} {number}")
        self.cuts = cuts
        self.persons = persons
        known = None if persons else self.chance.randbytes(32)
        rules = RULES[number % 5]
        self.settings = Settings(
            rules=rules,
            seats=None if persons else ["bot"] * 4,
            seed=known.hex() if known else None,
            turn_seconds=1,
            restart=True,
        )
        self.table = SimTable(self.settings, quiet=True)
        self.follower = Follower(self.table, known)
        displays = list(range(4)) if painted else []
        for seat in range(4):
            self.table.board.panels[seat].plug(seat in displays)
        self.faults = Faults(self.table, self.chance, displays)
        self.table.board._random.seed(f"{seed} {number}")
        self.heap = []
        self.power_cuts = 0
        self.wrong = []

    def play(self, deals, told=None):
        """So many deals. told(n): called after each."""
        table, follower = self.table, self.follower
        with table:
            if self.persons:
                table.wait_for(lambda e: e["ev"] == "display", 3000)
                table.ask({"cmd": "settings", "turn_seconds": 1})
            for _ in range(deals):
                before = follower.deals
                if not self._deal(before):
                    self.wrong.append(f"deal {before + 1} of this hub was not settled")
                    break
                if told:
                    told(follower.deals)
                if self.wrong or follower.wrong:
                    break
            self.faults.mend()
            table.advance(1000)
            if self.persons and not self.wrong:
                table.wait_for(lambda e: e["ev"] in ("turn", "ready"), 40_000)
                answer = table.ask({"cmd": "totals"})
                if answer is None:
                    self.wrong.append("the hub does not answer")
                else:
                    follower.rest(answer)
            crashes = follower.kinds.get("fault", 0) and table.last_errors
            if table.crashed is not None or "Traceback" in (crashes or ""):
                self.wrong.append(f"the hub ended: {table.crashed} {table.last_errors[-500:]}")
            if table.violations.count:
                self.wrong.append(f"{table.violations.count} violations: {table.violations.kept[:3]}")

    def _deal(self, before):
        """One deal, with what happens in it. True once it is settled."""
        table, chance, follower = self.table, self.chance, self.follower
        end = table.clock.now + DEAL_MS * MS
        pressed = False
        while follower.deals == before and table.clock.now < end:
            if not table.powered:
                table.power(True)
            if self.persons and not follower.running():
                for seat in range(self.persons):
                    if table.powered and table.board.pads[seat].present:
                        table.press(seat, "play")
                table.wait_for(lambda e: e["ev"] == "turn", 3000)
                continue
            if follower.running() and not pressed:
                pressed = True
                if not follower.acts_in_deal and follower.turns and not self.cuts:
                    stats = table.ask({"cmd": "stats"})
                    if stats:
                        self.heap.append(stats["heap_free"] // 2)  # objects are twice as large as on the board
                for seat in range(self.persons):
                    if table.powered and table.board.pads[seat].present and chance.random() < 0.8:
                        table.press(seat, "trustee")
            elif not follower.running():
                table.wait_for(lambda e: e["ev"] == "turn", 5000)
                continue
            if chance.random() < 0.3:
                self.faults.one()
            if self.cuts and chance.random() < 0.06:
                self.power_cuts += 1
                if chance.random() < 0.4:
                    table.power(False)
                else:
                    table.flash.cut(chance.randrange(1, 12), chance.choice((None, 0, 1, 3, 6, 4096)))
            table.wait_for(lambda e: e["ev"] == "end", chance.randrange(500, 5000))
        return follower.deals > before


def compare(heap):
    """(mean of the first deals, mean of the last, how many of each)."""
    n = min(FEW, len(heap) // 2)
    if not n:
        return 0, 0, 0
    return sum(heap[:n]) // n, sum(heap[-n:]) // n, n


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=1000, metavar="N")
    parser.add_argument("--steady", type=int, default=70, metavar="PERCENT", help="of them, without power cuts")
    parser.add_argument("--seed", default="soak", help="of all that is random")
    parser.add_argument("--painted", action="store_true", help="with displays (three times as slow)")
    args = parser.parse_args(argv)
    began = time.monotonic()
    steady = args.deals * args.steady // 100
    wrong, done = [], {}
    deals = cuts = lines = 0
    first = last = few = 0
    for number, (count, cut, persons) in enumerate(((steady, False, 0), (args.deals - steady, True, 2))):
        if not count:
            continue
        hub = Hub(number, args.seed, cut, persons, args.painted)

        def told(n, name=("steady", "cuts")[number]):
            if n % 10 == 0:
                print(f"{name}: {n} deals, {time.monotonic() - began:.0f} s", flush=True)

        hub.play(count, told)
        wrong += [f"hub {number}: {w}" for w in hub.wrong + hub.follower.wrong]
        deals += hub.follower.deals
        cuts += hub.power_cuts
        lines += sum(hub.follower.kinds.values())
        for name, n in hub.faults.done.items():
            done[name] = done.get(name, 0) + n
        if not cut:
            first, last, few = compare(hub.heap[1:])
            if few and first - last > GROWTH:
                wrong.append(f"the heap has {first} bytes free in the first {few} deals, and {last} in the last")
    for what in wrong[:20]:
        print(what)
    print(f"faults: {done}")
    if few:
        print(f"heap free at the first turn (bytes of the board): first {few} deals {first}, last {few} {last}")
    print(
        f"{deals} deals settled, {lines} lines, {cuts} power cuts; {len(wrong)} wrong; {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong or deals < args.deals else 0


if __name__ == "__main__":
    sys.exit(main())
