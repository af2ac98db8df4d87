"""A power cut inside every flash operation of an evening: the table goes on as if nothing had happened.

An evening of two deals and a return to the lobby, with two persons and two bots, is played once in each rule set and
once as a test from the console. It has time-outs with their warnings and a trustee, refusals, the trustee key, a pad
out and in, a display out and in, a pause, settings changed, and a person who leaves. The flash before each of its
operations (programs and erases, those between the deals too) is kept. Then each operation is torn at 0 bytes, 1, half,
all but one, and all, and the hub boots from what is left; what happens outside goes on as the persons saw it.

After each cut: the same turn, hands, stars, trustees, counts and totals as in the uncut evening at the same line of the
record; record before + after equal to the uncut one but for ids and the lines of the boot; ids unique and rising, a
repeated line the same; everything in the record repeated by the hub on request; settings, players, totals and the score
sheet as without the cut.

The hub's code runs here on CPython without displays (``tests/firmware/rig.py``).

``python tests/proofs/power_cuts.py``; exit status 1 if anything differed.
"""

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("host/sim/shims/cpython", "tests/firmware/fakes", "tests/firmware", "firmware", ""):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

import hashlib  # noqa: E402

import rig as rigs  # noqa: E402
from rig import DEALING, LOBBY, PLAY, SETTLED  # noqa: E402

import players  # noqa: E402
import sectors  # noqa: E402
import settings as layout  # noqa: E402
from journal import number  # noqa: E402
from repeat import Repeat  # noqa: E402
from seats import HUMAN  # noqa: E402
from shared_rules import rulesets  # noqa: E402
from shared_rules.hints import Hints  # noqa: E402

RULES = rulesets.RULE_SETS
SECTORS = 8
HINTS = Hints()
_ABOUT_THE_HUB = ("boot", "resumed", "fault")


class Kept(rigs.Chip):
    """A chip that keeps what was in it before each operation: ``frames``, of (sectors, operation)."""

    def __init__(self, sectors=SECTORS):
        super().__init__(sectors)
        self.frames = None
        self._bytes = [bytes(sector) for sector in self.memory]

    def _keep(self, sector, offset, data):
        if self.frames is not None:
            self.frames.append((tuple(self._bytes), (sector, offset, data)))

    def program(self, sector, offset, buf):
        self._keep(sector, offset, bytes(buf))
        done = super().program(sector, offset, buf)
        self._bytes[sector] = bytes(self.memory[sector])
        return done

    def erase(self, sector):
        self._keep(sector, 0, None)
        done = super().erase(sector)
        self._bytes[sector] = bytes(self.memory[sector])
        return done


def torn(frame, length):
    """A chip with what was in it, and so many bytes of the operation done."""
    memory, (sector, offset, data) = frame
    chip = rigs.Chip(len(memory))
    chip.memory = [bytearray(content) for content in memory]
    for i in range(length):
        chip.memory[sector][offset + i] = 255 if data is None else chip.memory[sector][offset + i] & data[i]
    return chip


def lengths(frame):
    """Where an operation is torn."""
    data = frame[1][2]
    size = 4096 if data is None else len(data)
    return sorted({0, 1, size // 2, size - 1, size})


class Table(rigs.Rig):
    """The rig with a seed for each deal, and pads that may be out when the hub starts."""

    def seed(self):
        return hashlib.sha256(b"%d" % (self.game.deal_no + 1)).digest()

    def start(self, pads):
        """Boot as ``starting.py`` does."""
        self.game.between("booting", "boot", 1 << 8, 0, self.now)
        for seat in self.game.seats:
            seat.pad_present = pads[seat.index]
            if not pads[seat.index] or seat.trustee and self.game.ledger.trustee_cause[seat.index] == 2:
                self.game.pad(seat.index, pads[seat.index], self.now)


class Evening:
    """What happens around the hub: two persons at their pads, who go by what they have seen (the record)."""

    def __init__(self, rules, chip, lines=(), pads=(True,) * 4, test=False):
        self.rules = rules
        self.chip = chip
        self.lines = list(lines)
        self.pads = list(pads)
        self.test = test
        self.states = {}  # by the number of lines of the evening so far
        self.paused = False
        self.wrong = None
        self._read = 0
        self._count = 0
        self._deal = 0
        self._acts = {}

    def go(self):
        """Play until the evening is over."""
        index = RULES.index(self.rules)
        self.rig = Table(self.chip, HINTS)
        self.rig.lines = self.lines
        game = self.rig.game
        if not any(line["ev"] == "deal" for line in self.lines):  # what is set in the lobby is kept with the deal
            game.settings.put(layout.RULES, index)
            game.settings.put_turn_seconds(60 if rulesets.get(self.rules).wait else 30)
        self.rig.start(self.pads)
        for _ in range(200_000):
            self._hear()
            if self._count:
                if self._count not in self.states:
                    self.states[self._count] = (state(self.rig), len(self.lines))
            if self._deal == 2 and game.phase == LOBBY:
                return self
            self._do(self.rig, game)
        raise AssertionError("the evening does not come to its end")

    def _hear(self):
        """Read the new lines."""
        if self._read == len(self.lines):
            return
        while self._read < len(self.lines):
            line = self.lines[self._read]
            self._read += 1
            if line["id"] in [one["id"] for one in self.lines[max(0, self._read - 12) : self._read - 1]]:
                continue
            if line["ev"] == "deal":
                self._deal = line["n"]
                self._acts = {}
            if line["ev"] in ("play", "pass"):
                self._acts[line["seat"]] = self._acts.get(line["seat"], 0) + 1
        self._count = len(plain(self.lines))

    def _has(self, event, seat, **fields):
        """Whether this deal's record has such a line since its seat's last act."""
        for line in reversed(self.lines):
            if line["ev"] in ("play", "pass") and line["seat"] == seat or line["ev"] == "deal":
                return False
            if line["ev"] == event and line["seat"] == seat and all(line[k] == v for k, v in fields.items()):
                return True
        return False

    def _ever(self, event, seat, **fields):
        """Whether this deal's record has such a line."""
        deal = [line for line in self.lines if line["id"][0] == self._deal and line["ev"] == event]
        return any(line["seat"] == seat and all(line[k] == v for k, v in fields.items()) for line in deal)

    def _do(self, rig, game):
        """The next thing that happens."""
        if game.phase == LOBBY:
            if self.test:
                if not game.test:
                    rig.test("hhbb", rules=RULES.index(self.rules), turn_seconds=game.settings.turn_seconds())
                persons = [seat for seat in game.seats[:2] if not seat.ready]
                if persons:
                    rig.press(persons[0].index, "play")
                    return
            elif game.seats[0].kind != HUMAN:
                rig.press(0, "play")
                return
            elif game.settings.get(layout.LANGS) != 2:
                rig.press(0, "down") if game.seats[0].menu != 1 else rig.press(0, "right")
                return
            elif game.seats[1].kind != HUMAN or not game.seats[1].ready:
                rig.press(1, "play")
                return
        elif game.phase == SETTLED:
            if self._deal == 2:
                if game.ledger.ready[2] and game.ledger.ready[3]:
                    game.between("gathering", "to_lobby", rig.now & (rigs.PERIOD - 1))
                    return
            elif game.ledger.ready[2] and game.ledger.ready[3]:
                for s in (0, 1):
                    if not game.ledger.ready[s]:
                        rig.press(s, "play")
                        return
        elif game.phase == PLAY and game.table.turn < 2:
            self._turn(rig, game, game.table.turn)
            return
        rig.run(20)

    def _turn(self, rig, game, s):
        """A person's turn."""
        seat = game.seats[s]
        other = game.seats[1 - s]
        nth = self._acts.get(s, 0)
        first = self._deal == 1
        if other.trustee and nth % 2 == 1 and game.ledger.trustee_cause[1 - s] in (0, 1, 3) and self._back(game, other):
            rig.press(1 - s, "trustee")  # back from the trustee
        elif seat.trustee:
            rig.run(20)
        elif not first and s == 1 and nth == 3 and not self._ever("leave", 1):
            rig.press(s, "menu", "trustee", "play")
        elif first and s == 0 and nth == 0 and not self._has("refused", 0):
            rig.press(s, "clear", "play")
        elif first and s == 0 and nth in (2, 3, 4):
            rig.run(20)  # times out, the third time for the trustee
        elif s == 1 and first and nth == 1 and self.pads[1]:
            self.pads[1] = False
            game.pad(1, False, rig.now & (rigs.PERIOD - 1))
        elif not self.pads[s]:
            rig.run(20)
        elif not self.pads[1] and other.trustee:
            self.pads[1] = True
            game.pad(1, True, rig.now & (rigs.PERIOD - 1))
        elif nth and s == 0 and not self.test and game.settings.get(layout.BRIGHTNESS) != 100:
            rig.press(s, "menu", "right", "clear")
        elif first and s == 0 and nth == 1 and not self._has("display", 2, present=False):
            game.display(2, False)
        elif first and s == 0 and nth == 1 and not self._has("display", 2, present=True):
            game.display(2, True)
        elif first and s == 1 and nth == 3 and not self.paused:
            rig.press(0, "menu", "bomb")
            rig.press(1, "menu", "bomb")
            if not game.pause & 16:
                self.wrong = "the pause did not begin"
            rig.run(40_000)
            rig.press(1, "clear")
            self.paused = True
        elif first and s == 1 and nth == 4 and not self._has("trustee", 1):
            rig.press(1, "trustee")
        else:
            self._play(rig, game, s, seat)

    def _back(self, game, seat):
        most = game.rules.trustee_most
        return not most or game.ledger.uses[seat.index] < most

    def _play(self, rig, game, s, seat):
        """The first hint, or a pass."""
        turn = game.turn_no
        rig.press(s, "clear", "hint")
        for _ in range(20):
            if not game.hint_working:
                break
            rig.run(20)
        if not seat.raised[15]:
            rig.press(s, "pass")
        else:
            rig.press(s, "play")
            if game.turn_no == turn and seat.choices:
                rig.press(s, "play")
        if game.turn_no == turn:
            self.wrong = "a play was not taken"
            rig.run(20)


def plain(lines):
    """The evening's lines as (deal, line without its id), each id once, without what tells of a boot."""
    out = []
    seen = set()
    present = {}
    for line in lines:
        place = tuple(line["id"])
        if not place[0] or line["ev"] in _ABOUT_THE_HUB or place in seen:
            continue
        seen.add(place)
        if line["ev"] in ("pad", "display"):
            what = line["ev"], line["seat"]
            if present.get(what, True) == line["present"]:
                continue  # said again after a boot
            present[what] = line["present"]
        out.append((place[0], {k: v for k, v in line.items() if k != "id"}))
    return out


def ids(lines):
    """What is wrong with the ids, or None."""
    known = {}
    last = (-1, -1)
    for line in lines:
        place = tuple(line["id"])
        if place in known:
            if known[place] != line:
                return f"id {place} is that of two lines"
        elif place < last:
            return f"id {place} after {last}"
        else:
            known[place] = line
            last = place
    return None


def state(rig):
    """All that a resumed deal must have as it was."""
    game = rig.game
    table = game.table
    led = game.ledger
    out = [game.phase if game.phase != DEALING else PLAY, game.rules_index, game.deal_no, game.evening, game.test]
    if table is None or game.phase == LOBBY:
        return out
    out += [table.turn, table.meld, table.owner, bytes(table.out), led.number, led.totals, led.after, led.started]
    out += [led.seed, led.commit, bytes(led.trustee), bytes(led.uses), bytes(led.warnings), led.leaver, led.ended]
    out += [game.turn_seconds]
    if game.phase == SETTLED:
        out += [bytes(led.ready), game.last_result, game.last_first]
        out += [game.settlement.result, list(game.settlement.points), list(game.settlement.stars)]
    for s, seat in enumerate(game.seats):
        out += [bytes(table.cards[s]), bytes(table.counts[s]), bytes(table.events[s]), table.last[s], table.left(s)]
        out += [seat.kind, seat.player, seat.name, seat.total, seat.trustee, seat.warnings, seat.peek, seat.lang]
    return out


def kept(chip):
    """What the flash holds at the end: settings, and what came of each deal."""
    results = {}
    for sector in range(chip.sectors - 2):
        header = bytearray(chip.memory[sector][:256])
        if sectors.sealed(header) and header[15] & 4:
            results[number(header, 8)] = bytes(header[120:138])
    data = players.load(chip).data
    data[20:24] = bytes(4)  # of which deal the totals are: of one with the same totals
    return bytes(data), sorted(results.items())


def repeated(rig, deal):
    """The record from a deal on, as the hub repeats it."""
    out = []
    repeat = Repeat(rig.game.journal, out.append, deal, -1)
    while not repeat.step():
        pass
    return out[:-1]


def differs(whole, cut, before):
    """What is not as in the uncut evening, or None. before: lines until the cut."""
    if cut.wrong:
        return cut.wrong
    want, got = plain(whole.lines), plain(cut.lines)
    if want != got:
        at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
        return f"the records differ at {want[at : at + 1]} and {got[at : at + 1]}"
    wrong = ids(cut.lines)
    if wrong:
        return wrong
    for count in sorted(cut.states):
        if count in whole.states and cut.states[count][0] != whole.states[count][0]:
            pairs = zip(whole.states[count][0], cut.states[count][0])
            return f"the state differs behind line {count}: {[(i, a, b) for i, (a, b) in enumerate(pairs) if a != b]}"
    if kept(whole.chip) != kept(cut.chip):
        a, b = kept(whole.chip), kept(cut.chip)
        places = [i for i in range(len(a[0])) if a[0][i] != b[0][i]]
        return f"the flash differs in the settings' bytes {places}, or in results: {a[1]} and {b[1]}"
    texts = []
    seen = set()
    for line in cut.lines:
        if line["id"][0] and tuple(line["id"]) not in seen:
            seen.add(tuple(line["id"]))
            texts.append(line)
    again = [rigs.json.loads(text) for text in repeated(cut.rig, 1)]
    if again != texts:
        return f"the hub repeats {len(again)} lines of {len(texts)}"
    return None


def record(rules, test=False):
    """The uncut evening, its frames, and what was known outside before each."""
    chip = Kept()
    evening = Evening(rules, chip, test=test)
    chip.frames = []
    known = []
    keep = chip._keep

    def watched(sector, offset, data):
        known.append((len(evening.lines), tuple(evening.pads), evening.paused))
        keep(sector, offset, data)

    chip._keep = watched
    evening.go()
    return evening, chip.frames, known


def cut(rules, whole, frame, outside, length, test=False):
    """Resume from a torn operation. What differed, or None."""
    before, pads, paused = outside
    chip = torn(frame, length)
    evening = Evening(rules, chip, whole.lines[:before], pads, test)
    evening.paused = paused
    try:
        evening.go()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return differs(whole, evening, before)


def sweep(rules, every=1, first=0, test=False, progress=None):
    """All cuts of an evening. Returns (lines, operations, cuts, [(operation, length, what differed)])."""
    whole, frames, known = record(rules, test)
    bad = []
    cuts = 0
    for at in range(first, len(frames), every):
        for length in lengths(frames[at]):
            wrong = cut(rules, whole, frames[at], known[at], length, test)
            cuts += 1
            if wrong:
                bad.append((at, length, wrong))
        if progress:
            progress(at, len(frames), len(bad))
    return whole, len(frames), cuts, bad


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rules", choices=RULES, action="append", help="only this rule set (may be given again)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th operation")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this operation")
    args = parser.parse_args(argv)
    began = time.monotonic()
    failed = total = operations = 0

    def progress(at, of, bad):
        if sys.stderr.isatty():
            print(f"\r{at} of {of}, {bad} bad ", end="", file=sys.stderr, flush=True)

    for rules in args.rules or RULES:
        for test in (False, True):
            whole, ops, cuts, bad = sweep(rules, args.every, args.first, test, progress)
            what = "test" if test else "evening"
            lines = len(whole.lines)
            print(f"{rules:<10} {what:<8} {lines} lines, {ops} flash operations, {cuts} cuts: {len(bad)} differed")
            for at, length, wrong in bad[:5]:
                print(f"  operation {at}, {length} bytes of it: {wrong[:600]}")
            sys.stdout.flush()
            failed += len(bad)
            total += cuts
            operations += ops
    took = time.monotonic() - began
    print(f"{operations} flash operations, {total} cuts: {failed} differed; {took:.0f} s")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
