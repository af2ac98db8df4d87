"""``python -m host rules`` as a process, with the engine in either interpreter (CONFORMANCE.md)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import garbage
import pytest

from host import interpreter, rules

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
SHARED = ROOT.parent / "shared" / "vectors"
VMS = ("cpython", "micropython")


def answers(vm, questions):
    """Raw answers of a fresh server to some lines (bytes), which must end with status 0."""
    server = garbage.Server(vm)
    found = server.ask(questions)
    assert server.close() == 0
    return found


def vectors():
    """(where, line to send, expected fields, op) of every vector."""
    for file in sorted(VECTORS.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            request = json.loads(line)
            expected = request.pop("expect")
            raw = request.get("raw", json.dumps(request))
            yield f"{file.name}:{number}", raw.encode(), expected, request.get("op")


def as_compared(op, name, value):
    """Lists of melds in ``melds`` are compared as sets, elsewhere in order."""
    return sorted(value) if op == "melds" and name == "melds" and isinstance(value, list) else value


@pytest.mark.parametrize("vm", VMS)
def test_every_vector_is_answered_as_expected(vm):
    cases = list(vectors())
    assert len(cases) >= 1390
    wrong = []
    for (where, _, expected, op), raw in zip(cases, answers(vm, [c[1] for c in cases])):
        reply = json.loads(raw)
        for name, value in expected.items():
            given = as_compared(op, name, reply.get(name, "nothing"))
            if given != as_compared(op, name, value):
                wrong.append(f"{where}: {name} is {given}, expected {value}")
    assert not wrong, "\n".join(wrong[:20])


def test_both_interpreters_answer_to_the_byte_alike():
    questions = [c[1] for c in vectors()]
    questions += list(garbage.mutants("alike", 1000))
    questions += list(garbage.lines("alike", 1000))
    ours, theirs = (answers(vm, questions) for vm in VMS)
    assert [(q, a, b) for q, a, b in zip(questions, ours, theirs) if a != b] == []


def test_the_vectors_here_are_those_of_the_shared_folder():
    if not SHARED.is_dir():
        return  # a clone on its own has its copy and nothing to compare it with
    copies = {f.name: f.read_bytes() for f in VECTORS.glob("*.jsonl")}
    assert copies == {f.name: f.read_bytes() for f in SHARED.glob("*.jsonl")}


@pytest.mark.parametrize("vm", VMS)
def test_garbage_is_answered_by_an_error_object_each_in_flat_memory(vm):
    faults, early, late, status = garbage.check(vm, "suite", 5000)
    assert faults == []
    assert status == 0
    # MicroPython touches its whole heap in time, but nothing beyond
    assert late - early < 1024 + (rules.HEAP // 1024 if vm == "micropython" else 0)


LONG = b'{"op": "classify", "rules": "wenzhou", "cards": "' + b"3 " * (rules.LONGEST // 2 - 40) + b'"}'
CODES = [
    (b"", "bad-request"),
    (b" ", "bad-request"),
    (b"\r", "bad-request"),
    (b"\xff", "bad-request"),
    (b'\xef\xbb\xbf{"op": "deal"}', "bad-request"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "bomb5:3", "x": "\xed\xa0\x80"}', "bad-request"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "\\ud800"}', "bad-request"),
    (b"[" * 60000, "bad-request"),
    (b'{"a":' * 10000 + b"1" + b"}" * 10000, "bad-request"),
    (b'{"op": "deal", "x": ' + b"[" * 40 + b"]" * 40 + b"}", "bad-request"),
    (b"x" * 10_000_000, "bad-request"),
    (b"9" * 50000, "bad-request"),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3", "old": null, "n": true}', "bad-request"),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3", "old": null, "n": 1.0}', "bad-request"),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3", "old": null, "n": 1e2}', "bad-request"),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3", "old": null, "n": -1}', "bad-request"),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3", "n": 1}', "bad-request"),
    (b'{"op": "melds", "rules": "wenzhou", "hand": "3"}', "bad-request"),
    (b'{"op": "classify", "rules": "wenzhou", "cards": null}', "bad-request"),
    (LONG, "bad-card"),
    (b'{"op": "classify", "rules": "wenzhou", "cards": "xd"}', "bad-card"),
    (b'{"op": "classify", "rules": "wenzhou", "cards": "3\\t3"}', "bad-card"),
    (b'{"op": "classify", "rules": "wenzhou", "cards": "\xe4\xb8\x89"}', "bad-card"),
    (b'{"op": "classify", "rules": "nosuch", "cards": "xd"}', "bad-rules"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "bomb05:3"}', "bad-meld"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "Bomb5:3"}', "bad-meld"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "bomb13:3"}', "bad-meld"),
    (b'{"op": "star", "rules": "baibian", "meld": "bomb11:3"}', "bad-meld"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "chain9x3/28:8"}', "bad-meld"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "chain4x7/28:A"}', "bad-meld"),
    (b'{"op": "star", "rules": "wenzhou", "meld": "triples10:A"}', "bad-meld"),
    (b'{"op": "deal", "seed": "' + b"0" * 63 + b'"}', "bad-request"),
    (b'{"op": "deal", "seed": "' + b"0" * 62 + b' 0"}', "bad-request"),
]


@pytest.mark.parametrize("vm", VMS)
def test_every_bad_line_has_its_code_and_the_next_line_its_answer(vm):
    good = b'{"op": "star", "rules": "wenzhou", "meld": "bomb5:3"}'
    replies = answers(vm, [line for bad, _ in CODES for line in (bad, good)])
    codes = [(json.loads(r)["error"], json.loads(r)["message"][-1]) for r in replies[::2]]
    assert codes == [(code, ".") for _, code in CODES]
    assert {json.loads(r)["star"] for r in replies[1::2]} == {5}


def heavy_lines():
    """Lines as long as a line may be, each full of one thing."""
    plays = '{"op": "replay", "rules": "wenzhou", "hands": ["3", "4", "5", "6"], "lead": 0, "plays": [%s]}'
    more = '{"op": "deal", "seed": "", "more": [%s]}'
    for unit in ('""', '"a"', '"pass"', '{"cards": "3", "as": "pair:3"}', "[]", "{}", "1", "1.5", "[[]]", '{"a": 1}'):
        for frame in (plays, more):
            yield (frame % ",".join([unit] * ((rules.LONGEST - 200) // (len(unit) + 1)))).encode()
    yield ("{" + ",".join(f'"k{i}": 1' for i in range(5000)) + "}").encode()


def test_lines_full_of_one_thing_are_answered_alike_and_end_nothing():
    lines = list(heavy_lines())
    assert {len(line) > rules.LONGEST // 2 for line in lines} == {True}
    ours, theirs = (answers(vm, lines) for vm in VMS)
    assert ours == theirs
    assert {json.loads(a)["error"] for a in ours} == {"bad-request", "not-held", "must-lead", "no-meld", "not-offered"}


GOOD = [
    (b'{"op": "classify", "rules": "wenzhou", "cards": ""}', {"melds": [], "why": "no-meld"}),
    (b'{"op": "classify", "rules": "wenzhou", "cards": " 3D  3s "}', {"melds": ["pair:3"]}),
    (b'{"op": "melds", "rules": "wenzhou", "hand": "", "old": null}', {"melds": []}),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3 3", "old": null, "n": 0}', {"hints": []}),
    (b'{"op": "hint", "rules": "wenzhou", "hand": "3 3", "old": "pair:4", "n": 9}', {"hints": []}),
    (b'{"op": "star", "rules": "wenzhou", "meld": "bomb5:a"}', {"star": 5}),
    (b'\t{"op": "star",\r"rules": "wenzhou", "meld": "bomb\\u0035:3", "more": [1.5, "\\ud83c\\udccf"]}', {"star": 5}),
    (b'{"op": "star", "op": "star", "rules": "wenzhou", "meld": "chain4x3/27:8"}', {"star": 7}),
]


@pytest.mark.parametrize("vm", VMS)
def test_odd_but_good_lines_are_answered(vm):
    replies = answers(vm, [line for line, _ in GOOD])
    assert [json.loads(r) for r in replies] == [wanted for _, wanted in GOOD]


@pytest.mark.parametrize("vm", VMS)
def test_a_last_line_without_its_end_is_answered(vm):
    command = [sys.executable, "-m", "host", "rules", "--vm", vm]
    line = b'{"op": "star", "rules": "wenzhou", "meld": "bomb5:3"}'
    done = subprocess.run(command, cwd=ROOT, input=line, capture_output=True, timeout=60)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {"star": 5}, b"")


@pytest.mark.parametrize("vm", VMS)
def test_a_reader_that_goes_away_ends_the_server_without_a_traceback(vm):
    command = [sys.executable, "-m", "host", "rules", "--vm", vm]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        server.stdout.close()
        try:
            server.stdin.write(b"{}\n" * 100)
            server.stdin.close()
        except BrokenPipeError:
            pass
        assert (server.wait(timeout=30), server.stderr.read()) == (0, b"")


@pytest.mark.parametrize("vm", VMS)
def test_ctrl_c_ends_the_server_without_a_traceback(vm):
    server = garbage.Server(vm)
    assert server.ask([b"{}"])
    os.kill(server.process.pid, signal.SIGINT)
    assert server.process.wait(timeout=30) == 130
    server.process.stdin.close()
    server.process.stdout.close()


def test_an_interpreter_that_is_asked_for_but_missing_is_one_sentence_and_status_2(monkeypatch, capsys):
    monkeypatch.setattr(interpreter, "installed", lambda: False)
    assert rules.main(["--vm", "micropython"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "--vm cpython" in said.err
