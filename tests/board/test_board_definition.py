"""The board definition for a build with everything frozen: what it names, and where its partitions lie."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

from host import build, esp_image, layout

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "firmware" / "boards" / "TABLE_HUB"


def frozen():
    """What the manifest freezes: (source files of ours, files of the port, required packages)."""
    ours, port, required = [], [], []

    def place(base):
        path = base.replace("$(BOARD_DIR)", str(BOARD))
        assert "$" not in path, base
        return Path(path).resolve()

    def module(name, base_path):
        ours.append(place(base_path) / name)

    def package(name, files, base_path):
        ours.extend(place(base_path) / name / file for file in files)

    def freeze(path, script):
        assert path == "$(PORT_DIR)/modules"
        port.extend(script)

    names = {"module": module, "package": package, "freeze": freeze, "require": required.append}
    exec(compile((BOARD / "manifest.py").read_text(), "manifest.py", "exec"), names)
    return ours, port, required


def partitions():
    """The rows of the csv as layout.Partition."""
    types = {"app": layout.APP, "data": layout.DATA}
    subtypes = {"nvs": 2, "phy": 1, "factory": 0}
    lines = [line for line in (BOARD / "partitions-table-hub.csv").read_text().splitlines() if not line.startswith("#")]
    rows = []
    for label, kind, subtype, offset, size in csv.reader(lines, skipinitialspace=True):
        number = subtypes[subtype] if subtype in subtypes else int(subtype, 0)
        rows.append(layout.Partition(label, types[kind], number, int(offset, 0), int(size, 0)))
    return rows


class TestManifest:
    def test_it_names_every_module_and_nothing_else(self):
        ours, _, _ = frozen()
        wanted = {path for path in (*build.tree().values(), *build.root_tree().values()) if path.suffix == ".py"}
        assert len(ours) == len(set(ours)), "none twice"
        assert {path.relative_to(ROOT) for path in wanted - set(ours)} == set(), "these are to be added to manifest.py"
        assert {path.relative_to(ROOT) for path in set(ours) - wanted} == set(), "these are not there any more"

    def test_of_the_port_it_names_what_starts_the_board_and_drives_the_ring(self):
        _, port, required = frozen()
        assert {"_boot.py", "flashbdev.py", "inisetup.py"} == set(port)
        assert required == ["neopixel"]


class TestPartitions:
    def test_they_fill_the_flash_without_a_gap(self):
        at = layout.TABLE_OFFSET + 0x1000
        for row in partitions():
            assert row.offset == at, row.label
            assert row.size % layout.SECTOR == 0
            at += row.size
        assert at == layout.FLASH_SIZE

    def test_all_but_the_applications_end_lie_where_the_usual_layout_has_them(self):
        rows = {row.label: row for row in partitions()}
        romfs = rows.pop("romfs")
        usual = {row.label: row for row in layout.PARTITIONS}
        assert rows.keys() == usual.keys()
        for label in rows.keys() - {"factory"}:
            assert rows[label] == usual[label]
        factory = rows["factory"]
        assert factory._replace(size=factory.size + romfs.size) == usual["factory"]
        assert (romfs.type, romfs.subtype) == (layout.DATA, 0x8F), "MicroPython looks for this subtype"

    def test_esp_idf_would_take_the_table(self):
        assert layout.parse_table(layout.table_bytes(partitions())) == partitions()

    def test_the_application_with_all_frozen_fits_even_with_bluetooth(self):
        size = len(esp_image.load("1.25.0").application)
        content = build.files()
        size += sum(len(data) for name, data in content.items() if name.startswith("a/") and name.endswith(".mpy"))
        assert size < {row.label: row for row in partitions()}["factory"].size

    def test_the_fonts_fit_into_the_rom_file_system(self, tmp_path):
        (tmp_path / "rom").mkdir()
        (tmp_path / "rom" / "type.bin").write_bytes((ROOT / "firmware" / "screen" / "type.bin").read_bytes())
        line = [sys.executable, "-m", "mpremote", "romfs", "--no-mpy", "--output", "romfs.img", "build", "rom"]
        subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, timeout=60)
        row = next(row for row in partitions() if row.label == "romfs")
        assert 100_000 < (tmp_path / "romfs.img").stat().st_size < row.size


def test_the_readme_uses_the_partitions_place_and_the_files_that_are_there():
    text = (BOARD / "README.md").read_text()
    rows = {row.label: row for row in partitions()}
    for label in ("romfs", "journal", "vfs"):
        assert f"0x{rows[label].offset:X}" in text
    assert f"0x{rows['vfs'].offset:X} 0x{rows['vfs'].size:X}" in text
    config = (BOARD / "sdkconfig.board").read_text()
    name = re.search(r'CUSTOM_FILENAME="(.+)"', config).group(1)
    assert (BOARD / name).exists() and name in text
    assert json.loads((BOARD / "board.json").read_text())["mcu"] == "esp32"
