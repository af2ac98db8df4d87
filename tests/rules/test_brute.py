"""The engine against brute force on random questions; more of them: ``python tests/rules/fuzz.py``."""

import random

import brute
import cases
import fuzz
import pytest

# cheap questions are asked more often
COUNT = {"classify": 300, "melds": 25, "hint": 25, "replay": 25, "deal": 10}


@pytest.mark.parametrize("rules", brute.RULE_SETS)
@pytest.mark.parametrize("op", cases.OPS)
def test_the_engine_answers_as_brute_force_does(op, rules):
    assert fuzz.run("suite", op, rules, COUNT.get(op, 200), largest=10) == []


@pytest.mark.parametrize("rules", brute.RULE_SETS)
def test_the_hint_keys_complete_what_is_raised_first_and_offer_bombs_small_to_large(rules):
    chance = random.Random(f"keys {rules}")
    assert [f for _ in range(40) for f in fuzz.hint_key_faults(chance, rules, 8)] == []


@pytest.mark.parametrize("rules", brute.RULE_SETS)
def test_brute_force_finds_in_windows_what_it_finds_in_all_sub_multisets(rules):
    chance = random.Random(f"windows {rules}")
    for _ in range(12):
        ranks = [r for r, _ in cases.hand(chance, chance.randint(3, 9), dense=True)]
        assert brute.melds(rules, ranks) == brute.melds(rules, ranks, every=True)


def test_brute_force_answers_the_vectors_too():
    """Its own licence to judge: the vectors were computed by a third program."""
    import test_server

    wrong = []
    for where, line, expected, op in test_server.vectors():
        try:
            request = test_server.json.loads(line)
        except ValueError:
            continue  # raw lines: no JSON
        if op in ("melds", "hint") and "error" not in expected:
            if len(request["hand"].split()) > 12:
                continue  # minutes of brute force; the fuzz command's --largest does such hands
        reply = brute.answer(request)
        for name, value in expected.items():
            if test_server.as_compared(op, name, reply.get(name)) != test_server.as_compared(op, name, value):
                wrong.append(f"{where}: {name} is {reply.get(name)}, expected {value}")
    assert not wrong, "\n".join(wrong[:20])
