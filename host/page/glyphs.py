"""The glyphs of the ranks, for the page to read a hand from its own picture (``static/hand.js``).

Taken from the screens' own font (``firmware/screen/type.bin``; its format stands in ``host/fonts.py``).
"""

import struct
from pathlib import Path

TYPE = Path(__file__).resolve().parents[2] / "firmware" / "screen" / "type.bin"
RANKS = "3456789TJQKA2"
JOKERS = "xX"
_RANK, _MARK = 6, 8  # faces
_HEAD, _FACE = 12, struct.Struct("<BBBBHHII")


def ranks(path=TYPE):
    """{rank letter: rows of "0" and "1", cut to the ink}; empty if there is no such font."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    found = {letter: _glyph(data, _RANK, letter) for letter in RANKS}
    return found | {letter: _glyph(data, _MARK, letter) for letter in JOKERS}


def _glyph(data, face, letter):
    width, height, stride, _, count, size, codes, records = _FACE.unpack_from(data, _HEAD + _FACE.size * face)
    numbers = dict(struct.unpack_from("<HH", data, codes + 4 * k) for k in range(count))
    at = records + numbers[ord(letter)] * size + 1  # behind the advance
    rows = []
    for y in range(height):
        bits = int.from_bytes(data[at + y * stride : at + (y + 1) * stride], "big")
        rows.append(f"{bits:0{8 * stride}b}"[:width])
    inked = [y for y, row in enumerate(rows) if "1" in row]
    rows = rows[inked[0] : inked[-1] + 1]
    left = min(row.index("1") for row in rows if "1" in row)
    right = max(row.rfind("1") for row in rows)
    return [row[left : right + 1] for row in rows]
