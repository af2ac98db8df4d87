"""Imports go one way: shared_rules knows nothing of the rest, firmware knows shared_rules, host speaks over a wire."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# What the rules may import: themselves and what both interpreters have.
PURE = {"array", "hashlib", "binascii", "micropython", "shared_rules"}
# Plain tables of constants in firmware/ that host tools may read.
TABLES = {"pins", "firmware.pins"}


def modules(folder):
    """Every .py below a folder of the project, as paths; the folder must hold some."""
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"{folder}/ holds no module"
    return found


def imported(path):
    """Names that a module imports, with the line: (dotted name, line number)."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                package = path.relative_to(ROOT).parts[: -node.level]
                yield ".".join([*package, *([node.module] if node.module else [])]), node.lineno
            else:
                yield node.module, node.lineno


def offences(folder, allowed):
    """Imports in a folder that the predicate on the dotted name refuses, as readable lines."""
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(folder)
        for name, line in imported(path)
        if not allowed(path, name)
    ]


def firmware_names():
    """Top-level names under which the firmware's own modules are imported on the board."""
    return {path.stem if path.is_file() else path.name for path in (ROOT / "firmware").iterdir()}


def test_the_rules_import_nothing_but_themselves():
    assert offences("shared_rules", lambda _, name: name.split(".")[0] in PURE) == []


def test_the_firmware_never_imports_host_or_tests():
    assert offences("firmware", lambda _, name: name.split(".")[0] not in ("host", "tests", "firmware")) == []


def test_the_host_never_imports_firmware_code():
    own = firmware_names() - {"pins"} - {"__pycache__", "README"}

    def allowed(path, name):
        return name in TABLES or name.split(".")[0] not in own | {"firmware", "tests"}

    assert offences("host", allowed) == []


def test_no_module_reads_the_contracts_folder_at_run_time():
    needle = "../" + "shared"
    for folder in ("shared_rules", "firmware", "host"):
        for path in modules(folder):
            assert needle not in path.read_text(encoding="utf-8"), path
