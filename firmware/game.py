"""The table: phases, turns, clocks, trustees, readiness. Enter at ``Game.between``, ``step(now)`` and ``key``.

``step`` does what is due and returns; every wait is a deadline in ms. What changes a deal goes through ``enter``:
the journal entry first, then the table and the lines of the record (``ledger.py``), so that a play is durable before
the next seat may act. What a player does with the hand is in ``acts.py``; what happens between deals in
``booting.py``, ``gathering.py``, ``dealing.py`` and ``settling.py``. Screens read ``Game`` and its ``seats``, never
the other way.
"""

import gc
import time

from micropython import const

import acts
import journal
from seats import Seat
from shared_rules import compare
from shared_rules.bot import Bot
from shared_rules.cards import clear
from shelf import put_back

# Of seats.py
_HUMAN = const(0)
_NOTICE_NONE = const(0)
_BOT = const(1)
_NOTICE_TIMEOUT_1 = const(1)
_NOTICE_TIMEOUT_2 = const(2)
_NOTICE_TRUSTEE_TIMEOUT = const(3)
_NOTICE_NO_HINT = const(11)
_NOTICE_NO_BOMB = const(12)
_NOTICE_BACK = const(13)

LOBBY = const(0)
DEALING = const(1)
PLAY = const(2)
LAST_TRICK = const(3)
SETTLED = const(4)

# ms
_ANSWER = const(800)  # bots and trustees, whatever they hold
_LAST_TRICK = const(3000)  # RULES.md section 9.9
READY_MS = const(30000)  # without a key, then a seat is ready by itself
_START = const(2000)  # in the lobby, after the last key: others may still join
_SHOWN = const(3000)  # the settlement at least (settling.py)
_KEPT = const(13)  # cards' worth of the journal that such entries leave to the trustee key
_BREATH = const(400)  # otherwise, from a key to the next deal: who pressed it sees what it did
_GRACE = const(5000)  # a pad may be away before the trustee plays
_WAIT = const(30000)  # ... where the rule set waits for a dropped player (baibian)
_NOTICE = const(4000)
_BIG = const(1600)
_BEAT = const(50)  # ms a frame of the ring; the screens and lights take every fourth

_BIG_STAR = const(6)  # plays from here on are shown as big plays

# Causes of plays and passes (record.CAUSES) and of a trustee (record.TRUSTEE_CAUSES).
_KEY = const(0)
_BY_BOT = const(1)
_TRUSTEE = const(2)
_TIMEOUT = const(3)
_BY_TIMEOUT = const(1)
_BY_PAD = const(2)
_BY_LEAVE = const(3)

_PAUSED = const(16)  # in Game.pause (ask.py)


class Game:
    """The state of the table; see the module."""

    def __init__(self, book, led, settings, hub, hints):
        """book: journal.Journal; led: ledger.Ledger; settings: settings.Settings; hub: hub.Hub, of which ``seed()``,
        ``note_heap()`` and ``make_room()`` are used; hints: shared_rules.hints.Hints, for the hint key and the bots."""
        self.journal = book
        self.ledger = led
        self.settings = settings
        self.hints = hints
        self.hub = hub
        self.seats = [Seat(i) for i in range(4)]
        self._bot = Bot(hints)
        self.spare = bytearray(16)  # counts to work with
        self.header = bytearray(256)
        self.table = None
        self.rules = None  # until the hub has started
        self.rules_index = 0
        self.options = ()
        self.phase = LOBBY
        self.deal_no = 0
        self.turn_no = 0  # 16 bits, counts up with every turn; a key press carries it
        self.turn_ms = 0
        self.turn_left_ms = 0
        self.turn_seconds = 0
        self.pause = 0  # who wants one, and whether it is on (ask.py)
        self.settlement = None
        # On show: [seat, meld, stars, until (ms), frame (up to 0)]; who has won: [16, 0, a bit a seat, ...].
        self.big = None
        self.commit = ""
        self.test = False
        self.saving = True  # the journal keeps this deal
        self.resumed = False  # this deal was resumed after a power cut
        self.lead_fixed = -1
        self.chain = False  # a test gave a seed: the next ones follow from it
        self.next_seed = None  # given by a test, for the next deal
        self.next_hands = None
        self.evening = 0  # number of the evening's first deal, 0 before it
        self.last_first = -1  # first finisher and result of the deal before
        self.last_result = ""
        self.due = 0  # of the phase
        self._turn_due = 0
        self._clock = False  # the turn's deadline counts
        self._thinking = False  # the turn is a bot's or a trustee's
        self.decided = False  # ... and it has thought enough; of a person: the hints are found
        self.ready_due = [0, 0, 0, 0]
        self._pad_due = [0, 0, 0, 0]
        self.pad_waits = bytearray(4)
        self._notice_due = [0, 0, 0, 0]
        self.hint_seat = -1  # whose hints the machine holds
        self.hint_working = False
        self.hint_bombs = False
        self.wanted = None  # a test that the console asks for: the dict of gathering.start_test
        self.faults = 0  # bits of record.FAULTS told so far

    # Entries

    def enter(self, kind, seat=0, cause=0, data=0):
        """Journal a small entry, then do it and write its lines."""
        book = self.journal
        book.small(kind, seat, cause, data)
        self.ledger.apply(kind, book)
        book.said()
        if not book.ok:
            self.saving = False
            self.fault(0)

    def say(self, kind, seat, data=0):
        """An entry that the deal does not depend on; dropped when the sector has no room for it."""
        book = self.journal
        led = self.ledger
        if (led.ended or led.table is None) and not book.room(27):
            self.between("sectors", "renew")
        if book.room(led.cards_left() + _KEPT):
            self.enter(kind, seat, 0, data)
        else:
            self.fault(1)

    def fault(self, what):
        """Say once that something does not work; what: index into record.FAULTS."""
        if not self.faults >> what & 1:
            self.faults |= 1 << what
            self.enter(journal.FAULT, 0, 0, what)

    # Between deals

    def between(self, module, what, *args):
        """Do a function of a module that is in memory only while it is used; what it returns is to be done next."""
        gc.collect()
        then = getattr(__import__(module), what)(self, *args)
        self.hub.note_heap()
        put_back(module, "opening", "sectors", "seating", "evening", "settling", "players", "slots", "joining")
        put_back("dealing", "shared_rules.deal", "shared_rules.rulesets", "shared_rules.score")
        gc.collect()
        if then:
            self.between(*then)

    def between_deals(self):
        """True while no deal is running."""
        return self.phase == LOBBY or self.phase == SETTLED

    def set_ready(self, seat):
        """The seat wants the next deal."""
        if not seat.ready:
            seat.ready = True
            self.say(journal.READY, seat.index)

    def persons(self):
        """How many seats are played by persons."""
        n = 0
        for seat in self.seats:
            if seat.kind == _HUMAN:
                n += 1
        return n

    # A deal

    def begin_turn(self, now):
        """It is the turn of ``table.turn``: set its clock, or its bot to think."""
        self.phase = PLAY
        self.turn_no = (self.turn_no + 1) & 0xFFFF
        for seat in self.seats:
            seat.refusal = None  # spoke of the turn before, as does a hint that found nothing
            if seat.notice == _NOTICE_NO_HINT or seat.notice == _NOTICE_NO_BOMB:
                seat.notice = _NOTICE_NONE
            acts.judge(self, seat)
        self._give(self.seats[self.table.turn], now)

    def _give(self, seat, now):
        """The seat whose turn it is gets its clock, or its trustee or bot the time to answer."""
        self.hint_seat = -1
        self.hint_working = self._clock = self.decided = False
        self.turn_ms = self.turn_left_ms = 0
        self._thinking = seat.kind == _BOT or seat.trustee
        if self._thinking:
            self._bot.start(self.table, seat.index, seat.kind != _BOT)
            self._turn_due = time.ticks_add(now, _ANSWER)
        elif self.turn_seconds:
            self._clock = True
            self.turn_ms = self.turn_left_ms = self.turn_seconds * 1000
            self._turn_due = time.ticks_add(now, self.turn_ms)

    def play(self, seat, raised, m, cause, now):
        """The seat plays cards (bytearray(16) of counts) that the table has judged as meld m."""
        led = self.ledger
        book = self.journal
        s = seat.index
        book.wide(journal.PLAY, s, cause, led.word(s, raised, m))
        led.apply(journal.PLAY, book)
        book.said()
        star = compare.star(self.rules, m)
        self.big = [s, m, star, time.ticks_add(now, _BIG), 0] if star >= _BIG_STAR else None
        seat.lower()
        seat.arrange(self.table.counts[s])
        self.peek()
        self._after(seat, cause, now)

    def pass_(self, seat, cause, now):
        """The seat passes; legal, the table has been asked."""
        self.enter(journal.PASS, seat.index, cause)
        if cause != _KEY:
            seat.lower()
        self._after(seat, cause, now)

    def _after(self, seat, cause, now):
        if not self.journal.ok:
            self.saving = False
            self.fault(0)
        if cause == _TIMEOUT:
            seat.warnings = self.ledger.warnings[seat.index]
            self.tell(seat, _NOTICE_TIMEOUT_1 if seat.warnings == 1 else _NOTICE_TIMEOUT_2, now)
        if self.ledger.over():
            self.last_trick(now)
        else:
            self.begin_turn(now)

    def peek(self):
        """Who went out first sees the partner's hand while that still plays (RULES.md section 9.8)."""
        table = self.table
        for s, seat in enumerate(self.seats):
            seat.peek = (
                len(table.out) > 0 and table.out[0] == s and seat.kind == _HUMAN and table.left((s + 2) & 3) > 0
            )

    def set_trustee(self, seat, on, cause, now):
        """Turn the trustee of a person's seat on or off; cause: index into record.TRUSTEE_CAUSES."""
        self.enter(journal.LEAVE if cause == _BY_LEAVE else journal.TRUSTEE, seat.index, cause, on)
        seat.trustee = on != 0
        if cause > _BY_TIMEOUT:  # the player has gone, or is back
            seat.hidden = seat.trustee
        seat.lower()
        if self.phase == PLAY and self.table.turn == seat.index:
            self._give(seat, now)

    def tell(self, seat, notice, now, refusal=None):
        """Show a notice, or a refusal (code, tried meld, table meld), on the seat's screen for a while."""
        seat.notice = notice
        seat.refusal = refusal
        self._notice_due[seat.index] = time.ticks_add(now, _NOTICE) or 1

    def last_trick(self, now):
        """The deal is decided: three seconds on the last trick."""
        self.phase = LAST_TRICK
        self._thinking = self._clock = self.hint_working = False
        self.turn_ms = self.turn_left_ms = 0
        self.turn_no = (self.turn_no + 1) & 0xFFFF
        self.due = time.ticks_add(now, _LAST_TRICK)
        for seat in self.seats:
            seat.lower()
            seat.page = 0

    # Time

    def step(self, now):
        """Do what is due at now (ms)."""
        for s in range(4):
            if self._notice_due[s] and time.ticks_diff(self._notice_due[s], now) <= 0:
                self._notice_due[s] = 0
                self.seats[s].notice = _NOTICE_NONE
                self.seats[s].refusal = None
        big = self.big
        if big:
            left = time.ticks_diff(big[3], now)
            big[4] = -left // _BEAT
            if left <= 0:
                self.big = None
        if self.wanted:
            test = self.wanted
            self.wanted = None
            self.hub.make_room()
            self.between("gathering", "start_test", test, now)
        phase = self.phase
        if phase == PLAY:
            self._step_play(now)
            return
        due = time.ticks_diff(self.due, now) <= 0
        if phase == DEALING:
            if due:
                self.enter(journal.START)
                self.begin_turn(now)
        elif phase == LAST_TRICK:
            if due:
                self.hub.make_room()
                self.between("settling", "end", now)
        elif self._step_ready(now) and due:
            self.hub.make_room()
            self.between("dealing", "deal", now)

    def work(self):
        """Think for a moment about the turn: a bot, a trustee, or hints. False if there is nothing to think about."""
        if self.decided or self.phase != PLAY:
            return False
        if self._thinking:
            self.decided = self._bot.work()
        elif self.hint_working:
            self.decided = self.hints.work()
        else:
            return False
        return True

    def _step_ready(self, now):
        """Between deals: who gets ready by itself, who has gone. True when all are ready for the next deal."""
        lobby = self.phase == LOBBY
        if lobby and not self.test and not self.persons():
            return False
        all_ready = True
        # Nobody has pressed a key since the deal began: the players have gone. In a test they stay.
        idle = not self.test
        for seat in self.seats:
            if seat.kind == _BOT:
                self.set_ready(seat)
            elif seat.fresh:
                idle = False
        for seat in self.seats:
            if not seat.ready:
                all_ready = False
                if time.ticks_diff(self.ready_due[seat.index], now) <= 0:
                    if idle:
                        self.between("gathering", "to_lobby", now)
                        return False
                    self.set_ready(seat)
        return all_ready

    def _step_play(self, now):
        seat = self.seats[self.table.turn]
        if self.pause & _PAUSED:
            # Every deadline of the deal moves along with the time.
            self._turn_due = time.ticks_add(now, self.turn_left_ms or _ANSWER)
            for s in range(4):
                if self.pad_waits[s]:
                    self.wait_for_pad(s, now)
            return False
        for s in range(4):
            if self.pad_waits[s] and time.ticks_diff(self._pad_due[s], now) <= 0:
                self.pad_waits[s] = 0
                if not self.seats[s].trustee and self.table.left(s):
                    self.set_trustee(self.seats[s], 1, _BY_PAD, now)
        if self._thinking:
            if not self.decided or time.ticks_diff(self._turn_due, now) > 0:
                return
            cause = _BY_BOT if seat.kind == _BOT else _TRUSTEE
            m = self._bot.choose(self.spare)
            if m:
                self.play(seat, self.spare, m, cause, now)
            else:
                self.pass_(seat, cause, now)
            return
        if self._clock:
            left = self.turn_left_ms = time.ticks_diff(self._turn_due, now)
            if left <= 0:
                self._time_out(seat, now)
                return
        if self.hint_working and self.decided:
            self.hint_working = self.decided = False
            acts.take_hint(self, self.seats[self.hint_seat], now)

    def _time_out(self, seat, now):
        """First and second time-out of a deal: pass, or on a lead the lowest single; third: trustee (section 9.5)."""
        s = seat.index
        if self.ledger.warnings[s] >= 2:
            self.set_trustee(seat, 1, _BY_TIMEOUT, now)
            self.tell(seat, _NOTICE_TRUSTEE_TIMEOUT, now)
            return
        if self.table.meld:
            self.pass_(seat, _TIMEOUT, now)
            return
        one = self.spare
        clear(one)
        r = 0
        while not self.table.counts[s][r]:
            r += 1
        one[r] = one[15] = 1
        self.play(seat, one, self.table.judge(s, one), _TIMEOUT, now)

    # Pads, displays, keys

    def pad(self, s, present, now):
        """A pad has come or gone. A person without one is played for after a grace, and takes over again with it."""
        seat = self.seats[s]
        seat.pad_present = present
        self.say(journal.PAD, s, present)
        self.pad_waits[s] = 0
        if seat.kind != _HUMAN or self.phase not in (DEALING, PLAY):
            return
        if not present:
            self.wait_for_pad(s, now)
        elif seat.trustee and self.ledger.trustee_cause[s] == _BY_PAD:
            self.set_trustee(seat, 0, _BY_PAD, now)
            self.tell(seat, _NOTICE_BACK, now)

    def wait_for_pad(self, s, now):
        """Let the trustee play for seat s unless its pad is back in time."""
        self.pad_waits[s] = 1
        self._pad_due[s] = time.ticks_add(now, _WAIT if self.rules.wait else _GRACE)

    def display(self, s, present):
        """A display has come or gone."""
        self.seats[s].display_present = present
        self.say(journal.DISPLAY, s, present)

    def key(self, s, key, turn, now):
        """A key press at seat s: index into pins.KEYS, made in turn number ``turn``."""
        seat = self.seats[s]
        seat.fresh = True
        self.ready_due[s] = time.ticks_add(now, READY_MS)
        # Who is ready holds up nobody, not even with a key that chatters.
        if self.between_deals() and (not seat.ready or self.phase == LOBBY and seat.kind == _BOT):
            wait = _BREATH if self.test or self.phase != LOBBY else _START
            if not 0 < time.ticks_diff(self.due, now) - wait <= _SHOWN:
                self.due = time.ticks_add(now, wait)
        acts.key(self, seat, key, turn, now)
