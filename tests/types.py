"""Type check with mypy, in two passes: what runs on the board against the MicroPython stubs, the rest against CPython.

Run as ``make types``. Exit status: mypy's (0 clean, 1 findings).
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TYPINGS = ROOT / ".venv" / "typings"

# The stubs are not clean themselves; only what is said of our own files counts.
STUB_MODULES = "_mpy_shed.*,vfs,machine,esp32,os.*,json.*,ssl,sys.*,asyncio.*,collections.*,builtins,io,types,typing"

BOARD = f"""[mypy]
custom_typeshed_dir = {TYPINGS}
mypy_path = {ROOT / "firmware"}:{TYPINGS}:{ROOT}
no_site_packages = True
check_untyped_defs = True
follow_imports = silent
explicit_package_bases = True
platform = linux
# State that is empty between deals is None there; who reads it knows the phase.
strict_optional = False
disable_error_code = var-annotated
cache_dir = {ROOT / ".mypy_cache" / "board"}

[mypy-{STUB_MODULES}]
ignore_errors = True
"""


def board_files():
    """Modules that run on the board, in a fixed order."""
    found = [p for folder in ("firmware", "shared_rules") for p in sorted((ROOT / folder).rglob("*.py"))]
    return [str(p) for p in found if "boards" not in p.parts]  # a manifest is read by MicroPython's build, not run


def main():
    """Both passes, always; the worse status."""
    config = ROOT / ".mypy_cache" / "board.ini"
    config.parent.mkdir(exist_ok=True)
    config.write_text(BOARD, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy"]
    board = subprocess.run([*mypy, "--config-file", str(config), *board_files()], cwd=ROOT, check=False)
    desk = subprocess.run([*mypy, "host"], cwd=ROOT, check=False)
    return max(board.returncode, desk.returncode)


if __name__ == "__main__":
    sys.exit(main())
