"""``python -m host deploy``: a new version of the firmware onto a running hub, into the slot that does not run.

Only what changed goes over the cable; what the running version has in common with it is copied on the board. The hub
then starts the new version on trial: if that does not run for 10 s, the next start goes back to the one before.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from . import build, statuses
from .board import install
from .board.remote import Remote, RemoteError, parse

_BOOT_S = 40  # until the new version says that it is on
_CONFIRM_S = 60  # ... and that it is confirmed: 10 s of running, and a moment in which no key is waited for
_ASK_S = 1.0


def parser():
    """The options of the command."""
    p = argparse.ArgumentParser(
        prog="python -m host deploy",
        description="Put this version of the firmware onto a hub: into its inactive slot, verified, then on trial. "
        "A running deal goes on afterwards. A cut at any moment leaves a hub that starts, with the old version or "
        "the new.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("deploy")
        + """

examples:
  python -m host deploy
  python -m host deploy --port /dev/ttyUSB0
  python -m host deploy --force          # the same version again, or an older one""",
    )
    p.add_argument(
        "--port",
        metavar="PORT",
        help="device, or URL as rfc2217://host:port (default: SHUANGKOU_PORT, else the only board connected)",
    )
    p.add_argument("--force", action="store_true", help="also if the version is not newer than the one on the board")
    p.add_argument("--code", metavar="CODE", help="the operator's code of a locked hub")
    p.add_argument(
        "--firmware",
        metavar="FOLDER",
        type=Path,
        default=build.FIRMWARE,
        help="sources of the firmware (default: those of this folder)",
    )
    p.add_argument("--json", action="store_true", help="one JSON object on standard output instead of sentences")
    return p


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    args = parser().parse_args(argv)
    began = time.monotonic()
    if not all((args.firmware / name).is_file() for name in ("main.py", "version.py", "running.py")):
        return _fail(args, statuses.UNUSABLE, f"{args.firmware} holds no firmware of the hub.")
    try:
        slot = build.slot_files(args.firmware)
        root = build.root_files(args.firmware)
        version = build.version(args.firmware)
    except build.BuildError as error:
        return _fail(args, statuses.FAILED, error)
    try:
        with Remote(args.port, args.code) as board:
            result = deploy(board, slot, root, version, args.force, _progress(args))
    except RemoteError as error:
        return _fail(args, error.status, error)
    except KeyboardInterrupt:
        return _fail(args, statuses.INTERRUPTED, "Stopped: the hub keeps the version that it had.")
    result["seconds"] = round(time.monotonic() - began, 1)
    if args.json:
        print(json.dumps({"ok": True, **result}))
    elif result["sent"] is None:
        print(f"The hub runs version {result['version']} already, file by file: nothing to do.")
    else:
        print(
            f"Version {result['version']} runs in slot {result['slot']} and is confirmed: {result['sent']} files sent "
            f"({result['bytes']} bytes), {result['copied']} copied on the board, {result['kept']} were there; "
            f"{result['seconds']:.0f} s. Before: {result['was'] or 'none'}."
        )
    return statuses.OK


def _fail(args, status, error):
    if args.json:
        print(json.dumps({"ok": False, "status": status, "why": str(error)}))
    return statuses.fail(status, error)


def _progress(args):
    """A function (what is done, bytes done, bytes in all) that shows a bar, if someone looks."""
    shown = not args.json and sys.stderr.isatty()

    def show(what, done=None, total=None):
        if not shown:
            return
        if total:
            full = 30 * done // total
            print(f"\r{what:<11} [{'#' * full}{'.' * (30 - full)}] {100 * done // total:3} %", end="", file=sys.stderr)
            if done == total:
                print(file=sys.stderr)
        else:
            print(f"{what} ...", file=sys.stderr)
        sys.stderr.flush()

    return show


def numbers(text):
    """A version's text as three numbers, to be compared; () if it is none."""
    try:
        return tuple(int(part) for part in text.split("."))
    except (AttributeError, ValueError):
        return ()


def deploy(board, slot, root, version, force=False, show=lambda *told: None):
    """Deploy over an open ``Remote``. slot, root: as ``install.install``; version: three numbers.

    Returns {"version", "was", "slot", "sent", "copied", "kept", "bytes"}; "sent" is None if the very same version runs.
    RemoteError says what failed.
    """
    text = ".".join(map(str, version))
    show("connecting")
    board.enter()
    installed = install.look(board)
    was = installed.versions.get(installed.active)
    sums = {name: install.digest(data) for name, data in slot.items() if name != build.MANIFEST}
    if was == text and installed.files[installed.active] == sums and not force:
        _back(board)
        return {"version": text, "was": was, "slot": installed.active, **dict.fromkeys(("sent", "copied", "kept"))}
    if was and numbers(was) >= version and not force:
        _back(board)
        same = "has the same number as" if numbers(was) == version else "is older than"
        raise RemoteError(
            f"Version {text} {same} the hub's {was}: give it a higher one (firmware/version.py), or use --force.",
            statuses.OLDER,
        )
    target, count = install.install(board, installed, slot, root, lambda done, total: show("installing", done, total))
    show("starting")
    board.restart()
    _prove(board, text, was, target, show)
    return {
        "version": text,
        "was": was,
        "slot": target,
        "sent": count.sent,
        "copied": count.copied,
        "kept": count.kept,
        "bytes": count.size,
    }


def _back(board):
    """Start the hub as it was; it takes Ctrl-C again once it is on."""
    board.restart()
    for line in board.lines(_BOOT_S):
        if (parse(line) or {}).get("ev") == "boot":
            return


def _prove(board, text, was, target, show):
    """Watch the new version start and run until it is confirmed. RemoteError if it goes back to the one before."""
    said = []
    for line in board.lines(_BOOT_S):
        event = parse(line)
        if event and event.get("ev") == "boot":
            break
        said.append(line)
    else:
        raise RemoteError(
            f"Version {text} is installed, but the hub did not say that it is on within {_BOOT_S} s. "
            + _last(said)
            + "At its next start it goes back to the version before.",
            statuses.REVERTED,
        )
    if event.get("version") != text:
        raise RemoteError(_reverted(text, event.get("version"), said), statuses.REVERTED)
    show("waiting for its confirmation (10 s)")
    until = time.monotonic() + _CONFIRM_S
    while time.monotonic() < until:
        board.say({"cmd": "hub"})
        for line in board.lines(_ASK_S):
            event = parse(line)
            if not event:
                said.append(line)
            elif event.get("ev") == "boot":
                raise RemoteError(_reverted(text, event.get("version"), said), statuses.REVERTED)
            elif event.get("re") == "hub" and event.get("ok") and not event.get("trial"):
                return
    raise RemoteError(
        f"Version {text} runs but was not confirmed within {_CONFIRM_S} s: the next start goes back to {was}.",
        statuses.REVERTED,
    )


def _reverted(text, now, said):
    return f"Version {text} failed before it had run for 10 s; the hub runs {now} now. {_last(said)}".strip()


def _last(said):
    """What the board said of its failure: the last line of a traceback."""
    for line in reversed(said):
        if "Error" in line or "code" in line:
            return f"It said: {line.strip()} "
    return ""
