"""Titles by total: RULES.md section 9.10 and the tables of 002 and 003."""

from shared_rules import rulesets, titles
from shared_rules.titles import BAIBIAN, QIANBIAN

HANS, HANT, EN = range(3)

# As the sources print them.
RANGES_002 = (
    ("乞丐", None, -1), ("短工", 0, 100), ("长工", 101, 300), ("佃户", 301, 800), ("贫农", 801, 1700),
    ("下农", 1701, 3000), ("中农", 3001, 5000), ("富农", 5001, 8000), ("小地主", 8001, 12000),
    ("大地主", 12001, 24000), ("老地主", 24001, 48000), ("财主", 48001, 96000), ("大财主", 96001, 192000),
    ("富豪", 192001, 384000), ("庄主", 384001, 768000), ("城主", 768001, 1536000), ("诸侯", 1536001, 3072000),
    ("国主", 3072001, None),
)
STEPS_003 = (
    ("負分王子", -1000), ("負分王子", -300), ("紅桃3", 0), ("紅桃4", 40), ("紅桃5", 100), ("紅桃6", 200),
    ("紅桃7", 400), ("紅桃8", 700), ("紅桃9", 1200), ("紅桃10", 1800), ("紅桃J", 3000), ("紅桃Q", 5000),
    ("紅桃K", 8000), ("紅桃A", 12000), ("大老二", 18000), ("小王", 30000), ("大王", 60000), ("牌將", 100000),
    ("牌王", 160000), ("牌皇", 280000), ("牌星", 400000), ("牌仙", 800000), ("牌神", 1600000),
    ("無敵雙扣王", 3200000),
)


def test_002_gives_a_title_to_each_range():
    assert len(RANGES_002) == 18
    for n, (name, low, high) in enumerate(RANGES_002):
        for total in (low, high):
            if total is not None:
                assert titles.title(QIANBIAN, total)[HANS] == name, total
                assert titles.step(QIANBIAN, total) == n


def test_003_gives_a_title_at_the_printed_value():
    assert len(STEPS_003) == 24
    before = STEPS_003[0][0]  # below -1000 too
    for n, (name, value) in enumerate(STEPS_003):
        assert titles.title(BAIBIAN, value)[HANT] == name, value
        assert titles.title(BAIBIAN, value - 1)[HANT] == before, value
        assert titles.step(BAIBIAN, value) == n
        before = name


def test_far_below_and_above_the_ladders():
    assert titles.title(QIANBIAN, -2_000_000_000) == ("乞丐", "乞丐", "Beggar")
    assert titles.title(QIANBIAN, 2_000_000_000) == ("国主", "國主", "Sovereign")
    assert titles.title(BAIBIAN, -2_000_000_000)[EN] == "Debtor"
    assert titles.title(BAIBIAN, 2_000_000_000) == ("无敌双扣王", "無敵雙扣王", "Invincible")


def test_each_title_has_three_names_of_its_own():
    for which, most in ((QIANBIAN, 18), (BAIBIAN, 23)):  # 003 names one title twice
        names = titles.names(which)
        for lang in range(3):
            assert len({name[lang] for name in names}) == most


def test_five_portraits():
    for total, portrait in ((-5, 0), (49_999, 0), (50_000, 1), (159_999, 1), (160_000, 2), (639_999, 2),
                            (640_000, 3), (1_279_999, 3), (1_280_000, 4), (9_999_999, 4)):
        assert titles.portrait(total) == portrait, total


def test_the_rule_set_of_003_climbs_its_ladder_the_others_climb_002s():
    ladders = dict(zip(rulesets.RULE_SETS, titles.BY_RULE_SET))
    assert len(ladders) == len(titles.BY_RULE_SET) == 5
    assert [id for id in ladders if ladders[id] is BAIBIAN] == ["baibian"]
    others = [id for id in rulesets.RULE_SETS if ladders[id] is QIANBIAN]
    assert others == ["wenzhou", "jiangzhe", "jiangzhe3", "diexiang"]
