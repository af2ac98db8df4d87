"""The interpreter's process: its wire, its console, its end.

``Vm.next()`` hands posted messages to the board as they come and returns the next synchronous one; while that one
waits for its answer the interpreter stands still, so that console lines are read and written at exact points of
its life.
"""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .shims import ops

_REPLY = struct.Struct("<qqqq")
_PATIENCE_S = 0.2
HANG_S = 120  # wall-clock seconds without any message after which the firmware is taken to hang
_STDERR_KEPT = 20_000
_SOCKET_BUFFER = 1 << 20
_CONSOLE_CHUNK = 65536
_CONSOLE_MOST = 1 << 20  # then the file begins anew


class Ended(Exception):
    """The process has ended, or hangs; the text says which."""


class Vm:
    """One run of the firmware. ``command``: the argument list, to which the descriptors of the wire and of the
    flash are appended."""

    _arguments: tuple = ()  # behind the descriptors

    def __init__(self, command, flash, cwd=None, env=None):
        mine, theirs = socket.socketpair()
        for end in (mine, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BUFFER)
        mine.settimeout(_PATIENCE_S)
        self._socket = mine
        self._start(
            [*command, str(theirs.fileno()), str(flash), *self._arguments],
            pass_fds=[theirs.fileno(), flash],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            bufsize=0,
            start_new_session=True,  # Ctrl-C is the supervisor's
        )
        theirs.close()
        self._buf = bytearray(1 << 18)
        self._view = memoryview(self._buf)
        self._lo = self._hi = 0
        self._out = bytearray()
        self._to_console = bytearray()
        self.stderr = bytearray()

    def _start(self, command, **options):
        """Start the process with its console: descriptor ``_in`` to type on, file ``_console`` to read."""
        # A file, so that the interpreter can tell from its position whether it has written anything.
        self._console = tempfile.TemporaryFile(buffering=0)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=self._console, stderr=subprocess.PIPE, **options
        )
        self._in = self.process.stdin.fileno()
        self._stderr = self.process.stderr.fileno()
        for fd in (self._in, self._stderr):
            os.set_blocking(fd, False)
        self._read = 0  # of the console

    # The wire

    def next(self, posted):
        """Hand posted messages to ``posted[op](arg, payload)``; return the next synchronous (op, arg, payload).

        Ended if the process is gone or gives no sign of life.
        """
        buf, view = self._buf, self._view
        lo, hi = self._lo, self._hi
        while True:
            if hi - lo < 4:
                lo, hi = self._more(lo, hi)
                continue
            size = 4 + (buf[lo + 2] | buf[lo + 3] << 8)
            if hi - lo < size:
                lo, hi = self._more(lo, hi)
                continue
            op, arg = buf[lo], buf[lo + 1]
            payload = view[lo + 4 : lo + size]
            lo += size
            if op < ops.FENCE:
                posted[op](arg, payload)
            else:
                self._lo, self._hi = lo, hi
                return op, arg, bytes(payload)

    def _more(self, lo, hi):
        """Receive more bytes behind ``hi``; moves what is left to the front first. Returns the new (lo, hi)."""
        if lo:
            self._buf[: hi - lo] = self._buf[lo:hi]
            lo, hi = 0, hi - lo
        since = None
        while True:
            try:
                got = self._socket.recv_into(self._view[hi:])
            except TimeoutError:
                self._collect()
                since = since or time.monotonic()
                if time.monotonic() - since > HANG_S:
                    raise Ended(f"The firmware gave no sign of life for {HANG_S} seconds.") from None
                continue
            except ConnectionError:
                got = 0
            if not got:
                raise Ended("The firmware has ended.")
            return lo, hi + got

    def reply(self, now_ns, levels, result, quiet_ns, data=b""):
        """Answer the synchronous message; see ops.py."""
        with contextlib.suppress(ConnectionError):  # its end shows at the next message
            self._socket.sendall(_REPLY.pack(now_ns, levels, result, quiet_ns) + data)

    # The console

    def _collect(self):
        """Read what the process has written to its standard error."""
        while True:
            try:
                data = os.read(self._stderr, 65536)
            except BlockingIOError:
                break
            if not data:
                break
            self.stderr += data
        del self.stderr[:-_STDERR_KEPT]

    def lines(self):
        """The whole lines written to the console since the last call, as bytes without line ends.

        To be called while the interpreter stands still.
        """
        if self._to_console:
            self.feed(b"")
        data = os.pread(self._console.fileno(), _CONSOLE_CHUNK, self._read)
        if not data:
            return ()
        while data:
            self._out += data
            self._read += len(data)
            data = os.pread(self._console.fileno(), _CONSOLE_CHUNK, self._read)
        if self._read > _CONSOLE_MOST:
            os.ftruncate(self._console.fileno(), 0)
            os.lseek(self._console.fileno(), 0, os.SEEK_SET)
            self._read = 0
        *whole, rest = self._out.split(b"\n")
        self._out = bytearray(rest)
        return [bytes(line).rstrip(b"\r") for line in whole]

    def feed(self, data):
        """Type on the console."""
        self._to_console += data
        try:
            sent = os.write(self._in, self._to_console)
        except BlockingIOError:
            return
        except BrokenPipeError:
            sent = len(self._to_console)
        del self._to_console[:sent]

    # The end

    def end(self):
        """Kill the process at once, as a power cut does. Returns what it left on standard error, as text."""
        status = self.process.poll()
        if status is None:
            self.process.kill()
            self.process.wait()
        self._collect()
        for stream in (self.process.stdin, self._console, self.process.stderr):
            if stream:
                stream.close()
        self._socket.close()
        text = self.stderr.decode("utf-8", "replace")
        if status is not None and status < 0:
            text += f"The interpreter was ended by signal {-status}.\n"
        return text


def micropython():
    """The path of the MicroPython interpreter beside this Python, or None."""
    path = Path(sys.executable).parent / "micropython"
    return str(path) if os.access(path, os.X_OK) else None
