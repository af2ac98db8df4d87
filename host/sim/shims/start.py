"""What the board does before boot.py: mount the flash's file system at / and run boot.py, then main.py."""

import os
import sys

import esp32
import link
import ops
import vfs

# Everything of the board's image that firmware may import, while the folder of the shims can still be seen.
for _name in ("machine", "neopixel", "time"):
    __import__(_name)

_globals = {"__name__": "__main__"}


def _run(name):
    try:
        with open(name) as file:
            source = file.read()
    except OSError:
        return
    exec(compile(source, name, "exec"), _globals)


def _main():
    try:
        part = esp32.Partition.find(esp32.Partition.TYPE_DATA, label="vfs")
        if not part:
            raise OSError("the flash has no partition 'vfs'")
        vfs.umount("/")
        vfs.mount(vfs.VfsLfs2(part[0]), "/")
        os.chdir("/")
        sys.path[:] = ["", "/lib"]
        for name in ("boot.py", "main.py"):
            _run(name)
    except SystemExit:
        pass
    except BaseException as error:
        sys.print_exception(error, sys.stderr)
        link.call(ops.ENDED, 1, b"")
        sys.exit(1)
    link.call(ops.ENDED, 0, b"")


_main()
