"""One file a chip: what it holds, what the bus does to it, what it can be asked. No model knows another.

A model reports what a real chip would suffer from through ``report(kind, seat, what)``: the kinds are listed in
``violations.py``.
"""
