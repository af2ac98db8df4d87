"""Firmware tests import the firmware's modules as they lie on the board; ``fakes`` stand for the board's own."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in (ROOT / "host" / "sim" / "shims" / "cpython", HERE / "fakes", HERE, ROOT / "firmware", ROOT):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
