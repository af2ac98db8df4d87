"""The menu and the other pages of a seat: hiding the hand, the last trick again, a pause by consent, leaving a deal."""

from rig import LAST_TRICK, LOBBY, PLAY, SETTLED, Rig

import settings
import trick
from shared_rules import rulesets

MENU, TRICK, LEAVE, PAUSED = 1, 2, 3, 4  # rows of pages.py
NOTICE_PAUSE, NOTICE_PAUSE_ASKED = 14, 15


def table(seats="hbbb", **more):
    return Rig().boot().deal(seats, **more)


def plays(rig):
    return [line for line in rig.lines if line["ev"] in ("play", "pass") and line["cause"] == "key"]


def test_the_menu_opens_closes_and_its_keys_never_play_cards():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "up", "menu")
    assert seat.page == MENU
    rig.press(0, "up", "down", "clear")
    assert seat.page == 0
    assert seat.raised[15] == 1, "clear closed the menu and did not lower the cards"
    rig.press(0, "menu", "play")  # the first entry hides the hand
    assert seat.hidden and plays(rig) == []


def test_a_second_press_of_play_on_the_heels_of_the_menus_does_not_play():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "up", "menu", "down", "down", "play")  # the layout
    assert (seat.layout, seat.page) == (1, 0)
    rig.run(100)
    rig.game.key(0, 5, rig.game.turn_no, rig.now)
    assert plays(rig) == []


def test_a_second_press_of_menu_changes_the_layout_at_once():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "menu", "menu")
    assert (seat.layout, seat.page) == (1, 0)
    rig.press(0, "menu", "menu")
    assert (seat.layout, seat.page) == (0, 0)


def test_the_clock_goes_on_under_the_menu_and_the_page_stays_over_the_turns():
    rig = table(lead=0)
    rig.press(0, "menu")
    assert rig.until("warning", 40000)["seat"] == 0
    assert rig.game.seats[0].page == MENU


def test_a_page_closes_when_the_deal_is_over():
    rig = table("bbbb")
    rig.press(2, "menu")
    assert rig.game.seats[2].page == MENU
    rig.until("end")
    assert rig.game.seats[2].page == 0
    rig.press(2, "menu")
    assert rig.game.seats[2].page == MENU, "between deals it opens, too"
    rig.until("deal")
    assert rig.game.seats[2].page == 0


def test_language_volume_and_brightness_change_with_one_key_each():
    rig = table(lead=0)
    game = rig.game
    rig.press(0, "menu", "sort")
    assert (game.seats[0].lang, game.seats[0].name) == (0, "小林")
    rig.press(0, "left")
    assert game.settings.get(settings.VOLUME) == 100
    rig.press(0, "left")
    assert game.settings.get(settings.VOLUME) == 0
    rig.press(0, "right")
    assert game.settings.get(settings.BRIGHTNESS) == 100
    assert game.seats[0].page == MENU


# Hidden hand


def test_any_key_shows_a_hidden_hand_and_does_nothing_else():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "up", "menu", "pass")
    assert seat.hidden and seat.raised[15] == 0
    rig.press(0, "pass")
    assert not seat.hidden
    assert rig.events("refused") == []


def test_a_computers_seat_has_no_hand_to_hide():
    rig = table("bbbb")
    rig.press(1, "menu", "pass")
    assert not rig.game.seats[1].hidden


# The last trick again


def test_the_last_trick_is_what_the_record_says():
    rig = table("hbbb", lead=0)
    rig.press(0, "trustee")
    checked = 0
    while not rig.events("end"):
        line = rig.until("trick", 20000)
        if line is None:
            break
        made = []
        for earlier in rig.lines[: rig.lines.index(line)]:
            if earlier["ev"] == "trick":
                made = []
            elif earlier["ev"] == "play":
                made.append(earlier["seat"])
        seats = bytearray(108)
        number = trick.last(rig.game.table, seats)
        first = (number >> 10) - 1
        assert list(seats[first : first + (number & 255)]) == made
        checked += 1
    assert checked > 5


def test_the_last_trick_scrolls_and_closes():
    rig = table(lead=0)
    seat = rig.game.seats[0]
    rig.press(0, "menu", "hint")
    assert seat.page == MENU, "there is none before the first play"
    rig.press(0, "clear", "up", "play")
    rig.press(0, "menu", "hint")
    assert (seat.page, seat.menu) == (TRICK, 0)
    rig.press(0, "hint")
    assert seat.page == 0


# A pause


def test_a_pause_begins_when_all_persons_agree_and_ends_with_any_key():
    rig = table("hhbb", lead=0)
    game = rig.game
    rig.press(0, "menu", "bomb")
    assert game.seats[0].notice == NOTICE_PAUSE_ASKED
    assert game.seats[1].notice == NOTICE_PAUSE
    assert game.pause & 16 == 0
    rig.press(1, "menu", "bomb")
    assert [seat.page for seat in game.seats] == [PAUSED] * 4
    left = game.turn_left_ms
    lines = len(rig.lines)
    rig.run(300000)
    assert (game.phase, game.table.turn, len(rig.lines)) == (PLAY, 0, lines)
    rig.press(1, "play")
    assert game.pause == 0 and [seat.page for seat in game.seats] == [0] * 4
    rig.run(100)
    assert left - 3000 < game.turn_left_ms <= left
    assert plays(rig) == []


def test_bots_wait_in_a_pause_and_play_on_after_it():
    rig = table("hbbb", lead=1)
    rig.game.seats[0].page = 0
    rig.press(0, "menu", "bomb")
    assert rig.game.pause & 16, "the only person agrees with itself"
    lines = len(rig.lines)
    rig.run(60000)
    assert len(rig.lines) == lines
    rig.press(0, "hint")
    assert rig.until("turn", 5000)


def test_who_asked_may_take_it_back_and_a_pad_that_is_away_is_not_asked():
    rig = table("hhbb", lead=0)
    game = rig.game
    rig.press(0, "menu", "bomb")
    rig.press(0, "menu", "bomb")
    assert game.pause == 0
    assert game.seats[1].notice == 0
    game.pad(1, False, rig.now)
    rig.press(0, "menu", "bomb")
    assert game.pause & 16
    rig.run(60000)
    assert rig.events("trustee") == [], "the grace of a pad that is away stands still, too"
    game.pad(1, True, rig.now)
    rig.press(1, "up")
    assert game.pause == 0


# Leaving


def leave(rules, **more):
    rig = table("hbbb", rules=rulesets.RULE_SETS.index(rules), lead=0, **more)
    rig.press(0, "menu", "trustee")
    assert rig.game.seats[0].page == LEAVE
    return rig


def test_leaving_asks_first_and_any_other_key_stays():
    rig = leave("jiangzhe")
    rig.press(0, "pass")
    assert rig.game.seats[0].page == 0
    assert rig.events("leave") == [] and rig.game.phase == PLAY


def test_in_wenzhou_and_diexiang_the_trustee_plays_and_the_player_may_come_back():
    for rules in ("wenzhou", "diexiang"):
        rig = leave(rules)
        rig.press(0, "play")
        lines = [line["ev"] for line in rig.lines]
        assert lines[-2:] == ["leave", "trustee"]
        assert rig.lines[-1]["cause"] == "leave"
        assert rig.until("play", 5000, seat=0)["cause"] == "trustee"
        rig.press(0, "trustee")
        assert not rig.game.seats[0].trustee
        assert len(rig.events("leave")) == 1


def test_in_jiangzhe_the_deal_is_broken_off_and_settled():
    for rules, unit in (("jiangzhe", 4), ("jiangzhe3", 3)):
        rig = leave(rules)
        rig.press(0, "play")
        assert rig.game.phase == LAST_TRICK and rig.game.table.turn == -1
        end = rig.until("end", 4000)
        assert rig.lines[rig.at - 2]["ev"] == "leave"
        assert (end["result"], end["places"]) == ("broken", None)
        assert end["points"] == [-3 * unit, unit, 0, unit]
        assert rig.game.phase == SETTLED
        assert [seat.total for seat in rig.game.seats] == end["totals"] == end["points"]
        assert rig.until("deal", 60000), "the next deal comes"


def test_in_baibian_who_leaves_pays_the_fine():
    rig = leave("baibian")
    rig.press(0, "play")
    end = rig.until("end", 4000)
    assert sorted(end["points"]) == [-16, 0, 0, 0] and min(end["points"]) == end["points"][0]


def test_leaving_survives_a_power_cut():
    rig = leave("jiangzhe")
    rig.press(0, "play")
    again = Rig(rig.chip).boot()
    assert again.lines[-1]["ev"] == "resumed" and again.lines[-1]["turn"] is None
    assert again.game.phase == LAST_TRICK
    assert again.until("end", 4000)["points"] == [-12, 4, 0, 4]
    rig = leave("wenzhou")
    rig.press(0, "play")
    again = Rig(rig.chip).boot()
    assert again.game.seats[0].trustee
    assert again.until("play", 5000, seat=0)["cause"] == "trustee"


def test_a_page_that_the_heap_has_no_room_for_closes_and_the_deal_goes_on():
    import sys

    rig = table(lead=0)
    rig.press(0, "menu")
    saved = sys.modules.get("menu")

    class Full:
        def __getattr__(self, name):
            raise MemoryError

    sys.modules["menu"] = Full()
    try:
        rig.press(0, "down")
    finally:
        if saved:
            sys.modules["menu"] = saved
        elif "menu" in sys.modules:
            del sys.modules["menu"]
    assert rig.game.seats[0].page == 0
    rig.press(0, "up", "play")
    assert len(plays(rig)) == 1


def test_the_menu_in_the_lobby_leaves_its_row_as_it_was():
    rig = Rig().boot()
    rig.press(0, "down")
    rig.press(0, "menu", "sort", "clear")
    assert rig.game.phase == LOBBY
    assert (rig.game.seats[0].page, rig.game.seats[0].menu, rig.game.seats[0].lang) == (0, 0, 1)
