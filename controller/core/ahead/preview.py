"""What an act would do, for the person who has not confirmed it yet: its awards, and how each amount comes about.

Theory. A preview is made of the facts that the act would be answered with now (foresight.py), and of nothing else. Who
confirms brings `sees` along, a fingerprint of the amounts that were shown to him: where the answer has another one by
then, he is shown it anew and nothing is registered (R-20). What the pot holds is not in it, nor who signs: only who
gets how much, by which rules and in which order.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from controller.core import facts as said
from controller.core.ahead.reckoning import reckoned
from controller.core.facts import Fact, Refused
from controller.core.project import prize_text, table_view
from controller.core.state import Claim, State, levels_of, money_of, plan_of
from controller.core.values import TRAINING, Refund, RegisteredAward
from controller.core.view import AwardPreview, Preview, Reckoning, SeatView
from controller.rules.cards import CATEGORIES


class Foreseen(NamedTuple):
    """The facts that would answer an act; the last is a refusal where it would be refused."""

    facts: tuple[Fact, ...]
    preview: Preview


def shown_anew(state: State, after: State, facts: Sequence[Fact], saw: str) -> Preview | None:
    """R-20: what would be registered, where it is not what was confirmed. What is refused registers nothing anyway."""
    assert saw, "somebody confirms what he saw"
    now = preview_of(state, after, facts)
    return None if isinstance(facts[-1], Refused) or now.sees == saw else now


def preview_of(state: State, after: State, facts: Sequence[Fact], *, two: bool = False) -> Preview:
    """Of facts that answer an act on this state, and what they would make of it."""
    told = [fact for fact in facts if any(getattr(fact, name, "") for name in ("table", "claim", "award"))]
    awards = tuple(one for fact in told for one in _awards(state, fact))
    table, number = next(map(_pass, told), ("", 0))
    pots = state.pots.keys() & after.pots.keys()
    pot = next((name for fact in told if (name := _pot(state, fact)) in pots), "")
    preview = Preview(
        "",
        two,
        table.removeprefix(TRAINING),
        number,
        pot.removeprefix(TRAINING),
        levels_of(money_of(state.pots[pot])) if pot else None,
        levels_of(money_of(after.pots[pot])) if pot else None,
        awards,
        _all(told, "unpaid"),
        _all(told, "cancelled"),
        _all([fact for fact in told if isinstance(fact, said.ClaimCorrected)], "lost"),
        _all(told, "resettled"),
        tuple(_refunds(told)),
        tuple(_untouched(state, after, table, number)),
        tuple(_seats(state, after, table)),
    )
    return replace(preview, sees=_fingerprint(preview, told))


def _all(facts: Sequence[Fact], name: str) -> tuple[Any, ...]:
    return tuple(one for fact in facts for one in getattr(fact, name, ()))


def _pass(fact: Any) -> tuple[str, int]:
    """Of which table and pass; an award names both."""
    name = getattr(fact, "award", "") or getattr(fact, "claim", "")
    if not name:
        return fact.table, getattr(fact, "number", 0)
    table, number, *_ = name.split("/")
    return table, int(number)


def _pot(state: State, fact: Any) -> str:
    """The pot that is concerned; what moves none of it names none."""
    name: str = getattr(fact, "pot", "")
    claim = state.claims.get(getattr(fact, "award", "").rpartition("/")[0])
    return name or (claim.pot if claim is not None else "")


def _awards(state: State, fact: Fact) -> Iterator[AwardPreview]:
    """What is newly owed; or the award that this is about."""
    match fact:
        case said.ClaimRegistered():
            bets = {bet.seat: bet.amount for bet in state.tables[fact.table].bets}
            plan = plan_of(state.pots[fact.pot].documents)
            made = reckoned(plan.ruleset, fact.before.main, fact.awards, bets)
            for award in fact.awards:
                yield _award(f"{fact.claim}/{award.number}", award, made[award.number])
        case said.ClaimAsked():
            yield from _asked(state, fact)
        case said.ClaimCorrected():
            for award in fact.awards:
                yield _award(f"{fact.claim}/{award.number}", award, None)
        case said.PrizeGranted():
            yield AwardPreview(f"{fact.claim}/1", fact.seat, fact.prize, fact.amount, ("R-29",))
        case said.AwardConfirmed() | said.AwardSetAside() | said.AwardAdvanced():
            yield _known(state, fact.award)
        case said.AwardPaid():
            yield replace(_known(state, fact.award), handed=fact.amount - fact.advanced)


def _asked(state: State, fact: said.ClaimAsked) -> Iterator[AwardPreview]:
    """R-20: of what the owner of the pot says, there is only what the paytable says."""
    bets = {bet.seat: bet.amount for bet in state.tables[fact.table].bets}
    ruleset = plan_of(state.pots[fact.pot].documents).ruleset
    for award in fact.awards:
        pays = prize_text(ruleset.paytable[CATEGORIES[award.prize]], ruleset.readings.per_unit)
        made = _award(f"{fact.claim}/{award.number}", award, Reckoning(pays, bets[award.seat]))
        yield replace(made, waits=award.number in fact.waiting)


def _known(state: State, name: str) -> AwardPreview:
    held = state.claims[name.rpartition("/")[0]].awards[name]
    return replace(_award(name, held.granted, None), waits=held.waits)


def _award(name: str, award: RegisteredAward, made: Reckoning | None) -> AwardPreview:
    return AwardPreview(
        name, award.seat, award.prize, award.amount, award.rules, award.parts, award.house, reckoning=made
    )


def _refunds(facts: Sequence[Fact]) -> Iterator[Refund]:
    """R-25: of a void; or of one bet whose lamp, seat or unit failed."""
    for fact in facts:
        if isinstance(fact, said.HandsVoided):
            yield from fact.refunds
        one = getattr(fact, "refund", None)
        if one is not None:
            yield one


def _untouched(state: State, after: State, table: str, number: int) -> Iterator[AwardPreview]:
    """R-29: complementary prizes of the pass that are owed before and afterwards."""
    for claim in state.claims.values():
        if claim.prize and (claim.table, claim.number) == (table, number):
            yield from _still_owed(claim, after.claims[claim.id])


def _still_owed(claim: Claim, then: Claim) -> Iterator[AwardPreview]:
    for name, held in claim.awards.items():
        if held.pending and then.awards[name] == held:
            yield _award(name, held.granted, None)


def _seats(state: State, after: State, table: str) -> Iterator[SeatView]:
    if table not in state.tables or table not in after.tables:
        return
    before = table_view(state, state.tables[table]).seats
    yield from (
        now for was, now in zip(before, table_view(after, after.tables[table]).seats, strict=False) if was != now
    )


_NAMED = ("table", "number", "seat", "claim", "award", "amount", "credits", "lapsed")


def _fingerprint(preview: Preview, facts: Sequence[Any]) -> str:
    """Of all that was shown of amounts; of what moves between two looks at a pot, nothing else."""
    awards = [(one.award, one.seat, one.prize, one.amount, one.rules, one.waits, one.handed) for one in preview.awards]
    again = [(one.claim, [(each.seat, each.prize, each.amount) for each in one.awards]) for one in preview.resettled]
    whole = [
        awards, preview.unpaid, preview.cancelled, preview.lost, again, preview.refunds,
        [(fact.__struct_config__.tag, *(getattr(fact, name, None) for name in _NAMED)) for fact in facts],
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(whole)).hexdigest()[:32]
