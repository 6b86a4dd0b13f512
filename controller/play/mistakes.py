"""What rehearsed croupiers enter wrongly, and what is put right: at once, or days later by two (R-34, R-35).

Theory. Of what truly was dealt they enter nothing, or one winner too few, a wrong seat, a winner too many; the truth is
kept here until somebody enters it. Chance decides when: before the table's next seal, or much later, by the recording
and with everybody's cards. Pure; what follows is the core's.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from controller.core import inputs as ask
from controller.core.inputs import Input
from controller.core.state import State, Table
from controller.core.values import Hand, Phase, Signature
from controller.play.cards import FIVE, NOBODY_WON, Deal, with_cards

_WRONG, _AT_ONCE, _LATER = 0.3, 0.5, 0.02
_CARLA, _JEFE, _ANA = Signature("carla"), Signature("jefe"), Signature("ana")


class _Mistake(NamedTuple):
    table: str
    number: int
    truth: Deal
    entered: Deal


class Mistakes:
    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._open: list[_Mistake] = []
        self._recordings = 0

    def entered(self, table: Table, deal: Deal, own_cards: int) -> Deal:
        """What the croupier enters of what was dealt."""
        if table.training or self._chance.random() >= _WRONG:
            return deal
        truth = with_cards(deal, self._chance) if own_cards == FIVE else deal
        entered = self._wrong(table, truth)
        self._open.append(_Mistake(table.name, table.number, truth, entered))
        return entered

    def _wrong(self, table: Table, truth: Deal) -> Deal:
        first, *rest = truth.hands
        won = {hand.seat for hand in truth.hands}
        others = [bet.seat for bet in table.bets if bet.seat not in won]
        kind = self._chance.choice(("nothing", "too few", "wrong seat", "too many"))
        if kind == "wrong seat" and others:
            return Deal((Hand(others[0], first.acts, first.cards, first.claimed), *rest), truth.community)
        if kind == "too many" and others:
            return Deal((*truth.hands, Hand(others[0], claimed="color")), truth.community)
        return Deal(tuple(rest), truth.community) if kind == "too few" and rest else NOBODY_WON

    def put_right(self, state: State) -> Iterator[Input]:
        """Some at once, some late; each until it was asked for."""
        for one in tuple(self._open):
            table = state.tables.get(one.table)
            is_last = table is not None and (table.number, table.phase) == (one.number, Phase.BETWEEN)
            if self._chance.random() < (_AT_ONCE if is_last else _LATER):
                self._open.remove(one)
                yield self._right(one, is_last=is_last)

    def _right(self, one: _Mistake, *, is_last: bool) -> Input:
        hands, community = one.truth
        if is_last and not one.entered.hands:
            return ask.RegisterClaim(one.table, hands, _CARLA, community, one.number)
        self._recordings += 1
        proof = ("", "") if is_last else (f"C-{self._recordings}", "")
        if self._recordings % 5 == 0:  # the cameras have forgotten it
            proof = ("", f"Res. {self._recordings}")
        return ask.CorrectClaim(one.table, one.number, hands, "se anotó mal", _JEFE, _ANA, community, *proof)
