"""The five rule sets as one table of text. RULES.md sections 1, 4, 5, 7 and 8.

``RULE_SETS`` names them in order, ``get(id)`` gives one: an object whose attributes are the table's first words. Code
asks a rule set for a value, never for its name: a sixth one is a column more. Text, because it lies on the board's heap
as it stands here, a third of the size of nested tuples.
"""

try:
    from micropython import const
except ImportError:

    def const(x):
        """MicroPython's mark of a constant; on CPython the value itself."""
        return x


# first lead (莊)
LEAD_RANDOM = const(0)  # a seat drawn with the deal
LEAD_FACE_UP = const(1)  # the holder of the card dealt face up
LEAD_WINNER = const(2)  # the first finisher of the deal before, if that ended single or level

# leaving a deal (逃跑)
LEAVE_TRUSTEE = const(0)  # the trustee plays on
LEAVE_BROKEN = const(1)  # the deal is broken off, the leaver pays three shares
LEAVE_FINE = const(2)  # the deal is broken off, the leaver pays a fine and the contributions owed

# Numbers, and tuples of numbers or words, written with commas; "-" is the empty tuple.
#
# options       house rules that may be switched on
# small_wild    the small joker is wild too
# mixed_pair    rank that a big and a small joker pair as
# one_rank      beside natural cards of one rank only, jokers are that rank
# bomb_most     cards of the largest bomb of one rank
# four_jokers   stars of four jokers; three have 6
# joker_bonus   stars that joker bombs score above what they compare with
# classes       of bomb, chain, three jokers, four jokers: at equal stars the higher class wins
# fewer_wins    then fewer cards win, else more
# same_shape    chains of equal stars compare only with the same smallest group and number of ranks
# lead          first lead, see above; twin: the holder of the face-up card's twin becomes the leader's partner
# leave         see above; leave_unit: D of a broken deal at multiplier 1, or the fine
# wait          a dropped player is waited for
# trustee_most  times in a deal that the key turns the trustee on; 0: any
# double, single, level   base by place
# anyone        anyone's stars multiply, else the winners' only; cap: stars from which the multiplier stays
# adds_up       several bombs add up to a player's star
# each_bomb     every bomb of 6 stars or more contributes, else the player's star once
# gifts         contribution at 6, 7, ... stars; past the last: grow * the value before + slope * (star - 6)
# shares        what a contribution of 1 gives the player, the partner, each opponent
# stakes        by total before the deal: from, factor, from, factor, ...
# cards_left    option by_cards_left: cards from which the result is double, single
_TABLE = """
id           wenzhou        jiangzhe    jiangzhe3         diexiang    baibian
name         千變雙扣       千变双扣    千变双扣          千变双扣    百變雙扣
star_word    星             相          相                相          星
options      by_cards_left, -           -                 -           -
small_wild   1              1           1                 1           0
mixed_pair   14             14          14                14          13
one_rank     0              0           0                 1           0
bomb_most    12             12          12                12          10
four_jokers  7              7           7                 8           8
joker_bonus  0              1           1                 0           0
classes      2,1,0,0        0,0,0,0     0,0,0,0           0,0,0,0     1,1,0,2
fewer_wins   1              1           1                 0           1
same_shape   1              0           0                 0           0
lead         0              1           1                 2           1
twin         0              0           0                 0           1
leave        0              1           1                 0           2
leave_unit   0              4           3                 0           16
wait         0              0           0                 0           1
trustee_most 0              0           0                 0           3
double       3,3,-3,-3      4,4,-4,-4   3,3,-3,-3         4,4,-4,-4   4,4,-4,-4
single       2,-2,2,-2      2,-2,2,-2   2,-2,2,-2         2,-2,2,-2   2,-2,2,-2
level        1,-1,-1,1      1,0,0,1     1,-1,-1,1         0,0,0,0     1,0,0,1
anyone       0              1           1                 0           0
cap          99             8           8                 99          8
adds_up      1              0           0                 1           1
each_bomb    0              0           0                 0           1
gifts        2,             2,4,6       2,6,16,30,60,100  2,          1,3,5
grow         2              1           1                 1           1
slope        0              0           0                 4           0
shares       3,-1,-1        3,3,-1      3,-1,-1           3,-1,-1     3,-1,-1
stakes       -              -           -   500,2,2000,5,5000,10,16000,20,96000,30  -
cards_left   12,7           -           -                 -           -
"""
RULE_SETS = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")


def _value(text):
    """A cell of the table as a word, a number or a tuple of them."""
    if text == "-":
        return ()
    if "," in text:
        return tuple([_value(part) for part in text.split(",") if part])
    digits = text[1:] if text[0] == "-" else text
    return int(text) if digits.isdigit() else text


class RuleSet:
    """One column of the table."""

    def __init__(self, column):
        for row in _TABLE.strip().split("\n"):
            cells = row.split()
            setattr(self, cells[0], _value(cells[column]))


_made = {}


def get(id):
    """The rule set of that id, or None. Made once, then shared: nobody changes it."""
    if id not in _made:
        if id not in RULE_SETS:
            return None
        _made[id] = RuleSet(RULE_SETS.index(id) + 1)
    return _made[id]
