"""What a member does with a ticket that is not his: he has all of it, as if he had read the memory that it lies in."""

from pathlib import Path

from controller.node.control.client import Client, doing
from controller.node.vocabulary.protocol import Deed, Ticket


def uses(control: Path, _until: float, *words: str) -> None:
    """Opens the table with it, and says what he was answered."""
    person, terminal, table, number, key, node, epoch = words
    ticket = Ticket(person, terminal, table, number, bytes.fromhex(key), node, int(epoch))
    with Client(control) as client:
        trouble = client.ask(doing(Deed.UNLOCK, ticket, table=table)).trouble
    print(trouble.reason if trouble is not None else "done")
