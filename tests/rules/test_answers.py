"""The answers of CONFORMANCE.md in whichever interpreter runs this file."""

import json

from host import rules_answer

VECTORS = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/vectors/"


def check(name):
    """Every vector of a file (but raw lines, whose JSON is read by the server): expected fields as given."""
    number = 0
    with open(VECTORS + name + ".jsonl") as file:
        for line in file:
            number += 1
            request = json.loads(line)
            expected = request.pop("expect")
            if "raw" in request:
                continue
            reply = rules_answer.answer(request)
            for key in expected:
                given = reply.get(key)
                wanted = expected[key]
                if key == "melds" and request["op"] == "melds" and given is not None:
                    given = sorted(given)
                    wanted = sorted(wanted)
                assert given == wanted, f"{name}.jsonl line {number}, {key}"
    return number


def test_classify():
    assert check("classify") >= 250


def test_compare():
    assert check("compare") >= 290


def test_deal():
    assert check("deal") >= 20


def test_errors():
    assert check("errors") >= 150


def test_melds():
    assert check("melds") >= 180


def test_replay():
    assert check("replay") >= 60


def test_settle():
    assert check("settle") >= 240


def test_stars():
    assert check("stars") >= 200


HANDS = ["3d 3h 9", "4 4", "5 6", "6 6"]


def replay(*plays):
    """The answer to a replay at a small table."""
    request = {"op": "replay", "rules": "wenzhou", "hands": HANDS, "lead": 0, "plays": list(plays)}
    return rules_answer.answer(request)


def error(*plays):
    """Code and index of a replay's refusal."""
    reply = replay(*plays)
    return reply["error"], reply.get("at")


def test_a_play_with_several_faults_answers_the_first_of_the_list():
    assert error("pass") == ("must-lead", 0)
    assert error("4 5") == ("not-held", 0)
    assert error("3 9") == ("no-meld", 0)
    assert error("") == ("no-meld", 0)
    assert error({"cards": "3 9", "as": "pair:9"}) == ("no-meld", 0)
    assert error({"cards": "3", "as": "pair:9"}) == ("not-offered", 0)
    assert error("9", {"cards": "4", "as": "pair:4"}) == ("not-offered", 1)
    assert error("9", "4") == ("does-not-beat", 1)
    assert error("9", {"cards": "4", "as": "single:4"}) == ("does-not-beat", 1)
    assert error("9", "pass", "pass", "pass", "3 3", "4 4", "pass", "6 6", "K") == ("ended", 8)
    assert error("9", "pass", "pass", "pass", "3 3", "4 4", "pass", "6 6", "pass") == ("ended", 8)


def test_cards_and_melds_are_read_before_anything_is_played():
    assert error("pass", "Y") == ("bad-card", None)
    assert error("pass", {"cards": "3", "as": "quad:3"}) == ("bad-meld", None)
    assert error("pass", {"cards": "3"}) == ("bad-request", None)
    assert error("pass", 3) == ("bad-request", None)


def test_a_suit_that_is_named_must_be_held():
    assert error("3s") == ("not-held", 0)
    assert error("3d 3d") == ("not-held", 0)
    assert replay("3H")["left"] == [2, 2, 2, 2]
    assert replay("3h 3")["left"] == [1, 2, 2, 2]
    # without a suit the lowest goes first: the diamond
    assert error("3", "pass", "pass", "pass", "3d") == ("not-held", 4)
    assert replay("3", "pass", "pass", "pass", "3h")["left"] == [1, 2, 2, 2]


def test_after_the_end_the_last_meld_lies_and_it_is_nobodys_turn():
    reply = replay("9", "pass", "pass", "pass", "3 3", "4 4", "pass", "6 6")
    assert reply == {
        "turn": None,
        "leading": False,
        "table": "pair:6",
        "out": [0, 1, 3],
        "left": [0, 0, 2, 0],
        "ended": True,
    }


def test_the_partner_leads_for_a_winner_who_is_out():
    reply = replay("9", "pass", "pass", "pass", "3 3", "pass", "pass", "pass")
    assert (reply["turn"], reply["leading"], reply["table"], reply["out"]) == (2, True, None, [0])


def settle(**changes):
    """The answer to a settlement with some fields changed; None takes a field away."""
    request = {
        "op": "settle",
        "rules": "wenzhou",
        "out": [0, 2],
        "left": [0, 3, 0, 4],
        "bombs": [["bomb5:3"], [], [], []],
    }
    for name in changes:
        if changes[name] is None:
            del request[name]
        else:
            request[name] = changes[name]
    return rules_answer.answer(request)


def test_a_deal_that_cannot_be_is_not_settled():
    assert settle()["points"] == [6, -6, 6, -6]
    for wrong in (
        {"out": [0, 1]},
        {"out": [0, 0]},
        {"out": [0, 4]},
        {"out": [0, True]},
        {"out": [0, 2, 1], "left": [0, 0, 0, 4]},
        {"left": [0, 3, 0]},
        {"left": [1, 3, 0, 4]},
        {"left": [0, 0, 0, 4]},
        {"left": [0, 28, 0, 4]},
        {"left": [0, 3, 0, 4.0]},
        {"bombs": [[], [], []]},
        {"bombs": [["bomb4:3"] * 28, [], [], []]},
        {"totals": [0, 0, 0]},
        {"totals": [0, 0, 0, "0"]},
        {"options": "by_cards_left"},
        {"leaver": 1},
        {"leaver": {"seat": 1}},
        {"leaver": {"seat": 4, "turns": [1, 1, 1, 1]}},
        {"leaver": {"seat": 1, "turns": [1, 1, 1, -1]}},
        # leaving has no effect here, so the deal has not ended
        {"out": [], "left": [9, 9, 9, 9], "leaver": {"seat": 1, "turns": [1, 1, 1, 1]}},
    ):
        assert settle(**wrong)["error"] == "bad-request", wrong
    assert settle(options=["nosuch"])["error"] == "bad-rules"
    assert settle(rules="baibian", options=["by_cards_left"])["error"] == "bad-rules"
    assert settle(bombs=[["bomb4:Z"], [], [], []])["error"] == "bad-meld"


def test_a_refusal_in_a_replay_says_why_as_exactly_as_the_rules_can():
    for rules, hands, lead, plays, message in (
        ("wenzhou", ["5 5", "6 3", "7", "8"], 0, [{"cards": "5 5", "as": "pair:6"}], "These cards do not make pair 6."),
        ("baibian", ["8 8 8", "3 x", "7", "6"], 1, ["3 x"], "The small joker is not wild."),
        ("wenzhou", ["9 9 9 4", "7 7 7", "J", "6"], 0, ["9 9 9", "7 7 7"], "Triple above 9; yours is 7."),
    ):
        request = {"op": "replay", "rules": rules, "hands": hands, "lead": lead, "plays": plays}
        assert rules_answer.answer(request)["message"] == message, plays
