"""A version put into the inactive slot of a board's file system, and put on trial: what ``deploy`` does there.

``store`` is a ``remote.Remote`` or anything with its file methods. The order is what makes a cut harmless: the slot is
closed first (its manifest goes), filled, verified file by file, opened again (its manifest comes last), and only then
named in the state file, which littlefs replaces in one step. The active slot is only read.
"""

import hashlib
from typing import NamedTuple

from .. import build
from .remote import RemoteError


class Installed(NamedTuple):
    """What lies on a board: ``active``: slot or None; ``versions``: {slot: version text}; ``files``: {slot: {path:
    SHA-256}}; ``failed``: slot that failed, or None."""

    active: str | None
    versions: dict
    files: dict
    failed: str | None


def look(store):
    """Read state and manifests. Returns an Installed."""
    words = (store.read(build.STATE) or b"").decode("ascii", "replace").split()
    good = len(words) == 4 and words[0] in build.SLOTS
    versions, files = {}, {}
    for slot in build.SLOTS:
        rows = (store.read(f"{slot}/{build.MANIFEST}") or b"").decode("utf-8", "replace").splitlines()
        if rows:
            versions[slot] = rows[0].split()[0]
            files[slot] = {row.split(None, 2)[2]: row.split()[0] for row in rows[1:] if len(row.split()) == 3}
    active = words[0] if good else next((slot for slot in build.SLOTS if slot in versions), None)
    return Installed(active, versions, files, words[3] if good and words[3] in build.SLOTS else None)


class Count(NamedTuple):
    """How many files were sent, copied on the board, and were there already; bytes that were sent."""

    sent: int
    copied: int
    kept: int
    size: int


def digest(data):
    """SHA-256 as hex."""
    return hashlib.sha256(data).hexdigest()


def install(store, installed, slot, root, progress=lambda done, total: None):
    """Put the files of a version into the inactive slot and on trial. Returns (slot, Count).

    installed: an Installed; slot: {path in the slot: bytes}, its manifest among them; root: {path: bytes} outside the
    slots; progress(bytes done, bytes in all) is called as it goes on.
    RemoteError if the board does not keep what was written.
    """
    active = installed.active
    target = build.SLOTS[1] if active == build.SLOTS[0] else build.SLOTS[0]
    there = store.files()
    failed = installed.failed if installed.failed != target else None
    if active and _words(store) != [active, "-", "0", failed or "-"]:
        _state(store, active, "-", failed)
    if f"{target}/{build.MANIFEST}" in there:
        store.remove(f"{target}/{build.MANIFEST}")
    wanted = {f"{target}/{name}": data for name, data in slot.items() if name != build.MANIFEST}
    sums = {path: digest(data) for path, data in wanted.items()}
    total = sum(map(len, wanted.values())) + sum(map(len, root.values()))
    done = 0

    kept = set()
    for path, size in sorted(there.items(), reverse=True):
        if not path.startswith(target + "/") or path == f"{target}/{build.MANIFEST}":
            continue
        if size < 0:
            if not any(name.startswith(path + "/") for name in wanted):
                store.remove(path)
        elif path in wanted and size == len(wanted[path]) and store.digest(path) == sums[path]:
            kept.add(path)
            done += size
            progress(done, total)
        else:
            store.remove(path)
    _folders(store, wanted, there)

    sent = copied = size = 0
    old = installed.files.get(active, {})
    for path, data in wanted.items():
        if path in kept:
            continue
        name = path[len(target) + 1 :]
        source = f"{active}/{name}"
        if old.get(name) == sums[path] and source in there and store.digest(source) == sums[path]:
            store.copy(source, path)
            copied += 1
            done += len(data)
            progress(done, total)
        else:
            base = done
            _send(store, path, data, lambda n, base=base: progress(base + n, total))
            sent += 1
            size += len(data)
            done += len(data)
        _verify(store, path, sums[path])

    _folders(store, root, there)
    for path, data in root.items():
        if there.get(path) == len(data) and store.digest(path) == digest(data):
            kept.add(path)
        else:
            # Written beside the old one, which is replaced in one step.
            _send(store, path + ".new", data, None)
            _verify(store, path + ".new", digest(data))
            store.rename(path + ".new", path)
            sent += 1
            size += len(data)
        done += len(data)
        progress(done, total)

    manifest = f"{target}/{build.MANIFEST}"
    store.write(manifest, slot[build.MANIFEST])
    _verify(store, manifest, digest(slot[build.MANIFEST]))
    _state(store, active or target, target if active else "-", failed)
    return target, Count(sent, copied, len(kept), size)


def _words(store):
    return (store.read(build.STATE) or b"").decode("ascii", "replace").split()


def _state(store, active, trial, failed):
    store.write(build.STATE, f"{active} {trial} 0 {failed or '-'}\n".encode())
    if _words(store) != [active, trial, "0", failed or "-"]:
        raise RemoteError("The board did not keep the state of its slots: its flash may be worn out.")


def _folders(store, wanted, there):
    for path in wanted:
        parts = path.split("/")[:-1]
        for i in range(len(parts)):
            folder = "/".join(parts[: i + 1])
            if folder not in there:
                store.make_folder(folder)
                there[folder] = -1


def _send(store, path, data, step):
    over = 0

    def count(n):
        nonlocal over
        over += n
        if step:
            step(over)

    store.write(path, data, count)


def _verify(store, path, wanted):
    if store.digest(path) != wanted:
        raise RemoteError(
            f"{path} on the board is not what was written: try again; if that repeats, the flash is worn out."
        )
