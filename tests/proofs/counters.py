"""Time goes on when the tick counter wraps, and after days in which nothing happened.

``python tests/proofs/counters.py``; exit status 0, or 1 if anything differed.

The ESP32's counter of milliseconds wraps at 2**30 (12.4 days). A deal with everything that has a deadline - a turn
clock, warnings, a trustee by time-out, a pad that drops and the time until its trustee plays, the last trick, the
settlement, a seat that is ready by itself - is run with the counter at 0, and then again and again with a counter that
wraps at another moment of it: every line and its time must be the same. Then lobby and turn last for more than 2**29
ms, half of the counter's period: a deadline that was forgotten would lie in the future afterwards. The counter is set
on by a quarter of its period at a time; in between, the firmware runs.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from host.sim.settings import Settings
from host.sim.table import SimTable

PERIOD = 1 << 30
JUMP = PERIOD // 4  # as far as the counter is set on at a time
# Four hands that are over after few plays.
HANDS = [
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "T T T T T T T T J J J J J J J J Q Q Q Q Q Q Q Q K K K",
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "2 2 2 2 2 2 2 2 A A A A A A A A X X x x 9 9 K K K K K",
]
RULES = ("wenzhou", "baibian")
LEAST = {"warning", "trustee", "pad", "end", "ready", "trick"}  # what the deal must have had


def deal(rules, tick_start):
    """The deal of the module's text, until the first turn of the one after it. Returns its lines."""
    lines = []
    settings = Settings(
        rules=rules,
        seats=["human", "bot", "human", "bot"],
        hands=HANDS,
        lead=0,
        seed="5" * 64,
        turn_seconds=2,
        tick_start=tick_start,
    )
    table = SimTable(settings, quiet=True)
    for panel in table.board.panels:
        panel.plug(False)
    table.on_line(lines.append)
    with table:
        table.press(0, "play")
        table.press(2, "play")
        table.wait_for(lambda e: e["ev"] == "warning", 60_000)
        table.press(2, "trustee")
        table.wait_for(lambda e: e["ev"] == "turn", 60_000)
        table.command({"unplug": {"seat": 2}})
        table.wait_for(lambda e: e["ev"] == "trustee" and e["seat"] == 0, 120_000)
        table.press(2, "trustee")
        table.command({"plug": {"seat": 2}})
        table.wait_for(lambda e: e["ev"] == "end", 900_000)
        table.press(2, "play")
        table.wait_for(lambda e: e["ev"] == "turn", 60_000)
    return lines


def stand(table, times=3):
    """Nothing happens for so many quarters of the counter's period."""
    for _ in range(times):
        table.settings.tick_start += JUMP
        table.advance(2500)


def idle(whole=True):
    """The lobby, and a turn without a clock, last for days; what is wrong afterwards, as sentences.

    whole: the deal is played to its end, and the next one begun."""
    wrong = []

    def must(found, what):
        if not found:
            wrong.append(what)

    def my_turn(event):
        return event["ev"] == "turn" and event["seat"] == 0

    table = SimTable(Settings(seats=None, seed="6" * 64), quiet=True)
    played = []
    table.on_event(lambda e: played.append(e) if e["ev"] in ("play", "pass") and e["seat"] == 0 else None)
    table.board.panels[3].plug(False)
    with table:
        table.advance(3000)
        table.ask({"cmd": "settings", "turn_seconds": 0})
        sounds = table.board.sound.begun
        stand(table)
        table.press(0, "play")
        table.press(0, "play")
        began = table.clock.ms()
        event = table.wait_for(lambda e: e["ev"] == "deal", 60_000)
        must(event and event["t"] - began < 5000, f"the deal after a lobby of days: {event}, asked for at {began}")
        must(table.wait_for(lambda e: e["ev"] == "turn", 5000), "no turn after a lobby of days")
        heard = table.board.sound.begun
        table.advance(1000)
        must(heard > sounds, "the table is mute after a lobby of days")
        table.command({"plug": {"seat": 3, "what": "display"}})
        must(table.wait_for(lambda e: e["ev"] == "display", 5000), "a display that came was not noticed")
        table.command({"unplug": {"seat": 2}})
        must(table.wait_for(lambda e: e["ev"] == "pad" and not e["present"], 5000), "a pad that went was not noticed")
        table.command({"plug": {"seat": 2}})
        must(table.wait_for(lambda e: e["ev"] == "pad" and e["present"], 5000), "a pad that came was not noticed")
        # A person without a clock, who thinks for days.
        must(table.persons.turn == 0 or table.wait_for(my_turn, 60_000), "no turn of the person")
        stand(table)
        table.press(0, "hint")
        table.advance(3000)
        table.press(0, "play")
        table.advance(500)
        table.press(0, "play")  # of several readings the first
        must(played or table.wait_for(lambda e: e["ev"] == "turn", 5000), "no act after days")
        if whole:
            table.press(0, "trustee")
            must(table.wait_for(lambda e: e["ev"] == "end", 900_000), "no end")
            table.advance(500)
            table.press(0, "play")
            must(table.wait_for(lambda e: e["ev"] == "deal", 10_000), "no next deal")
        if table.crashed is not None:
            wrong.append(f"the hub ended: {table.last_errors[-500:]}")
        if table.violations.count:
            wrong.append(f"violations: {table.violations.kept[:3]}")
    return wrong


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=2000, metavar="MS", help="from one moment of wrapping to the next")
    parser.add_argument("--rules", default=",".join(RULES), metavar="ID,...", help="rule sets (default %(default)s)")
    args = parser.parse_args(argv)
    began = time.monotonic()
    wrong = runs = 0
    for rules in args.rules.split(","):
        plain = deal(rules, 0)
        had = {line.split('"')[3] for line in plain}
        length = int(plain[-1].rsplit(":", 1)[1].rstrip("}"))
        if not LEAST <= had:
            wrong += 1
            print(f"{rules}: the deal had no {LEAST - had}")
        for when in range(args.every // 2, length, args.every):
            runs += 1
            lines = deal(rules, PERIOD - when)
            if lines != plain:
                wrong += 1
                one, two = next(((a, b) for a, b in zip(plain, lines) if a != b), (len(plain), len(lines)))
                print(f"{rules}, wrapping {when} ms after the start: {one} became {two}")
        print(f"{rules}: {len(plain)} lines in {length} ms", flush=True)
    found = idle()
    for what in found:
        print(what)
    wrong += len(found)
    print(f"{runs} wrapping counters, and days of idling: {wrong} wrong; {time.monotonic() - began:.0f} s")
    return 1 if wrong or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
