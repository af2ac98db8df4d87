"""Pins, SPI and I2C that note what happens to them.

``bus``: a list of ("pin", n, level), ("write", bytes), ("read", n), ("hz", n), ("unit",) before a transfer of the SPI
unit; ``i2c``: {address: bytearray(32)} of
the devices that answer; ``held``: {pin: rising edges until the device that holds it low lets go}; ``answers``: what
SPI reads give, by chip select pin; ``fail``: error number of the next I2C transactions, ``fails`` of them.
"""

bus = []
levels = {}
i2c = {}
answers = {}
held = {}
timers = []  # (period in ms, callback)
fail = 110
fails = 0
ENODEV = 19


def fresh():
    """Forget everything."""
    global fails
    bus[:] = []
    levels.clear()
    i2c.clear()
    answers.clear()
    held.clear()
    timers[:] = []
    fails = 0


class Pin:
    IN, OUT, OPEN_DRAIN = 1, 3, 7

    def __init__(self, n, mode=-1, pull=-1, value=None):
        self.n = n
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is None:
            return 0 if held.get(self.n) else levels.get(self.n, 1)
        if level and not levels.get(self.n, 1):
            for n in held:
                if n != self.n and held[n]:
                    held[n] -= 1
        levels[self.n] = level
        bus.append(("pin", self.n, level))


class SPI:
    def __init__(self, id, baudrate=0, polarity=0, phase=0, sck=None, mosi=None, miso=None):
        bus.append(("hz", baudrate))

    def init(self, baudrate=0):
        bus.append(("hz", baudrate))

    def _unit(self):
        bus.append(("unit",))

    def write(self, data):
        self._unit()
        bus.append(("write", bytes(data)))

    def readinto(self, buf, write=0):
        self._unit()
        bus.append(("read", len(buf)))
        low = [n for n, level in levels.items() if level == 0 and n in answers]
        for i in range(len(buf)):
            buf[i] = answers[low[0]][i] if low else 0


class SoftSPI(SPI):
    def __init__(self, baudrate=0, polarity=0, phase=0, sck=None, mosi=None, miso=None):
        super().__init__(0, baudrate)

    def _unit(self):
        pass


class Timer:
    def __init__(self, id, period=0, callback=None):
        timers.append((period, callback))


class I2C:
    def __init__(self, id, scl=None, sda=None, freq=0):
        pass

    def _device(self, address):
        global fails
        if fails:
            fails -= 1
            raise OSError(fail)
        if address not in i2c:
            raise OSError(ENODEV)
        return i2c[address]

    def readfrom_mem_into(self, address, register, buf):
        device = self._device(address)
        for i in range(len(buf)):
            buf[i] = device[register + i]

    def writeto_mem(self, address, register, data):
        device = self._device(address)
        for i in range(len(data)):
            device[register + i] = data[i]


def unique_id():
    """The chip's number."""
    return b"\x00\x00\x00\x00\x00\x01"
