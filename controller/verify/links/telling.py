"""Which letters an answer must hold, worked out from its facts alone (R-28).

Theory. Upwards goes what happened at a table whose pot a neighbour owns, downwards into the log of a pot what was
decided of it, where neighbours feed it. All letters of an answer are told behind it, in the order of its facts, and say
how the pot stands then. Nothing follows from letters alone, so an idle hour tells nothing.
"""

from collections.abc import Iterator
from typing import Any

from controller.verify import facts as kinds
from controller.verify.books import held_for_pass
from controller.verify.facts import Levels, Undone
from controller.verify.links import letters
from controller.verify.links.days import ends_day, of_days
from controller.verify.links.letters import Letter
from controller.verify.links.names import is_away
from controller.verify.links.plans import of_plans
from controller.verify.links.shares import share_of
from controller.verify.links.state import Due
from controller.verify.world import World
from controller.verify.wrong import must

_SAYS_KEPT = 2
"""The list by which a node tells, of a void, that the pots keep what was bet."""


def note(world: World, fact: Any) -> None:
    """One fact more of the answer; letters end it."""
    links = world.links
    if isinstance(fact, kinds.LetterTold):
        return
    must(links.handed is None or isinstance(fact, kinds.DecisionTaken), "R-28", "falta la carta que se devolvió")
    must(not links.telling, "R-28", "un hecho después de las cartas de su respuesta")
    is_of_pot = bool(getattr(fact, "pot", ""))
    if (is_of_pot or ends_day(fact)) and links.neighbours:
        links.answer.append(fact)


def ask_for_letters(world: World) -> None:
    """What is due of the answer so far, once it is over."""
    links = world.links
    for fact in links.answer:
        links.due += _letters_of(world, fact)
    links.answer.clear()


def _letters_of(world: World, fact: Any) -> Iterator[Due]:
    if ends_day(fact):
        yield from of_days(world, fact)
        return
    yield from of_plans(world, fact)
    pot = world.pots.get(fact.pot)
    if pot is None:
        return
    if isinstance(fact, kinds.PotLeft):
        up = letters.OwnerLeft(fact.pot, fact.stood, fact.resolution, fact.by, fact.second)
        yield Due(f"to:{fact.above}", up)
    yield from of_days(world, fact)
    if pot.above:
        yield from (Due(f"to:{pot.above}", letter) for letter in _up(world, fact))
    to_all = is_away(getattr(fact, "table", "")) or (isinstance(fact, kinds.MoneyMoved) and any(share_of(fact)))
    if to_all or any(one.pot == pot.name for one in world.links.away.values()):
        yield from (Due(f"pot:{pot.name}", letter) for letter in _down(world, fact))


def _up(world: World, fact: Any) -> Iterator[Letter]:
    """R-28: what happened at a table, here or below."""
    if isinstance(fact, kinds.PassSealed):
        dark = {*fact.dark, *(refund.seat for refund in fact.returned)}
        yield letters.BetsSealed(
            fact.pot, fact.table, fact.number, fact.casino, fact.bets, fact.closed, fact.plan, tuple(sorted(dark))
        )
    elif isinstance(fact, kinds.PassClosed):
        yield letters.PassOver(fact.pot, fact.table, fact.number, fact.reviewed, fact.by)
    elif isinstance(fact, kinds.ClaimAsked):
        of = (fact.pot, fact.claim, fact.table, fact.number, fact.casino)
        yield letters.ClaimMade(*of, fact.community, fact.hands, fact.awards, fact.unpaid, fact.by)
    elif isinstance(fact, kinds.HandsVoided):
        if fact.sealed:
            yield _voided(world, fact)
    elif isinstance(fact, kinds.AwardPaid | kinds.AwardSetAside | kinds.AwardAdvanced | kinds.AdvanceHeard):
        left = world.claims[fact.award.rpartition("/")[0]].left
        if not left or left != world.pots[fact.pot].above:  # else he knows nothing of it
            yield _handed(fact)
    elif isinstance(fact, kinds.CorrectionAsked):
        yield _wanted(fact)
    elif isinstance(fact, kinds.PrizeGranted):
        yield letters.PrizeDrawn(
            fact.pot, fact.claim, fact.table, fact.number, fact.casino, fact.prize, fact.seat, fact.amount, fact.promo,
            fact.paid_in, fact.card, fact.by,
        )  # fmt: skip


def _handed(fact: kinds.AwardPaid | kinds.AwardSetAside | kinds.AwardAdvanced | kinds.AdvanceHeard) -> Letter:
    """R-20, R-21, R-35: paid, owed without a term, or advanced in part."""
    said = (fact.pot, fact.award, fact.amount, fact.by)
    if isinstance(fact, kinds.AwardAdvanced | kinds.AdvanceHeard):
        return letters.AdvanceGiven(*said)
    return letters.AwardGiven(*said, isinstance(fact, kinds.AwardSetAside))


def _wanted(fact: kinds.CorrectionAsked) -> Letter:
    return letters.CorrectionWanted(
        fact.pot, fact.wanted, fact.act, fact.table, fact.number, fact.casino, fact.claim, fact.hands, fact.community,
        fact.seats_out, fact.prizes_out, fact.prize_in, fact.reason, fact.by, fact.second, fact.recording,
        fact.resolution, fact.before_next_seal, fact.confirmed, fact.void, fact.at, fact.first,
    )  # fmt: skip


def _put_right(world: World, fact: kinds.ClaimCorrected) -> Letter:
    """R-34: the same for all who share the pot, with what is held for the pass and what its house bears."""
    return letters.ClaimPutRight(
        fact.pot, fact.wanted, fact.claim, fact.table, fact.number, fact.casino, _levels(world, fact.pot), fact.awards,
        fact.cancelled, fact.lost, fact.resettled, fact.unpaid, fact.community, fact.hands, fact.flow.house,
        fact.reason, fact.by, fact.second, fact.confirmed, fact.since, fact.void, held=held_for_pass(fact),
        before=fact.before,
    )  # fmt: skip


def _not_put_right(world: World, fact: kinds.CorrectionRefused) -> Letter:
    return letters.ClaimPutRight(
        fact.pot, fact.wanted, "", fact.table, fact.number, "", _levels(world, fact.pot), refused=fact.sentence,
        refused_code=fact.code,
    )  # fmt: skip


def _voided(world: World, fact: kinds.HandsVoided) -> letters.BetsVoided:
    """R-25: what each bet takes back of what went up; where the pot keeps it all, only that it was given back."""
    back = {bet.seat: bet for bet in fact.undone}
    bets = tuple(back.get(one.seat, Undone(one.seat, -one.total, 0, 0)) for one in fact.refunds)
    of = (fact.pot, fact.table, fact.number, fact.casino)
    kept = world.links.tells >= _SAYS_KEPT and bool(bets) and not back
    return letters.BetsVoided(*of, fact.whole_pass, bets, fact.reason, fact.by, kept)


def _down(world: World, fact: Any) -> Iterator[Letter]:
    """R-20: what the owner of the pot decided; told on below by who shares it."""
    if getattr(fact, "log", 0):
        return  # told before the restore
    if isinstance(fact, kinds.ClaimRegistered | kinds.ClaimDecided):
        of = (fact.pot, fact.claim, fact.table, fact.number, fact.casino)
        left = fact.left if isinstance(fact, kinds.ClaimDecided) else ""
        yield letters.ClaimSettled(*of, fact.before, fact.awards, fact.after, fact.base_back, left)
    elif isinstance(fact, kinds.HandsVoided | kinds.PrizeGranted):
        cause = fact.claim if isinstance(fact, kinds.PrizeGranted) else f"{fact.table}/{fact.number}"
        yield from _borne(world, fact, -fact.flow.house, cause)
    elif isinstance(fact, kinds.HouseCharged):
        yield from _borne(world, fact, fact.amount, fact.cause)
    elif isinstance(fact, kinds.ClaimCorrected):
        yield _put_right(world, fact)
    elif isinstance(fact, kinds.CorrectionRefused):
        if is_away(fact.table):
            yield _not_put_right(world, fact)
    elif isinstance(fact, kinds.LetterDisputed | kinds.ClaimDoubted | kinds.DisputeEnded):
        yield from _of_disputes(world, fact)
    elif isinstance(fact, kinds.PotLeft | kinds.MoneyMoved):
        yield from _moved(world, fact)


def _of_disputes(
    world: World, fact: kinds.LetterDisputed | kinds.ClaimDoubted | kinds.DisputeEnded
) -> Iterator[Letter]:
    """R-21, R-28: that winners wait because they are not believed, and what became of a dispute."""
    if isinstance(fact, kinds.LetterDisputed):
        waits = world.links.disputes.get(f"{fact.neighbour}/{fact.number}")
        if waits is not None and isinstance(waits.letter, letters.ClaimMade) and fact.pot not in world.links.taking:
            yield letters.ClaimNotBelieved(fact.pot, fact.about, fact.table, fact.why)
    elif isinstance(fact, kinds.ClaimDoubted):
        yield letters.ClaimNotBelieved(fact.pot, fact.claim, fact.table, fact.why)
    else:
        yield letters.DisputeOver(
            fact.pot, fact.neighbour, fact.number, fact.amount, fact.accepted, fact.reason, f"{world.node}/{fact.by}",
            f"{world.node}/{fact.second}", _levels(world, fact.pot), fact.of_table, fact.claim,
        )  # fmt: skip


def _moved(world: World, fact: kinds.PotLeft | kinds.MoneyMoved) -> Iterator[Letter]:
    """R-26, R-28: how the pot stands behind it."""
    if isinstance(fact, kinds.PotLeft) and fact.plan:
        yield letters.PlanTakenBack(fact.pot, fact.plan, f"{world.node}/{fact.by}")
    share = share_of(fact) if isinstance(fact, kinds.MoneyMoved) else ("", 0)
    yield letters.PotMoved(fact.pot, _levels(world, fact.pot), fact.resolution, fact.by, fact.second, *share)


def _borne(
    world: World, fact: kinds.HandsVoided | kinds.PrizeGranted | kinds.HouseCharged, amount: int, cause: str
) -> Iterator[Letter]:
    """R-18: by the house of the neighbour's casino."""
    if is_away(fact.table) and amount > 0:
        yield letters.HouseBears(fact.pot, fact.table, fact.casino, amount, cause, _levels(world, fact.pot))


def _levels(world: World, name: str) -> Levels:
    pot = world.pots[name]
    purse = world.purse(pot)
    return Levels(purse.main, pot.law.base, purse.reserves)
