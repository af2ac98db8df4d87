"""A second opinion on the rules, by brute force, for the tests only.

Written from RULES.md alone and sharing nothing with ``shared_rules``: cards are text, a meld is a tuple,
every question is answered by trying everything. Slow and plain on purpose; where it and the engine differ,
one of them is wrong. ``answer(request)`` takes a request of CONFORMANCE.md as a dict and returns the answer
as a dict (all ops but ``hint``, whose order is the engine's to choose: ``hint_faults`` judges that instead).
"""

import hashlib
import itertools
import re
from collections import Counter, namedtuple

RANKS = "3456789TJQKA2xX"
SUITS = "dchs"  # low to high, as cards are taken and as they are coded
TWO, SMALL, BIG = 12, 13, 14
ACE = 11
RULE_SETS = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")
OPTIONS = {"wenzhou": ("by_cards_left",)}

# kind: the word of the text form. top: index in RANKS. smallest: cards of the least group. size: all cards.
Meld = namedtuple("Meld", "kind top ranks smallest size")


class Fault(Exception):
    """An error answer: ``Fault(CODE)``."""


# --- text -----------------------------------------------------------------------------------------


def read_card(text):
    """'Ts' -> (7, 's'); 't' -> (7, ''); 'X' -> (14, ''). Fault('bad-card') for anything else."""
    if text in ("x", "X"):
        return RANKS.index(text), ""
    if not 1 <= len(text) <= 2 or text[0] in "xX" or text[0].upper() not in RANKS:
        raise Fault("bad-card")
    suit = text[1:].lower()
    if suit and suit not in SUITS:
        raise Fault("bad-card")
    return RANKS.index(text[0].upper()), suit


def within_two_decks(cards):
    """True if two decks could hold these (rank, suit) cards together; '' is a suit that was not said."""
    by_rank = Counter(r for r, _ in cards)
    if any(n > (2 if r in (SMALL, BIG) else 8) for r, n in by_rank.items()):
        return False
    return all(n <= 2 for (r, s), n in Counter(c for c in cards if c[1]).items())


def read_cards(text):
    """Cards separated by spaces -> list of (rank, suit). Fault('bad-card')."""
    cards = [read_card(t) for t in text.split(" ") if t]
    if not within_two_decks(cards):
        raise Fault("bad-card")
    return cards


def read_meld(rules, text):
    """The text form of a meld -> Meld. Fault('bad-meld') outside the ranges of CONFORMANCE.md."""
    if text in ("jokers3", "jokers4"):
        n = int(text[-1])
        return Meld(text, 0, 1, n, n)
    m = re.fullmatch(r"(single|pair|triple):([3-9TJQKA2tjqkaxX])", text)
    if m:
        n = ("single", "pair", "triple").index(m[1]) + 1
        top = rank_index(m[2])
        if n == 3 and top > TWO:
            raise Fault("bad-meld")
        return Meld(m[1], top, 1, n, n)
    m = re.fullmatch(r"(straight|pairs|triples|bomb)([1-9][0-9]?):([3-9TJQKA2tjqka])", text)
    if m:
        n, top = int(m[2]), rank_index(m[3])
        if m[1] == "bomb":
            if not 4 <= n <= (10 if rules == "baibian" else 12):
                raise Fault("bad-meld")
            return Meld("bomb", top, 1, n, n)
        group = {"straight": 1, "pairs": 2, "triples": 3}[m[1]]
        least = 5 if group == 1 else 3
        if n < least or top > ACE or n > top + 1 or n * group > 27:
            raise Fault("bad-meld")
        return Meld(m[1], top, n, group, n * group)
    m = re.fullmatch(r"chain([1-9][0-9]?)x([1-9][0-9]?)/([1-9][0-9]?):([3-9TJQKAtjqka])", text)
    if m:
        p, k, n, top = int(m[1]), int(m[2]), int(m[3]), rank_index(m[4])
        if p < 4 or not 3 <= k <= 6 or not p * k <= n <= 27 or k > top + 1:
            raise Fault("bad-meld")
        return Meld("chain", top, k, p, n)
    raise Fault("bad-meld")


def rank_index(letter):
    """'T' or 't' -> 7, 'x' -> 13, 'X' -> 14."""
    return RANKS.index(letter if letter in "xX" else letter.upper())


def meld_text(m):
    """Meld -> its text form."""
    if m.kind in ("jokers3", "jokers4"):
        return m.kind
    top = RANKS[m.top]
    if m.kind in ("single", "pair", "triple"):
        return f"{m.kind}:{top}"
    if m.kind == "bomb":
        return f"bomb{m.size}:{top}"
    if m.kind == "chain":
        return f"chain{m.smallest}x{m.ranks}/{m.size}:{top}"
    return f"{m.kind}{m.ranks}:{top}"


# --- section 3: what cards make -------------------------------------------------------------------


def shapes(counts):
    """All melds that these cards make, read as they are. counts: {rank index: how many}, no jokers."""
    ranks = sorted(counts)
    sizes = [counts[r] for r in ranks]
    total, top, k = sum(sizes), ranks[-1], len(ranks)
    if k == 1:
        if total <= 3:
            yield Meld(("single", "pair", "triple")[total - 1], top, 1, total, total)
        else:
            yield Meld("bomb", top, 1, total, total)
        return
    if top > ACE or ranks != list(range(ranks[0], top + 1)):
        return
    if set(sizes) == {1} and k >= 5:
        yield Meld("straight", top, k, 1, total)
    if set(sizes) == {2} and k >= 3:
        yield Meld("pairs", top, k, 2, total)
    if set(sizes) == {3} and k >= 3:
        yield Meld("triples", top, k, 3, total)
    if min(sizes) >= 4 and 3 <= k <= 6:
        yield Meld("chain", top, k, min(sizes), total)


def is_wild(rules, rank):
    """True if a joker of this rank may stand for other cards (財神)."""
    return rank == BIG or (rank == SMALL and rules != "baibian")


_classified = {}


def classify(rules, ranks):
    """Every meld that cards of these ranks make, strongest first. ranks: a sequence of rank indices."""
    ranks = sorted(ranks)
    if ranks and ranks[0] < SMALL:  # beside natural cards a wild joker is a wild joker
        ranks = [BIG if is_wild(rules, r) else r for r in ranks]
    key = (rules, tuple(ranks))
    if key not in _classified:
        if len(_classified) > 300_000:
            _classified.clear()
        _classified[key] = _classify(rules, key[1])
    return _classified[key]


def _classify(rules, ranks):
    if not 1 <= len(ranks) <= 27:
        return []
    if all(r >= SMALL for r in ranks):
        n = len(ranks)
        if n == 1:
            return [Meld("single", ranks[0], 1, 1, 1)]
        if n == 2:
            mixed = ranks[0] != ranks[1]
            top = ranks[0] if not mixed else (SMALL if rules == "baibian" else BIG)
            return [Meld("pair", top, 1, 2, 2)]
        return [Meld(f"jokers{n}", 0, 1, n, n)]
    natural = Counter(r for r in ranks if not is_wild(rules, r))
    wild = len(ranks) - sum(natural.values())
    if SMALL in natural:
        return []  # a small joker as itself beside other cards: it joins no sequence and no group of theirs
    stands_for = range(13)
    if rules == "diexiang" and len(natural) == 1:
        stands_for = list(natural)
    best = {}  # (kind, length) -> the reading with the highest top; of chains first the largest P
    for as_ranks in itertools.combinations_with_replacement(stands_for, wild):
        for m in shapes(natural + Counter(as_ranks)):
            key = (m.kind, m.ranks)
            if key not in best or (m.smallest, m.top) > (best[key].smallest, best[key].top):
                best[key] = m
    return sorted(best.values(), key=lambda m: (star(rules, m), m.top, m.ranks), reverse=True)


def star(rules, m):
    """The star a meld compares with (section 3, Stars)."""
    if m.kind == "bomb":
        return m.size
    if m.kind == "chain":
        return m.smallest + m.ranks
    if m.kind == "jokers3":
        return 6
    if m.kind == "jokers4":
        return 8 if rules in ("diexiang", "baibian") else 7
    return 0


# --- section 4 ------------------------------------------------------------------------------------


def beats(rules, new, old):
    """True if ``new`` may be played on ``old``; old None is a lead."""
    if old is None:
        return True
    a, b = star(rules, new), star(rules, old)
    if not a and not b:
        return new.kind == old.kind and new.size == old.size and new.top > old.top
    if a != b:
        return a > b
    jokers = [m.kind in ("jokers3", "jokers4") for m in (new, old)]
    if all(jokers):
        return False  # the same meld
    if rules == "wenzhou":
        order = {"bomb": 2, "chain": 1, "jokers3": 0, "jokers4": 0}
        if order[new.kind] != order[old.kind]:
            return order[new.kind] > order[old.kind]
        if new.kind == "bomb":
            return new.top > old.top
        if (new.smallest, new.ranks) != (old.smallest, old.ranks):
            return False
        return (-new.size, new.top) > (-old.size, old.top)
    if rules == "baibian" and any(jokers):
        mine, its = (new, jokers[0]), (old, jokers[1])
        lowest = "jokers3"  # the lowest 6-star; jokers4 is the highest 8-star
        if mine[1]:
            return mine[0].kind != lowest
        return its[0].kind == lowest
    if rules == "diexiang":
        return (new.size, new.top) > (old.size, old.top)
    return (-new.size, new.top) > (-old.size, old.top)


# --- all melds of a hand --------------------------------------------------------------------------


def all_sub_multisets(ranks):
    """Every non-empty sub-multiset of the ranks, as a sorted tuple. Only for small hands."""
    counts = sorted(Counter(ranks).items())
    for take in itertools.product(*(range(n + 1) for _, n in counts)):
        if any(take):
            yield tuple(r for (r, _), n in zip(counts, take) for _ in range(n))


def candidates(rules, ranks):
    """Sub-multisets that hold every one which can be a meld: few enough for a whole hand.

    A meld of several ranks fills a window of consecutive ranks with groups of 1, 2, 3 or at least 4, jokers
    filling what is missing; so windows are tried, with all natural cards whose lack the jokers can fill.
    """
    have = Counter(ranks)
    jokers = [r for r in sorted(ranks) if r >= SMALL]
    wilds = [r for r in jokers if is_wild(rules, r)]
    for n in range(1, len(jokers) + 1):
        yield from itertools.combinations(jokers, n)

    def with_jokers(natural, least, most):
        for n in range(least, min(most, len(wilds)) + 1):
            yield natural + (BIG,) * n  # which wild joker it is does not matter beside natural cards

    for r in range(13):
        for n in range(1, have[r] + 1):
            yield from with_jokers((r,) * n, 0, 4)
    for low in range(ACE + 1):
        for k in range(3, ACE + 2 - low):
            window = range(low, low + k)
            for group in (1, 2, 3):
                if group == 1 and k < 5:
                    continue
                for natural, lack in _fillings(have, window, group, group, len(wilds)):
                    if natural:
                        yield from with_jokers(natural, lack, lack)
            if k <= 6:
                for natural, lack in _fillings(have, window, 4, 8, len(wilds)):
                    if natural:
                        yield from with_jokers(natural, lack, 4)


def _fillings(have, window, group, most, wild):
    """(natural cards, lack) of each way to take up to ``most`` of a rank, jokers filling up to ``group``."""
    taken = [((), 0)]
    for r in window:
        taken = [
            (cards + (r,) * n, lack + max(0, group - n))
            for cards, lack in taken
            for n in range(min(have[r], most) + 1)
            if lack + max(0, group - n) <= wild
        ]
    return taken


def melds(rules, ranks, old=None, every=False):
    """The set of melds that some of the cards make and that beat old. every: try all sub-multisets."""
    found = set()
    seen = set()
    for cards in all_sub_multisets(ranks) if every else candidates(rules, ranks):
        cards = tuple(sorted(cards))
        if cards not in seen:
            seen.add(cards)
            found.update(classify(rules, cards))
    return {m for m in found if beats(rules, m, old)}


# --- section 5 ------------------------------------------------------------------------------------


def code_card(code):
    """Card code 0-107 -> (rank, suit)."""
    i = code % 54
    return (i // 4, SUITS[i % 4]) if i < 52 else (SMALL + i - 52, "")


def card_text(card):
    """(rank, suit) -> text."""
    return RANKS[card[0]] + card[1]


def cards_text(cards):
    """Cards from high to low; within a rank s h c d."""
    high_first = sorted(cards, key=lambda c: (c[0], SUITS.find(c[1])), reverse=True)
    return " ".join(card_text(c) for c in high_first)


def deal(seed):
    """32 bytes -> (deck of 108 codes, face_up index into deck, random_seat)."""

    def stream():
        for k in itertools.count():
            yield from hashlib.sha256(seed + k.to_bytes(4, "big")).digest()

    source = stream()

    def uniform(n):
        limit = 256 - 256 % n
        return next(b for b in source if b < limit) % n

    deck = list(range(108))
    for i in range(107, 0, -1):
        j = uniform(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, uniform(108), uniform(4)


# --- section 6 ------------------------------------------------------------------------------------


def over(out):
    """True if both players of a team are among the seats that went out."""
    return {0, 2} <= set(out) or {1, 3} <= set(out)


def places_of(out):
    """Seats in order of going out (deal over) -> place 1 to 4 per seat."""
    order = list(out)
    for step in range(1, 5):
        seat = (out[-1] + step) % 4
        if seat not in order:
            order.append(seat)
    return [order.index(s) + 1 for s in range(4)]


def name_hands(hands):
    """Four hands of (rank, suit) -> with suits: a card whose suit was not said takes the lowest free one."""
    free = Counter({code_card(c): 2 for c in range(108)})
    free.subtract(card for hand in hands for card in hand if card[1])
    named = []
    for hand in hands:
        cards = []
        for rank, suit in hand:
            if not suit and rank <= TWO:
                suit = next(s for s in SUITS if free[rank, s] > 0)
                free[rank, suit] -= 1
            cards.append((rank, suit))
        named.append(cards)
    return named


def take(hand, cards):
    """Remove cards from hand (changed): named suits first, then the lowest. False if they are not held."""
    rest = list(hand)
    for card in cards:
        if card[1] or card[0] > TWO:
            if card not in rest:
                return False
            rest.remove(card)
    for rank, suit in cards:
        if not suit and rank <= TWO:
            held = [c for c in rest if c[0] == rank]
            if not held:
                return False
            rest.remove(min(held, key=lambda c: SUITS.index(c[1])))
    hand[:] = rest
    return True


class Play:
    """The trick machine: whose turn it is, what lies on the table, who is out."""

    def __init__(self, rules, hands, lead):
        self.rules, self.hands = rules, [list(h) for h in hands]
        self.turn, self.table, self.owner, self.passed, self.out = lead, None, lead, set(), []

    def ended(self):
        """True once both players of a team are out."""
        return over(self.out)

    def play(self, cards, wanted=None):
        """cards: list of (rank, suit), or None for a pass. Fault(CODE) if the rules forbid it."""
        if self.ended():
            raise Fault("ended")
        seat = self.turn
        if cards is None:
            if self.table is None:
                raise Fault("must-lead")
            self.passed.add(seat)
        else:
            hand = list(self.hands[seat])
            if not take(hand, cards):
                raise Fault("not-held")
            readings = classify(self.rules, [r for r, _ in cards])
            if not readings:
                raise Fault("no-meld")
            if wanted is not None:
                if wanted not in readings:
                    raise Fault("not-offered")
                readings = [wanted]
            good = [m for m in readings if beats(self.rules, m, self.table)]
            if not good:
                raise Fault("does-not-beat")
            self.table = good[0] if self.table is None else good[-1]
            self.hands[seat], self.owner, self.passed = hand, seat, set()
            if not hand:
                self.out.append(seat)
                if self.ended():
                    return
        others = {s for s in range(4) if s != self.owner and self.hands[s]}
        if others <= self.passed:
            self.table, self.passed = None, set()
            self.turn = self.owner if self.hands[self.owner] else (self.owner + 2) % 4
            return
        self.turn = next(s % 4 for s in range(seat + 1, seat + 5) if self.hands[s % 4])


# --- sections 7 and 8 -----------------------------------------------------------------------------


def scoring_star(rules, m):
    """The star a played bomb counts with when points are reckoned."""
    if rules.startswith("jiangzhe") and m.kind in ("jokers3", "jokers4"):
        return 7 if m.kind == "jokers3" else 8
    return star(rules, m)


def player_star(rules, played):
    """A player's stars over a deal from the melds it played."""
    events = [s for s in (scoring_star(rules, m) for m in played) if s]
    if not events:
        return 0
    values = [max(events)]
    if not rules.startswith("jiangzhe"):
        if len(events) >= 3:
            values.append(len(events) + 2)
        for level in range(5, max(events) + 1):
            values.append(level - 1 + sum(e >= level for e in events))
    return max(values)


def multiplier(rules, stars):
    """Factor on the base at this many stars."""
    if stars < 5:
        return 1
    if rules in ("jiangzhe", "jiangzhe3", "baibian"):
        stars = min(stars, 8)
    return 2 ** (stars - 4)


def contribution(rules, stars):
    """What each payer gives for this many stars (not for jiangzhe, whose team is paid)."""
    if stars < 6:
        return 0
    if rules == "wenzhou":
        return 2 ** (stars - 5)
    if rules == "jiangzhe3":
        return {6: 2, 7: 6, 8: 16, 9: 30, 10: 60}.get(stars, 100)
    if rules == "diexiang":
        return 2 + 2 * (stars - 6) * (stars - 5)
    return {6: 1, 7: 3}.get(stars, 5)  # baibian


def contributions(rules, bombs, void=()):
    """Points that change hands for stars, per seat. void: seats whose income is lost (all still pay)."""
    change = [0] * 4
    for seat, played in enumerate(bombs):
        s = player_star(rules, played)
        if rules == "jiangzhe":
            own, other = {6: (6, -2), 7: (12, -4)}.get(s, (18, -6)) if s >= 6 else (0, 0)
            for p in range(4):
                change[p] += own if p % 2 == seat % 2 else other
            continue
        events = [scoring_star(rules, m) for m in played] if rules == "baibian" else [s]
        for e in events:
            for p in range(4):
                if p != seat:
                    change[p] -= contribution(rules, e)
                elif seat not in void:
                    change[p] += 3 * contribution(rules, e)
    return change


BASE = {  # by place 1 to 4
    "wenzhou": {"double": (3, 3, -3, -3), "single": (2, -2, 2, -2), "level": (1, -1, -1, 1)},
    "jiangzhe": {"double": (4, 4, -4, -4), "single": (2, -2, 2, -2), "level": (1, 0, 0, 1)},
    "jiangzhe3": {"double": (3, 3, -3, -3), "single": (2, -2, 2, -2), "level": (1, -1, -1, 1)},
    "diexiang": {"double": (4, 4, -4, -4), "single": (2, -2, 2, -2), "level": (0, 0, 0, 0)},
    "baibian": {"double": (4, 4, -4, -4), "single": (2, -2, 2, -2), "level": (1, 0, 0, 1)},
}
TIERS = ((96000, 30), (16000, 20), (5000, 10), (2000, 5), (500, 2))


def tier(total):
    """Stake factor of ``diexiang`` for a total before the deal."""
    return next((factor for least, factor in TIERS if total >= least), 1)


def settle(rules, out, left, bombs, totals=None, options=(), leaver=None):
    """Section 8 as the answer dict. bombs: melds played, per seat. leaver: None or (seat, turns per seat)."""
    stars = [player_star(rules, b) for b in bombs]
    if leaver is not None and rules not in ("wenzhou", "diexiang"):
        return broken(rules, stars, bombs, *leaver)
    if not over(out):
        raise Fault("bad-request")
    places = places_of(out)
    partner_place = places[(out[0] + 2) % 4]
    result = {2: "double", 3: "single", 4: "level"}[partner_place]
    winners = out[0] % 2
    base = [BASE[rules][result][p - 1] for p in places]
    if "by_cards_left" in options:
        winners = 0 if {0, 2} <= set(out) else 1
        rest = sum(left[s] for s in range(4) if s % 2 != winners)
        result, worth = ("double", 3) if rest >= 12 else ("single", 2) if rest >= 7 else ("level", 1)
        base = [worth if s % 2 == winners else -worth for s in range(4)]
    if rules in ("jiangzhe", "jiangzhe3"):
        factor = multiplier(rules, max(stars))
    else:
        factor = multiplier(rules, max(stars[s] for s in range(4) if s % 2 == winners))
    extra = contributions(rules, bombs)
    stake = [tier(t) for t in totals] if totals and rules == "diexiang" else [1] * 4
    return {
        "result": result,
        "places": places,
        "base": base,
        "multiplier": factor,
        "contributions": extra,
        "points": [base[s] * factor * stake[s] + extra[s] for s in range(4)],
    }


def broken(rules, stars, bombs, seat, turns):
    """A deal that a player left (逃跑)."""
    points = [0] * 4
    extra = [0] * 4
    if rules in ("jiangzhe", "jiangzhe3"):
        factor = multiplier(rules, max(stars))
        d = (4 if rules == "jiangzhe" else 3) * factor
        best = [max(stars[0], stars[2]), max(stars[1], stars[3])]
        paid = 1 - seat % 2
        if max(best) >= 5 and best[0] != best[1]:
            paid = best.index(max(best))
        for s in range(4):
            if s == seat:
                points[s] = -3 * d
            elif s % 2 == paid:
                points[s] = d
    else:
        opponents = ((seat + 1) % 4, (seat + 3) % 4)
        factor = multiplier(rules, max(stars[s] for s in opponents))
        points[seat] = -16 * {1: 1, 2: 1, 4: 2, 8: 4, 16: 8}[factor]
        if max(turns) > 3:
            for s in opponents:
                points[s] = {1: 1, 2: 2, 4: 3, 8: 4, 16: 5}[factor]
        extra = contributions(rules, bombs, void=(seat, (seat + 2) % 4))
    return {
        "result": "broken",
        "places": None,
        "base": None,
        "multiplier": factor,
        "contributions": extra,
        "points": [points[s] + extra[s] for s in range(4)],
    }


# --- CONFORMANCE.md -------------------------------------------------------------------------------


def _is_int(v):
    return isinstance(v, int) and not isinstance(v, bool)


def _ints(v, low=None, high=None):
    return (
        isinstance(v, list)
        and len(v) == 4
        and all(_is_int(i) and (low is None or low <= i) and (high is None or i <= high) for i in v)
    )


def _texts(v, most=None):
    return isinstance(v, list) and all(isinstance(t, str) for t in v) and (most is None or len(v) <= most)


def _seat(v):
    return _is_int(v) and 0 <= v <= 3


def _is_play(p):
    if isinstance(p, dict):
        return isinstance(p.get("cards"), str) and isinstance(p.get("as"), str)
    return isinstance(p, str)


def _is_leaver(v):
    return isinstance(v, dict) and _seat(v.get("seat")) and _ints(v.get("turns"), 0)


TEXT = (lambda v: isinstance(v, str),)
FIELDS = {
    "classify": {"rules": TEXT, "cards": TEXT},
    "star": {"rules": TEXT, "meld": TEXT},
    "beats": {"rules": TEXT, "new": TEXT, "old": TEXT},
    "melds": {"rules": TEXT, "hand": TEXT, "old": (lambda v: v is None or isinstance(v, str),)},
    "hint": {
        "rules": TEXT,
        "hand": TEXT,
        "old": (lambda v: v is None or isinstance(v, str),),
        "n": (lambda v: _is_int(v) and v >= 0,),
    },
    "player_star": {"rules": TEXT, "bombs": (lambda v: _texts(v, 27),)},
    "settle": {
        "rules": TEXT,
        "out": (lambda v: isinstance(v, list) and all(_seat(s) for s in v) and len(set(v)) == len(v),),
        "left": (lambda v: _ints(v, 0, 27),),
        "bombs": (lambda v: isinstance(v, list) and len(v) == 4 and all(_texts(b, 27) for b in v),),
        "totals": (_ints, "optional"),
        "options": (_texts, "optional"),
        "leaver": (_is_leaver, "optional"),
    },
    "deal": {"seed": (lambda v: isinstance(v, str) and re.fullmatch("[0-9a-fA-F]{64}", v) is not None,)},
    "replay": {
        "rules": TEXT,
        "hands": (lambda v: _texts(v) and len(v) == 4,),
        "lead": (_seat,),
        "plays": (lambda v: isinstance(v, list) and all(_is_play(p) for p in v),),
        "options": (_texts, "optional"),
    },
}


def answer(request):
    """The answer to a request of CONFORMANCE.md; an error answer holds only ``error`` (and ``at``)."""
    try:
        return _answer(request)
    except Fault as fault:
        return {"error": fault.args[0]}


def _answer(request):
    if not isinstance(request, dict) or not isinstance(request.get("op"), str) or request["op"] not in FIELDS:
        raise Fault("bad-request")
    op = request["op"]
    for name, (check, *optional) in FIELDS[op].items():
        if name not in request:
            if not optional:
                raise Fault("bad-request")
        elif not check(request[name]):
            raise Fault("bad-request")
    rules = request.get("rules")
    if op != "deal" and rules not in RULE_SETS:
        raise Fault("bad-rules")
    if any(o not in OPTIONS.get(rules, ()) for o in request.get("options", ())):
        raise Fault("bad-rules")
    return globals()["_op_" + op](rules, request)


def _op_classify(rules, q):
    found = classify(rules, [r for r, _ in read_cards(q["cards"])])
    reply = {"melds": [meld_text(m) for m in found]}
    if not found:
        reply["why"] = "no-meld"
    return reply


def _op_star(rules, q):
    return {"star": star(rules, read_meld(rules, q["meld"]))}


def _op_beats(rules, q):
    return {"beats": beats(rules, read_meld(rules, q["new"]), read_meld(rules, q["old"]))}


def _hand_and_old(rules, q):
    hand = [r for r, _ in read_cards(q["hand"])]
    if len(hand) > 27:
        raise Fault("bad-request")
    return hand, None if q["old"] is None else read_meld(rules, q["old"])


def _op_melds(rules, q):
    return {"melds": sorted(meld_text(m) for m in melds(rules, *_hand_and_old(rules, q)))}


def _op_hint(rules, q):
    _hand_and_old(rules, q)
    raise NotImplementedError("the order of hints is the engine's; see hint_faults")


def _op_player_star(rules, q):
    return {"star": player_star(rules, [read_meld(rules, t) for t in q["bombs"]])}


def _op_settle(rules, q):
    bombs = [[read_meld(rules, t) for t in b] for b in q["bombs"]]
    out, left, leaver = q["out"], q["left"], q.get("leaver")
    if any(over(out[:n]) for n in range(len(out))) or any((s in out) != (left[s] == 0) for s in range(4)):
        raise Fault("bad-request")
    if leaver is not None:
        leaver = leaver["seat"], leaver["turns"]
    return settle(rules, out, left, bombs, q.get("totals"), q.get("options", ()), leaver)


def _op_deal(_, q):
    seed = bytes.fromhex(q["seed"])
    deck, face_up, random_seat = deal(seed)
    return {
        "hands": [cards_text([code_card(c) for c in deck[s::4]]) for s in range(4)],
        "face_up": card_text(code_card(deck[face_up])),
        "face_up_seat": face_up % 4,
        "random_seat": random_seat,
        "commit": hashlib.sha256(b"shuangkou-deal" + seed).hexdigest(),
    }


def _op_replay(rules, q):
    hands = [read_cards(h) for h in q["hands"]]
    if not within_two_decks([c for h in hands for c in h]):
        raise Fault("bad-card")
    plays = []
    for p in q["plays"]:
        if isinstance(p, dict):
            plays.append((read_cards(p["cards"]), read_meld(rules, p["as"])))
        else:
            plays.append((None if p == "pass" else read_cards(p), None))
    if any(not 1 <= len(h) <= 27 for h in hands):
        raise Fault("bad-request")
    state = Play(rules, name_hands(hands), q["lead"])
    for at, (cards, wanted) in enumerate(plays):
        try:
            state.play(cards, wanted)
        except Fault as fault:
            return {"error": fault.args[0], "at": at}
    return {
        "turn": None if state.ended() else state.turn,
        "leading": not state.ended() and state.table is None,
        "table": None if state.table is None else meld_text(state.table),
        "out": state.out,
        "left": [len(h) for h in state.hands],
        "ended": state.ended(),
    }


def hint_faults(rules, hand, old, n, hints):
    """What is wrong with an answer to ``hint``: a list of sentences, [] if nothing.

    hand: cards text. old: meld text or None. hints: list of cards texts.
    """
    faults = []
    have = read_cards(hand)
    table = None if old is None else read_meld(rules, old)
    possible = melds(rules, [r for r, _ in have], table)
    if len(hints) > n:
        faults.append(f"{len(hints)} hints where {n} were asked for")
    if n and bool(hints) != bool(possible):
        faults.append(f"{len(hints)} hints although {len(possible)} melds are possible")
    seen = set()
    for i, text in enumerate(hints):
        cards = read_cards(text)
        if not take(list(name_hands([have, [], [], []])[0]), cards):
            faults.append(f"{text} is not held")
        good = [m for m in classify(rules, [r for r, _ in cards]) if beats(rules, m, table)]
        if not good:
            faults.append(f"{text} is no legal play")
            continue
        meld = good[0] if table is None else good[-1]
        if meld in seen:
            faults.append(f"{meld_text(meld)} is offered twice")
        seen.add(meld)
        if i == 0:
            plain = [m for m in possible if not star(rules, m)]
            if plain and star(rules, meld):
                faults.append(f"{text} is a bomb although {meld_text(plain[0])} would do")
            natural = [r for r, _ in have if r < SMALL]
            without = [m for m in melds(rules, natural, table) if not star(rules, m)]
            if without and any(r >= SMALL for r, _ in cards):
                faults.append(f"{text} uses a joker although {meld_text(without[0])} would do")
    return faults
