"""The driver of a Modbus text or digit panel, as a unit that takes turns on a bus.

A panel is rows: an address, a width, one or two letters to a word. What stands in a row is what was written whole and,
where the panel can be read, read back equal; everything is written again after silence, after a difference, and every
minute. A panel too narrow for the pot is found when it is configured (`panel_problem`), and a text that does not fit is
refused: a digit that is not there is a wrong amount (1.5).
"""

from dataclasses import dataclass

from drivers.line.failures import Failure
from drivers.line.news import News
from drivers.modbus.pdu import MOST_WRITTEN, Answer, Denied, ReadWords, Words, WriteWords, Written
from drivers.modbus.turn import BROADCAST_WORDS, Ask
from drivers.model import DeviceEvent, SignState
from drivers.session import SECOND, Micros
from drivers.signs.amount import PLAIN, AmountForm
from drivers.signs.letters import Unwritable

DIGITS = frozenset("0123456789 -")
MOST_EVENTS = 16
REFUSED = "panel_refused"  # it is there and takes or gives no such registers: the map is another panel's
PATIENCE = 3  # this many failures running are a dead panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    address: int
    width: int  # letters
    per_word: int = 1  # letters in a word; two: the first in the high byte

    def __post_init__(self) -> None:
        assert 0 <= self.address <= 0xFFFF and self.width > 0 and self.per_word in {1, 2}
        assert self.words <= MOST_WRITTEN, "a row is written in one exchange"

    @property
    def words(self) -> int:
        return -(-self.width // self.per_word)

    def encode(self, text: str) -> tuple[int, ...]:
        """On the right, so that the old digits are gone."""
        data = text.rjust(self.width).ljust(self.words * self.per_word).encode("ascii")
        if self.per_word == 1:
            return tuple(data)
        return tuple(high << 8 | low for high, low in zip(data[::2], data[1::2], strict=True))

    def decode(self, words: tuple[int, ...]) -> str:
        parts = words if self.per_word == 1 else tuple(part for word in words for part in (word >> 8, word & 0xFF))
        return "".join(chr(part) if 0x20 <= part < 0x7F else "?" for part in parts[: self.width]).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    number: int
    amount: Row
    increment: Row | None = None
    digits_only: bool = False
    form: AmountForm = PLAIN
    reads: bool = True
    check: Micros = 10 * SECOND
    rewrite: Micros = 60 * SECOND
    retry: Micros = 5 * SECOND

    @property
    def rows(self) -> tuple[Row, ...]:
        return (self.amount,) if self.increment is None else (self.amount, self.increment)


def text_panel(number: int, width: int = 16, *, reads: bool = False) -> PanelSettings:
    """An EmbeddedArt card: line 1 at 1000, line 2 at 2000, two letters to a word; nothing says it can be read."""
    rows = [Row(address=address, width=width, per_word=2) for address in (1000, 2000)]
    return PanelSettings(number=number, amount=rows[0], increment=rows[1], form=AmountForm(), reads=reads)


def digit_panel(number: int, width: int = 6) -> PanelSettings:
    """A DM36 or DM56: one digit to a register, from 0 on."""
    return PanelSettings(number=number, amount=Row(address=0, width=width), digits_only=True)


def panel_problem(settings: PanelSettings, greatest_amount: int) -> str | None:
    """One sentence: which panel, how wide it is, and what the pot may come to."""
    rows = settings.rows
    places = [place for row in rows for place in range(row.address, row.address + row.words)]
    if len(set(places)) < len(places):
        return f"panel {settings.number}: its two rows share registers"
    text = settings.form.text(greatest_amount)
    if any(place in BROADCAST_WORDS for place in places):
        register = BROADCAST_WORDS.start
        return f"panel {settings.number}: a row covers register {register}, and the broadcast lock would overwrite it"
    for row in rows:
        refusal = _fits(settings, row, text)
        if refusal is not None:
            return f"panel {settings.number} is too narrow for this pot: {refusal.reason}"
    return None


def _fits(settings: PanelSettings, row: Row, text: str) -> Unwritable | None:
    for letter in text:
        if not " " <= letter <= "~" or (settings.digits_only and letter not in DIGITS):
            return Unwritable(f"{text!r} has {letter!r}, which the panel cannot show")
    if len(text) > row.width:
        return Unwritable(f"a row of {row.width} and {text!r} needs {len(text)}")
    return None


class Panel:
    """A `LineUnit`."""

    broadcast_lock = None

    def __init__(self, settings: PanelSettings) -> None:
        self.settings = settings
        self.number = settings.number
        self._pot: tuple[str, ...] | None = None
        self._prize: tuple[str, ...] | None = None
        self._has: dict[Row, str] = {}
        self._unproven: list[Row] = []
        self._renewed = False  # its owner wants every row written anew
        self._failures = 0
        self._after: Micros = 0  # not before
        self._rewrite_at: Micros = 0
        self._check_at: Micros | None = None
        self._up = False
        self._refused = False  # and said so
        self._news = News(settings.number, most=MOST_EVENTS)

    # What the owner wants.

    def show(self, amount: str, increment: str = "") -> Unwritable | None:
        texts = (amount, increment)[: len(self.settings.rows)]
        for row, text in zip(self.settings.rows, texts, strict=True):
            refusal = _fits(self.settings, row, text)
            if refusal is not None:
                return refusal
        self._pot = texts
        return None

    def prize(self, text: str) -> Unwritable | None:
        """In the first row; the increment is dark until `end_prize`. A panel of digits has no words."""
        refusal = _fits(self.settings, self.settings.amount, text)
        if refusal is None:
            self._prize = (text, "")[: len(self.settings.rows)]
        return refusal

    def end_prize(self) -> None:
        self._prize = None

    def renew(self) -> None:
        """Every row at once, also to a panel that was given up a moment ago; what it then says is news."""
        self._renewed = True
        self._news.say_anew()

    # Its turns.

    def lock(self) -> None:
        """A panel takes no bets."""

    def lock_was_broadcast(self) -> None:
        """It does not hear it."""

    def due(self) -> Micros | None:
        if not self._up or self._wanted() is None:
            return None
        if self._renewed:
            return 0
        if self._missing() or self._unproven:
            return self._after
        times = [self._rewrite_at] if self._check_at is None else [self._rewrite_at, self._check_at]
        return max(self._after, min(times))

    def urgent(self) -> bool:
        return False

    def unfinished(self) -> bool:
        return False

    def next_ask(self, now: Micros) -> Ask | None:
        due = self.due()
        if due is None or due > now:
            return None
        if self._renewed or now >= self._rewrite_at:
            self._renewed = False
            self._has.clear()
            self._unproven.clear()
        if self._check_at is not None and now >= self._check_at:
            self._unproven, self._check_at = [row for row in self.settings.rows if row in self._has], None
        missing = self._missing()
        if missing and not self._unproven:
            row, text = missing[0]
            return Ask(self.number, WriteWords(row.address, row.encode(text)), (row, text))
        row = self._unproven[0]
        return Ask(self.number, ReadWords(row.address, row.words), row)

    def taken(self, ask: Ask, answer: Answer, now: Micros) -> bool:
        self._failures = 0
        match answer:
            case Written():
                assert isinstance(ask.mark, tuple), "a row and its text were written"
                row, text = ask.mark
                self._written(row, text, now)
            case Words(words):
                assert isinstance(ask.mark, Row), "a row was read"
                self._read(ask.mark, words, now)
            case Denied(code):
                self._lost(now)
                if not self._refused:
                    self._refused = True
                    detail = f"exception {code} to {type(ask.request).__name__} at {ask.request.address}"
                    self._news.alarm(0, REFUSED, detail)
                self._news.sign(SignState.DOWN, "")
            case _:
                return False
        return True

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:  # noqa: ARG002
        self._failures += 1
        if self._failures == PATIENCE or failure is Failure.LINE_DOWN:
            self._lost(now)
            self._news.sign(SignState.DOWN, "")

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def line_up(self, now: Micros) -> None:
        self._up, self._failures = True, 0
        self._has.clear()
        self._unproven.clear()
        self._after, self._rewrite_at = now, now

    def line_down(self, now: Micros) -> None:  # noqa: ARG002
        self._up = False
        self._news.sign(SignState.DOWN, "")

    # What became of it.

    def _wanted(self) -> tuple[str, ...] | None:
        return self._prize or self._pot

    def _missing(self) -> list[tuple[Row, str]]:
        wanted = self._wanted()
        assert wanted is not None, "something is to be shown"
        return [(row, text) for row, text in zip(self.settings.rows, wanted, strict=True) if self._has.get(row) != text]

    def _written(self, row: Row, text: str, now: Micros) -> None:
        self._refused = False
        if not self._has:
            self._rewrite_at = now + self.settings.rewrite
        self._has[row] = text
        if self.settings.reads:
            self._unproven.append(row)
        elif len(self._has) == len(self.settings.rows):
            self._news.sign(SignState.WRITTEN, self._showing())

    def _read(self, row: Row, words: tuple[int, ...], now: Micros) -> None:
        shows = row.decode(words)
        self._unproven.remove(row)
        if words != row.encode(self._has.get(row, "")):
            self._has.pop(row, None)
            self._news.sign(SignState.DIFFERS, shows)
        elif not self._unproven and len(self._has) == len(self.settings.rows):
            self._check_at = now + self.settings.check
            self._news.sign(SignState.PROVEN, self._showing())

    def _lost(self, now: Micros) -> None:
        self._has.clear()
        self._unproven.clear()
        self._after = now + self.settings.retry

    def _showing(self) -> str:
        return " ".join(text for row in self.settings.rows if (text := self._has.get(row, "")))
