"""Titles (等級稱號) by total: two ladders as two tables. RULES.md section 9.10.

Enter at ``title(ladder, total)``, ``step`` and ``portrait``; the ladder of a rule set is ``BY_RULE_SET[its index]``. A
line of a ladder is: the total from which a player has the title, then the title in simplified Chinese, traditional
Chinese and English (no wider than a seat's tile). Below the first value the first title stays. A ladder is one text: a
board that looks up a step holds one object of it.
"""

# 002, 18 steps; its ranges are printed without gaps, so their lower ends say all. The first is for everybody below 0.
QIANBIAN = """\
-1      乞丐     乞丐     Beggar
0       短工     短工     Day Hand
101     长工     長工     Farmhand
301     佃户     佃戶     Tenant
801     贫农     貧農     Cottager
1701    下农     下農     Peasant
3001    中农     中農     Farmer
5001    富农     富農     Yeoman
8001    小地主   小地主   Squire
12001   大地主   大地主   Landlord
24001   老地主   老地主   Old Money
48001   财主     財主     Rich Man
96001   大财主   大財主   Moneybag
192001  富豪     富豪     Magnate
384001  庄主     莊主     Lord
768001  城主     城主     Duke
1536001 诸侯     諸侯     Prince
3072001 国主     國主     Sovereign
"""

# 003, 24 steps, reached at the printed value; the second is not named there and keeps the name of the first.
BAIBIAN = """\
-1000   负分王子   負分王子   Debtor
-300    负分王子   負分王子   Debtor
0       红桃3      紅桃3      Heart 3
40      红桃4      紅桃4      Heart 4
100     红桃5      紅桃5      Heart 5
200     红桃6      紅桃6      Heart 6
400     红桃7      紅桃7      Heart 7
700     红桃8      紅桃8      Heart 8
1200    红桃9      紅桃9      Heart 9
1800    红桃10     紅桃10     Heart 10
3000    红桃J      紅桃J      Heart J
5000    红桃Q      紅桃Q      Heart Q
8000    红桃K      紅桃K      Heart K
12000   红桃A      紅桃A      Heart A
18000   大老二     大老二     Big Two
30000   小王       小王       Joker
60000   大王       大王       Big Joker
100000  牌将       牌將       General
160000  牌王       牌王       Card King
280000  牌皇       牌皇       Emperor
400000  牌星       牌星       Card Star
800000  牌仙       牌仙       Immortal
1600000 牌神       牌神       Card God
3200000 无敌双扣王 無敵雙扣王 Invincible
"""

# In the order of rulesets.RULE_SETS: 000 and 001 print no titles and share 002's.
BY_RULE_SET = (QIANBIAN, QIANBIAN, QIANBIAN, QIANBIAN, BAIBIAN)

# 002: the totals from which the second to fifth of its five portraits (形象) are a player's.
_PORTRAITS = (50000, 160000, 640000, 1280000)


def step(ladder, total):
    """The step of a total, counted from 0, on a ladder (QIANBIAN or BAIBIAN)."""
    n = -1
    for line in ladder.split("\n"):
        if not line or n >= 0 and total < int(line[:8]):
            break
        n += 1
    return n


def title(ladder, total):
    """The title of a total on a ladder: (simplified Chinese, traditional Chinese, English)."""
    return names(ladder)[step(ladder, total)]


def names(ladder):
    """All titles of a ladder, lowest first; each in the three languages."""
    return [tuple(line.split(None, 3)[1:]) for line in ladder.strip().split("\n")]


def portrait(total):
    """Which of 002's five portraits belongs to a total, 0-4. 003 has none."""
    n = 0
    for least in _PORTRAITS:
        n += total >= least
    return n
