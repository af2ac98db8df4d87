"""Garbage into the console of the hub and into ``simulate --headless``: each line answered, nothing changed.

Random bytes, truncated JSON, deep nesting, huge numbers, every documented command with values of wrong types, very long
lines, NULs and invalid UTF-8, while a deal of bots runs. The console part is fed to the hub's own ``console.py`` and
``commands.py`` on CPython (``tests/firmware/rig.py``); the other part goes through the pipe of the simulator, which
runs the firmware on MicroPython. Each line that is not blank must be answered by ``"ok": false`` and a sentence; the
settings and the flash stay as they are but for the deal, which comes to its end.

``python tests/proofs/gibberish.py --lines 100000``; exit status 1 if a line was answered otherwise, or not at all.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from power_cuts import HINTS, ROOT, Table, rigs

from console import Console

# Commands of the hub with a field and what cannot be its value; of the simulator (SIMULATOR.md).
FIELDS = {
    "test": ("rules", "options", "seats", "seed", "lead", "hands", "turn_seconds", "lang"),
    "since": ("id",),
    "settings": ("rules", "turn_seconds", "brightness", "volume", "lang", "layout"),
    "clock": ("set",),
    "check": ("part",),
    "lock": ("code",),
}
SIMULATE = (
    "press",
    "until",
    "advance",
    "play",
    "unplug",
    "plug",
    "frame",
    "power",
    "key",
    "lights",
    "stats",
    "chatter",
)
WRONG = (True, False, -1, 1.5, 1e300, 10**40, "\u0000", "x" * 300, [], [[]], [None] * 9, {}, {"a": 1}, [-1, {}], "")
NO_FIELD = ("hub", "stats", "totals", "seats", "backup", "unlock", "repl")


def line(rng, simulate):
    """One line of garbage, without its end."""
    kind = rng.randrange(9)
    if kind == 0:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(1, 80)))
    if kind == 1:
        whole = json.dumps({"cmd": rng.choice(list(FIELDS)), "id": [1, 2], "seats": ["bot"] * 4}).encode()
        return whole[: rng.randrange(1, len(whole))]
    if kind == 2:
        depth = rng.choice((10, 200, 900, 1000))
        return rng.choice((b"[", b'{"a":')) * (depth // 5 if simulate else depth)
    if kind == 3:
        return b'{"cmd":' + b"9" * rng.randrange(1, 900) + b"}"
    if kind == 4:
        return b"x" * rng.choice((2047, 2048, 2049, 5000))
    if kind == 5:
        return b'{"cmd":"settings\x00","volume":1}' + b"\x00" * rng.randrange(4)
    if kind == 6:
        return b'{"cmd":"\xff\xfe\x80' + bytes(rng.randrange(128, 256) for _ in range(rng.randrange(20))) + b'"}'
    if simulate:
        return json.dumps({rng.choice(SIMULATE): rng.choice(WRONG[2:])}).encode()
    if kind == 7:
        name = rng.choice(list(FIELDS))
        wrong = rng.choice(WRONG)
        if name == "settings" and wrong in ("",) or name == "test" and wrong in ([], {}):
            wrong = -1
        return json.dumps({"cmd": name, rng.choice(FIELDS[name]): wrong}).encode()
    return json.dumps({"cmd": rng.choice((None, 1, [], {}, "no", "Test", "__init__"))}).encode()


class Feed:
    """A stream of bytes as ``Console`` reads it."""

    def __init__(self):
        self.data = bytearray()

    def read(self, n):
        out = bytes(self.data[:n])
        del self.data[:n]
        return out

    def ready(self, _):
        return (1,) if self.data else ()


class Hub:
    """What commands use of the hub."""

    _repeat = None

    def __init__(self, game):
        self.game = game
        self.heap_free = self.heap_low = 0

    def make_room(self):
        """The heap is no matter here."""

    settings_changed = make_room


def console(lines, seed=1):
    """So many lines into the console, a deal going on. Returns (answered, deals, [what was wrong])."""
    rng = random.Random(seed)
    rig = Table(rigs.Chip(16), HINTS)
    rig.start([True] * 4)
    rig.test("bbbb")
    out = []
    feed = Feed()
    hub = Hub(rig.game)
    hub.console = Console(hub, out.append, feed, feed.ready)
    rig.until("turn")
    before = bytes(rig.game.settings.data)
    wrong = []
    answered = 0
    for n in range(lines):
        garbage = line(rng, False).replace(b"\n", b" ").replace(b"\r", b" ") or b"x"
        out.clear()
        feed.data += garbage + b"\n"
        while feed.data:
            hub.console.step(rig.now)
        if n % 50 == 0:
            rig.run(20)
        if len(out) != 1:
            wrong.append(f"line {n}, {garbage[:80]!r}: {len(out)} answers")
            continue
        said = json.loads(out[0])
        if said["ok"] and said["re"] in NO_FIELD + ("settings", "clock", "test", "check"):
            wrong.append(f"line {n}, {garbage[:80]!r}: taken, {out[0][:100]!r}")
        elif (
            not said["ok"]
            and not (said["why"][:1].isupper() or said["why"][:1] == '"')
            or said.get("why", ".")[-1] != "."
        ):
            wrong.append(f"line {n}, {garbage[:80]!r}: {out[0][:100]!r} is no sentence")
        answered += 1
    if bytes(rig.game.settings.data) != before:
        wrong.append("the settings have changed")
    if not rig.until("end", 4_000_000):
        wrong.append("the deal does not come to its end")
    return answered, len(rig.events("end")), wrong


def simulate(lines, seed=1):
    """So many lines into ``simulate --headless``. Returns (answered, heap free before, after, [what was wrong])."""
    rng = random.Random(seed)
    command = [
        sys.executable,
        "-m",
        "host",
        "simulate",
        "--headless",
        "--seats",
        "bot,bot,bot,bot",
        "--rules",
        "wenzhou",
    ]
    told = [b'{"until":"turn","ms":60000}', b'{"advance":100}', b'{"stats":true}']
    told += [line(rng, True).replace(b"\n", b" ").replace(b"\r", b" ").strip() or b"x" for _ in range(lines)]
    told += [b'{"until":"end","ms":3000000}', b'{"stats":true}']
    done = subprocess.run([*command, "--seed", "a" * 64], input=b"\n".join(told) + b"\n", capture_output=True, cwd=ROOT)
    answers = [json.loads(text) for text in done.stdout.splitlines() if b'"ok":' in text[:12]]
    wrong = []
    stats = [answer for answer in answers if "heap_free" in answer]
    refused = [answer for answer in answers if not answer["ok"]]
    if len(answers) != len(told):
        wrong.append(f"{len(told)} lines and {len(answers)} answers")
    if len(refused) != lines:
        wrong.append(f"{len(refused)} of {lines} refused")
    for answer in refused:
        if not str(answer.get("why", "")).strip():
            wrong.append(f"no sentence: {answer}")
    if done.returncode or b'"ev":"end"' not in done.stdout:
        wrong.append(f"exit status {done.returncode}: {done.stderr[-300:]!r}")
    free = [answer["heap_free"] for answer in stats] or [0]
    return len(answers), free[0], free[-1], wrong


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=100_000, metavar="N", help="each way (default 100000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(argv)
    began = time.monotonic()
    answered, deals, wrong = console(args.lines, args.seed)
    print(f"console: {args.lines} lines, {answered} answered, {deals} deals ended: {len(wrong)} wrong", flush=True)
    got, before, after, more = simulate(args.lines, args.seed)
    print(f"simulate: {args.lines} lines, {got} answers, heap free {before} and {after} bytes: {len(more)} wrong")
    for what in (wrong + more)[:12]:
        print(f"  {what[:300]}")
    bad = len(wrong) + len(more)
    print(f"{2 * args.lines} lines: {bad} wrong; {time.monotonic() - began:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
