"""Whole deals at the real table, its firmware in its interpreter, played through the page in a real browser."""

import time
from collections import Counter
from pathlib import Path

import pytest
from looking import eventually

from host.page import pointing
from host.sim.settings import Settings
from host.sim.table import SimTable

SEED = "00000000000000000000000000000000000000000000000000000000000000a1"
# How many times faster than the wall clock the table runs here.
SPEED = 16
# Lights of a pad: what is raised may be played; something is to be read.
LEGAL, NOTICE = 1, 3


class Hearing(SimTable):
    """The table, with its record kept. No turn clock: a busy machine takes as long as it takes."""

    def __init__(self, seats, **settings):
        self.events = []
        super().__init__(
            Settings(seats=seats, seed=SEED, lead=0, turn_seconds=0, lang="en", clock="real", **settings),
            True,
        )
        self.on_event(self.events.append)

    def last(self, *names):
        return next((e for e in reversed(list(self.events)) if e["ev"] in names), None)

    def count(self, seat):
        """How many times a seat has acted."""
        return sum(1 for e in list(self.events) if e["ev"] in ("play", "pass") and e["seat"] == seat)

    def turns(self):
        return sum(1 for e in list(self.events) if e["ev"] in ("turn", "end"))

    def ended_(self):
        return self.last("end")

    def waits_for(self, seats):
        """The seat of ``seats`` whose turn it is; "end" after the deal; None while the table is busy."""
        if self.ended_():
            return "end"
        last = self.last("turn", "play", "pass", "trick", "out")
        return last["seat"] if last and last["ev"] == "turn" and last["seat"] in seats else None


@pytest.fixture
def sit(serve):
    """sit(seats, **settings) -> (table, server), running fast, its power on and its people not yet ready."""

    def start(seats, **settings):
        table = Hearing(seats, **settings)
        server = serve(table, seats=seats)
        table.set_speed(SPEED)
        return table, server

    return start


class Player:
    """Who plays a seat in a browser: always what the hint key offers, else a pass. ``press(key)`` presses."""

    def __init__(self, table, seat, press):
        self.table, self.seat, self.press = table, seat, press
        self.presses = 0

    def act(self):
        before = self.table.count(self.seat)

        def wait(condition, ms):
            """Until the condition holds, at most so long by the table's clock."""
            start, patience = self.table.clock.ms(), time.monotonic() + 30
            while not condition() and self.table.clock.ms() - start < ms and time.monotonic() < patience:
                time.sleep(0.005)
            return condition()

        def acted():
            return self.table.count(self.seat) > before

        def legal():
            return self.table.lights(self.seat)[LEGAL]

        leading = self.table.last("turn")["leading"]
        self._press("hint")
        # The pad tells with its lights whether the hint key has found something.
        wait(lambda: legal() or not leading and self.table.lights(self.seat)[NOTICE], 10_000)
        if legal():
            self._press("play")
            if wait(acted, 3000):
                return
            # The cards have several readings: a second press takes the one that is offered.
            self._press("play")
        else:
            self._press("pass")
        assert wait(acted, 10_000), f"seat {self.seat} could not act: {self.table.events[-3:]}"

    def _press(self, key):
        self.press(key)
        self.presses += 1


def play_deal(table, players, meanwhile=lambda turns: None, seconds=150):
    """From "press play when ready" to the end of the deal. Returns the end event."""
    for player in players:
        player.press("play")
    by_seat = {player.seat: player for player in players}
    turns = 0
    until = time.monotonic() + seconds
    while True:
        waits = table.waits_for(by_seat)
        if waits == "end":
            break
        assert time.monotonic() < until, f"no end within {seconds} s; last: {table.events[-3:]}"
        assert not table.crashed
        if waits is None:
            time.sleep(0.01)
        else:
            turns += 1
            by_seat[waits].act()
            meanwhile(turns)
    assert table.violations.count == 0
    assert all(e["cause"] == "key" for e in table.events if e["ev"] == "play" and e["seat"] in by_seat)
    return table.ended_()


def same_picture(tab, table, seat):
    eventually(lambda: tab.pixels(seat) == table.frame(seat), 10, f"the picture of seat {seat}")


def test_a_person_plays_a_whole_deal_by_clicks(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "bot"])
    tab = open_tab(server.operator)
    player = Player(table, 0, lambda key: tab.key(0, key).click())
    end = play_deal(table, [player], lambda turns: turns == 2 and same_picture(tab, table, 0))
    assert sorted(end["places"]) == [1, 2, 3, 4] and sum(end["points"]) == 0
    tab.page.wait_for_selector("#log .ev-end")
    assert tab.page.locator("#log .ev-play").count() == sum(e["ev"] == "play" for e in table.events)
    assert tab.seats_received == {0}


def test_a_person_plays_a_whole_deal_by_keys_and_reloads_in_the_middle(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "bot"])
    tab = open_tab(server.operator)
    names = {"hint": "h", "play": "Enter", "pass": "p"}
    player = Player(table, 0, lambda key: tab.page.keyboard.press(names[key]))

    def meanwhile(turns):
        if turns == 3:
            before = tab.page.locator("#log p").all_inner_texts()
            tab.page.reload()
            tab.page.wait_for_selector("#log .ev-play")
            assert tab.page.locator("#log p").all_inner_texts()[: len(before)] == before
            same_picture(tab, table, 0)
            names.update({"hint": "Control+c", "play": "Control+v", "pass": "Control+s"})

    end = play_deal(table, [player], meanwhile)
    assert end["result"] in ("double", "single", "level")
    assert tab.seats_received == {0}


def test_two_browsers_at_two_seats_play_a_deal_one_by_touch_on_a_phone(sit, open_tab):
    table, server = sit(["human", "bot", "human", "bot"])
    desk = open_tab(server.seat(0))
    phone = open_tab(
        server.seat(2), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=3
    )
    onlooker = open_tab(server.bare)
    players = [
        Player(table, 0, lambda key: desk.key(0, key).click()),
        Player(table, 2, lambda key: phone.key(2, key).tap()),
    ]
    play_deal(table, players)
    assert desk.seats_received == {0}
    assert phone.seats_received == {2}
    assert onlooker.seats_received == set()
    onlooker.page.wait_for_selector("#log .ev-end")
    same_picture(desk, table, 0)
    same_picture(phone, table, 2)


def test_the_page_calls_the_seats_as_their_screens_do(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "human"])
    tab = open_tab(server.operator)
    eventually(lambda: tab.page.locator("#chips b").all_inner_texts() == ["Lin", "Zhou", "Meiling", "Qiang"])
    kinds = ["You", "bot", "bot", "person"]
    eventually(lambda: tab.page.locator("#chips span").all_inner_texts() == kinds)


def test_a_power_cut_is_shown_and_the_deal_goes_on(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "bot"])
    tab = open_tab(server.operator)
    tab.key(0, "play").click()
    eventually(lambda: table.waits_for([0]) == 0, 30)
    Player(table, 0, lambda key: tab.key(0, key).click()).act()
    tab.page.click("#power")
    tab.page.wait_for_selector("#banner[data-kind=off]")
    eventually(lambda: tab.pixels(0) == bytes(320 * 240 * 2))
    tab.page.click("#banner-do")
    tab.page.wait_for_selector("#banner", state="hidden")
    tab.page.wait_for_selector("#log .ev-resumed")
    eventually(lambda: pointing.bar(table.frame(0)), 10, "the hand")
    same_picture(tab, table, 0)


def test_a_click_raises_a_card_and_ctrl_click_all_of_its_rank(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "bot"])
    tab = open_tab(server.operator)
    table.set_speed(4)
    tab.key(0, "play").click()
    eventually(lambda: table.waits_for([0]) == 0, 30)
    x0, x1 = eventually(lambda: pointing.bar(table.frame(0)), what="the hand")
    canvas = tab.page.locator('[data-seat="0"] canvas')
    scale = canvas.bounding_box()["width"] / 320
    pitch = x1 - x0 - 1
    # The cursor begins at the right end; four and nine columns to its left.
    near, far = x0 - 4 * pitch + pitch // 2, x0 - 9 * pitch + pitch // 2

    def face(x):
        left = x0 + 1 - (x0 - x + pitch - 1) // pitch * pitch
        return pointing.faces(table.frame(0), left, left + pitch - 1)

    paper, lift = face(near)
    assert paper and not lift
    canvas.click(position={"x": near * scale, "y": 220 * scale})
    eventually(lambda: face(near)[1] > 0, what="a raised card")
    assert face(far)[1] == 0
    canvas.click(position={"x": far * scale, "y": 220 * scale}, modifiers=["Control"])
    eventually(lambda: face(far)[0] == 0 and face(far)[1] > 0, what="a raised column")
    # Clicks above the hand mean nothing.
    shown = pointing.bar(table.frame(0))
    canvas.click(position={"x": 20 * scale, "y": 60 * scale})
    tab.page.wait_for_timeout(300)
    assert pointing.bar(table.frame(0)) == shown


def test_a_click_on_a_reading_chooses_it_and_another_plays_it(sit, open_tab):
    # As in the picture "choice" of docs/pictures: what is raised makes two melds.
    lines = (Path(__file__).parents[2] / "docs" / "pictures" / "choice.keys").read_text().splitlines()
    hands = [line.split(maxsplit=2)[2] for line in lines if line.startswith("hand ")]
    table, server = sit(["human", "bot", "bot", "bot"], hands=hands)
    tab = open_tab(server.operator)
    tab.key(0, "play").click()
    eventually(lambda: table.waits_for([0]) == 0, 30)
    for line in lines:
        if line.startswith("press 0 "):
            key, _, times = line[len("press 0 ") :].partition(" x")
            for _ in range(int(times or 1)):
                tab.key(0, key).click()
    canvas = tab.page.locator('[data-seat="0"] canvas')
    scale = canvas.bounding_box()["width"] / 320
    left, right = pointing.READINGS[0]

    def chosen():
        return [pointing.framed(table.frame(0), box) for box in (left, right)]

    def click(box):
        canvas.click(position={"x": (box[0] + box[2]) // 2 * scale, "y": (box[1] + box[3]) // 2 * scale})

    eventually(lambda: chosen() == [True, False], 10, "the readings")
    click(right)
    eventually(lambda: chosen() == [False, True], 10, "the other reading")
    click(left)
    eventually(lambda: chosen() == [True, False], 10, "the first reading again")
    click(right)
    eventually(lambda: chosen() == [False, True], 10, "the other reading")
    assert table.count(0) == 0
    click(right)
    eventually(lambda: table.count(0), 10, "the play")
    assert table.last("play")["cause"] == "key"


def test_the_own_hand_can_be_heard(sit, open_tab):
    lines = (Path(__file__).parents[2] / "docs" / "pictures" / "choice.keys").read_text().splitlines()
    hands = [line.split(maxsplit=2)[2] for line in lines if line.startswith("hand ")]
    table, server = sit(["human", "bot", "bot", "bot"], hands=hands)
    tab = open_tab(server.seat(0))
    onlooker = open_tab(server.bare)
    tab.key(0, "play").click()
    eventually(lambda: table.waits_for([0]) == 0, 30)
    counts = Counter(word[0] for word in hands[0].split())
    order = [rank for rank in "Xx2AKQJT9876543" if counts[rank]]
    names = {"X": "big joker", "x": "small joker", "T": "10"}

    def said(rank):
        return names.get(rank, rank) + (f" ×{counts[rank]}" if counts[rank] > 1 else "")

    canvas = tab.page.locator('[data-seat="0"] canvas')
    whole = f"Screen of Lin. Hand: {', '.join(map(said, order))}"
    eventually(lambda: canvas.get_attribute("aria-label") == whole, 10, whole)
    heard = tab.page.locator("#hand")
    assert heard.get_attribute("role") == "status"
    eventually(lambda: heard.inner_text() == f"3, {counts['3']} of it", 10, "the cursor")
    tab.key(0, "left").click()
    eventually(lambda: heard.inner_text().startswith("4, "), 10, "the cursor")
    tab.key(0, "up").click()
    eventually(lambda: heard.inner_text() == f"4, {counts['4']} of it. Raised: 4. playable", 10, "what is raised")
    tab.key(0, "up").click()
    eventually(lambda: "Raised: 4 ×2" in heard.inner_text(), 10, "what is raised")
    assert onlooker.page.inner_text("#hand") == ""


def test_the_lobby_is_worked_by_clicks(sit, open_tab):
    table, server = sit(["human", "bot", "bot", "bot"])
    tab = open_tab(server.operator)
    canvas = tab.page.locator('[data-seat="0"] canvas')
    scale = canvas.bounding_box()["width"] / 320

    def click(x, y):
        canvas.click(position={"x": x * scale, "y": y * scale})

    def value(box):
        return table.frame(0)[box[1] * 640 : box[3] * 640]

    first = eventually(lambda: pointing.row(table.frame(0)), 30, "the framed row")
    # Another row, as the keys reach it: a click brings the frame there and changes its value.
    tab.key(0, "down").click()
    box = eventually(lambda: (now := pointing.row(table.frame(0))) != first and now, 10, "the next row")
    tab.key(0, "up").click()
    eventually(lambda: pointing.row(table.frame(0)) == first, 10, "the first row again")
    time.sleep(0.3)
    middle = (box[1] + box[3]) // 2
    click(300, middle)
    eventually(lambda: pointing.row(table.frame(0)) == box, 10, "the frame at the row")
    time.sleep(0.3)
    before = value(box)
    click(300, middle)
    eventually(lambda: value(box) != before, 10, "another value")
    time.sleep(0.3)
    click(225, middle)
    eventually(lambda: value(box) == before, 10, "the value before")
    assert table.last("deal") is None
    click(160, 212)
    eventually(lambda: table.last("deal"), 30, "the deal")


def test_a_table_that_is_paused_stands_still_and_steps_from_turn_to_turn(sit):
    table, server = sit(["bot"] * 4)
    eventually(lambda: table.last("play"), 30)
    table.set_pace("pause")
    time.sleep(0.2)  # what a screen is being sent comes to its end
    turns, t = table.turns(), table.clock.ms()
    time.sleep(0.3)
    assert table.clock.ms() == t and table.turns() == turns
    # A question to the hub does not wait for a clock that stands.
    assert table.command({"cmd": "seats"})["ok"] is False
    for k in range(3):
        table.set_pace("step")
        eventually(lambda: table.status()["pace"] == "pause", 30, "the end of a step")
        assert table.turns() == turns + k + 1
    table.set_pace("run")
    eventually(lambda: table.turns() > turns + 6, 30)


def test_a_deal_is_dealt_again_on_a_new_table(sit, tmp_path):
    table, server = sit(["bot"] * 4)
    eventually(lambda: table.last("play"), 30)
    first = dict(table.last("deal"))
    table.renew(seed="b2".zfill(64), lead=3, rules="jiangzhe", hands=None)
    eventually(lambda: table.last("deal")["commit"] != first["commit"], 30, "another deal")
    second = table.last("deal")
    assert (second["n"], second["lead"], second["rules"]) == (1, 3, "jiangzhe")
    table.renew(seed=SEED, lead=0, rules="wenzhou")
    eventually(lambda: table.last("deal")["commit"] == first["commit"], 30, "the first deal again")
    table.settings.flash = tmp_path / "mine.img"
    with pytest.raises(ValueError, match="--flash"):
        table.renew()
    assert table.powered and table.violations.count == 0
