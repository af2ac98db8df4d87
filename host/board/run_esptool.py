"""esptool, as a program of its own: ``python -m host.board.run_esptool ARGUMENTS``.

esptool gives each command a timeout, and pyserial's RFC 2217 client then negotiates baud rate, parity and all the rest
anew, a tenth of a second each time. Here it does so only when one of them has changed.
"""

import sys

from serial import rfc2217

_negotiate = rfc2217.Serial._reconfigure_port
_open = rfc2217.Serial.open


def _reconfigure(port):
    wanted = (port._baudrate, port._bytesize, port._parity, port._stopbits, port._xonxoff, port._rtscts)
    # A write timeout is what that client refuses.
    if getattr(port, "_agreed", None) != wanted or port._write_timeout is not None:
        _negotiate(port)
        port._agreed = wanted


def _open_anew(port):
    port._agreed = None
    _open(port)


if __name__ == "__main__":
    rfc2217.Serial._reconfigure_port = _reconfigure
    rfc2217.Serial.open = _open_anew
    import esptool

    sys.argv[0] = "esptool"
    esptool._main()
