"""The table in a browser: ``serve(table, args)`` runs until Ctrl-C or SIGTERM.

``table`` is a ``host.sim.table.SimTable``. One WebSocket a browser carries text messages (JSON) both ways
and pictures (``pictures.pack``) one way. What a browser may see is decided here, from its token
(``links``): the pictures of a seat that it was not granted, or does not look at, are never put on its wire.

Browser to server: ``{"hello": token, "view": [seats]}`` first; then ``{"view": [seats]}``, ``{"key": name,
"seat": s, "down": bool}``, ``{"point": [x, y], "seat": s, "all": bool}``, ``{"command": {...}}``,
``{"speed": factor}``, ``{"ack": number}``. Server to browser: ``welcome``, ``grant``, ``status``,
``lamps``, ``event``, ``answer``; each is an object under its own name.
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
import webbrowser
from collections import deque
from pathlib import Path

from aiohttp import WSMsgType, web

from . import pictures, pointing
from .fingers import KEYS, Fingers, told
from .links import NOBODY, SEATS, Links
from .record import Record

STATIC = Path(__file__).parent / "static"
DEFAULT_PORT = 8765
FRAMES_A_SECOND = 30
# Two picture messages may be under way to a browser; the third waits for the first to be acknowledged.
IN_FLIGHT = 2
STATUS_EVERY_S = 0.5
# Text messages that wait for a browser; one that falls this far behind is cut off and gets the whole state
# anew.
OUTBOX = 2000
LARGEST_REQUEST = 4096
SPEEDS = (0.25, 0.5, 1, 2, 4, 8)

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
    parser.add_argument("--host", default="127.0.0.1", help="address the page listens on (default: this machine only)")
    parser.add_argument(
        "--port",
        type=int,
        default=DEFAULT_PORT,
        help="port of the page (default %(default)s; a busy one picks another)",
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
        self.too_slow = False

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

    ``seats``: "human" or "bot" for each seat; ``local``: only this machine can reach the page.
    """

    def __init__(self, table, seats, lang, local):
        self.table = table
        self.lang = lang
        self.links = Links([s for s in SEATS if seats[s] == "human"], open_hands=local)
        self.record = Record()
        self.browsers = set()
        self.fingers = Fingers(table.key, lambda: table.status()["t"])
        self.status = {}
        self.sitting = {}
        self.asking = None
        self.frames = {}
        self.lamps = None
        self.pointing = {}
        self.address = ""
        self.app = web.Application(middlewares=[self._headers], client_max_size=LARGEST_REQUEST)
        self.app.router.add_get("/", self._index)
        self.app.router.add_get("/table", self._table_socket)
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
        response = await handler(request)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def _index(self, request):
        return web.FileResponse(self._files["index.html"])

    async def _file(self, request):
        path = self._files.get(request.match_info["name"])
        if path is None:
            return web.Response(status=404, text="There is no such page at this table.\n")
        return web.FileResponse(path)

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
        if self.asking is None or self.asking.done():
            self.asking = told(self._loop.create_task(self._learn_who_sits_where()))

    async def _learn_who_sits_where(self):
        answer = await self._loop.run_in_executor(None, self.table.command, {"cmd": "seats"})
        seats = answer.get("seats") if isinstance(answer, dict) else None
        if isinstance(seats, list) and len(seats) == len(SEATS):
            self.sitting = {"seats": [s.get("kind") for s in seats], "names": [s.get("names") for s in seats]}
            await self._look_at_status()

    def _swap(self, a, b):
        # Before a pixel of the new hands is sent: the picture watcher runs after this.
        self.links.swap(a, b)
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
            seen, lamps = await self._loop.run_in_executor(None, self._see, viewed, self.frames)
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

    def _see(self, viewed, known):
        """({seat: (changed rectangle, whole frame)}, lamps): what has changed since the last look."""
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
        return seen, lamps

    async def _watch_status(self):
        while True:
            await self._look_at_status()
            if not self.sitting and self.status.get("powered"):
                self._ask_who_sits_where()
            await asyncio.sleep(STATUS_EVERY_S)

    async def _look_at_status(self):
        status = await self._loop.run_in_executor(None, self.table.status)
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
        socket_ = web.WebSocketResponse(heartbeat=20, max_msg_size=LARGEST_REQUEST)
        await socket_.prepare(request)
        browser = Browser(socket_, None)
        sender = asyncio.create_task(self._send(browser))
        try:
            async for message in socket_:
                if message.type == WSMsgType.TEXT:
                    await self._handle(browser, message.data)
        finally:
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
        elif "command" in said or "speed" in said:
            await self._command(browser, said)
        else:
            browser.tell("answer", {"ok": False, "why": "There is no such message."})

    def _welcome(self, browser, said):
        browser.token = said["hello"]
        browser.grant = self.links.grant(browser.token)
        browser.tell(
            "welcome",
            {
                "grant": self._grant_of(browser),
                "known": browser.grant != NOBODY or not browser.token,
                "lang": self.lang,
                "speeds": list(SPEEDS) if hasattr(self.table, "set_speed") else [],
                "status": self.status,
                "events": [e for e in self.record.recent() if may_hear(browser.grant, e)],
            },
        )
        browser.look(seats_of(said.get("view", [browser.grant.own])))
        self.browsers.add(browser)

    def _grant_of(self, browser):
        grant = browser.grant
        told = {"seats": list(grant.seats), "own": grant.own, "operator": grant.operator}
        if grant.operator:
            told["links"] = [f"#k={token}" for token in self.links.seat_tokens]
            told["address"] = self.address
        return told

    def _key(self, browser, said):
        seat, key = said.get("seat"), said["key"]
        if seat not in browser.grant.seats or isinstance(seat, bool):
            browser.tell("answer", {"ok": False, "why": "This link has no such seat."})
        elif key not in KEYS:
            browser.tell("answer", {"ok": False, "why": "A pad has no such key."})
        else:
            self.fingers.key(browser, seat, key, bool(said.get("down")))

    def _point(self, browser, said):
        seat, point = said.get("seat"), said["point"]
        if seat not in browser.grant.seats or isinstance(seat, bool):
            browser.tell("answer", {"ok": False, "why": "This link has no such seat."})
        elif not (isinstance(point, list) and len(point) == 2 and all(isinstance(n, int) for n in point)):
            browser.tell("answer", {"ok": False, "why": "A point is two whole numbers."})
        else:
            pointing.start(self, browser, seat, point, bool(said.get("all")))

    async def _command(self, browser, said):
        answer = await self._loop.run_in_executor(None, self._obey, browser.grant, said)
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
            if browser.too_slow:
                await browser.socket.close(code=1013, message=b"too slow")
                return
            while browser.outbox:
                await browser.socket.send_str(browser.outbox.popleft())
            if browser not in self.browsers:
                continue
            if self.lamps is not None and self.lamps != browser.lamps:
                browser.lamps = self.lamps
                await browser.socket.send_str(json.dumps({"lamps": self.lamps}, separators=(",", ":")))
            if len(browser.waiting) < IN_FLIGHT:
                # No await between choosing and packing: a change of the grant cannot come in between.
                parts = [(s, r, self.frames[s]) for s, r in browser.dirty.items() if r and s in self.frames]
                if parts:
                    browser.dirty.update((s, None) for s, _, _ in parts)
                    browser.number = (browser.number + 1) & 0xFFFF
                    browser.waiting.append(browser.number)
                    await browser.socket.send_bytes(pictures.pack(browser.number, parts))


def may_hear(grant, event):
    """A refused play concerns only who tried it; all else is public."""
    return event.get("ev") != "refused" or event.get("seat") in grant.seats


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
    page = Page(table, seats, getattr(args, "lang", None) or "zh-Hans", is_loopback(host))
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
