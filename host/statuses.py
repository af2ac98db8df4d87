"""Exit statuses of the host tools: one table, quoted by each command's ``--help`` and held to README.md by a test."""

import sys

OK, FAILED, USAGE, WAITING, VIOLATED, UNUSABLE = 0, 1, 2, 3, 4, 5
NO_PORT, SILENT, LOST, BUSY, DENIED, WRONG_CHIP, NO_DOWNLOAD, MISMATCH = 6, 7, 8, 9, 10, 11, 12, 13
LOCKED, OLDER, REVERTED = 14, 15, 16
INTERRUPTED = 130

# status: what it means for every command
STATUSES = {
    OK: "done",
    FAILED: "it failed; one sentence on standard error says why",
    USAGE: "wrong usage: an option, a value or a command that does not exist",
    WAITING: "the table waits for a person for ever (simulate --headless)",
    VIOLATED: "a device model reported a violation of the bus (simulate --headless)",
    UNUSABLE: "a file that was given is of another kind or damaged, or cannot be had",
    NO_PORT: "no port: the hub is not connected, or there are several boards",
    SILENT: "the port is open and no hub answers",
    LOST: "the cable, or the power, went in the middle",
    BUSY: "another program has the port open",
    DENIED: "the port is not yours to open",
    WRONG_CHIP: "the chip is no ESP32",
    NO_DOWNLOAD: "the chip does not go into download mode",
    MISMATCH: "what lies in the flash is not what was written",
    LOCKED: "the hub is locked, or the operator's code is wrong",
    OLDER: "the version is not newer than the one on the board (deploy without --force)",
    REVERTED: "the new version did not prove itself; the board runs the one before (deploy)",
    INTERRUPTED: "Ctrl-C",
}

_PORT = {NO_PORT: "", SILENT: "", LOST: "", BUSY: "", DENIED: ""}
_HUB = {**_PORT, LOCKED: ""}

# command: what its statuses mean, where it says more than the table above
USED = {
    "console": {OK: "", FAILED: "the hub refused", USAGE: "", **_PORT, INTERRUPTED: ""},
    "record": {OK: "up to date (--once)", FAILED: "the hub refused", USAGE: "", UNUSABLE: "", **_HUB, INTERRUPTED: ""},
    "scores": {OK: "", USAGE: "", UNUSABLE: ""},
    "audit": {OK: "everything is right", FAILED: "something is not", USAGE: "", UNUSABLE: ""},
    "settings": {OK: "", FAILED: "the hub refused", USAGE: "", **_HUB},
    "backup": {OK: "", FAILED: "the hub refused, or the file cannot be written", USAGE: "", **_HUB},
    "restore": {OK: "", FAILED: "the hub refused, or did not take it", USAGE: "", UNUSABLE: "", **_HUB},
    "doctor": {OK: "all is well", FAILED: "something is not", USAGE: "", **_HUB, INTERRUPTED: ""},
    "completion": {OK: "", USAGE: ""},
    "simulate": {
        OK: "end of input, or all deals of --deals have ended",
        FAILED: "the firmware crashed, or the flash file or the page's address cannot be used",
        USAGE: "an option is wrong, or the interpreter is missing",
        WAITING: "after the end of input the table waits for a person for ever",
        VIOLATED: "a device model reported a violation of the bus (on standard error and in stats)",
        UNUSABLE: "the file of --image is no image of this hub, or cannot be read",
        INTERRUPTED: "",
    },
    "rules": {OK: "end of input", FAILED: "the interpreter died", USAGE: "or no interpreter", INTERRUPTED: ""},
    "fonts": {OK: "", FAILED: "--check: the file is out of date", USAGE: "or a font cannot be read"},
    "pictures": {OK: "", FAILED: "--check: a picture is out of date", USAGE: "or a script failed"},
    "wiring": {OK: "", FAILED: "--check: hardware/README.md is out of date", USAGE: ""},
    "sounds": {OK: "", FAILED: "the folder cannot be written", USAGE: ""},
    "bench": {OK: "", FAILED: "", USAGE: ""},
    "build": {OK: "", FAILED: "the sources cannot be built", USAGE: "", UNUSABLE: "--firmware cannot be used or had"},
    "flash": {
        OK: "written, verified, and the hub answers",
        FAILED: "the sources cannot be built",
        USAGE: "",
        UNUSABLE: "IMAGE cannot be used, or MicroPython cannot be had",
        NO_PORT: "",
        BUSY: "",
        DENIED: "",
        WRONG_CHIP: "",
        NO_DOWNLOAD: "",
        LOST: "",
        MISMATCH: "",
        SILENT: "all was written and verified, but the hub does not answer",
        INTERRUPTED: "",
    },
    "deploy": {
        OK: "the new version runs and is confirmed, or was there already",
        FAILED: "the sources cannot be built, or the board did not take them",
        USAGE: "",
        UNUSABLE: "--firmware is no folder with the hub's firmware",
        **_HUB,
        OLDER: "the version is not newer than the one on the board, and there is no --force",
        REVERTED: "the new version did not prove itself; the board runs the one before",
        INTERRUPTED: "",
    },
    "test": {
        OK: "all passed",
        FAILED: "a test failed",
        USAGE: "an option is wrong, or there is no MicroPython interpreter here",
        **_HUB,
        INTERRUPTED: "",
    },
    "virtual-board": {
        OK: "end of input",
        FAILED: "the flash file or the link cannot be used",
        USAGE: "an option is wrong, or there is no MicroPython interpreter here",
        UNUSABLE: "there is no MicroPython image for a new flash",
        INTERRUPTED: "",
    },
}


def text(command):
    """The statuses of a command as lines for its ``--help``."""
    rows = [f"  {status:<3} {said or STATUSES[status]}" for status, said in USED[command].items()]
    return "exit statuses:\n" + "\n".join(rows)


def fail(status, sentence):
    """Say a sentence on standard error. Returns the status."""
    print(sentence, file=sys.stderr)
    return status
