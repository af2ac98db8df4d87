"""``python -m host bench rules``: what the rules engine costs, as one table from one run; ``table``, ``heap`` and
``page`` are measured in ``sim/measure.py`` and ``page/measure.py``.

Speed is measured in this Python and in MicroPython on this machine; the board's time is estimated from the
interpreter's instructions (valgrind), as multiples of one turn of an empty ``for`` loop, which takes 1.2 us there;
memory is measured in MicroPython with the board's 32-bit objects and the board's bytecode. RLCard's doudizhu and
OpenSpiel's dou_dizhu play random deals beside ours if they are installed (``pip install rlcard open_spiel``).
"""

import importlib.util
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from host import deals, interpreter
from host.options import parser as command

LOOP_US = 1.2  # one turn of an empty for loop on the ESP32 at 240 MHz
TURNS = 100_000  # of the loop that is counted
# The engine as the bots need it. ``why`` (refusals in words) is for screens and not part of it.
MODULES = ("cards", "meld", "rulesets", "compare", "classify", "generate", "deal", "table", "score", "hints", "bot")
# A C function of the interpreter that nothing else calls: valgrind writes a count each time it is entered.
MARK = "mp_micropython_opt_level"
RULES_FOR_BENCH = "wenzhou"


def _files(*more):
    """The engine and what is named, as on the board."""
    return interpreter.compiled(interpreter.tree("shared_rules", "host/__init__.py", *more))


def _run(vm, files, steps, **options):
    """Standard output of sources in an interpreter. Raises RuntimeError with its report if it failed."""
    out, err, status = interpreter.run(vm, files, steps, **options)
    if status:
        raise RuntimeError(f"{vm} ended with status {status}: {err.strip()}")
    return out


# --- speed ----------------------------------------------------------------------------------------


def speed(seconds):
    """[(name, per second in CPython, per second in MicroPython)]; None for MicroPython where it is missing."""
    ours = deals.rates(RULES_FOR_BENCH, seconds)
    theirs = [(name, None) for name, _ in ours]
    if interpreter.installed():
        step = f"import json; from host import deals; print(json.dumps(deals.rates('{RULES_FOR_BENCH}', {seconds})))"
        theirs = json.loads(_run("micropython", _files("host/deals.py"), [step], timeout=60 + 20 * seconds))
    return [(name, here, there) for (name, here), (_, there) in zip(ours, theirs)]


def rlcard_rates(seconds):
    """[(name, per second)] of RLCard's doudizhu with random agents, or a sentence if it is not installed."""
    if importlib.util.find_spec("rlcard") is None:
        return "not installed: pip install rlcard"
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("doudizhu", config={"seed": 1})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(3)])
    count = [0, 0]

    def play(k):
        env.run(is_training=False)
        count[0] += 1
        count[1] += len(env.action_recorder)
        return 1

    per_second = deals.rate(play, seconds)
    return [("deals", per_second), ("plays", per_second * count[1] / count[0])]


def open_spiel_rates(seconds):
    """[(name, per second)] of OpenSpiel's dou_dizhu with random plays, or a sentence if it is not installed.

    The rules are C++ there; the loop that draws the plays is Python's, as for us.
    """
    if importlib.util.find_spec("pyspiel") is None:
        return "not installed: pip install open_spiel"
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    chance = random.Random(1)
    count = [0, 0]

    def play(k):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                count[1] += 1
            state.apply_action(chance.choice(state.legal_actions()))
        count[0] += 1
        return 1

    per_second = deals.rate(play, seconds)
    return [("deals", per_second), ("plays", per_second * count[1] / count[0])]


# --- the board's time -----------------------------------------------------------------------------


def _counted(source, files, timeout=3600):
    """Instructions of the interpreter between the marks that a source sets, in order (valgrind).

    Counted is all that happens while bytecode runs, the functions in C that it calls included.
    """
    with tempfile.TemporaryDirectory() as folder:
        wrap = [
            "valgrind",
            "--tool=callgrind",
            "--toggle-collect=mp_execute_bytecode",
            f"--dump-before={MARK}",
            f"--callgrind-out-file={folder}/count",
        ]
        _run("micropython", files, [source], wrap=wrap, timeout=timeout)
        # count.N is written as the N-th mark is reached; the last, without a number, is what followed it
        dumps = sorted(Path(folder).glob("count.*"), key=lambda p: int(p.suffix[1:]))
        return [int(re.search(r"^(?:totals|summary): (\d+)", d.read_text(), re.M)[1]) for d in dumps][1:]


def instructions(hands):
    """(instructions of one turn of an empty loop, [instructions of the first hint of each hand, on a lead]).

    hands: numbers of ``deals.Hands``. None without valgrind or the interpreter. The counts repeat to the instruction.
    """
    if not shutil.which("valgrind") or not interpreter.installed():
        return None
    source = f"""
import micropython
from host import deals
hands = deals.Hands("{RULES_FOR_BENCH}")
mark = micropython.opt_level
def loop(turns):
    mark()
    for i in range(turns):
        pass
    mark()
def ask(numbers):
    for k in numbers:
        hands.take(k)
        mark()
        hands.hint()
        mark()
hands.take(0)
hands.hint()
loop({TURNS})
ask({hands!r})
"""
    between = _counted(source, _files("host/deals.py"))
    return between[0] / TURNS, between[2::2]


def milliseconds(loop, cost):
    """Estimate for the board, from instructions of one loop turn and of the work."""
    return cost / loop * LOOP_US / 1000


# --- memory ---------------------------------------------------------------------------------------


def memory(vm):
    """The heap that a four-bot deal takes in a 32-bit interpreter, in bytes above the bare interpreter.

    {"peak": the most at any time, "code": after the imports, "data": buffers of the table, the bots and their hints,
    "steps": {step: bytes that it took in all before anything is given back}}. A step is an import, making the
    buffers, a shuffle with its dealing, or a turn; before each the garbage of the one before is collected, in it none.
    """
    steps = ["import gc", "gc.collect()", "base = gc.mem_alloc()", "took = {}", "live = {}"]
    steps.append("""
def measure(name, work):
    before = gc.mem_alloc()
    work()
    used = gc.mem_alloc() - before
    print(name, before - base, used)
""")
    for name in MODULES:
        steps += [f"def work(): __import__('shared_rules.{name}')", "gc.collect()", f"measure('import {name}', work)"]
    steps += [
        f"""
def work():
    global table, bot, raised
    from shared_rules import bot, hints, rulesets, table
    table = table.Table(rulesets.get("{RULES_FOR_BENCH}"))
    bot = bot.Bot(hints.Hints())
    raised = bytearray(16)
""",
        "gc.collect()",
        "measure('buffers', work)",
        """
def work():
    from shared_rules import deal
    d = deal.shuffle(bytes(32))
    table.begin(d.hands(), deal.first_lead(table.rules, d))
""",
        "gc.collect()",
        "measure('shuffle and deal', work)",
        """
def work():
    if table.ended:
        return
    bot.start(table, table.turn)
    while not bot.work():
        pass
    if bot.choose(raised):
        table.play(table.turn, raised, table_meld())
    else:
        table.pass_(table.turn)
def table_meld():
    return table.judge(table.turn, raised)
""",
    ]
    for turn in range(160):
        steps += ["gc.collect()", f"measure('turn {turn}', work)"]
    steps += [
        "assert table.ended",
        """
def work():
    from shared_rules import score
    print(score.settle_table(table).points)
""",
        "gc.collect()",
        "measure('settlement', work)",
        "gc.collect()",
        "measure('end', lambda: None)",
    ]
    rows = [r.rsplit(" ", 2) for r in _run(vm, _files(), steps, heap=1 << 20).splitlines() if not r.startswith("[")]
    rows = [(name, int(live), int(used)) for name, live, used in rows]
    live = {name: before for name, before, _ in rows}
    return {
        "peak": max(before + used for _, before, used in rows),
        "code": live["buffers"],
        "data": live["shuffle and deal"] - live["buffers"],
        "steps": {name: used for name, _, used in rows},
    }


def allocations(vm, once=False):
    """Bytes that operations take from the heap of a 32-bit interpreter once warm: {operation: bytes}.

    once: those of a deal's beginning and end instead of those of a turn.
    """
    source = f"""
import gc
from array import array
from host import deals
from shared_rules import classify, compare, deal, generate, meld, score, table
hands = deals.Hands("{RULES_FOR_BENCH}")
bots = deals.Bots("{RULES_FOR_BENCH}")
old = meld.parse("pair:5")
out = array("i", [0] * 8)
def of_a_turn(name):
    if name == "hint":
        hands.hint()
    elif name == "next hint":
        hands.hints.next(hands.raised)
    elif name == "all melds":
        hands.all()
    elif name == "classification":
        classify.classify(hands.rules, hands.raised, out)
    elif name == "comparison":
        compare.beats(hands.rules, meld.THREE_JOKERS, old)
    elif name == "cards of a meld":
        generate.pick(hands.rules, hands.counts, hands.melds[3], hands.raised)
    elif name == "legality":
        bots.table.judge(bots.table.turn, hands.raised)
    elif name == "bot's turn":
        bots.turn()
    elif name == "shuffle":
        deal.shuffle(b"0" * 32)
    elif name == "settlement":
        score.settle_table(bots.table)
def measure(name):
    of_a_turn(name)
    before = gc.mem_alloc()
    of_a_turn(name)
    return gc.mem_alloc() - before
hands.take(3)
bots.begin(deals.seed_of(1))
for i in range(8):
    bots.turn()
"""
    names = ("hint", "next hint", "all melds", "cards of a meld", "classification", "comparison", "legality")
    names += ("bot's turn",)
    if once:
        names = ("shuffle", "settlement")
    finish = ["while not bots.table.ended: bots.turn()"] if once else []
    steps = [source, *finish, f"for name in {names}: print(measure(name), name)"]
    rows = _run(vm, _files("host/deals.py"), steps, heap=1 << 20).splitlines()
    return {name: int(used) for used, name in (row.split(" ", 1) for row in rows)}


# --- the table ------------------------------------------------------------------------------------


def _number(value):
    """A rate for a person: three figures, thousands apart."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _row(*cells, widths=(44, 14, 14)):
    """One line of the table."""
    return f"{cells[0]:<{widths[0]}}" + "".join(f"{c:>{w}}" for c, w in zip(cells[1:], widths[1:]))


def rules(seconds, hands, say):
    """Measure all and tell it line by line."""
    say(f"rules engine, rule set {RULES_FOR_BENCH}; Python {sys.version.split()[0]}; {time.strftime('%Y-%m-%d')}")
    say("")
    say(_row("a second", "CPython", "MicroPython"))
    ours = {}
    for name, here, there in speed(seconds):
        ours[name] = here
        say(_row(name, _number(here), _number(there)))
    for name, found in (("RLCard doudizhu", rlcard_rates(seconds)), ("OpenSpiel dou_dizhu", open_spiel_rates(seconds))):
        if isinstance(found, str):
            say(_row(f"{name}, random", found))
            continue
        for what, value in found:
            say(_row(f"{name}, random {what}", _number(value)))
        if name.startswith("RLCard"):
            plays = dict(found)["plays"]
            say(_row("our random plays to RLCard's", f"{ours['random plays'] / plays:.1f} x"))
            say(_row("our bots' plays to RLCard's", f"{ours['bot plays'] / plays:.1f} x"))
    say("")
    say(_row(f"first hint of {hands} hands, on a lead", "instructions", "board, est."))
    counted = instructions(range(hands))
    if counted is None:
        say("not counted: valgrind or the MicroPython interpreter is not installed")
    else:
        loop, costs = counted
        say(_row("one turn of an empty loop", f"{loop:,.0f}", f"{LOOP_US} us"))
        rows = (("median hand", statistics.median(costs)), (f"hardest, hand {costs.index(max(costs))}", max(costs)))
        for name, cost in rows:
            say(_row(name, f"{cost:,.0f}", f"{milliseconds(loop, cost):.1f} ms"))
    say("")
    vms = interpreter.VMS[1:]
    say(_row("bytes on a 32-bit heap, board's bytecode", *[vm.replace("micropython32-", "") for vm in vms]))
    try:
        found = [memory(vm) for vm in vms]
        say(_row("engine's code", *[_number(m["code"]) for m in found]))
        say(_row("buffers of table, bots and hints", *[_number(m["data"]) for m in found]))
        say(_row("peak of a four-bot deal", *[_number(m["peak"]) for m in found]))
        for once in (False, True):
            used = [allocations(vm, once) for vm in vms]
            for name in used[0]:
                say(_row(f"taken by: {name}", *[_number(u[name]) if u[name] else "0" for u in used]))
    except interpreter.Missing as missing:
        say(f"not measured: {missing}")


def main(argv):
    """The command. Returns an exit status."""
    parser = command(
        "bench",
        "Measure the rules engine, the table, its heap, or the page.",
        (
            "python -m host bench rules",
            "python -m host bench table",
            "python -m host bench heap --deals 200",
            "python -m host bench page --seconds 30",
        ),
        port=False,
    )
    parser.add_argument(
        "what",
        choices=("rules", "table", "heap", "page"),
        help="rules: hints, melds, whole deals, memory; table: bytes to the displays, time from key to pixel; "
        "heap: deals on three quarters of the board's; page: its load and its frames, in a Chromium of this machine",
    )
    parser.add_argument("--seconds", type=float, help="for each row of speed (default 2), or of play (default 10)")
    parser.add_argument("--hands", type=int, default=1000, help="hands whose hint is counted (default 1000)")
    parser.add_argument("--deals", type=int, help="deals of bots (table, default 12), or on a small heap (default 200)")
    parser.add_argument(
        "--looked-at", type=int, default=0, help="heap: deals after which the displays are unplugged, faster (0: never)"
    )
    options = parser.parse_args(argv)
    if options.deals is not None and options.deals < 1 or options.looked_at < 0:
        parser.error("--deals must be positive, --looked-at not below 0")
    if options.seconds is not None and options.seconds <= 0 or options.hands < 1:
        parser.error("--seconds and --hands must be positive")

    def say(line):
        print(line, flush=True)

    try:
        if options.what == "page":
            from .page import measure

            measure.measure(options.seconds or 10.0, say)
        elif options.what == "table":
            from .sim import measure as table

            table.tell(options.deals or 12, LOOP_US, say)
        elif options.what == "heap":
            from .sim import measure as table

            say("".join(f"{name:>12}" for name in ("deal", "free", "lowest", "largest")))
            table.heap(options.deals or 200, table.SEED, say, looked_at=options.looked_at)
        else:
            rules(options.seconds or 2.0, options.hands, say)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"The bench broke off: {error}", file=sys.stderr)
        return 1
    return 0
