"""``python -m host simulate`` as a person starts and ends it."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from looking import eventually

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"http://([\d.]+):(\d+)/#k=[\w-]{22}")


class Run:
    """The command in a process of its own."""

    def __init__(self, *args, **environment):
        environment.setdefault("NO_BROWSER", "1")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "host", "simulate", *args],
            cwd=ROOT,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines = []

    def until(self, text):
        """Read standard output up to a line that holds a text; returns that line."""
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if text in line:
                return line.strip()
        raise AssertionError(f"it ended: {self.lines} {self.process.stderr.read()}")

    def children(self):
        """The process ids of the interpreter and whatever else it has started."""
        task = Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for t in task.iterdir() for pid in (t / "children").read_text().split()]

    def end(self, number):
        """Send a signal; returns (exit status, rest of standard output, standard error)."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@pytest.fixture
def simulate():
    runs = []

    def start(*args, **environment):
        runs.append(Run(*args, **environment))
        return runs[-1]

    yield start
    for run in runs:
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()


def test_it_prints_its_address_and_serves_the_page_there(simulate):
    run = simulate("--port", "0")
    host, port = LINK.search(run.until("The table is open")).groups()
    assert host == "127.0.0.1"
    with urllib.request.urlopen(f"http://{host}:{port}/") as answer:
        assert b'<main id="table"' in answer.read()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_cleanly_and_leaves_no_interpreter_behind(simulate, number):
    run = simulate("--port", "0")
    run.until("Ctrl-C")
    children = run.children()
    assert children or "cpython" in run.process.stderr.read()
    status, out, err = run.end(number)
    assert status == 0
    assert "The table is closed." in out
    assert "Traceback" not in err
    for pid in children:
        eventually(lambda pid=pid: not Path(f"/proc/{pid}").exists(), what=f"the end of process {pid}")


def test_a_busy_port_picks_another_and_says_which(simulate):
    with socket.create_server(("127.0.0.1", 0)) as other:
        busy = other.getsockname()[1]
        run = simulate("--port", str(busy))
        line = run.until("busy")
        port = int(LINK.search(run.until("The table is open"))[2])
        assert line == f"Port {busy} is busy; the page uses {port} instead."
        assert port != busy
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 200


def test_every_persons_private_link_is_printed(simulate):
    run = simulate("--port", "0", "--seats", "bot,human,bot,human")
    run.until("Ctrl-C")
    links = [LINK.search(line)[0] for line in run.lines if LINK.search(line)]
    assert len(set(links)) == 2
    assert any("seat 3" in line for line in run.lines)


def test_the_browser_is_opened_with_the_link_that_is_printed(simulate, tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o755)
    run = simulate("--port", "0", NO_BROWSER="", BROWSER=f"{browser} %s")
    link = LINK.search(run.until("The table is open"))[0]
    eventually(lambda: seen.exists() and seen.read_text().strip() == link)


def test_without_a_browser_nothing_is_opened(simulate, tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\ntouch {seen}\n")
    browser.chmod(0o755)
    run = simulate("--port", "0", BROWSER=f"{browser} %s")
    run.until("Ctrl-C")
    run.end(signal.SIGTERM)
    assert not seen.exists()


@pytest.mark.parametrize("args", [("--host", "192.0.2.1"), ("--host", "no.such.host.invalid"), ("--port", "99999")])
def test_an_address_that_cannot_be_had_is_one_sentence(simulate, args):
    run = simulate(*args)
    out, err = run.process.communicate(timeout=30)
    assert run.process.returncode == 2
    assert err.startswith("The page cannot listen on") and err.count("\n") == 1
    assert out == ""


def test_links_of_a_flash_file_are_those_of_the_run_before(simulate, tmp_path):
    flash = tmp_path / "table.img"
    links = []
    for _ in range(2):
        run = simulate("--port", "0", "--flash", str(flash), "--view", "own", "--bind", "127.0.0.1")
        links.append(LINK.search(run.until("The table is open"))[0].partition("#")[2])
        run.until("Ctrl-C")
        assert run.end(signal.SIGTERM)[0] == 0
    assert links[0] == links[1]
    assert (tmp_path / "table.img.links").stat().st_mode & 0o777 == 0o600
