"""Garbage for the conformance server: ``python tests/rules/garbage.py --lines 100000 [--vm micropython]``.

Every line must be answered by an error object, the memory of the server must stay flat, and it must exit with 0.
"""

import argparse
import json
import random
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import brute  # noqa: E402
import cases  # noqa: E402

BATCH = 500  # lines in flight at a time

GOOD = [
    {"op": "classify", "rules": "wenzhou", "cards": "5 6 7 x x X"},
    {"op": "star", "rules": "baibian", "meld": "jokers4"},
    {"op": "beats", "rules": "jiangzhe", "new": "bomb5:7", "old": "pairs3:8"},
    {"op": "melds", "rules": "diexiang", "hand": "4 5 6 7 x", "old": None},
    {"op": "hint", "rules": "jiangzhe3", "hand": "4 5 6 7 x", "old": "single:3", "n": 3},
    {"op": "player_star", "rules": "wenzhou", "bombs": ["bomb5:7"]},
    {"op": "settle", "rules": "wenzhou", "out": [0, 2], "left": [0, 3, 0, 4], "bombs": [[], [], [], []]},
    {"op": "deal", "seed": "00" * 32},
    {"op": "replay", "rules": "wenzhou", "hands": ["3", "4 4", "5", "6"], "lead": 0, "plays": ["3"]},
]
WRONG = (None, True, 0.5, -1, 10**40, "", "?", [], {}, [[[]]], {"a": [None]}, "3 3 3 3 3 3 3 3 3", "字", [None] * 4)
JUNK = (b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"{", b"]", b'"', b"\\u12", b"nan", b"1e999", b"\xef\xbb\xbf{}", b"\t")


def _bytes(chance):
    """Anything but a line end."""
    return bytes(chance.choice(range(256)) for _ in range(chance.randrange(60))).replace(b"\n", b" ")


def _junk(chance):
    """Scraps of JSON and of other things."""
    return b"".join(chance.choice(JUNK) for _ in range(chance.randrange(1, 12)))


def _cut(chance):
    """A good request that ends too early."""
    line = json.dumps(chance.choice(GOOD)).encode()
    return line[: chance.randrange(len(line))]


def _syntax(chance):
    """A good request in bad JSON."""
    line = json.dumps(chance.choice(GOOD))
    return chance.choice(
        (
            line[:-1] + ",}",
            line.replace('"', "'"),
            line[:-1] + ', "n": 01}',
            line[:-1] + ', "n": +1}',
            line[:-1] + ', "n": NaN}',
            line[:-1] + ', "n": -Infinity}',
            line[:-1] + ', "n": .5}',
            line[:-1] + ', "n": 1.}',
            line[:-1] + ', "x": "\t"}',
            line[:-1] + ', "x": "\\x41"}',
            line[:-1] + ", x: 1}",
            line[:-1] + ', "x": [1,]}',
            line[:-1] + ', "n": ' + "9" * 6000 + "}",
            line + line,
            line + " x",
            "[" + line + "]",
            "\ufeff" + line,
            line.replace("{", "{/**/", 1),
            line[:-1] + ', "x": ' + "[" * 3000 + "]" * 3000 + "}",
            line[:-1] + ', "x": "\\ud800"}',
        )
    ).encode()


def _fields(chance):
    """A good request with a field that is missing or wrong."""
    request = dict(chance.choice(GOOD))
    name = chance.choice(list(request))
    if chance.random() < 0.3:
        del request[name]
    else:
        request[name] = chance.choice([w for w in WRONG if not _fits(request["op"], name, w)])
    return json.dumps(request).encode()


def _fits(op, name, value):
    """True if the value may stand there (so that the request would be no garbage)."""
    return value is None and name == "old" or _answers({**next(g for g in GOOD if g["op"] == op), name: value})


def _answers(request):
    """True if brute force answers the request without an error."""
    try:
        return "error" not in brute.answer(request)
    except NotImplementedError:  # a good hint request
        return True


def _value(chance):
    """JSON that is no request."""
    values = (1, -0.0, "x", None, True, [], [GOOD[0]], {}, {"op": 1}, {"op": "nosuch"})
    return json.dumps(chance.choice(values)).encode()


def _cards(chance):
    """A request whose cards or melds do not exist."""
    bad = chance.choice(("10", "3dd", "X X X", "xs", "9 9 9 9 9 9 9 9 9", "5h 5h 5h", "1", "BOMB", "3,4", "3\u00a04"))
    rules = chance.choice(brute.RULE_SETS)
    request = chance.choice(
        (
            {"op": "classify", "rules": rules, "cards": bad},
            {"op": "melds", "rules": rules, "hand": bad, "old": None},
            {"op": "star", "rules": rules, "meld": bad},
            {"op": "star", "rules": rules, "meld": chance.choice(list(cases.all_melds(rules))) + "0"},
            {"op": "classify", "rules": rules + "x", "cards": "3"},
        )
    )
    return json.dumps(request, ensure_ascii=chance.random() < 0.5).encode()


KINDS = (_bytes, _junk, _cut, _syntax, _fields, _value, _cards)


def lines(seed, count):
    """Garbage lines without their line end, none of which has an answer."""
    chance = random.Random(seed)
    for _ in range(count):
        yield chance.choice(KINDS)(chance)


def mutants(seed, count):
    """Good requests of all ops with a few bytes changed: most are wrong, some are not."""
    chance = random.Random(seed)
    for _ in range(count):
        op, rules = chance.choice(cases.OPS), chance.choice(brute.RULE_SETS)
        line = bytearray(json.dumps(cases.ask(chance, op, rules, 8)).encode())
        for _ in range(chance.choice((0, 1, 1, 2, 5))):
            at = chance.randrange(len(line))
            change = chance.randrange(3)
            if change == 0:
                line[at] = chance.choice(b'abx 0159:,"{}[]\\/-.eE\xc3\x80')
            elif change == 1:
                del line[at]
            else:
                line.insert(at, chance.choice(b'0-5X,"]}{e. \\'))
        yield bytes(line)


class Server:
    """``python -m host rules`` as a process; ``ask(lines) -> answers`` (bytes)."""

    def __init__(self, vm):
        command = [sys.executable, "-m", "host", "rules", "--vm", vm]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, questions):
        """Answers to some lines, in order."""
        writer = threading.Thread(target=self._write, args=(b"".join(q + b"\n" for q in questions),))
        writer.start()
        answers = [self.process.stdout.readline() for _ in questions]
        writer.join()
        return answers

    def _write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def memory(self):
        """Kilobytes resident of the server and its interpreter; 0 where the system does not tell."""
        return sum(_resident(pid) for pid in [self.process.pid, *_children(self.process.pid)])

    def close(self):
        """End of input. Returns the exit status."""
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=30)


def _resident(pid):
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return int(next(row.split()[1] for row in status.splitlines() if row.startswith("VmRSS")))


def _children(pid):
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def check(vm, seed, count):
    """Send ``count`` lines. Returns (faults, kilobytes after the first batches, kilobytes at the end, exit status)."""
    server = Server(vm)
    faults = []
    early = sent = 0
    source = lines(seed, count)
    while batch := [line for _, line in zip(range(BATCH), source)]:
        for question, reply in zip(batch, server.ask(batch)):
            if not _is_error(reply):
                faults.append((question, reply))
        sent += len(batch)
        if not early and (sent >= 4 * BATCH or sent == count):
            early = server.memory()
    late = server.memory()
    return faults, early, late, server.close()


def _is_error(reply):
    """True for an error object with a code and a sentence."""
    try:
        reply = json.loads(reply)
    except ValueError:
        return False
    return isinstance(reply, dict) and set(reply) == {"error", "message"} and reply["message"].endswith(".")


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--vm", choices=("cpython", "micropython"), default="cpython")
    options = parser.parse_args()
    faults, early, late, status = check(options.vm, options.seed, options.lines)
    for question, reply in faults[:10]:
        print(question[:200], "->", reply[:200])
    print(
        f"{options.lines} lines, {len(faults)} not answered by an error object; "
        f"memory {early} kB after {4 * BATCH} lines, {late} kB at the end; exit status {status}"
    )
    return 1 if faults or status else 0


if __name__ == "__main__":
    sys.exit(main())
