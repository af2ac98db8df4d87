"""What can be set for a run: one argument parser for the page and for the line mode, and its checks."""

import argparse
from dataclasses import dataclass, field
from pathlib import Path

from .. import statuses

BOARD_HEAP = 110 * 1024
LANGS = ("zh-Hans", "zh-Hant", "en")
KINDS = ("human", "bot")
HEAP_RANGE = (16 * 1024, 4 * 1024 * 1024)
TURN_SECONDS_MOST = 3600


class SettingError(ValueError):
    """An option's value is wrong; the text is one sentence."""


@dataclass
class Settings:
    """One run. ``seats``: "human" or "bot" for each seat, or None for the lobby. ``seed``: 64 hex digits or None.

    ``hands``: four texts of 27 cards or None. ``heap``: bytes as on the board. ``clock``: "virtual" or "real".
    ``vm``: "micropython", "cpython", or None for the best there is.
    ``image``: a flash or file system image that is run, instead of one built now from the sources.
    ``firmware``: the folder that is run; ``tick_start``: ms that the firmware's tick counter has at power on.
    ``restart``: a firmware that crashed starts again, as on the board; else its crash ends the run.
    """

    rules: str = "wenzhou"
    options: list = field(default_factory=list)
    seats: list | None = field(default_factory=lambda: ["human", "bot", "bot", "bot"])
    seed: str | None = None
    lead: int | None = None
    hands: list | None = None
    turn_seconds: int = 30
    lang: str = "zh-Hans"
    flash: str | None = None
    clock: str = "virtual"
    vm: str | None = None
    heap: int = BOARD_HEAP
    deals: int | None = None
    firmware: Path | None = None
    image: Path | None = None
    tick_start: int = 0
    restart: bool = False

    def test_command(self, first, seed):
        """The console command that carries the settings; ``first``: no deal has ended yet; ``seed``: of the next
        deal."""
        return {
            "cmd": "test",
            "rules": self.rules,
            "options": list(self.options),
            "seats": list(self.seats) if self.seats else None,
            "seed": seed,
            "lead": self.lead,
            "hands": list(self.hands) if self.hands and first else None,
            "turn_seconds": self.turn_seconds,
            "lang": self.lang,
        }


def parser():
    """The options of ``python -m host simulate``; the page adds its own."""
    p = argparse.ArgumentParser(
        prog="python -m host simulate",
        description="The simulated table: the real firmware over simulated hardware, in a browser or driven by lines.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("simulate")
        + """

examples:
  python -m host simulate
  python -m host simulate --headless --seats bot,bot,bot,bot --deals 20 --seed 00...01 </dev/null
  python -m host simulate --image build/flash.bin
  echo '{"until": "end", "ms": 900000}' | python -m host simulate --headless --seats bot,bot,bot,bot""",
    )
    p.add_argument(
        "--headless", action="store_true", help="one JSON command a line on standard input, one answer or event a line"
    )
    p.add_argument("--rules", default="wenzhou", metavar="ID", help="rule set (default %(default)s)")
    p.add_argument(
        "--option", action="append", default=[], metavar="NAME", help="a house rule of the rule set; repeatable"
    )
    p.add_argument(
        "--seats",
        default="human,bot,bot,bot",
        metavar="A,B,C,D",
        help="human or bot for each seat (default %(default)s)",
    )
    p.add_argument(
        "--seed", metavar="HEX64", help="seed of the first deal; further deals use the SHA-256 of the seed before"
    )
    p.add_argument("--flash", metavar="FILE", help="the flash image, kept between runs (default: a temporary one)")
    p.add_argument(
        "--image",
        metavar="FILE",
        help="run what 'python -m host build' made (flash.bin or vfs.bin), a copy of it, instead of the sources",
    )
    p.add_argument("--clock", help="virtual or real (default: virtual with --headless, else real)")
    p.add_argument("--vm", help="micropython or cpython (default: micropython where there is an interpreter)")
    p.add_argument(
        "--heap", default=str(BOARD_HEAP), metavar="BYTES", help="heap as on the board (default %(default)s)"
    )
    p.add_argument("--turn-seconds", default="30", metavar="N", help="turn clock, 0 for none (default %(default)s)")
    p.add_argument("--lang", default=LANGS[0], help="language of the screens: zh-Hans, zh-Hant or en")
    p.add_argument("--deals", metavar="N", help="stop after N deals")
    p.add_argument("--lead", metavar="SEAT", help="test aid: fixes the first lead (0-3)")
    p.add_argument("--hands", metavar='"A|B|C|D"', help="test aid: the first deal's four hands, 27 cards each, as text")
    return p


def _number(text, name, low, high):
    try:
        value = int(text, 10)
    except (TypeError, ValueError):
        value = None
    if value is None or not low <= value <= high or not text.strip().isascii():
        raise SettingError(f"{name} takes a whole number from {low} to {high}, not '{text}'.")
    return value


def _one_of(text, name, choices):
    if text not in choices:
        raise SettingError(f"{name} takes {', '.join(choices[:-1])} or {choices[-1]}, not '{text}'.")
    return text


def read_hands(text):
    """The four hands of ``--hands`` as a list of texts with suits as given. SettingError says what is wrong."""
    from shared_rules import cards

    hands = text.split("|")
    if len(hands) != 4:
        raise SettingError(f"--hands takes four hands with | between them, not {len(hands)}.")
    used = bytearray(14)
    waiting = []
    for seat, hand in enumerate(hands):
        words = hand.split()
        if len(words) != 27:
            raise SettingError(f"--hands: seat {seat} has {len(words)} cards, not 27.")
        for word in words:
            card = cards.read(word)
            if card < 0:
                raise SettingError(f"--hands: there is no card '{word}'.")
            waiting.append((card & 7 == 4, card, word))
    for _, card, word in sorted(waiting):  # cards with a suit first: the others take what is left
        if cards.place(card, used) < 0:
            raise SettingError(f"--hands: two decks do not hold so many '{word}'.")
    return [" ".join(hand.split()) for hand in hands]


def settings(args):
    """Settings from parsed arguments. SettingError with one sentence if a value is wrong."""
    from shared_rules import rulesets

    _one_of(args.rules, "--rules", rulesets.RULE_SETS)
    offered = rulesets.get(args.rules).options
    for option in args.option:
        if option not in offered:
            has = "has the options " + ", ".join(offered) if offered else "has no options"
            raise SettingError(f"--option: there is no option '{option}'; {args.rules} {has}.")
    seats = args.seats.split(",")
    if len(seats) != 4 or any(kind not in KINDS for kind in seats):
        raise SettingError(f"--seats takes human or bot for each of four seats, not '{args.seats}'.")
    if args.seed is not None and (len(args.seed) != 64 or not set(args.seed.lower()) <= set("0123456789abcdef")):
        raise SettingError("--seed takes 64 hex digits.")
    clock = _one_of(args.clock or ("virtual" if args.headless else "real"), "--clock", ("virtual", "real"))
    if clock == "virtual" and not args.headless:
        raise SettingError("--clock virtual goes with --headless: a page lives in real time.")
    return Settings(
        rules=args.rules,
        options=args.option,
        seats=seats,
        seed=args.seed.lower() if args.seed else None,
        lead=None if args.lead is None else _number(args.lead, "--lead", 0, 3),
        hands=None if args.hands is None else read_hands(args.hands),
        turn_seconds=_number(args.turn_seconds, "--turn-seconds", 0, TURN_SECONDS_MOST),
        lang=_one_of(args.lang, "--lang", LANGS),
        flash=args.flash,
        image=None if args.image is None else Path(args.image),
        clock=clock,
        vm=None if args.vm is None else _one_of(args.vm, "--vm", ("micropython", "cpython")),
        heap=_number(args.heap, "--heap", *HEAP_RANGE),
        deals=None if args.deals is None else _number(args.deals, "--deals", 1, 1_000_000),
    )
