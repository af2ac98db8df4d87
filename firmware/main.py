"""Starts the hub: ``starter.py`` chooses the version, ``running.py`` of that version makes the hub, which runs.

An error leaves its traceback on the console; the hub is started again and says so (``safe.py``). This file and those
beside it at the root are hardly ever written: what changes lies in the two slots.
"""

import micropython

micropython.kbd_intr(-1)  # again: the interpreter lets Ctrl-C in anew for each file that it starts (locking.py)

import sys  # noqa: E402

hub = None
try:
    hub = __import__("starter").boot()
    del sys.modules["starter"]
    if hub:
        hub = __import__("running").hub
        del sys.modules["running"]
        hub.run()
except Exception as error:
    hub = None
    __import__("safe").crash(error)
