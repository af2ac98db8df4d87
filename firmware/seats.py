"""One seat: its player, and what the player is doing with the hand. ``game.py`` moves it, the seat's screen reads it.

A player's part (name, kind, language, sort, total, ...) moves with the player when ``baibian`` changes seats; pad and
display stay with the place.
"""

from micropython import const

from shared_rules import cards

HUMAN = const(0)
BOT = const(1)

LARGE = const(0)  # layouts
COMPACT = const(1)

BY_RANK = const(0)  # sorts: by rank high to low, or by meld large to small (RULES.md section 9.1)
BY_MELD = const(1)

# What a screen tells its player besides refusals.
_NOTICE_NONE = const(0)
_NOTICE_TIMEOUT_1 = const(1)  # first time-out of the deal
_NOTICE_TIMEOUT_2 = const(2)  # second; the third turns the trustee on
_NOTICE_TRUSTEE_TIMEOUT = const(3)  # the trustee plays because of time-outs
_NOTICE_TRUSTEE_ON = const(4)  # ... because the player asked
_NOTICE_TRUSTEE_OFF = const(5)
_NOTICE_TRUSTEE_LEFT_2 = const(6)  # baibian: turned on, may be turned on twice more
_NOTICE_TRUSTEE_LEFT_1 = const(7)
_NOTICE_TRUSTEE_LEFT_0 = const(8)
_NOTICE_TRUSTEE_NO_MORE = const(9)  # baibian: the key no longer turns it on
_NOTICE_TRUSTEE_STAYS = const(10)  # baibian: cannot be taken back in this deal
_NOTICE_NO_HINT = const(11)  # nothing beats the table
_NOTICE_NO_BOMB = const(12)  # no bomb beats it
_NOTICE_BACK = const(13)  # the pad is back, the same hand goes on
_NOTICE_PAUSE = const(14)  # somebody asks for a pause
_NOTICE_PAUSE_ASKED = const(15)  # waiting for the others to agree

_PLAYER = ("name", "player", "kind", "lang", "layout", "ready", "total", "sort", "fresh")


class Seat:
    """A seat as its screen sees it."""

    def __init__(self, index):
        self.index = index
        self.name = ""  # "" until named: the screen shows the seat's own word
        self.player = index  # whose totals these are
        self.kind = BOT
        self.lang = 0
        self.layout = LARGE
        self.ready = False
        self.total = 0
        self.sort = BY_RANK
        self.fresh = True  # a key has been pressed since the deal began
        self.pad_present = False
        self.display_present = False
        self.menu = 0  # row of the lobby's choices, or of an open page
        self.order = bytearray(15)  # ranks of the hand, left to right
        self.n_order = 0
        self.raised = bytearray(16)
        self.choices = []
        self.refusal = None
        self.clear_deal()

    def clear_deal(self):
        """Forget a deal: no hand, nothing raised, nothing said."""
        self.n_order = 0
        self.page = 0  # what the seat has opened (pages.py)
        self.cursor = -1
        self.hidden = False
        self.trustee = False
        self.warnings = 0
        self.peek = False
        self.notice = _NOTICE_NONE
        self.last_key = -1
        self.last_key_at = 0  # ms
        self.lower()

    def lower(self):
        """Lower all cards and drop what was said of them."""
        cards.clear(self.raised)
        self.unread()
        self.refusal = None

    def unread(self):
        """What the raised cards make is no longer known."""
        self.reading = 0
        self.legal = False
        if self.choices:
            self.choices = []
        self.choice = 0

    def swap(self, other):
        """Change places with the player of another seat."""
        for field in _PLAYER:
            mine = getattr(self, field)
            setattr(self, field, getattr(other, field))
            setattr(other, field, mine)

    def arrange(self, counts):
        """Order the ranks of a hand (bytearray(16)); the cursor stays on its rank, or its place if that is gone."""
        rank = self.order[self.cursor] if 0 <= self.cursor < self.n_order else -1
        n = 0
        if self.sort == BY_RANK:
            for r in range(14, -1, -1):
                if counts[r]:
                    self.order[n] = r
                    n += 1
        else:
            for size in range(8, 0, -1):
                for r in range(14, -1, -1):
                    if counts[r] == size:
                        self.order[n] = r
                        n += 1
        self.n_order = n
        for i in range(n):
            if self.order[i] == rank:
                self.cursor = i
                return
        self.cursor = min(self.cursor, n - 1)
        if self.cursor < 0 < n:
            self.cursor = n - 1  # a new hand: the lowest card

    def move(self, step):
        """Cursor by one rank, wrapping."""
        if self.n_order:
            self.cursor = (self.cursor + step) % self.n_order

    def lift(self, step, counts):
        """One more (1) or one less (-1) of the cursor's rank raised: past all none, past none all."""
        if self.cursor < 0:
            return
        r = self.order[self.cursor]
        was = self.raised[r]
        now = (was + step) % (counts[r] + 1)
        self.raised[r] = now
        self.raised[15] += now - was
