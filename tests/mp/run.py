"""Run test files inside MicroPython: ``python tests/mp/run.py [--vm VM] FILES``.

The files are those that pytest runs: plain functions, plain asserts. Without FILES: all of tests/rules that import
nothing but the rules and what both languages have (``portable``), and tests/mp/only_*.py, which test what only
MicroPython has. Failures read like pytest's: file, line, source, both sides of the comparison.
"""

import argparse
import ast
import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

import rewrite  # noqa: E402

from host import interpreter  # noqa: E402

ROOT = interpreter.ROOT
# modules that a test may import and still run in both languages
COMMON = {"shared_rules", "array", "binascii", "gc", "json", "os", "sys", "micropython"}


def imports(file):
    """Top names of all modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" if node.module == "host" else node.module for alias in node.names}
    return {name if name.startswith("host.") else name.split(".")[0] for name in found}


def portable(file):
    """True if a test file imports nothing that MicroPython lacks."""
    return imports(file) <= COMMON | {"host.rules_answer", "host.deals"}


def test_files():
    """All files that run inside MicroPython."""
    files = sorted((ROOT / "tests" / "rules").glob("test_*.py"))
    return [f for f in files if portable(f)] + sorted(HERE.glob("only_*.py"))


def rules_tree():
    """What tests of the rules need: {path: bytes}."""
    files = interpreter.tree("shared_rules", "host/__init__.py", "host/rules_answer.py", "host/deals.py")
    return files | {str(v.relative_to(ROOT)): v.read_bytes() for v in (ROOT / "tests" / "vectors").glob("*.jsonl")}


def run_file(vm, file, tree=None):
    """Run the tests of one file. Returns a list of (test, ms, report); report is "" for one that passed.

    tree: {path: bytes} of what the tests import; None: what tests of the rules need.
    """
    source = file.read_text(encoding="utf-8")
    name = file.stem
    files = dict(rules_tree() if tree is None else tree)
    files["check.py"] = (HERE / "check.py").read_bytes()
    files[f"tests/rules/{name}.py"] = rewrite.rewrite(source).encode()
    steps = ["import sys; sys.path.insert(0, 'tests/rules')", f"import check; check.run('{name}')"]
    out, err, status = interpreter.run(vm, files, steps)
    results = []
    said = []
    for line in out.splitlines():
        if line.startswith("@{"):
            result = json.loads(line[1:])
            results.append((result["test"], result["ms"], report(file, source, result, said)))
            said = []
        else:
            said.append(line)
    if status or not results:
        text = "\n".join(["the interpreter ended before its time", *said, err.strip()])
        results.append((f"run {name}", 0, text))
    return results


def report(file, source, result, said):
    """A failure as text, "" if the test passed. said: what the test printed."""
    if "text" not in result:
        return ""
    shown = file.relative_to(ROOT)
    text = []
    if result["line"]:
        line = result["line"]
        text.append(f"{shown}:{line}: in {result['test']}")
        node = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Assert) and n.lineno == line)
        rows = source.splitlines()[line - 1 : node.end_lineno]
        text += [f">   {row}" for row in rows]
        way = [row for row in result["trace"].splitlines() if row.startswith("  File") and "check.py" not in row]
        if len(way) > 1:  # from a helper the way there tells which test was at it
            text += _with_source("\n".join(way), file, source)
    else:
        text += [f"{shown}: in {result['test']}", *_with_source(result["trace"], file, source)]
    text += [f"E   {row}" for row in result["text"].splitlines()]
    if said:
        text += ["--- printed by the test ---", *said]
    return "\n".join(text)


def _with_source(trace, file, source):
    """A traceback of MicroPython with the source of the test file's lines, as CPython has it."""
    rows = source.splitlines()
    out = []
    for row in trace.splitlines():
        out.append(row)
        if f'{file.name}", line ' in row:
            number = int(row.split("line ")[1].split(",")[0])
            out.append("    " + rows[number - 1].strip())
    return out


def main():
    """The command. Returns 0 if all passed, 1 if not, 2 without an interpreter."""
    parser = argparse.ArgumentParser(description="Run test files inside MicroPython.")
    parser.add_argument("--vm", choices=interpreter.VMS, action="append", help="only this interpreter (repeatable)")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="test files (default: all that can)")
    options = parser.parse_args()
    failed = passed = 0
    try:
        for vm in options.vm or interpreter.VMS:
            for file in [f.resolve() for f in options.files] or test_files():
                start = time.monotonic()
                results = run_file(vm, file)
                bad = [r for r in results if r[2]]
                failed += len(bad)
                passed += len(results) - len(bad)
                state = f"{len(bad)} FAILED" if bad else "ok"
                took = time.monotonic() - start
                print(f"{vm:20} {file.name:32} {len(results):4} tests {took:6.1f} s  {state}")
                for _, _, text in bad:
                    print(text, end="\n\n")
                sys.stdout.flush()
    except interpreter.Missing as missing:
        print(missing, file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
