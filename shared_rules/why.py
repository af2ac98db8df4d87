"""Why a play is refused, and what melds are called, in the three languages of the table.

``sentence`` speaks of the same codes that ``Table.judge`` gives (RULES.md sections 3, 4 and 6).
"""

from shared_rules import meld
from shared_rules.table import DOES_NOT_BEAT, ENDED, MUST_LEAD, NO_MELD, NOT_HELD, NOT_OFFERED

LANGS = ("zh-Hans", "zh-Hant", "en")

_RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
_JOKERS = (("小王", "大王"), ("小王", "大王"), ("small joker", "big joker"))
_KINDS = (
    ("", "单张", "对子", "三条", "顺子", "连对", "连三张", "炸弹", "连炸", "三王", "天王"),
    ("", "單張", "對子", "三張", "順子", "連對", "連三張", "炸彈", "連炸", "三王", "天王"),
    ("", "single", "pair", "triple", "straight", "pairs", "triples", "bomb", "chain", "three jokers", "four jokers"),
)


def rank_name(lang, r):
    """A rank as a player reads it: ``10``, ``K``, ``大王``."""
    return _RANKS[r] if r < 13 else _JOKERS[lang][r - 13]


def kind_name(lang, m):
    """The kind of a meld: ``连对``, ``straight``."""
    return _KINDS[lang][m >> 17]


def meld_name(lang, m):
    """A meld as a player reads it: ``连对 6–8``, ``Bomb 9 ×5``; "" for none."""
    k = m >> 17
    if k == 0:
        return ""
    name = _KINDS[lang][k]
    if lang == 2:
        name = name[0].upper() + name[1:]
    if k >= meld.JOKERS3:
        return name
    top = rank_name(lang, m & 15)
    if meld.ranks(m) > 1:
        name += " " + rank_name(lang, (m & 15) - meld.ranks(m) + 1) + "–" + top
    else:
        name += " " + top
    if k == meld.BOMB:
        name += " ×%d" % meld.size(m)
    elif k == meld.CHAIN:
        name += " %d×%d" % (meld.smallest(m), meld.ranks(m))
    return name


def sentence(lang, code, tried, old):
    """Why ``code`` (negative, from ``Table.judge``): ``tried`` is the meld that was tried, ``old`` what lies there."""
    if code == DOES_NOT_BEAT:
        return _does_not_beat(lang, tried, old)
    return _PLAIN[code][lang]


_PLAIN = {
    NO_MELD: ("这些牌不成牌型", "這些牌不成牌型", "These cards make no meld."),
    NOT_HELD: ("手里没有这些牌", "手裡沒有這些牌", "You do not hold those cards."),
    MUST_LEAD: ("轮到你领出，不能不出", "輪到你領出，不能不出", "You lead: a pass is not possible."),
    NOT_OFFERED: ("这些牌不能当这个牌型", "這些牌不能當這個牌型", "These cards do not make that meld."),
    ENDED: ("这一局已经结束", "這一局已經結束", "The deal is over."),
}


def _does_not_beat(lang, tried, old):
    """The comparison in words."""
    if tried >> 4 == old >> 4 and old < meld.BOMBS_FROM:
        have = rank_name(lang, tried & 15)
        need = rank_name(lang, old & 15)
        kind = kind_name(lang, old)
        return (
            "%s要比 %s 大；你的是 %s" % (kind, need, have),
            "%s要比 %s 大；你的是 %s" % (kind, need, have),
            "The %s needs to beat %s; yours is %s." % (kind, need, have),
        )[lang]
    a = meld_name(lang, old)
    b = meld_name(lang, tried)
    return (
        "桌上是%s，%s压不过" % (a, b),
        "桌上是%s，%s壓不過" % (a, b),
        "%s does not beat %s." % (b, a),
    )[lang]
