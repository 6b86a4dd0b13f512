"""What the facts so far have made of a node, kept a second time: people, pots, tables, seats, claims, the day.

Theory. Plain, changing things, one line of code for each thing that a fact says. Money is not among them: what an
account stands at is asked of the books, which are made of the lines of the facts. What can be asked for and is not
there is a fact that names what does not exist.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from controller.verify.books import Books
from controller.verify.facts import (
    Bounds,
    Box,
    ClaimAsked,
    Device,
    Entry,
    Granted,
    Hand,
    HeadLeft,
    Hit,
    Levels,
    SealedBet,
)
from controller.verify.law import Game, Law, Published, Random
from controller.verify.links.state import Links
from controller.verify.money import MAIN, Fractions, Purse
from controller.verify.past import Mark
from controller.verify.wrong import FoundWrong, shown, there

TRAINING = "~"
BETWEEN, OPEN, LOCKING, SEALED = "between", "open", "locking", "sealed"
LAST_HITS = 25
SECOND_READING, THIRD_READING = 2, 3


class Person:
    def __init__(self, name: str, roles: tuple[str, ...], secret: str) -> None:
        self.name, self.roles, self.secret = name, roles, secret
        self.wrong_pins = 0
        self.on_this_day: set[str] = set()  # roles that he had before, on the open gaming day


class Terminal(NamedTuple):
    """R-36: a browser that two persons let in."""

    use: str
    place: str
    key: str


class Seat:
    """A seat without its money: its bet of this pass, its lamp, its unit, and whether it plays."""

    __slots__ = (
        "before", "before_id", "bet", "bounds", "closed", "closing", "device", "doubted", "giving_back", "lamp",
        "lamp_by", "move", "over", "over_paid", "promo", "proven", "slot", "unbooked",
        "unseen", "unsigned", "voided_by",
    )  # fmt: skip

    def __init__(self) -> None:
        self.device: Device | None = None
        self.before: Device | None = None
        self.move: tuple[int, int] | None = None  # the last of its unit's totals: from which event on, how many it took
        self.before_id: tuple[str, int, int] = ("", 0, 0)
        self.unbooked = [0, 0, 0]
        self.unseen = 0
        self.giving_back = 0
        self.unsigned = 0
        self.voided_by: set[str] = set()
        self.bounds: Bounds | None = None
        self.doubted = False
        self.lamp_by = ""
        self.over = self.over_paid = 0  # owed beyond a bet; handed back of such on this gaming day
        self.closed = False
        self.end_pass()

    def end_pass(self) -> None:
        """After a pass: bet and lamp are gone."""
        self.end_bet()
        self.proven = False
        self.closing = False

    def end_bet(self) -> None:
        self.bet = self.promo = self.slot = 0
        self.lamp = "dark"

    def keep_unsigned(self, most: int) -> None:
        """R-36: no more waits for a signature than lies there."""
        self.unsigned = min(self.unsigned, most)
        if not self.unsigned:
            self.voided_by = set()

    @property
    def is_out(self) -> bool:
        return self.closed or self.closing

    @property
    def is_electronic(self) -> bool:
        return bool(self.bet and not self.slot)


class Table:
    def __init__(self, name: str, casino: str, pot: str, game: Game, number: int) -> None:
        self.name, self.casino, self.pot, self.game, self.number = name, casino, pot, game, number
        self.last_sealed = 0
        self.seats = [Seat() for _ in range(game.seats)]
        self.end_pass()

    @property
    def is_training(self) -> bool:
        return self.name.startswith(TRAINING)

    def end_pass(self) -> None:
        self.phase = BETWEEN
        self.bets: tuple[SealedBet, ...] = ()
        self.closed_hash = ""
        self.sealed_at = self.skipped = 0
        self.draws: list[str] = []
        self.cards: dict[str, str] = {}
        self.dark: set[int] = set()
        self.shown: dict[str, tuple[str, int]] = {}  # by the prize, which card, and who won with it
        self.hands: tuple[Hand, ...] = ()
        self.community: tuple[str, ...] = ()
        for seat in self.seats:
            seat.closed = seat.is_out
            seat.end_pass()

    def seat(self, number: int) -> Seat:
        if not 1 <= number <= len(self.seats):
            raise FoundWrong("R-7", f"la mesa {self.name} no tiene la posición {number}")
        return self.seats[number - 1]


class Meters:
    """R-27: what a pot has seen in its life."""

    def __init__(self) -> None:
        self.wagered = self.undone = self.commission = 0
        self.into_main = self.into_reserves = self.overflow = self.base_put_in = 0
        self.hits = self.wins = self.rejected_hits = self.rejected = self.paid_hits = self.paid = 0
        self.last: tuple[Hit, ...] = ()

    def hit(self, at: int, award: str, granted: Granted) -> None:
        self.hits += 1
        self.wins += granted.amount
        self.last = (*self.last, Hit(at, award, granted.prize, granted.amount))[-LAST_HITS:]


class Pot:
    """`above`: the neighbour that owns it; then `followed` is how it stood by its owner's last word. `silent`: since
    when that owner is not heard behind the neighbour, if he is not. `left`: who owned it till he was left, with what it
    `began` here."""

    def __init__(self, name: str, law: Law, plan: str, ruleset: str, above: str = "") -> None:
        self.name, self.law, self.plan, self.ruleset, self.above = name, law, plan, ruleset, above
        self.silent = 0
        self.followed = Purse(0, dict.fromkeys(law.reserves, 0))
        self.reserve_carries = dict.fromkeys(law.reserves, 0)
        self.commission_carries: dict[str, int] = {}
        self.given_today: set[str] = set()
        self.left = ""
        self.began: Levels | None = None
        self.under_way: dict[tuple[str, int], Played] = {}  # at boxes, when its owner was left
        self.meters = Meters()
        self.marks: list[Mark] = []

    def clock_moved(self, ms: int, *, stop: bool) -> None:
        """R-28: silence lasts as long as it lasted; over a stop only a clock that went back is set right."""
        if self.silent:
            self.silent += min(ms, 0) if stop else ms

    def fractions(self, casino: str) -> Fractions:
        return Fractions(self.commission_carries.get(casino, 0), self.reserve_carries.values())

    def keep(self, casino: str, fractions: Fractions) -> None:
        self.commission_carries[casino] = fractions.commission
        self.reserve_carries = dict(zip(self.reserve_carries, fractions.reserves, strict=True))


class Award:
    """R-21: `since`: from when its time runs. `entered`: by whom (R-36). `aside`: a debt without term, because its
    winner could not be found; `cancelled`: it was false; `waits`: for the amount, which the pot's owner says."""

    def __init__(self, granted: Granted, since: int, *entered: str) -> None:
        self.granted, self.since = granted, since
        self.entered = {name for name in entered if name}
        self.confirmed_by = ("", "")
        self.paid = self.overdue = self.aside = self.cancelled = False
        self.waits = False
        self.bet = self.advanced = 0  # of one that was asked of the pot's owner; what its winner has of it

    @property
    def confirmed(self) -> bool:
        return bool(self.confirmed_by[0])

    @property
    def is_owed(self) -> bool:
        return not self.paid and not self.cancelled


class Played(NamedTuple):
    """R-26: a pass as it was played: where, under which law and as which game, its valid bets, and which seats had
    bet in vain, for their lamp was not lit (R-6)."""

    table: str
    casino: str
    pot: str
    law: Law
    game: Game
    bets: tuple[SealedBet, ...]
    dark: frozenset[int] = frozenset()


class Claim:
    """R-21, R-26: what a pass won, under what was approved when it was played."""

    def __init__(self, played: Played, number: int, at: int, before: Levels) -> None:
        self.played, self.number, self.at, self.before = played, number, at, before
        self.table, self.casino, self.pot = played.table, played.casino, played.pot
        self.hands: tuple[Hand, ...] = ()
        self.frozen = False  # its pass is being put right where the pot is
        self.awards: dict[str, Award] = {}
        self.base: dict[str, int] | None = None
        self.rejected = self.prize = False
        self.paid_in = self.doubted = self.left = ""  # why its pot's owner does not believe it; whose two left it
        self.taken = False  # by two persons, though it was not believed

    @property
    def promo(self) -> bool:
        """R-29: credits of the house, which are nobody's money until they are on the seat."""
        return self.paid_in == "promotional_credits"

    @property
    def any_paid(self) -> bool:
        return any(award.paid for award in self.awards.values())

    @property
    def pending(self) -> bool:
        """R-26: somebody must still decide; a debt without term waits for nobody."""
        return any(award.is_owed and not award.aside for award in self.awards.values())

    @property
    def is_owed(self) -> bool:
        return any(award.is_owed for award in self.awards.values())


class Draw:
    """R-30: a draw that waits for the day's seed, with all that it depended on."""

    __slots__ = ("card", "closed", "day", "hit", "number", "pot", "random", "seat", "seats", "seq", "since", "table")

    def __init__(self, seq: int, table: Table, random: Random, day: str, since: int) -> None:
        self.seq, self.table, self.number, self.pot = seq, table.name, table.number, table.pot
        self.random, self.day, self.since, self.closed = random, day, since, table.closed_hash
        self.seats: tuple[int, ...] = ()
        self.hit, self.seat, self.card = False, 0, ""


class Day:
    """R-27, R-30: the open day. Its draws go by the name it had at first; `lost`: why its seed is nowhere."""

    def __init__(self, name: str, commitment: str, opened: int, nonce: str = "") -> None:
        self.name, self.commitment, self.opened, self.nonce = name, commitment, opened, nonce
        self.first_name, self.lost = name, ""
        self.skipped = 0  # by what the wall clock moved since, without time going on
        self.draws: list[Draw] = []


class Staged:
    def __init__(self, law: Law, documents: tuple[str, str], resolution: str, signed: tuple[str, str]) -> None:
        self.law, self.documents, self.resolution, self.signed = law, documents, resolution, signed
        self.ready_below: list[str] = []  # the neighbours whose tables wait for it


class World:
    """A node, as its facts say."""

    def __init__(self, published: Published, again: Callable[[int], Iterator[Entry]]) -> None:
        """`again`: the facts of pots from one on, up to the one that is being proven."""
        self.published, self.again = published, again
        self.books = Books()
        self.links = Links()
        self.node, self.epoch, self.key, self.clock = "", 1, "", 0
        self.reading = self.began_under = 1
        self.people: dict[str, Person] = {}
        self.terminals: dict[str, Terminal] = {}
        self.boxes: dict[str, Box] = {}  # by place, what answered there last
        self.pots: dict[str, Pot] = {}
        self.tables: dict[str, Table] = {}
        self.staged: dict[str, Staged] = {}
        self.numbers: dict[str, int] = {}
        self.claims: dict[str, Claim] = {}
        self.undecided: dict[
            str, tuple[Claim, ClaimAsked, Played]
        ] = {}  # by the owner of their pot, also when nothing of them is owed
        self.day: Day | None = None
        self.last_day = self.day_before = ""
        self.nonces: list[str] = []
        self.clock_off = (0, 0)
        self.without_seed: dict[str, int] = {}
        self.left: list[HeadLeft] = []
        self.due_prize: tuple[str, str, int] | None = None
        self.due_void: frozenset[int] | None = None
        self.sealed = False  # what an earlier program kept of PINs lies under a secret
        self.seq = self.at = 0
        self.id: tuple[str, int, int] = ("", 0, 0)

    def table(self, name: str) -> Table:
        table = self.tables.get(name)
        if table is None:
            raise FoundWrong("R-9", f"no hay una mesa {shown(name)} enlazada a un pozo")
        return table

    def feeds(self, name: str) -> tuple[str, str]:
        """R-9: the pot and the casino of a table, of this node or of a neighbour."""
        own, away = self.tables.get(name), self.links.away.get(name)
        if own is not None:
            return own.pot, own.casino
        table = there(away, "R-9", f"no hay una mesa {shown(name)} enlazada a un pozo")
        return table.pot, table.casino

    def sealed_bets(self, pot: str) -> list[tuple[str, tuple[SealedBet, ...]]]:
        """R-25: of every pass that could still be void, here or at a neighbour's."""
        here = [(one.name, one.bets) for one in self.tables.values() if one.pot == pot and one.phase == SEALED]
        away = [(one.name, one.bets) for one in self.links.away.values() if one.pot == pot and not one.closed]
        return here + away

    def pot(self, name: str) -> Pot:
        return there(self.pots.get(name), "R-24", f"no hay un pozo {shown(name)}")

    def claim(self, name: str) -> Claim:
        return there(self.claims.get(name), "R-21", f"no hay premios registrados con el número {shown(name)}")

    def award(self, name: str) -> tuple[Claim, Award]:
        claim = self.claim(name.rpartition("/")[0])
        return claim, there(claim.awards.get(name), "R-21", f"no hay un premio con el número {shown(name)}")

    def played(self, table: Table) -> Played:
        """The pass that is sealed at a table."""
        return Played(
            table.name, table.casino, table.pot, self.pots[table.pot].law, table.game, table.bets, frozenset(table.dark)
        )

    def at_seat(self, kind: str, table: str, seat: int) -> int:
        """What the money account of a seat stands at: credits, promo or owed."""
        return self.books.at(f"{kind}:{table}:{seat}")

    def cashable(self, table: Table, seat: int) -> int:
        """What lies at a seat that may become cash: credits, and chips that are owed back."""
        return self.at_seat("credits", table.name, seat) + self.at_seat("owed", table.name, seat)

    def purse(self, pot: Pot) -> Purse:
        """The pot as it stands now; one of a neighbour, as he said last."""
        if pot.above:
            return pot.followed.copy()
        at = self.books.at
        return Purse(at(f"pot:{pot.name}:{MAIN}"), {name: at(f"pot:{pot.name}:{name}") for name in pot.law.reserves})

    def money_on(self, table: Table) -> int:
        """The money on a table between passes that is a player's or is unexplained."""
        seats = range(1, len(table.seats) + 1)
        on_seats = sum(self.at_seat(kind, table.name, seat) for kind in ("credits", "promo", "owed") for seat in seats)
        return on_seats + abs(self.books.at(f"suspense:{table.name}"))

    def set_aside(self, table: Table) -> int:
        return self.books.at(f"left:{table.name}")
