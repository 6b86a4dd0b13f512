"""What each letter between two neighbours brings to what one owes the other (R-22, R-23, R-28, R-34).

Theory. Both ends of a link hold every letter: who wrote it word for word, who heard it as the letter of a pot's log or
as the facts that followed from it. So both can say of each letter, alike and without the other, by how much it moves
what the member owes the owner: above nothing, it owes more. What a letter brings is told under the member's own names
and never taken from the ledger; the ledger proves it (clearing.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from controller.core import facts
from controller.core.facts import Fact
from controller.core.links import letters as told
from controller.core.links.letters import Letter
from controller.core.links.names import is_away, neighbour_of, there
from controller.core.state import plan_of
from controller.core.values import Documents, RegisteredAward, SealedBet
from controller.rules.cards import CATEGORIES
from controller.rules.ruleset import Share


class StatementKind(NamedTuple):
    """A line of a statement: in Spanish, what it counts; `moves`: it is part of what is owed, and no detail of it;
    `of_log`: it comes from the pot's log, and not from the member's own letters."""

    label: str
    moves: bool = True
    of_log: bool = False


LINES: Mapping[str, StatementKind] = {
    "bets.net": StatementKind("Recaudado, sin la comisión del casino (R-22, R-23)"),
    "bets.wagered": StatementKind("de ello, apostado", moves=False),
    "bets.commission": StatementKind("menos la comisión que tomó el casino", moves=False),
    "voids.net": StatementKind("Devuelto por anulaciones tras el cierre (R-25)"),
    "voids.wagered": StatementKind("de ello, apuestas devueltas", moves=False),
    "voids.commission": StatementKind("menos la comisión que devolvió el casino", moves=False),
    "awards.certain": StatementKind("Premios de monto cierto: múltiplos y fijos (R-11, R-20)"),
    "awards.decided": StatementKind("Premios de porcentaje, que decidió el dueño (R-15, R-20)", of_log=True),
    "awards.corrected": StatementKind("Premios que cambió una corrección (R-34, R-35)", of_log=True),
    "prizes": StatementKind("Premios complementarios en dinero (R-29)"),
    "house.base": StatementKind("Base que puso la casa tras un 100 % (R-19)", of_log=True),
    "house.plan": StatementKind("Base que puso la casa al regir un plan (R-24)", of_log=True),
    "house.shortfall": StatementKind("Lo que faltó al pozo para premios, y puso la casa (R-18)", of_log=True),
    "house.borne": StatementKind("Lo que faltó al pozo para anulaciones y complementarios (R-18, R-25)", of_log=True),
    "house.corrected": StatementKind("Lo que la casa puso (+) o recuperó (-) por correcciones (R-34)", of_log=True),
    "share": StatementKind("Su parte del pozo, porque lo dejó (R-28)", of_log=True),
    "left": StatementKind("Con lo que se quedó al dejar al dueño, o lo que perdió (R-28)"),
    "disputes.left": StatementKind("Cartas en disputa que quedaron con el casino (R-28)", of_log=True),
    "disputes.taken": StatementKind("Cartas en disputa que el dueño tomó al fin (R-28)", moves=False, of_log=True),
    "paid": StatementKind("Premios pagados en el casino (R-21)", moves=False),
    "advances.given": StatementKind("Adelantado a jugadores por la casa (R-20)", moves=False),
    "advances.back": StatementKind("Adelantos que volvieron a la casa al pagar (R-20)", moves=False),
    "aside": StatementKind("Premios apartados sin plazo (R-35)", moves=False),
}
"""In the order in which a page has them."""

Amounts = tuple[tuple[str, int], ...]


class Brought(NamedTuple):
    """What a letter says for a statement: its lines; which claims and corrections wait since for the owner's answer,
    and which wait no more, or that none does (`left`); `player`: of which pass and seat somebody was advanced or
    paid."""

    lines: Amounts = ()
    asks: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    player: str = ""
    left: bool = False


NOTHING = Brought()


def _lines(*found: tuple[str, int]) -> Amounts:
    return tuple((key, amount) for key, amount in found if amount)


def _sum_of(awards: Iterable[RegisteredAward]) -> int:
    return sum(award.amount for award in awards)


# Upwards, in the member's own words


def _bets(kind: str, bets: Iterable[SealedBet]) -> Amounts:
    listed = tuple(bets)
    wagered, commission = sum(one.amount for one in listed), sum(one.commission for one in listed)
    return _lines(
        (f"{kind}.net", wagered - commission), (f"{kind}.wagered", wagered), (f"{kind}.commission", -commission)
    )


def upwards(letter: Letter, answer: Iterable[Fact]) -> Brought:
    """A letter that the member told, or that was not believed and stands in the fact of it. `answer`: the facts before
    it in its answer."""
    match letter:
        case told.BetsSealed():
            return Brought(_bets("bets", letter.bets))
        case told.BetsVoided():
            return Brought(_bets("voids", () if letter.kept else letter.undone))
        case told.ClaimMade():
            return Brought(_lines(("awards.certain", -_sum_of(letter.awards))), (letter.claim,))
        case told.PrizeDrawn() if not letter.promo:
            return Brought(_lines(("prizes", -letter.amount)))
        case told.AwardGiven() | told.AdvanceGiven():
            of = next((fact for fact in answer if isinstance(fact, _OF_PLAYERS)), None)
            promo = isinstance(of, facts.AwardPaid) and of.promo
            return NOTHING if promo else given(letter, of.seat if of is not None else 0)
        case told.OwnerLeft():
            return Brought(_lines(("left", -letter.amount)), left=True)
        case told.CorrectionWanted():
            return Brought((), (f"{letter.table}#{letter.number}",))
    return NOTHING


_OF_PLAYERS = facts.AwardPaid | facts.AwardAdvanced | facts.AdvanceHeard


def given(letter: told.AwardGiven | told.AdvanceGiven, seat: int) -> Brought:
    """R-20, R-21: what a player had; `seat`: 0 where it does not matter whose."""
    player = player_of(letter.award, seat) if seat else ""
    if isinstance(letter, told.AdvanceGiven):
        return Brought(_lines(("advances.given", letter.amount)), player=player)
    return Brought(_lines(("aside" if letter.aside else "paid", letter.amount)), player="" if letter.aside else player)


def player_of(award: str, seat: int) -> str:
    """R-7, R-20: one player in all claims of the hands of his pass; a complementary prize gives nothing back."""
    of_pass, _, claim = award.rpartition("/")[0].rpartition("/")
    return "" if claim.startswith("p") else f"{of_pass}/{seat}"


# Upwards, as it was heard


class Heard:
    """The facts that followed here from a neighbour's letters, read back as what it said. `documents`: the plan in
    force of each pot. Of claims that were not believed it keeps who won, 0 of promotional credits (R-29)."""

    def __init__(self, neighbour: str, documents: Mapping[str, Documents]) -> None:
        self.neighbour, self.documents = neighbour, documents
        self._seats: dict[str, int] = {}

    def read(self, followed: Iterable[Fact]) -> tuple[str, Brought]:
        """Of which pot it was, and what it said; nothing of any, where nothing followed."""
        for fact in followed:
            if isinstance(fact, facts.LetterDisputed):
                return fact.letter.pot, self._disputed(fact.letter)
            part = _HEARD.get(type(fact))
            if part is not None:
                return fact.pot, part(self, fact)  # type: ignore[union-attr]  # every fact in the table has one
        return "", NOTHING

    def _disputed(self, letter: Letter) -> Brought:
        if isinstance(letter, told.ClaimMade):
            self._seats.update((f"{letter.claim}/{one.number}", one.seat) for one in letter.awards)
        elif isinstance(letter, told.PrizeDrawn):
            self._seats[f"{letter.claim}/1"] = 0 if letter.promo else letter.seat
        elif isinstance(letter, told.AwardGiven | told.AdvanceGiven):
            seat = self._seats.get(letter.award)
            is_promo = seat == 0 and isinstance(letter, told.AwardGiven) and not letter.aside
            return NOTHING if is_promo else given(letter, seat or 0)
        return upwards(letter, ())

    def paid(self, fact: facts.AwardPaid) -> Brought:
        """R-29: promotional credits are nobody's money yet."""
        player = player_of(self.called(fact.award), fact.seat)
        return NOTHING if fact.promo else Brought(_lines(("paid", fact.amount)), player=player)

    def advanced(self, fact: facts.AdvanceHeard) -> Brought:
        player = player_of(self.called(fact.award), fact.seat)
        return Brought(_lines(("advances.given", fact.amount)), player=player)

    def called(self, name: str) -> str:
        return there(name, self.neighbour) or name

    def sealed(self, fact: facts.PassSealed | facts.HandsVoided, kind: str, bets: tuple[SealedBet, ...]) -> Brought:
        """R-23: without the commission that was taken here, for the house of both."""
        found = _bets(kind, bets)
        here = fact.flow.commission
        if not here:
            return Brought(found)
        amounts = dict(found)
        net, commission = amounts.get(f"{kind}.net", 0) + here, amounts.get(f"{kind}.commission", 0) + here
        wagered = (f"{kind}.wagered", amounts.get(f"{kind}.wagered", 0))
        return Brought(_lines((f"{kind}.net", net), wagered, (f"{kind}.commission", commission)))

    def claimed(self, fact: facts.ClaimRegistered) -> Brought:
        """R-20: what of it had been certain where it was made."""
        paytable = plan_of(self.documents[fact.pot]).ruleset.paytable
        certain = (one for one in fact.awards if not isinstance(paytable[CATEGORIES[one.prize]], Share))
        return Brought(_lines(("awards.certain", -_sum_of(certain))), (self.called(fact.claim),))

    def asked(self, fact: facts.ClaimAsked) -> Brought:
        return Brought(_lines(("awards.certain", -_sum_of(fact.awards))), (self.called(fact.claim),))

    def wanted(self, fact: facts.ClaimCorrected | facts.CorrectionRefused | facts.CorrectionAsked) -> Brought:
        return Brought((), (f"{self.called(fact.table)}#{fact.wanted}",))


_HEARD: Mapping[type, Callable[[Heard, Any], Brought]] = {
    facts.PassSealed: lambda of, fact: of.sealed(fact, "bets", fact.bets),
    facts.HandsVoided: lambda of, fact: of.sealed(fact, "voids", fact.undone),
    facts.ClaimRegistered: Heard.claimed,
    facts.ClaimAsked: Heard.asked,
    facts.ClaimCorrected: Heard.wanted,
    facts.CorrectionRefused: Heard.wanted,
    facts.CorrectionAsked: Heard.wanted,
    facts.PrizeGranted: lambda _, fact: NOTHING if fact.promo else Brought(_lines(("prizes", -fact.amount))),
    facts.AwardPaid: Heard.paid,
    facts.AdvanceHeard: Heard.advanced,
    facts.AwardSetAside: lambda _, fact: Brought(_lines(("aside", fact.amount))),
}


# Downwards: the log of the pot, the same at both ends


class Log:
    """A pot's log as one member counts it. `certain`: of its claims, what had been certain when they were made;
    `asked`: under which number of its own it asked what waits."""

    def __init__(self, member: str) -> None:
        self.member = member
        self.certain: dict[str, int] = {}
        self.asked: dict[int, tuple[str, ...]] = {}

    def note(self, number: int, said: Brought) -> None:
        """One letter more of the member's own."""
        for name in said.asks:
            self.certain[name] = -sum(amount for key, amount in said.lines if key == "awards.certain")
        if said.asks:
            self.asked[number] = said.asks

    def read(self, letter: Letter, base: int) -> Brought:
        """R-20: what concerns this member. `base`: what its house put in, as the plan took effect with it."""
        match letter:
            case told.ClaimSettled() if self._is_its(letter.table):
                return self._settled(letter)
            case told.ClaimPutRight():
                return self._put_right(letter)
            case told.HouseBears() if self._is_its(letter.table):
                return Brought(_lines(("house.borne", letter.amount)))
            case told.PlanInForce():
                return Brought(_lines(("house.plan", base)))
            case told.PotMoved() if letter.neighbour == self.member:
                return Brought(_lines(("share", -letter.amount)))
            case told.DisputeOver() if letter.neighbour == self.member:
                taken, left = ("disputes.taken", letter.amount), ("disputes.left", -letter.amount)
                return Brought(_lines(taken if letter.accepted else left), (), self.asked.get(letter.number, ()))
        return NOTHING

    def _is_its(self, table: str) -> bool:
        return bool(table) and is_away(table) and neighbour_of(table) == self.member

    def _settled(self, letter: told.ClaimSettled) -> Brought:
        claim = there(letter.claim, self.member) or letter.claim
        waited = _sum_of(letter.awards) - self.certain.get(claim, 0)
        base = -letter.base_back.house if letter.base_back is not None else 0
        shortfall = sum(award.house for award in letter.awards)
        lines = _lines(("awards.decided", -waited), ("house.base", base), ("house.shortfall", shortfall))
        return Brought(lines, (), (claim,))

    def _put_right(self, letter: told.ClaimPutRight) -> Brought:
        is_its = self._is_its(letter.table)
        answers = (f"{there(letter.table, self.member)}#{letter.wanted}",) if is_its else ()
        if letter.refused:
            return Brought((), (), answers)
        owed = letter.held if is_its else 0
        owed += sum(_sum_of(one.awards) for one in letter.resettled if self._is_its(one.table))
        house = -letter.house if is_its else 0
        return Brought(_lines(("awards.corrected", -owed), ("house.corrected", house)), (), answers)


def base_of(followed: Iterable[Fact], member: str, above: str) -> Iterator[int]:
    """R-24: what the member's house put in with a plan that took effect in this answer. `above`: whose the pot is, as
    the member has it; nothing in the owner's own record."""
    for fact in followed:
        if isinstance(fact, facts.PlanTookEffect):
            its = fact.above == above if above else bool(fact.base_table) and neighbour_of(fact.base_table) == member
            yield fact.base_put_in if its else 0
