"""Whether a sign shows what it was told: what it reads back, or was sent last, against what was wanted of late (R-31).

Theory. A sign is always a little behind, so it is right while it shows anything that was wanted within the patience. A
sign that is silent, is rewritten again and again, or shows another amount for longer than that is said, once when it
begins and once when it is over; a person looks at it, nothing closes for it.
"""

import re
from collections import deque

from controller.core.view import Alarm
from controller.node.vocabulary.places import SignPlace
from drivers.model import SignState
from drivers.session import SECOND, Micros

PATIENCE: Micros = 30 * SECOND
_MOST_TEXTS = 256


class Watch:
    def __init__(self, place: SignPlace) -> None:
        self._place = place
        self.state, self.showing = SignState.DOWN, ""
        self._texts: deque[tuple[str, Micros]] = deque(maxlen=_MOST_TEXTS)  # what was wanted, and since when
        self._wrong_since: Micros | None = None
        self.trouble = ""  # Spanish; empty: none

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
        told, self.trouble = self.trouble, why if long else ""
        return bool(told) != bool(self.trouble)

    def deadline(self) -> Micros | None:
        if self._wrong_since is None or self.trouble:
            return None
        return self._wrong_since + PATIENCE

    def alarm(self) -> Alarm | None:
        key, pot = self._place.key, self._place.pot
        where = f"{key.line}/{key.number}"
        return Alarm(where, "R-31", f"Letrero {where} del pozo {pot}: {self.trouble}.") if self.trouble else None

    def _forget(self, now: Micros) -> None:
        """What was overtaken longer ago than the patience; the newest is always wanted."""
        while len(self._texts) > 1 and self._texts[1][1] < now - PATIENCE:
            self._texts.popleft()

    def _wrong(self) -> str:
        if self.state is SignState.DOWN:
            return "no responde"
        if self.state is SignState.DIFFERS:
            return "no acepta lo que se le escribe"
        if self._texts and not any(_stands_in(text, self.showing) for text, _ in self._texts):
            return f"muestra «{self.showing}» y debe mostrar «{self._texts[-1][0]}»"
        return ""


def _stands_in(text: str, showing: str) -> bool:
    """Whole: `$5.000` does not stand in `$5.000.000`."""
    return re.search(rf"(?<![\d.,]){re.escape(text.strip())}(?!\d|[.,]\d)", showing) is not None
