"""What MicroPython's compiler offers and CPython lacks."""

try:
    from micropython import const
except ImportError:

    def const(x):  # type: ignore[misc]
        """MicroPython's mark of a constant, which its compiler puts in place; on CPython the value itself."""
        return x
