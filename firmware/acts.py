"""What a player does with the keys: select, ask for hints, play, pass, call the trustee. RULES.md section 9.

``key(game, seat, key, turn, now)`` is called for every press. Selecting works at any time of a deal; ``play``, ``pass``
and hints act only in the turn in which the key was pressed. A second press of ``play`` that follows too fast never
plays. While a seat shows a page (``pages.py``) its keys are the page's.
"""

import time

from micropython import const

import journal
from shared_rules.cards import copy
from shared_rules.classify import classify
from shared_rules.table import DOES_NOT_BEAT
from shelf import put_back

# Of seats.py
_BY_RANK = const(0)
_HUMAN = const(0)
_BY_MELD = const(1)
_NOTICE_TRUSTEE_ON = const(4)
_NOTICE_TRUSTEE_OFF = const(5)
_NOTICE_TRUSTEE_LEFT_0 = const(8)
_NOTICE_TRUSTEE_NO_MORE = const(9)
_NOTICE_TRUSTEE_STAYS = const(10)
_NOTICE_NO_HINT = const(11)
_NOTICE_NO_BOMB = const(12)

# Indices into pins.KEYS.
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
_KEY_TRUSTEE = const(10)
_KEY_MENU = const(11)

_DOUBLE_MS = const(300)

_readings = [0] * 8

_MENU_PAGE = const(1)  # row of pages.py
_PAUSED = const(16)  # in Game.pause

# game.py imports this module, so its phases are named here: LOBBY 0, DEALING 1, PLAY 2, LAST_TRICK 3, SETTLED 4.
_LOBBY = const(0)
_PLAY = const(2)
_LAST_TRICK = const(3)
_SETTLED = const(4)


def key(game, seat, k, turn, now):
    """A press of key k at a seat, made in turn number ``turn`` (16 bits); now: ms."""
    before = seat.last_key
    at = seat.last_key_at
    seat.last_key = k
    seat.last_key_at = now
    if seat.hidden:
        seat.hidden = False
        if not seat.trustee:  # whose keys play nothing
            return
    if seat.page or game.pause & _PAUSED:
        __import__("pages").key(game, seat, k, now)
        return
    if k == _KEY_MENU:
        seat.page = _MENU_PAGE
        seat.menu = 0
        return
    double = k == before and 0 <= time.ticks_diff(now, at) < _DOUBLE_MS
    phase = game.phase
    if phase == _LOBBY:
        __import__("joining").key(game, seat, k)
        put_back("joining")
    elif phase == _SETTLED:
        if k == _KEY_PLAY:
            if seat.kind == _HUMAN:
                game.set_ready(seat)
            else:
                game.between("seating", "sit", seat)
    elif phase != _LAST_TRICK and seat.kind == _HUMAN:
        _in_deal(game, seat, k, turn, double, now)


def _in_deal(game, seat, k, turn, double, now):
    table = game.table
    if k == _KEY_SORT:
        seat.sort = _BY_MELD if seat.sort == _BY_RANK else _BY_RANK
        seat.arrange(table.counts[seat.index])
        return
    if k == _KEY_TRUSTEE:
        if table.left(seat.index) and not double:
            _trustee(game, seat, now)
        return
    if seat.trustee:
        return
    if seat.choices and k in (_KEY_LEFT, _KEY_RIGHT):
        seat.choice = (seat.choice + (1 if k == _KEY_RIGHT else -1)) % len(seat.choices)
        seat.reading = seat.choices[seat.choice]
        return
    if k == _KEY_LEFT:
        seat.move(-1)
    elif k == _KEY_RIGHT:
        seat.move(1)
    elif k == _KEY_UP or k == _KEY_DOWN or k == _KEY_CLEAR:
        if k == _KEY_CLEAR:
            if seat.choices:  # back from the choice, the cards stay raised
                judge(game, seat)
                return
            seat.lower()
        else:
            seat.lift(1 if k == _KEY_UP else -1, table.counts[seat.index])
        if game.hint_seat == seat.index:
            game.hint_seat = -1
            game.hint_working = False
        seat.refusal = None
        judge(game, seat)
    elif game.phase == _PLAY and table.turn == seat.index and turn == game.turn_no:
        if k == _KEY_HINT or k == _KEY_BOMB:
            _hint(game, seat, k == _KEY_BOMB, now)
        elif k == _KEY_PASS:
            code = table.judge_pass()
            if code:
                _refuse(game, seat, code, 0, now)
            else:
                seat.unread()
                game.pass_(seat, 0, now)
        elif k == _KEY_PLAY and not double:
            _play(game, seat, now)


def judge(game, seat):
    """Say what the seat's raised cards make and whether that may be played on what lies on the table."""
    seat.unread()
    if not seat.raised[15]:
        return
    m = game.table.judge(seat.index, seat.raised)
    if m > 0:
        seat.reading = m
        seat.legal = True
    elif m == DOES_NOT_BEAT and classify(game.rules, seat.raised, _readings):
        seat.reading = _readings[0]


def _play(game, seat, now):
    table = game.table
    if seat.choices:
        m = seat.choices[seat.choice]
    else:
        m = table.judge(seat.index, seat.raised)
        if m < 0:
            _refuse(game, seat, m, seat.reading, now)
            return
        if not table.meld:
            n = table.readings(seat.raised, _readings)
            if n > 1:
                hinted = seat.reading
                seat.choices = list(_readings[:n])
                seat.choice = seat.choices.index(hinted) if hinted in seat.choices else 0
                seat.reading = seat.choices[seat.choice]
                return
    game.play(seat, seat.raised, m, 0, now)


def _refuse(game, seat, code, tried, now):
    """Say why not, on the screen and in the record; code: negative, of shared_rules.table."""
    game.tell(seat, 0, now, (code, tried, game.table.meld))
    game.say(journal.REFUSED, seat.index, -code)


def _hint(game, seat, bombs, now):
    """The next hint; a fresh list when the cards were changed by hand since, completing what is raised."""
    if game.hint_working:
        return
    if game.hint_seat == seat.index and game.hint_bombs == bombs:
        take_hint(game, seat, now)
        return
    game.hint_seat = seat.index
    game.hint_bombs = bombs
    game.hint_working = True
    game.decided = False
    raised = seat.raised if seat.raised[15] and not bombs else None
    game.hints.start(game.rules, game.table.counts[seat.index], game.table.meld, raised, bombs)


def take_hint(game, seat, now):
    """Raise the cards of the next hint; they stay as they are when there is none."""
    copy(seat.raised, game.spare)
    m = game.hints.next(seat.raised)
    if not m:
        copy(game.spare, seat.raised)
        game.tell(seat, _NOTICE_NO_BOMB if game.hint_bombs else _NOTICE_NO_HINT, now)
        return
    seat.refusal = None
    judge(game, seat)
    if not game.table.meld:
        seat.reading = m


def _trustee(game, seat, now):
    """The trustee key: on, or off again; ``baibian`` counts (RULES.md section 9.4)."""
    if not game.journal.room(game.ledger.cards_left()):  # a child at the key: what is left of the sector is for plays
        game.tell(seat, _NOTICE_TRUSTEE_STAYS if seat.trustee else _NOTICE_TRUSTEE_NO_MORE, now)
        return
    most = game.rules.trustee_most
    if seat.trustee:
        # A trustee set by time-out after the key was used up cannot be taken back.
        if most and game.ledger.uses[seat.index] >= most and game.ledger.trustee_cause[seat.index] == 1:
            game.tell(seat, _NOTICE_TRUSTEE_STAYS, now)
        else:
            game.set_trustee(seat, 0, 0, now)
            game.tell(seat, _NOTICE_TRUSTEE_OFF, now)
        return
    if most:
        left = most - game.ledger.uses[seat.index]
        if left <= 0:
            game.tell(seat, _NOTICE_TRUSTEE_NO_MORE, now)
            return
        game.set_trustee(seat, 1, 0, now)
        game.tell(seat, _NOTICE_TRUSTEE_LEFT_0 - (left - 1), now)
        return
    game.set_trustee(seat, 1, 0, now)
    game.tell(seat, _NOTICE_TRUSTEE_ON, now)
