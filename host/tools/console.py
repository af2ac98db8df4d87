"""``python -m host console``: the live record of a hub in words, as the page tells it (``host/page/words.py``)."""

import sys
import time

from .. import statuses
from ..page import words
from . import common, link

_SEAT = (36, 33, 35, 32)  # a colour for each seat
_BOLD, _DIM, _RED = 1, 2, 31
_WHOSE = (("座位 {}", "座位 {}", "seat {}"), ("主机", "主機", "hub"))
_LOUD = {"deal": _BOLD, "end": _BOLD, "fault": _RED, "boot": _BOLD, "resumed": _BOLD}


def sentence(event, lang, coloured=False):
    """One line for a person: an event of the record, in a language (0-2). None for one that is not told (turns)."""
    said = words.say(event)
    if said is None:
        return None
    text = said[lang]
    for seat in range(4):
        text = text.replace(f"{{{seat}}}", _WHOSE[0][lang].format(seat))
    seat = event.get("seat")
    who = _WHOSE[0][lang].format(seat) if isinstance(seat, int) else _WHOSE[1][lang]
    number = ".".join(str(n) for n in event.get("id", ()))
    if not coloured:
        return f"{number:>8}  {who}  {text}"
    if event["ev"] in _LOUD:
        text = f"\x1b[{_LOUD[event['ev']]}m{text}\x1b[0m"
    if isinstance(seat, int) and 0 <= seat < 4:
        who = f"\x1b[{_SEAT[seat]}m{who}\x1b[0m"
    return f"\x1b[{_DIM}m{number:>8}\x1b[0m  {who}  {text}"


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "console",
        "The live record of a hub, in words. Colours only on a terminal, and not with NO_COLOR set.",
        ("python -m host console", "python -m host console --json | jq -c 'select(.ev == \"end\")'"),
    )
    p.add_argument("--lang", choices=words.LANGS, default="en", help="language (default %(default)s)")
    p.add_argument("--json", action="store_true", help="the record's lines as the hub writes them")
    p.add_argument("--since", metavar="DEAL", type=int, help="first what the hub has from that deal on")
    p.add_argument("--seconds", type=float, help="end after so long (default: Ctrl-C)")
    p.add_argument("--no-wait", action="store_true", help="end when the cable comes out, do not wait for it")
    return common.guarded(_run, p.parse_args(argv))


def _run(args):
    lang = words.LANGS.index(args.lang)
    coloured = common.colours()

    def show(text, said):
        if said is None:
            if not args.json and text.strip():
                print(f"{'':>8}  {text}", flush=True)
        elif "ev" in said:
            line = text if args.json else sentence(said, lang, coloured)
            if line is not None:
                print(line, flush=True)
        return True

    sys.stdout.reconfigure(errors="replace")
    until = None if args.seconds is None else time.monotonic() + args.seconds
    with link.Link(args.port) as hub:
        hub.ask({"cmd": "hub"}, heard=show)
        if args.since is not None:
            hub.ask({"cmd": "since", "id": [max(args.since, 0), -1]}, 20, show)
        while until is None or time.monotonic() < until:
            try:
                text, said = hub.line(0.3)
                if text is not None:
                    show(text, said)
            except link.Lost as error:
                if args.no_wait:
                    raise
                print(error, file=sys.stderr, flush=True)
                while not hub.reopen(1.0):
                    if until is not None and time.monotonic() > until:
                        return statuses.OK
                print("The cable is back.", file=sys.stderr, flush=True)
    return statuses.OK
