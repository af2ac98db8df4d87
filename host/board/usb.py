"""The USB cable: a terminal of this machine that stands for the board's serial port."""

import contextlib
import os
import pty
import select
import termios
import tty
from pathlib import Path

_CHUNK = 65536
# A host that does not read loses what the board sends, as it does behind any USB bridge.
_KEPT = 65536


class LinkTaken(Exception):
    """The symbolic link asked for is another file; the text is one sentence."""


class Pty:
    """A pseudo-terminal. ``path``: what a tool opens; ``link``: a symbolic link to it, or None."""

    def __init__(self, link=None):
        self._link = Path(link) if link else None
        self._master, self._slave = pty.openpty()
        # Kept open: while no tool has the port open it would otherwise be gone, and lose its settings.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._backlog = bytearray()
        if self._link:
            try:
                if self._link.is_symlink():
                    self._link.unlink()
                self._link.symlink_to(self.path)
            except OSError as error:
                self._link = None
                self.close()
                raise LinkTaken(f"The link {link} cannot be made ({error.strerror}).") from None

    def fileno(self):
        """For select: readable when a tool has written."""
        return self._master

    def read(self):
        """What a tool has written, up to now."""
        try:
            return os.read(self._master, _CHUNK)
        except OSError:
            return b""

    def write(self, data):
        """Send to the tool. What nobody reads is lost, the oldest first."""
        self._backlog += data
        while self._backlog:
            try:
                sent = os.write(self._master, self._backlog)
            except BlockingIOError:
                break
            del self._backlog[:sent]
        if len(self._backlog) > _KEPT:
            # Nobody has read for long: whoever opens the port next shall not get old lines first.
            termios.tcflush(self._slave, termios.TCIFLUSH)
            self._backlog.clear()

    def pending(self):
        """Whether something waits until the tool reads."""
        return bool(self._backlog)

    def drain(self, seconds=1.0):
        """Wait until the tool has what was written, at most so long."""
        while self._backlog and select.select([], [self._master], [], seconds)[1]:
            self.write(b"")

    def close(self):
        """Pull the cable: who has the port open finds it gone."""
        if self._master < 0:
            return
        os.close(self._slave)
        os.close(self._master)
        self._master = -1
        if self._link:
            with contextlib.suppress(OSError):
                if os.readlink(self._link) == self.path:
                    self._link.unlink()
