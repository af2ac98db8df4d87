"""The pin table keeps to what the ESP32-WROOM-32E can do."""

import pins
from drivers import mcp23017

FLASH = range(6, 12)
STRAPPING = (0, 2, 5, 12, 15)
CONSOLE = (1, 3)
ABSENT = (20, 24, 28, 29, 30, 31, 37, 38)  # no pad on the module
INPUT_ONLY = range(34, 40)
INPUTS = ("SPI_MISO", "PAD_INT")
OUTPUTS = (
    "SPI_SCK",
    "SPI_MOSI",
    "DISPLAY_DC",
    "DISPLAY_RST",
    "DISPLAY_CS",
    "BACKLIGHT",
    "I2C_SDA",
    "I2C_SCL",
    "I2S_BCLK",
    "I2S_WS",
    "I2S_DIN",
    "RING",
)


def lines(names):
    """GPIO numbers behind these constants."""
    out = []
    for name in names:
        value = getattr(pins, name)
        out += list(value) if isinstance(value, tuple) else [value]
    return out


def test_every_gpio_has_one_use():
    used = lines(INPUTS + OUTPUTS)
    assert len(used) == len(set(used)) == 17


def test_no_gpio_of_flash_strapping_or_console_is_used():
    for n in lines(INPUTS + OUTPUTS):
        assert 0 <= n < 40
        for taken in (FLASH, STRAPPING, CONSOLE, ABSENT):
            assert n not in taken


def test_outputs_can_be_driven():
    for n in lines(OUTPUTS):
        assert n not in INPUT_ONLY


def test_a_pad_uses_each_of_its_sixteen_lines_once_and_keys_none_that_can_only_be_outputs():
    assert sorted(pins.KEY_LINES + pins.LIGHT_LINES) == list(range(16))
    assert len(pins.KEYS) == len(pins.KEY_LINES) == 12
    assert len(pins.LIGHTS) == len(pins.LIGHT_LINES) == 4
    assert 7 not in pins.KEY_LINES and 15 not in pins.KEY_LINES


def test_the_driver_packs_the_lines_of_the_table():
    inputs = sum([1 << n for n in pins.KEY_LINES])
    assert mcp23017._INPUT_BYTES == bytes((inputs & 255, inputs >> 8))


def test_four_seats_have_a_chip_select_and_an_address_each():
    assert len(set(pins.DISPLAY_CS)) == len(set(pins.PAD_ADDRESS)) == 4
