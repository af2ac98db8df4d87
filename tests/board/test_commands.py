"""The command line as a whole: help, exit statuses, completion, and the wheel that carries it."""

import io
import re
import subprocess
import sys
import zipfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from host import build, cli, completion, statuses

ROOT = Path(__file__).resolve().parents[2]


def help_of(name):
    out = io.StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit) as end:
        cli.run(name, ["--help"])
    assert end.value.code == 0
    return out.getvalue()


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_commands_help_has_examples_and_its_exit_statuses(name):
    text = help_of(name)
    assert re.search(rf"usage: (python -m host|shuangkou) {name}", text)
    examples = text[text.index("examples:\n") :]
    assert name in examples and "\n  " in examples
    for status in statuses.USED[name]:
        assert re.search(rf"^  {status} ", text, re.MULTILINE), f"status {status}"


def test_every_status_that_a_command_uses_is_in_the_table():
    assert statuses.USED.keys() == cli.COMMANDS.keys()
    for used in statuses.USED.values():
        assert used.keys() <= statuses.STATUSES.keys()
        assert statuses.OK in used and statuses.USAGE in used or statuses.FAILED in used


def test_the_readme_has_the_table_of_statuses():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for status, meaning in statuses.STATUSES.items():
        assert f"| {status} | {meaning} |" in text


def test_the_help_names_every_command_once_under_a_group():
    text = cli.usage()
    for name, (_, what) in cli.COMMANDS.items():
        assert len(re.findall(rf"^  {name} +{re.escape(what)}$", text, re.MULTILINE)) == 1
    for group in cli.GROUPS:
        assert f"\n{group}:\n" in text


def test_an_unknown_command_is_a_usage_error(capsys):
    assert cli.main(["biuld"]) == statuses.USAGE
    assert "no command 'biuld'" in capsys.readouterr().err


class TestCompletion:
    @pytest.mark.parametrize("shell", completion.SHELLS)
    def test_it_has_every_command_and_every_option(self, shell):
        text = completion.script(shell)
        for name in cli.COMMANDS:
            assert name in text
            for action in completion.parser_of(name)._actions:
                for option in action.option_strings:
                    assert option in text or option.lstrip("-") in text, f"{name} {option}"

    def test_bash_completes_a_command_and_its_options(self, tmp_path):
        path = tmp_path / "completion.bash"
        path.write_text(completion.script("bash"))
        program = """
source "$1"
function="$(complete -p shuangkou | sed -E 's/.*-F ([^ ]+).*/\\1/')"
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); "$function"; echo "${COMPREPLY[@]}"; }
ask shuangkou bu
ask shuangkou build --firm
ask shuangkou completion z
"""
        done = subprocess.run(["bash", "-c", program, "x", str(path)], capture_output=True, text=True, timeout=30)
        assert done.stdout.split() == ["build", "--firmware", "zsh"], done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that pip would build, by the build backend that is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    code = "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


class TestWheel:
    def test_it_carries_all_that_the_tools_read(self, wheel):
        names = set(zipfile.ZipFile(wheel).namelist())
        wanted = {path.relative_to(ROOT).as_posix() for path in (*build.tree().values(), *build.root_tree().values())}
        wanted.discard("firmware/sounds.pcm")  # made by whoever builds first
        for folder in ("host/page/static", "host"):
            wanted |= {
                path.relative_to(ROOT).as_posix()
                for path in (ROOT / folder).rglob("*")
                if path.is_file() and "__pycache__" not in path.parts
            }
        assert wanted - names == set()
        assert not {name for name in names if name.startswith(("tests/", "docs/", "build/"))}

    def test_its_build_and_simulate_run_without_the_repository(self, wheel, tmp_path):
        site = tmp_path / "site"
        zipfile.ZipFile(wheel).extractall(site)
        env = {"PYTHONPATH": str(site), "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache")}
        line = [sys.executable, "-P", "-m", "host"] if sys.version_info >= (3, 11) else [sys.executable, "-m", "host"]
        made = tmp_path / "vfs.bin"
        done = subprocess.run(
            [*line, "build", "--no-heap", "-o", str(made)], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert made.read_bytes() == build.vfs_image()
        done = subprocess.run(
            [*line, "simulate", "--headless", "--seats", "bot,bot,bot,bot"],
            cwd=tmp_path,
            env=env,
            input='{"until": "turn", "ms": 60000}\n',
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert '"ev":"turn"' in done.stdout
        assert not (site / "build").exists(), "nothing is written where it is installed"
