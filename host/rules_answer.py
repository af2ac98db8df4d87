"""Answers to questions about the rules (CONFORMANCE.md): ``answer(request)``, a dict in, a dict out.

One file for both interpreters: ``host.rules`` calls it in CPython, or lets it run in MicroPython, where
``serve`` is its loop. So it is in their common dialect, but it is a host tool: the board has no use for it.
Whoever calls has read the JSON strictly; here fields are checked, then the engine is asked.
"""

import json
import sys
from array import array
from binascii import unhexlify

from shared_rules import cards, classify, compare, deal, generate, hints, meld, rulesets, score, table, why

MOST_CARDS = 27  # in a hand, in a meld
ENGLISH = 2  # index into why.LANGS

_readings = array("i", [0] * 8)
_melds = array("i", [0] * generate.MOST)
_counts = bytearray(16)
_raised = bytearray(16)


class Wrong(Exception):
    """A request that cannot be answered: ``Wrong(CODE, sentence)``."""


# --- fields ---------------------------------------------------------------------------------------


def _is_int(v):
    return type(v) is int  # a bool is no number


def _is_text(v):
    return isinstance(v, str)


def _is_texts(v):
    return isinstance(v, list) and all(isinstance(t, str) for t in v)


def _is_seat(v):
    return _is_int(v) and 0 <= v <= 3


def _is_four(v, check):
    return isinstance(v, list) and len(v) == 4 and all(check(i) for i in v)


def _is_meld_or_null(v):
    return v is None or isinstance(v, str)


def _is_melds(v):
    """Melds that one player played: nobody plays more often than a hand has cards."""
    return _is_texts(v) and len(v) <= MOST_CARDS


def _is_out(v):
    return isinstance(v, list) and len(v) <= 3 and all(_is_seat(s) for s in v) and len(set(v)) == len(v)


def _is_left(v):
    return _is_four(v, lambda n: _is_int(n) and 0 <= n <= MOST_CARDS)


def _is_leaver(v):
    if not isinstance(v, dict) or not _is_seat(v.get("seat")):
        return False
    return _is_four(v.get("turns"), lambda n: _is_int(n) and n >= 0)


def _is_seed(v):
    return isinstance(v, str) and len(v) == 64 and all(c in "0123456789abcdefABCDEF" for c in v)


def _is_plays(v):
    if not isinstance(v, list):
        return False
    for p in v:
        if isinstance(p, dict):
            if not isinstance(p.get("cards"), str) or not isinstance(p.get("as"), str):
                return False
        elif not isinstance(p, str):
            return False
    return True


_RULES = ("rules", _is_text, True, "a text")
_OPTIONS = ("options", _is_texts, False, "a list of texts")
_HAND = ("hand", _is_text, True, "a text")
_OLD = ("old", _is_meld_or_null, True, "a meld or null")

# op: its fields as (name, check, needed, what it must be)
FIELDS = {
    "classify": (_RULES, ("cards", _is_text, True, "a text")),
    "star": (_RULES, ("meld", _is_text, True, "a text")),
    "beats": (_RULES, ("new", _is_text, True, "a text"), ("old", _is_text, True, "a text")),
    "melds": (_RULES, _HAND, _OLD),
    "hint": (_RULES, _HAND, _OLD, ("n", lambda v: _is_int(v) and v >= 0, True, "a number from 0 on")),
    "player_star": (_RULES, ("bombs", _is_melds, True, "a list of at most 27 melds")),
    "settle": (
        _RULES,
        ("out", _is_out, True, "a list of at most 3 different seats 0 to 3"),
        ("left", _is_left, True, "4 numbers 0 to 27"),
        ("bombs", lambda v: _is_four(v, _is_melds), True, "4 lists of at most 27 melds"),
        ("totals", lambda v: _is_four(v, _is_int), False, "4 whole numbers"),
        _OPTIONS,
        ("leaver", _is_leaver, False, "an object with a seat and 4 numbers of turns"),
    ),
    "deal": (("seed", _is_seed, True, "64 hex digits"),),
    "replay": (
        _RULES,
        ("hands", lambda v: _is_four(v, _is_text), True, "4 texts"),
        ("lead", _is_seat, True, "a seat 0 to 3"),
        ("plays", _is_plays, True, "a list of cards, 'pass' or objects with cards and as"),
        _OPTIONS,
    ),
}


def _check(request):
    """The op of a request whose fields are there and of their types."""
    if not isinstance(request, dict):
        raise Wrong("bad-request", "A line must be one JSON object.")
    op = request.get("op")
    if not isinstance(op, str) or op not in FIELDS:
        raise Wrong("bad-request", "The field op must be one of {}.".format(", ".join(sorted(FIELDS))))
    for name, check, needed, what in FIELDS[op]:
        if name not in request:
            if needed:
                raise Wrong("bad-request", f"The field {name} is missing.")
        elif not check(request[name]):
            raise Wrong("bad-request", f"The field {name} must be {what}.")
    return op


def _rules(request):
    """The rule set of a request, with its options checked."""
    rules = rulesets.get(request["rules"])
    if rules is None:
        raise Wrong("bad-rules", "There is no rule set '{}'.".format(_short(request["rules"])))
    for option in request.get("options", ()):
        if option not in rules.options:
            raise Wrong("bad-rules", f"The rule set {rules.id} has no option '{_short(option)}'.")
    return rules


def _short(text):
    """Some of a text, to be quoted in a sentence."""
    return text if len(text) <= 20 else text[:17] + "..."


# --- cards and melds ------------------------------------------------------------------------------


def _words(text):
    """The words of a text, one at a time (a list of them could be larger than the heap)."""
    start = 0
    while start < len(text):
        end = text.find(" ", start)
        if end < 0:
            end = len(text)
        if end > start:
            yield text[start:end]
        start = end + 1


def _cards(text):
    """Cards as a list of rank * 8 + suit (suit 4: not named). Two decks could hold them together."""
    found = []
    for word in _words(text):
        card = cards.read(word)
        if card < 0:
            raise Wrong("bad-card", f"There is no card '{_short(word)}'.")
        if len(found) == 108:
            raise Wrong("bad-card", "Two decks hold only 108 cards.")
        found.append(card)
    _place(found, bytearray(14))
    return found


def _place(found, used):
    """Codes 0-107 for cards, marked in ``used``: named suits first, then the lowest that are free."""
    codes = [-1] * len(found)
    for named in (True, False):
        for i in range(len(found)):
            if (found[i] & 7 != 4) == named:
                codes[i] = cards.place(found[i], used)
                if codes[i] < 0:
                    raise Wrong("bad-card", f"Two decks hold no more of the card '{_name(found[i])}'.")
    return codes


def _name(card):
    """The text of rank * 8 + suit."""
    return cards.RANKS[card >> 3] + ("" if card & 7 == 4 else cards.SUITS[card & 7])


def _count(found, counts):
    """Counts of cards given as rank * 8 + suit."""
    cards.clear(counts)
    for card in found:
        counts[card >> 3] += 1
        counts[15] += 1


def _high_to_low(found):
    """Text of cards from high to low, within a rank s h c d."""
    return " ".join([_name(card) for card in sorted(found, reverse=True)])


def _meld(rules, text):
    m = meld.parse(text, rules.bomb_most)
    if m == 0:
        raise Wrong("bad-meld", f"There is no meld '{_short(text)}'.")
    return m


def _hand(request):
    """The cards of the field ``hand``; ``_counts`` is filled with them."""
    found = _cards(request["hand"])
    if len(found) > MOST_CARDS:
        raise Wrong("bad-request", "A hand holds at most 27 cards.")
    _count(found, _counts)
    return found


def _old(rules, request):
    return 0 if request["old"] is None else _meld(rules, request["old"])


# --- ops ------------------------------------------------------------------------------------------


def _op_classify(rules, q):
    found = _cards(q["cards"])
    n = 0
    if len(found) <= MOST_CARDS:
        _count(found, _counts)
        n = classify.classify(rules, _counts, _readings)
    if n == 0:
        return {"melds": [], "why": "no-meld"}
    return {"melds": [meld.text(_readings[i]) for i in range(n)]}


def _op_star(rules, q):
    return {"star": compare.star(rules, _meld(rules, q["meld"]))}


def _op_beats(rules, q):
    return {"beats": bool(compare.beats(rules, _meld(rules, q["new"]), _meld(rules, q["old"])))}


def _op_melds(rules, q):
    _hand(q)
    n = generate.melds(rules, _counts, _old(rules, q), _melds)
    return {"melds": sorted([meld.text(_melds[i]) for i in range(n)])}


def _op_hint(rules, q):
    hand = sorted(_hand(q))  # of a rank the lowest suits first, as they are played
    old = _old(rules, q)
    found = []
    seen = set()
    thinking = hints.Hints()
    thinking.start(rules, _counts, old)
    while not thinking.work():
        pass
    while len(found) < q["n"]:
        m = thinking.next(_raised)
        if m == 0 or m in seen:  # none, or the list has come round
            break
        seen.add(m)
        taken = []
        for card in hand:
            if _raised[card >> 3]:
                _raised[card >> 3] -= 1
                taken.append(card)
        found.append(_high_to_low(taken))
    return {"hints": found}


def _events(rules, texts):
    """Played bombs by scoring star, [star - 4], as ``score`` takes them."""
    events = [0] * 9
    for text in texts:
        star = compare.scoring_star(rules, _meld(rules, text))
        if star:
            events[star - 4] += 1
    return events


def _op_player_star(rules, q):
    return {"star": score.player_star(rules, _events(rules, q["bombs"]))}


def _op_settle(rules, q):
    events = [_events(rules, texts) for texts in q["bombs"]]
    out = q["out"]
    left = q["left"]
    for s in range(4):
        if (s in out) != (left[s] == 0):
            raise Wrong("bad-request", "Exactly the seats that are out have no cards left.")
    if len(out) == 3 and out[0] ^ out[1] == 2:
        raise Wrong("bad-request", "Nobody goes out after both players of a team.")
    leaver = q.get("leaver")
    seat, turns = (-1, None) if leaver is None else (leaver["seat"], leaver["turns"])
    s = score.settle(rules, out, left, events, q.get("totals"), q.get("options", ()), seat, turns)
    if s is None:
        raise Wrong("bad-request", "The deal has not ended: no team has both its players out.")
    return {
        "result": s.result,
        "places": s.places,
        "base": s.base,
        "multiplier": s.multiplier,
        "contributions": s.contributions,
        "points": s.points,
    }


def _op_deal(rules, q):
    seed = unhexlify(q["seed"])
    d = deal.shuffle(seed)
    return {
        "hands": [_high_to_low([_card(c) for c in d.hand(s)]) for s in range(4)],
        "face_up": cards.text(d.deck[d.face_up]),
        "face_up_seat": d.face_up_seat(),
        "random_seat": d.random_seat,
        "commit": deal.commit(seed),
    }


def _card(code):
    """rank * 8 + suit of a code; a joker has no suit to name."""
    r = cards.rank(code)
    return r * 8 + (4 if r >= cards.SMALL else cards.suit(code))


def _op_replay(rules, q):
    hands = [_cards(text) for text in q["hands"]]
    codes = _place(hands[0] + hands[1] + hands[2] + hands[3], bytearray(14))
    for p in q["plays"]:
        _read_play(rules, p)
    dealt = []
    at = 0
    for hand in hands:
        if not 1 <= len(hand) <= MOST_CARDS:
            raise Wrong("bad-request", "A hand holds 1 to 27 cards.")
        dealt.append(sorted(codes[at : at + len(hand)]))
        at += len(hand)
    t = table.Table(rules, q.get("options", ()))
    t.begin(dealt, q["lead"])
    at = 0
    for p in q["plays"]:
        found, reading = _read_play(rules, p)
        code = _pass(t) if found is None else _play(rules, t, dealt, found, reading)
        if code < 0:
            tried = reading or (_readings[0] if code == table.DOES_NOT_BEAT else 0)
            message = why.sentence(ENGLISH, code, tried, t.meld, rules, _raised)
            return {"error": table.CODES[-code], "message": message, "at": at}
        at += 1
    return {
        "turn": None if t.ended else t.turn,
        "leading": not t.ended and t.meld == 0,
        "table": meld.text(t.meld) if t.meld else None,
        "out": list(t.out),
        "left": [t.left(s) for s in range(4)],
        "ended": bool(t.ended),
    }


def _read_play(rules, p):
    """(cards, the meld that they are to be, 0 for the usual one) of a play; (None, 0) for a pass."""
    if isinstance(p, dict):
        return _cards(p["cards"]), _meld(rules, p["as"])
    return (None, 0) if p == "pass" else (_cards(p), 0)


def _pass(t):
    code = t.judge_pass()
    if code == 0:
        t.pass_(t.turn)
    return code


def _play(rules, t, dealt, found, reading):
    """Play cards given as rank * 8 + suit; the meld, or a negative code and nothing has changed."""
    if t.ended:
        return table.ENDED
    seat = t.turn
    identity = bytearray(t.cards[seat])
    chosen = []
    for named in (True, False):  # a suit that is named is taken first, then the lowest that are left
        for card in found:
            if (card & 7 != 4) == named:
                code = _held(identity, card)
                if code < 0:
                    return table.NOT_HELD
                cards.remove(identity, code)
                chosen.append(code)
    _count(found, _raised)
    m = t.judge(seat, _raised, reading)
    if m <= 0:
        classify.classify(rules, _raised, _readings)  # what was tried, for the sentence
        return m
    if all(card & 7 == 4 for card in found):
        t.play(seat, _raised, m)
        return m
    mask = 0
    for code in chosen:
        mask |= 1 << dealt[seat].index(code)
    t.play_mask(seat, mask, m)
    return m


def _held(identity, card):
    """The lowest code of the identity that is this card; -1 if there is none."""
    r = card >> 3
    for i in range(8):
        code = cards.code_of(r, i)
        if code >= 0 and cards.has(identity, code) and (card & 7 == 4 or cards.suit(code) == card & 7):
            return code
    return -1


OPS = {
    "classify": _op_classify,
    "star": _op_star,
    "beats": _op_beats,
    "melds": _op_melds,
    "hint": _op_hint,
    "player_star": _op_player_star,
    "settle": _op_settle,
    "deal": _op_deal,
    "replay": _op_replay,
}


def answer(request):
    """The answer to one request, both as dicts. Never raises for a request that JSON can express."""
    try:
        op = _check(request)
        return OPS[op](None if op == "deal" else _rules(request), request)
    except Wrong as wrong:
        return {"error": wrong.args[0], "message": wrong.args[1]}


def serve():
    """Answer JSON lines on standard input until it ends. For MicroPython, that ``host.rules`` speaks to."""
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        try:
            reply = answer(json.loads(line))
        except MemoryError:
            reply = {"error": "bad-request", "message": "The line holds more than the interpreter has memory for."}
        sys.stdout.write(json.dumps(reply) + "\n")
