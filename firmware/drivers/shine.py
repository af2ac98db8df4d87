"""What moves on the ring: a big play, by its stars, and the end of a deal. In memory only while it does (``shelf.py``).

A big play begins at its player's place and runs round: one light for six stars, two for seven, three for more, each
with a tail; from eight stars on the whole ring flares up with every fourth picture. The end of a deal: the places of
those who won fill up from their middle and breathe.
"""

from micropython import const

_QUARTER = const(6)  # pixels a seat
_MOST = const(3)

_TAIL = ((60, 42, 8), (48, 14, 3), (26, 5, 2), (12, 2, 1), (5, 1, 0))  # amber to ember to nearly dark
_GROUND = (2, 0, 0)
_FLARE = (30, 16, 3)
_DARK = (0, 0, 0)
_WON = ((4, 10, 8), (8, 20, 16), (14, 36, 30), (8, 20, 16))  # the colour of the own team on the screens


def frame(pixels, what, n):
    """Set the pixels of picture n (-60 to 0). what: as in ``ring.Ring.show``."""
    count = len(pixels)
    if what & 256:
        reach = min((n >> 2) + 16, 3)  # pixels to both sides of the middle of a place
        for i in range(count):
            from_middle = i % _QUARTER - 3
            near = from_middle < reach and -from_middle <= reach
            pixels[i] = _WON[n >> 3 & 3] if what >> i // _QUARTER & 1 and near else _DARK
        return
    stars = what & 15
    ground = _FLARE if stars > 7 and n & 3 == 0 else _GROUND
    for i in range(count):
        pixels[i] = ground
    lights = min(stars - 5, _MOST)
    for k in range(lights):
        head = (what >> 4) * _QUARTER + 3 + n + k * count // lights
        for j in range(4, -1, -1):
            pixels[(head - j) % count] = _TAIL[j]
