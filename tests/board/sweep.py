"""A cut inside every flash operation of a deploy: ``python tests/board/sweep.py [--every N]``.

A real deploy to the virtual board is recorded, operation by operation. Then, in MicroPython, with its own littlefs and
with the board's ``starter.py``, the flash is brought to each operation in turn, that operation left undone, torn at two
lengths, or done; each time the starter must find a slot, and every file in it, and those at the root, must be whole:
the old version's or the new one's. Exit status 0, or 1 if a cut left neither.
"""

import argparse
import json
import shutil
import struct
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from host import build, deploy, interpreter, layout  # noqa: E402
from host.board.virtual import VirtualBoard  # noqa: E402

VFS = layout.partition("vfs")
OLD, NEW = "0.1.0", "0.2.0"

CHECK = """
import binascii, hashlib, json, os, struct, sys
import vfs
import starter

class Ram:
    def __init__(self, data):
        self.data = data
    def readblocks(self, n, buf, offset=0):
        at = n * 4096 + offset
        buf[:] = memoryview(self.data)[at : at + len(buf)]
    def writeblocks(self, n, buf, offset=0):
        at = n * 4096 + offset
        self.data[at : at + len(buf)] = buf
    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data) // 4096
        if op == 5:
            return 4096
        if op == 6:
            at = arg * 4096
            self.data[at : at + 4096] = BLANK
        return 0

BLANK = b"\\xff" * 4096
with open("image.bin", "rb") as f:
    base = bytearray(f.read())
with open("ops.bin", "rb") as f:
    log = f.read()
with open("job.json") as f:
    job = json.load(f)

def digest(path):
    with open(path, "rb") as f:
        return binascii.hexlify(hashlib.sha256(f.read()).digest()).decode()

def look():
    slot = starter.choose(bytearray(24))
    if slot not in ("a", "b"):
        return "neither slot is chosen"
    with open(slot + "/manifest") as f:
        version = f.readline().split()[0]
        for row in f:
            sha, size, name = row.split()
            if digest(slot + "/" + name) != sha:
                return name + " is not whole in slot " + slot
    for name, sums in job["root"].items():
        if digest(name) not in sums:
            return name + " is not whole"
    return version

counts = {}
home = os.getcwd()
at = number = 0
while at < len(log):
    address, size = struct.unpack_from("<II", log, at)
    data = log[at + 8 : at + 8 + size]
    at += 8 + size
    whole = size or 4096
    ends = sorted(set((0, whole // 3, whole - 1, whole))) if number >= job["all_from"] else (whole // 2,)
    if number % job["every"] == 0 or number >= job["all_from"]:
        for end in ends:
            image = bytearray(base)
            if size:
                for i in range(end):
                    image[address + i] &= data[i]
            else:
                image[address : address + end] = BLANK[:end]
            try:
                vfs.mount(vfs.VfsLfs2(Ram(image)), "/f")
                os.chdir("/f")
                try:
                    said = look()
                finally:
                    os.chdir(home)
                    vfs.umount("/f")
            except Exception as error:
                said = repr(error)
            counts[said] = counts.get(said, 0) + 1
            if said not in job["versions"]:
                print(json.dumps({"op": number, "end": end, "said": said}))
    if size:
        for i in range(size):
            base[address + i] &= data[i]
    else:
        base[address : address + 4096] = BLANK
    number += 1
print(json.dumps({"counts": counts, "ops": number}))
"""


def new_version(folder, change=True):
    """Sources of a newer firmware in ``folder``: another version number, one module changed, one new at the root."""
    firmware = folder / "firmware"
    shutil.copytree(build.FIRMWARE, firmware, ignore=shutil.ignore_patterns("__pycache__", "boards"))
    (firmware / "version.py").write_text("VERSION = (0, 2, 0)\n")
    if change:
        for name in ("seats.py", "safe.py"):
            with open(firmware / name, "a") as file:
                file.write("\nEXTRA = 1\n")
    return firmware


def record(folder):
    """Deploy a new version to a virtual board. Returns (file system before, [(address in it, bytes or None)])."""
    firmware = new_version(folder)
    log = []
    with VirtualBoard() as board:
        assert board.wait_boot()
        flash = board.flash
        before = bytes(flash.image[VFS.offset : VFS.offset + VFS.size])
        program, erase = flash.program, flash.erase

        def programmed(address, data):
            data = bytes(data)
            at = 0
            while at < len(data):  # a page of the chip at a time, as the model does
                count = min(layout.PAGE - (address + at) % layout.PAGE, len(data) - at)
                if VFS.offset <= address < VFS.offset + VFS.size:
                    log.append((address + at - VFS.offset, data[at : at + count]))
                at += count
            return program(address, data)

        def erased(address):
            if VFS.offset <= address < VFS.offset + VFS.size:
                log.append((address - address % layout.SECTOR - VFS.offset, None))
            return erase(address)

        flash.program, flash.erase = programmed, erased
        assert deploy.main(["--port", board.port, "--firmware", str(firmware), "--json"]) == 0
        after = bytes(flash.image[VFS.offset : VFS.offset + VFS.size])
    return before, log, after, firmware


def sweep(folder, every=1, last=40):
    """Record and check. Returns (number of operations, {what was found: how often}, [lines about failures])."""
    before, log, after, firmware = record(folder)
    image = bytearray(before)
    packed = b""
    for address, data in log:
        packed += struct.pack("<II", address, len(data or b"")) + (data or b"")
        if data is None:
            image[address : address + layout.SECTOR] = b"\xff" * layout.SECTOR
        else:
            image[address : address + len(data)] = bytes(
                a & b for a, b in zip(image[address : address + len(data)], data)
            )
    assert image == after, "the recorded operations do not lead to what lies in the flash"
    old, new = build.root_files(), build.root_files(firmware)
    sums = {name: [_sha(old[name]), _sha(new[name])] for name in old}
    job = {"every": every, "all_from": len(log) - last, "versions": [OLD, NEW], "root": sums}
    files = {
        "image.bin": before,
        "ops.bin": packed,
        "job.json": json.dumps(job).encode(),
        "starter.py": (build.FIRMWARE / "starter.py").read_bytes(),
        "machine.py": b"",
    }
    out, err, status = interpreter.run("micropython", files, [CHECK], heap=64 << 20, timeout=3600)
    rows = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if status or not rows or "counts" not in rows[-1]:
        raise AssertionError(f"the check ended early: {err or out}")
    return rows[-1]["ops"], rows[-1]["counts"], rows[:-1]


def _sha(data):
    from host.board import install

    return install.digest(data)


def main():
    """The command."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th operation (default 1)")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        ops, counts, failures = sweep(Path(folder), options.every)
    for row in failures[:20]:
        print(f"operation {row['op']}, torn at {row['end']}: {row['said']}")
    took = time.monotonic() - began
    cuts = sum(counts.values())
    print(f"{ops} flash operations, {cuts} cuts: {counts}; {len(failures)} without a version; {took:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
