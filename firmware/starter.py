"""Which version of the firmware runs: ``boot()``, called by ``main.py`` at every start.

Two versions lie on the board, in the folders ``a`` and ``b`` (slots). The file ``slots`` holds four words: the active
slot, the one on trial or ``-``, how often that was tried, the one that failed or ``-``. It is written whole, in one
step (littlefs shows a file's new content when it is closed). ``deploy`` puts a new version on trial; a start counts the
try before it runs it; after 10 s of running the version confirms itself (``trial.py``) and becomes the active one. A
start that finds a try unconfirmed goes back.

What must outlive a crash lies in the memory of the real-time clock, which keeps it over every reset but not without
power: 24 bytes, ``SK``, then the phase, how many starts in a row failed, why the hub starts anew (index into
record.BOOTS, or 0), whether it is on trial, and from byte 6 on the code of the last failure. After three failures
within a minute each the other version runs, if it has not failed itself, else the safe screen (``safe.py``) stays.

A folder without slots (a build with everything frozen, or sources on a desktop) is run as it is.
"""

import os
import sys

import machine
from micropython import const

# Phases: how the last start went on.
_ORDERLY = const(0)  # it has not begun, or was left for the REPL
_RUNNING = const(1)
_CRASHED = const(2)  # its error is still to be shown
_SHOWN = const(3)

_MOST = const(3)  # failures in a row
_SHOW_MS = const(4000)

_WATCHDOG = const(2)  # indexes into record.BOOTS
_CRASH = const(4)


def fits(slot):
    """True if the slot's files are those of its manifest, by their number and bytes."""
    try:
        with open(slot + "/manifest") as file:
            words = file.readline().split()
        count = size = 0
        folders = [slot]
        while folders:
            folder = folders.pop()
            for row in os.ilistdir(folder):
                if row[1] & 0x4000:
                    folders.append(folder + "/" + row[0])
                elif row[0] != "manifest":
                    count += 1
                    size += row[-1]
        return count == int(words[1]) and size == int(words[2])
    except (OSError, ValueError, IndexError):
        return False


def read():
    """The four words of the state, or None if there is none that makes sense."""
    try:
        with open("slots") as file:
            words = file.read(16).split()
    except (OSError, ValueError):
        return None
    if len(words) == 4 and words[0] in ("a", "b") and words[1] in ("a", "b", "-") and words[3] in ("a", "b", "-"):
        return words
    return None


def write(active, trial, tries, failed):
    """Write the state; False if the file system does not take it."""
    try:
        with open("slots", "w") as file:
            file.write("%s %s %d %s\n" % (active, trial, tries, failed))
    except OSError:
        return False
    return True


def choose(note):
    """The slot to run, "" for none (what lies here is run), or None for the safe screen.

    note: what the real-time clock keeps; changed.
    """
    state = read()
    a = fits("a")
    b = fits("b")
    if not (a or b):
        return "" if not state and note[3] < _MOST else None
    active, trial, tries, failed = state or ("a", "-", "0", "-")
    if trial != "-":
        if tries == "0" and (a if trial == "a" else b) and write(active, trial, 1, failed):
            note[3] = 0
            note[5] = 1
            return trial
        failed = trial  # it did not prove itself
        note[3] = 0
    whole, other, spare = (a, "b", b) if active == "a" else (b, "a", a)
    if note[3] >= _MOST or not whole:
        if not spare or note[3] >= _MOST and failed == other:
            return None
        failed = active
        active = other
        note[3] = 0
    if not state or state != [active, "-", tries, failed]:
        write(active, "-", 0, failed)
    return active


def boot():
    """Choose, and enter the folder of the version to run. False if it is the safe screen that stays."""
    memory = machine.RTC().memory
    note = bytearray(memory())
    cause = machine.reset_cause()
    if len(note) != 24 or note[:2] != b"SK" or cause == machine.PWRON_RESET:
        note = bytearray(24)
        note[:2] = b"SK"
    phase = note[2]
    if phase == _CRASHED:
        note[2] = _SHOWN
        memory(note)
        __import__("safe").show(note[6:], _SHOW_MS)
        machine.reset()
    note[4] = note[5] = 0
    if phase:
        note[3] = min(note[3] + 1, 99)
        note[4] = _CRASH
        if phase == _RUNNING:
            note[4] = _WATCHDOG if cause == machine.WDT_RESET else 0
            note[6:] = b"WATCHDOG          " if note[4] else b"RESET             "
    slot = choose(note)
    note[2] = _RUNNING
    if slot is None:
        note[2] = _ORDERLY
        if not phase:
            note[6:] = b"FILES             "
    memory(note)
    if slot is None:
        __import__("safe").show(note[6:], 0)
        return False
    if slot:
        os.chdir(slot)
        sys.path.append("/")
    return True
