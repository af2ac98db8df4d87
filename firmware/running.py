"""The hub, made: ``hub``. ``main.py`` takes it, forgets this module and runs it.

Order matters for the heap: the largest buffers first, while it is in one piece; then what stays; then every module of
the shelf once, so that their names (which stay, too) lie low; while all that is loaded it is collected often.
"""

import gc

gc.threshold(2048)

from screen.canvas import Canvas  # noqa: E402

canvas = Canvas()

from shared_rules.hints import Hints  # noqa: E402

hints = Hints()

import shelf  # noqa: E402
from hub import Hub  # noqa: E402
from sound import Sound  # noqa: E402

shelf.show_names()
hub = Hub(canvas, hints)
shelf.made(Hub, Canvas, Hints, Sound)
shelf.put_back("drivers.max98357", "assembly", "pins", "players", "slots")
hub.note_heap()
hub.watchdog = __import__("starting").start(hub)
shelf.put_back("starting", "version")
gc.threshold(16384)
