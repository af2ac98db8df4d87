"""What the page's tests look through: a page server in a thread of its own, and a window of a real browser."""

import asyncio
import base64
import socket
import threading
import time

from host.page.pictures import unpack
from host.page.server import Page

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Reads a canvas back: [RGB565 as base64, how many pixels are no colour of the panel].
PIXELS = """seat => {
    const c = document.querySelector(`[data-seat="${seat}"] canvas`);
    const rgba = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
    let text = "", strange = 0;
    for (let k = 0; k < rgba.length; k += 4) {
        const [r, g, b] = [rgba[k] >> 3, rgba[k + 1] >> 2, rgba[k + 2] >> 3];
        const exact = [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2, 255];
        strange += exact.some((value, n) => value !== rgba[k + n]);
        const pixel = r << 11 | g << 5 | b;
        text += String.fromCharCode(pixel >> 8, pixel & 255);
    }
    return [btoa(text), strange];
}"""


def eventually(condition, seconds=5.0, what="it"):
    """Wait until ``condition()`` is true; returns its value."""
    until = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < until, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)


class Server:
    """A running Page: its links, and calls into its event loop."""

    def __init__(self, table, seats=("human", "bot", "bot", "bot"), local=True, lang="en", keep=None, port=0):
        self.table = table
        self.page = Page(table, seats, lang, local, keep)
        self.loop = asyncio.new_event_loop()
        self.sock = socket.create_server(("127.0.0.1", port))
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.call(self.page.start(self.sock, "127.0.0.1"))
        table.start()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(20)

    def stop(self):
        self.call(self.page.stop())
        self.table.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    @property
    def bare(self):
        return self.page.address

    @property
    def operator(self):
        return self.page.operator_link()

    def seat(self, seat):
        return self.page.seat_link(seat)


class Tab:
    """One browser window of its own: the page, the seats whose pixels came over its wire, and errors."""

    def __init__(self, chromium, address, wait=True, **context):
        context.setdefault("viewport", {"width": 1440, "height": 900})
        self.context = chromium.new_context(**context)
        self.page = self.context.new_page()
        self.pictures = []
        self.errors = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.errors.append(line.text))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", self._listen)
        self.page.goto(address)
        if wait:
            self.page.wait_for_selector("#table:not([aria-busy])")

    def _listen(self, websocket):
        def received(payload):
            if isinstance(payload, bytes):
                self.pictures.extend(unpack(payload)[1])

        websocket.on("framereceived", received)

    @property
    def seats_received(self):
        # Playwright hands over what has come only while it is asked something.
        self.page.wait_for_timeout(1)
        return {seat for seat, *_ in self.pictures}

    def pixels(self, seat):
        """What the canvas of a seat shows, as RGB565 of the panel: bytes."""
        text, strange = self.page.evaluate(PIXELS, seat)
        # The panel's 5 and 6 bits spread over 8, exactly; nothing blended or smoothed.
        assert strange == 0
        return base64.b64decode(text)

    def key(self, seat, key):
        """The button of a key on a seat's pad."""
        return self.page.locator(f'[data-seat="{seat}"] [data-key="{key}"]')
