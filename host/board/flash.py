"""``python -m host flash``: everything a board needs over its USB cable, by esptool, and then a hub that answers.

What is written: bootloader, partition table, application and file system. What players have lies in the partitions
``nvs`` and ``journal``, and stays, unless ``--erase`` is given or the board's partition table is another one.
"""

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .. import build, esp_image, image, layout, statuses
from ..tools import link
from . import ports

MICROPYTHON = "1.25.0"
BAUD = 460_800
BAUDS = (9600, 3_000_000)
_ANSWERS_S = 15  # after the reset: the file system may have to be read in first
_STEP_S = 600  # no step of esptool takes longer
_ATTEMPTS = "3"  # to reach the download mode; each tries five times
_BAR = 30
_BLANK = b"\xff"

# What esptool prints when a step begins.
_STEPS = (
    (re.compile(r"Connecting"), "connect"),
    (re.compile(r"Connected to"), "stub"),
    (re.compile(r"Stub flasher running|Enabling default SPI"), "prepare"),
    (re.compile(r"Erasing flash|will be erased"), "erase"),
    (re.compile(r"Writing at|Compressed"), "write"),
    (re.compile(r"Verifying"), "verify"),
    (re.compile(r"Hard resetting"), "restart"),
)
_AT = re.compile(r"Writing at 0x([0-9a-f]+)")
_CHIP = re.compile(r"This chip is (\S+), not ESP32")


class FlashError(Exception):
    """A step has failed: ``step``, ``status``, and one sentence with the remedy."""

    def __init__(self, step, status, sentence):
        super().__init__(sentence)
        self.step = step
        self.status = status


def parser():
    """The command's options."""
    p = argparse.ArgumentParser(
        prog="python -m host flash",
        description="Write MicroPython and the hub's firmware to a board on USB, verify it, and see that the hub runs.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text("flash")
        + """

examples:
  python -m host flash                             build from the source, find the board, write, verify, start
  python -m host flash build/flash.bin --port /dev/ttyUSB0
  python -m host flash --erase                     forget settings, players and deals as well
  python -m host flash --port rfc2217://127.0.0.1:4000 --json""",
    )
    p.add_argument("image", nargs="?", type=Path, metavar="IMAGE", help="of 'build --firmware' (default: built now)")
    p.add_argument("--port", help="serial port or rfc2217:// address (default: the only board on USB)")
    p.add_argument("--erase", action="store_true", help="erase the whole flash first: players' data too")
    p.add_argument("--baud", type=int, default=BAUD, metavar="N", help="while writing (default %(default)s)")
    p.add_argument("--no-stub", action="store_true", help="leave esptool's stub out: slow, for boards that refuse it")
    p.add_argument("--json", action="store_true", help="one JSON object instead of text and progress")
    return p


def content(path):
    """The flash image (4 MiB) to write: of a file, or built now. image.ImageError; build and firmware errors."""
    if path is None:
        return image.compose(esp_image.load(MICROPYTHON), build.vfs_image())
    try:
        data = path.read_bytes()
    except OSError as error:
        raise image.ImageError(f"{path} cannot be read ({error.strerror}).") from None
    if len(data) != layout.FLASH_SIZE:
        raise image.ImageError(
            f"{path} has {len(data)} bytes; a flash image has {layout.FLASH_SIZE}: 'python -m host build --firmware "
            f"{MICROPYTHON}' makes one."
        )
    image.file_system(data, str(path))
    if data[layout.BOOTLOADER_OFFSET] != 0xE9 or data[layout.partition("factory").offset] != 0xE9:
        raise image.ImageError(f"{path} has no bootloader or no application: build it with --firmware.")
    return data


def regions(data):
    """What of a flash image is written: [(name, offset, bytes)]. Never ``nvs`` and ``journal``."""
    app, vfs = layout.partition("factory"), layout.partition("vfs")
    rows = (
        ("bootloader", layout.BOOTLOADER_OFFSET, layout.TABLE_OFFSET),
        ("partition table", layout.TABLE_OFFSET, layout.TABLE_OFFSET + layout.TABLE_SIZE),
        ("MicroPython", app.offset, app.offset + app.size),
    )
    found = []
    for name, start, end in rows:
        body = data[start:end].rstrip(_BLANK)
        found.append((name, start, body + _BLANK * (-len(body) % 4)))
    # The whole partition: what an older file system has left behind it goes.
    found.append(("file system", vfs.offset, data[vfs.offset : vfs.offset + vfs.size]))
    return found


class Esptool:
    """Runs of esptool as a program of its own. show(step, share): called as it goes; share 0-1 or None."""

    def __init__(self, port, baud, stub, show):
        self._port = port
        self._options = ["--chip", "esp32", "--port", port, "--connect-attempts", _ATTEMPTS]
        if not stub:
            self._options.append("--no-stub")
        self._baud = ["--baud", str(baud)]
        self._show = show

    def look(self, *arguments):
        """A run that changes nothing, and leaves the chip where the next one finds it."""
        return self._run("--after", "no-reset", *arguments)

    def write(self, *arguments, spans):
        """A run at the full baud rate. spans: [(start, length)] of what it writes, for the progress."""
        return self._run(*self._baud, *arguments, spans=spans)

    def _run(self, *arguments, spans=()):
        """Run esptool; all that it printed, as lines. FlashError."""
        command = [sys.executable, "-u", "-m", "host.board.run_esptool", *self._options, *arguments]
        said = []
        before = step = "connect"
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=build.ROOT
        )
        try:
            for line in _lines(process.stdout):
                said.append(line)
                for pattern, name in _STEPS:
                    if pattern.search(line):
                        before, step = step, name
                self._show(step, _share(line, spans))
            status = process.wait(_STEP_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status:
            if step == "restart":  # esptool lets the chip go after a failure, too
                step = before
            raise explain(self._port, step, "\n".join(said))
        return said


def _lines(stream):
    """Lines of esptool's output, which may end in a carriage return alone."""
    buffer = b""
    while data := stream.read1(65536):
        *lines, buffer = re.split(rb"[\r\n]+", buffer + data)
        yield from (line.decode("utf-8", "replace") for line in lines)
    yield buffer.decode("utf-8", "replace")


def _share(line, spans):
    """How much of what is to be written has been, 0-1; None if the line does not say."""
    found = _AT.search(line)
    if not found or not spans:
        return None
    at = int(found.group(1), 16)
    done = sum(min(max(at - start, 0), length) for start, length in spans)
    return done / sum(length for _, length in spans)


def explain(port, step, said):
    """The FlashError for a failed run; ``said``: all that esptool printed."""
    other = _CHIP.search(said)
    if other:
        return FlashError(
            "identify",
            statuses.WRONG_CHIP,
            f"The chip on {port} is an {other.group(1)}; the hub's is an ESP32: nothing was written. "
            "Take a board with an ESP32-WROOM-32 module.",
        )
    if "Could not open" in said and "Lost connection" not in said and step == "connect":
        error = ports.refused(port, said)
        return FlashError("open", error.status, str(error))
    if "MD5 of file does not match" in said or "Verification failed" in said:
        return FlashError(
            "verify",
            statuses.MISMATCH,
            "What lies in the flash is not what was written: try again with --baud 115200; if it stays so, "
            "the flash chip is worn out and the module must be replaced.",
        )
    if step == "connect":
        wrong = "it starts its program instead" if "Wrong boot mode" in said else "it does not answer"
        return FlashError(
            "connect",
            statuses.NO_DOWNLOAD,
            f"The chip on {port} does not go into download mode ({wrong}): hold the button BOOT (GPIO0), press EN, "
            "let BOOT go once writing has begun, and try again.",
        )
    if step == "stub":
        return FlashError(
            "stub",
            statuses.LOST,
            f"The connection to {port} broke off before anything was written: check the cable and the supply, "
            "and try again; with --no-stub if it stays so.",
        )
    return FlashError(
        step,
        statuses.LOST,
        f"The connection to {port} broke off in the step '{step}', so the flash is half written: put the cable in "
        "firmly, without a USB hub in between, see that the board has its power, and run this command again.",
    )


def kept(table):
    """Whether a board with this partition table (bytes) has players' data where ours lies."""
    try:
        return layout.parse_table(table) == list(layout.PARTITIONS)
    except ValueError:
        return False


def answers(port, seconds=_ANSWERS_S):
    """Whether the hub on this port answers on its console within so many seconds."""
    until = time.monotonic() + seconds
    with contextlib.suppress(link.NoPort, link.Lost), link.Link(port) as hub:
        while time.monotonic() < until:
            with contextlib.suppress(link.Silent, link.Refused):
                hub.ask({"cmd": "stats"}, 1.0)
                return True
    return False


def flash(data, port, erase=False, baud=BAUD, stub=True, show=lambda step, share: None):
    """Write a flash image to the board on a port, and start it. FlashError.

    show(step, share): see Esptool. Returns {"kept": whether players' data was left, "bytes": written}.
    """
    try:
        ports.check(port)
    except ports.PortError as error:
        raise FlashError("open", error.status, str(error)) from None
    tool = Esptool(port, baud, stub, show)
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder, "table")
        tool.look("read-flash", hex(layout.TABLE_OFFSET), hex(layout.TABLE_SIZE), str(old))
        keep = not erase and kept(old.read_bytes())
        arguments = []
        spans = []
        for n, (_, offset, body) in enumerate(regions(data)):
            file = Path(folder, f"part{n}")
            file.write_bytes(body)
            arguments += [hex(offset), str(file)]
            spans.append((offset, len(body)))
        more = [] if keep else ["--erase-all"]
        try:
            said = tool.write("write-flash", "--flash-size", "keep", *more, *arguments, spans=spans)
        except FlashError as error:
            if keep:
                raise FlashError(error.step, error.status, f"{error} Players' data is untouched.") from None
            raise
    # A port without DTR and RTS: a person has to do it.
    show("press EN" if any("NOT reset" in line for line in said) else "start", None)
    if not answers(port):
        raise FlashError(
            "start",
            statuses.SILENT,
            "All was written and verified, but the hub does not answer on its console: press EN, then look at what it "
            "says with 'python -m host console'.",
        )
    return {"kept": keep, "bytes": sum(length for _, length in spans)}


class _Progress:
    """One line on a terminal, or a line a step elsewhere."""

    def __init__(self, stream):
        self._stream = stream
        self._step = None
        self._terminal = stream.isatty()

    def show(self, step, share):
        if self._terminal and share is not None:
            full = int(_BAR * share)
            self._stream.write(f"\r{step:<9}[{'#' * full}{'.' * (_BAR - full)}] {int(share * 100):>3} %")
            self._stream.flush()
            self._step = step
        elif step != self._step:
            self._stream.write(f"\r{step:<50}" if self._terminal else f"{step}\n")
            self._stream.flush()
            self._step = step

    def end(self):
        if self._terminal and self._step:
            self._stream.write("\r" + " " * 60 + "\r")
            self._stream.flush()


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    args = parser().parse_args(argv)
    said = {"ok": False, "port": args.port}

    def fail(step, status, sentence):
        if args.json:
            print(json.dumps({**said, "step": step, "status": status, "why": str(sentence)}, ensure_ascii=False))
            return status
        return statuses.fail(status, f"{step}: {sentence}" if step else sentence)

    if not BAUDS[0] <= args.baud <= BAUDS[1]:
        return fail(None, statuses.USAGE, f"--baud takes a whole number from {BAUDS[0]} to {BAUDS[1]}.")
    try:
        data = content(args.image)
        port = args.port
        if port is None:
            port, bridge = ports.find()
            said["port"] = port
            if not args.json:
                print(f"Found the board on {port} ({bridge}).")
    except (image.ImageError, esp_image.FirmwareError) as error:
        return fail("image", statuses.UNUSABLE, error)
    except build.BuildError as error:
        return fail("build", statuses.FAILED, error)
    except ports.PortError as error:
        return fail("open", error.status, error)
    progress = _Progress(sys.stderr)
    show = (lambda step, share: None) if args.json else progress.show
    try:
        done = flash(data, port, args.erase, args.baud, not args.no_stub, show)
    except FlashError as error:
        progress.end()
        return fail(error.step, error.status, error)
    except KeyboardInterrupt:
        progress.end()
        return fail(None, statuses.INTERRUPTED, "Stopped: the flash may be half written; run the command again.")
    progress.end()
    if args.json:
        print(json.dumps({"ok": True, "port": port, **done}))
    else:
        stays = "players' data was left as it is" if done["kept"] else "the rest of the flash was erased"
        print(f"Wrote and verified {done['bytes']} bytes; {stays}. The hub answers on {port}.")
    return statuses.OK
