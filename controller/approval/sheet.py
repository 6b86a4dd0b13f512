"""The approval sheet of a plan and the report of its odds, in Spanish, as plain text.

Theory. The sheet is what an authority reads and signs: every value of the plan and of its ruleset, with the
clause and the rule it rests on, every named reading, and what follows from them. It decides nothing and
computes nothing; it only lays out a `Forecast`. One line is one fact, so that two sheets can be compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt

from controller.approval.forecast import Forecast, Point, Turning
from controller.rules.cards import HAND_NAMES
from controller.rules.money import PPM
from controller.rules.odds import HANDS, HITS, any_prize, chance, named_card
from controller.rules.plan import LampsSeen, Plan
from controller.rules.prizes import DrawnBy, PaidIn
from controller.rules.readings import PerUnitOwed
from controller.rules.ruleset import ACT_NAMES, DRAW, Forfeit, Modality, PerUnit, Prize, Ruleset, Share, Times
from controller.spanish.numbers import decimal, money, one_in, percent, root, share_percent, span, whole

_FORFEIT_NAMES = {Forfeit.FOLDED: "no va", Forfeit.EXCHANGED: "cambia cartas", Forfeit.BOUGHT: "compra una carta"}
_PAID_IN_NAMES = {
    PaidIn.CASH: "efectivo del pozo",
    PaidIn.CHIPS: "fichas",
    PaidIn.PROMOTIONAL_CREDITS: "créditos promocionales",
}
_DRAWN_NAMES = {
    DrawnBy.SEAT: "se sortea una posición con apuesta válida",
    DrawnBy.CARD: "se sortea una carta; la gana quien la recibió",
}
_BACKING = {"reserves_then_house": "las reservas en su orden, después la casa", "house": "la casa"}
_READINGS: dict[str, tuple[str, str, dict[str, str]]] = {
    "cap": (
        "R-17",
        "Tope con varios ganadores",
        {
            "each_winner": "cada ganador, hasta su propio tope",
            "category": "la jugada entera, hasta el tope de la menor apuesta ganadora",
        },
    ),
    "real_after_cap": (
        "R-17",
        "El 100 % tras un tope",
        {
            "rest": "todo lo que queda, también lo que el tope cortó",
            "uncut": "lo que quedaría si el tope no cortara; lo cortado queda en el pozo y cuenta para la base",
        },
    ),
    "odd_units": (
        "R-16",
        "Unidades que no se dividen",
        {
            "nearest_winner": "todas al ganador más cercano a la posición 1",
            "one_each": "una a cada uno, desde el ganador más cercano a la posición 1",
        },
    ),
    "per_unit": (
        "R-11",
        "Un monto por unidad apostada",
        {"each_unit": "se debe por cada unidad de la apuesta", "bet": "se debe una vez, cualquiera sea la apuesta"},
    ),
    "draw_fold_forfeits": (
        "R-8",
        "No ir en Draw pierde",
        {"false": "no: la mano conserva su derecho al pozo", "true": "sí: pierde la apuesta al progresivo"},
    ),
    "base_from": ("R-19", "Quién repone la base", _BACKING),
    "shortfall_from": ("R-18", "Quién cubre lo que falta", _BACKING),
    "void_undoes": (
        "R-25",
        "Qué deshace un pase anulado",
        {
            "contributions": "los aportes salen de los pozos y vuelven como créditos",
            "nothing": "los pozos conservan los aportes; la casa devuelve las apuestas",
        },
    ),
    "late_from": (
        "R-34, R-35",
        "Quién paga un premio tardío",
        {"as_in_time": "el pozo, como si se hubiera registrado a tiempo; el resto la casa", "house": "la casa, todo"},
    ),
}


def approval_sheet(forecast: Forecast, fingerprints: Sequence[tuple[str, str]]) -> str:
    """Everything an authority approves, and what follows from it."""
    return _lay_out([*_identity(forecast.plan, fingerprints), *_terms(forecast.plan), *_consequences(forecast)])


def odds_report(forecast: Forecast) -> str:
    """What follows from a plan, without its terms."""
    plan = forecast.plan
    title = f"PROBABILIDADES Y SOLVENCIA · {plan.title} ({plan.name}, {plan.ruleset.name})"
    return _lay_out([title, *_consequences(forecast)])


def _lay_out(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _table(sides: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need, each to its side: l or r."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = zip(sides, row, widths, strict=True)
        yield "   " + "   ".join(cell.ljust(width) if side == "l" else cell.rjust(width) for side, cell, width in cells)


def _facts(*facts: tuple[str, str]) -> Iterator[str]:
    return _table("ll", facts)


def _heading(title: str) -> list[str]:
    return ["", title]


def _identity(plan: Plan, fingerprints: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield f"HOJA DE APROBACIÓN · {plan.title} ({plan.name})"
    yield ""
    yield from _facts(
        ("Resolución (R-26)", plan.resolution),
        ("Reglamento", f"{plan.ruleset.name}: {plan.ruleset.title}"),
        ("Fuente", plan.ruleset.source),
        *((f"Huella SHA-256 {name}", digest) for name, digest in fingerprints),
    )


def _terms(plan: Plan) -> Iterator[str]:
    for part in (_allocation, _pot_and_bets, _tables, _paytable, _readings, _other_terms):
        yield from part(plan)


def _allocation(plan: Plan) -> Iterator[str]:
    yield from _heading("1. De lo apostado (R-22, R-23: exacto; cada fracción se guarda, nada se pierde)")
    net = PPM - plan.shares.commission
    rows = [("Comisión de la casa", "", share_percent(plan.shares.commission), "de lo apostado")]
    parts = [("Pozo principal", PPM - sum(plan.shares.reserves))]
    parts += [(f"Reserva {name}", ppm) for name, ppm in zip(plan.reserve_names, plan.shares.reserves, strict=True)]
    for name, ppm in parts:
        of_all = percent(Fraction(ppm * net, PPM * PPM), 4)
        rows.append((name, share_percent(ppm) + " del resto", of_all, "de lo apostado"))
    yield from _table("lrrl", rows)


def _pot_and_bets(plan: Plan) -> Iterator[str]:
    currency, limits = plan.ruleset.currency, plan.limits
    yield from _heading("2. Pozo y apuesta (R-1, R-3, R-24)")
    yield from _facts(
        ("Base del pozo principal", money(currency, plan.base)),
        (
            "Tope del pozo principal",
            "sin tope"
            if plan.ceiling is None
            else f"{money(currency, plan.ceiling)}; lo que lo pasa va a la reserva {plan.reserve_names[0]}",
        ),
        ("Valor del crédito", money(currency, limits.credit_value)),
        ("Apuesta mínima y máxima", f"{money(currency, limits.least)} a {money(currency, limits.most)}"),
        *((("Unidad apostada", money(currency, plan.unit)),) if plan.ruleset.pays_per_unit else ()),
        ("Moneda", f"{currency.code}, {currency.decimals} decimales ({currency.clause})"),
    )


def _tables(plan: Plan) -> Iterator[str]:
    yield from _heading("3. Mesas enlazadas, todas con los mismos límites (R-3, R-7, R-8, R-9)")
    rows = [(table.name, table.casino, table.modality.name, _game(table.modality)) for table in plan.tables]
    yield from _table("llll", rows)


def _game(modality: Modality) -> str:
    cards = f"{modality.own_cards} propias"
    if modality.community_cards:
        cards += f" y {modality.community_cards} comunes"
    loses = [_FORFEIT_NAMES[act] for act in Forfeit if act in modality.forfeits]
    lost = "pierde si " + " o ".join(loses) if loses else "ningún acto la pierde"
    harmless = [ACT_NAMES[act] for act in Forfeit if act in modality.acts - modality.forfeits]
    taken = f" (se acepta: {', '.join(harmless)})" if harmless else ""
    return f"{modality.seats} posiciones; {cards}; {lost}{taken}   [{modality.clause}]"


def _paytable(plan: Plan) -> Iterator[str]:
    ruleset = plan.ruleset
    yield from _heading("4. Tabla de premios, de menor a mayor (R-11; la apuesta no se devuelve, R-12)")
    rows = [
        (HAND_NAMES[category], _prize(ruleset, prize), f"[{prize.clause}]")
        for category, prize in ruleset.paytable.items()
    ]
    yield from _table("lll", rows)


def _prize(ruleset: Ruleset, prize: Prize) -> str:
    if isinstance(prize, Times):
        return f"{whole(prize.times)} veces la apuesta"
    if isinstance(prize, PerUnit):
        each = "por unidad apostada" if ruleset.readings.per_unit is PerUnitOwed.EACH_UNIT else "por la apuesta, entera"
        return f"{money(ruleset.currency, prize.amount)} {each}"
    assert isinstance(prize, Share)
    share = f"{share_percent(prize.ppm)} del pozo principal"
    return share if prize.cap_times is None else f"{share}, máximo {whole(prize.cap_times)} veces la apuesta"


def _readings(plan: Plan) -> Iterator[str]:
    """R-33: each setting with its value and what it means; one that changes nothing under this law says so."""
    readings = plan.ruleset.readings
    yield from _heading(f"5. Lecturas aprobadas, donde la norma deja lugar (R-33)   [{readings.clause}]")
    rows = []
    for name, (rule, title, meanings) in _READINGS.items():
        value = str(getattr(readings, name)).lower()
        meaning = meanings[value] if _decides(plan.ruleset, name) else "sin efecto en este reglamento"
        rows.append((f"{title} ({rule})", f"{name} = {value}", meaning))
    yield from _table("lll", rows)


def _decides(ruleset: Ruleset, reading: str) -> bool:
    """Whether the other value of a reading would be another law."""
    capped = any(isinstance(prize, Share) and prize.cap_times for prize in ruleset.paytable.values())
    draw = ruleset.modalities.get(DRAW)
    by_the_list = draw is None or (Forfeit.FOLDED in draw.forfeits and not ruleset.readings.draw_fold_forfeits)
    without_effect = {
        "cap": not capped,
        "real_after_cap": not capped,
        "per_unit": not ruleset.pays_per_unit,
        "draw_fold_forfeits": by_the_list,
    }
    return not without_effect.get(reading, False)


_LAMPS = {
    LampsSeen.SENSOR: "su sensor",
    LampsSeen.CROUPIER: "el croupier, que lo atestigua al cerrar",
    None: "no lo dice el plan; rigen los ajustes del nodo",
}


def _lamps(plan: Plan) -> str:
    """R-6: who sees that a lamp is lit, table by table where they differ."""
    seen: dict[str, list[str]] = {}
    for table in plan.tables:
        seen.setdefault(_LAMPS[table.lamps], []).append(table.name)
    if len(seen) == 1:
        return f"en todas las mesas: {next(iter(seen))}"
    return "; ".join(f"{who}: {', '.join(tables)}" for who, tables in seen.items())


def _confirming(plan: Plan) -> Iterator[tuple[str, str]]:
    """R-21, R-36: how many persons confirm an award, and who of them did not register it; what is shown as cards."""
    amounts = [plan.two_persons_above, plan.none_registered_above]
    above, none = (money(plan.ruleset.currency, amount) if amount is not None else "" for amount in amounts)
    yield "Confirman dos personas", f"sobre {above}; hasta ahí, una" if plan.two_persons_above else "todo premio"
    yield "Quién no lo registró", "al menos una (R-36)" + (f"; sobre {none}, ninguna lo registró" if none else "")
    yield "Se anota con sus cartas", f"desde {HAND_NAMES[plan.cards_from]} (R-32, R-36)"


def _between(plan: Plan) -> str:
    """R-26, R-28: whether the law has pots between casinos, which casinos this one is of, and its registration."""
    allowed = "permitido" if plan.ruleset.inter_casino else "no permitido"
    registered = f"; registro: {plan.registration}" if plan.registration else ""
    return f"{allowed}   [{plan.ruleset.inter_casino_clause}]; este plan: {', '.join(plan.casinos)}{registered}"


def _other_terms(plan: Plan) -> Iterator[str]:
    ruleset, prizes = plan.ruleset, plan.ruleset.complementary
    yield from _heading("6. Otras condiciones (R-6, R-21, R-28, R-29)")
    verification = f"hasta {ruleset.verification_minutes} minutos   [{ruleset.verification_clause}]"
    paid_in = ", ".join(_PAID_IN_NAMES[kind] for kind in prizes.paid_in)
    yield from _facts(
        ("Retención para verificar", verification),
        *_confirming(plan),
        ("Quién ve encendida la luz", _lamps(plan)),
        ("Pozo entre casinos", _between(plan)),
        (
            "Premios complementarios",
            f"permitidos, en {paid_in}   [{prizes.clause}]" if prizes.allowed else f"no permitidos   [{prizes.clause}]",
        ),
        *(
            (
                f"   {prize.name}",
                f"{money(ruleset.currency, prize.amount)}, {_DRAWN_NAMES[prize.drawn]}   [{prize.clause}]",
            )
            for prize in prizes.named
        ),
    )


def _consequences(forecast: Forecast) -> Iterator[str]:
    for part in (_odds, _returns, _pairs, _worst, _solvency):
        yield from part(forecast)


def _odds(forecast: Forecast) -> Iterator[str]:
    pace, tables = forecast.pace, len(forecast.plan.tables)
    hands = whole(HANDS)
    yield from _heading(f"A. Probabilidad exacta de cada jugada, igual en todas las modalidades (de {hands} manos)")
    rows = [("Jugada", "manos", "probabilidad", "una cada")]
    rows += [
        (HAND_NAMES[category], whole(HITS[category]), one_in(chance(category)), span(forecast.hours_between(category)))
        for category in forecast.plan.ruleset.paytable
    ]
    rows.append(("Algún premio", "", one_in(any_prize(forecast.plan.ruleset)), ""))
    yield from _table("lrrr", rows)
    for own in sorted({modality.own_cards for modality in forecast.plan.modalities}):
        if any(prize.drawn is DrawnBy.CARD for prize in forecast.plan.ruleset.complementary.named):
            yield f"   Una carta sorteada está en una mano de {own} cartas propias: {one_in(named_card(own))}."
    yield (
        f"   Ritmo: {tables} mesas, {pace.passes_per_hour} pases por hora, {pace.seats} apuestas por pase: "
        f"{whole(pace.bets_per_hour(tables))} apuestas por hora."
    )


def _returns(forecast: Forecast) -> Iterator[str]:
    plan, currency = forecast.plan, forecast.plan.ruleset.currency
    yield from _heading(f"B. Retorno de una apuesta de {money(currency, forecast.bet)} y marcha del pozo")
    yield from _facts(
        ("Retorno fijo", percent(forecast.fixed_return, 6)),
        ("Parte del pozo principal", percent(plan.main_share, 6)),
        ("Crecimiento por apuesta", percent(forecast.growth, 6)),
        ("Pozo de retorno 100 %", _turning(forecast, forecast.break_even)),
        ("Pozo sin crecimiento", _turning(forecast, forecast.zero_drift)),
    )
    capped = any(point.capped != point.uncapped for point in forecast.returns)
    rows = [("Pozo", "retorno", "desviación", "retorno sin tope" if capped else "")]
    rows += [_return_row(forecast, point, capped) for point in forecast.returns]
    yield from _table("rrrr", rows)
    yield "   La desviación es la típica de una apuesta, en veces la apuesta."


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
    yield from _heading("C. Dos ganadores en un mismo pase, apostando todas las posiciones: una vez en tantos pases")
    names = list(forecast.pairs)
    rows: list[tuple[str, ...]] = [("", *names)]
    for one, other in forecast.pairs[names[0]]:
        cells = [one_in(forecast.pairs[name][one, other]).removeprefix("1 en ") for name in names]
        rows.append((f"{HAND_NAMES[one]} + {HAND_NAMES[other]}", *cells))
    yield from _table("l" + "r" * len(names), rows)


def _worst(forecast: Forecast) -> Iterator[str]:
    plan, currency = forecast.plan, forecast.plan.ruleset.currency
    yield from _heading(
        f"D. Lo más que un pase puede costar en premios fijos, apostando todos {money(currency, plan.limits.most)}"
    )
    rows = []
    for modality, worst in forecast.worst:
        hands = ", ".join(f"{count} {HAND_NAMES[category]}" for category, count in worst.hands)
        rows.append((modality.name, money(currency, worst.amount), hands))
    rows.append(("Todas las mesas a la vez", money(currency, forecast.worst_at_once), ""))
    yield from _table("lrl", rows)


def _solvency(forecast: Forecast) -> Iterator[str]:
    solvency, currency = forecast.solvency, forecast.plan.ruleset.currency
    course = solvency.course
    yield from _heading(
        f"E. Solvencia: {whole(course.paths)} veces {whole(course.played)} apuestas de {money(currency, course.bet)} "
        f"desde la base con reservas vacías (simulado; semilla {solvency.seed})"
    )
    yield from _facts(
        ("Algún premio fijo pasa del pozo principal", _share(solvency.uncovered_by_main, course.paths)),
        (
            "y tampoco alcanzan las reservas: la casa anticipa (R-18)",
            _share(solvency.uncovered_by_reserves, course.paths),
        ),
        ("Bases que pone la casa, promedio (R-19)", money(currency, solvency.base_from_house // course.paths)),
    )
    rows: list[tuple[str, ...]] = [("Pozo tras", "5 %", "25 %", "mediana", "75 %", "95 %")]
    for twelfth in (1, 3, 6, 9, 12):
        mark = len(solvency.marks) * twelfth // 12 - 1
        levels = [money(currency, solvency.level(mark, per_hundred)) for per_hundred in (5, 25, 50, 75, 95)]
        rows.append((f"{whole(solvency.marks[mark])} apuestas", *levels))
    yield from _table("rrrrrr", rows)


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
