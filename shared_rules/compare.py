"""Stars (星級, 相) of a meld and what beats what. RULES.md sections 3 and 4."""

from shared_rules.dialect import const

_BOMB = const(7)
_CHAIN = const(8)
_JOKERS3 = const(9)
_BOMBS_FROM = const(7 << 17)


def star(rules, m):
    """Stars with which a meld compares; 0 for no bomb. N of a bomb, P + K of a chain bomb."""
    if m < _BOMBS_FROM:
        return 0
    k = m >> 17
    if k == _BOMB:
        return m >> 8 & 15
    if k == _CHAIN:
        return (m >> 8 & 15) + (m >> 4 & 15)
    return 6 if k == _JOKERS3 else rules.four_jokers


def scoring_star(rules, m):
    """Stars that a played meld scores with (section 7): joker bombs may score above what they compare with."""
    s = star(rules, m)
    return s + rules.joker_bonus if m >> 17 >= _JOKERS3 else s


def strength(rules, m):
    """A bomb's place among bombs, as one integer of 15 bits: star, class, number of cards, top."""
    n = m >> 12 & 31
    return (
        star(rules, m) << 11
        | rules.classes[(m >> 17) - _BOMB] << 9
        | (31 - n if rules.fewer_wins else n) << 4
        | m & 15
    )


def beats(rules, new, old):
    """Whether ``new`` may be played on ``old``; ``old`` 0 is a lead. Equal cards and top do not beat."""
    if old == 0:
        return True
    if new < _BOMBS_FROM:
        return new > old and new >> 4 == old >> 4
    if old < _BOMBS_FROM:
        return True
    a = strength(rules, new)
    b = strength(rules, old)
    if a <= b:
        return False
    # chains of one star but different shape do not beat each other where the row says so
    return not (
        rules.same_shape
        and a >> 11 == b >> 11
        and new >> 17 == _CHAIN
        and old >> 17 == _CHAIN
        and (new >> 4 & 255) != (old >> 4 & 255)
    )
