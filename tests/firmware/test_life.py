"""A table's life: turns, clocks, trustees, hints, readings, readiness. RULES.md sections 5, 6 and 9."""

from rig import DEALING, LAST_TRICK, LOBBY, PERIOD, PLAY, SETTLED, Rig, hands

from shared_rules import meld, rulesets

# Notices of seats.py
NOTICE_TRUSTEE_LEFT_2, NOTICE_TRUSTEE_LEFT_0, NOTICE_TRUSTEE_NO_MORE, NOTICE_TRUSTEE_STAYS = 6, 8, 9, 10
NOTICE_NO_HINT, NOTICE_NO_BOMB = 11, 12

BAIBIAN = rulesets.RULE_SETS.index("baibian")
JIANGZHE = rulesets.RULE_SETS.index("jiangzhe")
DIEXIANG = rulesets.RULE_SETS.index("diexiang")


def table(seats="hbbb", **more):
    return Rig().boot().deal(seats, **more)


def names(rig, *events):
    return [line["ev"] for line in rig.lines if not events or line["ev"] in events]


# Before a deal


def test_the_hub_starts_in_the_lobby_and_waits_for_ever():
    rig = Rig().boot()
    rig.run(120000)
    assert rig.game.phase == LOBBY
    assert names(rig) == ["boot"]


def test_who_presses_a_key_in_the_lobby_joins_and_the_other_seats_are_the_computers():
    rig = Rig().boot()
    rig.press(1, "down")
    assert [seat.kind for seat in rig.game.seats] == [1, 0, 1, 1]
    rig.press(1, "play")
    assert rig.until("deal", 10000)["rules"] == "wenzhou"
    assert "test" not in rig.lines[-1]


def test_the_lobby_chooses_the_rule_set_the_language_and_the_clock():
    rig = Rig().boot()
    rig.press(0, "left", "right")
    assert rig.game.rules.id == "jiangzhe"
    rig.press(0, "down", "right")
    assert rig.game.seats[0].lang == 1
    assert rig.game.seats[1].lang == 0
    rig.press(0, "down", "right")
    assert rig.game.turn_seconds == 45
    rig.press(0, "play")
    assert rig.until("deal", 10000)["rules"] == "jiangzhe"


def test_the_commitment_is_shown_before_the_first_turn():
    rig = Rig().boot().test("bbbb")
    rig.until("deal")
    assert rig.game.phase == DEALING
    assert rig.lines[-1]["commit"] == rig.game.commit
    assert rig.until("turn", 3000)["leading"]
    assert rig.game.phase == PLAY


def test_in_a_test_a_person_still_chooses_language_and_layout_but_neither_rules_nor_clock():
    rig = Rig().boot().test("hbbb")
    seat = rig.game.seats[0]
    rig.press(0, "left")
    assert seat.lang == 1
    rig.press(0, "down", "right", "clear")
    assert seat.layout == 1
    rig.press(0, "down", "right", "up", "right")
    assert (seat.lang, seat.layout) == (2, 0)
    assert (rig.game.rules.id, rig.game.turn_seconds) == ("wenzhou", 30)
    assert [seat.kind for seat in rig.game.seats] == [0, 1, 1, 1]
    assert rig.game.phase == LOBBY


def test_a_person_in_a_test_is_ready_with_play_or_after_half_a_minute():
    rig = Rig().boot().test("hbbb")
    rig.run(10000)
    assert rig.game.phase == LOBBY
    rig.press(0, "play")
    assert rig.until("deal", 2000)
    rig = Rig().boot().test("hbbb")
    rig.run(29000)
    assert rig.game.phase == LOBBY
    assert rig.until("deal", 2000)


# Selecting


def test_up_from_none_steps_to_all_and_then_lowers_all():
    rig = table(hands=hands("5 5 5 K"), lead=0)
    seat = rig.game.seats[0]
    seat.cursor = list(seat.order[: seat.n_order]).index(2)
    counts = rig.game.table.counts[0]
    seen = []
    for _ in range(counts[2] + 2):
        rig.press(0, "up")
        seen.append(seat.raised[2])
    assert seen == list(range(1, counts[2] + 1)) + [0, 1]
    rig.press(0, "down", "down")
    assert seat.raised[2] == counts[2]
    rig.press(0, "clear")
    assert bytes(seat.raised) == bytes(16)


def test_the_cursor_wraps_at_both_ends():
    rig = table()
    seat = rig.game.seats[0]
    seat.cursor = 0
    rig.press(0, "left")
    assert seat.cursor == seat.n_order - 1
    rig.press(0, "right")
    assert seat.cursor == 0


def test_sorting_keeps_the_cursor_on_its_rank_and_what_is_raised():
    rig = table()
    seat = rig.game.seats[0]
    rig.press(0, "up")
    rank = seat.order[seat.cursor]
    raised = bytes(seat.raised)
    rig.press(0, "sort")
    assert seat.order[seat.cursor] == rank
    assert bytes(seat.raised) == raised
    sizes = [rig.game.table.counts[0][r] for r in seat.order[: seat.n_order]]
    assert sizes == sorted(sizes, reverse=True)
    rig.press(0, "sort")
    order = list(seat.order[: seat.n_order])
    assert order == sorted(order, reverse=True)


def test_cards_may_be_raised_out_of_turn_but_not_played():
    rig = table(lead=1)
    rig.game.key(0, 2, rig.game.turn_no, rig.now)  # up
    rig.game.key(0, 5, rig.game.turn_no, rig.now)  # play
    assert rig.game.seats[0].raised[15] == 1
    assert names(rig, "play", "refused") == []


# Playing


def test_a_single_is_played_with_up_and_play():
    rig = table(lead=0)
    rig.press(0, "up")
    rank = rig.game.seats[0].order[rig.game.seats[0].cursor]
    rig.press(0, "play")
    line = rig.events("play")[0]
    assert (line["seat"], line["cause"], line["left"]) == (0, "key", 26)
    assert line["meld"] == "single:" + "3456789TJQKA2xX"[rank]
    assert rig.lines[-1]["ev"] == "turn" and rig.lines[-1]["seat"] == 1


def test_a_play_that_is_refused_says_why_and_changes_nothing():
    rig = table(lead=0)
    rig.press(0, "pass", "play")
    assert [line["why"] for line in rig.events("refused")] == ["must-lead", "no-meld"]
    assert rig.game.seats[0].refusal[0] == -1
    assert rig.game.table.left(0) == 27
    rig.run(5000)
    assert rig.game.seats[0].refusal is None


def test_a_double_press_of_play_does_not_choose_a_reading():
    rig = table(hands=hands("5 6 7 x x X"), lead=0)
    raise_ranks(rig, 0, "567xxX")
    rig.press(0, "play")
    seat = rig.game.seats[0]
    assert [meld.text(m) for m in seat.choices] == ["straight6:T", "pairs3:7"]
    rig.run(100)
    rig.game.key(0, 5, rig.game.turn_no, rig.now)
    assert len(seat.choices) == 2
    assert rig.events("play") == []


def raise_ranks(rig, s, ranks):
    """Raise these cards with keys."""
    seat = rig.game.seats[s]
    for ch in ranks:
        r = "3456789TJQKA2xX".index(ch)
        while seat.order[seat.cursor] != r:
            rig.press(s, "right")
        rig.press(s, "up")


def test_a_lead_with_several_readings_is_chosen_with_left_and_right():
    rig = table(hands=hands("5 6 7 x x X"), lead=0)
    raise_ranks(rig, 0, "567xxX")
    rig.press(0, "play", "right")
    assert meld.text(rig.game.seats[0].reading) == "pairs3:7"
    rig.press(0, "play")
    assert rig.events("play")[0]["meld"] == "pairs3:7"


def test_clear_goes_back_from_the_choice_with_the_cards_still_raised():
    rig = table(hands=hands("5 6 7 x x X"), lead=0)
    raise_ranks(rig, 0, "567xxX")
    rig.press(0, "play", "clear")
    assert rig.game.seats[0].choices == []
    assert rig.game.seats[0].raised[15] == 6


def test_a_press_from_an_earlier_turn_does_nothing():
    rig = table(lead=0)
    old = rig.game.turn_no
    rig.press(0, "up", "play")
    rig.until("turn", seat=0)
    rig.press(0, "up")
    rig.run(400)
    rig.game.key(0, 5, old, rig.now)
    rig.game.key(0, 6, old, rig.now)
    assert rig.events("refused") == []
    assert rig.game.table.turn == 0


def test_one_turn_is_one_act_however_many_keys_come():
    rig = table(lead=0)
    turn = rig.game.turn_no
    rig.press(0, "up")
    for key in (5, 6, 5, 6, 10):
        rig.game.key(0, key, turn, rig.now)
    assert len([x for x in rig.lines if x["ev"] in ("play", "pass") and x["seat"] == 0]) == 1


# Hints


def test_hint_raises_a_legal_play_and_steps_to_the_next():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "hint")
    rig.run(200)
    first = bytes(seat.raised)
    assert seat.legal
    rig.press(0, "hint")
    rig.run(200)
    assert seat.legal and bytes(seat.raised) != first


def test_hint_completes_what_is_raised():
    rig = table(hands=hands("5 6 7 8 9 K K 2"), lead=0)
    seat = rig.game.seats[0]
    raise_ranks(rig, 0, "6")
    rig.press(0, "hint")
    rig.run(200)
    assert seat.raised[3] >= 1
    assert seat.legal


def test_bomb_hints_go_from_small_to_large():
    rig = table(hands=hands("5 5 5 5 5 6 6 6 6"), lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "bomb")
    rig.run(200)
    assert seat.legal and meld.is_bomb(seat.reading)
    first = seat.raised[15]
    assert first == 4


def test_without_a_hint_the_player_is_told():
    threes = "3 3 3 4 4 4 5 5 5 6 6 6 7 7 7 8 8 8 9 9 9 T T T J J J"
    rig = table(hands=hands(threes, "2 2 2 2 2 2 2 2 X X x x"), lead=1, seats="hhbb")
    raise_ranks(rig, 1, "22")
    rig.press(1, "play")
    rig.until("turn", seat=0)
    rig.press(0, "hint")
    rig.run(200)
    assert rig.game.seats[0].notice == NOTICE_NO_HINT
    rig.press(0, "bomb")
    rig.run(200)
    assert rig.game.seats[0].notice == NOTICE_NO_BOMB
    rig.press(0, "pass")
    assert rig.game.seats[0].notice == 0, "it spoke of what lay on the table then"


# The clock, the trustee


def test_time_outs_warn_twice_and_the_third_turns_the_trustee_on():
    rig = table(lead=0)
    rig.run(30100)
    assert names(rig, "warning", "play")[:2] == ["warning", "play"]
    line = rig.events("play")[0]
    assert line["cause"] == "timeout"
    played = "3456789TJQKA2xX".index(line["meld"][-1])
    lowest = min([r for r in range(15) if rig.game.table.counts[0][r] or r == played])
    assert line["meld"] == "single:" + "3456789TJQKA2xX"[lowest]
    rig.until("trustee", 400000)
    assert [(x["seat"], x["count"]) for x in rig.events("warning")] == [(0, 1), (0, 2)]
    assert rig.events("trustee")[0]["cause"] == "timeout"
    assert rig.game.seats[0].trustee
    first = rig.until("turn", seat=0)
    if first:
        rig.run(1500)
        assert rig.lines[rig.at]["cause"] == "trustee"


def test_the_second_time_out_on_a_meld_passes():
    rig = table(lead=1)
    rig.until("turn", seat=0)
    rig.run(30100)
    line = [x for x in rig.lines if x["ev"] in ("pass", "play") and x["seat"] == 0][0]
    assert (line["ev"], line["cause"]) == ("pass", "timeout")


def test_time_outs_are_counted_anew_in_each_deal():
    rig = table(lead=0)
    rig.until("warning", 40000)
    rig.press(0, "trustee")
    rig.until("deal", 4000000)
    assert rig.game.seats[0].warnings == 0
    assert not rig.game.seats[0].trustee


def test_without_a_clock_nobody_is_hurried():
    rig = table(lead=0, turn_seconds=0)
    rig.run(600000)
    assert rig.events("warning") == []
    assert rig.game.turn_ms == 0


def test_the_trustee_key_turns_it_on_and_off_and_locks_all_other_keys():
    rig = table(lead=1)
    rig.press(0, "trustee")
    seat = rig.game.seats[0]
    assert seat.trustee
    rig.press(0, "up")
    assert seat.raised[15] == 0
    rig.press(0, "trustee")
    assert not seat.trustee
    assert [(x["on"], x["cause"]) for x in rig.events("trustee")] == [(True, "key"), (False, "key")]


def test_a_hammered_trustee_key_leaves_the_journal_room_for_the_deal():
    rig = table("hhbb", turn_seconds=0, lead=1)  # seat 1 thinks for as long as it likes
    for _ in range(1200):
        rig.press(0, "trustee")
        rig.run(400)
    told = len(rig.events("trustee"))
    assert 100 < told < 900
    rig.press(1, "trustee")
    assert len(rig.events("trustee")) == told
    assert rig.game.saving and rig.game.phase == PLAY


def test_baibian_turns_the_trustee_on_three_times_a_deal():
    rig = table(rules=BAIBIAN, turn_seconds=0, lead=1)
    seat = [s for s in rig.game.seats if s.kind == 0][0]
    notices = []
    for _ in range(3):
        rig.press(seat.index, "trustee")
        notices.append(seat.notice)
        rig.press(seat.index, "trustee")
        assert not seat.trustee
    assert notices == [NOTICE_TRUSTEE_LEFT_2, NOTICE_TRUSTEE_LEFT_2 + 1, NOTICE_TRUSTEE_LEFT_0]
    rig.press(seat.index, "trustee")
    assert not seat.trustee
    assert seat.notice == NOTICE_TRUSTEE_NO_MORE


def test_baibian_keeps_a_trustee_that_time_outs_set_after_the_third_time():
    rig = table(rules=BAIBIAN, lead=1)
    seat = [s for s in rig.game.seats if s.kind == 0][0]
    for _ in range(6):
        rig.press(seat.index, "trustee")
    assert not seat.trustee
    assert rig.until("trustee", 400000, cause="timeout")
    rig.press(seat.index, "trustee")
    assert seat.trustee
    assert seat.notice == NOTICE_TRUSTEE_STAYS


def test_bots_answer_after_the_same_time_whatever_they_hold():
    rig = table("bbbb")
    times = set()
    turn = None
    while rig.game.phase == PLAY:
        before = len(rig.lines)
        rig.run(20)
        if len(rig.lines) > before:
            if turn is not None:
                times.add(rig.now - turn)
            turn = rig.now
    assert times == {800}


# Pads


def test_a_pad_out_is_played_for_after_a_grace_and_the_same_hand_comes_back_with_it():
    rig = table(lead=1, turn_seconds=0)
    hand = bytes(rig.game.table.counts[0])
    rig.game.pad(0, False, rig.now)
    rig.run(4000)
    assert not rig.game.seats[0].trustee
    rig.run(1500)
    assert rig.game.seats[0].trustee
    assert bytes(rig.game.table.counts[0]) == hand or rig.game.table.left(0) < 27
    rig.game.pad(0, True, rig.now)
    assert not rig.game.seats[0].trustee
    assert [(x["on"], x["cause"]) for x in rig.events("trustee")] == [(True, "pad"), (False, "pad")]


def test_baibian_waits_for_a_dropped_player():
    rig = table(rules=BAIBIAN, lead=1, turn_seconds=0)
    s = [seat.index for seat in rig.game.seats if seat.kind == 0][0]
    rig.game.pad(s, False, rig.now)
    rig.run(29000)
    assert not rig.game.seats[s].trustee
    rig.run(1500)
    assert rig.game.seats[s].trustee


def test_a_pad_that_is_back_in_time_has_missed_nothing():
    rig = table(lead=1, turn_seconds=0)
    rig.game.pad(0, False, rig.now)
    rig.run(3000)
    rig.game.pad(0, True, rig.now)
    rig.run(10000)
    assert rig.events("trustee") == []


# The end


def test_a_deal_ends_with_three_seconds_on_the_last_trick_and_then_the_settlement():
    rig = table("bbbb")
    while rig.game.phase == PLAY:
        rig.run(20)
    assert rig.game.phase == LAST_TRICK
    assert rig.events("end") == []
    rig.run(2900)
    assert rig.events("end") == []
    rig.run(200)
    assert rig.game.phase == SETTLED
    end = rig.events("end")[0]
    assert end["result"] in ("double", "single", "level")
    assert sorted(end["places"]) == [1, 2, 3, 4]
    assert end["totals"] == end["points"]
    assert [len(h.split()) for h in end["hands"]] == [27] * 4


def test_the_first_finisher_sees_the_partners_hand_until_that_is_out():
    rig = table("hhhh", turn_seconds=0)
    for s in range(4):
        rig.press(s, "trustee")
    first = rig.until("out")["seat"]
    assert [seat.peek for seat in rig.game.seats] == [s == first and not rig.game.ledger.over() for s in range(4)]
    rig.until("end")
    assert [seat.peek for seat in rig.game.seats] == [False] * 4


def test_the_next_deal_starts_when_all_are_ready_or_after_half_a_minute():
    rig = table("hbbb", turn_seconds=0)
    rig.press(0, "trustee")
    rig.until("end")
    rig.press(0, "play")
    assert rig.until("deal", 4000)["n"] == 2
    rig.press(0, "trustee")
    rig.until("end")
    rig.run(29000)
    assert rig.game.phase == SETTLED
    assert rig.until("deal", 2000)["n"] == 3


def test_players_who_have_gone_leave_the_table_in_the_lobby():
    rig = Rig().boot()
    rig.press(0, "play")
    assert rig.until("end", 4000000)
    rig.run(40000)
    assert rig.game.phase == LOBBY
    assert len(rig.events("deal")) == 1


def test_a_given_seed_makes_a_chain_of_deals():
    import binascii
    import hashlib

    rig = table("bbbb")
    rig.until("end")
    rig.until("end")
    first, second = [line["seed"] for line in rig.events("end")]
    data = bytes([int(first[i : i + 2], 16) for i in range(0, 64, 2)])
    assert second == binascii.hexlify(hashlib.sha256(data).digest()).decode()


def test_totals_add_up_over_the_deals_of_a_test_and_named_players_keep_theirs():
    import players

    rig = table("bbbb")
    rig.until("end")
    rig.until("end")
    first, second = rig.events("end")
    assert second["totals"] == [a + b for a, b in zip(first["points"], second["points"])]
    assert [players.total(rig.game.settings, p, 0) for p in range(4)] == [0, 0, 0, 0]


def test_totals_of_players_are_kept_by_rule_set():
    import players

    rig = Rig().boot()
    rig.press(0, "play")
    end = rig.until("end", 4000000)
    computers = [players.MOST + s for s in (1, 2, 3)]  # they have totals of their own, so that nobody plays for another
    assert [players.total(rig.game.settings, p, 0) for p in [0] + computers] == end["totals"]
    assert [players.total(rig.game.settings, p, 0) for p in (1, 2, 3)] == [0, 0, 0]
    assert [players.total(rig.game.settings, p, 1) for p in range(4)] == [0, 0, 0, 0]


# Rule sets


def test_the_holder_of_the_face_up_card_leads_in_jiangzhe():
    rig = table("bbbb", rules=JIANGZHE)
    line = rig.events("deal")[0]
    rig.until("end")
    assert line["face_up"] in rig.events("end")[0]["hands"][line["lead"]].split()


def test_diexiang_is_led_by_the_first_finisher_unless_the_deal_before_was_a_double():
    rig = table("bbbb", rules=DIEXIANG)
    for _ in range(6):
        end = rig.until("end")
        deal = rig.until("deal")
        if end["result"] in ("single", "level"):
            assert deal["lead"] == end["places"].index(1)


def test_baibian_seats_the_holder_of_the_twin_opposite_and_the_player_moves_with_the_hand():
    rig = Rig().boot().test("hbbb", rules=BAIBIAN)
    moved = 0
    for _ in range(5):
        before = [(seat.player, seat.kind, seat.name) for seat in rig.game.seats]
        for seat in rig.game.seats:
            if seat.kind == 0:
                rig.press(seat.index, "play")
        deal = rig.until("deal")
        after = [(seat.player, seat.kind, seat.name) for seat in rig.game.seats]
        if "swap" in deal:
            moved += 1
            a, b = deal["swap"]
            before[a], before[b] = before[b], before[a]
        assert after == before
        for seat in rig.game.seats:
            if seat.kind == 0:
                rig.press(seat.index, "trustee")
        hands_dealt = rig.until("end")["hands"]
        holders = [s for s in range(4) if deal["face_up"] in hands_dealt[s].split()]
        assert deal["lead"] in holders
        assert len(holders) == 1 or (holders[0] + 2) % 4 == holders[1]
    assert moved


def test_hands_given_by_a_test_have_no_commitment():
    rig = table("bbbb", hands=hands("5 6 7 x x X", "2 2 2 2", "A A A A", "K K K K"))
    assert rig.events("deal")[0]["commit"] is None
    rig.until("end")
    assert rig.events("end")[0]["seed"] is None
    assert rig.events("end")[0]["hands"][0].startswith("X x x")
    rig.until("deal")
    assert rig.lines[rig.at - 1]["commit"]


def test_a_tick_counter_that_wraps_in_a_deal_changes_nothing():
    plain = Rig().boot().deal("bbbb")
    plain.until("end")
    wrapped = Rig().boot(PERIOD - 20000)
    wrapped.deal("bbbb")
    wrapped.until("end")
    assert wrapped.texts == plain.texts
