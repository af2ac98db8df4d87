"""``python -m host rules``: the rules engine asked from outside, one JSON object a line (CONFORMANCE.md).

JSON is read here, strictly, for both interpreters; ``rules_answer`` then answers, here or in MicroPython.
"""

import contextlib
import json
import os
import subprocess
import sys

from host import interpreter, rules_answer
from host.options import parser as command

LONGEST = 1 << 16  # bytes of a line; the longest sensible one, a deal with all its plays, has about 4,000
DEEPEST = 16  # a request nests 3 deep
HEAP = 4 << 20  # of MicroPython: room for the sources and for the longest line, read and answered
ENTRY = "import sys; sys.path.insert(0, {root!r}); from host.rules_answer import serve; serve()"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

NOT_JSON = {"error": "bad-request", "message": "A line must be one JSON object."}
TOO_LONG = {"error": "bad-request", "message": f"A line must be shorter than {LONGEST} bytes."}
TOO_DEEP = {"error": "bad-request", "message": "The line nests lists or objects too deep."}
HALF_A_CHARACTER = {"error": "bad-request", "message": "The line holds half of a surrogate pair."}


class Refused(Exception):
    """A line that is answered without asking: ``Refused(answer)``."""


def _no_constant(word):
    """NaN and Infinity are no JSON."""
    raise ValueError(word)


def _no_fraction(text):
    """No field takes a number with a fraction or an exponent: any of them is the same wrong type."""
    return 0.5


def _plain(value, depth=0):
    """A parsed value as both interpreters can hold it: no character beyond ASCII, no deep nesting."""
    if depth > DEEPEST:
        raise Refused(TOO_DEEP)
    if isinstance(value, str):
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise Refused(HALF_A_CHARACTER)
        return "".join(c if " " <= c <= "~" else "?" for c in value)  # no card, meld or name has any other
    if isinstance(value, list):
        return [_plain(v, depth + 1) for v in value]
    if isinstance(value, dict):
        return {_plain(k): _plain(v, depth + 1) for k, v in value.items()}
    return value


def read(line):
    """A line (bytes) -> the request. Raises Refused(answer) if it is not a JSON object as RFC 8259 has it."""
    if len(line) > LONGEST:
        raise Refused(TOO_LONG)
    try:
        request = json.loads(line.decode(), parse_constant=_no_constant, parse_float=_no_fraction)
    except RecursionError:
        raise Refused(TOO_DEEP) from None
    except ValueError:  # not UTF-8, not JSON, a whole number of thousands of digits
        raise Refused(NOT_JSON) from None
    if not isinstance(request, dict):
        raise Refused(NOT_JSON)
    return _plain(request)


class MicroPython:
    """The engine in a MicroPython process of its own: ``ask(request) -> answer``."""

    def __init__(self):
        self.process = subprocess.Popen(
            interpreter.command("-c", ENTRY.format(root=ROOT), heap=HEAP),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; the interpreter ends when its input does
        )

    def ask(self, request):
        """The answer of ``rules_answer.answer``, given over there."""
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        """End of input for the interpreter, which ends then."""
        with contextlib.suppress(BrokenPipeError):  # it is gone already, with a question unread
            self.process.stdin.close()
        self.process.wait()


def lines(source):
    """The lines of a binary file; of one that is too long only the first LONGEST + 1 bytes."""
    while line := source.readline(LONGEST + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):  # skip what is too much (or find the end of input)
            rest = source.readline(LONGEST)
        yield line


def serve(ask, source, target):
    """Answer every line of ``source`` (binary) on ``target`` (binary), in order, flushed after each."""
    for line in lines(source):
        try:
            reply = ask(read(line))
        except Refused as refused:
            reply = refused.args[0]
        target.write(json.dumps(reply, sort_keys=True).encode() + b"\n")
        target.flush()


def main(argv):
    """The command. Returns 0 at the end of input, 1 if the interpreter died, 2 if missing, 130 on Ctrl-C."""
    parser = command(
        "rules",
        "Answer questions about the rules: one JSON object a line on standard input, "
        "one a line on standard output, in order. Ops: " + ", ".join(sorted(rules_answer.FIELDS)) + ".",
        ("echo '{\"op\": \"classify\", \"rules\": \"wenzhou\", \"cards\": \"4 5 6 7 x\"}' | python -m host rules",),
        port=False,
    )
    parser.add_argument(
        "--vm",
        choices=("cpython", "micropython"),
        default="cpython",
        help="the interpreter that runs the engine (default: cpython); both answer alike",
    )
    options = parser.parse_args(argv)
    engine = None
    ask = rules_answer.answer
    try:
        if options.vm == "micropython":
            if not interpreter.installed():
                print(interpreter.MISSING, file=sys.stderr)
                return 2
            engine = MicroPython()
            ask = engine.ask
        serve(ask, sys.stdin.buffer, sys.stdout.buffer)
        return 0
    except BrokenPipeError:
        if engine is not None and engine.process.poll() is not None:
            return _died()
        # nobody reads the answers any more: end quietly, and leave nothing to be flushed to nobody at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except json.JSONDecodeError:
        return _died()
    finally:
        if engine is not None:
            engine.close()


def _died():
    """The interpreter ended in mid-work; its own words are on standard error above."""
    print("The MicroPython interpreter ended unexpectedly; its report stands above.", file=sys.stderr)
    return 1
