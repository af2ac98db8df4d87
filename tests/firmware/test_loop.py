"""The loop: a watchdog fed by finished ticks alone, and by a timer once someone has taken the REPL."""

import machine
import rig  # noqa: F401  (ticks)

from hub import Hub


class Watchdog:
    def __init__(self):
        self.fed = 0

    def feed(self):
        self.fed += 1


class Loop(Hub):
    """A hub whose loop makes so many ticks and then raises ``end``."""

    def __init__(self, rounds, end):
        self.watchdog = Watchdog()
        self.left = rounds
        self.end = end

    def step(self):
        if not self.left:
            raise self.end
        self.left -= 1
        return 0

    def spare(self, left):
        return False


def run(one, kind):
    try:
        one.run()
    except kind:
        return True
    return False


def test_each_finished_tick_feeds_the_watchdog_and_a_crash_does_not():
    one = Loop(5, ValueError("a fault"))
    machine.fresh()
    assert run(one, ValueError)
    assert one.watchdog.fed == 5
    assert machine.timers == []


def test_who_takes_the_repl_keeps_it():
    one = Loop(2, KeyboardInterrupt())
    machine.fresh()
    assert run(one, KeyboardInterrupt)
    assert len(machine.timers) == 1
    period, callback = machine.timers[0]
    assert period < 8000
    callback(None)
    assert one.watchdog.fed == 3
