"""What was not believed ends: two persons take it or leave it, and winners among it are decided (R-20, R-21, R-28).

Theory. Taken, it is in the main pot; left, the house of that casino bears it. Winners wait for an amount that only the
owner can say, so what he does not believe of them must not wait for ever: their table hears why. **Taken**, they are
decided like any others, on the pot as it is then, if that can be: of a table that feeds the pot, with bets that are
known, and the rules give what was told to be certain. What their node handed out meanwhile is booked with them.
**Left**, it ends where it was won: what waited is what the rules give on the pot as the owner says it then, and the
house of that casino bears it, as it bears what was certain. There it is confirmed and paid, set aside or rejected; the
owner hears of it no more.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from controller.core import claims
from controller.core.claims import Entered, Looked
from controller.core.facts import (
    AwardPaid,
    AwardSetAside,
    ClaimDecided,
    ClaimDoubted,
    ClaimRegistered,
    ClaimRejected,
    DisputeEnded,
    DisputeHeard,
    Fact,
)
from controller.core.inputs import EndDispute, RejectClaim
from controller.core.links import disputes
from controller.core.links import letters as told
from controller.core.links.advances import wins_of
from controller.core.links.bets import Unbelieved
from controller.core.links.claims import hear_given, said_of, settled_as_told
from controller.core.links.disputes import place_of
from controller.core.links.known import AwayTable, Dispute
from controller.core.links.letters import AwardGiven, Bound, ClaimMade, ClaimSettled, DisputeOver, Letter
from controller.core.links.names import is_away, neighbour_of, there
from controller.core.links.restored.bound import claim_told, lacking
from controller.core.past.claims import is_prize, pass_of
from controller.core.state import Claim, PotNow, State, Table, claims_of, levels_of, money_of, plan_of, with_claim
from controller.core.values import Flow, RegisteredAward
from controller.rules.cards import CATEGORIES
from controller.rules.money import MOST_MONEY, Money
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.settlement import Win

# Where the pot is


Given = tuple[DisputeEnded | AwardPaid | AwardSetAside, ...]
Ended = tuple[DisputeEnded | ClaimRegistered | AwardPaid | AwardSetAside, ...]


def end(state: State, asked: EndDispute) -> Ended | Refusal:
    """R-28: taken into the main pot, as far as that can be, or left with who told it; of winners, decided."""
    dispute = state.disputes.get(place_of(state, asked.neighbour, asked.pot, asked.number))
    if dispute is None:
        return refuse(Reason.DISPUTE_UNKNOWN, "number", number=asked.number, neighbour=asked.neighbour)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    claim = about_claim(dispute)
    refusal = refuse_first(state, dispute)
    if refusal is None and asked.accepted:
        refusal = _refuse_taken(state, dispute, 0 if claim else dispute.amount)
    if refusal is not None:
        return refusal
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    ended_ = DisputeEnded(
        dispute.neighbour, dispute.number, dispute.pot, dispute.amount, asked.accepted, asked.reason,
        asked.by.person, asked.second.person, of_table=_table_said(state, dispute), claim=claim,
    )  # fmt: skip
    if not claim:
        return (ended_,)
    made = take(state, dispute) if asked.accepted else None
    if isinstance(made, Refusal):
        return made
    return (ended_, *([made] if made is not None else []), *given_with(state, ended_, made))


def _table_said(state: State, dispute: Dispute) -> str:
    """R-28: whose house it is about; nothing where the tables of that neighbour are all of one."""
    fed = (table for table in state.away.values() if (neighbour_of(table.name), table.pot) == _with(dispute))
    houses = {table.casino for table in fed}
    assert "" not in houses, "a table is of a casino"
    return dispute.table if len(houses) > 1 else ""


def _with(dispute: Dispute) -> tuple[str, str]:
    assert dispute.neighbour, "a neighbour has a name"
    return dispute.neighbour, dispute.pot


def _refuse_taken(state: State, dispute: Dispute, amount: int) -> Refusal | None:
    """R-18, R-24, R-28: into a pot of ours, under its ceiling; out of it, what it has."""
    pot = state.pots.get(dispute.pot)
    if pot is None or pot.above:
        words = {"pot": dispute.pot, "number": dispute.number, "neighbour": dispute.neighbour}
        return refuse(Reason.DISPUTE_NOT_OURS, "accepted", **words)
    if pot.main + amount < 0:
        return refuse(Reason.NOT_ENOUGH, "accepted", part="main", held=pot.main, amount=-amount)
    ceiling = plan_of(pot.documents).ceiling
    if amount > 0 and ceiling is not None and pot.main + amount > ceiling:
        return refuse(Reason.OVER_CEILING, "accepted", pot=pot.name, ceiling=ceiling, amount=amount)
    assert pot.main >= 0, "R-18: no pot is ever negative"
    return None


def about_claim(dispute: Dispute) -> str:
    """Which claim waits for the end of it; none, where it is about something else."""
    assert dispute.neighbour, "R-28: somebody told it"
    return dispute.about if isinstance(dispute.letter, ClaimMade) else ""


def refuse_first(state: State, dispute: Dispute) -> Refusal | None:
    """R-21: what was handed out of a claim ends with the claim."""
    letter = dispute.letter
    if not isinstance(letter, AwardGiven):
        return None
    claim = dispute.about.rpartition("/")[0]
    assert claim, "an award is of a claim"
    if not any(about_claim(one) == claim for one in state.disputes.values()):
        return None
    words = {"number": dispute.number, "neighbour": dispute.neighbour, "claim": claim}
    return refuse(Reason.DISPUTE_CLAIM_FIRST, "number", **words)


def take(state: State, dispute: Dispute) -> ClaimRegistered | Refusal:
    """R-15 to R-20: decided on the pot as it is now; the hands are what two persons say they are."""
    letter, pot = dispute.letter, state.pots[dispute.pot]
    assert isinstance(letter, ClaimMade) and not pot.above, "R-28: winners, of a pot of ours"
    why = _why_not(state, dispute, letter, pot)
    if why:
        return refuse(Reason.CLAIM_NOT_TAKEN, "accepted", claim=dispute.about, why=why, neighbour=dispute.neighbour)
    of = Entered(
        dispute.about, dispute.table, letter.number, letter.casino, letter.community, letter.hands,
        f"{dispute.neighbour}/{letter.by}",
    )  # fmt: skip
    fact = claims.settled(pot, of, Looked(tuple(_wins(dispute, letter)), letter.unpaid))
    if said_of(_certain(pot, fact.awards)) != said_of(letter.awards):
        words = {"claim": dispute.about, "neighbour": dispute.neighbour}
        return refuse(Reason.CLAIM_NOT_TAKEN, "accepted", why="sus premios no son los de esas apuestas", **words)
    return _as_told(state, replace(fact, taken=True))


def _as_told(state: State, made: ClaimRegistered) -> ClaimRegistered | Refusal:
    """R-28: what was decided of it before a restore it is owed, once the pot has that again."""
    bound, pot = claim_told(state, made.pot, made.claim), state.pots[made.pot]
    if bound is None:
        return made
    assert isinstance(bound.letter, ClaimSettled), "R-20: what was decided of it"
    if lacking(pot, bound.letter):
        return refuse(Reason.POT_LACKS, "accepted", pot=made.pot, claim=made.claim)
    told = settled_as_told(pot, bound.number, bound.letter)
    of = {"community": made.community, "hands": made.hands, "unpaid": made.unpaid, "by": made.by, "taken": True}
    return replace(told, **of)


def _why_not(state: State, dispute: Dispute, letter: ClaimMade, pot: PotNow) -> str:
    """What no two persons can say for it; nothing, where it can be settled."""
    table, bets = state.away.get(dispute.table), {bet.seat for bet in dispute.bets}
    paytable = plan_of(pot.documents).ruleset.paytable
    seats = [one.seat for one in letter.awards]
    if table is None or (table.pot, table.casino) != (pot.name, letter.casino):
        return f"el plan no enlaza la mesa {dispute.table}"
    of_pass = pass_of(dispute.about) == (table.name, letter.number) and not is_prize(dispute.about)
    taken = any(one.id == dispute.about or not one.rejected for one in claims_of(state, table.name, letter.number))
    if not of_pass or taken:
        return "ese pase ya tiene sus premios"
    if len(set(seats)) < len(seats) or not bets.issuperset(seats):
        return "no se conocen las apuestas de quienes ganan"
    known = all(CATEGORIES.get(one.prize) in paytable for one in letter.awards)
    assert dispute.pot == pot.name, "of this pot"
    return "" if known else "nombra premios que el plan no tiene"


def _wins(dispute: Dispute, letter: ClaimMade) -> Iterator[Win]:
    bets = {bet.seat: bet.amount for bet in dispute.bets}
    assert bets or not letter.awards, "R-32: winners have bet"
    for one in letter.awards:
        yield Win(CATEGORIES[one.prize], one.seat, Money(bets[one.seat]))


def _certain(pot: PotNow, awards: tuple[RegisteredAward, ...]) -> Iterator[RegisteredAward]:
    """R-20: as their table said them, before anybody knew a percentage."""
    paytable = plan_of(pot.documents).ruleset.paytable
    for one in awards:
        is_share = hasattr(paytable[CATEGORIES[one.prize]], "ppm")
        yield replace(one, amount=0) if is_share else one


def given_with(state: State, ended: DisputeEnded, made: ClaimRegistered | None) -> Given:
    """R-21: what was handed out of it, as far as it is what was decided; its disputes end with it."""
    facts: list[DisputeEnded | AwardPaid | AwardSetAside] = []
    owed = {f"{made.claim}/{one.number}": one for one in made.awards} if made is not None else {}
    for one in state.disputes.values():
        letter = one.letter
        if one.neighbour != ended.neighbour or not isinstance(letter, AwardGiven):
            continue
        if one.about.rpartition("/")[0] != ended.claim:
            continue
        award = owed.pop(one.about, None)
        is_it = made is not None and award is not None and award.amount == letter.amount
        facts.append(replace(ended, number=one.number, amount=one.amount, accepted=is_it, claim="", log=0))
        if is_it and made is not None and award is not None:
            facts.append(_given(one, letter, made, award))
    assert ended.claim, "R-28: about winners"
    return tuple(facts)


def _given(of: Dispute, letter: AwardGiven, made: ClaimRegistered, award: RegisteredAward) -> AwardPaid | AwardSetAside:
    by = f"{of.neighbour}/{letter.by}"
    assert award.amount == letter.amount, "R-12: what was decided"
    if letter.aside:
        return AwardSetAside(of.about, made.pot, letter.amount, "", by, "")
    return AwardPaid(of.about, made.pot, made.casino, award.seat, award.amount, by)


def done_again(state: State, ended: DisputeEnded) -> tuple[ClaimRegistered | AwardPaid | AwardSetAside, ...] | Refusal:
    """R-28: after a restore, what was done because of it: as it was told, or decided now where nobody had heard it.
    `state`: with the dispute."""
    dispute = state.disputes[f"{ended.neighbour}/{ended.number}"]
    if not ended.accepted:
        return ()
    if isinstance(dispute.letter, AwardGiven):
        return _given_again(state, ended.neighbour, dispute.letter)
    if not ended.claim:
        return ()
    made = take(state, dispute)
    return made if isinstance(made, Refusal) else (made,)


def _given_again(state: State, neighbour: str, letter: AwardGiven) -> tuple[AwardPaid | AwardSetAside, ...]:
    assert letter.amount >= 0, "R-18: no award is negative"
    try:
        return hear_given(state, neighbour, letter)
    except Unbelieved:
        return ()


def ended_as_told(state: State, neighbour: str, number: int, letter: Letter, told: Bound) -> tuple[Fact, ...]:
    """R-28: what was not believed before a restore is not believed now, and ends as it ended; where that cannot be, it
    stands apart, for two persons."""
    over = told.letter
    assert isinstance(over, DisputeOver), "R-28: how it ended"
    disputed_ = disputes.not_believed(state, neighbour, number, letter, "se disputó antes de restaurar")
    by, second = (person.removeprefix(f"{state.node}/") for person in (over.by, over.second))
    ended_ = DisputeEnded(
        neighbour, number, disputed_.pot, disputed_.amount, over.accepted, over.reason, by, second, told.number,
        claim=disputed_.about if over.claim else "",
    )  # fmt: skip
    done = done_again(disputes.disputed(state, disputed_), ended_)
    return (disputed_,) if isinstance(done, Refusal) else (disputed_, ended_, *done)


# Where it was won


def hear_over(state: State, above: str, letter: DisputeOver) -> tuple[DisputeHeard | ClaimDecided, ...]:
    """R-28: what became of something of ours; what is left with us the house bears at whose table it happened."""
    if letter.neighbour != state.node:
        return ()
    sent = state.told.get(f"to:{above}")
    if sent is None or not 1 <= letter.number <= sent.number or abs(letter.amount) > MOST_MONEY:
        raise Unbelieved(f"la disputa {letter.number} no es de una carta de este nodo")
    casino = _house_of(state, letter)
    heard = DisputeHeard(letter.pot, casino, above, letter.number, letter.amount, letter.accepted, letter.reason)
    return (heard, *left_with_us(state, above, letter, casino))


def _house_of(state: State, letter: DisputeOver) -> str:
    """R-28: of the table that is named; an owner who names none knows of one house only."""
    every: list[Table | AwayTable] = [*state.tables.values(), *state.away.values()]
    fed = [one for one in every if one.pot == letter.pot]
    if not letter.table and fed:
        return fed[0].casino
    name = there(letter.table, state.node) if letter.table else None
    table = (state.tables.get(name) or state.away.get(name)) if name is not None else None
    if table is None:
        raise Unbelieved(f"ninguna mesa de aquí alimenta el pozo {letter.pot}, o no la que nombra")
    return table.casino


def hear_doubt(state: State, above: str, letter: told.ClaimNotBelieved) -> tuple[ClaimDoubted, ...]:
    """R-21: why it waits; nothing, where it is another's or is decided already."""
    name, table = there(letter.claim, state.node), there(letter.table, state.node)
    claim = state.claims.get(name) if name is not None else None
    if claim is None or name not in state.undecided or claim.table != table:
        return ()
    why = "".join(one if one.isprintable() else "?" for one in letter.why[:500]).strip()
    assert state.pots[letter.pot].above == above, "R-28: its owner says so"
    return (ClaimDoubted(claim.id, claim.table, claim.number, claim.pot, above, why),) if why else ()


def doubted(state: State, fact: ClaimDoubted) -> State:
    assert fact.why, "R-21: why it waits"
    return with_claim(state, replace(state.claims[fact.claim], doubted=fact.why))


def left_with_us(state: State, above: str, letter: DisputeOver, casino: str) -> tuple[ClaimDecided, ...]:
    """R-18, R-28: it waits no more. What waited is worked out as if the pot were ours, and is our house's. Of what was
    all certain, paid, and left with its day nothing more is known."""
    name = there(letter.claim, state.node) if letter.claim else None
    if letter.accepted or name is None or name not in state.undecided:
        return ()
    pot, after, claim = state.pots[letter.pot], letter.after, state.claims.get(name)
    parts = [] if after is None else [after.main, *after.reserves.values()]
    if (
        after is None
        or after.reserves.keys() != pot.reserves.keys()
        or not all(0 <= one <= MOST_MONEY for one in parts)
    ):
        raise Unbelieved(f"al dejar {name} no dice cómo está el pozo {pot.name}")
    mine = replace(pot, above="", main=after.main, reserves=dict(after.reserves))
    table, _, number = name.rpartition("/")[0].partition("/")
    levels = levels_of(money_of(mine))
    awards = tuple(_borne(mine, claim)) if claim is not None else ()
    waited = tuple(one.number for one in awards if claim is not None and claim.awards[f"{name}/{one.number}"].waits)
    assert pot.above == above, "R-28: its owner decides"
    return (
        ClaimDecided(name, table, int(number), pot.name, casino, above, levels, awards, levels, waited, left=above),
    )


def _borne(mine: PotNow, claim: Claim) -> Iterator[RegisteredAward]:
    """R-15: what waited is what the rules give; no part of the pot gives it."""
    of = Entered(claim.id, claim.table, claim.number, claim.casino, (), (), "")
    made = claims.settled(mine, of, Looked(tuple(wins_of(claim, plan_of(mine.documents))), ()))
    right: Mapping[int, RegisteredAward] = {one.seat: one for one in made.awards}
    assert claim.awards, "R-34: a claim has winners"
    for one in claim.awards.values():
        amount = right[one.granted.seat].amount
        rules = right[one.granted.seat].rules
        yield replace(one.granted, amount=amount, house=amount, rules=rules) if one.waits else one.granted


def is_ours_to_reject(state: State, name: str) -> bool:
    """R-28: whether its pot's owner left it here, so that it is nobody's business but this house's."""
    claim = state.claims.get(name)
    assert name, "a claim has a name"
    return (
        claim is not None
        and bool(claim.left)
        and not is_away(claim.table)
        and (claim.left == state.pots[claim.pot].above)
    )


def rejected(state: State, asked: RejectClaim) -> tuple[ClaimRejected]:
    """R-21: what is not paid of it goes back to the house that bears it; what is paid, it has lost."""
    claim, by, second = state.claims[asked.claim], asked.by.person, asked.second.person
    held = sum(one.granted.amount for one in claim.awards.values() if not one.paid)
    assert by != second, "R-26: two different persons"
    return (ClaimRejected(claim.id, claim.pot, claim.casino, held, Flow({}, held), asked.reason, by, second),)


DECIDE: dict[type, Callable[..., Any]] = {EndDispute: end}
APPLY: dict[type, Callable[[State, Any], State]] = {ClaimDoubted: doubted}
