"""What a plan says, word for word of its sense: the first half of the approval sheet (R-26).

Theory. Every value of the plan and of its ruleset stands here with the clause and the rule it rests on: whatever a plan
can do with money, its complementary prizes too, who confirms, who sees the lamps, where the pot is registered. What
follows from it is `sheet`'s business.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from controller.approval.columns import facts, heading, table
from controller.rules.cards import HAND_NAMES
from controller.rules.money import PPM
from controller.rules.plan import LampsSeen, Plan
from controller.rules.prizes import DrawnBy, PaidIn, PlannedPrize
from controller.rules.readings import PerUnitOwed
from controller.rules.ruleset import ACT_NAMES, DRAW, Forfeit, Modality, PerUnit, Prize, Ruleset, Share, Times
from controller.spanish.numbers import money, percent, share_percent, whole

_FORFEIT_NAMES = {Forfeit.FOLDED: "no va", Forfeit.EXCHANGED: "cambia cartas", Forfeit.BOUGHT: "compra una carta"}
_PAID_IN_NAMES = {
    PaidIn.CASH: "efectivo del pozo",
    PaidIn.CHIPS: "fichas",
    PaidIn.PROMOTIONAL_CREDITS: "créditos promocionales",
}
_TENDER_NAMES = {
    PaidIn.CASH: "efectivo",
    PaidIn.CHIPS: "fichas",
    PaidIn.PROMOTIONAL_CREDITS: "créditos promocionales",
}
_DRAWN_SHORT = {DrawnBy.SEAT: "por posición", DrawnBy.CARD: "por carta"}
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


def identity(plan: Plan, fingerprints: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield f"HOJA DE APROBACIÓN · {plan.title} ({plan.name})"
    yield ""
    yield from facts(
        ("Resolución (R-26)", plan.resolution),
        ("Reglamento", f"{plan.ruleset.name}: {plan.ruleset.title}"),
        ("Fuente", plan.ruleset.source),
        *((f"Huella SHA-256 {name}", digest) for name, digest in fingerprints),
    )


def terms(plan: Plan) -> Iterator[str]:
    for part in (_allocation, _pot_and_bets, _tables, _paytable, _readings, _other_terms, _prizes):
        yield from part(plan)


def _allocation(plan: Plan) -> Iterator[str]:
    yield from heading("1. De lo apostado (R-22, R-23: exacto; cada fracción se guarda, nada se pierde)")
    net = PPM - plan.shares.commission
    rows = [("Comisión de la casa", "", share_percent(plan.shares.commission), "de lo apostado")]
    parts = [("Pozo principal", PPM - sum(plan.shares.reserves))]
    parts += [(f"Reserva {name}", ppm) for name, ppm in zip(plan.reserve_names, plan.shares.reserves, strict=True)]
    for name, ppm in parts:
        of_all = percent(Fraction(ppm * net, PPM * PPM), 4)
        rows.append((name, share_percent(ppm) + " del resto", of_all, "de lo apostado"))
    yield from table("lrrl", rows)


def _pot_and_bets(plan: Plan) -> Iterator[str]:
    currency, limits = plan.ruleset.currency, plan.limits
    yield from heading("2. Pozo y apuesta (R-1, R-3, R-24)")
    yield from facts(
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
    yield from heading("3. Mesas enlazadas, todas con los mismos límites (R-3, R-7, R-8, R-9)")
    rows = [(table.name, table.casino, table.modality.name, _game(table.modality)) for table in plan.tables]
    yield from table("llll", rows)
    for node in dict.fromkeys(one.node for one in plan.tables if one.node):
        names = [one.name for one in plan.tables if one.node == node]
        yield f"   En el nodo {node} (R-28): {', '.join(names)}"


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
    yield from heading("4. Tabla de premios, de menor a mayor (R-11; la apuesta no se devuelve, R-12)")
    rows = [
        (HAND_NAMES[category], _prize(ruleset, prize), f"[{prize.clause}]")
        for category, prize in ruleset.paytable.items()
    ]
    yield from table("lll", rows)


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
    yield from heading(f"5. Lecturas aprobadas, donde la norma deja lugar (R-33)   [{readings.clause}]")
    rows = []
    for name, (rule, title, meanings) in _READINGS.items():
        value = str(getattr(readings, name)).lower()
        meaning = meanings[value] if _decides(plan.ruleset, name) else "sin efecto en este reglamento"
        rows.append((f"{title} ({rule})", f"{name} = {value}", meaning))
    yield from table("lll", rows)


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
    for one in plan.tables:
        seen.setdefault(_LAMPS[one.lamps], []).append(one.name)
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


def _shared(plan: Plan) -> Iterator[tuple[str, str]]:
    """R-28: of a pot with tables at other nodes, how long those play cut off, and which house puts in what."""
    if not any(one.node for one in plan.tables):
        return
    first, minutes = plan.tables[0], whole(plan.max_offline)
    cut_off = f"abre pases hasta {minutes} min después de la última palabra" if plan.max_offline else "no abre pases"
    yield "Mesa sin enlace con el pozo", f"{cut_off}; se paga lo que no es porcentaje"
    advanced = f"hasta el {plan.advance_percent} % entre dos personas, de la casa" if plan.advance_percent else "nada"
    yield "Adelanto de un porcentaje", f"{advanced} (R-28)"
    yield "Primera base, si no es cero", f"la casa de {first.casino} (mesa {first.name}; R-24)"
    yield "Otras bases y lo que falte", "si toca a la casa, la del casino de la mesa que ganó (R-18, R-19)"


def _other_terms(plan: Plan) -> Iterator[str]:
    ruleset, prizes = plan.ruleset, plan.ruleset.complementary
    yield from heading("6. Otras condiciones (R-6, R-21, R-28, R-29)")
    verification = f"hasta {ruleset.verification_minutes} minutos   [{ruleset.verification_clause}]"
    paid_in = ", ".join(_PAID_IN_NAMES[kind] for kind in prizes.paid_in)
    yield from facts(
        ("Retención para verificar", verification),
        *_confirming(plan),
        ("Quién ve encendida la luz", _lamps(plan)),
        ("Pozo entre casinos", _between(plan)),
        *_shared(plan),
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


def _prizes(plan: Plan) -> Iterator[str]:
    """R-26, R-29: what this plan draws, how likely, for whom, paid in what, by whom, and with whose authorisation."""
    yield from heading("7. Premios complementarios de este plan (R-26, R-29), para toda apuesta válida")
    if not plan.prizes:
        yield "   ninguno"
        return
    currency = plan.ruleset.currency
    rows = [
        (one.name, money(currency, one.amount), _when(one), _DRAWN_SHORT[one.drawn], _paid(one)) for one in plan.prizes
    ]
    yield from table("lrlll", rows)
    for one in plan.prizes:
        if one.authorisation:
            yield f"   {one.name}: autorización {one.authorisation}"
        if one.excludes:
            yield f"   {one.name}: en un pase en que cae no cae {' ni '.join(one.excludes)}, ni al revés"


def _when(prize: PlannedPrize) -> str:
    if prize.one_in is None:
        assert prize.within_minutes is not None, "R-29: exactly one of the two"
        return f"una vez por jornada, en sus primeros {whole(prize.within_minutes)} min"
    return "en cada pase" if prize.one_in == 1 else f"en 1 de {whole(prize.one_in)} pases"


def _paid(prize: PlannedPrize) -> str:
    """R-18: from its part as far as that goes."""
    kind = _TENDER_NAMES[prize.paid_in]
    if prize.is_promotional:
        return f"{kind}, los da la casa"
    part = "del pozo principal" if prize.source == "main" else f"de la reserva {prize.source}"
    return f"{kind}, {part} (lo que falte, la casa)"
