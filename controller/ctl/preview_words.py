"""What an act would do, in Spanish, for the person who is about to confirm it (R-13 to R-20, R-34).

Theory. Every figure is the node's; nothing is added, multiplied or divided here. A line for each award in its paying
order, with how its amount comes about and its rules; then who is paid nothing, what falls away, what goes back, what
stays as it is, and whether a second person must sign. Pure.
"""

from collections.abc import Iterator

from msgspec import to_builtins

from controller.core.view import AwardPreview, Preview, Reckoning
from controller.ctl.hands import PRIZES
from controller.ctl.words import Money, money_at, unpaid_lines
from controller.node.vocabulary.protocol import NodeView


def preview_lines(preview: Preview, view: NodeView) -> list[str]:
    money = money_at(view, preview.table, preview.pot)
    of_pass = f", pase {preview.number}" if preview.number else ""
    where = f"Mesa {preview.table}{of_pass}: " if preview.table else ""
    lines = [f"{where}esto se haría; todavía no se hizo nada."]
    for at, award in enumerate(preview.awards, 1):
        lines += [f"  {at}. {_award(award, money)}", *_reckoning(award.reckoning, money)]
    lines += unpaid_lines({"awards": preview.awards, "unpaid": to_builtins(preview.unpaid)})
    lines += _what_falls_away(preview, money)
    for one in preview.untouched:
        lines.append(f"  {one.prize}, posición {one.seat}, {money(one.amount)}: queda como está")
    for seat in preview.seats if not preview.awards else ():
        lines.append(f"  posición {seat.seat}: quedaría con {seat.credits} créditos")
    if preview.before is not None and preview.after is not None and preview.before != preview.after:
        lines.append(f"  El pozo pasaría de {money(preview.before.main)} a {money(preview.after.main)}.")
    return [*lines, "Esto lo firman dos personas."] if preview.two else lines


def _award(award: AwardPreview, money: Money) -> str:
    amount = "espera al dueño del pozo, que dice cuánto" if award.waits else money(award.amount)
    handed = f"; se le entregan {money(award.handed)}" if award.handed else ""
    rules = f" ({', '.join(award.rules)})" if award.rules else ""
    house = f"; {money(award.house)} los pone la casa" if award.house else ""
    return f"posición {award.seat}: {PRIZES.get(award.prize, award.prize)}, {amount}{handed}{house}{rules}"


def _reckoning(made: Reckoning | None, money: Money) -> Iterator[str]:
    if made is None:
        return
    yield f"     paga {made.pays}; apostó {money(made.bet)}"
    if made.total:
        among = f", entre {made.among} ganadores" if made.among > 1 else ""
        cap = f", con tope de {money(made.cap)}" if made.cap else ""
        yield f"     de {money(made.of)} son {money(made.total)}{among}{cap}"


def _what_falls_away(preview: Preview, money: Money) -> Iterator[str]:
    """R-25, R-34: what is cancelled, lost, settled again, given back."""
    for name in preview.cancelled:
        yield f"  premio {name}: se anula, no se paga"
    for loss in preview.lost:
        word = "los pierde la casa" if loss.amount > 0 else "los recupera la casa"
        yield f"  premio {loss.award}: {money(abs(loss.amount))} {word}"
    for again in preview.resettled:
        for award in again.awards:
            prize = PRIZES.get(award.prize, award.prize)
            yield f"  jugada {again.claim}, posición {award.seat}: {prize}, {money(award.amount)} más"
    for refund in preview.refunds:
        yield f"  posición {refund.seat}: vuelven {money(refund.total)} de su apuesta"
