"""The way to a running hub: find its serial port, open it, ask its console, hear its record.

``Link(port)`` opens; ``ask(command)`` sends one command and returns its answer, while lines of the record that come in
between wait for ``line()``. A port is a device, a pty, or a URL of pyserial (``rfc2217://host:port``). Every command is
shorter than the 260 bytes that the board's UART keeps while the hub paints.
"""

import contextlib
import json
import time
from collections import deque

import serial

from .. import statuses
from ..board import ports

BAUD = 115200
LONGEST = 250  # bytes of a command

_POLL_S = 0.05
_LONGEST_LINE = 1 << 16
_PROMPT_S = 0.3
_ANSWER_S = 8.0  # a hub that paints, or erases flash, answers within


class LinkError(Exception):
    """The text is one sentence for a person: what is wrong, and what to do. ``status``: the exit status."""

    status = statuses.FAILED


class NoPort(LinkError):
    """There is no port, or it cannot be opened. ``error``: the ports.PortError."""

    def __init__(self, error):
        super().__init__(str(error))
        self.status = error.status


class Silent(LinkError):
    """The port is open, and no hub answers."""

    status = statuses.SILENT


class Lost(LinkError):
    """The cable, or the power, went in the middle."""

    status = statuses.LOST


class Refused(LinkError):
    """The hub answered with ``"ok": false``; the text is its sentence."""


class Locked(Refused):
    """The hub is locked, or the operator's code is wrong."""

    status = statuses.LOCKED


def find():
    """The port of the only hub that is connected. NoPort if there is none, or more than one."""
    try:
        return ports.find()[0]
    except ports.PortError as error:
        raise NoPort(error) from None


def refused(why):
    """The Refused for a hub's sentence."""
    return (Locked if "locked" in why or "code" in why else Refused)(why)


class Link:
    """An open port. ``port``: its name. A context manager."""

    def __init__(self, port=None):
        self.port = find() if port is None else str(port)
        self._buf = bytearray()
        self._heard = deque()  # lines that wait for line()
        self.garbled = 0  # lines that made no sense
        self._serial = None
        self._open()

    def _open(self):
        # An RFC 2217 port has neither.
        more = {} if "://" in self.port else {"exclusive": True, "write_timeout": 2}
        try:
            ports.named(self.port)
            self._serial = serial.serial_for_url(self.port, baudrate=BAUD, timeout=_POLL_S, **more)
        except ports.PortError as error:
            raise NoPort(error) from None
        except (OSError, ValueError, NotImplementedError, serial.SerialException) as error:
            raise NoPort(ports.refused(self.port, error)) from None

    def close(self):
        """Let go of the port."""
        if self._serial:
            with contextlib.suppress(Exception):
                self._serial.close()
            self._serial = None

    def reopen(self, seconds):
        """Open the port again after its cable was out; waits for it so long. True if it is back."""
        self.close()
        self._buf.clear()
        until = time.monotonic() + seconds
        while True:
            with contextlib.suppress(NoPort):
                self._open()
                return True
            if time.monotonic() > until:
                return False
            time.sleep(min(0.3, seconds))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    # Lines

    def _read(self, seconds):
        """Read what comes within so long into lines. Lost if the port is gone."""
        if not self._serial:
            raise Lost(f"The cable of {self.port} is out: plug it in again.")
        until = time.monotonic() + seconds
        while True:
            try:
                waiting = self._serial.in_waiting
                data = self._serial.read(waiting) if waiting else b""
                if not data:
                    # Its timeout stays: over RFC 2217 a new one has all settings of the port agreed anew.
                    data = self._serial.read(1)
            except (OSError, TypeError, serial.SerialException):
                self.close()
                raise Lost(f"The cable of {self.port} came out: plug it in again.") from None
            if data:
                self._buf += data
                *whole, rest = self._buf.split(b"\n")
                self._buf = bytearray(rest[-_LONGEST_LINE:])
                self._heard.extend(bytes(line).strip(b"\r") for line in whole)
                if whole:
                    return
            if time.monotonic() >= until:
                return

    def line(self, seconds=0.5):
        """The next line as (text, object): object is the dict of a JSON line, else None. (None, None): none came."""
        if not self._heard:
            self._read(seconds)
        if not self._heard:
            return None, None
        return _parsed(self._heard.popleft())

    def at_prompt(self):
        """Whether what the port shows last is the REPL's prompt."""
        return bytes(self._buf).strip().endswith(b">>>")

    # Commands

    def write(self, data):
        """Bytes out. Lost if the port is gone."""
        try:
            self._serial.write(data)
            self._serial.flush()
        except (OSError, AttributeError, serial.SerialException):
            self.close()
            raise Lost(f"The cable of {self.port} came out: plug it in again.") from None

    def send(self, command):
        """Send one command (a dict with "cmd"). ValueError if it is longer than the board's UART keeps."""
        data = json.dumps(command, separators=(",", ":"), ensure_ascii=False).encode()
        if len(data) > LONGEST:
            raise ValueError(f"a command of {len(data)} bytes")
        # A line end first: whatever half line stands in the hub's input is over.
        self.write(b"\n" + data + b"\n")

    def ask(self, command, seconds=_ANSWER_S, heard=None):
        """Send a command; its answer (a dict, "ok" true).

        ``heard(text, object)`` takes the lines in between as they come (True: not kept for ``line()``). Refused with
        the hub's sentence, Silent, Lost. ``seconds`` is the time without any line.
        """
        self.send(command)
        name = command["cmd"]
        kept = []
        records = 0
        until = time.monotonic() + seconds
        try:
            while True:
                text, said = self.line(min(0.2, seconds))
                if text is None:
                    if self.at_prompt():
                        raise self._at_repl()
                    if time.monotonic() > until:
                        # The raw REPL echoes nothing. Ctrl-B leads to the one with a prompt; the hub takes no notice.
                        self.write(b"\r\x02")
                        self._read(_PROMPT_S)
                        if self.at_prompt():
                            raise self._at_repl()
                        raise self._silent(records)
                    continue
                if said is not None and "re" in said:
                    if said["re"] == name:
                        if said.get("ok") is not True:
                            raise refused(str(said.get("why", "The hub refused, without a reason.")))
                        return said
                    if said["re"] is None and "no command of that name" in str(said.get("why")):
                        raise Refused(f"This hub's firmware does not know '{name}': update it with deploy.")
                    if said["re"] is None and "no memory" in str(said.get("why")):
                        raise Refused("The hub has no memory for that now: try again between deals.")
                    continue  # about the half line before ours, or to a command of before
                if said is not None:
                    records += 1
                    if records < 500 or heard:
                        until = time.monotonic() + seconds
                if not (heard and heard(text, said)):
                    kept.append(text.encode())
        finally:
            self._heard.extendleft(reversed(kept))

    def _at_repl(self):
        return Silent(
            f"The board at {self.port} stands at its REPL and the hub does not run: press its EN button, or Ctrl-D at "
            "the prompt."
        )

    def _silent(self, records):
        if records:
            return Silent(
                f"The hub at {self.port} writes its record but does not answer: is its line from the computer "
                "connected (TX of the adapter to GPIO 3)?"
            )
        return Silent(
            f"Nothing answers at {self.port}. If it is the hub: press its EN button; if that does not help, hold "
            "BOOT, press EN, and install the firmware again (python -m host flash)."
        )


def _parsed(raw):
    text = raw.decode("utf-8", "replace")
    said = None
    if text.startswith("{") and text.endswith("}"):
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(text)
    return text, said if isinstance(said, dict) else None
