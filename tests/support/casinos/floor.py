"""Who is there: the nodes, which tables stand where and which pot each feeds; and what their files say.

Three casinos share the pot `comun`; each has a pot of its own besides. `alfa` and `beta` have two floor boxes each,
`gama` has its tables at its node. The common pot is owned by `norte`, which has no table, or by the casino `alfa`
itself. Casinos have tables of one name: which of them is meant is told by the way to it alone (R-9).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

COMMON, OWNER = "comun", "norte"
CASINOS = ("alfa", "beta", "gama")
BOXES = {"a1": "alfa", "a2": "alfa", "b1": "beta", "b2": "beta"}
SEATS = 6
_PLAN = """
name = "{pot}"
title = "Pozo {pot}"
ruleset = "scj-2023"
resolution = "Res. Ex. N° 310/2026"
{registration}
commission_ppm = 183_333

[allocation]
main_ppm = 900_000
[[allocation.reserves]]
name = "reserva"
ppm = 100_000

[pot]
base = {base}

[bets]
credit_value = 1000
min_bet = 1000
max_bet = 5000

[awards]
two_persons_above = 250000

[links]
max_offline_minutes = 1
"""
_TABLE = """
[[tables]]
name = "{table}"
casino = "{casino}"
{node}
modality = "draw"
min_bet = 1000
max_bet = 5000
"""
_NODE = """
name = "{name}"
folder = "folder"
control = "control"
[patience]
silent_ms = 12000
"""
_LINES = """
[[line]]
name = "{table}"
kind = "rtu"
url = "{ports}/mesa"
baud = 115200
latency_ms = 4
[[table]]
name = "{table}"
[[table.unit]]
kind = "table"
line = "{table}"
number = 1
seat = 1
seats = {seats}
[[table.unit]]
kind = "console"
line = "{table}"
number = 20
"""
_DESK = """
name = "{table}"
[[line]]
name = "mesa"
kind = "rtu"
baud = 115200
[[line.unit]]
kind = "table"
unit = 1
seat = 1
seats = {seats}
serial = {serial}
[[line.unit]]
kind = "console"
unit = 20
serial = {console}
"""
_NEIGHBOUR = """
[[neighbour]]
name = "{name}"
side = "{side}"
{inside}
{address}
fingerprint = "{fingerprint}"
"""


@dataclass(frozen=True, slots=True)
class Link:
    """From the node below to the one above; `inside`: of one casino."""

    below: str
    above: str

    @property
    def inside(self) -> bool:
        return BOXES.get(self.below) == self.above

    @property
    def name(self) -> str:
        return f"{self.below}-{self.above}"


@dataclass(frozen=True, slots=True)
class Floor:
    """`owner` of the common pot; `tables`: of each node, by table the pot that it feeds."""

    owner: str
    tables: Mapping[str, Mapping[str, str]]

    @property
    def nodes(self) -> tuple[str, ...]:
        """Owners before who feeds them."""
        return (*dict.fromkeys((self.owner, *self.casinos)), *self.boxes)

    @property
    def casinos(self) -> tuple[str, ...]:
        return tuple(name for name in CASINOS if any(self.casino_of(node) == name for node in self.tables))

    @property
    def boxes(self) -> tuple[str, ...]:
        return tuple(box for box in BOXES if box in self.tables)

    @property
    def links(self) -> tuple[Link, ...]:
        between = [Link(casino, self.owner) for casino in self.casinos if casino != self.owner]
        return (*between, *(Link(box, BOXES[box]) for box in self.boxes))

    def casino_of(self, node: str) -> str:
        return BOXES.get(node, node)

    @property
    def pots(self) -> dict[str, str]:
        """Each with the node that owns it."""
        owned = {pot: pot.removeprefix("pozo-") for pots in self.tables.values() for pot in pots.values()}
        return {pot: self.owner if pot == COMMON else owner for pot, owner in owned.items()}

    def fed_by(self, pot: str) -> Iterator[tuple[str, str]]:
        """Node and table."""
        for node, tables in self.tables.items():
            yield from ((node, table) for table, feeds in tables.items() if feeds == pot)

    def way(self, node: str, owner: str) -> str:
        """As the owner of a pot sees it; empty: itself."""
        if node == owner:
            return ""
        casino = self.casino_of(node)
        return node if casino in {node, owner} else f"{node}@{casino}"

    def plan(self, pot: str) -> str:
        owner = self.pots[pot]
        tables = "".join(
            _TABLE.format(table=table, casino=self.casino_of(node), node=f'node = "{way}"' if way else "")
            for node, table in self.fed_by(pot)
            for way in (self.way(node, owner),)
        )
        registration = 'registration = "Registro N° 44"' if pot == COMMON else ""
        return (
            _PLAN.format(pot=pot, registration=registration, base=10_000_000 if pot == COMMON else 2_000_000) + tables
        )

    def pots_at(self, node: str) -> tuple[str, ...]:
        """Whose plan lies there: it owns the pot, or lies on the way from a table to it."""
        on_the_way = {
            pot
            for pot, owner in self.pots.items()
            for place, _ in self.fed_by(pot)
            if node in {owner, place} or (self.casino_of(place) == node and pot == COMMON)
        }
        return tuple(sorted(on_the_way))


def whole(owner: str) -> Floor:
    """3 casinos, 4 boxes, 12 tables."""
    return Floor(
        owner,
        {
            "a1": {"M1": COMMON, "M2": "pozo-alfa"},
            "a2": {"M3": COMMON, "M4": "pozo-alfa"},
            "b1": {"M1": COMMON, "M2": "pozo-beta"},
            "b2": {"M3": COMMON, "M4": "pozo-beta"},
            "alfa": {"M5": COMMON},
            "gama": {"M1": COMMON, "M2": COMMON, "M3": "pozo-gama"},
        },
    )


def small(owner: str) -> Floor:
    """2 casinos, 1 box, 4 tables: the shortest floor that has every kind of link."""
    return Floor(owner, {"a1": {"M1": COMMON, "M2": "pozo-alfa"}, "gama": {"M1": COMMON, "M3": "pozo-gama"}})


def settings(
    floor: Floor, node: str, place: Path, listen: str, addresses: Mapping[str, str], prints: Mapping[str, str]
) -> str:
    """`addresses`: where the one above is found from here; `prints`: of the keys of all nodes."""
    text = _NODE.format(name=node)
    text += "".join(f'[[plan]]\nfile = "{pot}.toml"\nsignless = true\n' for pot in floor.pots_at(node))
    below = [link for link in floor.links if link.above == node]
    text += f'[link]\nlisten = "{listen}"\n' if below else ""
    for link in floor.links:
        if node in {link.above, link.below}:
            other, side = (link.below, "below") if node == link.above else (link.above, "above")
            text += _NEIGHBOUR.format(
                name=other,
                side=side,
                inside="inside = true" if link.inside else "",
                address=f'address = "{addresses[other]}"' if side == "above" else "",
                fingerprint=prints[other],
            )
    for table in floor.tables.get(node, {}):
        text += _LINES.format(table=table, ports=place / table, seats=SEATS)
    return text


def desk(node: str, table: str) -> str:
    number = 100 * (1 + [*BOXES, *CASINOS].index(node)) + 10 * int(table[1:])
    return _DESK.format(table=table, seats=SEATS, serial=4_860_000 + number, console=4_860_000 + number + 1)
