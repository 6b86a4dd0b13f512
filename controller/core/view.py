"""What lamps, locks, signs and screens should show, as values: the vocabulary of every face of a node (R-6, R-31).

Theory. `project` fills these in from the state; whoever shows them needs to know nothing else of the core, no plan and
no rule. They are desired state, never commands, and what a console receives is written as they stand here.
"""

from enum import StrEnum

from msgspec import Struct

from controller.core.values import Hand, Levels, Loss, Phase, Refund, Resettled, Unpaid


class Light(StrEnum):
    """devices.md 2.4: only steady means a valid bet; a bet whose lamp is still to be seen is blinking on the unit."""

    OFF = "off"
    STEADY = "steady"
    FAULT = "fault"


class SeatView(Struct, frozen=True, omit_defaults=True):
    """R-2, R-6: what one seat should be like; `unsigned`: money that is not cashed before a chief signs (R-36); `over`:
    what of `owed` a slot took beyond the bet, of which a chief is told (R-4). Once the pass is sealed `valid` says that
    the seat has a bet that may win, and `why` what it has not: `no_bet`, or `lamp`."""

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
    over: int = 0
    valid: bool = False
    why: str = ""


class TableView(Struct, frozen=True, omit_defaults=True):
    """R-5: what one table should be like; `training` says that none of it is real. `last_sealed`: the last pass whose
    bets were sealed; its winners can still be entered until the next seal (R-35). Of the pass under way: `draws`,
    prizes that are still to be drawn (R-30), `hands` and `community`, what was entered of it last (R-32). `left`:
    credits set aside for who went; `suspense`: money that nobody has explained (R-27)."""

    table: str
    phase: Phase
    number: int
    seats: tuple[SeatView, ...]
    unproven: tuple[int, ...]
    cards: dict[str, str]
    training: bool
    last_sealed: int = 0
    draws: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    community: tuple[str, ...] = ()
    left: int = 0
    suspense: int = 0


class AwardView(Struct, frozen=True, omit_defaults=True):
    """R-20, R-31: an award from the instant it is registered; `no_cards`: entered on a word (R-36); `promo`: in
    promotional credits (R-29); `since`: when its time began, `due`: when it is overdue (R-21); `waits`: for the owner
    of its pot, who has not said its amount; `frozen`: until he has answered about a correction (R-34); `advanced`: its
    winner has so much. `rules`, `parts`, `house`: what made its amount, and from where; `entered`: by whom; `by` and
    `second`: who confirmed it (R-36); `doubted`: why the owner does not believe it; `left`: whose two left it here;
    `casino`: of a table that is not this node's (R-28)."""

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
    due: int = 0
    rules: tuple[str, ...] = ()
    parts: dict[str, int] = {}
    house: int = 0
    entered: tuple[str, ...] = ()
    by: str = ""
    second: str = ""
    doubted: str = ""
    left: str = ""
    casino: str = ""


class ClaimNow(Struct, frozen=True, omit_defaults=True):
    """A claim whose awards are not all decided; `paid`: what of it was paid already. `hands` and `community` as they
    were entered, `by` whom first; a complementary `prize` has none. `frozen`: its pass is being put right (R-34)."""

    claim: str
    table: str
    number: int
    since: int  # milliseconds since 1970 UTC
    paid: int = 0
    pot: str = ""
    by: str = ""
    hands: tuple[Hand, ...] = ()
    community: tuple[str, ...] = ()
    prize: bool = False
    frozen: bool = False
    training: bool = False


class SignView(Struct, frozen=True):
    """R-3, R-31: what the public sees of a pot; `trains`: tables that feed it and play without money now (R-36);
    `elsewhere`: prizes of a far pot that are owed at tables beyond this node, as who is above said last (R-28)."""

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
    elsewhere: tuple[AwardView, ...] = ()


class Alarm(Struct, frozen=True, omit_defaults=True):
    """What somebody must look at, in a sentence for him; `name`: which of all alarms it is, and `parts`: what its
    sentence was filled with, so that a client can say it in another language."""

    where: str
    rule: str
    sentence: str
    name: str = ""
    parts: dict[str, str] = {}


def alarm(name: str, where: str, rule: str, sentence: str, **parts: str | int) -> Alarm:
    """The only place where one is made, so that each has English on the pages (tests/web/test_words.py)."""
    assert name and where, "an alarm says which it is, and of what"
    said = {part: str(words) for part, words in parts.items()}
    return Alarm(where, rule, sentence.format(**said), name, said)


class View(Struct, frozen=True):
    """Everything a node wants the world to be like."""

    tables: tuple[TableView, ...]
    signs: tuple[SignView, ...]
    alarms: tuple[Alarm, ...]
    claims: tuple[ClaimNow, ...] = ()


class Reckoning(Struct, frozen=True, omit_defaults=True):
    """R-11 to R-17: `pays`, what the category pays, as the sign writes it; `bet`, of the seat; `left`, in the main pot
    when the turn of the category came. Of a percentage also `of`, what it was taken of (R-33), `total`, what that came
    to, `among` how many it is shared, and the `cap` that cut it, if one did."""

    pays: str
    bet: int
    left: int = 0
    of: int = 0
    total: int = 0
    among: int = 0
    cap: int = 0


class AwardPreview(Struct, frozen=True, omit_defaults=True):
    """R-12, R-13: one award as it would be. `waits`: for the owner of its pot to say its amount; `handed`: what of it
    the player is handed now, less what he was advanced; `reckoning`: how the amount comes about, if it is made now."""

    award: str
    seat: int
    prize: str
    amount: int
    rules: tuple[str, ...] = ()
    parts: dict[str, int] = {}
    house: int = 0
    waits: bool = False
    handed: int = 0
    reckoning: Reckoning | None = None


class Preview(Struct, frozen=True, omit_defaults=True):
    """R-13 to R-20, R-25, R-34: what an act would do. `sees`: the fingerprint of its amounts; `two`: a second person
    must sign. `awards` in paying order, with the pot `before` and `after` all of it; `untouched`: complementary prizes
    of the pass, which stay as they are; `seats`: those that would be otherwise, as they would be."""

    sees: str
    two: bool = False
    table: str = ""
    number: int = 0
    pot: str = ""
    before: Levels | None = None
    after: Levels | None = None
    awards: tuple[AwardPreview, ...] = ()
    unpaid: tuple[Unpaid, ...] = ()
    cancelled: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    resettled: tuple[Resettled, ...] = ()
    refunds: tuple[Refund, ...] = ()
    untouched: tuple[AwardPreview, ...] = ()
    seats: tuple[SeatView, ...] = ()
