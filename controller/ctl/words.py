"""What the console says in Spanish: money, the state of a node, and what a command did, from its facts.

Theory. Fixed sentences in one place. A fact is read as the open record has it (docs/record.md), so a kind that this
program does not know yet is named, not hidden. Pure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from controller.core.links.names import is_away, neighbour_of
from controller.core.values import TRAINING, Phase
from controller.core.view import AwardView, SignView, TableView
from controller.ctl.device_words import tended, unit_lines
from controller.ctl.hands import PRIZES
from controller.ctl.house_words import OF_THE_HOUSE
from controller.ctl.link_facts import OF_LINKS, SILENT_LINKS, advanced_of, handed
from controller.ctl.link_words import age_of, neighbour_lines, owner_of
from controller.node.vocabulary.protocol import NodeView, Reply, reading
from controller.rules.belief import DISBELIEVED_WORDS
from controller.rules.cards import printed
from controller.rules.prizes import Tender

PHASES = {Phase.BETWEEN: "ENTRE PASES", Phase.OPEN: "ABIERTA", Phase.LOCKING: "CERRANDO", Phase.SEALED: "CERRADA"}
_UNPAID = {
    "no_bet": "no apostó", "lamp": "su apuesta no valió, la luz no se encendió", "folded": "se retiró",
    "exchanged": "cambió cartas", "bought": "compró una carta", "no_claim": "no se le anotó jugada",
    "no_prize": "su jugada no tiene premio",
}  # fmt: skip


class Money:
    """Amounts as a pot's currency writes them."""

    def __init__(self, sign: SignView | None) -> None:
        self._symbol, self._decimals = (sign.symbol, sign.decimals) if sign else ("$", 0)

    def __call__(self, amount: int) -> str:
        return f"{'-' * (amount < 0)}{self._symbol} {self.bare(abs(amount))}"

    def bare(self, amount: int) -> str:
        """The amount without its symbol, where there is little room."""
        assert amount >= 0, "the sign stands before the symbol"
        whole, rest = divmod(amount, 10**self._decimals)
        cents = f",{rest:0{self._decimals}}" if self._decimals else ""
        return f"{whole:,}".replace(",", ".") + cents


def money_at(view: NodeView, table: str = "", pot: str = "") -> Money:
    """The currency of a table or a pot; of the first pot where neither says."""
    return Money(sign_of(view, table, pot))


def sign_of(view: NodeView, table: str, pot: str = "") -> SignView | None:
    """The pot a table plays for; its own copy while it trains."""
    fed = next((feed.pot for feed in view.feeds if feed.table == table), pot)
    training = fed.startswith("~")
    wanted = (one for one in view.pots if (one.pot, one.training) == (fed.removeprefix("~"), training))
    return next(wanted, None) or next(iter(view.pots), None)


def hour(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%H:%M:%S")


def seat_list(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def reply_lines(reply: Reply, view: NodeView) -> list[str]:
    """What the node did, or why not; one sentence a line."""
    if reply.trouble is not None:
        rule = f" ({reply.trouble.rule})" if reply.trouble.rule else ""
        return [f"{reply.trouble.message}{rule}"]
    lines = [sentence for raw in reply.facts for sentence in fact_lines(msgspec.json.decode(raw), view)]
    return lines or ["Hecho."]


def fact_lines(fact: Mapping[str, Any], view: NodeView) -> list[str]:
    kind = str(fact.get("kind", "?"))
    say = _SENTENCES.get(kind)
    if say is None:
        return [] if kind in _SILENT else [kind]
    table = str(fact.get("table", "")).removeprefix("~") or str(fact.get("claim", "")).split("/")[0]
    money = money_at(view, table, str(fact.get("pot", "")))
    return say({**fact, "table": table}, money)


_Say = Callable[[Mapping[str, Any], Money], list[str]]
_SILENT = {"clock_went_back", "clock_stepped", "device_seen", "seat_proven", "drawn", *SILENT_LINKS}


def _claim(fact: Mapping[str, Any], money: Money) -> list[str]:
    lines = [
        f"  {one['number']}. posición {one['seat']}: {PRIZES.get(one['prize'], one['prize'])}, {money(one['amount'])}"
        f" (premio {fact['claim']}/{one['number']})"
        for one in fact["awards"]
    ]
    lines += unpaid_lines(fact)
    if not fact["awards"]:
        return [f"Jugada {fact['claim']}: NADIE COBRA.", *lines]
    return [f"Jugada {fact['claim']}: premios por pagar, en este orden:", *lines]


def _corrected(fact: Mapping[str, Any], money: Money) -> list[str]:
    """R-34, R-35: what is owed now, what falls away, what the house bears; each where a person must act on it."""
    due = "se puede pagar" if fact.get("confirmed") else "por verificar"
    why = f" ({fact['reason']})" if fact["reason"] else ""
    lines = [f"Mesa {fact['table'] or 'de otro nodo'}, pase {fact['number']}: queda como fue{why}."]
    lines += [f"  {_owed(fact['claim'], one, money)}, {due}" for one in fact["awards"]]
    for again in fact["resettled"]:
        lines.append(f"  Jugada {again['claim']}: se liquidó de nuevo.")
        lines += [f"  {_owed(again['claim'], one, money)} más, {due}" for one in again["awards"]]
    lines += [f"  premio {award}: anulado, no se paga" for award in fact["cancelled"]]
    lines += [
        f"  premio {one['award']}: pagado sin deberse; {money(one['amount'])} los pierde la casa"
        for one in fact["lost"]
    ]
    lines += unpaid_lines(fact)
    house = fact["flow"]["house"]
    if house:
        lines.append(f"  La casa {'recupera' if house > 0 else 'pone'} {money(abs(house))}.")
    return lines


def _owed(claim: str, award: Mapping[str, Any], money: Money) -> str:
    prize = PRIZES.get(award["prize"], award["prize"])
    name = f"premio {claim}/{award['number']}"
    return f"posición {award['seat']}: {prize}, se le deben {money(award['amount'])} ({name})"


def unpaid_lines(fact: Mapping[str, Any]) -> list[str]:
    """Seats that get nothing although something was entered for them, and why; where nobody is paid, also who bet and
    was not named."""
    nobody = not fact["awards"]
    return [
        f"  posición {one['seat']}: no cobra, {_UNPAID.get(one['reason'], one['reason'])}"
        for one in fact["unpaid"]
        if nobody or one["reason"] != "no_claim"
    ]


def _ended(fact: Mapping[str, Any], _: Money) -> list[str]:
    by = f" por {fact['by']}" if fact.get("by") else ""
    reviewed = "; todas las manos revisadas" if fact.get("reviewed") else ""
    return [f"Mesa {fact['table']}: pase {fact['number']} terminado{by}{reviewed}."]


def _voided(fact: Mapping[str, Any], money: Money) -> list[str]:
    what = "el pase entero" if fact["whole_pass"] else "la mano"
    back = ", ".join(
        f"{one['seat']} ({money(sum(one.get(part, 0) for part in ('cash', 'promo', 'chips')))})"
        for one in fact["refunds"]
    )
    lines = [f"Anulado {what}: vuelve a la posición {back}." if back else f"Anulado {what}."]
    if fact.get("sealed") and back:
        lines.append("Se puede apostar; se paga en dinero cuando un jefe que no lo anotó firme (firmar POS).")
    return lines


def _closed(fact: Mapping[str, Any], _: Money) -> list[str]:
    when = "se cierra al terminar el pase" if fact.get("after_pass") else "cerrada"
    return [f"Mesa {fact['table']}, posición {fact['seat']}: {when} ({fact['reason']})."]


def _granted(fact: Mapping[str, Any], money: Money) -> list[str]:
    """R-29: held until the pass is over; of the first reading, promotional credits are on the seat already."""
    how = ", en créditos promocionales" if fact.get("promo") else ""
    when = "se paga cuando termine el pase" if fact.get("held") else "ya está cargado"
    return [f"Premio {fact['prize']} para la posición {fact['seat']}: {money(fact['amount'])}{how}; {when}."]


def _award_paid(fact: Mapping[str, Any], money: Money) -> list[str]:
    """R-29: in what; promotional credits are on the seat, and no cash is paid for them."""
    if fact.get("promo"):
        where = f"posición {fact['seat']}"
        return [f"Premio {fact['award']}: {money(fact['amount'])} en créditos promocionales, cargados en la {where}."]
    how = " en fichas" if fact.get("paid_in") == Tender.CHIPS else ""
    return [f"Premio {fact['award']}: {handed(fact, how, money)}."]


def _at_seat(sentence: str) -> _Say:
    return lambda fact, money: [
        sentence.format(table=fact["table"], seat=fact["seat"], amount=money(fact.get("amount", 0)))
    ]


def _plain(sentence: str) -> _Say:
    return lambda fact, money: [sentence.format(**{**fact, "amount": money(fact.get("amount", 0))})]


def _unless_practised(say: _Say, practised: str) -> _Say:
    """R-36: a table that trains sells nothing for cash, and its croupier must not think so."""
    practice = _plain(practised)
    return lambda fact, money: (practice if fact.get("practice") else say)(fact, money)


_COUNTED = {
    True: "Mesa {table}, posición {seat}: conteo anotado, igual al libro.",
    False: "Mesa {table}, posición {seat}: conteo anotado; la diferencia queda por aclarar.",
}


def _lamp(fact: Mapping[str, Any], _: Money) -> list[str]:
    """R-6: only what a person said is told; what a device saw is in the picture."""
    if not fact.get("by"):
        return []
    return [f"Mesa {fact['table']}, posición {fact['seat']}: luz apagada; la apuesta vuelve y la posición se cierra."]


def _lamps_tested(fact: Mapping[str, Any], _: Money) -> list[str]:
    dark = ", ".join(map(str, fact["dark"]))
    what = f"apagadas en {dark}, que quedan cerradas" if dark else "todas encendidas"
    return [f"Mesa {fact['table']}: luces miradas, {what}."]


def _handed_back(fact: Mapping[str, Any], money: Money) -> list[str]:
    """R-4: with the chief who was told."""
    told = f"; avisado: {fact['told']}" if fact.get("told") else ""
    return [f"Mesa {fact['table']}, posición {fact['seat']}: {money(fact['amount'])} devueltos al jugador{told}."]


def _disbelieved(fact: Mapping[str, Any], _: Money) -> list[str]:
    why = DISBELIEVED_WORDS.get(fact["why"], fact["why"])
    return [f"Mesa {fact['table']}, posición {fact['seat']}: no se anota lo que dijo su aceptor ({why})."]


_SENTENCES: dict[str, _Say] = {
    "pass_opened": _plain("Mesa {table}: pase {number} abierto a apuestas."),
    "locked": _plain("Mesa {table}: no más apuestas en el pase {number}; se espera el cierre de cada posición."),
    "pass_sealed": _plain("Mesa {table}: pase {number} cerrado; ya se puede repartir."),
    "pass_closed": _ended,
    "credits_bought": _unless_practised(
        _at_seat("Mesa {table}, posición {seat}: {amount} en créditos."),
        "Mesa {table}, posición {seat}: {amount} de práctica. ENTRENAMIENTO: no cobre nada.",
    ),
    "credits_cashed": _unless_practised(
        _at_seat("Mesa {table}, posición {seat}: entregue {amount} al jugador."),
        "Mesa {table}, posición {seat}: {amount} de práctica retirados. ENTRENAMIENTO: no entregue dinero.",
    ),
    "credits_left": _at_seat("Mesa {table}, posición {seat}: {amount} apartados."),
    "left_paid": _unless_practised(
        _plain("Mesa {table}: entregue {amount} de lo apartado."),
        "Mesa {table}: {amount} de práctica. ENTRENAMIENTO: no entregue dinero.",
    ),
    "owed_paid": _handed_back,
    "lamp_changed": _lamp,
    "lamps_tested": _lamps_tested,
    "seat_closed": _closed,
    "seat_opened": _plain("Mesa {table}, posición {seat}: abierta."),
    "seat_counted": lambda fact, _: [_COUNTED[fact["found"] == fact["booked"]].format(**fact)],
    "device_disbelieved": _disbelieved,
    "suspense_cleared": _plain("Mesa {table}: diferencia aclarada."),
    "hands_voided": _voided,
    "void_signed": _at_seat("Mesa {table}, posición {seat}: anulación firmada; {amount} se pueden pagar."),
    "claim_registered": _claim,
    "late_registered": _plain("Jugada {claim}: ganador tardío anotado; paga la casa."),
    "claim_rejected": _plain("Jugada {claim}: rechazada; lo retenido vuelve a donde estaba."),
    "claim_corrected": _corrected,
    "award_set_aside": _plain("Premio {award}: {amount} apartados sin plazo; se pagan cuando vuelva quien los ganó."),
    "award_confirmed": _plain("Premio {award} confirmado: se puede pagar."),
    "award_paid": _award_paid,
    "prize_granted": _granted,
    "day_opened": _plain("Jornada {day} abierta."),
    "day_closed": lambda fact, _: [
        f"Jornada {fact['day']} cerrada{', sin semilla: sus sorteos quedan sin comprobar' if fact.get('lost') else ''}."
    ],
    "day_renamed": _plain("La jornada {was} se llama ahora {day}."),
    "seed_lost": _plain(
        "Jornada {day}: consta que su semilla se perdió. No se sortea más; los pases terminan y el día se cierra."
    ),
    "verifiers_sealed": _plain("Los PIN quedaron guardados bajo el secreto del nodo; son los mismos."),
    "pins_replaced": _plain("Dos personas con la llave hicieron PIN nuevos: {reason}."),
    "clock_noted": _plain("Consta que {by} revisó el reloj; el aviso se quita."),
    **OF_THE_HOUSE,
    "plan_staged": _plain("Plan de {pot} en espera ({resolution}); rige cuando no haya pase ni premio pendiente."),
    "plan_took_effect": _plain("El plan de {pot} rige desde ahora ({resolution})."),
    "plan_withdrawn": _plain("Plan en espera de {pot} retirado."),
    "money_moved": _plain("Pozo {pot}: {amount} de {source} a {target}."),
    "training_started": _plain("Mesa {table}: entrenamiento; nada de esto es dinero."),
    "training_ended": _plain("Mesa {table}: fin del entrenamiento."),
    "device_tended": lambda fact, _: [tended(fact)],
    "unproven_refused": _plain("{count} pedidos que nadie probó, del usuario {user} de la máquina."),
    "nothing_new": _plain("Nada que cambiar: {what}."),
    **OF_LINKS,
}


def cards_drawn(cards: Mapping[str, str]) -> str:
    return ", ".join(f"{prize}: {printed(card)}" for prize, card in cards.items())


# ---------------------------------------------------------------------------------------------------- the state


def state_lines(view: NodeView, table: str = "") -> Iterator[str]:
    """Everything, or one table."""
    stopping = " · DETENIÉNDOSE" if view.stopping else ""
    yield f"{view.node} · {hour(view.at)} · jornada {view.day or 'cerrada'} · hecho {view.seq}{stopping}"
    for one in view.tables:
        if table in {"", one.table}:
            yield from _table_lines(view, one)
    if not table:
        yield from _funds_lines(view)
        yield from neighbour_lines(view)
    awards = [award for pot in view.pots for award in pot.awards if table in {"", award.table}]
    for award in awards:
        yield f"premio {award_text(view, award)}"
    for inquiry in view.inquiries:
        yield f"{f'mesa {inquiry.table}: ' if inquiry.table else ''}{reading(inquiry.percent).message}"
    for alarm in view.alarms:
        yield f"alarma: {alarm.sentence}"
    for unit in view.units:
        if table in {"", unit.table}:
            yield from unit_lines(unit)


def _funds_lines(view: NodeView) -> Iterator[str]:
    """R-18, R-19: what stands behind each pot, and what the houses advanced."""
    for one in view.funds:
        money = money_at(view, pot=one.pot)
        parts = [f"{name} {money(amount)}" for name, amount in one.reserves.items()]
        parts += [f"retenido {money(one.held)}"] if one.held else []
        parts += [f"la casa {casino} puso {money(amount)}" for casino, amount in one.house.items() if amount]
        if parts and not one.pot.startswith(TRAINING):
            yield f"pozo {one.pot}: {', '.join(parts)}"


def _table_lines(view: NodeView, table: TableView) -> Iterator[str]:
    sign, money = sign_of(view, table.table), money_at(view, table.table)
    pot = f" · {sign.title} {money(sign.main)}{age_of(view, sign.pot)}" if sign else ""
    yield f"mesa {table.table}: {phase_text(table)} · pase {table.number}{pot}{' · ENTRENAMIENTO' * table.training}"
    if table.cards:
        yield f"  carta sorteada: {cards_drawn(table.cards)}"
    for seat in table.seats:
        parts = [f"apuesta {money(seat.bet)}"] if seat.bet else []
        parts += [f"créditos {seat.credits}"] if seat.credits else []
        parts += [f"promoción {seat.promo}"] if seat.promo else []
        parts += [f"devolver {money(seat.owed)}"] if seat.owed else []
        parts += [f"por firmar {money(seat.unsigned)}"] if seat.unsigned else []
        parts += [f"CERRADA ({seat.closed})"] if seat.closed else []
        if parts:
            yield f"  posición {seat.seat}: {', '.join(parts)}"


def phase_text(table: TableView) -> str:
    if table.phase is Phase.LOCKING and table.unproven:
        verb = "falta" if len(table.unproven) == 1 else "faltan"
        return f"CERRANDO {verb} {seat_list(table.unproven)}"
    return PHASES[table.phase]


def award_text(view: NodeView, award: AwardView) -> str:
    prize = PRIZES.get(award.prize, award.prize)
    return f"{award.award} · posición {award.seat} · {prize} · {amount_of(view, award)} · {award_state(view, award)}"


def amount_of(view: NodeView, award: AwardView) -> str:
    """R-20: of a percentage that waits for the owner of its pot nobody knows it yet."""
    return "por decidir" if award.waits else money_at(view, award.table)(award.amount)


def award_state(view: NodeView, award: AwardView) -> str:
    """R-21, R-29: what is to be done with it; a complementary prize is paid when its pass is over."""
    late, had = "VENCIDO: " if award.overdue else "", advanced_of(award.advanced, money_at(view, award.table))
    if award.waits or award.frozen:
        stop, doubt = "NO PAGUE: " if award.frozen else "", " (NO LO CREE)" if award.doubted else ""
        return f"{late}{stop}espera a {owner_of(view, award)}{doubt}{had}"
    if is_away(award.table):
        return f"{late}paga {neighbour_of(award.table)}"
    pay = "pagar al terminar" if awaits_close(view, award) else "pagar"
    what = f"{pay}{' en créditos' if award.promo else ''}" if award.confirmed else "verificar"
    return f"{late}{what}{' · sin cartas' if award.no_cards else ''}{' · lo paga la casa' if award.left else ''}{had}"


def awaits_close(view: NodeView, award: AwardView) -> bool:
    """R-29: a complementary prize (their claims are numbered p1, p2, ...) of a pass that is not closed yet."""
    of_pass, _, prize = award.award.rpartition("/")[0].rpartition("/")
    sealed = {f"{table.table}/{table.number}" for table in view.tables if table.phase is Phase.SEALED}
    return prize.startswith("p") and of_pass in sealed
