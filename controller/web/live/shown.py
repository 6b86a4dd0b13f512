"""What the signs in browsers say that they show, held against what is committed.

Theory. A page counts up to a rise within two seconds and shows a fall at once, so whatever amount it shows lies between
the lowest and the highest that was committed in the last three seconds; another one is wrong, whoever is to blame: the
page, the browser, somebody at its machine. A pot of which it shows words, because the news are old, it leaves
out. It says besides what of the casino's words cannot be seen. And a sign that stops saying what it shows is no longer
looked after. What is wrong is told the journal once, when it begins and when it ends, and stays on the chief's floor
while it lasts. Nothing here computes money: two whole numbers are compared. Pure; time comes from outside.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.node.vocabulary.protocol import NodeView
from drivers.session import SECOND, Micros

RIGHT_WITHIN: Micros = 3 * SECOND
SILENT_AFTER: Micros = 60 * SECOND
MOST_SIGNS = 256
_MOST_TOLD = 16
_MOST = 2**53

Name = Annotated[str, Meta(max_length=64)]
Amount = Annotated[int, Meta(ge=0, le=_MOST)]


class ShownAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`pots`: the amount that stands on the glass now, of each pot that is shown with one; `unseen`: what must be seen
    by law and is not."""

    pots: Annotated[dict[Name, Amount], Meta(max_length=_MOST_TOLD)] = {}
    unseen: Annotated[tuple[Name, ...], Meta(max_length=_MOST_TOLD)] = ()


class SignShown(Struct, frozen=True, omit_defaults=True):
    """The entity `shown/NAME` of the floor. `since`: it stands so since then, on the node's clock; `wrong`: of the pots
    whose amount is none that was committed in the last three seconds, the one that is shown."""

    sign: str
    since: int
    wrong: dict[str, int] = {}
    unseen: tuple[str, ...] = ()
    silent: bool = False


class ShownWrong(NamedTuple):
    """For the journal. `trouble`: `wrong`, `unseen`, `silent`; nothing, where it is over."""

    sign: str
    trouble: str
    what: str


class _Told(NamedTuple):
    shown: SignShown
    heard: Micros


class ShownSigns:
    """`sees` and `told` are called by one thread."""

    def __init__(self) -> None:
        self._amounts: dict[str, deque[tuple[Micros, int]]] = {}
        self._told: dict[str, _Told] = {}
        self._at = 0
        self._news: list[ShownWrong] = []

    def sees(self, view: NodeView, now: Micros) -> None:
        """The newest view of the node."""
        self._at = view.at
        for pot in view.pots:
            kept = self._amounts.setdefault(pot.pot, deque())
            if not kept or kept[-1][1] != pot.main:
                kept.append((now, pot.main))
            while len(kept) > 1 and now - kept[1][0] >= RIGHT_WITHIN:  # the second one stood all that time
                kept.popleft()
        for gone in self._amounts.keys() - {pot.pot for pot in view.pots}:
            del self._amounts[gone]

    def told(self, sign: str, asked: ShownAsked, now: Micros) -> SignShown:
        wrong = {pot: amount for pot, amount in sorted(asked.pots.items()) if not self._is_right(pot, amount, now)}
        shown = SignShown(sign, self._at, wrong, asked.unseen)
        return self._kept(shown, now)

    def late(self, now: Micros) -> None:
        """Who has not said anything for a minute is silent; asked now and then."""
        for told in [*self._told.values()]:
            if not told.shown.silent and now - told.heard >= SILENT_AFTER:
                silent = SignShown(told.shown.sign, self._at, silent=True)
                self._say(told.shown, silent)
                self._told[told.shown.sign] = told._replace(shown=silent)

    def forget_all_but(self, signs: Iterable[str]) -> None:
        """Signs whose terminals were withdrawn."""
        for gone in self._told.keys() - set(signs):
            del self._told[gone]

    def entities(self) -> Mapping[str, SignShown]:
        """What stands on the floor, under its keys."""
        return {f"shown/{sign}": told.shown for sign, told in sorted(self._told.items())}

    def news(self) -> list[ShownWrong]:
        """What has changed since it was asked last, for the journal."""
        said, self._news = self._news, []
        return said

    def _is_right(self, pot: str, amount: int, now: Micros) -> bool:
        kept = self._amounts.get(pot)
        if not kept:
            return False
        stood = [kept[-1][1], *(before for (_, before), (until, _) in _pairs(kept) if now - until < RIGHT_WITHIN)]
        return min(stood) <= amount <= max(stood)

    def _kept(self, shown: SignShown, now: Micros) -> SignShown:
        """The same as before, where nothing of it changed."""
        told = self._told.pop(shown.sign, None)
        before = told.shown if told else SignShown(shown.sign, 0)
        if told is not None and replace(shown, since=before.since) == before:
            shown = before
        if len(self._told) >= MOST_SIGNS:
            del self._told[next(iter(self._told))]
        self._told[shown.sign] = _Told(shown, now)
        self._say(before, shown)
        return shown

    def _say(self, before: SignShown, shown: SignShown) -> None:
        for trouble in ("wrong", "unseen", "silent"):
            was, now = getattr(before, trouble), getattr(shown, trouble)
            if bool(was) != bool(now):
                what = "" if isinstance(now, bool) else ", ".join(now)
                self._news.append(ShownWrong(shown.sign, trouble if now else "", what))


def _pairs(kept: deque[tuple[Micros, int]]) -> Iterable[tuple[tuple[Micros, int], tuple[Micros, int]]]:
    """Each amount with the one that followed it."""
    rows = [*kept]
    return pairwise(rows)
