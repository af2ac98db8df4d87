"""Parts of the page's server by themselves: links, pictures, presses, words."""

import asyncio
import re
import time

import pytest

from host.page import fingers, pictures, pointing, words
from host.page.links import NOBODY, Links
from host.page.record import Record
from host.page.server import STATIC, bind, is_loopback, permitted


def test_the_page_weighs_less_than_200_kb_and_asks_nobody_else():
    files = [p for p in STATIC.rglob("*") if p.is_file()]
    assert sum(p.stat().st_size for p in files) < 200_000
    for path in files:
        foreign = re.findall(r"https?://[^\s\"'`]+", path.read_text(encoding="utf-8"))
        assert set(foreign) <= {"http://www.w3.org/2000/svg"}, path.name


# Links


def test_a_seats_link_grants_that_seat_alone():
    links = Links([0, 2], open_hands=True)
    for seat in range(4):
        grant = links.grant(links.seat_tokens[seat])
        assert grant.seats == (seat,)
        assert not grant.operator


@pytest.mark.parametrize("token", ["", None, "x", 7, "0" * 22, "ünknown"])
def test_a_token_that_was_not_given_out_grants_nothing(token):
    assert Links([0], open_hands=True).grant(token) == NOBODY


def test_the_operator_sees_every_hand_on_this_machine_only():
    assert set(Links([1], open_hands=True).grant_operator().seats) == {0, 1, 2, 3}
    assert Links([1], open_hands=True).grant_operator().own == 1
    assert Links([1], open_hands=False).grant_operator().seats == (1,)


def test_a_table_of_four_bots_has_nothing_to_hide():
    assert set(Links([], open_hands=False).grant_operator().seats) == {0, 1, 2, 3}


def test_links_follow_their_players_when_seats_change():
    links = Links([0], open_hands=False)
    first, second = links.seat_tokens[0], links.seat_tokens[3]
    links.swap(0, 3)
    assert links.grant(first).seats == (3,)
    assert links.grant(second).seats == (0,)
    assert links.grant_operator().seats == (3,)


def test_tokens_cannot_be_guessed_and_differ():
    tokens = {t for _ in range(50) for links in [Links([0], True)] for t in [links.operator, *links.seat_tokens]}
    assert len(tokens) == 250
    assert min(map(len, tokens)) >= 22


def test_links_are_kept_beside_the_flash_file_for_this_user_alone(tmp_path):
    file = tmp_path / "table.img.links"
    first = Links([0, 2], True, file)
    assert file.stat().st_mode & 0o777 == 0o600
    again = Links([0, 2], True, file)
    assert (again.operator, again.seat_tokens) == (first.operator, first.seat_tokens)
    # The links of a change of seats are those of the next run too.
    again.swap(0, 1)
    assert Links([0, 2], True, file).seat_tokens == again.seat_tokens
    for broken in ("", "{", "[]", '{"operator": "x", "seats": ["x", "x", "x", "x"]}', '{"operator": 1, "seats": 7}'):
        file.write_text(broken)
        anew = Links([0, 2], True, file)
        assert len({anew.operator, *anew.seat_tokens, first.operator}) == 6
        assert Links([0, 2], True, file).operator == anew.operator


def test_a_new_evening_puts_everybody_back():
    links = Links([0], open_hands=False)
    before = list(links.seat_tokens)
    links.swap(0, 3)
    links.swap(3, 1)
    links.restore()
    assert links.seat_tokens == before and links.own == 0 and links.humans == [0]
    links.restore()
    assert links.seat_tokens == before


def test_only_the_operator_switches_power_and_other_seats_plugs():
    links = Links([0], open_hands=False)
    operator, third = links.grant_operator(), links.grant(links.seat_tokens[2])
    assert permitted(operator, {"power": "cut"}) and not permitted(third, {"power": "cut"})
    assert permitted(operator, {"unplug": {"seat": 2}}) and permitted(third, {"unplug": {"seat": 2}})
    assert not permitted(third, {"plug": {"seat": 1}}) and not permitted(NOBODY, {"plug": {"seat": 1}})
    for wrong in ("power", [], {}, {"play": {"seat": 0}}, {"shot": {}}, {"plug": 3}, {"power": "cut", "plug": 1}):
        assert not permitted(operator, wrong)


# Pictures


def test_a_rectangle_travels_as_its_own_pixels_only():
    frame = bytes(range(256)) * (pictures.FRAME_BYTES // 256)
    message = pictures.pack(7, [(2, (10, 20, 13, 22), frame), (0, pictures.FULL, frame)])
    number, (small, whole) = pictures.unpack(message)
    assert number == 7
    assert small[:5] == (2, 10, 20, 3, 2)
    assert (
        small[5] == frame[(20 * 320 + 10) * 2 : (20 * 320 + 13) * 2] + frame[(21 * 320 + 10) * 2 : (21 * 320 + 13) * 2]
    )
    assert whole == (0, 0, 0, 320, 240, frame)
    assert len(message) == 2 + 10 + 12 + 10 + pictures.FRAME_BYTES


def test_two_changes_make_one_rectangle_around_both():
    assert pictures.union(None, (1, 2, 3, 4)) == (1, 2, 3, 4)
    assert pictures.union((1, 2, 3, 4), None) == (1, 2, 3, 4)
    assert pictures.union((0, 10, 5, 20), (3, 2, 9, 12)) == (0, 2, 9, 20)
    assert pictures.union(None, None) is None


# Presses


def pressed(script, pace=1.0):
    """Run a coroutine with Fingers at a table that lives at ``pace``; returns [(seat, key, down, the table's ms)]."""
    log = []

    async def run():
        start = time.monotonic()

        def clock():
            return (time.monotonic() - start) * 1000 * pace

        hand = fingers.Fingers(lambda seat, key, down: log.append((seat, key, down, clock())), clock)
        hand.start()
        await script(hand)
        for seat in range(4):
            await hand.settled(seat)
        await hand.stop()

    asyncio.run(run())
    return log


@pytest.mark.parametrize("pace", [1, 0.25, 8])
def test_a_short_click_is_held_until_the_pad_has_noticed_it(pace):
    async def click(hand):
        hand.key("a", 1, "hint", True)
        hand.key("a", 1, "hint", False)

    (_, _, down, t0), (seat, key, up, t1) = pressed(click, pace)
    assert (seat, key, down, up) == (1, "hint", True, False)
    assert fingers.HOLD_MS - 1 <= t1 - t0


def test_a_table_that_stands_still_gets_its_keys_let_go(monkeypatch):
    monkeypatch.setattr(fingers, "PATIENCE_S", 0.1)

    async def click(hand):
        hand.key("a", 1, "hint", True)
        hand.key("a", 1, "hint", False)

    assert [down for _, _, down, _ in pressed(click, 0)] == [True, False]


def test_quick_clicks_keep_their_order_and_none_is_lost():
    keys = ["hint", "hint", "play", "up", "up", "up"]

    async def hurry(hand):
        for key in keys:
            hand.key("a", 0, key, True)
            hand.key("a", 0, key, False)

    log = pressed(hurry)
    assert [key for _, key, down, _ in log if down] == keys
    for key in set(keys):
        times = [ms for _, k, _, ms in log if k == key]
        assert all(b - a >= fingers.REST_MS - 1 for a, b in zip(times, times[1:]))


def test_a_held_key_stays_down_until_the_last_browser_lets_go():
    async def both(hand):
        hand.key("a", 2, "up", True)
        hand.key("b", 2, "up", True)
        hand.key("a", 2, "up", False)
        await asyncio.sleep(0.12)
        assert len(hand._held[2, "up"]) == 1
        hand.leave("b")

    log = pressed(both)
    assert [(key, down) for _, key, down, _ in log] == [("up", True), ("up", False)]
    assert log[1][3] - log[0][3] >= 110


def test_a_flood_of_presses_is_cut_off_and_leaves_no_key_down():
    async def flood(hand):
        for _ in range(1000):
            hand.key("a", 0, "left", True)
            hand.key("a", 0, "left", False)
        while not hand._queues[0].empty():
            hand._queues[0].get_nowait()
            hand._queues[0].task_done()
        hand.key("a", 0, "right", True)
        hand.key("a", 0, "right", False)

    log = pressed(flood)
    down = set()
    for _, key, is_down, _ in log:
        (down.add if is_down else down.discard)(key)
    assert not down
    assert len(log) < 10


# Words

EVENTS = [
    {"ev": "boot", "version": "0.1", "cause": "power"},
    {"ev": "ready", "seat": 2},
    {"ev": "deal", "n": 3, "rules": "wenzhou", "commit": "ab", "lead": 1},
    {"ev": "deal", "n": 4, "rules": "baibian", "commit": None, "lead": 2, "face_up": "Ts", "swap": [1, 2]},
    {"ev": "play", "seat": 1, "cards": "Ts Td x", "meld": "triple:T", "left": 24, "cause": "key"},
    {"ev": "play", "seat": 1, "cards": "9s 9h 9c 9d", "meld": "bomb4:9", "left": 0, "cause": "trustee"},
    {"ev": "pass", "seat": 3, "cause": "timeout"},
    {"ev": "refused", "seat": 0, "why": "does-not-beat"},
    {"ev": "trick", "seat": 0},
    {"ev": "out", "seat": 0, "place": 1},
    {"ev": "trustee", "seat": 0, "on": True, "cause": "key"},
    {"ev": "warning", "seat": 0, "count": 2},
    {"ev": "pad", "seat": 0, "present": False},
    {"ev": "display", "seat": 0, "present": True},
    {"ev": "fault", "what": "i2c"},
    {"ev": "undo", "seat": 0},
    {"ev": "leave", "seat": 0},
    {
        "ev": "end",
        "result": "double",
        "places": [1, 2, 3, 4],
        "points": [6, 6, -6, 0],
        "totals": [0] * 4,
        "stars": [0] * 4,
    },
    {"ev": "resumed", "n": 4, "turn": 1},
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: e["ev"])
def test_every_event_is_told_in_three_languages(event):
    hans, hant, english = words.say(event)
    assert hans and hant
    assert english.isascii() or set(re.findall(r"[^\x00-\x7f]", english)) <= set("·♠♥♣♦–−×")
    assert not re.search(r"[一-鿿]", english)


def test_a_play_is_told_with_its_meld_cards_and_what_is_left():
    hans, hant, english = words.say(EVENTS[4])
    assert hans == "三张 10 · 10♠ 10♦ 小王 · 剩 24 张"
    assert hant == "三張 10 · 10♠ 10♦ 小王 · 剩 24 張"
    assert english == "Triple 10 · 10♠ 10♦ small joker · 24 left"


def test_the_same_joker_twice_is_counted():
    assert words.cards("x x X", 2) == "small joker ×2 big joker"
    assert words.cards("5s 5s 5d", 2) == "5♠ 5♠ 5♦"


def test_seats_inside_a_sentence_are_left_for_the_page_to_name():
    assert words.say(EVENTS[2])[2] == "Deal 3, Wenzhou. {1} to lead"
    assert words.say(EVENTS[3])[2] == "Deal 4, Baibian. {2} to lead; {1} and {2} change places"
    assert words.say(EVENTS[17])[2] == "The deal ends: double win · {0} +6, {1} +6, {2} −6, {3} 0"


@pytest.mark.parametrize(
    "event", [{"ev": "turn", "seat": 1}, {"ev": "new"}, {"ev": "play", "seat": 1}, {"ev": "out", "place": "a"}]
)
def test_an_event_that_cannot_be_told_has_no_words(event):
    assert words.say(event) is None


def test_the_record_keeps_this_deal_and_the_last():
    record = Record()
    for n in range(1, 5):
        record.add({"ev": "deal", "n": n, "rules": "wenzhou", "lead": 0})
        record.add({"ev": "pass", "seat": 0, "cause": "key"})
    assert [e["n"] for e in record.recent() if e["ev"] == "deal"] == [3, 4]
    assert len(record.recent()) == 4


# Addresses


def test_a_busy_port_gives_way_to_a_free_one():
    first, why = bind("127.0.0.1", 0)
    assert why is None
    second, why = bind("127.0.0.1", first.getsockname()[1])
    assert why == "is busy"
    assert second.getsockname()[1] != first.getsockname()[1]
    first.close()
    second.close()


def test_an_address_of_another_machine_is_an_error():
    with pytest.raises(OSError):
        bind("192.0.2.1", 0)


@pytest.mark.parametrize(
    "host, local", [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.1.5", False)]
)
def test_which_addresses_are_this_machine_alone(host, local):
    assert is_loopback(host) is local


def test_the_framed_row_of_a_menu_is_found_and_no_other_frame():
    def picture(*boxes):
        frame = bytearray(pointing.WIDTH * pointing.HEIGHT * 2)
        for x, y, w, h in boxes:
            for x0, y0, x1, y1 in ((x, y, w, 2), (x, y + h - 2, w, 2), (x, y, 2, h), (x + w - 2, y, 2, h)):
                for k in range(y0, y0 + y1):
                    at = (k * pointing.WIDTH + x0) * 2
                    frame[at : at + 2 * x1] = pointing.FRAME_COLOUR * x1
        return bytes(frame)

    assert pointing.row(picture((174, 71, 142, 31))) == (174, 71, 316, 102)
    assert pointing.row(picture((161, 27, 157, 25))) == (161, 27, 318, 52)
    # A seat's frame in a deal, the compact layout's, and a filled bar are no rows.
    assert pointing.row(picture((108, 1, 104, 38), (2, 53, 316, 25))) is None
    assert pointing.row(picture(*[(0, y, 157, 4) for y in range(106, 128)])) is None
    assert pointing.row(picture()) is None
