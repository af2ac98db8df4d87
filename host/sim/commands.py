"""The commands of SIMULATOR.md, one row each: what a line may ask of the table.

``obey(table, line)`` takes a dict and gives the answer as a dict; whatever is wrong with the line is answered with
``{"ok": False, "why": one sentence}``. Called with the table's lock held.
"""

from .board import STUCK_CLOCKS
from .clock import MS
from .player import play

_LONGEST_MS = 1_000_000_000
_MOST = 1_000_000


class Bad(Exception):
    """What is wrong with a line; the text is one sentence."""


def obey(table, line, commands=None):
    """Do what the line says. ``commands``: another table than COMMANDS. Returns the answer."""
    commands = commands or COMMANDS
    try:
        if not isinstance(line, dict):
            raise Bad("A line is one JSON object.")
        names = [name for name in commands if name in line]
        if len(names) != 1:
            known = ", ".join(commands)
            raise Bad(f"A line has exactly one of: {known}.")
        act, besides = commands[names[0]]
        for key in line:
            if key != names[0] and key not in besides:
                raise Bad(f"'{names[0]}' knows no '{key}'.")
        return act(table, line[names[0]], line)
    except Bad as bad:
        return {"ok": False, "why": str(bad)}


def number(value, name, low, high):
    """A whole number in a range, or Bad."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Bad(f"'{name}' is a whole number from {low} to {high}.")
    return value


def _object(value, name, keys):
    if not isinstance(value, dict):
        raise Bad(f"'{name}' takes an object.")
    for key in value:
        if key not in keys:
            raise Bad(f"'{name}' knows no '{key}'.")
    return value


def _seat(value):
    return number(value.get("seat"), "seat", 0, 3)


def _on(table):
    if table.crashed is not None:
        raise Bad("The firmware has crashed; cut the power and put it on again.")
    if not table.powered:
        raise Bad("The power is off.")


def _press(table, value, line):
    value = _object(value, "press", ("seat", "key", "ms"))
    seat, key = _seat(value), value.get("key")
    if not isinstance(key, str) or key not in table.pins.KEYS:
        raise Bad("A pad's keys are " + ", ".join(table.pins.KEYS) + ".")
    ms = number(value.get("ms", line.get("ms", 60)), "ms", 1, 600_000)
    _on(table)
    table.pass_time(table.tap(seat, key, ms) - table.outside())
    return {"ok": True}


def _advance(table, value, line):
    ms = number(value, "advance", 0, _LONGEST_MS)
    table.pass_time(ms * MS)
    return {"ok": True, "t": table.clock.ms()}


def _until(table, value, line):
    if not isinstance(value, str):
        raise Bad("'until' takes the name of an event.")
    ms = number(line.get("ms"), "ms", 0, _LONGEST_MS)
    seat = line.get("seat")
    if seat is not None:
        number(seat, "seat", 0, 3)
    found = table.wait_for(lambda e: e["ev"] == value and (seat is None or e.get("seat") == seat), ms)
    answer = {"ok": found is not None, "t": table.clock.ms()}
    if found is None and table.crashed is not None:
        answer["why"] = "The firmware has crashed."
    elif found is None and not table.powered:
        answer["why"] = "The power is off."
    return answer


def _play(table, value, line):
    value = _object(value, "play", ("seat", "cards", "pass", "as"))
    seat = _seat(value)
    if (value.get("pass") is True) == ("cards" in value):
        raise Bad("'play' takes either 'cards' or 'pass': true.")
    if not isinstance(value.get("cards", ""), str) or not isinstance(value.get("as", ""), str):
        raise Bad("'cards' and 'as' are texts.")
    _on(table)
    return play(table, seat, value.get("cards"), value.get("as"))


def _shot(table, value, line):
    from .picture import save

    value = _object(value, "shot", ("seat", "file"))
    seat = _seat(value)
    if not isinstance(value.get("file"), str) or not value["file"]:
        raise Bad("'file' is the name of a picture file.")
    try:
        save(table.frame(seat), value["file"])
    except (OSError, ValueError) as error:
        raise Bad(f"The picture could not be written: {error}.") from None
    return {"ok": True}


def _plug(present):
    def act(table, value, line):
        name = "plug" if present else "unplug"
        value = _object(value, name, ("seat", "what"))
        seat = _seat(value)
        what = value.get("what", line.get("what", "pad"))
        if what not in ("pad", "display"):
            raise Bad("'what' is pad or display.")
        table.board.clock.settle()
        (table.board.pads if what == "pad" else table.board.panels)[seat].plug(present)
        return {"ok": True}

    return act


def _i2c(table, value, line):
    value = _object(value, "i2c", ("seat", "fail", "stuck"))
    pad = table.board.pads[_seat(value)]
    if ("fail" in value) == ("stuck" in value):
        raise Bad("'i2c' takes either 'fail': n or 'stuck': true.")
    if "fail" in value:
        pad.fail = number(value["fail"], "fail", 0, _MOST)
    elif not isinstance(value["stuck"], bool):
        raise Bad("'stuck' is true or false.")
    elif value["stuck"] and not pad.present:
        raise Bad("That pad is unplugged.")
    else:
        pad.stuck = STUCK_CLOCKS if value["stuck"] else 0
    return {"ok": True}


def _power(table, value, line):
    if value == "on":
        if "at_write" in line or "bytes" in line:
            raise Bad("'at_write' and 'bytes' go with 'cut'.")
        if table.powered and table.crashed is None:
            raise Bad("The power is on already.")
        table.power(True)
        return {"ok": True}
    if value != "cut":
        raise Bad("'power' takes cut or on.")
    at = line.get("at_write")
    after = line.get("bytes")
    if after is not None:
        number(after, "bytes", 0, 4096)
        if at is None:
            raise Bad("'bytes' goes with 'at_write'.")
    if not table.powered:
        raise Bad("The power is off already.")
    if at is None:
        table.power(False)
    else:
        table.flash.cut(number(at, "at_write", 1, _MOST), after)
    return {"ok": True}


def _stats(table, value, line):
    if value is not True:
        raise Bad("'stats' takes true.")
    # CPython has no limit, and so no figure of the board's.
    heap = table.ask({"cmd": "stats"}) if table.vm_name == "micropython" else None
    heap = heap or {}
    board = table.board
    return {
        "ok": True,
        "heap_free": heap.get("heap_free"),
        "heap_low": heap.get("heap_low"),
        "heap_largest": heap.get("largest"),
        "spi_bytes": [panel.bytes_in for panel in board.panels],
        "i2c_transactions": board.i2c_transactions,
        "flash_writes": table.flash.operations,
        "sound": {"bytes": board.sound.bytes_in, "sounds": board.sound.begun, "gaps": board.sound.gaps},
        "boot_ms": table.boot_ms,
        "key_to_pixel_ms": list(table.key_to_pixel),
        "t": table.clock.ms(),
        "violations": list(table.violations.kept),
    }


def _cmd(table, value, line):
    """A command to the hub's own console, passed on as it is."""
    if not isinstance(value, str):
        raise Bad("'cmd' is the name of a console command.")
    _on(table)
    return table.ask(line) or {"ok": False, "why": "The console gave no answer."}


class _Any:
    """Every key is allowed."""

    def __contains__(self, key):
        return True


# name: (what does it, the keys that may stand beside it)
COMMANDS = {
    "press": (_press, ("ms",)),
    "advance": (_advance, ()),
    "until": (_until, ("ms", "seat")),
    "play": (_play, ()),
    "shot": (_shot, ()),
    "unplug": (_plug(False), ("what",)),
    "plug": (_plug(True), ("what",)),
    "i2c": (_i2c, ()),
    "power": (_power, ("at_write", "bytes")),
    "stats": (_stats, ()),
    "cmd": (_cmd, _Any()),
}
