"""Hold the engine against brute force: ``python tests/rules/fuzz.py --cases 10000`` (per op and rule set).

Prints every request on which the two differ, and a table of what was asked. Exit status 1 if they ever differed.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

import brute  # noqa: E402
import cases  # noqa: E402

from host import rules_answer  # noqa: E402
from shared_rules import compare, meld, rulesets  # noqa: E402


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
    parser.add_argument("--all-pairs", action="store_true", help="compare all melds with all others instead")
    options = parser.parse_args()
    bad = 0
    if options.all_pairs:
        for rules in options.rules or brute.RULE_SETS:
            pairs, found = all_pairs(rules)
            bad += len(found)
            print(f"{rules:10} {pairs} pairs of melds, {len(found)} differ or break a chain {found[:3] or ''}")
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
