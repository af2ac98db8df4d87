"""A meld (牌型) as one small integer of 21 bits; 0 is no meld. RULES.md section 3.

bits 0-3 top rank · 4-7 number of ranks · 8-11 cards of the smallest group · 12-16 cards · 17-20 kind

Two melds that are no bombs are of the same kind and length exactly when ``m >> 4`` is equal; then the greater integer
has the higher top. Joker bombs have the big joker as top.
"""

from shared_rules.cards import RANKS

SINGLE = 1  # 單張
PAIR = 2  # 對子
TRIPLE = 3  # 三張
STRAIGHT = 4  # 順子
PAIRS = 5  # 連對
TRIPLES = 6  # 連三張
BOMB = 7  # 炸彈
CHAIN = 8  # 連炸, 組合炸彈
JOKERS3 = 9  # 三王
JOKERS4 = 10  # 天王

BOMBS_FROM = BOMB << 17  # every bomb is at least this integer, every other meld is less
THREE_JOKERS = JOKERS3 << 17 | 3 << 12 | 3 << 8 | 1 << 4 | 14
FOUR_JOKERS = JOKERS4 << 17 | 4 << 12 | 4 << 8 | 1 << 4 | 14

WORDS = ("", "single", "pair", "triple", "straight", "pairs", "triples", "bomb", "chain", "jokers3", "jokers4")


def same_rank(r, n):
    """The meld of ``n`` cards of rank ``r``: single, pair, triple or bomb."""
    return (n if n < 4 else 7) << 17 | n << 12 | n << 8 | 16 | r


def sequence(unit, k, top):
    """``k`` ranks of ``unit`` (1, 2 or 3) cards each: straight, consecutive pairs or triples."""
    return (3 + unit) << 17 | unit * k << 12 | unit << 8 | k << 4 | top


def chain(smallest, k, n, top):
    """A chain bomb of ``k`` ranks and ``n`` cards whose smallest group is ``smallest``."""
    return 8 << 17 | n << 12 | smallest << 8 | k << 4 | top


def kind(m):
    """SINGLE ... JOKERS4; 0 for no meld."""
    return m >> 17


def top(m):
    """Highest rank, 0-14."""
    return m & 15


def ranks(m):
    """Number of ranks: 1 for a single, 5 for a straight of five."""
    return m >> 4 & 15


def smallest(m):
    """Cards of the smallest group: N of a bomb, P of a chain bomb, 1 in a straight."""
    return m >> 8 & 15


def size(m):
    """Number of cards, 1-27."""
    return m >> 12 & 31


def is_bomb(m):
    """Whether the meld is a bomb of any kind."""
    return m >= BOMBS_FROM


def text(m):
    """Text form, e.g. ``chain4x3/14:5``; "" for 0."""
    k = m >> 17
    name = WORDS[k]
    if k == 0 or k >= JOKERS3:
        return name
    if STRAIGHT <= k <= TRIPLES:
        name += str(ranks(m))
    elif k == BOMB:
        name += str(size(m))
    elif k == CHAIN:
        name += "%dx%d/%d" % (smallest(m), ranks(m), size(m))
    return name + ":" + RANKS[m & 15]


def _number(s):
    """A number of one or two digits without a leading zero; 0 when it is none."""
    if not 1 <= len(s) <= 2 or s[0] == "0":
        return 0
    for ch in s:
        if ch not in "0123456789":
            return 0
    return int(s)


def parse(s, most=12):
    """The meld of a text form; 0 when there is no such meld.

    ``most``: cards of the largest bomb of one rank, a rule set's ``bomb_most``. Ranges as in CONFORMANCE.md.
    """
    if s == "jokers3":
        return THREE_JOKERS
    if s == "jokers4":
        return FOUR_JOKERS
    i = s.find(":")
    if i < 0 or len(s) != i + 2:
        return 0
    r = RANKS.find(s[i + 1] if s[i + 1] in "xX" else s[i + 1].upper())
    if r < 0:
        return 0
    name = s[:i]
    if name == "single":
        return same_rank(r, 1)
    if name == "pair":
        return same_rank(r, 2)
    if r > 12:
        return 0
    if name == "triple":
        return same_rank(r, 3)
    if name[:4] == "bomb":
        n = _number(name[4:])
        return same_rank(r, n) if 4 <= n <= most else 0
    if r > 11:
        return 0
    if name[:5] == "chain":
        x = name.find("x")
        slash = name.find("/")
        if not 5 < x < slash:
            return 0
        p = _number(name[5:x])
        k = _number(name[x + 1 : slash])
        n = _number(name[slash + 1 :])
        return chain(p, k, n, r) if p >= 4 and 3 <= k <= 6 and p * k <= n <= 27 and r >= k - 1 else 0
    for unit in (1, 2, 3):
        word = WORDS[3 + unit]
        if name[: len(word)] == word:
            k = _number(name[len(word) :])
            least = 5 if unit == 1 else 3
            if least <= k <= 12 and unit * k <= 27 and r >= k - 1:
                return sequence(unit, k, r)
    return 0
