"""The hub: make it and run it for ever. A crash leaves its traceback on the console; the watchdog restarts the hub.

The largest buffers are made first, while the heap is still in one piece, and while modules are loaded it is collected
often, so that what stays lies close together.
"""

import gc

gc.threshold(2048)

from screen.canvas import Canvas  # noqa: E402

canvas = Canvas()

from shared_rules.hints import Hints  # noqa: E402

hints = Hints()

from hub import Hub  # noqa: E402

hub = Hub(canvas, hints)
gc.threshold(16384)
hub.run()
