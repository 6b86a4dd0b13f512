"""The driver of a plain serial text sign: it shows the line it was sent last and says nothing.

What stands around the text (clear, home, end of line) is in the format of the settings. Rules as for every sign: the
newest value wins, a text is never cut, all is sent again every few seconds because this sign cannot be asked whether it
was switched off.
"""

from dataclasses import dataclass

from drivers.line.news import News
from drivers.model import DeviceEvent, SignState
from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs.letters import Unwritable, filled, parts

ENCODINGS = frozenset({"ascii", "latin-1", "cp437", "cp850", "cp1252"})
FIELDS = frozenset({"amount", "increment"})
MOST_EVENTS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSignSettings:
    number: int
    format: str = "{amount}\r"
    prize_format: str = "{prize}\r"
    encoding: str = "ascii"
    width: int = 16  # letters it shows
    baud: int = 9600
    bits: int = 10
    gap: Micros = 100 * MILLISECOND  # between two lines
    rewrite: Micros = 10 * SECOND

    def wire(self, size: int) -> Micros:
        return -(-size * self.bits * SECOND // self.baud)


def text_sign_problem(settings: TextSignSettings, greatest_amount: str, greatest_increment: str) -> str | None:
    """One sentence for the person who configures it."""
    name = f"sign {settings.number}"
    if settings.encoding not in ENCODINGS:
        return f"{name}: encoding {settings.encoding!r} is none of {', '.join(sorted(ENCODINGS))}"
    for layout, known, needed in ((settings.format, FIELDS, "amount"), (settings.prize_format, {"prize"}, "prize")):
        found = parts(layout, known, needed)
        if isinstance(found, Unwritable):
            return f"{name}: format {layout!r}: {found.reason}"
    line = _line(settings, settings.format, amount=greatest_amount, increment=greatest_increment)
    return f"{name}: {line.reason}" if isinstance(line, Unwritable) else None


def _line(settings: TextSignSettings, form: str, **texts: str) -> tuple[str, bytes] | Unwritable:
    """What a person reads, and the bytes for it."""
    for text in texts.values():
        if not text.isprintable():
            return Unwritable(f"{text!r} is not only letters")
    line = filled(form, texts)
    read = "".join(letter for letter in line if letter.isprintable()).strip()
    if len(read) > settings.width:
        return Unwritable(f"it shows {settings.width} letters; {read!r} needs {len(read)}")
    try:
        return read, line.encode(settings.encoding)
    except UnicodeEncodeError as error:
        return Unwritable(f"the sign has no letter {line[error.start]!r}")


class TextSign:
    def __init__(self, settings: TextSignSettings) -> None:
        self.settings = settings
        self._pot: tuple[str, bytes] | None = None
        self._prize: tuple[str, bytes] | None = None
        self._sent: tuple[str, bytes] | None = None
        self._free: Micros = 0
        self._again: Micros = 0
        self._up = False
        self._out = b""
        self._news = News(settings.number, most=MOST_EVENTS)

    # What the owner wants.

    def show(self, amount: str, increment: str = "") -> Unwritable | None:
        line = _line(self.settings, self.settings.format, amount=amount, increment=increment)
        if isinstance(line, Unwritable):
            return line
        self._pot = line
        return None

    def prize(self, text: str) -> Unwritable | None:
        line = _line(self.settings, self.settings.prize_format, prize=text)
        if isinstance(line, Unwritable):
            return line
        self._prize = line
        return None

    def end_prize(self) -> None:
        self._prize = None

    def renew(self) -> None:
        """Its line again, now."""
        self._sent = None
        self._news.say_anew()

    @property
    def _wanted(self) -> tuple[str, bytes] | None:
        return self._prize or self._pot

    # The five verbs.

    def receive(self, data: bytes, now: Micros) -> None:
        """It has nothing to say; what comes is noise or our own echo."""

    def to_send(self, now: Micros) -> bytes:  # noqa: ARG002  (what is due has been written by `tick`)
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        if not self._up or self._wanted is None:
            return None
        return self._free if self._wanted != self._sent else self._again

    def tick(self, now: Micros) -> None:
        due, wanted = self.deadline(), self._wanted
        if due is None or wanted is None or now < due:
            return
        self._sent = wanted
        self._out += wanted[1]
        self._free = now + self.settings.wire(len(wanted[1])) + self.settings.gap
        self._again = max(self._free, now + self.settings.rewrite)
        self._news.sign(SignState.WRITTEN, wanted[0])

    # What a session adds to them.

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def line_up(self, now: Micros) -> None:
        self._up, self._sent = True, None
        self._free = now

    def line_down(self, now: Micros) -> None:  # noqa: ARG002
        self._up, self._out = False, b""
        self._news.sign(SignState.DOWN, "")
