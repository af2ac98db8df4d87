"""The table in a browser: ``serve(table, args)`` runs until Ctrl-C or SIGTERM.

``table`` is a ``host.sim.table.SimTable``. One WebSocket a browser carries text messages (JSON) both ways
and pictures (``pictures.pack``) one way. What a browser may see is decided here, from its token
(``links``): the pictures of a seat that it was not granted, or does not look at, are never put on its wire.

Browser to server: ``{"hello": token, "view": [seats]}`` first; then ``{"view": [seats]}``, ``{"key": name,
"seat": s, "down": bool}``, ``{"point": [x, y], "seat": s, "all": bool}``, ``{"command": {...}}``,
``{"speed": factor}``, ``{"pace": "run"|"pause"|"step"}``, ``{"new": {"number", "lead", "rules"}}``,
``{"ack": number}``, ``{"hear": bool}``, ``{"ping": anything}``. Server to browser: ``welcome``, ``grant``, ``status``,
``lamps``, ``event``, ``crash``, ``answer``, ``pong``; each under its own name.

``GET /record.txt?lang=`` is the evening's record in words, ``GET /record.jsonl`` its lines as the hub has written them.
"""

import asyncio
import errno
import ipaddress
import json
import os
import signal
import socket
import sys
import threading
import urllib.parse
import webbrowser
from collections import deque
from pathlib import Path

from aiohttp import WSMsgType, web

from . import glyphs, pictures, pointing, words
from .fingers import KEYS, Fingers, told
from .links import NOBODY, SEATS, Links
from .record import Record

STATIC = Path(__file__).parent / "static"
DEFAULT_PORT = 8765
# A little more than the 30 that an animation needs, so that a late look now and then loses none of them.
FRAMES_A_SECOND = 36
# Two picture messages may be under way to a browser; the third waits for the first to be acknowledged.
IN_FLIGHT = 2
STATUS_EVERY_S = 0.5
# Text messages that wait for a browser; one that falls this far behind is cut off and gets the whole state
# anew.
OUTBOX = 2000
# Blocks of sound that wait for a browser; of one that falls behind the oldest are dropped.
SAMPLES_WAITING = 16
LARGEST_REQUEST = 4096
LONGEST_TROUBLE = 8000  # characters of a traceback, from its end
SPEEDS = (0.25, 0.5, 1, 2, 4, 8)
PACES = ("run", "pause", "step")
SEED_DIGITS = 64
# More pages than that at one table are no table any more; nor does a person mistype a link so many times.
BROWSERS = 64
WRONG_LINKS = 10

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}

# What the page may know of SimTable.status(); anything else (a seed, hands) stays here.
STATUS = (
    "rules",
    "seats",
    "deal",
    "powered",
    "crashed",
    "vm",
    "speed",
    "pace",
    "keeps",
    "turn",
    "clock",
    "pads",
    "displays",
    "lang",
)

# Events after which somebody else may sit at a seat, or be called otherwise.
SEATING = ("boot", "ready", "deal", "resumed", "leave", "end")


def add_arguments(parser):
    """The page's own options, for the command that opens it."""
    parser.add_argument(
        "--host",
        "--bind",
        dest="host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address the page listens on (default: this machine only; 0.0.0.0: the local network)",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=DEFAULT_PORT,
        help="port of the page (default %(default)s; a busy one picks another)",
    )
    parser.add_argument(
        "--view",
        choices=("all", "own"),
        help="hands that the first link may see: all, for teaching (default on this machine only), or its own seat's",
    )


def is_loopback(host):
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host, port):
    """A listening socket on ``host`` and ``port``, or on a free port if that one cannot be had.

    Returns (socket, None), or (socket, why it is another port: "is busy" or "is not allowed"). OSError if the host is
    no address of this machine or the port no port.
    """
    if not 0 <= port <= 65535:
        raise OSError(errno.EINVAL, "a port is a number from 0 to 65535")
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    try:
        return _listen(family, kind, proto, address), None
    except OSError as error:
        why = {errno.EADDRINUSE: "is busy", errno.EACCES: "is not allowed"}.get(error.errno)
        if why is None:
            raise
    return _listen(family, kind, proto, (address[0], 0, *address[2:])), why


def _listen(family, kind, proto, address):
    sock = socket.socket(family, kind, proto)
    try:
        if os.name == "posix":
            # A port whose last server ended seconds ago is not busy.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(64)
    except OSError:
        sock.close()
        raise
    return sock


def reachable_name(host):
    """The address to print for a host that means every interface: the one other machines would use."""
    if host not in ("0.0.0.0", "::"):
        return host
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket sends nothing; it only asks the routing table which address would be
        # used.
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
    except OSError:
        return socket.gethostname()
    finally:
        probe.close()


def own_names(host):
    """Names under which a browser may ask for this machine, in lower case. A numeric address always is one."""
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name}.local", host.lower()}


class Browser:
    """One connected page: its grant, what it looks at, and what waits to be sent."""

    def __init__(self, socket_, token):
        self.socket = socket_
        self.token = token
        self.grant = NOBODY
        self.view = ()
        self.dirty = {}
        self.outbox = deque()
        self.wake = asyncio.Event()
        self.number = 0
        self.waiting = deque()
        self.lamps = None
        self.hears = False
        self.samples = deque(maxlen=SAMPLES_WAITING)
        self.too_slow = False
        self.wrong = 0
        self.barred = False

    def tell(self, name, body):
        """Queue a text message."""
        if len(self.outbox) >= OUTBOX:
            self.too_slow = True
        else:
            self.outbox.append(json.dumps({name: body}, ensure_ascii=False, separators=(",", ":")))
        self.wake.set()

    def look(self, seats):
        """Look at these seats, as far as granted; those that are new come whole."""
        view = tuple(s for s in SEATS if s in seats and s in self.grant.seats)
        self.dirty = {s: self.dirty.get(s) if s in self.view else pictures.FULL for s in view}
        self.view = view
        self.wake.set()

    def acknowledged(self, number):
        """The page has drawn a picture message and all before it."""
        if number in self.waiting:
            while self.waiting.popleft() != number:
                pass
            self.wake.set()


class Page:
    """The web application beside a table. ``start``, ``stop`` run in one event loop; ``heard`` may be
    called from any thread.

    ``seats``: "human" or "bot" for each seat; ``local``: only this machine can reach the page, and its operator may
    see every hand; ``keep``: a file for the links (``links.Links``).
    """

    def __init__(self, table, seats, lang, local, keep=None):
        self.table = table
        self.lang = lang
        self.links = Links([s for s in SEATS if seats[s] == "human"], open_hands=local, keep=keep)
        self.record = Record()
        self.browsers = set()
        self.fingers = Fingers(table.key, lambda: table.status()["t"])
        self.status = {}
        self.sitting = {}
        self.trouble = ""
        self.asking = None
        self.ask_again = False
        self.frames = {}
        self.lamps = None
        self.pointing = {}
        self.address = ""
        self.names = own_names("localhost")
        self.ranks = glyphs.ranks()
        self.sockets = 0
        self.app = web.Application(middlewares=[self._headers], client_max_size=LARGEST_REQUEST)
        self.app.router.add_get("/", self._index)
        self.app.router.add_get("/table", self._table_socket)
        self.app.router.add_get("/record.txt", self._record_in_words)
        self.app.router.add_get("/record.jsonl", self._record_lines)
        self.app.router.add_get("/{name}", self._file)
        self._files = {p.name: p for p in STATIC.iterdir() if p.is_file()}
        self._loop = None
        self._runner = None
        self._tasks = []

    # Life

    async def start(self, sock, name):
        """Serve on a listening socket; ``name``: the host name that stands in the links."""
        self._loop = asyncio.get_running_loop()
        port = sock.getsockname()[1]
        self.names = own_names(name)
        self.address = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
        self.fingers.start()
        self.table.on_event(self.heard)
        self._runner = web.AppRunner(self.app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.SockSite(self._runner, sock).start()
        self._tasks = [told(self._loop.create_task(w)) for w in (self._watch_pictures(), self._watch_status())]

    async def stop(self):
        """Close every browser's socket and stop serving."""
        tasks = [*self._tasks, *self.pointing.values(), *filter(None, [self.asking])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.fingers.stop()
        for browser in list(self.browsers):
            await browser.socket.close(code=1001, message=b"the table is closed")
        if self._runner:
            await self._runner.cleanup()

    def operator_link(self):
        """The link with the table's switches; on a local table it may look at every hand."""
        return f"{self.address}#k={self.links.operator}"

    def seat_link(self, seat):
        """The private link of one seat."""
        return f"{self.address}#k={self.links.seat_tokens[seat]}"

    # Files

    @web.middleware
    async def _headers(self, request, handler):
        # Another site's name that points here (DNS rebinding) would pass for the page's own origin.
        if not self._is_us(request.host):
            response = web.Response(status=421, text=f"This table is asked for as {self.address} only.\n")
        else:
            response = await handler(request)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def _is_us(self, host):
        try:
            name = urllib.parse.urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            ipaddress.ip_address(name.partition("%")[0])
            return True
        except ValueError:
            return name.lower() in self.names

    async def _index(self, request):
        return web.FileResponse(self._files["index.html"])

    async def _file(self, request):
        path = self._files.get(request.match_info["name"])
        if path is None:
            return web.Response(status=404, text="There is no such page at this table.\n")
        return web.FileResponse(path)

    async def _record_in_words(self, request):
        lang = request.query.get("lang", self.lang)
        if lang not in words.LANGS:
            return web.Response(status=400, text=f"The languages are {', '.join(words.LANGS)}.\n")
        lang = words.LANGS.index(lang)
        names = [n[lang] if n else str(s) for s, n in enumerate(self.sitting.get("names") or [None] * len(SEATS))]
        save = {"Content-Disposition": 'attachment; filename="shuangkou.txt"'}
        return web.Response(text="".join(self.record.text(lang, names)), headers=save)

    async def _record_lines(self, request):
        return web.Response(text="".join(self.record.lines()))

    # The table speaks

    def heard(self, event):
        """An event of the table; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell_event, dict(event))

    def _tell_event(self, event):
        told = self.record.add(event)
        if event.get("ev") in SEATING:
            self._ask_who_sits_where()
        if event.get("ev") == "deal" and event.get("swap"):
            self._swap(*event["swap"][:2])
        for browser in self.browsers:
            if may_hear(browser.grant, told):
                browser.tell("event", told)

    def _ask_who_sits_where(self):
        # Whatever changes while the hub answers is asked for afterwards.
        self.ask_again = self.asking is not None and not self.asking.done()
        if not self.ask_again:
            self.asking = told(self._loop.create_task(self._learn_who_sits_where()))

    async def _learn_who_sits_where(self):
        answer = await self._loop.run_in_executor(None, self.table.command, {"cmd": "seats"})
        seats = answer.get("seats") if isinstance(answer, dict) else None
        if isinstance(seats, list) and len(seats) == len(SEATS):
            kinds = [s.get("kind") for s in seats]
            if (self.record.latest("boot", "deal", "resumed") or {}).get("ev") not in ("deal", "resumed"):
                # A person who has not pressed play yet is a person all the same.
                kinds = ["human" if s in self.links.humans else kind for s, kind in enumerate(kinds)]
            self.sitting = {"seats": kinds, "names": [s.get("names") for s in seats]}
            await self._look_at_status()
        if self.ask_again:
            self.ask_again = False
            await self._learn_who_sits_where()

    def _swap(self, a, b):
        # Before a pixel of the new hands is sent: the picture watcher runs after this.
        self.links.swap(a, b)
        self._grant_anew()

    def _grant_anew(self):
        for browser in self.browsers:
            grant = self.links.grant(browser.token)
            if grant != browser.grant:
                self.fingers.leave(browser)
                before, browser.grant = browser.grant, grant
                browser.look(grant.seats if len(browser.view) > 1 or before.own is None else (grant.own,))
                browser.tell("grant", self._grant_of(browser))

    async def _watch_pictures(self):
        due = self._loop.time()
        while True:
            due = max(due + 1 / FRAMES_A_SECOND, self._loop.time())
            await asyncio.sleep(due - self._loop.time())
            viewed = {seat for browser in self.browsers for seat in browser.view}
            self.frames = {seat: frame for seat, frame in self.frames.items() if seat in viewed}
            # In a thread: the table's lock may be held while the firmware computes, and keys must not wait for that.
            # A picture taken after an event reaches this loop after it, so a change of seats is known by then.
            seen, lamps, sound = await self._loop.run_in_executor(None, self._see, viewed, self.frames)
            for seat, (rectangle, frame) in seen.items():
                self.frames[seat] = frame
                for browser in self.browsers:
                    if seat in browser.view:
                        browser.dirty[seat] = pictures.union(browser.dirty[seat], rectangle)
                        browser.wake.set()
            if lamps != self.lamps:
                self.lamps = lamps
                for browser in self.browsers:
                    browser.wake.set()
            if sound:
                for browser in self.browsers:
                    if browser.hears:
                        browser.samples.append(sound)
                        browser.wake.set()

    def _see(self, viewed, known):
        """({seat: (changed rectangle, whole frame)}, lamps, sound): what has come since the last look."""
        seen = {}
        for seat in SEATS:
            # First what is dirty, then the frame: what changes between the two is dirty again.
            dirty = self.table.take_dirty(seat)
            if seat in viewed:
                frame, old = self.table.frame(seat), known.get(seat)
                if frame != old:
                    # A panel that goes dark or lights up changes as a whole, though nothing was painted.
                    whole = dirty is None or old is None or pictures.BLACK in (old, frame)
                    seen[seat] = (pictures.FULL if whole else pictures.exclusive(dirty), frame)
        lamps = {
            "lights": [[int(on) for on in self.table.lights(seat)] for seat in SEATS],
            "ring": [bytes(colour).hex() for colour in self.table.ring()],
        }
        rate, blocks = self.table.samples() if hasattr(self.table, "samples") else (0, ())
        samples = b"".join(samples for _, samples in blocks)
        speed = self.status.get("speed") or 1
        return seen, lamps, samples and pictures.pack_sound(speed, rate, samples)

    async def _watch_status(self):
        while True:
            await self._look_at_status()
            if not self.sitting and self.status.get("powered"):
                self._ask_who_sits_where()
            await asyncio.sleep(STATUS_EVERY_S)

    async def _look_at_status(self):
        status = await self._loop.run_in_executor(None, self.table.status)
        if status.get("crashed") and not self.status.get("crashed"):
            self.trouble = (getattr(self.table, "last_errors", "") or "")[-LONGEST_TROUBLE:]
            for browser in self.browsers:
                if browser.grant.operator:
                    browser.tell("crash", self.trouble)
        status = {name: status[name] for name in STATUS if name in status} | self.sitting
        if status != self.status:
            self.status = status
            for browser in self.browsers:
                browser.tell("status", status)

    # A browser speaks

    async def _table_socket(self, request):
        origin = request.headers.get("Origin")
        if origin is not None and origin.split("://")[-1] != request.host:
            return web.Response(status=403, text="This table answers only its own page.\n")
        if self.sockets >= BROWSERS:
            return web.Response(status=503, text="So many pages are open at this table that it takes no more.\n")
        socket_ = web.WebSocketResponse(heartbeat=20, max_msg_size=LARGEST_REQUEST)
        await socket_.prepare(request)
        browser = Browser(socket_, None)
        sender = asyncio.create_task(self._send(browser))
        self.sockets += 1
        try:
            async for message in socket_:
                if message.type == WSMsgType.TEXT:
                    await self._handle(browser, message.data)
        finally:
            self.sockets -= 1
            self.browsers.discard(browser)
            self.fingers.leave(browser)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
        return socket_

    async def _handle(self, browser, text):
        try:
            said = json.loads(text)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            browser.tell("answer", {"ok": False, "why": "A message is one JSON object."})
        elif "hello" in said:
            self._welcome(browser, said)
        elif "ack" in said:
            browser.acknowledged(said["ack"])
        elif "view" in said:
            browser.look(seats_of(said["view"]))
        elif "key" in said:
            self._key(browser, said)
        elif "point" in said:
            self._point(browser, said)
        elif any(name in said for name in ("command", "speed", "pace", "new")):
            await self._command(browser, said)
        elif "hear" in said:
            browser.hears = said["hear"] is True
            browser.samples.clear()
        elif "ping" in said:
            browser.tell("pong", 1)
        else:
            browser.tell("answer", {"ok": False, "why": "There is no such message."})

    def _welcome(self, browser, said):
        browser.token = said["hello"]
        browser.grant = self.links.grant(browser.token)
        if browser.token and browser.grant == NOBODY:
            browser.wrong += 1
            browser.barred = browser.wrong > WRONG_LINKS
        browser.tell(
            "welcome",
            {
                "grant": self._grant_of(browser),
                "known": browser.grant != NOBODY or not browser.token,
                "lang": self.lang,
                "speeds": list(SPEEDS) if hasattr(self.table, "set_speed") else [],
                "rules": words.RULES,
                "ranks": self.ranks if browser.grant.seats else {},
                "sounds": hasattr(self.table, "samples"),
                "crash": self.trouble if browser.grant.operator else "",
                "status": self.status,
                "events": [e for e in self.record.recent() if may_hear(browser.grant, e)],
            },
        )
        browser.look(seats_of(said.get("view", [browser.grant.own])))
        self.browsers.add(browser)

    def _grant_of(self, browser):
        grant = browser.grant
        told = {"seats": list(grant.seats), "own": grant.own, "operator": grant.operator}
        told["person"] = grant.own in self.links.humans
        if grant.operator:
            told["links"] = [f"#k={token}" for token in self.links.seat_tokens]
            told["address"] = self.address
            # A phone is told its link by a code to look at, if a phone can reach this address at all.
            if not is_loopback(urllib.parse.urlsplit(self.address).hostname or "localhost"):
                told["codes"] = [qr_code(self.seat_link(seat)) for seat in SEATS]
        return told

    def _key(self, browser, said):
        seat, key = said.get("seat"), said["key"]
        if seat not in browser.grant.seats or isinstance(seat, bool):
            browser.tell("answer", {"ok": False, "why": "This link has no such seat."})
        elif key not in KEYS:
            browser.tell("answer", {"ok": False, "why": "A pad has no such key."})
        elif said.get("down") and self.status.get("pace") == "pause":
            # Its clock stands still: a press that nobody has noticed would act later.
            browser.tell("answer", {"ok": False, "why": "The table is paused."})
        else:
            self.fingers.key(browser, seat, key, bool(said.get("down")))

    def _point(self, browser, said):
        seat, point = said.get("seat"), said["point"]
        if seat not in browser.grant.seats or isinstance(seat, bool):
            browser.tell("answer", {"ok": False, "why": "This link has no such seat."})
        elif self.status.get("pace") == "pause":
            browser.tell("answer", {"ok": False, "why": "The table is paused."})
        elif not (isinstance(point, list) and len(point) == 2 and all(isinstance(n, int) for n in point)):
            browser.tell("answer", {"ok": False, "why": "A point is two whole numbers."})
        else:
            pointing.start(self, browser, seat, point, bool(said.get("all")))

    async def _command(self, browser, said):
        answer = await self._loop.run_in_executor(None, self._obey, browser.grant, said)
        if "new" in said and answer["ok"]:
            self.links.restore()
            self._grant_anew()
        browser.tell("answer", answer)
        await self._look_at_status()

    def _obey(self, grant, said):
        """A command in a worker thread, because power-on takes as long as the boot. Returns its answer."""
        if "speed" in said:
            if not grant.operator or not hasattr(self.table, "set_speed"):
                return {"ok": False, "why": "This link may not set the speed."}
            if said["speed"] not in SPEEDS:
                return {"ok": False, "why": "There is no such speed."}
            self.table.set_speed(said["speed"])
            return {"ok": True}
        if "pace" in said:
            if not grant.operator or not hasattr(self.table, "set_pace"):
                return {"ok": False, "why": "This link may not stop the table."}
            if said["pace"] not in PACES:
                return {"ok": False, "why": "A pace is run, pause or step."}
            self.table.set_pace(said["pace"])
            return {"ok": True}
        if "new" in said:
            if not grant.operator or not hasattr(self.table, "renew"):
                return {"ok": False, "why": "This link may not begin a new table."}
            try:
                self.table.renew(**fresh(said["new"]))
            except ValueError as error:
                return {"ok": False, "why": str(error)}
            return {"ok": True}
        command = said["command"]
        if not permitted(grant, command):
            return {"ok": False, "why": "This link may not do that."}
        try:
            return self.table.command(command)
        except Exception as error:
            return {"ok": False, "why": f"The table did not take the command: {error}"}

    # Sending

    async def _send(self, browser):
        while True:
            await browser.wake.wait()
            browser.wake.clear()
            if browser.too_slow or browser.barred:
                code, why = (1008, b"no such link") if browser.barred else (1013, b"too slow")
                await browser.socket.close(code=code, message=why)
                return
            while browser.outbox:
                await browser.socket.send_str(browser.outbox.popleft())
            if browser not in self.browsers:
                continue
            lamps = self.lamps and lamps_for(browser.grant, self.lamps)
            if lamps != browser.lamps:
                browser.lamps = lamps
                await browser.socket.send_str(json.dumps({"lamps": lamps}, separators=(",", ":")))
            while browser.samples:
                await browser.socket.send_bytes(browser.samples.popleft())
            if len(browser.waiting) < IN_FLIGHT:
                # No await between choosing and packing: a change of the grant cannot come in between.
                parts = [(s, r, self.frames[s]) for s, r in browser.dirty.items() if r and s in self.frames]
                if parts:
                    browser.dirty.update((s, None) for s, _, _ in parts)
                    browser.number = (browser.number + 1) % pictures.NUMBERS
                    browser.waiting.append(browser.number)
                    await browser.socket.send_bytes(pictures.pack(browser.number, parts))


def may_hear(grant, event):
    """A refused play concerns only who tried it; all else is public."""
    return event.get("ev") != "refused" or event.get("seat") in grant.seats


def lamps_for(grant, lamps):
    """The ring is for all to see; a pad's lights tell what its player has raised, and stay with that seat."""
    lights = [on if seat in grant.seats else [] for seat, on in enumerate(lamps["lights"])]
    return {"lights": lights, "ring": lamps["ring"]}


def fresh(wanted):
    """The settings of a new table from a browser's ``{"number", "lead", "rules"}``, each of which may be missing.

    ``number``: the deal's seed as hex digits; a short one stands for the seed that it ends. ValueError with a sentence.
    """
    if not isinstance(wanted, dict):
        raise ValueError("A new table takes an object.")
    changes = {"hands": None, "seed": None, "lead": None}
    number, lead, rules = (wanted.get(name) for name in ("number", "lead", "rules"))
    if number:
        digits = number.strip().lower() if isinstance(number, str) else ""
        if not 0 < len(digits) <= SEED_DIGITS or not set(digits) <= set("0123456789abcdef"):
            raise ValueError(f"A deal number has 1 to {SEED_DIGITS} hex digits (0-9, a-f).")
        changes["seed"] = digits.zfill(SEED_DIGITS)
    if lead is not None:
        if lead not in SEATS or isinstance(lead, bool):
            raise ValueError("There is no such seat to lead.")
        changes["lead"] = lead
    if rules is not None:
        if not isinstance(rules, str) or rules not in words.RULES:
            raise ValueError("There is no such rule set.")
        changes |= {"rules": rules, "options": []}
    return changes


def qr_code(text):
    """The rows of a text's QR code (ISO/IEC 18004, level M) as "0" and "1", without the quiet zone."""
    import segno  # only a table on a network needs it

    return ["".join("1" if dark else "0" for dark in row) for row in segno.make_qr(text, error="m").matrix]


def seats_of(value):
    """A list of seats from a message, without what is no seat."""
    return [s for s in value if s in SEATS and not isinstance(s, bool)] if isinstance(value, list) else []


def permitted(grant, command):
    """The operator may switch power and pull any plug; a seat's link its own plugs."""
    if not isinstance(command, dict) or len(command) != 1:
        return False
    ((name, what),) = command.items()
    if name == "power":
        return grant.operator and what in ("cut", "on")
    if name in ("plug", "unplug"):
        if not isinstance(what, dict) or what.get("seat") not in SEATS:
            return False
        return grant.operator or what["seat"] in grant.seats
    return False


def serve(table, args):
    """Serve the page of ``table`` until Ctrl-C, SIGTERM or SIGHUP. Returns the exit status.

    ``args``: ``host``, ``port`` (``add_arguments``), ``seats`` ("human,bot,bot,bot" or a list), ``lang``.
    Prints the address; opens it in the browser unless the environment has NO_BROWSER=1. Status 2: the
    address is not ours.
    """
    host = getattr(args, "host", None) or "127.0.0.1"
    port = getattr(args, "port", None)
    port = DEFAULT_PORT if port is None else port
    try:
        sock, why = bind(host, port)
    except OSError as error:
        print(f"The page cannot listen on {host} port {port}: {error.strerror}.", file=sys.stderr)
        table.stop()
        return 2
    if why:
        print(f"Port {port} {why}; the page uses {sock.getsockname()[1]} instead.", flush=True)
    seats = getattr(args, "seats", None) or ["human", "bot", "bot", "bot"]
    seats = seats.split(",") if isinstance(seats, str) else list(seats)
    view = getattr(args, "view", None)
    flash = getattr(args, "flash", None)
    try:
        page = Page(
            table,
            seats,
            getattr(args, "lang", None) or "zh-Hans",
            is_loopback(host) if view is None else view == "all",
            Path(f"{flash}.links") if flash else None,
        )
    except OSError as error:
        print(f"The links cannot be kept beside the flash file: {error}.", file=sys.stderr)
        sock.close()
        table.stop()
        return 1
    try:
        return asyncio.run(_run(page, sock, reachable_name(host)))
    except KeyboardInterrupt:
        return 0


async def _run(page, sock, name):
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in ("SIGINT", "SIGTERM", "SIGHUP"):
        try:
            loop.add_signal_handler(getattr(signal, number), ended.set)
        except (AttributeError, NotImplementedError):
            # Not on this system: Ctrl-C arrives as KeyboardInterrupt.
            pass
    await page.start(sock, name)
    try:
        await loop.run_in_executor(None, page.table.start)
        announce(page)
        await ended.wait()
        print("\nThe table is closed.", flush=True)
    finally:
        await page.stop()
        await loop.run_in_executor(None, page.table.stop)
    return 0


def announce(page):
    """Print the links and open the operator's in a browser, unless NO_BROWSER=1."""
    print(f"The table is open: {page.operator_link()}", flush=True)
    others = [s for s in page.links.humans if s != page.links.own]
    if others:
        for seat in others:
            print(f"Private link of seat {seat}: {page.seat_link(seat)}", flush=True)
    print("Ctrl-C closes it.", flush=True)
    if os.environ.get("NO_BROWSER") != "1":
        # Some launchers wait for the browser to end.
        threading.Thread(target=webbrowser.open, args=(page.operator_link(),), daemon=True).start()
