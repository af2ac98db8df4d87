"""``deploy`` on a virtual board: what goes over, what is refused, what a cut or a bad version leaves."""

import json
import subprocess
import sys
import threading
import time

import pytest
import sweep

from host import build, deploy, image, statuses
from host.board.virtual import VirtualBoard


@pytest.fixture
def board():
    with VirtualBoard() as one:
        one.versions = []
        one.on_event(lambda e: one.versions.append(e["version"]) if e["ev"] == "boot" else None)
        assert one.wait_boot()
        yield one


def run(board, *options):
    """The command in its own process: (exit status, its JSON object)."""
    line = [sys.executable, "-m", "host", "deploy", "--port", board.port, "--json", *map(str, options)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=sweep.HERE.parents[1], timeout=120)
    return done.returncode, json.loads(done.stdout)


def test_only_what_changed_goes_over_and_an_older_version_is_refused(board, tmp_path):
    firmware = sweep.new_version(tmp_path)
    status, said = run(board, "--firmware", firmware)
    assert (status, said["slot"], said["was"], said["version"]) == (statuses.OK, "b", "0.1.0", "0.2.0")
    assert said["sent"] == 3 and said["copied"] > 50  # version, seats, and safe at the root
    status, said = run(board, "--firmware", firmware)
    assert (status, said["sent"]) == (statuses.OK, None)
    status, said = run(board)
    assert (status, said["ok"]) == (statuses.OLDER, False)
    assert "0.1.0 is older than the hub's 0.2.0" in said["why"]
    (firmware / "version.py").write_text("VERSION = (0, 10, 0)\n")
    status, said = run(board, "--firmware", firmware)
    assert (status, said["slot"], said["version"]) == (statuses.OK, "a", "0.10.0")
    assert board.versions[-1] == "0.10.0"


def test_a_version_that_fails_is_told_and_the_one_before_runs(board, tmp_path):
    firmware = sweep.new_version(tmp_path, change=False)
    hub = (firmware / "hub.py").read_text()
    (firmware / "hub.py").write_text(hub.replace("        self.keys.step(now)\n", "        self.keys.stop(now)\n"))
    status, said = run(board, "--firmware", firmware)
    assert status == statuses.REVERTED
    assert "0.2.0 failed" in said["why"] and "the hub runs 0.1.0 now" in said["why"]
    assert board.versions[-2:] == ["0.2.0", "0.1.0"]


def test_the_power_goes_in_the_middle(board, tmp_path):
    firmware = sweep.new_version(tmp_path)
    board.power_cut(at_write=300)

    def on_again():
        while board.powered:
            time.sleep(0.02)
        board.power_on()

    helper = threading.Thread(target=on_again)
    helper.start()
    status, said = run(board, "--firmware", firmware)
    helper.join()
    assert status == statuses.LOST
    assert "stopped answering" in said["why"] or "broke" in said["why"]
    assert board.wait_boot()
    assert board.versions[-1] == "0.1.0"
    status, said = run(board, "--firmware", firmware)
    assert (status, said["version"]) == (statuses.OK, "0.2.0")


def test_two_versions_fit_into_the_file_system():
    content = build.files()
    content.update({f"b/{name}": data for name, data in build.slot_files().items()})
    assert image.mount(build.pack(content)).used_block_count <= build.LITTLEFS["block_count"] - 8


def test_no_port():
    done = subprocess.run(
        [sys.executable, "-m", "host", "deploy", "--port", "/dev/none-such"],
        capture_output=True,
        text=True,
        cwd=sweep.HERE.parents[1],
    )
    assert done.returncode == statuses.NO_PORT
    assert "/dev/none-such cannot be opened" in done.stderr


def test_versions_are_numbers():
    assert deploy.numbers("1.10.0") > deploy.numbers("1.9.12")
    assert deploy.numbers("x.1") == ()


def test_a_cut_in_a_deploy_leaves_a_version_that_boots(tmp_path):
    """Every 60th operation and the last ones; ``python tests/board/sweep.py`` cuts in all of them."""
    ops, counts, failures = sweep.sweep(tmp_path, every=60, last=12)
    assert failures == []
    assert ops > 1000
    assert counts["0.1.0"] > 20 and counts["0.2.0"] > 1


def test_the_rules_tests_run_on_the_board(board):
    line = [sys.executable, "-m", "host", "test", "--on", "board", "--port", board.port, "tests/rules/test_score.py"]
    done = subprocess.run(line, capture_output=True, text=True, cwd=sweep.HERE.parents[1], timeout=120)
    assert done.returncode == statuses.OK, done.stdout + done.stderr
    assert "0 failed" in done.stdout
    assert board.wait_boot()
