"""What is left when the firmware fails: its code on the console and on the displays, and a new start.

``crash`` is called with the error that ended the hub; ``show`` at the next start, and when no version is left that
runs (``starter.py``). Lies at the root with the few modules it needs, outside the slots.

A code tells the kind of error and where it was: ``MEM game 214`` is a MemoryError in line 214 of game.py. ``WATCHDOG``:
the hub stood still; ``RESET``: it was reset while it ran; ``FILES``: neither slot has its files.
"""

import io
import sys
import time

import machine
from micropython import const

_CRASHED = const(2)  # see starter.py
_LINE = const(20)  # characters, twice their size

# Errors by the first three letters of their names, in capitals, but for these.
_KINDS = {"IndexError": "IDX", "ZeroDivisionError": "DIV"}


def code(error, trace):
    """The code (at most 18 characters) of an error with its traceback as text."""
    kind = type(error).__name__
    words = [_KINDS.get(kind, kind[:3].upper())]
    for line in trace.split("\n"):
        part = line.strip().split('"')
        if len(part) == 3 and part[0] == "File ":
            where = part[1].replace(".py", "").replace("/", ".").split(".")[-1]
            words[1:] = [where[:9], part[2].split(" ")[2].strip(",")]
    return " ".join(words)[:18]


def crash(error):
    """Say what happened, keep its code over the reset, and reset."""
    out = io.StringIO()
    sys.print_exception(error, out)
    text = out.getvalue()
    print(text)
    memory = machine.RTC().memory
    note = bytearray(memory())
    if len(note) != 24:
        note = bytearray(24)
        note[:2] = b"SK"
    note[2] = _CRASHED
    note[6:] = ("%-18s" % code(error, text)).encode()
    memory(note)
    machine.reset()


def show(code, ms):
    """Show a code (bytes) on the console and all displays; with ms for so long, else for ever: the call returns."""
    name = str(code, "ascii").strip()
    if ms:
        lines = ("The hub failed.", "It starts again", "and goes on with", "the deal.")
        print("The hub failed with code %s; it starts again." % name)
    else:
        lines = ("The hub cannot start.", "Connect it to a", "computer: README,", "\"Safe screen\".")
        print("The hub cannot start (code %s). Safe mode: the REPL is open." % name)
        print("Install the firmware again: python -m host deploy, or python -m host flash.")
    _paint((name, "") + lines)
    if ms:
        time.sleep_ms(ms)


def _paint(lines):
    import framebuf

    import pins
    from drivers import ili9341

    machine.Pin(pins.BACKLIGHT, machine.Pin.OUT, value=1)
    now = time.ticks_ms()
    bus = ili9341.Bus()
    panels = [ili9341.Panel(bus, s, now) for s in range(4)]
    until = time.ticks_add(now, 2000)
    while [p for p in panels if p.state < ili9341.RUNNING] and time.ticks_diff(until, time.ticks_ms()) > 0:
        time.sleep_ms(5)
        for panel in panels:
            panel.step(time.ticks_ms())
    pixels = bytearray(320 * 16 * 2)
    band = framebuf.FrameBuffer(pixels, 320, 16, framebuf.RGB565)
    small = framebuf.FrameBuffer(bytearray(8 * _LINE), 8 * _LINE, 8, framebuf.MONO_HLSB)
    for y in range(0, 240, 16):
        band.fill(0)
        row = y // 16 - 3
        if 0 <= row < len(lines):
            small.fill(0)
            small.text(lines[row], 0, 0)
            for at in range(8 * _LINE * 8):
                if small.pixel(at % (8 * _LINE), at // (8 * _LINE)):
                    band.fill_rect(at % (8 * _LINE) * 2, at // (8 * _LINE) * 2, 2, 2, 0xFFFF)
        for panel in panels:
            panel.blit(0, y, 320, 16, pixels)
