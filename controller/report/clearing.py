"""What two nodes that share a pot owe each other for a month, so that both say the same to the peso (R-28).

Theory. What each letter brings both ends know alike (clearing_letters.py), and where a month begins and ends too
(clearing_links.py): so both make the same body of it. Corrections, voids and what belongs to earlier months count where
they were told. Each end proves that all letters together are what its ledger has between both; the member also that it
stood so when the month ended.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator

from controller.core.values import Side
from controller.record.fold import NO_CURRENCY
from controller.record.reading import ReportRefused, entries, not_there, witness
from controller.record.record import Record
from controller.report.clearing_letters import LINES
from controller.report.clearing_links import BEGINNING, START, DayEnd, LetterAt, LetterReader, Link
from controller.report.clearing_value import FORMAT, Beside, Body, Clearing, Statement, StatementLine

_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_OF_A_MONTH = 7  # so much of a day's name is its month


def clearing(record: Record, month: str, pot: str = "", neighbour: str = "") -> Clearing:
    """The statements of a month, of every pot and neighbour or of those that are asked for."""
    if not _MONTH.fullmatch(month):
        raise ReportRefused(f"Un mes se escribe AAAA-MM, no {month}.")
    reader = LetterReader(record.node)
    for entry in entries(record):
        reader.follow(entry)
    shared = [link for link in reader.links.values() if link.is_shared]
    if not shared:
        raise ReportRefused("Este registro no comparte ningún pozo con otro nodo.")
    for what, name, known in (("un pozo", pot, 0), ("un vecino", neighbour, 1)):
        names = list(dict.fromkeys((link.pot, link.other)[known] for link in shared))
        if name and name not in names:
            raise not_there(what, name, names)
    asked = sorted(
        (link for link in shared if pot in ("", link.pot) and neighbour in ("", link.other)),
        key=lambda link: (link.pot, link.other),
    )
    found = tuple(one for link in asked for one in _statements(reader, link, month))
    if not found:
        days = {one.day[:_OF_A_MONTH] for link in asked for one in link.ended}
        raise not_there("jornadas cerradas del mes", month, sorted(days))
    return Clearing(
        record.node, record.epoch, reader.key, month, reader.last, reader.at, witness(record, reader.last), found
    )  # fmt: skip


def _statements(reader: LetterReader, link: Link, month: str) -> Iterator[Statement]:
    """That of this link, where a day of the month was closed."""
    of_month = [at for at, one in enumerate(link.ended) if one.day[:_OF_A_MONTH] == month]
    if not of_month:
        return
    since = link.ended[of_month[0] - 1] if of_month[0] else BEGINNING
    until = link.ended[of_month[-1]]
    body = _body(reader, link, month, tuple(link.ended[at].day for at in of_month), (since, until))
    up = (link.member, f"to:{link.owner}")
    knows = reader.has.get((link.owner, up[1]), START).number if link.is_above else body.until_up.number
    later = [one for one in link.up if one.at > until.up] + [one for one in link.log if one.at > until.log]
    told = body.closing + _moved(later)
    yield Statement(
        body,
        Beside(
            side=Side.BELOW if link.is_above else Side.ABOVE,
            over=link.ended[-1].day[:_OF_A_MONTH] > month or _is_last_of_month(until.day),
            unknown=max(0, body.until_up.number - knows),
            later=sum(bool(one.said.lines) for one in later),
            later_amount=told - body.closing,
            disputed=len(link.disputed),
            disputed_amount=sum(link.disputed.values()),
            book=link.book,
            told=told,
            book_then=until.book if link.is_above else None,
        ),
        reader.currencies.get(link.pot, NO_CURRENCY),
    )


def _body(reader: LetterReader, link: Link, month: str, days: tuple[str, ...], between: tuple[DayEnd, DayEnd]) -> Body:
    since, until = between
    up, log = (link.member, f"to:{link.owner}"), (link.owner, f"pot:{link.pot}")
    within = _within(link, since, until)
    opening = _moved(_within(link, BEGINNING, since))
    before = _within(link, BEGINNING, until)
    return Body(
        FORMAT, link.pot, link.owner, link.member, month, days,
        reader.mark_at(up, since.up), reader.mark_at(log, since.log),
        reader.mark_at(up, until.up), reader.mark_at(log, until.log),
        opening, _lines_of(within), opening + _moved(within), _advanced(before), tuple(sorted(_waiting(before))),
    )  # fmt: skip


def _within(link: Link, since: DayEnd, until: DayEnd) -> list[LetterAt]:
    """The letters between two days, those upwards first."""
    up = [one for one in link.up if since.up < one.at <= until.up]
    return up + [one for one in link.log if since.log < one.at <= until.log]


def _moved(places: Iterable[LetterAt]) -> int:
    return sum(amount for one in places for key, amount in one.said.lines if LINES[key].moves)


def _waiting(places: Iterable[LetterAt]) -> set[str]:
    """R-20, R-34: for the owner; for one who was left nothing does."""
    told = list(places)
    asked = {name for one in told for name in one.said.asks}
    return set() if any(one.said.left for one in told) else asked - {n for one in told for n in one.said.answers}


def _advanced(places: Iterable[LetterAt]) -> int:
    """R-20: given, less what came back."""
    return sum(amount for one in places for key, amount in one.said.lines if key.startswith("advances."))


def _lines_of(places: Iterable[LetterAt]) -> dict[str, StatementLine]:
    lines: dict[str, StatementLine] = {}
    for one in places:
        for key, amount in one.said.lines:
            so_far = lines.get(key, StatementLine(0, 0, one.number, 0))
            lines[key] = StatementLine(so_far.amount + amount, so_far.letters + 1, so_far.first, one.number)
    return {key: lines[key] for key in LINES if key in lines}


def _is_last_of_month(day: str) -> bool:
    year, month, date = map(int, day.split("-"))
    return monthrange(year, month)[1] == date
