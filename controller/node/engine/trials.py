"""A test of a sign is answered when the sign has answered, or did not: who asked waits for that (R-27, R-31).

Theory. What was tested is recorded after the device did it, so the request stands aside until its verdict; then it
goes on to the core, or back with the reason and nothing on record. Of one id one goes on at a time; its repeat finds
the answer in the record.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.core.inputs import TrySign
from controller.node.engine.reception import PendingRequest, plain_reply
from controller.node.signs.signboard import Signboard
from controller.node.signs.trial import Verdict
from controller.node.vocabulary.protocol import Trouble
from drivers.session import Micros


class SignTrials:
    def __init__(self, signs: Signboard) -> None:
        self._signs = signs
        self._waiting: list[PendingRequest] = []

    def take_out(self, cases: Iterable[PendingRequest], now: Micros) -> list[PendingRequest]:
        """What need not wait, or has waited enough."""
        ready, gone, waiting = [], set[str](), self._waiting
        self._waiting = []
        for case in (*waiting, *cases):
            verdict = self._signs.verdict(case.tries, now) if case.tries else Verdict()
            if verdict is None or (case.tries and case.person.request.id in gone):
                self._waiting.append(case)
                continue
            gone.add(case.person.request.id)
            ready.append(_judged(case, verdict))
        return ready

    def dismiss(self, trouble: Trouble) -> None:
        """At the end: these were not done."""
        waiting, self._waiting = self._waiting, []
        for case in waiting:
            case.person.answer(plain_reply(case.person.request, 0, trouble))


def _judged(case: PendingRequest, verdict: Verdict) -> PendingRequest:
    if verdict.trouble is not None:
        return PendingRequest(case.person, trouble=verdict.trouble)
    if not verdict.unseen:
        return case._replace(tries="")
    (numbered,) = case.asks
    assert isinstance(numbered.input, TrySign), "only signs are tried"
    return case._replace(tries="", asks=(numbered._replace(input=replace(numbered.input, unseen=True)),))
