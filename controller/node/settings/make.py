"""From what the file says of a unit to what its driver needs, with what the plan says of every bet (R-3).

Theory. Credit, limits and chips are the pot's, so here is the only place where a form and a plan meet. First the
mistakes that only show when they meet, then the settings; a unit with a mistake is not made. A unit hears anew what
it runs on whenever any value changed: the generation is a number made of all of them.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from controller.node.settings.plans import PlanRead
from controller.node.settings.units import MOST_BUTTONS, NativeForm, SeenBy, SlotForm, UnitForm, UnitKind
from controller.node.vocabulary.places import LineKind, LinePlace, UnitKey, UnitPlace
from controller.rules.document import DocumentError
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.native.contract import SeatMode, UnitClass, UnitParity
from drivers.native.settings import BEATS_PER_TIMEOUT, UnitSettings
from drivers.native.writes import Config
from drivers.session import MILLISECOND

USUAL_BEAT, USUAL_TIMEOUT, USUAL_CONFIRM = 300, 1500, 1000  # ms
_USUAL_BUTTONS = (1, 2, 5, 10)
_WORD = 65_535
# A seat that takes its bets otherwise would be booked as what it is not.
_MODES = {UnitKind.ELECTRONIC: SeatMode.BUTTONS, UnitKind.TABLE: SeatMode.BUTTONS, UnitKind.CHIP_SLOT: SeatMode.CHIPS}
_PARITIES = {"N": UnitParity.NONE, "E": UnitParity.EVEN, "O": UnitParity.ODD}


def bet_troubles(form: UnitForm, read: PlanRead) -> Iterator[DocumentError]:
    """R-2, R-3, R-4: no button and no chip may make a bet that the pot does not take."""
    least, most = _credits(read)
    pot = read.plan.name
    if isinstance(form.made, DocumentError):
        yield form.made
    if most > _WORD or read.plan.limits.credit_value >= 2**32:
        yield form.sheet.wrong("kind", "R-3", f"los límites del pozo {pot} no caben en los registros de un aparato")
    for key, button, words in _buttons(form):
        if not least <= button <= most:
            what = f"el pozo {pot} toma de {least} a {most} créditos; {words} de {button} no serviría nunca"
            yield form.sheet.wrong(key, "R-3", what)
    for key, chip, words in _chips(form):
        if chip > most:
            what = f"el pozo {pot} toma a lo más {most} créditos; {words}, de {chip}, no se podría apostar"
            yield form.sheet.wrong(key, "R-4", what)


def _buttons(form: UnitForm) -> Iterator[tuple[str, int, str]]:
    """Key, credits, and how a person calls it."""
    match form.made:
        case NativeForm(buttons=buttons):
            yield from (("buttons", button, "un botón") for button in buttons)
        case IoMap(seats=seats):
            for seat in seats:
                yield from (("map", button.credits, f"el botón del puesto {seat.seat}") for button in seat.buttons)


def _chips(form: UnitForm) -> Iterator[tuple[str, int, str]]:
    match form.made:
        case NativeForm(chip_credits=chip) if form.kind is UnitKind.CHIP_SLOT:
            yield "chip_credits", chip, "una ficha"
        case SlotForm(channels=channels):
            yield from (("channel", one.credits, f"la ficha del canal {one.number}") for one in channels)


def units_of(form: UnitForm, read: PlanRead, line: LinePlace) -> list[UnitPlace]:
    return [
        UnitPlace(
            key=UnitKey(form.line, number),
            table=form.table,
            seats=form.seats_of(number),
            made=_made(form, number, read, line),
            chip_worth=form.made.chip_credits if isinstance(form.made, NativeForm) else 1,
            lamps_seen_by_croupier=form.seen_by is SeenBy.CROUPIER,
            limits=read.plan.limits if form.seats_of(number) else None,
        )
        for number in form.numbers
    ]


def _made(form: UnitForm, number: int, read: PlanRead, line: LinePlace) -> UnitSettings | AcceptorSettings | IoMap:
    match form.made:
        case NativeForm() as native:
            return _native(form, native, number, read, line)
        case SlotForm() as slot:
            return AcceptorSettings(
                unit=number,
                seat=form.seats_of(number)[0],
                channels=slot.channels,
                most=_credits(read)[1],
                address=number,
                checksum=slot.checksum,
                lamp=slot.lamp,
                accepted_total_persistent=slot.persistent,
                category=slot.category,
                poll=slot.poll * MILLISECOND,
                gate=slot.gate * MILLISECOND,
            )
        case IoMap() as made:
            return made
        case clash:
            raise AssertionError(f"refused before: {clash}")


def _native(form: UnitForm, native: NativeForm, number: int, read: PlanRead, line: LinePlace) -> UnitSettings:
    least, most = _credits(read)
    buttons = native.buttons or tuple(size for size in _USUAL_BUTTONS if least <= size <= most) or (least,)
    padded = (*buttons, *[0] * MOST_BUTTONS)
    first = (form.seats_of(number) or (1,))[0]
    config = Config(
        credit_value=read.plan.limits.credit_value,
        least=least,
        most=most,
        buttons=(padded[0], padded[1], padded[2], padded[3]),
        chip_credits=native.chip_credits,
        debounce=native.debounce,
        hold=native.hold,
        confirm_timeout=native.confirm or USUAL_CONFIRM,
        lamp_least=native.lamp_least,
        lamp_most=native.lamp_most,
        settle=native.settle,
        gate=native.gate,
        unit=number,
        first_seat=first,
    )
    if line.kind is LineKind.RTU:
        port = line.port
        config = replace(config, baud=port.baud, parity=_PARITIES[port.parity], stop_bits=port.stop)
    made = UnitSettings(
        number=number, unit_class=UnitClass[form.kind.name], seats=max(form.seats, 1), first_seat=first, config=config,
        mode=_MODES.get(form.kind),
    )  # fmt: skip
    return timed(made, native, USUAL_BEAT, USUAL_TIMEOUT)


def timed(made: UnitSettings, native: NativeForm, beat: int, timeout: int) -> UnitSettings:
    """With these times in ms, where the file does not say others."""
    timeout = native.host_timeout or max(timeout, BEATS_PER_TIMEOUT * (native.beat or 0))
    beat = native.beat or min(beat, timeout // BEATS_PER_TIMEOUT)
    config = _numbered(replace(made.config, host_timeout=timeout))
    return replace(made, beat=beat * MILLISECOND, config=config)


def patient(made: UnitSettings, confirm: int) -> UnitSettings:
    """It waits so many ms for its bet to be booked."""
    return replace(made, config=_numbered(replace(made.config, confirm_timeout=confirm)))


def _numbered(config: Config) -> Config:
    """Its generation is 1 to 65535; another one for other values, as far as so few numbers go."""
    words = replace(config, generation=1).encode()
    digest = hashlib.sha256(repr(list(words)).encode()).digest()
    return replace(config, generation=int.from_bytes(digest[:8]) % _WORD + 1)


def _credits(read: PlanRead) -> tuple[int, int]:
    """The least and the most of one bet, in credits."""
    limits = read.plan.limits
    assert not (limits.least % limits.credit_value or limits.most % limits.credit_value), "R-1: whole credits"
    return limits.least // limits.credit_value, limits.most // limits.credit_value
