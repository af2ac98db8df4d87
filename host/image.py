"""The flash image: one file with everything that lies in the hub's 4 MiB of flash, at the places of ``layout.py``.

``compose()`` puts it together, ``file_system()`` takes the file system's bytes out of one, or out of a bare ``vfs``
image, ``files()`` lists what lies in such a file system.
"""

import struct

from . import layout
from .build import LITTLEFS

MPY_VERSION = 6  # the first digit of mpy-cross's "6.3": bytecode is read by any interpreter of that version
_MOUNTED_AT = 8  # littlefs writes its name there


class ImageError(Exception):
    """A file is no image of this hub; the text is one sentence."""


def compose(firmware, vfs):
    """4 MiB of flash: bootloader, our partition table, application, empty journal, file system.

    firmware: an esp_image.Firmware; vfs: bytes of the file system's partition.
    """
    image = bytearray(b"\xff" * layout.FLASH_SIZE)
    table = layout.table_bytes()
    for offset, size, data in (
        (layout.BOOTLOADER_OFFSET, layout.TABLE_OFFSET - layout.BOOTLOADER_OFFSET, firmware.bootloader),
        (layout.TABLE_OFFSET, layout.TABLE_SIZE, table),
        (layout.partition("factory").offset, layout.partition("factory").size, firmware.application),
        (layout.partition("vfs").offset, layout.partition("vfs").size, vfs),
    ):
        if len(data) > size:
            raise ImageError(f"{len(data)} bytes do not fit into the {size} bytes at 0x{offset:X}.")
        image[offset : offset + len(data)] = data
    return bytes(image)


def size_rows(firmware, used):
    """How full each part of the flash is: [(name, offset, bytes used, bytes there)].

    firmware: an esp_image.Firmware or None; used: bytes that the file system's blocks take.
    """
    vfs = layout.partition("vfs")
    if firmware:
        space = layout.TABLE_OFFSET - layout.BOOTLOADER_OFFSET
        rows = [
            ("bootloader", layout.BOOTLOADER_OFFSET, len(firmware.bootloader), space),
            ("partitions", layout.TABLE_OFFSET, len(layout.PARTITIONS) * 32 + 32, layout.TABLE_SIZE),
        ]
        taken = {"vfs": used, "factory": len(firmware.application)}
        return rows + [(p.label, p.offset, taken.get(p.label, 0), p.size) for p in layout.PARTITIONS]
    return [("vfs", vfs.offset, used, vfs.size)]


def size_lines(rows):
    """``size_rows`` as lines of text."""
    lines = [f"{'flash':<12}{'offset':>10}{'bytes':>10}{'of':>10}{'full':>8}"]
    for name, offset, used, size in rows:
        lines.append(f"{name:<12}{f'0x{offset:06X}':>10}{used:>10}{size:>10}{100 * used / size:>7.1f}%")
    return lines


def file_system(data, name="the file"):
    """The bytes of the ``vfs`` partition in a 4 MiB flash image or a bare file system image. ImageError."""
    row = layout.partition("vfs")
    if len(data) == layout.FLASH_SIZE:
        try:
            rows = layout.parse_table(data[layout.TABLE_OFFSET : layout.TABLE_OFFSET + layout.TABLE_SIZE])
        except ValueError as error:
            raise ImageError(f"{name} is not a flash image of this hub: {error}.") from None
        if rows != list(layout.PARTITIONS):
            raise ImageError(f"{name} has another partition table than this hub: build it again.")
        vfs = data[row.offset : row.offset + row.size]
    elif len(data) == row.size:
        vfs = data
    else:
        raise ImageError(
            f"{name} has {len(data)} bytes: a flash image has {layout.FLASH_SIZE}, a file system image {row.size}."
        )
    if b"littlefs" not in (vfs[_MOUNTED_AT : _MOUNTED_AT + 8], vfs[4096 + _MOUNTED_AT : 4096 + _MOUNTED_AT + 8]):
        raise ImageError(f"{name} holds no littlefs file system: 'python -m host build' makes one.")
    return bytes(vfs)


def mount(vfs):
    """A littlefs.LittleFS over the bytes of a file system. ImageError if it is damaged."""
    from littlefs import LittleFS
    from littlefs.errors import LittleFSError

    fs = LittleFS(**LITTLEFS, mount=False)
    fs.context.buffer = bytearray(vfs)
    try:
        fs.mount()
    except LittleFSError as error:
        raise ImageError(f"The file system cannot be mounted ({error}).") from None
    return fs


def files(vfs):
    """What lies in a file system: {path: bytes}, sorted. ImageError if it is damaged."""
    from littlefs.errors import LittleFSError

    fs = mount(vfs)
    found = {}
    try:
        for folder, _, names in fs.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with fs.open(path, "rb") as file:
                    found[path[1:]] = file.read()
    except LittleFSError as error:
        raise ImageError(f"The file system is damaged ({error}).") from None
    return dict(sorted(found.items()))


def runnable(content, name="the file"):
    """Check what an interpreter is to run: there is a ``main.py``, and bytecode of our version. ImageError.

    content: {path: bytes} as ``files()`` gives it.
    """
    if "main.py" not in content:
        raise ImageError(f"{name} has no main.py: it holds no firmware of this hub.")
    for path, data in content.items():
        if not path.endswith(".mpy"):
            continue
        # Header of a .mpy: 'M', version, features (bits 2-7: architecture of native code), bits of a small integer.
        if len(data) < 4 or data[0:1] != b"M":
            raise ImageError(f"{path} in {name} is not bytecode.")
        _, version, features, _ = struct.unpack_from("<cBBB", data)
        if version != MPY_VERSION:
            raise ImageError(f"{path} in {name} is bytecode of version {version}; version {MPY_VERSION} is needed.")
        if features >> 2:
            raise ImageError(f"{path} in {name} has native code: only bytecode runs here and on the board.")
