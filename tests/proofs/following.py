"""What must hold of a table's record, whatever happens to the table: followed line by line.

``Follower(table)`` hears every line. ``wrong`` collects sentences: an id that says two things, a turn with more or less
than one act, cards that are not accounted for, a deal settled twice, totals that are not the sum of what was won, and
whatever ``host audit`` finds once the deal is over. ``probed(folder)`` gives a firmware that counts its own cards after
every entry of the journal, and every seat's raised cards after every key: what it finds ends it with an error.
"""

import hashlib
import shutil

from host import build
from host.tools.audit import Auditor
from shared_rules import cards
from shared_rules import deal as dealt

_CARDS = 108

_PROBE = """

import ledger as _ledger
import game as _game

_apply = _ledger.Ledger.apply
_key = _game.Game.key


def _check(table):
    together = bytearray(14)
    held = 0
    for s in range(4):
        n = 0
        for i in range(14):
            b = table.cards[s][i]
            if b & together[i] or b & ~table.dealt[s][i]:
                raise AssertionError("a card is held twice, or was never dealt to its seat")
            together[i] |= b
            while b:
                n += b & 1
                b >>= 1
        if n != table.counts[s][15] or n != sum(table.counts[s][:15]):
            raise AssertionError("cards and counts of a seat differ")
        held += n
    played = 0
    for i in range(table.n_plays):
        mask = 0
        for k in range(4):
            mask |= table.history[4 * i + k] << 8 * k
        mask &= 0x7FFFFFF
        while mask:
            played += mask & 1
            mask >>= 1
    if held + played != 108:
        raise AssertionError("%d cards held and %d played" % (held, played))


def _applied(self, kind, entry):
    _apply(self, kind, entry)
    if self.table is not None:
        _check(self.table)


def _keyed(self, s, key, turn, now):
    before = self.turn_no
    _key(self, s, key, turn, now)
    if (self.turn_no - before) & 0xFFFF > 1:
        raise AssertionError("one key, two acts")
    if self.table is not None and self.phase in (1, 2):
        raised = self.seats[s].raised
        for r in range(15):
            if raised[r] > self.table.counts[s][r]:
                raise AssertionError("more raised than held")
        if raised[15] != sum(raised[:15]):
            raise AssertionError("raised cards do not add up")


_ledger.Ledger.apply = _applied
_game.Game.key = _keyed
"""


def probed(folder):
    """A copy of the firmware's sources in ``folder`` that counts its cards (see the module); its path."""
    firmware = folder / "probed"
    shutil.copytree(build.FIRMWARE, firmware, ignore=shutil.ignore_patterns("__pycache__", "boards"))
    running = firmware / "running.py"
    text = running.read_text()
    at = "shelf.show_names()\n"
    assert at in text
    running.write_text(text.replace(at, at + _PROBE + "\n"))
    return firmware


class Follower:
    """See the module. ``seed``: of the next deal, 32 bytes, while it is known (a test's chain of seeds), or None."""

    def __init__(self, table, seed=None):
        self.wrong = []
        self.deals = 0
        self.acts = 0
        self.turns = self.acts_in_deal = 0  # of the deal that runs
        self.kinds = {}  # how many lines of each event
        self.points = {}  # (rule set, player): what was won in deals that are no tests
        self._seed = seed
        self._lines = {}  # id: text
        self._events = []  # of the deal that runs, in order of ids
        self._hands = None
        self._left = [27] * 4
        self._played = []
        self._turn = None  # seat that has not acted yet
        self._ended = set()
        self._totals = {}  # player: in this test
        table.on_event(self.hear)

    def _say(self, right, sentence):
        if not right and len(self.wrong) < 100:
            self.wrong.append(sentence)

    def hear(self, event):
        """One line of the record."""
        name, place = event["ev"], tuple(event["id"])
        text = {key: value for key, value in event.items() if key != "t"}
        if place in self._lines:
            self._say(self._lines[place] == text, f"{place} says {self._lines[place]}, and then {text}")
            return
        self._lines[place] = text
        self.kinds[name] = self.kinds.get(name, 0) + 1
        if name == "deal":
            self._begin(event)
        elif self._events:
            self._events.append(event)
            self._in_deal(name, event)
            held = sum(self._left)
            self._say(
                name == "end" or held + len(self._played) == _CARDS,
                f"{place}: {held} cards held, {len(self._played)} played",
            )

    def _begin(self, event):
        self._say(not self._events, f"deal {event['n']} begins while another one runs")
        self._events = [event]
        self._left = [27] * 4
        self._played = []
        self._turn = None
        self.turns = self.acts_in_deal = 0
        self._hands = None
        if self._seed and event["commit"] == dealt.commit(self._seed):
            hands = dealt.shuffle(self._seed).hands()
            if event.get("swap"):
                a, b = event["swap"]
                hands[a], hands[b] = hands[b], hands[a]
            self._hands = [{cards.text(code): 0 for code in hand} for hand in hands]
            for hand, names in zip(hands, self._hands):
                for code in hand:
                    names[cards.text(code)] += 1
        if not event.get("test"):
            self._totals = {}

    def _in_deal(self, name, event):
        place = tuple(event["id"])
        if name == "turn":
            self._say(self._turn is None, f"{place}: the seat before has not acted")
            self._turn = event["seat"]
            self.turns += 1
        elif name in ("play", "pass"):
            self._say(self._turn == event["seat"], f"{place}: seat {event['seat']} acts in the turn of {self._turn}")
            self._turn = None
            self.acts += 1
            self.acts_in_deal += 1
            if name == "play":
                self._play(event, place)
        elif name == "end":
            self._end(event, place)

    def _play(self, event, place):
        seat = event["seat"]
        words = event["cards"].split()
        self._played += words
        self._left[seat] -= len(words)
        self._say(self._left[seat] == event["left"], f"{place}: {self._left[seat]} cards left, not {event['left']}")
        if self._hands:
            for word in words:
                hand = self._hands[seat]
                self._say(hand.get(word, 0) > 0, f"{place}: seat {seat} does not hold {word}")
                hand[word] = hand.get(word, 0) - 1

    def _end(self, event, place):
        number = event["id"][0]
        self._say(number not in self._ended, f"deal {number} is settled twice")
        self._ended.add(number)
        self.deals += 1
        begun = self._events[0]
        for seat, player in enumerate(begun["players"]):
            if begun.get("test"):
                self._totals[player] = self._totals.get(player, 0) + event["points"][seat]
                total = self._totals[player]
                self._say(event["totals"][seat] == total, f"{place}: total {event['totals'][seat]}, not {total}")
            else:
                key = (begun["rules"], player)
                self.points[key] = self.points.get(key, 0) + event["points"][seat]
                total = self.points[key]
                self._say(event["totals"][seat] == total, f"{place}: total {event['totals'][seat]}, not {total}")
        auditor = Auditor()
        auditor._known = {}
        auditor.deal(number, self._events, False)
        self._say(not auditor.found, f"deal {number}: {auditor.found}")
        if event["seed"]:
            self._seed = hashlib.sha256(bytes.fromhex(event["seed"])).digest()
        self._events = []
        self._left = [27] * 4

    def running(self):
        """Whether a deal is on."""
        return bool(self._events)

    def rest(self, answer):
        """Compare the hub's own totals (its answer to ``totals``) with the sum of the ends."""
        from shared_rules.rulesets import RULE_SETS

        for row in answer["players"]:
            for i, rules in enumerate(RULE_SETS):
                won = self.points.get((rules, row["player"]), 0)
                told = row["totals"][i]
                self._say(told == won, f"player {row['player']} has {told} in {rules}, and has won {won}")
