"""All signs of a node: what the core projects becomes texts, and texts become wishes, only where they are news (R-31).

Theory. Pure and level-triggered: asked at any time, as often as anybody likes, it wishes what differs from what it
wished last; when a sign or its line was away, everything is wished again. It shows committed amounts and nothing else:
on the way up some amount between two committed ones, never more than is in the pot.

A sign is always a little behind, so it is right while it shows anything that was wanted within the patience. A sign
that is silent, is rewritten again and again, or shows another amount for longer than that is reported, once when it
begins and once when it is over; a person looks at it, nothing closes for it. A sign for which nothing changed is looked
at when its own time comes, and once a second. What a test came to is known when the sign said so (trial.py); a sign
that can say nothing is written anew in time (renewal.py).
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from controller.core.view import Alarm, SignView, TableView, View, alarm
from controller.node.signs.face import Face, Texts
from controller.node.signs.renewal import Renewal
from controller.node.signs.trial import Trial, Verdict
from controller.node.vocabulary.commands import EndPrize, Note, RenewSign, ShowAmount, ShowPrize, Wish
from controller.node.vocabulary.places import Node, SignPlace
from controller.node.vocabulary.protocol import SignNow
from drivers.model import SignSeen, SignState
from drivers.pump import PortClosed, PortOpened
from drivers.session import SECOND, Micros

PATIENCE: Micros = 30 * SECOND
_MOST_TEXTS = 256
_MOST_NOTES = 64
WHY_WRONG = {SignState.DOWN: "no responde", SignState.DIFFERS: "no acepta lo que se le escribe"}
_DIFFERS = "muestra «{shows}» y debe mostrar «{wanted}»"
_ALWAYS_FRESH: Mapping[str, Micros] = {}


class _Sign:
    """One sign: its face, what is known of it, what was wished of it last."""

    def __init__(self, place: SignPlace) -> None:
        self.place = place
        self.name = f"{place.key.line}/{place.key.number}"
        self.face, self.watch, self.renewal = Face(place), SignWatch(place), Renewal(place)
        self.trial: Trial | None = None
        self.is_tested = False  # asked for, and not yet wished
        self.wished = Texts()
        self.again = True  # it was away: everything, also that no prize is left
        self._shown: tuple[SignView | None, TableView | None] = (None, None)
        self._touched, self._due = True, 0  # something happened; when it is looked at although nothing happens

    def touch(self) -> None:
        self._touched = True

    def is_quiet(self, pot: SignView | None, table: TableView | None, now: Micros) -> bool:
        """Nothing happened, and it shows what it showed; what changes by time alone is looked at in time."""
        shown, self._shown = self._shown, (pot, table)
        return shown[0] is pot and shown[1] is table and now < self._due and not self._touched

    def rests(self, now: Micros) -> None:
        """Looked at; again when its face or its watch waits for something, and once a second anyway."""
        due = self.deadline()
        self._touched, self._due = False, min(now + SECOND, due if due is not None else now + SECOND)

    def deadline(self) -> Micros | None:
        times = (self.face.next_change(), self.watch.deadline())
        return min((time for time in times if time is not None), default=None)

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

    def anew(self, tables: Iterable[TableView], now: Micros) -> Iterator[Wish]:
        """Behind its texts, so that these are what it is written anew with."""
        due = self.renewal.is_due(tables, self.wished.prize, now)
        if self.is_tested and self.trial is not None:
            self.trial.sent()
        if due or self.is_tested:
            self.renewal.done(now)
            self.is_tested = False
            yield Wish(self.place.key, RenewSign())

    def test(self, now: Micros) -> None:
        self.face.test(now)
        self.trial, self.is_tested = Trial(self.place, now), True
        self.touch()

    def seen(self, state: SignState, showing: str) -> None:
        self.watch.seen(state, showing)
        if self.trial is not None:
            wanted = self.wished.prize or self.wished.amount or ""
            self.trial.seen(state, is_wanted=_stands_in(wanted, showing))

    def now(self) -> SignNow:
        key, texts, watch = self.place.key, self.wished, self.watch
        amount = texts.amount or ""
        return SignNow(
            key.line, key.number, self.place.pot, amount, texts.second, texts.prize, watch.state, watch.showing
        )


class Signboard:
    def __init__(self, node: Node) -> None:
        self._signs = [_Sign(place) for place in node.signs]
        self._of_line: dict[str, list[_Sign]] = {}
        for sign in self._signs:
            self._of_line.setdefault(sign.place.key.line, []).append(sign)
        self._out = ""
        self._notes: deque[Note] = deque(maxlen=_MOST_NOTES)
        self._deadline: Micros | None = None

    # What happens.

    def heard(self, line: str, event: object, now: Micros) -> None:
        """Everything that any line tells; what is not about signs is nothing to it."""
        for sign in self._of_line.get(line, ()):
            key = sign.place.key
            sign.touch()
            if isinstance(event, PortOpened | PortClosed):
                sign.again = True
            if isinstance(event, PortClosed):
                sign.seen(SignState.DOWN, "")
            elif isinstance(event, SignSeen) and event.unit == key.number:
                sign.again |= (event.state is SignState.DOWN) != (sign.watch.state is SignState.DOWN)
                sign.seen(event.state, event.showing)
            else:
                continue
            self._deadline = now

    def test(self, sign: str, now: Micros) -> str | None:
        """The test pattern, for a moment, on `line/number` or the only sign of a line; or why not. What came of it is
        its `verdict`."""
        found = self._named(sign)
        if len(found) != 1:
            names = ", ".join(one.name for one in self._signs) or "ninguno"
            return f"No hay un letrero {sign}; hay: {names}."
        found[0].test(now)
        self._deadline = now
        return None

    def verdict(self, sign: str, now: Micros) -> Verdict | None:
        """Of the last test of this one; `None` while it is under way."""
        (found,) = self._named(sign)
        assert found.trial is not None, "it was tested"
        return found.trial.verdict(now)

    def _named(self, sign: str) -> list[_Sign]:
        return [one for one in self._signs if sign in {one.name, one.place.key.line}]

    def out_of_service(self, reason: str) -> None:
        """From now on the public reads only that; `reason` is for the node's own people."""
        assert reason, "out of service for a reason"
        self._out = reason
        for sign in self._signs:
            sign.touch()

    # What should be.

    def wishes(self, view: View | None, now: Micros, heard: Mapping[str, Micros] = _ALWAYS_FRESH) -> list[Wish]:
        """`heard`: of each pot of another node, when its owner was heard last. Own pots are always fresh."""
        pots = {sign.pot: sign for sign in view.signs if not sign.training} if view else {}
        tables = {table.table: table for table in view.tables if not table.training} if view else {}
        wishes: list[Wish] = []
        for sign in self._signs:
            pot, table, since = pots.get(sign.place.pot), tables.get(sign.place.table), heard.get(sign.place.pot)
            if sign.is_quiet(pot, table, now) and since is None:
                continue
            texts = sign.face.out_of_service() if self._out else sign.face.texts(pot, table, now, since)
            wishes += (*sign.news(texts, now), *sign.anew(tables.values(), now))
            self._look(sign, now)
            sign.rests(now)
        times = (sign.deadline() for sign in self._signs)
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


class SignWatch:
    def __init__(self, place: SignPlace) -> None:
        self._place = place
        self.state, self.showing = SignState.DOWN, ""
        self._texts: deque[tuple[str, Micros]] = deque(maxlen=_MOST_TEXTS)  # what was wanted, and since when
        self._wrong_since: Micros | None = None
        self.trouble = ""  # Spanish; empty: none
        self._differs: tuple[str, str] | None = (
            None  # the amount that it shows, where it answers and that is wrong, and the right one
        )

    def seen(self, state: SignState, showing: str) -> None:
        self.state, self.showing = state, showing

    def expect(self, text: str, now: Micros) -> None:
        """From now on this is wanted: a prize as it stands, an amount among other words."""
        if not self._texts or self._texts[-1][0] != text:
            self._texts.append((text, now))

    def look(self, now: Micros) -> bool:
        """Whether a trouble began, is another one, or is over."""
        self._forget(now)
        why = self._wrong()
        if not why:
            self._wrong_since = None
        elif self._wrong_since is None:
            self._wrong_since = now
        long = self._wrong_since is not None and now - self._wrong_since >= PATIENCE
        before, self.trouble = self.trouble, why if long else ""
        return bool(before) != bool(self.trouble)

    def deadline(self) -> Micros | None:
        if self._wrong_since is None or self.trouble:
            return None
        return self._wrong_since + PATIENCE

    def alarm(self) -> Alarm | None:
        key, pot = self._place.key, self._place.pot
        where = f"{key.line}/{key.number}"
        if not self.trouble:
            return None
        if self._differs is None:
            wrong = "Letrero {sign} del pozo {pot}: {why}."
            return alarm("sign_wrong", where, "R-31", wrong, sign=where, pot=pot, why=self.trouble)
        shows, wanted = self._differs
        differs = f"Letrero {{sign}} del pozo {{pot}}: {_DIFFERS}."
        return alarm("sign_differs", where, "R-31", differs, sign=where, pot=pot, shows=shows, wanted=wanted)

    def _forget(self, now: Micros) -> None:
        """Drop texts that were replaced more than PATIENCE ago; keep the newest."""
        while len(self._texts) > 1 and self._texts[1][1] < now - PATIENCE:
            self._texts.popleft()

    def _wrong(self) -> str:
        self._differs = None
        if self.state in WHY_WRONG:
            return WHY_WRONG[self.state]
        if self._texts and not any(_stands_in(text, self.showing) for text, _ in self._texts):
            self._differs = self.showing, self._texts[-1][0]
            return _DIFFERS.format(shows=self.showing, wanted=self._texts[-1][0])
        return ""


def _stands_in(text: str, showing: str) -> bool:
    """Whole: `$5.000` does not stand in `$5.000.000`."""
    wanted, shown = _unaccented(text.strip()), _unaccented(showing)
    return re.search(rf"(?<![\d.,]){re.escape(wanted)}(?!\d|[.,]\d)", shown) is not None


def _unaccented(text: str) -> str:
    """An accent that a sign has not is no difference."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
