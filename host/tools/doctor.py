"""``python -m host doctor``: what of a hub works: a row a part, and an exit status.

The hub's ``check`` command (``firmware/checking.py``) does what only it can; what is right is judged here. With
``--auto`` nobody is asked: keys, lights, ring and sound are then checked as far as wires tell.
"""

import ast
import runpy
import sys
import time
from types import SimpleNamespace

from .. import statuses
from ..build import FIRMWARE
from . import common, link

OK, BAD, UNSEEN, OUT = "ok", "BAD", "not seen", "absent"

# RDDID and Read ID4 of the controllers that the driver serves; many ILI9341 modules leave RDDID empty.
_IDS = {("009341", "009341"): "ILI9341", ("000000", "009341"): "ILI9341", ("858552", "000000"): "ST7789"}
_HEAP_LOW = 3000  # bytes; below, a large screen may find no room
_KEY_S = 20


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "doctor",
        "Check a hub between two deals: versions, heap, flash, displays, pads, clock, ring.",
        ("python -m host doctor", "python -m host doctor --auto --json"),
    )
    p.add_argument("--auto", action="store_true", help="ask nobody: what wires tell is enough")
    p.add_argument("--json", action="store_true", help="one JSON object (implies --auto)")
    args = p.parse_args(argv)
    if not args.auto and not args.json and not sys.stdin.isatty():
        print("Standard input is no terminal: nobody is asked, as with --auto.", file=sys.stderr)
        args.auto = True
    args.auto = args.auto or args.json
    return common.guarded(_run, args)


def _run(args):
    with link.Link(args.port) as hub:
        doctor = Doctor(hub, args.auto, not args.json)
        doctor.all()
    wrong = [row for row in doctor.rows if row["state"] in (BAD, OUT)]
    if args.json:
        common.show({"ok": not wrong, "parts": doctor.rows})
    else:
        print(f"{len(wrong)} of {len(doctor.rows)} parts are not right." if wrong else "All is well.")
    return statuses.FAILED if wrong else statuses.OK


def _constant(file, name):
    """A constant of a firmware module, read as data."""
    for row in ast.parse((FIRMWARE / file).read_text(encoding="utf-8")).body:
        if isinstance(row, ast.Assign) and getattr(row.targets[0], "id", None) == name:
            return ast.literal_eval(row.value)
    raise KeyError(name)


class Doctor:
    """``all()`` fills ``rows``: dicts of ``part``, ``state`` (OK, BAD, OUT, UNSEEN) and ``what``."""

    def __init__(self, hub, auto, show):
        self.rows = []
        self._hub = hub
        self._auto = auto
        self._show = show
        self._pins = SimpleNamespace(**runpy.run_path(str(FIRMWARE / "pins.py")))

        self._faults = _constant("record.py", "FAULTS")

    def _ask(self, part, **more):
        return self._hub.ask({"cmd": "check", "part": part, **more}, heard=lambda text, said: True)

    def _row(self, part, state, what=""):
        self.rows.append({"part": part, "state": state, "what": what})
        if self._show:
            colour = {OK: 32, UNSEEN: 33}.get(state, 31)
            shown = f"\x1b[{colour}m{state:<9}\x1b[0m" if common.colours() else f"{state:<9}"
            print(f"{part:<20}{shown}{what}", flush=True)

    def _yes(self, question):
        print(f"{question} [y/n] ", end="", flush=True)
        return sys.stdin.readline().strip().lower().startswith("y")

    def all(self):
        """Every part."""
        who = self._hub.ask({"cmd": "hub"}, heard=lambda text, said: True)
        if who["running"] is not None:
            raise link.Refused(f"Deal {who['running']} is running; the hub is checked between deals only.")
        self._system()
        self._flash()
        for seat in range(4):
            self._display(seat)
        for seat in range(4):
            self._pad(seat)
        self._clock()
        self._ring()
        self._sound()

    def _system(self):
        s = self._ask("stats")
        self._row("firmware", OK, f"{s['version']} on {s['interpreter']}, {s['freq'] // 1_000_000} MHz")
        low = s["heap_low"]
        self._row(
            "heap", OK if low > _HEAP_LOW or not low else BAD, f"{s['heap_free']} bytes free, {low} at the lowest"
        )
        total, free = s["files_total"], s["files_free"]
        self._row("file system", OK if free > total // 20 else BAD, f"{free // 1024} of {total // 1024} KiB free")
        told = [name for i, name in enumerate(self._faults) if s["faults"] >> i & 1]
        self._row("faults since start", BAD if told else OK, ", ".join(told) or "none")
        self._row(
            "settings", BAD if s["damaged"] else OK, "a slot was damaged and set aside" if s["damaged"] else "whole"
        )

    def _flash(self):
        sums = [0, 0, 0, 0]
        sector, ring = 0, 0
        progress = common.Progress("sectors", 254)
        while sector is not None:
            s = self._ask("flash", sector=sector)
            sums = [a + b for a, b in zip(sums, s["sectors"])]
            sector, ring = s["next"], s["ring"]
            progress.to(sector or ring)
        progress.end()
        used, blank, damaged, bad = sums
        what = f"{ring} sectors: {used} used, {blank} blank, {damaged} damaged, {bad} bad"
        self._row("journal", BAD if bad or not ring else OK, what if ring else "the partition is missing")

    def _display(self, seat):
        s = self._ask("display", seat=seat)
        name = _IDS.get((s["id"], s["id4"]))
        what = f"RDDID {s['id']}, ID4 {s['id4']}"
        if not s["power_mode"] and s["id4"] in ("ffffff", "000000"):
            self._row(f"display {seat}", OUT, "nothing answers over its CS: cable, CS or MISO")
        elif name is None:
            self._row(f"display {seat}", BAD, f"{what}: no controller that the driver knows")
        elif not s["present"]:
            self._row(f"display {seat}", BAD, f"{name} answers, but is not set up")
        else:
            self._row(f"display {seat}", OK, f"{name} ({what})")

    def _pad(self, seat):
        s = self._ask("pad", seat=seat)
        name = f"pad {seat}"
        if not s["present"]:
            self._row(name, OUT, f"no MCP23017 at 0x{self._pins.PAD_ADDRESS[seat]:02X}: cable, power or address")
            return
        self._row(name, OK, f"MCP23017 at 0x{self._pins.PAD_ADDRESS[seat]:02X}")
        before, asked, after = s["interrupt"]
        if before and not asked and after:
            self._row(f"{name} INT", OK, "falls and rises")
        elif asked:
            self._row(f"{name} INT", BAD, "does not fall: its wire to the hub is open")
        else:
            self._row(f"{name} INT", BAD, "stays low: a pad or a short holds it")
        stuck = [key for i, key in enumerate(self._pins.KEYS) if s["keys"] >> i & 1]
        if stuck:
            self._row(f"{name} keys", BAD, f"down without a finger: {', '.join(stuck)}")
        elif self._auto:
            self._row(f"{name} keys", OK, "none is stuck")
        else:
            self._keys(seat)
        dark = [light for i, light in enumerate(self._pins.LIGHTS) if not s["lights"] >> i & 1]
        if dark:
            self._row(f"{name} lights", BAD, f"their lines do not follow: {', '.join(dark)}")
        elif self._auto:
            self._row(f"{name} lights", OK, "their lines follow")
        else:
            missing = []
            for i, light in enumerate(self._pins.LIGHTS):
                self._ask("lights", seat=seat, bits=1 << i)
                if not self._yes(f"Pad {seat}: is only the light '{light}' on, or was for 1.5 s?"):
                    missing.append(light)
                time.sleep(0.2)
            self._row(
                f"{name} lights", BAD if missing else OK, f"not seen: {', '.join(missing)}" if missing else "seen"
            )

    def _keys(self, seat):
        """Every key pressed once by hand."""
        left = set(self._pins.KEYS)
        until = time.monotonic() + _KEY_S
        while left and time.monotonic() < until:
            print(f"\rPad {seat}, press: {' '.join(k for k in self._pins.KEYS if k in left)}\x1b[K", end="", flush=True)
            bits = self._ask("keys", seat=seat)["keys"]
            down = {key for i, key in enumerate(self._pins.KEYS) if bits > 0 and bits >> i & 1}
            if down & left:
                until = time.monotonic() + _KEY_S
            left -= down
        print("\r\x1b[K", end="")
        missing = ", ".join(key for key in self._pins.KEYS if key in left)
        self._row(f"pad {seat} keys", BAD if left else OK, f"not pressed: {missing}" if left else "all pressed")

    def _clock(self):
        s = self._ask("clock")
        if not s["present"]:
            self._row("clock", OUT, "no DS3231 at 0x68")
        else:
            self._row(
                "clock", OK if s["valid"] else BAD, "runs" if s["valid"] else "was never set: settings --clock now"
            )

    def _ring(self):
        wrong = []
        for i, colour in enumerate(("red", "green", "blue")):
            self._ask("ring", colour=i)
            if not self._auto and not self._yes(f"Is the whole ring {colour}, or was for 1.5 s?"):
                wrong.append(colour)
            time.sleep(1.7 if self._auto else 0.2)
        if self._auto:
            self._row("ring", UNSEEN, "driven red, green and blue: look at it")
        else:
            self._row("ring", BAD if wrong else OK, f"not seen: {', '.join(wrong)}" if wrong else "seen")

    def _sound(self):
        s = self._ask("sound")
        if s["played"] is None:
            return  # a firmware without sound
        if not s["played"]:
            self._row("sound", OUT, "the I2S output could not be opened")
        elif not s["volume"]:
            self._row("sound", BAD, "the volume is 0: settings --volume 60")
        elif self._auto:
            self._row("sound", UNSEEN, "a bomb was played: listen")
        else:
            heard = self._yes("Was a bomb to be heard?")
            self._row("sound", OK if heard else BAD, "heard" if heard else "not heard: amplifier, speaker or its wires")
