"""The board as it is seen over USB: a virtual one, and the tools that flash a real or a virtual one.

``VirtualBoard`` (``virtual.py``) is the simulated table behind a serial port; ``python -m host virtual-board`` runs
one. ``rom.py`` is the ESP32's ROM loader, ``usb.py`` the cable, ``vm.py`` the interpreter with its REPL on it.
"""
