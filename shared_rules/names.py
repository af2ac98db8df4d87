"""What cards and melds are called in the three languages of the table: in screens, refusals and records in words.

Apart from ``why.py``, so that a board that shows melds all the time need not hold all the sentences.
"""

from shared_rules import meld

LANGS = ("zh-Hans", "zh-Hant", "en")

# Words of a row are kept as one string: on the board a string takes much less than a tuple of strings.
_RANKS = "3 4 5 6 7 8 9 10 J Q K A 2"
_JOKERS = ("小王|大王", "小王|大王", "small joker|big joker")
_KINDS = (
    "|单张|对子|三张|顺子|连对|连三张|炸弹|连炸|三王|天王",
    "|單張|對子|三張|順子|連對|連三張|炸彈|連炸|三王|天王",
    "|single|pair|triple|straight|pairs|triples|bomb|chain|three jokers|four jokers",
)


def rank_name(lang, r):
    """A rank as a player reads it: ``10``, ``K``, ``大王``."""
    return _RANKS.split()[r] if r < 13 else _JOKERS[lang].split("|")[r - 13]


def kind_name(lang, m):
    """The kind of a meld: ``连对``, ``straight``."""
    return _KINDS[lang].split("|")[m >> 17]


def meld_name(lang, m):
    """A meld as a player reads it: ``连对 6–8``, ``Bomb 9 ×5``; "" for none."""
    return capital(name_within(lang, m))


def name_within(lang, m):
    """``meld_name`` as it stands within a sentence."""
    k = m >> 17
    name = kind_name(lang, m)
    if k == 0 or k >= meld.JOKERS3:
        return name
    name += " "
    if meld.ranks(m) > 1:
        name += rank_name(lang, (m & 15) - meld.ranks(m) + 1) + "–"
    name += rank_name(lang, m & 15)
    if k == meld.BOMB:
        name += " ×%d" % meld.size(m)
    elif k == meld.CHAIN:
        name += " %d×%d" % (meld.smallest(m), meld.ranks(m))
    return name


def capital(text):
    """The same with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
