"""The console's ``check``: what of the hub works, a part at a time. ``ROWS`` is the table.

``{"cmd": "check", "part": NAME, ...}`` answers at once; the host's ``doctor`` asks for all of them and makes the table.
What drives the hardware is taken between deals only. In memory only while a command is obeyed (``shelf.py``).
"""

import os
import sys
import time

from micropython import const

from commands import Refused, between, idle, number
from drivers.flash import PAGE, SECTOR
from record import hexed, numbers
from settings import VOLUME

# name (a function here), whether it drives the hardware
ROWS = (
    ("stats", False),
    ("clock", False),
    ("flash", True),
    ("display", True),
    ("pad", True),
    ("keys", True),
    ("lights", True),
    ("ring", True),
    ("sound", True),
)

_RDDID = const(0x04)
_RDID4 = const(0xD3)

# MCP23017 (drivers/mcp23017.py)
_DEFVAL = const(0x06)
_INTCON = const(0x08)
_GPIO = const(0x12)
_OLAT = const(0x14)
_LIGHTS = const(0xE080)

_SECTORS = const(8)  # looked at in one command
_SHINE_MS = const(1500)
_BRIGHT = const(48)  # of 255: the ring


def check(hub, line):
    """Check one part; see the module."""
    part = line.get("part")
    for name, driven in ROWS:
        if name == part:
            if driven:
                between(hub)
            return globals()[name](hub, line)
    raise Refused('"part" must be one of %s.' % ", ".join([row[0] for row in ROWS]))


def _seat(line):
    seat = number(line, "seat", 0, 3)
    if seat is None:
        raise Refused('"seat" is missing.')
    return seat


def stats(hub, line):
    """Versions, heap, file system, and what the hub has found wrong by itself."""
    import machine

    from version import VERSION

    fs = os.statvfs("/")
    freq = machine.freq()
    game = hub.game
    return (
        ',"version":"%d.%d.%d","interpreter":"%s %d.%d.%d","freq":%d,"heap_free":%d,"heap_low":%d,'
        '"files_total":%d,"files_free":%d,"saving":%d,"damaged":%d,"faults":%d,"deals":%d'
    ) % (
        VERSION
        + (sys.implementation.name,)
        + tuple(sys.implementation.version[:3])
        + (freq if isinstance(freq, int) else freq[0], hub.heap_free, hub.heap_low)
        + (fs[1] * fs[2], fs[1] * fs[3], game.journal.ok, game.settings.damaged, game.faults, game.deal_no)
    )


def flash(hub, line):
    """Sectors of the journal from ``sector`` on: [used, blank, damaged, bad]. A blank one is erased and looked at.

    Damaged: its header is not whole (a power cut while it was begun). Bad: it cannot be read, or is not blank after
    an erase. ``next`` is the sector to go on with, null at the end.
    """
    from sectors import sealed

    book = hub.game.journal
    sector = number(line, "sector", 0, 1 << 16, 0)
    counts = [0, 0, 0, 0]
    buf = bytearray(PAGE)
    for _ in range(_SECTORS):
        if sector >= book.ring:
            break
        if not book.flash.read(sector, 0, buf):
            counts[3] += 1
        elif sealed(buf):
            counts[0] += 1
        elif buf[0:3] == b"SKJ":
            counts[2] += 1
        else:
            whole = book.flash.erase(sector)
            for offset in range(0, SECTOR, PAGE):
                whole = whole and book.flash.read(sector, offset, buf) and buf == b"\xff" * PAGE
            counts[1 if whole else 3] += 1
        sector += 1
    return ',"ring":%d,"sectors":%s,"next":%s' % (
        book.ring,
        numbers(counts),
        str(sector) if sector < book.ring else "null",
    )


def display(hub, line):
    """The display's ID, read back over its own chip select: RDDID (0x04) and, for ILI9341, Read ID4 (0xD3)."""
    panel = hub.panels[_seat(line)]
    id4 = _read(panel, _RDID4)
    buf = _read(panel, _RDDID)
    # RDDID comes after one dummy clock: a bit late.
    n = buf[0] << 17 & 0xFE0000 | buf[1] << 9 | buf[2] << 1 | buf[3] >> 7
    return ',"id":"%06x","id4":"%s","power_mode":%d,"present":%s' % (
        n,
        hexed(id4[1:]),
        panel.power_mode(),
        "true" if panel.present else "false",
    )


def _read(panel, command):
    """Four bytes that follow a read command."""
    bus = panel._bus
    buf = bytearray(4)
    bus.byte[0] = command
    bus.spi.init(baudrate=bus.read_hz)
    bus.dc.value(0)
    panel._cs.value(0)
    bus.spi.write(bus.byte)
    bus.dc.value(1)
    bus.spi.readinto(buf, 0)
    panel._cs.value(1)
    bus.spi.init(baudrate=bus.write_hz)
    return buf


def pad(hub, line):
    """A pad: whether it answers, which keys are down, its interrupt line and its lights' lines tried.

    ``interrupt``: the line's level before, while the pad asks, and after; 1 0 1 is right. ``lights``: which of the
    four lines follow when they are driven high and low.
    """
    one = hub.pads[_seat(line)]
    keys = one.read()
    if keys < 0:
        return ',"present":false'
    wire = one._pads.int
    levels = [wire.value()]
    # The line fires at once where a pin is compared with what it is not: keys are up, so high.
    one.put(_DEFVAL, b"\x00\x00")
    one.put(_INTCON, b"\x7f\x1f")
    levels.append(wire.value())
    one.put(_INTCON, b"\x00\x00")
    one._get(_GPIO)
    levels.append(wire.value())
    lights = 15
    for level in (_LIGHTS, 0):
        one.put(_OLAT, bytes((level & 255, level >> 8)))
        wrong = (one._get(_GPIO) ^ level) & _LIGHTS
        lights &= ~(wrong >> 7 & 1 | wrong >> 12 & 14)
    one._shown = -1  # the lights are as the game wants them at the next round
    return ',"present":true,"keys":%d,"interrupt":%s,"lights":%d' % (keys, numbers(levels), lights)


def keys(hub, line):
    """The keys of a pad that are down now, a bit each in the order of pins.KEYS; -1 if it does not answer."""
    return ',"part":"keys","keys":%d' % hub.pads[_seat(line)].read()


def lights(hub, line):
    """The lights of a pad on for 1.5 s that ``bits`` names, in the order of pins.LIGHTS; the others off."""
    bits = number(line, "bits", 0, 15, 15)
    seat = _seat(line)
    idle(hub)
    hub.repeat(Shine(hub, hub.pads[seat], bits))
    return ""


def ring(hub, line):
    """The whole ring in one colour for 1.5 s: 0 red, 1 green, 2 blue."""
    colour = number(line, "colour", 0, 2, 0)
    idle(hub)
    hub.repeat(Shine(hub, None, colour))
    return ""


def sound(hub, line):
    """A big bomb; the amplifier has no way to answer. ``played``: false if its output could not be opened."""
    out = getattr(hub, "sound", None)
    if not out:
        return ',"played":null'
    if not out._out:
        return ',"played":false'
    out.play(2)
    return ',"played":true,"volume":%d' % hub.game.settings.get(VOLUME)


def clock(hub, line):
    """The DS3231: present, and whether its time is valid."""
    from drivers.ds3231 import Clock

    try:
        hub.bus.i2c.readfrom_mem_into(0x68, 0x0F, bytearray(1))
    except OSError:
        return ',"present":false'
    return ',"present":true,"valid":%s' % ("true" if Clock(hub.bus).read() else "false")


class Shine:
    """Holds a light or the ring against the game for 1.5 s: the game's own calls are out of effect meanwhile."""

    def __init__(self, hub, pad, value):
        self._hub = hub
        self._pad = pad
        self.due = time.ticks_add(time.ticks_ms(), _SHINE_MS)
        if pad:
            pad.lights(value)
            pad.lights = lambda *args: None
        else:
            pixels = hub.ring._np
            colour = [0, 0, 0]
            colour[value] = _BRIGHT
            for i in range(len(pixels)):
                pixels[i] = tuple(colour)
            pixels.write()
            hub.ring.show = lambda *args: None

    def step(self):
        """True when the time is over."""
        if time.ticks_diff(self.due, time.ticks_ms()) > 0:
            time.sleep_ms(5)
            return False
        if self._pad:
            del self._pad.lights
            self._pad._shown = -1
        else:
            del self._hub.ring.show
            self._hub.ring._shown = -1
        return True
