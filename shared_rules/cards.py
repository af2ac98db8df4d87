"""Cards (牌): ranks, codes and the two forms of a hand. RULES.md section 2.

A rank is an index into ``RANKS``: 0 is 3, 12 is 2, 13 the small joker, 14 the big one.
A code is 0-107: copy = code // 54, i = code % 54; i < 52 is rank i // 4 and suit i % 4, 52 and 53 are the jokers.

A hand is held twice, 30 bytes in all:

* counts, ``bytearray(16)``: [r] cards of rank r, [15] all of them. All the rules work on this.
* identity, ``bytearray(14)``: bit c of 112 is set when the hand holds code c. Only suits on a screen need it.
"""

RANKS = "3456789TJQKA2xX"
SUITS = "dchs"
SMALL = 13
BIG = 14
TOTAL = 15


def rank(code):
    """Rank 0-14 of a card code 0-107."""
    i = code % 54
    return i >> 2 if i < 52 else i - 39


def suit(code):
    """Suit of a card code: 0-3 for d c h s, 0 for a joker."""
    i = code % 54
    return i & 3 if i < 52 else 0


def order(code):
    """rank * 4 + suit: cards sort by it from low to high."""
    i = code % 54
    return i if i < 52 else (i - 39) * 4


def text(code):
    """Text form of a card code, e.g. ``Ts`` or ``x``."""
    r = rank(code)
    return RANKS[r] if r >= SMALL else RANKS[r] + SUITS[suit(code)]


def read(word):
    """A card word as rank * 8 + suit, suit 4 when none is named; -1 when there is no such card.

    Letters of ranks and suits are read in either case, jokers only as written and without a suit.
    """
    if word == "x":
        return SMALL * 8 + 4
    if word == "X":
        return BIG * 8 + 4
    if not 1 <= len(word) <= 2:
        return -1
    r = RANKS.find(word[0].upper())
    if r < 0 or r >= SMALL:
        return -1
    if len(word) == 1:
        return r * 8 + 4
    s = SUITS.find(word[1].lower())
    return r * 8 + s if s >= 0 else -1


def place(card, used):
    """A free code for ``card`` (from ``read``), marked in the identity ``used``; -1 when the decks hold no more."""
    r = card >> 3
    s = card & 7
    for i in range(8):
        code = code_of(r, i)
        if code >= 0 and (s == 4 or r >= SMALL or suit(code) == s) and not has(used, code):
            put(used, code)
            return code
    return -1


def code_of(r, i):
    """The ``i``-th of a rank's cards, lowest suit first (d d c c h h s s); -1 past the second joker."""
    if r >= SMALL:
        return r + 39 + 54 * i if i < 2 else -1
    return r * 4 + (i >> 1) + 54 * (i & 1)


def has(identity, code):
    """Whether the identity holds the code."""
    return identity[code >> 3] >> (code & 7) & 1


def put(identity, code):
    """Add a code to an identity."""
    identity[code >> 3] |= 1 << (code & 7)


def remove(identity, code):
    """Take a code out of an identity that holds it."""
    identity[code >> 3] ^= 1 << (code & 7)


def count(codes, counts):
    """Fill ``counts`` (bytearray(16)) with the ranks of ``codes``."""
    clear(counts)
    for c in codes:
        counts[rank(c)] += 1
        counts[15] += 1


def clear(counts):
    """Set all 16 counts to 0."""
    for i in range(16):
        counts[i] = 0


def copy(source, target):
    """Copy 16 counts without allocating."""
    for i in range(16):
        target[i] = source[i]
