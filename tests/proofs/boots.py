"""Boots in a row, each with a power cut in it: nothing is lost, and no deal is pushed out of the journal.

A journal that holds the last 200 deals and a deal in mid-play, with persons, a trustee and a pad out. Then the hub is
started N times; in each start the power goes inside one of its flash operations, at a random length, or at a random
moment of the next seconds. Every fourth time all pads are out, so that their lines come, too. After every start: the
same turn, hands, trustees, counts and totals; ids unique and rising. At the end all 200 deals are still there, the deal
is played to its end, and the record is that of a deal without cuts. The same at a settlement, and in a new hub's lobby.

``python tests/proofs/boots.py``; exit status 1 if anything differed.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from power_cuts import HINTS, LOBBY, PLAY, SETTLED, Table, ids, plain, repeated, rigs, state

import sectors
from host import layout
from journal import number

DEALS = 200
SECTORS = layout.partition("journal").size // layout.SECTOR
_RUN_MS = 400  # of playing after a start, at most: before a bot acts
SHORT = rigs.hands(
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "T T T T T T T T J J J J J J J J Q Q Q Q Q Q Q Q K K K",
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "2 2 2 2 2 2 2 2 A A A A A A A A X X x x 9 9 K K K K K",
)


def before(where, deals=DEALS):
    """A hub after so many deals, in a deal (PLAY), or at a settlement (SETTLED); new and in the lobby (LOBBY)."""
    rig = Table(rigs.Chip(SECTORS), HINTS)
    rig.start([True] * 4)
    for _ in range(deals if where != LOBBY else 0):  # with these hands a deal ends after a play or two
        rig.test("bbbb", hands=SHORT, lead=3, rules=0)
        rig.until("end", 400_000)
        rig.run(20)
    if where == PLAY:
        rig.test("hbbb", turn_seconds=0, lead=1)
        rig.press(0, "play")
        rig.until("turn", seat=0)
        rig.press(0, "clear", "play", "trustee")
        rig.until("turn", seat=3)
        rig.until("turn", seat=0)
        rig.press(0, "trustee")
        while rig.game.table.turn:
            rig.run(20)
        if rig.game.seats[0].trustee:
            rig.press(0, "trustee")
    rig.run(20)
    return rig


def begun(chip):
    """Numbers of the deals in the journal."""
    numbers = set()
    for sector in range(chip.sectors - 2):
        header = bytearray(chip.memory[sector][:256])
        if sectors.sealed(header) and header[15] & 4:
            numbers.add(number(header, 8))
    return numbers


def prove(where, boots, seed=1, deals=DEALS):
    """So many starts. Returns (starts, cut in an operation, lines, erases, [what was wrong])."""
    rng = random.Random(seed)
    rig = before(where, deals)
    chip = rig.chip
    lines = rig.lines
    want = state(rig)
    totals = list(rig.game.ledger.after)
    fresh = False
    held = begun(chip)
    record = plain(lines)
    wrong = []
    torn = 0
    erased = len(chip.erased)
    sequence = rig.game.journal.sequence
    ops = 12
    for n in range(boots):
        rig = Table(chip, HINTS)
        rig.lines = lines
        chip.cut = rng.randrange(ops + 4)
        chip.torn = rng.choice((0, 1, 2, 3, 4, 6, 7, 100, 255, 2048, 4096))
        start = chip.ops
        try:
            # Neither a person nor a bot acts in these moments.
            rig.start([n % 4 != 3] * 4)
            ops = chip.ops - start
            rig.run(rng.randrange(0, _RUN_MS, 20))
        except rigs.PowerCut:
            torn += 1
            chip.cut = -1
            continue
        chip.cut = -1
        got = state(rig)
        if where == SETTLED and rig.game.phase == LOBBY and rig.game.ledger.after == totals:
            fresh = True  # the settlement's sector is full of starts: from here on its deal is over
        elif got != want or fresh:
            wrong.append(f"start {n}: {[(i, a, b) for i, (a, b) in enumerate(zip(want, got)) if a != b]}")
    rig = Table(chip, HINTS)
    rig.lines = lines
    rig.start([True] * 4)
    erases = len(chip.erased) - erased
    used = rig.game.journal.sequence - sequence
    lost = sorted(held - begun(chip))
    if [number for number in lost if number > max(held) - DEALS]:
        wrong.append(f"deals {lost} of {len(held)} are no longer in the journal")
    if plain(lines)[: len(record)] != record:
        wrong.append("the record has changed")
    if ids(lines):
        wrong.append(ids(lines))
    if where == PLAY:
        rig.press(0, "trustee")
        rig.until("end", 4_000_000)
        if not rig.game.journal.ok or not rig.events("end"):
            wrong.append("the deal was not kept to its end")
        deal = rig.game.deal_no
        texts = []
        seen = set()
        for line in lines:
            if line["id"][0] == deal and tuple(line["id"]) not in seen:
                seen.add(tuple(line["id"]))
                texts.append(line)
        again = [rigs.json.loads(text) for text in repeated(rig, deal)]
        if again != texts:
            wrong.append(f"the hub repeats {len(again)} lines of the deal's {len(texts)}")
    return torn, erases, used, wrong


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--boots", type=int, default=250, metavar="N", help="starts in a row (default 250)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(argv)
    began = time.monotonic()
    bad = 0
    for name, where in (("deal", PLAY), ("settlement", SETTLED), ("lobby", LOBBY)):
        torn, erases, used, wrong = prove(where, args.boots, args.seed)
        print(
            f"{name:<11} {args.boots} starts, {torn} cut inside a flash operation, {erases} erases,"
            f" {used} fresh sectors: {len(wrong)} wrong"
        )
        for what in wrong[:5]:
            print(f"  {what[:600]}")
        sys.stdout.flush()
        bad += len(wrong)
    print(f"{3 * args.boots} starts: {bad} wrong; {time.monotonic() - began:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
