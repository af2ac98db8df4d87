"""What goes over the wire to whom, asked by a plain WebSocket client."""

import asyncio
import json
import socket
import time

import aiohttp
import pytest
from fake_table import GROUND, FakeTable
from looking import eventually

from host.page import pictures, server
from host.page.server import IN_FLIGHT


class Client:
    """A WebSocket of its own: pictures and messages that came."""

    def __init__(self, socket, acknowledge):
        self.socket = socket
        self.acknowledge = acknowledge
        self.pictures = []
        self.messages = []

    async def read(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                message = await self.socket.receive(timeout=left)
            except asyncio.TimeoutError:
                return
            if message.type == aiohttp.WSMsgType.BINARY:
                number, parts = pictures.unpack(message.data)
                self.pictures.append((number, parts))
                if self.acknowledge:
                    await self.socket.send_str(json.dumps({"ack": number}))
            elif message.type == aiohttp.WSMsgType.TEXT:
                self.messages.append(json.loads(message.data))
            else:
                return

    async def ask(self, message):
        """Send a message; returns the answer."""
        await self.socket.send_str(message if isinstance(message, str) else json.dumps(message))
        while True:
            said = await self.socket.receive(timeout=5)
            if said.type == aiohttp.WSMsgType.TEXT and "answer" in json.loads(said.data):
                return json.loads(said.data)["answer"]

    def all(self, name):
        return [m[name] for m in self.messages if name in m]

    @property
    def seats(self):
        return {part[0] for _, parts in self.pictures for part in parts}


def talk(address, script, view=None, acknowledge=True, **options):
    """Say hello with a link's token, run ``script(client)``; returns the client."""
    token = address.partition("#k=")[2]

    async def run():
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(address.partition("#")[0] + "table", **options) as socket:
                hello = {"hello": token}
                if view is not None:
                    hello["view"] = view
                await socket.send_str(json.dumps(hello))
                client = Client(socket, acknowledge)
                await script(client)
                return client

    return asyncio.run(run())


def listen(address, seconds=0.5, **options):
    async def script(client):
        await client.read(seconds)

    return talk(address, script, **options)


def test_without_a_link_no_picture_is_sent_whatever_is_asked_for(serve):
    client = listen(serve().bare, view=[0, 1, 2, 3])
    assert client.pictures == []
    (welcome,) = client.all("welcome")
    assert welcome["grant"] == {"seats": [], "own": None, "operator": False, "person": False}
    assert client.all("lamps")


def test_a_seats_link_gets_that_seats_pictures_only(serve):
    client = listen(serve().seat(2), view=[0, 1, 2, 3])
    assert client.seats == {2}


def test_the_operator_gets_only_the_seats_that_he_looks_at(serve):
    table = serve()
    assert listen(table.operator).seats == {0}
    assert listen(table.operator, view=[1, 3]).seats == {1, 3}


def test_on_an_open_network_the_operator_has_one_hand(serve):
    client = listen(serve(seats=["bot", "human", "human", "bot"], local=False).operator, view=[0, 1, 2, 3])
    assert client.seats == {1}
    assert client.all("welcome")[0]["grant"]["operator"] is True


def test_a_new_browser_gets_whole_pictures_and_then_changes_only(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    eventually(lambda: table.dirty == [None] * 4)

    async def script(client):
        await client.read(0.3)
        table.fill(0, 40, 50, 6, 7, b"\x12\x34")
        await client.read(0.3)

    client = talk(running.operator, script)
    (_, (first,)), (_, (second,)) = client.pictures
    assert first == (0, 0, 0, 320, 240, GROUND[0] * (320 * 240))
    assert second == (0, 40, 50, 6, 7, b"\x12\x34" * 42)


def test_a_browser_that_does_not_answer_gets_no_queue_but_the_newest_picture(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    eventually(lambda: table.dirty == [None] * 4)

    async def script(client):
        await client.read(0.3)
        for k in range(6):
            table.fill(0, 10 * k, 0, 10, 10, bytes([k, 1]))
            await client.read(0.1)
        assert len(client.pictures) == IN_FLIGHT
        await client.socket.send_str(json.dumps({"ack": client.pictures[-1][0]}))
        await client.read(0.3)
        (rest,) = [parts for _, parts in client.pictures[IN_FLIGHT:]]
        assert [p[:5] for p in rest] == [(0, 10, 0, 50, 10)]
        assert rest[0][5][:100] == b"".join(bytes([k, 1]) * 10 for k in range(1, 6))

    talk(running.operator, script, acknowledge=False)


def test_pictures_come_at_most_thirty_six_times_a_second(serve):
    client = listen(serve().operator, seconds=1.2)
    assert 15 <= len(client.pictures) <= 46


def test_a_key_reaches_the_table_from_its_own_seat_only(serve):
    table = FakeTable()
    running = serve(table)

    async def script(client):
        answer = await client.ask({"key": "play", "seat": 1, "down": True})
        assert answer == {"ok": False, "why": "This link has no such seat."}
        answer = await client.ask({"key": "jump", "seat": 2, "down": True})
        assert answer == {"ok": False, "why": "A pad has no such key."}
        await client.socket.send_str(json.dumps({"key": "play", "seat": 2, "down": True}))
        await client.read(0.2)

    talk(running.seat(2), script)
    assert table.pressed() == [(2, "play")]
    # The browser went away with its finger on the key.
    eventually(lambda: [(s, k, d) for s, k, d, _ in table.keys] == [(2, "play", True), (2, "play", False)])


def test_an_onlooker_presses_nothing_and_switches_nothing(serve):
    table = FakeTable()
    running = serve(table)

    async def script(client):
        for message in (
            {"key": "play", "seat": 0, "down": True},
            {"point": [10, 200], "seat": 0},
            {"command": {"power": "cut"}},
            {"command": {"unplug": {"seat": 0}}},
            {"speed": 8},
            {"pace": "pause"},
            {"new": {"number": "7"}},
        ):
            assert (await client.ask(message))["ok"] is False

    for address in (running.bare, running.bare + "#k=" + "0" * 22):
        talk(address, script)
    assert table.keys == [] and table.commands == [] and table.speed == 1
    assert table.pace == "run" and table.renewed == []


def test_commands_and_speed_reach_the_table(serve):
    table = FakeTable()
    running = serve(table)

    async def script(client):
        assert await client.ask({"command": {"unplug": {"seat": 3, "what": "display"}}}) == {"ok": True}
        assert await client.ask({"command": {"power": "cut"}}) == {"ok": True}
        assert await client.ask({"speed": 4}) == {"ok": True}
        assert (await client.ask({"speed": 3}))["ok"] is False
        assert (await client.ask({"command": {"shot": {"seat": 1, "file": "x.png"}}}))["ok"] is False
        await client.read(0.3)

    client = talk(running.operator, script)
    assert table.commands == [{"unplug": {"seat": 3, "what": "display"}}, {"power": "cut"}]
    assert client.all("status")[-1]["powered"] is False if client.all("status") else table.powered is False
    assert table.speed == 4


@pytest.mark.parametrize("garbage", ["", "{", "[]", "7", '"key"', "{}", '{"what": 1}'])
def test_a_broken_message_is_answered_and_the_talk_goes_on(serve, garbage):
    async def script(client):
        answer = await client.ask(garbage)
        assert answer["ok"] is False and answer["why"].endswith(".")
        assert (await client.ask({"key": "jump", "seat": 0}))["why"] == "A pad has no such key."

    talk(serve().operator, script)


@pytest.mark.parametrize(
    "odd",
    [
        {"key": ["play"], "seat": 0, "down": True},
        {"key": "play", "seat": True, "down": True},
        {"key": "play", "seat": "0", "down": True},
        {"key": "play", "seat": [0], "down": True},
        {"point": "here", "seat": 0},
        {"point": [1, None], "seat": 0},
        {"command": 7},
        {"command": {"power": ["cut"]}},
        {"command": {"plug": {"seat": [1]}}},
        {"speed": "fast"},
        {"speed": [1]},
        {"pace": ["run"]},
        {"new": 7},
        {"new": {"number": 7, "lead": "x", "rules": []}},
        {"new": {"rules": ["wenzhou"]}},
        {"view": 3},
        {"view": [[], {}, "x"]},
        {"ack": "x"},
        {"ack": []},
        {"hello": 5},
        {"hello": {"a": 1}},
    ],
)
def test_a_message_of_wrong_types_does_not_end_the_talk(serve, odd):
    async def script(client):
        await client.socket.send_str(json.dumps(odd))
        await client.ask({"nothing": 1})

    talk(serve().operator, script)


def test_a_refused_play_is_told_to_its_own_seat_only(serve):
    table = FakeTable()
    running = serve(table)

    async def script(client):
        await client.read(0.2)
        table.tell(ev="refused", seat=1, why="no-meld")
        table.tell(ev="pass", seat=1, cause="key")
        await client.read(0.2)

    assert [e["ev"] for e in talk(running.seat(1), script).all("event")] == ["refused", "pass"]
    assert [e["ev"] for e in talk(running.seat(0), script).all("event")] == ["pass"]
    assert [e["ev"] for e in talk(running.bare, script).all("event")] == ["pass"]
    # And later comers learn no more than those who were there.
    (welcome,) = listen(running.bare, 0.2).all("welcome")
    assert {e["ev"] for e in welcome["events"]} == {"pass"}


def test_lights_tell_what_is_raised_and_stay_with_their_seat(serve):
    running = serve()
    for address, seats in ((running.bare, set()), (running.seat(2), {2}), (running.operator, {0, 1, 2, 3})):
        for lamps in listen(address, 0.2).all("lamps"):
            assert len(lamps["ring"]) == 24
            assert {seat for seat, lights in enumerate(lamps["lights"]) if lights} == seats


def test_the_operator_stops_the_table_and_begins_a_new_one(serve):
    table = FakeTable(moving=False)
    running = serve(table)

    async def script(client):
        for pace in ("pause", "step", "run"):
            assert await client.ask({"pace": pace}) == {"ok": True}
            assert table.pace == pace
        assert (await client.ask({"pace": "trot"}))["ok"] is False
        assert await client.ask({"new": {"number": " 5EC ", "lead": 2, "rules": "baibian"}}) == {"ok": True}
        assert await client.ask({"new": {}}) == {"ok": True}
        numbers = ({"number": "no"}, {"number": "0" * 65}, {"number": 7})
        for wrong in (*numbers, {"lead": 4}, {"lead": True}, {"rules": "x"}):
            answer = await client.ask({"new": wrong})
            assert answer["ok"] is False and answer["why"].endswith(".")

    talk(running.operator, script)
    assert table.renewed == [
        {"seed": "5ec".zfill(64), "lead": 2, "hands": None, "rules": "baibian", "options": []},
        {"seed": None, "lead": None, "hands": None},
    ]

    async def seat(client):
        assert (await client.ask({"pace": "pause"}))["ok"] is False
        assert (await client.ask({"new": {}}))["ok"] is False

    talk(running.seat(0), seat)
    assert table.pace == "run" and len(table.renewed) == 2


def test_nothing_pressed_while_the_table_is_paused_acts_later(serve):
    table = FakeTable(moving=False)
    running = serve(table)

    async def script(client):
        await client.ask({"pace": "pause"})
        said = await client.ask({"key": "play", "seat": 0, "down": True})
        assert said == {"ok": False, "why": "The table is paused."}
        await client.ask({"pace": "run"})
        await client.socket.send_str(json.dumps({"key": "hint", "seat": 0, "down": True}))
        await client.read(0.1)

    talk(running.operator, script)
    assert table.pressed() == [(0, "hint")]


def test_what_a_crash_left_behind_is_told_to_the_operator_alone(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    table.last_errors = "Traceback (most recent call last):\n  the firmware's own"
    table.crashed = True
    eventually(lambda: running.page.status.get("crashed"))
    for address in (running.bare, running.seat(0), running.seat(1)):
        client = listen(address, 0.2)
        assert client.all("welcome")[0]["crash"] == "" and "Traceback" not in json.dumps(client.messages)
        assert client.all("welcome")[0]["status"]["crashed"] is True
    assert "the firmware's own" in listen(running.operator, 0.2).all("welcome")[0]["crash"]


def test_a_ping_is_answered(serve):
    async def script(client):
        await client.socket.send_str(json.dumps({"ping": 1}))
        await client.read(0.2)
        assert client.all("pong") == [1]

    talk(serve().bare, script)


def test_who_tries_link_after_link_is_cut_off(serve):
    running = serve()

    async def script(client):
        for k in range(server.WRONG_LINKS + 1):
            await client.socket.send_str(json.dumps({"hello": f"guess{k}"}))
        await client.read(2)
        assert client.socket.closed and client.socket.close_code == 1008
        assert client.pictures == []

    talk(running.bare, script)


def test_more_pages_than_a_table_has_room_for_are_turned_away(serve, monkeypatch):
    monkeypatch.setattr(server, "BROWSERS", 1)
    running = serve()

    async def script(client):
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
                await session.ws_connect(running.bare + "table")
        assert refusal.value.status == 503

    talk(running.bare, script)
    eventually(lambda: running.page.sockets == 0)
    assert listen(running.operator, 0.2).seats == {0}


def test_a_browser_that_reads_nothing_does_not_hold_up_another(serve):
    running = serve()

    async def script(client):
        # Not one byte is read here meanwhile.
        other = await asyncio.to_thread(listen, running.seat(1), 1.0)
        assert len(other.pictures) > 10

    talk(running.operator, script, view=[0, 1, 2, 3], acknowledge=False)


def get(address, **options):
    """(status, headers, text) of a file of the server."""

    async def fetch():
        async with aiohttp.ClientSession() as session:
            async with session.get(address, **options) as answer:
                return answer.status, answer.headers, await answer.text()

    return asyncio.run(fetch())


def test_the_record_is_downloaded_as_text_and_as_lines_without_what_is_private(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    eventually(lambda: running.page.sitting)
    table.tell(ev="deal", n=1, rules="wenzhou", lead=1, t=61_000)
    table.tell(ev="refused", seat=1, why="no-meld", t=62_000)
    table.tell(ev="play", seat=1, cards="X X", meld="pair:X", left=25, cause="key", t=63_500)
    table.tell(ev="turn", seat=2, leading=False, t=63_500)
    table.tell(ev="end", result="double", places=[1, 3, 2, 4], points=[2, -2, 2, -2], seed="00" * 31 + "a7", t=70_000)
    eventually(lambda: running.page.record.latest("end"))
    status, headers, text = get(running.bare + "record.txt?lang=en")
    assert status == 200 and "attachment" in headers["Content-Disposition"]
    assert text.splitlines() == [
        "",
        "  1:01  Deal 1, Wenzhou. Zhou to lead",
        "  1:03  Zhou: Pair big joker · big joker ×2 · 25 left",
        "  1:10  The deal ends: double win · Lin +2, Zhou −2, Meiling +2, Qiang −2",
        "        deal number: " + "00" * 31 + "a7",
    ]
    assert "老周" in get(running.bare + "record.txt?lang=zh-Hans")[2]
    assert get(running.bare + "record.txt?lang=xx")[0] == 400
    _, headers, lines = get(running.bare + "record.jsonl")
    assert headers["Content-Type"].startswith("text/plain")
    events = [json.loads(line) for line in lines.splitlines()]
    assert [e["ev"] for e in events] == ["deal", "play", "turn", "end"]
    assert events[1] == {
        "ev": "play",
        "seat": 1,
        "cards": "X X",
        "meld": "pair:X",
        "left": 25,
        "cause": "key",
        "t": 63_500,
    }


def test_another_name_that_points_here_is_no_way_in(serve):
    # DNS rebinding: the page of evil.example, whose address has become this machine's, is of one origin with it.
    running = serve()
    port = running.bare.rsplit(":", 1)[1].strip("/")
    for name in (f"evil.example:{port}", "evil.example", "127.0.0.1.evil.example", "", "[::1"):
        assert get(running.bare, headers={"Host": name})[0] in (400, 421), name
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        listen(running.operator, headers={"Host": "evil.example", "Origin": "http://evil.example"})
    assert refusal.value.status == 421
    addresses = (f"127.0.0.1:{port}", f"[::1]:{port}", f"192.168.1.20:{port}")
    for name in (f"localhost:{port}", socket.gethostname(), *addresses):
        assert get(running.bare, headers={"Host": name})[0] == 200, name


def test_the_status_holds_no_secret(serve):
    client = listen(serve().operator, 0.3)
    assert "seed" not in json.dumps(client.messages)
    assert set(client.all("welcome")[0]["status"]) <= {*server.STATUS, "names"}


def test_only_the_operator_is_told_the_links(serve):
    running = serve()
    for address in (running.bare, running.seat(0), running.seat(1)):
        said = json.dumps(listen(address, 0.2).messages)
        assert not any(token in said for token in running.page.links.seat_tokens)
        assert running.page.links.operator not in said
    assert running.page.links.seat_tokens[1] in json.dumps(listen(running.operator, 0.2).messages)


def test_a_change_of_seats_takes_links_and_pictures_along(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    eventually(lambda: table.dirty == [None] * 4)
    address = running.seat(0)

    async def script(client):
        await client.read(0.3)
        table.tell(ev="deal", n=2, rules="baibian", lead=0, swap=[0, 3])
        await client.read(0.3)

    client = talk(address, script)
    assert client.seats == {0, 3}
    assert [parts[0][0] for _, parts in client.pictures] == [0, 3]
    (grant,) = client.all("grant")
    assert grant["seats"] == [3]


def test_a_page_of_another_site_is_turned_away(serve):
    running = serve()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        listen(running.operator, headers={"Origin": "http://evil.example"})
    assert refusal.value.status == 403


def test_files_come_with_strict_headers_and_nothing_else_is_served(serve):
    running = serve()

    async def fetch():
        async with aiohttp.ClientSession() as session:
            async with session.get(running.bare) as index:
                assert index.status == 200
                assert "default-src 'self'" in index.headers["Content-Security-Policy"]
                assert index.headers["Referrer-Policy"] == "no-referrer"
            for path in ("nothing", "server.py", "..%2fserver.py", "static/main.js"):
                async with session.get(running.bare + path) as missing:
                    assert missing.status == 404

    asyncio.run(fetch())


def test_the_hubs_sound_goes_to_who_wants_to_hear_it(serve):
    table = FakeTable(moving=False)
    running = serve(table)
    heard = []

    async def script(client):
        async def read(seconds):
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                try:
                    message = await client.socket.receive(timeout=left)
                except asyncio.TimeoutError:
                    return
                if message.type == aiohttp.WSMsgType.BINARY and message.data[:2] == b"\xff\xff":
                    heard.append(message.data)

        table.sounds = [(0, b"\x01\x02" * 256)]
        await read(0.3)
        assert heard == [] and table.sounds == []
        await client.socket.send_str(json.dumps({"hear": True}))
        await read(0.1)
        table.sounds = [(0, b"\x01\x02" * 256), (1, b"\x03\x04" * 256)]
        await read(0.3)
        await client.socket.send_str(json.dumps({"hear": False}))
        await read(0.1)
        table.sounds = [(2, b"\x05\x06" * 256)]
        await read(0.3)

    talk(running.bare, script)
    # Speed 1, 8000 Hz, the samples in order.
    assert heard == [b"\xff\xff\x64\x00\x40\x1f\x00\x00" + b"\x01\x02" * 256 + b"\x03\x04" * 256]
