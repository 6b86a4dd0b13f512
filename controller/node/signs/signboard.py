"""All signs of a node: what the core projects becomes texts, and texts become wishes, only where they are news (R-31).

Theory. Pure and level-triggered: asked at any time, as often as anybody likes, it wishes what differs from what it
wished last; when a sign or its line was away, everything is wished again. It shows committed amounts and nothing else:
on the way up some amount between two committed ones, never more than is in the pot.
"""

from collections import deque
from collections.abc import Iterator, Mapping

from controller.core.view import Alarm, View
from controller.node.signs.face import Face, Texts
from controller.node.signs.watch import Watch
from controller.node.vocabulary.commands import EndPrize, Note, ShowAmount, ShowPrize, Wish
from controller.node.vocabulary.places import Node, SignPlace
from controller.node.vocabulary.protocol import SignNow
from drivers.model import SignSeen, SignState
from drivers.pump import PortClosed, PortOpened
from drivers.session import Micros

_MOST_NOTES = 64
_ALWAYS_FRESH: Mapping[str, Micros] = {}


class _Sign:
    """One sign: its face, what is known of it, what was wished of it last."""

    def __init__(self, place: SignPlace) -> None:
        self.place = place
        self.name = f"{place.key.line}/{place.key.number}"
        self.face, self.watch = Face(place), Watch(place)
        self.wished = Texts()
        self.again = True  # it was away: everything, also that no prize is left

    def news(self, texts: Texts, now: Micros) -> Iterator[Wish]:
        """The end of a prize is said only to a sign that has an amount to show: before, an old one beats a blank."""
        key, last = self.place.key, self.wished
        if texts.amount is None:
            texts = Texts(last.amount, last.second, texts.prize)
        if texts.amount is not None and (self.again or texts[:2] != last[:2]):
            yield Wish(key, ShowAmount(texts.amount, texts.second))
        if texts.prize and (self.again or texts.prize != last.prize):
            yield Wish(key, ShowPrize(texts.prize))
        if not texts.prize and (last.prize or (self.again and texts.amount is not None)):
            yield Wish(key, EndPrize())
        self.wished = texts
        self.again = self.again and texts.amount is None
        if expected := texts.prize or texts.amount:
            self.watch.expect(expected, now)

    def now(self) -> SignNow:
        key, texts, watch = self.place.key, self.wished, self.watch
        amount = texts.amount or ""
        return SignNow(
            key.line, key.number, self.place.pot, amount, texts.second, texts.prize, watch.state, watch.showing
        )


class Signboard:
    def __init__(self, node: Node) -> None:
        self._signs = [_Sign(place) for place in node.signs]
        self._out = ""
        self._notes: deque[Note] = deque(maxlen=_MOST_NOTES)
        self._deadline: Micros | None = None

    # What happens.

    def heard(self, line: str, event: object, now: Micros) -> None:
        """Everything that any line tells; what is not about signs is nothing to it."""
        for sign in self._signs:
            key = sign.place.key
            if key.line != line:
                continue
            if isinstance(event, PortOpened | PortClosed):
                sign.again = True
            if isinstance(event, PortClosed):
                sign.watch.seen(SignState.DOWN, "")
            elif isinstance(event, SignSeen) and event.unit == key.number:
                sign.again |= (event.state is SignState.DOWN) != (sign.watch.state is SignState.DOWN)
                sign.watch.seen(event.state, event.showing)
            else:
                continue
            self._deadline = now

    def test(self, sign: str, now: Micros) -> str | None:
        """The test pattern, for a moment, on `line/number` or the only sign of a line; or why not."""
        found = [one for one in self._signs if sign in {one.name, one.place.key.line}]
        if len(found) != 1:
            names = ", ".join(one.name for one in self._signs) or "ninguno"
            return f"No hay un letrero {sign}; hay: {names}."
        found[0].face.test(now)
        self._deadline = now
        return None

    def out_of_service(self, reason: str) -> None:
        """From now on the public reads only that; `reason` is for the node's own people."""
        assert reason, "out of service for a reason"
        self._out = reason

    # What should be.

    def wishes(self, view: View | None, now: Micros, heard: Mapping[str, Micros] = _ALWAYS_FRESH) -> list[Wish]:
        """`heard`: of each pot of another node, when its owner was heard last. Own pots are always fresh."""
        pots = {sign.pot: sign for sign in view.signs if not sign.training} if view else {}
        tables = {table.table: table for table in view.tables if not table.training} if view else {}
        wishes: list[Wish] = []
        for sign in self._signs:
            place = sign.place
            if self._out:
                texts = sign.face.out_of_service()
            else:
                texts = sign.face.texts(pots.get(place.pot), tables.get(place.table), now, heard.get(place.pot))
            wishes += sign.news(texts, now)
            self._look(sign, now)
        times = (time for sign in self._signs for time in (sign.face.next_change(), sign.watch.deadline()))
        self._deadline = min((time for time in times if time is not None), default=None)
        return wishes

    def deadline(self) -> Micros | None:
        """When to ask again although nothing happened."""
        return self._deadline

    # What is known.

    def signs(self) -> tuple[SignNow, ...]:
        return tuple(sign.now() for sign in self._signs)

    def alarms(self) -> tuple[Alarm, ...]:
        """R-31: signs that have not shown what they should for too long."""
        alarms = [sign.watch.alarm() for sign in self._signs]
        return tuple(alarm for alarm in alarms if alarm is not None)

    def next_note(self) -> Note | None:
        return self._notes.popleft() if self._notes else None

    def _look(self, sign: _Sign, now: Micros) -> None:
        if sign.watch.look(now):
            event = "sign_wrong" if sign.watch.trouble else "sign_well"
            fields: dict[str, str | int] = {"sign": sign.name, "pot": sign.place.pot}
            self._notes.append(Note(event, fields | {"why": sign.watch.trouble} if sign.watch.trouble else fields))
