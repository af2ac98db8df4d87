"""What the hub remembers between deals besides the journal: settings of the table and its seats, players and totals.

One payload of fixed layout in two slots (``slots.py``), loaded and saved by ``players.py``. Totals belong to a player
and a rule set; those of the players at the table also stand in every deal's journal header, which is newer while a
session runs: ``dirty`` says that the payload is to be saved before players, rule set or kind of deal change (1), or at
the next settlement or deal, because a person has set something (2).

Layout: 0 version · 1 rule set · 2 turn clock in s · 4 languages · 8 layouts · 12 sorts, a byte a seat · 16 brightness %
· 17 volume % · 18 kiosk · 20 deal number of the totals · 24 code of the operator (SHA-256, 16 bytes) · 40 who sat at
each seat last, a player's number + 1, 0 nobody · 64 sixteen players and the computers at the four seats, 44 bytes each:
name (24 bytes of UTF-8, zero-filled), totals by rule set (5 x 4 bytes).
"""

from micropython import const

VERSION = const(1)

RULES = const(1)
LANGS = const(4)
LAYOUTS = const(8)
BRIGHTNESS = const(16)
VOLUME = const(17)
KIOSK = const(18)
SITTERS = const(40)


class Settings:
    """The payload and its fields. ``damaged``: a slot had to be set aside when this was loaded."""

    def __init__(self, flash, data, damaged):
        self.flash = flash
        self.data = data
        self.damaged = damaged
        self.dirty = 0

    def get(self, offset):
        """A byte of the payload."""
        return self.data[offset]

    def put(self, offset, value):
        """Set a byte of the payload."""
        if self.data[offset] != value:
            self.data[offset] = value
            self.dirty = 2

    def turn_seconds(self):
        """The turn clock, 0-3600 s; 0: none."""
        return self.data[2] | self.data[3] << 8

    def put_turn_seconds(self, seconds):
        """Set the turn clock."""
        self.put(2, seconds & 255)
        self.put(3, seconds >> 8)
