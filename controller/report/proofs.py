"""How a report proves itself: sums that must be equal because money is always somewhere.

Theory. Each proof compares two figures that were added up in different ways: what facts say of themselves, and what
they moved between accounts. A proof that does not hold is printed like one that does, and says so.
"""

from collections.abc import Iterable, Iterator, Mapping

from controller.report.figures import Figure
from controller.report.value import Account, Equation


def equation(name: str, label: str, left: int, right: int) -> Equation:
    return Equation(name, label, left, right, left == right)


def proofs(
    figures: Iterable[Figure], accounts: Iterable[Account], balances: Mapping[str, int] | None
) -> tuple[Equation, ...]:
    """All proofs of a report; `balances` are the ledger's own, where the report reaches to its end."""
    totals = {figure.key: figure.amount for figure in figures if figure.level == "total" and not figure.detail}
    books = tuple(accounts)
    return (*_of_accounts(books), *_of_play(totals, books), *_of_awards(totals, books), *_of_ledger(books, balances))


def _of_accounts(accounts: tuple[Account, ...]) -> Iterator[Equation]:
    opening, closing = sum(one.opening for one in accounts), sum(one.closing for one in accounts)
    moved = sum(one.rises - one.falls for one in accounts)
    wrong = sum(one.opening + one.rises - one.falls != one.closing for one in accounts)
    yield equation("opening_zero", "Los saldos iniciales suman cero", opening, 0)
    yield equation("movements_zero", "Los movimientos suman cero", moved, 0)
    yield equation("closing_zero", "Los saldos finales suman cero", closing, 0)
    yield equation("each_account", "Cuentas en que inicial + movimientos no es el final", wrong, 0)


def _of_play(totals: Mapping[str, int], accounts: tuple[Account, ...]) -> Iterator[Equation]:
    split = totals["split.commission"] + totals["split.pots"]
    yield equation("wagered", "Apostado = comisión + pozos (R-22)", totals["play.wagered"], split)
    undone = totals["split.commission_undone"] + totals["split.pots_undone"] + totals["house.void"]
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
    yield equation("held", "Pendiente = lo retenido (R-20)", pending, held)
    yield equation("paid", "Pagado = lo que movió su cuenta", totals["awards.paid"], _moved(accounts, "paid:"))


def _of_ledger(accounts: tuple[Account, ...], balances: Mapping[str, int] | None) -> Iterator[Equation]:
    if balances is not None:
        closing = {one.account: one.closing for one in accounts}
        wrong = sum(closing.get(account, 0) != amount for account, amount in balances.items())
        yield equation("ledger", "Cuentas cuyo saldo en el libro es otro", wrong, 0)


def _moved(accounts: tuple[Account, ...], prefix: str) -> int:
    return sum(one.rises - one.falls for one in accounts if one.account.startswith(prefix))
