"""Serial ports: which of them is a board, and whether it can be opened."""

import errno
import importlib.util
import os
import stat
import sys
import urllib.parse

import serial
from serial.tools import list_ports

from .. import statuses

# USB bridges on ESP32 boards, by vendor; the name stands in what a person reads.
BRIDGES = {
    0x10C4: "CP210x",
    0x1A86: "CH340",
    0x0403: "FTDI",
    0x067B: "PL2303",
    0x303A: "Espressif",
}


_STATUS = {"missing": statuses.NO_PORT, "busy": statuses.BUSY, "denied": statuses.DENIED}


class PortError(Exception):
    """A port cannot be used; the text is one sentence with the next step. ``kind``: missing, busy or denied;
    ``status``: the exit status that goes with it."""

    def __init__(self, kind, sentence):
        super().__init__(sentence)
        self.kind = kind
        self.status = _STATUS[kind]


def boards():
    """Ports with a USB bridge as boards have it: [(path, name of the bridge)], sorted."""
    found = [(p.device, BRIDGES[p.vid]) for p in list_ports.comports() if p.vid in BRIDGES]
    return sorted(found)


def find():
    """(path, what it is) of the port in $SHUANGKOU_PORT, or of the only board there is. PortError if there is none, or
    more than one."""
    given = os.environ.get("SHUANGKOU_PORT")
    if given:
        return given, "SHUANGKOU_PORT"
    found = boards()
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(f"{path} ({name})" for path, name in found)
        raise PortError("missing", f"There are several boards: {listed}. Choose one with --port.")
    others = ", ".join(p.device for p in list_ports.comports() if p.vid is None and p.description != "n/a")
    seen = f" (there is {others}, without a USB bridge; --port takes it)" if others else ""
    raise PortError(
        "missing",
        f"There is no board on USB{seen}: plug it in with a cable that carries data, not power alone, or name its "
        "port with --port.",
    )


def named(port):
    """See that a name can be a port's: a serial device, or a whole address. PortError says what it is instead."""
    if not port.strip():
        raise PortError("missing", "The port has no name: give a device (/dev/ttyUSB0), or rfc2217://host:port.")
    if "://" in port:
        scheme = port.split("://", 1)[0]
        if not scheme.isidentifier() or not importlib.util.find_spec(f"serial.urlhandler.protocol_{scheme}"):
            raise PortError(
                "missing", f"{port} cannot be opened: '{scheme}://' is no kind of port; rfc2217://host:port is one."
            )
        if scheme in ("rfc2217", "socket"):
            parts = urllib.parse.urlsplit(port)
            try:
                whole = parts.hostname and parts.port
            except ValueError:
                whole = None
            if not whole:
                raise PortError(
                    "missing", f"{port} cannot be opened: the address needs host and port, as {scheme}://host:4000."
                )
        return
    try:
        mode = os.stat(port).st_mode
    except (OSError, ValueError):
        return  # opening it tells
    if not stat.S_ISCHR(mode):
        kind = "folder" if stat.S_ISDIR(mode) else "file"
        raise PortError("missing", f"{port} exists but is no serial port: it is a {kind}.")


def check(port):
    """See that a port can be opened, and close it again. PortError. An RFC 2217 address is taken as it is."""
    named(port)
    if "://" in port:
        return
    try:
        serial.Serial(port, exclusive=True).close()
    except (serial.SerialException, OSError, ValueError) as error:
        raise refused(port, error) from None


def refused(port, error):
    """The PortError for what pyserial said when it opened a port; ``error``: an exception or a text."""
    number = getattr(error, "errno", None)
    text = str(error).lower()
    if number in (errno.EACCES, errno.EPERM) or "permission denied" in text:
        group = "dialout" if sys.platform.startswith("linux") else "its group"
        return PortError(
            "denied",
            f"You may not open {port}: 'sudo usermod -a -G {group} $USER', then log out and in again.",
        )
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text or "busy" in text and os.path.exists(port):
        return PortError(
            "busy", f"Another program has {port} open: close the console or monitor that uses it, then try again."
        )
    if "rfc 2217" in text or "rfc2217" in text and "support" in text:
        return PortError("busy", f"Another program has {port} open, or what answers there is no RFC 2217 server.")
    where = "nobody answers there" if "://" in port else "there is no such port"
    return PortError("missing", f"{port} cannot be opened ({where}): is the cable in, and is this its port?")
