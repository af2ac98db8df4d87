"""The virtual board over USB: record and commands on the console, the REPL, mpremote, resets, power and cable."""

import json
import os
import subprocess
import sys
import time

import pytest
import serial

from host.board.virtual import VirtualBoard


class Line:
    """A person at a terminal on the board's port."""

    def __init__(self, board):
        self.port = serial.Serial(board.port, 115200, timeout=0.05)
        self.heard = b""

    def type(self, data):
        self.port.write(data)

    def until(self, wanted, seconds=10):
        """Read until this has come; what was read up to it."""
        end = time.monotonic() + seconds
        while wanted not in self.heard:
            assert time.monotonic() < end, f"{wanted!r} did not come, but {self.heard[-600:]!r}"
            self.heard += self.port.read(max(1, self.port.in_waiting))
        before, _, self.heard = self.heard.partition(wanted)
        return before + wanted


@pytest.fixture
def line(board):
    line = Line(board)
    yield line
    line.port.close()


def test_the_console_has_the_record_and_takes_commands(board, line):
    assert board.wait_boot()
    line.type(b'{"cmd":"stats"}\n')
    line.until(b'{"re":"stats"')
    assert b'"heap_free":' in line.until(b"\r\n")


def test_ctrl_c_leads_to_the_repl_and_ctrl_d_back(board, line):
    assert board.wait_boot()
    line.type(b"\x03")
    said = line.until(b">>> ")
    assert b"KeyboardInterrupt" in said and b"shims" not in said
    line.type(b"1 + 1\r")
    line.until(b"\r\n2\r\n>>> ")
    line.type(b"while True: pass\r\r")
    line.until(b"... ")
    time.sleep(0.3)
    line.type(b"\x03")
    line.until(b"KeyboardInterrupt")
    line.until(b">>> ")
    line.type(b"\x04")
    line.until(b"MPY: soft reboot\r\n")
    line.until(b'"cause":"reset"')


def test_the_table_lives_on_while_the_repl_is_open(board, line):
    """The watchdog is fed by the timer that the hub started when it was interrupted; keys move their lines."""
    assert board.wait_boot()
    line.type(b'{"cmd":"stats"}\n')
    line.until(b'{"re":"stats"')
    line.type(b"\x03")
    line.until(b">>> ")
    now = board.clock.now
    board.key(0, "hint", True)
    time.sleep(1.5)
    assert board.clock.now - now > 1_400_000_000
    assert board.board.timers and board.board.watchdog > board.clock.now
    line.type(b"import machine; machine.reset_cause()\r")
    line.until(b"\r\n1\r\n>>> ")


def test_mpremote_lists_copies_runs_and_mounts(board, mpremote, tmp_path):
    assert board.wait_boot()
    listed = mpremote(board, "fs", "ls")
    assert "main.py" in listed and "boot.py" in listed
    data = os.urandom(6000)
    (tmp_path / "data.bin").write_bytes(data)
    mpremote(board, "fs", "cp", str(tmp_path / "data.bin"), ":data.bin")
    mpremote(board, "fs", "cp", ":data.bin", str(tmp_path / "back.bin"))
    assert (tmp_path / "back.bin").read_bytes() == data
    (tmp_path / "script.py").write_text("import sys\nprint(sys.implementation.name, 6 * 7)\n")
    assert mpremote(board, "run", str(tmp_path / "script.py")) == "micropython 42\n"
    (tmp_path / "far.py").write_text("X = 1\n" * 400 + "Y = 'over the line'\n")
    code = "import far; print(far.Y); open('w.bin','wb').write(b'\\n\\r\\n')"
    said = mpremote(board, "mount", str(tmp_path), "exec", code)
    assert "over the line" in said
    assert (tmp_path / "w.bin").read_bytes() == b"\n\r\n"
    mpremote(board, "reset")
    assert board.wait_boot()


def test_files_outlive_the_power_and_a_cut_in_the_middle_leaves_a_board_that_boots(mpremote, tmp_path):
    path = tmp_path / "flash.bin"
    with VirtualBoard(flash=path, seed="cut") as board:
        assert board.wait_boot()
        mpremote(board, "exec", "with open('kept.txt', 'w') as file: file.write('kept')")
        for at, after in ((1, 0), (2, 100), (3, None)):
            mpremote(board, "exec", "f = open('new.txt', 'w'); f.write('new' * 3000)")
            board.power_cut(at, after)
            command = [sys.executable, "-m", "mpremote", "connect", board.port, "resume", "exec", "f.close()"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                end = time.monotonic() + 30
                while board.powered and time.monotonic() < end:
                    time.sleep(0.05)
                process.kill()  # it would wait for an answer for ever
            assert not board.powered
            board.power_on()
            assert board.wait_boot()
    with VirtualBoard(flash=path, seed="cut") as board:
        assert board.wait_boot()
        time.sleep(1)  # Ctrl-C is shut out until the hub runs
        assert mpremote(board, "fs", "cat", "kept.txt") == "kept"


def test_the_cable_takes_port_and_power_with_it(board, line, mpremote):
    assert board.wait_boot()
    board.pull_cable()
    assert board.port is None and not board.powered
    with pytest.raises(OSError):
        for _ in range(100):
            line.port.read(100)
    board.plug_cable()
    assert board.wait_boot()
    time.sleep(1)  # Ctrl-C is shut out until the hub runs
    assert mpremote(board, "exec", "print('here')") == "here\n"


def test_a_board_without_firmware_says_what_its_rom_says():
    with VirtualBoard(erased=True) as board:
        line = Line(board)
        said = line.until(b"invalid header: 0xffffffff\r\n")
        assert b"ets Jul 29 2019" in said
        line.until(b"rst:0x10 (RTCWDT_RTC_RESET)")
        line.port.close()


def test_the_command_names_its_port_and_obeys_lines(tmp_path):
    link = tmp_path / "port"
    command = [sys.executable, "-m", "host", "virtual-board", "--link", str(link), "--seed", "x"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        ports = json.loads(process.stdout.readline())
        assert ports["port"] == str(link) and ports["url"].startswith("rfc2217://127.0.0.1:")
        assert json.loads(process.stdout.readline())["ev"] == "boot"
        for said, answer in (
            ({"press": {"seat": 0, "key": "hint"}}, {"ok": True}),
            ({"usb": "in"}, {"ok": False, "why": "The cable is in already."}),
            ({"fault": "nonsense"}, {"ok": False}),
            ({"power": "cut"}, {"ok": True}),
            ({"reset": True}, {"ok": False, "why": "The power is off."}),
        ):
            process.stdin.write(json.dumps(said) + "\n")
            process.stdin.flush()
            heard = json.loads(process.stdout.readline())
            while "ok" not in heard:
                heard = json.loads(process.stdout.readline())
            assert answer.items() <= heard.items()
        process.stdin.close()
        assert process.wait(10) == 0
    assert not link.exists()
