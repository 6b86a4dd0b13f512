"""What an act would be answered, asked without doing it (R-20).

Theory. It is the very answer that the act would get now, and nothing of it is kept; so what is shown cannot be anything
else than what would be registered. One person looks. Where two must sign, somebody unnamed who may stands in for the
second, and it is said that one is needed; nobody has signed anything by it. This file decides nothing.
"""

from msgspec.structs import replace

from controller.core.ahead.preview import Foreseen, preview_of
from controller.core.facts import Refused
from controller.core.inputs import Input
from controller.core.machine import answer, apply
from controller.core.past.inquiry import Inquiry
from controller.core.people import SOMEBODY
from controller.core.state import State
from controller.rules.refusal import Reason

_SECOND_HELPS = {Reason.TWO_PERSONS_NEEDED.code, Reason.CONFIRMS_OWN.code}


def foresee(state: State, asked: Input, now: int, history: Inquiry | None = None) -> Foreseen:
    """What would be answered now. `state` is that of `with_somebody`, which the record was asked with as well."""
    facts, two = answer(state, asked, now, history), getattr(asked, "second", None) == SOMEBODY
    last = facts[-1]
    if isinstance(last, Refused) and last.reason in _SECOND_HELPS and getattr(asked, "second", SOMEBODY) is None:
        facts, two = answer(state, replace(asked, second=SOMEBODY), now, history), True
    assert facts, "every input has an answer"
    after = state
    for fact in facts:
        after = apply(after, now, fact)
    return Foreseen(facts, preview_of(state, after, facts, two=two))
