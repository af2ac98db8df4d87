"""The screen of one seat: what has changed since it was painted, and painting it slice by slice.

Enter at ``SeatScreen``: ``mark`` compares what the regions show with what they should, ``paint`` sends one window of at
most 5 KB, ``reset`` makes everything dirty. What is on the screen is a view: ``play.py`` (large layout), ``compact.py``
and ``pages.py`` (lobby, settlement); a view is a module with

  mark(v)        calls ``v.see(region, value)`` for each region; allocates nothing
  area(v, r)     the windows that region r is painted in now: bytes x / 2, y, w / 2, h of each
  draw(v, c, r)  draws region r, whole, in screen coordinates; the canvas clips

A page that the seat has opened (``pages.py``) is a view, too. Between deals it stands in place of the other; in a
deal it covers the upper part, and bar and hand go on below it untouched.

Seats are seen as they sit: the one before at the left, the partner opposite, the next one at the right. A
screen reads the public state and its own seat's hand; the partner's hand only when the seat was first out
(RULES.md section 9.8), all hands only in the settlement (9.9).
"""

import gc
from array import array

from micropython import const

from screen.canvas import ROWS
from shelf import put_back

# Phases of the game (game.py)
_LOBBY = const(0)
_SETTLED = const(4)

_REGIONS = const(12)  # most that a view has
_HAND = const(20)  # bit of the hand's margins, beyond the view's regions

_SEEN = const((1 << 20) - 1)  # the view's regions

_NIGHT = const(0xA208)


class SeatScreen:
    """One seat's display. display: ``blit(x, y, w, h, pixels)``; game, seat: as in game.py; canvas: the shared one."""

    def __init__(self, display, game, seat, canvas):
        self.display = display
        self.game = game
        self.seat = seat
        self.canvas = canvas
        self.view = None
        self.over = None  # the page over the upper part
        self.covered = 0  # regions of ``view`` under it, a bit each
        self._key = -1  # which page, view, layout and language is shown
        self.shown = array("i", bytes(4 * _REGIONS))  # what each region shows, as a number
        self.delta = array("i", bytes(4 * _REGIONS))  # bits of it that changed since it was painted
        self.fresh = 0  # regions whose ground is unknown
        self.dirty = 0
        self.region = -1  # being painted: region, window of it, rows of it that are done
        self._area = None
        self._window = 0
        self._rows = 0
        # The hand (hand.py)
        self.columns = 0  # dirty ones
        self.hand = bytearray(14)
        self.raised = bytearray(16)
        self.order = bytearray(15)
        # y where each column begins, as painted; then of a column that is painted in part: its number + 1, next row
        self.tops = bytearray(17)
        self.n = 0
        self.pitch = 21
        self.left = 0
        self.high = 131  # highest row that the hand has painted
        self.cursor = -1
        self.cursor_was = -1
        self.wait = False  # the whole hand is to be painted
        self.peek = False
        self.shade = False
        self.hidden = False
        self.step = 0
        # The playing screen (play.py)
        self.public = self.own = self.seconds = -1
        self.refusal = None
        self.refusals = 0
        self.plan = array("h", bytes(2 * 10))  # where things on the table are
        self.rects = bytearray(8)  # windows found by the view
        self.end = 320  # x up to which the message was painted
        self.ground = -1  # its ground

    def reset(self):
        """Nothing on the display is known any more: paint everything."""
        self._key = -1

    def mark(self):
        """Compare the state with what is shown and note what has to be painted. Allocates nothing in a steady state."""
        seat = self.seat
        page = self.game.phase
        if page != _LOBBY and page != _SETTLED:
            page = 1 + seat.layout
        key = seat.page << 5 | page << 2 | seat.lang
        was = self._key
        if key != was:
            self._key = key
            try:
                if was < 0 or (key ^ was) & 31 or not page & 3:
                    self._load(page)
                if seat.page or was > 31:
                    __import__("pages").show(self)
            except MemoryError:  # what was loaded of it goes; again in the next round
                self.close()
                gc.collect()
                return
        self.view.mark(self)
        if self.over:
            covered = self.covered
            self.covered = -16  # all but the page's regions
            self.over.mark(self)
            self.covered = covered

    def close(self):
        """Let go of the view, so that its code may leave the memory; ``mark`` then paints everything anew."""
        self.view = self.over = None
        self._key = -1

    def _load(self, page):
        """The view of a phase or layout."""
        gc.collect()  # a module is many small pieces: they lie together in a heap that is in order
        # Views are loaded when they are shown; those of a deal and those of the time between deals make room for
        # each other. Without collecting first, what is free may lie in pieces too small for a view.
        self.view = None
        if page == _LOBBY:
            put_back("screen.scenes", "screen.play", "screen.compact", "screen.hand")
            gc.collect()
            from screen import lobby

            self.view = lobby
        elif page == _SETTLED:
            put_back("screen.scenes", "screen.play", "screen.compact", "screen.hand")
            gc.collect()
            from screen import settle

            self.view = settle
        else:
            put_back("screen.lobby", "screen.settle")
            gc.collect()
            if page == 1:
                from screen import play

                self.view = play
            else:
                from screen import compact

                self.view = compact
        self.turn_to(self.view)

    def turn_to(self, view):
        """Show another view: everything is dirty."""
        self.view = view
        self.over = None
        self.n = -1
        self.columns = 0
        self.high = getattr(view, "HAND_Y", 0)
        self.end = 320
        self.dirty = 0
        self.cover(None, -1, 0)
        self.dirty = self.fresh = view.ALL

    def cover(self, view, regions, own):
        """Put a page (None: none any more) over regions of the view, a bit each; own: those of the page."""
        self.over = view
        self.covered = regions if view else 0
        for i in range(_REGIONS):
            if regions >> i & 1:
                self.shown[i] = -1
                self.delta[i] = -1
        if not view:
            own = regions
        self.dirty = self.dirty & ~regions | own
        self.fresh = self.fresh & ~regions | own
        if self.region >= 0 and regions >> self.region & 1:
            self.region = -1
        self.public = -1

    def see(self, region, value):
        """A region shows ``value`` now (any 30-bit number that tells its states apart)."""
        was = self.shown[region]
        if was != value and not self.covered >> region & 1:
            self.shown[region] = value
            self.delta[region] |= was ^ value
            self.dirty |= 1 << region

    def paint(self, first=False):
        """Paint one window of at most 5 KB. False if there is none to paint; with ``first``, none but of a whole hand.

        A whole hand comes after what everybody sees, on all screens: its columns must not move that in time.
        """
        view = self.view
        if view is None:
            return False
        c = self.canvas
        c.lang = self.seat.lang
        r = self.region
        if r < 0:
            if (self.columns or self.dirty >> _HAND) and not (self.wait and self.dirty & _SEEN):
                if self.wait and first:
                    return False
                from screen import hand

                hand.paint(self, c)
                return True
            if not self.dirty:
                return False
            for r in view.ORDER:
                if self.dirty >> r & 1:
                    break
            self.dirty &= ~(1 << r)
            if self.covered >> r & 1:
                view = self.over
            self._area = view.area(self, r)
            self.delta[r] = 0
            self.fresh &= ~(1 << r)
            self.region = r
            self._window = 0
            self._rows = 0
        elif self.covered >> r & 1:
            view = self.over
        area = self._area
        i = self._window
        w, h = area[i + 2] << 1, area[i + 3]
        if w > 0 and h > 0:
            rows = min(ROWS // w, h - self._rows)
            c.begin(area[i] << 1, area[i + 1] + self._rows, w, rows, _NIGHT)
            view.draw(self, c, r)
            c.send(self.display)
            self._rows += rows
        if w <= 0 or self._rows >= h:
            self._rows = 0
            self._window = i = i + 4
            if i >= len(area):
                self.region = -1
        return True
