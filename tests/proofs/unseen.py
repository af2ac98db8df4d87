"""No seat learns what another holds: hands that differ only in cards nobody has played yet look and sound the same.

A deal is scripted for four persons. It is played twice: with the hands of a seed, and with two cards of two other
seats exchanged, neither of which is played meanwhile. Until then the watched seat's display (every pixel, ten times a
second), its lights, the ring, and every line of the console with its time must be the same.

``python tests/proofs/unseen.py --seeds 50``; exit status 1 if anything differed.
"""

import argparse
import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from host import deals
from host.sim.settings import Settings
from host.sim.table import SimTable
from shared_rules import cards, classify, rulesets

# baibian changes seats by who holds a card: the two deals would not be alike. It is painted and told by the same code.
RULES = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang")
SLOT_MS = 6000  # from a turn to the press that plays: whatever keys it takes to select
LOOK_NS = 100_000_000
SEED = "5" * 64


def plan(rules_id, seed):
    """A deal of simple bots: (hands, lead, steps); a step is (seat, counts or None for a pass, meld)."""
    bots = deals.Bots(rules_id, simple=15)
    hands, lead, _ = deals.deal_out(bots.rules, seed)
    bots.begin(seed)
    table = bots.table
    lead = table.turn
    steps = []
    while not table.ended:
        seat = table.turn
        m = bots.turn()
        steps.append((seat, bytes(bots.raised) if m else None, m))
    return [list(hand) for hand in hands], lead, steps


def exchange(hands, steps, watched):
    """The exchange that stays unseen longest: (steps until then, seat, card, seat, card)."""
    first = [[len(steps)] * 15 for _ in range(4)]  # when a seat first plays a rank
    for at, (seat, counts, _) in reversed(list(enumerate(steps))):
        for rank in range(15):
            if counts and counts[rank]:
                first[seat][rank] = at
    best = (0,)
    others = [seat for seat in range(4) if seat != watched]
    for i in others:
        for j in others:
            for a in hands[i] if i < j else ():
                for b in hands[j]:
                    ranks = (cards.rank(a), cards.rank(b))
                    if ranks[0] != ranks[1]:
                        until = min(first[s][r] for s in (i, j) for r in ranks)
                        best = max(best, (until, i, a, j, b))
    return best


def text(hands):
    """Hands as --hands takes them."""
    return [" ".join(cards.text(code) for code in hand) for hand in hands]


def watch(rules_id, hands, lead, steps, watched):
    """Play these steps with keys. Returns what the watched seat saw and what the console said, in order."""
    seen = []
    settings = Settings(rules=rules_id, seats=["human"] * 4, hands=text(hands), lead=lead, seed=SEED)
    rules = rulesets.get(rules_id)
    readings = [0] * 8
    table = SimTable(settings, quiet=True)
    table.on_line(lambda line: seen.append(line))

    def look():
        frame = hashlib.sha1(table.frame(watched)).hexdigest()
        seen.append((table.outside(), frame, table.lights(watched), table.ring()))

    def until(end):
        while table.outside() < end:
            now = table.outside()
            next_look = (now // LOOK_NS + 1) * LOOK_NS
            table.pass_time(min(next_look, end) - now)
            if table.outside() == next_look:
                look()

    def tap(seat, key):
        until(table.tap(seat, key))

    with table:
        for seat in range(4):
            tap(seat, "play")
        lying = 0
        for seat, counts, m in steps:
            if table.persons.turn != seat:
                table.wait_for(lambda event, seat=seat: event["ev"] == "turn" and event["seat"] == seat, 10_000)
            due = table.outside() + SLOT_MS * 1_000_000
            person = table.persons.seats[seat]
            asked = 0
            if counts:
                for key in person.keys_for(bytearray(counts)):
                    tap(seat, key)
                n = classify.classify(rules, counts, readings)
                asked = readings.index(m) if n > 1 and not lying else 0
            until(due)
            tap(seat, "play" if counts else "pass")
            if counts and n > 1 and not lying:
                until(due + 1_000_000_000)
                for _ in range(asked):
                    tap(seat, "right")
                tap(seat, "play")
            lying = table.persons.table
    return seen


def prove(seed_number, most):
    """One seed. Returns (rule set, steps, looks and lines compared, what differed first or None)."""
    rules_id = RULES[seed_number % len(RULES)]
    watched = seed_number % 4
    hands, lead, steps = plan(rules_id, deals.seed_of(seed_number))
    until, i, a, j, b = exchange(hands, steps, watched)
    steps = steps[: min(until, most)]
    other = [list(hand) for hand in hands]
    other[i][other[i].index(a)], other[j][other[j].index(b)] = b, a
    one = watch(rules_id, hands, lead, steps, watched)
    two = watch(rules_id, other, lead, steps, watched)
    played = sum(1 for what in one if isinstance(what, str) and ('"ev":"play"' in what or '"ev":"pass"' in what))
    if played < len(steps):
        return rules_id, played, len(one), f"the script came to a stop after {played} of {len(steps)} steps"
    for mine, theirs in zip(one, two):
        if mine != theirs:
            return rules_id, played, len(one), f"{mine} and {theirs}"
    return rules_id, played, len(one), None if len(one) == len(two) else "one of them went on for longer"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=50, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--steps", type=int, default=1000, metavar="N", help="plays and passes of a deal, at most")
    args = parser.parse_args(argv)
    bad = 0
    total = 0
    for n in range(args.first, args.first + args.seeds):
        rules_id, steps, looks, differs = prove(n, args.steps)
        total += steps
        same = differs or "the same"
        print(f"seed {n:>3} {rules_id:<10} {steps:>3} plays and passes, {looks} looks and lines: {same}")
        bad += differs is not None
    print(f"{args.seeds} seeds, {total} plays and passes: {bad} differed")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
