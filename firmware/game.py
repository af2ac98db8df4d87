"""The table: phases, turns, clocks, trustees, readiness. Enter at ``Game.boot``, ``Game.step(now)`` and ``Game.key``.

``step`` does what is due and returns; every wait is a deadline in ms. What changes a deal goes through ``ledger.py``:
first the table, then the journal entry, then the lines of the record, so that a play is durable before the next
seat may act. What a player does with the hand is in ``acts.py``; screens read ``Game`` and its ``seats``, never the
other way.
"""

import gc
import time

from micropython import const

import acts
import journal
import record
from seats import (
    BOT,
    HUMAN,
    NOTICE_BACK,
    NOTICE_NONE,
    NOTICE_TIMEOUT_1,
    NOTICE_TIMEOUT_2,
    NOTICE_TRUSTEE_TIMEOUT,
    Seat,
)
from shared_rules import compare
from shared_rules.bot import Bot
from shared_rules.cards import clear
from shelf import put_back

LOBBY = const(0)
DEALING = const(1)
PLAY = const(2)
LAST_TRICK = const(3)
SETTLED = const(4)

DEALING_MS = const(1500)  # the commitment is shown before the first turn
ANSWER_MS = const(800)  # bots and trustees, whatever they hold
LAST_TRICK_MS = const(3000)  # RULES.md section 9.9
READY_MS = const(30000)  # without a key, then a seat is ready by itself
START_MS = const(2000)  # in the lobby, after the last seat is ready: others may still join
SHOW_MS = const(3000)  # the settlement at least, also when nobody has to get ready
GRACE_MS = const(5000)  # a pad may be away before the trustee plays
WAIT_MS = const(30000)  # ... where the rule set waits for a dropped player (baibian)
NOTICE_MS = const(4000)
BIG_MS = const(1600)
BIG_STAR = const(6)  # plays from here on are shown as big plays

_NONE = const(255)


class Game:
    """The state of the table; see the module."""

    def __init__(self, book, led, rec, settings, seed, hints, calm):
        """book: journal.Journal; led: ledger.Ledger; rec: record.Record; seed() -> 32 fresh bytes;
        hints: shared_rules.hints.Hints, for the hint key and the bots; calm() collects and notes the heap."""
        self.journal = book
        self.ledger = led
        self.record = rec
        self.settings = settings
        self.new_seed = seed
        self.seats = [Seat(i) for i in range(4)]
        self.hints = hints
        self._calm = calm
        self._bot = Bot(self.hints)
        self._cards = bytearray(16)
        self.header = bytearray(256)
        self.table = None
        self.rules = None  # until boot
        self.rules_index = 0
        self.options = ()
        self.phase = LOBBY
        self.deal_no = 0
        self.turn_no = 0  # counts up with every turn; a key press carries it
        self.turn_ms = 0
        self.turn_left_ms = 0
        self.turn_seconds = settings.turn_seconds()
        self.settlement = None
        self.big = None
        self.commit = ""
        self.test = False
        self.saving = True  # the journal keeps this deal
        self.resumed = False  # this deal was resumed after a power cut
        self.lead_fixed = -1
        self.chain = False  # a test gave a seed: the next ones follow from it
        self.next_seed = None  # given by a test, for the next deal
        self.next_hands = None
        self.last_first = -1  # first finisher and result of the deal before
        self.last_result = ""
        self.due = 0  # of the phase
        self._turn_due = 0
        self._clock = False  # the turn's deadline counts
        self._thinking = False  # the turn is a bot's or a trustee's
        self._decided = False  # ... and it has thought enough
        self.ready_due = [0, 0, 0, 0]
        self._pad_due = [0, 0, 0, 0]
        self.pad_waits = bytearray(4)
        self._notice_due = [0, 0, 0, 0]
        self.hint_seat = -1  # whose hints the machine holds
        self.hint_working = False
        self.hint_bombs = False
        self.spare = bytearray(16)
        self.faults = 0  # bits of record.FAULTS told so far

    # Between deals: dealing.py, which is in memory only while it is used

    def boot(self, version, cause, now):
        """Load what the journal holds, say that the hub is on, and go on with a deal or open the lobby."""
        import dealing

        dealing.boot(self, version, cause, now)
        self._put_back()

    def start_test(self, test, now):
        """Take a test's settings (a dict, see ``dealing.start_test``) between deals."""
        import dealing

        dealing.start_test(self, test, now)
        self._put_back()

    def choose_rules(self, index):
        """In the lobby: play the rule set of that index."""
        import dealing

        dealing.choose_rules(self, index)
        self._put_back()

    def _to_lobby(self, now):
        import dealing

        dealing.to_lobby(self, now)
        self._put_back()

    def _deal(self, now):
        import dealing

        dealing.deal(self, now)
        self._put_back()

    def _put_back(self):
        self._calm()
        put_back("dealing", "shared_rules.deal", "shared_rules.rulesets", "shared_rules.score")
        gc.collect()

    # Lines that stand alone

    def say(self, kind, seat, data=0):
        """Journal and write a line that the deal does not depend on; dropped when the sector has no room for it."""
        book = self.journal
        led = self.ledger
        if led.ended or led.table is None:
            if not book.room(27):
                import dealing

                dealing.renew(self)
                self._put_back()
        if not book.room(led.cards_left()):
            self.fault(1)
            return
        book.small(kind, seat, 0, data)
        rec = self.record
        if kind == journal.PAD:
            rec.pad(seat, data)
        elif kind == journal.DISPLAY:
            rec.display(seat, data)
        elif kind == journal.REFUSED:
            rec.refused(seat, data)
        elif kind == journal.READY:
            led.ready[seat] = 1
            rec.ready(seat)
        book.said()
        self.look()

    def fault(self, what):
        """Say once that something does not work; what: index into record.FAULTS."""
        if self.faults >> what & 1:
            return
        self.faults |= 1 << what
        self.journal.small(journal.FAULT, 0, 0, what)
        self.record.fault(what)
        self.journal.said()

    def look(self):
        """Notice a journal that has failed."""
        if not self.journal.ok:
            self.saving = False
            self.fault(0)

    # Lobby and test

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
            if seat.kind == HUMAN:
                n += 1
        return n

    def woke(self, seat, now):
        """A key was pressed at this seat."""
        seat.fresh = True
        self.ready_due[seat.index] = time.ticks_add(now, READY_MS)
        if self.phase == LOBBY:
            self.due = time.ticks_add(now, 0 if self.test else START_MS)

    def begin_turn(self, now):
        """It is the turn of ``table.turn``: set its clock, or its bot to think."""
        self.phase = PLAY
        self.turn_no = (self.turn_no + 1) & 0xFFFF
        self.hint_seat = -1
        self.hint_working = False
        seat = self.seats[self.table.turn]
        for other in self.seats:
            acts.judge(self, other)
        self._give(seat, now)

    def _give(self, seat, now):
        """The seat whose turn it is gets its clock, or its trustee or bot the time to answer."""
        self._clock = False
        self.turn_ms = self.turn_left_ms = 0
        self._thinking = seat.kind == BOT or seat.trustee
        self._decided = False
        if self._thinking:
            self._bot.start(self.table, seat.index, seat.kind != BOT)
            self.hint_seat = -1
            self.hint_working = False
            self._turn_due = time.ticks_add(now, ANSWER_MS)
        elif self.turn_seconds:
            self._clock = True
            self.turn_ms = self.turn_left_ms = self.turn_seconds * 1000
            self._turn_due = time.ticks_add(now, self.turn_ms)

    def play(self, seat, raised, m, cause, now):
        """The seat plays cards that the table has judged as meld m."""
        led = self.ledger
        table = self.table
        s = seat.index
        mask = table.mask_for(s, raised)
        word = led.word(raised, mask, m)
        table.play_mask(s, mask, m)
        self.journal.wide(journal.PLAY, s, cause, word)
        led.played(s, m, cause)
        self.journal.said()
        star = compare.star(self.rules, m)
        self.big = (s, m, star, time.ticks_add(now, BIG_MS)) if star >= BIG_STAR else None
        if cause == record.TIMEOUT:
            self._warned(seat, now)
        seat.lower()
        seat.arrange(table.counts[s])
        self.peek()
        self._after(now)

    def pass_(self, seat, cause, now):
        """The seat passes; legal, the table has been asked."""
        self.journal.small(journal.PASS, seat.index, cause)
        self.ledger.pass_(seat.index, cause)
        self.journal.said()
        if cause == record.TIMEOUT:
            self._warned(seat, now)
        if cause != record.KEY:
            seat.lower()
        self._after(now)

    def _after(self, now):
        self.look()
        if self.ledger.over():
            self.last_trick(now)
        else:
            self.begin_turn(now)

    def _warned(self, seat, now):
        seat.warnings = self.ledger.warnings[seat.index]
        self.tell(seat, NOTICE_TIMEOUT_1 if seat.warnings == 1 else NOTICE_TIMEOUT_2, now)

    def peek(self):
        """Who went out first sees the partner's hand while that still plays (RULES.md section 9.8)."""
        table = self.table
        for s, seat in enumerate(self.seats):
            seat.peek = (
                len(table.out) > 0 and table.out[0] == s and seat.kind == HUMAN and table.left((s + 2) & 3) > 0
            )

    def set_trustee(self, seat, on, cause, now):
        """Turn the trustee of a person's seat on or off; cause: index into record.TRUSTEE_CAUSES."""
        self.journal.small(journal.TRUSTEE, seat.index, cause, on)
        self.ledger.set_trustee(seat.index, on, cause)
        self.journal.said()
        seat.trustee = on != 0
        seat.lower()
        self.look()
        if self.phase == PLAY and self.table.turn == seat.index:
            self._give(seat, now)

    def trustee_stays(self, seat):
        """baibian: a trustee set by time-out after the key was used up cannot be taken back in this deal."""
        led = self.ledger
        most = self.rules.trustee_most
        return most > 0 and led.uses[seat.index] >= most and led.trustee_cause[seat.index] == 1

    def trustee_uses(self, seat):
        """How often the seat's key has turned the trustee on in this deal."""
        return self.ledger.uses[seat.index]

    def tell(self, seat, notice, now):
        """Show a notice on the seat's screen for a while."""
        seat.notice = notice
        self._notice_due[seat.index] = time.ticks_add(now, NOTICE_MS) or 1

    def refuse(self, seat, why, now):
        """Show a refusal for a while; why: (code, tried meld, table meld)."""
        seat.refusal = why
        self._notice_due[seat.index] = time.ticks_add(now, NOTICE_MS) or 1

    def last_trick(self, now):
        """The deal is decided: three seconds on the last trick."""
        self.phase = LAST_TRICK
        self._thinking = self._clock = False
        self.turn_ms = self.turn_left_ms = 0
        self.hint_working = False
        self.turn_no = (self.turn_no + 1) & 0xFFFF
        self.due = time.ticks_add(now, LAST_TRICK_MS)
        for seat in self.seats:
            seat.lower()

    def _end(self, now):
        """Settle: from here on everything may be seen."""
        led = self.ledger
        self.journal.small(journal.END)
        led.end()
        self.journal.said()
        self._put_back()
        self.look()
        for s, seat in enumerate(self.seats):
            seat.total = led.after[s]
            if not self.test:
                self.settings.put_total(seat.player, self.rules_index, seat.total)
        self.remember()
        self.settled(now)

    def remember(self):
        """What the next deal's first lead depends on."""
        led = self.ledger
        self.last_result = led.settlement.result
        self.last_first = led.table.out[0] if led.table.out else -1

    def settled(self, now):
        """Show the settlement until all are ready."""
        led = self.ledger
        self.phase = SETTLED
        self.settlement = led.settlement
        self.big = None
        self.due = time.ticks_add(now, SHOW_MS)
        for s, seat in enumerate(self.seats):
            seat.ready = False
            seat.trustee = False
            seat.peek = False
            seat.notice = NOTICE_NONE
            self.ready_due[s] = time.ticks_add(now, READY_MS)

    # Time

    def step(self, now):
        """Do what is due at now (ms). True if something was done that may be followed by more at once."""
        for s in range(4):
            if self._notice_due[s] and time.ticks_diff(self._notice_due[s], now) <= 0:
                self._notice_due[s] = 0
                self.seats[s].notice = NOTICE_NONE
                self.seats[s].refusal = None
        if self.big and time.ticks_diff(self.big[3], now) <= 0:
            self.big = None
        phase = self.phase
        if phase == PLAY:
            return self._step_play(now)
        if phase == LOBBY:
            self._step_ready(now)
            if self.persons() or self.test:
                if self._all_ready() and time.ticks_diff(self.due, now) <= 0:
                    self._deal(now)
                    return True
        elif phase == DEALING:
            if time.ticks_diff(self.due, now) <= 0:
                self.journal.small(journal.START)
                self.ledger.start()
                self.journal.said()
                self.look()
                self.begin_turn(now)
                return True
        elif phase == LAST_TRICK:
            if time.ticks_diff(self.due, now) <= 0:
                self._end(now)
                return True
        else:
            self.journal.prepare()
            for seat in self.seats:
                if seat.kind == BOT:
                    self.set_ready(seat)
            if self._idle() and time.ticks_diff(self.ready_due[0], now) <= 0:
                self._to_lobby(now)
                return True
            self._step_ready(now)
            if self._all_ready() and time.ticks_diff(self.due, now) <= 0:
                self._deal(now)
                return True
        return False

    def _idle(self):
        """Nobody has pressed a key since the deal began: the players have gone. Never in a test."""
        if self.test:
            return False
        for seat in self.seats:
            if seat.kind == HUMAN and seat.fresh:
                return False
        return True

    def _step_ready(self, now):
        if self._idle():
            return
        for s, seat in enumerate(self.seats):
            if seat.kind == HUMAN and not seat.ready and time.ticks_diff(self.ready_due[s], now) <= 0:
                self.set_ready(seat)

    def _all_ready(self):
        for seat in self.seats:
            if not seat.ready:
                return False
        return True

    def _step_play(self, now):
        seat = self.seats[self.table.turn]
        for s in range(4):
            if self.pad_waits[s] and time.ticks_diff(self._pad_due[s], now) <= 0:
                self.pad_waits[s] = 0
                if not self.seats[s].trustee and self.table.left(s):
                    self.set_trustee(self.seats[s], 1, 2, now)
                    return True
        if self._thinking:
            if not self._decided:
                self._decided = self._bot.work()
                return True
            if time.ticks_diff(self._turn_due, now) > 0:
                return False
            m = self._bot.choose(self._cards)
            cause = record.BOT if seat.kind == BOT else record.TRUSTEE
            if m:
                self.play(seat, self._cards, m, cause, now)
            else:
                self.pass_(seat, cause, now)
            return True
        if self._clock:
            left = time.ticks_diff(self._turn_due, now)
            if left <= 0:
                self._time_out(seat, now)
                return True
            self.turn_left_ms = left
        if self.hint_working:
            if self.hints.work():
                self.hint_working = False
                acts.take_hint(self, self.seats[self.hint_seat], now)
            return True
        return False

    def thinking(self):
        """True while a slice of thinking is due at once."""
        return self.phase == PLAY and (self.hint_working or self._thinking and not self._decided)

    def _time_out(self, seat, now):
        """First and second time-out of a deal: pass, or on a lead the lowest single; third: trustee (section 9.5)."""
        s = seat.index
        if self.ledger.warnings[s] >= 2:
            self.set_trustee(seat, 1, 1, now)
            self.tell(seat, NOTICE_TRUSTEE_TIMEOUT, now)
            return
        if self.table.meld:
            self.pass_(seat, record.TIMEOUT, now)
            return
        clear(self._cards)
        r = 0
        while not self.table.counts[s][r]:
            r += 1
        self._cards[r] = self._cards[15] = 1
        self.play(seat, self._cards, self.table.judge(s, self._cards), record.TIMEOUT, now)

    # Pads and displays

    def pad(self, s, present, now):
        """A pad has come or gone. A person without one is played for after a grace, and takes over again with it."""
        seat = self.seats[s]
        seat.pad_present = present
        self.say(journal.PAD, s, present)
        running = self.phase in (DEALING, PLAY)
        self.pad_waits[s] = 0
        if seat.kind != HUMAN or not running:
            return
        if not present:
            self.wait_for_pad(s, now)
        elif seat.trustee and self.ledger.trustee_cause[s] == 2:
            self.set_trustee(seat, 0, 2, now)
            self.tell(seat, NOTICE_BACK, now)

    def wait_for_pad(self, s, now):
        self.pad_waits[s] = 1
        self._pad_due[s] = time.ticks_add(now, WAIT_MS if self.rules.wait else GRACE_MS)

    def display(self, s, present):
        """A display has come or gone."""
        self.seats[s].display_present = present
        self.say(journal.DISPLAY, s, present)

    def key(self, s, key, turn, now):
        """A key press at seat s: index into pins.KEYS, made in turn number ``turn``."""
        acts.key(self, self.seats[s], key, turn, now)
