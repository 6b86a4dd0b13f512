"""`pozo install` and `pozo uninstall`: the service on a Debian machine (controller/node/service/debian.py does it).

Exit code 0: all is in place, also if it was before. 1: it was refused, in one sentence.
"""

import sys
from pathlib import Path

import click

from controller.node.service.debian import InstallRefused, install, program_of_this_python, uninstall

_ROOT = click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/"),
    help="Install below this folder, and call none of the machine's tools: for images and tests.",
)


@click.command("install")
@_ROOT
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    help="The command that the service runs.  [default: the one beside this Python]",
)
def install_command(root: Path, program: Path | None) -> None:
    """Put unit files, user, folders, udev rules and a commented configuration in place; may be repeated."""
    try:
        for done in install(root, program or program_of_this_python()):
            click.echo(f"{done.what:<9} {done.place}")
    except InstallRefused as refused:
        sys.exit(f"pozo: {refused}")
    click.echo("next: edit /etc/pozo/central.toml; pozo node --check /etc/pozo/central.toml;")
    click.echo("      pozo found /etc/pozo/central.toml; systemctl enable --now pozo.target pozo-node@central")


@click.command("uninstall")
@_ROOT
def uninstall_command(root: Path) -> None:
    """Take the service away. The record, its seeds and the settings stay where they are."""
    for done in uninstall(root):
        click.echo(f"{done.what:<9} {done.place}")
