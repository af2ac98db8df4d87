"""Screen tests import the firmware's screens on CPython, with the simulator's framebuf."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "firmware", ROOT / "host" / "sim" / "shims" / "cpython", Path(__file__).resolve().parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
