"""What facts are made of: bounds of numbers, a seat's device, a move of a pot, an award, a pot's meters.

Theory: see verify_facts.
"""

from typing import Annotated

from msgspec import Meta, Struct

MOST = 4 * 10**15

Signed = Annotated[int, Meta(ge=-MOST, le=MOST)]
Amount = Annotated[int, Meta(ge=0, le=MOST)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Instant = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Position = Annotated[int, Meta(ge=1, le=64)]
Name = Annotated[str, Meta(max_length=200)]
Parts = dict[Name, Signed]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands inside a fact, with all its fields."""


class _Spare(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands inside a fact, without the fields that hold their default."""


class Device(_Part, frozen=True):
    serial: Count
    epoch: Count
    seq: Count
    bets: Count = 0
    voided: Count = 0
    chips: Count = 0
    late: Count = 0
    worth: Count = 1


class Flow(_Part, frozen=True):
    parts: Parts = {}
    house: Signed = 0
    commission: Signed = 0


class Refund(_Spare, frozen=True):
    seat: Position
    cash: Amount = 0
    promo: Amount = 0
    chips: Amount = 0

    @property
    def total(self) -> int:
        return self.cash + self.promo + self.chips


class SealedBet(_Spare, frozen=True):
    seat: Position
    amount: Amount
    commission: Amount
    main: Signed
    reserves: tuple[Amount, ...] = ()
    overflow: Amount = 0
    promo: Amount = 0
    chips: Amount = 0


class Hand(_Spare, frozen=True):
    seat: Count
    acts: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    claimed: str = ""


class Granted(_Spare, frozen=True):
    number: Count
    seat: Position
    prize: str
    amount: Amount
    parts: Parts = {}
    house: Signed = 0
    rules: tuple[str, ...] = ()


class Unpaid(_Part, frozen=True):
    seat: Count
    reason: str


class Levels(_Part, frozen=True):
    main: Amount
    base: Amount
    reserves: dict[Name, Amount] = {}


class Hit(_Part, frozen=True):
    at: Instant
    award: str
    prize: str
    amount: Amount


class Meters(_Spare, frozen=True):
    wagered: Count = 0
    undone: Count = 0
    commission: int = 0
    into_main: int = 0
    into_reserves: int = 0
    overflow: int = 0
    base_put_in: Count = 0
    hits: Count = 0
    wins: Count = 0
    rejected_hits: Count = 0
    rejected: Count = 0
    paid_hits: Count = 0
    paid: Count = 0
    last: tuple[Hit, ...] = ()


class Change(_Part, frozen=True):
    key: str
    old: str
    new: str
