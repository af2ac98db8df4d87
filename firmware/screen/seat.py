"""The screen of one seat: what has changed since it was painted, and painting it slice by slice.

Enter at ``SeatScreen``: ``mark`` compares what the regions show with what they should, ``paint`` sends one window of at
most 8 KB, ``reset`` makes everything dirty. Seats are seen as they sit: the one before at the left, the partner opposite,
the next one at the right. A seat's screen reads the public state and that seat's own hand; the partner's hand only when it
was first out (RULES.md 9.8), all hands only in the settlement (9.9).
"""

from array import array

from micropython import const

from screen import cards
from shared_rules import why

# RGB565, bytes swapped
_NIGHT = const(0xA208)
_TRAY = const(0x0411)
_FELT = const(0x2712)
_LINE = const(0x4932)
_TEXT = const(0x7BF7)
_MUTED = const(0x5495)
_DIM = const(0x8E5B)
_PAPER = const(0x9BF7)
_INK = const(0xE310)
_RED = const(0x44C1)
_AMBER = const(0x85F5)
_LIFT = const(0xF0FE)
_TEAM = const(0x965E)
_FOE = const(0x6DF4)
_BLAZE = const(0x03A1)
_EMBER = const(0x43DA)

_R16 = const(0)
_B16 = const(1)
_B20 = const(2)
_B24 = const(3)
_R12 = const(5)
_RANK = const(6)
_TINY = const(7)
_MARK = const(8)
_RANK2 = const(9)

_T_PASS = const(0)
_T_LED = const(1)
_T_TOP = const(2)
_T_PLAYED = const(3)
_T_PLAYING = const(4)
_T_FIRST = const(6)
_T_TRUSTEE = const(10)
_T_ME = const(12)
_T_YOUR_TURN = const(13)
_T_WAIT_FOR = const(14)
_T_LEAD_ANY = const(15)
_T_MUST_BEAT = const(16)
_T_NO_MELD = const(17)
_T_WHICH = const(19)
_T_CHANGE = const(20)
_T_KEY_PLAY = const(21)
_T_THIS_ONE = const(22)
_T_PARTNERS_HAND = const(23)
_T_TRUSTEE_PLAYS = const(24)
_T_KEY_TRUSTEE = const(25)
_T_TAKE_BACK = const(26)
_T_OUT = const(27)
_T_LAST_TRICK = const(28)
_T_REFUSED = const(29)
_T_TRUSTEE_STAYS = const(30)
_T_HIDDEN = const(31)
_T_LOW = const(79)
_T_NEED_TOP = const(80)
_T_NEED_KIND = const(81)
_T_NEED_BOMB = const(82)
_T_MUST_LEAD = const(83)
_T_NOT_HELD = const(84)
_T_NOT_OFFERED = const(85)
_T_ENDED = const(86)

_BOMBS = const(7 << 17)  # a meld of at least this is a bomb (shared_rules.meld)
_PASSED = const(-1)

# Phases of the game (game.py)
_LOBBY = const(0)
_DEALING = const(1)
_PLAY = const(2)
_LAST_TRICK = const(3)
_SETTLED = const(4)

# Regions of the playing screen; the hand's columns are bits of their own
_TILES = const(0)  # three: 0, 1, 2
_TABLE = const(3)
_BAR_A = const(4)
_BAR_B = const(5)
_BAR_C = const(6)
_LINE_R = const(7)
_MARGINS = const(8)
_CURSOR = const(9)
_N = const(10)

# x, y, w, h of each region
_WHERE = (
    (2, 1, 104, 38), (108, 1, 104, 38), (214, 1, 104, 38), (0, 39, 320, 67), (0, 106, 78, 22), (78, 106, 202, 22),
    (280, 106, 40, 22), (0, 128, 320, 3), (0, 131, 320, 109), (0, 131, 320, 109),
)
# In which order dirty regions are painted: what answers a key first
_ORDER = bytes((_CURSOR, _BAR_B, _BAR_A, _BAR_C, _LINE_R, 0, 1, 2, _TABLE, _MARGINS))


class SeatScreen:
    """One seat's display. display: ``blit(x, y, w, h, pixels)``; game, seat: as in game.py; canvas: the shared one."""

    def __init__(self, display, game, seat, canvas):
        self.display = display
        self.game = game
        self.seat = seat
        self.canvas = canvas
        self._shown = array("i", bytes(4 * _N))  # what each region shows, as a number
        self._dirty = 0
        self._columns = 0  # dirty columns of the hand
        self._hand = bytearray(14)
        self._raised = bytearray(16)
        self._order = bytearray(16)
        self._tops = bytearray(16)  # y where each column begins, as painted
        self._n = 0
        self._pitch = 21
        self._left = 0
        self._cursor = -1
        self._peek = False
        self._shade = False
        self._refusal = None
        self._refusals = 0
        self._page = -1
        self._region = -1  # being painted
        self._x = 0
        self._y = 0
        self._old_cursor = -1
        self.reset()

    def reset(self):
        """Nothing on the display is known any more: paint everything."""
        self._page = -1
        self._region = -1

    # What to show ------------------------------------------------------------------------------------------------

    def mark(self):
        """Compare the state with what is shown and note what has to be painted. Allocates nothing."""
        game = self.game
        seat = self.seat
        page = game.phase
        if page == _LAST_TRICK:
            page = _PLAY
        if page != self._page or seat.lang != self._lang:
            self._page = page
            self._lang = seat.lang
            self._all()
        if page == _PLAY:
            self._mark_play(game, seat)

    def _all(self):
        """Everything is dirty."""
        shown = self._shown
        for i in range(_N):
            shown[i] = -1
        self._dirty = (1 << _N) - 1
        self._columns = 0x7FFF
        self._n = 0
        self._region = -1

    def _see(self, region, value):
        if self._shown[region] != value:
            self._shown[region] = value
            self._dirty |= 1 << region

    def _mark_play(self, game, seat):
        table = game.table
        me = seat.index
        for i in range(3):
            s = (me + 3 - i) & 3
            other = game.seats[s]
            v = self._note(table, s) | table.counts[s][15] << 5 | (table.turn == s) << 10 | (table.owner == s) << 11
            v |= (game.big is not None and table.owner == s) << 12 | bool(other.trustee) << 13
            self._see(i, v | (hash(other.name) & 0xFFFF) << 14)
        choices = seat.choices
        if choices:
            self._see(_TABLE, 1 << 29 | seat.choice << 21 | choices[0])
        elif table.meld:
            self._see(_TABLE, (game.big is not None) << 28 | table.n_plays << 21 | table.meld)
        else:
            self._see(_TABLE, 0)
        if seat.refusal is not self._refusal:
            self._refusal = seat.refusal
            self._refusals = (self._refusals + 1) & 255
        mine = table.turn == me
        v = mine | (table.turn & 7) << 1 | bool(choices) << 4 | bool(seat.trustee) << 5 | bool(seat.peek) << 6
        v |= table.ended << 7 | (table.counts[me][15] == 0) << 8
        self._see(_BAR_A, v)
        if self._refusal is not None:
            v = 1 << 29 | self._refusals
        else:
            v = v ^ (seat.reading << 9 | bool(seat.legal) << 8) ^ table.meld << 5
            v ^= bool(seat.raised[15] or self._any_raised()) << 4
        self._see(_BAR_B, v & 0x3FFFFFFF)
        if game.turn_ms and table.turn >= 0:
            left = game.turn_left_ms
            self._see(_BAR_C, (left + 999) // 1000 << 1 | mine)
            self._see(_LINE_R, (320 * ((left + 999) // 1000 * 1000) // game.turn_ms) << 1 | mine)
        else:
            self._see(_BAR_C, mine)
            self._see(_LINE_R, mine)
        self._mark_hand(seat, table)

    def _any_raised(self):
        raised = self.seat.raised
        for r in range(15):
            if raised[r]:
                return True
        return False

    def _note(self, table, s):
        """What a seat's tile says: 0 nothing, else 1 + the number of its text."""
        for i in range(len(table.out)):
            if table.out[i] == s:
                return 1 + _T_FIRST + i
        if table.turn == s:
            return 1 + _T_PLAYING
        did = table.last[s]
        if did == _PASSED:
            return 1 + _T_PASS
        if not did:
            return 0
        if table.owner != s:
            return 1 + _T_PLAYED
        for i in range(4):
            if i != s and table.last[i] > 0:
                return 1 + _T_TOP
        return 1 + _T_LED

    def _mark_hand(self, seat, table):
        """Which columns of the hand have changed."""
        peek = bool(seat.peek)
        owner = (seat.index + 2) & 3 if peek else seat.index
        hand = table.cards[owner]
        n = seat.n_order
        if peek != self._peek or n != self._n or bool(seat.trustee) != self._shade or self._order != seat.order:
            self._peek = peek
            self._shade = bool(seat.trustee)
            self._order[:] = seat.order
            if n != self._n:
                self._n = n
                self._pitch = 21 if n > 12 else 26 if n > 10 else 31
                self._left = (321 - n * self._pitch) >> 1
            self._columns = (1 << n) - 1
            self._dirty |= 1 << _MARGINS
            self._hand[:] = hand
            self._raised[:] = seat.raised
            self._cursor = self._old_cursor = seat.cursor
            return
        if self._hand != hand or self._raised != seat.raised:
            for i in range(n):
                r = self._order[i]
                if self._raised[r] != seat.raised[r] or self._differs(hand, r):
                    self._columns |= 1 << i
            self._hand[:] = hand
            self._raised[:] = seat.raised
        if self._cursor != seat.cursor:
            if not self._dirty >> _CURSOR & 1:
                self._old_cursor = self._cursor
            elif self._old_cursor != self._cursor and self._cursor >= 0:
                self._columns |= 1 << self._cursor  # moved twice before it was painted
            self._cursor = seat.cursor
            self._dirty |= 1 << _CURSOR

    def _differs(self, hand, r):
        n = cards.suits(self._hand, r)
        bits = 0
        for i in range(n):
            bits = bits << 2 | cards._suits[i]
        m = cards.suits(hand, r)
        if m != n:
            return True
        for i in range(n):
            bits ^= cards._suits[i] << 2 * (n - 1 - i)
        return bits != 0

    # Painting ----------------------------------------------------------------------------------------------------

    def paint(self):
        """Paint one window of at most 8 KB. True if more is left."""
        c = self.canvas
        c.lang = self.seat.lang
        if self._page != _PLAY:
            return False
        if self._region < 0:
            if self._columns and not self._dirty >> _CURSOR & 1:
                self._paint_column(c)
                return bool(self._columns or self._dirty)
            for i in range(_N):
                r = _ORDER[i]
                if self._dirty >> r & 1:
                    self._dirty &= ~(1 << r)
                    self._region = r
                    self._y = 0
                    break
            else:
                return bool(self._columns)
        r = self._region
        if r == _CURSOR:
            self._paint_cursor(c)
        elif r == _MARGINS:
            self._paint_margin(c)
        else:
            self._paint_region(c, r)
        return self._region >= 0 or bool(self._dirty or self._columns)

    def _paint_region(self, c, r):
        """The next band of a region."""
        x, y, w, h = _WHERE[r]
        rows = 4096 // w
        part = h - self._y
        if part > rows:
            part = rows
        c.begin(x, y + self._y, w, part, _NIGHT)
        if r < 3:
            self._tile(c, x, (self.seat.index + 3 - r) & 3, self._shown[r])
        elif r == _TABLE:
            self._table(c)
        elif r == _LINE_R:
            self._time(c)
        else:
            self._bar(c, r)
        c.send(self.display)
        self._y += part
        if self._y >= h:
            self._region = -1

    def _tile(self, c, x, s, v):
        """The tile of seat ``s``: cards left, name, what it did, whose turn."""
        game = self.game
        team = not (s ^ self.seat.index) & 1
        own = _TEAM if team else _FOE
        count = v >> 5 & 31
        ground, ink, faint = _NIGHT, _TEXT, _MUTED
        if v >> 12 & 1:
            c.card(x, 1, 104, 38, own)
            ground, ink, faint = own, _INK, _INK
        elif v >> 10 & 1:
            c.frame(x, 1, 104, 38, _AMBER)
            faint = _AMBER
        elif v >> 11 & 1:
            faint = own
        note = (v & 31) - 1
        if not count:
            c.card(x + 5, 5, 27, 30, _TRAY)
            place = note - _T_FIRST + 1
            c.digits(_RANK, place, x + 23, 13, _AMBER if place == 1 else _MUTED)
        else:
            width = 10 if count < 10 else 22
            right = x + 5 + ((27 + width) >> 1)
            if v >> 12 & 1:
                c.card(x + 5, 5, 27, 30, _INK)
                c.digits(_RANK, count, right, 13, own)
            elif count < 4:
                c.card(x + 5, 5, 27, 30, _PAPER)
                c.frame(x + 7, 7, 23, 26, _RED, 1)
                c.digits(_RANK, count, right, 13, _RED)
            else:
                c.card(x + 5, 5, 27, 30, own)
                c.digits(_RANK, count, right, 13, _INK)
        mark = own if ground == _NIGHT else _INK
        c.glyph(_TINY, 111 if team else 118, x + 37, 9, mark)
        name = game.seats[s].name.encode()
        if c.width(_R16, name) > 54:
            c.text(_R12, x + 48, 5, name, ink, x + 102)
        else:
            c.text(_R16, x + 48, 3, name, ink)
        if v >> 13 & 1:
            c.glyph(_MARK, 103, x + 35, 24, faint)
        if note >= 0:
            s = c.type.text(c.lang, note)
            c.text(_R16 if c.width(_R16, s) < 55 else _R12, x + 48, 21, s, faint)

    def _table(self, c):
        """What lies on the table, on the side of its owner; or the readings to choose from."""
        seat = self.seat
        table = self.game.table
        if self._shown[_TABLE] >> 29 & 1:
            self._choices(c)
            return
        big = self._shown[_TABLE] >> 28 & 1
        m = table.meld
        owner = table.owner
        if not big:
            c.card(4, 45, 312, 59, _FELT)
        if not m:
            return
        n = cards.lay(m, table.shown, table.n_shown, table.rules.small_wild)
        side = (owner - seat.index) & 3  # 0 me, 1 next, 2 partner, 3 before
        own = _TEXT if side == 0 else _TEAM if side == 2 else _FOE
        name = why.meld_name(seat.lang, m).encode()
        who = c.type.text(c.lang, _T_ME) if side == 0 else self.game.seats[owner].name.encode()
        if big:
            self._big(c, n, name, who, side)
            return
        x = (160, 266, 160, 54)[side]
        if side:
            for i in range(5):
                c.rect(x - i, 40 + i, 2 * i, 1, own)
            c.rect(x - 52, 45, 104, 2, own)
        else:
            c.rect(x - 52, 102, 104, 2, own)
        star = table.meld >= _BOMBS and self._star(m)
        name_w = c.width(_B20, name)
        who_w = c.width(_R16, who)
        width = name_w + 12 + who_w + (11 if side else 0) + (30 if star else 0)
        x = 160 - (width >> 1) if not side & 1 else 12 if side == 3 else 304 - width
        if side:
            c.glyph(_TINY, 111 if side == 2 else 118, x, 54, own)
            x += 11
        x = c.text(_R16, x, 50, who, own) + 12
        x = c.text(_B20, x, 48, name, _TEXT)
        if star:
            c.glyph(_MARK, 42, x + 6, 52, _AMBER)
            c.glyph(_RANK, 48 + star, x + 21, 52, _AMBER) if star < 10 else c.digits(_RANK, star, x + 43, 52, _AMBER)
        pitch = 21
        gap = 4
        while pitch > 14 and cards.row_width(n, pitch, gap) > 292:
            pitch -= 1
        width = cards.row_width(n, pitch, gap)
        x = 160 - (width >> 1) if not side & 1 else 12 if side == 3 else 304 - width
        cards.row(c, x, 71, n, pitch, gap)

    def _star(self, m):
        from shared_rules.compare import star

        return star(self.game.rules, m)

    def _big(self, c, n, name, who, side):
        """A big play: a band of the whole width with its star."""
        star = self.game.big[2]
        c.rect(0, 41, 320, 63, _BLAZE)
        c.rect(0, 41, 320, 2, _AMBER)
        c.rect(0, 102, 320, 2, _AMBER)
        for x, y, w in ((0, 47, 14), (0, 53, 8), (62, 47, 8), (0, 92, 10), (0, 98, 18), (66, 98, 8)):
            c.rect(x, y, w, 2, _EMBER)
        c.star(5, 42, _EMBER)
        c.star(5, 40, _AMBER)
        c.digits(_RANK2, star, 48 if star < 10 else 60, 61, _INK, 4)
        x = 80
        if side:
            c.glyph(_TINY, 111 if side == 2 else 118, x, 51, _LIFT)
            x += 11
        x = c.text(_R16, x, 47, who, _LIFT)
        c.text(_B24, x + 12, 44, name, _TEXT, 318)
        pitch = 21
        while pitch > 12 and cards.row_width(n, pitch, 3) > 236:
            pitch -= 1
        cards.row(c, 80, 71, n, pitch, 3)

    def _choices(self, c):
        """Two readings side by side, the chosen one framed; more of them scroll."""
        seat = self.seat
        table = self.game.table
        first = seat.choice & ~1
        for i in range(2):
            if first + i >= len(seat.choices):
                break
            m = seat.choices[first + i]
            x = 162 if i else 4
            chosen = first + i == seat.choice
            c.card(x, 44, 154, 60, _FELT)
            if chosen:
                c.frame(x, 44, 154, 60, _AMBER)
                c.glyph(_MARK, 121, x + 136, 51, _AMBER)
            name = why.meld_name(seat.lang, m).encode()
            c.text(_B16 if chosen else _R16, x + 10, 48, name, _TEXT if chosen else _MUTED, x + 134)
            n = cards.lay(m, self._codes, self._raised_codes(table), table.rules.small_wild)
            pitch = 21
            while pitch > 8 and cards.row_width(n, pitch, 0) > 138:
                pitch -= 1
            cards.row(c, x + 10, 69, n, pitch, 0)

    def _raised_codes(self, table):
        """The codes of the raised cards into ``_codes``; how many."""
        if self._codes is None:
            self._codes = bytearray(27)
        hand = table.cards[self.seat.index]
        n = 0
        for r in range(15):
            k = self.seat.raised[r]
            code = r * 4 if r < 13 else r + 39
            for s in range(4 if r < 13 else 1):
                for copy in (0, 54):
                    at = code + s + copy
                    if k and hand[at >> 3] >> (at & 7) & 1:
                        self._codes[n] = at
                        n += 1
                        k -= 1
        return n

    _codes = None

    def _time(self, c):
        """The time left, as a line."""
        v = self._shown[_LINE_R]
        if v > 1:
            c.rect(0, 128, 320, 3, _LINE)
            c.rect(0, 128, v >> 1, 3, _AMBER if v & 1 else _DIM)

    def _bar(self, c, r):
        """A part of the bar: whose turn, the message, the clock."""
        seat = self.seat
        table = self.game.table
        mine = table.turn == seat.index
        if mine and not seat.trustee:
            c.rect(0, 106, 320, 22, _AMBER)
        if r == _BAR_C:
            v = self._shown[_BAR_C]
            if v > 1:
                c.digits(_RANK, v >> 1, 313, 110, _INK if mine and not seat.trustee else _MUTED)
            return
        t = c.type
        if table.ended:
            c.text(_R16, 8, 108, t.text(c.lang, _T_LAST_TRICK), _TEXT)
            return
        if seat.trustee:
            c.glyph(_MARK, 103, 8, 112, _AMBER)
            x = c.text(_B16, 24, 108, t.text(c.lang, _T_TRUSTEE_PLAYS), _AMBER)
            self._key(c, x + 12, _T_KEY_TRUSTEE, _T_TAKE_BACK, _AMBER, _INK, _MUTED)
            return
        if seat.peek:
            c.glyph(_MARK, 42, 7, 110, _AMBER)
            x = c.text(_B16, 24, 108, t.text(c.lang, _T_FIRST), _AMBER)
            c.glyph(_TINY, 111, x + 14, 113, _TEAM)
            name = self.game.seats[(seat.index + 2) & 3].name.encode()
            c.text(_R16, x + 26, 108, t.text(c.lang, _T_PARTNERS_HAND).replace(b"{}", name), _TEAM)
            return
        if not table.counts[seat.index][15]:
            c.text(_R16, 8, 108, t.text(c.lang, _T_OUT), _TEXT)
            return
        if not mine:
            name = self.game.seats[table.turn].name.encode()
            x = c.text(_R16, 8, 108, t.text(c.lang, _T_WAIT_FOR).replace(b"{}", name), _TEXT)
            if seat.reading and r == _BAR_B and self._refusal is None:
                name = why.meld_name(seat.lang, seat.reading).encode()
                c.text(_R16, 272 - c.width(_R16, name), 108, name, _MUTED)
        else:
            if r == _BAR_A:
                c.glyph(_MARK, 62, 8, 113, _INK)
                c.text(_B16, 23, 108, t.text(c.lang, _T_WHICH if seat.choices else _T_YOUR_TURN), _INK)
                return
            c.rect(78, 111, 1, 13, _EMBER)
        if r != _BAR_B:
            return
        if self._refusal is not None:
            self._refuse(c, self._refusal)
        elif mine:
            self._message(c, seat, table)

    def _key(self, c, x, key, what, ground, ink, faint):
        """A key's cap with its word, and what it does."""
        s = c.type.text(c.lang, key)
        w = c.width(_B16, s) + 10
        c.card(x, 108, w, 18, ground)
        c.text(_B16, x + 5, 108, s, ink)
        return c.text(_R16, x + w + 6, 108, c.type.text(c.lang, what), faint)

    def _message(self, c, seat, table):
        """My turn: what must be beaten, or what is raised and whether it may be played."""
        t = c.type
        x = 88
        if seat.choices:
            for code in (60, 62):
                c.card(x, 108, 17, 18, _INK)
                c.glyph(_TINY, code, x + 6, 113, _AMBER)
                x += 20
            x = c.text(_R16, x + 3, 108, t.text(c.lang, _T_CHANGE), _INK)
            self._key(c, x + 12, _T_KEY_PLAY, _T_THIS_ONE, _INK, _AMBER, _INK)
            return
        if not self._any_raised():
            if not table.meld:
                c.text(_R16, x, 108, t.text(c.lang, _T_LEAD_ANY), _INK)
                return
            x = c.text(_R16, x, 108, t.text(c.lang, _T_MUST_BEAT), _INK) + 7
            if table.meld >= _BOMBS:
                self._stars(c, x, self._star(table.meld), _INK)
            else:
                c.text(_B16, x, 108, why.meld_name(seat.lang, table.meld), _INK)
            return
        if not seat.reading:
            c.glyph(_MARK, 110, x, 113, _INK)
            c.text(_R16, x + 15, 108, t.text(c.lang, _T_NO_MELD), _INK)
            return
        c.glyph(_MARK, 121 if seat.legal else 110, x, 113, _INK)
        x = c.text(_B16, x + 15, 108, why.meld_name(seat.lang, seat.reading), _INK)
        if seat.reading >= _BOMBS:
            self._stars(c, x + 9, self._star(seat.reading), _INK)

    def _stars(self, c, x, star, ink):
        c.glyph(_MARK, 42, x, 110, ink)
        c.digits(_RANK, star, x + 26 + (12 if star > 9 else 0), 110, ink)

    def _refuse(self, c, refusal):
        """Why the last key was refused, in place of the message."""
        code, tried, old = refusal
        c.rect(78, 106, 202, 22, _BLAZE)
        t = c.type
        c.glyph(_MARK, 110, 86, 113, _LIFT)
        word = _T_REFUSED
        if code == -2:
            word = _T_LOW
            if old >= _BOMBS:
                s = t.text(c.lang, _T_NEED_BOMB)
            elif tried >> 4 == old >> 4:
                s = t.text(c.lang, _T_NEED_TOP).replace(b"{}", why.kind_name(c.lang, old).encode(), 1)
                s = s.replace(b"{}", why.rank_name(c.lang, old & 15).encode())
            else:
                s = t.text(c.lang, _T_NEED_KIND).replace(b"{}", why.kind_name(c.lang, old).encode())
        else:
            s = t.text(c.lang, (_T_NO_MELD, 0, _T_NOT_HELD, _T_MUST_LEAD, _T_NOT_OFFERED, _T_ENDED)[-1 - code])
        x = c.text(_B16, 102, 108, t.text(c.lang, word), _TEXT) + 8
        c.text(_R16 if x + c.width(_R16, s) < 279 else _R12, x, 108, s, _LIFT)

    # The hand ----------------------------------------------------------------------------------------------------

    def _hand_window(self, c, x, y, w, h):
        """Paint a window of the hand: the columns in it, and the cursor."""
        seat = self.seat
        c.begin(x, y, w, h, _TRAY)
        if self._peek:
            c.frame(0, 131, 320, 109, _TEAM)
        first = (x - self._left) // self._pitch
        last = (x + w - self._left) // self._pitch
        hand = self.game.table.cards[(seat.index + 2) & 3 if self._peek else seat.index]
        for i in range(first if first > 0 else 0, last + 1 if last < self._n else self._n):
            r = self._order[i]
            cards.column(c, self._left + i * self._pitch, self._pitch - 1, r, hand,
                         0 if self._peek else self._raised[r], 0, self._shade)
        if 0 <= self._cursor < self._n and not self._peek:
            x = self._left + self._cursor * self._pitch
            y = self._column_top(self._cursor) - 3
            c.rect(x - 1, y, self._pitch + 1, 2, _TEXT)
            c.rect(x - 1, y + 2, 1, 3, _TEXT)
            c.rect(x + self._pitch - 1, y + 2, 1, 3, _TEXT)
            c.rect(x - 1, 238, self._pitch + 1, 2, _TEXT)
        c.send(self.display)

    def _column_top(self, i):
        r = self._order[i]
        hand = self.game.table.cards[(self.seat.index + 2) & 3 if self._peek else self.seat.index]
        return cards.top(cards.suits(hand, r), self._raised[r], 0)

    def _paint_column(self, c):
        i = 0
        while not self._columns >> i & 1:
            i += 1
        self._columns &= ~(1 << i)
        if i < self._n:
            # One px more at the left: the cursor's bracket reaches into the column before.
            x = self._left + i * self._pitch - 1
            self._hand_window(c, x, 131, self._pitch + 1, 109)

    def _paint_margin(self, c):
        """What is left and right of the columns; ``_y`` counts the windows."""
        y = self._y
        right = self._left + self._n * self._pitch
        left = self._left
        widths = (left, 320 - right)
        w = widths[y & 1]
        rows = 4096 // (w if w > 37 else 37)
        top = 131 + (y >> 1) * rows
        if w > 0 and top < 240:
            self._hand_window(c, 0 if not y & 1 else right, top, w, min(rows, 240 - top))
        self._y = y + 1
        if 131 + (self._y >> 1) * (4096 // max(37, left, 320 - right)) >= 240:
            self._region = -1

    def _paint_cursor(self, c):
        """The bracket and bar at the old place and at the new one; ``_y`` counts the four windows."""
        step = self._y
        i = self._old_cursor if step < 2 else self._cursor
        if 0 <= i < self._n:
            x = self._left + i * self._pitch - 1
            y = 238 if step & 1 else self._column_top(i) - 3
            self._hand_window(c, x, y, self._pitch + 1, 2 if step & 1 else 5)
        self._y = step + 1
        if step == 3:
            self._region = -1
            self._old_cursor = self._cursor

    _lang = -1
