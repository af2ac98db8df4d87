"""Commands of the console: ``{"cmd": NAME, ...}``, each answered by one line ``{"re": NAME, "ok": ...}``.

A line that is no command, or a command that is not right, is answered with ``"ok": false`` and a sentence, and changes
nothing. ``COMMANDS`` is the table of all of them. In memory only while a line is obeyed (``shelf.py``).
"""

import json

from console import MOST
from game import LOBBY
from record import numbers
from settings import BRIGHTNESS, KIOSK, RULES, VOLUME
from shared_rules import cards
from shared_rules.rulesets import RULE_SETS, get

LANGS = ("zh-Hans", "zh-Hant", "en")
KINDS = ("human", "bot")
_SETTINGS = (("brightness", BRIGHTNESS, 100), ("volume", VOLUME, 100))  # name, offset in the payload, most


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
            raise Refused("The line is longer than %d bytes." % MOST)
        try:
            command = json.loads(str(line, "utf-8"))
        except (ValueError, RuntimeError):
            raise Refused("The line is not JSON.") from None
        if not isinstance(command, dict) or not isinstance(command.get("cmd"), str):
            raise Refused('A command is an object with "cmd" and its name.')
        for known, function, locked in COMMANDS:
            if known == command["cmd"]:
                name = known
                if locked and hub.game.settings.get(KIOSK):
                    raise Refused("The hub is locked by its operator; this command is not open.")
                answer = function(hub, command, now)
                if answer is None:  # it comes later
                    return ""
                answer = '"ok":true' + answer
                break
        else:
            raise Refused("There is no command of that name.")
    except Refused as refusal:
        answer = '"ok":false,"why":' + quoted(str(refusal))
    return '{"re":%s,%s}\n' % ('"' + name + '"' if name else "null", answer)


# Fields of a command


def _number(line, name, least, most, missing=None):
    value = line.get(name)
    if value is None and name not in line:
        value = missing
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused('"%s" must be a whole number from %d to %d.' % (name, least, most))
    return value


def _choice(line, name, words, missing):
    value = line.get(name)
    if value is None:
        value = missing
    if value not in words:
        raise Refused('"%s" must be one of %s.' % (name, ", ".join(words)))
    return words.index(value)


def _between(hub):
    if not hub.game.between_deals():
        raise Refused("A deal is running; this is taken between deals only.")


# Commands


def _test(hub, line, now):
    """Seats, rule set, seed, lead and hands for test deals; they skip the lobby and stay out of the totals."""
    _between(hub)
    rules_index = _choice(line, "rules", RULE_SETS, RULE_SETS[0])
    known = get(RULE_SETS[rules_index]).options
    options = line.get("options") or []
    if not isinstance(options, list):
        raise Refused('"options" must be a list of names.')
    for name in options:
        if name not in known:
            raise Refused("The rule set %s has no such option." % RULE_SETS[rules_index])
    seats = line.get("seats") or ["human", "bot", "bot", "bot"]
    if not isinstance(seats, list) or len(seats) != 4:
        raise Refused('"seats" must be a list of four of human, bot.')
    for kind in seats:
        if kind not in KINDS:
            raise Refused('"seats" must be a list of four of human, bot.')
    lead = _number(line, "lead", 0, 3)
    turn_seconds = _number(line, "turn_seconds", 0, 3600, 30)
    lang = _choice(line, "lang", LANGS, LANGS[0])
    seed = line.get("seed")
    if seed is not None:
        seed = _seed(seed)
    hands = line.get("hands")
    if hands is not None:
        hands = _hands(hands)
    hub.make_room()
    hub.game.between(
        "start_test",
        {
            "rules": rules_index,
            "options": tuple([name for name in known if name in options]),
            "kinds": [KINDS.index(kind) for kind in seats],
            "seed": seed,
            "lead": -1 if lead is None else lead,
            "hands": hands,
            "turn_seconds": 30 if turn_seconds is None else turn_seconds,
            "lang": lang,
        },
        now,
    )
    return ""


def _stats(hub, line, now):
    """Heap: free after the last collection of a turn, and the least that ever was after one, dealing included."""
    return ',"heap_free":%d,"heap_low":%d' % (hub.heap_free, hub.heap_low)


def _totals(hub, line, now):
    """Every player's name and totals by rule set."""
    import players

    settings = hub.game.settings
    rows = []
    for player in range(4):
        totals = [players.total(settings, player, i) for i in range(len(RULE_SETS))]
        rows.append(
            '{"name":%s,"totals":%s}' % (quoted(players.name(settings, player, 0)), numbers(totals))
        )
    return ',"players":[%s]' % ",".join(rows)


def _seats(hub, line, now):
    """Who sits where: person or computer, and the name in the three languages."""
    import players

    game = hub.game
    told = []
    for seat in game.seats:
        names = ",".join([quoted(players.name(game.settings, seat.player, lang)) for lang in range(3)])
        told.append('{"kind":"%s","names":[%s]}' % (KINDS[seat.kind], names))
    return ',"seats":[%s]' % ",".join(told)


def _settings(hub, line, now):
    """Show the settings; with fields, set them first (between deals only)."""
    import players

    game = hub.game
    settings = game.settings
    changes = []
    for name, offset, most in _SETTINGS:
        value = _number(line, name, 0, most)
        if value is not None:
            changes.append((offset, value))
    seconds = _number(line, "turn_seconds", 0, 3600)
    rules_index = _choice(line, "rules", RULE_SETS, None) if "rules" in line else None
    if changes or seconds is not None or rules_index is not None:
        _between(hub)
        for offset, value in changes:
            settings.put(offset, value)
        if seconds is not None:
            settings.put_turn_seconds(seconds)
        if rules_index is not None:
            if game.phase == LOBBY and not game.test:
                game.between("choose_rules", rules_index)
            settings.put(RULES, rules_index)
        if not players.save(settings, game.deal_no):
            raise Refused("The flash did not take the settings.")
        hub.settings_changed()
    return ',"rules":"%s","turn_seconds":%d,"brightness":%d,"volume":%d' % (
        RULE_SETS[settings.get(RULES)],
        settings.turn_seconds(),
        settings.get(BRIGHTNESS),
        settings.get(VOLUME),
    )


def _clock(hub, line, now):
    """Show the date and time; with "set": [year, month, day, hour, minute, second], set it."""
    from drivers.ds3231 import Clock, days

    value = line.get("set")
    if value is not None:
        if not isinstance(value, list) or len(value) != 6:
            raise Refused('"set" must be [year, month, day, hour, minute, second].')
        for n in value:
            if not isinstance(n, int) or isinstance(n, bool):
                raise Refused('"set" must be six whole numbers.')
        year, month, day, hour, minute, second = value
        if not (2000 <= year <= 2099 and 1 <= month <= 12 and 0 <= hour < 24):
            raise Refused("There is no such date and time between 2000 and 2099.")
        if not (0 <= minute < 60 and 0 <= second < 60):
            raise Refused("There is no such date and time between 2000 and 2099.")
        after = days(year + month // 12, month % 12 + 1, 1)
        if not 1 <= day <= after - days(year, month, 1):
            raise Refused("There is no such day in that month.")
        if not Clock(hub.bus).set(year, month, day, hour, minute, second):
            raise Refused("The clock does not answer.")
    t = Clock(hub.bus).read()
    if t is None:
        return ',"time":null'
    return ',"time":"%04d-%02d-%02d %02d:%02d:%02d"' % t


def _since(hub, line, now):
    """Repeat the record behind an id from the journal, line by line; the answer comes after the last line."""
    value = line.get("id")
    if not isinstance(value, list) or len(value) != 2:
        raise Refused('"id" must be [deal, k].')
    from repeat import Repeat

    for n in value:
        if not isinstance(n, int) or isinstance(n, bool) or not -1 <= n < 1 << 30:
            raise Refused('"id" must be two whole numbers.')
    hub.repeat(Repeat(hub.game.journal, hub.console.write, value[0], value[1]))
    return None


# name, method, whether a locked hub (kiosk) refuses it
COMMANDS = (
    ("test", _test, True),
    ("stats", _stats, False),
    ("since", _since, False),
    ("totals", _totals, False),
    ("seats", _seats, False),
    ("settings", _settings, True),
    ("clock", _clock, True),
)


def _seed(text):
    """32 bytes of 64 hex digits."""
    if isinstance(text, str) and len(text) == 64:
        try:
            return bytes([int(text[i], 16) << 4 | int(text[i + 1], 16) for i in range(0, 64, 2)])
        except ValueError:
            raise Refused('"seed" has a character that is no hex digit.') from None
    raise Refused('"seed" must be 64 hex digits or null.')


def _hands(texts):
    """Four lists of 27 codes of four texts; cards with suits are placed first."""
    if not isinstance(texts, list) or len(texts) != 4:
        raise Refused('"hands" must be four texts of 27 cards each.')
    used = bytearray(14)
    hands = [[], [], [], []]
    for named in (True, False):
        for s in range(4):
            words = texts[s].split() if isinstance(texts[s], str) else ()
            if len(words) != 27:
                raise Refused("Each hand must have 27 cards; hand %d has %d." % (s, len(words)))
            for word in words:
                card = cards.read(word)
                if card < 0:
                    raise Refused("There is no card " + word[:8] + ".")
                if (card & 7 != 4) == named:
                    code = cards.place(card, used)
                    if code < 0:
                        raise Refused("Two decks do not hold that many " + word + ".")
                    hands[s].append(code)
    return hands
