"""The rules engine: pure, compact, the same on CPython and MicroPython."""
