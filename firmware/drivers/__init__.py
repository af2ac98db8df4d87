"""One module a part of the hub: displays, pads, clock, ring, sound, flash. Enter through ``hub.py``.

A driver owns its pins and buffers, is made once, and never waits longer than a transfer takes: longer delays are
deadlines that its ``step(now)`` compares.
"""
