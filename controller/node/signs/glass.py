"""What one sign can show: asked of a driver of its own kind that hangs on no wire.

Theory. Only a driver knows what its sign has letters and room for, and it says so by refusing. So whoever makes texts
offers several, the best first, and takes the first that is not refused; nothing here counts letters a second time, and
what the real driver is then given is what it will take. An accent that a sign has not is left out before any word is.
"""

import unicodedata
from collections.abc import Iterable
from enum import Enum, auto

from controller.node.vocabulary.places import SignPlace
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.amount import AmountForm
from drivers.signs.panel import Panel, PanelSettings
from drivers.signs.text_sign import TextSign

_ON_NO_SIGN = frozenset("^~")  # drivers/signs/letters.py: they are other figures there


class Second(Enum):
    """What may stand in a sign's second text."""

    NOTHING = auto()  # it has none
    AMOUNT = auto()  # the increment: digits, or a text whose own `+` stands before it
    WORDS = auto()


class Glass:
    def __init__(self, place: SignPlace) -> None:
        made = place.made
        self.digits_only = isinstance(made, PanelSettings) and made.digits_only
        self.width = made.amount.width if isinstance(made, PanelSettings) else 0
        self.second = _second_of(place)
        self._pane: AlphaSign | TextSign | Panel
        if isinstance(made, AlphaSettings):
            self._pane = AlphaSign(made)
        else:
            self._pane = Panel(made) if isinstance(made, PanelSettings) else TextSign(made)

    def forms(self, symbol: str, decimals: int) -> tuple[AmountForm, ...]:
        """R-1: how this sign writes the pot's currency, the best first. A panel of digits shows whole units."""
        if self.digits_only:
            return (AmountForm(before="", thousands=""),)
        mark = "" if any(letter.isdecimal() for letter in symbol) else symbol
        narrow = AmountForm(before="", thousands="", decimals=decimals)
        return (AmountForm(before=mark, decimals=decimals), AmountForm(before="", decimals=decimals), narrow)

    def amount_of(self, minor: int, decimals: int) -> int:
        """What a panel without a point shows of so many minor units: never more than there is."""
        return minor // 10**decimals if self.digits_only else minor

    def amount(self, texts: Iterable[str]) -> str | None:
        """The first that fits; `None`: this sign is too narrow for the pot, and a part of an amount is a wrong one."""
        return next((text for text in _plainer(texts) if self._pane.show(text, "") is None), None)

    def beside(self, amount: str, texts: Iterable[str]) -> str:
        """The first that fits beside this amount."""
        return next((text for text in _plainer(texts) if self._pane.show(amount, text) is None), "")

    def prize(self, texts: Iterable[str]) -> str:
        """The first that fits; nothing, where words are too much for it."""
        if self.digits_only:
            return ""
        return next((text for text in _plainer(texts) if text and self._pane.prize(text) is None), "")


def _second_of(place: SignPlace) -> Second:
    made = place.made
    if isinstance(made, PanelSettings):
        if made.increment is None:
            return Second.NOTHING
        return Second.AMOUNT if made.digits_only else Second.WORDS
    layout = made.layout if isinstance(made, AlphaSettings) else made.format
    before, gap, _ = layout.partition("{increment}")
    if not gap:
        return Second.NOTHING
    return Second.AMOUNT if before.rstrip().endswith("+") else Second.WORDS


def _plainer(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        yield text
        plain = _plain(text)
        if plain != text:
            yield plain


def _plain(text: str) -> str:
    """Without accents, and without what no sign has."""
    bare = unicodedata.normalize("NFKD", text)
    letters = (letter for letter in bare if " " <= letter <= "}" and letter not in _ON_NO_SIGN)
    return " ".join("".join(letters).split())
