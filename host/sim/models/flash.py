"""The SPI NOR flash: programs clear bits, erases set a sector to ones, and the power may go in the middle of either.

The image is a file of its own, mapped into memory: what is done stays done, whatever ends the simulator. A file
that is no flash image of this hub is set aside under another name, never overwritten.
"""

import contextlib
import fcntl
import mmap
import os
import tempfile
from pathlib import Path

from ... import layout
from ..clock import MS

PROGRAM = 700_000  # ns for a page program
ERASE = 45 * MS
SIZE = layout.FLASH_SIZE


class PowerCut(Exception):
    """The power went, here, inside a flash operation."""


class Busy(Exception):
    """Another simulator has this flash file open."""


def fresh(vfs):
    """A new flash image with the partition table and the file system: 4 MiB."""
    image = bytearray(b"\xff" * SIZE)
    table = layout.table_bytes()
    image[layout.TABLE_OFFSET : layout.TABLE_OFFSET + len(table)] = table
    put(image, vfs)
    return bytes(image)


def put(image, vfs):
    """Write the file system's bytes into its partition."""
    row = layout.partition("vfs")
    image[row.offset : row.offset + row.size] = bytes(vfs).ljust(row.size, b"\xff")


def damage(data, any_content=False):
    """What is wrong with the bytes of a flash file, as a clause, or None."""
    if len(data) != SIZE:
        return f"it has {len(data)} bytes instead of {SIZE}"
    if any_content:
        return None
    try:
        rows = layout.parse_table(data[layout.TABLE_OFFSET : layout.TABLE_OFFSET + layout.TABLE_SIZE])
    except ValueError as error:
        return str(error)
    if rows != list(layout.PARTITIONS):
        return "its partition table is another one"
    return None


def set_aside(path):
    """Rename a file to the first free name FILE.damaged-N. Returns the new path."""
    n = 1
    while True:
        new = path.with_name(f"{path.name}.damaged-{n}")
        try:
            os.link(path, new)  # fails if the name is taken, so that two runs never meet
        except FileExistsError:
            n += 1
            continue
        except OSError:  # a file system without hard links
            if new.exists():
                n += 1
                continue
            path.rename(new)
            return new
        path.unlink()
        return new


class Flash:
    """4 MiB. ``path`` None: gone after the run. ``vfs``: bytes of today's file system, which is brought up to date.

    With ``vfs`` None a flash file is taken as it is. A new one holds ``image`` (default: the partition table and
    ``vfs``, or nothing at all).
    ``said``: sentences for the person about what was found. Times are spent on ``clock``. OSError with a clause about
    the file, Busy with a sentence, if it cannot be used.
    """

    def __init__(self, clock, report, vfs, path=None, image=None):
        self._clock = clock
        self._report = report
        self.programs = 0  # page programs
        self.erases = 0
        self.operations = 0
        self.said = []
        self.worn = set()  # addresses of sectors that take no data any more
        self._cut_at = None
        self._cut_bytes = None
        self._file = None
        self._as_it_is = vfs is None
        new = image or (b"\xff" * SIZE if vfs is None else fresh(vfs))
        if path is None:
            self._file = tempfile.TemporaryFile(buffering=0)
            self._file.write(new)
        else:
            self._open(Path(path), new)
        self.image = mmap.mmap(self._file.fileno(), SIZE)
        if vfs is None:
            return
        row = layout.partition("vfs")
        if self.image[row.offset : row.offset + row.size] != bytes(vfs).ljust(row.size, b"\xff"):
            put(self.image, vfs)
            self.said.append(f"The firmware in {path} was another one: brought up to date; the journal is kept.")

    def fileno(self):
        """The descriptor of the file that holds the image: the interpreter reads it there."""
        return self._file.fileno()

    def _open(self, path, content):
        if path.exists():
            self._lock(path)
            wrong = damage(path.read_bytes(), self._as_it_is)
            if wrong:
                new = set_aside(path)
                self.said.append(
                    f"The flash file {path} is damaged ({wrong}); it is kept as {new.name} and a new one is made."
                )
                self._file.close()
        if not path.exists():
            if not path.parent.is_dir():
                raise FileNotFoundError(f"there is no folder {path.parent}")
            temporary = path.with_name(f"{path.name}.new-{os.getpid()}")
            try:
                temporary.write_bytes(content)
                temporary.rename(path)
            except OSError as error:
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise OSError(f"{path} could not be written ({error.strerror})") from None
            self._lock(path)

    def _lock(self, path):
        try:
            self._file = open(path, "r+b")
        except OSError as error:
            raise OSError(f"{path} cannot be opened ({error.strerror})") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise Busy(f"The flash file {path} is in use by another simulator.") from None

    def close(self):
        """Let go of the file."""
        if self._file:
            self.image.flush()
            self.image.close()
            self._file.close()
            self._file = None

    # Faults

    def cut(self, at, after=None):
        """Arm a power cut inside the ``at``-th program or erase from now (1 is the next), after so many bytes of it.

        Without ``after`` half of the operation is done.
        """
        self._cut_at = self.operations + at
        self._cut_bytes = after

    def disarm(self):
        self._cut_at = None

    def _stop_after(self, size):
        """How many bytes of an operation are done: all, or fewer if the power goes in it."""
        self.operations += 1
        if self._cut_at != self.operations:
            return None
        self._cut_at = None
        return min(size, size // 2 if self._cut_bytes is None else self._cut_bytes)

    # Operations

    def program(self, address, data):
        """Program bytes, a page of 256 at a time. PowerCut if the power goes in one of the pages."""
        if address + len(data) > SIZE:
            self._report("flash-range", None, f"a program at 0x{address:X}")
            return
        at = 0
        while at < len(data):
            count = min(layout.PAGE - (address + at) % layout.PAGE, len(data) - at)
            stop = self._stop_after(count)
            done = count if stop is None else stop
            before = self.image[address + at : address + at + done]
            new = bytes(a & b for a, b in zip(before, data[at : at + done]))
            if address + at - (address + at) % layout.SECTOR not in self.worn:
                self.image[address + at : address + at + done] = new
            self.programs += 1
            self._clock.spend(PROGRAM)
            if stop is not None:
                raise PowerCut
            at += count

    def erase(self, address):
        """Erase the 4 KiB sector at this address. PowerCut if the power goes in it."""
        address -= address % layout.SECTOR
        if address + layout.SECTOR > SIZE:
            self._report("flash-range", None, f"an erase at 0x{address:X}")
            return
        stop = self._stop_after(layout.SECTOR)
        done = layout.SECTOR if stop is None else stop
        self.image[address : address + done] = b"\xff" * done
        self.erases += 1
        self._clock.spend(ERASE)
        if stop is not None:
            raise PowerCut
