"""One sign: which texts belong on it at an instant, by turns, and what of them it can show (R-3, R-21, R-31).

Theory. A face is a function of the pot's view and the time, with three small memories: how far the amount has climbed,
what came in last, and which prizes it has known. Prizes come first, a new one at once, and between two rounds of them
the pot is seen for a turn, because the public must always see it. A sign without room for words shows amounts only.

A pot that jumps looks broken and one that runs draws eyes, so the shown amount climbs in small steps to what is
committed; it is never above it, goes down at once, and takes two seconds whatever its way (R-31).

Only a driver knows what its sign has letters and room for, and it says so by refusing. So each text is offered in
several forms, the best first, to a driver of its kind that hangs on no wire, and the first that is not refused is
taken. An accent that a sign has not is left out before any word is.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from controller.core.view import AwardView, SignView, TableView
from controller.node.signs import words
from controller.node.vocabulary.places import SignPlace
from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.amount import AmountForm
from drivers.signs.panel import Panel, PanelSettings
from drivers.signs.text_sign import TextSign

CLIMB: Micros = 2 * SECOND
STEP: Micros = 200 * MILLISECOND
TURN: Micros = 4 * SECOND
TEST: Micros = 5 * SECOND
FRESH: Micros = 10 * SECOND  # a far pot that was heard within this is not old
TOO_OLD: Micros = 60 * SECOND  # where its age has no room, an older amount is not shown
_ON_NO_SIGN = frozenset("^~")  # drivers/signs/letters.py: they are other figures there


class Texts(NamedTuple):
    """What stands on a sign. `amount` None: nothing to say yet, whatever stands there stays."""

    amount: str | None = None
    second: str = ""
    prize: str = ""


class Face:
    def __init__(self, place: SignPlace) -> None:
        self._glass = Glass(place)
        self._count = CountUp()
        self._added: int | None = None  # what the pot had received in its life, when last looked at
        self._increment = 0
        self._turns_from: Micros = 0
        self._prizes: tuple[str, ...] = ()  # awards that are shown, by name
        self._prizes_from: Micros = 0
        self._first = 0  # of them, which one was shown first
        self._test_until: Micros | None = None
        self._wakes: list[Micros] = []

    def test(self, now: Micros) -> None:
        self._test_until = now + TEST

    def texts(self, pot: SignView | None, table: TableView | None, now: Micros, since: Micros | None = None) -> Texts:
        """What belongs on it now. `since`: when the far owner of the pot was heard last."""
        self._wakes = []
        shown = self._pot(pot, table, now, since) if pot is not None else Texts()
        if pot is not None and pot.trains and self._glass.second is not Second.WORDS:
            shown = self._marked(shown, pot.trains, now)
        if pot is not None and (text := self._prize(_owed(pot, now, since), self._forms(pot), now)):
            return shown._replace(prize=text)  # also while the sign is tested
        if self._test_until is not None and now < self._test_until:
            self._wakes.append(self._test_until)
            return self._tested(shown)
        self._test_until = None
        return shown

    def out_of_service(self) -> Texts:
        self._wakes = []
        amount = self._glass.amount(words.NO_AMOUNT)
        return Texts(amount, "", self._glass.prize(words.OUT_OF_SERVICE))

    def next_change(self) -> Micros | None:
        """When other texts belong on it although nothing happens."""
        return min(self._wakes, default=None)

    def _marked(self, shown: Texts, trains: Sequence[str], now: Micros) -> Texts:
        """R-36: a sign without words beside its amount says every other turn who trains; digits alone cannot."""
        turn, rest = divmod(now, TURN)
        self._wakes.append(now - rest + TURN)
        return shown._replace(prize=self._glass.prize(words.training(trains))) if turn % 2 else shown

    # The pot.

    def _pot(self, pot: SignView, table: TableView | None, now: Micros, since: Micros | None) -> Texts:
        self._count.set(pot.main, now)
        self._note_increment(pot.added, now)
        step = self._count.next_step(now)
        if step is not None:
            self._wakes.append(step)
        forms = self._forms(pot)
        old = since is not None and now - since > FRESH
        if old and since is not None and now - since > TOO_OLD and self._glass.second is not Second.WORDS:
            return Texts(self._glass.amount(words.NO_AMOUNT))
        minor = self._glass.amount_of(self._count.shown(now), pot.decimals)
        amount = self._glass.amount([*words.amounts(forms, minor), *words.NO_AMOUNT])
        if amount is None:
            return Texts()
        if old and since is not None:
            return Texts(amount, self._glass.beside(amount, self._age(now - since, now)))
        return Texts(amount, self._second(amount, pot, table, forms, now))

    def _age(self, age: Micros, now: Micros) -> list[str]:
        self._wakes.append(now + SECOND)
        return words.stale(age) if self._glass.second is Second.WORDS else []

    def _note_increment(self, added: int, now: Micros) -> None:
        """What came in at once, or while it was still climbing, is one increment; a new one is seen at once."""
        grown = added - self._added if self._added is not None else 0
        self._added = added
        if grown > 0:
            climbing = self._count.next_step(now) is not None and now - self._turns_from < SECOND
            self._increment = grown + (self._increment if climbing else 0)
            self._turns_from = now

    def _second(
        self, amount: str, pot: SignView, table: TableView | None, forms: Sequence[AmountForm], now: Micros
    ) -> str:
        """One after the other: what came in, what may be bet, what is paid, what the croupier must know."""
        glass = self._glass
        if glass.second is Second.NOTHING:
            return ""
        if glass.second is Second.AMOUNT:
            increment = glass.amount_of(self._increment, pot.decimals)
            return glass.beside(amount, words.amounts(forms, increment))
        turns = [text for texts in self._turns(pot, table, forms) for text in glass.turns(amount, texts)]
        if not turns:
            return ""
        turn, rest = divmod(now - self._turns_from, TURN)
        if len(turns) > 1:
            self._wakes.append(now - rest + TURN)
        return turns[turn % len(turns)]

    def _turns(self, pot: SignView, table: TableView | None, forms: Sequence[AmountForm]) -> Iterator[list[list[str]]]:
        """What is to be said, one after the other: the forms of one text, and those of its parts."""
        if pot.trains:
            yield [words.training(pot.trains)]
        if self._increment:
            yield [words.increments(forms, self._increment)]
        yield [words.limits(pot, forms)]
        for hand, prize in pot.paytable.items():
            yield words.pays(hand, prize, forms)
        if table is not None:
            yield from ([texts] for texts in words.table_texts(table, forms))

    def _forms(self, pot: SignView) -> Sequence[AmountForm]:
        return self._glass.forms(pot.symbol, pot.decimals)

    # Prizes and the test.

    def _prize(self, awards: Sequence[AwardView], forms: Sequence[AmountForm], now: Micros) -> str:
        names = tuple(award.award for award in awards)
        if names != self._prizes:
            new = [at for at, name in enumerate(names) if name not in self._prizes]
            if new:
                self._first, self._prizes_from = new[0], now
            self._prizes = names
        texts = [text for award in awards if (text := self._glass.prize(words.prizes(award, forms)))]
        if not texts:
            return ""
        turn, rest = divmod(now - self._prizes_from, TURN)
        self._wakes.append(now - rest + TURN)
        place = (turn + self._first) % (len(texts) + 1)
        return texts[place] if place < len(texts) else ""

    def _tested(self, shown: Texts) -> Texts:
        """Every letter, or where there are only digits every segment."""
        if prize := self._glass.prize(words.TEST):
            return Texts(shown.amount, shown.second, prize)
        eights = "8" * self._glass.width
        beside = self._glass.beside(eights, [eights]) if self._glass.second is Second.AMOUNT else ""
        return Texts(self._glass.amount([eights, *words.NO_AMOUNT]), beside)


def _owed(pot: SignView, now: Micros, since: Micros | None) -> tuple[AwardView, ...]:
    """R-31: of prizes elsewhere nobody knows any more when their pot was heard of too long ago."""
    is_old = since is not None and now - since > FRESH
    return pot.awards if is_old else (*pot.awards, *pot.elsewhere)


class CountUp:
    def __init__(self) -> None:
        self._from = 0
        self._to: int | None = None  # nothing was ever committed
        self._since: Micros = 0

    def set(self, committed: int, now: Micros) -> None:
        assert committed >= 0, "R-18: no pot is ever negative"
        if committed == self._to:
            return
        shown = committed if self._to is None else self.shown(now)
        self._from, self._to, self._since = min(shown, committed), committed, now

    def shown(self, now: Micros) -> int:
        """In whole steps of time, so that two looks within one step see one amount."""
        assert self._to is not None, "something was committed"
        gone = max(0, now - self._since) // STEP * STEP
        if gone >= CLIMB:
            return self._to
        return self._from + (self._to - self._from) * gone // CLIMB

    def next_step(self, now: Micros) -> Micros | None:
        """When it shows another amount; `None`: it shows what is committed."""
        if self._to is None or self.shown(now) == self._to:
            return None
        return self._since + (max(0, now - self._since) // STEP + 1) * STEP


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

    def turns(self, amount: str, said: Sequence[Iterable[str]]) -> list[str]:
        """In one turn what fits in one; else each of its parts in a turn, or nothing: half of it would be wrong."""
        whole, *parts = (self.beside(amount, texts) for texts in said)
        if whole:
            return [whole]
        return parts if all(parts) else []

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
