"""What comes of a fraud: the node says no, or it stands on the page of what is unusual."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from support.fraud.house import House


class Prevented(NamedTuple):
    """The node said no, by this name."""

    reason: str


class Seen(NamedTuple):
    """It was done, and stands on the page: as what, at which seat, by whom."""

    kind: str
    seat: int
    who: tuple[str, ...]


Found = Prevented | Seen
Story = Callable[[House], Iterator[Found]]
