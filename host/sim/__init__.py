"""The simulated table: the firmware as it is, in a real MicroPython, over hardware simulated at the level of the bus.

``cli.py`` is the command (`python -m host simulate`), ``table.py`` the supervisor (``SimTable``), ``vm.py`` the
interpreter's process and its wire, ``models/`` one readable file a chip, ``shims/`` the thin ``machine`` and ``time``
that run inside the interpreter. ``player.py`` plays with pad keys as a person would.
"""
