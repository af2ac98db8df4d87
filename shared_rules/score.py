"""A player's stars over a deal and the settlement. RULES.md sections 7 and 8.

Events of a player: [star - 4] how many bombs of that scoring star were played (``Table.events``).
"""

# Rows "leave" of rulesets.py. Its table is large, and on the board not in memory when a deal is settled.
LEAVE_TRUSTEE = 0
LEAVE_BROKEN = 1

_LOWEST = 4


def player_star(rules, events):
    """A player's stars from the events; 0 without a bomb.

    Where bombs add up, with n of them and c(L) of L stars or more: the highest; n + 2 from three on; L - 1 + c(L) for
    every L from 5 on.
    """
    n = 0
    best = 0
    i = len(events)
    while i > 0:
        i -= 1
        if events[i]:
            star = i + _LOWEST
            n += events[i]
            if star > best:
                best = star
            if rules.adds_up and star >= 5 and star - 1 + n > best:
                best = star - 1 + n
    if rules.adds_up and n >= 3 and n + 2 > best:
        best = n + 2
    return best


def multiplier(rules, star):
    """1 below 5 stars, 2 at 5, then doubled with every star up to the cap."""
    if star < 5:
        return 1
    return 1 << ((star if star < rules.cap else rules.cap) - 4)


def gift(rules, star):
    """The contribution (貢獻) at a star, before shares; 0 below 6."""
    if star < 6:
        return 0
    i = star - 6
    if i < len(rules.gifts):
        return rules.gifts[i]
    value = rules.gifts[-1]
    i = len(rules.gifts)
    while i <= star - 6:
        value = value * rules.grow + rules.slope * i
        i += 1
    return value


def stake(rules, total):
    """Factor on a player's own base x multiplier by the total before the deal."""
    factor = 1
    for i in range(0, len(rules.stakes), 2):
        if total >= rules.stakes[i]:
            factor = rules.stakes[i + 1]
    return factor


class Settlement:
    """``result``: "double", "single", "level" or "broken". ``places``, ``base``: per seat, None when broken.
    ``multiplier``; ``contributions``, ``points``, ``stars``: per seat."""

    # No functions: one would hold this module for as long as a settlement is shown.
    result = "broken"
    places = None
    base = None
    multiplier = 1
    contributions: list
    points: list
    stars: list


def _settlement():
    t = Settlement()
    t.contributions = [0, 0, 0, 0]
    t.points = [0, 0, 0, 0]
    t.stars = [0, 0, 0, 0]
    return t


def settle(rules, out, left, events, totals=None, options=(), leaver=-1, turns=None):
    """Settle a deal. Returns a Settlement, or None when the deal has not ended and nobody left.

    ``out``: seats in order of going out; ``left``: cards left per seat; ``events``: per seat; ``totals``: per seat
    before the deal, for stakes; ``leaver``: who left the deal, -1 nobody; ``turns``: turns that each seat has had.
    """
    if rules.leave == LEAVE_TRUSTEE:
        leaver = -1
    done = len(out) >= 2 and (out[0] ^ out[1] == 2 or len(out) >= 3)
    if leaver < 0 and not done:
        return None
    t = _settlement()
    for s in range(4):
        t.stars[s] = player_star(rules, events[s])
    if leaver >= 0:
        _broken(rules, t, events, leaver, turns)
        return t
    t.places = _places(out)
    first = out[0] & 1  # the winning team: seats of this parity
    partner = t.places[out[0] ^ 2]
    t.result = ("double", "single", "level")[partner - 2]
    row = (rules.double, rules.single, rules.level)[partner - 2]
    t.base = [row[p - 1] for p in t.places]
    if "by_cards_left" in options:
        first = out[-1] & 1  # the last to go out completes a team
        _by_cards(rules, t, first, left)
    star = 0
    for s in range(4):
        if (rules.anyone or s & 1 == first) and t.stars[s] > star:
            star = t.stars[s]
    t.multiplier = multiplier(rules, star)
    _contribute(rules, t, events, -1)
    for s in range(4):
        factor = stake(rules, totals[s]) if totals else 1
        t.points[s] = t.base[s] * t.multiplier * factor + t.contributions[s]
    return t


def _places(out):
    """Places 1-4 per seat: who is out in order, the rest in turn order from the last to go out."""
    places = [0, 0, 0, 0]
    n = 0
    for s in out:
        n += 1
        places[s] = n
    for i in range(1, 5):
        s = (out[-1] + i) & 3
        if not places[s]:
            n += 1
            places[s] = n
    return places


def _by_cards(rules, t, team, left):
    """``by_cards_left``: the team that is out wins by the cards in the other team's hands together."""
    n = left[team ^ 1] + left[(team ^ 1) + 2]
    double, single = rules.cards_left
    i = 0 if n >= double else 1 if n >= single else 2
    t.result = ("double", "single", "level")[i]
    for s in range(4):
        t.base[s] = 3 - i if s & 1 == team else i - 3


def _contribute(rules, t, events, leaver):
    """Contributions of all players; what the leaver's team would gain is void (-1: nobody left)."""
    for s in range(4):
        value = 0
        if rules.each_bomb:
            for i in range(len(events[s])):
                if events[s][i]:
                    value += events[s][i] * gift(rules, i + _LOWEST)
        else:
            value = gift(rules, t.stars[s])
        own, partner, other = rules.shares
        for seat in range(4):
            share = value * (own if seat == s else partner if seat == s ^ 2 else other)
            if share < 0 or leaver < 0 or (seat ^ leaver) & 1:
                t.contributions[seat] += share


def _broken(rules, t, events, leaver, turns):
    """A deal that ``leaver`` broke off (逃跑)."""
    team = leaver & 1
    ours = max(t.stars[team], t.stars[team + 2])
    theirs = max(t.stars[team ^ 1], t.stars[(team ^ 1) + 2])
    if rules.leave == LEAVE_BROKEN:
        t.multiplier = multiplier(rules, max(ours, theirs))
        d = rules.leave_unit * t.multiplier
        gets = team if ours > theirs and ours >= 5 else team ^ 1
        for s in range(4):
            if s == leaver:
                t.points[s] = -3 * d
            elif s & 1 == gets:
                t.points[s] = d
        return
    t.multiplier = multiplier(rules, theirs)
    _contribute(rules, t, events, leaver)
    back = 0
    if turns is not None and max(turns) > 3:
        back = 1
        while 1 << (back - 1) < t.multiplier:
            back += 1
    for s in range(4):
        t.points[s] = t.contributions[s]
        if s == leaver:
            t.points[s] -= rules.leave_unit * (t.multiplier >> 1 if t.multiplier > 2 else 1)
        elif s & 1 != team:
            t.points[s] += back


def settle_table(table, totals=None, leaver=-1):
    """Settle the deal on a Table."""
    left = [table.left(s) for s in range(4)]
    return settle(table.rules, table.out, left, table.events, totals, table.options, leaver, table.turns)
