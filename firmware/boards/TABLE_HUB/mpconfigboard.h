#define MICROPY_HW_BOARD_NAME "Table hub"
#define MICROPY_HW_MCU_NAME "ESP32"

// The fonts lie in the ROM file system: partition 'romfs', mounted at /rom.
#define MICROPY_VFS_ROM (1)

// No radio is used: its room in the application's partition goes to the frozen modules.
#define MICROPY_PY_BLUETOOTH (0)
