"""Claims on a pot that nodes share: asked where the cards lie, decided where the pot is (R-15, R-20, R-28, R-34).

Theory. The table's node alone says who won; the owner of the pot alone says in which order claims are paid, and so what
a percentage is. What a multiple or a fixed amount gives is certain at once, whatever the pot holds: it is held and can
be paid though no owner has heard of it. A percentage waits. The owner judges the hands by the same rules on the bets
that he was told, settles, and tells it in the pot's log; where the claim was made the amounts are filled in, and what
the pot could not give, with the base it was given back, that casino's house bears.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.core import claims
from controller.core.claims import Entered, Looked, granted_of, hit
from controller.core.facts import AwardPaid, AwardSetAside, ClaimAsked, ClaimDecided, ClaimRegistered
from controller.core.inputs import RegisterClaim
from controller.core.links.bets import Unbelieved, away_table
from controller.core.links.known import AwayTable
from controller.core.links.letters import AwardGiven, Bound, ClaimMade, ClaimSettled
from controller.core.links.names import here, is_away
from controller.core.links.restored.bound import claim_told, given_by, lacking
from controller.core.past.hands import Played, judge_hands, member_of
from controller.core.people import NAME
from controller.core.state import (
    AwardNow,
    Claim,
    PotNow,
    State,
    Table,
    claims_of,
    levels_of,
    money_of,
    moved,
    plan_of,
    with_claim,
    with_pot,
)
from controller.core.values import RegisteredAward, Unpaid
from controller.rules.cards import CATEGORIES
from controller.rules.money import MOST_MONEY
from controller.rules.refusal import Refusal
from controller.rules.ruleset import Share
from controller.rules.settlement import Win, settle


def ask(state: State, table: Table, asked: RegisterClaim) -> tuple[ClaimAsked] | Refusal:
    """R-34: the hands of the sealed pass, all its winners at once."""
    looked = claims.look(state, table, asked)
    if isinstance(looked, Refusal):
        return looked
    assert len(looked.wins) <= len(table.bets), "R-32: never more winners than valid bets"
    return (_asked(state.pots[table.pot], claims.entered(table, asked), looked),)


def _asked(pot: PotNow, of: Entered, looked: Looked) -> ClaimAsked:
    awards, waiting = _without_percentages(pot, looked.wins)
    assert pot.above, "R-28: of a pot that a neighbour owns"
    return ClaimAsked(
        of.claim, of.table, of.number, pot.name, of.casino, pot.above, of.community, of.hands, awards, waiting,
        looked.unpaid, of.by,
    )  # fmt: skip


def _without_percentages(pot: PotNow, wins: Iterable[Win]) -> tuple[tuple[RegisteredAward, ...], tuple[int, ...]]:
    """R-13: all awards in paying order, and which of them wait for their amount; from where, the owner says."""
    plan = plan_of(pot.documents)
    paid = granted_of(settle(plan.ruleset, money_of(pot), wins, plan.unit).awards, pot.reserves)
    paytable = plan.ruleset.paytable
    waiting = tuple(one.number for one in paid if isinstance(paytable[CATEGORIES[one.prize]], Share))
    assert len({one.seat for one in paid}) == len(paid), "R-7: one hand for each seat"
    return (
        tuple(
            RegisteredAward(
                one.number, one.seat, one.prize, 0 if one.number in waiting else one.amount, rules=one.rules
            )
            for one in paid
        ),
        waiting,
    )


def hear_claim(state: State, neighbour: str, letter: ClaimMade) -> tuple[ClaimRegistered | ClaimAsked]:
    """R-20, R-32: settled by the owner of the pot, in the order in which he hears; or asked on of the next node."""
    table, pot = away_table(state, neighbour, letter.pot, letter.table, letter.casino)
    claim = here(letter.claim, neighbour)
    _refuse_claim(state, table, claim, letter)
    played = Played(table.name, pot.documents, table.bets, table.dark, member_of(state, pot.name))
    judged = judge_hands(played, letter.hands, letter.community)
    if isinstance(judged, Refusal):
        raise Unbelieved(f"los premios {claim}: {judged.message}")
    if said_of(letter.awards) != said_of(_without_percentages(pot, judged.wins)[0]):
        raise Unbelieved(f"los premios {claim} no son los de esas manos")
    unpaid = tuple(Unpaid(one.seat, one.reason.value) for one in judged.not_paid)
    of = Entered(
        claim, table.name, table.number, table.casino, letter.community, letter.hands, f"{neighbour}/{letter.by}"
    )
    assert table.pot == pot.name, "R-9: a table feeds a pot"
    bound = claim_told(state, pot.name, claim)
    if bound is not None:
        return (_decided_before(pot, of, Looked(judged.wins, unpaid), bound),)
    return (
        _asked(pot, of, Looked(judged.wins, unpaid))
        if pot.above
        else claims.settled(pot, of, Looked(judged.wins, unpaid)),
    )


def _decided_before(pot: PotNow, of: Entered, looked: Looked, bound: Bound) -> ClaimRegistered:
    """R-20, R-28: the winners are who they were, and what they are owed is what they were told."""
    letter = bound.letter
    assert isinstance(letter, ClaimSettled) and not pot.above, "R-28: the owner of a pot settles"
    judged, waiting = _without_percentages(pot, looked.wins)
    certain = {one.number: one.amount for one in judged if one.number not in waiting}
    told = [(one.number, one.seat, one.prize, certain.get(one.number, one.amount)) for one in letter.awards]
    same = (letter.table, letter.number, letter.casino) == (of.table, of.number, of.casino)
    if (
        not same
        or [each[:3] for each in said_of(judged)] != [each[:3] for each in told]
        or told != said_of(letter.awards)
    ):
        raise Unbelieved(f"los premios {of.claim} no son los que se decidieron antes de restaurar")
    fact = settled_as_told(pot, bound.number, letter)
    return replace(fact, community=of.community, hands=of.hands, unpaid=looked.unpaid, by=of.by)


def settled_as_told(pot: PotNow, number: int, letter: ClaimSettled) -> ClaimRegistered:
    """R-18, R-19: each part gives what it gave, and gets the base that it got."""
    assert not lacking(pot, letter), "R-18: no pot is ever negative"
    left = moved(pot, {part: -amount for part, amount in given_by(letter).items()})
    if letter.base_back is not None:
        left = moved(left, letter.base_back.parts)
    return ClaimRegistered(
        letter.claim, letter.table, letter.number, pot.name, letter.casino, (), (), levels_of(money_of(pot)),
        letter.awards, (), levels_of(money_of(left)), "", letter.base_back, number,
    )  # fmt: skip


def said_of(awards: Iterable[RegisteredAward]) -> list[tuple[int, int, str, int]]:
    """R-12: who is owed what. Which rules made it depends on what the pot holds, and there it may hold less."""
    return [(one.number, one.seat, one.prize, one.amount) for one in awards]


def _refuse_claim(state: State, table: AwayTable, claim: str, letter: ClaimMade) -> None:
    if table.closed or table.number != letter.number:
        raise Unbelieved(f"el pase {letter.number} de {table.name} no está en curso")
    attempt = claim.removeprefix(f"{table.name}/{table.number}/")
    if attempt == claim or not (attempt.isascii() and attempt.isdecimal() and len(attempt) < 10):
        raise Unbelieved(f"{claim} no es un premio del pase {letter.number} de {table.name}")
    standing = claims_of(state, table.name, table.number)
    if any(one.id == claim or not one.rejected for one in standing):
        raise Unbelieved(f"los premios del pase {letter.number} de {table.name} ya están registrados")
    assert not table.closed, "R-34: later it is a correction"


def hear_settled(state: State, above: str, table: str, claim: str, letter: ClaimSettled) -> tuple[ClaimDecided]:
    """R-20: what the owner decided of a claim that was asked here, or by a neighbour below; once, whatever he was put
    back to meanwhile."""
    _refuse_figures(letter)
    if claim not in state.undecided:
        raise Unbelieved(f"los premios {claim} no esperaban que nadie los decidiera")
    known, feeds = state.claims.get(claim), state.tables.get(table) or state.away.get(table)
    waited = _refuse_decision(known, letter) if known is not None else ()
    if feeds is not None and feeds.casino != letter.casino:
        raise Unbelieved(f"la mesa {table} no es de {letter.casino}")
    assert state.pots[letter.pot].above == above, "R-28: its owner decides"
    return (
        ClaimDecided(
            claim, table, letter.number, letter.pot, letter.casino, above, letter.before, letter.awards, letter.after,
            waited, letter.base_back, letter.left,
        ),
    )  # fmt: skip


def _refuse_figures(letter: ClaimSettled) -> None:
    """R-18: what an owner can decide of any claim."""
    back = letter.base_back.house if letter.base_back is not None else 0
    figures = [-back]
    for award in letter.awards:
        figures += [award.amount, award.house, *award.parts.values()]
        is_certain = letter.left and not award.house  # what was certain is borne where it was dealt with
        if award.house + sum(award.parts.values()) != award.amount and not is_certain:
            raise Unbelieved(f"lo decidido de {letter.claim}/{award.number} no dice de dónde sale")
    if not all(0 <= figure <= MOST_MONEY for figure in figures) or not NAME.fullmatch(letter.casino):
        raise Unbelieved(f"lo decidido de {letter.claim} no puede ser")
    if len({award.number for award in letter.awards}) < len(letter.awards):
        raise Unbelieved(f"lo decidido de {letter.claim} nombra dos veces un premio")
    assert back <= 0, "R-19: the house puts in, or nothing"


def _refuse_decision(claim: Claim, letter: ClaimSettled) -> tuple[int, ...]:
    """What was certain stays what it was; only what waited is filled in."""
    there = {one.granted.number: one for one in claim.awards.values()}
    said = {one.number: one for one in letter.awards}
    for number, one in there.items():
        award = said.get(number)
        fits = award is not None and (award.seat, award.prize) == (one.granted.seat, one.granted.prize)
        if award is None or not fits or (not one.waits and award.amount != one.granted.amount):
            raise Unbelieved(f"lo decidido de {claim.id}/{number} no es lo que se pidió")
    if len(said) > len(there) or claim.casino != letter.casino:
        raise Unbelieved(f"lo decidido de {claim.id} no es lo que se pidió")
    assert len(said) == len(there), "R-34: every winner, and nobody else"
    return tuple(number for number, one in there.items() if one.waits)


def decided(state: State, fact: ClaimDecided) -> State:
    """R-20: every award has its amount; R-31: it is shown."""
    claim = state.claims.get(fact.claim)
    pot = hit(state.pots[fact.pot], fact.claim, fact.awards, state.clock) if fact.awards else state.pots[fact.pot]
    undecided = tuple(one for one in state.undecided if one != fact.claim)
    state = replace(with_pot(state, pot), undecided=undecided)
    if claim is None:  # it was certain, paid, and left with its day
        return state
    said = {one.number: one for one in fact.awards}
    awards = {name: _filled(one, said[one.granted.number], fact.waited) for name, one in claim.awards.items()}
    assert not any(one.waits for one in awards.values()), "R-20: nothing waits any more"
    return with_claim(state, replace(claim, awards=awards, doubted="", left=fact.left))


def _filled(one: AwardNow, said: RegisteredAward, waited: tuple[int, ...]) -> AwardNow:
    assert one.waits is (said.number in waited), "R-20: what waited, and nothing else"
    return replace(one, granted=said, waits=False)


def hear_given(state: State, neighbour: str, letter: AwardGiven) -> tuple[AwardPaid | AwardSetAside]:
    """R-21: paid, or set aside, where it was won: the owner keeps count of what is still owed."""
    award = here(letter.award, neighbour)
    claim = state.claims.get(award.rpartition("/")[0])
    one = claim.awards.get(award) if claim is not None else None
    if claim is None or one is None or claim.pot != letter.pot:
        raise Unbelieved(f"no hay un premio {award}")
    if one.paid or one.cancelled or (one.aside and letter.aside) or one.waits or one.granted.amount != letter.amount:
        raise Unbelieved(f"el premio {award} es de {one.granted.amount} y está {one.phase.value}")
    by = f"{neighbour}/{letter.by}"
    assert is_away(claim.table), "R-28: of a neighbour's table"
    if letter.aside:
        return (AwardSetAside(award, claim.pot, letter.amount, "", by, ""),)
    granted = one.granted
    return (AwardPaid(award, claim.pot, claim.casino, granted.seat, granted.amount, by, claim.promo, claim.paid_in),)


def given_there(state: State, fact: AwardPaid | AwardSetAside) -> State:
    """R-21: the persons who confirmed it are the neighbour's; here it is owed no more."""
    name = fact.award.rpartition("/")[0]
    claim = state.claims[name]
    assert not claim.awards[fact.award].paid, "R-21: exactly once"
    is_paid = isinstance(fact, AwardPaid)
    one = replace(claim.awards[fact.award], paid=is_paid, aside=not is_paid)
    state = with_claim(state, replace(claim, awards={**claim.awards, fact.award: one}))
    if not is_paid or claim.promo:
        return state
    pot = state.pots[fact.pot]
    meters = replace(
        pot.meters, paid_hits=pot.meters.paid_hits + 1, paid=pot.meters.paid + claim.awards[fact.award].granted.amount
    )
    return with_pot(state, replace(pot, meters=meters))
