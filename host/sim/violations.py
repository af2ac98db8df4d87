"""What the models complain about: traffic that a real board would not take, though a forgiving model could."""

import sys

# kind: what it means
KINDS = {
    "two-selected": "two chip selects low at once",
    "too-early": "a command before a reset or sleep-out delay was over",
    "window-overflow": "a window outside the panel, or more pixels than it holds",
    "odd-pixel": "a pixel cut in half: an odd number of bytes after RAMWR",
    "late-reset": "a reset of all panels after one of them had been set up",
    "fast-read": "a display read faster than its serial read cycle allows",
    "pixel-format": "pixels in a format that the panel was not set to, or that is not modelled",
    "interrupt-drive": "a pad's interrupt output pushes while the line is shared (IOCON.ODR is off)",
    "key-direction": "a pad line with a key on it is driven as an output",
    "lost-samples": "samples given to I2S before those given before were taken",
    "flash-range": "a flash operation outside the flash",
}
KEPT = 100


class Violations:
    """The list of a run; printed on standard error as they happen, at most ``KEPT`` of them kept."""

    def __init__(self, clock, quiet=False):
        self._clock = clock
        self._quiet = quiet
        self.count = 0
        self.kept = []

    def report(self, kind, seat, what):
        """One violation. kind: of KINDS; seat: 0-3 or None."""
        if kind not in KINDS:
            raise KeyError(kind)
        self.count += 1
        row = {"kind": kind, "seat": seat, "what": what, "t": self._clock.ms()}
        if len(self.kept) < KEPT:
            self.kept.append(row)
            if not self._quiet:
                where = "" if seat is None else f", seat {seat}"
                print(f"violation ({kind}{where}) at {row['t']} ms: {what}", file=sys.stderr)
