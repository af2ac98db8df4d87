"""Pictures of what a display shows."""

from array import array

from .models.ili9341 import HEIGHT, WIDTH


def image(frame):
    """A Pillow image (RGB, 320 x 240) of a frame: big-endian RGB565, row by row."""
    from PIL import Image

    pixels = array("H", frame)
    pixels.byteswap()  # to little-endian, which is what the decoder below reads
    return Image.frombytes("RGB", (WIDTH, HEIGHT), pixels.tobytes(), "raw", "BGR;16")


def save(frame, path):
    """Write a frame as a picture; the suffix says the format (PNG without one). OSError, ValueError."""
    path = str(path)
    name = path.rsplit("/", 1)[-1]
    image(frame).save(path, format=None if "." in name else "PNG")
