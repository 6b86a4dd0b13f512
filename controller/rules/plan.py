"""A plan: what an authority approved for one pot, and the plans no authority should be asked to approve.

Theory. A plan is data beside its ruleset: the commission, the allocation, base and ceiling, the limits of a
bet, and the tables linked to the pot. Reading one checks everything that can be known before the first bet:
that the shares add up (R-22), that all linked tables show the same limits (R-3), that the smallest bet can
be split without a pot going below zero (R-18), that the pot does not shrink by its own plan. The first thing
wrong is one error with file, key and rule. While a pot lives, its plan changes only between passes (R-26).

This file must not know what a pot holds at the moment.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from controller.rules.accrual import Shares, covers_its_fractions
from controller.rules.approval import refuse_without_two
from controller.rules.bets import Limits
from controller.rules.cards import CATEGORIES, Category
from controller.rules.document import DocumentError, Section, parse
from controller.rules.money import MOST_BET, NOTHING, PPM, Money, Ppm
from controller.rules.odds import fixed_return, owed_for
from controller.rules.pot import MOST_RESERVES, first_name_taken
from controller.rules.prize_cost import least_cost
from controller.rules.prizes import PlannedPrize, read_planned, refuse_by_today
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.ruleset import Modality, Ruleset

MAX_OFFLINE = 30
"""R-28: minutes, where a plan says nothing."""
ADVANCE_PERCENT = 50
"""R-20, R-28: of a percentage award that waits, where a plan says nothing."""
_MOST_OFFLINE = 7 * 24 * 60
_WAY = "@"
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class LampsSeen(StrEnum):
    """R-6: who sees that the lamps of a table are lit: their own sensors, or the croupier, whose lock attests it."""

    SENSOR = "sensor"
    CROUPIER = "croupier"


class CardsFrom(StrEnum):
    """R-36: from which hand on a plan may ask for the cards; from Poker up they are asked for always."""

    ESCALERA = "escalera"
    COLOR = "color"
    FULL = "full"
    POKER = "poker"


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """R-9: a table that feeds the pot, of any modality of the ruleset. `lamps` None: the plan does not say who sees
    them (R-6), as no plan did before the second reading. `node`: the way from the pot's owner to the node that has the
    table, as BOX@CASINO; empty: it is the owner's own (R-28)."""

    name: str
    casino: str
    modality: Modality
    lamps: LampsSeen | None = None
    node: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """R-26: everything about one pot that the authority approved."""

    name: str
    title: str
    resolution: str
    ruleset: Ruleset
    shares: Shares
    reserve_names: tuple[str, ...]
    base: Money
    ceiling: Money | None
    limits: Limits
    unit: Money
    tables: tuple[LinkedTable, ...]
    prizes: tuple[PlannedPrize, ...] = ()
    two_persons_above: Money = NOTHING
    registration: str = ""
    """R-26, R-28: the number under which a pot between casinos is registered."""
    none_registered_above: Money | None = None
    cards_from: Category = Category.POKER
    max_offline: int = MAX_OFFLINE
    """R-28: for how many minutes a node that shares the pot opens passes without a word from its owner."""
    advance_percent: int = ADVANCE_PERCENT
    """R-20, R-28: how much of a percentage award that waits for the owner two persons may advance; 0: nothing."""

    @property
    def main_share(self) -> Fraction:
        """R-22: what the main pot keeps of each unit wagered, on average."""
        of_net = PPM - sum(self.shares.reserves)
        assert of_net >= 0 and self.shares.commission <= PPM, "R-22: the percentages are parts of the whole"
        return Fraction((PPM - self.shares.commission) * of_net, PPM * PPM)

    @property
    def reserve_shares(self) -> Mapping[str, Fraction]:
        """R-22: what each reserve receives of each unit wagered, on average."""
        net = PPM - self.shares.commission
        shares = (Fraction(net * ppm, PPM * PPM) for ppm in self.shares.reserves)
        of_each = dict(zip(self.reserve_names, shares, strict=True))
        assert self.main_share + sum(of_each.values()) == Fraction(net, PPM), (
            "R-22: main pot and reserves are the whole"
        )
        return of_each

    @property
    def fixed_cost(self) -> Fraction:
        """R-11: what the fixed prizes cost of each unit wagered, if everybody bets the least."""
        cost = fixed_return(self.ruleset, owed_for(self.ruleset, self.unit, self.limits.least))
        assert cost >= 0, "R-18: no prize is negative"
        return cost

    @property
    def growth(self) -> Fraction:
        """What the main pot grows per unit wagered between two percentage prizes, its complementary prizes aside, if
        everybody bets the least: where an amount is owed once whatever the bet (R-33), that is when it costs most."""
        grown = self.main_share - self.fixed_cost
        assert grown <= 1, "R-22: no pot grows faster than what is wagered"
        return grown

    @property
    def modalities(self) -> tuple[Modality, ...]:
        """The modalities of the linked tables, each once, in the order of the tables."""
        assert self.tables, "R-9: a plan has tables"
        return tuple({table.modality.name: table.modality for table in self.tables}.values())

    @property
    def casinos(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(table.casino for table in self.tables))


def load_plan(text: str, file: str, rulesets: Mapping[str, Ruleset]) -> Plan:
    """Read a plan from its TOML text, or raise a DocumentError that names file, key and rule."""
    root = parse(text, file)
    name, title = root.text("name", "R-26"), root.text("title", "R-26")
    resolution = root.text("resolution", "R-26")
    wanted = root.text("ruleset", "R-26")
    if wanted not in rulesets:
        root.refuse("ruleset", "R-26", f"no existe el reglamento {wanted}; hay " + ", ".join(sorted(rulesets)))
    ruleset = rulesets[wanted]
    shares, reserve_names = _allocation(root)
    base, ceiling = _pot(root.section("pot", "R-24"), bool(reserve_names))
    bets = root.section("bets", "R-3")
    limits, unit = _bets(bets, ruleset)
    tables = _tables(root, ruleset, limits)
    prizes = read_planned(root, ruleset.name, ruleset.complementary, reserve_names)
    alone, none, cards_from = _confirming(root)
    registration = root.text("registration", "R-28") if root.has("registration") else ""
    max_offline, advance_percent = _links(root)
    root.close()
    plan = Plan(
        name, title, resolution, ruleset, shares, reserve_names, base, ceiling, limits, unit, tables, prizes, alone,
        registration, none, cards_from, max_offline, advance_percent,
    )  # fmt: skip
    _refuse_too_small_a_bet(bets, plan)
    _refuse_shrinking(root, plan)
    assert plan.ruleset.inter_casino or len(plan.casinos) == 1, "R-28: only where the law has it"
    return plan


def refuse_outdated(plan: Plan, file: str) -> None:
    """R-26: what a plan must say that is staged or checked today. Documents of older records lack it, and are read."""
    law = plan.ruleset
    assert file, "an error names its file"
    if len(plan.casinos) > 1 and not plan.registration:
        what = "falta el número con que está registrado el pozo entre casinos: " + ", ".join(plan.casinos)
        raise DocumentError(file, "registration", "R-26", what)
    _refuse_far_moments(plan, file)
    _refuse_drained(plan, file)
    refuse_by_today(plan.prizes, file, law.name, law.complementary, plan.limits.credit_value)


def _allocation(root: Section) -> tuple[Shares, tuple[str, ...]]:
    """R-22: commission of all; the pots share the whole of what remains."""
    commission = root.ppm("commission_ppm", "R-22")
    allocation = root.section("allocation", "R-22")
    main = allocation.ppm("main_ppm", "R-22")
    names: list[str] = []
    reserves: list[Ppm] = []
    rows = allocation.rows("reserves", "R-24")
    if len(rows) > MOST_RESERVES:
        allocation.refuse("reserves", "R-24", f"a lo más {MOST_RESERVES} reservas")
    for row in rows:
        names.append(row.text("name", "R-24"))
        if first_name_taken(names) is not None:
            row.refuse("name", "R-24", f"el nombre {names[-1]} ya está tomado; cada reserva tiene el suyo")
        reserves.append(row.ppm("ppm", "R-22"))
        row.close()
    allocation.close()
    if main + sum(reserves) != PPM:
        total = main + sum(reserves)
        allocation.refuse("main_ppm", "R-22", f"el pozo principal y las reservas suman {total}, no {PPM} millonésimas")
    assert len(set(names)) == len(names) == len(reserves), "R-24: each reserve has a name of its own"
    return Shares(commission, tuple(reserves)), tuple(names)


def _pot(section: Section, has_reserve: bool) -> tuple[Money, Money | None]:
    base = section.money("base", "R-24")
    ceiling = section.money("ceiling", "R-24") if section.has("ceiling") else None
    section.close()
    if ceiling is not None and ceiling < base:
        section.refuse("ceiling", "R-24", f"el tope {ceiling} está debajo de la base {base}")
    if ceiling is not None and not has_reserve:
        section.refuse("ceiling", "R-24", "un tope necesita una reserva que reciba lo que lo pasa")
    assert base >= 0 and (ceiling is None or ceiling >= base), "R-24: the base fits under the ceiling"
    return base, ceiling


def _bets(section: Section, ruleset: Ruleset) -> tuple[Limits, Money]:
    """R-1, R-3: limits in whole credits; R-11: a unit where the ruleset pays per unit, and only there."""
    credit = section.money("credit_value", "R-1", 1)
    limits = _limits(section, credit)
    unit = Money(1)
    if ruleset.pays_per_unit:
        unit = section.money("unit", "R-11", 1)
        if credit % unit:
            section.refuse("unit", "R-11", f"el crédito de {credit} no es un número entero de unidades de {unit}")
    elif section.has("unit"):
        section.refuse("unit", "R-11", f"el reglamento {ruleset.name} no paga por unidad apostada")
    section.close()
    assert limits.least % unit == limits.most % unit == 0, "R-11: every bet is whole units"
    return limits, unit


def _limits(section: Section, credit: Money) -> Limits:
    least, most = (Money(section.whole(key, "R-3", 1, MOST_BET)) for key in ("min_bet", "max_bet"))
    for key, bet in (("min_bet", least), ("max_bet", most)):
        if bet % credit:
            section.refuse(key, "R-1", f"{bet} no es un número entero de créditos de {credit}")
    if least > most:
        section.refuse("min_bet", "R-3", f"el mínimo {least} está sobre el máximo {most}")
    assert 0 < least <= most and least % credit == most % credit == 0, "R-1, R-3: whole credits, least to most"
    return Limits(credit, least, most)


def _tables(root: Section, ruleset: Ruleset, limits: Limits) -> tuple[LinkedTable, ...]:
    """R-3, R-7, R-28: the tables linked to the pot, each with the limits its sign shows."""
    tables: list[LinkedTable] = []
    taken: set[tuple[str, str]] = set()
    usual = _lamps(root)
    for row in root.rows("tables", "R-9"):
        name, casino = row.text("name", "R-9"), row.text("casino", "R-28")
        if ("casino " + casino, name) in taken:
            row.refuse("name", "R-9", f"la mesa {name} de {casino} está dos veces")
        node = _node(row) if row.has("node") else ""
        if node and ("nodo " + node, name) in taken:
            row.refuse("name", "R-9", f"el nodo {node} ya tiene una mesa {name}")
        taken |= {("casino " + casino, name), ("nodo " + node, name)}
        if tables and casino != tables[0].casino and not ruleset.inter_casino:
            row.refuse("casino", "R-28", f"el reglamento {ruleset.name} no permite un pozo entre casinos")
        modality = row.text("modality", "R-7")
        if modality not in ruleset.modalities:
            known = ", ".join(ruleset.modalities)
            row.refuse(
                "modality", "R-7", f"el reglamento {ruleset.name} no tiene la modalidad {modality}; tiene {known}"
            )
        shown = _limits(row, limits.credit_value)
        if shown != limits:
            key = "min_bet" if shown.least != limits.least else "max_bet"
            row.refuse(key, "R-3", f"la mesa {name} no tiene los límites del pozo, {limits.least} a {limits.most}")
        tables.append(LinkedTable(name, casino, ruleset.modalities[modality], _lamps(row) or usual, node))
        row.close()
    if not tables:
        root.refuse("tables", "R-9", "falta al menos una mesa")
    assert len({(table.casino, table.name) for table in tables}) == len(tables), "R-9: each table once"
    return tuple(tables)


def _node(row: Section) -> str:
    """R-28: the way to the table's node, as the owner of the pot goes it; no node lies on it twice."""
    node = row.text("node", "R-28")
    way = node.split(_WAY)
    if not all(_NODE.fullmatch(name) for name in way) or len(set(way)) < len(way):
        row.refuse("node", "R-28", f"{node!r} no es un camino a un nodo: como sala-1, o caja-2{_WAY}sala-1")
    assert way, "a way has an end"
    return node


def _links(root: Section) -> tuple[int, int]:
    """R-28: while the link to the pot's owner is down, for how many minutes passes open, and how much in a hundred of a
    percentage award is advanced at most; 0: not at all."""
    if not root.has("links"):
        return MAX_OFFLINE, ADVANCE_PERCENT
    links = root.section("links", "R-28")
    says_advance = links.has("advance_percent")
    percent = links.whole("advance_percent", "R-28", 0, 100) if says_advance else ADVANCE_PERCENT
    says_minutes = not says_advance or links.has("max_offline_minutes")
    minutes = links.whole("max_offline_minutes", "R-28", 0, _MOST_OFFLINE) if says_minutes else MAX_OFFLINE
    links.close()
    assert 0 <= minutes <= _MOST_OFFLINE and 0 <= percent <= 100, "R-28: a time, and a part of a hundred"
    return minutes, percent


def _lamps(section: Section) -> LampsSeen | None:
    """R-6, R-26: of one table, or of all that do not say."""
    return section.choice("lamps", "R-6", LampsSeen) if section.has("lamps") else None


def _confirming(root: Section) -> tuple[Money, Money | None, Category]:
    """R-21: up to which amount one person confirms an award; without it, every award needs two. R-36: above which
    amount none of them registered it, and from which hand on cards are entered; Poker, where it says no lower one."""
    if not root.has("awards"):
        return NOTHING, None, Category.POKER
    awards = root.section("awards", "R-21")
    above = awards.money("two_persons_above", "R-21") if awards.has("two_persons_above") else NOTHING
    none = awards.money("none_registered_above", "R-36") if awards.has("none_registered_above") else None
    hand = CATEGORIES[awards.choice("cards_from", "R-36", CardsFrom)] if awards.has("cards_from") else Category.POKER
    awards.close()
    assert hand <= Category.POKER, "R-32: from Poker up always"
    return above, none, hand


def _refuse_too_small_a_bet(bets: Section, plan: Plan) -> None:
    """R-18, R-23: fractions that ripen together must not take more than the smallest bet gives."""
    if not covers_its_fractions(plan.shares, plan.limits.least):
        bets.refuse("min_bet", "R-23", "la apuesta mínima es tan chica que el reparto podría dejar el pozo bajo cero")


def _refuse_shrinking(root: Section, plan: Plan) -> None:
    """R-22: what the pot keeps of a bet must be more than what its fixed prizes cost on average."""
    if plan.growth <= 0:
        cost, kept = plan.fixed_cost, _percent(plan.main_share)
        most = _percent(1 - cost)
        root.refuse(
            "commission_ppm",
            "R-22",
            f"el pozo se achica por su propio plan: guarda {kept} de cada apuesta y los premios fijos cuestan "
            f"{_percent(cost)}; comisión y reservas juntas no pueden llegar a {most}",
        )


def _refuse_far_moments(plan: Plan, file: str) -> None:
    """R-29: a prize that falls once a day for all tables is its owner's to draw, also for those of other nodes, and no
    program does that yet."""
    moments = [prize.name for prize in plan.prizes if prize.within_minutes is not None]
    far = [table.node for table in plan.tables if table.node]
    assert file, "an error names its file"
    if moments and far:
        what = (
            f"{moments[0]} cae una vez por jornada, y el pozo tiene mesas en otro nodo ({far[0]}): ese sorteo tendría "
            "que hacerlo el dueño del pozo para todas, y este programa todavía no lo hace; use one_in"
        )
        raise DocumentError(file, "complementary", "R-29", what)


def _refuse_drained(plan: Plan, file: str) -> None:
    """R-22, R-26, R-29: the main pot does not pay more in complementary prizes than it can ever receive, however full
    the tables and however high the bets. What a reserve cannot pay the house advances; the approval sheet says so."""
    most = plan.limits.most
    kept = plan.main_share - fixed_return(plan.ruleset, owed_for(plan.ruleset, plan.unit, most))
    paid = [prize for prize in plan.prizes if prize.source == "main"]
    assert kept >= plan.growth, "R-33: what is owed once costs less, the more is bet"
    cost = least_cost(paid, [table.modality for table in plan.tables], most)
    if cost >= kept:
        what = (
            "el pozo principal se achica por sus premios complementarios: con todas las posiciones apostando lo máximo "
            f"le quedan {_percent(kept)} de lo apostado, y los premios cuestan {_percent(cost)}"
        )
        raise DocumentError(file, "complementary", "R-22", what)


def _percent(part: Fraction) -> str:
    """A percentage to four decimals, cut off, in whole-number arithmetic."""
    ten_thousandths = part.numerator * PPM // part.denominator
    return f"{ten_thousandths // 10_000},{ten_thousandths % 10_000:04d} %"


def refuse_change(pass_open: bool, awards_pending: int, resolution: str, approvers: Sequence[str]) -> Refusal | None:
    """R-26: a plan changes only between passes with no award pending, by two different persons."""
    assert awards_pending >= 0, "R-26: so many awards wait"
    if pass_open:
        return refuse(Reason.PASS_OPEN, "plan")
    if awards_pending:
        return refuse(Reason.AWARD_PENDING, "plan")
    if not resolution.strip():
        return refuse(Reason.RESOLUTION_MISSING, "plan")
    return refuse_without_two(approvers, "plan")
