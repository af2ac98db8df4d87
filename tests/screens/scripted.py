"""Screens by key scripts: the real firmware in the real interpreter, from the power-on, by pad keys alone.

  python tests/screens/scripted.py             run every script in three languages and both layouts; status 1 if a
                                               screen is not as accepted, and build/screens/scripted.html shows it
  python tests/screens/scripted.py --accept    take the screens as they are: write scripted.json
  python tests/screens/scripted.py --pictures FOLDER   write all of them as PNG
  ... [NAME] [--lang LANG] [--layout large|compact]    of one script, one language or one layout only

A script is ``scripts/NAME.keys``; its steps are those of ``host/pictures.py`` and

  in LAYOUT|LANG STEP        the step only when run so: ``in compact press 0 menu``
  screen NAME SEAT [KIND]    keep what a display holds as a screen of that name, read it back and hold it against the
                             state. KIND: play (default), a playing screen; notice, one whose bar tells something
                             for some seconds; page or hand, something over its upper part; hidden,
                             a hidden hand; settlement; other, in which only texts are read, or letters
                             that stand alone
  says ROW [WORD ...]        that screen says the row of texts.py, in the seat's language; WORDs stand for its {}
  power cut | power on, unplug SEAT, plug SEAT

On every screen ``ocr.py`` reads every text: no ink is left that is not a whole glyph, and every line is a text
of texts.py, a name, a meld or a number.
"""

import argparse
import hashlib
import json
import re
import sys
import traceback
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import conftest  # noqa: E402, F401
import holds  # noqa: E402
from holds import LANGS, Shadow  # noqa: E402
from ocr import Texts  # noqa: E402
from reader import Reader  # noqa: E402

from host import fonts, pictures  # noqa: E402
from host.sim.player import codes_of  # noqa: E402
from shared_rules import names, titles  # noqa: E402

ROOT = HERE.parents[1]
SCRIPTS = HERE / "scripts"
HASHES = HERE / "scripted.json"
OUT = ROOT / "build" / "screens"
LAYOUTS = ("large", "compact")
TEXTS = {row[0]: row[2:] for row in fonts.texts()[0]}
RANK = "(?:10|[2-9JQKA])"
MELD = f"{RANK}(?:–{RANK})?(?: \\d?×\\d+)?"
MELDS = [kind << 17 for kind in range(1, 11)]
NUMBER = r"[+−-]?\d+(?:[×/.:]\d+)*"


def variants():
    """(language, layout) of every run of a script."""
    return [(lang, layout) for lang in range(3) for layout in range(2)]


@cache
def known_line(lang):
    """A pattern of every line that a screen may show: texts of texts.py with what may stand in them, and names."""
    people = [re.escape(row[lang]) for row in holds.NAMES]
    kinds = "|".join(sorted({re.escape(names.kind_name(lang, m)) for m in MELDS}, key=len, reverse=True))
    jokers = "|".join(re.escape(names.rank_name(lang, r)) for r in (14, 13))
    meld = f"(?i:{kinds})(?: (?:{MELD}|{jokers}))?"
    plain = [re.escape(titles.title(ladder, int(line.split()[0]))[lang])
             for ladder in (titles.QIANBIAN, titles.BAIBIAN) for line in ladder.splitlines()]
    plain += [re.escape(row[lang].strip()) for row in TEXTS.values() if "{" not in row[lang]]
    inner = "|".join([*people, jokers, meld, *sorted(plain, key=len, reverse=True), NUMBER, RANK])
    outer = [re.escape(row[lang].strip()).replace(r"\{\}", f"(?:{inner})").replace("{}", f"(?:{inner})")
             for row in TEXTS.values() if "{" in row[lang]]
    one = f"(?:{'|'.join([*outer, inner])})"
    return re.compile(f"{one}(?:[ |·×\u3000]*{one})*")


class Scene(pictures.Script):
    """One script in one language and layout. ``frames``: {name: (pixels, seat)}; ``wrong``: what a screen failed."""

    def __init__(self, path, lang, layout, check=True):
        super().__init__(path)
        self.lang, self.layout, self.check = lang, layout, check
        self.frames = {}
        self.wrong = []
        self.shadow = None
        self.rules = "wenzhou"
        self.ended = None
        self.line = re.compile("")
        self.read = None
        self.name = None

    @property
    def title(self):
        """How screens of this run are called."""
        return f"{self.path.stem} · {LANGS[self.lang]} · {LAYOUTS[self.layout]}"

    def new(self, *words):
        super().new(*words)
        words = list(words)
        self.rules = words[words.index("--rules") + 1] if "--rules" in words else "wenzhou"
        if not self.lobby:
            self.options += ["--lang", LANGS[self.lang]]

    def begin(self):
        super().begin()
        if self.lobby:
            self.choose()
        elif self.layout:
            self.compact()

    def started(self):
        """Follow the record from the power-on."""
        if self.hands:
            hands = codes_of([self.hands[s] for s in range(4)])
            self.shadow = Shadow(hands=[bytearray(h) for h in hands], rules=self.rules)

            def hear(event, line):
                self.shadow.hear(event)
                if event["ev"] == "end":
                    self.ended = event

            self.table.listen(hear)

    def choose(self):
        """Every seat in the lobby takes this run's language and layout, by its menu."""
        self.advance("1500")
        for seat in range(4):
            if self.lang:
                self.press(str(seat), "menu")
                self.press(str(seat), "sort", f"x{self.lang}")
                self.press(str(seat), "clear")
            if self.layout:
                self.press(str(seat), "menu", "x2")

    def compact(self):
        """Every person's seat takes the compact layout, by its menu."""
        for seat in range(4):
            if self.table.settings.seats[seat] == "human":
                self.press(str(seat), "menu", "x2")

    # Steps

    def only(self, layout, *step):
        """in"""
        if layout in (LAYOUTS[self.layout], LANGS[self.lang]):
            STEPS[step[0]](self, *step[1:])

    def power(self, what):
        """power"""
        self.command({"power": what})

    def unplug(self, seat):
        """unplug"""
        self.command({"unplug": {"seat": int(seat)}})

    def plug(self, seat):
        """plug"""
        self.command({"plug": {"seat": int(seat)}})

    def screen(self, name, seat, kind="play"):
        """screen"""
        seat = int(seat)
        pixels = bytes(self.table.frame(seat))
        self.name = name
        self.frames[name] = pixels, seat
        self.read = None
        if not self.check:
            return
        try:
            reader = Reader(pixels)
            self.read = Texts(reader, self.lang)
            self.hold(reader, seat, kind)
            assert not self.read.stray, f"ink that is no whole glyph: {self.read.stray[:6]}"
            lines = [line[0] for line in self.read.lines]
            strange = kind != "letters" and [line for line in lines if not self.pattern().fullmatch(line)]
            assert not strange, f"not a whole text of texts.py: {strange}"
        except AssertionError as error:
            failed = traceback.extract_tb(error.__traceback__)[-1]
            self.wrong.append(f"{self.title}, screen {name}: {str(error) or failed.line} (line {failed.lineno})")

    def pattern(self):
        """What a line may be."""
        return known_line(self.lang)

    def hold(self, reader, seat, kind):
        """Hold a screen against the state."""
        compact = bool(self.layout)
        person = self.table.persons.seats[seat]
        own = {"raised": person.raised, "shade": person.trustee, "order": person.order}
        if kind in ("play", "notice"):
            check = holds.check_compact if compact else holds.check
            check(reader, self.shadow, seat, self.lang, bar=kind == "play", person=True, **own)
        elif kind in ("page", "hand"):
            holds.check_hand(reader, self.shadow.table, holds.hand_shown(self.shadow.table, seat), compact, **own)
        elif kind == "hidden":
            assert reader.hand(compact) == [], "a hidden hand shows no card"
        elif kind == "settlement":
            holds.check_settlement(reader, self.ended, seat, self.lang, self.shadow.table)
        else:
            kinds = "play, notice, page, hand, hidden, settlement, letters or other"
            assert kind in ("other", "letters"), f"a screen is {kinds}, not {kind}"

    def says(self, row, *words):
        """says"""
        if not self.read:
            return
        want = TEXTS[row][self.lang]
        for word in words:
            want = want.replace("{}", word, 1)
        pieces = [piece.strip() for piece in want.split("{}")]
        lines = [line[0] for line in self.read.lines]
        if not any(all(piece in line for piece in pieces) for line in lines):
            self.wrong.append(f"{self.title}, screen {self.name}: does not say {want!r}, but {lines}")


STEPS = {
    **pictures.STEPS, "table": Scene.new, "begin": Scene.begin, "in": Scene.only, "power": Scene.power,
    "unplug": Scene.unplug, "plug": Scene.plug, "screen": Scene.screen, "says": Scene.says,
}
Scene.steps = STEPS


def digest(pixels):
    """The hash of a screen: 16 hex digits."""
    return hashlib.sha256(pixels).hexdigest()[:16]


def accepted():
    """The committed hashes: {"SCRIPT · LANG · LAYOUT · SCREEN": hash}."""
    return json.loads(HASHES.read_text(encoding="utf-8")) if HASHES.exists() else {}


def scripts():
    """Files of all scripts."""
    return sorted(SCRIPTS.glob("*.keys"))


def play(path, lang, layout):
    """Run a script: ({title of a screen: pixels}, what was wrong). pictures.ScriptError."""
    scene = Scene(path, lang, layout)
    scene.run()
    return {f"{scene.title} · {name}": pixels for name, (pixels, _) in scene.frames.items()}, scene.wrong


class Shown:
    """A screen as differences.py shows it."""

    def __init__(self, pixels):
        self.pixels = pixels

    def image(self):
        """The picture."""
        from host.sim.picture import image

        return image(self.pixels)


def main(argv=None):
    """Run the command; the exit status."""
    import differences

    parser = argparse.ArgumentParser(description="Screens by key scripts against what was accepted last.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="scripts to run (default: all)")
    parser.add_argument("--lang", choices=LANGS)
    parser.add_argument("--layout", choices=LAYOUTS)
    parser.add_argument("--accept", action="store_true", help="take the screens as they are now")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write them as PNG")
    args = parser.parse_args(argv)
    frames, wrong = {}, []
    for path in scripts():
        if args.names and path.stem not in args.names:
            continue
        for lang, layout in variants():
            if args.lang in (None, LANGS[lang]) and args.layout in (None, LAYOUTS[layout]):
                try:
                    made, failed = play(path, lang, layout)
                except pictures.ScriptError as error:
                    made, failed = {}, [f"{path.stem} · {LANGS[lang]} · {LAYOUTS[layout]}: {error}"]
                frames.update(made)
                wrong += failed
                for line in failed:
                    print(line)
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
        for name, pixels in frames.items():
            Shown(pixels).image().save(args.pictures / differences.filename(name))
        return 1 if wrong else 0
    if args.accept:
        whole = not (args.names or args.lang or args.layout)
        hashes = {} if whole else accepted()
        hashes.update({name: digest(pixels) for name, pixels in frames.items()})
        HASHES.write_text(json.dumps(hashes, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(frames)} screens accepted; {len(wrong)} do not hold.")
        return 1 if wrong else 0
    known = accepted()
    changed = [(name, Shown(pixels)) for name, pixels in frames.items() if known.get(name) != digest(pixels)]
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / "scripted.html"
    old = differences.old_pictures(Path(__file__), HASHES, "scripted") if changed else None
    target.write_text(differences.page(changed, old), encoding="utf-8")
    print(f"{len(changed)} of {len(frames)} screens differ: {target}; {len(wrong)} do not hold.")
    return 1 if changed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
