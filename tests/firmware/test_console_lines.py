"""The console: commands in, answers out; what is no command changes nothing."""

import json

from rig import PLAY, Rig

from console import MOST, Console

SEED = "0123456789abcdef" * 4


class Hub:
    """What commands use of the hub."""

    def __init__(self):
        self.rig = Rig().boot()
        self.game = self.rig.game
        self.heap_free = 4000
        self.heap_low = 3000
        self.repeats = []
        self._repeat = None
        self.answers = []
        self.typed = b""
        self.console = Console(self, self.answers.append, self, self.ready)

    def ready(self, timeout):
        """Whether there is something to read, as a poll tells it."""
        return [1] if self.typed else []

    def read(self, n):
        """The next bytes of what was typed."""
        out = self.typed[:n]
        self.typed = self.typed[n:]
        return out

    def type(self, data):
        """Type bytes and let the console take them."""
        self.typed += data
        while self.typed:
            self.console.step(0)

    def make_room(self):
        pass

    def settings_changed(self):
        pass

    def repeat(self, repeat):
        self.repeats.append(repeat)

    def ask(self, line):
        """The answer to a line (bytes, text or dict) as a dict; None if it comes later."""
        if not isinstance(line, bytes):
            line = (line if isinstance(line, str) else json.dumps(line)).encode()
        told = len(self.answers)
        self.type(line + b"\n")
        new = [text for text in self.answers[told:] if text]
        assert len(new) <= 1
        return json.loads(new[0]) if new else None


def state(hub):
    game = hub.game
    hub.rig.run(20)
    return (game.phase, game.rules_index, game.turn_seconds, game.test, bytes(game.settings.data), len(hub.rig.lines))


def test_a_test_skips_the_lobby_with_its_seats_seed_and_rule_set():
    hub = Hub()
    test = {"cmd": "test", "rules": "baibian", "seats": ["bot", "bot", "bot", "human"], "seed": SEED, "lang": "en"}
    assert hub.ask(test) == {"re": "test", "ok": True}
    hub.rig.run(20)
    assert [seat.kind for seat in hub.game.seats] == [1, 1, 1, 0]
    assert len(hub.rig.events("ready")) == 3
    hub.rig.press(3, "play")
    deal = hub.rig.until("deal")
    assert (deal["rules"], deal["test"]) == ("baibian", True)


def test_a_test_is_taken_between_deals_only():
    hub = Hub()
    hub.ask({"cmd": "test", "seats": ["bot"] * 4, "seed": SEED})
    hub.rig.until("turn")
    before = state(hub)
    answer = hub.ask({"cmd": "test", "seats": ["bot"] * 4, "seed": SEED})
    assert answer["ok"] is False and "between deals" in answer["why"]
    assert state(hub) == before
    assert hub.game.phase == PLAY


def test_a_locked_hub_refuses_tests():
    import settings

    hub = Hub()
    hub.game.settings.put(settings.KIOSK, 1)
    assert hub.ask({"cmd": "test"})["ok"] is False
    assert hub.ask({"cmd": "stats"})["ok"] is True


BROKEN = (
    "x",
    "[]",
    "1",
    '"test"',
    "{",
    "{}",
    '{"cmd": 1}',
    '{"cmd": "nothing"}',
    '{"cmd": ["test"]}',
    '{"cmd": "test", "rules": "bridge"}',
    '{"cmd": "test", "rules": 7}',
    '{"cmd": "test", "seats": ["human"]}',
    '{"cmd": "test", "seats": ["human", "bot", "bot", "cat"]}',
    '{"cmd": "test", "seats": "human"}',
    '{"cmd": "test", "seed": "12"}',
    '{"cmd": "test", "seed": "' + "z" * 64 + '"}',
    '{"cmd": "test", "seed": "' + "+1" * 32 + '"}',
    '{"cmd": "test", "lead": 4}',
    '{"cmd": "test", "lead": true}',
    '{"cmd": "test", "lead": "1"}',
    '{"cmd": "test", "turn_seconds": -1}',
    '{"cmd": "test", "turn_seconds": 1e3}',
    '{"cmd": "test", "options": ["free_beer"]}',
    '{"cmd": "test", "options": {"by_cards_left": 1}}',
    '{"cmd": "test", "rules": "baibian", "options": ["by_cards_left"]}',
    '{"cmd": "test", "hands": ["3"]}',
    '{"cmd": "test", "hands": ["3", "3", "3", "3"]}',
    '{"cmd": "test", "hands": [1, 2, 3, 4]}',
    '{"cmd": "test", "hands": ["' + '", "'.join(["3 " * 27] * 4) + '"]}',
    '{"cmd": "test", "hands": ["' + '", "'.join(["11 " * 27] * 4) + '"]}',
    '{"cmd": "test", "lang": "fr"}',
    '{"cmd": "settings", "brightness": 101}',
    '{"cmd": "settings", "volume": "loud"}',
    '{"cmd": "settings", "rules": "bridge"}',
    '{"cmd": "clock", "set": [2024, 2, 30, 0, 0, 0]}',
    '{"cmd": "clock", "set": [2024, 13, 1, 0, 0, 0]}',
    '{"cmd": "clock", "set": 5}',
    '{"cmd": "since"}',
    '{"cmd": "since", "id": [1]}',
    '{"cmd": "since", "id": [1, "2"]}',
)


def test_what_is_no_command_is_answered_with_a_sentence_and_changes_nothing():
    hub = Hub()
    before = state(hub)
    for text in BROKEN:
        answer = hub.ask(text)
        assert answer["ok"] is False, text
        assert answer["why"].endswith(".") and answer["why"][0] != " ", text
        assert "re" in answer
    assert state(hub) == before


def test_bytes_that_are_no_text_are_answered():
    hub = Hub()
    assert hub.ask(b"\xff\xfe{}")["ok"] is False


def test_hands_may_name_some_suits_and_leave_others_open():
    hub = Hub()
    ranks = "3456789TJQKA2"
    hands = []
    for s in range(4):
        hands.append(" ".join([r + "dchs"[s] for r in ranks] + list(ranks) + ["xxXX"[s]]))
    assert hub.ask({"cmd": "test", "seats": ["bot"] * 4, "hands": hands})["ok"]
    hub.rig.until("end")
    dealt = hub.rig.events("end")[0]["hands"]
    for s in range(4):
        assert sum([1 for word in dealt[s].split() if word[-1] == "dchs"[s]]) >= 13


def test_a_line_may_come_in_pieces_and_end_in_any_way():
    hub = Hub()
    for data in (b'{"cmd": ', b'"stats"}', b"\r\n", b'\n{"cmd": "stats"}\r{"cmd":"stats"}\n'):
        hub.type(data)
    assert len(hub.answers) == 3
    assert [json.loads(answer)["re"] for answer in hub.answers] == ["stats"] * 3


def test_a_line_without_end_takes_no_memory_and_is_answered_once():
    hub = Hub()
    hub.type(b"x" * (MOST * 20))
    assert hub.answers == []
    hub.type(b'\n{"cmd":"stats"}\n')
    assert [json.loads(answer)["ok"] for answer in hub.answers] == [False, True]
    assert str(MOST) in json.loads(hub.answers[0])["why"]


def test_garbage_in_great_number_changes_nothing():
    hub = Hub()
    before = state(hub)
    x = 12345
    for _ in range(300):
        line = bytearray()
        for _ in range(40):
            x = (x * 1103515245 + 12345) & 0x3FFFFFFF
            line.append(x >> 12 & 127)
        answer = hub.ask(bytes(line).replace(b"\n", b" ").replace(b"\r", b" "))
        assert answer is None or answer["ok"] is False
    whole = '{"cmd":"test","seats":["bot","bot","bot","bot"],"seed":"' + SEED + '"}'
    for n in range(1, len(whole)):
        assert hub.ask(whole[:n])["ok"] is False
    assert state(hub) == before


def test_settings_are_shown_set_and_kept():
    hub = Hub()
    shown = hub.ask({"cmd": "settings", "brightness": 40, "turn_seconds": 45, "rules": "diexiang"})
    assert (shown["brightness"], shown["turn_seconds"], shown["rules"]) == (40, 45, "diexiang")
    again = Rig(hub.rig.chip).boot()
    assert again.game.rules.id == "diexiang"
    assert again.game.turn_seconds == 45


def test_stats_give_the_heap():
    told = Hub().ask({"cmd": "stats"})
    largest = told.pop("largest")
    assert told == {"re": "stats", "ok": True, "heap_free": 4000, "heap_low": 3000}
    assert largest is None or largest > 1000  # CPython has no limit


def test_since_answers_after_its_last_line():
    hub = Hub()
    hub.ask({"cmd": "test", "seats": ["bot"] * 4, "seed": SEED})
    hub.rig.until("play")
    assert hub.ask({"cmd": "since", "id": [0, 0]}) is None
    while not hub.repeats[0].step():
        pass
    answers = [text for text in hub.answers if text][1:]  # behind that to the test
    assert answers[:-1] == hub.rig.texts[1:]
    assert json.loads(answers[-1]) == {"re": "since", "ok": True, "lines": len(answers) - 1}


def test_the_test_command_knows_the_rule_sets_in_their_order():
    import testing
    from shared_rules import rulesets

    assert testing.RULE_SETS == rulesets.RULE_SETS
