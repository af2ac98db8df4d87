"""The hand at the foot of the screen: which columns have changed, and painting them one by one.

``mark`` and ``paint`` belong to a ``SeatScreen``; the hand's state stands in its attributes. A change of the
order moves all columns; else only columns that changed are painted, from their highest pixel down. The cursor
is a bracket over its column and a bar below it, painted alone when only the cursor moves.
"""

from micropython import const

from screen import cards
from screen.canvas import ROWS

_TRAY = const(0x0411)
_TEXT = const(0x7BF7)
_TEAM = const(0x965E)
_MUTED = const(0x5495)

_R16 = const(0)
_T_HIDDEN = const(32)

_HAND = const(20)
_CURSOR = const(21)


def mark(v):
    """Compare the hand with what is painted."""
    seat = v.seat
    counts = v.game.table.counts
    peek = bool(seat.peek) and not seat.hidden
    s = (seat.index + 2) & 3 if peek else seat.index
    hand = v.game.table.cards[s]
    raised = v.raised
    if peek:
        n = 0
        for r in range(15):
            if counts[s][r]:
                n += 1
        moved = n != v.n
    else:
        n = 0 if seat.hidden else seat.n_order
        moved = n != v.n or v.order != seat.order
    if moved or peek != v.peek or seat.hidden != v.hidden or seat.trustee != v.shade:
        _lay_out(v, seat, counts[s], hand, n, peek)
        return
    if v.hand != hand or raised != seat.raised:
        v.tops[15] = 0
        for i in range(n):
            r = v.order[i]
            if raised[r] != seat.raised[r] or cards.differ(v.hand, hand, r):
                v.columns |= 1 << i
        for i in range(14):
            v.hand[i] = hand[i]
        for i in range(16):
            raised[i] = seat.raised[i]
    if v.cursor != seat.cursor and not peek:
        if not v.dirty >> _CURSOR & 1:
            v.cursor_was = v.cursor
        elif 0 <= v.cursor < n and v.cursor_was != v.cursor:
            v.columns |= 1 << v.cursor  # moved twice before it was painted
            v.tops[15] = 0
        v.cursor = seat.cursor
        v.dirty |= 1 << _CURSOR


def _lay_out(v, seat, counts, hand, n, peek):
    """New columns: where they are, and all of them dirty."""
    v.wait = True
    v.peek = peek
    v.hidden = seat.hidden
    v.shade = seat.trustee
    v.n = n
    v.pitch = 21 if n > 12 else 26 if n > 10 else 31
    v.left = (321 - n * v.pitch) >> 1
    k = 0
    if peek:
        for r in range(14, -1, -1):
            if counts[r]:
                v.order[k] = r
                k += 1
    else:
        for i in range(15):
            v.order[i] = seat.order[i]
    for i in range(14):
        v.hand[i] = hand[i]
    for i in range(16):
        v.raised[i] = 0 if peek else seat.raised[i]
    v.cursor = v.cursor_was = -1 if peek else seat.cursor
    v.columns = (1 << n) - 1
    v.dirty = v.dirty & ~(1 << _CURSOR) | 1 << _HAND
    v.step = v.tops[15] = 0


def _top(v, i):
    """y of the highest pixel of a column."""
    r = v.order[i]
    return cards.top(cards.suits(v.hand, r), v.raised[r], v.view.COMPACT)


def paint(v, c):
    """Paint the next window of the hand."""
    if v.dirty >> _HAND & 1:
        _paint_margin(v, c)
    elif v.dirty >> _CURSOR & 1:
        _paint_cursor(v, c)
    else:
        tops = v.tops
        i = tops[15] - 1
        y = tops[16]
        if i < 0:
            i = 0
            while not v.columns >> i & 1:
                i += 1
            if i >= v.n:
                v.columns &= ~(1 << i)
                return
            top = _top(v, i)
            y = min(top, tops[i]) - 3
            tops[i] = top
            if top - 3 < v.high:
                v.high = top - 3
        # One px more at the left: the cursor's bracket reaches into the column before.
        w = v.pitch + 1
        rows = min(ROWS // w, 240 - y)
        _window(v, c, v.left + i * v.pitch - 1, y, w, rows)
        tops[16] = y = y + rows
        if y < 240:  # the tallest columns of a short hand are larger than the canvas
            tops[15] = i + 1
            return
        tops[15] = 0
        v.columns &= ~(1 << i)
    if not v.columns and not v.dirty >> _HAND & 1:
        # All of the hand is painted as it is: now its highest row may be a lower one.
        v.wait = False
        high = v.view.HAND_Y if v.peek else 180 if v.hidden else 240
        for i in range(v.n):
            high = min(high, v.tops[i] - 3)
        v.high = high


def _paint_margin(v, c):
    """All of the hand is new: first what is left and right of the columns, from the highest row that the old
    hand or the new one reaches."""
    n = v.n
    right = v.left + n * v.pitch - 1
    left = v.left - 1
    if n <= 0:
        left, right = 0, 0
    if v.step == 0:
        high = min(v.high, v.view.HAND_Y if v.peek else 180)
        for i in range(n):
            high = min(high, _top(v, i) - 3)
        v.high = high
        for i in range(n):
            v.tops[i] = high + 3  # so that each column is painted from there
        v.step = high << 1
    side = v.step & 1
    y = v.step >> 1
    w = 320 - right if side else left
    if w > 0 and y < 240:
        rows = min(ROWS // w, 240 - y)
        _window(v, c, right if side else 0, y, w, rows)
        y += rows
    else:
        y = 240
    v.step = y << 1 | side
    if y >= 240:
        if side:
            v.step = 0
            v.dirty &= ~(1 << _HAND)
        else:
            v.step = v.high << 1 | 1


def _paint_cursor(v, c):
    """Bracket and bar at the old place, then at the new one: four windows."""
    step = v.step
    i = v.cursor_was if step < 2 else v.cursor
    if 0 <= i < v.n:
        x = v.left + i * v.pitch - 1
        _window(v, c, x, 238 if step & 1 else _top(v, i) - 3, v.pitch + 1, 2 if step & 1 else 5)
    v.step = step + 1
    if step == 3:
        v.step = 0
        v.cursor_was = v.cursor
        v.dirty &= ~(1 << _CURSOR)


def _window(v, c, x, y, w, h):
    """Paint one window: the columns in it, and the cursor."""
    pitch = v.pitch
    c.begin(x, y, w, h, _TRAY)
    if v.peek:
        c.frame(0, v.view.HAND_Y, 320, 240 - v.view.HAND_Y, _TEAM)
    if v.hidden:
        s = c.type.text(c.lang, _T_HIDDEN)
        c.text(_R16, (320 - c.width(_R16, s)) >> 1, 184, s, _MUTED)
    first = (x - v.left) // pitch
    last = (x + w - v.left) // pitch
    for i in range(first if first > 0 else 0, last + 1 if last < v.n else v.n):
        r = v.order[i]
        cards.column(c, v.left + i * pitch, pitch - 1, r, v.hand, v.raised[r], v.view.COMPACT, v.shade)
    if 0 <= v.cursor < v.n:
        x = v.left + v.cursor * pitch - 1
        y = _top(v, v.cursor) - 3
        c.rect(x, y, pitch + 1, 2, _TEXT)
        c.rect(x, y + 2, 1, 3, _TEXT)
        c.rect(x + pitch, y + 2, 1, 3, _TEXT)
        c.rect(x, 238, pitch + 1, 2, _TEXT)
    c.send(v.display)
