"""The builder's document tells the pins that the firmware uses."""

from host import wiring


def test_the_hardware_document_holds_the_wiring_made_from_the_pin_table():
    text = wiring.DOCUMENT.read_text(encoding="utf-8")
    assert text == wiring.replaced(text, wiring.markdown()), "python -m host wiring --write"


def test_every_gpio_of_the_pin_table_has_a_wire_in_the_document():
    parts = ("SPI_", "I2C_", "I2S_", "DISPLAY_", "PAD_INT", "RING", "BACKLIGHT")
    wired = {name for name in wiring.pins() if name.startswith(parts)}
    settings = {name for name in wired if name.endswith(("_ID", "_HZ", "_PIXELS"))}
    assert wired - settings == set(wiring.WIRES)
