"""What firmware sees of the board through `machine`, `time`, `esp32` and `os`, on both interpreters."""

import pytest


def test_sleeps_move_the_clock_exactly(script):
    s = script("""
t = time.ticks_us()
time.sleep_ms(7)
time.sleep_us(250)
time.sleep(0.5)
say("slept", us=time.ticks_diff(time.ticks_us(), t))
idle()
""")
    assert s.until("slept")["us"] == 507_250


def test_computing_costs_no_time(script):
    s = script("""
t = time.ticks_us()
for i in range(20000):
    pass
say("done", us=time.ticks_diff(time.ticks_us(), t))
idle()
""")
    assert s.until("done")["us"] == 0


def test_ticks_wrap_at_2_to_the_30(script):
    s = script(
        """
a = time.ticks_ms()
time.sleep_ms(100)
b = time.ticks_ms()
say("wrapped", a=a, b=b, d=time.ticks_diff(b, a), back=time.ticks_diff(a, b), sum=time.ticks_add(a, 100))
idle()
""",
        tick_start=(1 << 30) - 50,
    )
    e = s.until("wrapped")
    assert (e["a"], e["b"], e["d"], e["back"], e["sum"]) == ((1 << 30) - 50, 50, 100, -100, 50)


def test_spi_bits_take_their_time_at_the_set_clock(script):
    s = script("""
def took(hz, n):
    spi.init(baudrate=hz)
    t = time.ticks_us()
    spi.write(bytes(n))
    return time.ticks_diff(time.ticks_us(), t)
say("spi", fast=took(20_000_000, 4000), odd=took(30_000_000, 3000), slow=took(1_000_000, 100))
idle()
""")
    e = s.until("spi")
    # 30 MHz is not 80 MHz by a whole number: the ESP32 takes 26.67 MHz, 300 ns a byte.
    assert (e["fast"], e["odd"], e["slow"]) == (1600, 900, 800)


def test_i2c_bits_take_their_time_at_the_set_clock(script):
    s = script("""
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
t = time.ticks_us()
i2c.writeto_mem(0x20, 0x14, b"\\0\\0")
say("i2c", us=time.ticks_diff(time.ticks_us(), t))
idle()
""")
    # Address, register and two bytes of nine bits each, start and stop: 38 bits of 2.5 us.
    assert s.until("i2c")["us"] == 95


def test_a_ring_write_takes_its_bits(script):
    s = script("""
from neopixel import NeoPixel
np = NeoPixel(Pin(32), 24)
np[0] = (1, 2, 3)
np[23] = (4, 5, 6)
t = time.ticks_us()
np.write()
say("ring", us=time.ticks_diff(time.ticks_us(), t))
idle()
""")
    assert s.until("ring")["us"] == 24 * 24 * 5 // 4 + 50
    assert s.table.ring()[0] == (1, 2, 3)
    assert s.table.ring()[23] == (4, 5, 6)


def test_a_missing_chip_does_not_acknowledge(script):
    s = script("""
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
try:
    i2c.readfrom_mem(0x30, 0, 1)
except OSError as e:
    say("error", n=e.errno)
say("found", n=len(i2c.scan()), first=i2c.scan()[0])
idle()
""")
    assert s.until("error")["n"] == 19
    e = s.until("found")
    assert (e["n"], e["first"]) == (5, 0x20)


def test_a_pin_that_is_driven_reads_back_what_was_written(script):
    s = script("""
p = Pin(4, Pin.OUT, value=0)
a = p.value()
p.on()
say("pin", a=a, b=p.value())
idle()
""")
    e = s.until("pin")
    assert (e["a"], e["b"]) == (0, 1)


def test_flash_programs_clear_bits_and_cost_a_page_each(script):
    s = script("""
from esp32 import Partition
part = Partition.find(Partition.TYPE_DATA, 0x40, label="journal")[0]
t = time.ticks_us()
part.writeblocks(3, b"\\xf0" * 300, 100)
program = time.ticks_diff(time.ticks_us(), t)
part.writeblocks(3, b"\\x3c" * 4, 100)
buf = bytearray(6)
part.readblocks(3, buf, 98)
t = time.ticks_us()
part.ioctl(6, 3)
erase = time.ticks_diff(time.ticks_us(), t)
after = bytearray(2)
part.readblocks(3, after, 100)
say("time", program=program, erase=erase)
say("flash", b=buf[2], before=buf[0], after=after[0], count=part.ioctl(4, 0), at=part.info()[2])
idle()
""")
    e = s.until("time")
    # 300 bytes from offset 100 touch two pages.
    assert (e["program"], e["erase"]) == (1400, 45_000)
    e = s.until("flash")
    assert (e["before"], e["b"], e["after"]) == (0xFF, 0x30, 0xFF)
    assert (e["count"], e["at"]) == (216, 0x200000)


def test_a_write_of_whole_blocks_erases_first(script):
    s = script("""
from esp32 import Partition
part = Partition("journal")
part.writeblocks(0, b"\\0" * 4096)
part.writeblocks(0, b"\\x55" * 4096)
buf = bytearray(1)
part.readblocks(0, buf, 4095)
say("block", b=buf[0])
try:
    part.writeblocks(255, bytes(10), 4090)
except OSError as e:
    say("outside", n=-e.errno)
idle()
""")
    assert s.until("block")["b"] == 0x55
    assert s.until("outside")["n"] == 260


def test_random_bytes_repeat_with_the_seed_and_go_on_over_boots(script):
    text = """
import os
say("random", a=int.from_bytes(os.urandom(3), "big"), b=int.from_bytes(os.urandom(3), "big"))
idle()
"""
    one, two, other = (script(text, seed=seed) for seed in ("0" * 64, "0" * 64, "1" * 64))
    first = one.until("random")
    second = two.until("random")
    assert (first["a"], first["b"]) == (second["a"], second["b"])
    assert first["a"] != first["b"]
    assert first["a"] != other.until("random")["a"]
    one.table.power(False)
    one.table.power(True)
    assert one.until("random")["a"] != first["a"]


@pytest.mark.parametrize(("call", "cause"), [("machine.reset()", 2), ("time.sleep_ms(1500)", 3)])
def test_a_reset_starts_the_firmware_anew_and_says_why(script, call, cause):
    s = script(f"""
say("boot", cause=machine.reset_cause(), ticks=time.ticks_ms())
WDT(timeout=1000)
for i in range(5):
    time.sleep_ms(900)
    WDT(timeout=1000).feed()
if machine.reset_cause() == 1:
    {call}
idle()
""")
    assert s.until("boot")["cause"] == 1
    again = s.until("boot", 20_000)
    assert (again["cause"], again["ticks"]) == (cause, 0)
    assert again["t"] >= 4500  # since power on, not since the reset


def test_sound_is_taken_at_its_rate(script):
    s = script("""
from machine import I2S
out = I2S(0, sck=Pin(16), ws=Pin(17), sd=Pin(4), mode=I2S.TX, bits=16, format=I2S.MONO, rate=16000, ibuf=4000)
t = time.ticks_ms()
for i in range(5):
    out.write(bytes(3200))
say("sound", ms=time.ticks_diff(time.ticks_ms(), t))
idle()
""")
    # 16,000 bytes at 32 a millisecond, less the 3,584 (seven whole DMA buffers) that are still to be played.
    assert s.until("sound")["ms"] == 388
    assert s.table.board.sound.bytes_in == 16_000


def test_the_clock_chip_counts_days_and_keeps_its_time_through_a_power_cut(script):
    s = script("""
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
if machine.reset_cause() == 1 and i2c.readfrom_mem(0x68, 6, 1)[0] != 0x28:
    i2c.writeto_mem(0x68, 0, bytes((0x58, 0x59, 0x23, 2, 0x29, 0x02, 0x28)))
    time.sleep_ms(1000)
b = i2c.readfrom_mem(0x68, 0, 7)
say("date", s=b[0], m=b[1], h=b[2], day=b[4], month=b[5], year=b[6])
idle()
""")
    e = s.until("date")
    assert (e["year"], e["month"], e["day"], e["h"], e["m"]) == (0x28, 0x02, 0x29, 0x23, 0x59)
    s.table.power(False)
    s.table.advance(3000)
    s.table.power(True)
    e = s.until("date")
    assert (e["year"], e["month"], e["day"], e["h"], e["m"]) == (0x28, 0x03, 0x01, 0x00, 0x00)


def test_a_crash_leaves_its_traceback(script):
    s = script("""
say("boot")
time.sleep_ms(10)
1 // 0
""")
    s.until("boot")
    s.table.advance(1000)
    assert s.table.crashed == "The firmware crashed."
    assert "ZeroDivisionError" in s.table.last_errors
    assert "main.py" in s.table.last_errors


def test_firmware_that_returns_is_no_running_table(script):
    s = script("say('boot')")
    s.table.advance(1000)
    assert s.table.crashed == "The firmware came to its end."


def test_console_lines_are_read_without_waiting(script):
    s = script("""
import json
import select
p = select.poll()
p.register(sys.stdin, select.POLLIN)
rounds = 0
while True:
    rounds += 1
    if p.poll(0):
        line = json.loads(sys.stdin.readline())
        print('{"re":"%s","ok":true,"n":%d}' % (line["cmd"], line["n"] + 1))
    time.sleep_ms(5)
""")
    s.table.advance(50)
    assert s.table.command({"cmd": "count", "n": 41}) == {"re": "count", "ok": True, "n": 42}
