"""Codes of cards, hands, and melds as text and as one integer (RULES.md sections 2 and 3)."""

from shared_rules import cards, meld


def test_a_code_has_rank_suit_and_text():
    for code, rank, suit, text in (
        (0, 0, 0, "3d"),
        (5, 1, 1, "4c"),
        (30, 7, 2, "Th"),
        (51, 12, 3, "2s"),
        (52, 13, 0, "x"),
        (53, 14, 0, "X"),
        (54, 0, 0, "3d"),
        (107, 14, 0, "X"),
    ):
        assert cards.rank(code) == rank, code
        assert cards.suit(code) == suit, code
        assert cards.text(code) == text, code


def test_cards_are_read_in_either_case_but_jokers_as_written():
    for word, card in (("t", 7 * 8 + 4), ("Ts", 7 * 8 + 3), ("tS", 7 * 8 + 3), ("x", 13 * 8 + 4), ("X", 14 * 8 + 4)):
        assert cards.read(word) == card, word
    for word in ("", "1", "10", "xs", "Xd", "TT", "Tx", "3dd", "sT", " "):
        assert cards.read(word) == -1, word


def test_two_decks_hold_eight_of_a_rank_two_of_a_card_and_two_of_each_joker():
    for word, most in (("7", 8), ("7h", 2), ("x", 2), ("X", 2)):
        used = bytearray(14)
        n = 0
        while cards.place(cards.read(word), used) >= 0:
            n += 1
        assert n == most, word


def test_a_card_without_suit_takes_the_lowest_free_one():
    used = bytearray(14)
    assert [cards.text(cards.place(cards.read("9"), used)) for _ in range(4)] == ["9d", "9d", "9c", "9c"]


def test_every_card_stands_once_in_an_identity_of_112_bits():
    identity = bytearray(14)
    for code in range(108):
        assert not cards.has(identity, code), code
        cards.put(identity, code)
        assert cards.has(identity, code), code
    for code in range(108):
        cards.remove(identity, code)
    assert identity == bytearray(14)


def every_meld():
    """All melds in range, as integers."""
    found = [meld.THREE_JOKERS, meld.FOUR_JOKERS]
    for r in range(15):
        for n in range(1, 13):
            if n < 3 or r < 13:
                found.append(meld.same_rank(r, n))
    for unit, least in ((1, 5), (2, 3), (3, 3)):
        for k in range(least, 13):
            for top in range(k - 1, 12):
                if unit * k <= 27:
                    found.append(meld.sequence(unit, k, top))
    for k in range(3, 7):
        for p in range(4, 10):
            for n in range(p * k, 28):
                for top in range(k - 1, 12):
                    found.append(meld.chain(p, k, n, top))
    return found


def test_every_meld_is_an_integer_of_21_bits_and_its_text_is_read_back():
    melds = every_meld()
    assert len(set(melds)) == len(melds)
    for m in melds:
        assert 0 < m < 1 << 21, m
        assert meld.parse(meld.text(m)) == m, meld.text(m)


def test_fields_of_a_meld():
    for text, kind, top, ranks, smallest, size in (
        ("single:X", meld.SINGLE, 14, 1, 1, 1),
        ("triple:2", meld.TRIPLE, 12, 1, 3, 3),
        ("straight6:T", meld.STRAIGHT, 7, 6, 1, 6),
        ("pairs3:5", meld.PAIRS, 2, 3, 2, 6),
        ("triples4:A", meld.TRIPLES, 11, 4, 3, 12),
        ("bomb9:K", meld.BOMB, 10, 1, 9, 9),
        ("chain4x3/14:5", meld.CHAIN, 2, 3, 4, 14),
        ("jokers4", meld.JOKERS4, 14, 1, 4, 4),
    ):
        m = meld.parse(text)
        fields = (meld.kind(m), meld.top(m), meld.ranks(m), meld.smallest(m), meld.size(m))
        assert fields == (kind, top, ranks, smallest, size), text
        assert meld.is_bomb(m) == (kind >= meld.BOMB), text


def test_texts_out_of_range_are_no_melds():
    for text in (
        "bomb3:5 bomb13:5 bomb4:x bomb04:5 bomb:5 straight4:8 straight5:6 straight5:2 straight13:A pairs2:4 pairs3:4 "
        "pairs3:2 triples3:4 triples10:A triple:x triple:X single: single:10 single pair:33 chain4x2/8:5 chain4x7/28:A "
        "chain3x3/9:5 chain4x3/11:5 chain4x3/28:5 chain4x3:5 chain4/12:5 chain4x3/12:2 chain4x3/12:4 jokers2 jokers5"
    ).split():
        assert meld.parse(text) == 0, text
    assert meld.parse("") == 0
    assert meld.parse("bomb11:5", 10) == 0
    assert meld.parse("bomb10:5", 10) > 0
