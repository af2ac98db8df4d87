"""What the screens of all states look like now, against what was accepted last.

  python tests/screens/differences.py            write build/screens/differences.html: old, new and difference of each
                                                 screen whose hash is not that of hashes.json; status 1 if there are any
  python tests/screens/differences.py --accept   take the screens as they are: write hashes.json
  python tests/screens/differences.py --pictures FOLDER   write all of them as PNG

Only hashes are committed. Old pictures are made again from the commit that last changed hashes.json: its
sources are unpacked into build/ and drawn with this same command.
"""

import argparse
import base64
import hashlib
import html
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from stage import Screens  # noqa: E402
from states import all_states  # noqa: E402

HASHES = HERE / "hashes.json"
OUT = ROOT / "build" / "screens"


def painted():
    """(name, Panel) of every state, painted through the canvas as on the board."""
    for name, game, seat in all_states():
        screens = Screens(game)
        screens.settle(seat)
        yield name, screens.panels[seat]


def digest(panel):
    """The hash of a screen: 16 hex digits."""
    return hashlib.sha256(bytes(panel.pixels)).hexdigest()[:16]


def accepted():
    """The committed hashes: {name: hash}."""
    return json.loads(HASHES.read_text(encoding="utf-8")) if HASHES.exists() else {}


def filename(name):
    """A state's file name."""
    return "".join(ch if ch.isalnum() or ch == "-" else "_" for ch in name) + ".png"


def old_pictures(program=Path(__file__), hashes=HASHES, kind="states"):
    """A folder with the pictures of the commit that last changed the hashes, or None if there is none."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True)

    commit = git("log", "-1", "--format=%H", "--", str(hashes.relative_to(ROOT))).stdout.decode().strip()
    if not commit:
        return None
    folder = OUT / f"{commit[:12]}-{kind}"
    if not folder.exists():
        tree = OUT / f"{commit[:12]}-source"
        packed = git("archive", commit, "firmware", "shared_rules", "host", "tests/screens", "pyproject.toml").stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(tree, filter="data")
        subprocess.run([sys.executable, str(tree / "tests" / "screens" / program.name), "--pictures", str(folder)],
                       check=kind == "states")
    return folder


def write_pictures(folder):
    """Write every state as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, panel in painted():
        panel.image().save(folder / filename(name))


def data_uri(image):
    """A picture at twice its size as the source of an <img>."""
    stream = io.BytesIO()
    image.resize((image.width * 2, image.height * 2), 0).save(stream, "PNG")
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


def page(changed, old):
    """The HTML page of the changed screens: [(name, Panel)], folder of old pictures or None."""
    from PIL import Image, ImageChops

    rows = []
    for name, panel in changed:
        new = panel.image()
        path = old / filename(name) if old else None
        before = Image.open(path).convert("RGB") if path and path.exists() else None
        cells = ["<p>new state</p>", ""]
        if before:
            difference = ImageChops.difference(before, new).convert("L").point(lambda v: 255 if v else 0)
            box = difference.getbbox()
            cells = [f'<img src="{data_uri(before)}" alt="old">',
                     f'<img src="{data_uri(difference.convert("RGB"))}" alt="difference"><p>{box}</p>']
        shown = f'{cells[0]}<img src="{data_uri(new)}" alt="new">{cells[1]}'
        rows.append(f"<h2>{html.escape(name)}</h2><div>{shown}</div>")
    body = "\n".join(rows) or "<p>No screen differs.</p>"
    return ('<!doctype html><meta charset="utf-8"><title>Screens: old, new, difference</title>'
            "<style>body{background:#333;color:#eee;font:14px sans-serif}img{margin:4px;image-rendering:pixelated}"
            f"div{{display:flex;flex-wrap:wrap}}</style><h1>Screens: old, new, difference</h1>{body}")


def main(argv=None):
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(description="Screens of all states against what was accepted last.")
    parser.add_argument("--accept", action="store_true", help="take the screens as they are now")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write all of them as PNG")
    args = parser.parse_args(argv)
    if args.pictures:
        write_pictures(args.pictures)
        return 0
    screens = list(painted())
    if args.accept:
        hashes = {name: digest(panel) for name, panel in screens}
        HASHES.write_text(json.dumps(hashes, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        print(f"{len(hashes)} screens accepted.")
        return 0
    known = accepted()
    changed = [(name, panel) for name, panel in screens if known.get(name) != digest(panel)]
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / "differences.html"
    target.write_text(page(changed, old_pictures() if changed else None), encoding="utf-8")
    print(f"{len(changed)} of {len(screens)} screens differ: {target}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
