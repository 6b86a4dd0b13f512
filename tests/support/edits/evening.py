"""The record that is edited: an evening with claims, corrections, voids, prizes and two days, signed where it must be, and
some presses after the last signature."""

from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.store.rows import Batch
from controller.node.store.store import Store
from controller.record.record import PositionRow
from support.record.verify_history import Floor, day_without_seed, first_day

_TAIL, _OLDER = "GO-01", "older-"
_BOOT = "2f1c0d3e-0000-4000-8000-000000000000"


def played(folder: Path) -> Path:
    """Closed as a power cut leaves it: nobody stopped it."""
    floor = Floor(folder)
    floor.book.start(_BOOT, floor.now)
    first_day(floor)
    floor.book.checkpoint()
    day_without_seed(floor)
    floor.book.checkpoint()
    floor.open_day()
    assert isinstance(floor.path, Path)
    for number in range(8):
        floor.simple_pass(floor.chance.choice(("DP-01", "CP-01", "GO-01", "TX-01")))
        floor.book.store.backup(floor.path.with_name(f"{_OLDER}{number}.db"))
    floor.must(ask.RestoreNode(2, "prueba de respaldo", Signature("franco"), Signature("ana")))
    floor.simple_pass("DP-01")
    floor.book.checkpoint()
    _unsigned(floor)
    floor.book.close()
    with Store.open(floor.path) as store:
        row = next(store.facts(400))
        acknowledged = PositionRow("vecino", "out", 1, row.seq, row.hash)
        store.commit(Batch(heard=[acknowledged, PositionRow("lejano", "in", 1, 9, bytes(32))]))
    return floor.path


def older_copies(record: Path) -> list[Path]:
    """What was kept of it meanwhile."""
    return sorted(record.parent.glob(f"{_OLDER}*.db"))


def _unsigned(floor: Floor) -> None:
    """Presses of a pass that is not sealed yet: nothing of it asks for a signature."""
    floor.must(ask.OpenPass(_TAIL, Signature("eva")))
    for seat in (1, 2, 3, 4, 5, 6):
        floor.bet(_TAIL, seat, seat)
        floor.commit()
    for seat in (2, 4, 6):
        floor.bet(_TAIL, seat, 1)
        floor.commit()
