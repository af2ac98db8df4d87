"""``python -m host settings``: show and set what a hub remembers between deals; lock and unlock it."""

import datetime
import getpass
import os
import sys

from shared_rules import rulesets

from .. import statuses
from ..page.words import LANGS
from . import common, link

LAYOUTS = ("large", "compact")


def _four(words):
    def read(text):
        values = text.split(",")
        if len(values) == 1:
            values *= 4
        if len(values) != 4 or any(value not in words for value in values):
            raise ValueError
        return values

    read.__name__ = "value"
    return read


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "settings",
        "Show what a hub remembers between deals; with options, set it first (between deals only). The operator's code "
        "is asked for, or taken from SHUANGKOU_CODE. A locked hub takes no settings, tests, backups or restores, and "
        "Ctrl-C does not reach its REPL. That keeps out guests with a cable, not someone who opens the box: esptool "
        "reads and writes the flash of every hub.",
        (
            "python -m host settings",
            "python -m host settings --rules baibian --turn-seconds 45 --lang en,en,zh-Hant,zh-Hans",
            "python -m host settings --clock now --brightness 60",
            "SHUANGKOU_CODE=246810 python -m host settings --lock",
        ),
    )
    p.add_argument("--rules", choices=rulesets.RULE_SETS, help="the rule set")
    p.add_argument("--turn-seconds", type=int, metavar="N", help="turn clock, 0-3600; 0: none")
    p.add_argument("--brightness", type=int, metavar="N", help="of the displays, 0-100")
    p.add_argument("--volume", type=int, metavar="N", help="0-100")
    p.add_argument("--lang", type=_four(LANGS), metavar="LANG", help=f"{', '.join(LANGS)}: one, or one for each seat")
    p.add_argument("--layout", type=_four(LAYOUTS), metavar="WORD", help="large, compact: one, or one for each seat")
    p.add_argument("--clock", metavar="TIME", help="now, or YYYY-MM-DD HH:MM:SS")
    p.add_argument("--lock", action="store_true", help="lock the hub with the operator's code (kiosk)")
    p.add_argument("--unlock", action="store_true", help="open a locked hub")
    p.add_argument("--repl", action="store_true", help="leave the hub for its REPL, until its next reset")
    p.add_argument("--json", action="store_true", help="one JSON object")
    args = p.parse_args(argv)
    if args.lock + args.unlock + args.repl > 1:
        p.error("--lock, --unlock and --repl go one at a time")
    args.set = None
    if args.clock == "now":
        args.set = datetime.datetime.now()
    elif args.clock:
        try:
            args.set = datetime.datetime.strptime(args.clock, "%Y-%m-%d %H:%M:%S")
        except ValueError:
            p.error(f"--clock takes now, or a time as 2026-12-31 20:15:00, not '{args.clock}'")
    return common.guarded(_run, args)


def _code(locking):
    code = os.environ.get("SHUANGKOU_CODE")
    if code is None and sys.stdin.isatty():
        code = getpass.getpass("Code of the operator: ")
        if locking and getpass.getpass("Once more: ") != code:
            raise link.Refused("The two codes are not the same; nothing has changed.")
    if code is None:
        code = sys.stdin.readline().rstrip("\n")
    return code


def _run(args):
    def ask(command):
        return hub.ask(command, heard=lambda text, said: True)

    with link.Link(args.port) as hub:
        who = ask({"cmd": "hub"})
        if args.unlock:
            ask({"cmd": "unlock", **({"code": _code(False)} if who["locked"] else {})})
        if args.repl:
            ask({"cmd": "repl", **({"code": _code(False)} if who["locked"] else {})})
            print("The hub is at its REPL: mpremote can be used. EN starts it again.")
            return statuses.OK
        command = {"cmd": "settings"}
        for name in ("rules", "turn_seconds", "brightness", "volume", "lang", "layout"):
            value = getattr(args, name)
            if value is not None:
                command[name] = value
        said = None
        if len(command) > 1 or args.set or not who["locked"] or args.unlock:
            said = ask(command)
            clock = {"cmd": "clock"}
            if args.set:
                clock["set"] = list(args.set.timetuple()[:6])
            said["time"] = ask(clock)["time"]
        if args.lock:
            ask({"cmd": "lock", "code": _code(True)})
        locked = ask({"cmd": "hub"})["locked"]
    shown = {name: value for name, value in (said or {}).items() if name not in ("re", "ok")}
    shown["locked"] = locked
    if args.json:
        common.show(shown)
    else:
        for name, value in shown.items():
            if isinstance(value, list):
                value = value[0] if len(set(value)) == 1 else ", ".join(value)
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            elif value is None:
                value = "not set"
            print(f"{name.replace('_', ' '):<14}{value}")
        if locked and said is None:
            print("The hub is locked: its other settings are shown after --unlock.")
    return statuses.OK
