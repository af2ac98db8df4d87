"""What a turn asks of the rules allocates nothing once warm (only MicroPython can tell)."""

from array import array

import micropython

from host import deals
from shared_rules import classify, compare, generate, meld, rulesets, table, why

_out = array("i", [0] * generate.MOST)
_readings = array("i", [0] * 8)
_picked = bytearray(16)


def locked(function, argument):
    """Call a function while the heap is locked; an allocation raises MemoryError."""
    micropython.heap_lock()
    try:
        return function(argument)
    finally:
        micropython.heap_unlock()


def _turn(player):
    return player.turn()


def whole_deals(player, seeds):
    """Play deals with the heap locked in every turn. Returns the number of turns."""
    turns = 0
    for n in seeds:
        player.begin(deals.seed_of(n))
        while not player.table.ended:
            locked(_turn, player)
            turns += 1
    return turns


def test_the_lock_is_a_lock():
    try:
        locked(list, "123")
    except MemoryError:
        return
    raise AssertionError("a list could be made")


def test_hints_bots_and_plays_allocate_nothing():
    for id in rulesets.RULE_SETS:
        assert whole_deals(deals.Bots(id), range(3)) > 100
        assert whole_deals(deals.Bots(id, simple=10), range(3, 5)) > 50


def test_random_plays_of_every_kind_allocate_nothing():
    for id in rulesets.RULE_SETS:
        assert whole_deals(deals.Randoms(id), range(8)) > 200


def questions(asked):
    """Everything that a turn may ask about a hand. asked: [rules, counts, meld on the table]."""
    rules, counts, old = asked
    found = generate.melds(rules, counts, old, _out)
    i = 0
    while i < found:
        m = _out[i]
        generate.pick(rules, counts, m, _picked)
        classify.classify(rules, _picked, _readings)
        table.read(rules, _picked, old, 0, _readings)
        table.read(rules, _picked, old, m, _readings)
        compare.beats(rules, m, old)
        compare.star(rules, m)
        compare.scoring_star(rules, m)
        meld.size(m)
        i += 1
    return found


def test_classification_comparison_legality_and_melds_allocate_nothing():
    counts = bytearray((2, 4, 3, 4, 0, 1, 2, 0, 1, 0, 3, 2, 1, 2, 2, 27))
    for id in rulesets.RULE_SETS:
        rules = rulesets.get(id)
        for old in (0, meld.parse("pair:5"), meld.parse("straight5:8"), meld.parse("bomb5:3"), meld.THREE_JOKERS):
            asked = [rules, counts, old]
            assert locked(questions, asked) > 0, (id, old)


def judge_wrongly(t):
    """Every refusal of the trick machine."""
    found = 0
    _picked[0] = 9
    found |= 1 << -t.judge(0, _picked)
    _picked[0] = 0
    found |= 1 << -t.judge(0, _picked)
    found |= 1 << -t.judge_pass()
    return found


def test_refusals_allocate_nothing():
    bots = deals.Bots("wenzhou")
    bots.begin(deals.seed_of(1))
    for i in range(16):
        _picked[i] = 0
    wanted = 1 << -table.NOT_HELD | 1 << -table.NO_MELD | 1 << -table.MUST_LEAD
    assert locked(judge_wrongly, bots.table) == wanted
    assert why.sentence(2, table.MUST_LEAD, 0, 0)


def step_through(asked):
    """All hints of one hand once round. asked: [Hints, rules, counts, old, raised, bombs]. Returns how many."""
    machine, rules, counts, old, raised, bombs = asked
    machine.start(rules, counts, old, raised, bombs)
    while not machine.work():
        pass
    n = 0
    while machine.next(_picked) and not machine.again:
        n += 1
    return n


def test_stepping_through_all_hints_with_cards_raised_allocates_nothing():
    hands = deals.Hands("wenzhou")
    hands.take(2)
    raised = bytearray(16)
    for r in range(13):
        if hands.counts[r] and raised[15] < 2:
            raised[r] = 1
            raised[15] += 1
    for old in (0, meld.parse("pair:5")):
        for up in (None, raised):
            for bombs in (False, True):
                asked = [hands.hints, hands.rules, hands.counts, old, up, bombs]
                step_through(asked)
                assert locked(step_through, asked) >= 0, (old, up, bombs)
    assert step_through([hands.hints, hands.rules, hands.counts, 0, None, False]) > 20
