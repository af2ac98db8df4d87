"""A table with SimTable's methods and no firmware: its pictures move by themselves and its keys are only
noted.

Each seat's picture is filled with a colour of its own, so that a pixel tells whose screen it comes from; a
bar walks over it, and a key press paints a block. ``tell`` speaks an event as the firmware would.
"""

import threading
import time

WIDTH, HEIGHT = 320, 240
# RGB565, big-endian: what fills the picture of a seat, and nothing else.
GROUND = (b"\x10\xa2", b"\x22\x45", b"\x51\x04", b"\x29\x8a")
BAR = b"\xf5\x85"
BLOCK = b"\xf7\x7b"


class FakeTable:
    def __init__(self, moving=True):
        self.moving = moving
        self.frames = [bytearray(ground * (WIDTH * HEIGHT)) for ground in GROUND]
        self.dirty = [(0, 0, WIDTH - 1, HEIGHT - 1)] * 4
        self.keys = []
        self.commands = []
        self.callbacks = []
        self.powered = True
        self.crashed = None
        self.speed = 1
        self.pace = "run"
        self.renewed = []
        self.sounds = []
        self.last_errors = ""
        self.pads = [True] * 4
        self.displays = [True] * 4
        self.ticks = 0
        self.running = False
        self.lock = threading.RLock()

    def start(self):
        self.running = True
        if self.moving:
            self.thread = threading.Thread(target=self._run, daemon=True)
            self.thread.start()

    def stop(self):
        self.running = False
        if self.moving:
            self.thread.join()

    def _run(self):
        while self.running:
            with self.lock:
                for seat in range(4):
                    self.fill(seat, (self.ticks * 4) % 300, 100, 8, 20, GROUND[seat])
                    self.fill(seat, (self.ticks * 4 + 4) % 300, 100, 8, 20, BAR)
                self.ticks += 1
            time.sleep(1 / 40)

    def fill(self, seat, x, y, w, h, colour):
        """Paint a rectangle."""
        with self.lock:
            for row in range(y, y + h):
                at = (row * WIDTH + x) * 2
                self.frames[seat][at : at + 2 * w] = colour * w
            old = self.dirty[seat]
            new = (x, y, x + w - 1, y + h - 1)
            self.dirty[seat] = new if old is None else (*map(min, old[:2], new[:2]), *map(max, old[2:], new[2:]))

    def tell(self, **event):
        for callback in self.callbacks:
            callback(event)

    # SimTable's methods

    def key(self, seat, key, down):
        self.keys.append((seat, key, down, time.monotonic()))
        self.fill(seat, 10, 10, 40, 40, BLOCK if down else GROUND[seat])

    def frame(self, seat):
        with self.lock:
            return bytes(self.frames[seat]) if self.displays[seat] and self.powered else bytes(WIDTH * HEIGHT * 2)

    def take_dirty(self, seat):
        with self.lock:
            dirty, self.dirty[seat] = self.dirty[seat], None
            return dirty

    def lights(self, seat):
        return [seat == 0, False, False, self.ticks % 20 < 10]

    def ring(self):
        lit = self.ticks // 2 % 24
        return [(90, 60, 8) if k == lit else (0, 10, 6) if k % 6 == 0 else (0, 0, 0) for k in range(24)]

    def on_event(self, callback):
        self.callbacks.append(callback)

    def command(self, command):
        if command == {"cmd": "seats"}:
            names = [
                ["小林", "小林", "Lin"],
                ["老周", "老周", "Zhou"],
                ["美玲", "美玲", "Meiling"],
                ["阿强", "阿強", "Qiang"],
            ]
            return {"ok": True, "seats": [{"kind": k, "names": n} for k, n in zip(self.status()["seats"], names)]}
        self.commands.append(command)
        ((name, what),) = command.items()
        if name == "power":
            self.powered, self.crashed = what == "on", None
        elif name in ("plug", "unplug"):
            part = self.displays if what.get("what") == "display" else self.pads
            part[what["seat"]] = name == "plug"
        return {"ok": True}

    def samples(self):
        sounds, self.sounds = self.sounds, []
        return 8000, sounds

    def set_speed(self, factor):
        self.speed = factor

    def set_pace(self, pace):
        self.pace = pace

    def renew(self, **changes):
        self.renewed.append(changes)

    def status(self):
        return {
            "rules": "wenzhou",
            "seats": ["human", "bot", "bot", "bot"],
            "deal": 1,
            "powered": self.powered,
            "crashed": self.crashed,
            "vm": "fake",
            "speed": self.speed,
            "pace": self.pace,
            "keeps": False,
            "pads": list(self.pads),
            "displays": list(self.displays),
            "seed": "5ec2e7",
            "t": int(time.monotonic() * 1000 * self.speed),
        }

    def pressed(self):
        """(seat, key) of every press so far."""
        return [(seat, key) for seat, key, down, _ in list(self.keys) if down]
