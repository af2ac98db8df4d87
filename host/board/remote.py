"""A board on a serial port: its REPL over mpremote's transport, its files, and the lines of its record.

    with Remote() as board:
        board.enter()                     # the raw REPL, with a fresh heap
        print(board.run("print(1 + 1)"))
        board.restart()                   # a soft reset: boot.py, main.py
        for line in board.lines(10): ...  # what the hub says, for at most so many seconds

Errors are ``RemoteError``: a sentence with cause and next step, and the exit status that goes with it.
"""

import contextlib
import io
import json
import os
import time

from .. import statuses
from . import ports

_BAUD = 115200
_TIMEOUT_S = 1.0
_CHUNK = 1536  # bytes of a file in one command: 2 KB as base64, which the board's heap has room for

# Defined on the board once a session. Digests as hex; files are read and written in pieces.
_HELPERS = """
import os, json, hashlib, binascii
def _d(p):
    s = hashlib.sha256()
    b = bytearray(1024)
    v = memoryview(b)
    with open(p, 'rb') as f:
        while True:
            n = f.readinto(b)
            if not n:
                return binascii.hexlify(s.digest()).decode()
            s.update(v[:n])
def _l(p):
    for r in os.ilistdir(p or '/'):
        q = p + '/' + r[0]
        if r[1] & 0x4000:
            print(json.dumps([q, -1]))
            _l(q)
        else:
            print(json.dumps([q, r[3]]))
def _c(p, q):
    b = bytearray(1024)
    v = memoryview(b)
    with open(p, 'rb') as f:
        with open(q, 'wb') as g:
            while True:
                n = f.readinto(b)
                if not n:
                    break
                g.write(v[:n])
def _w(t):
    _f.write(binascii.a2b_base64(t))
"""


class RemoteError(Exception):
    """The text is one sentence or two; ``status``: the command's exit status."""

    def __init__(self, sentence, status=statuses.FAILED):
        super().__init__(sentence)
        self.status = status


class Remote:
    """The board on ``port`` (default: the only one); a context manager. ``code``: the operator's, for a locked hub."""

    def __init__(self, port=None, code=None):
        self.port = port
        self._code = code
        self._transport = None
        self._line = b""

    def __enter__(self):
        from mpremote.transport import TransportError
        from mpremote.transport_serial import SerialTransport
        from serial import SerialException

        try:
            if self.port is None:
                self.port = ports.find()[0]
            ports.named(self.port)
        except ports.PortError as error:
            raise RemoteError(str(error), error.status) from None
        # The real path: mpremote treats a pseudo-terminal differently, and knows it by its name.
        path = self.port if "://" in self.port else os.path.realpath(self.port)
        try:
            self._transport = SerialTransport(path, _BAUD, timeout=_TIMEOUT_S)
        except (TransportError, SerialException, OSError, ValueError) as error:
            refused = ports.refused(self.port, _reason(path) or error)
            raise RemoteError(str(refused), refused.status) from None
        return self

    def __exit__(self, *exc):
        if self._transport:
            with contextlib.suppress(Exception):
                self._transport.close()
            self._transport = None

    def enter(self):
        """Into the raw REPL, after a soft reset (main.py does not run). RemoteError if it does not answer."""
        if self._try_enter():
            return
        said = self.ask({"cmd": "stats"}, 3)
        if said and self._code is None:
            raise RemoteError("The hub is locked by its operator: give the code with --code.", statuses.LOCKED)
        if said:
            said = self.ask({"cmd": "repl", "code": self._code}, 3)
            if not said or not said.get("ok"):
                why = (said or {}).get("why", "it gave no answer")
                raise RemoteError(f"The hub did not open its REPL: {why}", statuses.LOCKED)
            if self._try_enter():
                return
        raise RemoteError(
            f"The board on {self.port} does not answer at its REPL: press its EN button and try again; if that does "
            "not help, hold BOOT, press EN, let go, and install it with 'python -m host flash'.",
            statuses.SILENT,
        )

    def _try_enter(self):
        from mpremote.transport import TransportError

        for _ in range(2):
            with contextlib.suppress(TransportError), contextlib.redirect_stdout(io.StringIO()), self._wire():
                self._transport.enter_raw_repl(timeout_overall=5)
                self.run(_HELPERS)
                return True
        return False

    @contextlib.contextmanager
    def _wire(self):
        """What pyserial says when the cable goes, as a sentence."""
        from serial import SerialException

        try:
            yield
        except (SerialException, OSError) as error:
            raise RemoteError(
                f"The connection to {self.port} broke ({error}): look at the cable, plug it in again and repeat the "
                "command; the board starts with the version that it had, or the new one if that was complete.",
                statuses.LOST,
            ) from None

    def run(self, source, timeout=15):
        """Run Python on the board. Returns what it prints, as text. RemoteError with the board's last line of the
        traceback if it raises."""
        from mpremote.transport import TransportError

        with self._wire():
            try:
                out, error = self._transport.exec_raw(source, timeout=timeout)
            except (TransportError, IndexError) as lost:
                raise RemoteError(
                    f"The board on {self.port} stopped answering ({lost}): its power or its cable went, or it was "
                    "reset. Repeat the command once it is on again.",
                    statuses.LOST,
                ) from None
            except Exception as lost:  # struct.error of a reply that is cut short
                if type(lost).__module__ != "struct":
                    raise
                raise RemoteError(
                    f"The board on {self.port} stopped answering: its power or its cable went, or it was reset. Repeat "
                    "the command once it is on again.",
                    statuses.LOST,
                ) from None
        if error:
            last = error.decode("utf-8", "replace").strip().splitlines()[-1]
            raise RemoteError(f"The board refused: {last}")
        return out.decode("utf-8", "replace")

    # Files

    def files(self):
        """Everything in the file system: {path without the first /: bytes, or -1 for a folder}."""
        rows = [json.loads(line) for line in self.run("_l('')").splitlines() if line.strip()]
        return {path.lstrip("/"): size for path, size in rows}

    def read(self, path):
        """A small file's bytes, or None if there is none."""
        text = self.run(
            f"try:\n with open({'/' + path!r}, 'rb') as f:\n  while True:\n   b = f.read(768)\n"
            "   if not b:\n    break\n"
            "   print(binascii.b2a_base64(b).decode(), end='')\n print('.')\nexcept OSError:\n print('-')\n"
        )
        import binascii

        *rows, end = text.split()
        return b"".join(map(binascii.a2b_base64, rows)) if end == "." else None

    def digest(self, path):
        """SHA-256 of a file (hex), read on the board; None if there is none."""
        text = self.run(f"try:\n print(_d({'/' + path!r}))\nexcept OSError:\n print('-')\n").strip()
        return None if text == "-" else text

    def copy(self, source, target):
        """Copy a file on the board."""
        self.run(f"_c({'/' + source!r}, {'/' + target!r})")

    def write(self, path, data, step=None):
        """Write a file: its new content is there once it is closed, in one step. ``step(n)``: n more bytes are over."""
        import binascii

        self.run(f"_f = open({'/' + path!r}, 'wb')")
        for at in range(0, len(data), _CHUNK):
            part = data[at : at + _CHUNK]
            self.run(f"_w({binascii.b2a_base64(part, newline=False)!r})")
            if step:
                step(len(part))
        self.run("_f.close()")

    def remove(self, path):
        """Remove a file or an empty folder."""
        self.run(f"os.remove({'/' + path!r})")

    def rename(self, source, target):
        """Rename a file over another, in one step."""
        self.run(f"os.rename({'/' + source!r}, {'/' + target!r})")

    def make_folder(self, path):
        """Make a folder."""
        self.run(f"os.mkdir({'/' + path!r})")

    # The hub

    def restart(self):
        """Leave the raw REPL and reset softly: boot.py and main.py run."""
        with self._wire():
            self._transport.exit_raw_repl()
            self._transport.read_until(1, b">>> ", timeout=3)
            self._transport.serial.write(b"\x04")
        self._line = b""

    def lines(self, seconds):
        """What the board says, line by line (text without its end), for at most so many seconds."""
        until = time.monotonic() + seconds
        with self._wire():
            serial = self._transport.serial
            while time.monotonic() < until:
                waiting = serial.in_waiting
                data = serial.read(waiting) if waiting else b""
                if not data:
                    time.sleep(0.02)
                    continue
                *whole, self._line = (self._line + data).split(b"\n")
                for line in whole:
                    yield line.decode("utf-8", "replace").strip("\r")

    def say(self, command):
        """Give the hub's console a command (a dict)."""
        with self._wire():
            self._transport.serial.write(json.dumps(command, separators=(",", ":")).encode() + b"\n")

    def ask(self, command, seconds=5):
        """Give the hub's console a command; its answer, or None if none came in time."""
        self.say(command)
        for line in self.lines(seconds):
            said = parse(line)
            if said and said.get("re", "") in (command["cmd"], None):
                return said
        return None


def _reason(path):
    """Why a port does not open: mpremote keeps that to itself."""
    import serial

    try:
        serial.serial_for_url(path, exclusive=True).close()
    except (OSError, ValueError) as error:
        return error
    return None


def parse(line):
    """A line of the console as a dict, or None if it is none."""
    if line.startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(line)
            if isinstance(said, dict):
                return said
    return None
