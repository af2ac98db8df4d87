"""The wire on CPython: the twin of ``../link.py``, with the same names and the same messages."""

import os
import sys
from array import array
from struct import pack_into

import ops

_SIZE = 4096

_fd = int(sys.argv[2])
_flash = int(sys.argv[3])
_out = bytearray()
_reply = array("q", (0, 0, 0, 0))
_pair = bytearray(8)
_word = memoryview(_pair)[:4]

now = 0
levels = 0
stale = True
moved = True
_quiet = 0
_written = -1


def flush():
    view = memoryview(bytes(_out))
    _out.clear()
    try:
        while view:
            view = view[os.write(_fd, view) :]
    except OSError:
        os._exit(3)  # the supervisor is gone


def _fill(buf):
    view = memoryview(buf).cast("B")
    while view:
        got = os.readv(_fd, [view])
        if not got:
            os._exit(3)  # the supervisor is gone
        view = view[got:]


def pin(n, level):
    """A GPIO level: posted."""
    global moved
    _out.extend((ops.PIN, n | 128 if level else n, 0, 0))
    moved = True


def post(op, arg, buf):
    """A message with a payload of at most 65535 bytes: posted. Whoever sends one that takes time says so after it."""
    size = len(buf)
    _out.extend((op, arg, size & 255, size >> 8))
    _out.extend(buf)
    if len(_out) > _SIZE:
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
    global now, levels, stale, moved, _quiet
    post(op, arg, buf)
    flush()
    _fill(_reply)
    now, levels, result, _quiet = _reply
    stale = moved = False
    if answer is not None and result >= 0:
        _fill(answer)
    return result


def call_words(op, arg, a, b=0, answer=None):
    """A synchronous message with two 32-bit numbers."""
    pack_into("<II", _pair, 0, a, b)
    return call(op, arg, _pair, answer)


def fence():
    call(ops.FENCE, 0, b"")


def error(n):
    """An OSError with this errno, which CPython takes from the first of two arguments."""
    return OSError(n, os.strerror(abs(n)))


def flash_read(address, buf):
    view = memoryview(buf)
    view[:] = os.pread(_flash, len(view), address)


def sleep(us):
    """Let time pass. Nothing is asked while nothing can come from outside and nothing was said on the console."""
    global now, _written
    end = (now // 1000 + us) * 1000  # the board's timer counts whole microseconds
    if not stale and end < _quiet and os.lseek(1, 0, os.SEEK_CUR) == _written:
        now = end
        post_word(ops.SLEPT, 0, us)
    else:
        call_words(ops.SLEEP, 0, us & 0xFFFFFFFF, us >> 32)
        _written = os.lseek(1, 0, os.SEEK_CUR)
