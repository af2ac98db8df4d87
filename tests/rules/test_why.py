"""Why a play is refused, in three languages, and the names of melds."""

from shared_rules import cards, meld, rulesets, table, why

HANS, HANT, EN = range(3)


def counts(text):
    """bytearray(16) of a text of ranks without spaces."""
    found = bytearray(16)
    for letter in text:
        found[cards.RANKS.find(letter)] += 1
        found[15] += 1
    return found


def test_melds_have_names():
    for text, hans, hant, en in (
        ("single:T", "单张 10", "單張 10", "Single 10"),
        ("pair:X", "对子 大王", "對子 大王", "Pair big joker"),
        ("straight5:A", "顺子 10–A", "順子 10–A", "Straight 10–A"),
        ("pairs3:8", "连对 6–8", "連對 6–8", "Pairs 6–8"),
        ("triples3:5", "连三张 3–5", "連三張 3–5", "Triples 3–5"),
        ("bomb5:9", "炸弹 9 ×5", "炸彈 9 ×5", "Bomb 9 ×5"),
        ("chain4x3/14:5", "连炸 3–5 4×3", "連炸 3–5 4×3", "Chain 3–5 4×3"),
        ("jokers3", "三王", "三王", "Three jokers"),
        ("jokers4", "天王", "天王", "Four jokers"),
    ):
        m = meld.parse(text)
        assert [why.meld_name(lang, m) for lang in range(3)] == [hans, hant, en], text
    assert why.meld_name(HANS, 0) == ""


def test_a_play_that_is_too_low_is_told_what_it_takes():
    for id, tried, old, hans, en in (
        ("wenzhou", "triple:9", "triple:J", "三张要高过 J，你的是 9", "Triple above J; yours is 9"),
        ("wenzhou", "triple:9", "pairs3:8", "要更大的连对，或炸弹", "Higher pairs or a bomb needed"),
        ("wenzhou", "straight5:9", "straight6:9", "顺子要 6 张，你的是 5 张", "Straight of 6 cards; yours has 5"),
        ("wenzhou", "triple:9", "bomb5:9", "要更大的炸弹", "Needs a higher bomb"),
        ("wenzhou", "bomb4:9", "bomb5:3", "4 星压不过 5 星", "4 stars do not beat 5"),
        ("jiangzhe", "bomb4:9", "bomb5:3", "4 相压不过 5 相", "4 stars do not beat 5"),
        ("wenzhou", "bomb5:3", "bomb5:9", "同为 5 星，要高过 9", "Both 5 stars: above 9 wins"),
        ("wenzhou", "jokers4", "bomb7:9", "同为 7 星，炸弹更大", "Both 7 stars: bomb higher"),
        ("jiangzhe", "bomb7:9", "jokers4", "同为 7 相，张数少的大", "Both 7 stars: fewer cards win"),
        ("diexiang", "jokers3", "bomb6:9", "同为 6 相，张数多的大", "Both 6 stars: more cards win"),
    ):
        row = rulesets.get(id)
        asked = (table.DOES_NOT_BEAT, meld.parse(tried), meld.parse(old), row)
        assert why.short(HANS, *asked) == hans, (tried, old)
        assert why.short(EN, *asked) == en, (tried, old)
    asked = (table.DOES_NOT_BEAT, meld.parse("chain5x3/15:5"), meld.parse("chain4x4/16:6"), rulesets.get("wenzhou"))
    assert why.short(EN, *asked) == "Chains of other shapes do not compare"
    # of one shape's stars, cards and top, but only wenzhou compares shapes
    asked = (table.DOES_NOT_BEAT, meld.parse("chain6x3/24:T"), meld.parse("chain4x5/24:T"), rulesets.get("diexiang"))
    assert why.short(EN, *asked) == "Both 9 stars: above 10 wins"


def test_cards_that_make_no_meld_are_told_why():
    for id, hand, en in (
        ("wenzhou", "33344", "A triple carries no cards"),
        ("wenzhou", "3456", "A straight needs five cards"),
        ("wenzhou", "3344", "Pairs in a row: at least three"),
        ("wenzhou", "333444", "Triples in a row: at least three"),
        ("wenzhou", "JQKA2", "A 2 stands in no sequence"),
        ("wenzhou", "359", "These cards make no meld"),
        ("baibian", "33x", "The small joker is not wild"),
    ):
        assert why.short(EN, table.NO_MELD, 0, 0, rulesets.get(id), counts(hand)) == en, hand


def test_every_refusal_is_a_sentence_in_every_language():
    for code in (
        table.NO_MELD,
        table.DOES_NOT_BEAT,
        table.NOT_HELD,
        table.MUST_LEAD,
        table.NOT_OFFERED,
        table.ENDED,
    ):
        said = [why.sentence(lang, code, meld.parse("pair:3"), meld.parse("pair:9")) for lang in range(3)]
        assert len(set(said)) == 3, code
        assert said[EN][-1] == ".", code
        assert said[HANS][-1] == said[HANT][-1] == "。", code
        for text in said:
            assert "{" not in text, text


def test_no_words_are_left_open_for_any_two_melds():
    texts = (
        "single:3 single:X pair:x triple:2 straight5:8 straight6:9 pairs3:7 triples3:9 bomb4:3 bomb6:2 bomb7:5 "
        "chain4x3/12:5 chain4x3/14:8 chain5x3/15:9 chain4x4/16:6 jokers3 jokers4"
    ).split()
    for id in rulesets.RULE_SETS:
        row = rulesets.get(id)
        for old in texts:
            for tried in texts:
                for lang in (HANT, EN):
                    text = why.sentence(lang, table.DOES_NOT_BEAT, meld.parse(tried), meld.parse(old), row)
                    assert "{" not in text, (id, tried, old)


def test_a_refusal_fits_the_message_line():
    # 200 pixels: 16 a Chinese character, 8 others at most
    for id, tried, old in (
        ("wenzhou", "triple:9", "triple:J"),
        ("wenzhou", "triple:9", "triples3:8"),
        ("wenzhou", "bomb4:9", "bomb5:3"),
        ("wenzhou", "bomb5:3", "bomb5:9"),
        ("jiangzhe", "bomb7:9", "jokers4"),
    ):
        asked = (table.DOES_NOT_BEAT, meld.parse(tried), meld.parse(old), rulesets.get(id))
        for lang in (HANS, HANT):
            text = why.short(lang, *asked)
            assert sum([16 if ord(c) > 0x2000 else 8 for c in text]) <= 200, text
        assert len(why.short(EN, *asked)) <= 32, why.short(EN, *asked)
