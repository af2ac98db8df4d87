"""The wiring tables of ``hardware/README.md``, made from ``firmware/pins.py`` (``python -m host wiring``).

The pin table is read as data: the module is executed as a plain file of constants, nothing of the firmware runs.
"""

import runpy
import sys
from pathlib import Path

from host import options

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "hardware" / "README.md"
BEGIN = "<!-- wiring: made by `python -m host wiring --write` from firmware/pins.py -->"
END = "<!-- end of wiring -->"

# constant in pins.py: (where the wire goes, what a builder must know of it)
WIRES = {
    "SPI_SCK": ("all displays: SCK", "through the buffer, 33 ohm in series"),
    "SPI_MOSI": ("all displays: SDI (MOSI)", "through the buffer, 33 ohm in series"),
    "SPI_MISO": ("all displays: SDO (MISO)", "input only; reads a display's identity and state"),
    "DISPLAY_DC": ("all displays: D/C", "through the buffer"),
    "DISPLAY_RST": ("all displays: RESET", "one line for the four, pulsed once at start"),
    "DISPLAY_CS": ("display of seat {i}: CS", "10 kohm to 3.3 V, so that no display listens while the hub starts"),
    "BACKLIGHT": ("all displays: LED, through a MOSFET", "PWM sets the brightness"),
    "I2C_SDA": ("all pads and the clock: SDA", "2.2 kohm to 3.3 V on the hub"),
    "I2C_SCL": ("all pads and the clock: SCL", "2.2 kohm to 3.3 V on the hub"),
    "PAD_INT": ("all pads: INT, wired together", "open drain, 10 kohm to 3.3 V (the pin has no pull-up of its own)"),
    "I2S_BCLK": ("MAX98357A: BCLK", ""),
    "I2S_WS": ("MAX98357A: LRC", ""),
    "I2S_DIN": ("MAX98357A: DIN", ""),
    "RING": ("WS2812 ring: DIN", "through the 5 V level shifter, 330 ohm in series"),
}


def pins():
    """The constants of firmware/pins.py by name (int, or a tuple of int for one line a seat)."""
    table = runpy.run_path(str(ROOT / "firmware" / "pins.py"))
    return {name: value for name, value in table.items() if name.isupper()}


def rows(table):
    """(GPIO, wire, remark) for every wire, by seat where there is one a seat. KeyError names a missing pin."""
    for name, (wire, remark) in WIRES.items():
        value = table[name]
        for i, gpio in enumerate(value if isinstance(value, tuple) else (value,)):
            yield gpio, wire.format(i=i), remark


def markdown():
    """The wiring table as markdown lines, ending without a line break."""
    lines = ["| ESP32 GPIO | goes to | remark |", "|---|---|---|"]
    lines += [f"| {gpio} | {wire} | {remark} |" for gpio, wire, remark in rows(pins())]
    return "\n".join(lines)


def replaced(text, table):
    """The document with its generated part exchanged. ValueError if the marks are missing."""
    if BEGIN not in text or END not in text:
        raise ValueError(f"{DOCUMENT.relative_to(ROOT)} has lost the marks around the wiring table")
    head, rest = text.split(BEGIN, 1)
    return head + BEGIN + "\n\n" + table + "\n\n" + END + rest.split(END, 1)[1]


def main(argv):
    """Print the table, write it into the document, or check the document. Exit status 1: it is out of date."""
    parser = options.parser(
        "wiring",
        "The wiring table from pins.py.",
        ("python -m host wiring", "python -m host wiring --check"),
        port=False,
    )
    parser.add_argument("--write", action="store_true", help="bring hardware/README.md up to date")
    parser.add_argument("--check", action="store_true", help="exit with 1 if hardware/README.md is out of date")
    args = parser.parse_args(argv)
    if not (args.write or args.check):
        print(markdown())
        return 0
    text = DOCUMENT.read_text(encoding="utf-8")
    new = replaced(text, markdown())
    if args.write:
        DOCUMENT.write_text(new, encoding="utf-8")
        return 0
    if new != text:
        print("hardware/README.md is out of date: python -m host wiring --write", file=sys.stderr)
        return 1
    return 0
