"""A table that runs a small script instead of the hub's firmware, on either interpreter."""

import time

import pytest

from host.sim.settings import Settings
from host.sim.table import SimTable

# What every script may use: say() writes a line of the record, cmd() one display command under its own chip select.
HEAD = """
import sys
import time
import machine
from machine import I2C, PWM, SPI, WDT, Pin

_k = 0


def say(name, **more):
    global _k
    text = '{"ev":"%s","id":[0,%d]' % (name, _k)
    for key in sorted(more):
        value = more[key]
        if isinstance(value, bool):
            value = "true" if value else "false"
        if isinstance(value, str) and value not in ("true", "false"):
            value = '"%s"' % value
        text += ',"%s":%s' % (key, value)
    _k += 1
    print(text + "}")


CS = [Pin(n, Pin.OUT, value=1) for n in (13, 14, 25, 26)]
DC = Pin(27, Pin.OUT, value=1)
RST = Pin(33, Pin.OUT, value=1)
spi = SPI(2, baudrate=20_000_000)


def cmd(seat, command, data=b""):
    DC.value(0)
    CS[seat].value(0)
    spi.write(bytes((command,)))
    DC.value(1)
    if data:
        spi.write(data)
    CS[seat].value(1)


def reset():
    RST.value(0)
    time.sleep_us(20)
    RST.value(1)
    time.sleep_ms(121)


def set_up(seat):
    cmd(seat, 0x11)
    time.sleep_ms(121)
    cmd(seat, 0x36, b"\\x28")
    cmd(seat, 0x3A, b"\\x55")
    cmd(seat, 0x29)


def window(seat, x, y, w, h):
    cmd(seat, 0x2A, bytes((x >> 8, x & 255, (x + w - 1) >> 8, (x + w - 1) & 255)))
    cmd(seat, 0x2B, bytes((0, y, 0, y + h - 1)))


def idle():
    while True:
        time.sleep_ms(5)


"""


class Script:
    """A table over a script; ``events``: what it said."""

    def __init__(self, folder, text, vm, threaded=False, **settings):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "main.py").write_text(HEAD + text)
        settings.setdefault("seats", None)
        self.settings = Settings(firmware=folder, vm=vm, **settings)
        self.table = SimTable(self.settings, threaded=threaded, quiet=True)
        self.events = []
        self.table.on_event(self.events.append)
        self.table.start()

    def until(self, name, ms=5000):
        """Let time pass until the script says so; the event."""
        event = self.table.wait_for(lambda e: e["ev"] == name, ms)
        assert event is not None, f"no '{name}' came; errors: {self.table.last_errors}"
        return event

    def heard(self, name, times=1, seconds=20):
        """Whether the script of a threaded table has said so, or does within so many seconds."""
        until = time.monotonic() + seconds
        while [e["ev"] for e in self.events].count(name) < times:
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def kinds(self):
        """The kinds of violations reported so far."""
        return [row["kind"] for row in self.table.violations.kept]


@pytest.fixture(params=["micropython", "cpython"])
def vm(request):
    """Both interpreters, one after the other."""
    return request.param


@pytest.fixture
def script(tmp_path, vm):
    """``script(text, **settings)``: a running table over that script."""
    made = []

    def make(text, **settings):
        made.append(Script(tmp_path / "firmware", text, settings.pop("vm", vm), **settings))
        return made[-1]

    yield make
    for one in made:
        one.table.stop()
