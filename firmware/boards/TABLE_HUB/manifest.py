"""Everything the hub runs, frozen: named one by one; a test holds this list to the sources."""

# What MicroPython needs of its own to start (_boot, flashbdev, inisetup), and the ring's driver.
freeze("$(PORT_DIR)/modules", ("_boot.py", "flashbdev.py", "inisetup.py"))
require("neopixel")

FIRMWARE = "$(BOARD_DIR)/../.."

for name in (
    "acts.py",
    "assembly.py",
    "boot.py",
    "booting.py",
    "checking.py",
    "commands.py",
    "console.py",
    "copying.py",
    "dealing.py",
    "evening.py",
    "game.py",
    "gathering.py",
    "hub.py",
    "joining.py",
    "journal.py",
    "keeping.py",
    "keys.py",
    "ledger.py",
    "locking.py",
    "main.py",
    "opening.py",
    "pins.py",
    "players.py",
    "record.py",
    "repeat.py",
    "restoring.py",
    "running.py",
    "safe.py",
    "seating.py",
    "seats.py",
    "sectors.py",
    "settings.py",
    "settling.py",
    "shelf.py",
    "slots.py",
    "starter.py",
    "starting.py",
    "testing.py",
    "trial.py",
    "version.py",
):
    module(name, base_path=FIRMWARE)

package(
    "drivers",
    (
        "__init__.py",
        "bring_up.py",
        "ds3231.py",
        "flash.py",
        "ili9341.py",
        "mcp23017.py",
        "ring.py",
    ),
    base_path=FIRMWARE,
)
package(
    "screen",
    (
        "__init__.py",
        "canvas.py",
        "cards.py",
        "compact.py",
        "hand.py",
        "lobby.py",
        "play.py",
        "seat.py",
        "settle.py",
        "texts.py",
        "type.py",
    ),
    base_path=FIRMWARE,
)
package(
    "shared_rules",
    (
        "__init__.py",
        "bot.py",
        "cards.py",
        "classify.py",
        "compare.py",
        "deal.py",
        "dialect.py",
        "generate.py",
        "hints.py",
        "meld.py",
        "names.py",
        "plan.py",
        "rulesets.py",
        "score.py",
        "table.py",
        "titles.py",
        "why.py",
    ),
    base_path="$(BOARD_DIR)/../../..",
)
