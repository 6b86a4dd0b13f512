"""What is worth telling of the demo casino, from one view of the node to the next: sentences in Spanish.

Pure. It leaves out what no guest would turn his head for.
"""

from collections.abc import Iterator

from controller.core.values import Phase
from controller.core.view import AwardView
from controller.node.vocabulary.protocol import NodeView
from controller.rules.cards import CATEGORIES, HAND_NAMES
from drivers.signs.amount import AmountForm

_PESOS = AmountForm()


def money(amount: int) -> str:
    return _PESOS.text(amount)


def prize_words(award: AwardView) -> str:
    hand = HAND_NAMES[CATEGORIES[award.prize]] if award.prize in CATEGORIES else award.prize
    amount = "por decidir" if award.waits else money(award.amount)
    return f"{award.table} posición {award.seat}: {hand}, {amount}"


def news(old: NodeView | None, new: NodeView) -> Iterator[str]:
    if old is None:
        yield f"El nodo {new.node} está en marcha, con {new.seq} hechos en su registro."
        return
    if new.day != old.day:
        yield f"Se abre el día {new.day}." if new.day else f"Se cierra el día {old.day}; su semilla queda a la vista."
    yield from _passes(old, new)
    yield from _awards(old, new)
    yield from _seats(old, new)
    yield from _alarms(old, new)
    yield from link_news(old, new)


def link_news(old: NodeView | None, new: NodeView) -> Iterator[str]:
    """R-28: links that stand again (a broken one is an alarm); a pot that can be played from now on."""
    before = {one.neighbour: one.up for one in old.neighbours} if old is not None else {}
    for one in new.neighbours:
        if one.up and not before.get(one.neighbour, True):
            yield f"Enlace con {one.neighbour}: en pie."
    had = {pot.pot for pot in old.pots} if old is not None else {pot.pot for pot in new.pots}
    for pot in new.pots:
        if pot.pot not in had:
            yield f"Rige el plan del {pot.title}: {money(pot.main)}."


def _passes(old: NodeView, new: NodeView) -> Iterator[str]:
    before = {table.table: table for table in old.tables}
    for table in new.tables:
        was = before.get(table.table)
        if was is None or (was.phase, was.number) == (table.phase, table.number) or table.phase is not Phase.SEALED:
            continue
        bets = [seat.bet for seat in table.seats if seat.bet]
        word = "apuesta" if len(bets) == 1 else "apuestas"
        yield f"{table.table} pase {table.number}: {len(bets)} {word}, {money(sum(bets))}."


def _awards(old: NodeView, new: NodeView) -> Iterator[str]:
    before = {award.award: award for pot in old.pots for award in pot.awards}
    after = {award.award: award for pot in new.pots for award in pot.awards}
    for name, award in after.items():
        was = before.get(name)
        if was is None:
            yield f"PREMIO {prize_words(award)}, {'espera al dueño del pozo' if award.waits else 'por verificar'}."
        elif was.waits and not award.waits:
            yield f"Decidido: {prize_words(award)}, por verificar."
        elif award.confirmed and not was.confirmed:
            yield f"Verificado: {prize_words(award)}."
    for name, award in before.items():
        if name not in after:
            yield f"{'Pagado' if award.confirmed else 'Rechazado'}: {prize_words(award)}."


def _seats(old: NodeView, new: NodeView) -> Iterator[str]:
    before = {(table.table, seat.seat): seat.closed for table in old.tables for seat in table.seats}
    for table in new.tables:
        for seat in table.seats:
            was = before.get((table.table, seat.seat), "")
            if seat.closed and not was:
                yield f"{table.table} posición {seat.seat}: cerrada ({seat.closed})."
            elif was and not seat.closed:
                yield f"{table.table} posición {seat.seat}: juega otra vez."


def _alarms(old: NodeView, new: NodeView) -> Iterator[str]:
    """New alarms; those of seats are in the sentences about seats."""
    known = {alarm.sentence for alarm in old.alarms}
    for alarm in new.alarms:
        if alarm.sentence not in known and not (alarm.rule in {"R-4", "R-6"} and "/" in alarm.where):
            yield f"¡{alarm.sentence}"
