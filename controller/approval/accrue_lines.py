"""`pozo accrue`: amounts a line, and what each contributes to commission, reserves and main pot (R-22, R-23).

Theory. The carries start at 0 on every line, so a line is a proof that stands alone. The answer is written
row by row, because a line may hold a whole evening of bets.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.approval.lines import LineError, LineId, Name, read_line, refuse_names_taken
from controller.rules.accrual import Shares, contribute, no_carries
from controller.rules.money import MOST_MONEY, PPM, Money, Ppm
from controller.rules.pot import MOST_RESERVES

Millionths = Annotated[int, Meta(ge=0, le=PPM)]
SignedAmount = Annotated[int, Meta(ge=-MOST_MONEY, le=MOST_MONEY)]


class AccrueLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    id: LineId
    commission_ppm: Millionths
    amounts: list[SignedAmount]
    reserves_ppm: Annotated[dict[Name, int], Meta(max_length=MOST_RESERVES)] = {}


_RULES = {"id": "R-27", "commission_ppm": "R-22", "reserves_ppm": "R-22", "amounts": "R-1"}
_DECODER = msgspec.json.Decoder(AccrueLine)
_ROWS_AT_ONCE = 1_024


def answer(line: bytes) -> Iterable[bytes]:
    """One row of contributions for each amount of the line."""
    asked = read_line(line, _DECODER, _RULES)
    _refuse_shares(asked.reserves_ppm)
    shares = Shares(Ppm(asked.commission_ppm), tuple([Ppm(ppm) for ppm in asked.reserves_ppm.values()]))
    return _rows(asked, shares)


def _refuse_shares(reserves_ppm: dict[str, int]) -> None:
    """R-22, R-24: reserves with names of their own, which together take at most the whole."""
    names = list(reserves_ppm)
    refuse_names_taken(names, [f"reserves_ppm.{name}" for name in names])
    for name, ppm in reserves_ppm.items():
        if not 0 <= ppm <= PPM:
            raise LineError("out_of_range", f"El valor debe ser de 0 a {PPM}.", "R-22", f"reserves_ppm.{name}")
    total = sum(reserves_ppm.values())
    if total > PPM:
        message = f"Las reservas suman {total} millonésimas; juntas no pueden pasar de {PPM}."
        raise LineError("shares_over_the_whole", message, "R-22", "reserves_ppm")


@lru_cache(maxsize=256)
def _row(names: tuple[str, ...]) -> bytes:
    """The form of one row, ready for its numbers."""
    keys = [msgspec.json.encode(name).replace(b"%", b"%%") for name in ("commission", *names, "main")]
    return b"{" + b",".join(key + b":%d" for key in keys) + b"}"


def _rows(asked: AccrueLine, shares: Shares) -> Iterator[bytes]:
    row = _row(tuple(asked.reserves_ppm))
    yield b'{"id":' + msgspec.json.encode(asked.id) + b',"contributions":['
    carries = no_carries(shares)
    batch: list[bytes] = []
    separator = b""
    for amount in asked.amounts:
        parts, carries = contribute(shares, carries, Money(amount))
        batch.append(row % (parts.commission, *parts.reserves, parts.main))
        if len(batch) == _ROWS_AT_ONCE:
            yield separator + b",".join(batch)
            batch.clear()
            separator = b","
    yield (separator + b",".join(batch) if batch else b"") + b"]}\n"
