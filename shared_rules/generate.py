"""Every meld that some cards of a hand make, and the cards for a meld. RULES.md section 3.

``melds`` is the whole list; ``part`` is one of its ``PARTS`` bounded steps, for who thinks in slices.
``pick`` chooses the cards for one meld: as few jokers as it can, the small joker before the big one.
"""

from shared_rules import meld
from shared_rules.compare import beats

PARTS = 6  # one rank; straights; consecutive pairs; consecutive triples; bombs; chain bombs
MOST = 256  # room for the melds of any hand of 27 cards; the most that a search has found are 204


def melds(rules, counts, old, out):
    """Write all distinct melds of a hand that beat ``old`` (0: a lead) to ``out`` (``MOST`` ints). Returns how many."""
    n = 0
    for i in range(PARTS):
        n = part(rules, counts, old, out, n, i)
    return n


def part(rules, counts, old, out, n, i):
    """Append the ``i``-th part of ``melds`` after the first ``n``. Returns the new number."""
    kind = old >> 17
    if i == 0:
        return _same(rules, counts, kind, old & 15, out, n) if kind < 4 else n
    if i < 4:
        return _sequences(rules, counts, i, old, out, n) if kind == 0 or kind == 3 + i else n
    if i == 4:
        return _bombs(rules, counts, old, out, n)
    return _chains(rules, counts, old, out, n)


def wild_cards(rules, counts):
    """How many wild jokers (財神) the hand holds."""
    return counts[14] + counts[13] if rules.small_wild else counts[14]


def _same(rules, counts, kind, top, out, n):
    """Singles, pairs, triples; ``kind`` 0 means all three from the lowest rank on."""
    wild = wild_cards(rules, counts)
    for size in range(1, 4):
        if kind and kind != size:
            continue
        r = top + 1 if kind else 0
        while r < 13:
            c = counts[r]
            if c and c + wild >= size:
                out[n] = meld.same_rank(r, size)
                n += 1
            r += 1
    small = counts[13]
    big = counts[14]
    if kind <= 1:
        if small and (kind == 0 or top < 13):
            out[n] = meld.same_rank(13, 1)
            n += 1
        if big and (kind == 0 or top < 14):
            out[n] = meld.same_rank(14, 1)
            n += 1
    if kind == 0 or kind == 2:
        mixed = rules.mixed_pair if small and big else 0
        if (small > 1 or mixed == 13) and (kind == 0 or top < 13):
            out[n] = meld.same_rank(13, 2)
            n += 1
        if (big > 1 or mixed == 14) and (kind == 0 or top < 14):
            out[n] = meld.same_rank(14, 2)
            n += 1
    return n


def _sequences(rules, counts, unit, old, out, n):
    """Sequences of ``unit`` cards a rank.

    Jokers make the highest top they can: a window that does not end at the ace needs a natural card at its foot.
    """
    wild = wild_cards(rules, counts)
    least = 5 if unit == 1 else 3
    longest = 27 // unit
    foot = 0
    if old:
        least = longest = old >> 4 & 15
        foot = (old & 15) - least + 2
    while foot <= 12 - least:
        r = foot
        need = 0
        natural = 0
        at_foot = counts[foot]
        while r < 12:
            c = counts[r]
            if c:
                natural += 1
            if c < unit:
                need += unit - c
                if need > wild:
                    break
            r += 1
            k = r - foot
            if k >= least:
                if k > longest:
                    break
                if (at_foot or r == 12) and (natural > 1 or not rules.one_rank):
                    out[n] = meld.sequence(unit, k, r - 1)
                    n += 1
        foot += 1
    return n


def _bombs(rules, counts, old, out, n):
    """Bombs of one rank and joker bombs."""
    wild = wild_cards(rules, counts)
    bomb = old >= meld.BOMBS_FROM
    for r in range(13):
        c = counts[r]
        if c:
            size = 4
            while size <= c + wild:
                m = meld.same_rank(r, size)
                if not bomb or beats(rules, m, old):
                    out[n] = m
                    n += 1
                size += 1
    jokers = counts[13] + counts[14]
    if jokers > 2:
        if beats(rules, meld.THREE_JOKERS, old):
            out[n] = meld.THREE_JOKERS
            n += 1
        if jokers > 3 and beats(rules, meld.FOUR_JOKERS, old):
            out[n] = meld.FOUR_JOKERS
            n += 1
    return n


def _chains(rules, counts, old, out, n):
    """Chain bombs.

    Of a window and a smallest group P, every number of cards from K * P up to the most that leaves P the best can be
    played: all of the groups above P, and jokers beside the others as long as not all of these grow.
    """
    wild = wild_cards(rules, counts)
    foot = 0
    while foot < 10:
        need = 0
        top = foot
        while top < 12 and top < foot + 6:
            if counts[top] < 4:
                need += 4 - counts[top]
                if need > wild:
                    break
            top += 1
            k = top - foot
            if k >= 3 and (counts[foot] or top == 12):
                n = _chain_sizes(rules, counts, foot, k, wild, old, out, n)
        foot += 1
    return n


def _chain_sizes(rules, counts, foot, k, wild, old, out, n):
    """All chain bombs of one window of ``k`` ranks from ``foot``."""
    p = 4
    while k * p <= 27:
        need = 0
        short = 0  # groups of at most p cards
        above = 0  # cards in the other groups
        least = 99
        r = foot
        while r < foot + k:
            c = counts[r]
            if c <= p:
                short += 1
                need += p - c
            else:
                above += c
                if c < least:
                    least = c
            r += 1
        if need > wild:
            return n
        if short:
            spare = wild - need
            last = above + short * p + (spare if spare < short else short - 1)
        else:
            last = above - least + p
        size = k * p
        while size <= last and size <= 27:
            m = meld.chain(p, k, size, foot + k - 1)
            if beats(rules, m, old):
                out[n] = m
                n += 1
            size += 1
        p += 1
    return n


def pick(rules, counts, m, out, raised=None):
    """Write to ``out`` (bytearray(16)) cards of the hand that make the meld ``m``, all ``raised`` cards among them.

    ``m`` must be one of ``melds``. Returns the number of cards, 0 when they cannot hold what is raised.
    """
    for i in range(16):
        out[i] = 0
    kind = m >> 17
    top = m & 15
    size = m >> 12 & 31
    small = 0  # jokers raised
    big = 0
    if raised is not None:
        small = raised[13]
        big = raised[14]
    if top > 12:
        if not _jokers(rules, counts, kind, top, size, small, big, out):
            return 0
    else:
        k = m >> 4 & 15
        foot = top - k + 1
        unit = m >> 8 & 15
        used = 0  # natural cards
        for r in range(foot, top + 1):
            c = counts[r]
            if c > unit:
                c = unit
            if raised is not None and raised[r] > c:
                c = raised[r]
            out[r] = c
            used += c
        if kind == meld.CHAIN:
            used = _fill_chain(counts, foot, top, unit, size, used, out)
        # a raised joker takes the place of a natural card, from the top down, never of the last one at the foot
        forced = small + big
        r = top
        while used + forced > size:
            if r < foot:
                return 0
            keep = 1 if r == foot else 0
            if raised is not None and raised[r] > keep:
                keep = raised[r]
            if out[r] > keep:
                out[r] -= 1
                used -= 1
            else:
                r -= 1
        wild = size - used - small - big
        if rules.small_wild:
            while wild and small < counts[13]:
                small += 1
                wild -= 1
        elif small:
            return 0
        big += wild
        if big > counts[14]:
            return 0
        out[13] = small
        out[14] = big
    out[15] = size
    if raised is not None:
        for r in range(15):
            if out[r] < raised[r]:
                return 0
    return size


def _jokers(rules, counts, kind, top, size, small, big, out):
    """Jokers read as themselves: as many small ones as the meld allows. False when the raised ones do not fit."""
    if kind >= meld.JOKERS3:
        while small + big < size and small < counts[13]:
            small += 1
        big = size - small
    elif size == 1:
        small = 14 - top
        big = top - 13
    elif top == 13:
        if small + big == 0 or small:
            small = 2 if counts[13] > 1 and big == 0 else 1
        else:
            small = 1
        big = 2 - small
        if big and rules.mixed_pair != 13:
            return False
    else:
        small = 1 if counts[13] and rules.mixed_pair == 14 and big < 2 else 0
        big = 2 - small
    out[13] = small
    out[14] = big
    return small <= counts[13] and 0 <= big <= counts[14]


def _fill_chain(counts, foot, top, p, size, used, out):
    """Give the groups above ``p`` more natural cards until the chain has its size; one group keeps ``p``.

    Returns the natural cards used; what is missing are jokers.
    """
    short = 0
    need = 0
    for r in range(foot, top + 1):
        if counts[r] <= p:
            short += 1
            need += p - counts[r]
    spare = size - used - need
    r = foot
    while spare > 0 and r <= top:
        c = counts[r] - out[r]
        if c > 0:
            if short == 0 and out[r] == p and _lowest(counts, foot, top) == r:
                c = 0  # the smallest group stays as it is
            if c > spare:
                c = spare
            out[r] += c
            used += c
            spare -= c
        r += 1
    return used


def _lowest(counts, foot, top):
    """Rank with the fewest cards between ``foot`` and ``top``."""
    best = foot
    for r in range(foot, top + 1):
        if counts[r] < counts[best]:
            best = r
    return best
