"""Asserts of a test file made talkative for MicroPython, as pytest makes them for CPython.

``rewrite(source)`` replaces every ``assert`` by a call of ``check.that`` with both sides of the comparison and the
values of the names in it. Lines keep their numbers, so that tracebacks still point into the file.
"""

import ast

OPERATORS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


def rewrite(source):
    """Source of a test file -> the same with ``check`` imported on its first line and its asserts as calls."""
    lines = source.encode().split(b"\n")  # offsets of the syntax tree are bytes
    asserts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)]
    for node in sorted(asserts, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        first, last = node.lineno - 1, node.end_lineno - 1
        call = _call(source, node).encode()
        missing = (last - first) - call.count(b"\n")
        text = lines[first][: node.col_offset] + call + b"\n" * missing + b")" + lines[last][node.end_col_offset :]
        lines[first : last + 1] = text.split(b"\n")
    # a docstring that begins the file stays a plain string beside it
    return "import check as _check; " + b"\n".join(lines).decode()


def _call(source, node):
    """The call that stands for an assert, without its closing bracket."""

    def text(part):
        return ast.get_source_segment(source, part)

    test = node.test
    message = "None" if node.msg is None else f"lambda: ({text(node.msg)})"
    names = "".join(f'("{name}", {name}), ' for name in _names(test))
    tail = f", {message}, lambda: ({names}), __file__"
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator = OPERATORS[type(test.ops[0])]
        return f'_check.that({node.lineno}, ({text(test.left)}), "{operator}", ({text(test.comparators[0])}){tail}'
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return f'_check.that({node.lineno}, ({text(test.operand)}), "not", None{tail}'
    return f'_check.that({node.lineno}, ({text(test)}), "", None{tail}'


def _names(test):
    """Names read in an expression, in order, without those that it binds itself."""
    bound = {n.id for n in ast.walk(test) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {a.arg for n in ast.walk(test) if isinstance(n, ast.Lambda) for a in n.args.args}
    found = []
    for n in ast.walk(test):
        if isinstance(n, ast.Name) and n.id not in bound and n.id not in found:
            found.append(n.id)
    return found
