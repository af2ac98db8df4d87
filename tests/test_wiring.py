"""The builder's document tells the pins that the firmware uses."""

from host import wiring


def test_the_hardware_document_holds_the_wiring_made_from_the_pin_table():
    text = wiring.DOCUMENT.read_text(encoding="utf-8")
    assert text == wiring.replaced(text, wiring.markdown()), "python -m host wiring --write"


def test_every_pin_that_the_firmware_uses_has_a_wire_in_the_document():
    table = wiring.pins()
    told = {gpio for gpio, _, _ in wiring.rows(table)}
    assert told == {gpio for _, gpio, _ in table["USES"]}
