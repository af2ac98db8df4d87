"""Entry of ``python -m host``."""

import sys

from host.cli import main

if __name__ == "__main__":
    sys.exit(main())
