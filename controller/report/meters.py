"""`pozo meters`: what each live pot has seen in its life and what it shows now, computed again from the facts.

Theory. Meters only grow, and nothing clears them; so they can be counted a second time from the first fact on, by code
that shares nothing with the machine that counted them first. Wherever the record says what the machine had counted
(each close of a day), the two are compared, and a difference is said with the day.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

import msgspec

from controller.core.facts import (
    AwardPaid,
    ClaimRegistered,
    ClaimRejected,
    DayClosed,
    Entry,
    HandsVoided,
    PassSealed,
    PlanTookEffect,
)
from controller.core.values import Hit, Meters
from controller.record.atlas import Atlas
from controller.record.reading import entries, not_there
from controller.record.record import Record
from controller.report.accounts import Book
from controller.report.award import granted_in
from controller.rules.ruleset import Currency
from controller.spanish.names import harmless, part_name, prize_name, when
from controller.spanish.numbers import money, whole

LAST_HITS = 25
_LINES = (
    ("wagered", "Apostado (in)", "R-22"),
    ("undone", "de ello, anulado", "R-25"),
    ("commission", "Comisión, neta de anulaciones", "R-22"),
    ("into_main", "Entró al principal", "R-22"),
    ("into_reserves", "Entró a las reservas", "R-22"),
    ("overflow", "de ello, sobre el tope", "R-24"),
    ("base_put_in", "Bases puestas", "R-19, R-24"),
    ("hits", "Premios registrados (hits)", "R-20"),
    ("wins", "por (wins)", "R-20"),
    ("rejected_hits", "Premios rechazados", "R-21"),
    ("rejected", "por", "R-21"),
    ("paid_hits", "Premios pagados", "R-21"),
    ("paid", "por", "R-21"),
)
_COUNTS = {"hits", "rejected_hits", "paid_hits"}


@dataclass(frozen=True, slots=True)
class PotMeters:
    """A pot: what it shows, what it holds, what it has seen, and the days whose close says something else."""

    pot: str
    title: str
    currency: Currency
    display: int
    reserves: dict[str, int]
    held: int
    meters: Meters
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MetersNow:
    """The meters of a node's pots, as of one fact."""

    node: str
    last: int
    at: int
    pots: tuple[PotMeters, ...]

    @property
    def agree(self) -> bool:
        return not any(pot.differs for pot in self.pots)


@dataclass(slots=True)
class _Counted:
    """What is being counted of one pot."""

    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys((name for name, _, _ in _LINES), 0))
    last: tuple[Hit, ...] = ()
    differs: list[str] = field(default_factory=list)

    def add(self, **amounts: int) -> None:
        for name, amount in amounts.items():
            self.sums[name] += amount

    def meters(self) -> Meters:
        return Meters(**self.sums, last=self.last)


def meters(record: Record, pot: str = "") -> MetersNow:
    """The meters of all live pots, or of one; a ReportRefused where there is no such pot."""
    count = _Count()
    for entry in entries(record):
        count.look_at(entry)
    names = list(count.atlas.plans)
    if pot and pot not in names:
        raise not_there("un pozo", pot, names)
    wanted = [pot] if pot else names
    return MetersNow(count.atlas.node, count.last, count.at, tuple(count.pot(name) for name in wanted))


class _Count:
    """One pass over the record."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self.last = self.at = 0
        self._book = Book(keep=False)
        self._pots: dict[str, _Counted] = {}

    def look_at(self, entry: Entry) -> None:
        self.last, self.at = entry.seq, entry.at
        where = self.atlas.follow(entry)
        settled = self.atlas.settled(entry.fact)
        if isinstance(entry.fact, DayClosed):
            self._compare(entry.fact)
        if where.training or not where.pot:
            return
        self._book.before(entry)
        counted = self._pots.setdefault(where.pot, _Counted())
        _count_bets(counted, entry)
        _count_awards(counted, entry, len(settled))

    def _compare(self, fact: DayClosed) -> None:
        """What the machine had counted when the day was closed."""
        for name in fact.meters.keys() | self.atlas.plans.keys():
            counted = self._pots.setdefault(name, _Counted())
            if fact.meters.get(name) != counted.meters():
                counted.differs.append(fact.day)

    def pot(self, name: str) -> PotMeters:
        plan = self.atlas.plans[name]
        counted = self._pots.get(name, _Counted())
        balance = self._book.balance
        return PotMeters(
            name,
            plan.title,
            plan.ruleset.currency,
            balance(f"pot:{name}:main"),
            {reserve: balance(f"pot:{name}:{reserve}") for reserve in plan.reserve_names},
            balance(f"held:{name}"),
            counted.meters(),
            tuple(counted.differs),
        )


def _count_bets(counted: _Counted, entry: Entry) -> None:
    """R-22, R-25: what was wagered, what it gave to whom, what was undone."""
    fact = entry.fact
    if isinstance(fact, PassSealed):
        main = fact.flow.parts.get("main", 0)
        counted.add(
            wagered=sum(bet.amount for bet in fact.bets),
            commission=fact.flow.commission,
            into_main=main,
            into_reserves=sum(fact.flow.parts.values()) - main,
            overflow=sum(bet.overflow for bet in fact.bets),
        )
    elif isinstance(fact, HandsVoided) and fact.sealed:
        counted.add(undone=sum(refund.total for refund in fact.refunds), commission=fact.flow.commission)
    elif isinstance(fact, PlanTookEffect):
        counted.add(base_put_in=fact.base_put_in)


def _count_awards(counted: _Counted, entry: Entry, settled: int) -> None:
    """R-20, R-21: what was registered, rejected, paid."""
    fact = entry.fact
    for award, granted in granted_in(entry):
        counted.add(hits=1, wins=granted.amount)
        hit = Hit(entry.at, award, granted.prize, granted.amount)
        counted.last = (*counted.last, hit)[-LAST_HITS:]
    if isinstance(fact, ClaimRegistered):
        claim_base = 0 if fact.base_back is None else fact.base_back.parts.get("main", 0)
        counted.add(base_put_in=claim_base)
    elif isinstance(fact, ClaimRejected):
        counted.add(rejected_hits=settled, rejected=fact.held)
    elif isinstance(fact, AwardPaid):
        counted.add(paid_hits=1, paid=fact.amount)


def as_text(told: MetersNow, zone: tzinfo = UTC) -> str:
    """For a terminal."""
    lines = [f"CONTADORES · nodo {told.node} · hasta el hecho {told.last}, {when(told.at, zone)}"]
    if not told.pots:
        lines += ["", "   Este nodo no tiene pozos todavía."]
    for pot in told.pots:
        lines += ["", f"{pot.pot}: {pot.title}", *_pot_lines(pot, zone)]
    return "\n".join(harmless(line.rstrip()) for line in lines) + "\n"


def _pot_lines(pot: PotMeters, zone: tzinfo) -> Iterator[str]:
    rows = [("Muestra (pozo principal)", money(pot.currency, pot.display), "R-31")]
    rows += [
        (f"Reserva {part_name(name)}", money(pot.currency, amount), "R-24") for name, amount in pot.reserves.items()
    ]
    rows.append(("Retenido por premios", money(pot.currency, pot.held), "R-20"))
    for name, label, rule in _LINES:
        amount = getattr(pot.meters, name)
        rows.append((label, whole(amount) if name in _COUNTS else money(pot.currency, amount), rule))
    widths = [max(len(row[at]) for row in rows) for at in range(2)]
    for label, amount, rule in rows:
        yield f"   {label.ljust(widths[0])}   {amount.rjust(widths[1])}   {rule}"
    yield "   Cierres de jornada: " + (
        f"NO CUADRAN los de {', '.join(pot.differs)}" if pot.differs else "cuadran todos"
    )
    if pot.meters.last:
        yield f"   Últimos premios (hasta {LAST_HITS}):"
    for hit in reversed(pot.meters.last):
        amount = money(pot.currency, hit.amount)
        yield f"      {when(hit.at, zone)}   {hit.award}   {prize_name(hit.prize)}   {amount}"


def as_json(told: MetersNow) -> str:
    """For programs; `from_json` reads it back."""
    return msgspec.json.format(msgspec.json.encode(told), indent=1).decode() + "\n"


def from_json(text: str) -> MetersNow:
    return msgspec.json.decode(text, type=MetersNow)
