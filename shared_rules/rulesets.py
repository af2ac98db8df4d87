"""The five rule sets as one table. RULES.md sections 1, 4, 5, 7 and 8.

``RULE_SETS`` names them in order, ``get(id)`` gives one: an object whose attributes are the table's first words. Code
asks a rule set for a value, never for its name: a sixth one is a column more.
"""

from shared_rules.dialect import const

# first lead (莊)
LEAD_RANDOM = const(0)  # a seat drawn with the deal
LEAD_FACE_UP = const(1)  # the holder of the card dealt face up
LEAD_WINNER = const(2)  # the first finisher of the deal before, if that ended single or level

# leaving a deal (逃跑)
LEAVE_TRUSTEE = const(0)  # the trustee plays on
LEAVE_BROKEN = const(1)  # the deal is broken off, the leaver pays three shares
LEAVE_FINE = const(2)  # the deal is broken off, the leaver pays a fine and the contributions owed

# what it says, then its value in each rule set; 1 is yes, 0 no
_TABLE = (
    # texts
    ("id", "wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian"),
    ("name", "千變雙扣", "千变双扣", "千变双扣", "千变双扣", "百變雙扣"),
    ("star_word", "星", "相", "相", "相", "星"),
    # house rules that may be switched on
    ("options", ("by_cards_left",), (), (), (), ()),
    # the small joker is wild too
    ("small_wild", 1, 1, 1, 1, 0),
    # the rank that a big and a small joker pair as
    ("mixed_pair", 14, 14, 14, 14, 13),
    # beside natural cards of one rank only, jokers are that rank
    ("one_rank", 0, 0, 0, 1, 0),
    # cards of the largest bomb of one rank
    ("bomb_most", 12, 12, 12, 12, 10),
    # stars of four jokers; three have 6
    ("four_jokers", 7, 7, 7, 8, 8),
    # stars that joker bombs score above what they compare with
    ("joker_bonus", 0, 1, 1, 0, 0),
    # of bomb, chain, three jokers, four jokers: at equal stars the higher class wins
    ("classes", (2, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 2)),
    # then fewer cards win, else more
    ("fewer_wins", 1, 1, 1, 0, 1),
    # chains of equal stars compare only with the same smallest group and number of ranks
    ("same_shape", 1, 0, 0, 0, 0),
    # who leads first, and whether the holder of the face-up card's twin becomes the leader's partner
    ("lead", LEAD_RANDOM, LEAD_FACE_UP, LEAD_FACE_UP, LEAD_WINNER, LEAD_FACE_UP),
    ("twin", 0, 0, 0, 0, 1),
    # leaving a deal; what it costs: D of a broken deal at multiplier 1, or the fine
    ("leave", LEAVE_TRUSTEE, LEAVE_BROKEN, LEAVE_BROKEN, LEAVE_TRUSTEE, LEAVE_FINE),
    ("leave_unit", 0, 4, 3, 0, 16),
    # a dropped player is waited for; times in a deal that the key turns the trustee on, 0 for any
    ("wait", 0, 0, 0, 0, 1),
    ("trustee_most", 0, 0, 0, 0, 3),
    # base by place
    ("double", (3, 3, -3, -3), (4, 4, -4, -4), (3, 3, -3, -3), (4, 4, -4, -4), (4, 4, -4, -4)),
    ("single", (2, -2, 2, -2), (2, -2, 2, -2), (2, -2, 2, -2), (2, -2, 2, -2), (2, -2, 2, -2)),
    ("level", (1, -1, -1, 1), (1, 0, 0, 1), (1, -1, -1, 1), (0, 0, 0, 0), (1, 0, 0, 1)),
    # anyone's stars multiply, else the winners' only; stars from which the multiplier stays
    ("anyone", 0, 1, 1, 0, 0),
    ("cap", 99, 8, 8, 99, 8),
    # several bombs add up to a player's star
    ("adds_up", 1, 0, 0, 1, 1),
    # every bomb of 6 stars or more contributes, else the player's star once
    ("each_bomb", 0, 0, 0, 0, 1),
    # contribution at 6, 7, ... stars; past the last: grow * the value before + slope * (star - 6)
    ("gifts", (2,), (2, 4, 6), (2, 6, 16, 30, 60, 100), (2,), (1, 3, 5)),
    ("grow", 2, 1, 1, 1, 1),
    ("slope", 0, 0, 0, 4, 0),
    # what a contribution of 1 gives the player, the partner, each opponent
    ("shares", (3, -1, -1), (3, 3, -1), (3, -1, -1), (3, -1, -1), (3, -1, -1)),
    # stakes by a player's total before the deal: from, factor, from, factor, ...
    ("stakes", (), (), (), (500, 2, 2000, 5, 5000, 10, 16000, 20, 96000, 30), ()),
    # option by_cards_left: cards in the other team's hands from which the result is double, single
    ("cards_left", (12, 7), (), (), (), ()),
)
RULE_SETS = _TABLE[0][1:]


class RuleSet:
    """One column of the table. Without functions: one would hold this module, its table too, for as long as a rule set
    is in use, on the board in every deal."""


_made = {}


def get(id):
    """The rule set of that id, or None. Made once, then shared: nobody changes it."""
    if id not in _made:
        if id not in RULE_SETS:
            return None
        made = _made[id] = RuleSet()
        for row in _TABLE:
            setattr(made, row[0], row[RULE_SETS.index(id) + 1])
    return _made[id]
