"""Desktop tools (CPython): the simulated table, the build, the checks. One command: ``python -m host``."""
