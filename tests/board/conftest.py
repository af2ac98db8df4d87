"""Virtual boards for the tests, and the tools that are run against them as programs of their own."""

import os
import subprocess
import sys

import pytest

from host.board import virtual
from host.sim.vm import micropython


def pytest_collection_modifyitems(items):
    """The tests of the virtual board need the real interpreter, and a machine with pseudo-terminals."""
    if micropython() is None or os.name != "posix":
        for item in items:
            if "board" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason="no MicroPython interpreter here"))


@pytest.fixture(scope="session")
def image():
    """A flash with MicroPython and the hub's firmware."""
    return virtual.new_flash()


@pytest.fixture
def board():
    """A board with the hub's firmware, on."""
    with virtual.VirtualBoard(seed="board") as board:
        yield board


@pytest.fixture(scope="session")
def program():
    """``program(*arguments)`` runs a tool of this Python: subprocess.CompletedProcess with text."""

    def run(*arguments, seconds=120):
        environment = {**os.environ, "COLUMNS": "200"}
        command = [sys.executable, "-m", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment)

    return run


@pytest.fixture(scope="session")
def mpremote(program):
    """``mpremote(board, *arguments)`` on the board's port: its standard output; it must succeed."""

    def run(board, *arguments):
        done = program("mpremote", "connect", board.port, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
