"""Views and signs for the tests of the signboard, and real drivers behind what it wishes."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.core.values import Phase
from controller.core.view import AwardView, SeatView, SignView, TableView, View
from controller.node.devices.hardware import tell
from controller.node.signs.signboard import Signboard
from controller.node.vocabulary.commands import EndPrize, ShowAmount, ShowPrize, Wish
from controller.node.vocabulary.places import LineKind, LinePlace, Node, SignPlace, UnitKey
from drivers.model import SignSeen, SignState
from drivers.session import Micros
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.panel import Panel, PanelSettings
from drivers.signs.text_sign import TextSign, TextSignSettings

Made = AlphaSettings | PanelSettings | TextSignSettings
Sign = AlphaSign | Panel | TextSign

PAYTABLE = {
    "color": "50 x", "full": "100 x", "poker": "500 x", "escalera_color": "10 %, máx. 5.000 veces", "escalera_real": "100 %",
}  # fmt: skip


def place(made: Made, line: str = "letrero", pot: str = "pozo", table: str = "") -> SignPlace:
    return SignPlace(key=UnitKey(line, 1), pot=pot, made=made, table=table)


def node(*signs: SignPlace) -> Node:
    lines = [LinePlace(name=sign.key.line, kind=LineKind.ALPHA, url="/dev/null") for sign in signs]
    here = Path("var")
    return Node(
        name="nodo", file=here / "node.toml", folder=here, control=here, lines=tuple(lines),
        tables=(), units=(), signs=signs, plans=(),
    )  # fmt: skip


def pot(main: int, added: int = 0, awards: Iterable[AwardView] = (), **other: Any) -> SignView:
    given: dict[str, Any] = {
        "title": "Pozo",
        "symbol": "$",
        "decimals": 0,
        "least": 1000,
        "most": 5000,
        "paytable": PAYTABLE,
    }
    return SignView(**{
        "pot": "pozo", "main": main, "added": added, "awards": tuple(awards), "training": False, **given, **other,
    })  # fmt: skip


def award(
    name: str = "DP-01/7/1/1",
    seat: int = 3,
    prize: str = "full",
    amount: int = 100_000,
    *,
    confirmed: bool = True,
    table: str = "DP-01",
    casino: str = "",
) -> AwardView:
    return AwardView(name, table, seat, prize, amount, confirmed, overdue=False, casino=casino)


def view(*pots: SignView, tables: Iterable[TableView] = ()) -> View:
    return View(tuple(tables), pots, ())


def table(phase: Phase = Phase.OPEN, seats: Iterable[SeatView] = (), name: str = "DP-01") -> TableView:
    return TableView(name, phase, 1, tuple(seats), (), {}, training=False)


def driver_of(made: Made) -> Sign:
    match made:
        case AlphaSettings():
            return AlphaSign(made)
        case PanelSettings():
            return Panel(made)
        case TextSignSettings():
            return TextSign(made)


class Wall:
    """What stands on one sign: its driver takes every wish, and none may be refused."""

    def __init__(self, made: Made) -> None:
        self.driver = driver_of(made)
        self.amount: str | None = None
        self.second, self.prize = "", ""
        self.wished: list[Wish] = []

    def take(self, wishes: Sequence[Wish]) -> Sequence[Wish]:
        for wish in wishes:
            self.wished.append(wish)
            assert tell(self.driver, wish.command) is None, wish
            match wish.command:
                case ShowAmount(amount, increment):
                    self.amount, self.second = amount, increment
                case ShowPrize(text):
                    self.prize = text
                case EndPrize():
                    self.prize = ""
        return wishes


def play(
    board: Signboard,
    wall: Wall,
    seen: View | None,
    now: Micros,
    until: Micros,
    heard: Mapping[str, Micros] = {},
) -> list[tuple[Micros, str | None, str, str]]:
    """Everything the board wants to say until then, at the times it asked for."""
    shown = []
    while True:
        wall.take(board.wishes(seen, now, heard))
        shown.append((now, wall.amount, wall.second, wall.prize))
        after = board.deadline()
        assert after is None or after > now, "a deadline that has passed would spin"
        if after is None or after > until:
            return shown
        now = after


def told(state: SignState, showing: str = "", number: int = 1) -> SignSeen:
    return SignSeen(unit=number, state=state, showing=showing)


DOWN, WRITTEN, PROVEN, DIFFERS = SignState.DOWN, SignState.WRITTEN, SignState.PROVEN, SignState.DIFFERS
