"""Random questions about the rules, seeded: the same seed asks the same. For test_brute.py and the fuzz command."""

import functools

import brute

OPS = ("classify", "star", "beats", "melds", "hint", "player_star", "settle", "deal", "replay")
LETTERS = brute.RANKS
TOTALS = (-1000, 0, 1, 499, 500, 501, 1999, 2000, 4999, 5000, 15999, 16000, 95999, 96000, 123456)


@functools.cache
def all_melds(rules):
    """Every meld text of a rule set, by trying every number in range."""
    texts = ["jokers3", "jokers4"]
    texts += [f"{kind}:{r}" for kind in ("single", "pair", "triple") for r in LETTERS]
    texts += [
        f"{kind}{n}:{r}" for kind in ("straight", "pairs", "triples", "bomb") for n in range(14) for r in LETTERS
    ]
    texts += [
        f"chain{p}x{k}/{n}:{r}"
        for p in range(4, 10)
        for k in range(3, 7)
        for n in range(p * k, 28)
        for r in LETTERS
    ]
    found = {}
    for text in texts:
        try:
            found[text] = brute.read_meld(rules, text)
        except brute.Fault:
            continue
    return found


def deck():
    """The 108 cards as (rank, suit)."""
    return [brute.code_card(c) for c in range(108)]


def meldish(random, rules, loose=0.2):
    """Cards (rank letters) that make a meld or nearly: a random meld, cards replaced by jokers, some noise."""
    text = random.choice(list(all_melds(rules)))
    m = all_melds(rules)[text]
    if m.kind.startswith("jokers"):
        ranks = random.sample([13, 13, 14, 14], m.size)
    elif m.kind == "chain":
        sizes = [m.smallest] * m.ranks
        for _ in range(m.size - sum(sizes)):
            sizes[random.randrange(m.ranks)] += 1
        ranks = [m.top - i for i, n in enumerate(sizes) for _ in range(n)]
    else:
        ranks = [m.top - i for i in range(m.ranks) for _ in range(m.smallest)]
    jokers = [13, 13, 14, 14]
    for r in ranks:
        if r in jokers:
            jokers.remove(r)
    random.shuffle(jokers)
    for joker in jokers[: random.randint(0, min(len(jokers), len(ranks)))]:
        if random.random() < 0.6:
            ranks[random.randrange(len(ranks))] = joker
    while random.random() < loose:
        change = random.randrange(3)
        if change == 0:
            ranks.append(random.randrange(15))
        elif change == 1 and len(ranks) > 1:
            ranks.pop(random.randrange(len(ranks)))
        else:
            ranks[random.randrange(len(ranks))] = random.randrange(15)
    random.shuffle(ranks)
    return [LETTERS[r] for r in ranks]


def hand(random, size, dense):
    """A hand from two decks; dense: of few neighbouring ranks and many jokers, so that it is full of melds."""
    cards = deck()
    if dense:
        low = random.randrange(0, 9)
        high = low + random.randint(2, 6)
        cards = [c for c in cards if low <= c[0] <= high or c[0] >= 13 and random.random() < 0.8]
    return random.sample(cards, min(size, len(cards)))


def text(random, cards, suits):
    """Text of (rank, suit) cards."""
    return " ".join(LETTERS[r] + (s if suits else "") for r, s in cards)


def ask(random, op, rules, largest=14):
    """One request of this op."""
    melds = list(all_melds(rules))
    if op == "classify":
        return {"op": op, "rules": rules, "cards": " ".join(meldish(random, rules))}
    if op == "star":
        return {"op": op, "rules": rules, "meld": random.choice(melds)}
    if op == "beats":
        new = random.choice(melds)
        old = random.choice(melds)
        if random.random() < 0.7:  # of one star, where the rule sets differ
            star = brute.star(rules, all_melds(rules)[new])
            old = random.choice([t for t, m in all_melds(rules).items() if brute.star(rules, m) == star])
        return {"op": op, "rules": rules, "new": new, "old": old}
    if op in ("melds", "hint"):
        cards = hand(random, random.randint(1, largest), random.random() < 0.7)
        old = None
        if random.random() < 0.6:
            own = [brute.meld_text(m) for m in brute.melds(rules, [r for r, _ in cards])]
            old = random.choice(own if random.random() < 0.8 else melds)
        q = {"op": op, "rules": rules, "hand": text(random, cards, random.random() < 0.5), "old": old}
        if op == "hint":
            q["n"] = random.choice((1, 3, 1000))
        return q
    if op == "player_star":
        return {"op": op, "rules": rules, "bombs": bombs(random, melds)}
    if op == "settle":
        return settle(random, rules, melds)
    if op == "deal":
        return {"op": op, "seed": random.randbytes(32).hex()}
    return replay(random, rules)


def bombs(random, melds):
    """What one player played: mostly bombs, mostly small ones."""
    likely = [t for t in melds if t.startswith("bomb") and t[4] in "45678" or t.startswith("jokers")]
    some = random.choice((0, 0, 1, 1, 2, 3, 5))
    return [random.choice(likely if random.random() < 0.8 else melds) for _ in range(some)]


def settle(random, rules, melds):
    """A settlement, of an ended deal or one that was left."""
    q = {"op": "settle", "rules": rules, "bombs": [bombs(random, melds) for _ in range(4)]}
    order = random.sample(range(4), 4)
    out = []
    for s in order:
        if brute.over(out):
            break
        out.append(s)
    if random.random() < 0.3:
        q["leaver"] = {"seat": random.randrange(4), "turns": [random.randint(0, 6) for _ in range(4)]}
        out = out[: random.randint(0, len(out) - 1)]
        if q["leaver"]["seat"] in out:
            out = []
    q["out"] = out
    q["left"] = [0 if s in out else random.randint(1, 14) for s in range(4)]
    if random.random() < 0.5:
        q["totals"] = [random.choice(TOTALS) for _ in range(4)]
    if rules == "wenzhou" and random.random() < 0.4:
        q["options"] = ["by_cards_left"]
    return q


def replay(random, rules):
    """A deal, played legally for a while by drawing plays at random, then perhaps one wrong play."""
    size = random.choice((3, 5, 8, 12))
    cards = random.sample(deck(), 108)
    if random.random() < 0.6:
        cards = [c for c in cards if c[0] in (3, 4, 5, 6, 13, 14)]
    sizes = [random.randint(1, min(size, len(cards) // 4)) for _ in range(4)]
    hands = [[cards.pop() for _ in range(n)] for n in sizes]
    suits = random.random() < 0.7
    lead = random.randrange(4)
    state = brute.Play(rules, [list(h) for h in hands], lead)
    plays = []
    stop = random.choice((2, 10, 1000))
    while len(plays) < stop and not state.ended():
        play = random_play(random, state, suits)
        if play == "pass":
            state.play(None)
        elif isinstance(play, dict):
            state.play(brute.read_cards(play["cards"]), brute.read_meld(rules, play["as"]))
        else:
            state.play(brute.read_cards(play))
        plays.append(play)
    if random.random() < 0.5:
        wrong = random.choice(("pass", "", "3", " ".join(meldish(random, rules)), "x X"))
        if random.random() < 0.3:
            wrong = {"cards": wrong if wrong != "pass" else "5", "as": random.choice(list(all_melds(rules)))}
        plays.append(wrong)
    return {
        "op": "replay",
        "rules": rules,
        "hands": [text(random, h, suits) for h in hands],
        "lead": lead,
        "plays": plays,
    }


def random_play(random, state, suits):
    """A legal play drawn at random: "pass", cards, or cards with ``as``."""
    own = state.hands[state.turn]
    ways = {}
    for cards in brute.candidates(state.rules, [r for r, _ in own]):
        good = [m for m in brute.classify(state.rules, cards) if brute.beats(state.rules, m, state.table)]
        if good:
            ways[tuple(sorted(cards))] = good
    if not ways or (state.table is not None and random.random() < 0.3):
        return "pass"
    ranks = random.choice(sorted(ways))
    pool = random.sample(own, len(own))
    jokers = [c for c in pool if c[0] >= 13]
    taken = []
    for r in ranks:
        same = [c for c in pool if c[0] == r] or [c for c in jokers if c in pool]
        taken.append(same[0])
        pool.remove(same[0])
    if brute.classify(state.rules, [r for r, _ in taken]) != brute.classify(state.rules, ranks):
        return "pass" if state.table is not None else text(random, own[:1], suits)
    named = suits and random.random() < 0.5
    random.shuffle(taken)
    cards = text(random, taken, named)
    if random.random() < 0.4:
        return {"cards": cards, "as": brute.meld_text(random.choice(ways[ranks]))}
    return cards
