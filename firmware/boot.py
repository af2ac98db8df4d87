"""First thing on the board: Ctrl-C shut out, full clock speed, a watchdog kept fed at the REPL. Then ``main.py``.

Whether Ctrl-C may reach the REPL is for the operator to say (``locking.py``): ``starting.py`` lets it in again. A
watchdog outlives a soft reset, which is how mpremote enters the REPL: a timer feeds it there, until ``starting.py``
stops it.
"""

import micropython

micropython.kbd_intr(-1)

import machine  # noqa: E402

machine.freq(240_000_000)
if machine.reset_cause() == machine.SOFT_RESET:
    machine.Timer(0, period=2000, callback=lambda timer: machine.WDT(timeout=8000).feed())
