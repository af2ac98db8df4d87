"""`time` as the ESP32 port has it, on the supervisor's clock. Ticks wrap at 2**30; computing costs no time."""

import link

_PERIOD = 1 << 30
_HALF = 1 << 29

_offset = 0  # seconds from the clock's zero to 2000-01-01 (machine.RTC sets it)


_waiting = []  # [when (ns), function, its argument]: what the scheduler will call


def later(us, function, argument):
    """Call a function once so many us have passed, between two calls of this module."""
    _waiting.append((link.now + us * 1000, function, argument))


def _call():
    while _waiting and _waiting[0][0] <= link.now:
        _, function, argument = _waiting.pop(0)
        function(argument)


def _us():
    if link.stale:
        link.fence()
    return link.now // 1000


def ticks_ms():
    if link.stale:
        link.fence()
    if _waiting:
        _call()
    return link.now // 1000000 & (_PERIOD - 1)


def ticks_us():
    return _us() & (_PERIOD - 1)


ticks_cpu = ticks_us


def ticks_add(ticks, delta):
    return (ticks + delta) & (_PERIOD - 1)


def ticks_diff(a, b):
    return ((a - b + _HALF) & (_PERIOD - 1)) - _HALF


def sleep_us(us):
    if us > 0:
        link.sleep(us)
    if _waiting:
        _call()


def sleep_ms(ms):
    sleep_us(ms * 1000)


def sleep(s):
    sleep_us(int(s * 1000000))


def time():
    return _us() // 1000000 + _offset


def time_ns():
    return (_us() + _offset * 1000000) * 1000


def _plain():
    import utime

    return utime


def gmtime(seconds=None):
    # The interpreter's own calendar counts from 1970, the board's from 2000.
    # Eight fields, as on the board; the ports for desktops give a ninth.
    return tuple(_plain().gmtime((time() if seconds is None else seconds) + 946684800)[:8])


localtime = gmtime


def mktime(t):
    return _plain().mktime(t) - 946684800
