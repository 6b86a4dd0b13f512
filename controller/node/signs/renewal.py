"""When a sign that can say nothing is written anew, because it may have lost its memory (R-31).

Theory. An Alpha sign on a one-way line was perhaps unplugged, and nobody can ask it. All of it written anew heals it,
and darkens it for about a second. So that is done between two passes: where none is under way once a minute and a half,
else when a pass of its tables begins or ends; but no prize is darkened, and five minutes are the limit for both. A sign
that can be read is asked by its driver instead, and a panel or a text sign gets its text again by itself without going
dark.
"""

from collections.abc import Iterable

from controller.core.values import Phase
from controller.core.view import TableView
from controller.node.vocabulary.places import SignPlace
from drivers.session import SECOND, Micros
from drivers.signs.alpha_layout import AlphaSettings

DUE: Micros = 90 * SECOND
LATEST: Micros = 300 * SECOND


class Renewal:
    def __init__(self, place: SignPlace) -> None:
        self._table = place.table
        self._needed = isinstance(place.made, AlphaSettings) and not place.made.reads
        self._last: Micros | None = None
        self._passes: set[tuple[str, int, bool]] = set()

    def done(self, now: Micros) -> None:
        self._last = now

    def is_due(self, tables: Iterable[TableView], prize: str, now: Micros) -> bool:
        """Asked at every look. `tables`: of the node; a sign of one table waits for that one alone."""
        before, self._passes = self._passes, {
            (table.table, table.number, table.phase is Phase.BETWEEN)
            for table in tables
            if self._table in {"", table.table}
        }  # fmt: skip
        if self._last is None:
            self._last = now  # its driver has just written it
        waited = now - self._last
        if not self._needed or waited < DUE:
            return False
        between = all(rests for _, _, rests in self._passes) or self._passes != before
        return waited >= LATEST or (between and not prize)
