"""DS3231: the hub's clock with its own battery. Registers in binary coded decimal, 0x00-0x12 (data sheet, figure
1)."""

import datetime

_STATUS = 0x0F
_OSF = 0x80
_EPOCH = datetime.datetime(2025, 1, 1)


def _bcd(n):
    return n // 10 << 4 | n % 10


def _binary(b):
    return (b >> 4) * 10 + (b & 15)


class Clock3231:
    """Runs on through power cuts. ``clock`` gives ns; ``start``: its date and time at 0 ns."""

    def __init__(self, clock, start=_EPOCH):
        self._clock = clock
        self._start = start
        self._pointer = 0
        self._other = bytearray(19)  # alarms, control, status, ageing, temperature

    def _now(self):
        return self._start + datetime.timedelta(microseconds=self._clock.now // 1000)

    def write(self, data):
        """Register pointer, then registers; writing the seven time registers sets the clock."""
        if not data:
            return
        self._pointer = data[0]
        regs = bytearray(self._registers())
        touched = set()
        for byte in data[1:]:
            at = self._pointer % 19
            regs[at] = byte
            touched.add(at)
            self._pointer = (self._pointer + 1) % 19
        self._other[7:] = regs[7:]
        if touched & set(range(7)):
            try:
                t = datetime.datetime(
                    2000 + _binary(regs[6]),
                    _binary(regs[5] & 31),
                    _binary(regs[4] & 63),
                    _binary(regs[2] & 63),
                    _binary(regs[1] & 127),
                    _binary(regs[0] & 127),
                )
            except ValueError:
                return
            self._start += t - self._now().replace(microsecond=0)

    def _registers(self):
        t = self._now()
        head = bytes(
            (
                _bcd(t.second),
                _bcd(t.minute),
                _bcd(t.hour),
                t.isoweekday(),
                _bcd(t.day),
                _bcd(t.month),
                _bcd(t.year % 100),
            )
        )
        return head + bytes(self._other[7:])

    def read(self, count):
        """count bytes from the register pointer on, wrapping after 0x12."""
        regs = self._registers()
        out = bytes(regs[(self._pointer + i) % 19] for i in range(count))
        self._pointer = (self._pointer + count) % 19
        return out
