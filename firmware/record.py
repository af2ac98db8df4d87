"""The table's record: one JSON object a line on the console, each with ``"id": [deal, k]`` (SIMULATOR.md, Events).

Lines are put together by hand, so that they are the same to the byte on every interpreter. k counts the lines of a
deal; a ``Record`` that repeats a deal counts the same way and writes only what lies behind ``after``.
"""

from shared_rules import cards, meld
from shared_rules.table import CODES

VERSION = (0, 1, 0)

CAUSES = ("key", "bot", "trustee", "timeout")  # of a play or pass: entry causes 0-3
KEY, BOT, TRUSTEE, TIMEOUT = range(4)
TRUSTEE_CAUSES = ("key", "timeout", "pad", "leave")  # why a trustee was turned on or off
BOOTS = ("power", "reset", "watchdog", "crash", "other")
FAULTS = ("journal", "journal-full", "clock", "i2c", "settings")
RESULTS = ("double", "single", "level", "broken")


def boolean(value):
    """true or false."""
    return "true" if value else "false"


def numbers(values):
    """A list of integers as JSON."""
    return "[" + ",".join([str(v) for v in values]) + "]"


def quoted(text):
    """A text as a JSON string; control characters become spaces."""
    out = '"'
    for ch in text:
        if ch in '"\\':
            out += "\\" + ch
        elif ch < " " or ch == "\x7f":
            out += " "
        else:
            out += ch
    return out + '"'


def codes_text(codes, n):
    """The first n card codes as text, from high to low, suits s h c d within a rank."""
    words = []
    for r in range(14, -1, -1):
        for s in range(3, -1, -1):
            for i in range(n):
                if cards.rank(codes[i]) == r and cards.suit(codes[i]) == s:
                    words.append(cards.text(codes[i]))
    return " ".join(words)


def hex_of(data):
    """Bytes as hex digits."""
    return "".join(["%02x" % b for b in data])


class Record:
    """Writes lines with ids. ``write(text)`` takes a whole line with its end."""

    def __init__(self, write):
        self._write = write
        self.deal = 0
        self.k = 0  # of the next line
        self.after = -1  # lines up to this k are counted, not written
        self.silent = False  # count only (replaying what has been written before)
        self.lines = 0  # how many were written

    def start(self, deal, k=0):
        """Begin to count the lines of a deal."""
        self.deal = deal
        self.k = k

    def _line(self, event, rest=""):
        if self.k > self.after and not self.silent:
            self._write('{"ev":"%s","id":[%d,%d]%s}\n' % (event, self.deal, self.k, rest))
            self.lines += 1
        self.k += 1

    def boot(self, version, cause):
        """version: major << 15 | minor << 8 | patch; cause: index into BOOTS."""
        self._line(
            "boot",
            ',"version":"%d.%d.%d","cause":"%s"' % (version >> 15, version >> 8 & 127, version & 255, BOOTS[cause]),
        )

    def ready(self, seat):
        self._line("ready", ',"seat":%d' % seat)

    def deal_(self, ledger):
        """The deal is on: its commitment, its first lead, what lies face up, who changed places."""
        rest = ',"n":%d,"rules":"%s","commit":%s,"lead":%d' % (
            self.deal,
            ledger.rules.id,
            '"' + ledger.commit + '"' if ledger.commit else "null",
            ledger.lead,
        )
        if ledger.face_up >= 0:
            rest += ',"face_up":"%s"' % cards.text(ledger.face_up)
        if ledger.swap:
            rest += ',"swap":[%d,%d]' % (ledger.swap >> 2, ledger.swap & 3)
        if ledger.options:
            rest += ',"options":[%s]' % ",".join(['"%s"' % o for o in ledger.options])
        if ledger.test:
            rest += ',"test":true'
        self._line("deal", rest)

    def turn(self, seat, leading):
        self._line("turn", ',"seat":%d,"leading":%s' % (seat, boolean(leading)))

    def play(self, seat, table, m, cause):
        """What a seat has just played: ``table.shown``."""
        self._line(
            "play",
            ',"seat":%d,"cards":"%s","meld":"%s","left":%d,"cause":"%s"'
            % (seat, codes_text(table.shown, table.n_shown), meld.text(m), table.left(seat), CAUSES[cause]),
        )

    def pass_(self, seat, cause):
        self._line("pass", ',"seat":%d,"cause":"%s"' % (seat, CAUSES[cause]))

    def refused(self, seat, code):
        """code: index into CODES."""
        self._line("refused", ',"seat":%d,"why":"%s"' % (seat, CODES[code]))

    def trick(self, seat):
        """The seat that has won the trick."""
        self._line("trick", ',"seat":%d' % seat)

    def out(self, seat, place):
        self._line("out", ',"seat":%d,"place":%d' % (seat, place))

    def trustee(self, seat, on, cause):
        self._line("trustee", ',"seat":%d,"on":%s,"cause":"%s"' % (seat, boolean(on), TRUSTEE_CAUSES[cause]))

    def warning(self, seat, count):
        self._line("warning", ',"seat":%d,"count":%d' % (seat, count))

    def pad(self, seat, present):
        self._line("pad", ',"seat":%d,"present":%s' % (seat, boolean(present)))

    def display(self, seat, present):
        self._line("display", ',"seat":%d,"present":%s' % (seat, boolean(present)))

    def fault(self, what):
        """what: index into FAULTS."""
        self._line("fault", ',"what":"%s"' % FAULTS[what])

    def leave(self, seat):
        self._line("leave", ',"seat":%d' % seat)

    def resumed(self, seat):
        """The deal goes on after a power cut; seat: whose turn it is, -1 when it had ended."""
        self._line("resumed", ',"n":%d,"turn":%s' % (self.deal, str(seat) if seat >= 0 else "null"))

    def end(self, ledger, settlement, totals):
        """The deal is over; everything may be seen now."""
        hands = ",".join(['"%s"' % codes_text(hand, len(hand)) for hand in ledger.hands()])
        self._line(
            "end",
            ',"result":"%s","places":%s,"points":%s,"totals":%s,"stars":%s,"seed":%s,"hands":[%s]'
            % (
                settlement.result,
                numbers(settlement.places) if settlement.places else "null",
                numbers(settlement.points),
                numbers(totals),
                numbers(settlement.stars),
                '"' + hex_of(ledger.seed) + '"' if ledger.seed else "null",
                hands,
            ),
        )
