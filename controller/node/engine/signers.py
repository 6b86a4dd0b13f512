"""Whose PIN is tried at all: of those who may sign something now.

Theory. To try a PIN of somebody whom the core would refuse anyway could only tell a stranger whether it was right; so
the desk that tries them (control/pins.py) never gets the verifier of somebody locked or retired.
"""

from controller.core.people import may_sign
from controller.core.state import State
from controller.node.book.book import Book


def who_may_sign(state: State) -> frozenset[str]:
    return frozenset(name for name, person in state.people.items() if may_sign(person))


def verifiers(book: Book) -> dict[str, str]:
    signers = who_may_sign(book.state)
    return {row.id: row.verifier for row in book.store.people() if row.id in signers}
