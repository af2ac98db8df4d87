"""A person at a seat: knows the own hand, where the cursor is and what is raised, and plays with pad keys alone.

``Person`` follows every key that is pressed at its seat and every line of the record, by RULES.md 9.3 as the
firmware does it: a new hand's cursor starts on the lowest rank, moves by rank and wraps; when its rank is gone it
stays at its place. The hand comes from what the run was given: ``--hands`` or the seed (and after it the chain of
seeds); with neither the hand is not known here, and ``play`` says so. A pass needs no hand.

``play()`` is the command of SIMULATOR.md. What the table made of it is read from the record.
"""

import hashlib

from shared_rules import cards, classify, compare, deal, meld, rulesets

from .clock import MS

_REACTION_MS = 2000  # within that the table answers a play or a pass
_TURN_MS = 200  # between a play and the next turn
_DOUBLE_MS = 350  # a second press of `play` within 300 ms is a double press, which never plays
_BY_RANK, _BY_MELD = 0, 1


class Person:
    """What the player of one seat knows. ``counts``: bytearray(16) by rank, or None while the hand is not known."""

    def __init__(self, seat):
        self.seat = seat
        self.counts = None
        self.codes = []
        self.sort = _BY_RANK
        self.trustee = False
        self._rest()

    def _rest(self):
        self.order = []
        self.cursor = -1
        self.raised = bytearray(16)  # None: not known, hints raise what they like
        self.choosing = False  # perhaps between several readings
        self.last_play = -(1 << 62)

    def boot(self):
        """The hub has started anew: nothing is raised, the cursor is at its start."""
        self.sort = _BY_RANK
        self.trustee = False
        self._rest()
        self._arrange()

    def take(self, codes):
        """A new hand (card codes), or None if it is not known."""
        self.trustee = False
        self._rest()
        self.codes = sorted(codes or [])
        self.counts = None
        if codes is not None:
            self.counts = bytearray(16)
            cards.count(self.codes, self.counts)
        self._arrange()

    def _arrange(self):
        if self.counts is None:
            return
        held = [r for r in range(14, -1, -1) if self.counts[r]]
        if self.sort == _BY_MELD:
            held.sort(key=lambda r: (-self.counts[r], -r))
        rank = self.order[self.cursor] if 0 <= self.cursor < len(self.order) else None
        self.order = held
        if rank in held:
            self.cursor = held.index(rank)
        elif self.cursor < 0:
            self.cursor = len(held) - 1
        else:
            self.cursor = min(self.cursor, len(held) - 1)

    def pressed(self, key, now):
        """A key of this seat has been pressed (now: ns)."""
        if key == "play":
            self.last_play = now
        if self.counts is None or not self.order:
            return
        if key == "sort":
            self.sort = _BY_MELD if self.sort == _BY_RANK else _BY_RANK
            self._arrange()
        elif self.trustee:
            return
        elif key in ("left", "right"):
            if not self.choosing:
                self.cursor = (self.cursor + (1 if key == "right" else -1)) % len(self.order)
        elif key in ("up", "down"):
            self.choosing = False
            if self.raised is not None:
                rank = self.order[self.cursor]
                self.raised[rank] = (self.raised[rank] + (1 if key == "up" else -1)) % (self.counts[rank] + 1)
        elif key == "clear":
            if not self.choosing:
                self.raised = bytearray(16)
            self.choosing = False
        elif key in ("hint", "bomb"):
            self.raised = None
            self.choosing = False
        elif key == "play":
            self.choosing = True  # perhaps; the record tells if it was played

    def heard(self, event):
        """A line of the record about this seat."""
        name = event["ev"]
        if name == "play":
            if self.counts is not None:
                for word in event["cards"].split():
                    code = next((c for c in self.codes if cards.text(c) == word), None)
                    if code is None:  # not the hand that was thought to be here
                        self.take(None)
                        return
                    self.codes.remove(code)
                cards.count(self.codes, self.counts)
            self._lower()
            self._arrange()
        elif name == "pass":
            self.choosing = False
            if event.get("cause") != "key":
                self._lower()
        elif name == "trustee":
            self.trustee = bool(event.get("on"))
            self._lower()
        elif name == "refused":
            self.choosing = False

    def _lower(self):
        self.raised = bytearray(16)
        self.choosing = False

    def keys_for(self, want):
        """The keys that raise exactly the ranks of ``want`` (bytearray(16)), cleared before if need be."""
        keys = []
        raised = self.raised
        if self.choosing:
            keys += ["clear"]
        if raised is None or any(raised):
            keys += ["clear"]
        places = [i for i, r in enumerate(self.order) if want[r]]
        n = len(self.order)
        # All to the right, or all to the left: whichever is nearer.
        right = sorted(places, key=lambda i: (i - self.cursor) % n)
        left = sorted(places, key=lambda i: (self.cursor - i) % n)
        to_right = (right[-1] - self.cursor) % n
        to_left = (self.cursor - left[-1]) % n
        way, key = (right, "right") if to_right <= to_left else (left, "left")
        at = self.cursor
        for i in way:
            keys += [key] * ((i - at) % n if key == "right" else (at - i) % n)
            at = i
            held, need = self.counts[self.order[i]], want[self.order[i]]
            keys += ["up"] * need if need <= held - need + 1 else ["down"] * (held - need + 1)
        return keys


class Persons:
    """The four persons of a table, and what everybody sees of the trick."""

    def __init__(self, settings):
        self._settings = settings
        self.seats = [Person(seat) for seat in range(4)]
        self.rules = rulesets.get(settings.rules)
        self.turn = None
        self.table = 0  # the meld to beat, 0 on a lead
        self.dealt = None  # number and commitment of the deal whose hands were taken
        self._seen = set()  # ids of its lines: after a power cut the hub repeats its last ones

    def heard(self, event, next_seed, first):
        """A line of the record. next_seed: hex seed of the next deal or None; first: no deal of this run has ended."""
        name = event["ev"]
        if name == "boot":
            self.turn = None
            for person in self.seats:
                person.boot()
        elif name == "deal":
            self.turn = None
            self.table = 0
            self.rules = rulesets.get(event["rules"]) or self.rules
            self._deal(event, next_seed, first)
        elif name == "turn":
            self.turn = event["seat"]
            if event["leading"]:
                self.table = 0
        elif name == "resumed":
            self.turn = event.get("turn")
            if self.dealt is None or self.dealt[0] != event.get("n"):
                for person in self.seats:
                    person.take(None)
        elif name == "end":
            self.turn = None
            for person in self.seats:
                person.take(None)
        elif name in ("play", "pass", "trustee", "refused"):
            if tuple(event["id"]) in self._seen:
                return
            self._seen.add(tuple(event["id"]))
            if name == "play":
                self.table = meld.parse(event["meld"])
            if name in ("play", "pass"):
                self.turn = None
            self.seats[event["seat"]].heard(event)

    def _deal(self, event, next_seed, first):
        which = (event.get("n"), event.get("commit"))
        if which == self.dealt:
            return  # repeated after a power cut
        hands = None
        self.dealt = which
        self._seen.clear()
        if self._settings.hands and first:
            hands = codes_of(self._settings.hands)
        elif next_seed:
            seed = bytes.fromhex(next_seed)
            if event.get("commit") == deal.commit(seed):
                hands = [list(hand) for hand in deal.shuffle(seed).hands()]
        swap = event.get("swap")
        if hands and swap:
            a, b = swap
            hands[a], hands[b] = hands[b], hands[a]
        for seat, person in enumerate(self.seats):
            person.take(hands[seat] if hands else None)


def codes_of(texts):
    """The card codes of four hands as text: suits as named, then what is left of the two decks, lowest suit first."""
    used = bytearray(14)
    hands = [[] for _ in texts]
    for named in (True, False):
        for seat, text in enumerate(texts):
            for word in text.split():
                card = cards.read(word)
                if (card & 7 != 4) == named:
                    hands[seat].append(cards.place(card, used))
    return hands


def next_seed(seed):
    """The seed after this one: SHA-256 of its 32 bytes, as hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def play(table, seat, text, reading):
    """Do a play (``text``: cards) or a pass (None) with keys. Returns the answer of the command."""
    persons = table.persons
    person = persons.seats[seat]
    if persons.turn is None:  # the line that says whose it is may be just about to be written
        table.pass_time(_TURN_MS * MS, lambda: persons.turn is not None or table.vm is None)
    if persons.turn != seat:
        whose = "nobody's turn" if persons.turn is None else f"the turn of seat {persons.turn}"
        return _no(f"It is {whose}, not of seat {seat}.")
    if person.trustee:
        return _no(f"The trustee plays for seat {seat}.")
    if text is None:
        return _act(table, person, [], "pass", None)
    if person.counts is None:
        return _no(f"The hand of seat {seat} is not known: give --seed or --hands.")
    want = bytearray(16)
    fault = _read(person, text, want)
    if fault:
        return _no(fault)
    readings = [0] * 8
    made = readings[: classify.classify(persons.rules, want, readings)]
    choose = 0
    if reading is not None:
        wanted = meld.parse(reading)
        if not wanted:
            return _no(f"There is no meld '{reading}'.")
        if wanted not in made:
            return _no(f"Those cards do not make {reading}: not-offered.")
        if persons.table:
            beating = [m for m in made if compare.beats(persons.rules, m, persons.table)]
            if beating and beating[-1] != wanted:
                return _no(f"The table would take those cards as {meld.text(beating[-1])}, not as {reading}.")
        choose = made.index(wanted)
    asked = len(made) > 1 and not persons.table  # on a lead the table asks which reading is meant
    return _act(table, person, person.keys_for(want), "play", choose if asked else None)


def _no(why):
    return {"ok": False, "why": why}


def _read(person, text, want):
    """Fill ``want`` from the text of a play. Returns what is wrong with it, or None."""
    if not text.split():
        return "A play has at least one card."
    suits = []
    for word in text.split():
        card = cards.read(word)
        if card < 0:
            return f"There is no card '{word}': bad-card."
        want[card >> 3] += 1
        want[15] += 1
        if card & 7 < 4:
            suits.append((word, card))
    for rank in range(15):
        if want[rank] > person.counts[rank]:
            return f"Seat {person.seat} does not hold so many '{cards.RANKS[rank]}': not-held."
    # Of a rank the lowest suits are played; a suit that is named must be among them.
    for rank in range(15):
        own = sorted(cards.suit(c) for c in person.codes if cards.rank(c) == rank)[: want[rank]]
        for word, card in suits:
            if card >> 3 == rank:
                if card & 7 not in own:
                    return f"'{word}' cannot be played: of a rank the lowest suits go first."
                own.remove(card & 7)
    return None


def _act(table, person, keys, last, choose):
    """Press the keys, then ``last``; choose: how far to step to the reading, None if the table will not ask."""
    seat = person.seat
    heard = []

    def listener(event, line):
        if event.get("seat") == seat and event["ev"] in ("play", "pass", "refused", "trustee"):
            heard.append(event)
        elif event["ev"] in ("end", "boot"):
            heard.append(event)

    presses = 0
    table.listen(listener)
    try:
        steps = [*keys, last]
        if choose is not None:
            steps += ["right"] * choose + [last]
        for i, key in enumerate(steps):
            _wait_double(table, person, key)
            acted = table.tap(seat, key)
            presses += 1
            # The last key is left as soon as the table has answered: what follows happens under the finger.
            wait = _REACTION_MS * MS if i == len(steps) - 1 else acted - table.outside()
            table.pass_time(wait, lambda: heard or table.vm is None)
            if heard:
                break
    finally:
        table.unlisten(listener)
    if not heard:
        return _no("The table did not answer.")
    event = heard[0]
    if event["ev"] == "refused":
        return _no(f"The table refused it: {event['why']}.")
    if event["ev"] == last and event.get("cause") == "key":
        return {"ok": True, "presses": presses}
    return _no(f"The table went on by itself ({event['ev']}) before the play was made.")


def _wait_double(table, person, key):
    if key == "play":
        left = person.last_play + _DOUBLE_MS * MS - table.outside()
        if left > 0:
            table.pass_time(left)
