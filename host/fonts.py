"""Make ``firmware/screen/type.bin``: glyphs and texts of the screens in one compact file.

Enter at ``main`` (``python -m host fonts``). Sources: Noto Sans CJK (SIL Open Font License 1.1; regular from the PyPI
package noto-cjk-sans-otc, bold from Debian's fonts-noto-cjk), ``firmware/screen/shapes.txt`` (drawn by hand) and
``firmware/screen/texts.py``. Only characters that are used go in. The file is committed: the licence allows
it (its notice is ``firmware/screen/OFL.txt``), and so neither playing nor testing needs the 40 MB of fonts,
nor depends on which FreeType draws them. It has to be made again only when a text or a shape changes.

Format (little-endian; read by ``firmware/screen/type.py``):
  header 12 B    magic "SKT1", u8 faces, u8 languages, u16 texts, u32 place of the text index
  faces 16 B     u8 cell width, u8 height, u8 bytes a row, u8 0, u16 codes, u16 bytes a record,
                 u32 codes at, u32 records at
  advances 95 B  a face: the advance of ASCII 32 to 126 (0: not there)
  codes 4 B      sorted: u16 code, u16 record; traditional forms of U+4E00-9FFF stand at code + 0x5200
  records        u8 advance, then the cell's rows, most significant bit left
  texts          u16 start offsets (language-major, one more at the end), then UTF-8
"""

import ast
import importlib.util
import re
import struct
import sys
from pathlib import Path

from host import options

ROOT = Path(__file__).resolve().parent.parent
SCREEN = ROOT / "firmware" / "screen"
TARGET = SCREEN / "type.bin"
DEBIAN_BOLD = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc")

TC_SHIFT = 0x5200  # U+4E00-9FFF move to A000-F1FF, where no text has anything
SYMBOLS = "–×−·…’“”¿"  # used by texts and meld names besides ASCII

# letter: (px, bold, cell width, cell height); the cell's top is one row above the em square (0.88 em above
# the baseline). Faces share a few sizes of cell, because the board's glyph cache has slots of those sizes
# (firmware/screen/type.py).
FACES = {
    "r": (16, False, 16, 20),
    "b": (16, True, 16, 20),
    "B": (20, True, 24, 28),
    "X": (24, True, 24, 28),
    "T": (28, False, 32, 34),
    "s": (12, False, 16, 15),
}
SHAPE_FACES = ("rank", "tiny", "mark")  # faces 6, 7, 8 as in shapes.txt; then rank2 (rank at twice the size) and star
BIG_STAR = 66  # px wide


class FontError(Exception):
    """A source of the font is missing or does not fit; the message is one sentence."""


def load(path, name):
    """A plain constant module as data, without importing its package."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts():
    """The table of ``firmware/screen/texts.py`` and the characters of names."""
    module = load(SCREEN / "texts.py", "screen_texts")
    return module.TEXTS, module.NAME_CHARS


def parse_shapes(text):
    """Faces of shapes.txt: {name: (width, height, {code: rows})}. Raises FontError with the line number."""
    faces, glyphs, rows, cell = {}, None, None, (0, 0)
    for number, line in enumerate(text.splitlines(), 1):
        line = line.rstrip()
        word = line.split()
        if rows is not None and word and not set(line) <= set("#."):
            rows = None
        if line.startswith("# ") or not line:
            continue
        if word[0] == "face":
            cell = int(word[2]), int(word[3])
            glyphs, rows = {}, None
            faces[word[1]] = (*cell, glyphs)
        elif word[0] == "glyph":
            if glyphs is None or len(word[1]) != 1 or word[1] in glyphs:
                raise FontError(f"shapes.txt line {number}: a glyph needs a face and a code of its own.")
            rows = glyphs[word[1]] = []
        elif rows is None or not set(line) <= set("#."):
            raise FontError(f"shapes.txt line {number}: a row is made of # and . only.")
        else:
            rows.append(line)
            if len(line) > cell[0] or len(rows) > cell[1] or len(line) != len(rows[0]):
                raise FontError(f"shapes.txt line {number}: the row does not fit the cell of {cell[0]} x {cell[1]}.")
    return faces


def doubled(rows):
    """The rows at twice the size with corners smoothed (the Scale2x rule)."""
    def at(x, y):
        return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else "."

    out = []
    for y in range(len(rows)):
        top, bottom = "", ""
        for x in range(len(rows[0])):
            p, up, right, left, down = at(x, y), at(x, y - 1), at(x + 1, y), at(x - 1, y), at(x, y + 1)
            corners = [p] * 4
            if left != right and up != down:
                corners = [left if left == up else p, right if up == right else p,
                           left if left == down else p, right if down == right else p]
            top += corners[0] + corners[1]
            bottom += corners[2] + corners[3]
        out += [top, bottom]
    return out


def star(size):
    """A filled five-pointed star, ``size`` px wide, as rows: even-odd test of the pixel's centre, left-right alike."""
    # Ten corners in units of 1/1000 of the outer radius, clockwise from the top (sine and cosine tables;
    # inner radius 0.45).
    outer = ((0, -1000), (951, -309), (588, 809), (-588, 809), (-951, -309))
    inner = ((265, -364), (428, 139), (0, 450), (-428, 139), (-265, -364))
    corners = [p for pair in zip(outer, inner) for p in pair]
    radius = size / 2 / 0.951
    height = round(radius * 1.809)
    rows = []
    for y in range(height):
        row = ""
        for x in range(size):
            px, py = (x + 0.5 - size / 2) / radius * 1000, (y + 0.5 - radius) / radius * 1000
            inside = False
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
                if (ay > py) != (by > py) and px < ax + (py - ay) * (bx - ax) / (by - ay):
                    inside = not inside
            row += "#" if inside else "."
        rows.append(row)
    return rows


def meld_names():
    """All characters of the rules' meld names and refusal sentences: (names, sentences).

    Names are asked from ``shared_rules.names`` for one meld of each kind; sentences are the constants of ``why``."""
    from shared_rules import meld
    from shared_rules import names as naming

    constants = {
        node.value
        for module in ("names.py", "why.py")
        for node in ast.walk(ast.parse((ROOT / "shared_rules" / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    names = set()
    for form in ("single:3", "pair:4", "triple:T", "straight5:9", "pairs3:7", "triples3:J", "bomb4:K", "bomb9:Q",
                 "chain4x3/12:8", "chain4x4/16:8", "chain4x5/20:8", "chain4x6/24:8", "jokers3", "jokers4",
                 "single:2", "single:A", "single:x", "single:X", "pair:x", "pair:X"):
        names.update(naming.meld_name(lang, meld.parse(form)) for lang in range(3))
    return "".join(sorted(names)), "".join(sorted(constants))


def charsets():
    """{face letter: sorted codes}: what each face has to hold, traditional forms at their shifted codes."""
    from shared_rules import titles

    table, name_chars = texts()
    names, sentences = meld_names()
    ascii_and_symbols = "".join(map(chr, range(32, 127))) + SYMBOLS
    both = {face: set(ascii_and_symbols) for face in FACES}
    sets = {face: set() for face in FACES}

    def add(face, text, lang):
        for ch in text:
            code = ord(ch)
            if code < 127 or ch in SYMBOLS:
                continue
            sets[face].add(code + TC_SHIFT if lang == 1 and 0x4E00 <= code < 0xA000 else code)

    for _, faces, *by_lang in table:
        for face in faces:
            for lang, text in enumerate(by_lang):
                add(face, text, lang)
    for ladder in (titles.QIANBIAN, titles.BAIBIAN):
        for title in titles.names(ladder):
            for lang in range(3):
                for face in "rs":
                    add(face, title[lang], lang)
    for lang in (0, 1):
        for face in "rs":
            add(face, name_chars, lang)
        for face in "rbBX":
            add(face, names, lang)
        add("r", "".join(ch for ch in sentences if ord(ch) > 0x2000), lang)
    return {face: sorted(sets[face] | {ord(ch) for ch in both[face]}) for face in FACES}


def font_paths(regular=None, bold=None):
    """The two font files; FontError says which package brings a missing one."""
    if regular is None:
        try:
            import noto_cjk_sans_otc
        except ImportError as error:
            raise FontError("The regular font is missing: pip install noto-cjk-sans-otc.") from error
        regular = Path(noto_cjk_sans_otc.__file__).parent / "NotoSansCJK-Regular.ttc"
    bold = Path(bold or DEBIAN_BOLD)
    if not bold.exists():
        raise FontError(f"The bold font {bold} is missing: apt-get install fonts-noto-cjk, or give --bold FILE.")
    return Path(regular), bold


class Renderer:
    """Draws one glyph of a face as rows of # and . inside its cell, with FreeType's monochrome hinting."""

    def __init__(self, regular, bold):
        from PIL import ImageFont

        self.fonts = {}
        for face, (px, is_bold, _, _) in FACES.items():
            for lang, index in enumerate((2, 3)):  # faces SC and TC of the collection
                self.fonts[face, lang] = ImageFont.truetype(
                    str(bold if is_bold else regular), px, index=index, layout_engine=ImageFont.Layout.BASIC)

    def glyph(self, face, code):
        """(advance, rows) of a code; FontError if it is not in the font or does not fit the cell."""
        from PIL import Image, ImageDraw

        px, _, width, height = FACES[face]
        tc = code >= 0x4E00 + TC_SHIFT and code < 0xA000 + TC_SHIFT
        font = self.fonts[face, 1 if tc else 0]
        char = chr(code - TC_SHIFT if tc else code)
        pad = px
        image = Image.new("1", (px * 3, px * 3), 0)
        draw = ImageDraw.Draw(image)
        draw.fontmode = "1"
        draw.text((pad, pad + round(px * 0.88)), char, font=font, fill=1, anchor="ls")
        box = image.getbbox()
        advance = round(font.getlength(char))
        if box is None:
            return advance, []
        left = min(pad, box[0])  # a negative side bearing moves into the cell
        if box[2] > left + width:
            left = box[2] - width
        if box[0] < left or box[1] < pad - 1 or box[3] > pad - 1 + height:
            raise FontError(f"'{char}' does not fit the {width} x {height} cell of the {px} px face.")
        rows = ["".join("#" if image.getpixel((x, y)) else "." for x in range(left, left + width))
                for y in range(pad - 1, pad - 1 + height)]
        return max(advance, box[2] - left), rows


def pack_rows(rows, stride, height):
    """Rows of # and . as bytes, most significant bit left, padded to the cell."""
    out = bytearray(stride * height)
    for y, row in enumerate(rows):
        for x, ch in enumerate(row):
            if ch == "#":
                out[y * stride + (x >> 3)] |= 0x80 >> (x & 7)
    return bytes(out)


def build(regular=None, bold=None):
    """The whole file as bytes; the same sources and the same FreeType give the same bytes."""
    renderer = Renderer(*font_paths(regular, bold))
    faces = []  # (width, height, {code: (advance, rows)})
    for face, codes in charsets().items():
        _, _, width, height = FACES[face]
        faces.append((width, height, {code: renderer.glyph(face, code) for code in codes}))
    shapes = parse_shapes((SCREEN / "shapes.txt").read_text(encoding="utf-8"))
    for name in SHAPE_FACES:
        width, height, glyphs = shapes[name]
        faces.append((width, height, {ord(c): (len(rows[0]), rows) for c, rows in glyphs.items()}))
    width, height, glyphs = shapes["rank"]
    faces.append((32, 34, {ord(c): (len(rows[0]) * 2, doubled(rows)) for c, rows in glyphs.items()}))
    big = star(BIG_STAR)
    faces.append(((BIG_STAR + 7) // 8 * 8, len(big), {ord("*"): (BIG_STAR, big)}))
    return assemble(faces, texts()[0])


def assemble(faces, table):
    """Lay out faces and texts as one file (see the module's docstring)."""
    head = 12 + 16 * len(faces) + 95 * len(faces)
    place, table_rows, body, advances = head, [], b"", b""
    for width, height, glyphs in faces:
        stride = (width + 7) // 8
        records, numbers, codes = [], {}, b""
        for code in sorted(glyphs):
            advance, rows = glyphs[code]
            record = bytes([advance]) + pack_rows(rows, stride, height)
            codes += struct.pack("<HH", code, numbers.setdefault(record, len(records)))
            if numbers[record] == len(records):
                records.append(record)
        size = 1 + stride * height
        table_rows.append(struct.pack("<BBBBHHII", width, height, stride, 0, len(glyphs), size,
                                      place, place + len(codes)))
        part = codes + b"".join(records)
        body += part
        place += len(part)
        advances += bytes(glyphs.get(code, (0,))[0] for code in range(32, 127))
    offsets, data = [], b""
    for lang in range(3):
        for row in table:
            offsets.append(len(data))
            data += row[2 + lang].encode()
    offsets.append(len(data))
    header = struct.pack("<4sBBHI", b"SKT1", len(faces), 3, len(table), place)
    index = struct.pack(f"<{len(offsets)}H", *offsets)
    return header + b"".join(table_rows) + advances + body + index + data


def numbered(source, names):
    """A module's source with its ``_T_NAME = const(n)`` lines brought to the numbers of the table; FontError for a name
    that the table lacks."""
    def line(found):
        if found[1] not in names:
            raise FontError(f"There is no text named {found[1]} in texts.py.")
        return f"_T_{found[1]} = const({names[found[1]]})"

    return re.sub(r"^_T_(\w+) = const\(\d+\)", line, source, flags=re.M)


def renumber(write):
    """Bring the text numbers in the screens' modules up to date; the names of the modules that were (or
    would be) changed.
    """
    names = {row[0]: number for number, row in enumerate(texts()[0])}
    changed = []
    for path in sorted([*SCREEN.glob("*.py"), SCREEN.parent / "naming.py"]):
        source = path.read_text(encoding="utf-8")
        new = numbered(source, names)
        if new != source:
            changed.append(path.name)
            if write:
                path.write_text(new, encoding="utf-8")
    return changed


def main(argv):
    """``python -m host fonts``: write type.bin, or with --check tell whether it is up to date. Returns 0, 1 or 2."""
    parser = options.parser(
        "fonts",
        "Make the screens' compact font file.",
        ("python -m host fonts", "python -m host fonts --check"),
        port=False,
    )
    parser.add_argument("--out", type=Path, default=TARGET, help="file to write (default: firmware/screen/type.bin)")
    parser.add_argument("--regular", help="NotoSansCJK-Regular.ttc (default: that of the package noto-cjk-sans-otc)")
    parser.add_argument("--bold", help=f"NotoSansCJK-Bold.ttc (default: {DEBIAN_BOLD})")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if the file is out of date")
    args = parser.parse_args(argv)
    try:
        data = build(args.regular, args.bold)
        changed = renumber(write=not args.check)
    except FontError as error:
        print(error, file=sys.stderr)
        return 2
    for name in changed:
        print(f"firmware/screen/{name}: text numbers brought up to date.")
    if args.check:
        same = args.out.exists() and args.out.read_bytes() == data and not changed
        print(f"{args.out} is {'up to date' if same else 'out of date'}.")
        return 0 if same else 1
    args.out.write_bytes(data)
    print(f"{args.out}: {len(data)} bytes.")
    return 0
