"""What stands in for the board's own modules inside the interpreter: `machine`, `time`, `esp32`, `neopixel`, `os`.

Each is thin: it puts bus traffic on the wire (``link.py``, ``ops.py``) and keeps no state of the hardware. They
lie ahead of everything in the interpreter's ``sys.path``. ``cpython/`` holds what CPython lacks besides (`--vm
cpython`).
"""
