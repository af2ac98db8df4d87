"""`framebuf` on CPython draws pixel for pixel as MicroPython's."""

import pytest

DRAW = """
import framebuf
import hashlib

FORMATS = (
    ("rgb565", framebuf.RGB565, 16), ("mono_vlsb", framebuf.MONO_VLSB, 1), ("mono_hlsb", framebuf.MONO_HLSB, 1),
    ("mono_hmsb", framebuf.MONO_HMSB, 1), ("gs2", framebuf.GS2_HMSB, 2), ("gs4", framebuf.GS4_HMSB, 4),
    ("gs8", framebuf.GS8, 8),
)
state = 1


def rnd(low, high):
    global state
    state = (state * 1103515 + 12345) % 2147483647
    return low + (state >> 8) % (high - low + 1)


def digest(buf):
    return "".join(["%02x" % b for b in hashlib.sha256(buf).digest()[:8]])


for name, kind, bits in FORMATS:
    w, h = 37, 29
    buf = bytearray(w * h * 2 + 80)
    fb = framebuf.FrameBuffer(buf, w, h, kind)
    top = (1 << bits) - 1
    small = bytearray(range(200))
    for k in range(120):
        c = rnd(0, top)
        x, y, a, b = rnd(-10, 45), rnd(-10, 40), rnd(-5, 40), rnd(-5, 40)
        what = k % 8
        if what == 0:
            fb.fill_rect(x, y, a, b, c)
        elif what == 1:
            fb.line(x, y, a, b, c)
        elif what == 2:
            fb.rect(x, y, a, b, c)
        elif what == 3:
            fb.hline(x, y, a, c)
            fb.vline(x, y, b, c)
        elif what == 4:
            fb.pixel(x, y, c)
        elif what == 5:
            fb.blit(framebuf.FrameBuffer(small, 10, 8, kind), x, y, rnd(-1, 3))
        elif what == 6:
            ink = framebuf.FrameBuffer(bytearray(16), 4, 1, framebuf.RGB565 if bits == 16 else framebuf.GS8)
            for i in range(4):
                ink.pixel(i, 0, rnd(0, top))
            glyph = framebuf.FrameBuffer(small, 11, 9, framebuf.MONO_HLSB if k & 8 else framebuf.GS2_HMSB)
            fb.blit(glyph, x, y, ink.pixel(0, 0) if k & 16 else -1, ink)
        else:
            fb.scroll(rnd(-3, 3), rnd(-3, 3))
    if kind == framebuf.RGB565:
        say("drawn", format=name, digest=digest(buf), pixel=fb.pixel(5, 5))
    else:
        say("drawn", format=name, digest=digest(buf))
    time.sleep_ms(1)
say("done")
idle()
"""


@pytest.mark.parametrize("vm", ["both"], indirect=True)
def test_both_interpreters_draw_the_same(script, vm):
    seen = []
    for name in ("micropython", "cpython"):
        s = script(DRAW, vm=name)
        s.until("done")
        seen.append([(e["format"], e["digest"], e.get("pixel")) for e in s.events if e["ev"] == "drawn"])
    assert len(seen[0]) == 7
    assert seen[0] == seen[1]
