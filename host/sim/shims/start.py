"""What the board does before boot.py: mount the flash's file system at / and run boot.py, then main.py.

With a third argument the interpreter goes on to its REPL, as the virtual board's: ``main``, or ``raw`` after a soft
reset in the raw REPL, which leaves main.py out.
"""

import io
import os
import sys

import esp32
import link
import micropython
import ops
import vfs

# Everything of the board's image that firmware may import, while the folder of the shims can still be seen.
for _name in ("machine", "neopixel", "time"):
    __import__(_name)

_globals = {"__name__": "__main__"}
_BOOT = "# This file is executed on every boot (including wake-boot from deepsleep)\n"


def _run(name):
    try:
        with open(name) as file:
            source = file.read()
    except OSError:
        return
    micropython.kbd_intr(3)  # as pyexec.c does before each file, whatever the one before has set
    exec(compile(source, name, "exec"), _globals)


def _mount():
    part = esp32.Partition.find(esp32.Partition.TYPE_DATA, label="vfs")
    if not part:
        raise OSError("the flash has no partition 'vfs'")
    vfs.umount("/")
    try:
        vfs.mount(vfs.VfsLfs2(part[0]), "/")
    except OSError:
        if len(sys.argv) < 4:
            raise
        # The ESP32 port's inisetup.py.
        print("Performing initial setup")
        vfs.VfsLfs2.mkfs(part[0])
        vfs.mount(vfs.VfsLfs2(part[0]), "/")
        with open("/boot.py", "w") as file:
            file.write(_BOOT)
    os.chdir("/")
    sys.path[:] = ["", "/lib"]


def _main():
    try:
        _mount()
        for name in ("boot.py", "main.py"):
            _run(name)
    except SystemExit:
        link.call(ops.RESET, 1, b"")
    except BaseException as error:
        sys.print_exception(error, sys.stderr)
        link.call(ops.ENDED, 1, b"")
        sys.exit(1)
    link.call(ops.ENDED, 0, b"")


def _board(names):
    global _globals
    import __main__

    _globals = __main__.__dict__
    for name in ("",) + names:
        try:
            if name:
                _run(name)
            else:
                _mount()
                sys.path[:] = ["", ".frozen", "/lib"]
        except SystemExit:
            link.call(ops.RESET, 1, b"")
        except BaseException as error:
            text = io.StringIO()
            sys.print_exception(error, text)
            for line in text.getvalue().split("\n")[:-1]:
                if 'File "shims/' not in line:  # those are no files of the board
                    print(line)
    link.direct = True
    link.flush()


if len(sys.argv) < 4:
    _main()
else:
    _board(("boot.py", "main.py") if sys.argv[3] == "main" else ("boot.py",))
