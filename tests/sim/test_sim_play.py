"""Playing with pad keys alone, on the hub's own firmware."""

import pytest

from host.sim.settings import Settings
from host.sim.table import SimTable
from shared_rules import cards, hints

ONE = "0" * 63 + "1"
# Seat 0 can lead 5 6 7 with three jokers in two ways; seat 1 has high pairs, seat 2 low ones.
HANDS = [
    "5d 6d 7d x X X 3d 3c 3h 3s 4d 4c 9d 9d 9c 9c Td Td Jd Jd Qd Qd Kd Kd Ad Ad 2d",
    "8d 8d 8c 8c 8h 8h 8s 8s 2d 2c 2c 2h 2h 2s 2s Ac Ac Ah Ah As As Kc Kc Kh Kh Ks Ks",
    "x 3d 3c 3h 3s 4d 4c 4h 4h 4s 4s 5d 5c 5c 5h 5h 5s 5s 6d 6c 6c 6h 6h 6s 6s 7d 7c",
    "7c 7h 7h 7s 7s 9h 9h 9s 9s Tc Tc Th Th Ts Ts Jc Jc Jh Jh Js Js Qc Qc Qh Qh Qs Qs",
]


@pytest.fixture
def table():
    """``table(**settings)``: the hub, up to its first turn."""
    made = []

    def make(**settings):
        settings.setdefault("seats", ["human", "human", "human", "human"])
        one = SimTable(Settings(**settings), quiet=True)
        made.append(one)
        one.start()
        assert one.command({"until": "boot", "ms": 5000})["ok"]
        one.command({"advance": 300})
        for seat, kind in enumerate(settings["seats"]):
            if kind == "human":
                one.command({"press": {"seat": seat, "key": "play"}})
        if one.persons.turn is None:
            assert one.command({"until": "turn", "ms": 20_000})["ok"]
        return one

    yield make
    for one in made:
        one.stop()


def shown(counts):
    """A text for bytearray(16) of counts."""
    return " ".join(cards.RANKS[r] for r in range(15) for _ in range(counts[r]))


def test_four_persons_play_a_whole_deal_with_keys_alone(table):
    t = table(seed=ONE)
    thinker = hints.Hints()
    raised = bytearray(16)
    plays = []
    t.on_event(lambda e: plays.append(e) if e["ev"] == "play" else None)
    while not t.ended:
        if t.persons.turn is None:
            assert t.wait_for(lambda e: e["ev"] in ("turn", "end"), 10_000)
            continue
        seat = t.persons.turn
        person = t.persons.seats[seat]
        thinker.start(t.persons.rules, person.counts, t.persons.table)
        while not thinker.work():
            pass
        if thinker.next(raised):
            answer = t.command({"play": {"seat": seat, "cards": shown(raised)}})
            assert answer["ok"], answer
            assert plays[-1]["seat"] == seat and plays[-1]["cause"] == "key"
            assert sorted(w[0] for w in plays[-1]["cards"].split()) == sorted(shown(raised).replace(" ", ""))
        else:
            answer = t.command({"play": {"seat": seat, "pass": True}})
            assert answer == {"ok": True, "presses": 1}
    assert t.violations.count == 0
    assert t.command({"stats": True})["key_to_pixel_ms"]


def test_the_reading_of_a_lead_can_be_chosen(table):
    t = table(hands=HANDS, lead=0)
    heard = []
    t.on_event(heard.append)
    answer = t.command({"play": {"seat": 0, "cards": "5 6 7 x X X", "as": "pairs3:7"}})
    assert answer["ok"], answer
    play = next(e for e in heard if e["ev"] == "play")
    assert play["meld"] == "pairs3:7"


def test_without_a_choice_the_first_reading_is_led(table):
    t = table(hands=HANDS, lead=0)
    heard = []
    t.on_event(heard.append)
    assert t.command({"play": {"seat": 0, "cards": "5 6 7 x X X"}})["ok"]
    assert next(e for e in heard if e["ev"] == "play")["meld"] == "straight6:T"


def test_what_a_person_cannot_do_is_said(table):
    t = table(hands=HANDS, lead=0)

    def why(**play):
        answer = t.command({"play": {"seat": 0, **play}})
        assert not answer["ok"]
        return answer["why"]

    assert "not of seat 1" in t.command({"play": {"seat": 1, "cards": "8"}})["why"]
    assert why(cards="8") == "Seat 0 does not hold so many '8': not-held."
    assert why(cards="5 5") == "Seat 0 does not hold so many '5': not-held."
    assert why(cards="1") == "There is no card '1': bad-card."
    assert why(cards="") == "A play has at least one card."
    assert why(cards="5", **{"as": "pair:9"}) == "Those cards do not make pair:9: not-offered."
    assert why(cards="5", **{"as": "castle"}) == "There is no meld 'castle'."
    assert why(cards="3s") == "'3s' cannot be played: of a rank the lowest suits go first."
    assert why(cards="5 6") == "The table refused it: no-meld."
    assert why(**{"pass": True}) == "The table refused it: must-lead."
    assert t.command({"play": {"seat": 0, "cards": "9c 9d"}})["why"].endswith("lowest suits go first.")
    assert t.command({"play": {"seat": 0, "cards": "9d 9d"}})["ok"]
    answer = t.command({"play": {"seat": 1, "cards": "8 8 8"}})
    assert not answer["ok"] and "does-not-beat" in answer["why"]


def test_keys_pressed_by_hand_before_a_play_do_not_disturb_it(table):
    t = table(hands=HANDS, lead=0)
    for key in ("left", "up", "left", "sort", "down", "right", "hint", "bomb", "up"):
        assert t.command({"press": {"seat": 0, "key": key}})["ok"]
    t.command({"advance": 500})
    heard = []
    t.on_event(heard.append)
    assert t.command({"play": {"seat": 0, "cards": "A A"}})["ok"]
    assert next(e for e in heard if e["ev"] == "play")["meld"] == "pair:A"


def test_a_hand_that_nobody_told_is_not_known(table):
    t = table()
    seat = t.persons.turn
    answer = t.command({"play": {"seat": seat, "cards": "3"}})
    assert answer["why"] == f"The hand of seat {seat} is not known: give --seed or --hands."


def test_a_person_goes_on_with_the_same_hand_after_a_power_cut(table):
    t = table(hands=HANDS, lead=0)
    assert t.command({"play": {"seat": 0, "cards": "9 9"}})["ok"]
    assert t.command({"play": {"seat": 1, "cards": "K K"}})["ok"]
    t.command({"power": "cut"})
    t.command({"power": "on"})
    assert t.command({"until": "resumed", "ms": 5000})["ok"]
    t.command({"advance": 500})
    assert t.persons.turn == 2
    assert t.persons.seats[0].counts[15] == 25
    assert t.command({"play": {"seat": 2, "pass": True}})["ok"]
    assert t.command({"play": {"seat": 3, "pass": True}})["ok"]
    answer = t.command({"play": {"seat": 0, "cards": "A A"}})
    assert answer["ok"], answer
