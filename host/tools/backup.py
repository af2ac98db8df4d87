"""``python -m host backup`` and ``restore``: what a hub keeps, as one file, and back.

The file is JSON: ``format``, ``version``, ``made``, ``hub``, ``journal``, ``left_out`` (the number of a deal that was
running, or null), ``settings`` (base64: settings, players, totals; never the operator's lock), ``sectors`` (base64: one
a deal, oldest first, without their blank ends) and ``sha256`` over all the others.

A restore is checked on this side first, then written to the hub's file system by mpremote under another name, verified
there, and renamed in one step; the hub puts it back at its next start (``firmware/restoring.py``), anew if the power
goes in the middle.
"""

import base64
import datetime
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .. import layout, statuses
from . import common, link

FORMAT = "shuangkou-backup"
VERSION = 1
_MAGIC = b"SKJ1"
_RING = layout.partition("journal").size // layout.SECTOR - 2
_PATIENCE_S = 120  # of mpremote, and of a start that puts a backup back


class BackupError(Exception):
    """A file that is no whole backup; the text is one sentence."""


def _digest(data):
    rest = {name: value for name, value in data.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def take(hub, progress=None):
    """The backup of the hub at a link, as a dict. A copy that comes garbled is asked for again."""
    for _ in range(3):
        data = _copy(hub, progress)
        if data:
            return data
    raise link.Refused("The backup came garbled three times: is the cable too long?")


def _copy(hub, progress):
    """The backup, or None if not all came as it was sent."""
    who = hub.ask({"cmd": "hub"}, heard=lambda text, said: True)
    pieces = []  # (sector, bytes); None for the settings
    bad = []

    def heard(text, said):
        try:
            if said and "settings" in said and "re" not in said:
                pieces.append((None, base64.b64decode(said["settings"], validate=True)))
            elif said and "page" in said:
                pieces.append((said["page"][0], base64.b64decode(said["data"], validate=True)))
                if progress:
                    progress.to(len(pieces))
        except (ValueError, KeyError, TypeError):
            bad.append(text)
        return True

    answer = hub.ask({"cmd": "backup"}, 30, heard)
    digest = hashlib.sha256(b"".join(piece for _, piece in pieces)).hexdigest()
    if bad or not pieces or pieces[0][0] is not None or digest != answer["sha256"]:
        return None
    sectors = {}
    for sector, piece in pieces[1:]:
        sectors[sector] = sectors.get(sector, b"") + piece
    data = {
        "format": FORMAT,
        "version": VERSION,
        "made": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "hub": who["hub"],
        "journal": who["journal"],
        "left_out": answer["running"],
        "settings": base64.b64encode(pieces[0][1]).decode(),
        "sectors": [base64.b64encode(data.rstrip(b"\xff")).decode() for data in sectors.values()],
    }
    data["sha256"] = _digest(data)
    return data


def read(path):
    """A backup file as a dict, checked. BackupError."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BackupError(f"{path} cannot be read ({error.strerror}).") from None
    except ValueError:
        raise BackupError(f"{path} is no backup: it is not JSON.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BackupError(f"{path} is no backup of a hub.")
    if data.get("version") != VERSION:
        raise BackupError(f"{path} has version {data.get('version')}; these tools know version {VERSION}: update them.")
    if data.get("sha256") != _digest(data):
        raise BackupError(f"{path} is damaged: its checksum is another one. Use another backup.")
    try:
        sectors = [base64.b64decode(text, validate=True) for text in data["sectors"]]
        settings = base64.b64decode(data["settings"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise BackupError(f"{path} is damaged: what it holds cannot be read.") from None
    if len(sectors) > _RING or any(s[:4] != _MAGIC or not 256 <= len(s) <= layout.SECTOR for s in sectors):
        raise BackupError(f"{path} is damaged: its journal is none.")
    if not 64 <= len(settings) < layout.SECTOR:
        raise BackupError(f"{path} is damaged: its settings are none.")
    return data


def packed(data):
    """A backup as the file that the hub takes (``firmware/restoring.py``)."""
    settings = base64.b64decode(data["settings"])
    out = b"SKB1" + len(settings).to_bytes(4, "little") + settings
    for text in data["sectors"]:
        sector = base64.b64decode(text)
        out += len(sector).to_bytes(4, "little") + sector
    out += bytes(4)
    return out + hashlib.sha256(out).digest()


def differences(data, now):
    """What a hub (its backup ``now``) lacks of the backup that was put onto it: a list of words, empty if nothing.

    The hub has started since, and says so in the newest sector, behind what came from the backup.
    """
    wrong = [] if now["settings"] == data["settings"] else ["settings"]
    old, new = ([base64.b64decode(text) for text in one["sectors"]] for one in (data, now))
    last = len(old) - 1
    for i, sector in enumerate(old):
        if i >= len(new) or new[i] != sector and (i != last or not new[i].startswith(sector)):
            wrong.append(f"sector {i}")
    return wrong


def _sectors(data):
    n = len(data["sectors"])
    return f"{n} sector{'' if n == 1 else 's'}"


def main(argv):
    """``backup``. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "backup",
        "Settings, players, totals and the journal of the last 200 deals into a file. A deal that is running is left "
        "out. The operator's lock is not part of it.",
        ("python -m host backup table.backup", "python -m host backup --json table.backup --port /dev/ttyUSB1"),
    )
    p.add_argument("file", metavar="FILE", help="where to; replaced when the new one is whole")
    p.add_argument("--json", action="store_true", help="what was done as one JSON object")
    return common.guarded(_backup, p.parse_args(argv))


def _backup(args):
    with link.Link(args.port) as hub:
        progress = common.Progress("copying deals")
        data = take(hub, progress)
        progress.end()
    path = Path(args.file)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        return statuses.fail(statuses.FAILED, f"{path} cannot be written ({error.strerror}).")
    if args.json:
        common.show({"file": str(path), "deals": len(data["sectors"]), "left_out": data["left_out"]})
    else:
        print(f"{path}: settings, players and {_sectors(data)} of the journal.")
        if data["left_out"] is not None:
            print(f"Deal {data['left_out']} is running; it is not in the backup.")
    return statuses.OK


def restore(argv):
    """``restore``. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "restore",
        "Put a backup onto a hub: settings, players, totals and journal become those of the backup. Everything is "
        "checked first; a cut at any moment leaves the hub as it was, or as the backup is.",
        ("python -m host restore table.backup", "python -m host restore table.backup --check"),
    )
    p.add_argument("file", metavar="FILE", help="a file that 'backup' has written")
    p.add_argument("--check", action="store_true", help="only check the file; no hub is needed")
    p.add_argument("--force", action="store_true", help="also while a deal is running: it is lost")
    p.add_argument("--json", action="store_true", help="what was done as one JSON object")
    return common.guarded(_restore, p.parse_args(argv))


def _restore(args):
    try:
        data = read(args.file)
    except BackupError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    if args.check:
        if args.json:
            common.show({"whole": True, "deals": len(data["sectors"]), "made": data["made"], "hub": data["hub"]})
        else:
            print(f"{args.file} is whole: hub {data['hub']}, {_sectors(data)}, made {data['made']}.")
        return statuses.OK
    with link.Link(args.port) as hub:
        who = hub.ask({"cmd": "hub"}, heard=lambda text, said: True)
        if who["locked"]:
            raise link.Locked("The hub is locked by its operator: 'settings --unlock' opens it.")
        if who["running"] is not None and not args.force:
            raise link.Refused(f"Deal {who['running']} is running: end it first, or let --force drop it.")
        port = hub.port
        hub.ask({"cmd": "repl"}, heard=lambda text, said: True)
        time.sleep(0.5)
    _write(port, packed(data))
    with link.Link(port) as hub:
        if not _wait(hub):
            raise link.Silent(f"The hub at {port} did not start again: press its EN button, then compare a backup.")
        now = take(hub)
    wrong = differences(data, now)
    if wrong:
        return statuses.fail(
            statuses.FAILED, f"The hub has started and lacks something of the backup: {', '.join(wrong[:5])}."
        )
    if args.json:
        common.show({"restored": True, "deals": len(data["sectors"])})
    else:
        print(f"Restored and compared: settings, players and {_sectors(data)} of the journal.")
    return statuses.OK


_VERIFY = """
import os, hashlib
h = hashlib.sha256()
with open('/restore.new', 'rb') as f:
    b = bytearray(256)
    while True:
        n = f.readinto(b)
        if not n: break
        h.update(memoryview(b)[:n])
if ''.join(['%02x' % c for c in h.digest()]) != '{}': raise ValueError('not the same')
os.rename('/restore.new', '/restore')
print('verified')
"""


def _mpremote(port, *steps):
    """Run mpremote on the hub's REPL, without a soft reset. Its output; Refused with what it said."""
    command = [sys.executable, "-m", "mpremote", "connect", port, "resume", *steps]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise link.Silent(
            f"The REPL at {port} does not answer: press EN, and try again. Nothing has changed."
        ) from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise link.Refused(
            f"The backup did not get onto the hub, which keeps what it had: {said[-1] if said else 'no reason given'}."
        )
    return done.stdout


def _write(port, image):
    with tempfile.NamedTemporaryFile(suffix=".restore") as file:
        file.write(image)
        file.flush()
        print("Writing the backup to the hub ...", file=sys.stderr)
        _mpremote(port, "fs", "cp", file.name, ":/restore.new")
    if "verified" not in _mpremote(port, "exec", _VERIFY.format(hashlib.sha256(image).hexdigest())):
        raise link.Refused("The backup did not get onto the hub whole; it keeps what it had.")
    _mpremote(port, "reset")


def _wait(hub):
    """Wait for a hub that starts anew. True when it answers."""
    until = time.monotonic() + _PATIENCE_S
    progress = common.Progress("the hub puts the backup back")
    n = 0
    while time.monotonic() < until:
        try:
            hub.ask({"cmd": "hub"}, 2, lambda text, said: True)
            progress.end()
            return True
        except (link.Silent, link.Refused):
            n += 1
            progress.to(n)
        except link.Lost:
            hub.reopen(2)
    return False
