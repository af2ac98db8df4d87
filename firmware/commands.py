"""Commands of the console: ``{"cmd": NAME, ...}``, each answered by one line ``{"re": NAME, "ok": ...}``.

A line that is no command, or a command that is not right, is answered with ``"ok": false`` and a sentence, and changes
nothing. ``COMMANDS`` is the table of all of them; what they do is in the module named beside
them. In memory only while a line is obeyed (``shelf.py``).
"""

import json

from settings import KIOSK

_MOST = 2048  # bytes in a line, as in console.py

# name, module that does it (a function of the same name), whether a locked hub (kiosk) refuses it
COMMANDS = (
    ("test", "testing", True),
    ("hub", "keeping", False),
    ("stats", "keeping", False),
    ("since", "keeping", False),
    ("totals", "keeping", False),
    ("seats", "keeping", False),
    ("settings", "keeping", True),
    ("clock", "keeping", True),
    ("backup", "copying", True),
    ("check", "checking", True),
    ("lock", "locking", False),
    ("unlock", "locking", False),
    ("repl", "locking", False),
)


class Refused(Exception):
    """A command that is not obeyed; its text is the sentence of the answer."""


def quoted(text):
    """A text as a JSON string; control characters become spaces."""
    out = '"'
    for ch in text:
        if ch in '"\\':
            out += "\\" + ch
        else:
            out += " " if ch < " " or ch == "\x7f" else ch
    return out + '"'


def obey(hub, line, now):
    """The answer (a whole line, "" if it comes later) to a line of input (bytearray, None if it was too long)."""
    name = None
    try:
        if line is None:
            raise Refused("The line is longer than %d bytes." % _MOST)
        try:
            command = json.loads(str(line, "utf-8"))
        except (ValueError, RuntimeError):
            raise Refused("The line is not JSON.") from None
        if not isinstance(command, dict) or not isinstance(command.get("cmd"), str):
            raise Refused('A command is an object with "cmd" and its name.')
        for known, module, locked in COMMANDS:
            if known == command["cmd"]:
                name = known
                if locked and hub.game.settings.get(KIOSK):
                    raise Refused("The hub is locked by its operator; this command is not open.")
                answer = getattr(__import__(module), known)(hub, command)
                if answer is None:  # it comes later
                    return ""
                answer = '"ok":true' + answer
                break
        else:
            raise Refused("There is no command of that name.")
    except Refused as refusal:
        answer = '"ok":false,"why":' + quoted(str(refusal))
    return '{"re":%s,%s}\n' % ('"' + name + '"' if name else "null", answer)


def number(line, name, least, most, missing=None):
    value = line.get(name)
    if value is None and name not in line:
        value = missing
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused('"%s" must be a whole number from %d to %d.' % (name, least, most))
    return value


def choice(line, name, words, missing):
    value = line.get(name)
    if value is None:
        value = missing
    if value not in words:
        raise Refused('"%s" must be one of %s.' % (name, ", ".join(words)))
    return words.index(value)


def between(hub):
    if not hub.game.between_deals():
        raise Refused("A deal is running; this is taken between deals only.")


def idle(hub):
    """Refused while an answer of many lines is still being written."""
    if hub._repeat:
        raise Refused("The hub is still answering the command before; ask again after that.")
