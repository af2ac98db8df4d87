"""``python -m host simulate``: the table in a browser, or driven by lines (``--headless``). SIMULATOR.md is the
contract."""

import json
import os
import select
import sys
import threading
import time

from .. import statuses
from ..build import BuildError
from ..image import ImageError
from . import settings as settings_
from .launch import NoInterpreter
from .models.flash import Busy
from .table import SimTable

OK, CRASHED, USAGE, WAITING, VIOLATED = 0, 1, 2, 3, 4

# Once the input has ended, a table without a line of its record for so long (beyond the turn clock) waits for ever.
_QUIET_MS = 120_000
# After the last deal of --deals a driver that still has something to ask does so within this time.
_GRACE_S = 2.0
_LOOK_S = 0.2  # in real time the table may crash while nobody says anything
_CHUNK = 65536
_LONGEST_LINE = 1 << 20


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    from ..page import server

    parser = settings_.parser()
    server.add_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = settings_.settings(args)
    except settings_.SettingError as error:
        print(error, file=sys.stderr)
        return USAGE
    settings.restart = not args.headless  # on the page a crash is what it is on the board
    try:
        table = SimTable(settings, threaded=settings.clock == "real")
    except NoInterpreter as error:
        print(error, file=sys.stderr)
        return USAGE
    except Busy as error:
        print(error, file=sys.stderr)
        return CRASHED
    except BuildError as error:
        print(error, file=sys.stderr)
        return CRASHED
    except ImageError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    except OSError as error:
        print(f"The flash file cannot be used: {error}.", file=sys.stderr)
        return CRASHED
    for sentence in table.said:
        print(sentence, file=sys.stderr)
    if not args.headless:
        return server.serve(table, args)
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        return Headless(table, settings).run()
    except BrokenPipeError:  # whoever read the record has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130
    finally:
        table.stop()


class Lines:
    """Lines of standard input, read without more than is there."""

    def __init__(self, fd):
        self._fd = fd
        self._buf = bytearray()
        self.ended = False

    def next(self, timeout=None):
        """The next line as bytes, or None at the end of input or after ``timeout`` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._buf:
            if len(self._buf) > _LONGEST_LINE:  # no command is that long: its rest is not kept
                del self._buf[_LONGEST_LINE:]
            if self.ended:
                line, self._buf = bytes(self._buf), bytearray()
                return line or None
            if until is not None and not select.select([self._fd], [], [], max(0, until - time.monotonic()))[0]:
                return None
            data = os.read(self._fd, _CHUNK)
            self.ended = not data
            self._buf += data
        line, _, rest = self._buf.partition(b"\n")
        self._buf = bytearray(rest)
        return bytes(line)


class Headless:
    """The line mode over a table; in virtual time all in one thread.

    ``source``: descriptor of the input (standard input by default); ``out``: text stream for answers and events.
    """

    def __init__(self, table, settings, source=None, out=None):
        self.table = table
        self.settings = settings
        self._source = sys.stdin.fileno() if source is None else source
        self._out = out or sys.stdout
        self._writing = threading.Lock()
        table.on_line(self._say)

    def _say(self, text):
        with self._writing:  # in real time the record comes from the table's own thread
            self._out.write(text + "\n")
            self._out.flush()

    def run(self):
        """Until the end. Returns the exit status."""
        table = self.table
        table.start()
        lines = Lines(self._source)
        # A terminal with nobody at any seat: nothing to wait for.
        alone = self.settings.deals and "human" not in self.settings.seats and os.isatty(self._source)
        while not alone and table.crashed is None:
            done = self._done()
            line = lines.next(_GRACE_S if done else _LOOK_S if self.settings.clock == "real" else None)
            if line is None:
                if lines.ended or done:
                    break
            elif line.strip():
                self._say(json.dumps(self._obey(line), ensure_ascii=False))
        table.flush()
        if table.crashed is None and self.settings.deals and not self._done():
            status = self._play_on()
            if status:
                return status
        if table.crashed is not None:
            return CRASHED
        return VIOLATED if table.violations.count else OK

    def _obey(self, line):
        try:
            said = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return {"ok": False, "why": "A line is one JSON object."}
        return self.table.command(said)

    def _done(self):
        return self.settings.deals is not None and len(self.table.ended) >= self.settings.deals

    def _play_on(self):
        """Let the table live until the deals have ended. A status if they never will."""
        quiet = _QUIET_MS + self.settings.turn_seconds * 1000
        while not self._done():
            if self.table.crashed is not None:
                return CRASHED
            heard = self.table.wait_for(lambda event: True, quiet)
            if heard is None and self.table.crashed is None:
                if not self.table.powered:
                    print("The power is off and the input has ended.", file=sys.stderr)
                else:
                    print(f"The table waits for a person: nothing happened for {quiet // 1000} s.", file=sys.stderr)
                return WAITING
        return OK
