"""Commands on the console: JSON lines in, ``{"cmd": NAME, ...}``, each answered by a line ``{"re": NAME, "ok": ...}``.

``Console.step(now)`` takes what has arrived, without waiting, and obeys at most one line. A line that is no command, or
a command that is not right, is answered with ``"ok": false`` and a sentence, and changes nothing. ``COMMANDS`` is the
table of all commands.
"""

import gc
import json
import select
import sys

from micropython import const

import record
from drivers.ds3231 import days
from shared_rules import cards
from shared_rules.rulesets import RULE_SETS, get

MOST = const(2048)  # bytes in a line
_CHUNK = const(64)  # bytes taken in a step

LANGS = ("zh-Hans", "zh-Hant", "en")
KINDS = ("human", "bot")
_SETTINGS = (("brightness", 16, 100), ("volume", 17, 100))  # name, offset in the payload, most


class Refused(Exception):
    """A command that is not obeyed; its text is the sentence of the answer."""


class Console:
    """See the module. ``stream``: bytes in, unbuffered; ``write(text)``: whole lines out."""

    def __init__(self, hub, write, stream=None):
        self._hub = hub
        self._write = write
        self._stream = stream or getattr(sys.stdin, "buffer", sys.stdin)
        self._poll = select.poll()
        self._poll.register(stream or sys.stdin, select.POLLIN)
        self._line = bytearray()
        self._too_long = False
        self.closed = False

    def step(self, now):
        """Take at most 64 bytes; True if a line was obeyed."""
        if self.closed:
            return False
        for _ in range(_CHUNK):
            if not self._poll.poll(0):
                return False
            byte = self._stream.read(1)
            if not byte:
                self.closed = True
                return False
            if byte == b"\n" or byte == b"\r":
                if self._line or self._too_long:
                    self._obey(now)
                    return True
            elif len(self._line) < MOST:
                self._line += byte
            else:
                self._too_long = True
        return False

    def _obey(self, now):
        name = None
        try:
            if self._too_long:
                raise Refused("The line is longer than %d bytes." % MOST)
            try:
                line = json.loads(str(self._line, "utf-8"))
            except (ValueError, RuntimeError, MemoryError):
                raise Refused("The line is not JSON.") from None
            if not isinstance(line, dict) or not isinstance(line.get("cmd"), str):
                raise Refused('A command is an object with "cmd" and its name.')
            name = line["cmd"]
            for known, method, locked in COMMANDS:
                if known == name:
                    if locked and self._hub.game.settings.get(18):
                        raise Refused("The hub is locked by its operator; this command is not open.")
                    rest = method(self, line, now)
                    break
            else:
                name = None
                raise Refused("There is no command of that name.")
            answer = '"ok":true' + rest
        except Refused as refusal:
            answer = '"ok":false,"why":' + record.quoted(str(refusal))
        self._line = bytearray()
        self._too_long = False
        self._write('{"re":%s,%s}\n' % ('"' + name + '"' if name else "null", answer))

    # Fields of a command

    def _number(self, line, name, least, most, missing=None):
        value = line.get(name)
        if value is None and name not in line:
            value = missing
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Refused('"%s" must be a whole number from %d to %d.' % (name, least, most))
        return value

    def _choice(self, line, name, words, missing):
        value = line.get(name, missing)
        if value not in words:
            raise Refused('"%s" must be one of %s.' % (name, ", ".join(words)))
        return words.index(value)

    def _between(self):
        if not self._hub.game.between_deals():
            raise Refused("A deal is running; this is taken between deals only.")

    # Commands

    def _test(self, line, now):
        """Seats, rule set, seed, lead and hands for test deals; they skip the lobby and stay out of the totals."""
        self._between()
        rules_index = self._choice(line, "rules", RULE_SETS, RULE_SETS[0])
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
        lead = self._number(line, "lead", 0, 3)
        turn_seconds = self._number(line, "turn_seconds", 0, 3600, 30)
        lang = self._choice(line, "lang", LANGS, LANGS[0])
        seed = line.get("seed")
        if seed is not None:
            seed = _seed(seed)
        hands = line.get("hands")
        if hands is not None:
            hands = _hands(hands)
        self._hub.game.start_test(
            rules_index,
            tuple([name for name in known if name in options]),
            [KINDS.index(kind) for kind in seats],
            seed,
            -1 if lead is None else lead,
            hands,
            30 if turn_seconds is None else turn_seconds,
            lang,
            now,
        )
        return ""

    def _stats(self, line, now):
        """Heap: free now, and the least that was free at a calm moment."""
        gc.collect()
        self._hub.note_heap()
        return ',"heap_free":%d,"heap_low":%d' % (self._hub.heap_free, self._hub.heap_low)

    def _totals(self, line, now):
        """Every player's name and totals by rule set."""
        settings = self._hub.game.settings
        players = []
        for player in range(4):
            totals = [settings.total(player, i) for i in range(len(RULE_SETS))]
            players.append(
                '{"name":%s,"totals":%s}' % (record.quoted(settings.name(player, 0)), record.numbers(totals))
            )
        return ',"players":[%s]' % ",".join(players)

    def _seats(self, line, now):
        """Who sits where: person or computer, and the name in the three languages."""
        game = self._hub.game
        told = []
        for seat in game.seats:
            names = ",".join([record.quoted(game.settings.name(seat.player, lang)) for lang in range(3)])
            told.append('{"kind":"%s","names":[%s]}' % (KINDS[seat.kind], names))
        return ',"seats":[%s]' % ",".join(told)

    def _settings(self, line, now):
        """Show the settings; with fields, set them first (between deals only)."""
        game = self._hub.game
        settings = game.settings
        changes = []
        for name, offset, most in _SETTINGS:
            value = self._number(line, name, 0, most)
            if value is not None:
                changes.append((offset, value))
        seconds = self._number(line, "turn_seconds", 0, 3600)
        rules_index = self._choice(line, "rules", RULE_SETS, None) if "rules" in line else None
        if changes or seconds is not None or rules_index is not None:
            self._between()
            for offset, value in changes:
                settings.put(offset, value)
            if seconds is not None:
                settings.put_turn_seconds(seconds)
            if rules_index is not None:
                settings.put(1, rules_index)
            if not settings.save(game.deal_no):
                raise Refused("The flash did not take the settings.")
            self._hub.settings_changed()
        return ',"rules":"%s","turn_seconds":%d,"brightness":%d,"volume":%d' % (
            RULE_SETS[settings.get(1)],
            settings.turn_seconds(),
            settings.get(16),
            settings.get(17),
        )

    def _clock(self, line, now):
        """Show the date and time; with "set": [year, month, day, hour, minute, second], set it."""
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
            if not self._hub.clock.set(year, month, day, hour, minute, second):
                raise Refused("The clock does not answer.")
        t = self._hub.clock.read()
        if t is None:
            return ',"time":null'
        return ',"time":"%04d-%02d-%02d %02d:%02d:%02d"' % t

    def _since(self, line, now):
        """Repeat the record behind an id from the journal, line by line; the answer comes after the last."""
        value = line.get("id")
        if not isinstance(value, list) or len(value) != 2:
            raise Refused('"id" must be [deal, k].')
        for n in value:
            if not isinstance(n, int) or isinstance(n, bool) or not -1 <= n < 1 << 30:
                raise Refused('"id" must be two whole numbers.')
        return ',"lines":%d' % self._hub.repeat(value[0], value[1])


# name, method, whether a locked hub (kiosk) refuses it
COMMANDS = (
    ("test", Console._test, True),
    ("stats", Console._stats, False),
    ("since", Console._since, False),
    ("totals", Console._totals, False),
    ("seats", Console._seats, False),
    ("settings", Console._settings, True),
    ("clock", Console._clock, True),
)


def _seed(text):
    """32 bytes of 64 hex digits."""
    if isinstance(text, str) and len(text) == 64:
        try:
            return bytes([int(text[i : i + 2], 16) for i in range(0, 64, 2) if text[i] not in "+-_ "])[:32]
        except ValueError:
            pass
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
