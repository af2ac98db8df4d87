"""Keys: samples of the four pads by deadline, debounced by agreeing samples, turned into presses.

``Keys.step(now)`` samples when it is due and hands each press to ``Game.key(seat, key, turn, now)``: key is an index
into ``pins.KEYS``, turn the number of the turn in which the key first made contact. Only release-to-press edges act,
so a key that is held does nothing until it is let go, and one that is down when its pad appears must be let go first.

While no key is moving, the expanders' INT line stands for a sample; every pad is read now and then all the same, so
that a pad whose cable is out, or that has lost its set-up, is noticed without INT.
"""

import time

from micropython import const

SAMPLE_MS = const(5)
_QUIET_MS = const(60)  # between two reads, one pad after the other, while INT is quiet
_ABSENT_MS = const(1000)  # between two attempts to find a pad that is away
_STUCK_MS = const(3000)  # ... while the bus itself fails: an attempt then takes the ESP32 up to 0.4 s


class Debounce:
    """Twelve keys of a pad. A key changes after four samples that agree (15 ms): vertical counters, a bit a key."""

    def __init__(self):
        self.turns = bytearray(24)  # number of the turn at each key's first contact, 16 bits
        self.start(0)

    def start(self, raw):
        """A pad has appeared with these keys down: no edges from them."""
        self.state = raw  # debounced: 1 = down
        self.moving = 0  # keys whose last sample differs from state
        self._c0 = 0
        self._c1 = 0

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
    """All pads. ``busy``: some key is moving, so that the loop should sample every SAMPLE_MS and be quick."""

    def __init__(self, pads, pad, hub, now):
        """pads: drivers.mcp23017.Pads; pad: its four Pad; hub: has ``game`` (``turn_no``, ``key``) and
        ``pad_changed``; now: ms."""
        self._bus = pads
        self._pad = pad
        self._hub = hub
        self._keys = [Debounce() for _ in pad]
        self._here = bytearray(len(pad))  # pads that have been told of
        self.busy = False
        self.wanted = 0  # seats of which a key went down in this step, a bit each
        self._quiet = 0  # whose turn it is to be read while INT is quiet
        self._sample_due = self._quiet_due = self._absent_due = now
        self.noise = bytearray(32)  # what the timing of key contacts leaves: mixed into the seed
        self._mixed = 0

    def find(self):
        """Set up every pad that answers; at boot, and then now and then for those that are away.

        False if the bus itself fails: then no further pad is tried.
        """
        for seat, pad in enumerate(self._pad):
            if not pad.present:
                if pad.check():
                    self._keys[seat].start(max(pad.read(), 0))
                    self._here[seat] = 1
                    self._hub.pad_changed(seat, True)
                if not self._bus.ok:
                    return False
        return True

    def step(self, now):
        """Read what is due."""
        self.wanted = 0
        if time.ticks_diff(self._sample_due, now) <= 0:
            self._sample_due = time.ticks_add(now, SAMPLE_MS)
            pending = not self._bus.int.value()
            self.busy = False
            for seat, d in enumerate(self._keys):
                if self._pad[seat].present and (pending or d.moving):
                    self._read(seat, d)
                    if d.moving:
                        self.busy = True
        if time.ticks_diff(self._quiet_due, now) <= 0:
            self._quiet_due = time.ticks_add(now, _QUIET_MS)
            seat = self._quiet = (self._quiet + 1) % len(self._pad)
            d = self._keys[seat]
            if self._pad[seat].present and not d.moving:
                if self._pad[seat].check():
                    d.start(max(self._pad[seat].read(), 0))
                else:
                    self._read(seat, d)
            for seat, pad in enumerate(self._pad):
                if self._here[seat] and not pad.present:
                    self._here[seat] = 0
                    self._keys[seat].start(0)
                    self._hub.pad_changed(seat, False)
        if time.ticks_diff(self._absent_due, now) <= 0:
            self._absent_due = time.ticks_add(now, _ABSENT_MS)
            if not self.find():
                self._absent_due = time.ticks_add(now, _STUCK_MS)
                self._hub.game.fault(3)

    def _read(self, seat, d):
        raw = self._pad[seat].read()
        if raw < 0:
            return
        before = d.moving
        down = d.sample(raw)
        fresh = d.moving & ~before & raw
        if not (fresh or down):
            return
        turn = self._hub.game.turn_no
        turns = d.turns
        for key in range(12):
            bit = 1 << key
            if fresh & bit:
                turns[2 * key] = turn & 255
                turns[2 * key + 1] = turn >> 8 & 255
                self._mix(seat, key)
            if down & bit:
                self.wanted |= 1 << seat
                self._hub.game.key(seat, key, turns[2 * key] | turns[2 * key + 1] << 8, time.ticks_ms())

    def _mix(self, seat, key):
        """Fold the moment of a contact into ``noise``."""
        t: int = time.ticks_us()  # type: ignore[assignment]
        noise = self.noise
        i = self._mixed = (self._mixed + 3) & 31
        noise[i] ^= t & 255
        noise[(i + 1) & 31] ^= t >> 8 & 255
        noise[(i + 2) & 31] = (noise[(i + 2) & 31] * 5 + seat * 12 + key + 1) & 255
