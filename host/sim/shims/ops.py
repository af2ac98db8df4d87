"""The messages on the wire between the interpreter and the supervisor.

To the supervisor: four bytes (operation, argument, length of the payload as 16 bits little-endian) and the payload.
Posted messages are not answered. A synchronous one is answered by four signed 64-bit words: the time since reset in
nanoseconds, the levels of GPIO 0-39 as bits, the result (negative: an error number), and a time before which
nothing will happen from outside; then the data, if any was asked for. A sleep that ends before that time needs no
answer: the interpreter moves its own clock and posts that it did, unless it has written to the console meanwhile.
A time of INTERRUPTED says that Ctrl-C came: the interpreter raises KeyboardInterrupt once it has read the answer whole.
"""

INTERRUPTED = -1

# Posted.
PIN = 1  # argument: GPIO, bit 7: level
MODE = 2  # argument: GPIO; payload: mode, pull (Pin's numbers)
SPI_HZ = 3  # payload: clock in Hz, 32 bits
SPI = 4  # payload: bytes out
PWM = 5  # argument: GPIO; payload: duty 0-65535
RING = 6  # argument: GPIO; payload: three bytes a pixel, G R B
I2C_HZ = 7  # payload: clock in Hz, 32 bits
WATCHDOG = 8  # payload: time in ms, 32 bits; feeds it too
I2S_OPEN = 9  # payload: rate in Hz, bytes a frame, buffer in bytes, 32 bits each
SLEPT = 10  # payload: microseconds, 32 bits
TIMER = 11  # argument: the timer's number, bit 7: it runs

# Synchronous; numbers in the payload are 32 bits.
FENCE = 32  # all posted messages are done
SLEEP = 33  # payload: microseconds
SPI_READ = 34  # argument: byte sent; payload: count; answered with count bytes
SPI_BOTH = 35  # payload: bytes out; answered with as many
I2C_WRITE = 36  # argument: address; payload: bytes; result: bytes acknowledged
I2C_READ = 37  # argument: address; payload: count; answered with count bytes if the result is 0
I2C_MEM_READ = 38  # the same; payload: count, register
FLASH_PROGRAM = 40  # payload: address, then the bytes
FLASH_ERASE = 41  # payload: address of a sector
RANDOM = 42  # payload: count; answered with count bytes
RESET = 43  # never answered: the interpreter is ended and started again
RESET_CAUSE = 44  # result: machine's number
I2S_WRITE = 45  # argument: 1 waits for room; payload: bytes; result: us until all are taken, -1: lost
ENDED = 46  # the firmware came to its end
RTC_SIZE = 47  # result: how many bytes the real-time clock keeps
RTC_READ = 48  # answered with all of them
RTC_WRITE = 49  # payload: the bytes
I2S_SHIFT = 50  # argument: bits (16 or 32), bit 7: to the right, bits 0-3: by; payload: samples, answered with them


def spi_byte_ns(hz):
    """What a byte takes: the ESP32 divides 80 MHz by a whole number, to the clock asked for or the next below."""
    return 8000000000 // (80000000 // -(-80000000 // max(1, hz)))
