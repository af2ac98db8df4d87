"""Make the documents' pictures: key scripts, played by the real firmware in the simulator without a window.

Enter at ``main`` (``python -m host pictures``). A script is a readable text file ``docs/pictures/NAME.keys``,
one step a line, # begins a comment:

  table [OPTIONS]            a new table: options of ``simulate``; four persons unless ``--seats`` says otherwise
  table lobby                a new table that stays in the lobby
  hand SEAT CARDS            (before begin) a test aid: the hand dealt to a seat; all four, 27 cards each
  begin                      power on; every person presses play; on to the first turn
  press SEAT KEY [xN]        press a pad key, N times
  play SEAT CARDS [as MELD]  play cards with pad keys alone
  pass SEAT                  pass
  advance MS                 let time pass
  until EVENT [SEAT]         let time pass until that line of the record
  picture NAME SEATS         write docs/pictures/NAME.png: one seat at twice its size, or several side by side

``--check`` writes nothing and tells which pictures are out of date.
"""

import io
import shlex
import sys
from pathlib import Path

from host import options

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
LONG_MS = 120_000
MARGIN, GAP = 8, 8  # px around and between the screens of a picture
GROUND = (44, 48, 50)


class ScriptError(Exception):
    """A step of a script is wrong or did not do what it says; the message is one sentence with file and line."""


class Script:
    """Runs one script. ``pictures``: {name: PNG bytes} of what it has made."""

    steps = {}  # STEPS; a script of another command has more

    def __init__(self, path):
        self.path = path
        self.table = None
        self.options = []
        self.lobby = False
        self.hands = {}
        self.pictures = {}

    def run(self):
        """Run all steps. Raises ScriptError."""
        try:
            for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), 1):
                words = shlex.split(line, comments=True)
                if not words:
                    continue
                step = self.steps.get(words[0])
                if step is None:
                    raise ScriptError(f"{self.path.name} line {number}: there is no step '{words[0]}'.")
                try:
                    step(self, *words[1:])
                except (TypeError, ValueError) as error:
                    raise ScriptError(f"{self.path.name} line {number}: {error}.") from error
        finally:
            if self.table:
                self.table.stop()
        return self.pictures

    # Steps

    def new(self, *options):
        """table"""
        if self.table:
            self.table.stop()
            self.table = None
        self.lobby = options == ("lobby",)
        self.options = [] if self.lobby else list(options)
        self.hands = {}
        if self.lobby:
            self.begin()

    def hand(self, seat, *cards):
        """hand"""
        self.hands[int(seat)] = " ".join(cards)

    def begin(self):
        """begin"""
        from host.sim import settings
        from host.sim.table import SimTable

        options = list(self.options)
        if self.hands:
            options += ["--hands", "|".join(self.hands[s] for s in range(4))]
        if "--seats" not in options:
            options += ["--seats", "human,human,human,human"]
        chosen = settings.settings(settings.parser().parse_args(["--headless", *options]))
        if self.lobby:
            chosen.seats = None
        self.table = SimTable(chosen, quiet=True)
        self.started()
        self.table.start()
        if self.lobby:
            return
        self.advance("1500")  # the displays come up
        for seat, kind in enumerate(chosen.seats):
            if kind == "human":
                self.press(str(seat), "play")
        self.until("turn")
        self.advance("400")

    def started(self):
        """The table is there, and nothing has happened yet."""

    def command(self, line):
        """Give the table a command; ValueError with its own words if it did not do it."""
        if self.table is None:
            raise ValueError("the script has not begun")
        answer = self.table.command(line)
        if not answer.get("ok"):
            raise ValueError(answer.get("why") or f"{line} did not happen")
        return answer

    def press(self, seat, key, times="x1"):
        """press"""
        for _ in range(int(times.lstrip("x"))):
            self.command({"press": {"seat": int(seat), "key": key}})
            self.advance("400" if key == "play" else "120")

    def play(self, seat, *words):
        """play"""
        words = list(words)
        step = {"seat": int(seat)}
        if "as" in words:
            step["as"] = words[words.index("as") + 1]
            words = words[: words.index("as")]
        self.command({"play": {**step, "cards": " ".join(words)}})
        self.advance("300")

    def pass_(self, seat):
        """pass"""
        self.command({"play": {"seat": int(seat), "pass": True}})
        self.advance("300")

    def advance(self, ms):
        """advance"""
        self.command({"advance": int(ms)})

    def until(self, event, seat=None):
        """until"""
        where = {} if seat is None else {"seat": int(seat)}
        self.command({"until": event, "ms": LONG_MS, **where})

    def picture(self, name, *seats):
        """picture"""
        from PIL import Image

        from host.sim.picture import image

        screens = [image(self.table.frame(int(seat))) for seat in seats]
        if len(screens) == 1:
            whole = screens[0].resize((640, 480), Image.Resampling.NEAREST)
        else:
            columns = 2
            rows = (len(screens) + 1) // columns
            whole = Image.new("RGB", (2 * MARGIN + columns * 320 + (columns - 1) * GAP,
                                      2 * MARGIN + rows * 240 + (rows - 1) * GAP), GROUND)
            for i, screen in enumerate(screens):
                whole.paste(screen, (MARGIN + i % columns * (320 + GAP), MARGIN + i // columns * (240 + GAP)))
        stream = io.BytesIO()
        whole.quantize(64, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
        self.pictures[name] = stream.getvalue()


STEPS = {
    "table": Script.new, "hand": Script.hand, "begin": Script.begin, "press": Script.press, "play": Script.play,
    "pass": Script.pass_, "advance": Script.advance, "until": Script.until, "picture": Script.picture,
}
Script.steps = STEPS


def same_pixels(data, path):
    """Whether a PNG file shows what these PNG bytes show."""
    from PIL import Image, ImageChops

    if not path.exists():
        return False
    a, b = Image.open(io.BytesIO(data)).convert("RGB"), Image.open(path).convert("RGB")
    return a.size == b.size and ImageChops.difference(a, b).getbbox() is None


def main(argv):
    """``python -m host pictures``: run the scripts, write the pictures. Returns 0, 1 (out of date) or 2 (a
    script failed).
    """
    parser = options.parser(
        "pictures",
        "Make the documents' pictures from key scripts.",
        ("python -m host pictures docs/pictures/deal.keys", "python -m host pictures --check"),
        port=False,
    )
    parser.add_argument("scripts", nargs="*", type=Path, help="scripts to run (default: all of docs/pictures)")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a picture is out of date")
    args = parser.parse_args(argv)
    stale = 0
    for path in args.scripts or sorted(FOLDER.glob("*.keys")):
        try:
            made = Script(path).run()
        except (ScriptError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
        for name, data in made.items():
            target = FOLDER / f"{name}.png"
            same = same_pixels(data, target)
            stale += not same
            if args.check:
                print(f"{target.relative_to(ROOT)}: {'up to date' if same else 'out of date'}.")
            elif not same:
                target.write_bytes(data)
                print(f"{target.relative_to(ROOT)}: {len(data)} bytes.")
    return 1 if args.check and stale else 0
