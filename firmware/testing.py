"""The console's ``test`` command: deals for tests, with seats, seed, lead or hands as wanted.

They skip the lobby and stay out of the totals of named players. In memory only while it is used (``shelf.py``).
"""

from commands import Refused, between, choice, number
from shared_rules import cards

# As in shared_rules/rulesets.py, which is large: it is loaded for options only. A test holds them alike.
RULE_SETS = ("wenzhou", "jiangzhe", "jiangzhe3", "diexiang", "baibian")
LANGS = ("zh-Hans", "zh-Hant", "en")
KINDS = ("human", "bot")


def test(hub, line):
    """Seats, rule set, seed, lead and hands for test deals; they skip the lobby and stay out of the totals."""
    between(hub)
    rules_index = choice(line, "rules", RULE_SETS, RULE_SETS[0])
    options = line.get("options") or []
    known = ()
    if not isinstance(options, list):
        raise Refused('"options" must be a list of names.')
    if options:
        known = __import__("shared_rules.rulesets").rulesets.get(RULE_SETS[rules_index]).options
    for name in options:
        if name not in known:
            raise Refused("The rule set %s has no such option." % RULE_SETS[rules_index])
    seats = line.get("seats") or ["human", "bot", "bot", "bot"]
    if not isinstance(seats, list) or len(seats) != 4:
        raise Refused('"seats" must be a list of four of human, bot.')
    for kind in seats:
        if kind not in KINDS:
            raise Refused('"seats" must be a list of four of human, bot.')
    lead = number(line, "lead", 0, 3)
    turn_seconds = number(line, "turn_seconds", 0, 3600, 30)
    lang = choice(line, "lang", LANGS, LANGS[0])
    seed = line.get("seed")
    if seed is not None:
        seed = _seed(seed)
    hands = line.get("hands")
    if hands is not None:
        hands = _hands(hands)
    hub.game.wanted = {
        "rules": rules_index,
        "options": tuple([name for name in known if name in options]),
        "kinds": [KINDS.index(kind) for kind in seats],
        "seed": seed,
        "lead": -1 if lead is None else lead,
        "hands": hands,
        "turn_seconds": 30 if turn_seconds is None else turn_seconds,
        "lang": lang,
    }
    return ""


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
