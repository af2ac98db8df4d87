"""Hold the engine against brute force: ``python tests/rules/fuzz.py --cases 10000`` (per op and rule set).

Prints every request on which the two differ, and a table of what was asked. Exit status 1 if they ever differed.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

import brute  # noqa: E402
import cases  # noqa: E402

from host import rules_answer  # noqa: E402
from shared_rules import compare, hints, meld, rulesets  # noqa: E402


def difference(request, reply):
    """How ``reply`` differs from brute force: a sentence, "" if it does not."""
    if request["op"] == "hint" and "hints" in reply:
        return "; ".join(
            brute.hint_faults(*[request[k] for k in ("rules", "hand", "old", "n")], reply["hints"])
        )
    reply = {k: v for k, v in reply.items() if k != "message"}
    wanted = brute.answer(request)
    return "" if reply == wanted else f"engine {json.dumps(reply)}, brute force {json.dumps(wanted)}"


def run(seed, op, rules, count, largest=14):
    """Ask ``count`` random questions. Returns a list of (request, difference)."""
    chance = random.Random(f"{seed} {op} {rules}")
    found = []
    for _ in range(count):
        request = cases.ask(chance, op, rules, largest)
        try:
            reply = rules_answer.answer(json.loads(json.dumps(request)))
        except Exception as error:  # a crash is a difference like any other
            reply = {"crash": f"{type(error).__name__}: {error}"}
        wrong = difference(request, reply)
        if wrong:
            found.append((request, wrong))
    return found


def counts_of(ranks):
    """Rank indices -> bytearray(16) of counts."""
    counts = bytearray(16)
    for r in ranks:
        counts[r] += 1
        counts[15] += 1
    return counts


def hints_with(rules, hand, old, raised=None, bombs=False):
    """All hints once round, as [(Meld text, ranks)]. hand, raised: rank indices; old: meld text or None."""
    row = rulesets.get(rules)
    machine, out = hints.Hints(), bytearray(16)
    table = 0 if old is None else meld.parse(old, row.bomb_most)
    machine.start(row, counts_of(hand), table, None if raised is None else counts_of(raised), bombs)
    while not machine.work():
        pass
    found = []
    while (m := machine.next(out)) and not machine.again:
        found.append((meld.text(m), [r for r in range(15) for _ in range(out[r])]))
    return found


def hint_key_faults(chance, rules, size=9):
    """The hint key with cards raised, and the bomb key, on one random small hand: list of sentences."""
    hand = [r for r, _ in cases.hand(chance, chance.randint(2, size), chance.random() < 0.8)]
    own = sorted(brute.melds(rules, hand))
    table = chance.choice(own) if chance.random() < 0.5 else None
    old = table and brute.meld_text(table)
    raised = chance.sample(hand, chance.randint(1, min(len(hand), 4)))
    where = f"{rules}: hand {sorted(hand)}, on {old}, raised {sorted(raised)}"

    def holds(ranks):
        return not Counter(raised) - Counter(ranks)

    def played_as(ranks):
        good = [m for m in brute.classify(rules, ranks) if brute.beats(rules, m, table)]
        return brute.meld_text(good[0] if table is None else good[-1]) if good else "nothing"

    faults = []
    found = hints_with(rules, hand, old, raised)
    for text, ranks in found:
        if Counter(ranks) - Counter(hand) or played_as(ranks) != text:
            faults.append(f"{where}: {ranks} for {text} is played as {played_as(ranks)}")
    completing = [holds(ranks) for _, ranks in found]
    if completing != sorted(completing, reverse=True):
        faults.append(f"{where}: what completes the raised cards does not come first")
    ways = [s for s in brute.all_sub_multisets(hand) if holds(s) and played_as(s) != "nothing"]
    if bool(ways) != any(completing):
        faults.append(f"{where}: {len(ways)} ways to complete, hints {found[:2]}")
    bombs = [text for text, _ in hints_with(rules, hand, old, bombs=True)]
    wanted = {brute.meld_text(m) for m in brute.melds(rules, hand, table) if brute.star(rules, m)}
    stars = [brute.star(rules, brute.read_meld(rules, text)) for text in bombs]
    if not set(bombs) <= wanted or bool(bombs) != bool(wanted) or stars != sorted(stars):
        faults.append(f"{where}: bomb hints {bombs}, possible {sorted(wanted)}")
    return faults


def all_pairs(rules):
    """Compare every meld with every other. Returns (pairs, list of differences and of chains that break)."""
    row = rulesets.get(rules)
    melds = list(cases.all_melds(rules).items())
    codes = [meld.parse(text, row.bomb_most) for text, _ in melds]
    beaten = []
    found = []
    for (text, m), code in zip(melds, codes):
        bits = 0
        for i, (other, o) in enumerate(melds):
            ours = bool(compare.beats(row, code, codes[i]))
            if ours != brute.beats(rules, m, o):
                found.append(({"new": text, "old": other}, f"engine {ours}"))
            bits |= ours << i
        beaten.append(bits)
    for i, bits in enumerate(beaten):
        for j in range(len(melds)):
            if bits >> j & 1 and beaten[j] & ~bits or i == j and bits >> i & 1:
                found.append(({"rules": rules, "meld": melds[i][0]}, f"beats {melds[j][0]} but not all it beats"))
    return len(melds) ** 2, found


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="questions per op and rule set (default 1000)")
    parser.add_argument("--seed", default="1", help="of the questions (default 1)")
    parser.add_argument("--op", choices=cases.OPS, action="append", help="only this op (repeatable)")
    parser.add_argument("--rules", choices=brute.RULE_SETS, action="append", help="only this rule set")
    parser.add_argument("--largest", type=int, default=14, help="cards of the largest hand (default 14, up to 27)")
    parser.add_argument("--keys", action="store_true", help="try the hint keys instead, with cards raised")
    parser.add_argument("--all-pairs", action="store_true", help="compare all melds with all others instead")
    options = parser.parse_args()
    bad = 0
    if options.all_pairs:
        for rules in options.rules or brute.RULE_SETS:
            pairs, found = all_pairs(rules)
            bad += len(found)
            print(f"{rules:10} {pairs} pairs of melds, {len(found)} differ or break a chain {found[:3] or ''}")
        return 1 if bad else 0
    if options.keys:
        for rules in options.rules or brute.RULE_SETS:
            chance = random.Random(f"{options.seed} keys {rules}")
            found = [f for _ in range(options.cases) for f in hint_key_faults(chance, rules)]
            bad += len(found)
            print(f"{rules:10} {options.cases} hands, {len(found)} faults", *found[:3], sep="\n   ")
        return 1 if bad else 0
    for op in options.op or cases.OPS:
        for rules in options.rules or brute.RULE_SETS:
            start = time.monotonic()
            found = run(options.seed, op, rules, options.cases, options.largest)
            bad += len(found)
            print(f"{op:12} {rules:10} {options.cases:7} asked {len(found):5} differ {time.monotonic() - start:6.1f} s")
            for request, wrong in found[:3]:
                print("  ", json.dumps(request), "\n      ", wrong)
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
