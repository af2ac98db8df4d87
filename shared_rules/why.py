"""Why a play is refused, and what melds are called, in the three languages of the table.

``short`` fits a line of 200 pixels in most cases, ``sentence`` says the same in full; both speak of the codes that
``Table.judge`` gives (RULES.md sections 3, 4 and 6). ``meld_name`` names a meld.
"""

from shared_rules import meld
from shared_rules.compare import beats, star
from shared_rules.names import LANGS, capital, kind_name, meld_name, name_within, rank_name  # noqa: F401
from shared_rules.table import DOES_NOT_BEAT, NO_MELD

# the sentences are kept in traditional characters; these become simplified ones
_HANT = "單張對順連彈這裡沒輪領經結當們壓過組財財帶數個為"
_HANS = "单张对顺连弹这里没轮领经结当们压过组财财带数个为"

# by code: no-meld, does-not-beat, not-held, must-lead, not-offered, ended; {t} the meld tried, {o} the one there
_PLAIN = (
    ("這些牌不成牌型", "These cards make no meld"),
    ("壓不過{o}", "{t} cannot beat {o}"),
    ("手裡沒有這些牌", "You do not hold these cards"),
    ("輪到你領出，不能不出", "You lead: a pass is not possible"),
    ("這些牌不能當{t}", "These cards do not make {t}"),
    ("這一局已經結束", "This deal is over"),
)
# why cards make no meld
_TWO = ("順子、連對裡不能有 2", "A 2 stands in no sequence")
_SMALL = ("小王不是財神", "The small joker is not wild")
_CARRY = ("三張不能帶牌", "A triple carries no cards")
_FEW = (
    ("順子至少要五張", "A straight needs five cards"),
    ("連對至少要三對", "Pairs in a row: at least three"),
    ("連三張至少要三組", "Triples in a row: at least three"),
)
# why a meld does not beat another; {k} the kind there, {r} its top, {y} the top tried, {n} {m} cards or stars
_HIGHER = ("{k}要高過 {r}，你的是 {y}", "{k} above {r}; yours is {y}")
_LENGTH = ("{k}要 {n} 張，你的是 {m} 張", "{k} of {n} cards; yours has {m}")
_KIND = ("要更大的{k}，或炸彈", "Higher {k} or a bomb needed")
_BOMB = ("要更大的炸彈", "Needs a higher bomb")
_STARS = ("{m} {s}壓不過 {n} {s}", "{m} stars do not beat {n}")
_SHAPE = ("同{s}的連炸不同形，不能比", "Chains of other shapes do not compare")
_CLASS = ("同為 {n} {s}，{k}更大", "Both {n} stars: {k} higher")
_FEWER = ("同為 {n} {s}，張數少的大", "Both {n} stars: fewer cards win")
_MORE = ("同為 {n} {s}，張數多的大", "Both {n} stars: more cards win")
_SAME = ("同為 {n} {s}，要高過 {r}", "Both {n} stars: above {r} wins")
_TAIL = ("；你的是{t}，桌上是{o}", "; yours is {t}, the table has {o}")


def short(lang, code, tried=0, old=0, rules=None, raised=None):
    """Why, in few words and without a full stop.

    ``code``: negative, from ``Table.judge``. ``tried``: the meld that was tried or asked for, ``old``: the one on the
    table, 0 for none. ``rules`` and ``raised`` (counts of the cards) make the words more exact where they are given.
    """
    row = _PLAIN[-1 - code]
    if code == NO_MELD and raised is not None:
        row = _no_meld(rules, raised)
    elif code == DOES_NOT_BEAT and tried and old:
        row = _too_low(rules, tried, old)
    return _fill(lang, row, tried, old, rules)


def sentence(lang, code, tried=0, old=0, rules=None, raised=None):
    """Why, as a whole sentence; arguments as of ``short``."""
    text = short(lang, code, tried, old, rules, raised)
    if code == DOES_NOT_BEAT and tried and old and _too_low(rules, tried, old) not in (_HIGHER, _LENGTH, _PLAIN[1]):
        text += _fill(lang, _TAIL, tried, old, rules)
    return text + ("." if lang == 2 else "。")


def _no_meld(rules, raised):
    """What is wrong with cards that make no meld."""
    if rules is not None and not rules.small_wild and raised[13]:
        return _SMALL
    most = 0
    equal = True
    distinct = 0
    low = 99
    high = 0
    for r in range(13):
        c = raised[r]
        if c:
            if most and c != most:
                equal = False
            if c > most:
                most = c
            distinct += 1
            if r < low:
                low = r
            high = r
    if distinct > 1 and equal and most < 4 and high - low < distinct:
        return _TWO if high == 12 else _FEW[most - 1]
    if distinct == 2 and most == 3 and raised[15] < 6:
        return _CARRY
    return _PLAIN[0]


def _too_low(rules, tried, old):
    """What keeps ``tried`` from beating ``old``."""
    if old < meld.BOMBS_FROM:
        if tried >> 17 != old >> 17:
            return _KIND
        return _HIGHER if tried >> 4 == old >> 4 else _LENGTH
    if tried < meld.BOMBS_FROM:
        return _BOMB
    if rules is None:
        return _PLAIN[1]
    if star(rules, tried) != star(rules, old):
        return _STARS
    if old >= meld.JOKERS3 << 17 and tried == old:
        return _PLAIN[1]
    if rules.same_shape and tried != old and not beats(rules, old, tried):
        return _SHAPE
    if rules.classes[(tried >> 17) - meld.BOMB] != rules.classes[(old >> 17) - meld.BOMB]:
        return _CLASS
    if meld.size(tried) != meld.size(old):
        return _FEWER if rules.fewer_wins else _MORE
    return _SAME


def _fill(lang, row, tried, old, rules):
    """A row in a language, with the names of melds put in."""
    text = row[1 if lang == 2 else 0]
    if lang == 0:
        for i in range(len(_HANT)):
            text = text.replace(_HANT[i], _HANS[i])
    if "{" in text:
        n = meld.size(old)
        m = meld.size(tried)
        if old >= meld.BOMBS_FROM and rules is not None:
            n = star(rules, old)
            m = star(rules, tried)
        text = text.replace("{t}", name_within(lang, tried)).replace("{o}", name_within(lang, old))
        text = text.replace("{k}", kind_name(lang, old))
        if old and old < meld.JOKERS3 << 17:
            text = text.replace("{r}", rank_name(lang, old & 15))
            text = text.replace("{y}", rank_name(lang, tried & 15))
        text = text.replace("{n}", str(n)).replace("{m}", str(m))
        if rules is not None:
            text = text.replace("{s}", rules.star_word)
    return capital(text)
