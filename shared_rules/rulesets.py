"""The five rule sets as rows of data. RULES.md sections 1, 4, 5, 7 and 8.

``RULE_SETS`` names them in order, ``get(id)`` gives a row. Code asks a row for a value, never for its name.
"""

# first lead (莊)
LEAD_RANDOM = 0  # a seat drawn with the deal
LEAD_FACE_UP = 1  # the holder of the card dealt face up
LEAD_WINNER = 2  # the first finisher of the deal before, if that ended single or level

# leaving a deal (逃跑)
LEAVE_TRUSTEE = 0  # the trustee plays on
LEAVE_BROKEN = 1  # the deal is broken off, the leaver pays both opponents' share
LEAVE_FINE = 2  # the deal is broken off, fixed fine, contributions owed are paid

# stakes by a player's total before the deal: (total from, factor), section 8
NO_STAKES = ()
STAKES = ((500, 2), (2000, 5), (5000, 10), (16000, 20), (96000, 30))


class RuleSet:
    """One row.

    id, name, star_word: texts. options: house rules that may be switched on.

    cards and melds
    ``small_wild``: the small joker is wild too. ``mixed_pair``: rank that a big and a small joker together pair as.
    ``one_rank``: beside natural cards of one rank only, jokers are that rank. ``bomb_most``: cards of the largest bomb.

    bombs
    ``four_jokers``: stars of four jokers (three have 6). ``joker_bonus``: stars that joker bombs score above that.
    ``classes``: at equal stars the higher class wins; of bomb, chain, three jokers, four jokers.
    ``fewer_wins``: then fewer cards win, else more. ``same_shape``: chains of the same stars compare only with
    the same smallest group and number of ranks.

    a deal
    ``lead``, ``twin``: the holder of the face-up card's twin becomes partner. ``leave``, ``leave_unit``: points per
    multiplier (broken) or fine. ``wait``: a dropped player is waited for. ``trustee_most``: times per deal that the
    key turns the trustee on, 0: any.

    settlement
    ``double``, ``single``, ``level``: base by place. ``anyone``: anyone's stars multiply, else the winners'.
    ``cap``: stars from which the multiplier stays. ``adds_up``: several bombs add up to a player's star.
    ``each_bomb``: every bomb of six stars or more contributes, else the player's star once.
    ``gifts``: contribution at 6, 7, ... stars; past the last, value = ``grow`` * value before + ``slope`` * (star - 6).
    ``shares``: what a contribution gives the player, the partner, each opponent. ``stakes``: tiers by total.
    ``cards_left``: with ``by_cards_left``, cards from which the result is double, single.
    """

    def __init__(self, **row):
        for key in row:
            setattr(self, key, row[key])


def _wenzhou():
    return RuleSet(
        id="wenzhou",
        name="千變雙扣",
        star_word="星",
        options=("by_cards_left",),
        small_wild=True,
        mixed_pair=14,
        one_rank=False,
        bomb_most=12,
        four_jokers=7,
        joker_bonus=0,
        classes=b"\x02\x01\x00\x00",
        fewer_wins=True,
        same_shape=True,
        lead=LEAD_RANDOM,
        twin=False,
        leave=LEAVE_TRUSTEE,
        leave_unit=0,
        wait=False,
        trustee_most=0,
        double=(3, 3, -3, -3),
        single=(2, -2, 2, -2),
        level=(1, -1, -1, 1),
        anyone=False,
        cap=99,
        adds_up=True,
        each_bomb=False,
        gifts=(2,),
        grow=2,
        slope=0,
        shares=(3, -1, -1),
        stakes=NO_STAKES,
        cards_left=(12, 7),
    )


def _jiangzhe():
    row = _wenzhou()
    row.id = "jiangzhe"
    row.name = "千变双扣"
    row.star_word = "相"
    row.options = ()
    row.joker_bonus = 1
    row.classes = b"\x00\x00\x00\x00"
    row.same_shape = False
    row.lead = LEAD_FACE_UP
    row.leave = LEAVE_BROKEN
    row.leave_unit = 4
    row.double = (4, 4, -4, -4)
    row.level = (1, 0, 0, 1)
    row.anyone = True
    row.cap = 8
    row.adds_up = False
    row.gifts = (2, 4, 6)
    row.grow = 1
    row.shares = (3, 3, -1)
    return row


def _jiangzhe3():
    row = _jiangzhe()
    row.id = "jiangzhe3"
    row.leave_unit = 3
    row.double = (3, 3, -3, -3)
    row.level = (1, -1, -1, 1)
    row.gifts = (2, 6, 16, 30, 60, 100)
    row.shares = (3, -1, -1)
    return row


def _diexiang():
    row = _wenzhou()
    row.id = "diexiang"
    row.name = "千变双扣"
    row.star_word = "相"
    row.options = ()
    row.one_rank = True
    row.four_jokers = 8
    row.classes = b"\x00\x00\x00\x00"
    row.fewer_wins = False
    row.same_shape = False
    row.lead = LEAD_WINNER
    row.double = (4, 4, -4, -4)
    row.level = (0, 0, 0, 0)
    row.grow = 1
    row.slope = 4
    row.stakes = STAKES
    return row


def _baibian():
    row = _wenzhou()
    row.id = "baibian"
    row.name = "百變雙扣"
    row.options = ()
    row.small_wild = False
    row.mixed_pair = 13
    row.bomb_most = 10
    row.four_jokers = 8
    row.classes = b"\x01\x01\x00\x02"
    row.same_shape = False
    row.lead = LEAD_FACE_UP
    row.twin = True
    row.leave = LEAVE_FINE
    row.leave_unit = 16
    row.wait = True
    row.trustee_most = 3
    row.double = (4, 4, -4, -4)
    row.level = (1, 0, 0, 1)
    row.cap = 8
    row.each_bomb = True
    row.gifts = (1, 3, 5)
    row.grow = 1
    return row


_ROWS = {
    "wenzhou": _wenzhou,
    "jiangzhe": _jiangzhe,
    "jiangzhe3": _jiangzhe3,
    "diexiang": _diexiang,
    "baibian": _baibian,
}
RULE_SETS = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")
_made = {}


def get(id):
    """The rule set of that id, or None. Made once, then shared: nobody changes a row."""
    if id not in _made:
        if id not in _ROWS:
            return None
        _made[id] = _ROWS[id]()
    return _made[id]
