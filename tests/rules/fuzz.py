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


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="questions per op and rule set (default 1000)")
    parser.add_argument("--seed", default="1", help="of the questions (default 1)")
    parser.add_argument("--op", choices=cases.OPS, action="append", help="only this op (repeatable)")
    parser.add_argument("--rules", choices=brute.RULE_SETS, action="append", help="only this rule set")
    parser.add_argument("--largest", type=int, default=14, help="cards of the largest hand (default 14, up to 27)")
    options = parser.parse_args()
    bad = 0
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
