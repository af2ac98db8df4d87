"""A deal's beginning and end: a header loaded into a ``Ledger``, the deal line, the settlement and the end line.

In memory only while it is used (``shelf.py``): the table goes from here to ``ledger.py`` and back.
"""

from micropython import const

import journal
import ledger
from record import codes_text, hexed, numbers
from shared_rules import cards
from shared_rules.table import Table

_NONE = const(255)
_RULE_SETS = const(5)


def row(led, index):
    """The rule set of an index, kept in the ledger."""
    if index != led.rules_index:
        from shared_rules import rulesets

        led.rules = rulesets.get(rulesets.RULE_SETS[index])
        led.rules_index = index
    return led.rules


def load(led, header):
    """Set the table up from a whole header. False if it holds no deal, or one that this version cannot play."""
    led.number = journal.number(header, 8)
    flags = header[15]
    if not flags & ledger.DEAL or header[14] >= _RULE_SETS:
        led.table = None
        return False
    from shared_rules import deal as dealt

    rules = row(led, header[14])
    names = rules.options
    led.options = tuple([names[i] for i in range(len(names)) if header[16] >> i & 1])
    if led.table is None or led.table.rules is not rules or led.table.options != led.options:
        led.table = Table(rules, led.options)
    led.test = bool(flags & ledger.TEST)
    for s in range(4):
        n = journal.number(header, 64 + 4 * s)
        led.totals[s] = led.after[s] = n - (1 << 32) if n & 0x80000000 else n
        led.trustee[s] = led.trustee_cause[s] = led.uses[s] = led.warnings[s] = led.ready[s] = 0
    led.seed = bytes(header[32:64])
    if flags & ledger.HANDS:
        led.commit = ""
        hands = [bytearray() for _ in range(4)]
        for code in range(108):
            hands[header[88 + (code >> 2)] >> 2 * (code & 3) & 3].append(code)
    else:
        led.commit = dealt.commit(led.seed)
        hands = dealt.shuffle(led.seed).hands()
        a = header[20] >> 2
        b = header[20] & 3
        hands[a], hands[b] = hands[b], hands[a]
    led.table.begin(hands, header[17])
    led.settlement = None
    led.leaver = -1
    led.started = led.ended = False
    return True


def announce(led, header):
    """The deal line: commitment, first lead, what lies face up, who changed places, whose totals these are."""
    rest = ',"n":%d,"rules":"%s","commit":%s,"lead":%d' % (
        led.number,
        led.rules.id,
        '"%s"' % led.commit if led.commit else "null",
        header[17],
    )
    if header[19] != _NONE:
        rest += ',"face_up":"%s"' % cards.text(header[19])
    if header[20]:
        rest += ',"swap":[%d,%d]' % (header[20] >> 2, header[20] & 3)
    if led.options:
        rest += ',"options":["%s"]' % '","'.join(led.options)
    if led.test:
        rest += ',"test":true'
    bots = header[21]
    rest += ',"players":%s,"bots":%s' % (numbers(header[80:84]), numbers([bots >> s & 1 for s in range(4)]))
    led.record.line("deal", rest)


def end(led):
    """Settle the deal and write its end line: everything may be seen now."""
    from shared_rules import score

    t = led.settlement = score.settle_table(led.table, led.totals, led.leaver)
    for s in range(4):
        led.after[s] = led.totals[s] + t.points[s]
    hands = []
    for identity in led.table.dealt:
        codes = [c for c in range(108) if cards.has(identity, c)]
        hands.append('"%s"' % codes_text(codes, len(codes)))
    led.ended = True
    led.record.line(
        "end",
        ',"result":"%s","places":%s,"points":%s,"totals":%s,"stars":%s,"seed":%s,"hands":[%s]'
        % (
            t.result,
            numbers(t.places) if t.places else "null",
            numbers(t.points),
            numbers(led.after),
            numbers(t.stars),
            '"%s"' % hexed(led.seed) if led.commit else "null",
            ",".join(hands),
        ),
    )
