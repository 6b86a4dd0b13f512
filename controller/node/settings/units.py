"""The devices of a table, as [[table.unit]] says them: what stands where, and how each is asked.

Theory. A form holds what the file says of one entry, checked by itself; `count` equal devices are one entry with
numbers and seats counting up. What a bet may be comes from the plan later (R-3), so a form becomes driver settings only
in `settings_make`. Times have the defaults of the device contract; who changes none has an installation that works.
"""

from dataclasses import dataclass
from enum import StrEnum

from controller.node.settings.maps import read_map
from controller.node.settings.sheet import HERE, Sheet
from controller.rules.document import DocumentError
from drivers.cctalk.frames import Checksum
from drivers.cctalk.settings import CHANNELS, Channel
from drivers.io_module.map import IoMap
from drivers.native.contract import MOST_SEATS
from drivers.native.settings import BEATS_PER_TIMEOUT

LAST_SEAT, LAST_UNIT = 99, 247
MOST_BUTTONS = 4


class UnitKind(StrEnum):
    ELECTRONIC = "electronic"
    CHIP_SLOT = "chip_slot"
    TABLE = "table"
    CONSOLE = "console"
    COUNTER = "counter"
    IO = "io"
    CCTALK = "cctalk"


class SeenBy(StrEnum):
    """R-6: who says that the lamp is lit."""

    SENSOR = "sensor"
    CROUPIER = "croupier"


_SEATED = {UnitKind.ELECTRONIC, UnitKind.CHIP_SLOT, UnitKind.TABLE}
LONGEST_CONFIRM = 10_000  # ms
_OF_SLOTS = {"chip_credits", "gate_ms"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeForm:
    """What a unit of our own contract runs on (devices.md 2.3 C), as far as the plan does not say it. Times in ms."""

    buttons: tuple[int, ...] = ()  # empty: the usual ones that the limits allow
    chip_credits: int = 1
    debounce: int = 30
    host_timeout: int | None = None  # `None`: what the line allows
    hold: int = 30  # s
    confirm: int | None = None  # `None`: what the line allows
    lamp_least: int = 10  # mA
    lamp_most: int = 30
    settle: int = 30
    gate: int = 300
    beat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotForm:
    """A ccTalk acceptor."""

    channels: tuple[Channel, ...]
    checksum: Checksum
    lamp: int
    poll: int
    gate: int
    category: str
    persistent: bool


@dataclass(frozen=True, slots=True)
class UnitForm:
    sheet: Sheet
    table: str
    kind: UnitKind
    line: str
    number: int
    count: int
    first_seat: int  # 0: it has none
    seats: int  # of each
    seen_by: SeenBy
    made: NativeForm | SlotForm | IoMap | DocumentError

    @property
    def numbers(self) -> range:
        return range(self.number, self.number + self.count)

    def seats_of(self, number: int) -> tuple[int, ...]:
        if isinstance(self.made, IoMap):
            return self.made.table_seats
        first = self.first_seat + (number - self.number) * self.seats
        return tuple(range(first, first + self.seats)) if self.first_seat else ()

    @property
    def all_seats(self) -> tuple[int, ...]:
        return tuple(seat for number in self.numbers for seat in self.seats_of(number))

    @property
    def is_console(self) -> bool:
        return self.made.has_console if isinstance(self.made, IoMap) else self.kind is UnitKind.CONSOLE


def read_unit(sheet: Sheet, table: str) -> UnitForm:
    kind = sheet.choice("kind", HERE, UnitKind)
    line = sheet.text("line", HERE)
    number = sheet.whole("number", HERE, 2 if kind is UnitKind.CCTALK else 1, LAST_UNIT)
    has_seats = kind in _SEATED or kind is UnitKind.CCTALK
    seat = sheet.whole("seat", "R-7", 1, LAST_SEAT) if has_seats else 0
    count = sheet.whole_or("count", 1, 1, 32) if has_seats and kind is not UnitKind.TABLE else 1
    seats = sheet.whole("seats", "R-7", 1, MOST_SEATS) if kind is UnitKind.TABLE else int(has_seats)
    if number + count - 1 > LAST_UNIT:
        fit = LAST_UNIT + 1 - number
        sheet.refuse("count", HERE, f"desde el número {number} caben {fit}; el último es {LAST_UNIT}")
    made: NativeForm | SlotForm | IoMap | DocumentError
    if kind is UnitKind.IO:
        made = read_map(sheet.section("map", HERE), number)
    else:
        made = _slot(sheet) if kind is UnitKind.CCTALK else _native(sheet, kind)
    seen_by = _seen_by(sheet, kind) if has_seats else SeenBy.SENSOR
    sheet.close()
    return UnitForm(sheet, table, kind, line, number, count, seat, seats, seen_by, made)


def _seen_by(sheet: Sheet, kind: UnitKind) -> SeenBy:
    usual = SeenBy.CROUPIER if kind is UnitKind.CCTALK else SeenBy.SENSOR
    seen_by = sheet.choice_or("lamps_seen_by", SeenBy, usual, "R-6")
    if kind is UnitKind.CCTALK and seen_by is SeenBy.SENSOR:
        sheet.refuse("lamps_seen_by", "R-6", "un aceptor ccTalk no puede decir si su lámpara luce; debe ser croupier")
    if kind is not UnitKind.CCTALK and seen_by is SeenBy.CROUPIER:
        sheet.refuse("lamps_seen_by", "R-6", f"un aparato {kind} mide si su lámpara luce; debe ser sensor")
    return seen_by


def _native(sheet: Sheet, kind: UnitKind) -> NativeForm:
    usual = NativeForm()
    buttons = kind in {UnitKind.ELECTRONIC, UnitKind.TABLE} and sheet.has("buttons")
    chips = kind is UnitKind.CHIP_SLOT
    seated = kind in _SEATED
    of_slots = next((key for key in sheet.names() if key in _OF_SLOTS), None) if kind is UnitKind.TABLE else None
    if of_slots is not None:  # credits and chips are booked in other ways, so one unit has seats of one kind
        what = "los puestos de una unidad table son de botones; el que tiene ranura de fichas es una unidad chip_slot"
        sheet.refuse(of_slots, "R-2", what)
    made = NativeForm(
        buttons=sheet.wholes("buttons", "R-2", 1, 65_535, MOST_BUTTONS) if buttons else (),
        chip_credits=sheet.whole_or("chip_credits", usual.chip_credits, 1, 65_535, "R-2") if chips else 1,
        debounce=sheet.whole_or("debounce_ms", usual.debounce, 5, 500) if seated else usual.debounce,
        host_timeout=sheet.maybe_whole("host_timeout_ms", 300, 5000),
        hold=sheet.whole_or("hold_s", usual.hold, 0, 600) if seated else usual.hold,
        confirm=sheet.maybe_whole("confirm_ms", 100, LONGEST_CONFIRM) if seated else None,
        lamp_least=sheet.whole_or("lamp_min_ma", usual.lamp_least, 1, 5000, "R-6") if seated else usual.lamp_least,
        lamp_most=sheet.whole_or("lamp_max_ma", usual.lamp_most, 1, 5000, "R-6") if seated else usual.lamp_most,
        settle=sheet.whole_or("lamp_settle_ms", usual.settle, 1, 1000) if seated else usual.settle,
        gate=sheet.whole_or("gate_ms", usual.gate, 10, 2000) if chips else usual.gate,
        beat=sheet.maybe_whole("beat_ms", 20, 1600),
    )
    if made.lamp_least > made.lamp_most:
        sheet.refuse("lamp_min_ma", "R-6", f"{made.lamp_least} mA está sobre lamp_max_ma, {made.lamp_most} mA")
    if made.beat and made.host_timeout and made.beat * BEATS_PER_TIMEOUT > made.host_timeout:
        sheet.refuse(
            "beat_ms", HERE,
            f"en host_timeout_ms, {made.host_timeout}, deben caber {BEATS_PER_TIMEOUT} latidos:"
            f" a lo más {made.host_timeout // BEATS_PER_TIMEOUT}, no {made.beat}",
        )  # fmt: skip
    return made


def _slot(sheet: Sheet) -> SlotForm:
    channels: list[Channel] = []
    for row in sheet.sheets("channel", "R-2"):
        number = row.whole("number", "R-2", 1, CHANNELS)
        if any(number == one.number for one in channels):
            row.refuse("number", "R-2", f"el canal {number} está dos veces")
        worth = row.whole("credits", "R-2", 1, 65_535)
        coin = row.text_or("coin", "")
        if len(coin) > 6 or not coin.isascii():
            row.refuse("coin", HERE, f"debe ser el nombre de 6 letras que da el aceptor (CL500A), no {coin}")
        row.close()
        channels.append(Channel(number, worth, coin))
    if not channels:
        sheet.refuse("channel", "R-2", "falta al menos un [[table.unit.channel]] con number y credits de cada ficha")
    return SlotForm(
        channels=tuple(channels),
        checksum=sheet.choice_or("checksum", Checksum, Checksum.SUM),
        lamp=sheet.whole_or("lamp", 1, 1, 8, "R-6"),
        poll=sheet.whole_or("poll_ms", 200, 20, 330),
        gate=sheet.whole_or("gate_ms", 300, 10, 2000),
        category=sheet.text_or("category", "Coin Acceptor"),
        persistent=sheet.flag_or("accepted_total_persistent", default=False),
    )
