"""The approval sheet of a plan and the report of its odds, in Spanish, as plain text.

Theory. The sheet is what an authority reads and signs: what the plan says (`terms`), and what follows from it, which is
laid out here. It decides nothing and computes nothing; it only lays out a `Forecast`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt

from controller.approval.columns import facts, heading, lay_out, table
from controller.approval.forecast import HOUSE, Forecast, Point, Turning
from controller.approval.terms import identity, terms
from controller.rules.cards import HAND_NAMES
from controller.rules.money import PPM
from controller.rules.odds import HANDS, HITS, any_prize, chance, named_card
from controller.rules.prizes import DrawnBy
from controller.spanish.numbers import decimal, money, one_in, percent, root, span, whole

_UNCOVERED = {
    False: ("Algún premio fijo pasa del pozo principal", "y tampoco alcanzan las reservas: la casa anticipa (R-18)"),
    True: ("Algún premio, también complementario, pasa del pozo principal", "Algún premio lo anticipa la casa (R-18)"),
}
"""By whether there are complementary prizes: one that its reserve cannot pay the house advances at once (R-29)."""


def approval_sheet(forecast: Forecast, fingerprints: Sequence[tuple[str, str]]) -> str:
    """Everything an authority approves, and what follows from it."""
    plan = forecast.plan
    parts = (identity(plan, fingerprints), _warnings(forecast), terms(plan), _consequences(forecast))
    return lay_out(line for part in parts for line in part)


def odds_report(forecast: Forecast) -> str:
    """What follows from a plan, without its terms."""
    plan = forecast.plan
    title = f"PROBABILIDADES Y SOLVENCIA · {plan.title} ({plan.name}, {plan.ruleset.name})"
    return lay_out([title, *_consequences(forecast)])


def _warnings(forecast: Forecast) -> Iterator[str]:
    """R-22, R-26, R-29: what nobody should sign without having read it: a part of the pot that shrinks at this pace."""
    shrinking = [
        ("el pozo principal", forecast.growth),
        *((f"la reserva {name}", forecast.reserve_growth(name)) for name in forecast.plan.reserve_names),
    ]
    for name, growth in shrinking:
        if growth < 0:
            yield ""
            yield f"   ¡ATENCIÓN! A este ritmo {name} SE ACHICA: {percent(-growth, 4)} de lo apostado (R-22; parte B)."


def _consequences(forecast: Forecast) -> Iterator[str]:
    for part in (_odds, _returns, _pairs, _worst, _solvency):
        yield from part(forecast)


def _odds(forecast: Forecast) -> Iterator[str]:
    pace, tables = forecast.pace, len(forecast.plan.tables)
    hands = whole(HANDS)
    yield from heading(f"A. Probabilidad exacta de cada jugada, igual en todas las modalidades (de {hands} manos)")
    rows = [("Jugada", "manos", "probabilidad", "una cada")]
    rows += [
        (HAND_NAMES[category], whole(HITS[category]), one_in(chance(category)), span(forecast.hours_between(category)))
        for category in forecast.plan.ruleset.paytable
    ]
    rows.append(("Algún premio", "", one_in(any_prize(forecast.plan.ruleset)), ""))
    yield from table("lrrr", rows)
    for own in sorted({modality.own_cards for modality in forecast.plan.modalities}):
        if any(prize.drawn is DrawnBy.CARD for prize in forecast.plan.ruleset.complementary.named):
            yield f"   Una carta sorteada está en una mano de {own} cartas propias: {one_in(named_card(own))}."
    yield (
        f"   Ritmo: {tables} mesas, {pace.passes_per_hour} pases por hora, {pace.seats} apuestas por pase: "
        f"{whole(pace.bets_per_hour(tables))} apuestas por hora, {pace.hours} horas por jornada."
    )


def _returns(forecast: Forecast) -> Iterator[str]:
    plan, currency, in_money = forecast.plan, forecast.plan.ruleset.currency, forecast.prizes.in_money
    yield from heading(f"B. Retorno de una apuesta de {money(currency, forecast.bet)} y marcha del pozo")
    yield from facts(
        ("Retorno fijo", percent(forecast.fixed_return, 6)),
        ("Parte del pozo principal", percent(plan.main_share, 6)),
        *_prize_rows(forecast),
        ("Crecimiento por apuesta", percent(forecast.growth, 6) + "   SE ACHICA" * (forecast.growth < 0)),
        ("Pozo de retorno 100 %", _turning(forecast, forecast.break_even) if in_money < 1 else "con cualquier pozo"),
        ("Pozo sin crecimiento", _turning(forecast, forecast.zero_drift)),
    )
    capped = any(point.capped != point.uncapped for point in forecast.returns)
    rows = [("Pozo", "retorno", "desviación", "retorno sin tope" if capped else "")]
    rows += [_return_row(forecast, point, capped) for point in forecast.returns]
    yield from table("rrrr", rows)
    yield "   La desviación es la típica de una apuesta, en veces la apuesta."


def _prize_rows(forecast: Forecast) -> Iterator[tuple[str, str]]:
    """R-29: what complementary prizes return and cost at this pace, who bears it, and from where on the pot grows."""
    plan, prizes, currency = forecast.plan, forecast.prizes, forecast.plan.ruleset.currency
    if not plan.prizes:
        return
    yield "Premios complementarios, en dinero", f"devuelven {percent(prizes.in_money, 6)} de lo apostado, a lo más"
    yield "Créditos promocionales", f"{percent(prizes.of(HOUSE), 6)} de lo apostado, los da la casa"
    for name, share in plan.reserve_shares.items():
        cost = f"recibe {percent(share, 4)} de lo apostado; sus premios cuestan {percent(prizes.of(name), 4)}"
        yield (
            f"Reserva {name}",
            cost + "   SE ACHICA: lo que falta lo pone la casa" * (forecast.reserve_growth(name) < 0),
        )
    yield "Premios del pozo principal", f"{percent(prizes.of('main'), 6)} de lo apostado"
    if prizes.of("main"):
        wagered = f"{money(currency, prizes.wagered)} por pase a este ritmo"
        yield "Crece desde lo apostado", f"{money(currency, forecast.least_wagered)} por pase; {wagered}"
        yield "Con una sola apuesta mínima", f"crece {percent(forecast.growth_alone, 6)} por apuesta"


def _return_row(forecast: Forecast, point: Point, capped: bool) -> tuple[str, str, str, str]:
    pot = money(forecast.plan.ruleset.currency, point.pot)
    uncapped = f"{decimal(point.uncapped * 100, 4)} %" if capped else ""
    return pot, f"{decimal(point.capped * 100, 4)} %", root(point.variance, 2), uncapped


def _turning(forecast: Forecast, turning: Turning) -> str:
    def shown(pot: Fraction | None) -> str:
        return "ninguno" if pot is None else money(forecast.plan.ruleset.currency, pot)

    if turning.capped == turning.uncapped:
        return shown(turning.capped)
    return f"{shown(turning.capped)}   (sin tope {shown(turning.uncapped)})"


def _pairs(forecast: Forecast) -> Iterator[str]:
    yield from heading("C. Dos ganadores en un mismo pase, apostando todas las posiciones: una vez en tantos pases")
    names = list(forecast.pairs)
    rows: list[tuple[str, ...]] = [("", *names)]
    for one, other in forecast.pairs[names[0]]:
        cells = [one_in(forecast.pairs[name][one, other]).removeprefix("1 en ") for name in names]
        rows.append((f"{HAND_NAMES[one]} + {HAND_NAMES[other]}", *cells))
    yield from table("l" + "r" * len(names), rows)


def _worst(forecast: Forecast) -> Iterator[str]:
    plan, currency = forecast.plan, forecast.plan.ruleset.currency
    yield from heading(
        f"D. Lo más que un pase puede costar en premios fijos, apostando todos {money(currency, plan.limits.most)}"
    )
    rows = []
    for modality, worst in forecast.worst:
        hands = ", ".join(f"{count} {HAND_NAMES[category]}" for category, count in worst.hands)
        rows.append((modality.name, money(currency, worst.amount), hands))
    rows.append(("Todas las mesas a la vez", money(currency, forecast.worst_at_once), ""))
    if plan.prizes:
        complementary = sum(prize.amount for prize in plan.prizes if not prize.is_promotional)
        rows.append(("Premios complementarios, además, por mesa", money(currency, complementary), ""))
    yield from table("lrl", rows)


def _solvency(forecast: Forecast) -> Iterator[str]:
    solvency, currency = forecast.solvency, forecast.plan.ruleset.currency
    course = solvency.course
    beyond_main, advanced = _UNCOVERED[bool(forecast.plan.prizes)]
    yield from heading(
        f"E. Solvencia: {whole(course.paths)} veces {whole(course.played)} apuestas de {money(currency, course.bet)} "
        f"desde la base con reservas vacías (simulado; semilla {solvency.seed})"
    )
    yield from facts(
        (beyond_main, _share(solvency.uncovered_by_main, course.paths)),
        (advanced, _share(solvency.uncovered_by_reserves, course.paths)),
        *(
            (("Premios complementarios, promedio (R-29)", money(currency, solvency.complementary // course.paths)),)
            if forecast.plan.prizes
            else ()
        ),
        ("Bases que pone la casa, promedio (R-19)", money(currency, solvency.base_from_house // course.paths)),
    )
    rows: list[tuple[str, ...]] = [("Pozo tras", "5 %", "25 %", "mediana", "75 %", "95 %")]
    for twelfth in (1, 3, 6, 9, 12):
        mark = len(solvency.marks) * twelfth // 12 - 1
        levels = [money(currency, solvency.level(mark, per_hundred)) for per_hundred in (5, 25, 50, 75, 95)]
        rows.append((f"{whole(solvency.marks[mark])} apuestas", *levels))
    yield from table("rrrrrr", rows)


def _share(paths: int, of: int) -> str:
    """How many paths, and how little so many paths can tell (95 %)."""
    counted = f"{whole(paths)} de {whole(of)}"
    part = Fraction(paths, of)
    if part in (0, 1):
        away = min(Fraction(3, of), Fraction(1))
        bound = f"a lo más {percent(away)}" if part == 0 else f"al menos {percent(1 - away)}"
        return f"{percent(part)}   ({counted}; con 95 % de certeza, {bound})"
    two_errors = Fraction(isqrt(4 * paths * (of - paths) * PPM // of), isqrt(PPM) * of)
    return f"{percent(part)}   ({counted}; ± {percent(two_errors)})"
