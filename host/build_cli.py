"""``python -m host build``: the file system's image, or with ``--firmware`` one image of the whole flash."""

import argparse
import hashlib
import json
import sys
from pathlib import Path

from . import build, esp_image, image, statuses

_BAR = 40


def parser():
    """The command's options."""
    p = argparse.ArgumentParser(
        prog="python -m host build",
        description="Compile firmware and rules and pack the board's file system; with --firmware the whole flash.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("build")
        + """

examples:
  python -m host build                              the file system: build/vfs.bin
  python -m host build --firmware 1.25.0            the whole flash with MicroPython 1.25.0: build/flash.bin
  python -m host build --firmware ESP32_GENERIC-20250415-v1.25.0.bin -o hub.bin
  python -m host build --json | python -m json.tool""",
    )
    p.add_argument("-o", "--output", type=Path, metavar="FILE", help="where the image goes (default: in build/)")
    p.add_argument(
        "--firmware",
        metavar="FILE|VERSION",
        help="a MicroPython image for the ESP32, or a version to fetch; gives a flash image of 4 MiB",
    )
    p.add_argument("--files", action="store_true", help="list every file")
    p.add_argument("--no-heap", action="store_true", help="leave out the heap estimate, which starts the firmware once")
    p.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    return p


def heap_after_boot():
    """Bytes of the heap that the firmware takes once it has booted, as on the board, and the heap's size.

    Measured: the firmware is started in the 64-bit interpreter over the simulated table, and what is taken after a
    collection in the lobby is halved, since its objects are twice as large as the board's. None without an interpreter.
    """
    from .sim.launch import SCALE, NoInterpreter
    from .sim.settings import BOARD_HEAP, Settings
    from .sim.table import SimTable

    try:
        table = SimTable(Settings(seats=None, vm="micropython"), quiet=True)
    except NoInterpreter:
        return None
    with table:
        table.command({"until": "boot", "ms": 60_000})
        table.command({"advance": 1000})
        free = table.command({"stats": True}).get("heap_free")
    return None if free is None else (BOARD_HEAP - free // SCALE, BOARD_HEAP)


def _progress(done, total):
    if total:
        full = _BAR * done // total
        sys.stderr.write(f"\r[{'#' * full}{'.' * (_BAR - full)}] {done * 100 // total:>3} %")
    else:
        sys.stderr.write(f"\r{done} bytes")
    if done == total:
        sys.stderr.write("\n")
    sys.stderr.flush()


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    args = parser().parse_args(argv)
    if args.firmware == "":
        return statuses.fail(statuses.USAGE, "--firmware takes a file or a version, not nothing.")
    try:
        firmware = None
        if args.firmware:
            firmware = esp_image.load(args.firmware, _progress if sys.stderr.isatty() else None)
        content = build.files()
        vfs = build.vfs_image()
        data = image.compose(firmware, vfs) if firmware else vfs
        output = args.output or build.BUILD / ("flash.bin" if firmware else "vfs.bin")
        build.atomic(output, data)
    except esp_image.FirmwareError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    except (build.BuildError, image.ImageError) as error:
        return statuses.fail(statuses.FAILED, error)
    except OSError as error:
        return statuses.fail(statuses.FAILED, f"{output} cannot be written ({error.strerror}).")
    rows = image.size_rows(firmware, image.mount(vfs).used_block_count * build.LITTLEFS["block_size"])
    heap = None if args.no_heap else heap_after_boot()
    sha = hashlib.sha256(data).hexdigest()
    if args.json:
        said = {
            "file": str(output),
            "bytes": len(data),
            "sha256": sha,
            "micropython": firmware.version if firmware else None,
            "flash": [{"part": n, "offset": o, "used": u, "size": s} for n, o, u, s in rows],
            "heap_after_boot": {"used": heap[0], "size": heap[1]} if heap else None,
            "files": {name: len(body) for name, body in content.items()},
        }
        print(json.dumps(said, ensure_ascii=False))
        return statuses.OK
    if args.files:
        for name, body in content.items():
            print(f"{len(body):>8} {name}")
        print()
    print("\n".join(build.size_table(content)))
    print()
    print("\n".join(image.size_lines(rows)))
    print()
    if heap:
        print(
            f"heap after boot: about {heap[0]} of {heap[1]} bytes ({100 * heap[0] // heap[1]} %), by starting the "
            f"firmware in the 64-bit interpreter, whose objects are twice as large"
        )
    elif not args.no_heap:
        print("heap after boot: not measured, no MicroPython interpreter here")
    if firmware:
        print(f"MicroPython {firmware.version}")
    print(f"{output}: {len(data)} bytes, SHA-256 {sha}")
    return statuses.OK
