"""Inside MicroPython: what the rewritten asserts call, and the loop over a file's tests (see run.py)."""

import gc
import io
import json
import sys
import time

_LONGEST = 600  # characters of a value that are shown
_PLAIN = (type(sys), type(lambda: 0), type(len), type(int))  # names of these tell nothing


class Failed(AssertionError):
    """An assert that did not hold: ``Failed(line, text, file)``."""


def _shown(value):
    text = repr(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _holds(left, operator, right):
    if operator == "==":
        return left == right
    if operator == "!=":
        return left != right
    if operator == "<":
        return left < right
    if operator == "<=":
        return left <= right
    if operator == ">":
        return left > right
    if operator == ">=":
        return left >= right
    if operator == "in":
        return left in right
    if operator == "not in":
        return left not in right
    if operator == "is":
        return left is right
    if operator == "is not":
        return left is not right
    return not left if operator == "not" else left


def that(line, left, operator, right, message, names, file):
    """Raise Failed with both sides and the names' values, unless the comparison holds."""
    if _holds(left, operator, right):
        return
    text = []
    if message is not None:
        text.append("AssertionError: " + str(message()))
    if operator in ("", "not"):
        text.append("assert " + operator + (" " if operator else "") + _shown(left))
    else:
        text.append("assert " + _shown(left) + " " + operator + " " + _shown(right))
        text.append(_first_difference(left, right) if operator == "==" else "")
    for name, value in names():
        if type(value) not in _PLAIN:
            text.append("  where " + name + " = " + _shown(value))
    raise Failed(line, "\n".join([t for t in text if t]), file)


def _first_difference(left, right):
    """Where two long sequences part."""
    if type(left) is not type(right) or not isinstance(left, (list, tuple, str, bytes, bytearray)):
        return ""
    if isinstance(left, dict) or max(len(left), len(right)) < 4:
        return ""
    i = 0
    while i < len(left) and i < len(right) and left[i] == right[i]:
        i += 1
    if i == len(left) or i == len(right):
        return "  of %d and %d items the first %d are equal" % (len(left), len(right), i)
    return "  first difference at index %d: %s and %s" % (i, _shown(left[i]), _shown(right[i]))


def run(name):
    """Run the tests of the module ``name``; one JSON line each: test, ms, and of a failure line, text, trace."""
    try:
        module = __import__(name)
    except Exception as error:
        _report({"test": "import " + name, "ms": 0, "line": 0, "text": repr(error), "trace": _trace(error)})
        return
    for test in sorted([n for n in dir(module) if n.startswith("test_")]):
        gc.collect()
        start = time.ticks_ms()
        result = {"test": test}
        try:
            getattr(module, test)()
        except Failed as failed:
            result["line"], result["text"], result["file"] = failed.args
            result["trace"] = _trace(failed)
        except Exception as error:
            result["line"] = 0
            result["text"] = repr(error)
            result["trace"] = _trace(error)
        result["ms"] = time.ticks_diff(time.ticks_ms(), start)
        _report(result)


def _trace(error):
    out = io.StringIO()
    sys.print_exception(error, out)
    return out.getvalue()


def _report(result):
    print("@" + json.dumps(result))
