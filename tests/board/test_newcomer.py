"""What somebody does who has never used the tools: odd ports, odd files, odd streams, every tool over RFC 2217."""

import json
import subprocess
import sys

import pytest

from host import build, cli, esp_image, statuses
from host.board import ports
from host.board.virtual import VirtualBoard
from host.tools import link

COMMAND = [sys.executable, "-m", "host"]


def shell(line, seconds=60):
    """Run a line of bash in which $HOST is the tools' command."""
    line = line.replace("$HOST", " ".join(COMMAND))
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=seconds, cwd=build.ROOT)


@pytest.mark.parametrize(
    ("port", "said"),
    [
        ("", "no name"),
        ("foo://x", "no kind of port"),
        ("rfc2217://bad", "needs host and port"),
        ("rfc2217://:4000", "needs host and port"),
        ("rfc2217://host:x", "needs host and port"),
        ("{folder}", "it is a folder"),
        ("{folder}/file", "it is a file"),
    ],
)
def test_what_is_no_port_is_told_alike_by_every_tool(port, said, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    port = port.format(folder=tmp_path)
    with pytest.raises(link.NoPort, match=said) as found:
        link.Link(port)
    assert found.value.status == statuses.NO_PORT
    with pytest.raises(ports.PortError, match=said):
        ports.check(port)
    for words in (["doctor", "--auto"], ["test", "--on", "board"]):
        assert cli.main([*words, "--port", port]) == statuses.NO_PORT
        assert said in capsys.readouterr().err


def test_every_tool_works_over_rfc2217_and_tells_a_repl(tmp_path, program, mpremote):
    with VirtualBoard(seed="no hex") as board:
        assert board.wait_boot(60)
        file = str(tmp_path / "b")
        db = str(tmp_path / "db")
        for words in (
            ("settings", "--volume", "20"),
            ("doctor", "--auto"),
            ("console", "--seconds", "0.2"),
            ("record", "--db", db, "--once"),
            ("backup", file),
        ):
            done = program("host", *words, "--port", board.url)
            assert done.returncode == statuses.OK, (words, done.stderr)
        with link.Link(board.port) as hub:
            hub.write(b"\x03\x03")
            hub.line(1)
            hub.write(b"\x01")  # the raw REPL has no prompt and no echo
            with pytest.raises(link.Silent, match="stands at its REPL"):
                hub.ask({"cmd": "hub"}, 1)
        assert mpremote(board, "rtc").startswith("(20") and mpremote(board, "rtc").count(",") == 7


def test_a_seed_that_is_no_hex_leaves_the_board_alive_through_a_deal():
    with VirtualBoard(seed="no hex at all") as board:
        assert board.wait_boot(60)
        with link.Link(board.port) as hub:
            hub.ask({"cmd": "test", "seats": ["bot"] * 4, "rules": "wenzhou", "seed": "5" * 64})
            while True:
                text, said = hub.line(20)
                assert text is not None and not board.failed
                if said and said.get("ev") == "play":
                    break


def test_a_reader_that_goes_and_a_device_that_is_full():
    done = shell("$HOST rules --help | true; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (statuses.OK, "")
    done = shell("$HOST completion bash | head -1 >/dev/null; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (statuses.OK, "")
    done = shell("$HOST completion bash >/dev/full")
    assert done.returncode == statuses.FAILED and done.stderr.count("\n") == 1 and "No space left" in done.stderr
    done = shell("$HOST completion bash >&-")
    assert (done.returncode, done.stderr) == (statuses.OK, "")


def test_files_that_are_none_of_ours(tmp_path, capsys):
    assert cli.main(["deploy", "--firmware", str(tmp_path), "--port", "x"]) == statuses.UNUSABLE
    assert "holds no firmware" in capsys.readouterr().err
    assert cli.main(["build", "--firmware", ""]) == statuses.USAGE
    assert cli.main(["scores", "--db", str(tmp_path)]) == statuses.UNUSABLE
    assert "is a folder" in capsys.readouterr().err
    with pytest.raises(build.BuildError, match=r"^x/wrong.py, line 2, does not compile: SyntaxError.*[^\n]$"):
        build.compiled(b"a = 1\nb = = 2\n", "x.wrong", "x/wrong.py")


def test_an_image_is_read_without_the_flasher():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import json, sys; from host import esp_image; esp_image.load('1.25.0'); "
            "print(json.dumps([m for m in sys.modules if m.startswith('esptool')]))",
        ],
        capture_output=True,
        text=True,
        cwd=build.ROOT,
        check=True,
    )
    assert json.loads(done.stdout) == []
    with pytest.raises(esp_image.FirmwareError, match="cut short"):
        esp_image._image(b"\xe9\x02" + bytes(22), "FILE")
