"""`pozo meters`: what each live pot has seen in its life and what it shows now, computed again from the facts.

Theory. Meters only grow, and nothing clears them; so they can be counted a second time from the first fact on, by code
that shares nothing with the machine that counted them first. Each close of a day records what the
machine had counted: the two are compared, and the meters name the day of a difference.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo

import msgspec
from msgspec import Struct

from controller.core.facts import AwardPaid, ClaimAsked, ClaimCorrected, ClaimDecided, ClaimRejected, DayClosed
from controller.core.values import Hit, Meters
from controller.record.fold import Fold, Step
from controller.record.reading import entries, not_there
from controller.record.record import Record
from controller.report.items import items
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


class PotMeters(Struct, frozen=True, omit_defaults=True):
    """A pot: what it shows, what it holds, what it has seen, and the days whose close says something else. `above`:
    the neighbour that owns it, and said last what it shows (R-28)."""

    pot: str
    title: str
    currency: Currency
    display: int
    reserves: dict[str, int]
    held: int
    meters: Meters
    differs: tuple[str, ...]
    above: str = ""


@dataclass(frozen=True, slots=True)
class MetersNow:
    """The meters of a node's pots, as of one fact."""

    node: str
    last: int
    at: int
    pots: tuple[PotMeters, ...]


class _Counted:
    """What is being counted of one pot: the figures of its facts, by their names in a report."""

    def __init__(self) -> None:
        self.figures: Counter[str] = Counter()
        self.last: deque[Hit] = deque(maxlen=LAST_HITS)
        self.differs: list[str] = []

    def add(self, pot: str, step: Step) -> None:
        fact = step.entry.fact
        if isinstance(fact, ClaimDecided):
            self._decided(fact, step.entry.at)
            return
        if isinstance(fact, ClaimAsked):
            return
        for item in items(step.entry.fact):
            is_of_main = (item.key, item.detail) == ("split.part", f"{pot}/main")
            self.figures["main" if is_of_main else item.key] += item.amount
        for award in step.registered:
            self.last.append(Hit(step.entry.at, award.award, award.granted.prize, award.granted.amount))
        if isinstance(step.entry.fact, ClaimRejected):
            self.figures["rejected_count"] += len(step.settled)
            self.figures["rejected"] += step.entry.fact.held
        elif isinstance(step.entry.fact, ClaimCorrected):
            self.figures["rejected_count"] += len(step.settled)
            self.figures["rejected"] += sum(one.granted.amount for one in step.settled)
            self.figures["awards.registered_count"] += len(step.registered)
            self.figures["awards.registered"] += sum(one.granted.amount for one in step.registered)
        elif isinstance(step.entry.fact, AwardPaid) and not step.entry.fact.promo:
            self.figures["paid_count"] += 1
            self.figures["paid"] += step.entry.fact.amount

    def _decided(self, fact: ClaimDecided, at: int) -> None:
        """R-20: of a neighbour's pot a winner is counted when its owner has decided; what it was given back of its
        base is counted there."""
        for award in fact.awards:
            self.figures["awards.registered_count"] += 1
            self.figures["awards.registered"] += award.amount
            self.last.append(Hit(at, f"{fact.claim}/{award.number}", award.prize, award.amount))

    def meters(self) -> Meters:
        """R-20 to R-25: each meter from the figures that make it."""
        of = self.figures
        return Meters(
            wagered=of["play.wagered"],
            undone=of["play.undone"],
            commission=of["split.commission"]
            - of["split.commission_undone"]
            + of["split.commission_away"]
            - of["split.commission_away_undone"],
            into_main=of["main"],
            into_reserves=of["split.pots"] - of["main"],
            overflow=of["split.overflow"],
            base_put_in=of["house.base"] + of["house.base_back"] + of["house.base_reserves"] + of["house.away_base"],
            hits=of["awards.registered_count"],
            wins=of["awards.registered"],
            rejected_hits=of["rejected_count"],
            rejected=of["rejected"],
            paid_hits=of["paid_count"],
            paid=of["paid"],
            last=tuple(self.last),
        )


def meters(record: Record, pot: str = "") -> MetersNow:
    """The meters of all live pots, or of one; a ReportRefused where there is no such pot."""
    fold, pots = Fold(), defaultdict[str, _Counted](_Counted)
    last = at = 0
    for entry in entries(record):
        last, at = entry.seq, entry.at
        step = fold.follow(entry)
        if isinstance(entry.fact, DayClosed):
            _compare(entry.fact, fold, pots)
        if step.is_counted and step.where.pot:
            pots[step.where.pot].add(step.where.pot, step)
    names = list(fold.plans)
    if pot and pot not in names:
        raise not_there("un pozo", pot, names)
    return MetersNow(fold.node, last, at, tuple(_of_pot(name, fold, pots[name]) for name in ([pot] if pot else names)))


def _compare(fact: DayClosed, fold: Fold, pots: dict[str, _Counted]) -> None:
    """What the machine had counted when the day was closed."""
    for name in fact.meters.keys() | fold.plans.keys():
        if fact.meters.get(name) != pots[name].meters():
            pots[name].differs.append(fact.day)


def _stands(name: str, fold: Fold) -> dict[str, int]:
    """What its parts hold; of a neighbour's pot, as its owner said last (R-28)."""
    if name in fold.levels:
        levels = fold.levels[name]
        return {"main": levels.main, **levels.reserves}
    return {part: fold.balances.get(f"pot:{name}:{part}", 0) for part in ("main", *fold.plans[name].reserve_names)}


def _of_pot(name: str, fold: Fold, counted: _Counted) -> PotMeters:
    plan = fold.plans[name]
    stands = _stands(name, fold)
    return PotMeters(
        name,
        plan.title,
        plan.ruleset.currency,
        stands.pop("main"),
        stands,
        fold.balances.get(f"held:{name}", 0),
        counted.meters(),
        tuple(counted.differs),
        fold.owners.get(name, ""),
    )


def as_text(now: MetersNow, zone: tzinfo = UTC) -> str:
    """For a terminal."""
    lines = [f"CONTADORES · nodo {now.node} · hasta el hecho {now.last}, {when(now.at, zone)}"]
    if not now.pots:
        lines += ["", "   Este nodo no tiene pozos todavía."]
    for pot in now.pots:
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
    if pot.above:
        yield f"   Es de {pot.above}: lo que muestra y sus reservas, como lo dijo por último (R-28)"
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


def as_json(now: MetersNow) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(now), indent=1).decode() + "\n"
