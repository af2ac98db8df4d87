"""The flash layout and the board's file system."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from littlefs import LittleFS

from host import build, layout

ROOT = Path(__file__).resolve().parents[2]


class TestLayout:
    def test_partitions_follow_one_another_to_the_end_of_the_flash(self):
        at = layout.TABLE_OFFSET + 0x1000
        for row in layout.PARTITIONS:
            assert row.offset == at, row.label
            assert row.offset % layout.SECTOR == row.size % layout.SECTOR == 0
            at += row.size
        assert at == layout.FLASH_SIZE

    def test_an_application_starts_at_a_64_KiB_boundary(self):
        assert layout.partition("factory").offset % 0x10000 == 0

    def test_the_journal_is_raw_data_of_subtype_40(self):
        row = layout.partition("journal")
        assert (row.type, row.subtype, row.offset, row.size) == (layout.DATA, 0x40, 0x200000, 0xD8000)

    def test_the_table_reads_back(self):
        data = layout.table_bytes()
        assert len(data) == layout.TABLE_SIZE
        assert layout.parse_table(data) == list(layout.PARTITIONS)

    def test_the_tables_bytes_are_those_of_esp_idf(self):
        # An entry as gen_esp32part.py writes it: magic, type, subtype, offset, size, label, flags.
        assert layout.table_bytes()[:32] == bytes.fromhex("aa50010200900000006000006e7673" + "00" * 17)

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            (lambda b: b"\xff" * len(b), "there is no partition table"),
            (lambda b: b"", "there is no partition table"),
            (lambda b: b[:33] + b"\0" + b[34:], "magic number"),
            (lambda b: b[:40] + b"\x01" + b[41:], "checksum|outside"),
            (lambda b: b[:7] + b"\xff" + b[8:], "outside the flash"),
        ],
    )
    def test_a_damaged_table_is_refused(self, change, why):
        with pytest.raises(ValueError, match=why):
            layout.parse_table(change(layout.table_bytes()))


@pytest.fixture
def sources(tmp_path):
    """A small firmware and rules."""
    firmware, rules = tmp_path / "firmware", tmp_path / "rules"
    for name, text in {
        "boot.py": "import pins\n",
        "main.py": "import game\n",
        "pins.py": "LED = 2\n",
        "game.py": "from shared_rules import meld\n",
        "screen/__init__.py": "",
        "screen/seat.py": "x = 1\n",
        "screen/notes.txt": "not for the board\n",
        "boards/manifest.py": "freeze('.')\n",
    }.items():
        path = firmware / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (firmware / "screen" / "type.bin").write_bytes(bytes(range(256)) * 40)
    rules.mkdir()
    (rules / "__init__.py").write_text("")
    (rules / "meld.py").write_text("KIND = 1\n")
    return firmware, rules


class TestBuild:
    def test_everything_is_bytecode_but_what_micropython_starts_itself(self, sources):
        content = build.files(*sources)
        assert sorted(content) == [
            "a/game.mpy",
            "a/manifest",
            "a/pins.mpy",
            "a/screen/__init__.mpy",
            "a/screen/seat.mpy",
            "a/screen/type.bin",
            "a/shared_rules/__init__.mpy",
            "a/shared_rules/meld.mpy",
            "boot.py",
            "main.py",
            "pins.mpy",
            "slots",
        ]
        assert content["slots"] == b"a - 0 -\n"
        assert all(data[:2] == b"M\x06" for name, data in content.items() if name.endswith(".mpy"))

    def test_a_slot_tells_what_it_holds(self, sources):
        (sources[0] / "version.py").write_text("VERSION = (1, 10, 2)\n")
        content = build.slot_files(*sources)
        first, *rows = content.pop("manifest").decode().splitlines()
        assert first == f"1.10.2 {len(content)} {sum(map(len, content.values()))}"
        assert rows == [f"{hashlib.sha256(data).hexdigest()} {len(data)} {name}" for name, data in content.items()]

    @pytest.mark.parametrize("text", ["", "VERSION = 3", "VERSION = (1, 2)", "VERSION = (1, 128, 0)", "VERSION = f()"])
    def test_a_version_that_is_none_is_said(self, sources, text):
        (sources[0] / "version.py").write_text(text + "\n")
        with pytest.raises(build.BuildError, match="has no VERSION"):
            build.slot_files(*sources)

    def test_the_image_holds_the_files(self, sources):
        content = build.files(*sources)
        image = build.vfs_image(*sources)
        assert len(image) == layout.partition("vfs").size
        fs = LittleFS(**build.LITTLEFS, mount=False)
        fs.context.buffer[:] = image
        fs.mount()
        assert fs.fs_stat().disk_version == 0x00020000
        found = {}
        for folder, _, names in fs.walk("/"):
            for name in names:
                path = f"{folder}/{name}".lstrip("/")
                with fs.open(path, "rb") as file:
                    found[path] = file.read()
        assert found == content

    def test_the_same_input_gives_the_same_bytes(self, sources, tmp_path, monkeypatch):
        images = []
        for n in (1, 2):
            monkeypatch.setattr(build, "BUILD", tmp_path / f"build-{n}")
            images.append(build.vfs_image(*sources))
        assert images[0] == images[1]

    def test_what_was_built_is_not_built_again(self, sources, tmp_path, monkeypatch):
        monkeypatch.setattr(build, "BUILD", tmp_path / "build")
        first = build.vfs_image(*sources)

        def never(*args, **more):
            raise AssertionError("it was built again")

        monkeypatch.setattr(build, "pack", never)
        monkeypatch.setattr(build.subprocess, "run", never)
        assert build.vfs_image(*sources) == first

    def test_a_changed_source_changes_the_image(self, sources):
        first = build.vfs_image(*sources)
        (sources[1] / "meld.py").write_text("KIND = 2\n")
        assert build.vfs_image(*sources) != first

    def test_a_source_that_does_not_compile_is_named(self, sources):
        (sources[0] / "game.py").write_text("def\n")
        with pytest.raises(build.BuildError, match=r"game\.py, line 1, does not compile: SyntaxError"):
            build.vfs_image(*sources)

    def test_a_file_system_that_is_too_full_is_said(self, sources):
        (sources[0] / "screen" / "huge.bin").write_bytes(bytes(2_000_000))
        with pytest.raises(build.BuildError, match=r"screen/huge\.bin does not fit into the file system"):
            build.vfs_image(*sources)

    def test_the_command_prints_a_table_of_sizes(self, tmp_path):
        run = subprocess.run(
            [sys.executable, "-m", "host", "build", "--files", "-o", str(tmp_path / "vfs.bin")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "together" in run.stdout and "of 296 blocks" in run.stdout
        assert "main.py" in run.stdout and "a/shared_rules/meld.mpy" in run.stdout
        assert (tmp_path / "vfs.bin").read_bytes() == build.vfs_image()


def test_names_private_to_one_file_are_short_and_the_others_stay():
    sources = {
        "a.py": b'_X = const(1)\n_shared = 2\n\n\ndef _only(self):\n    return self._here + _X + "_only"[0]\n',
        "b.py": b"from a import _shared\n_mine = __name__\n",
    }
    assert build.shortened(sources) == {
        "a.py": b'_X = const(1)\n_shared = 2\n\n\ndef _0(self):\n    return self._1 + _X + "_0"[0]\n',
        "b.py": b"from a import _shared\n_0 = __name__\n",
    }
