"""Acts that are unusual by themselves, whatever came before: one line each, with who, where, how much and why (R-36).

Theory. Honest play brings each of them seldom, and each is a step of a fraud that somebody has played: credits of a
player who left are handed out, a difference is cleared, an award set aside, money moved, a person enrolled, a lamp said
to be dark, a seat closed by hand. That a name or an act was refused because it would have been one person's twice is
listed too: who tried it once may try it again.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from controller.core import facts
from controller.core.facts import Fact
from controller.core.values import Box, Tending
from controller.rules.belief import DISBELIEVED_WORDS
from controller.rules.refusal import Reason

TRIED = frozenset(
    reason.code
    for reason in (
        Reason.OWN_ENTRY, Reason.NAME_READ_ALIKE, Reason.CHANGES_SIDES, Reason.ADMINISTRATOR_IS_CROUPIER,
        Reason.LAW_NOT_ITS_NAME, Reason.SEAT_DID_NOT_BET, Reason.ROLES_CLASH, Reason.SEED_FOUND,
    )
)  # fmt: skip
"""Refusals that honest people meet seldom, and that end a fraud."""


class OddAct(NamedTuple):
    """What an act is called, at which seat, about how much money, and more in words."""

    kind: str
    seat: int
    amount: int
    what: str


def act_of(fact: Fact) -> OddAct | None:
    """Whether a fact is such an act."""
    told = _ACTS.get(type(fact))
    return told(fact) if told is not None else None


def _left(fact: Any) -> OddAct | None:
    return None if fact.practice else OddAct("left", 0, fact.amount, "entregado")


def _lamp(fact: Any) -> OddAct | None:
    back = 0 if fact.refund is None else fact.refund.total
    return OddAct("lamp", fact.seat, back, "apuesta devuelta") if fact.by else None


def _tested(fact: Any) -> OddAct | None:
    dark = ", ".join(map(str, fact.dark))
    return OddAct("lamp", 0, 0, f"prueba: no encendieron {dark}") if dark else None


def _closed(fact: Any) -> OddAct | None:
    return OddAct("seat", fact.seat, 0, f"cerrada: {fact.reason}") if fact.by else None


def _tended(fact: Any) -> OddAct | None:
    """Of seat 0: of the table's devices themselves."""
    return OddAct("device", fact.seat, 0, "fallas borradas") if fact.what is Tending.FAULTS else None


def _firmware(fact: Any) -> OddAct | None:
    """R-27: what counts money there now; what was there first is no change."""
    return OddAct("device", 0, 0, f"{fact.unit}: {_box(fact.was)} → {_box(fact.box)}") if fact.was else None


def _box(box: Box) -> str:
    return f"serie {box.serial:08X}, programa {box.firmware} ({box.check:04X})"


def _restored(fact: Any) -> OddAct:
    """R-27: with what is known to be lost; what its units counted meanwhile stands in the lines of their seats."""
    left = f"; llegaba por lo menos al hecho {fact.left.seq} de la época {fact.left.epoch}" if fact.left else ""
    return OddAct("restored", 0, 0, f"época {fact.epoch}: {fact.reason}{left}")


def _enrolled(fact: Any) -> OddAct:
    roles = ", ".join(fact.roles) or "sin papel"
    return OddAct("people", 0, 0, f"{fact.person} ({fact.name}): {roles}")


def _let_in(fact: Any) -> OddAct:
    """Who has the key may ask in a person's name, once that person typed his PIN there."""
    again = ", otra llave" if fact.replaces and fact.replaces != fact.key else ""
    return OddAct("people", 0, 0, f"terminal {fact.terminal}: {fact.use} {fact.place}".rstrip() + again)


def _refused(fact: Any) -> OddAct | None:
    return OddAct("tried", 0, 0, f"{fact.ask}: {fact.message}") if fact.reason in TRIED else None


_ACTS: Mapping[Any, Callable[[Any], OddAct | None]] = MappingProxyType(
    {
        facts.NodeRestored: _restored,
        facts.DeviceDisbelieved: lambda fact: OddAct(
            "device", fact.seat, 0, f"no se le cree: {DISBELIEVED_WORDS[fact.why]}"
        ),
        facts.CreditsLeft: lambda fact: OddAct("left", fact.seat, fact.amount, "apartado"),
        facts.LeftPaid: _left,
        facts.SuspenseCleared: lambda fact: OddAct("cleared", 0, fact.amount, fact.reason),
        facts.AwardSetAside: lambda fact: OddAct("aside", 0, fact.amount, f"{fact.award}: {fact.reason}"),
        facts.AwardAdvanced: lambda fact: OddAct("advance", fact.seat, fact.amount, f"{fact.award}: {fact.reason}"),
        facts.MoneyMoved: lambda fact: OddAct(
            "moved", 0, fact.amount, f"de {fact.source} a {fact.target}: {fact.resolution}"
        ),
        facts.PlanStaged: lambda fact: OddAct("plan", 0, 0, f"puesto en espera: {fact.resolution}"),
        facts.PlanWithdrawn: lambda _: OddAct("plan", 0, 0, "retirado"),
        facts.PersonEnrolled: _enrolled,
        facts.PersonUnlocked: lambda fact: OddAct("people", 0, 0, f"{fact.person}: desbloqueado"),
        facts.TerminalEnrolled: _let_in,
        facts.TerminalWithdrawn: lambda fact: OddAct("people", 0, 0, f"terminal {fact.terminal}: {fact.reason}"),
        facts.LampChanged: _lamp,
        facts.LampsTested: _tested,
        facts.SeatClosed: _closed,
        facts.SeatOpened: lambda fact: OddAct("seat", fact.seat, 0, "abierta otra vez"),
        facts.DeviceTended: _tended,
        facts.FirmwareSeen: _firmware,
        facts.VoidSigned: lambda fact: OddAct("signed", fact.seat, fact.amount, "se puede pagar en dinero"),
        facts.Refused: _refused,
    }
)
