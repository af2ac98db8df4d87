"""The hub's clock, a DS3231 on the pads' I2C bus: date and time as seconds since 2000-01-01 00:00, read on demand."""

from micropython import const

import pins

_TIME = const(0x00)  # seven registers, binary coded decimal: s min h weekday day month year
_STATUS = const(0x0F)
_OSF = const(0x80)  # the oscillator was stopped: the time means nothing

_DAYS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def _binary(bcd):
    return (bcd >> 4) * 10 + (bcd & 15)


def _bcd(n):
    return n // 10 << 4 | n % 10


class Clock:
    """``read()`` and ``set()``; both give None or False if the clock is missing or was never set."""

    def __init__(self, pads):
        self._pads = pads
        self._buf = bytearray(7)

    def read(self):
        """(year, month, day, hour, minute, second), or None if there is no clock or its time is not valid."""
        i2c = self._pads.i2c
        buf = self._buf
        try:
            i2c.readfrom_mem_into(pins.CLOCK_ADDRESS, _STATUS, memoryview(buf)[:1])
            if buf[0] & _OSF:
                return None
            i2c.readfrom_mem_into(pins.CLOCK_ADDRESS, _TIME, buf)
        except OSError:
            return None
        t = (
            2000 + _binary(buf[6]),
            _binary(buf[5] & 0x1F),
            _binary(buf[4] & 0x3F),
            _binary(buf[2] & 0x3F),
            _binary(buf[1] & 0x7F),
            _binary(buf[0] & 0x7F),
        )
        return t if 1 <= t[1] <= 12 and 1 <= t[2] <= 31 and t[3] < 24 and t[4] < 60 and t[5] < 60 else None

    def set(self, year, month, day, hour, minute, second):
        """Set the clock (year 2000-2099, all fields in range); False if it does not answer."""
        buf = self._buf
        buf[0] = _bcd(second)
        buf[1] = _bcd(minute)
        buf[2] = _bcd(hour)
        buf[3] = (days(year, month, day) + 5) % 7 + 1  # 2000-01-01 was a Saturday; 1 = Monday
        buf[4] = _bcd(day)
        buf[5] = _bcd(month)
        buf[6] = _bcd(year - 2000)
        try:
            self._pads.i2c.writeto_mem(pins.CLOCK_ADDRESS, _TIME, buf)
            self._pads.i2c.writeto_mem(pins.CLOCK_ADDRESS, _STATUS, b"\x00")
        except OSError:
            return False
        return True


def days(year, month, day):
    """Days from 2000-01-01 to a date between 2000 and 2099."""
    y = year - 2000
    leap = y % 4 == 0
    return y * 365 + (y + 3) // 4 + _DAYS[month - 1] + (1 if leap and month > 2 else 0) + day - 1


def seconds(t):
    """A time tuple of ``read()`` as seconds since 2000-01-01 00:00 (below 2**32)."""
    return days(t[0], t[1], t[2]) * 86400 + t[3] * 3600 + t[4] * 60 + t[5]
