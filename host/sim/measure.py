"""What the table costs, measured over the simulated one: ``python -m host bench table`` and ``bench heap``.

``Player`` plays seat 0 by keys alone, with hints, and moves about on its hand and the menu as people do: the same from
run to run for the same number.
"""

import random
import statistics

from .clock import MS
from .counted import Counted, Keyed, possible
from .settings import Settings
from .table import SimTable

SEED = "5" * 64  # of the first deal; each further one has the SHA-256 of the seed before
THREE_QUARTERS = 84480  # bytes: three quarters of the board's heap
MOVES = ("left", "right", "up", "down", "clear", "sort")
_SHOWN_MS = 6000  # so long is a settlement looked at
_DEAL_MS = 1_800_000
_TRIES = 20  # turns in which no key brought a play or a pass


class Stuck(RuntimeError):
    """The table did not go on; the message is one sentence."""


class Player:
    """Plays seat 0 of a ``SimTable``. ``pressed``: called with each key before it goes down; ``moves``: how many keys
    at most are pressed for nothing in a turn."""

    def __init__(self, table, number=1, moves=4, menus=0.1):
        self.table = table
        self.moves = moves
        self.menus = menus
        self.pressed = lambda key: None
        self._chance = random.Random(f"player {number}")
        self._ended = False
        table.listen(self._hear)

    def _hear(self, event, line):
        if event["ev"] == "end":
            self._ended = True

    def press(self, key, least=60, most=400):
        """Press a key and look at what it did for so many ms."""
        self.pressed(key)
        self.table.press(0, key)
        self.table.pass_time(self._chance.randrange(least * MS, most * MS))

    def deal(self):
        """Play until a deal has ended and its settlement has been looked at."""
        table = self.table
        self._ended = False
        tries = 0
        while not self._ended:
            table.pass_time(_DEAL_MS * MS, lambda: self._ended or self._mine() or table.vm is None)
            tries = tries + 1 if self._mine() else _TRIES
            if not self._ended and tries >= _TRIES:
                raise Stuck(" ".join([table.crashed or "No deal came to its end.", table.last_errors]))
            if self._mine() and self._turn():
                tries = 0
        table.advance(_SHOWN_MS)

    def _mine(self):
        return self.table.persons.turn == 0

    def ready(self):
        """The next deal, please."""
        self.press("play")

    def _turn(self):
        """Keys of one turn. True if it is over."""
        chance = self._chance
        self.table.pass_time(chance.randrange(50 * MS, 900 * MS))
        if chance.random() < self.menus:
            for key in ("menu", "down", "down", "play", "left", "menu", "down", "clear", "clear"):
                self.press(key)
        for _ in range(chance.randrange(self.moves + 1)):
            self.press(chance.choice(MOVES))
        for key in ("clear", "hint", "play", "play", "pass"):  # a second play where cards have several readings
            if not self._mine():
                return True
            self.press(key, 360, 500)
        return not self._mine()


def heap(deals, seed, say, heap_bytes=THREE_QUARTERS, looked_at=0):
    """Play so many deals on a small heap, three bots and a player of keys. Tells the heap after every tenth deal by
    ``say(line)``. looked_at: deals after which the displays are unplugged, 0 for never: what they show is drawn no
    more, which makes it faster, and kept all the same.

    Returns [(deal, heap_free, heap_low, largest)]. Raises Stuck if a deal does not end."""
    settings = Settings(
        seats=["human", "bot", "bot", "bot"], seed=seed, heap=heap_bytes, turn_seconds=0, vm="micropython", lang="en"
    )
    rows = []
    with SimTable(settings, quiet=True) as table:
        table.advance(1500)
        player = Player(table)
        player.ready()
        for n in range(1, deals + 1):
            player.deal()
            if n == looked_at:
                for panel in table.board.panels:
                    panel.plug(False)
            if n % 10 == 0 or n in (1, deals):
                stats = table.ask({"cmd": "stats"})
                rows.append((n, *[stats.get(name, 0) for name in ("heap_free", "heap_low", "largest")]))
                say("".join(f"{n:12,}" for n in rows[-1]))
            player.ready()
    return rows


# --- the bus -----------------------------------------------------------------------------------------

KB = 1024
# Two decks: 27 cards each, in bombs.
BOMBS = (
    " ".join(["3"] * 8 + ["4"] * 8 + ["5"] * 8 + ["6"] * 3),
    " ".join(["6"] * 5 + ["7"] * 8 + ["8"] * 8 + ["9"] * 6),
    " ".join(["9"] * 2 + ["T"] * 8 + ["J"] * 8 + ["Q"] * 8 + ["K"]),
    " ".join(["K"] * 7 + ["A"] * 8 + ["2"] * 8 + ["x"] * 2 + ["X"] * 2),
)
_PAINTED_MS = 600  # what a key does is painted by then, and no bot has acted yet
_FRAME_MS = 200  # of the screens' animation


class Bus:
    """Bytes that the displays of a table get, looked at from time to time."""

    def __init__(self, table):
        self._table = table

    def cost(self, ms=_PAINTED_MS, key=None):
        """Bytes that a press of seat 0 (or just time) brings each display."""
        table = self._table
        before = [panel.bytes_in for panel in table.board.panels]
        if key:
            table.press(0, key)
        table.advance(ms)
        return [panel.bytes_in - b for panel, b in zip(table.board.panels, before)]


def _first_turn(settings):
    """A table at seat 0's first turn, its screens painted."""
    table = SimTable(settings, quiet=True)
    table.start()
    table.advance(1500)
    table.press(0, "play")
    table.pass_time(20_000 * MS, lambda: table.persons.turn == 0 or table.vm is None)
    table.advance(1500)
    return table


def keys_cost():
    """[(what, bytes to the own display, most to another)] of keys and of a second that passes."""
    table = _first_turn(Settings(seats=["human", "bot", "bot", "bot"], seed="9" * 64, lead=0, lang="en"))
    rows = []

    def row(what, *keys, ms=_PAINTED_MS):
        costs = [bus.cost(ms, key) for key in keys]
        rows.append((what, max(c[0] for c in costs), max(max(c[1:]) for c in costs)))

    try:
        bus = Bus(table)
        table.advance(20)
        row("a second passes, the clock of my turn", None, ms=1000)
        # Keys are measured without that clock.
        table.stop()
        table = _first_turn(
            Settings(seats=["human", "bot", "bot", "bot"], seed="9" * 64, lead=0, lang="en", turn_seconds=0)
        )
        bus = Bus(table)
        row("cursor moved", "left", "left", "right", "left", "left", "left")
        row("card raised or lowered", "up", "down", "up", "down")
        row("refusal", "pass")
        row("... and back", "clear")
        row("hand sorted", "sort", "sort")
        row("menu opened", "menu")
        row("menu closed", "clear")
        table.press(0, "menu")
        table.advance(_PAINTED_MS)
        row("whole screen: the other layout", "menu")
        table.press(0, "menu")
        table.advance(_PAINTED_MS)
        table.press(0, "menu")
        table.advance(_PAINTED_MS)
        row("hint", "hint")
        row("own play", "play")
        for _ in range(8):
            table.pass_time(60_000 * MS, lambda: table.persons.turn == 0)
            table.advance(_PAINTED_MS)
            if table.persons.table:  # not on a lead
                break
            table.press(0, "hint")
            table.press(0, "play")
            table.advance(_PAINTED_MS)
        row("pass", "pass")
        return rows
    finally:
        table.stop()


def plays_cost(plays):
    """(most, median) bytes that another's play sends a display, over so many plays of bots that are no big ones."""
    costs = []
    heard = []
    settings = Settings(seats=["bot"] * 4, seed="9" * 64, lang="en", turn_seconds=0)
    with SimTable(settings, quiet=True) as table:
        table.on_event(heard.append)
        while len(costs) < plays:
            heard.clear()
            table.pass_time(60_000 * MS, lambda: any(e["ev"] == "play" for e in heard))
            before = [panel.bytes_in for panel in table.board.panels]
            table.advance(_PAINTED_MS)
            event = next(e for e in heard if e["ev"] == "play")
            if "bomb" not in event["meld"] and "chain" not in event["meld"]:
                costs += [p.bytes_in - b for p, b in zip(table.board.panels, before) if p.seat != event["seat"]]
    return max(costs), statistics.median(costs)


def big_cost():
    """The same of a big play: all of it, and one picture of its animation."""
    settings = Settings(seats=["human"] * 4, hands=list(BOMBS), lead=0, lang="en", turn_seconds=0)
    table = _first_turn(settings)
    try:
        for seat in (1, 2, 3):  # in the lobby everybody must be ready
            table.press(seat, "play")
        table.pass_time(40_000 * MS, lambda: table.persons.turn == 0)
        table.advance(1500)
        bus = Bus(table)
        table.press(0, "up")
        for _ in range(7):
            table.press(0, "up")
        table.advance(_PAINTED_MS)
        whole = bus.cost(500, "play")
        frames = [bus.cost(_FRAME_MS) for _ in range(3)]
        rest = bus.cost(1200)
        whole = [a + b + sum(f[i] for f in frames) for i, (a, b) in enumerate(zip(whole, rest))]
        rows = [("big play, until it is over", whole[0], max(whole[1:]))]
        rows.append(("... a picture of it, five a second", max(f[0] for f in frames), max(max(f[1:]) for f in frames)))
        return rows
    finally:
        table.stop()


def deals_cost(deals, person):
    """Most bytes that a whole deal sends one display, over so many deals; person: seat 0 plays by keys, with hints."""
    settings = Settings(seats=["human" if person else "bot", "bot", "bot", "bot"], seed=SEED, lang="en")
    most = 0
    with SimTable(settings, quiet=True) as table:
        player = Player(table, moves=0, menus=0)
        if person:
            table.advance(1500)
            player.ready()
        for _ in range(deals):
            before = [panel.bytes_in for panel in table.board.panels]
            player.deal()
            most = max([most] + [panel.bytes_in - b for panel, b in zip(table.board.panels, before)])
            if person:
                player.ready()
    return most


# --- from a key to the first pixel -------------------------------------------------------------------

_SELECTS = ("left", "right", "up", "down")
_OTHERS = ("clear", "hint", "sort", "menu", "play")


def percentile(values, part):
    """The value that ``part`` (0-1) of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def evening(deals):
    """{kind: [ms]} from press to first changed pixel in virtual time: "select" and "other" keys of a player's deals."""
    settings = Settings(seats=["human", "bot", "bot", "bot"], seed=SEED, lang="en")
    with Keyed(settings, quiet=True) as table:
        table.advance(1500)
        player = Player(table)
        player.ready()
        for _ in range(deals):
            player.deal()
            player.ready()
        keys = table.keys
    return {
        "select": [ms for key, ms in keys if ms is not None and key in _SELECTS],
        "other": [ms for key, ms in keys if ms is not None and key in _OTHERS],
    }


def while_big(plays):
    """[ms] of cursor and selection while big plays of others are painted: bombs all round, a key every 90-200 ms."""
    settings = Settings(seats=["human", "bot", "bot", "bot"], hands=list(BOMBS), lead=1, lang="en", turn_seconds=0)
    chance = random.Random("big")
    found = []
    with Keyed(settings, quiet=True) as table:
        table.advance(1500)
        table.press(0, "play")
        heard = []
        table.on_event(lambda e: heard.append(e["ev"]))
        for _ in range(plays):
            heard.clear()
            table.pass_time(20_000 * MS, lambda: "play" in heard or "end" in heard or table.persons.turn == 0)
            if "end" in heard:
                break
            table.keys.clear()
            for _ in range(6):
                table.press(0, chance.choice(_SELECTS))
                table.pass_time(chance.randrange(20 * MS, 90 * MS))
            found += [ms for _, ms in table.keys if ms is not None]
            if table.persons.turn == 0:
                table.press(0, "clear")
                table.press(0, "pass")
    return found


def work(keys=("left", "left", "up", "right", "up", "down", "left", "up", "right", "down")):
    """(ms a loop turn's instructions, [(key, virtual ms, instructions)]) of keys at seat 0's first turn."""
    settings = Settings(
        seats=["human", "bot", "bot", "bot"], seed=SEED, lead=0, lang="en", turn_seconds=0, heap=128 * 1024
    )
    table = Counted(settings, quiet=True)
    table.start()
    try:
        table.advance(1500)
        table.press(0, "play")
        table.pass_time(60_000 * MS, lambda: table.persons.turn == 0)
        table.advance(1500)
        first = len(table.keys)
        for key in keys:
            table.press(0, key)
            table.advance(200)
        table.power(False)
        loop, spans = table.counts()
    finally:
        table.stop()
    return loop, [(key, ms, n) for (key, ms), n in zip(table.keys[first:], spans[first:])]


# --- the table ---------------------------------------------------------------------------------------


def tell(deals, loop_us, say):
    """Measure all and tell it line by line. deals: of bots, and a third as many of a player; loop_us: what a turn of an
    empty loop takes on the board."""

    def row(what, *cells):
        say(f"{what:<44}" + "".join(f"{c:>14}" for c in cells))

    row("bytes on SPI", "own display", "another's")
    for what, own, other in keys_cost() + big_cost():
        row(what, f"{own:,}", f"{other:,}")
    most, median = plays_cost(12)
    row("another's play, no big one: most, median", f"{most:,}", f"{median:,.0f}")
    row(f"whole deal of bots, most of {deals}", f"{deals_cost(deals, False):,}")
    few = max(1, deals // 3)
    row(f"... with a person who plays by hints, of {few}", f"{deals_cost(few, True):,}")
    say("")
    row("ms from key to first changed pixel", "median", "99 %", "most")
    found = evening(few)
    for what, values in (
        ("virtual time: cursor and selection", found["select"]),
        ("virtual time: other keys", found["other"]),
        ("virtual time: cursor, selection in big plays", while_big(12)),
    ):
        row(what, *[f"{n:.1f}" for n in (statistics.median(values), percentile(values, 0.99), max(values))])
    if not possible():
        say("the interpreter's work is not counted: valgrind is not installed")
        return
    loop, keys = work()
    ms = [n / loop * loop_us / 1000 for _, _, n in keys]
    row("interpreter's work on the board, est.", f"{statistics.median(ms):.1f}", "", f"{max(ms):.1f}")
    both = [virtual + more for (_, virtual, _), more in zip(keys, ms) if virtual is not None]
    row("both together, the same keys", f"{statistics.median(both):.1f}", "", f"{max(both):.1f}")
