"""Setting up displays and pads, and freeing a stuck bus: at boot, and when something comes back.

In memory only while it is used (``shelf.py``). ``panel`` is an ``ili9341.Panel``, ``pad`` a ``mcp23017.Pad``.
"""

import time

from machine import Pin
from micropython import const

_SWRESET = const(0x01)
_SLPOUT = const(0x11)
_WAIT_MS = const(121)  # after a reset until SLPOUT is taken; after SLPOUT until supplies and clocks have settled

# What a display needs after SLPOUT: (command, parameters). Landscape, 16 bits a pixel, big-endian RGB565.
# MADCTL: MV (0x20) swaps rows and columns; the ILI9341 modules are wired BGR (0x08), the ST7789 ones mirrored (MX).
TABLES = {
    "ili9341": (
        (0xC0, b"\x23"),  # PWCTR1: GVDD 4.60 V
        (0xC1, b"\x10"),  # PWCTR2
        (0xC5, b"\x3e\x28"),  # VMCTR1
        (0xC7, b"\x86"),  # VMCTR2
        (0x36, b"\x28"),  # MADCTL
        (0x3A, b"\x55"),  # COLMOD: 16 bits
        (0xB1, b"\x00\x18"),  # FRMCTR1: 79 Hz
        (0x26, b"\x01"),  # GAMSET
        (0x29, b""),  # DISPON
    ),
    "st7789": (
        (0x36, b"\x60"),  # MADCTL
        (0x3A, b"\x55"),  # COLMOD: 16 bits
        (0x21, b""),  # INVON: IPS glass
        (0x13, b""),  # NORON
        (0x29, b""),  # DISPON
    ),
}

# MCP23017, IOCON.BANK = 0: register pairs in the order they are set. INTCON 0: compare with the value before.
_IOCON = const(0x0A)
_EXPANDER = (
    (_IOCON, b"\x44\x44"),  # MIRROR: INTA and INTB as one; ODR: open drain
    (0x14, b"\x00\x00"),  # OLAT: lights off
    (0x0C, None),  # GPPU: pull-ups on the keys
    (0x00, None),  # IODIR: the keys are inputs
    (0x08, b"\x00\x00"),  # INTCON
    (0x04, None),  # GPINTEN: the keys interrupt
)


def panel(display, kind, now):
    """One step of a display's set-up; sets its ``state`` and ``due``. kind: a row of TABLES. True once it is up."""
    state = display.state
    display.due = time.ticks_add(now, _WAIT_MS)
    if state < 2:
        display.command(_SLPOUT if state else _SWRESET)
        display.state = state + 1
        return False
    for command, data in TABLES[kind]:
        display.command(command, data)
    return True


def pad(expander, inputs):
    """Configure an expander; inputs: two bytes, a bit for each line that is a key. True if it took everything."""
    for register, data in _EXPANDER:
        if not expander.put(register, data or inputs):
            return False
    return True


def free():
    """Clock a stuck bus free: up to nine SCL pulses until SDA is let go, then a stop condition (0.1 ms)."""
    import pins

    sda = Pin(pins.I2C_SDA, Pin.OPEN_DRAIN, value=1)
    scl = Pin(pins.I2C_SCL, Pin.OPEN_DRAIN, value=1)
    for _ in range(9):
        if sda.value():
            break
        scl.value(0)
        time.sleep_us(5)
        scl.value(1)
        time.sleep_us(5)
    sda.value(0)
    time.sleep_us(5)
    sda.value(1)
