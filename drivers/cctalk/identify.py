"""Who answers at this address: the questions of a start, and whether the answers are those of a device we may drive.

Nothing is changed in the device. No answer says which question it answers; so neighbours ask for answers of other
sizes. What noise could have made up is asked in a second round, and counts when both say the same: a serial number that
the books do not know (one struck frame in 256 passes its check), silence to the question for encryption (111), and,
before a device is refused, whatever speaks against it. What noise cannot make up is heard once: a number that the books
know, the category and the names of the coins when they are those that we want. Texts for people decide nothing.

Silence to a question that not every acceptor knows is an answer too, but only silence: bytes that make no sense
are asked for again. To 111 it is believed when the device answered its neighbours in both rounds. A device that was
driven before was asked then, and is not asked again unless it calls itself otherwise since, as after another program
was put into it: one that now demanded encryption would stay silent to the core questions and be refused by that (1.2).
One that declares it is refused, whatever else it can do: we have no keys.

Later too, a question that failed twice running is followed by one that every device answers (254). A device that does
not answer that either is silent; one that answers it, and still not the question, refuses: it has a PIN set, or never
knew the question (protected commands stay silent).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from drivers.cctalk.frames import Header
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.turn import MOST_TEXT, LineAsk
from drivers.line.failures import Failure
from drivers.model import Down

_TEXT = range(1, MOST_TEXT + 1)
_COIN_ID = range(6, 7)
_DECLARATION = range(5, MOST_TEXT + 1)
_ENCRYPTION_SIGNATURE = bytes((170, 85, 0, 0, 85, 170))
_FEW = 4  # tries of a question that not every device answers, when something came back
_MAKE = (Header.MANUFACTURER, Header.PRODUCT, Header.SOFTWARE)
_SERIAL = LineAsk(Header.SERIAL, sizes=range(3, 4))
_CATEGORY = LineAsk(Header.CATEGORY, sizes=_TEXT)
_ENCRYPTION = LineAsk(Header.ENCRYPTION_SUPPORT, _ENCRYPTION_SIGNATURE, _DECLARATION)


@dataclass(frozen=True, slots=True)
class IdentityStep:
    ask: LineAsk
    silence: Down | None = None  # what it means when others are answered; `None`: an old device, go on
    tries: int = 2  # in vain, before an old device is believed to be one


@dataclass(frozen=True, slots=True)
class AcceptorRefusal:
    reason: Down
    detail: str


@dataclass(frozen=True, slots=True)
class Makings:
    """What a device calls itself; another program in the same box has another name."""

    serial: int
    texts: tuple[str, ...]


class Identification:
    def __init__(self, settings: AcceptorSettings, knows: Callable[[int], bool], driven: Makings | None) -> None:
        self._settings = settings
        self._knows = knows
        self._driven = driven
        self._begin()

    def _begin(self) -> None:
        self.answers: dict[tuple[Header, bytes], bytes] = {}
        self._first: dict[tuple[Header, bytes], bytes] | None = None  # what the round before said
        self._stranger = False
        self._steps: Iterator[IdentityStep] = self._all()
        self.step = next(self._steps, None)  # `None`: everything is asked

    def _all(self) -> Iterator[IdentityStep]:
        yield IdentityStep(_SERIAL, Down.NOT_NATIVE)
        yield IdentityStep(_CATEGORY, Down.NOT_NATIVE)
        self._stranger = not self._knows(self.serial)
        if self._stranger:
            yield IdentityStep(_ENCRYPTION, tries=1)
        for header in _MAKE:
            yield IdentityStep(LineAsk(header, sizes=_TEXT))
        if not self._stranger and self._is_remade():
            self._stranger = True
            yield IdentityStep(_ENCRYPTION, tries=1)
        yield from self._coins()

    def _is_remade(self) -> bool:
        return self._driven is not None and self._driven.serial == self.serial and self._driven != self.makings

    def _again(self) -> Iterator[IdentityStep]:
        """What decides, once more."""
        yield IdentityStep(_SERIAL, Down.NOT_NATIVE)
        if self.refusal() is not None:
            yield IdentityStep(_CATEGORY, Down.NOT_NATIVE)
            yield from self._coins()
        if self._stranger:
            yield IdentityStep(_ENCRYPTION, tries=1)

    def _coins(self) -> Iterator[IdentityStep]:
        for channel in self._settings.channels:
            if channel.coin_id:
                yield IdentityStep(LineAsk(Header.COIN_ID, bytes((channel.number,)), _COIN_ID), Down.CONFIG_REFUSED)

    def taken(self, ask: LineAsk, data: bytes) -> None:
        self.answers[ask.header, ask.data] = data
        self._go_on()

    def gives_up(self, failure: Failure, missed: int) -> Down | None:
        """The question of this step failed so often. Why the device is refused for it, if it is."""
        step = self.step
        assert step is not None, "it was asked"
        if step.silence is not None:
            return step.silence if missed >= self._settings.secrecy else None
        if missed >= (step.tries if failure is Failure.SILENT else _FEW):
            self.answers.pop((step.ask.header, step.ask.data), None)
            self._go_on()
        return None

    def _go_on(self) -> None:
        self.step = next(self._steps, None)
        if self.step is not None:
            return
        if self._first is None:
            if self._stranger or self.refusal() is not None:
                self._first = dict(self.answers)
                self._steps = self._again()
                self.step = next(self._steps)
        elif self._first != self.answers:
            self._begin()

    @property
    def serial(self) -> int:
        return int.from_bytes(self.answers[Header.SERIAL, b""], "little")

    @property
    def makings(self) -> Makings:
        return Makings(self.serial, tuple(self._text(header) for header in _MAKE))

    @property
    def product(self) -> str:
        return " ".join(part for part in (self._text(Header.MANUFACTURER), self._text(Header.PRODUCT)) if part)

    @property
    def firmware(self) -> int:
        """The number in whatever the maker calls a version."""
        digits = "".join(letter for letter in self._text(Header.SOFTWARE) if letter in "0123456789")
        return int(digits[:9] or "0")

    def refusal(self) -> AcceptorRefusal | None:
        category = self._text(Header.CATEGORY)
        if category.casefold() != self._settings.category.casefold():
            return AcceptorRefusal(Down.WRONG_CLASS, f"a {category!r}, not a {self._settings.category!r}")
        if any(self.answers.get((Header.ENCRYPTION_SUPPORT, _ENCRYPTION_SIGNATURE), b"")[:2]):
            return AcceptorRefusal(Down.DEMANDS_SECRETS, "it declares encryption (111)")
        for channel in self._settings.channels:
            found = self._text(Header.COIN_ID, bytes((channel.number,)))
            if channel.coin_id and found != channel.coin_id:
                return AcceptorRefusal(
                    Down.CONFIG_REFUSED, f"channel {channel.number} is {found!r}, not {channel.coin_id!r}"
                )
        return None

    def _text(self, header: Header, data: bytes = b"") -> str:
        letters = self.answers.get((header, data), b"").decode("latin-1")
        return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in letters).strip()


_RETRIES = 2


class Silences:
    """When silence is a device that is gone, and when it is one that will not answer one question."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._row = 0
        self._missed: dict[Header, int] = {}
        self.probing = False

    def answered(self, ask: LineAsk) -> None:
        self._row = 0
        if ask.header is Header.SIMPLE_POLL:
            self.probing = False
        else:
            self._missed.pop(ask.header, None)

    def failed(self, ask: LineAsk) -> None:
        self._row += 1
        if ask.header is not Header.SIMPLE_POLL:
            self._missed[ask.header] = self._missed.get(ask.header, 0) + 1
            self.probing = self.probing or self._missed[ask.header] >= _RETRIES

    def missed(self, header: Header) -> int:
        """How often in vain, while others were answered."""
        return self._missed.get(header, 0)

    def forgive(self, header: Header) -> None:
        """It is not asked any more. Whether the device still answers others is found out all the same."""
        self._missed.pop(header, None)

    @property
    def at_end(self) -> bool:
        return self._row >= self._patience

    def start_anew(self) -> None:
        self._row = 0
        self._missed.clear()
        self.probing = False
