"""Which pass an act doubts, and what it says was true of it instead (R-25, R-29, R-34, R-35).

Theory. Nearly every input concerns what is in the state. A few concern a pass that is over, or undo what was won: those
are told apart here, so that everything else costs nothing. Nothing is read, nothing decided.
"""

from typing import NamedTuple

from controller.core import inputs as ask
from controller.core.inputs import Input
from controller.core.links.letters import CorrectionWanted
from controller.core.links.names import here
from controller.core.past.claims import is_prize, pass_of
from controller.core.state import State, Table, claims_of, in_play
from controller.core.values import TRAINING, Hand, Phase


class Doubt(NamedTuple):
    """What is to be true of a pass: these hands; or, where they are None, those that were known, less some seats. And
    the prizes, by the names of their claims, that were not won, or were after all."""

    table: str
    number: int
    hands: tuple[Hand, ...] | None
    community: tuple[str, ...] = ()
    seats_out: frozenset[int] = frozenset()
    prizes_out: frozenset[str] = frozenset()
    prize_in: str = ""


def doubt_of(state: State, asked: Input) -> Doubt | None:
    if isinstance(asked, ask.HearLetter):
        wanted = asked.letter
        return _wanted(state, asked.neighbour, wanted) if isinstance(wanted, CorrectionWanted) else None
    match asked:
        case ask.RegisterClaim():
            table = _table(state, asked.table)
            return None if table is None else _entered(state, table, asked)
        case ask.CorrectClaim():
            name = in_play(state, asked.table) if not asked.table.startswith(TRAINING) else asked.table
            return Doubt(name, asked.number, asked.hands, asked.community)
        case ask.RejectClaim(claim=claim):
            of = pass_of(claim)
            if of is None:
                return None
            if is_prize(claim):
                return Doubt(*of, None, prizes_out=frozenset({claim}))
            return Doubt(*of, ())
        case ask.GrantAnew(claim=claim):
            of = pass_of(claim)
            return Doubt(*of, None, prize_in=claim) if of and is_prize(claim) else None
        case ask.VoidPass() | ask.VoidHand():
            table = _table(state, asked.table)
            return None if table is None else _void(state, table, asked)
    return None


def _wanted(state: State, neighbour: str, wanted: CorrectionWanted) -> Doubt | None:
    """R-28: what a neighbour wants put right, if the pot is ours: else its owner reads his own record."""
    pot = state.pots.get(wanted.pot)
    if pot is None or pot.above or not wanted.table:
        return None
    assert neighbour, "a neighbour has a name"
    return Doubt(
        here(wanted.table, neighbour),
        wanted.pass_number,
        wanted.hands,
        wanted.community,
        frozenset(wanted.seats_out),
        frozenset(here(claim, neighbour) for claim in wanted.prizes_out if pass_of(claim)),
        here(wanted.prize_in, neighbour) if pass_of(wanted.prize_in) else "",
    )


def _entered(state: State, table: Table, asked: ask.RegisterClaim) -> Doubt | None:
    """R-34, R-35: the pass that hands are entered for, if the record must be asked: between passes it is the last one;
    and one on the table whose claim was rejected has its place already."""
    if table.phase is not Phase.BETWEEN and asked.number in {0, table.number}:
        rejected = any(one.rejected for one in claims_of(state, table.name, table.number))
        if not rejected or table.phase is not Phase.SEALED:
            return None
    return Doubt(table.name, asked.number or table.number, asked.hands, asked.community)


def _table(state: State, name: str) -> Table | None:
    return None if name.startswith(TRAINING) else state.tables.get(in_play(state, name))


def _void(state: State, table: Table, asked: ask.VoidPass | ask.VoidHand) -> Doubt | None:
    """R-25: what was won by the hands that are void is put right first."""
    if table.phase is not Phase.SEALED:
        return None
    seats = frozenset({asked.seat}) if isinstance(asked, ask.VoidHand) else frozenset(bet.seat for bet in table.bets)
    of_pass = [one for one in state.claims.values() if (one.table, one.number) == (table.name, table.number)]
    won = [one for one in of_pass if not one.rejected and seats & one.seats]
    if not won:
        return None
    prizes = frozenset(one.id for one in won if one.prize)
    return Doubt(
        table.name,
        table.number,
        None,
        seats_out=seats,
        prizes_out=prizes,
    )
