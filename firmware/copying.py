"""The console's ``backup``: settings and the journal of the last 200 deals, a page of flash a line.

A deal that is running is left out: its seed and its plays are nobody's business yet. In memory while it copies
(``shelf.py``). Enter at ``backup``.
"""

from binascii import b2a_base64
from hashlib import sha256

from micropython import const

from commands import idle
from drivers.flash import PAGE, SECTOR
from journal import number
from ledger import DEAL
from record import hexed
from sectors import sealed
from settings import KIOSK

_DEALS = const(200)
_CODE = const(24)  # of the operator, in the payload of the settings, and its end
_CODE_END = const(40)


def backup(hub, line):
    """Write what the hub keeps, a line at a time; the answer comes after the last one."""
    idle(hub)
    hub.repeat(Backup(hub))
    return None


class Backup:
    """Lines ``{"settings": base64}`` and ``{"page": [sector, page], "data": base64}``, then the answer, with a
    SHA-256 of all those bytes and the number of the deal that was left out."""

    def __init__(self, hub):
        game = hub.game
        self._book = book = game.journal
        self._write = hub.console.write
        self._digest = sha256()
        self._left = book.ring if book.sector >= 0 else 0
        self._sector = self._last = book.sector
        self._end = book.offset
        self._row = -1  # page of the sector that is being copied; -1: none
        self._buf = bytearray(PAGE)
        self._deal = game.deal_no
        self._number = 0  # of the deal that runs
        self._count = 0  # lines
        if not game.between_deals():
            self._number = game.deal_no
            self._left -= 1
        # The operator's lock stays with its hub.
        self._text = text = bytearray(game.settings.data)
        text[KIOSK] = 0
        for i in range(_CODE, _CODE_END):
            text[i] = 0

    def _line(self, name, place, data):
        self._digest.update(data)
        self._count += 1
        self._write('{"%s":%s"%s"}\n' % (name, place, str(b2a_base64(data)[:-1], "utf-8")))

    def step(self):
        """One line, or one sector looked at. True when the answer is written."""
        if self._text:
            self._line("settings", "", self._text)
            self._text = None
        elif self._row >= 0:
            self._take()
        elif self._left > 0:
            # The oldest sector lies behind the newest, the newest comes last.
            self._left -= 1
            self._sector = (self._sector + 1) % self._book.ring
            buf = self._buf
            if self._book.flash.read(self._sector, 0, buf) and sealed(buf):
                n = number(buf, 8)
                if n > self._deal - _DEALS and not (n == self._number and buf[15] & DEAL):
                    self._row = 0
        else:
            self._write(
                '{"re":"backup","ok":true,"lines":%d,"running":%s,"sha256":"%s"}\n'
                % (self._count, str(self._number) if self._number else "null", hexed(self._digest.digest()))
            )
            return True
        return False

    def _take(self):
        """The next page of a sector; a blank one is its end."""
        row = self._row
        offset = row * PAGE
        buf = self._buf
        if offset < SECTOR and self._book.flash.read(self._sector, offset, buf):
            if self._sector == self._last:  # what has been written since belongs to the next backup
                for i in range(max(self._end - offset, 0), PAGE):
                    buf[i] = 255
            if buf != b"\xff" * PAGE:
                self._line("page", '[%d,%d],"data":' % (self._sector, row), buf)
                self._row = row + 1
                return
        self._row = -1
