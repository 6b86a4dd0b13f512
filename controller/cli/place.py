"""Where a record is, as it is typed, and where this machine is: what every command that reads one needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from pathlib import Path

import click

from controller.node.store.store import Reader
from controller.record.export import Exported
from controller.record.record import Record

RECORD = "node.db"  # of a node's folder
PLACE = click.argument("place", metavar="RECORD")


def record_in(place: Path) -> Path:
    """Where a node's folder is typed, its record is meant."""
    return place / RECORD if place.is_dir() else place


@contextmanager
def record_at(place: str) -> Iterator[Record]:
    """A record to read: a store, live or copied, by its path, its node's folder or its PostgreSQL address; or an
    exported file."""
    path = Path(place)
    if record_in(path).is_file():
        path = record_in(path)
        place = str(path)
    if path.is_file():
        with path.open("rb") as file:
            begins = file.read(1)
        if begins == b"{":
            yield Exported(path)
            return
    with Reader.open(place if "://" in place else path) as reader, reader.moment():
        yield reader  # one state of it, also while its node runs


def zone_here() -> tzinfo:
    """Where this machine is."""
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None, "a local time has a zone"
    return zone
