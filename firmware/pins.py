"""The hub's wiring as one table of constants, read by firmware, simulator, wiring documents and checks alike.

GPIO numbers are those of the classic ESP32 (ESP32-WROOM-32E). GPIO 6-11 are the module's flash, 34-39 are inputs
only, 0 2 5 12 15 are sampled at reset (strapping pins) and 1 and 3 are the USB serial console: none of those is
driven here. Plain numbers only, so that host tools may read this file as data.
"""

# Displays: one SPI bus (VSPI), a chip select each, D/C and RST common to the four.
SPI_ID = 2
SPI_HZ = 20_000_000  # writes, over 50 cm of buffered cable
SPI_READ_HZ = 4_000_000  # ILI9341: serial read cycle at least 150 ns
SPI_SCK = 18
SPI_MOSI = 23
SPI_MISO = 35
DISPLAY_DC = 27
DISPLAY_RST = 33
DISPLAY_CS = (13, 14, 25, 26)  # by seat
BACKLIGHT = 19  # PWM, all four
BACKLIGHT_HZ = 1000

PANEL = "ili9341"  # a row of drivers/ili9341.py: "ili9341" or "st7789"
WIDTH = 320
HEIGHT = 240

# Pads and clock: one I2C bus, the pads' open-drain INT outputs wired together.
I2C_ID = 0
I2C_HZ = 400_000
I2C_SDA = 21
I2C_SCL = 22
PAD_INT = 34  # needs an outside pull-up: GPIO 34 has none
PAD_ADDRESS = (0x20, 0x21, 0x22, 0x23)  # MCP23017, by seat
CLOCK_ADDRESS = 0x68  # DS3231

# Sound: MAX98357A.
I2S_ID = 0
I2S_BCLK = 16
I2S_WS = 17
I2S_DIN = 4

# Ring of WS2812 in the middle of the table; pixel 0 is at seat 0 and numbers go in turn order.
RING = 32
RING_PIXELS = 24

# One pad: bit numbers of the MCP23017's 16 lines (0-7 GPA0-GPA7, 8-15 GPB0-GPB7). GPA7 and GPB7 can only be outputs.
KEYS = ("left", "right", "up", "down", "clear", "play", "pass", "hint", "bomb", "sort", "trustee", "menu")
KEY_LINES = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)  # active low
LIGHTS = ("turn", "legal", "trustee", "notice")
LIGHT_LINES = (7, 13, 14, 15)  # active high
