"""What the rules cost in memory where objects are as large as on the board, and how large their integers get."""

import sys
from array import array

import pytest

from host import bench, deals, interpreter
from shared_rules import cards, classify, rulesets, score, table

KB = 1024


@pytest.mark.parametrize("vm", interpreter.VMS[1:])
def test_a_four_bot_deal_needs_at_most_40_kb_of_the_boards_heap(vm):
    memory = bench.memory(vm)
    assert memory["peak"] <= 40 * KB, memory
    # no single allocation can be larger than all that one step took
    assert max(memory["steps"].values()) < 16 * KB, memory


@pytest.mark.parametrize("vm", interpreter.VMS[1:])
def test_a_turn_leaves_nothing_on_the_boards_heap(vm):
    for operation, used in bench.allocations(vm).items():
        assert used == 0, operation


def test_a_hand_is_16_bytes_of_counts_and_14_of_identity_and_a_saved_play_4_bytes():
    bots = deals.Bots("wenzhou")
    bots.play(deals.seed_of(1))
    t = bots.table
    assert {len(c) for c in t.counts} == {16}
    assert {len(c) for c in t.cards} == {14}
    assert len(t.history) == 4 * 107
    assert 0 < t.n_plays <= 107


def test_a_deal_with_its_history_is_at_most_700_bytes():
    bots = deals.Bots("wenzhou")
    bots.play(deals.seed_of(1))
    t = bots.table
    buffers = [t.dealt, t.counts, t.cards, t.events, [t.history, t.last, t.turns, t.out, t.shown]]
    sizes = [len(b) * getattr(b, "itemsize", 1) for group in buffers for b in group]
    assert sum(sizes) <= 700, sizes


def largest_integer(function):
    """The largest absolute value that a local variable, an array or an attribute of the engine holds in a call."""
    worst = (0, "")

    def look(name, value, where):
        nonlocal worst
        if type(value) is int and abs(value) > worst[0]:
            worst = (abs(value), f"{name} in {where}")
        elif type(value) is array and len(value):
            look(name, max(value), where)
            look(name, min(value), where)

    def trace(frame, event, arg):
        if "shared_rules" not in frame.f_code.co_filename:
            return None
        where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        for name, value in frame.f_locals.items():
            if name == "self":
                for field, held in vars(value).items():
                    look(field, held, where)
            else:
                look(name, value, where)
        if event == "return":
            look("the result", arg, where)
        return trace

    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(None)
    return worst


@pytest.mark.parametrize("rules", rulesets.RULE_SETS)
def test_no_integer_of_the_engine_is_over_30_bits(rules):
    """The board's small integers; a larger one would be an object on the heap."""

    def deal():
        bots = deals.Bots(rules)
        bots.begin(deals.seed_of(5))
        for _ in range(12):
            bots.turn()
        again = table.Table(bots.rules)
        again.begin([[c for c in range(108) if cards.has(d, c)] for d in bots.table.dealt], bots.table.lead)
        again.replay(bots.table.history, bots.table.n_plays)
        score.settle_table(bots.table, (96000, 0, 0, 0), 0)

    def extremes():
        # the largest melds, and stars beyond what a deal can bring
        row = rulesets.get(rules)
        out = array("i", [0] * 8)
        classify.classify(row, bytearray((8, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 27)), out)
        events = [bytearray((0, 0, 0, 0, 0, 0, 0, 0, 6))] * 4
        score.settle(row, [0, 2], [0, 1, 0, 1], events, (96000, 0, 0, 0))

    for work in (deal, extremes):
        value, where = largest_integer(work)
        assert 0 < value < 1 << 30, where
