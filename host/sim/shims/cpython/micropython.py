"""`micropython` on CPython: constants are plain values, the rest is without effect."""


def const(value):
    return value


def _same(function):
    return function


native = viper = bytecode = asm_thumb = _same


def opt_level(level=None):
    return 0


def mem_info(verbose=None):
    pass


qstr_info = mem_info


def stack_use():
    return 0


def heap_lock():
    pass


def heap_unlock():
    return 0


heap_locked = heap_unlock


def kbd_intr(char):
    pass


def alloc_emergency_exception_buf(size):
    pass


def schedule(function, argument):
    function(argument)
