"""The state of a node as plain lines, for a terminal without a screen and for scripts that a person reads. Pure."""

from collections.abc import Iterator

from controller.core.values import Phase
from controller.core.view import AwardView, TableView
from controller.ctl.words import PHASES, PRIZES, cards_drawn, hour, money_at, seats_told, sign_of
from controller.node.vocabulary.protocol import Health, NodeView


def state_told(view: NodeView, table: str = "") -> Iterator[str]:
    """Everything, or one table."""
    stopping = " · DETENIÉNDOSE" if view.stopping else ""
    yield f"{view.node} · {hour(view.at)} · jornada {view.day or 'cerrada'} · hecho {view.seq}{stopping}"
    for one in view.tables:
        if table in {"", one.table}:
            yield from _table_told(view, one)
    awards = [award for pot in view.pots for award in pot.awards if table in {"", award.table}]
    for award in awards:
        yield f"premio {award_told(view, award)}"
    for alarm in view.alarms:
        yield f"alarma: {alarm.sentence}"
    for unit in view.units:
        if unit.health is not Health.UP and table in {"", unit.table}:
            yield f"aparato {unit.line}/{unit.number} (mesa {unit.table}): {unit.why or 'arrancando'}"


def _table_told(view: NodeView, table: TableView) -> Iterator[str]:
    sign, money = sign_of(view, table.table), money_at(view, table.table)
    pot = f" · {sign.title} {money(sign.main)}" if sign else ""
    yield f"mesa {table.table}: {phase_told(table)} · pase {table.number}{pot}{' · ENTRENAMIENTO' * table.training}"
    if table.cards:
        yield f"  carta sorteada: {cards_drawn(table.cards)}"
    for seat in table.seats:
        told = [f"apuesta {money(seat.bet)}"] if seat.bet else []
        told += [f"créditos {seat.credits}"] if seat.credits else []
        told += [f"promoción {seat.promo}"] if seat.promo else []
        told += [f"devolver {money(seat.owed)}"] if seat.owed else []
        told += [f"CERRADA ({seat.closed})"] if seat.closed else []
        if told:
            yield f"  posición {seat.seat}: {', '.join(told)}"


def phase_told(table: TableView) -> str:
    if table.phase is Phase.LOCKING and table.unproven:
        verb = "falta" if len(table.unproven) == 1 else "faltan"
        return f"CERRANDO {verb} {seats_told(table.unproven)}"
    return PHASES[table.phase]


def award_told(view: NodeView, award: AwardView) -> str:
    prize = PRIZES.get(award.prize, award.prize)
    amount = money_at(view, award.table)(award.amount)
    return f"{award.award} · posición {award.seat} · {prize} · {amount} · {award_state(award)}"


def award_state(award: AwardView) -> str:
    """R-21: what is to be done with it."""
    if award.confirmed:
        return "pagar"
    return "VENCIDO: verificar" if award.overdue else "verificar"
