"""Where the money of a pass went, and where it went back (R-21, R-22, R-23, R-24, R-25).

Theory. Each bet is split again here, step by step, from the fractions that were owed before it; every step shows its
multiplication and what it leaves, and says so where the record has something else. Of a pot that nodes share one node
of each casino takes the commission, and the owner of the pot splits the rest (R-28).
"""

import hashlib
from collections.abc import Iterable, Iterator

from controller.core.facts import ClaimRegistered, ClaimRejected, HandsVoided, NeighbourPinned, PassSealed
from controller.core.links.names import is_away, neighbour_of
from controller.core.values import Refund, SealedBet
from controller.explain.context import FactCase, agrees
from controller.record.reading import entries
from controller.rules.money import PPM
from controller.rules.plan import Plan
from controller.rules.readings import VoidUndoes
from controller.spanish.names import clipped, part_name, people, prize_name
from controller.spanish.numbers import share_percent, whole


def explain_sealed(case: FactCase, fact: PassSealed) -> Iterator[str]:
    """Every bet of the pass, split."""
    yield f"Pase {fact.number} de la mesa {fact.table} cerrado a apuestas, pozo {fact.pot}, casino {fact.casino} (R-5)."
    for seat in fact.dark:
        yield f"Posición {seat}: su lámpara falló con la mesa abierta, y su apuesta ya había vuelto (R-6)."
    for refund in fact.returned:
        yield (
            f"Posición {refund.seat}: su lámpara no se vio encendida, la apuesta no vale; "
            f"vuelven {case.cash(refund.total)} (R-6)."
        )
    if not fact.bets:
        yield "No hubo apuestas válidas: nada que repartir."
    elif case.plan is None:
        yield "Es entrenamiento: su reparto no se explica aquí."
    else:
        yield from _split(case, fact, case.plan)
    yield from _closed(case, fact)
    for prize in fact.draws:
        yield f"Queda por sortear {prize} (R-29, R-30)."


def _split(case: FactCase, fact: PassSealed, plan: Plan) -> Iterator[str]:
    """R-22, R-23, R-24: from the fractions that were owed, bet by bet in seat order."""
    commission = case.before.commission_carry(fact.pot, fact.casino)
    names = () if fact.above else plan.reserve_names
    carries = [case.before.reserve_carry(fact.pot, name) for name in names]
    main = case.before.balances.get(f"pot:{fact.pot}:main", 0)
    collector = _collector(case, fact)
    yield "Cifras en unidades mínimas de la moneda; fracciones en millonésimas, y cada una se guarda (R-23)."
    if collector:
        yield f"La comisión la toma {collector}, una vez para todo su casino (R-23, R-28)."
    for bet in fact.bets:
        yield f"Posición {bet.seat}: apuesta válida de {whole(bet.amount)}."
        taken = 0
        if not collector or is_away(fact.table):
            taken, commission, line = _share("comisión", bet.amount, plan.shares.commission, commission)
            yield line + agrees(taken, bet.commission)
        net = bet.amount - taken
        yield f"   Resto: {whole(bet.amount)} - {whole(taken)} = {whole(net)} (R-22)."
        if fact.above:
            continue
        given = []
        for at, (name, ppm) in enumerate(zip(names, plan.shares.reserves, strict=True)):
            part, carries[at], line = _share(part_name(name), net, ppm, carries[at])
            given.append(part)
            yield line + agrees(part, bet.reserves[at] if at < len(bet.reserves) else 0)
        minus = "".join(f" - {whole(part)}" for part in given)
        kept = net - sum(given)
        yield f"   principal: {whole(net)}{minus} = {whole(kept)} (R-22).{agrees(kept, bet.main)}"
        yield from _ceiling(plan, main, bet)
        main += bet.main - bet.overflow
    yield from _sum(case, fact, collector)
    yield (
        f"Fracciones que quedan: comisión {whole(commission)}"
        + "".join(f", {part_name(name)} {whole(carry)}" for name, carry in zip(names, carries, strict=True))
        + f" (R-23).{agrees(commission, fact.commission_carry)}"
    )


def _collector(case: FactCase, fact: PassSealed | HandsVoided) -> str:
    """R-23, R-28: the neighbour that takes the commission of this table's casino; nobody, where it is taken here."""
    neighbour = neighbour_of(fact.table) if is_away(fact.table) else fact.above
    if not neighbour:
        return ""
    said = [entry.fact for entry in entries(case.record, last=case.entry.seq)]
    inside = any(one.inside for one in said if isinstance(one, NeighbourPinned) and one.neighbour == neighbour)
    return neighbour if inside is not is_away(fact.table) else ""


def _share(name: str, amount: int, ppm: int, carry: int) -> tuple[int, int, str]:
    """R-23: one share with its multiplication."""
    units, rest = divmod(amount * ppm + carry, PPM)
    product = f"{whole(amount)} × {whole(ppm)} + {whole(carry)} = {whole(amount * ppm + carry)}"
    line = f"   {name} {share_percent(ppm)}: {product}: {whole(units)} y quedan {whole(rest)} (R-23)."
    return units, rest, line


def _ceiling(plan: Plan, main: int, bet: SealedBet) -> Iterator[str]:
    """R-24: what the main pot has no room for."""
    if plan.ceiling is None:
        return
    room = max(plan.ceiling - main, 0)
    over = max(bet.main - room, 0)
    if over or bet.overflow:
        yield (
            f"   Tope {whole(plan.ceiling)}: al principal le caben {whole(room)}; {whole(over)} pasan a la reserva "
            f"{plan.reserve_names[0]} (R-24).{agrees(over, bet.overflow)}"
        )


def _sum(case: FactCase, fact: PassSealed, collector: str) -> Iterator[str]:
    wagered, commission = sum(bet.amount for bet in fact.bets), sum(bet.commission for bet in fact.bets)
    parts = "".join(f" + {part_name(part)} {case.cash(amount)}" for part, amount in fact.flow.parts.items())
    total = commission + sum(fact.flow.parts.values())
    if fact.above:
        parts, total = f" + a la cuenta con {fact.above} {case.cash(wagered - commission)}", wagered
    yield (
        f"Suma: comisión {case.cash(commission)}{parts} = {case.cash(total)}, todo lo apostado (R-22)."
        f"{agrees(total, wagered)}{agrees(0 if collector else commission, fact.flow.commission)}"
    )
    if fact.above:
        yield f"Cómo se reparte en el pozo {fact.pot} lo dice el registro de su dueño (R-22, R-28)."


def _closed(case: FactCase, fact: PassSealed) -> Iterator[str]:
    """R-30: the fingerprint on which every draw of this pass depends."""
    if is_away(fact.table):
        yield f"Huella del pase (R-30), como la dijo el nodo de la mesa: {clipped(fact.closed)}. Allá se comprueba."
        return
    text = f"{case.before.node}/{fact.table}/{fact.number}/{case.entry.at}\n"
    text += "".join(f"{bet.seat} {bet.amount} {bet.promo} {bet.chips}\n" for bet in fact.bets)
    same = "cuadra" if hashlib.sha256(text.encode()).hexdigest() == fact.closed else "¡NO CUADRA!"
    yield f"Huella del pase (R-30): SHA-256 de {text!r} = {fact.closed}: {same}."


def explain_voided(case: FactCase, fact: HandsVoided) -> Iterator[str]:
    """R-25: what went back to the seats, and who gave it."""
    what = "El pase entero" if fact.whole_pass else "Una mano"
    where = f"mesa {fact.table}, pase {fact.number}"
    yield f"{what} se anuló: {where}, «{clipped(fact.reason)}», por {people(fact.by)} (R-25)."
    if not fact.refunds:
        yield "No había apuestas: nada que devolver."
    yield from _refunds(case, fact.refunds)
    total = sum(refund.total for refund in fact.refunds)
    if not fact.sealed:
        yield f"El pase no estaba cerrado: {case.cash(total)} salen de la mesa y ningún pozo se toca."
        return
    if case.plan is not None and case.plan.ruleset.readings.void_undoes is VoidUndoes.NOTHING:
        clause = case.plan.ruleset.readings.clause
        yield f"Los pozos conservan los aportes y la casa devuelve las apuestas (R-33) [{clause}]."
    else:
        yield "Los aportes se deshacen, cada apuesta con su monto bajo cero (R-23, R-25)."
    gave = _gave(case, fact)
    for who, amount in gave:
        yield f"   {'dio' if amount < 0 else 'recibió'} {who}: {case.cash(abs(amount))}"
    given = -sum(amount for _, amount in gave)
    yield f"Suma de lo que dieron: {case.cash(given)}; devuelto: {case.cash(total)}.{agrees(given, total)}"


def _refunds(case: FactCase, refunds: Iterable[Refund]) -> Iterator[str]:
    for refund in refunds:
        forms = {"créditos": refund.cash, "promocionales": refund.promo, "fichas por devolver": refund.chips}
        parts = ", ".join(f"{case.cash(amount)} en {form}" for form, amount in forms.items() if amount)
        yield f"   Posición {refund.seat}: vuelven {parts} (R-25)."


def _gave(case: FactCase, fact: HandsVoided) -> list[tuple[str, int]]:
    """Who gave what; a fraction that ripened gives back a unit (R-23). Of a pot that nodes share also the neighbours:
    its owner undoes it, and the node that took the commission gives it back (R-28)."""
    rows = [(part_name(part), amount) for part, amount in fact.flow.parts.items()]
    rows += [("comisión", fact.flow.commission), ("la casa, lo que un pozo ya no tenía (R-18)", fact.flow.house)]
    commission = sum(bet.commission for bet in fact.undone)
    collector = _collector(case, fact)
    if collector and is_away(fact.table):
        rows.append((f"comisión, que había tomado {collector}", commission))
    if fact.above:
        net = sum(bet.amount for bet in fact.undone) - commission
        rows.append((f"la cuenta con {fact.above}, que lo deshace en el pozo (R-28)", net))
    if is_away(fact.table) and not fact.undone:
        house = -sum(refund.total for refund in fact.refunds)
        rows.append((f"la casa de {fact.casino}, en el libro de su nodo", house))
    return [row for row in rows if row[1]]


def explain_rejected(case: FactCase, fact: ClaimRejected) -> Iterator[str]:
    """R-21: what went back where."""
    who = people(fact.by, fact.second)
    yield f"Los premios {fact.claim} se rechazaron: «{clipped(fact.reason)}», por {who} (R-21, R-34)."
    claim = _claim_of(case, fact.claim)
    for award in claim.awards if claim is not None else ():
        parts = "; ".join(f"{part_name(part)} {case.cash(amount)}" for part, amount in award.parts.items())
        house = f"; la casa {case.cash(award.house)}" if award.house else ""
        name = f"{prize_name(award.prize)}, posición {award.seat}"
        yield f"   Premio {award.number}: {name}, {case.cash(award.amount)}; había salido de: {parts}{house} (R-18)."
    if claim is not None and claim.base_back is not None:
        yield "   La base que se había puesto vuelve a quien la puso (R-19, R-21)."
    for part, amount in fact.flow.parts.items():
        yield f"   {part_name(part)} {'recibe' if amount >= 0 else 'devuelve'} {case.cash(abs(amount))} (R-21)."
    if fact.flow.house:
        word = "recibe" if fact.flow.house > 0 else "pone"
        yield f"   La casa {word} {case.cash(abs(fact.flow.house))} (R-21)."
    if fact.overflow:
        yield f"   De ello pasan el tope {case.cash(fact.overflow)}, a la primera reserva (R-24)."
    total = sum(fact.flow.parts.values()) + fact.flow.house
    yield f"Suma: {case.cash(total)}; retenido: {case.cash(fact.held)}.{agrees(total, fact.held)}"


def _claim_of(case: FactCase, name: str) -> ClaimRegistered | None:
    for entry in entries(case.record, last=case.entry.seq):
        if isinstance(entry.fact, ClaimRegistered) and entry.fact.claim == name:
            return entry.fact
    return None
