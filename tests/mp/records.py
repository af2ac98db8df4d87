"""Records of four-bot deals, compared between interpreters: ``python tests/mp/records.py --seeds 200``.

The same deals are played in CPython and inside each MicroPython; their records must be equal to the byte.
"""

import argparse
import itertools
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]


from host import deals, interpreter  # noqa: E402
from shared_rules import rulesets  # noqa: E402

FILES = ("shared_rules", "host/__init__.py", "host/deals.py")


def here(rules, first, count, simple=0):
    """Records of ``count`` deals from seed number ``first`` on, as lines."""
    said = []
    bots = deals.Bots(rules, simple)
    for n in range(first, first + count):
        bots.record(deals.seed_of(n), said.append)
    return said


def there(vm, rules, first, count, simple=0):
    """The same inside an interpreter."""
    steps = [f"from host import deals; bots = deals.Bots('{rules}', {simple})"]
    steps += [f"bots.record(deals.seed_of({n}), print)" for n in range(first, first + count)]
    out, err, status = interpreter.run(vm, interpreter.tree(*FILES), steps, timeout=3600)
    if status:
        raise RuntimeError(f"{vm} ended with status {status}: {err}")
    return out.splitlines()


def first_difference(ours, theirs):
    """A sentence about where two records part, "" if they are equal."""
    for i, (a, b) in enumerate(itertools.zip_longest(ours, theirs)):
        if a != b:
            return f"line {i}: CPython {a!r}, MicroPython {b!r}"
    return ""


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="deals per rule set (default 200)")
    parser.add_argument("--first", type=int, default=1, help="number of the first seed (default 1)")
    parser.add_argument("--vm", choices=interpreter.VMS, action="append", help="only this interpreter (repeatable)")
    options = parser.parse_args()
    bad = 0
    try:
        for rules in rulesets.RULE_SETS:
            ours = here(rules, options.first, options.seeds)
            for vm in options.vm or interpreter.VMS:
                start = time.monotonic()
                wrong = first_difference(ours, there(vm, rules, options.first, options.seeds))
                bad += bool(wrong)
                took = time.monotonic() - start
                print(f"{rules:10} {vm:20} {options.seeds} deals, {len(ours)} lines  {took:6.1f} s  {wrong or 'equal'}")
                sys.stdout.flush()
    except interpreter.Missing as missing:
        print(missing, file=sys.stderr)
        return 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
