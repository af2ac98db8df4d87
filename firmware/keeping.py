"""Console commands about what the hub keeps: heap, record, totals, seats, settings and clock.

In memory only while it is used (``shelf.py``).
"""

import gc

from micropython import const

from commands import Refused, between, choice, idle, number, quoted
from game import LOBBY
from record import hexed, numbers
from settings import BRIGHTNESS, KIOSK, LANGS, LAYOUTS, RULES, VOLUME

_MOST = const(1 << 18)  # bytes; more than the board has
KINDS = ("human", "bot")
_SETTINGS = (("brightness", BRIGHTNESS, 100), ("volume", VOLUME, 100))  # name, offset in the payload, most
# A value for each seat: name, first of four offsets, words.
_TABLE = (("lang", LANGS, ("zh-Hans", "zh-Hant", "en")), ("layout", LAYOUTS, ("large", "compact")))


def stats(hub, line):
    """Heap: free after the last collection of a turn, and the least that ever was after one, dealing included.

    ``largest``: bytes of the largest piece that can be had now, found by trying; null where there is no limit. Trying
    costs a collection each time, some tens of ms in all: the watchdog has room for it, a key waits.
    """
    gc.collect()
    low, high = 0, min(gc.mem_free(), _MOST) if hasattr(gc, "mem_free") else 0
    none = not high
    while high - low > 64:
        size = (low + high) >> 1
        try:
            bytearray(size)
            low = size
        except MemoryError:
            high = size
        gc.collect()
    return ',"heap_free":%d,"heap_low":%d,"largest":%s' % (hub.heap_free, hub.heap_low, "null" if none else low)


def hub(hub, line):
    """What an archive must know to tell hubs and their journals apart, and where the record stands.

    ``next``: the id of the next line; ``running``: the number of the deal that runs, or null; ``slot``: of the version
    that runs, "" if there are none; ``trial``: it is not confirmed yet (starter.py).
    """
    from os import getcwd

    from machine import RTC, unique_id

    from version import VERSION

    note = RTC().memory()
    game = hub.game
    rec = game.ledger.record
    form = (
        ',"hub":"%s","journal":"%s","next":[%d,%d],"running":%s,"locked":%s'
        ',"version":"%d.%d.%d","slot":"%s","trial":%s'
    )
    return form % (
        hexed(unique_id()),
        hexed(game.journal.header[84:88]),
        rec.deal,
        rec.k,
        "null" if game.between_deals() else str(game.deal_no),
        "true" if game.settings.get(KIOSK) else "false",
        VERSION[0],
        VERSION[1],
        VERSION[2],
        getcwd()[1:] if len(getcwd()) == 2 else "",
        "true" if len(note) == 24 and note[5] else "false",
    )


def totals(hub, line):
    """Name and totals by rule set of the players who have either; always of the first four."""
    import players
    from shared_rules.rulesets import RULE_SETS

    settings = hub.game.settings
    rows = []
    for player in range(players.MOST):
        totals = [players.total(settings, player, i) for i in range(len(RULE_SETS))]
        if player > 3 and not players.named(settings, player) and totals == [0, 0, 0, 0, 0]:
            continue
        rows.append(
            '{"player":%d,"name":%s,"totals":%s}'
            % (player, quoted(players.name(settings, player, 0)), numbers(totals))
        )
    return ',"players":[%s]' % ",".join(rows)


def seats(hub, line):
    """Who sits where: person or computer, and the name in the three languages."""
    import players

    game = hub.game
    told = []
    for seat in game.seats:
        names = ",".join([quoted(players.name(game.settings, seat.player, lang)) for lang in range(3)])
        told.append('{"kind":"%s","names":[%s]}' % (KINDS[seat.kind], names))
    return ',"seats":[%s]' % ",".join(told)


def settings(hub, line):
    """Show the settings; with fields, set them first (between deals only)."""
    import players
    from shared_rules.rulesets import RULE_SETS

    game = hub.game
    settings = game.settings
    changes = []
    for name, offset, most in _SETTINGS:
        value = number(line, name, 0, most)
        if value is not None:
            changes.append((offset, value))
    seconds = number(line, "turn_seconds", 0, 3600)
    rules_index = choice(line, "rules", RULE_SETS, None) if "rules" in line else None
    for name, offset, words in _TABLE:
        wanted = line.get(name)
        if wanted is not None:
            if not isinstance(wanted, list) or len(wanted) != 4:
                raise Refused('"%s" must be a list of four of %s.' % (name, ", ".join(words)))
            for s in range(4):
                changes.append((offset + s, choice({name: wanted[s]}, name, words, None)))
    if changes or seconds is not None or rules_index is not None:
        between(hub)
        for offset, value in changes:
            settings.put(offset, value)
        if seconds is not None:
            settings.put_turn_seconds(seconds)
        if rules_index is not None:
            if game.phase == LOBBY and not game.test:
                game.between("gathering", "choose_rules", rules_index)
            settings.put(RULES, rules_index)
        if not players.save(settings, game.deal_no):
            raise Refused("The flash did not take the settings.")
        if game.phase == LOBBY and not game.test:
            for s, seat in enumerate(game.seats):
                seat.lang = settings.get(LANGS + s)
                seat.layout = settings.get(LAYOUTS + s)
                seat.name = players.name(settings, seat.player, seat.lang)
        hub.settings_changed()
    told = ""
    for name, offset, words in _TABLE:
        told += ',"%s":["%s"]' % (name, '","'.join([words[settings.get(offset + s)] for s in range(4)]))
    return ',"rules":"%s","turn_seconds":%d,"brightness":%d,"volume":%d%s' % (
        RULE_SETS[settings.get(RULES)],
        settings.turn_seconds(),
        settings.get(BRIGHTNESS),
        settings.get(VOLUME),
        told,
    )


def clock(hub, line):
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


def since(hub, line):
    """Repeat the record behind an id from the journal, line by line; the answer comes after the last line."""
    value = line.get("id")
    if not isinstance(value, list) or len(value) != 2:
        raise Refused('"id" must be [deal, k].')
    for n in value:
        if not isinstance(n, int) or isinstance(n, bool) or not -1 <= n < 1 << 30:
            raise Refused('"id" must be two whole numbers.')
    idle(hub)
    from repeat import Repeat

    hub.repeat(Repeat(hub.game.journal, hub.console.write, value[0], value[1]))
    return None
