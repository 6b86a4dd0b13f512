"""The fold of a record: where each fact belongs, and what all facts so far add up to.

Theory. A fact names what it must name and no more: a bet says its table, an award its number. The fold follows the
facts in their order and knows the rest from those before: which pot a table feeds, what an award is for, what every
account stands at. Reports, meters and explanations all read this one fold, and it takes no figure from a balance that
a node kept. It holds what is in force and what is pending, so it does not grow with the record. Training (names that
begin with "~") is another book: its money is never added.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from controller.core import facts
from controller.core.accounts import Posting, clearing, held, pot
from controller.core.facts import Entry, Fact
from controller.core.ledger import postings
from controller.core.links.letters import Letter
from controller.core.links.names import is_away, neighbour_of
from controller.core.links.placed import seen_tables
from controller.core.state import plan_of
from controller.core.values import TRAINING, Documents, Levels, RegisteredAward
from controller.record.reading import ReportRefused
from controller.rules.document import DocumentError
from controller.rules.money import MOST_MONEY, Money
from controller.rules.plan import Plan
from controller.rules.ruleset import Currency, Modality

NO_CURRENCY = Currency("", "", 0, "")
"""Before the first plan there is no money, and what there is of it is nothing."""


class Where(NamedTuple):
    """What a fact belongs to; empty where it belongs to the node as a whole."""

    pot: str = ""
    table: str = ""
    casino: str = ""
    training: bool = False


NOWHERE = Where()
_CORRECTION = "correction"
_OF_AWARDS = {
    facts.ClaimRegistered, facts.LateRegistered, facts.PrizeGranted, facts.AwardPaid, facts.ClaimRejected,
    facts.ClaimCorrected, facts.ClaimAsked, facts.ClaimDecided,
}  # fmt: skip


class Pending(NamedTuple):
    """An award that is registered, and neither paid nor rejected yet."""

    award: str
    granted: RegisteredAward
    where: Where
    registered: int


class Step(NamedTuple):
    """One fact in the fold: where it belongs, whether it is counted there, what of its money was added, and the awards
    it registers and settles. A correction moves money of other tables too: what it owes to their winners (R-34)."""

    entry: Entry
    where: Where
    is_counted: bool
    moved: tuple[Posting, ...]
    registered: tuple[Pending, ...]
    settled: tuple[Pending, ...]


class Fold:
    """Follows the facts in their order. `concerns` chooses whose money is added up; without it, everybody's."""

    def __init__(self, concerns: Callable[[Where], bool] = lambda _where: True) -> None:
        self._concerns = concerns
        self.node = ""
        self.day: Entry | None = None
        self.plans: dict[str, Plan] = {}
        self.documents: dict[str, Documents] = {}
        self.tables: dict[str, Where] = {}
        self.games: dict[str, Modality] = {}
        self.pending: dict[str, Pending] = {}
        self.balances: dict[str, int] = {}
        self.levels: dict[str, Levels] = {}
        self.owners: dict[str, str] = {}
        self._commission_carries: dict[tuple[str, str], int] = {}
        self._reserve_carries: dict[str, dict[str, int]] = {}

    def follow(self, entry: Entry) -> Step:
        """Take one fact in."""
        fact, where = entry.fact, self.place(entry)
        is_counted = not where.training and self._concerns(where)
        moved = tuple(self._counted_lines(entry, where))
        for line in moved:
            self.balances[line.account] = self.balances.get(line.account, 0) + line.amount
        registered, settled = self._awards(entry, where) if type(fact) in _OF_AWARDS else ((), ())
        if isinstance(fact, facts.DayOpened):
            self.day = entry
        elif isinstance(fact, facts.LetterHeard) and fact.letter is not None:
            self._follow_log(fact.letter)
        elif isinstance(fact, facts.PotLeft):  # from here on it is in this book
            self.owners.pop(fact.pot, None)
            self.levels.pop(fact.pot, None)
        elif isinstance(fact, facts.PassSealed) or (isinstance(fact, facts.HandsVoided) and fact.sealed):
            self._carry(fact)
        return Step(entry, where, is_counted, moved, registered, settled)

    def _counted_lines(self, entry: Entry, where: Where) -> Iterator[Posting]:
        if where.training:
            return
        for of, lines in shares(entry, where):
            if self._concerns(of):
                yield from lines

    def place(self, entry: Entry) -> Where:
        """Where a fact belongs; a plan that takes effect with it is in force from here on."""
        fact = entry.fact
        if isinstance(fact, facts.NodeFounded):
            self.node = fact.node
        elif isinstance(fact, facts.PlanTookEffect):
            self._take_effect(entry.seq, fact)
        # A claim begins with its table's name, an award with its claim's.
        claim: str = getattr(fact, "award", "") or getattr(fact, "claim", "")
        table: str = getattr(fact, "table", "") or claim.partition("/")[0]
        known = self.tables.get(table, NOWHERE)
        pot: str = getattr(fact, "pot", "") or known.pot
        casino: str = getattr(fact, "casino", "") or known.casino or self._casino_of(pot)
        training = isinstance(fact, facts.TrainingStarted | facts.TrainingEnded)
        return Where(pot, table, casino, training or table.startswith(TRAINING) or pot.startswith(TRAINING))

    def commission_carry(self, pot: str, casino: str) -> int:
        """R-23: the fraction that this casino's commission is owed."""
        return self._commission_carries.get((pot, casino), 0)

    def reserve_carry(self, pot: str, reserve: str) -> int:
        """R-23: the fraction that a reserve is owed; a new one none."""
        return self._reserve_carries.get(pot, {}).get(reserve, 0)

    def _carry(self, fact: facts.PassSealed | facts.HandsVoided) -> None:
        self._commission_carries[fact.pot, fact.casino] = fact.commission_carry
        if fact.pot in self.plans:
            names = self.plans[fact.pot].reserve_names
            self._reserve_carries[fact.pot] = dict(zip(names, fact.reserve_carries, strict=False))

    def _awards(self, entry: Entry, where: Where) -> tuple[tuple[Pending, ...], tuple[Pending, ...]]:
        """The awards that a fact registers, and those that it pays or rejects: they are pending no more."""
        fact, ids = entry.fact, []
        granted = () if where.training else [one for one in granted_in(fact) if not _is_promotional(fact, one[0])]
        registered = tuple(Pending(award, one, at(fact, where, award), entry.seq) for award, one in granted)
        self.pending.update((one.award, one) for one in registered)
        if isinstance(fact, facts.ClaimDecided):
            self._decide(fact)
        if isinstance(fact, facts.AwardPaid):
            ids = [fact.award]
        elif isinstance(fact, facts.ClaimRejected):
            ids = [award for award in self.pending if award.rpartition("/")[0] == fact.claim]
        elif isinstance(fact, facts.ClaimCorrected):
            ids = list(fact.cancelled)
        return registered, tuple(self.pending.pop(award) for award in ids if award in self.pending)

    def _decide(self, fact: facts.ClaimDecided) -> None:
        """R-20: what was certain before has its sources now."""
        for one in fact.awards:
            award = f"{fact.claim}/{one.number}"
            if award in self.pending:
                self.pending[award] = self.pending[award]._replace(granted=one)

    def _follow_log(self, letter: Letter) -> None:
        """R-28: a neighbour's pot is what its owner said last."""
        after = getattr(letter, "after", None)
        if isinstance(after, Levels) and letter.pot in self.levels:
            figures = (after.main, *after.reserves.values())
            if after.reserves.keys() == self.levels[letter.pot].reserves.keys() and _can_be(figures):
                self.levels[letter.pot] = after

    def _take_effect(self, seq: int, fact: facts.PlanTookEffect) -> None:
        try:
            documents = Documents(fact.plan, fact.ruleset)
            plan = plan_of(documents)
        except DocumentError as error:
            raise ReportRefused(f"El plan del hecho {seq} no se puede leer: {error}") from None
        self.plans[fact.pot], self.documents[fact.pot] = plan, documents
        if fact.above and fact.after is not None:
            self.owners[fact.pot], self.levels[fact.pot] = fact.above, fact.after
        for name, table in seen_tables(plan, self.node, owns_it=not fact.above).items():
            self.tables[name], self.games[name] = Where(fact.pot, name, table.casino), table.modality

    def _casino_of(self, pot: str) -> str:
        """A pot of one casino is that casino's; a pot of many belongs to no single one (R-28)."""
        casinos = self.plans[pot].casinos if pot in self.plans else ()
        return casinos[0] if len(casinos) == 1 else ""


def _can_be(figures: Iterable[int]) -> bool:
    """R-18: no pot is ever negative, and none holds more than there can be."""
    return all(0 <= figure <= MOST_MONEY for figure in figures)


def lines_of(entry: Entry) -> tuple[Posting, ...]:
    """What a fact moves, line by line."""
    try:
        return postings(entry.fact)
    except AssertionError as error:
        raise ReportRefused(f"El hecho {entry.seq} no cuadra ({error}); `pozo verify` dice qué le pasa.") from None


def at(fact: Fact, where: Where, award: str) -> Where:
    """Where an award belongs that a fact registers: a correction owes to winners of other tables too (R-34)."""
    if isinstance(fact, facts.ClaimCorrected):
        for one in fact.resettled:
            if award.rpartition("/")[0] == one.claim:
                return where._replace(table=one.table, casino=one.casino)
    return where


def shares(entry: Entry, where: Where) -> Iterator[tuple[Where, tuple[Posting, ...]]]:
    """What of a fact's money belongs where. Of a correction, what it owes to winners of other tables is theirs, out of
    the main pot, and all the rest its own table's; so the tables add up to the whole."""
    own, fact = lines_of(entry), entry.fact
    if not isinstance(fact, facts.ClaimCorrected):
        yield where, own
        return
    for one in fact.resettled:
        owed = sum(award.amount for award in one.awards)
        if not owed or one.table == where.table:
            continue
        moves = ((_owed_at(fact, one.table), owed), (_from(fact), -owed))
        theirs = tuple(Posting(account, Money(amount), _CORRECTION) for account, amount in moves)
        own = (*own, *(line._replace(amount=Money(-line.amount)) for line in theirs))
        yield where._replace(table=one.table, casino=one.casino), theirs
    yield where, own


def _owed_at(fact: facts.ClaimCorrected, table: str) -> str:
    """R-28: what is owed to a neighbour's winner is held there."""
    return clearing(fact.pot, neighbour_of(table)) if is_away(table) else held(fact.pot)


def _from(fact: facts.ClaimCorrected) -> str:
    """R-28: of a pot that a neighbour owns, from him."""
    return clearing(fact.pot, fact.above) if fact.above else pot(fact.pot, "main")


def _is_promotional(fact: Fact, award: str) -> bool:
    """R-29: promotional credits are no money of a pot, and nothing of it is held for them."""
    if isinstance(fact, facts.PrizeGranted):
        return fact.promo
    claim = award.rpartition("/")[0]
    is_prize = claim.rpartition("/")[2].startswith("p")
    if not isinstance(fact, facts.ClaimCorrected):
        return False
    return is_prize and not sum(fact.flow.parts.values()) + fact.flow.house + fact.held


def granted_in(fact: Fact) -> Iterator[tuple[str, RegisteredAward]]:
    """R-20: the awards that a fact registers, by their numbers."""
    for claim, awards in _claims_in(fact):
        for award in awards:
            yield f"{claim}/{award.number}", award


def _claims_in(fact: Fact) -> Iterator[tuple[str, Iterable[RegisteredAward]]]:
    """By claim; a percentage of a neighbour's pot is registered when its owner has said what it is."""
    if isinstance(fact, facts.ClaimRegistered | facts.LateRegistered):
        yield fact.claim, fact.awards
    elif isinstance(fact, facts.ClaimAsked):
        yield fact.claim, (award for award in fact.awards if award.number not in fact.waiting)
    elif isinstance(fact, facts.ClaimDecided):
        yield fact.claim, (award for award in fact.awards if award.number in fact.waited)
    elif isinstance(fact, facts.ClaimCorrected):
        yield fact.claim, fact.awards
        yield from ((one.claim, one.awards) for one in fact.resettled)
    elif isinstance(fact, facts.PrizeGranted):
        parts = {part: -amount for part, amount in fact.flow.parts.items()}
        yield fact.claim, [RegisteredAward(1, fact.seat, fact.prize, fact.amount, parts, -fact.flow.house, ("R-29",))]
