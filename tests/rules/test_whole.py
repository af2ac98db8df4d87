"""Generator, classifier and comparison held against each other, in whichever interpreter runs this file."""

from array import array

from host import deals
from shared_rules import cards, classify, compare, generate, meld, rulesets, table

_out = array("i", [0] * generate.MOST)
_readings = array("i", [0] * 8)

# small hands that are full of melds, as text of ranks
HANDS = (
    "34567xX",
    "5xxXX",
    "3344556X",
    "333444xX",
    "JQKA2xX",
    "TTJJQQKx",
    "3344445X",
    "2222xXX",
    "33445566",
)
# hands for chain bombs: too many sub-multisets to try all, so these are thinned
CHAINS = ("3333444455xxX", "QQQQKKKKAAAA", "333344445555x", "TTTTTJJJJQQQX")


def counts_of(text):
    """bytearray(16) of a text of ranks."""
    counts = bytearray(16)
    for letter in text:
        counts["3456789TJQKA2xX".index(letter)] += 1
        counts[15] += 1
    return counts


def sub_multisets(counts, least):
    """All sub-multisets of a hand; of ranks in ``least`` never fewer than said (0 cards apart)."""
    taken = bytearray(16)
    while True:
        r = 0
        while r < 15:
            if taken[r] < counts[r]:
                step = max(1, least - taken[r]) if r < 13 else 1
                step = min(step, counts[r] - taken[r])
                taken[r] += step
                taken[15] += step
                break
            taken[15] -= taken[r]
            taken[r] = 0
            r += 1
        if r == 15:
            return
        yield taken


def melds_by_classifier(rules, counts, least=1):
    """Set of all melds that sub-multisets of the hand make."""
    found = set()
    for taken in sub_multisets(counts, least):
        for i in range(classify.classify(rules, taken, _readings)):
            found.add(_readings[i])
    return found


def generated(rules, counts, old=0):
    """List of the melds that the generator gives."""
    n = generate.melds(rules, counts, old, _out)
    return [_out[i] for i in range(n)]


def names(melds):
    """Sorted texts, for a readable difference."""
    return sorted([meld.text(m) for m in melds])


def test_generator_and_classifier_find_the_same_melds():
    for text in HANDS:
        counts = counts_of(text)
        for id in rulesets.RULE_SETS:
            rules = rulesets.get(id)
            made = generated(rules, counts)
            assert len(made) == len(set(made)), (text, id, "a meld twice")
            assert names(made) == names(melds_by_classifier(rules, counts)), (text, id)


def test_generator_and_classifier_find_the_same_chain_bombs():
    for text in CHAINS:
        counts = counts_of(text)
        for id in ("wenzhou", "baibian"):
            rules = rulesets.get(id)
            made = [m for m in generated(rules, counts) if meld.kind(m) == meld.CHAIN]
            found = [m for m in melds_by_classifier(rules, counts, 2) if meld.kind(m) == meld.CHAIN]
            assert names(made) == names(found), (text, id)


def test_on_a_meld_the_generator_gives_exactly_what_beats_it():
    for text in HANDS + CHAINS:
        counts = counts_of(text)
        for id in rulesets.RULE_SETS:
            rules = rulesets.get(id)
            everything = generated(rules, counts)
            for old in everything[:: 1 + len(everything) // 20]:
                wanted = [m for m in everything if compare.beats(rules, m, old)]
                assert names(generated(rules, counts, old)) == names(wanted), (text, id, meld.text(old))


def test_the_cards_picked_for_a_meld_make_it_and_are_of_the_hand():
    picked = bytearray(16)
    for text in HANDS + CHAINS:
        counts = counts_of(text)
        for id in rulesets.RULE_SETS:
            rules = rulesets.get(id)
            for m in generated(rules, counts):
                assert generate.pick(rules, counts, m, picked) == meld.size(m), (text, id, meld.text(m))
                for r in range(15):
                    assert picked[r] <= counts[r], (text, id, meld.text(m))
                n = classify.classify(rules, picked, _readings)
                assert m in [_readings[i] for i in range(n)], (text, id, meld.text(m))


def some_melds(rules):
    """About 110 melds of every kind: all stars, few lengths and tops."""
    found = [meld.THREE_JOKERS, meld.FOUR_JOKERS]
    for text in ("single", "pair", "triple", "straight5", "straight6", "pairs3", "triples3"):
        found += [meld.parse(text + ":" + top) for top in "79A2xX"]
    for n in range(4, 13):
        found += [meld.parse(f"bomb{n}:{top}", rules.bomb_most) for top in "3A"]
    for p in range(4, 10):
        for k in range(3, 7):
            for n in range(p * k, min(28, p * k + 2)):
                found += [meld.parse(f"chain{p}x{k}/{n}:{top}") for top in "8A"]
    return [m for m in found if m]


def test_nothing_beats_itself_and_no_two_beat_each_other():
    for id in rulesets.RULE_SETS:
        rules = rulesets.get(id)
        melds = some_melds(rules)
        for a in melds:
            for b in melds:
                both = compare.beats(rules, a, b) and compare.beats(rules, b, a)
                assert not both, (id, meld.text(a), meld.text(b))


def test_what_beats_a_meld_beats_what_that_beats():
    for id in rulesets.RULE_SETS:
        rules = rulesets.get(id)
        melds = some_melds(rules)
        beaten = []  # for each meld the ones it beats, as bits of bytes
        for a in melds:
            row = bytearray((len(melds) + 7) // 8)
            for i in range(len(melds)):
                if compare.beats(rules, a, melds[i]):
                    row[i >> 3] |= 1 << (i & 7)
            beaten.append(row)
        for i in range(len(melds)):
            mine = beaten[i]
            for j in range(len(melds)):
                if mine[j >> 3] >> (j & 7) & 1:
                    its = beaten[j]
                    for k in range(len(its)):
                        assert its[k] & ~mine[k] == 0, (id, meld.text(melds[i]), meld.text(melds[j]))


def test_bombs_of_different_cards_or_top_are_ordered_except_wenzhous_chains():
    for id in rulesets.RULE_SETS:
        rules = rulesets.get(id)
        bombs = [m for m in some_melds(rules) if meld.is_bomb(m)]
        for a in bombs:
            for b in bombs:
                if compare.beats(rules, a, b) or compare.beats(rules, b, a):
                    continue
                same = compare.star(rules, a) == compare.star(rules, b)
                alike = meld.size(a) == meld.size(b) and meld.top(a) == meld.top(b)
                chains = meld.kind(a) == meld.CHAIN == meld.kind(b)
                unequal = chains and id == "wenzhou"
                assert a == b or same and (alike or unequal), (id, meld.text(a), meld.text(b))


def state(t):
    """All that a deal is, of a Table."""
    hands = [bytes(c) for c in t.counts] + [bytes(c) for c in t.cards]
    rest = [t.turn, t.meld, t.owner, list(t.out), t.ended, list(t.last), list(t.turns), t.n_plays, t.passes]
    return hands + [bytes(e) for e in t.events] + rest + [bytes(t.shown[: t.n_shown])]


def test_a_history_played_again_gives_the_same_deal_so_far():
    for id in rulesets.RULE_SETS:
        randoms = deals.Randoms(id, 77)
        again = table.Table(randoms.rules)
        randoms.begin(deals.seed_of(9))
        t = randoms.table
        hands = [[c for c in range(108) if cards.has(d, c)] for d in t.dealt]
        lead = t.turn
        while not t.ended:
            for _ in range(9):
                if not t.ended:
                    randoms.turn()
            again.begin(hands, lead)
            assert again.replay(t.history, t.n_plays) == t.n_plays
            for _ in range(t.passes):
                again.pass_(again.turn)
            assert state(again) == state(t), (id, t.n_plays)
