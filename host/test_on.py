"""``python -m host test --on cpython|micropython|board``: the tests of the rules and of the firmware, there.

On CPython pytest runs them, in MicroPython ``tests/mp/run.py``. For the board they are compiled here and mounted from
here by mpremote, so that nothing is written on it; the hub starts again afterwards.
"""

import argparse
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import serial

from . import build, interpreter, statuses
from .board.flash import answers
from .board.remote import Remote, RemoteError

ROOT = interpreter.ROOT
_FILE_S = 600  # for the tests of a file on the board
_BOOT_S = 8
_ANSWER_S = 60  # for mpremote's first answer


def parser():
    """The options of the command."""
    p = argparse.ArgumentParser(
        prog="python -m host test",
        description="Run the tests of rules and firmware on an interpreter of this machine, or on the board itself.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("test")
        + """

examples:
  python -m host test --on cpython
  python -m host test --on micropython tests/rules/test_score.py
  python -m host test --on board --port /dev/ttyUSB0""",
    )
    p.add_argument("--on", required=True, choices=("cpython", "micropython", "board"), help="where they run")
    p.add_argument("--port", metavar="PORT", help="the board's serial port (default: the only board connected)")
    p.add_argument("--code", metavar="CODE", help="the operator's code of a locked hub")
    p.add_argument("files", nargs="*", type=Path, metavar="FILE", help="test files (default: all that can run there)")
    return p


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    args = parser().parse_args(argv)
    for file in args.files:
        if not file.is_file():
            return statuses.fail(statuses.USAGE, f"There is no test file {file}.")
    files = [str(file.resolve()) for file in args.files]
    if args.on == "cpython":
        line = [sys.executable, "-m", "pytest", *(files or ["tests/rules", "tests/firmware"])]
        return statuses.FAILED if subprocess.run(line, cwd=ROOT).returncode else statuses.OK
    if args.on == "micropython":
        line = [sys.executable, "tests/mp/run.py", "--vm", "micropython", *files]
        return min(subprocess.run(line, cwd=ROOT).returncode, statuses.USAGE)

    def end(number, frame):
        raise KeyboardInterrupt  # the board is started again then, too

    before = signal.signal(signal.SIGTERM, end)
    try:
        return _board(args)
    except RemoteError as error:
        return statuses.fail(error.status, error)
    except KeyboardInterrupt:
        return statuses.INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _started_again(port):
    """However the tests end, the hub starts again. RemoteError if it does not, and nothing else went wrong."""
    try:
        yield
    except BaseException:
        if not _reset(port):
            print(f"The board on {port} still waits for its tests: press its EN button.", file=sys.stderr)
        raise
    _start(port)


def _reset(port):
    """Start a hub whose tests were broken off: in the middle of a file of mpremote's mount it takes no Ctrl-C, so EN
    comes first, by DTR and RTS. True if it answers."""
    with contextlib.suppress(OSError, ValueError), serial.serial_for_url(port) as lines:
        lines.dtr = False
        lines.rts = True
        time.sleep(0.1)
        lines.rts = False
        time.sleep(0.2)
    if answers(port, _BOOT_S):
        return True
    with contextlib.suppress(RemoteError):
        _start(port)
        return answers(port)
    return False


def _start(port):
    with Remote(port) as board:
        board.enter()
        board.restart()


def _board(args):
    sys.path.insert(0, str(ROOT / "tests" / "mp"))
    import rewrite
    import run

    wanted = [f.resolve() for f in args.files] or run.test_files()
    failed = passed = 0
    with Remote(args.port, args.code) as board:
        port = board.port
        board.enter()  # opens a locked hub, and tells what is wrong with the port
    with _started_again(port), tempfile.TemporaryDirectory() as folder:
        _see_mpremote(port)
        tree = run.rules_tree()
        tree["check.py"] = (ROOT / "tests" / "mp" / "check.py").read_bytes()
        for file in wanted:
            tree[f"tests/rules/{file.stem}.py"] = rewrite.rewrite(file.read_text(encoding="utf-8")).encode()
        for name, data in tree.items():
            if name.endswith(".py"):
                name, data = name[:-3] + ".mpy", build.compiled(data, name)
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for file in wanted:
            results, trouble = _run_file(port, folder, file.stem)
            bad = [r for r in results if "text" in r]
            failed += len(bad) + bool(trouble)
            passed += len(results) - len(bad)
            state = f"{len(bad) + bool(trouble)} FAILED" if bad or trouble else "ok"
            print(f"{'board':20} {file.name:32} {len(results):4} tests  {state}")
            for result in bad:
                print(f"  {result['test']}: {result['text']}\n{result.get('trace', '')}")
            if trouble:
                print(f"  {trouble}")
            sys.stdout.flush()
            if trouble == _NO_END:
                print("  The files after it are left out.")
                break
    print(f"{passed} passed, {failed} failed")
    return statuses.FAILED if failed else statuses.OK


_NO_END = f"no end within {_FILE_S} s"


def _see_mpremote(port):
    """RemoteError if mpremote, which waits for ever, gets no answer over this port."""
    line = [sys.executable, "-m", "mpremote", "connect", port, "exec", "print(1)"]
    try:
        subprocess.run(line, capture_output=True, timeout=_ANSWER_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise RemoteError(
            f"mpremote gets no answer over {port} within {_ANSWER_S} s: take the device itself, or an rfc2217:// "
            "address.",
            statuses.SILENT,
        ) from None


def _run_file(port, folder, name):
    """The tests of one file on the board, in a fresh interpreter. Returns (results, what went wrong or "")."""
    source = f"import sys; sys.path.insert(0, 'tests/rules'); import check; check.run({name!r})"
    line = [sys.executable, "-m", "mpremote", "connect", port, "mount", folder, "exec", source]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=_FILE_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [], _NO_END
    results = []
    for row in done.stdout.splitlines():
        if row.startswith("@{"):
            results.append(json.loads(row[1:]))
    said = (done.stderr or done.stdout).strip().splitlines()
    return results, (said[-1] if said else "no test was run") if done.returncode or not results else ""
