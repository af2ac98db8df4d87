"""What the hub remembers between deals besides the journal: settings of the table and its seats, players and totals.

One payload of fixed layout in the slots (``slots.py``); totals belong to a player and a rule set. The totals of players
who sit at the table also stand in every deal's journal header, which is newer while a session runs: ``dirty`` says
that the payload is to be saved before the players, the rule set or the kind of deal change.

Layout: 0 version · 1 rule set · 2 turn clock in s · 4 languages · 8 layouts · 12 sorts, a byte a seat · 16 brightness %
· 17 volume % · 18 kiosk · 20 deal number of the totals · 24 code of the operator (SHA-256, 16 bytes) ·
64 players, 44 bytes each: name (24 bytes of UTF-8, zero-filled), totals by rule set (5 x 4 bytes).
"""

from micropython import const

from journal import number, put_number
from shelf import put_back

_VERSION = const(1)
_PLAYERS = const(64)
_PLAYER = const(44)
_NAME = const(24)
_RULE_SETS = const(5)
MOST_PLAYERS = const(16)

TURN_SECONDS = const(30)

# Names until a player is named: by seat, in the three languages.
NAMES = (
    ("小林", "小林", "Lin"),
    ("老周", "老周", "Zhou"),
    ("美玲", "美玲", "Meiling"),
    ("阿强", "阿強", "Qiang"),
)


class Settings:
    """The payload and its fields. ``damaged``: a slot had to be set aside when this was loaded."""

    def __init__(self, flash):
        """flash: drivers.flash.Flash."""
        self._flash = flash
        slots = self._slots()
        data = slots.load()
        self.damaged = slots.set_aside
        self.dirty = False
        whole = _PLAYERS + MOST_PLAYERS * _PLAYER
        if data is None or len(data) != whole or data[0] != _VERSION or data[1] >= _RULE_SETS:
            self.damaged = self.damaged or data is not None
            data = bytearray(whole)
            data[0] = _VERSION
            data[2] = TURN_SECONDS
            data[16] = 80
            data[17] = 60
        self.data = data
        put_back("slots")

    def _slots(self):
        from slots import Slots

        return Slots(self._flash)

    def get(self, offset):
        """A byte of the payload."""
        return self.data[offset]

    def put(self, offset, value):
        """Set a byte of the payload."""
        if self.data[offset] != value:
            self.data[offset] = value
            self.dirty = True

    def turn_seconds(self):
        """The turn clock, 0-3600 s; 0: none."""
        return self.data[2] | self.data[3] << 8

    def put_turn_seconds(self, seconds):
        """Set the turn clock."""
        self.put(2, seconds & 255)
        self.put(3, seconds >> 8)

    def name(self, player, lang):
        """A player's name; one that was never named has a seat's usual name in that language (0-2)."""
        start = _PLAYERS + player * _PLAYER
        raw = bytes(self.data[start : start + _NAME])
        end = raw.find(b"\x00")
        if end == 0:
            return NAMES[player & 3][lang]
        try:
            return str(raw if end < 0 else raw[:end], "utf-8")
        except UnicodeError:
            return NAMES[player & 3][lang]

    def total(self, player, rules_index):
        """A player's total in a rule set."""
        n = number(self.data, _PLAYERS + player * _PLAYER + _NAME + 4 * rules_index)
        return n - (1 << 32) if n & 0x80000000 else n

    def put_total(self, player, rules_index, total):
        """Set a player's total in a rule set."""
        if self.total(player, rules_index) != total:
            put_number(self.data, _PLAYERS + player * _PLAYER + _NAME + 4 * rules_index, total)
            self.dirty = True

    def deal(self):
        """The number of the deal after which the totals hold."""
        return number(self.data, 20)

    def save(self, deal_number):
        """Write the payload if it has changed; between deals only. False if the flash did not take it."""
        if not self.dirty:
            return True
        put_number(self.data, 20, deal_number)
        self.dirty = False
        slots = self._slots()
        slots.load()
        done = slots.save(self.data)
        put_back("slots")
        return done
