"""How long the flash lasts: erases counted on the hub's code, sectors taken from the flash layout.

A few deals with persons are played, one that is started anew in its middle, one at its settlement; an evening ends in
the lobby, and settings are changed. What each of them erases in the ring and in the settings' slots gives the years
until the first sector has been erased 100,000 times (the data sheets' figure for such flash).

``python tests/proofs/wear.py --deals 60``; exit status 1 if that is less than ten years.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from power_cuts import DEALING, HINTS, Table, layout, rigs

from host import layout as flash_layout

ERASES = 100_000
YEARS = 10
SECTORS = flash_layout.partition("journal").size // flash_layout.SECTOR
SLOTS = 2
RING = SECTORS - SLOTS


class Counter:
    """Erases of the ring and of the slots."""

    def __init__(self):
        self.chip = rigs.Chip(SECTORS)

    def take(self):
        """(ring, slots) since the last call."""
        erased = self.chip.erased[:]
        self.chip.erased.clear()
        slots = sum(sector >= RING for sector in erased)
        return len(erased) - slots, slots


def measure():
    """Erases (ring, slots) by a deal, a start at a settlement, an evening's end, a change of settings."""
    counter = Counter()
    rig = Table(counter.chip, HINTS)
    rig.start([True] * 4)
    rig.press(0, "play")
    rig.until("turn")
    counter.take()
    rig.press(0, "trustee")
    rig.until("end", 4_000_000)
    rig.press(0, "play")
    rig.until("turn", 4_000_000)
    deal = counter.take()
    rig.press(0, "menu", "right", "clear", "trustee")
    rig.until("end", 4_000_000)
    rig.run(100)
    ring, slots = counter.take()
    change = (ring - deal[0], slots)
    rig = Table(counter.chip, HINTS)
    rig.start([True] * 4)
    start = counter.take()
    rig.game.settings.put(layout.VOLUME, 7)
    rig.game.between("gathering", "to_lobby", rig.now)
    evening = counter.take()
    assert rig.game.phase != DEALING and deal[0] and change[1] and evening[1]
    return {"deal": deal, "start": start, "evening": evening, "change": change}


def years(erases, deals, starts, evenings, changes):
    """Years of the ring and of the slots with so many of each a day."""
    out = []
    for part, sectors in ((0, RING), (1, SLOTS)):
        day = deals * erases["deal"][part] + starts * erases["start"][part]
        day += evenings * erases["evening"][part] + changes * max(erases["change"][part], 0)
        out.append(ERASES * sectors / day / 365 if day else float("inf"))
    return out


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=60, metavar="N", help="a day (default 60)")
    parser.add_argument("--starts", type=int, default=20, metavar="N", help="at a settlement, a day (default 20)")
    parser.add_argument("--evenings", type=int, default=6, metavar="N", help="ended, a day (default 6)")
    parser.add_argument(
        "--changes", type=int, default=30, metavar="N", help="deals with a setting changed (default 30)"
    )
    args = parser.parse_args(argv)
    erases = measure()
    for what, (ring, slots) in erases.items():
        print(f"{what:<8} erases {ring} sectors of the ring, {slots} of the settings' slots")
    ring, slots = years(erases, args.deals, args.starts, args.evenings, args.changes)
    print(
        f"{args.deals} deals, {args.starts} starts, {args.evenings} evenings, {args.changes} changes of settings a day,"
        f" {ERASES} erases a sector: ring of {RING} sectors {ring:.0f} years, {SLOTS} slots {slots:.0f} years"
    )
    return 1 if min(ring, slots) < YEARS else 0


if __name__ == "__main__":
    sys.exit(main())
