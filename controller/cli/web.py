"""`pozo web`: the faces of a node in a browser, as a service runs them.

Theory. Only reads what is said on the command line; settings and serving are the web's own business.
"""

import sys
from pathlib import Path

import click

from controller.cli.asked import Mistyped
from controller.node.passage.web_key import NoWebKey, web_key
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.web.server import NEEDS_A_PERSON, run
from controller.web.settings import problems, read_settings


@click.command()
@click.argument("config", metavar="CONFIG", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--key", is_flag=True, help="Say by which key nodes of other boxes know this web, and end.")
@click.option("--check", is_flag=True, help="Read the settings, say everything that is wrong with them, and end.")
def web(config: Path, check: bool, key: bool) -> None:
    """Serve the faces of a node in a browser (docs/operators/web.md).

    A process of its own: no table notices whether it runs. SIGTERM ends it within two seconds. Exit codes: 0 ended, 1
    broke and may be started again, 78 a person must act first.
    """
    if key:
        try:
            public = web_key(read_settings(config).folder).public.hex()
        except NoWebKey as refused:
            raise Mistyped(str(refused)) from None
        click.echo(f"llave  {public}\nhuella {fingerprint_of(public)}")
        return
    if not check:
        sys.exit(run(config))
    found = problems(config)
    for problem in found:
        click.echo(f"pozo: {problem}", err=True)
    if found:
        sys.exit(NEEDS_A_PERSON)
    settings = read_settings(config)
    click.echo(f"{config}: bien: {', '.join(settings.origins)}; letreros: {len(settings.signs)}")
    for box in settings.boxes:
        click.echo(f"caja {box.name}: {box.place[0]}, {box.place[1]}; huella de su nodo {fingerprint_of(box.key)}")
