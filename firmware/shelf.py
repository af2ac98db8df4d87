"""Modules that are needed now and then only, between deals mostly: ``put_back`` takes them out of the heap after use.

The bytecode of an imported module lies in the heap. Whoever uses such a module imports it inside the function, keeps
nothing of it, and puts it back. CPython keeps them.
"""

import sys


def put_back(*names):
    """Forget these modules (dotted names, loaded or not)."""
    if sys.implementation.name != "micropython":
        return
    for name in names:
        if name in sys.modules:
            del sys.modules[name]
            dot = name.rfind(".")
            if dot > 0:
                delattr(sys.modules[name[:dot]], name[dot + 1 :])
