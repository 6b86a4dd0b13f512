"""The `pozo` command: every family of commands by name, and every expected trouble as one line.

Theory. Each family stands in a file of its own, beside this one or in ctl and play; here they become one command. A
family is imported when its command is asked for, or help: a node that was killed is to play again at once, and needs
neither reports nor simulated devices for it.
"""

import os
import sys
from importlib import import_module

import click

from controller.about import VERSION

_FAMILIES = {
    "controller.cli.law": ("settle", "accrue", "plan", "odds"),
    "controller.cli.record": (
        "rehearse",
        "verify",
        "report",
        "explain",
        "meters",
        "export",
        "backup",
        "migrate",
    ),
    "controller.cli.clearing": ("clearing",),
    "controller.cli.restore": ("restore", "new-pins", "escrow"),
    "controller.cli.node": ("node", "found"),
    "controller.cli.describe": ("describe",),
    "controller.cli.release": ("release",),
    "controller.ctl.command": ("ctl",),
    "controller.play.command": ("demo",),
    "controller.cli.sim": ("sim",),
    "controller.cli.devices": ("device",),
    "controller.cli.install": ("install", "uninstall"),
    "controller.cli.keys": ("key",),
    "controller.cli.web": ("web",),
    "controller.cli.peers": ("peer",),
}
_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names}


class _Families(click.Group):
    """The commands of all families, by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click gives it
        return sorted(_FAMILY_OF)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click gives it
        if cmd_name not in _FAMILY_OF:
            return None
        family = vars(import_module(_FAMILY_OF[cmd_name]))
        found = family.get(f"{cmd_name.replace('-', '_')}_command") or family[cmd_name]
        assert isinstance(found, click.Command) and found.name == cmd_name, f"{cmd_name} is a command of its family"
        return found


@click.group(cls=_Families, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(VERSION, prog_name="pozo")
def pozo() -> None:
    """The progressive-jackpot controller for physical card tables."""


def main() -> None:
    """Run the command; every expected trouble is one line on stderr."""
    if not __debug__:
        sys.exit("pozo: assertions are off (python -O); money needs them on")
    if sys.stdin is None or sys.stdout is None:
        sys.exit("pozo: standard input or output is closed")
    try:
        pozo()
    except SystemExit:
        raise  # how every command ends; nothing more is looked up
    except OSError as error:
        # Keep the interpreter from complaining once more when it closes what could not be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)  # a reader that closed its end has seen enough: that is no error
        sys.exit("pozo: " + ": ".join(filter(None, (error.filename, error.strerror))))
    except import_module("controller.cli.troubles").EXPECTED as error:
        sys.exit(f"pozo: {error}")
