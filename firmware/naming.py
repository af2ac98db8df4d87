"""Who plays at a seat: choosing one of the sixteen players, and writing a name. Two pages (``pages.py``).

Choosing: ``seat.menu`` is the line. A new player begins at total 0; renaming keeps player and totals. Writing:
characters stand in lines of 16 (a text of ``type.bin``); ``seat.choice`` is the one that the cursor is on,
``seat.reading`` the set (a language), ``seat.choices`` holds the player and the name so far.
"""

from micropython import const

import players
import seating

# Keys: indices into pins.KEYS
_KEY_LEFT = const(0)
_KEY_RIGHT = const(1)
_KEY_UP = const(2)
_KEY_DOWN = const(3)
_KEY_CLEAR = const(4)
_KEY_PLAY = const(5)
_KEY_PASS = const(6)
_KEY_HINT = const(7)
_KEY_BOMB = const(8)
_KEY_SORT = const(9)
_KEY_MENU = const(11)

_WRITE_PAGE = const(7)  # row of pages.py; choosing is the one before
_GRID = const(16)  # characters in a line
_JUMP = const(5)  # lines at a press of hint and bomb
_WIDE = const(48)  # px that a name may take in the small face: what every screen has room for
_BYTES = const(24)
_R12 = const(5)
_ASCII = const(2)  # set of characters: the English one
_T_NAME_CHARS = const(162)

# Lines of the page that are no named players
_NEW = const(-1)
_RENAME = const(-2)
_GUEST = const(-3)


def show(game, seat):
    """Open the page where a player is chosen."""
    seat.page = _WRITE_PAGE - 1
    seat.menu = 0


def lines(game, seat):
    """What may be chosen: NEW, RENAME, GUEST and numbers of named players who sit nowhere else."""
    settings = game.settings
    out = [_NEW]
    if seat.player < players.MOST:
        out.append(_RENAME)
        if players.named(settings, seat.player):
            out.append(_GUEST)
    for player in range(players.MOST):
        if player != seat.player and players.named(settings, player) and seating.free(game, player, seat):
            out.append(player)
    return out


def blank(game):
    """A player without name and totals who sits nowhere, for a new one; -1 if sixteen have names."""
    settings = game.settings
    for player in range(players.MOST - 1, -1, -1):
        if not players.named(settings, player) and seating.free(game, player, None):
            return player
    return -1


def key(game, seat, k, now):
    """A press of key k."""
    if seat.page == _WRITE_PAGE:
        _write(game, seat, k)
        return
    shown = lines(game, seat)
    at = min(seat.menu, len(shown) - 1)
    if k == _KEY_UP or k == _KEY_DOWN:
        seat.menu = (at + (1 if k == _KEY_DOWN else -1)) % len(shown)
    elif k == _KEY_PLAY:
        which = shown[at]
        if which == _RENAME:
            _begin(seat, seat.player, players.named(game.settings, seat.player))
        elif which == _NEW:
            player = blank(game)
            if player >= 0:
                _begin(seat, player, "")
        else:
            seating.become(game, seat, seating.guest(game, seat) if which == _GUEST else which)
            _close(game, seat)
    elif k == _KEY_CLEAR or k == _KEY_MENU:
        _close(game, seat)


def _close(game, seat):
    seat.page = 0
    seat.unread()
    seat.menu = 1 if game.test else 0  # the lobby's row again


def _begin(seat, player, text):
    seat.page = _WRITE_PAGE
    seat.reading = seat.lang
    seat.choice = 0
    seat.choices = [player, text]


def _characters(game, seat):
    """The set of characters as text."""
    t = game.hub.screens[seat.index].canvas.type
    return str(t.text(seat.reading, _T_NAME_CHARS), "utf-8")


def _write(game, seat, k):
    """A press while a name is written."""
    player, text = seat.choices
    chars = _characters(game, seat)
    n = len(chars)
    at = seat.choice
    first = at - at % _GRID
    if k == _KEY_LEFT or k == _KEY_RIGHT:
        wide = min(_GRID, n - first)
        seat.choice = first + (at - first + (1 if k == _KEY_RIGHT else -1)) % wide
    elif k in (_KEY_UP, _KEY_DOWN, _KEY_HINT, _KEY_BOMB):
        rows = (n + _GRID - 1) // _GRID
        row = (at // _GRID + (-1, 1, _JUMP, -_JUMP)[(_KEY_UP, _KEY_DOWN, _KEY_HINT, _KEY_BOMB).index(k)]) % rows
        seat.choice = min(row * _GRID + at % _GRID, n - 1)
    elif k == _KEY_SORT:
        seat.reading = _ASCII if seat.reading != _ASCII else 0 if seat.lang == _ASCII else seat.lang
        seat.choice = 0
    elif k == _KEY_PLAY:
        longer = text + chars[at]
        canvas = game.hub.screens[seat.index].canvas
        if len(longer.encode()) <= _BYTES and canvas.width(_R12, longer) <= _WIDE:
            seat.choices = [player, longer]
    elif k == _KEY_CLEAR and text:
        seat.choices = [player, text[:-1]]
    elif k == _KEY_CLEAR or k == _KEY_MENU:
        seat.unread()
        show(game, seat)
    elif k == _KEY_PASS and text.strip():
        if player != seat.player:
            for i in range(5):
                players.put_total(game.settings, player, i, 0)
        players.put_name(game.settings, player, text.strip())
        seating.become(game, seat, player)
        players.save(game.settings, game.deal_no)
        _close(game, seat)
