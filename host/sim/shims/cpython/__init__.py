"""What CPython lacks to run the firmware's sources: MicroPython's own modules, and its wire in CPython's terms."""
