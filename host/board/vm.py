"""The interpreter with a terminal as its console, so that its own REPL (friendly and raw) answers on it.

The terminal passes bytes as they are. Its local flags tell what the interpreter does: they are zero while it reads at
the prompt, where Ctrl-C is a byte like others, and ``_RUNNING`` while it runs code, where Ctrl-C interrupts.
"""

import contextlib
import os
import pty
import select
import subprocess
import termios
import time
import tty

from ..sim.vm import Ended, Vm

_RUNNING = termios.IEXTEN  # without effect here
_CHUNK = 65536
_LOCAL, _INPUT_CHARS = 3, 6


class Quiet(Exception):
    """Nothing has come from the interpreter."""


class BoardVm(Vm):
    """kind: "main" or "raw", how it starts (``sim/shims/start.py``); ``heard(data)``: called with the bytes that the
    interpreter writes, as they come."""

    def __init__(self, command, flash, kind, heard, **options):
        self._arguments = (kind,)
        self._heard = heard
        self._until = 0.0
        self._watched = ()
        super().__init__(command, flash, **options)
        self._socket.setblocking(False)  # it is waited for together with others; an answer always fits its buffer

    def _start(self, command, **options):
        master, slave = pty.openpty()
        tty.setraw(slave)
        flags = termios.tcgetattr(slave)
        flags[_LOCAL] = _RUNNING
        termios.tcsetattr(slave, termios.TCSANOW, flags)
        os.set_blocking(master, False)
        self._console = open(master, "r+b", buffering=0)
        self._in = master
        try:
            self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, **options)
        finally:
            os.close(slave)

    def at_prompt(self):
        """Whether the interpreter reads at the prompt of its REPL, or takes in code there."""
        with contextlib.suppress(termios.error):  # it has ended
            return termios.tcgetattr(self._in)[_LOCAL] == 0
        return False

    def interruptible(self):
        """Whether Ctrl-C interrupts: micropython.kbd_intr(-1) makes it a byte like others."""
        try:
            with open(f"/proc/{self.process.pid}/status") as status:
                for line in status:
                    if line.startswith("SigCgt:"):
                        return bool(int(line.split()[1], 16) & 2)
        except OSError:
            pass
        return True

    def hear(self, posted, seconds, watched):
        """``next(posted)``; Quiet if there is no message for so long, or one of the descriptors ``watched`` has
        something to read."""
        self._until = time.monotonic() + seconds
        self._watched = watched
        return self.next(posted)

    def _more(self, lo, hi):
        if lo:
            self._buf[: hi - lo] = self._buf[lo:hi]
            lo, hi = 0, hi - lo
        self._lo, self._hi = lo, hi
        while True:
            try:
                got = self._socket.recv_into(self._view[hi:])
            except BlockingIOError:
                pass
            except ConnectionError:
                got = 0
            else:
                if not got:
                    self.take()
                    raise Ended("The interpreter has ended.")
                return lo, hi + got
            left = self._until - time.monotonic()
            if left <= 0:
                raise Quiet
            out = [self._in] if self._to_console else []
            ready, room, _ = select.select([self._socket, self._in, *self._watched], out, [], left)
            if room:
                self.feed(b"")
            if self._in in ready:
                self.take()
            if any(fd in ready for fd in self._watched):
                raise Quiet

    def take(self):
        """Hear what is written by now."""
        while True:
            try:
                data = os.read(self._in, _CHUNK)
            except OSError:  # nothing more; or the other end is closed
                return
            if not data:
                return
            self._heard(data)

    def feed(self, data):
        """Type on the console."""
        self._to_console += data
        while self._to_console:
            try:
                sent = os.write(self._in, self._to_console)
            except BlockingIOError:
                return
            except OSError:
                sent = len(self._to_console)
            del self._to_console[:sent]

    def _collect(self):
        """Its errors are on the console."""
