"""The USB cable: a terminal of this machine that stands for the board's serial port, and an RFC 2217 server beside."""

import contextlib
import os
import pty
import socket
import termios
import tty
from pathlib import Path

from serial import rfc2217

_CHUNK = 65536
# A host that does not read loses what the board sends, as it does behind any USB bridge.
_KEPT = 65536
_MOST_WAITING = 1 << 22


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


class _Uart:
    """What pyserial's PortManager takes for a serial port: settings, and the lines DTR and RTS."""

    bytesize, parity, stopbits = 8, "N", 1
    xonxoff = rtscts = break_condition = False
    cts = dsr = cd = True
    ri = False

    def __init__(self, server):
        self._server = server
        self.baudrate = 115200
        self._lines = [False, False]

    def _set(self, n, on):
        if self._lines[n] != on:
            self._lines[n] = on
            self._server.on_lines(*self._lines)

    dtr = property(lambda self: self._lines[0], lambda self, on: self._set(0, bool(on)))
    rts = property(lambda self: self._lines[1], lambda self, on: self._set(1, bool(on)))

    def release(self):
        """The tool has closed the port."""
        self._lines = [False, False]
        self._server.on_lines(False, False)

    def reset_input_buffer(self):
        """Nothing is kept here: a tool clears its own buffer."""

    reset_output_buffer = reset_input_buffer


class Rfc2217:
    """The same port over the network protocol that carries DTR and RTS, which a pseudo-terminal cannot.

    on_lines(dtr, rts): called when a tool has set them (True: asserted, the line is low). One tool at a time.
    """

    def __init__(self, on_lines, port=0):
        self.on_lines = on_lines
        self._server = socket.create_server(("127.0.0.1", port))
        self._server.setblocking(False)
        self.tcp_port = self._server.getsockname()[1]
        self._client = None
        self._manager = None
        self._uart = _Uart(self)
        self._backlog = bytearray()

    def fds(self):
        """For select."""
        return [self._server, self._client] if self._client else [self._server]

    @property
    def baud(self):
        """The baud rate that the tool has set; None if there is none."""
        return self._uart.baudrate if self._client else None

    def read(self):
        """What a tool has written, up to now."""
        with contextlib.suppress(OSError):
            client, _ = self._server.accept()
            if self._client and not self._gone():
                client.close()  # the port is busy
            else:
                self._attach(client)
        if not self._client:
            return b""
        try:
            data = self._client.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._detach()
            return b""
        manager = self._manager
        if b"\xff" not in data and manager.mode == 0 and manager.suboption is None:
            return data
        return b"".join(manager.filter(data))

    def _gone(self):
        try:
            return not self._client.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _attach(self, client):
        self._detach()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self._client = client
        self._backlog.clear()
        self._uart.baudrate = 115200
        self._manager = rfc2217.PortManager(self._uart, _Writer(self._out))

    def _detach(self):
        if self._client:
            self._client.close()
            self._client = self._manager = None
            self._backlog.clear()
            self._uart.release()

    def _out(self, data):
        if not self._client:
            return
        self._backlog += data
        while self._backlog:
            try:
                sent = self._client.send(self._backlog)
            except BlockingIOError:
                return
            except OSError:
                self._backlog.clear()
                return
            del self._backlog[:sent]

    def flush(self):
        """Send what waited."""
        self._out(b"")

    def write(self, data):
        """Send to the tool; lost if there is none, or if it does not read."""
        if self._client and len(self._backlog) < _MOST_WAITING:
            self._out(data.replace(b"\xff", b"\xff\xff"))

    def pending(self):
        """Whether something waits until the tool reads."""
        return bool(self._backlog)

    def close(self):
        """Pull the cable."""
        if self._client:
            self._client.close()
            self._client = None
        self._server.close()


class _Writer:
    """PortManager writes its answers here."""

    def __init__(self, write):
        self.write = write


class Cable:
    """Both ways to the board's UART: a pseudo-terminal (``port``) and RFC 2217 (``url``)."""

    def __init__(self, link=None, on_lines=None, tcp_port=0):
        self._net = Rfc2217(on_lines or (lambda dtr, rts: None), tcp_port)
        try:
            self._pty = Pty(link)
        except LinkTaken:
            self._net.close()
            raise
        self.port = link or self._pty.path
        self.tcp_port = self._net.tcp_port
        self.url = f"rfc2217://127.0.0.1:{self.tcp_port}"

    @property
    def baud(self):
        """The baud rate at which a tool sends, or None if that is not known."""
        return self._net.baud

    def fds(self):
        """Descriptors for select."""
        return [self._pty, *self._net.fds()]

    def read(self):
        """What tools have written, up to now."""
        return self._net.read() + self._pty.read()

    def write(self, data):
        """Send to the tools."""
        self._pty.write(data)
        self._net.write(data)

    def pending(self):
        """Whether something waits until a tool reads."""
        return self._pty.pending() or self._net.pending()

    def flush(self):
        """Send what waited."""
        self._pty.write(b"")
        self._net.flush()

    def close(self):
        """Out."""
        self._pty.close()
        self._net.close()
