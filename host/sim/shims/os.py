"""The interpreter's `os`, with random bytes from the supervisor so that virtual time repeats to the byte."""

import link
import ops
import uos


def urandom(n):
    buf = bytearray(n)
    link.call_words(ops.RANDOM, 0, n, 0, buf)
    return bytes(buf)


def __getattr__(name):
    return getattr(uos, name)
