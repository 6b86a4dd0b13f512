"""`pozo describe`: what the control socket of a node takes and says, for who writes a program that talks with one.

Theory. The same document that a running node of this version gives; no node is needed. Nothing is decided here.
"""

import click

from controller.node.control.description import description_body
from controller.node.control.reference import page


@click.command()
@click.option("--page", "as_page", is_flag=True, help="The page docs/operators/control-reference.md.")
def describe(*, as_page: bool) -> None:
    """Every input, deed, fact and view of the control socket with its fields, as JSON schemas."""
    click.echo(page() if as_page else description_body().decode(), nl=not as_page)
