"""A click on a card or on a reading, done with the pad's keys alone.

A click has no key of its own, so the page does what a person at the pad would: looks where the cursor is,
moves it by rank to the card, and raises one card (click) or all of that rank (Ctrl+click, 003's key). Where
cards have several readings, a click on one moves the frame to it, and a click on the framed one plays it.
In the lobby and in a menu it moves the frame to the row and changes its value, or does what it says.
It looks at the picture on the display only, at three marks of it: the cursor's bar under the hand, the face
colours of the cards in its column, and the frame around the chosen reading or row.
"""

import asyncio

from .fingers import told
from .pictures import HEIGHT, WIDTH

# Where the hand lies, and the row of the bar under the column at the cursor (layout of a seat's screen).
HAND_TOP = 131
BAR_ROW = 238
# The bar is one pixel wider than the pitch of the columns on either side of a card.
BAR_WIDTHS = (22, 27, 32)
BAR_COLOUR = b"\xf7\x7b"
PAPER_COLOURS = (b"\xf7\x9b", b"\xde\x97")
LIFT_COLOUR = b"\xfe\xf0"
FRAME_COLOUR = b"\xf5\x85"
# The boxes of two readings, x0 y0 x1 y1 (exclusive), in the large and in the compact layout; a third one scrolls.
READINGS = (((4, 44, 158, 104), (162, 44, 316, 104)), ((2, 53, 318, 78), (2, 79, 318, 104)))
CORNER = 6
# Frames around rows, by their width: a row of the lobby has a value between two arrows, a menu's row is done by play.
LOBBY_WIDTHS, MENU_WIDTHS = range(136, 148), range(150, 162)
ROW_HEIGHTS = range(16, 40)
ARROWS, VALUE = 216, 268  # of a row in the lobby: x where the left arrow's part begins, middle of its value
FOOT = 198  # of the lobby: "press PLAY when ready"
ROWS_AT_MOST = 12
MOVES_AT_MOST = 3
RAISES_AT_MOST = 12
# The picture follows a key within 40 ms; a busy machine gets more.
PATIENCE_S = 0.6
LOOK_EVERY_S = 0.02


def bar(frame):
    """(x0, x1) of the cursor's bar in a whole frame, x1 exclusive; None if no hand with a cursor is shown."""
    row = frame[BAR_ROW * WIDTH * 2 : (BAR_ROW + 1) * WIDTH * 2]
    start = None
    for x in range(WIDTH + 1):
        lit = x < WIDTH and row[2 * x : 2 * x + 2] == BAR_COLOUR
        if lit and start is None:
            start = x
        elif not lit and start is not None:
            if x - start in BAR_WIDTHS:
                return start, x
            start = None
    return None


def faces(frame, x0, x1):
    """(paper, lift): how many pixels of a column of cards show a card at rest and a raised one."""
    paper = lift = 0
    for y in range(HAND_TOP, HEIGHT):
        for x in range(x0, x1):
            at = (y * WIDTH + x) * 2
            pixel = frame[at : at + 2]
            paper += pixel in PAPER_COLOURS
            lift += pixel == LIFT_COLOUR
    return paper, lift


def framed(frame, box):
    """Whether a box has a frame: its upper and its lower edge, but for the corners, of its colour and what is beside
    the left one not."""
    x0, y0, x1, y1 = box
    edge = FRAME_COLOUR * (x1 - x0 - 2 * CORNER)
    rows = [(y * WIDTH + x0 + CORNER) * 2 for y in (y0, y1 - 1)]
    inside = ((y0 + y1) // 2 * WIDTH + x0 + CORNER // 2) * 2
    return all(frame[at : at + len(edge)] == edge for at in rows) and frame[inside : inside + 2] != FRAME_COLOUR


def reading(frame, point):
    """What a click at a point means to the readings that are offered: "play" on the framed one, "left" or "right" on
    the one beside it; None if there is none."""
    for boxes in READINGS:
        for k, box in enumerate(boxes):
            if framed(frame, box):
                hit = [b[0] <= point[0] < b[2] and b[1] <= point[1] < b[3] for b in boxes]
                return "play" if hit[k] else ("left" if k else "right") if hit[1 - k] else None
    return None


def row(frame):
    """The framed row of the lobby or of a menu: (x0, y0, x1, y1), exclusive; None if there is none."""
    least = FRAME_COLOUR * LOBBY_WIDTHS[0]
    edges = []
    for y in range(FOOT):
        line = frame[y * WIDTH * 2 : (y + 1) * WIDTH * 2]
        at = line.find(least)
        if at < 0 or at % 2:
            continue
        x0 = x1 = at // 2
        while x1 < WIDTH and line[2 * x1 : 2 * x1 + 2] == FRAME_COLOUR:
            x1 += 1
        if x1 - x0 in LOBBY_WIDTHS or x1 - x0 in MENU_WIDTHS:
            edges.append((x0, x1, y))
    for x0, x1, y in edges:
        for height in reversed(ROW_HEIGHTS):  # an edge is two pixels thick
            box = x0, y, x1, y + height
            if (x0, x1, y + height - 1) in edges and framed(frame, box):
                return box
    return None


def start(page, browser, seat, point, everything):
    """Begin to do what a click at ``point`` (x, y in the display's pixels) means; a later click at that
    seat replaces it."""
    if not (0 <= point[0] < WIDTH and 0 <= point[1] < HEIGHT):
        return
    running = page.pointing.get(seat)
    if running:
        running.cancel()
    page.pointing[seat] = told(asyncio.create_task(_act(page, browser, seat, *point, everything)))


async def _act(page, browser, seat, x, y, everything):
    if y < HAND_TOP:
        key = reading(page.table.frame(seat), (x, y))
        if key:
            await _press(page, browser, seat, key)
            return
    box = row(page.table.frame(seat))
    if box:
        await _choose(page, browser, seat, box, x, y)
        return
    if y < HAND_TOP:
        return
    if not await _move(page, browser, seat, x):
        return
    if not everything:
        await _press(page, browser, seat, "up")
        return
    for _ in range(RAISES_AT_MOST):
        frame = page.table.frame(seat)
        found = bar(frame)
        if found is None:
            return
        found = found[0] + 1, found[1] - 1
        paper, lift = faces(frame, *found)
        if not paper:
            return
        # Down from none raises all; with some raised, one more.
        await _press(page, browser, seat, "up" if lift else "down")
        await _change(page, seat, lambda new, old=(paper, lift), at=found: faces(new, *at) != old)


async def _choose(page, browser, seat, box, x, y):
    """Bring the frame to the row at a point, and do what a press there means."""
    lobby = box[2] - box[0] in LOBBY_WIDTHS
    if lobby and y >= FOOT:
        await _press(page, browser, seat, "play")
        return
    if y >= HAND_TOP and not lobby or lobby and not box[0] <= x < box[2]:
        return
    first = box
    for _ in range(ROWS_AT_MOST):
        if box[0] <= x < box[2] and box[1] <= y < box[3]:
            await _press(page, browser, seat, "play" if not lobby else "left" if ARROWS <= x < VALUE else "right")
            return
        await _press(page, browser, seat, "down")
        if not await _change(page, seat, lambda new, before=box: row(new) not in (before, None)):
            return
        box = row(page.table.frame(seat))
        if box == first:  # all round: what was clicked is no row, or none that may be changed
            return


async def _move(page, browser, seat, x):
    """Bring the cursor to the column at x. False if there is no hand or it does not get there."""
    for _ in range(MOVES_AT_MOST):
        found = bar(page.table.frame(seat))
        if found is None:
            return False
        pitch = found[1] - found[0] - 1
        steps = (x - found[0] - 1) // pitch
        if not steps:
            return True
        # One step first: while readings are offered, or with no column there, left and right move something else.
        for count in (1, abs(steps) - 1):
            before = bar(page.table.frame(seat))
            for _ in range(count):
                await _press(page, browser, seat, "right" if steps > 0 else "left")
            if count and not await _change(page, seat, lambda new, before=before: bar(new) != before):
                return False
        await _change(page, seat, lambda new: (b := bar(new)) is not None and b[0] < x < b[1])
    return False


async def _press(page, browser, seat, key):
    page.fingers.key(browser, seat, key, True)
    page.fingers.key(browser, seat, key, False)
    await page.fingers.settled(seat)


async def _change(page, seat, seen):
    """Wait until the picture satisfies ``seen``; False if it does not within PATIENCE_S."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE_S
    while not seen(page.table.frame(seat)):
        if loop.time() > until:
            return False
        await asyncio.sleep(LOOK_EVERY_S)
    return True
