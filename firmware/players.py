"""Players and what is kept of them: names, totals by rule set, and writing the settings to the flash.

In memory only while it is used (``shelf.py``). ``settings`` is a ``settings.Settings``, whose payload this reads.
"""

from micropython import const

import settings as layout
from journal import number, put_number
from slots import Slots

MOST = const(16)  # players; the computer at seat s is number MOST + s
_ROWS = const(20)
_FIRST = const(64)  # offset of the first player
_SIZE = const(44)
_NAME = const(24)
_RULE_SETS = const(5)

# Names until a player is named: by seat, in the three languages.
_NAMES = (
    ("小林", "小林", "Lin"),
    ("老周", "老周", "Zhou"),
    ("美玲", "美玲", "Meiling"),
    ("阿强", "阿強", "Qiang"),
)


def load(flash):
    """The settings of the flash, or new ones; ``damaged`` tells that a slot had to be set aside."""
    slots = Slots(flash)
    data = slots.load()
    damaged = slots.set_aside
    whole = _FIRST + _ROWS * _SIZE
    if data is not None and len(data) == _FIRST + MOST * _SIZE:  # before the computers had totals of their own
        data += bytes(whole - len(data))
    if data is None or len(data) != whole or data[0] != layout.VERSION or data[1] >= _RULE_SETS:
        damaged = damaged or data is not None
        data = bytearray(whole)
        data[0] = layout.VERSION
        data[2] = 30
        data[16] = 80
        data[17] = 60
    return layout.Settings(flash, data, damaged)


def save(settings, deal_number):
    """Write the payload if it has changed; between deals only. False if the flash did not take it."""
    if not settings.dirty:
        return True
    put_number(settings.data, 20, deal_number)
    slots = Slots(settings.flash)
    slots.load()
    if not slots.save(settings.data):
        return False
    settings.dirty = 0
    return True


def named(settings, player):
    """The name that a player was given, "" if none."""
    start = _FIRST + player * _SIZE
    raw = bytes(settings.data[start : start + _NAME])
    end = raw.find(b"\x00")
    try:
        return str(raw if end < 0 else raw[:end], "utf-8")
    except UnicodeError:
        return ""


def name(settings, player, lang):
    """A player's name; one that was never named has a seat's usual name in that language (0-2)."""
    return named(settings, player) or _NAMES[player & 3][lang]


def put_name(settings, player, text):
    """Name a player: at most 24 bytes of UTF-8, "" takes the name away."""
    raw = text.encode()
    start = _FIRST + player * _SIZE
    settings.data[start : start + _NAME] = raw + bytes(_NAME - len(raw))
    settings.dirty = 2


def total(settings, player, rules_index):
    """A player's total in a rule set."""
    n = number(settings.data, _FIRST + player * _SIZE + _NAME + 4 * rules_index)
    return n - (1 << 32) if n & 0x80000000 else n


def put_total(settings, player, rules_index, n):
    """Set a player's total in a rule set."""
    if total(settings, player, rules_index) != n:
        put_number(settings.data, _FIRST + player * _SIZE + _NAME + 4 * rules_index, n)
        settings.dirty = settings.dirty or 1
