"""Keys: samples of the four pads by deadline, debounced by agreeing samples, turned into presses.

``Keys.step(now)`` samples when it is due and hands each press to ``press(seat, key, turn)``: key is an index into
``pins.KEYS``, turn the number of the turn in which the key first made contact. Only release-to-press edges act, so a
key that is held does nothing until it is let go, and a key that is down when its pad appears must be let go first.

While no key is moving, the expanders' INT line stands for a sample; every pad is read now and then all the same, so
that a pad whose cable is out, or that has lost its set-up, is noticed without INT.
"""

import time

from micropython import const

SAMPLE_MS = const(5)
_QUIET_MS = const(60)  # between two reads, one pad after the other, while INT is quiet
_ABSENT_MS = const(1000)  # between two attempts to find a pad that is away


class Debounce:
    """Twelve keys of a pad. A key changes after four samples that agree (15 ms): vertical counters, a bit a key."""

    def __init__(self):
        self.state = 0  # debounced: 1 = down
        self.moving = 0  # keys whose last sample differs from state
        self._c0 = 0
        self._c1 = 0

    def start(self, raw):
        """A pad has appeared with these keys down: no edges from them."""
        self.state = raw
        self.moving = self._c0 = self._c1 = 0

    def sample(self, raw):
        """Take a sample (12 bits, 1 = down); the bits that have just gone down."""
        delta = raw ^ self.state
        # Two-bit counters of samples that differ from the state: 0, 1, 2, 3, then the key has changed.
        done = delta & self._c0 & self._c1
        self._c1 = (self._c1 ^ self._c0) & delta & ~done
        self._c0 = ~self._c0 & delta & ~done
        self.state ^= done
        self.moving = delta & ~done
        return done & self.state


class Keys:
    """All pads. ``press`` is called in ``step``; ``turn`` gives the number of the turn that is on."""

    def __init__(self, pads, pad, turn, press, changed, now):
        """pads: drivers.mcp23017.Pads; pad: its four Pad; turn() -> int; press(seat, key, turn);
        changed(seat, present): a pad has come or gone; now: ms."""
        self._pads = pads
        self._pad = pad
        self._turn = turn
        self._press = press
        self._changed = changed
        self._debounce = [Debounce() for _ in pad]
        self._contact = [bytearray(24) for _ in pad]  # turn number (16 bits) at each key's first contact
        self._here = [False] * len(pad)
        self._quiet = 0  # whose turn it is to be read while INT is quiet
        self._sample_due = now
        self._quiet_due = now
        self._absent_due = now
        self.noise = bytearray(32)  # what the timing of key contacts leaves: mixed into the seed
        self._mixed = 0

    def find(self):
        """Set up every pad that answers; at boot, and then now and then for those that are away."""
        for seat, pad in enumerate(self._pad):
            if not self._here[seat]:
                self._arrive(seat, pad)

    def _arrive(self, seat, pad):
        if not pad.set_up():
            return
        raw = pad.read()
        if raw < 0:
            return
        self._debounce[seat].start(raw)
        self._here[seat] = True
        self._changed(seat, True)

    def busy(self):
        """True while some key is moving: the loop then samples every SAMPLE_MS."""
        for d in self._debounce:
            if d.moving:
                return True
        return False

    def step(self, now):
        """Read what is due."""
        if time.ticks_diff(self._sample_due, now) <= 0:
            self._sample_due = time.ticks_add(now, SAMPLE_MS)
            pending = self._pads.pending()
            for seat, d in enumerate(self._debounce):
                if self._here[seat] and (pending or d.moving):
                    self._read(seat, d)
        if time.ticks_diff(self._quiet_due, now) <= 0:
            self._quiet_due = time.ticks_add(now, _QUIET_MS)
            seat = self._quiet = (self._quiet + 1) % len(self._pad)
            if self._here[seat]:
                d = self._debounce[seat]
                if not self._pad[seat].check():
                    self._pad[seat].set_up()
                    raw = self._pad[seat].read()
                    d.start(raw if raw >= 0 else 0)
                elif not d.moving:
                    self._read(seat, d)
        if time.ticks_diff(self._absent_due, now) <= 0:
            self._absent_due = time.ticks_add(now, _ABSENT_MS)
            self.find()

    def _read(self, seat, d):
        raw = self._pad[seat].read()
        if raw < 0:
            if not self._pad[seat].present:
                self._here[seat] = False
                d.start(0)
                self._changed(seat, False)
            return
        before = d.moving
        down = d.sample(raw)
        fresh = d.moving & ~before & raw
        if not (fresh or down):
            return
        turn = self._turn()
        contact = self._contact[seat]
        for key in range(12):
            bit = 1 << key
            if fresh & bit:
                contact[2 * key] = turn & 255
                contact[2 * key + 1] = turn >> 8 & 255
                self._mix(seat, key)
            if down & bit:
                self._press(seat, key, contact[2 * key] | contact[2 * key + 1] << 8)

    def _mix(self, seat, key):
        """Fold the moment of a contact into ``noise``."""
        t = time.ticks_us()
        noise = self.noise
        i = self._mixed = (self._mixed + 3) & 31
        noise[i] ^= t & 255
        noise[(i + 1) & 31] ^= t >> 8 & 255
        noise[(i + 2) & 31] = (noise[(i + 2) & 31] * 5 + seat * 12 + key + 1) & 255
