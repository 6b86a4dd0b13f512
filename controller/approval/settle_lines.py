"""`pozo settle`: one pass a line, and what it pays.

Theory. A line is the record of one pass: the pot as it stood, the cards, and what each seat did. The answer
gives the awards in paying order with their sources and rules, every other seat with the reason why it is
paid nothing, the pot afterwards, and what the house and the reserves put in. Nothing is computed here: the
line becomes the types of `rules`, and their answer becomes a line.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.approval.lines import Amount, Answer, LineError, LineId, Name, read_line, refuse_names_taken
from controller.rules.cards import CARDS, CATEGORIES, LABELS, Card, Category
from controller.rules.claims import Pass, judge
from controller.rules.eligibility import RULES_OF, SeatRecord
from controller.rules.money import MOST_BET, MOST_MONEY, Money
from controller.rules.pot import MOST_RESERVES, Pot, Reserve, Sources
from controller.rules.refusal import Refusal
from controller.rules.ruleset import Forfeit, Ruleset
from controller.rules.settlement import Award, settle

BetAmount = Annotated[int, Meta(ge=0, le=MOST_BET)]
CardText = Annotated[str, Meta(max_length=16)]
CategoryName = Literal["escalera", "color", "full", "poker", "escalera_color", "escalera_real"]


class SeatLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    seat: Annotated[int, Meta(ge=0, le=99)]
    bet: BetAmount
    cards: list[CardText] | None = None
    category: CategoryName | None = None
    folded: bool = False
    exchanged: bool = False
    bought: bool = False
    lamp: bool = True


class ReserveLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    name: Name
    amount: Amount


class PotLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    main: Amount
    base: Amount = 0
    reserves: Annotated[list[ReserveLine], Meta(max_length=MOST_RESERVES)] = []


class SettleLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    id: LineId
    ruleset: str
    modality: str
    pot: PotLine
    seats: list[SeatLine]
    unit: Annotated[int, Meta(ge=1, le=MOST_MONEY)] | None = None
    community: list[CardText] = []
    locked: bool = True


_RULES = {
    "id": "R-27", "ruleset": "R-26", "modality": "R-7", "unit": "R-11", "community": "R-8", "locked": "R-5",
    "pot": "R-24", "main": "R-1", "base": "R-1", "reserves": "R-24", "name": "R-24", "amount": "R-1",
    "seats": "R-7", "seat": "R-7", "bet": "R-1", "cards": "R-32", "category": "R-10",
    "folded": "R-8", "exchanged": "R-8", "bought": "R-8", "lamp": "R-6",
}  # fmt: skip

_DECODER = msgspec.json.Decoder(SettleLine)
_ENCODE = msgspec.json.Encoder().encode
_ACTS = {
    flags: frozenset(act for act, done in zip(Forfeit, flags, strict=True) if done)
    for flags in product((False, True), repeat=len(Forfeit))
}
assert tuple(Forfeit) == ("folded", "exchanged", "bought"), "the order in which _record gives the flags"


def answers(rulesets: Mapping[str, Ruleset]) -> Answer:
    """The answer to each line, under the rulesets that were loaded."""

    def answer(line: bytes) -> Iterable[bytes]:
        asked = read_line(line, _DECODER, _RULES)
        ruleset = rulesets.get(asked.ruleset)
        if ruleset is None:
            known = ", ".join(sorted(rulesets))
            raise LineError("unknown_ruleset", f"No existe el reglamento; hay {known}.", "R-26", "ruleset")
        return (_ENCODE(_settled(ruleset, asked)), b"\n")

    return answer


def _settled(ruleset: Ruleset, asked: SettleLine) -> dict[str, object]:
    dealt = _pass(ruleset, asked)
    pot = _pot(asked.pot)
    judged = judge(ruleset, dealt)
    if isinstance(judged, Refusal):
        raise LineError.from_refusal(judged)
    settled = settle(ruleset, pot, judged.wins, dealt.unit)
    return {
        "id": asked.id,
        "awards": [_award(award, pot) for award in settled.awards],
        "not_paid": [
            {"seat": unpaid.seat, "reason": unpaid.reason.value, "rules": RULES_OF[unpaid.reason]}
            for unpaid in judged.not_paid
        ],
        "pot": {
            "main": settled.pot.main,
            "reserves": [{"name": reserve.name, "amount": reserve.amount} for reserve in settled.pot.reserves],
        },
        "house_advance": settled.house_advance,
        "reset": None if settled.reset is None else _parts(settled.reset, pot),
    }


def _pass(ruleset: Ruleset, asked: SettleLine) -> Pass:
    modality = ruleset.modalities.get(asked.modality)
    if modality is None:
        known = ", ".join(ruleset.modalities)
        raise LineError("unknown_modality", f"El reglamento tiene {known}.", "R-7", "modality")
    if asked.unit is None and ruleset.pays_per_unit:
        message = "Este reglamento paga por unidad apostada: falta cuánto vale una."
        raise LineError("missing_key", message, "R-11", "unit")
    if len(asked.seats) > modality.seats:  # a list longer than the table is refused before it is looked at
        message = f"La mesa de {modality.name} tiene {modality.seats} posiciones; la línea trae {len(asked.seats)}."
        raise LineError("too_many_seats", message, "R-7", "seats")
    community = _cards(asked.community, "community")
    seats = tuple(_record(at, seat) for at, seat in enumerate(asked.seats))
    unit = asked.unit if asked.unit is not None and ruleset.pays_per_unit else 1
    return Pass(modality, Money(unit), community, seats, asked.locked)


def _record(at: int, seat: SeatLine) -> SeatRecord:
    cards = None if seat.cards is None else _cards(seat.cards, f"seats[{at}].cards")
    claimed = Category.NOTHING if seat.category is None else CATEGORIES[seat.category]
    acts = _ACTS[seat.folded, seat.exchanged, seat.bought]
    return SeatRecord(seat.seat, Money(seat.bet), seat.lamp, acts, cards, claimed)


def _cards(texts: list[str], place: str) -> tuple[Card, ...]:
    try:
        return tuple([CARDS[text] for text in texts])
    except KeyError:
        at = next(at for at, text in enumerate(texts) if text not in CARDS)
    message = f"{texts[at][:16]} no es una carta: se escribe valor (23456789TJQKA) y pinta (cdhs), como Ts."
    raise LineError("unknown_card", message, "R-32", f"{place}[{at}]")


def _pot(pot: PotLine) -> Pot:
    names = [reserve.name for reserve in pot.reserves]
    refuse_names_taken(names, [f"pot.reserves[{at}].name" for at in range(len(names))])
    reserves = tuple([Reserve(reserve.name, Money(reserve.amount)) for reserve in pot.reserves])
    return Pot(Money(pot.main), Money(pot.base), reserves)


def _award(award: Award, pot: Pot) -> dict[str, object]:
    return {
        "seat": award.seat,
        "category": LABELS[award.category],
        "amount": award.amount,
        "from": _parts(award.sources, pot),
        "rules": award.rules,
    }


def _parts(sources: Sources, pot: Pot) -> dict[str, Money]:
    """Who gave how much, by name; zero parts are left out."""
    parts = {"main": sources.main} if sources.main else {}
    for reserve, amount in zip(pot.reserves, sources.reserves, strict=True):
        if amount:
            parts[reserve.name] = amount
    if sources.house:
        parts["house"] = sources.house
    return parts
