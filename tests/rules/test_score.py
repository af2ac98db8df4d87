"""A player's stars and the settlement: the worked examples of RULES.md sections 7 and 8."""

from shared_rules import compare, meld, rulesets, score


def events(rules, *bombs):
    """Events as a table keeps them."""
    found = bytearray(9)
    for text in bombs:
        found[compare.scoring_star(rules, meld.parse(text)) - 4] += 1
    return found


def stars(id, *bombs):
    """A player's star from texts of bombs."""
    rules = rulesets.get(id)
    return score.player_star(rules, events(rules, *bombs))


def test_bombs_add_up():
    for id in ("wenzhou", "diexiang", "baibian"):
        for star, bombs in (
            (0, ()),
            (4, ("bomb4:3",)),
            (4, ("bomb4:3", "bomb4:4")),
            (5, ("bomb4:3", "bomb4:4", "bomb4:5")),
            (6, ("bomb4:3", "bomb4:4", "bomb4:5", "bomb4:6")),
            (6, ("bomb5:3", "bomb5:4")),
            (7, ("bomb5:3", "bomb5:4", "bomb5:5")),
            (7, ("bomb6:3", "bomb6:4")),
            (7, ("bomb5:3", "bomb5:4", "bomb6:5")),
            (9, ("chain4x3/12:5", "bomb7:7", "bomb7:8")),
        ):
            assert stars(id, *bombs) == star, (id, bombs)


def test_in_jiangzhe_nothing_adds_up_and_joker_bombs_score_one_more():
    for id in ("jiangzhe", "jiangzhe3"):
        assert stars(id, "bomb5:3", "bomb5:4", "bomb6:5") == 6, id
        assert stars(id, "jokers3") == 7, id
        assert stars(id, "jokers4") == 8, id


def test_multipliers():
    for id, expected in (
        ("wenzhou", (1, 1, 2, 4, 8, 16, 32, 64, 128)),
        ("jiangzhe", (1, 1, 2, 4, 8, 16, 16, 16, 16)),
        ("jiangzhe3", (1, 1, 2, 4, 8, 16, 16, 16, 16)),
        ("diexiang", (1, 1, 2, 4, 8, 16, 32, 64, 128)),
        ("baibian", (1, 1, 2, 4, 8, 16, 16, 16, 16)),
    ):
        rules = rulesets.get(id)
        found = (score.multiplier(rules, 0),) + tuple([score.multiplier(rules, s) for s in range(4, 12)])
        assert found == expected, id


def test_contributions_by_star():
    for id, expected in (
        ("wenzhou", (0, 2, 4, 8, 16, 32, 64, 128)),
        ("jiangzhe", (0, 2, 4, 6, 6, 6, 6, 6)),
        ("jiangzhe3", (0, 2, 6, 16, 30, 60, 100, 100)),
        ("diexiang", (0, 2, 6, 14, 26, 42, 62, 86)),
        ("baibian", (0, 1, 3, 5, 5, 5, 5, 5)),
    ):
        rules = rulesets.get(id)
        assert tuple([score.gift(rules, s) for s in range(5, 13)]) == expected, id


def test_stakes_by_total():
    rules = rulesets.get("diexiang")
    for total, factor in (
        (-5, 1),
        (499, 1),
        (500, 2),
        (1999, 2),
        (2000, 5),
        (5000, 10),
        (15999, 10),
        (16000, 20),
        (95999, 20),
        (96000, 30),
    ):
        assert score.stake(rules, total) == factor, total
    assert score.stake(rulesets.get("wenzhou"), 96000) == 1


def settle(id, out, left, *bombs, **more):
    """A settlement from texts of bombs: four tuples."""
    rules = rulesets.get(id)
    return score.settle(rules, out, left, [events(rules, *b) for b in bombs], **more)


NONE = ((), (), (), ())


def test_base_by_result():
    for id, double, single, level in (
        ("wenzhou", [3, -3, 3, -3], [2, -2, 2, -2], [1, -1, 1, -1]),
        ("jiangzhe", [4, -4, 4, -4], [2, -2, 2, -2], [1, 0, 1, 0]),
        ("jiangzhe3", [3, -3, 3, -3], [2, -2, 2, -2], [1, -1, 1, -1]),
        ("diexiang", [4, -4, 4, -4], [2, -2, 2, -2], [0, 0, 0, 0]),
        ("baibian", [4, -4, 4, -4], [2, -2, 2, -2], [1, 0, 1, 0]),
    ):
        for result, out, left, base in (
            ("double", (0, 2), (0, 5, 0, 9), double),
            ("single", (0, 1, 2), (0, 0, 0, 9), single),
            ("level", (0, 1, 3), (0, 0, 4, 0), level),
        ):
            t = settle(id, out, left, *NONE)
            assert (t.result, t.base, t.points) == (result, base, base), (id, result)


def test_places_go_on_in_turn_order_from_the_last_who_went_out():
    for out, places in (((3, 1), [4, 2, 3, 1]), ((1, 3), [3, 1, 4, 2]), ((2, 1, 3), [4, 2, 1, 3])):
        left = [0 if s in out else 5 for s in range(4)]
        assert settle("wenzhou", out, left, *NONE).places == places, out


def test_a_deal_that_has_not_ended_is_not_settled():
    for out in ((), (0,), (0, 1)):
        assert settle("wenzhou", out, (5, 5, 5, 5), *NONE) is None, out


def test_winners_stars_multiply_the_losers_base_too():
    t = settle("wenzhou", (0, 2), (0, 5, 0, 9), ("bomb5:3",), ("bomb4:9",), (), ())
    assert (t.multiplier, t.points) == (2, [6, -6, 6, -6])
    t = settle("wenzhou", (0, 2), (0, 5, 0, 9), (), ("bomb5:9",), (), ())
    assert (t.multiplier, t.points) == (1, [3, -3, 3, -3])
    t = settle("jiangzhe", (0, 2), (0, 5, 0, 9), (), ("bomb5:9",), (), ())
    assert (t.multiplier, t.points) == (2, [8, -8, 8, -8])


def test_contributions_in_jiangzhe_are_not_zero_sum():
    t = settle("jiangzhe", (0, 2), (0, 5, 0, 9), (), ("bomb6:9",), (), ())
    assert t.contributions == [-2, 6, -2, 6]


def test_in_baibian_every_bomb_of_six_stars_contributes_at_once():
    t = settle("baibian", (0, 2), (0, 5, 0, 9), ("bomb6:3", "bomb7:4", "bomb5:9"), (), (), ())
    assert t.contributions == [12, -4, -4, -4]


def test_stakes_multiply_only_the_own_base():
    t = settle("diexiang", (0, 2), (0, 5, 0, 9), ("bomb6:3",), (), (), (), totals=(250, 16000, 0, 501))
    assert t.points == [16 + 6, -16 * 20 - 2, 16 - 2, -16 * 2 - 2]


def test_by_cards_left_the_team_that_is_out_wins():
    for left, result, worth in ((12, "double", 3), (11, "single", 2), (7, "single", 2), (6, "level", 1)):
        t = settle("wenzhou", (1, 0, 2), (0, 0, 0, left), (), ("bomb5:3",), (), (), options=("by_cards_left",))
        assert (t.result, t.multiplier) == (result, 1), left
        assert t.points == [worth, -worth, worth, -worth], left


def test_leaving_in_jiangzhe_breaks_the_deal():
    for id, unit in (("jiangzhe", 4), ("jiangzhe3", 3)):
        for bombs, points in (
            (NONE, [-3 * unit, unit, 0, unit]),
            (((), ("bomb5:3",), (), ()), [-6 * unit, 2 * unit, 0, 2 * unit]),
            (((), (), ("bomb5:3",), ()), [-6 * unit, 0, 2 * unit, 0]),
            (((), ("bomb5:4",), ("bomb5:3",), ()), [-6 * unit, 2 * unit, 0, 2 * unit]),
        ):
            t = settle(id, (), (9, 9, 9, 9), *bombs, leaver=0, turns=(5, 5, 5, 5))
            assert (t.result, t.points, t.contributions) == ("broken", points, [0, 0, 0, 0]), (id, bombs)


def test_leaving_in_baibian_costs_a_fine_and_the_contributions_owed():
    t = settle("baibian", (), (9, 9, 9, 9), ("bomb6:3",), ("bomb6:4",), (), (), leaver=0, turns=(4, 3, 3, 3))
    assert t.multiplier == 4
    assert t.contributions == [-1, 2, -2, -2]
    assert t.points == [-33, 5, -2, 1]
    t = settle("baibian", (), (9, 9, 9, 9), ("bomb6:3",), ("bomb6:4",), (), (), leaver=0, turns=(3, 3, 3, 3))
    assert t.points == [-33, 2, -2, -2]


def test_leaving_elsewhere_changes_nothing():
    for id in ("wenzhou", "diexiang"):
        t = settle(id, (0, 2), (0, 5, 0, 9), *NONE, leaver=1, turns=(9, 9, 9, 9))
        assert t.result == "double", id
