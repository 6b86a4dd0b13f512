"""What is unusual in a day or a month: who, where, and what chance alone would give (R-36).

Theory. Nothing here is a charge. A fact is listed when honest play brings it seldom: an award on a word, the same
person from the entry to the payment, money given back after the lock, a winner found late, what was put right, wrong
PINs, what nobody proved, a clock that stepped back, credits counted by hand, training, a day renamed or without its
seed, another unit at a seat, and the acts of `acts`. Beside each person and each seat stands what chance alone would
have given for the bets that were there, so that a reader sees who has three times what the cards bring; and who signs
such things with whom is counted, because two friends are a pattern and one act is none.

A pass with its bets is counted to whoever signed last at its table, because a button has no name. All facts are
followed, those before the span too: who entered an award may have done so yesterday.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from controller.core import facts
from controller.core.facts import Entry, Fact
from controller.core.values import TRAINING, TerminalUse, Unproven, web_user
from controller.record.fold import Step, granted_in
from controller.report.acts import act_of
from controller.rules.odds import HANDS, HITS
from controller.rules.refusal import Reason
from controller.rules.ruleset import Ruleset

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "no_cards": "Premio sin cartas",
        "same_person": "Misma persona: anotó, confirmó y pagó",
        "void_late": "Anulación tras el cierre",
        "late": "Ganador tardío",
        "corrected": "Jugada corregida",
        "rejected": "Jugada rechazada",
        "pin": "PIN equivocado",
        "door": "Pedidos que nadie probó",
        "clock": "El reloj cambió",
        "count": "Conteo a mano",
        "training": "Entrenamiento",
        "day": "Jornada: otro nombre, o semilla perdida",
        "left": "Créditos apartados o entregados",
        "cleared": "Diferencia aclarada",
        "aside": "Premio apartado, o cobrado después",
        "advance": "Adelanto, o lo que se perdió de él",
        "signed": "Anulación firmada",
        "moved": "Dinero traspasado",
        "plan": "Plan puesto o retirado",
        "people": "Persona o terminal inscrita o cambiada",
        "lamp": "Luz dada por apagada",
        "seat": "Posición cerrada o abierta a mano",
        "device": "Aparato cambiado, o sus fallas borradas",
        "tried": "Intento rechazado",
        "restored": "Registro restaurado",
    }
)
NOBODY = "-"
_FOUNDING = {"people", "plan"}
"""Before the first day these are how a node begins."""
_THOUSANDTHS = 1000
_TRIED = {Unproven.UNKNOWN: "de quien no está inscrito", Unproven.TOO_SOON: "PIN mientras debía esperar"}
_PIN = {Reason.PIN_WRONG.code, Reason.PERSON_LOCKED.code}


@dataclass(frozen=True, slots=True)
class Oddity:
    """One unusual thing: the fact that says it, where, by whom, how much money it is about, and more in words."""

    kind: str
    seq: int
    at: int
    pot: str
    casino: str
    table: str
    seat: int
    persons: tuple[str, ...]
    amount: int
    what: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A person, or a seat as `TABLE/SEAT`: his bets and awards, what chance gives for so many bets in thousandths of an
    award, and how often each unusual thing was his."""

    who: str
    bets: int
    awards: int
    by_chance: int
    odd: dict[str, int]


@dataclass(frozen=True, slots=True)
class Together:
    """Two who signed unusual things together, and how often each."""

    who: tuple[str, ...]
    odd: dict[str, int]


@dataclass(frozen=True, slots=True)
class Unusual:
    """The page of a day or a month."""

    oddities: tuple[Oddity, ...]
    persons: tuple[Beside, ...]
    seats: tuple[Beside, ...]
    together: tuple[Together, ...] = ()


@dataclass(slots=True)
class _Hands:
    """Who entered an award, and who confirmed it."""

    entered: set[str]
    confirmed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Lesson:
    """A training that goes on."""

    begun: Entry
    persons: tuple[str, ...]
    passes: int = 0
    bets: int = 0
    awards: int = 0
    practice: int = 0

    @property
    def told(self) -> str:
        return f"pases {self.passes}, apuestas {self.bets}, premios {self.awards}; nada de ello es dinero"


@dataclass(slots=True)
class _Sums:
    bets: int = 0
    awards: int = 0
    paid_hands: int = 0  # of so many hands times HANDS: what chance gives, exactly
    odd: Counter[str] = field(default_factory=Counter)


class Watch:
    """Follows a record and keeps what is unusual of its span."""

    def __init__(self) -> None:
        self._found: list[Oddity] = []
        self._persons: dict[str, _Sums] = {}
        self._seats: dict[str, _Sums] = {}
        self._awards: dict[str, _Hands] = {}
        self._signed: dict[str, str] = {}
        self._locked: set[str] = set()
        self._passes: dict[str, int] = {}
        self._lessons: dict[str, _Lesson] = {}
        self._pairs: dict[tuple[str, ...], Counter[str]] = {}
        self._units: dict[tuple[str, int], tuple[int, int]] = {}
        self._aside: set[str] = set()
        self._advanced: Counter[str] = Counter()
        self._webs: dict[int, str] = {}
        self._opened = False

    def follow(self, step: Step, ruleset: Ruleset | None, *, inside: bool) -> None:
        """One fact; `ruleset` is that of its pot, `inside` whether it is of the span."""
        entry, fact = step.entry, step.entry.fact
        if step.where.training:
            self._practised(step, inside)
            return
        if inside:
            for odd in self._odd(step):
                self._keep(odd)
            if isinstance(fact, facts.PassSealed) and ruleset is not None:
                self._bets(fact, sum(HITS[category] for category in ruleset.paytable))
            if not isinstance(fact, facts.PrizeGranted):
                for _, award in granted_in(fact):
                    self._of_person(getattr(fact, "by", "")).awards += 1
                    self._of_seat(step.where.table, award.seat).awards += 1
        self._learn(entry, fact, step.where.table)

    def unusual(self) -> Unusual:
        """The page; a training that goes on is told as far as it got."""
        running = (
            _of_lesson(lesson, lesson.begun, table, f"sigue; {lesson.told}") for table, lesson in self._lessons.items()
        )
        found = sorted([*self._found, *running], key=lambda one: (one.seq, one.table, one.seat))
        pairs = tuple(Together(who, dict(sorted(odd.items()))) for who, odd in sorted(self._pairs.items()))
        return Unusual(tuple(found), _beside(self._persons), _beside(self._seats), pairs)

    # What is learnt, inside the span and before it.

    def _learn(self, entry: Entry, fact: Fact, table: str) -> None:
        by: str = getattr(fact, "by", "")
        if table and by:
            self._signed[table] = by
        for award, _ in granted_in(fact):
            self._awards[award] = _Hands({name for name in (by, getattr(fact, "second", "")) if name})
        match fact:
            case facts.Locked():
                self._locked.add(fact.table)
            case facts.PassClosed():
                self._locked.discard(fact.table)
                self._passes[fact.table] = fact.number
            case facts.HandsVoided(whole_pass=True):
                self._locked.discard(fact.table)
            case facts.AwardConfirmed() if fact.award in self._awards:
                self._awards[fact.award].confirmed |= {name for name in (fact.by, fact.second) if name}
            case facts.AwardPaid():
                self._awards.pop(fact.award, None)
            case _:
                self._note(fact)
        assert entry.seq > 0, "facts are numbered from 1"

    def _note(self, fact: Fact) -> None:
        """That a first day was opened, which awards were set aside, which seats had a unit, which webs were let in."""
        match fact:
            case facts.DayOpened():
                self._opened = True
            case facts.AwardSetAside():
                self._aside.add(fact.award)
            case facts.AwardAdvanced():
                self._advanced[fact.award] += fact.amount
            case facts.TerminalEnrolled(use=TerminalUse.WEB):
                self._webs[web_user(fact.key)] = fact.terminal
            case facts.DeviceAdopted():
                self._units[fact.table, fact.seat] = (fact.device.serial, fact.device.epoch)
            case _:
                pass

    def _bets(self, fact: facts.PassSealed, paid_hands: int) -> None:
        """R-10: each valid bet is one hand, and each hand wins as often as its cards come."""
        person = self._of_person(self._signed.get(fact.table, ""))
        for bet in fact.bets:
            for sums in (person, self._of_seat(fact.table, bet.seat)):
                sums.bets += 1
                sums.paid_hands += paid_hands

    def _practised(self, step: Step, inside: bool) -> None:
        """R-36: a training has its lines in the report of the day on which it ended."""
        entry, fact = step.entry, step.entry.fact
        table = step.where.table.removeprefix(TRAINING)
        if isinstance(fact, facts.TrainingStarted):
            self._lessons[table] = _Lesson(entry, _named(fact))
            return
        lesson = self._lessons.get(table)
        if lesson is None:
            return
        match fact:
            case facts.PassSealed():
                lesson.passes += 1
                lesson.bets += len(fact.bets)
            case facts.CreditsBought():
                lesson.practice += fact.amount
            case facts.TrainingEnded():
                del self._lessons[table]
                if inside:
                    self._keep(_of_lesson(lesson, entry, table, lesson.told))
            case _:
                lesson.awards += sum(1 for _ in granted_in(fact))

    # What is odd.

    def _keep(self, odd: Oddity) -> None:
        self._found.append(odd)
        for person in odd.persons or ("",):
            self._of_person(person).odd[odd.kind] += 1
        if len(odd.persons) > 1:
            self._pairs.setdefault(tuple(sorted(odd.persons)), Counter())[odd.kind] += 1
        if odd.seat:
            self._of_seat(odd.table, odd.seat).odd[odd.kind] += 1

    def _of_person(self, person: str) -> _Sums:
        return self._persons.setdefault(person or NOBODY, _Sums())

    def _of_seat(self, table: str, seat: int) -> _Sums:
        return self._seats.setdefault(f"{table}/{seat}", _Sums())

    def _odd(self, step: Step) -> Iterator[Oddity]:
        fact = step.entry.fact
        act = act_of(fact)
        if act is not None and (self._opened or act.kind not in _FOUNDING):
            yield _odd(act.kind, step, act.seat, _named(fact), act.amount, act.what)
        if isinstance(fact, facts.AwardPaid):
            yield from self._by_one(step, fact)
        elif isinstance(fact, facts.HandsVoided) and fact.table in self._locked:
            for refund in fact.refunds:
                yield _odd("void_late", step, refund.seat, _named(fact), refund.total, fact.reason)
        elif isinstance(fact, facts.ClaimCorrected) and fact.claim and not fact.void:
            yield from self._put_right(step, fact)
        elif isinstance(fact, facts.UnprovenRefused):
            who = f"web {self._webs[fact.user]}" if fact.user in self._webs else f"usuario {fact.user}"
            yield _odd("door", step, 0, (), 0, f"{who}: {fact.count}, {_TRIED[fact.what]}")
        elif isinstance(fact, facts.DeviceAdopted):
            unit = (fact.device.serial, fact.device.epoch)
            if self._units.get((fact.table, fact.seat), unit) != unit:  # the first one of a seat is no change
                what = f"otro aparato, o sin memoria: serie {fact.device.serial}"
                yield _odd("device", step, fact.seat, (), 0, what)
        else:
            yield from _of_itself(step, fact)

    def _put_right(self, step: Step, fact: facts.ClaimCorrected) -> Iterator[Oddity]:
        """R-34, R-35: a winner found after the pass was closed, a claim that was wrong, or one that was none."""
        what = f"{fact.claim}: {fact.reason}"
        yield from _on_a_word(step, fact)
        for name in filter(self._advanced.get, fact.cancelled):
            yield _odd("advance", step, 0, _named(fact), self._advanced[name], f"{name}: anulado; nadie lo devuelve")
        false = fact.cancelled or any(loss.amount > 0 for loss in fact.lost)
        if not false and fact.awards and fact.number <= self._passes.get(fact.table, 0):
            for award in fact.awards:
                yield _odd("late", step, award.seat, _named(fact), award.amount, what)
            return
        owed = sum(award.amount for award in fact.awards)
        yield _odd("corrected" if fact.hands else "rejected", step, 0, _named(fact), owed, what)

    def _by_one(self, step: Step, fact: facts.AwardPaid) -> Iterator[Oddity]:
        hands = self._awards.get(fact.award)
        if hands is not None and fact.by in hands.entered & hands.confirmed:
            yield _odd("same_person", step, fact.seat, (fact.by,), fact.amount, fact.award)
        if fact.award in self._aside:
            yield _odd("aside", step, fact.seat, (fact.by,), fact.amount, f"{fact.award}: cobrado")


def _of_itself(step: Step, fact: Fact) -> Iterator[Oddity]:
    """What is unusual whatever came before it."""
    match fact:
        case facts.ClaimRegistered():
            yield from _on_a_word(step, fact)
        case facts.LateRegistered():
            for award in fact.awards:
                yield _odd("late", step, award.seat, _named(fact), award.amount, f"{fact.claim}/{award.number}")
        case facts.ClaimRejected():
            yield _odd("rejected", step, 0, _named(fact), fact.held, f"{fact.claim}: {fact.reason}")
        case facts.SeatCounted():
            yield _odd("count", step, fact.seat, _named(fact), fact.found - fact.booked, "hallado menos libro")
        case _:
            yield from _of_the_node(step, fact)


def _of_the_node(step: Step, fact: Fact) -> Iterator[Oddity]:
    """PINs, the clock, the names and seeds of days."""
    match fact:
        case facts.Refused() if fact.reason in _PIN:
            yield _odd("pin", step, 0, _named(fact), 0, f"{fact.ask}: {fact.message}")
        case facts.PinsReplaced():
            yield _odd("pin", step, 0, tuple(fact.secrets), 0, f"PIN nuevos con la llave del nodo: {fact.reason}")
        case facts.ClockWentBack() | facts.ClockStepped() | facts.ClockNoted():
            yield from _of_clock(step, fact)
        case facts.DayRenamed():
            yield _odd("day", step, 0, _named(fact), 0, f"{fact.was} se llama {fact.day}: {fact.reason}")
        case facts.SeedLost():
            yield _odd("day", step, 0, _named(fact), 0, f"semilla perdida: {fact.reason}")
        case _:
            pass


def _of_clock(step: Step, fact: facts.ClockWentBack | facts.ClockStepped | facts.ClockNoted) -> Iterator[Oddity]:
    """R-27: a start only where the clock was behind."""
    match fact:
        case facts.ClockWentBack():
            yield _odd("clock", step, 0, (), 0, f"{fact.was - fact.now} milisegundos")
        case facts.ClockStepped() if not fact.stop:
            yield _odd("clock", step, 0, (), 0, f"{fact.ms} milisegundos sin que pasaran")
        case facts.ClockNoted():
            yield _odd("clock", step, 0, _named(fact), 0, "tomó nota")
        case _:
            pass


def _on_a_word(step: Step, fact: facts.ClaimRegistered | facts.ClaimCorrected) -> Iterator[Oddity]:
    """R-36: awards of hands that nobody showed to the record."""
    shown = {hand.seat for hand in fact.hands if hand.cards}
    for award in fact.awards:
        if award.seat not in shown:
            yield _odd("no_cards", step, award.seat, _named(fact), award.amount, f"{fact.claim}/{award.number}")


def _of_lesson(lesson: _Lesson, at: Entry, table: str, what: str) -> Oddity:
    return Oddity("training", at.seq, at.at, "", "", table, 0, lesson.persons, lesson.practice, what)


def _odd(kind: str, step: Step, seat: int, persons: Iterable[str], amount: int, what: str) -> Oddity:
    assert kind in KINDS, "an unusual thing has a name"
    where = step.where
    return Oddity(
        kind, step.entry.seq, step.entry.at, where.pot, where.casino, where.table, seat, tuple(persons), amount, what
    )


def _named(fact: Fact) -> tuple[str, ...]:
    return tuple(name for name in (getattr(fact, "by", ""), getattr(fact, "second", "")) if name)


def _beside(sums: Mapping[str, _Sums]) -> tuple[Beside, ...]:
    return tuple(
        Beside(who, one.bets, one.awards, _by_chance(one), dict(sorted(one.odd.items())))
        for who, one in sorted(sums.items())
    )


def _by_chance(sums: _Sums) -> int:
    """To the nearest thousandth of an award."""
    return (2 * _THOUSANDTHS * sums.paid_hands + HANDS) // (2 * HANDS)
