"""An owner of a pot who never comes back: what waits for him is decided here, and the pot goes on as ours (R-20, R-28).

Theory. Two persons revoked his key, and no pass opens; but winners wait for amounts that nobody will say, and players'
money lies in the clearing with a node that is no more. With the authority's resolution two persons leave him. What
waits is decided by the rules, in the order in which it was asked, on the pot as he said it last; it is paid out of what
this node still owes the pot and, where that is not enough, by the house (R-18). What is left of it *is* the pot here,
from now on this node's own; what he owed us more than we had is the house's loss. After it nothing stands with him.

It is not played before two persons have put a plan of this house in force: his named tables of others. What he puts
right nobody can put right any more, so a correction that waited ends refused, and of passes that were his no other is
taken: his record is not here.

Should he come back, his log of this pot is heard and not believed: one dispute, without money, says so until it is
ended. And he hears from us that we left, and with how much: at his node that is in dispute, for his two to see.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.core import claims
from controller.core.claims import Entered, Looked
from controller.core.facts import ClaimDecided, ClaimRegistered, CorrectionRefused, PotLeft
from controller.core.inputs import LeavePot
from controller.core.links.advances import wins_of
from controller.core.past.inquiry import Inquiry
from controller.core.state import Claim, PotNow, State, levels_of, plan_hash, plan_of, with_pot
from controller.core.values import TRAINING, Phase
from controller.rules.money import MOST_MONEY, NOTHING, Money
from controller.rules.pot import Pot, Reserve, pour
from controller.rules.refusal import Reason, Refusal, refuse

Left = CorrectionRefused | ClaimDecided | PotLeft


def leave(state: State, asked: LeavePot) -> tuple[Left, ...] | Refusal:
    """R-28: what waits is decided, and the pot is ours."""
    pot = state.pots.get(asked.pot)
    if pot is None:
        return refuse(Reason.POT_UNKNOWN, "pot", pot=asked.pot)
    refusal = _refuse_owner(state, pot) or _refuse_tables(state, pot)
    if refusal is not None:
        return refusal
    if not asked.resolution.strip():
        return refuse(Reason.RESOLUTION_MISSING, "resolution")
    if abs(asked.booked) > MOST_MONEY:
        return refuse(Reason.AMOUNT_WRONG, "booked", amount=asked.booked, most=MOST_MONEY)
    decided = tuple(_decided(state, pot))
    amount = asked.booked + sum(map(_given_back, decided))
    proposed = state.proposed.get(pot.name)
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        *_ended(state, pot),
        *decided,
        PotLeft(
            pot.name, _casino(state, pot), pot.above, asked.booked, amount, levels_of(_own(pot, max(amount, 0))),
            asked.resolution, asked.by.person, asked.second.person,
            plan_hash(proposed.documents) if proposed is not None else "",
        ),
    )  # fmt: skip


def _refuse_owner(state: State, pot: PotNow) -> Refusal | None:
    """R-28: of a neighbour whose key two persons revoked; a node of the same casino is made anew from its mirror."""
    if not pot.above:
        return refuse(Reason.POT_IS_OURS, "pot", pot=pot.name)
    owner = state.neighbours[pot.above]
    if owner.inside:
        return refuse(Reason.OWNER_INSIDE, "pot", pot=pot.name, above=pot.above)
    assert owner.name == pot.above, "a neighbour is kept under its name"
    return None if owner.revoked else refuse(Reason.OWNER_NOT_REVOKED, "pot", pot=pot.name, above=pot.above)


def _refuse_tables(state: State, pot: PotNow) -> Refusal | None:
    """R-7, R-26: between passes; and no table that must still be emptied for his plan."""
    for table in (one for one in state.tables.values() if one.pot == pot.name):
        if table.phase is not Phase.BETWEEN:
            return refuse(Reason.PASS_IN_PROGRESS, "pot", table=table.name)
        if TRAINING + table.name in state.tables:
            return refuse(Reason.TRAINING_ON, "pot", table=table.name)
    if pot.name in state.emptying:
        table = state.tables[state.emptying[pot.name][0]]
        amount = sum(seat.credits + seat.promo + seat.owed for seat in table.seats) + table.left + abs(table.suspense)
        return refuse(Reason.TABLE_TO_EMPTY, "pot", table=table.name, amount=amount)
    assert pot.above, "R-28: of a pot that a neighbour owns"
    return None


def _feeds(state: State, table: str) -> str:
    known = state.tables.get(table) or state.away.get(table)
    assert table, "a table has a name"
    return known.pot if known is not None else ""


def _casino(state: State, pot: PotNow) -> str:
    """R-28: whose house bears what is lost: that of the first table here."""
    here = [one.casino for one in state.tables.values() if one.pot == pot.name]
    here += [one.casino for one in state.away.values() if one.pot == pot.name]
    assert plan_of(pot.documents).casinos, "R-9: a plan has tables"
    return [*here, plan_of(pot.documents).casinos[0]][0]


def _ended(state: State, pot: PotNow) -> Iterator[CorrectionRefused]:
    """R-34: nobody will answer; what was frozen goes on as it was."""
    reason = Reason.PASS_OF_ANOTHER
    assert pot.above, "R-28: of a pot that a neighbour owns"
    for name, (table, number) in state.awaited.items():
        if _feeds(state, table) == pot.name:
            sentence = refuse(reason, "number", number=number, table=table, pot=pot.name, above=pot.above).message
            yield CorrectionRefused(int(name.partition("@")[0]), table, number, pot.name, reason.code, sentence)


def _decided(state: State, pot: PotNow) -> Iterator[ClaimDecided]:
    """R-15 to R-20: in the order in which they were asked, each on what the one before it left."""
    here = replace(pot, above="")
    for claim in (state.claims[name] for name in state.undecided if name in state.claims):
        if claim.pot == pot.name:
            made = _settled(here, claim)
            waited = tuple(one.granted.number for one in claim.awards.values() if one.waits)
            here = replace(here, main=made.after.main, reserves=dict(made.after.reserves))
            yield ClaimDecided(
                claim.id, claim.table, claim.number, pot.name, claim.casino, pot.above, made.before, made.awards,
                made.after, waited, made.base_back,
            )  # fmt: skip


def _settled(here: PotNow, claim: Claim) -> ClaimRegistered:
    assert claim.awards, "R-34: a claim has winners"
    of = Entered(claim.id, claim.table, claim.number, claim.casino, (), (), "")
    return claims.settled(here, of, Looked(tuple(wins_of(claim, plan_of(here.documents))), ()))


def _given_back(fact: ClaimDecided) -> int:
    """R-18: by how much the clearing rises by it: what the house bears, less what waited."""
    base = -fact.base_back.house if fact.base_back is not None else 0
    waited = sum(award.amount for award in fact.awards if award.number in fact.waited)
    assert base >= 0, "R-19: the house puts in, or nothing"
    return base + sum(award.house for award in fact.awards) - waited


def _own(pot: PotNow, amount: int) -> Pot:
    """R-24: into the main pot, and what passes its ceiling into the first reserve."""
    plan = plan_of(pot.documents)
    nothing = Pot(NOTHING, plan.base, tuple(Reserve(name, NOTHING) for name in plan.reserve_names))
    assert amount >= 0, "R-18: no pot is ever negative"
    return pour(nothing, Money(amount), (NOTHING,) * len(plan.reserve_names), plan.ceiling)[0]


def left(state: State, fact: PotLeft) -> State:
    """R-28: from here on it is ours."""
    pot, after = state.pots[fact.pot], fact.after
    assert pot.above == fact.above, "R-28: it was this neighbour's"
    carries = (0,) * len(pot.reserves)
    mine = replace(
        pot, above="", left=fact.above, began=after, main=after.main, reserves=dict(after.reserves),
        reserve_carries=carries,
    )  # fmt: skip
    undecided = tuple(name for name in state.undecided if _feeds(state, name.partition("/")[0]) != fact.pot)
    proposed = {name: one for name, one in state.proposed.items() if name != fact.pot}
    return with_pot(replace(state, undecided=undecided, proposed=proposed), mine)


def is_said(state: State, neighbour: str, name: str) -> bool:
    """R-28: whether people here know already that an owner who was left is back: his log may be long."""
    pot = state.pots.get(name)
    if pot is None or not pot.left or pot.left != neighbour:
        return False
    assert not pot.above, "R-28: a pot has one owner"
    return any((one.neighbour, one.pot) == (neighbour, name) for one in state.disputes.values())


def refuse_pass(state: State, history: Inquiry) -> Refusal | None:
    """R-34: of a pass that fed the pot of an owner who was left, nobody has the record."""
    seal = history.seal
    if seal is None or not seal.above or state.pots[seal.pot].above:
        return None
    assert state.pots[seal.pot].left, "R-28: it was left"
    words = {"number": seal.number, "table": seal.table, "pot": seal.pot, "above": seal.above}
    return refuse(Reason.PASS_OF_ANOTHER, "number", **words)
