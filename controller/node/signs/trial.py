"""What came of a sign's test: it showed the pattern, it did not, or nobody can know but who looks (R-27, R-31).

Theory. A test writes everything anew. A sign that answers has shown it when it says so of the very words that are
wanted from then on; told before, it proves nothing. Whether it answers follows from its make: a panel takes each write,
an Alpha sign acknowledges or is read where its settings say so, and a one-way line says nothing at all. There the test
is sent and not seen, and whoever asked is told that.
"""

from typing import NamedTuple

from controller.node.vocabulary.places import SignPlace
from controller.node.vocabulary.protocol import Trouble
from drivers.model import SignState
from drivers.session import SECOND, Micros
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.text_sign import TextSignSettings

PATIENCE: Micros = 8 * SECOND
"""A client waits for ten."""


class Verdict(NamedTuple):
    """`trouble`: the test failed, and why. `unseen`: it went out, and no device said more."""

    trouble: Trouble | None = None
    unseen: bool = False


SILENT = "El letrero {sign} no contestó a la prueba: mire si tiene corriente y si su cable está puesto."
CLOSED = "La línea del letrero {sign} no está abierta: la prueba no salió. Mire el puerto y su cable."
OTHER = "El letrero {sign} contesta, pero no muestra la prueba: vaya a verlo."


def answers(place: SignPlace) -> bool:
    made = place.made
    if isinstance(made, AlphaSettings):
        return made.reads or made.acknowledges
    return not isinstance(made, TextSignSettings)


class Trial:
    def __init__(self, place: SignPlace, begun: Micros) -> None:
        self._sign = f"{place.key.line}/{place.key.number}"
        self._answers, self._begun = answers(place), begun
        self._heard = False
        self._sent = False
        self._verdict: Verdict | None = None

    def sent(self) -> None:
        """Its pattern was wished; what the sign says from now on is about it."""
        self._sent = True

    def seen(self, state: SignState, *, is_wanted: bool) -> None:
        """`is_wanted`: what it shows is what it should."""
        if not self._sent or self._verdict is not None:
            return
        if state is SignState.DOWN:
            self._verdict = self._silent()
            return
        self._heard = True
        if is_wanted and state in {SignState.PROVEN, SignState.WRITTEN}:
            self._verdict = Verdict(unseen=not self._answers)

    def verdict(self, now: Micros) -> Verdict | None:
        """`None`: not yet."""
        if self._verdict is None and now - self._begun >= PATIENCE:
            self._verdict = self._differs() if self._answers and self._heard else self._silent()
        return self._verdict

    def _silent(self) -> Verdict:
        sentence = (SILENT if self._answers else CLOSED).format(sign=self._sign)
        return Verdict(Trouble("sign_silent", "R-31", "sign", sentence, {"sign": self._sign}))

    def _differs(self) -> Verdict:
        sentence = OTHER.format(sign=self._sign)
        return Verdict(Trouble("sign_not_shown", "R-31", "sign", sentence, {"sign": self._sign}))
