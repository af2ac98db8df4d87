"""The hub: make it and run it for ever. A crash leaves its traceback on the console; the watchdog restarts the hub."""

from hub import Hub

Hub().run()
