"""`machine` as the ESP32 port has it, as far as the hub uses it. Every call is bus traffic on the wire."""

from struct import pack

import link
import ops
from micropython import schedule

PWRON_RESET, HARD_RESET, WDT_RESET, DEEPSLEEP_RESET, SOFT_RESET = 1, 2, 3, 4, 5

_ENODEV = 19
_CHUNK = 32768

_freq = 160000000


class Pin:
    IN, OUT, OPEN_DRAIN = 1, 3, 7
    PULL_DOWN, PULL_UP = 1, 2
    IRQ_RISING, IRQ_FALLING = 1, 2

    def __init__(self, id, mode=-1, pull=-1, value=None):
        self.id = id
        if mode != -1 or pull != -1 or value is not None:
            self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        if value is not None:
            link.pin(self.id, value)  # the level first: no glitch when the output turns on
        link.post(ops.MODE, self.id, bytes((max(mode, 0), max(pull or 0, 0))))

    def value(self, x=None):
        if x is None:
            if link.stale or link.moved:
                link.fence()
            return link.levels >> self.id & 1
        link.pin(self.id, x)

    __call__ = value

    def on(self):
        link.pin(self.id, 1)

    def off(self):
        link.pin(self.id, 0)


class SPI:
    MSB, LSB = 0, 1

    def __init__(self, id, baudrate=1000000, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None):
        self.init(baudrate=baudrate)

    def init(self, baudrate=None, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None):
        if baudrate is not None:
            link.post_word(ops.SPI_HZ, 0, baudrate)
            self._byte_ns = ops.spi_byte_ns(baudrate)

    def deinit(self):
        pass

    def write(self, buf):
        size = len(buf)
        if size <= _CHUNK:
            link.post(ops.SPI, 0, buf)
        else:
            view = memoryview(buf)
            for at in range(0, size, _CHUNK):
                link.post(ops.SPI, 0, view[at : at + _CHUNK])
        link.spend(size * self._byte_ns)

    def readinto(self, buf, write=0):
        link.call_words(ops.SPI_READ, write, len(buf), 0, buf)

    def read(self, n, write=0):
        buf = bytearray(n)
        self.readinto(buf, write)
        return bytes(buf)

    def write_readinto(self, out, buf):
        link.call(ops.SPI_BOTH, 0, out, buf)


class SoftSPI(SPI):
    """Bit by bit, at a MHz at most."""

    def __init__(self, baudrate=500000, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None):
        self.init(baudrate)

    def init(self, baudrate=None, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None):
        if baudrate is not None:
            SPI.init(self, min(baudrate, 1000000))


class I2C:
    def __init__(self, id=0, scl=None, sda=None, freq=400000, timeout=50000):
        link.post_word(ops.I2C_HZ, 0, freq)

    def writeto(self, addr, buf, stop=True):
        return _check(link.call(ops.I2C_WRITE, addr, buf))

    def writeto_mem(self, addr, memaddr, buf, addrsize=8):
        message = bytearray(1 + len(buf))
        message[0] = memaddr
        message[1:] = buf
        _check(link.call(ops.I2C_WRITE, addr, message))

    def readfrom_into(self, addr, buf, stop=True):
        _check(link.call_words(ops.I2C_READ, addr, len(buf), 0, buf))

    def readfrom(self, addr, n, stop=True):
        buf = bytearray(n)
        self.readfrom_into(addr, buf)
        return bytes(buf)

    def readfrom_mem_into(self, addr, memaddr, buf, addrsize=8):
        _check(link.call_words(ops.I2C_MEM_READ, addr, len(buf), memaddr, buf))

    def readfrom_mem(self, addr, memaddr, n, addrsize=8):
        buf = bytearray(n)
        self.readfrom_mem_into(addr, memaddr, buf)
        return bytes(buf)

    def scan(self):
        return [addr for addr in range(8, 120) if link.call(ops.I2C_WRITE, addr, b"") >= 0]


SoftI2C = I2C


def _check(result):
    if result < 0:
        raise link.error(-result)
    return result


class PWM:
    def __init__(self, pin, freq=5000, duty_u16=None, duty=None):
        self._pin = pin
        self._duty = 0
        self._freq = freq
        if duty is not None:
            self.duty(duty)
        elif duty_u16 is not None:
            self.duty_u16(duty_u16)

    def init(self, freq=None, duty_u16=None):
        if freq is not None:
            self._freq = freq
        if duty_u16 is not None:
            self.duty_u16(duty_u16)

    def freq(self, value=None):
        if value is None:
            return self._freq
        self._freq = value

    def duty_u16(self, value=None):
        if value is None:
            return self._duty
        self._duty = value
        link.post(ops.PWM, self._pin.id, bytes((value & 255, value >> 8)))

    def duty(self, value=None):
        if value is None:
            return self._duty >> 6
        self.duty_u16(value << 6)

    def deinit(self):
        self.duty_u16(0)


class I2S:
    RX, TX = 1, 2
    MONO, STEREO = 0, 1

    def __init__(self, id, *, sck, ws, sd, mode, bits, format, rate, ibuf, mck=None):
        self._handler = None
        link.post(ops.I2S_OPEN, id, pack("<III", rate, (bits >> 3) * (2 if format else 1), ibuf))

    def irq(self, handler):
        """With a handler a write does not wait; it is called (by the scheduler) once all has been taken over."""
        self._handler = handler

    def write(self, buf):
        us = link.call(ops.I2S_WRITE, 0 if self._handler else 1, buf)
        if self._handler and us >= 0:
            import time

            time.later(us, self._handler, self)
        return len(buf)

    @staticmethod
    def shift(*, buf, bits, shift):
        if bits not in (16, 32):
            raise ValueError("invalid bits")
        link.call(ops.I2S_SHIFT, bits | (shift < 0) << 7 | min(abs(shift), 15), buf, buf)

    def deinit(self):
        pass


class WDT:
    """Once started it cannot be stopped; the supervisor resets the chip when it was not fed in time."""

    def __init__(self, id=0, timeout=5000):
        self._timeout = timeout
        self.feed()
        link.lapse()

    def feed(self):
        link.post_word(ops.WATCHDOG, 0, self._timeout)


class Timer:
    """Callbacks are scheduled whenever the interpreter hears from the supervisor and they are due."""

    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, id, **options):
        self.id = id
        if options:
            self.init(**options)

    def init(self, mode=1, freq=-1, period=-1, callback=None, hard=False):
        self.deinit()
        self._mode = mode
        self._callback = callback
        self._ns = int(1000000000 / freq) if freq != -1 else period * 1000000
        link.fence()
        self._due = link.now + self._ns
        link.timers.append(self)
        link.post(ops.TIMER, self.id | 128, b"")
        link.flush()  # what comes next may be the prompt

    def deinit(self):
        for timer in link.timers:
            if timer.id == self.id:  # one for each number, whichever object asks
                link.timers.remove(timer)
                link.post(ops.TIMER, self.id, b"")
                break

    def look(self, now):
        if now >= self._due:
            self._due = now + self._ns
            try:
                schedule(self._callback, self)
            except RuntimeError:  # its queue is full; the next time
                pass
            if not self._mode:
                self.deinit()


class RTC:
    def memory(self, data=None):
        """Up to 2048 bytes that a reset leaves alone."""
        if data is not None:
            if len(data) > 2048:
                raise ValueError("buffer too long")
            link.call(ops.RTC_WRITE, 0, data)
            return
        buf = bytearray(link.call(ops.RTC_SIZE, 0, b""))
        if buf:
            link.call(ops.RTC_READ, 0, b"", buf)
        return bytes(buf)

    def datetime(self, value=None):
        import time

        if value is None:
            y, m, d, hh, mm, ss, wd, _ = time.gmtime()
            return (y, m, d, wd, hh, mm, ss, 0)
        y, m, d, _, hh, mm, ss, _ = value
        time._offset = time.mktime((y, m, d, hh, mm, ss, 0, 0)) - time._us() // 1000000


def reset():
    link.call(ops.RESET, 0, b"")


def soft_reset():
    """As on the board: whatever runs comes to its end, and the interpreter starts anew."""
    raise SystemExit


def reset_cause():
    return link.call(ops.RESET_CAUSE, 0, b"")


def freq(hz=None):
    global _freq
    if hz is None:
        return _freq
    _freq = hz


def unique_id():
    return b"\x24\x0a\xc4\x00\x00\x01"


def idle():
    pass


def disable_irq():
    return 0


def enable_irq(state):
    pass
