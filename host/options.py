"""The form of a command's options and help, which all share."""

import argparse
import textwrap

from . import statuses


def parser(command, description, examples, port=True):
    """An argument parser with the statuses and examples in its help."""
    p = argparse.ArgumentParser(
        prog=f"python -m host {command}",
        description=textwrap.fill(description, 100),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=statuses.text(command) + "\n\nexamples:\n" + "\n".join(f"  {line}" for line in examples),
    )
    if port:
        p.add_argument(
            "--port",
            metavar="PORT",
            help="device, or URL as rfc2217://host:port (default: SHUANGKOU_PORT, else the only board connected)",
        )
    return p
