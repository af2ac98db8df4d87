"""Pictures on the wire: rectangles of a display's memory as binary messages.

A message is little-endian 16-bit words: its number (0-32767), then for each rectangle ``seat x y w h`` and
w*h pixels as the panel holds them (RGB565, big-endian, row by row). The page answers ``{"ack": number}``
when it has drawn it; a browser that is slow therefore gets fewer, larger updates and never a queue of old
ones.

A message that begins with ``SOUND`` instead of a number holds what the hub's loudspeaker got: the speed of the table in
hundredths, the sample rate in Hz (32 bits), and 16-bit samples, mono.
"""

import struct

WIDTH, HEIGHT = 320, 240
FULL = (0, 0, WIDTH, HEIGHT)
FRAME_BYTES = WIDTH * HEIGHT * 2
BLACK = bytes(FRAME_BYTES)
MESSAGE = struct.Struct("<H")
RECTANGLE = struct.Struct("<5H")
SOUND = 0xFFFF
NUMBERS = 0x8000
SAMPLES = struct.Struct("<HHI")


def union(a, b):
    """The smallest rectangle (x0, y0, x1, y1; x1 and y1 exclusive) around both; either may be None."""
    if a is None or b is None:
        return a or b
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def exclusive(dirty):
    """A rectangle as the display model tells it (last column and row included) in the form used here."""
    x0, y0, x1, y1 = dirty
    return x0, y0, x1 + 1, y1 + 1


def cut(frame, rectangle):
    """The pixels of a rectangle of a whole frame (FRAME_BYTES), row by row."""
    x0, y0, x1, y1 = rectangle
    if x0 == 0 and x1 == WIDTH:
        return frame[y0 * WIDTH * 2 : y1 * WIDTH * 2]
    rows = memoryview(frame)
    return b"".join(rows[(y * WIDTH + x0) * 2 : (y * WIDTH + x1) * 2] for y in range(y0, y1))


def pack(number, parts):
    """One message. ``parts``: (seat, rectangle, frame) each."""
    pieces = [MESSAGE.pack(number)]
    for seat, rectangle, frame in parts:
        x0, y0, x1, y1 = rectangle
        pieces.append(RECTANGLE.pack(seat, x0, y0, x1 - x0, y1 - y0))
        pieces.append(cut(frame, rectangle))
    return b"".join(pieces)


def pack_sound(speed, rate, samples):
    """A message of samples (bytes) that were played at ``rate`` Hz of the table's time, ``speed`` times the wall's."""
    return SAMPLES.pack(SOUND, round(speed * 100), rate) + samples


def unpack(message):
    """(number, [(seat, x, y, w, h, pixels)]) of a message: the reverse of ``pack``, for tests and tools."""
    (number,) = MESSAGE.unpack_from(message)
    at, parts = MESSAGE.size, []
    while at < len(message):
        seat, x, y, w, h = RECTANGLE.unpack_from(message, at)
        at += RECTANGLE.size
        parts.append((seat, x, y, w, h, message[at : at + w * h * 2]))
        at += w * h * 2
    return number, parts
