"""What the table costs, measured over the simulated one: ``python -m host bench table`` and ``bench heap``.

``Player`` plays seat 0 by keys alone, with hints, and moves about on its hand and the menu as people do: the same from
run to run for the same number.
"""

import random

from .clock import MS
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
