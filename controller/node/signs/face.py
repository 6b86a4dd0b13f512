"""One sign: which texts belong on it at an instant, by turns (R-3, R-21, R-31).

Theory. A face is a function of the pot's view and the time, with three small memories: how far the amount has climbed,
what came in last, and which prizes it has known. Prizes come first, a new one at once, and between two rounds of them
the pot is seen for a turn, because the public must always see it. A sign without room for words shows amounts only.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from controller.core.view import AwardView, SignView, TableView
from controller.node.signs import words
from controller.node.signs.count import CountUp
from controller.node.signs.glass import Glass, Second
from controller.node.vocabulary.places import SignPlace
from drivers.session import SECOND, Micros
from drivers.signs.amount import AmountForm

TURN: Micros = 4 * SECOND
TEST: Micros = 5 * SECOND
FRESH: Micros = 10 * SECOND  # a far pot that was heard within this is not old
TOO_OLD: Micros = 60 * SECOND  # where its age has no room, an older amount is not shown


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
        if pot is not None and (text := self._prize(pot.awards, self._forms(pot), now)):
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
        turns = [text for texts in self._turns(pot, table, forms) if (text := glass.beside(amount, texts))]
        if not turns:
            return ""
        turn, rest = divmod(now - self._turns_from, TURN)
        if len(turns) > 1:
            self._wakes.append(now - rest + TURN)
        return turns[turn % len(turns)]

    def _turns(self, pot: SignView, table: TableView | None, forms: Sequence[AmountForm]) -> Iterator[list[str]]:
        if self._increment:
            yield words.increments(forms, self._increment)
        yield words.limits(pot, forms)
        for hand, prize in pot.paytable.items():
            yield words.pays(hand, prize, forms)
        if table is not None:
            yield from words.table_texts(table, forms)

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
