"""Every "no" of the rules: a name, the rule it rests on, and the sentence a croupier understands.

Theory. What may fail is a value, never an exception: a caller gets either an answer or a `Refusal`. Reasons
stand here in the order in which they are checked; where two hold, the first one named is the answer, so the
same mistake always gets the same words. This file must not know how a reason is found.
"""

from enum import Enum
from typing import NamedTuple


class Reason(Enum):
    """Why not. The value is the rule and the sentence; `{...}` is filled in by the refusal."""

    # Bets (bets.py)
    TABLE_LOCKED = ("R-5", "No más apuestas: la mesa está cerrada. Los créditos quedan en la posición {seat}.")
    SEAT_CLOSED = ("R-6", "La posición {seat} está cerrada y no puede apostar.")
    BET_MADE = ("R-7", "La posición {seat} ya apostó en este pase: una apuesta por posición y pase.")
    NOT_ENOUGH_CREDITS = ("R-2", "La posición {seat} tiene {held} créditos; no alcanzan para apostar {pressed}.")
    BELOW_LIMIT = ("R-3", "La apuesta de la posición {seat} sería {bet}, bajo el mínimo de {limit}.")
    ABOVE_LIMIT = ("R-4", "La apuesta de la posición {seat} sería {bet}, sobre el máximo de {limit}.")

    # The pass as it was dealt, then the claims made on it (claims.py)
    SEAT_UNKNOWN = ("R-7", "La mesa de {modality} tiene las posiciones 1 a {seats}; no existe la {seat}.")
    SEAT_TWICE = ("R-7", "La posición {seat} aparece dos veces: una apuesta y una mano por posición y pase.")
    BET_NOT_WHOLE_UNITS = ("R-11", "La apuesta {bet} no es un número entero de unidades de {unit}.")
    COMMUNITY_COUNT = ("R-8", "En {modality} cuentan {wanted} cartas comunes; se dieron {given}.")
    HAND_INCOMPLETE = ("R-8", "En {modality} la mano de la posición {seat} tiene {wanted} cartas; se dieron {given}.")
    CARD_TWICE = ("R-32", "La carta {card} aparece dos veces en el mismo pase.")
    NOT_LOCKED = ("R-5", 'El pase no está cerrado: primero "no más apuestas", después los premios.')
    HAND_IS_NOT_THAT = ("R-32", "La mano de la posición {seat} no es {claimed}; es {made}.")
    NOT_IN_PAYTABLE = ("R-11", "Este reglamento no paga {claimed}.")
    CARDS_REQUIRED = ("R-32", "Para {claimed} hay que dar las cartas de la posición {seat}.")
    HAND_IMPOSSIBLE = ("R-32", "Con las cartas del pase, la posición {seat} no puede tener {claimed}.")
    HANDS_IMPOSSIBLE_TOGETHER = (
        "R-32",
        "Con las cartas que se conocen, en un mismo pase de {modality} no puede haber a la vez {hands}.",
    )

    # After an award was paid (reversal.py)
    ALREADY_PAID = ("R-34", "Ya se pagó un premio de este pase: a un ganador posterior le paga la casa (dos personas).")
    VOID_AFTER_PAYMENT = ("R-25", "Ya se pagó un premio de este pase: no se puede anular.")

    # Changes of an approved plan, and what needs two persons (plan.py, approval.py)
    PASS_OPEN = ("R-26", "Hay un pase en curso: el plan cambia solo entre pases.")
    AWARD_PENDING = ("R-26", "Hay un premio pendiente: el plan cambia cuando no queda ninguno.")
    RESOLUTION_MISSING = ("R-26", "Falta el número de la resolución que aprueba el cambio.")
    TWO_PERSONS_NEEDED = ("R-26", "Hace falta la aprobación de dos personas distintas.")

    @property
    def code(self) -> str:
        """The stable name for programs."""
        return self.name.lower()

    @property
    def rule(self) -> str:
        return self.value[0]

    @property
    def sentence(self) -> str:
        return self.value[1]


class Refusal(NamedTuple):
    """One reason, the place it concerns, and the words to fill its sentence with."""

    reason: Reason
    where: str
    words: dict[str, object]

    @property
    def message(self) -> str:
        return self.reason.sentence.format(**self.words)


def refuse(reason: Reason, where: str, **words: object) -> Refusal:
    """A refusal, in one line at the place that found it."""
    return Refusal(reason, where, words)
