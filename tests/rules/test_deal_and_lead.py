"""First lead and change of seats (RULES.md section 5). The shuffle itself stands in the vectors."""

from shared_rules import cards, deal, rulesets


def find(wanted):
    """The first of some seeds whose deal is as wanted."""
    for n in range(400):
        d = deal.shuffle(bytes([n & 255, n >> 8] + [7] * 30))
        if wanted(d):
            return d
    raise AssertionError("no such deal")


def test_four_hands_of_27_hold_every_card_once():
    hands = deal.shuffle(bytes(32)).hands()
    codes = []
    for hand in hands:
        assert len(hand) == 27
        assert list(hand) == sorted(hand)
        codes += list(hand)
    assert sorted(codes) == list(range(108))


def test_who_leads_first():
    d = find(lambda d: d.face_up % 4 != d.random_seat)
    for id, last, seat in (
        ("wenzhou", (), d.random_seat),
        ("wenzhou", (3, "single"), d.random_seat),
        ("jiangzhe", (), d.face_up % 4),
        ("jiangzhe3", (3, "level"), d.face_up % 4),
        ("baibian", (), d.face_up % 4),
        ("diexiang", (), d.random_seat),
        ("diexiang", (3, "single"), 3),
        ("diexiang", (2, "level"), 2),
        ("diexiang", (2, "double"), d.random_seat),
        ("diexiang", (2, "broken"), d.random_seat),
    ):
        assert deal.first_lead(rulesets.get(id), d, *last) == seat, (id, last)


def test_the_twin_of_the_face_up_card_makes_the_partner():
    rules = rulesets.get("baibian")
    for apart in range(4):
        d = find(lambda d, apart=apart: (deal.twin_seat(d) - d.face_up) % 4 == apart)
        code = d.deck[d.face_up]
        twin = deal.twin_seat(d)
        assert (code + 54) % 108 in list(d.hand(twin)), apart
        assert cards.text(code) == cards.text((code + 54) % 108), apart
        lead = d.face_up % 4
        change = deal.seat_change(rules, d)
        if apart in (0, 2):  # the leader holds both, or they sit opposite as it is
            assert change == 0, apart
        else:
            assert sorted((change >> 2, change & 3)) == sorted(((lead + 2) % 4, twin)), apart
        assert deal.seat_change(rulesets.get("wenzhou"), d) == 0, apart
