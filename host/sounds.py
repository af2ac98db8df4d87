"""The hub's sounds, from two tables of notes to ``sounds.pcm``: ``python -m host sounds``.

A sound is a score of blocks, 32 ms each (256 samples of 16 bits, little-endian, 8 kHz). A block is a wave of ``WAVES``
played softer by so many halvings. Every wave begins and ends at zero and its partials have whole periods in the block,
so that blocks join without a click; a wave that falls to a half goes on in the same wave a halving softer.

The file, as ``firmware/sound.py`` reads it: 512 bytes of scores, 32 for each of the 16 sounds of ``SOUNDS`` (a byte a
block: number of the wave, from 1, times 8, plus halvings; 0 ends it), then 512 bytes for each wave. It is made when the
board's files are packed and is not kept.
"""

import argparse
import math
import random
import struct
import wave
from pathlib import Path

from . import statuses

RATE = 8000  # Hz
SAMPLES = 256  # in a block
BLOCK = 2 * SAMPLES
LONGEST = 32  # blocks in a score
PEAK = 20000  # of the loudest wave: there is no headroom in a small speaker

# Partials as (periods in a block, loudness): n periods are 31.25 Hz * n. 8:10:12:16 is a major chord.
_BELL = ((1, 1.0), (2, 0.35), (3, 0.12))
_BUZZ = ((1, 1.0), (3, 0.5), (5, 0.3), (7, 0.2))

# name: (periods of the note, partials of it, loudness, how it falls inside the block)
NOTES = {
    "c4": (8, _BELL, 0.9, "half"),
    "e4": (10, _BELL, 0.9, "half"),
    "g4": (12, _BELL, 0.9, "half"),
    "c5": (16, _BELL, 0.8, "half"),
    "e5": (20, _BELL, 0.8, "half"),
    "g5": (24, _BELL, 0.7, "half"),
    "a5": (27, _BELL, 0.7, "half"),
    "b5": (30, _BELL, 0.7, "half"),
    "c6": (32, _BELL, 0.6, "half"),
    "e6": (40, _BELL, 0.5, "half"),
    "thump": (2, ((1, 1.0), (2, 0.6)), 1.0, "half"),
    "wood": (14, ((1, 1.0), (3, 0.4)), 0.7, "away"),
    "buzz": (4, _BUZZ, 0.5, "flat"),
    "major": (8, ((2, 1.0), (2.5, 0.8), (3, 0.8), (4, 0.6)), 0.9, "half"),
    "minor": (5, ((2, 1.0), (2.4, 0.8), (3, 0.7)), 0.9, "half"),
}
# name: (lowest and highest partial, loudness, how it falls); the partials' phases are drawn by lot, the same each time.
NOISES = {
    "rumble": (1, 14, 1.0, "flat"),
    "roar": (2, 40, 1.0, "flat"),
    "crack": (8, 120, 1.0, "half"),
    "slap": (10, 90, 0.8, "away"),
    "riffle": (50, 124, 0.5, "away"),
}
WAVES = ("rest", *NOTES, *NOISES)

# Words are waves, "a:2" a quarter as loud; the order is that of firmware/sound.py.
SOUNDS = {
    "bomb": "crack crack:1 roar:1 rumble:1 rumble:1 rumble:2 rumble:2 rumble:3 rumble:4 rumble:5",
    "big": "thump crack crack roar roar:1 rumble rumble rumble rumble:1 rumble:1 rumble:1 rumble:2 rumble:2 rumble:3"
    " rumble:3 rumble:4 rumble:5",
    "biggest": "c5 e5 g5 a5 c6 e6 e6 thump crack crack crack roar roar roar rumble rumble rumble rumble rumble:1"
    " rumble:1 rumble:1 rumble:1 rumble:2 rumble:2 rumble:2 rumble:3 rumble:3 rumble:4 rumble:4 rumble:5 rumble:6",
    "clock": "b5 b5:3 b5 b5:3 rest rest b5 b5:3 b5 b5:3",
    "win": "c5 c5:1 e5 e5:1 g5 g5:1 rest c6 c6:1 g5 g5:1 rest c6 major major:1 major major:1 major:2 major:3 major:4"
    " major:5 major:6",
    "lose": "g4 g4:1 rest g4 e4 e4:1 rest e4 minor minor:1 minor:1 minor:2 minor:3 minor:4 minor:5",
    "deal": "riffle riffle riffle:1 riffle riffle riffle:1 riffle riffle:1 riffle:2 slap:1",
    "resumed": "g4 g4:1 c5 c5:1 e5 e5:1 e5:2 e5:3 e5:4",
    "pass": "wood:1",
    "play": "slap wood:2",
    "ready": "wood:2 wood:1",
    "refused": "buzz:1 buzz:1 rest buzz:1 buzz:1 buzz:3",
    "trick": "riffle:1 rest riffle:1 riffle:2 riffle:3",
    "out": "c5 c5:1 e5 e5:1 g5 g5:1 c6 c6:1 c6:2 c6:3 c6:4",
    "warning": "a5 a5:1 e5 e5:1 c5 c5:1 c5:2 c5:3",
    "turn": "e5:1 e5:2 a5:1 a5:2 a5:3 a5:4",
}


def _falls(kind, i):
    """Loudness at sample i of a block."""
    if kind == "half":
        return 0.5 ** (i / SAMPLES)
    if kind == "away":
        return math.exp(-i / 50) * (1 - i / SAMPLES)
    return 1.0


def _samples(name):
    """A wave as whole numbers."""
    if name == "rest":
        return [0] * SAMPLES
    if name in NOTES:
        periods, partials, loud, kind = NOTES[name]
        parts = [(periods * n, much, 0.0) for n, much in partials if periods * n < SAMPLES / 2]
    else:
        low, high, loud, kind = NOISES[name]
        lot = random.Random(name)
        parts = [(n, n**-0.5, lot.random()) for n in range(low, high + 1)]
        # Noise begins at zero, too: its partials' values there are taken off by one more, of the lowest kind.
        parts.append((low, -sum(much * math.sin(math.tau * at) for _, much, at in parts), 0.25))
    if any(n != int(n) for n, _, _ in parts):
        raise ValueError(f"a partial of {name} has no whole number of periods in a block")
    plain = [
        sum(much * math.sin(math.tau * (n * i / SAMPLES + at)) for n, much, at in parts) for i in range(SAMPLES)
    ]
    most = max(abs(v) for v in plain)
    return [round(PEAK * loud * v / most * _falls(kind, i)) for i, v in enumerate(plain)]


def score(name):
    """The bytes of a sound's score, without its end. ValueError says what is wrong with the row."""
    out = bytearray()
    for word in SOUNDS[name].split():
        wave_, _, softer = word.partition(":")
        if wave_ not in WAVES or not 0 <= int(softer or 0) <= 7:
            raise ValueError(f"{name}: there is no block {word}")
        out.append((WAVES.index(wave_) + 1) << 3 | int(softer or 0))
    if len(out) >= LONGEST:
        raise ValueError(f"{name} is longer than {LONGEST - 1} blocks")
    return bytes(out)


_made = []


def pcm():
    """The bytes of ``sounds.pcm``."""
    if not _made:
        scores = b"".join(score(name).ljust(LONGEST, b"\0") for name in SOUNDS)
        waves = b"".join(struct.pack(f"<{SAMPLES}h", *_samples(name)) for name in WAVES)
        _made.append(scores.ljust(BLOCK, b"\0") + waves)
    return _made[0]


def samples(name, data=None):
    """The samples (bytes) of a sound at full volume, from the file as the hub plays it."""
    data = data or pcm()
    at = LONGEST * list(SOUNDS).index(name)
    out = bytearray()
    for block in data[at : at + LONGEST].split(b"\0")[0]:
        from_ = (block >> 3) * BLOCK
        values = struct.unpack(f"<{SAMPLES}h", data[from_ : from_ + BLOCK])
        out += struct.pack(f"<{SAMPLES}h", *[v >> (block & 7) for v in values])
    return bytes(out)


def main(argv):
    """The command. Returns an exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m host sounds",
        description="List the hub's sounds; write them as WAV files to listen to.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("sounds")
        + """

examples:
  python -m host sounds
  python -m host sounds --wav sounds""",
    )
    parser.add_argument("--wav", type=Path, metavar="FOLDER", help="write each sound as FOLDER/NAME.wav")
    args = parser.parse_args(argv)
    print(f"{'sound':<10}{'blocks':>7}{'ms':>7}")
    for name in SOUNDS:
        print(f"{name:<10}{len(score(name)):>7}{len(score(name)) * 1000 * SAMPLES // RATE:>7}")
    print(f"sounds.pcm: {len(pcm())} bytes")
    if args.wav:
        try:
            args.wav.mkdir(parents=True, exist_ok=True)
            for name in SOUNDS:
                with wave.open(str(args.wav / f"{name}.wav"), "wb") as file:
                    file.setnchannels(1)
                    file.setsampwidth(2)
                    file.setframerate(RATE)
                    file.writeframes(samples(name))
        except OSError as error:
            print(f"The sounds cannot be written: {error}.")
            return 1
    return 0
