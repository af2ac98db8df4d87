"""``python -m host audit``: every deal of an archive played again through the rules.

What the record says must follow from what it cannot change: the commitment from the seed, the hands and the first lead
from the seed, every play legal from the hand that the seat held, tricks, places, stars, points and totals from the
plays. ``Auditor.deal`` checks one; a finding is a sentence.
"""

from shared_rules import cards, meld, rulesets, score
from shared_rules import deal as dealt
from shared_rules.table import CODES, Table

from .. import statuses
from . import common
from .archive import Archive, ArchiveError

_LEAVE = score.LEAVE_TRUSTEE


class Wrong(Exception):
    """A finding that ends the check of its deal."""


def _text(codes):
    """A hand as the record writes it: high to low, suits s h c d."""
    return " ".join(cards.text(c) for c in sorted(codes, key=cards.order, reverse=True))


class Auditor:
    """Deals of one journal, in order. ``found``: [(deal, sentence)]; ``notes``: what cannot be checked."""

    def __init__(self):
        self.found = []
        self.notes = []
        self.checked = 0
        self._before = None  # (deal number, rules, result, first finisher, end totals by player)

    def deal(self, number, events, last):
        """Check the lines of one deal. ``last``: the archive's newest, which may still be running."""
        try:
            self._deal(number, events, last)
        except Wrong as wrong:
            self.found.append((number, str(wrong)))
            self._before = None
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            self.found.append((number, f"a line lacks what it must say ({type(error).__name__}: {error})"))
            self._before = None

    def _say(self, number, right, sentence):
        if not right:
            self.found.append((number, sentence))

    def _deal(self, number, events, last):
        if any(e is None for e in events):
            raise Wrong("a line is not the hub's: it is no JSON, or its id is another one")
        ks = [e["id"][1] for e in events]
        begun = next((e for e in events if e["ev"] == "deal"), None)
        end = next((e for e in events if e["ev"] == "end"), None)
        if begun is None:
            if any(e["ev"] in ("play", "pass", "end", "turn") for e in events):
                raise Wrong("its beginning is missing")
            return  # lines between deals
        if ks != list(range(ks[0], ks[0] + len(ks))) or ks[0]:
            raise Wrong(f"{ks[-1] + 1 - len(ks)} of its lines are missing")
        if end is None:
            if last:
                self.notes.append((number, "is still running"))
                return
            raise Wrong("its end is missing")
        self.checked += 1
        rules = rulesets.get(begun["rules"])
        self._say(number, begun["n"] == number, f"calls itself deal {begun['n']}")
        swap = begun.get("swap") or (0, 0)
        if end["seed"] is None:
            self._say(number, begun["commit"] is None, "had a commitment, and its seed is not shown")
            self.notes.append((number, "was dealt by hand, for a test: there is no seed to check"))
            hands = self._read(end["hands"])
        else:
            seed = bytes.fromhex(end["seed"])
            if len(seed) != 32 or dealt.commit(seed) != begun["commit"]:
                raise Wrong("the seed is not the one that was committed to")
            d = dealt.shuffle(seed)
            hands = d.hands()
            expected = dealt.seat_change(rules, d)
            self._say(number, (expected >> 2, expected & 3) == tuple(swap), "the change of seats is another one")
            a, b = swap
            hands[a], hands[b] = hands[b], hands[a]
            self._say(number, [_text(h) for h in hands] == end["hands"], "the hands are not those of the seed")
            self._lead(number, rules, d, begun)
        table = Table(rules, tuple(begun.get("options") or ()))
        table.begin(hands, begun["lead"])
        leaver = self._plays(number, rules, table, events)
        if not table.ended and leaver < 0:
            raise Wrong("it ended before a team was out")
        before = [total - n for total, n in zip(end["totals"], end["points"])]
        t = score.settle_table(table, before, leaver)
        for name, right, said in (
            ("result", t.result, end["result"]),
            ("places", list(t.places) if t.places else None, end["places"]),
            ("stars", list(t.stars), end["stars"]),
            ("points", list(t.points), end["points"]),
        ):
            self._say(
                number, right == said, f"the {name} are {said}, and must be {right}".replace("result are", "result is")
            )
        self._totals(number, begun, before, end)
        first = table.out[0] if len(table.out) else -1
        self._before = (number, begun["rules"], t.result, first)

    def _read(self, texts):
        """Four hands of codes."""
        used = bytearray(14)
        hands = []
        for text in texts:
            codes = [cards.place(cards.read(word), used) for word in text.split()]
            if len(codes) != 27 or min(codes) < 0:
                raise Wrong("the hands are not 27 cards each of two decks")
            hands.append(sorted(codes))
        return hands

    def _lead(self, number, rules, d, begun):
        if rules.lead == dealt.LEAD_FACE_UP:
            self._say(number, begun.get("face_up") == cards.text(d.deck[d.face_up]), "the face-up card is another one")
        if begun.get("test"):
            return  # a test may fix the lead
        may = {dealt.first_lead(rules, d)}
        if self._before and self._before[0] == number - 1 and self._before[1] == begun["rules"]:
            may.add(dealt.first_lead(rules, d, self._before[3], self._before[2]))
        self._say(number, begun["lead"] in may, f"seat {begun['lead']} led, and not seat {min(may)}")

    def _plays(self, number, rules, table, events):
        """Play what the record says. Returns who left, or -1."""
        leaver = -1
        expect = []  # lines that must come next: (event, fields)
        for e in events:
            name = e["ev"]
            at = f"line {e['id'][1]}: "
            if expect and name in ("out", "trick", "play", "pass", "turn"):
                event, fields = expect.pop(0)
                if name != event or any(e.get(key) != value for key, value in fields.items()):
                    raise Wrong(f"{at}a line '{event}' with {fields} should stand here")
                if name != "turn":
                    continue
            if name == "turn":
                if e["seat"] != table.turn or e["leading"] != (table.meld == 0):
                    raise Wrong(f"{at}it was the turn of seat {table.turn}")
            elif name == "play":
                self._play(rules, table, e, at)
                if e["left"] == 0:
                    expect.append(("out", {"seat": e["seat"], "place": len(table.out)}))
                if not table.ended:
                    expect.append(("turn", {"seat": table.turn, "leading": False}))
            elif name == "pass":
                if table.ended or e["seat"] != table.turn or table.judge_pass():
                    raise Wrong(f"{at}seat {e['seat']} could not pass")
                owner = table.owner
                table.pass_(e["seat"])
                if table.meld == 0:
                    expect.append(("trick", {"seat": owner}))
                expect.append(("turn", {"seat": table.turn, "leading": table.meld == 0}))
            elif name in ("out", "trick"):
                raise Wrong(f"{at}nobody was out, or won a trick")
            elif name == "leave" and rules.leave != _LEAVE:
                leaver = e["seat"]
                expect.clear()
            elif name == "undo":
                raise Wrong(f"{at}a play was taken back: this version cannot check that")
        return leaver

    def _play(self, rules, table, e, at):
        seat = e["seat"]
        if table.ended or seat != table.turn:
            raise Wrong(f"{at}it was not the turn of seat {seat}")
        held = [c for c in range(108) if cards.has(table.cards[seat], c)]
        chosen = []
        for word in e["cards"].split():
            code = next((c for c in held if cards.text(c) == word and c not in chosen), None)
            if code is None:
                raise Wrong(f"{at}seat {seat} did not hold {word}")
            chosen.append(code)
        raised = bytearray(16)
        cards.count(chosen, raised)
        m = table.judge(seat, raised, meld.parse(e["meld"], 27) or -1)
        if m <= 0:
            raise Wrong(f"{at}{e['cards']} as {e['meld']} was not legal ({CODES[-m]})")
        dealt_codes = [c for c in range(108) if cards.has(table.dealt[seat], c)]
        table.play_mask(seat, sum(1 << dealt_codes.index(c) for c in chosen), m)
        if e["left"] != table.left(seat):
            raise Wrong(f"{at}seat {seat} had {table.left(seat)} cards left, not {e['left']}")

    def _totals(self, number, begun, before, end):
        players = begun.get("players")
        if begun.get("test") or not players:
            return
        known = self._known
        for seat, player in enumerate(players):
            key = (begun["rules"], player)
            if key in known and known[key] != before[seat]:
                self.notes.append(
                    (number, f"player {player} began with {before[seat]}, and had {known[key]}: the operator's doing?")
                )
            known[key] = end["totals"][seat]

    _known = None


def audit(archive, progress=None):
    """Check a whole archive. Returns {"deals", "found": [dict], "notes": [dict]}."""
    found, notes = [], []
    deals = n = 0
    for journal, hub, number, part in archive.journals():
        auditor = Auditor()
        auditor._known = {}
        newest = archive.newest(journal)
        for deal, events in archive.deals(journal):
            auditor.deal(deal, events, newest is not None and deal == newest[0])
            n += len(events)
            if progress:
                progress.to(n)
        deals += auditor.checked
        for rows, out in ((auditor.found, found), (auditor.notes, notes)):
            out += [{"hub": hub, "journal": number, "part": part, "deal": d, "what": what} for d, what in rows]
    return {"deals": deals, "found": found, "notes": notes}


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "audit",
        "Check every deal of an archive: the commitment is the seed's, hands and lead follow from it, every play is "
        "legal, places, stars, points and totals are right.",
        ("python -m host audit --db table.db", "python -m host audit --db table.db --json | jq .found"),
        port=False,
    )
    p.add_argument("--db", metavar="FILE", required=True, help="the archive")
    p.add_argument("--json", action="store_true", help="one JSON object")
    args = p.parse_args(argv)
    try:
        archive = Archive(args.db)
    except ArchiveError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    with archive:
        return common.guarded(lambda args: _show(archive, args), args)


def _show(archive, args):
    progress = common.Progress("checking", archive.count())
    result = audit(archive, progress)
    progress.end()
    if args.json:
        common.show(result)
    else:
        for row in result["found"]:
            print(f"deal {row['deal']} of hub {row['hub']}: {row['what']}.")
        for row in result["notes"]:
            print(f"(deal {row['deal']} of hub {row['hub']}: {row['what']})")
        wrong = len({(row["journal"], row["part"], row["deal"]) for row in result["found"]})
        print(f"{result['deals']} deals checked, {wrong} of them wrong.")
    return statuses.FAILED if result["found"] else statuses.OK
