"""What the node wants of its devices, as typed commands: made in the engine's thread, obeyed in the rack's.

Theory. A command is desired state, or an order that may be repeated (drivers compare and set): a command that is lost,
late or doubled does no harm, and the floor and the signboard may give the same one again after anything went down.
`devices/hardware.py` is the one place that matches them and calls the drivers.
"""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from controller.node.vocabulary.places import UnitKey
from drivers.model import DeviceKey


class LockUnit(Struct, frozen=True):
    """R-5: take no bets."""


class UnlockUnit(Struct, frozen=True):
    round: int


class Acknowledge(Struct, frozen=True):
    """devices.md 2.1.3: everything up to this event is in the books."""

    device: DeviceKey
    seq: int


class LoadCredits(Struct, frozen=True):
    """devices.md 2.1.4: from the total that was read to the total that is wanted."""

    seat: int
    expected: int
    target: int


class CashCredits(Struct, frozen=True):
    seat: int
    expected: int
    target: int


class VoidBet(Struct, frozen=True):
    seat: int
    bet_seq: int
    reason: int


class EnableSeat(Struct, frozen=True):
    seat: int


class DisableSeat(Struct, frozen=True):
    seat: int


class Relight(Struct, frozen=True):
    """devices.md 2.6: a bet that stood when the power went, and that the books still have."""

    seat: int


class BeginLampTest(Struct, frozen=True):
    pass


class EndLampTest(Struct, frozen=True):
    pass


class ClearSeatFaults(Struct, frozen=True):
    seat: int


class Reconcile(Struct, frozen=True):
    """devices.md 2.6: the books have adopted this memory."""

    device: DeviceKey


class TakeAnew(Struct, frozen=True):
    """R-37: its memory went back, and persons have counted what it forgot."""


class HandOver(Struct, frozen=True):
    """R-26: the bets of a hand that is over may go; a new configuration waits."""


class ShowCount(Struct, frozen=True):
    """On a table credit counter."""

    value: int


class ShowAmount(Struct, frozen=True):
    """On a sign, with what may stand beside it."""

    amount: str
    increment: str


class ShowPrize(Struct, frozen=True):
    text: str


class EndPrize(Struct, frozen=True):
    pass


class RenewSign(Struct, frozen=True):
    """Everything that it shows anew: it may have lost its memory."""


SettledCommand = LoadCredits | CashCredits | VoidBet | Relight | EnableSeat | DisableSeat
"""Of one seat; its driver says what came of it (drivers.model.Settled)."""
UnitCommand = (
    SettledCommand | LockUnit | UnlockUnit | Acknowledge | BeginLampTest | EndLampTest | ClearSeatFaults | Reconcile
    | TakeAnew | HandOver | ShowCount
)  # fmt: skip
SignCommand = ShowAmount | ShowPrize | EndPrize | RenewSign
Command = UnitCommand | SignCommand


class Wish(NamedTuple):
    """A command for one device."""

    unit: UnitKey
    command: Command


class Note(NamedTuple):
    """A line for the log, of the floor or the signboard, which have no journal: a fixed name and its fields."""

    event: str
    fields: Mapping[str, object]
