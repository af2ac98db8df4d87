"""The firmware's tests once more, inside MicroPython: the simulator's, and one with the board's 32-bit objects."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mp"))

import run  # noqa: E402

from host import interpreter  # noqa: E402

FILES = [f for f in sorted(HERE.glob("test_*.py")) if "pytest" not in run.imports(f)]
VMS = ("micropython", "micropython32-1.29")


def tree():
    """The firmware as it lies on the board, with what its tests need beside it."""
    files = interpreter.tree("shared_rules")
    for name, content in interpreter.tree("firmware", "firmware/drivers").items():
        files[name[len("firmware/") :]] = content
    for file in [HERE / "rig.py", HERE.parent / "mp" / "check.py", *(HERE / "fakes").glob("*.py")]:
        files[file.name] = file.read_bytes()
    return files


def test_all_but_those_of_the_whole_hub_run_in_both_languages():
    others = {Path(__file__).name, "test_whole_hub.py", "test_between_deals.py"}
    assert {f.name for f in HERE.glob("test_*.py")} - {f.name for f in FILES} == others


@pytest.mark.parametrize("vm", VMS)
@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_the_file_passes_inside(file, vm):
    failures = [text for _, _, text in run.run_file(vm, file, tree()) if text]
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)
