"""The awards on the list: how a person names them, and the orders that confirm and pay them (R-13, R-21).

Theory. An award is called by the shortest end of its name that no other has. Without a name all are meant that can be
decided now, in the order in which they are paid: the same persons sign them together. Pure.
"""

from collections.abc import Callable, Sequence
from typing import Any

from controller.core import inputs as ask
from controller.core.view import AwardView
from controller.ctl.intent import NOBODY, CtlOrder, Intent, Misspoken, OrderPlace, asked
from controller.ctl.words import money_at
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


def _confirm(place: OrderPlace, words: Sequence[str]) -> Intent:
    awards = _meant(place, words, [one for one in _ready(place) if not one.confirmed], "confirmar")
    names = labels(awards_of(place.view, place.table))
    told = "" if words else f"Premios {', '.join(names[award] for award in awards)}."
    return _each(ask.ConfirmAward, awards)._replace(told=told)


def _pay(place: OrderPlace, words: Sequence[str]) -> Intent:
    """Who pays without saying which is asked once: his PIN is kept, and F7 and Enter lie close together."""
    ready = [one for one in _ready(place) if one.confirmed]
    awards = _meant(place, words, ready, "pagar")
    names, money = labels(awards_of(place.view, place.table)), money_at(place.view, place.table)
    handed = (f"{names[one.award]}: {money(one.amount - one.advanced)}{_FORM[one.promo]}" for one in ready)
    return _each(ask.PayAward, awards)._replace(asks="" if words else f"Premios {'; '.join(handed)}. ¿Se entregaron?")


def _ready(place: OrderPlace) -> list[AwardView]:
    """R-20, R-34: what waits for the owner of its pot is not decided here."""
    awards = awards_of(place.view, place.table) if place.table else []
    return [one for one in awards if not (one.waits or one.frozen or one.doubted)]


def _meant(place: OrderPlace, words: Sequence[str], ready: Sequence[AwardView], what: str) -> list[str]:
    """R-13: those that are named, or all that can be decided, in the order in which they are paid."""
    if words:
        return [award_named(place, word) for word in words[0].split(",")]
    if not place.table:
        raise Misspoken(f"Se escribe: {what} PREMIO")
    if not ready:
        raise Misspoken(f"No hay premios por {what}")
    return [one.award for one in ready]


def _each(kind: Callable[..., Any], awards: Sequence[str]) -> Intent:
    first, *others = (kind(award, NOBODY) for award in awards)
    return asked(first)._replace(more=tuple(others))


_FORM = {False: "", True: " en créditos"}
"""R-29: how an award is handed; promotional ones are loaded on the seat."""


def claim_named(place: OrderPlace, word: str) -> str:
    if word.count("/") == 2:
        return word
    return award_named(place, word).rpartition("/")[0]


CONFIRM = CtlOrder(
    "confirmar", "k", ("[PREMIOS]",), "El jefe verificó un premio; sin número, todos.", _confirm, at_table=False
)
PAY = CtlOrder("pagar", "p", ("[PREMIOS]",), "El premio se entregó; sin número, todos.", _pay, at_table=False)
