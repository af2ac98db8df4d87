"""First thing on the board: full clock speed. The rest is ``main.py``."""

import machine

machine.freq(240_000_000)
