"""What the owner of a pot says of a correction, where the tables are: put right, owed anew, or refused (R-28, R-34).

Theory. The log of a pot says of every correction the same to all who share it. Whoever asked has its pass put right;
everybody else may have claims that are owed more now, because an earlier one was false: those are owed here, by their
own house's table, whatever was asked elsewhere. What is held, and what the house bears, moves with the clearing; the
amounts must be those that this record knows, or nothing of it is believed.
"""

from collections.abc import Iterable, Iterator

from controller.core.facts import ClaimCorrected, CorrectionRefused
from controller.core.links.awaited import name_of
from controller.core.links.bets import Unbelieved
from controller.core.links.letters import ClaimPutRight
from controller.core.links.names import there
from controller.core.past.claims import is_prize, pass_of
from controller.core.people import NAME
from controller.core.state import State
from controller.core.values import Flow, Loss, RegisteredAward, Resettled
from controller.rules.money import MOST_MONEY

_SEATS = 64


def hear_put_right(state: State, above: str, letter: ClaimPutRight) -> tuple[ClaimCorrected | CorrectionRefused, ...]:
    """R-34: what concerns a table here, or one of a neighbour below; nothing, where it is all of others."""
    table = there(letter.table, state.node)
    assert state.pots[letter.pot].above == above, "R-28: its owner decides"
    if table is not None:
        _refuse_unasked(state, table, letter)
    if letter.refused:
        return () if table is None else (_refused(table, letter),)
    _refuse_figures(letter)
    resettled = tuple(_resettled(state, letter))
    if table is not None:
        return (_put_right(state, above, table, letter, resettled),)
    return (_of_others(above, letter, resettled),) if resettled else ()


def _refuse_unasked(state: State, table: str, letter: ClaimPutRight) -> None:
    """R-28: the table's node alone asks for a correction."""
    if letter.wanted < 1 or state.awaited.get(name_of(table, letter.wanted)) != (table, letter.number):
        raise Unbelieved(f"del pase {letter.number} de {table} no se pidió la corrección {letter.wanted}")


def _refused(table: str, letter: ClaimPutRight) -> CorrectionRefused:
    assert letter.refused, "R-34: why it cannot be"
    return CorrectionRefused(
        letter.wanted, table, letter.number, letter.pot, letter.refused_code or "refused", letter.refused
    )


def _put_right(
    state: State, above: str, table: str, letter: ClaimPutRight, resettled: tuple[Resettled, ...]
) -> ClaimCorrected:
    claim = there(letter.claim, state.node)
    known = state.tables.get(table) or state.away.get(table)
    if claim is None or pass_of(claim) != (table, letter.number):
        raise Unbelieved(f"{letter.claim} no es de la mesa {table}")
    if not NAME.fullmatch(letter.casino) or (known is not None and known.casino != letter.casino):
        raise Unbelieved(f"la mesa {table} no es de {letter.casino}")
    cancelled = tuple(_own(state, award) for award in letter.cancelled)
    lost = tuple(Loss(_own(state, one.award), one.amount) for one in letter.lost)
    _refuse_not_owed(state, cancelled)
    _refuse_numbers(state, claim, letter.awards)
    _refuse_held(state, claim, cancelled, letter)
    by, second = (_at_home(person, state.node) for person in (letter.by, letter.second))
    return ClaimCorrected(
        claim, table, letter.number, letter.pot, letter.casino, 0, letter.community, letter.hands,
        letter.before, letter.awards, letter.unpaid, cancelled, lost, resettled,
        Flow({}, letter.house), (), letter.reason, by, second, confirmed=letter.confirmed, since=letter.since,
        void=letter.void, above=above, wanted=letter.wanted, held=letter.held,
    )  # fmt: skip


def _of_others(above: str, letter: ClaimPutRight, resettled: tuple[Resettled, ...]) -> ClaimCorrected:
    """R-34: a pass of somebody else was put right, and claims of tables here are owed more."""
    by, second = (f"{above}/{person}" if person else "" for person in (letter.by, letter.second))
    assert resettled, "something of it concerns us"
    return ClaimCorrected(
        "", "", 0, letter.pot, resettled[0].casino, 0, (), (), letter.before, (), (), (), (), resettled,
        Flow(), (), letter.reason, by, second, above=above,
    )  # fmt: skip


def _resettled(state: State, letter: ClaimPutRight) -> Iterator[Resettled]:
    """R-21: the thirty minutes run from the registration at the table, where that is still known."""
    for one in letter.resettled:
        claim, table = there(one.claim, state.node), there(one.table, state.node)
        if claim is None or table is None:
            continue
        _refuse_numbers(state, claim, one.awards)
        if pass_of(claim) != (table, one.number):
            raise Unbelieved(f"{claim} no es de la mesa {table}")
        known = state.claims.get(claim)
        yield Resettled(claim, table, one.number, one.casino, one.awards, known.at if known is not None else one.since)


def _refuse_figures(letter: ClaimPutRight) -> None:
    """R-18: what an owner can decide of any pass."""
    awards = (*letter.awards, *(award for one in letter.resettled for award in one.awards))
    figures = (letter.house, letter.held, letter.since, *(loss.amount for loss in letter.lost))
    if not all(0 < award.amount <= MOST_MONEY and 1 <= award.seat <= _SEATS for award in awards):
        raise Unbelieved(f"lo corregido del pase {letter.number} de {letter.table} no puede ser")
    if not all(abs(figure) <= MOST_MONEY for figure in figures):
        raise Unbelieved(f"lo corregido del pase {letter.number} de {letter.table} pasa de lo que hay")


def _own(state: State, award: str) -> str:
    name = there(award, state.node)
    if name is None:
        raise Unbelieved(f"el premio {award} no es de aquí")
    return name


def _refuse_not_owed(state: State, cancelled: Iterable[str]) -> None:
    """R-34: what is cancelled was not paid, and not cancelled before."""
    for name in cancelled:
        claim = state.claims.get(name.rpartition("/")[0])
        one = claim.awards.get(name) if claim is not None else None
        if one is None or one.paid or one.cancelled or one.waits:
            raise Unbelieved(f"el premio {name} no está por pagar")


def _refuse_numbers(state: State, claim: str, awards: Iterable[RegisteredAward]) -> None:
    """R-13: differences are numbered on."""
    known = state.claims.get(claim)
    last = max((one.granted.number for one in known.awards.values()), default=0) if known is not None else 0
    for one in awards:
        if one.number <= last:
            raise Unbelieved(f"el premio {claim}/{one.number} no sigue a los que hay")
        last = one.number


def _refuse_held(state: State, claim: str, cancelled: Iterable[str], letter: ClaimPutRight) -> None:
    """R-20, R-29: exactly what the awards of it move; promotional credits move nothing."""
    known = state.claims.get(claim)
    more = sum(one.amount for one in letter.awards)
    promo = known.promo if known is not None else is_prize(claim) and not letter.held
    owners = [(name, state.claims[name.rpartition("/")[0]]) for name in cancelled]
    less = sum(of.awards[name].granted.amount for name, of in owners if not of.promo)
    if letter.held != (0 if promo else more) - less:
        raise Unbelieved(f"lo retenido de {claim} cambia en {letter.held}, y sus premios en {more - less}")


def _at_home(person: str, node: str) -> str:
    """Who signed, as he is called at his own node."""
    assert node, "a node has a name"
    return person.removeprefix(f"{node}/")
