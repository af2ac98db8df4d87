"""The hub: make it and run it for ever. A crash leaves its traceback on the console; the watchdog restarts the hub.

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

shelf.show_names()
hub = Hub(canvas, hints)
shelf.made(Hub, Canvas, Hints)
gc.threshold(16384)
hub.run()
