"""``python -m host virtual-board``: a board on a serial port of this machine, driven by lines."""

import argparse
import json
import os
import sys
import threading

from .. import statuses
from ..build import BuildError
from ..esp_image import FirmwareError
from ..sim.cli import Lines
from ..sim.launch import NoInterpreter
from ..sim.models.flash import Busy
from ..sim.settings import BOARD_HEAP, HEAP_RANGE
from .usb import LinkTaken
from .virtual import FAULTS, VirtualBoard

_HELP = """The first line on standard output names the port twice: {{"port": PATH, "url": "rfc2217://..."}}. PATH is for
the console and mpremote; at the URL DTR and RTS reset the chip, as esptool needs it. Then come the record's lines, and
an answer for each line of standard input: the simulator's commands ({{"press": {{"seat": 0, "key": "hint"}}}},
{{"power": "cut", "at_write": 3, "bytes": 7}}, {{"power": "on"}}, {{"unplug": {{"seat": 1}}}}, ...) and
  {{"usb": "out"}}, {{"usb": "in"}}    the cable, and with it the power
  {{"reset": true}}                  the button EN
  {{"boot": true}}, {{"boot": false}}  the button BOOT: held down in a reset it leads to the download mode
  {{"fault": NAME, "value": VALUE}}  one of the faults below; {{"fault": null}} mends all
The board lives until standard input ends, or Ctrl-C. Its REPL is that of this machine's interpreter: sys.platform is
linux, and os.uname() tells of its version, not of the flashed image's.

faults:
{faults}

{statuses}

examples:
  python -m host virtual-board --flash board.bin --link /tmp/board
  mpremote connect /tmp/board fs ls
  python -m host virtual-board --erased --tcp-port 4000
  python -m host flash --port rfc2217://127.0.0.1:4000"""


def parser():
    """The options of the command."""
    p = argparse.ArgumentParser(
        prog="python -m host virtual-board",
        description="A board on a serial port of this machine: what a tool does to the real one it can do to this one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_HELP.format(
            faults="\n".join(f"  {name:<12} {what}" for name, what in FAULTS.items()),
            statuses=statuses.text("virtual-board"),
        ),
    )
    p.add_argument("--flash", metavar="FILE", help="the board's 4 MiB flash, kept (default: gone after the run)")
    p.add_argument("--erased", action="store_true", help="a new flash is empty, as the chip comes from the factory")
    p.add_argument("--link", metavar="PATH", help="make a symbolic link to the port")
    p.add_argument(
        "--heap", type=int, default=BOARD_HEAP, metavar="BYTES", help="heap as on the board (default %(default)s)"
    )
    p.add_argument("--fault", metavar="NAME[=VALUE]", action="append", default=[], help="make it happen; repeatable")
    p.add_argument("--tcp-port", type=int, default=0, metavar="N", help="of the RFC 2217 server (default: a free one)")
    p.add_argument("--seed", metavar="TEXT", help="random numbers and the bounce of keys follow from it")
    return p


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    args = parser().parse_args(argv)
    if not HEAP_RANGE[0] <= args.heap <= HEAP_RANGE[1]:
        return statuses.fail(statuses.USAGE, f"--heap takes a whole number from {HEAP_RANGE[0]} to {HEAP_RANGE[1]}.")
    seed = args.seed or os.urandom(8).hex()
    try:
        board = VirtualBoard(args.flash, args.erased, args.link, args.heap, seed, tcp_port=args.tcp_port)
    except NoInterpreter as error:
        return statuses.fail(statuses.USAGE, error)
    except FirmwareError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    except (Busy, BuildError, LinkTaken) as error:
        return statuses.fail(statuses.FAILED, error)
    except OSError as error:
        return statuses.fail(statuses.FAILED, f"The flash file or the TCP port cannot be used: {error}.")
    except OverflowError:
        return statuses.fail(statuses.USAGE, "--tcp-port takes a whole number from 0 to 65535.")
    for fault in args.fault:
        name, _, value = fault.partition("=")
        try:
            board.fault(name, (int(value, 0) if value[0].isdigit() else value) if value else None)
        except ValueError as error:
            board.stop()
            return statuses.fail(statuses.USAGE, f"--fault: {error}.")
    for sentence in board.said:
        print(sentence, file=sys.stderr)
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        return _drive(board)
    except KeyboardInterrupt:
        return statuses.INTERRUPTED
    finally:
        board.stop()


def _drive(board):
    writing = threading.Lock()
    gone = threading.Event()
    lost = []

    def say(text):
        with writing:  # the record comes from the board's own thread
            try:
                print(text, flush=True)
            except OSError as error:
                lost.append(error)
                gone.set()

    board.on_line(say)
    say(json.dumps({"port": board.port, "url": board.url}))
    board.start()
    lines = Lines(sys.stdin.fileno())
    while not gone.is_set() and not board.failed:
        line = lines.next(0.2)
        if line is None:
            if lines.ended:
                break
        elif line.strip():
            say(json.dumps(_obey(board, line), ensure_ascii=False))
    if lost:
        raise lost[0]
    return statuses.fail(statuses.FAILED, board.crashed) if board.failed else statuses.OK


def _obey(board, line):
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {"ok": False, "why": "A line is one JSON object."}
    return board.command(said)
