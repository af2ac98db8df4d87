"""Tools that speak to a running hub over its serial console: one module a command, and what they share.

``link`` finds the port and asks the hub; ``archive`` keeps the record in SQLite; ``common`` has the options and what a
terminal shows. The commands of the console are the firmware's (``firmware/commands.py``).
"""
