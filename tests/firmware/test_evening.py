"""Between deals: the score sheet from the journal, players at seats, the end of an evening. RULES.md section 9."""

from rig import LOBBY, SETTLED, Chip, PowerCut, Rig

import evening
import players
import settling
from seats import BOT, HUMAN


def sheet(rig):
    """The score sheet as a list of (number of the deal, result, points)."""
    evening.seen = -1
    out = []
    for i, word in enumerate(evening.load(rig.game)):
        if word < evening.RULES:
            which = evening.deal(rig.game, i)
            number = evening.header[8] | evening.header[9] << 8
            out.append((number, settling.RESULTS[which], list(evening.points)))
    return out


def told(rig):
    """The same from the lines of the record."""
    return [(line["id"][0], line["result"], line["points"]) for line in rig.events("end")]


def played(deals=3, seats="bbbb", chip=None, **more):
    rig = Rig(chip).boot().test(seats, **more)
    for _ in range(deals):
        assert rig.until("end")
    rig.run(100)
    return rig


def test_the_sheet_lists_the_deals_of_the_evening_with_their_points():
    rig = played(3)
    assert sheet(rig) == told(rig)
    assert evening.count == 3
    sums = [sum(line["points"][s] for line in rig.events("end")) for s in range(4)]
    assert [evening.sums[players.MOST + s] for s in range(4)] == sums
    assert [evening.totals[players.MOST + s] for s in range(4)] == rig.events("end")[-1]["totals"]
    assert [evening.sums[p] for p in evening.people] == sorted(sums, reverse=True)


def test_a_deal_that_runs_is_not_on_the_sheet():
    rig = played(1)
    rig.until("deal")
    rig.run(5000)
    assert sheet(rig) == told(rig)


def test_the_sheet_names_the_rule_set_where_it_changes():
    rig = played(2, rules=4)
    evening.seen = -1
    assert [word >> 15 for word in evening.load(rig.game)] == [1, 0, 0]
    assert evening.lines[0] & 15 == 4


def test_the_sheet_goes_on_after_a_power_cut():
    chip = Chip()
    first = played(2, chip=chip)
    again = Rig(chip).boot()
    assert sheet(again) == told(first)
    again.until("end")
    again.run(100)
    assert sheet(again) == told(first) + told(again)


def test_a_result_cut_while_it_is_kept_is_made_whole():
    whole = Rig().boot().test("bbbb")
    whole.until("end")
    ops = whole.chip.ops  # so far: the end line is out, what came of the deal is to be kept
    whole.run(100)
    for torn in (0, 1, 9, 17):
        chip = Chip()
        rig = Rig(chip).boot().test("bbbb")
        chip.cut = ops - chip.ops
        chip.torn = torn
        try:
            rig.until("end")
            rig.run(100)
            raise AssertionError("no cut")
        except PowerCut:
            pass
        chip.cut = -1
        again = Rig(chip).boot()
        assert again.game.phase == SETTLED
        assert sheet(again) == told(whole), torn


def test_deals_of_two_evenings_are_not_mixed():
    rig = played(2)
    rig.test("bbbb")
    assert rig.until("end")
    rig.run(100)
    assert len(sheet(rig)) == 1
    assert sheet(rig) == told(rig)[-1:]


def test_the_ring_goes_round_and_the_sheet_keeps_what_is_there():
    rig = played(20)  # the ring has 14 sectors, one of them is blank for the next deal
    assert sheet(rig) == told(rig)[-13:]


# Who sits where


def test_a_person_and_the_computer_at_a_seat_have_totals_of_their_own():
    rig = Rig().boot()
    rig.press(0, "play")
    end = rig.until("end", 4000000)
    settings = rig.game.settings
    assert players.total(settings, 0, 0) == end["totals"][0]
    assert players.total(settings, players.MOST, 0) == 0


def test_a_named_player_is_back_at_the_seat_in_the_next_evening():
    rig = Rig().boot()
    rig.press(1, "down")
    players.put_name(rig.game.settings, 5, "陈伟")
    rig.game.between("seating", "become", rig.game.seats[1], 5)
    rig.press(1, "clear")
    assert (rig.game.seats[1].kind, rig.game.seats[1].player) == (BOT, players.MOST + 1)
    rig.press(1, "down")
    seat = rig.game.seats[1]
    assert (seat.kind, seat.player, seat.name) == (HUMAN, 5, "陈伟")
    rig.press(1, "play")
    end = rig.until("end", 4000000)
    assert players.total(rig.game.settings, 5, 0) == end["totals"][1]
    again = Rig(rig.chip).boot()
    assert again.game.seats[1].name == "陈伟"
    again.run(40000)
    assert again.game.phase == LOBBY
    again.press(1, "down")
    assert (again.game.seats[1].name, again.game.seats[1].total) == ("陈伟", end["totals"][1])


def test_nobody_sits_at_two_seats():
    rig = Rig().boot()
    players.put_name(rig.game.settings, 5, "陈伟")
    for seat in (1, 2):
        rig.press(seat, "down")
        rig.game.between("seating", "become", rig.game.seats[seat], 5)
        rig.press(seat, "clear")
    rig.press(1, "down")
    rig.press(2, "down")
    assert [rig.game.seats[s].player for s in (1, 2)] == [5, 2]


def test_a_guest_is_an_unnamed_player_of_the_seat():
    rig = Rig().boot()
    for player in range(16):
        if player not in (6, 9):
            players.put_name(rig.game.settings, player, "P" + str(player))
    for seat in range(4):
        rig.press(seat, "down")
    assert [seat.player for seat in rig.game.seats] == [players.MOST, 9, 6, players.MOST + 3]


def test_settings_from_before_the_computers_had_totals_are_taken_over():
    rig = Rig().boot()
    players.put_name(rig.game.settings, 15, "Ann")
    players.put_total(rig.game.settings, 15, 4, -7)
    old = bytes(rig.game.settings.data[: 64 + 16 * 44])
    from slots import Slots

    slots = Slots(rig.chip)
    slots.load()
    assert slots.save(old)
    again = Rig(rig.chip)
    assert not again.game.settings.damaged
    assert players.name(again.game.settings, 15, 0) == "Ann"
    assert players.total(again.game.settings, 15, 4) == -7
    assert players.total(again.game.settings, players.MOST + 3, 4) == 0
