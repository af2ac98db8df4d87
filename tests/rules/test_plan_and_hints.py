"""The plan of a hand and the order of hints (RULES.md section 9.2, CONFORMANCE.md)."""

from shared_rules import cards, deal, hints, meld, plan, rulesets

H = hints.Hints()
OUT = bytearray(16)


def counts(text):
    """bytearray(16) of a text of ranks without spaces."""
    found = bytearray(16)
    for letter in text:
        found[cards.RANKS.find(letter)] += 1
        found[15] += 1
    return found


def hinted(id, hand, old="", raised="", bombs=False):
    """All hints in order, as (cards, meld) texts."""
    H.start(rulesets.get(id), counts(hand), meld.parse(old) if old else 0, counts(raised) if raised else None, bombs)
    while not H.work():
        pass
    found = []
    while True:
        m = H.next(OUT)
        if m == 0 or H.again:
            return found
        found.append(("".join([cards.RANKS[r] * OUT[r] for r in range(15)]), meld.text(m)))


def melds(*args, **more):
    """The melds of the hints, in order."""
    return [m for _, m in hinted(*args, **more)]


def planned(hand):
    """Sequences of a hand's plan and the number of plays."""
    p = plan.Plan()
    p.start(counts(hand))
    while not p.work():
        pass
    return sorted([meld.text(p.melds[i]) for i in range(p.n)]), p.plays


def test_a_plan_takes_sequences_that_save_plays():
    for hand, sequences, plays in (
        ("3456789", ["straight7:9"], 1),
        ("334455", ["pairs3:5"], 1),
        ("333444555", ["triples3:5"], 1),
        ("3456677", ["straight5:7"], 3),
        ("3334567888", ["straight5:7"], 3),
        ("33445566788", ["pairs4:6"], 3),
        ("3456789TJQKA2", ["straight12:A"], 2),
        ("34", [], 2),
        ("QKA2", [], 4),
        ("", [], 0),
    ):
        assert planned(hand) == (sequences, plays), hand


def test_a_plan_leaves_bombs_whole_unless_two_plays_are_saved():
    assert planned("34566667")[0] == ["straight5:7"]
    assert planned("3344556666")[0] == ["pairs3:5"]
    assert planned("344455566678")[0] == ["triples3:6"] or planned("344455566678")[1] <= 4
    assert planned("55556666")[0] == []


def test_a_lead_starts_with_the_long_sequence_then_the_low_groups():
    assert melds("wenzhou", "3345678922")[:3] == ["straight6:9", "pair:3", "pair:2"]


def test_bombs_come_last_from_small_to_large():
    assert melds("wenzhou", "33335555588", "pair:7")[:1] == ["pair:8"]
    assert melds("wenzhou", "33335555588", "pair:9") == ["bomb4:3", "bomb4:5", "bomb5:5"]
    assert melds("wenzhou", "77778888999933333KKKKKK", "pair:2") == [
        "bomb4:3",
        "bomb4:7",
        "bomb4:8",
        "bomb4:9",
        "bomb4:K",
        "bomb5:3",
        "bomb5:K",
        "bomb6:K",
        "chain4x3/12:9",
    ]


def test_the_bomb_hint_gives_bombs_only():
    assert melds("diexiang", "3999955555KKxxX", bombs=True) == [
        "bomb4:3",
        "bomb4:5",
        "bomb4:9",
        "bomb4:K",
        "bomb5:5",
        "bomb5:9",
        "bomb5:K",
        "jokers3",
        "bomb6:5",
        "bomb6:9",
        "bomb7:5",
        "bomb7:9",
        "bomb8:5",
    ]
    assert melds("wenzhou", "3456789", bombs=True) == []


def test_following_is_cheap():
    for hand, old, first in (
        ("455779922", "single:4", "single:5"),  # nothing is single: the lowest pair is broken
        ("455777899", "single:4", "single:8"),  # a single stands alone
        ("4456799", "single:5", "single:6"),
        ("667777889", "pair:5", "pair:6"),
        ("77778899", "pair:6", "pair:8"),  # a bomb is kept whole
        ("3456789QQ", "single:T", "single:Q"),  # rather than no play
        ("345678A2", "single:9", "single:A"),  # the sequence stays whole
        ("66677899", "triple:5", "triple:6"),
    ):
        assert melds("wenzhou", hand, old)[0] == first, (hand, old)


def test_jokers_are_kept():
    for id in rulesets.RULE_SETS:
        assert hinted(id, "9Xx", "single:8")[0] == ("9", "single:9"), id
        assert hinted(id, "7777X", "single:6")[0] == ("7", "single:7"), id
        assert hinted(id, "7777X", "pair:6")[0] == ("77", "pair:7"), id
    assert hinted("wenzhou", "79xX", "pair:8")[0] == ("9x", "pair:9")  # the small joker goes first


def test_raised_cards_are_completed_to_a_legal_play():
    for hand, old, raised, first in (
        ("3456789TT", "", "5", ("3456789", "straight7:9")),
        ("3456789TT", "", "T", ("TT", "pair:T")),
        ("3456789TT", "single:4", "T", ("T", "single:T")),
        ("33445566", "pairs3:5", "5", ("445566", "pairs3:6")),
        ("5566677xX", "", "X", None),
        ("34567xX", "straight5:7", "X", ("4567X", "straight5:8")),
        ("34567xX", "straight5:6", "34567", ("34567", "straight5:7")),
        ("666888", "pair:5", "8", ("88", "pair:8")),
        ("4444999X", "triple:8", "X", ("99X", "triple:9")),
    ):
        found = hinted("wenzhou", hand, old, raised)
        if first is not None:
            assert found[0] == first, (hand, old, raised)
        for letter in set(raised):
            assert found[0][0].count(letter) >= raised.count(letter), (hand, old, raised)


def test_raised_cards_that_are_in_no_play_do_not_stop_hints():
    found = hinted("wenzhou", "334KK", "pair:5", "34")
    assert [m for _, m in found] == ["pair:K"]


def test_hints_go_round():
    H.start(rulesets.get("wenzhou"), counts("569"), meld.parse("single:4"))
    while not H.work():
        pass
    seen = []
    for _ in range(7):
        seen.append((meld.text(H.next(OUT)), H.again))
    first = [("single:5", False), ("single:6", False), ("single:9", False)]
    assert seen == first + [("single:5", True), ("single:6", False), ("single:9", False), ("single:5", True)]


def test_no_hint_when_nothing_is_legal():
    for id in rulesets.RULE_SETS:
        for hand, old in (("34567", "single:7"), ("3344", "pair:4"), ("333", "bomb4:3"), ("34", "jokers4")):
            assert hinted(id, hand, old) == [], (id, hand, old)


def test_every_hint_is_legal_and_no_meld_comes_twice():
    from array import array

    from shared_rules import generate, table

    every = array("i", [0] * generate.MOST)
    readings = array("i", [0] * 8)
    raised = bytearray(16)
    for n, id in enumerate(rulesets.RULE_SETS):
        rules = rulesets.get(id)
        for seat, hand in enumerate(deal.shuffle(bytes([n, 9] * 16)).hands()):
            own = bytearray(16)
            cards.count(hand, own)
            for old in ("", "single:9", "pair:4", "straight5:8", "bomb4:7", "jokers3"):
                old = meld.parse(old) if old else 0
                H.start(rules, own, old)
                while not H.work():
                    pass
                seen = set()
                while True:
                    m = H.next(raised)
                    if m == 0 or H.again:
                        break
                    assert table.read(rules, raised, old, 0, readings) == m, (id, seat, meld.text(m))
                    assert m not in seen, (id, seat, meld.text(m))
                    for r in range(16):
                        assert raised[r] <= own[r], (id, seat, meld.text(m))
                    seen.add(m)
                possible = generate.melds(rules, own, old, every)
                # the few that are missing need more jokers than they must, or are read as something else
                assert len(seen) >= possible * 9 // 10, (id, seat, meld.text(old))
                assert (possible > 0) == (len(seen) > 0), (id, seat, meld.text(old))


def test_a_slice_of_thinking_is_short():
    slices = 0
    H.start(rulesets.get("wenzhou"), counts("334445567789TTJQQKKAA22xxXX"), 0)
    while not H.work():
        slices += 1
    assert slices > 15
