"""The wire as the interpreter has it: an inherited socket, a small buffer of posted messages, one answer.

``now`` (ns since reset) and ``levels`` (GPIO bits) hold what the last answer said. ``stale`` is True when
time has passed since that is not known here, ``moved`` when a pin was written: then they must be asked for anew
(``fence``).
"""

import sys
from array import array
from struct import pack_into

import ops

_SIZE = 512  # posted messages gather here; longer payloads are written straight from the caller's buffer
_INLINE = 128

_file = open(int(sys.argv[1]), "r+b")
_out = bytearray(_SIZE)
_head = bytearray(4)
_reply = array("q", (0, 0, 0, 0))
_pair = bytearray(8)
# The console is a file: its position tells whether something was written since the supervisor last looked. (On the
# virtual board it is a terminal without a position; there nothing is ever quiet, and nobody asks.)
_console = open(1, "r+b")
# The flash is a file, too. Reading it costs no time, so it is read without asking; programs and erases go over
# the wire.
_flash = open(int(sys.argv[2]), "rb")

now = 0
levels = 0
stale = True
moved = True
timers = []  # machine.Timer objects that run
direct = False  # post without gathering: nobody knows what comes next (at the prompt)
_quiet = 0  # until then nothing comes from outside
_written = -1
_n = 0


def flush():
    global _n
    if _n:
        _file.write(_out, _n)
        _n = 0


def pin(n, level):
    """A GPIO level: posted."""
    global _n, moved
    if _n > _SIZE - 4:
        flush()
    _out[_n] = ops.PIN
    _out[_n + 1] = n | 128 if level else n
    _out[_n + 2] = 0
    _out[_n + 3] = 0
    _n += 4
    moved = True
    if direct:
        flush()


def post(op, arg, buf):
    """A message with a payload of at most 65535 bytes: posted. Whoever sends one that takes time says so after it."""
    global _n
    size = len(buf)
    if _n + 4 + (size if size <= _INLINE else 0) > _SIZE:
        flush()
    n = _n
    _out[n] = op
    _out[n + 1] = arg
    _out[n + 2] = size & 255
    _out[n + 3] = size >> 8
    n += 4
    if size <= _INLINE:
        _out[n : n + size] = buf
        _n = n + size
    else:
        _n = n
        flush()
        _file.write(buf)
    if direct:
        flush()


def spend(ns):
    """The posted messages take so long."""
    global now, stale
    now += ns
    if now >= _quiet:
        stale = True


def lapse():
    """The posted messages take time that is not known here, or what was quiet may no longer be."""
    global stale
    stale = True


def post_word(op, arg, value):
    pack_into("<I", _pair, 0, value)
    post(op, arg, _word)


def call(op, arg, buf, answer=None):
    """A synchronous message; fills ``answer`` if the result is not negative. Returns the result."""
    global now, levels, stale, moved, _quiet, _written
    post(op, arg, buf)
    flush()
    if _file.readinto(_reply) != 32:
        sys.exit(3)  # the supervisor is gone
    now = _reply[0]
    levels = _reply[1]
    _quiet = _reply[3]
    stale = moved = False
    result = _reply[2]
    if answer is not None and result >= 0:
        _file.readinto(answer)
    if timers:
        for timer in timers:
            timer.look(now)
    if _quiet < 0:
        raise KeyboardInterrupt
    return result


def call_words(op, arg, a, b=0, answer=None):
    """A synchronous message with two 32-bit numbers."""
    pack_into("<II", _pair, 0, a, b)
    return call(op, arg, _pair, answer)


def fence():
    call(ops.FENCE, 0, b"")


error = OSError  # MicroPython takes its errno from the only argument


def flash_read(address, buf):
    _flash.seek(address)
    _flash.readinto(buf)


def sleep(us):
    """Let time pass. Nothing is asked while nothing can come from outside and nothing was said on the console."""
    global now, _written
    end = (now // 1000 + us) * 1000  # the board's timer counts whole microseconds
    if not stale and end < _quiet and _console.tell() == _written:
        now = end
        pack_into("<I", _pair, 0, us)
        post(ops.SLEPT, 0, _word)
    else:
        call_words(ops.SLEEP, 0, us & 0xFFFFFFFF, us >> 32)
        if _quiet:
            _written = _console.tell()


_word = memoryview(_pair)[:4]
