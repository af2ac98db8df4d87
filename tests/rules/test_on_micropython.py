"""The rules' tests once more, inside MicroPython: the simulator's, and two with the board's 32-bit objects.

One case per file and interpreter; ``python tests/mp/run.py FILE`` is the same as a command.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mp"))

import records
import run

from host import interpreter
from shared_rules import rulesets

FILES = run.test_files()


def test_there_are_files_that_run_in_both_languages():
    assert {"test_answers.py", "test_whole.py", "only_warm.py"} <= {f.name for f in FILES}


@pytest.mark.parametrize("vm", interpreter.VMS)
@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_the_file_passes_inside(file, vm):
    failures = [text for _, _, text in run.run_file(vm, file) if text]
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)


@pytest.mark.parametrize("vm", interpreter.VMS)
@pytest.mark.parametrize("rules", rulesets.RULE_SETS)
def test_four_bot_deals_have_the_same_record_in_both_languages(rules, vm):
    for simple in (0, 6):  # normal bots; two trustees
        ours = records.here(rules, 1, 3, simple)
        assert records.first_difference(ours, records.there(vm, rules, 1, 3, simple)) == ""
