"""Which letters follow from a fact: the same ones for the same facts, always (R-28).

Theory. Upwards goes what happened at a table whose pot a neighbour owns; downwards, into the log of a pot that others
feed, what was decided of it. A letter follows from the fact alone and from the state behind the answer it stands in, so
no outbox can contradict the record. What others told is told on only where it has been decided here, or is asked on.
"""

from collections.abc import Iterator

from controller.core import facts as said
from controller.core.accounts import SHARE
from controller.core.facts import Fact
from controller.core.links import days, proposals
from controller.core.links import letters as tell
from controller.core.links.letters import Letter
from controller.core.links.names import AT, is_away
from controller.core.past.lines import held_for_pass
from controller.core.state import State, levels_of, money_of
from controller.core.values import Levels, SealedBet

Told = tuple[str, Letter]
"""A letter and its stream."""


def up(neighbour: str) -> str:
    assert neighbour, "a neighbour has a name"
    return f"to:{neighbour}"


def log(pot: str) -> str:
    assert pot, "a pot has a name"
    return f"pot:{pot}"


def is_told(state: State, fact: Fact) -> bool:
    """Whether a letter may follow from it; `state`: before its answer, or behind it."""
    assert not hasattr(said.LetterTold, "pot"), "a letter follows from what happened, not from a letter"
    if isinstance(fact, said.PassSealed | said.PassClosed):  # to who is above, or to nobody
        return fact.pot in state.proposed or bool(state.pots[fact.pot].above)
    is_of_pot = bool(getattr(fact, "pot", "")) and not _is_dispute_alone(fact)
    return is_of_pot or isinstance(fact, said.DayClosed | said.DayRenamed) or days.is_over(fact)


def _is_dispute_alone(fact: Fact) -> bool:
    """What was not believed is told to nobody, but for winners who wait."""
    assert fact is not None, "a fact"
    return isinstance(fact, said.LetterDisputed) and not isinstance(fact.letter, tell.ClaimMade)


def letters_of(state: State, fact: Fact) -> Iterator[Told]:
    """`state`: behind the whole answer in which the fact stands."""
    name: str = getattr(fact, "pot", "")
    pot, proposed = state.pots.get(name), state.proposed.get(name)
    above = proposed.above if proposed is not None else pot.above if pot is not None else ""
    assert state.neighbours, "R-28: somebody is told"
    if isinstance(fact, said.PotLeft):
        yield up(fact.above), tell.OwnerLeft(fact.pot, fact.stood, fact.resolution, fact.by, fact.second)
    yield from ((up(neighbour), letter) for neighbour, letter in days.told_above(state, fact))
    if above:
        yield from ((up(above), letter) for letter in (*_upwards(state, fact), *proposals.told_above(fact)))
    shares = isinstance(fact, said.MoneyMoved) and fact.target.startswith(SHARE)
    if shares or AT in getattr(fact, "table", "") or any(table.pot == name for table in state.away.values()):
        yield from ((log(name), letter) for letter in _downwards(state, fact))
    yield from ((log(name), letter) for letter in proposals.told_below(state, fact))


def _upwards(state: State, fact: Fact) -> Iterator[Letter]:
    assert getattr(fact, "pot", ""), "R-28: of a pot that a neighbour owns"
    match fact:
        case said.PassSealed():
            yield tell.BetsSealed(
                fact.pot, fact.table, fact.number, fact.casino, fact.bets, fact.closed, fact.plan, _dark(fact)
            )
        case said.PassClosed():
            yield tell.PassOver(fact.pot, fact.table, fact.number, fact.reviewed, fact.by)
        case said.ClaimAsked():
            yield tell.ClaimMade(
                fact.pot, fact.claim, fact.table, fact.number, fact.casino, fact.community, fact.hands, fact.awards,
                fact.unpaid, fact.by,
            )  # fmt: skip
        case said.HandsVoided(sealed=True):
            undone = {bet.seat: bet for bet in fact.undone}
            bets = tuple(undone.get(one.seat, SealedBet(one.seat, -one.total, 0, 0)) for one in fact.refunds)
            yield tell.BetsVoided(
                fact.pot,
                fact.table,
                fact.number,
                fact.casino,
                fact.whole_pass,
                bets,
                fact.reason,
                fact.by,
                kept=state.tells >= tell.DAYS and bool(fact.refunds) and not fact.undone,
            )
        case said.AwardPaid() | said.AwardSetAside() if not _is_left(state, fact):
            yield tell.AwardGiven(fact.pot, fact.award, fact.amount, fact.by, isinstance(fact, said.AwardSetAside))
        case said.AwardAdvanced() | said.AdvanceHeard():
            yield tell.AdvanceGiven(fact.pot, fact.award, fact.amount, fact.by)
        case said.PrizeGranted():
            yield tell.PrizeDrawn(
                fact.pot, fact.claim, fact.table, fact.number, fact.casino, fact.prize, fact.seat, fact.amount,
                fact.promo, fact.paid_in, fact.card, fact.by,
            )  # fmt: skip
        case said.CorrectionAsked():
            yield tell.CorrectionWanted(
                fact.pot, fact.wanted, fact.act, fact.table, fact.number, fact.casino, fact.claim, fact.hands,
                fact.community, fact.seats_out, fact.prizes_out, fact.prize_in, fact.reason, fact.by, fact.second,
                fact.recording, fact.resolution, fact.before_next_seal, fact.confirmed, fact.void, fact.at, fact.first,
            )  # fmt: skip


def _is_left(state: State, fact: said.AwardPaid | said.AwardSetAside) -> bool:
    """R-28: the owner of the pot left it with this house, and knows nothing of it."""
    claim = state.claims[fact.award.rpartition("/")[0]]
    assert claim.pot == fact.pot, "R-28: of this pot"
    return bool(claim.left) and claim.left == state.pots[fact.pot].above


def _dark(fact: said.PassSealed) -> tuple[int, ...]:
    """R-6: whose bet went back because of its lamp, before the seal or with it."""
    assert not (fact.returned and is_away(fact.table)), "R-25: bets go back at their own table"
    return tuple(sorted({*fact.dark, *(refund.seat for refund in fact.returned)}))


def _downwards(state: State, fact: Fact) -> Iterator[Letter]:
    assert state.neighbours, "R-28: somebody shares a pot, or did"
    match fact:
        case said.ClaimRegistered(log=0) | said.ClaimDecided():
            yield tell.ClaimSettled(
                fact.pot, fact.claim, fact.table, fact.number, fact.casino, fact.before, fact.awards, fact.after,
                fact.base_back, getattr(fact, "left", ""),
            )  # fmt: skip
        case said.ClaimCorrected(log=0):
            yield tell.ClaimPutRight(
                fact.pot, fact.wanted, fact.claim, fact.table, fact.number, fact.casino, _levels(state, fact.pot),
                fact.awards, fact.cancelled, fact.lost, fact.resettled, fact.unpaid, fact.community, fact.hands,
                fact.flow.house, fact.reason, fact.by, fact.second, fact.confirmed, fact.since, fact.void,
                held=held_for_pass(fact), before=fact.before,
            )  # fmt: skip
        case said.CorrectionRefused(log=0) if is_away(fact.table):
            yield tell.ClaimPutRight(
                fact.pot, fact.wanted, "", fact.table, fact.number, "", _levels(state, fact.pot),
                refused=fact.sentence, refused_code=fact.code,
            )  # fmt: skip
        case said.HandsVoided(log=0) | said.PrizeGranted(log=0) if is_away(fact.table) and fact.flow.house < 0:
            cause = getattr(fact, "claim", "") or f"{fact.table}/{fact.number}"
            yield tell.HouseBears(fact.pot, fact.table, fact.casino, -fact.flow.house, cause, _levels(state, fact.pot))
        case said.HouseCharged() if is_away(fact.table):
            after = _levels(state, fact.pot)
            yield tell.HouseBears(fact.pot, fact.table, fact.casino, fact.amount, fact.cause, after)
        case said.LetterDisputed() | said.ClaimDoubted() | said.DisputeEnded():
            yield from _of_disputes(state, fact)
        case said.PotLeft():
            if fact.plan:
                yield tell.PlanTakenBack(fact.pot, fact.plan, f"{state.node}/{fact.by}")
            yield tell.PotMoved(fact.pot, fact.after, fact.resolution, fact.by, fact.second)
        case said.MoneyMoved():
            after, whose = _levels(state, fact.pot), fact.target.removeprefix(SHARE)
            share = (whose, fact.amount) if whose != fact.target else ("", 0)
            yield tell.PotMoved(fact.pot, after, fact.resolution, fact.by, fact.second, *share)


def _of_disputes(state: State, fact: said.LetterDisputed | said.ClaimDoubted | said.DisputeEnded) -> Iterator[Letter]:
    """R-21, R-28: that winners wait because they are not believed, and what became of a dispute."""
    assert fact.pot, "R-28: of a pot"
    match fact:
        case said.LetterDisputed() if _is_open(state, fact):
            yield tell.ClaimNotBelieved(fact.pot, fact.about, fact.table, fact.why)
        case said.ClaimDoubted():
            yield tell.ClaimNotBelieved(fact.pot, fact.claim, fact.table, fact.why)
        case said.DisputeEnded(log=0):
            by, second = f"{state.node}/{fact.by}", f"{state.node}/{fact.second}"
            yield tell.DisputeOver(
                fact.pot, fact.neighbour, fact.number, fact.amount, fact.accepted, fact.reason, by, second,
                _levels(state, fact.pot), fact.of_table, fact.claim,
            )  # fmt: skip


def _is_open(state: State, fact: said.LetterDisputed) -> bool:
    """R-21: winners wait for the end of it. After a restore nothing is told before what was decided is here."""
    assert fact.number > 0, "letters are numbered from 1"
    dispute = state.disputes.get(f"{fact.neighbour}/{fact.number}")
    return fact.pot not in state.taking_back and dispute is not None and isinstance(dispute.letter, tell.ClaimMade)


def _levels(state: State, pot: str) -> Levels:
    assert pot in state.pots, "R-24: a pot that is here"
    return levels_of(money_of(state.pots[pot]))
