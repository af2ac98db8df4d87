"""Cards on the canvas: the hand in columns by rank, and the row of a meld on the table.

Enter at ``column`` (one rank of a hand), ``lay`` and ``row`` (a meld). Suits of a rank are held back to front, lowest
first (d c h s): raising takes the cards at the back. Nothing here allocates.
"""

from micropython import const

# RGB565, bytes swapped
_PAPER = const(0x9BF7)
_SHADE = const(0x97DE)
_EDGE = const(0x2A6B)
_INK = const(0xE310)
_RED = const(0x44C1)
_LIFT = const(0xF0FE)
_LIFTSH = const(0xEAED)
_TEXT = const(0x7BF7)
_AMBER = const(0x85F5)
_MUTED = const(0x5495)

_R16 = const(0)
_R12 = const(5)
_RANK = const(6)
_TINY = const(7)
_MARK = const(8)

_T_BIG = const(34)
_T_SMALL = const(35)

CODES = b"3456789TJQKA2xX"
_SUITS = b"dchs"
_FRONT = const(187)  # y of a front card, large; it is 40 px high
_FRONT_C = const(197)  # compact: 28 px high
_COUNT_Y = const(228)

SUIT_LIST = bytearray(8)

# A meld laid out: for each card its rank (bit 7: a group begins), and what it is: suit 0-3, or a joker that
# stands for the rank (4 small, 5 big), or a joker as itself (6, 7).
LAID = bytearray(54)


def suits(identity, r):
    """Fill the module's list with the suits of the cards of rank ``r`` in a hand (bytearray(14)), lowest
    first; how many.
    """
    n = 0
    if r > 12:
        for code in (r + 39, r + 93):
            if identity[code >> 3] >> (code & 7) & 1:
                SUIT_LIST[n] = 0
                n += 1
        return n
    code = r * 4
    for s in range(4):
        for c in (code + s, code + s + 54):
            if identity[c >> 3] >> (c & 7) & 1:
                SUIT_LIST[n] = s
                n += 1
    return n


def red(r, suit):
    """Whether a card is printed red: diamonds, hearts, the big joker."""
    return r == 14 or r < 13 and not suit & 1


def strip(n, compact):
    """How much of a card behind another shows, px, in a column of ``n``."""
    if compact:
        return 5 if n < 6 else 3
    return 8 if n < 6 else 7 if n == 6 else 6


def top(n, k, compact):
    """y where a column of ``n`` cards with ``k`` raised begins."""
    if compact:
        return _FRONT_C - (n - 1) * strip(n, 1) - (6 if k else 0)
    return _FRONT - (n - 1) * strip(n, 0) - (10 if k else 0)


def column(c, x, w, r, identity, k, compact, shade):
    """One rank of a hand: cards ``w`` wide from ``x``, the back ``k`` raised; ``shade``: the trustee plays."""
    n = suits(identity, r)
    if not n:
        return
    s = strip(n, compact)
    front = _FRONT_C if compact else _FRONT
    height = 28 if compact else 40
    lift = 6 if compact else 10
    plain = _SHADE if shade else _PAPER
    for i in range(n):
        y = front - (n - 1 - i) * s
        if i < k:
            y -= lift
        last = i == n - 1
        h = height if last else s + (lift if i == k - 1 else 0)
        if c.misses(x, y, w, h + 1):
            continue
        c.card(x, y, w, h + (0 if last else 2), _LIFT if i < k else plain)
        if i:
            c.rect(x, y, w, 1, _EDGE)
        ink = _RED if red(r, SUIT_LIST[i]) else _INK
        if last:
            face(c, x, y, w, r, SUIT_LIST[i], ink, compact)
        elif i == k - 1 and not compact:
            if r > 12:
                crown(c, x + (w - 15) // 2, y + 4, r, ink)
            else:
                rank(c, x + (w >> 1), y + 3, r, ink)
        elif not compact:
            if r > 12:
                c.glyph(_TINY, CODES[r], x + (w - 7) // 2, y + 1, ink)
            elif s > 7:
                c.glyph(_TINY, _SUITS[SUIT_LIST[i]], x + (w - 7) // 2, y + 1, ink)
            else:
                c.glyph(_TINY, _SUITS[SUIT_LIST[i]] - 32, x + (w - 5) // 2, y + 1, ink)
    if 0 < k < n:
        x += (w - 18) >> 1
        c.glyph(_TINY, 48 + k, x, _COUNT_Y, _AMBER)
        c.glyph(_TINY, 47, x + 6, _COUNT_Y, _AMBER)
        c.glyph(_TINY, 48 + n, x + 12, _COUNT_Y, _AMBER)
    elif n > 3:
        c.glyph(_TINY, 48 + n, x + ((w - 6) >> 1), _COUNT_Y, _AMBER if k else _TEXT)


def rank(c, middle, y, r, ink):
    """A rank 10 px wide (the ten 14) around ``middle``."""
    c.glyph(_RANK, CODES[r], middle - (7 if r == 7 else 5), y, ink)


def crown(c, x, y, r, ink):
    """The crown of a joker, 15 x 12: filled for the big one, outlined for the small one."""
    c.glyph(_MARK, CODES[r], x, y, ink)


def face(c, x, y, w, r, suit, ink, compact):
    """What is printed on a front card: rank and suit, or a joker's crown and word."""
    if r > 12:
        crown(c, x + (w - 15) // 2, y + (8 if compact else 4), r, ink)
        if not compact:
            s = c.type.text(c.lang, _T_BIG if r == 14 else _T_SMALL)
            c.text(_R16, x + ((w - c.width(_R16, s)) >> 1), y + 21, s, ink)
        return
    rank(c, x + (w >> 1), y + (3 if compact else 5), r, ink)
    if compact:
        c.glyph(_TINY, _SUITS[suit], x + ((w - 7) >> 1), y + 19, ink)
    else:
        c.glyph(_MARK, _SUITS[suit], x + ((w - 9) >> 1), y + 25, ink)


def lay(m, codes, n, small_wild):
    """Lay out the meld ``m`` made of ``n`` card codes into LAID: sequences upwards, jokers where they
    stand. Returns n.
    """
    high = m & 15
    ranks = m >> 4 & 15
    unit = m >> 8 & 15
    out = 0
    jokers = 0  # those that stand for a rank: bits 0-3 small ones, 4-7 big ones
    itself = high > 12
    if not itself:
        for i in range(n):
            r = codes[i] % 54
            if r == 53:
                jokers += 16
            elif r == 52 and small_wild:
                jokers += 1
    for r in range(high - ranks + 1, high + 1) if not itself else (13, 14):
        first = out
        for i in range(n):
            code = codes[i] % 54
            if code < 52 and code >> 2 == r or itself and code - 39 == r:
                LAID[2 * out] = r
                LAID[2 * out + 1] = code & 3 if code < 52 else code - 46
                out += 1
        while jokers and (out - first < unit or r == high):
            LAID[2 * out] = r
            LAID[2 * out + 1] = 4 if jokers & 15 else 5
            jokers -= 1 if jokers & 15 else 16
            out += 1
        if first and out > first and not itself:
            LAID[2 * first] |= 128
    return out


def row_width(n, pitch, gap):
    """Width in px of the laid row: cards 20 wide at ``pitch``, ``gap`` more between groups (singles have none)."""
    width = pitch * (n - 1) + 20
    groups = 1
    for i in range(n):
        if LAID[2 * i] & 128:
            width += gap
            groups += 1
    return width if pitch > 13 else 25 * groups - 3


def row(c, x, y, n, pitch, gap, low=False):
    """Draw the laid row of cards 20 x 30 (``low``: 18 x 25) from ``x, y``; below a pitch of 21 (19) they overlap."""
    full = 18 if low else 20
    high = 25 if low else 30
    if pitch < 14:
        _groups(c, x, y, n, high)
        return
    for i in range(n):
        r = LAID[2 * i]
        what = LAID[2 * i + 1]
        if r & 128:
            x += gap
            r &= 127
        joined = pitch <= full and i and not LAID[2 * i] & 128
        last = i == n - 1 or LAID[2 * i + 2] & 128
        w = full if pitch > full or last else pitch + 2
        if not c.misses(x, y, full, high):
            small(c, x, y, w, r, what, min(pitch, full), low)
            if joined:
                c.rect(x, y, 1, high, _EDGE)
        x += pitch


def _groups(c, x, y, n, high):
    """A row too long for its cards: each rank once, with its count; 25 px a rank."""
    i = 0
    while i < n:
        r = LAID[2 * i] & 127
        k = 0
        jokers = 0
        while i < n and LAID[2 * i] & 127 == r and not (k and LAID[2 * i] & 128):
            jokers |= LAID[2 * i + 1] & 4
            k += 1
            i += 1
        c.card(x, y, 22, high, _PAPER)
        rank(c, x + 11, y + (3 if high > 25 else 1), r, _INK)
        if jokers:
            c.rect(x + 1, y + high - 10, 20, 9, _LIFTSH)
        c.digits(_TINY, k, x + 14, y + high - (11 if high > 25 else 10), _RED, 0)
        x += 25


def small(c, x, y, w, r, what, visible, low):
    """One card 30 (``low``: 25) px high; rank and suit are centred in the ``visible`` px."""
    ink = _RED if what in (0, 2, 5, 7) else _INK
    c.card(x, y, w, 25 if low else 30, _PAPER)
    middle = x + (visible >> 1)
    if low:
        if what > 5:
            crown(c, middle - 7, y + 6, r, ink)
            return
        rank(c, middle, y + 2, r, _INK if what > 3 else ink)
        if what > 3:
            c.rect(x, y + 17, w, 7, _LIFTSH)
            c.glyph(_TINY, 88 if what == 5 else 120, middle - 3, y + 17, ink)
        else:
            c.glyph(_TINY, _SUITS[what] - 32, middle - 2, y + 18, ink)
        return
    if what > 5:
        crown(c, middle - 7, y + 3, r, ink)
        s = c.type.text(c.lang, _T_BIG if r == 14 else _T_SMALL)
        c.text(_R12, middle - (c.width(_R12, s) >> 1), y + 16, s, ink)
        return
    if what > 3:
        c.rect(x + 1, y + 19, w - 2, 10, _LIFTSH)
        c.rect(x, y + 19, w, 9, _LIFTSH)
        rank(c, middle, y + 3, r, _INK)
        c.glyph(_MARK, 87 if what == 5 else 119, middle - 5, y + 21, ink)
        return
    rank(c, middle, y + 3, r, ink)
    c.glyph(_MARK, _SUITS[what], middle - 5, y + 19, ink)


def fit(n, gap, most):
    """The widest pitch, 21 down to 14, at which the laid row of ``n`` cards is at most ``most`` px wide;
    13: in groups.
    """
    pitch = 21
    while pitch > 13 and row_width(n, pitch, gap) > most:
        pitch -= 1
    return pitch


def differ(a, b, r):
    """Whether two hands differ in the cards of rank ``r``."""
    step = 1 if r > 12 else 4
    code = r + 39 if r > 12 else r * 4
    for at in range(code, code + step):
        if (a[at >> 3] ^ b[at >> 3]) >> (at & 7) & 1:
            return True
        at += 54
        if (a[at >> 3] ^ b[at >> 3]) >> (at & 7) & 1:
            return True
    return False


def lifted(identity, raised, codes):
    """Fill ``codes`` with the raised cards of a hand, of each rank the lowest suits. Returns how many."""
    n = 0
    for r in range(15):
        k = raised[r]
        code = r * 4 if r < 13 else r + 39
        for s in range(code, code + (4 if r < 13 else 1)):
            for at in (s, s + 54):
                if k and identity[at >> 3] >> (at & 7) & 1:
                    codes[n] = at
                    n += 1
                    k -= 1
    return n
