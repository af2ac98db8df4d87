"""The supervisor: ``SimTable`` owns time, the models, the flash and the interpreter, and is driven from outside.

In virtual time the caller's thread drives everything: ``command({"advance": 100})`` returns when the table has
lived for that long. With ``threaded=True`` a thread of its own keeps the table alive at the pace of the wall
clock, and every method may be called from any thread; commands that would let time pass then wait for it or
return at once.

The life of the table is ``_live``: the interpreter runs until it asks something (a sleep, a bus read); while it
waits, it stands still, so the clock, keys, console and commands all act at exact points of virtual time.

The hub writes each line of its record at least once: after a cut it repeats those of its last entry, because it
cannot know whether they got out (``firmware/journal.py``). The table passes such a line on only if it has not done so
before. What the ``since`` command brings is passed on again, and changes nothing of what the table knows.

A crash: the hub writes its traceback to the console, resets, shows a crash screen and goes on. With
``Settings.restart`` the table does so, too; else that reset ends the firmware, and ``crashed`` says so.
"""

import contextlib
import dataclasses
import json
import os
import sys
import threading
import time
from collections import deque
from pathlib import Path

from .. import build, image, layout
from . import launch
from .board import Board, PowerCut
from .board import pins as read_pins
from .clock import MS, Clock
from .models import ili9341
from .models.flash import Flash, fresh
from .models.keys import Fingers
from .player import Persons, next_seed
from .shims import ops
from .violations import Violations
from .vm import Ended

_SETTLE = 30 * MS  # after the last bounce until a debounced key has acted
_SLICE = 20 * MS  # of the thread, between two looks at whether it should stop
_STOOD_S = 0.2  # how long a table that stands still waits before it looks around
_LAG_S = 0.25  # a table that falls this far behind the wall clock does not try to catch up
_ANSWER_MS = 5000
_HEARD = (ops.SLEEP, ops.RESET, ops.ENDED)
_POWER_CAUSE, _RESET_CAUSE, _WATCHDOG_CAUSE, _SOFT_CAUSE = 1, 2, 3, 5
_TRACEBACK = "Traceback (most recent call last):"
_REPEATED = 32  # lines of an entry of the hub's journal, and more
_CHANGE_MS = 1000  # a key that has changed no pixel by then does not count
_STEP_MS = 300  # a step ends so long after its line: the screens are painted by then, and no bot has acted yet
_STEPS = ("turn", "end")


class SimTable:
    """One simulated table. Use ``start()``, ``command()`` and friends, ``stop()``."""

    def __init__(self, settings, threaded=False, quiet=False):
        """settings: settings.Settings. OSError or models.flash.Busy if the flash file cannot be opened;
        build.BuildError; image.ImageError; launch.NoInterpreter."""
        self.settings = settings
        self.vm_name = launch.choose(settings.vm)
        self.firmware = Path(settings.firmware or build.FIRMWARE)
        self._lock = threading.RLock()
        self._cond = threading.Condition(self._lock)
        self._thread = None
        self._threaded = threaded
        self._stopping = False
        self._quiet = quiet
        self._listeners = []
        self.clock = Clock()
        self.violations = Violations(self.clock, quiet)
        self.flash = self._open_flash()
        self.said = list(self.flash.said)
        seed = settings.seed or ("0" if settings.clock == "virtual" else os.urandom(16).hex())
        self.pins = read_pins(self.firmware if (self.firmware / "pins.py").exists() else build.FIRMWARE)
        self.board = Board(self.clock, self.violations, self.flash, self.pins, seed)
        self.fingers = Fingers(self.clock, seed, self._contact)
        self._down = [set() for _ in range(4)]
        self._free_at = {}  # (seat, key): when a tap of it will be over
        self.persons = Persons(settings)
        self.vm = None
        self.powered = False
        self.crashed = None  # text of a firmware that has ended, until the next power-on
        self._trace = None  # the traceback on the console of this start, so far
        self._pending = None
        self._wake = 0
        self._until = None  # the end (ns) of the last wait, if nothing stopped it
        self._reset_at = 0
        # What the record has said.
        self.deal = None
        self.ended = []  # deal numbers, in order
        self.boot_ms = None
        self.key_to_pixel = []
        self._last_seed = None
        self._resumed = False
        self._test_sent = False
        self.last_errors = ""
        self._lines = deque()
        self._passed = deque(maxlen=_REPEATED)  # texts of the last lines that were passed on
        self._booted = False  # the hub has said so since it was started
        self._cut = False  # the power goes at this moment
        self._newest = ()  # id and text of the newest line of this start
        self._setting_up = False  # the hub has yet to answer the settings of the command line
        self._answers = {}
        self._asked = []
        # Pace.
        self.speed = 1.0
        self.pace = "run"
        self._halt_at = None  # where a step ends
        self._anchor = None

    def _open_flash(self):
        path = self.settings.image
        if path is None:
            self._vfs = build.vfs_image(self.firmware)
            return Flash(self.clock, self.violations.report, self._vfs, self.settings.flash)
        if self.vm_name != "micropython":
            raise launch.NoInterpreter("--image holds bytecode for MicroPython: --vm cpython cannot run it.")
        try:
            data = path.read_bytes()
        except OSError as error:
            raise image.ImageError(f"{path} cannot be read ({error.strerror}).") from None
        self._vfs = image.file_system(data, str(path))
        image.runnable(image.files(self._vfs), str(path))
        whole = data if len(data) == layout.FLASH_SIZE else None
        return Flash(self.clock, self.violations.report, self._vfs, self.settings.flash, whole)

    # Start and end

    def start(self):
        """Power on; with ``threaded`` the table lives from now on."""
        with self._lock:
            self._power_on()
        if self._threaded:
            self._thread = threading.Thread(target=self._run, name="table", daemon=True)
            self._thread.start()

    def stop(self):
        """End the interpreter and let go of the flash file."""
        self._stopping = True
        with self._cond:
            self._cond.notify_all()
        if self._thread:
            self._thread.join()
            self._thread = None
        with self._lock:
            self.flush()
            self._power_off()
            self.flash.close()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    def _run(self):
        try:
            while not self._stopping:
                with self._cond:
                    self._live(self.clock.now + _SLICE, lambda: self._stopping)
                    self._cond.notify_all()
                time.sleep(0.0002)  # whoever waits for the lock gets it
        except BaseException:
            with self._cond:  # nobody shall wait for a table that no longer lives
                self.crashed = "The simulator itself has failed."
                self._stopping = True
                self._cond.notify_all()
            raise

    # Power

    def _power_on(self):
        self.clock.booted = self.clock.now
        self.board.power_on()
        self.powered = True
        self.boot_ms = None
        self._boot()

    def _boot(self):
        self.crashed = None
        self.clock.go(self.clock.after(1))  # the ticks count from a whole microsecond
        self._reset_at = self.clock.now
        self._pending = None
        self._test_sent = False
        self._resumed = False
        self._anchor = None
        self._booted = False
        self._newest = ()
        self._setting_up = self.settings.seats is not None
        self._asked.clear()
        self._trace = None
        self.vm = self._start_vm()

    def _start_vm(self):
        return launch.start(self.vm_name, self.firmware, self.settings.heap, self.flash.fileno())

    def _power_off(self):
        self._end_vm()
        self.powered = False
        self._pending = None
        self.flash.disarm()
        self.persons.turn = None

    def _end_vm(self):
        """End the interpreter. What it has written is heard before: it belongs to what happened until now."""
        if self.vm:
            if self._pending is not None:
                self._console()
            self.flush()
            self._errors(self.vm.end())
            self.vm = None

    def _chip_reset(self, cause):
        self._end_vm()
        self.board.chip_reset()
        self.board.reset_cause = cause
        if cause == _POWER_CAUSE:  # the button EN takes the power of the clock's memory, too
            self.board.rtc_memory = b""
        self._boot()

    def _crash(self, text):
        self._end_vm()
        self._pending = None
        self.crashed = text
        print(text, file=sys.stderr)
        self._cond.notify_all()

    def _errors(self, text):
        if text and not self._quiet:
            sys.stderr.write(text)
            sys.stderr.flush()
        self.last_errors = text

    # Life

    def _live(self, target, stop=None):
        """Let the table live until the clock is at ``target`` (ns), or ``stop()`` is true. Called with the lock
        held."""
        clock = self.clock
        while True:
            if stop is not None and stop():
                return
            if self._lines:
                self._deliver()
                continue
            if self.vm is None:
                if clock.now >= target:
                    return
                due = clock.next_due()
                self._idle(target if due is None else min(target, due))
                continue
            if self._pending is None:
                try:
                    self._pending = self._hear(target)
                except Ended as end:
                    self._ended(end)
                    continue
                if self._pending is None:
                    if clock.now >= target:
                        return
                    continue
                op = self._pending[0]
                if op == ops.SLEEP:
                    self._wake = clock.after(int.from_bytes(self._pending[2], "little"))
                watchdog = self.board.watchdog
                if watchdog is not None and clock.now >= watchdog:
                    self._console()
                    self._chip_reset(_WATCHDOG_CAUSE)
                    continue
                # What was written before a sleep is heard at its own time; once the hub is on, so are an entry's lines,
                # before the program of the journal's mark behind them.
                if op in _HEARD or op == ops.FLASH_PROGRAM and self._booted:
                    self._console()
                    continue
            if clock.now >= target:
                return
            self._serve(target)

    def _hear(self, target):
        """The interpreter's next synchronous message; None if there is none, and time has passed up to ``target``."""
        return self.vm.next(self.board.posted)

    def _ended(self, end):
        """The interpreter's process has ended; ``end``: the Ended that says how."""
        self._console()
        self._crash(str(end))

    def _idle(self, when):
        """No firmware runs: wait until ``when``."""
        self._wait(when)

    def _serve(self, target):
        asked = self._pending
        op, arg, data = asked
        clock, board = self.clock, self.board
        if op == ops.SLEEP:
            when = min(self._wake, target)
            due = clock.next_due()
            if due is not None and due < when:
                when = due
            watchdog = board.watchdog
            if watchdog is not None and watchdog < when:
                when = watchdog
            if not self._wait(when) or self._pending is not asked:  # a key, or the power, came in meanwhile
                return
            if watchdog is not None and clock.now >= watchdog:
                self._chip_reset(_WATCHDOG_CAUSE)
                return
            if clock.now < self._wake:
                return
            result, answer = 0, b""
        elif op == ops.RESET:
            self._reset(arg)
            return
        elif op == ops.ENDED:
            self._crash("The firmware crashed." if arg else "The firmware came to its end.")
            return
        else:
            clock.settle()
            try:
                result, answer = board.answers[op](arg, data)
            except PowerCut:
                self._cut = True
                self._power_off()
                self._cut = False
                self._cond.notify_all()
                return
        self._pending = None
        offset = self.settings.tick_start * MS - self._reset_at
        quiet = 0  # in real time anything may come at any time
        if self.settings.clock == "virtual":
            quiet = target
            for when in (clock.next_due(), board.watchdog):
                if when is not None and when < quiet:
                    quiet = when
        self.vm.reply(clock.now + offset, board.levels(), result, max(0, quiet + offset), answer)

    def _reset(self, soft):
        """The firmware asks for a reset; ``soft``: of the interpreter alone, which differs in its cause only."""
        self.flush()
        if self._trace and not self.settings.restart:
            trace = "".join(f"{line}\n" for line in self._trace)
            self._crash("The firmware crashed.")
            self.last_errors += trace
            return
        self._chip_reset(_SOFT_CAUSE if soft else _RESET_CAUSE)

    def _wait(self, when):
        """Move the clock to ``when``; at the pace of the wall clock if that is set. False if something came in
        first."""
        clock = self.clock
        if self.settings.clock == "virtual":
            clock.go(when)
            return True
        if self._halt_at is not None and clock.now >= self._halt_at:
            self._set_pace("pause")
        if self.pace == "pause":
            self._cond.wait(_STOOD_S)
            return False
        wall = time.monotonic()
        if self._anchor is None:
            self._anchor = (wall, clock.now)
        start, origin = self._anchor
        left = (when - origin) / 1e9 / self.speed - (wall - start)
        if left < -_LAG_S:
            self._anchor = (wall, when)
        elif left > 0:
            self._cond.wait(left)
            if self._anchor is None:
                return False
            start, origin = self._anchor
            real = origin + int((time.monotonic() - start) * 1e9 * self.speed)
            if real < when:
                clock.go(max(clock.now, real))
                return False
        clock.go(when)
        return True

    def pass_time(self, ns, stop=None):
        """Let so much time pass, or until ``stop()``. True if it stopped.

        A transfer that is under way at the end is over a little later: the next thing from outside comes at the end
        asked for all the same, so that what a screen paints never moves a key."""
        with self._cond:
            target = self.outside() + ns
            if self._threaded:
                while not (stop and stop()) and self.clock.now < target and not self._stopping:
                    if self.pace == "pause":
                        break  # its clock stands still: nothing more will come
                    self._cond.wait(0.1)
            else:
                self._live(target, stop)
            stopped = bool(stop and stop())
            self._until = None if stopped or self._threaded else target
            return stopped

    def outside(self):
        """Now (ns), for keys and waits."""
        return self.clock.now if self._until is None else min(self._until, self.clock.now)

    # Console

    def _console(self):
        """Take what the firmware has written."""
        t = self.clock.ms()
        for raw in self.vm.lines():
            self._lines.append((raw.decode("utf-8", "replace"), t))

    def _deliver(self):
        """Hear the next line. One at a time: who waits for an event is woken before the line behind it is heard."""
        text, t = self._lines.popleft()
        said = None
        if text.startswith("{") and text.endswith("}"):
            with contextlib.suppress(ValueError, RecursionError):
                said = json.loads(text)
        if isinstance(said, dict) and "ev" in said:
            if not self._repeated(text):
                self._passed.append(text)
                self._event({**said, "t": t}, text, f'{text[:-1]},"t":{t}}}')
        elif isinstance(said, dict) and "re" in said:
            self._answer(said)
        elif text == _TRACEBACK or self._trace and self._trace[-1].startswith(("  ", _TRACEBACK)):
            self._trace = [text] if text == _TRACEBACK else [*self._trace, text]
            if not self._quiet:
                print(text, file=sys.stderr)
        elif text and not self._quiet:
            print(f"console: {text}", file=sys.stderr)

    def _repeated(self, text):
        """Whether a line is one that the hub repeats on starting, and that has been passed on already.

        It repeats lines in one go with saying that it is on, and before that. A firmware without a journal, which
        gives its first lines the same ids at every start, repeats nothing.
        """
        if self._booted or text not in self._passed:
            return False
        return self._cut or any(line.startswith('{"ev":"boot"') for line, t in self._lines)

    def flush(self):
        """Hear what has been written up to now."""
        with self._cond:
            while self._lines:
                self._deliver()

    def _event(self, event, text, line):
        if self._is_new(event.get("id"), text):
            self._learn(event)
        if self.pace == "step" and event["ev"] in _STEPS and self._halt_at is None:
            self._halt_at = self.clock.now + _STEP_MS * MS
        for listener in list(self._listeners):
            listener(event, line)
        self._cond.notify_all()

    def _is_new(self, place, text):
        """Whether a line, of this id, is one that ``since`` has not brought again. Ids only grow within one start."""
        if not isinstance(place, list) or not all(isinstance(n, int) for n in place):
            return True
        newest = self._newest
        self._newest = max(newest, (place, text))
        return not newest or place > newest[0] or place == newest[0] and text != newest[1]

    def _learn(self, event):
        """Keep what a new line of the record says."""
        name = event["ev"]
        first = not self.ended
        if name == "boot":
            self._booted = True
            self.boot_ms = event["t"]
            self._send_test()
        elif name == "resumed":
            self._resumed = True
            self.deal = event.get("n", self.deal)
        elif name == "deal":
            self.deal = event.get("n")
        elif name == "end":
            number = event["id"][0] if event.get("id") else self.deal
            if number not in self.ended:
                self.ended.append(number)
            if event.get("seed"):
                self._last_seed = event["seed"]
            if self._resumed or not self._test_sent:
                self._resumed = False
                self._send_test()
        self.persons.heard(event, self._next_seed(), first)

    def _send_test(self):
        """Give the firmware the settings of the command line, which it takes between deals only."""
        settings = self.settings
        if settings.seats is None:
            return
        self._test_sent = self._setting_up = True
        self._asked.append("test")
        self._say(settings.test_command(not self.ended, self._next_seed()))

    def _next_seed(self):
        """The seed (hex) of the deal that is next, or on; None if it is the hub's own."""
        seed = self.settings.seed
        return next_seed(self._last_seed or seed) if seed and self.ended else seed

    def _say(self, command):
        if self.vm:
            self.vm.feed(json.dumps(command, separators=(",", ":")).encode() + b"\n")

    def _answer(self, said):
        name = said["re"]
        if name == "test" and "test" in self._asked:
            self._asked.remove("test")
            self._setting_up = "test" in self._asked
            if not said.get("ok"):
                # A deal out of the journal is on: the settings are for the deals after it.
                self._test_sent = False
                if not self._resumed:
                    print(
                        f"The firmware did not take the settings: {said.get('why', 'it gave no reason')}",
                        file=sys.stderr,
                    )
            return
        self._answers[name] = said

    def ask(self, command, ms=_ANSWER_MS):
        """Give the console a command ({"cmd": NAME, ...}); its answer, or None if none came in time."""
        with self._cond:
            if not self.vm:
                return None
            name = command.get("cmd")
            self._answers.pop(name, None)
            self._answers.pop(None, None)  # the answer to a command that the hub does not know
            self._say(command)
            self.pass_time(ms * MS, lambda: name in self._answers or None in self._answers or not self.vm)
            return self._answers.pop(name, None) or self._answers.pop(None, None)

    def wait_for(self, wanted, ms):
        """Let time pass until an event for which ``wanted(event)`` is true, at most so long. The event, or None."""
        found = []

        def listener(event, line):
            if not found and wanted(event):
                found.append(event)

        with self._cond:
            self.listen(listener)
            try:
                self.pass_time(ms * MS, lambda: found or self.vm is None)
            finally:
                self.unlisten(listener)
        return found[0] if found else None

    def advance(self, ms):
        """Let time pass."""
        with self._cond:
            self.pass_time(ms * MS)

    def power(self, on):
        """Put the power on (a crashed firmware too starts anew), or cut it."""
        with self._cond:
            self._set_pace("run")
            if self.powered:
                self._power_off()
            if on:
                self._power_on()
            self._cond.notify_all()

    def renew(self, **changes):
        """A new evening on an empty journal, the settings changed as told (fields of ``Settings``); the power goes off
        and on. ValueError with a sentence if the flash is a file: what it holds is somebody's."""
        with self._cond:
            if self.settings.flash is not None:
                raise ValueError("This table keeps its deals in a file (--flash): a new table does not empty it.")
            if self.powered:
                self._power_off()
            self._set_pace("run")
            self.settings = dataclasses.replace(self.settings, **changes)
            self.flash.image[:] = fresh(self._vfs)
            self.persons = Persons(self.settings)
            self.deal = self._last_seed = None
            self.ended.clear()
            self._passed.clear()
            self._power_on()
            self._cond.notify_all()

    # Keys

    def _contact(self, seat, key, down, when):
        self.board.pads[seat].press(self.pins.KEY_LINES[self.pins.KEYS.index(key)], down)

    def key(self, seat, key, down):
        """A finger goes down on a key, or up. ValueError for a key or seat that does not exist."""
        if key not in self.pins.KEYS or seat not in range(4):
            raise ValueError(f"there is no key '{key}' at seat {seat}")
        with self._cond:
            if down == (key in self._down[seat]):
                return
            self._catch_up()
            (self._down[seat].add if down else self._down[seat].remove)(key)
            self.fingers.move(seat, key, down)
            if down:
                self._pressed(seat, key)
            self._cond.notify_all()

    def press(self, seat, key, ms=60):
        """Press a key for ``ms`` and release it; returns when the release has been debounced (threaded: at once)."""
        with self._cond:
            acted = self.tap(seat, key, ms)
            if not self._threaded:
                self.pass_time(acted - self.outside())

    def tap(self, seat, key, ms=60):
        """Begin such a press, once the hub has answered the settings of the command line: before, it would be lost.
        Returns when (ns) its release will have been debounced."""
        if key not in self.pins.KEYS or seat not in range(4):
            raise ValueError(f"there is no key '{key}' at seat {seat}")
        with self._cond:
            if self._setting_up:
                self.pass_time(_ANSWER_MS * MS, lambda: not self._setting_up or self.vm is None)
                self._setting_up = False  # a firmware that does not answer is not waited for again
            self._catch_up()
            free = self._free_at.get((seat, key), 0)
            if free > self.outside():  # the finger is still on it
                self.pass_time(free - self.outside())
            self._pressed(seat, key)
            now = self.outside()
            self.fingers.move(seat, key, True, now)
            acted = self.fingers.move(seat, key, False, now + ms * MS) + _SETTLE
            self._free_at[seat, key] = acted
            self._cond.notify_all()
            return acted

    def _catch_up(self):
        """In real time: bring the clock to now, so that a key is as late as it was."""
        if self.settings.clock == "real" and self._anchor and self._pending and self._pending[0] == ops.SLEEP:
            start, origin = self._anchor
            real = origin + int((time.monotonic() - start) * 1e9 * self.speed)
            self.clock.go(max(self.clock.now, min(real, self._wake)))

    def _pressed(self, seat, key):
        """A key goes down: its player knows, and the time until a pixel changes counts."""
        if self.board.pads[seat].present:
            self.persons.seats[seat].pressed(key, self.outside())
        began = self.outside()

        def changed(when):
            if when - began <= _CHANGE_MS * MS:
                self.key_to_pixel.append(round((when - began) / MS, 3))

        self.board.panels[seat].changed = changed

    # What can be seen

    def frame(self, seat):
        """What the display of that seat shows: 320 * 240 * 2 bytes, big-endian RGB565; black while dark."""
        with self._lock:
            panel = self.board.panels[seat]
            return panel.frame() if self.powered and self.board.lit() else bytes(ili9341.BYTES)

    def take_dirty(self, seat):
        """(x0, y0, x1, y1), inclusive, of what changed on that display since the last call, or None."""
        with self._lock:
            return self.board.panels[seat].take_dirty()

    def lights(self, seat):
        """The pad's four lights."""
        with self._lock:
            return self.board.pads[seat].lights() if self.powered else [False] * 4

    def ring(self):
        """The ring's colours, (r, g, b) of 0-255."""
        with self._lock:
            return list(self.board.ring.colours) if self.powered else [(0, 0, 0)] * self.pins.RING_PIXELS

    def samples(self):
        """(rate in Hz, [(when ns, bytes)]): the 16-bit samples that the amplifier got since the last call."""
        with self._lock:
            return self.board.sound.rate, self.board.sound.take()

    def listen(self, listener):
        """Call ``listener(event, line)`` for each line of the record until ``unlisten``."""
        self._listeners.append(listener)

    def unlisten(self, listener):
        """No longer."""
        self._listeners.remove(listener)

    def on_event(self, listener):
        """Call ``listener(event)`` for each line of the record, with "t"; in the thread that lets the table live."""
        self._listeners.append(lambda event, line: listener(event))

    def on_line(self, listener):
        """Call ``listener(text)`` for each line of the record as the firmware wrote it, with "t" added."""
        self._listeners.append(lambda event, line: listener(line))

    def status(self):
        """What a page shows beside the table."""
        with self._lock:
            s = self.settings
            return {
                "rules": s.rules,
                "seats": list(s.seats or ()),
                "deal": self.deal,
                "turn": self.persons.turn,
                "powered": self.powered,
                "crashed": self.crashed is not None,
                "vm": self.vm_name,
                "speed": self.speed,
                "pace": self.pace,
                "keeps": s.flash is not None,
                "clock": s.clock,
                "lang": s.lang,
                "pads": [pad.present for pad in self.board.pads],
                "displays": [panel.present for panel in self.board.panels],
                "t": self.clock.ms(),
                "violations": self.violations.count,
            }

    def set_speed(self, factor):
        """Real clock: run so many times as fast as the wall clock (0.1 to 100)."""
        if not 0.1 <= factor <= 100:
            raise ValueError("a speed is between 0.1 and 100")
        with self._cond:
            self._catch_up()
            self.speed = float(factor)
            self._anchor = None
            self._cond.notify_all()

    def set_pace(self, pace):
        """Real clock: "run", "pause" (its clock stands still), or "step": run until the next seat's turn is on the
        screens, or the deal's end, and pause there."""
        if pace not in ("run", "pause", "step"):
            raise ValueError("a pace is run, pause or step")
        with self._cond:
            self._catch_up()
            self._set_pace(pace)
            self._cond.notify_all()

    def _set_pace(self, pace):
        self.pace = pace
        self._halt_at = self._anchor = None

    # Commands

    def command(self, line):
        """Do one command of SIMULATOR.md (a dict); its answer (a dict)."""
        from . import commands

        with self._cond:
            return commands.obey(self, line)
