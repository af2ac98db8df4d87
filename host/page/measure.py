"""What the page costs and how fast it is, in a real Chromium over a real table: ``python -m host bench page``.

Four hands of nothing but bombs are played by four bots, so that the ring and the screens animate big plays; the page
looks at all four. Needs a Chromium on this machine and Playwright (``pip install -e '.[test]'``); loads nothing from
the network.
"""

import asyncio
import shutil
import socket
import statistics
import threading

from ..sim.settings import Settings
from ..sim.table import SimTable
from .server import Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
LOADS = 5
# Two decks: 27 cards each, in bombs.
BOMBS = (
    " ".join(["3"] * 8 + ["4"] * 8 + ["5"] * 8 + ["6"] * 3),
    " ".join(["6"] * 5 + ["7"] * 8 + ["8"] * 8 + ["9"] * 6),
    " ".join(["9"] * 2 + ["T"] * 8 + ["J"] * 8 + ["Q"] * 8 + ["K"]),
    " ".join(["K"] * 7 + ["A"] * 8 + ["2"] * 8 + ["x"] * 2 + ["X"] * 2),
)

# When the first rectangle of a picture was painted, ms since the page was asked for.
FIRST = """const put = CanvasRenderingContext2D.prototype.putImageData;
CanvasRenderingContext2D.prototype.putImageData = function (...a) {
    if (a.length > 3) window.first ??= performance.now();
    return put.apply(this, a); };"""

# Frames of the browser and, of these, those in which a screen or the ring was painted, for so many ms:
# [[time, painted], ...].
FRAMES = """ms => new Promise(done => {
    const proto = CanvasRenderingContext2D.prototype, put = proto.putImageData, clear = proto.clearRect, frames = [];
    let painted = false;
    proto.putImageData = function (...a) { painted = true; return put.apply(this, a); };
    proto.clearRect = function (...a) { painted = true; return clear.apply(this, a); };
    const begun = performance.now();
    requestAnimationFrame(function frame(now) {
        frames.push([now - begun, painted]);
        painted = false;
        if (now - begun < ms) return requestAnimationFrame(frame);
        Object.assign(proto, { putImageData: put, clearRect: clear });
        done(frames);
    }); })"""


class Unable(RuntimeError):
    """Something that the measurement needs is not here; the message is one sentence."""


class Meter:
    """A TCP relay before the server that counts the bytes on the wire to the browser."""

    def __init__(self, port):
        self.bytes = 0
        self._port = port
        self._sock = socket.create_server(("127.0.0.1", 0))
        self.port = self._sock.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._sock.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source, target, counted):
        try:
            while data := source.recv(65536):
                if counted:
                    self.bytes += len(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        """Take no more connections."""
        self._sock.close()


class Served:
    """A page over a table, served in a thread of its own on a free port of this machine."""

    def __init__(self, table, seats):
        self.table = table
        self.page = Page(table, seats, "en", True)
        self._loop = asyncio.new_event_loop()
        self._sock = socket.create_server(("127.0.0.1", 0))
        self.port = self._sock.getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._do(self.page.start(self._sock, "127.0.0.1"))
        table.start()

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(20)

    def close(self):
        """End page and table."""
        self._do(self.page.stop())
        self.table.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def busiest(frames, painted=True, window=1000.0):
    """The most frames (painted ones) within ``window`` ms of [[time, painted], ...]."""
    times = [t for t, p in frames if p or not painted]
    most = first = 0
    for last, t in enumerate(times):
        while t - times[first] >= window:
            first += 1
        most = max(most, last - first + 1)
    return most


def measure(seconds, say):
    """Measure, telling each figure by ``say(line)``. Unable if something is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Unable("Playwright is not installed: 'make test' brings it, or pip install -e '.[test]'.") from None
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise Unable("There is no Chromium on this machine (Debian: apt-get install chromium).")
    seats = ["bot"] * 4
    table = SimTable(Settings(seats=seats, hands=list(BOMBS), lead=0, clock="real", lang="en"), True, quiet=True)
    served = Served(table, seats)
    meter = Meter(served.port)
    link = f"http://127.0.0.1:{meter.port}/#{served.page.operator_link().partition('#')[2]}"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
            firsts, loads = [], []
            for _ in range(LOADS):
                # A context of its own has nothing in its cache.
                context = browser.new_context(viewport={"width": 1280, "height": 800})
                window = context.new_page()
                window.add_init_script(FIRST)
                before = meter.bytes
                window.goto(link)
                # The page's policy forbids a script that is text, and so Playwright's own waiting.
                while not (first := window.evaluate("window.first")):
                    window.wait_for_timeout(10)
                loads.append(meter.bytes - before)
                firsts.append(first)
                if len(firsts) < LOADS:
                    context.close()
            say(f"to the first picture: {statistics.median(firsts):.0f} ms (median of {LOADS}; most {max(firsts):.0f})")
            say(f"loaded until then: {max(loads) / 1000:.0f} KB")
            window.click("#view-all")
            table.renew()
            table.wait_for(lambda e: e["ev"] == "play", 60_000)
            before = meter.bytes
            frames = window.evaluate(FRAMES, seconds * 1000)
            lasted = frames[-1][0] / 1000
            gaps = [b[0] - a[0] for a, b in zip(frames, frames[1:])]
            say(f"all four screens, bombs and the ring, for {lasted:.0f} s:")
            say(f"  frames of the browser a second: {len(frames) / lasted:.0f} (longest gap {max(gaps):.0f} ms)")
            say(f"  frames with a new picture, in the busiest second: {busiest(frames)}")
            say(f"  on the wire: {(meter.bytes - before) / lasted / 1000:.0f} KB/s")
            browser.close()
    finally:
        meter.close()
        served.close()
