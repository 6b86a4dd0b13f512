"""A new node: its key, its record, its first people, its plans.

Theory. Two administrators found a node together, and each vouches for the other and states that he knows all whom they
enrol (R-36): with the first fact they may sign, and from their enrolment on they have PINs. What follows are inputs
like any others, answered by the core; the first refusal undoes the whole founding, so that a half-founded node never
exists. What people do afterwards is not known here.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import count
from typing import NamedTuple

from controller.core.facts import Refused
from controller.core.inputs import EnrolPerson, StagePlan
from controller.core.links.placed import away_of, is_named
from controller.core.state import plan_of
from controller.core.values import Role, Signature
from controller.node.book.book import Asked, Book, key_of, pepper_of, record_of
from controller.node.book.chain import Key
from controller.node.book.heads import add_newest, own_place
from controller.node.book.link_key import LinkKey
from controller.node.book.pins import Pepper, secret_of, verifier_of
from controller.node.store.backup import remove
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.disk import private_folder
from controller.node.vocabulary.places import Node, PlanFile
from controller.node.vocabulary.protocol import is_pin
from controller.rules.approval import as_read


class Administrator(NamedTuple):
    person: str
    name: str
    pin: str


class Member(NamedTuple):
    """Somebody who works here from the first day."""

    person: str
    name: str
    roles: tuple[Role, ...]
    pin: str


class FoundingRefused(Exception):  # noqa: N818  says what happened
    """Nothing was founded; the core's own sentence."""


def found(
    node: Node, administrators: tuple[Administrator, Administrator], people: Sequence[Member], at: Millis
) -> None:
    """A node that can be started: or FoundingRefused, StoreRefused, and no record."""
    one, other = administrators
    record = record_of(node.folder)
    private_folder(node.folder)
    if record.exists():
        raise StoreRefused(str(record), "aquí ya hay un registro; no se reemplaza")
    if own_place(record).exists():
        what = "atestigua un registro que estuvo aquí; se restaura (pozo restore), o se funda en una carpeta vacía"
        raise StoreRefused(str(own_place(record)), what)
    names = [
        *(name for admin in administrators for name in (admin.person, admin.name)),
        *(one.person for one in people),
    ]
    if any(map(is_pin, names)):
        raise FoundingRefused("donde va el nombre de una persona vino algo como un PIN; nada se registró")
    if as_read(one.person) == as_read(other.person):
        raise FoundingRefused("un nodo lo fundan dos administradores distintos")
    with ExitStack() as undo:
        undo.callback(remove, record)  # what is left is a key that vouches for nothing
        key, pepper = Key.load_or_make(key_of(node.folder)), Pepper.load_or_make(pepper_of(node.folder))
        with closing(Book.create(record, key, node.name, (one.person, other.person), at)) as book:
            if not book.state.node:
                raise FoundingRefused("el nombre del nodo o de un administrador no es admisible")
            for number, (asked, verifier) in zip(count(1), _asks(node, administrators, people, pepper), strict=False):
                _take(book, Asked(OutcomeKey(f"{node.name}/founding", 1, number), at, asked, verifier))
            book.checkpoint()
            add_newest(book.store, own_place(record), key.public)
        LinkKey.load_or_make(node.folder)
        undo.pop_all()


def _asks(
    node: Node, administrators: tuple[Administrator, Administrator], people: Sequence[Member], pepper: Pepper
) -> Iterator[tuple[EnrolPerson | StagePlan, str]]:
    one, other = (Signature(administrator.person) for administrator in administrators)
    first = [Member(person, name, (Role.ADMINISTRATOR,), pin) for person, name, pin in administrators]
    for member in (*first, *people):
        verifier = verifier_of(member.pin, member.person, pepper)
        by, second = (other, one) if member.person == one.person else (one, other)
        yield (
            EnrolPerson(member.person, member.name, member.roles, secret_of(verifier), by, second, known=True),
            verifier,
        )
    for plan in filter(partial(_is_of_this_node, node.name), node.plans):
        yield StagePlan(plan.documents.plan, plan.documents.ruleset, one, other), ""


def _is_of_this_node(node: str, file: PlanFile) -> bool:
    """R-28: of a pot that nodes share the plan is staged once its neighbours are pinned, and at its owner alone."""
    plan = plan_of(file.documents)
    return not is_named(plan, node) and not away_of(plan, node, owns_it=True)


def _take(book: Book, asked: Asked) -> None:
    (answer,) = book.take([asked])
    for fact in answer.facts:
        if isinstance(fact, Refused):
            raise FoundingRefused(f"{fact.message} ({fact.rule})")
