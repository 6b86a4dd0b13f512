"""The awards on the list: how a person names them, and the orders that confirm and pay them (R-13, R-21).

Theory. An award is called by the shortest end of its name that no other has. Without a name all are meant that can be
decided now, in the order in which they are paid: the same persons sign them together. Pure.
"""

from collections.abc import Callable, Sequence
from typing import Any

from controller.core import inputs as ask
from controller.core.view import AwardView
from controller.ctl.intent import NOBODY, CtlOrder, Intent, Misspoken, OrderPlace, asked
from controller.node.vocabulary.protocol import NodeView


def awards_of(view: NodeView, table: str) -> list[AwardView]:
    """The awards that wait for a decision at a table, in paying order (R-13); without a table, everywhere."""
    return [award for pot in view.pots for award in pot.awards if not table or award.table == table]


def labels(awards: Sequence[AwardView]) -> dict[str, str]:
    """Name each award by the shortest end of its name that no other has, so that no name ever passes to another award
    while a person types it."""
    ends_of: dict[str, str] = {}
    for award in awards:
        parts = award.award.split("/")
        ends = ["/".join(parts[at:]) for at in reversed(range(len(parts)))]
        ends_of[award.award] = next(
            end for end in ends if sum(f"/{other.award}".endswith(f"/{end}") for other in awards) == 1
        )
    return ends_of


def award_named(place: OrderPlace, word: str) -> str:
    """Find an award by the end of its name that no other has, or by its whole name."""
    names = [award.award for award in awards_of(place.view, place.table)]
    found = [name for name in names if f"/{name}".endswith(f"/{word}")]
    if len(found) > 1:
        raise Misspoken(f"Hay varios premios {word}: {', '.join(found)}")
    if not found and word.count("/") < 2:
        raise Misspoken(f"No hay un premio {word} en la lista" if names else "No hay premios pendientes")
    return found[0] if found else word


def _awards(place: OrderPlace, words: Sequence[str], kind: Callable[..., Any], *, confirmed: bool) -> Intent:
    """R-13: those that are named, or all that can be decided, in the order in which they are paid."""
    ready = [one.award for one in awards_of(place.view, place.table) if one.confirmed is confirmed and not _waits(one)]
    if not words and not place.table:
        raise Misspoken(f"Se escribe: {'pagar' if confirmed else 'confirmar'} PREMIO")
    names = [award_named(place, word) for word in words[0].split(",")] if words else ready
    if not names:
        raise Misspoken(f"No hay premios por {'pagar' if confirmed else 'confirmar'}")
    first, *others = (kind(name, NOBODY) for name in names)
    told = "" if words else f"Premios {', '.join(_short(place, name) for name in names)}."
    return asked(first)._replace(more=tuple(others), told=told)


def _waits(award: AwardView) -> bool:
    """R-20, R-34: for the owner of its pot."""
    return award.waits or award.frozen or bool(award.doubted)


def _short(place: OrderPlace, name: str) -> str:
    return labels(awards_of(place.view, place.table))[name]


def claim_named(place: OrderPlace, word: str) -> str:
    if word.count("/") == 2:
        return word
    return award_named(place, word).rpartition("/")[0]


CONFIRM = CtlOrder(
    "confirmar", "k", ("[PREMIOS]",), "El jefe verificó un premio; sin número, todos.",
    lambda place, words: _awards(place, words, ask.ConfirmAward, confirmed=False), at_table=False,
)  # fmt: skip
PAY = CtlOrder(
    "pagar", "p", ("[PREMIOS]",), "El premio se entregó; sin número, todos.",
    lambda place, words: _awards(place, words, ask.PayAward, confirmed=True), at_table=False,
)  # fmt: skip
