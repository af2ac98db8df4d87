"""Every reading of exactly these cards. RULES.md section 3.

At most seven: one of one rank, three sequences, four chain bombs never come together.
"""

from shared_rules import meld
from shared_rules.compare import star


def _put(rules, out, n, m):
    """Insert a reading: highest star first, then higher top, then more ranks."""
    key = star(rules, m) << 8 | (m & 15) << 4 | m >> 4 & 15
    i = n
    while i > 0:
        o = out[i - 1]
        if star(rules, o) << 8 | (o & 15) << 4 | o >> 4 & 15 >= key:
            break
        out[i] = o
        i -= 1
    out[i] = m
    return n + 1


def classify(rules, counts, out):
    """Write all readings of the cards in ``counts`` to ``out`` (8 ints), strongest first. Returns how many.

    Strongest first is the default order for a lead: highest star, then higher top, then more ranks.
    """
    total = counts[15]
    small = counts[13]
    wild = counts[14]
    if small + wild == total:  # jokers alone are read as themselves
        if total == 0:
            return 0
        if total == 1:
            out[0] = meld.same_rank(13 if small else 14, 1)
        elif total == 2:
            out[0] = meld.same_rank(14 if small == 0 else 13 if wild == 0 else rules.mixed_pair, 2)
        else:
            out[0] = meld.THREE_JOKERS if total == 3 else meld.FOUR_JOKERS
        return 1
    if rules.small_wild:
        wild += small
    elif small:
        return 0
    low = -1
    high = 0
    distinct = 0
    most = 0
    for r in range(13):
        c = counts[r]
        if c:
            if low < 0:
                low = r
            high = r
            distinct += 1
            if c > most:
                most = c
    n = 0
    if distinct == 1:
        out[0] = meld.same_rank(low, total)
        n = 1
        if rules.one_rank:
            return 1
    if high == 12 or total < 5:  # no sequence holds a 2
        return n
    span = high - low
    for unit in range(1, 4):
        k = total // unit
        if most <= unit and k * unit == total and span < k <= 12 and k >= (5 if unit == 1 else 3):
            n = _put(rules, out, n, meld.sequence(unit, k, low + k - 1 if low + k < 12 else 11))
    for k in range(3, 7):
        p = total // k
        if p < 4:
            break
        if span >= k:
            continue
        while p >= 4:
            need = (k - distinct) * p
            r = low
            while r <= high:
                c = counts[r]
                if 0 < c < p:
                    need += p - c
                r += 1
            if need <= wild:
                n = _put(rules, out, n, meld.chain(p, k, total, low + k - 1 if low + k < 12 else 11))
                break
            p -= 1
    return n
