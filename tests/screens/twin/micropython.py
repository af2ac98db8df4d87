"""The part of MicroPython's module of this name that the screens import."""


def const(value):
    return value
