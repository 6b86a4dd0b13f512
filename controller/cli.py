"""The `pozo` command. It wires everything and is the only file that may import all.

Theory. The commands stand in `cli_*.py`, each family in its file; here they become one command, and every expected
trouble of any of them becomes one line on standard error.
"""

import os
import sys

import click

from controller.audit.record import RecordDamaged
from controller.audit.report_record import ReportRefused
from controller.audit.verify_chain import NoWitness
from controller.cli_devices import device
from controller.cli_install import install_command, uninstall_command
from controller.cli_law import accrue, odds, plan, settle
from controller.cli_node import found, node
from controller.cli_record import backup, explain, export, meters, rehearse, report, restore, verify
from controller.cli_sim import sim
from controller.ctl.command import ctl
from controller.demo.command import demo
from controller.node.book import BookDamaged
from controller.node.chain import KeyRefused
from controller.node.store_failure import StoreError
from controller.rules.document import DocumentError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="pozo")
def pozo() -> None:
    """The progressive-jackpot controller for physical card tables."""


for _command in (
    settle, accrue, plan, odds,
    rehearse, verify, report, explain, meters, export, backup, restore,
    node, found, ctl, demo,
    sim, device,
    install_command, uninstall_command,
):  # fmt: skip
    pozo.add_command(_command)


def main() -> None:
    """Run the command; every expected trouble is one line on stderr."""
    if not __debug__:
        sys.exit("pozo: assertions are off (python -O); money needs them on")
    if sys.stdin is None or sys.stdout is None:
        sys.exit("pozo: standard input or output is closed")
    try:
        pozo()
    except (DocumentError, StoreError, KeyRefused, BookDamaged, RecordDamaged, ReportRefused, NoWitness) as error:
        sys.exit(f"pozo: {error}")
    except OSError as error:
        # Keep the interpreter from complaining once more when it closes what could not be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Whoever read us may have seen enough; that is not worth a word.
        sys.exit(
            1
            if isinstance(error, BrokenPipeError)
            else "pozo: " + ": ".join(filter(None, (error.filename, error.strerror)))
        )
