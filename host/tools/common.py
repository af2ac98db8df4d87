"""What the tools share: options, exit statuses, colours, a progress bar."""

import contextlib
import json
import os
import sys
import time

from .. import statuses
from ..options import parser as parser
from . import link


@contextlib.contextmanager
def sentences(out):
    """Turn what goes wrong with the hub into a sentence on standard error and ``out.status``."""
    try:
        yield
    except link.LinkError as error:
        out.status = statuses.fail(error.status, error)
    except KeyboardInterrupt:
        out.status = statuses.INTERRUPTED


class Out:
    """``status``: the exit status so far."""

    status = statuses.OK


def guarded(run, args):
    """``run(args)`` returns a status or None; its errors of the link become sentences. Returns the status."""
    out = Out()
    with sentences(out):
        out.status = run(args) or statuses.OK
    return out.status


def colours(stream=None):
    """Whether a stream takes colours: a terminal, and NO_COLOR is not set."""
    stream = stream or sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(data):
    """One JSON object on standard output."""
    print(json.dumps(data, ensure_ascii=False, sort_keys=False))


class Progress:
    """A bar on standard error, for a person at a terminal, after the first second. ``of`` 0: not known."""

    def __init__(self, what, of=0):
        self._what = what
        self._of = of
        self._began = time.monotonic()
        self._drawn = 0.0
        self._on = sys.stderr.isatty()

    def to(self, n):
        """So much is done."""
        now = time.monotonic()
        if self._on and now - self._began > 1 and now - self._drawn > 0.1:
            self._drawn = now
            if self._of:
                width = 30
                full = min(width, width * n // self._of)
                bar = "#" * full + "-" * (width - full)
                text = f"{self._what} [{bar}] {min(100, 100 * n // self._of)} %"
            else:
                text = f"{self._what} ... {n}"
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()

    def end(self):
        """Take the bar away."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
