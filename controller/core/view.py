"""What lamps, locks, signs and screens should show, as values: the vocabulary of every face of a node (R-6, R-31).

Theory. `project` fills these in from the state; whoever shows them needs to know nothing else of the core, no plan and
no rule. They are desired state, never commands, and what a console receives is written as they stand here.
"""

from enum import StrEnum

from msgspec import Struct

from controller.core.values import Phase


class Light(StrEnum):
    """devices.md 2.4: only steady means a valid bet; a bet whose lamp is still to be seen is blinking on the unit."""

    OFF = "off"
    STEADY = "steady"
    FAULT = "fault"


class SeatView(Struct, frozen=True):
    """R-2, R-6: what one seat should be like; `unsigned`: money that is not cashed before a chief signs (R-36)."""

    seat: int
    light: Light
    locked: bool
    enabled: bool
    credits: int
    promo: int
    bet: int
    owed: int
    give_back: int
    closed: str
    unsigned: int = 0


class TableView(Struct, frozen=True):
    """R-5: what one table should be like; `training` says that none of it is real. `last_sealed`: the last pass whose
    bets were sealed; its winners can still be entered until the next seal (R-35)."""

    table: str
    phase: Phase
    number: int
    seats: tuple[SeatView, ...]
    unproven: tuple[int, ...]
    cards: dict[str, str]
    training: bool
    last_sealed: int = 0


class AwardView(Struct, frozen=True):
    """R-20, R-31: an award from the instant it is registered; `no_cards`: entered on a word (R-36); `promo`: in
    promotional credits (R-29); `since`: when its time began (R-21); `waits`: for the owner of its pot, who has not said
    its amount; `frozen`: until he has answered about a correction (R-34); `advanced`: its winner has so much."""

    award: str
    table: str
    seat: int
    prize: str
    amount: int
    confirmed: bool
    overdue: bool
    no_cards: bool = False
    promo: bool = False
    since: int = 0
    waits: bool = False
    frozen: bool = False
    advanced: int = 0


class SignView(Struct, frozen=True):
    """R-3, R-31: what the public sees of a pot; `trains`: tables that feed it and play without money now (R-36)."""

    pot: str
    title: str
    symbol: str
    decimals: int
    main: int
    added: int
    least: int
    most: int
    paytable: dict[str, str]
    awards: tuple[AwardView, ...]
    training: bool
    trains: tuple[str, ...] = ()


class Alarm(Struct, frozen=True):
    """What somebody must look at, in a sentence for him."""

    where: str
    rule: str
    sentence: str


class View(Struct, frozen=True):
    """Everything a node wants the world to be like."""

    tables: tuple[TableView, ...]
    signs: tuple[SignView, ...]
    alarms: tuple[Alarm, ...]
