"""Computers and trustees answer after the same time, whatever they hold.

``python tests/proofs/answers.py --deals 50``; exit status 0, or 1 if two answers took different times.

From each line that says whose turn it is to the line of the play or pass, in ns of the simulator's clock, over deals of
all rule sets: of four computers, with displays, and of a person's seat that its trustee plays.
"""

import argparse
import collections
import hashlib
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from host.sim.clock import MS
from host.sim.settings import Settings
from host.sim.table import SimTable

RULES = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")


def measure(rules, seed, deals=1, person=False, painted=False, acts=1_000_000):
    """How often each time (ns) passed between turn and act: {(cause, "play" or "pass"): Counter}."""
    seats = ["human" if person else "bot"] + ["bot"] * 3
    table = SimTable(Settings(rules=rules, seats=seats, seed=seed), quiet=True)
    for panel in table.board.panels:
        panel.plug(painted)
    took = collections.defaultdict(collections.Counter)
    since = [None]
    count = [0]

    def hear(event):
        if event["ev"] == "turn":
            since[0] = table.clock.now
        elif event["ev"] in ("play", "pass") and event["cause"] in ("bot", "trustee"):
            took[event["cause"], event["ev"]][table.clock.now - since[0]] += 1
            count[0] += 1

    table.on_event(hear)
    with table:
        for _ in range(deals):
            if person:
                table.press(0, "play")
                table.wait_for(lambda e: e["ev"] == "deal", 60_000)
                table.press(0, "trustee")
            table.wait_for(lambda e: e["ev"] == "end" or count[0] >= acts, 1_500_000)
            if person:
                table.advance(500)
    return took


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=50, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first seed")
    args = parser.parse_args(argv)
    began = time.monotonic()
    all_ = collections.defaultdict(collections.Counter)
    for n in range(args.first, args.first + args.deals):
        seed = hashlib.sha256(b"answers %d" % n).hexdigest()
        for key, times in measure(RULES[n % 5], seed, person=n % 3 == 1, painted=n % 3 == 2).items():
            all_[key].update(times)
    different = set()
    for (cause, what), times in sorted(all_.items()):
        different |= set(times)
        print(f"{cause:<8} {what:<5} {sum(times.values()):>6} acts: {min(times) / MS:.3f} to {max(times) / MS:.3f} ms")
    spread = (max(different) - min(different)) / MS if different else 0
    print(f"{args.deals} deals: spread {spread:.3f} ms; {time.monotonic() - began:.0f} s")
    return 0 if len(different) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
