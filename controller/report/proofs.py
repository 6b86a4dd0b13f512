"""How a report proves itself: sums that must be equal because money is always somewhere.

Theory. Each proof compares two figures that were added up in different ways: what facts say of themselves, and what
they moved between accounts. A proof that does not hold is printed like one that does, and says so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from controller.report.figures import Figure
from controller.report.value import Account, Equation


def equation(name: str, label: str, left: int, right: int) -> Equation:
    return Equation(name, label, left, right, left == right)


def proofs(
    figures: Iterable[Figure], accounts: Iterable[Account], balances: Mapping[str, int] | None
) -> tuple[Equation, ...]:
    """All proofs of a report; `balances` are the ledger's own, where the report reaches to its end."""
    totals = Counter({one.key: one.amount for one in figures if one.level == "total" and not one.detail})
    books = tuple(accounts)
    return (
        *_of_accounts(books),
        *_of_play(totals, books),
        *_of_awards(totals, books),
        *_of_links(totals, books),
        *_of_ledger(books, balances),
    )


def _of_accounts(accounts: tuple[Account, ...]) -> Iterator[Equation]:
    opening, closing = sum(one.opening for one in accounts), sum(one.closing for one in accounts)
    moved = sum(one.rises - one.falls for one in accounts)
    wrong = sum(one.opening + one.rises - one.falls != one.closing for one in accounts)
    yield equation("opening_zero", "Los saldos iniciales suman cero", opening, 0)
    yield equation("movements_zero", "Los movimientos suman cero", moved, 0)
    yield equation("closing_zero", "Los saldos finales suman cero", closing, 0)
    yield equation("each_account", "Cuentas en que inicial + movimientos no es el final", wrong, 0)


def _of_play(totals: Mapping[str, int], accounts: tuple[Account, ...]) -> Iterator[Equation]:
    split = totals["split.commission"] + totals["split.pots"] + totals["split.commission_away"] + totals["split.above"]
    yield equation("wagered", "Apostado = comisión + pozos (R-22)", totals["play.wagered"], split)
    undone = totals["split.commission_undone"] + totals["split.pots_undone"] + totals["house.void"]
    undone += totals["split.commission_away_undone"] + totals["split.above_undone"] + totals["house.away_void"]
    yield equation("undone", "Anulado = comisión + pozos + casa (R-25)", totals["play.undone"], undone)
    commission = totals["split.commission"] - totals["split.commission_undone"]
    yield equation("commission", "Comisión = lo que movió su cuenta", commission, _moved(accounts, "commission:"))
    yield equation("cash", "Neto de caja = lo que movió su cuenta", totals["cash.net"], -_moved(accounts, "cash:"))
    yield equation(
        "house", "Puesto por la casa = lo que movió su cuenta", totals["house.total"], -_moved(accounts, "house:")
    )


def _of_awards(totals: Mapping[str, int], accounts: tuple[Account, ...]) -> Iterator[Equation]:
    before, registered = totals["awards.before"], totals["awards.registered"]
    gone = totals["awards.paid"] + totals["awards.rejected"]
    pending = totals["awards.pending"]
    yield equation(
        "awards", "Premios: inicial + registrado = pagado + rechazado + pendiente", before + registered, gone + pending
    )
    held = sum(one.closing for one in accounts if one.account.startswith("held:"))
    yield equation("held", "Pendiente = lo retenido (R-20)", pending - totals["awards.pending_away"], held)
    yield equation("paid", "Pagado = lo que movió su cuenta", _paid_here(totals), _moved(accounts, "paid:"))


def _paid_here(totals: Mapping[str, int]) -> int:
    """R-20, R-28: what a neighbour pays out stands in its book; an advance was handed out before."""
    advanced = totals["house.advanced"] + totals["house.advanced_back"]
    return totals["awards.paid"] - totals["awards.paid_away"] + advanced


def _of_links(totals: Mapping[str, int], accounts: tuple[Account, ...]) -> Iterator[Equation]:
    """R-28: what this node owes its neighbours more than before, and what stands apart."""
    if not any(one.account.startswith(("clearing:", "dispute:")) for one in accounts):
        return
    upwards = totals["split.above"] - totals["split.above_undone"] - totals["links.awards_above"]
    downwards = totals["links.awards_below"] - totals["links.bets_below"] - totals["house.away"]
    apart = totals["links.disputed"] - totals["links.dispute_left"]
    shares = totals["links.share_given"] - totals["links.share_heard"] - totals["links.left"]
    owed = upwards + totals["links.house_above"] + downwards - apart + shares
    yield equation(
        "clearing", "Compensación entre nodos = lo que movió su cuenta (R-28)", owed, _moved(accounts, "clearing:")
    )
    apart -= totals["links.dispute_taken"]
    yield equation("dispute", "En disputa = lo que movió su cuenta (R-28)", apart, _moved(accounts, "dispute:"))
    kept = totals["links.share_heard"] - totals["links.share_placed"]
    yield equation("share", "Partes recibidas = lo que movió su cuenta (R-28)", kept, _moved(accounts, "share:"))


def _of_ledger(accounts: tuple[Account, ...], balances: Mapping[str, int] | None) -> Iterator[Equation]:
    if balances is not None:
        closing = {one.account: one.closing for one in accounts}
        wrong = sum(closing.get(account, 0) != amount for account, amount in balances.items())
        yield equation("ledger", "Cuentas cuyo saldo en el libro es otro", wrong, 0)


def _moved(accounts: tuple[Account, ...], prefix: str) -> int:
    return sum(one.rises - one.falls for one in accounts if one.account.startswith(prefix))
