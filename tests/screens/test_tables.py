"""The tables behind the screens agree: texts and their numbers, colours, faces, and what the font file holds."""

import ast
import re
from pathlib import Path

import pytest
from reader import FACES, INDEX, PALETTE

from host import fonts

SCREEN = Path(__file__).resolve().parents[2] / "firmware" / "screen"
MODULES = sorted([*SCREEN.glob("*.py"), SCREEN.parent / "naming.py"])
TEXTS, NAME_CHARS = fonts.texts()
FACE_NAMES = ("_R16", "_B16", "_B20", "_B24", "_R28", "_R12", "_RANK", "_TINY", "_MARK", "_RANK2", "_STAR")


def constants(path):
    """{name: value} of the module's ``_NAME = const(n)`` lines."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        called = getattr(getattr(node, "value", None), "func", None)
        if isinstance(node, ast.Assign) and getattr(called, "id", "") == "const":
            found[node.targets[0].id] = ast.literal_eval(node.value.args[0]) if isinstance(
                node.value.args[0], (ast.Constant, ast.UnaryOp)) else None
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.name)
def test_text_numbers_are_rows_of_the_table(path):
    rows = {row[0]: number for number, row in enumerate(TEXTS)}
    for name, value in constants(path).items():
        if name.startswith("_T_"):
            assert rows[name[3:]] == value, f"{name}: run 'python -m host fonts'"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.name)
def test_colours_are_the_palette_with_bytes_swapped(path):
    for name, value in constants(path).items():
        colour = PALETTE.get(name[1:].lower())
        if colour is not None and value is not None and value > 255:
            assert value == (colour & 255) << 8 | colour >> 8, name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.name)
def test_face_numbers_are_alike_in_all_modules(path):
    for name, value in constants(path).items():
        if name in FACE_NAMES:
            assert FACE_NAMES.index(name) == value


def test_no_text_is_unused_or_missing_a_language():
    used = set()
    for path in MODULES:
        used |= set(re.findall(r"\b_T_(\w+)\b", path.read_text(encoding="utf-8")))
    runs = {"SECOND", "THIRD", "LAST", "LANGUAGE", "CLOCK", "LAYOUT", "COL_BOMBS", "COL_POINTS", "COL_TOTAL"}
    runs |= {"VOLUME", "BRIGHTNESS", "NAME", "M_SIT"}
    first = ("RULES_", "TIMEOUT_", "TRUSTEE_", "NO_HINT", "NO_BOMB", "BACK", "PAUSE_ASK")
    runs.add("TO_COMPACT")
    runs |= {row[0] for row in TEXTS if row[0].startswith(first)}
    assert {row[0] for row in TEXTS} - used - runs == set()
    for name, faces, *by_lang in TEXTS:
        assert len(by_lang) == 3 and all(by_lang), name
        assert faces and set(faces) <= set("rbBXTs"), name
        assert len({text.count("{}") for text in by_lang}) == 1, name


def test_the_font_file_holds_every_character_of_every_text():
    letters = "rbBXTs"
    for face, codes in fonts.charsets().items():
        missing = [hex(code) for code in codes if code not in FACES[letters.index(face)]]
        assert missing == [], f"face {face}: run 'python -m host fonts'"


def test_the_font_file_is_what_the_installed_regular_font_gives():
    """Regular faces only: the bold ones come from a Debian package that tests do without."""
    renderer = fonts.Renderer.__new__(fonts.Renderer)
    try:
        regular, _ = fonts.font_paths(bold=__file__)
    except fonts.FontError as error:
        pytest.fail(str(error))
    fonts.Renderer.__init__(renderer, regular, regular)
    differing = total = 0
    for letter, number in (("r", 0), ("s", 5), ("T", 4)):
        for code in fonts.charsets()[letter][::7]:
            _, rows = renderer.glyph(letter, code)
            glyph = FACES[number][code]
            ink = [bytes(ch == "#" for ch in row) for row in rows]
            drawn = [row[glyph.left : glyph.left + glyph.width] for row in ink[glyph.top : glyph.top + glyph.height]]
            total += 1
            differing += drawn != glyph.rows
    assert total > 200
    assert differing <= total // 50, "FreeType versions may differ in a few glyphs, not in many"


def test_the_palette_has_no_colour_twice():
    assert len(INDEX) == len(PALETTE)


def test_glyph_shapes_with_faults_are_refused_with_their_line():
    for text, word in (("glyph a\n#", "face"), ("face f 2 2\nglyph a\n###", "fit"), ("face f 2 2\n##", "row"),
                       ("face f 2 2\nglyph a\n#\n##", "fit"), ("face f 2 2\nglyph ab\n#", "code")):
        with pytest.raises(fonts.FontError, match="line") as error:
            fonts.parse_shapes(text)
        assert word in str(error.value)


def test_notices_and_keys_have_one_number_in_all_modules():
    firmware = SCREEN.parent
    pins = {}
    exec((firmware / "pins.py").read_text(encoding="utf-8"), pins)
    want = {f"_KEY_{key.upper()}": number for number, key in enumerate(pins["KEYS"])}
    want |= {k: v for k, v in constants(firmware / "seats.py").items() if k.startswith("_NOTICE_")}
    seen = set()
    for path in [*firmware.glob("*.py"), *MODULES]:
        for name, value in constants(path).items():
            if name.startswith(("_KEY_", "_NOTICE_")):
                assert want[name] == value, f"{path.name}: {name}"
                seen.add(name)
    assert len(seen) > 20
