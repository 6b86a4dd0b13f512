"""What lamps, locks, signs and screens should show: a view of the state, asked as often as anybody likes (R-6, R-31).

Theory. Outputs are desired state, not commands: the driver of a device compares with what it reports and corrects
it, so a lost frame or a rebooted unit heals by itself. A lamp is asked to be steady only for a bet that is in the
ledger. The sign of a pot shows what is in it now, what each bet may be, what pays what, and every award from the
instant it is registered, or owed by a correction, until it is paid, rejected or set aside (R-20, R-31, R-34). Nothing
here decides anything.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from controller.core.links.names import is_away
from controller.core.links.shown import decisions_that_come_back, plans_that_wait, winners_in_doubt
from controller.core.people import ALARM_AT
from controller.core.state import AwardNow, Claim, Person, PotNow, Seat, State, Table, in_play, plan_at, plan_of
from controller.core.values import KNOWS_MORE, TRAINING, Documents, Lamp, Phase
from controller.core.view import Alarm, AwardView, ClaimNow, Light, SeatView, SignView, TableView, View, alarm
from controller.rules.cards import LABELS
from controller.rules.eligibility import WhyUnpaid
from controller.rules.readings import PerUnitOwed
from controller.rules.ruleset import PerUnit, Prize, Share

_SECOND = 1_000
_UNITS = (
    (31_536_000_000, "años"), (86_400_000, "días"), (3_600_000, "horas"), (60_000, "minutos"), (_SECOND, "segundos"),
)  # fmt: skip
_CLOCK_AHEAD = (
    "El reloj de la máquina está {n} {unit} adelantado: alguien lo cambió. Un técnico lo revisa; un jefe o un"
    " técnico toma nota (reloj). El orden de los hechos y el momento de los premios no cambian."
)
_CLOCK_BEHIND = _CLOCK_AHEAD.replace("adelantado", "atrasado")
_GUESSED = (
    "Van {failures} PIN equivocados de {called} en el día: pregúntele si fueron suyos. Otra persona los da por vistos"
    " con: desbloquear {person}"
)
_BEHIND = (
    "Los aparatos saben más que el registro ({seats}): es una copia vieja, o jugaron fuera de este nodo. Llame al"
    " técnico; cuenten dos personas."
)


class _Table(NamedTuple):
    """What followed from a table under the documents of its pot."""

    table: Table
    documents: Documents
    view: TableView
    alarms: tuple[Alarm, ...]


class Projector:
    """design.md: state into what should show, one state after the other. A part of a state is never changed, so what is
    the same value as in the state before is shown by the same value as before."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._signs: dict[str, tuple[PotNow, SignView]] = {}
        self._claims: dict[str, Claim] = {}
        self._pending: dict[str, tuple[Claim, ClaimNow]] = {}
        self._training: dict[str, dict[str, int]] = {}
        self._overdue: tuple[Alarm, ...] = ()
        self._people: dict[str, Person] = {}
        self._guessed: tuple[Alarm, ...] = ()

    def view(self, state: State) -> View:
        self._tables = {name: self._table(state, table) for name, table in state.tables.items()}
        if state.claims is not self._claims:
            self._claims, self._signs = state.claims, {}
            self._overdue = (*_overdue(state.claims), *winners_in_doubt(state))
            self._pending = {name: self._claim(one) for name, one in state.claims.items() if one.pending}
        if state.people is not self._people:
            self._people, self._guessed = state.people, tuple(_guessed(state.people))
        if state.training.keys() != self._training.keys():
            self._training, self._signs = state.training, {}
        self._signs = {pot.name: self._sign(state, pot) for pot in state.pots.values()}
        shown = [self._tables[in_play(state, name)].view for name in state.tables if not name.startswith(TRAINING)]
        assert len({table.table for table in shown}) == len(shown), "each table once"
        alarms = [alarm for one in self._tables.values() for alarm in one.alarms]
        behind = _behind(state) if any(alarm.rule == "R-37" for alarm in alarms) else ()
        signs = tuple(sign for _, sign in self._signs.values())
        waits = plans_that_wait(state) if state.staged or state.proposed or state.emptying else ()
        comes_back = decisions_that_come_back(state) if state.taking_back or state.recalls else ()
        return View(
            tuple(shown),
            signs,
            (*_clock(state), *behind, *self._overdue, *self._guessed, *waits, *comes_back, *alarms),
            tuple(view for _, view in self._pending.values()),
        )

    def _table(self, state: State, table: Table) -> _Table:
        assert table.pot in state.pots, "R-9: a table feeds a pot"
        before, documents = self._tables.get(table.name), state.pots[table.pot].documents
        if before is not None and before.table is table and before.documents is documents:
            return before
        return _Table(table, documents, table_view(state, table), tuple(_alarms(table)))

    def _claim(self, claim: Claim) -> tuple[Claim, ClaimNow]:
        before = self._pending.get(claim.id)
        assert claim.pending, "R-20: shown until it is decided"
        return before if before is not None and before[0] is claim else (claim, _claim(claim))

    def _sign(self, state: State, pot: PotNow) -> tuple[PotNow, SignView]:
        before = self._signs.get(pot.name)
        assert before is None or before[1].pot == pot.name.removeprefix(TRAINING), "a sign is kept under its pot"
        return before if before is not None and before[0] is pot else (pot, _sign(state, pot))


def project(state: State) -> View:
    """Of one state alone."""
    assert state.clock >= 0, "an instant"
    return Projector().view(state)


def table_view(state: State, table: Table) -> TableView:
    locking = table.phase is Phase.LOCKING
    open_ = table.phase is Phase.OPEN
    credit = plan_at(state, table).limits.credit_value
    assert credit > 0, "R-1: a credit is worth something"
    return TableView(
        table.name.removeprefix(TRAINING),
        table.phase,
        table.number,
        tuple(_seat(seat, open_ and not seat.out_of_play, credit, _standing(table, seat)) for seat in table.seats),
        tuple(seat.number for seat in table.seats if locking and seat.device and not (seat.proven or seat.out_of_play)),
        table.cards,
        table.training,
        table.last_sealed,
        table.draws,
        table.hands,
        table.community,
        table.left,
        table.suspense,
    )


def _standing(table: Table, seat: Seat) -> tuple[bool, str]:
    """R-32: whether its bet of the sealed pass may win, or why not; as the judge says it (eligibility.py)."""
    if table.phase is not Phase.SEALED:
        return False, ""
    if any(bet.seat == seat.number for bet in table.bets):
        return True, ""
    assert seat.number > 0, "R-7: seats are numbered from 1"
    return False, (WhyUnpaid.LAMP if seat.number in table.dark else WhyUnpaid.NO_BET).value


def _claim(claim: Claim) -> ClaimNow:
    assert claim.number >= 0, "R-5: of a pass"
    paid = sum(one.granted.amount for one in claim.awards.values() if one.paid)
    is_training = claim.table.startswith(TRAINING)
    return ClaimNow(
        claim.id, claim.table.removeprefix(TRAINING), claim.number, claim.at, paid, claim.pot.removeprefix(TRAINING),
        claim.by, claim.hands, claim.community, claim.prize, claim.frozen, is_training,
    )  # fmt: skip


def _seat(seat: Seat, may_bet: bool, credit: int, standing: tuple[bool, str]) -> SeatView:
    """R-6: steady for a booked bet, so that it can be seen lit; a fault where the seat is closed without one."""
    booked = seat.bet and seat.lamp is not Lamp.FAULT
    assert credit > 0, "R-1: a credit is worth something"
    return SeatView(
        seat.number,
        Light.STEADY if booked else Light.FAULT if seat.out_of_play else Light.OFF,
        not may_bet,
        not seat.out_of_play,
        seat.credits // credit,
        seat.promo // credit,
        seat.bet,
        seat.owed,
        seat.giving_back,
        seat.closed or seat.closing,
        seat.unsigned,
        seat.over,
        *standing,
    )


def _sign(state: State, pot: PotNow) -> SignView:
    plan = plan_of(pot.documents)
    currency, readings = plan.ruleset.currency, plan.ruleset.readings
    assert pot.main >= 0, "R-18: no pot is ever negative"
    return SignView(
        pot.name.removeprefix(TRAINING),
        plan.title,
        currency.symbol,
        currency.decimals,
        pot.main,
        pot.meters.into_main,
        plan.limits.least,
        plan.limits.most,
        {LABELS[category]: prize_text(prize, readings.per_unit) for category, prize in plan.ruleset.paytable.items()},
        owed_now(state, pot),
        pot.name.startswith(TRAINING),
        tuple(one.name for one in state.tables.values() if one.pot == pot.name and TRAINING + one.name in state.tables),
    )


def owed_now(state: State, pot: PotNow) -> tuple[AwardView, ...]:
    """R-31: what is to be paid of it, from the instant it is registered, in the order of registration."""
    minutes = plan_of(pot.documents).ruleset.verification_minutes
    pending = (claim for claim in state.claims.values() if claim.pot == pot.name and claim.pending)
    return tuple(award for claim in pending for award in _awards(claim, minutes))


def prize_text(prize: Prize, owed: PerUnitOwed) -> str:
    """R-11, R-17: as the paytable says it, a percentage with its cap; R-33: an amount for each unit, or for the bet."""
    assert prize.clause, "every value has its clause"
    if isinstance(prize, Share):
        whole, rest = divmod(prize.ppm, 10_000)
        percent = f"{whole},{rest:04}".rstrip("0").rstrip(",")
        if prize.cap_times is None:
            return f"{percent} %"
        times = f"{prize.cap_times:,}".replace(",", ".")
        return f"{percent} %, máx. {times} veces"
    if isinstance(prize, PerUnit):
        return f"{prize.amount} por {'unidad' if owed is PerUnitOwed.EACH_UNIT else 'apuesta'}"
    return f"{prize.times} x"


def _awards(claim: Claim, minutes: int) -> Iterator[AwardView]:
    assert claim.pending, "R-20: shown until it is decided"
    shown = {hand.seat for hand in claim.hands if hand.cards}
    for name, held in claim.awards.items():
        if held.pending:
            granted = held.granted
            yield AwardView(
                name,
                claim.table.removeprefix(TRAINING),
                granted.seat,
                granted.prize,
                granted.amount,
                bool(held.confirmed),
                held.overdue,
                bool(claim.hands) and granted.seat not in shown,
                claim.promo,
                held.since,
                held.waits,
                claim.frozen,
                held.advanced,
                held.since + minutes * 60_000,
                granted.rules,
                granted.parts,
                granted.house,
                held.entered,
                held.confirmed,
                held.second,
                claim.doubted if held.waits else "",
                claim.left,
                claim.casino if is_away(claim.table) else "",
            )


def _clock(state: State) -> Iterator[Alarm]:
    """R-27: until the clock agrees again, or somebody takes note."""
    least, most = state.clock_off
    assert least <= most, "the least and the most"
    if least > 0:
        n, unit = _lasting(least)
        yield alarm("clock_ahead", "reloj", "R-27", _CLOCK_AHEAD, n=n, unit=unit)
    elif most:
        n, unit = _lasting(-most)
        yield alarm("clock_behind", "reloj", "R-27", _CLOCK_BEHIND, n=n, unit=unit)


def _lasting(millis: int) -> tuple[int, str]:
    """In the largest unit that is there twice, as one says it."""
    assert millis > 0, "some time"
    return next((millis // unit, name) for unit, name in _UNITS if millis >= 2 * unit or unit == _SECOND)


def _overdue(claims: Mapping[str, Claim]) -> Iterator[Alarm]:
    for claim in claims.values():
        assert claim.pot, "R-20: a claim is on a pot"
        for name, held in claim.awards.items():
            if held.overdue and held.pending:
                yield _overdue_one(name, held)


def _overdue_one(name: str, held: AwardNow) -> Alarm:
    """By whom it is waited for."""
    assert held.overdue, "longer than the rules allow"
    if held.waits:
        far = "El premio {award} espera desde hace demasiado que el dueño de su pozo diga cuánto es."
        return alarm("award_of_owner_late", name, "R-21", far, award=name)
    if held.confirmed:
        paid = "El premio {award} está verificado y espera su pago desde hace demasiado."
        return alarm("award_payment_late", name, "R-21", paid, award=name)
    return alarm(
        "award_check_late", name, "R-21", "El premio {award} espera verificación desde hace demasiado.", award=name
    )


def _guessed(people: Mapping[str, Person]) -> Iterator[Alarm]:
    """R-27: somebody tries PINs, or has forgotten his own."""
    assert ALARM_AT > 1, "one may be mistaken"
    for id_, person in people.items():
        assert person.failures >= 0, "counted from nothing"
        if person.failures >= ALARM_AT:
            yield alarm("pins_guessed", id_, "R-27", _GUESSED, failures=person.failures, called=person.name, person=id_)


def _behind(state: State) -> Iterator[Alarm]:
    """R-37: it stands until two persons have counted the last of these seats."""
    seats = [(table.name.removeprefix(TRAINING), seat) for table in state.tables.values() for seat in table.seats]
    named = [
        f"{name}/{seat.number}" for name, seat in seats if seat.doubted and KNOWS_MORE in (seat.closed, seat.closing)
    ]
    assert seats, "R-37: it is asked when a seat is doubted"
    if named:
        yield alarm("devices_know_more", "registro", "R-37", _BEHIND, seats=", ".join(named))


def _alarms(table: Table) -> Iterator[Alarm]:
    """What is unexplained, closed, or owed to a player."""
    name = table.name.removeprefix(TRAINING)
    assert table.seats, "R-7: a table has seats"
    if table.suspense:
        hidden = "En la mesa {table} hay {amount} sin explicar."
        yield alarm("unexplained", name, "R-27", hidden, table=name, amount=abs(table.suspense))
    for seat in table.seats:
        yield from _alarms_of_seat(name, seat)


def _alarms_of_seat(table: str, seat: Seat) -> Iterator[Alarm]:
    where, number = f"{table}/{seat.number}", seat.number
    assert number > 0, "R-7: seats are numbered from 1"
    if seat.out_of_play:
        why = seat.closed or seat.closing
        shut = "Mesa {table}, posición {seat}: cerrada ({why})."
        yield alarm("seat_closed", where, "R-6", shut, table=table, seat=number, why=why)
    if seat.doubted:
        doubted = "Mesa {table}, posición {seat}: no se le cree a su aceptor; cuéntenla dos personas (contar)."
        yield alarm("seat_doubted", where, "R-37", doubted, table=table, seat=number)
    if seat.owed and seat.over:
        told = "Mesa {table}, posición {seat}: devolver {amount} al jugador, con aviso a un jefe."
        yield alarm("chips_owed_told", where, "R-4", told, table=table, seat=number, amount=seat.owed)
    elif seat.owed:
        owed = "Mesa {table}, posición {seat}: devolver {amount} al jugador."
        yield alarm("chips_owed", where, "R-4", owed, table=table, seat=number, amount=seat.owed)
    if seat.unsigned:
        void = "Mesa {table}, posición {seat}: anulación por firmar, {amount} (un jefe: firmar)."
        yield alarm("void_unsigned", where, "R-36", void, table=table, seat=number, amount=seat.unsigned)
