"""First thing on the board: Ctrl-C shut out, full clock speed. The rest is ``main.py``.

Whether Ctrl-C may reach the REPL is for the operator to say (``locking.py``): ``starting.py`` lets it in again.
"""

import micropython

micropython.kbd_intr(-1)

import machine  # noqa: E402

machine.freq(240_000_000)
