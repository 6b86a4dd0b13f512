"""Who answers at this address: the questions of a start, and whether the answers are those of a device we may drive.

Nothing is changed in the device. No answer says which question it answers; so neighbours ask for answers of other
sizes, and who the device is counts only when two rounds of questions say the same, unless it is who we knew. Some
questions every acceptor answers, some only newer ones: silence to those is an answer too. A device that declares
encryption is refused, whatever else it can do (1.2): we have no keys and want none.
"""

from dataclasses import dataclass

from drivers.cctalk.frames import Header
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.turn import MOST_TEXT, Ask
from drivers.model import Down

_TEXT = range(1, MOST_TEXT + 1)
_COIN_ID = range(6, 7)
_DECLARATION = range(5, MOST_TEXT + 1)
_ENCRYPTION_SIGNATURE = bytes((170, 85, 0, 0, 85, 170))
_FEW = 4  # tries of a question that not every device answers


@dataclass(frozen=True, slots=True)
class Step:
    ask: Ask
    silence: Down | None = None  # what it means when others are answered; `None`: an old device, go on


@dataclass(frozen=True, slots=True)
class Refusal:
    reason: Down
    detail: str


class Identification:
    def __init__(self, settings: AcceptorSettings) -> None:
        self._settings = settings
        self.answers: dict[tuple[Header, bytes], bytes] = {}
        self._steps = [
            Step(Ask(Header.SIMPLE_POLL), Down.SILENT),
            Step(Ask(Header.SERIAL, sizes=range(3, 4)), Down.NOT_NATIVE),
            Step(Ask(Header.CATEGORY, sizes=_TEXT), Down.NOT_NATIVE),
            Step(Ask(Header.MANUFACTURER, sizes=_TEXT)),
            Step(Ask(Header.PRODUCT, sizes=_TEXT)),
            Step(Ask(Header.SOFTWARE, sizes=_TEXT)),
            Step(Ask(Header.COMMS_REVISION, sizes=range(3, 4))),
            Step(Ask(Header.ENCRYPTION_SUPPORT, _ENCRYPTION_SIGNATURE, _DECLARATION)),
            *(
                Step(
                    Ask(Header.COIN_ID, bytes((channel.number,)), _COIN_ID),
                    Down.CONFIG_REFUSED if channel.coin_id else None,
                )
                for channel in settings.channels
            ),
        ]
        self._at = 0

    @property
    def step(self) -> Step | None:
        """`None`: everything is asked."""
        return self._steps[self._at] if self._at < len(self._steps) else None

    @property
    def tries(self) -> int:
        """How often the question of this step is worth asking in vain."""
        step = self.step
        return _FEW if step is None or step.silence is None else self._settings.secrecy

    def taken(self, ask: Ask, data: bytes) -> None:
        self.answers[ask.header, ask.data] = data
        self._at += 1

    def skip(self) -> None:
        self._at += 1

    def says_as(self, other: "Identification") -> bool:
        return self.answers == other.answers

    @property
    def serial(self) -> int:
        return int.from_bytes(self.answers[Header.SERIAL, b""], "little")

    @property
    def product(self) -> str:
        return " ".join(part for part in (self._text(Header.MANUFACTURER), self._text(Header.PRODUCT)) if part)

    @property
    def firmware(self) -> int:
        """The number in whatever the maker calls a version."""
        digits = "".join(letter for letter in self._text(Header.SOFTWARE) if letter in "0123456789")
        return int(digits[:9] or "0")

    def refusal(self) -> Refusal | None:
        category = self._text(Header.CATEGORY)
        if category.casefold() != self._settings.category.casefold():
            return Refusal(Down.WRONG_CLASS, f"a {category!r}, not a {self._settings.category!r}")
        if any(self.answers.get((Header.ENCRYPTION_SUPPORT, _ENCRYPTION_SIGNATURE), b"")[:2]):
            return Refusal(Down.DEMANDS_SECRETS, "it declares encryption (111)")
        for channel in self._settings.channels:
            found = self._text(Header.COIN_ID, bytes((channel.number,)))
            if channel.coin_id and found != channel.coin_id:
                return Refusal(Down.CONFIG_REFUSED, f"channel {channel.number} is {found!r}, not {channel.coin_id!r}")
        return None

    def _text(self, header: Header, data: bytes = b"") -> str:
        letters = self.answers.get((header, data), b"").decode("latin-1")
        return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in letters).strip()
