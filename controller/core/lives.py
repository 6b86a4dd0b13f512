"""The lives of a pass, a claim and an award, each as one table: what an act makes of a phase, or why it is refused.

Theory. A row is what is asked; a column is how far the pass, claim or award is. A fact is an act that was not refused,
so deciding and applying read the same row: `refused` before the commit, `after` behind it. `docs/lives.md` is made from
these tables, and random histories hold every change of a phase against them (tests/campaign/test_core_histories.py).

A table says only what the phase alone decides. Signatures, names, amounts and cards are asked beside it, each in its
own place in the fixed order of refusals. This file must not know state, money or people.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from controller.core import inputs as ask
from controller.core.facts import PassSealed
from controller.core.values import AwardPhase, ClaimPhase, Phase
from controller.rules.refusal import Reason

AnyPhase = TypeVar("AnyPhase", bound=StrEnum)
Life = Mapping[type, Mapping[AnyPhase, AnyPhase | Reason]]

_BETWEEN, _OPEN, _LOCKING, _SEALED = Phase.BETWEEN, Phase.OPEN, Phase.LOCKING, Phase.SEALED
_ONLY_BETWEEN: Mapping[Phase, Phase | Reason] = {
    _BETWEEN: _BETWEEN,
    _OPEN: Reason.PASS_IN_PROGRESS,
    _LOCKING: Reason.PASS_IN_PROGRESS,
    _SEALED: Reason.PASS_IN_PROGRESS,
}

PASS: Life[Phase] = {
    ask.OpenPass: {**_ONLY_BETWEEN, _BETWEEN: _OPEN},
    ask.UnlockTable: {**_ONLY_BETWEEN, _BETWEEN: _OPEN, _OPEN: _OPEN},
    ask.Lock: {
        _BETWEEN: Reason.PASS_NOT_OPEN,
        _OPEN: _LOCKING,
        _LOCKING: Reason.PASS_NOT_OPEN,
        _SEALED: Reason.PASS_NOT_OPEN,
    },
    # Nobody asks for the seal: it follows when the last seat is proven, and whatever proved it is the act.
    PassSealed: {_LOCKING: _SEALED},
    ask.VoidHand: {_BETWEEN: Reason.NO_BET, _OPEN: _OPEN, _LOCKING: _LOCKING, _SEALED: _SEALED},
    ask.VoidPass: {_BETWEEN: Reason.PASS_NOT_OPEN, _OPEN: _BETWEEN, _LOCKING: _BETWEEN, _SEALED: _BETWEEN},
    ask.ClosePass: {
        _BETWEEN: Reason.PASS_NOT_SEALED,
        _OPEN: Reason.PASS_NOT_SEALED,
        _LOCKING: Reason.PASS_NOT_SEALED,
        _SEALED: _BETWEEN,
    },
    ask.TryLamps: _ONLY_BETWEEN,
    ask.TellLamps: _ONLY_BETWEEN,
    ask.LampDark: {
        _BETWEEN: Reason.NO_BET,
        _OPEN: _OPEN,
        _LOCKING: Reason.LAMP_AFTER_LOCK,
        _SEALED: Reason.LAMP_AFTER_LOCK,
    },
    ask.StartTraining: _ONLY_BETWEEN,
    ask.EndTraining: _ONLY_BETWEEN,
    ask.CloseDay: _ONLY_BETWEEN,
}
"""R-5, R-25, R-26."""

CLAIM: Life[ClaimPhase] = {
    ask.RegisterClaim: {
        ClaimPhase.HELD: Reason.CLAIM_STANDS,
        ClaimPhase.PAID: Reason.CLAIM_STANDS,
        ClaimPhase.REJECTED: ClaimPhase.REJECTED,  # the pass is claimed anew, as a claim of its own
    },
    ask.PayAward: {
        ClaimPhase.HELD: ClaimPhase.PAID,
        ClaimPhase.PAID: ClaimPhase.PAID,
        ClaimPhase.REJECTED: Reason.CLAIM_REJECTED,
    },
    # What was false and paid is the house's loss: the claim is rejected all the same.
    ask.RejectClaim: {
        ClaimPhase.HELD: ClaimPhase.REJECTED,
        ClaimPhase.PAID: ClaimPhase.REJECTED,
        ClaimPhase.REJECTED: Reason.CLAIM_REJECTED,
    },
    ask.VoidPass: {
        ClaimPhase.HELD: ClaimPhase.REJECTED,
        ClaimPhase.PAID: Reason.VOID_AFTER_PAYMENT,
        ClaimPhase.REJECTED: ClaimPhase.REJECTED,
    },
}
"""R-20, R-21, R-25, R-34: born held. A correction makes of a claim what is true, so no phase refuses it."""

AWARD: Life[AwardPhase] = {
    ask.ConfirmAward: {
        AwardPhase.HELD: AwardPhase.CONFIRMED,
        AwardPhase.CONFIRMED: Reason.AWARD_CONFIRMED,
        AwardPhase.ASIDE: Reason.AWARD_ASIDE,
        AwardPhase.PAID: Reason.AWARD_PAID,
        AwardPhase.REJECTED: Reason.CLAIM_REJECTED,
    },
    ask.SetAside: {
        AwardPhase.HELD: AwardPhase.ASIDE,
        AwardPhase.CONFIRMED: AwardPhase.ASIDE,
        AwardPhase.ASIDE: Reason.AWARD_ASIDE,
        AwardPhase.PAID: Reason.AWARD_PAID,
        AwardPhase.REJECTED: Reason.CLAIM_REJECTED,
    },
    ask.PayAward: {
        AwardPhase.HELD: Reason.NOT_CONFIRMED,
        AwardPhase.CONFIRMED: AwardPhase.PAID,
        AwardPhase.ASIDE: AwardPhase.PAID,  # two persons signed it when they set it aside
        AwardPhase.PAID: Reason.AWARD_PAID,
        AwardPhase.REJECTED: Reason.CLAIM_REJECTED,
    },
    # A correction leaves what is true, cancels what is false and not paid, and what is false and paid is the house's.
    ask.RejectClaim: {
        AwardPhase.HELD: AwardPhase.REJECTED,
        AwardPhase.CONFIRMED: AwardPhase.REJECTED,
        AwardPhase.ASIDE: AwardPhase.REJECTED,
        AwardPhase.PAID: AwardPhase.PAID,
        AwardPhase.REJECTED: AwardPhase.REJECTED,
    },
    ask.VoidHand: {
        AwardPhase.HELD: AwardPhase.REJECTED,
        AwardPhase.CONFIRMED: AwardPhase.REJECTED,
        AwardPhase.ASIDE: AwardPhase.REJECTED,
        AwardPhase.PAID: Reason.VOID_AFTER_PAYMENT,
        AwardPhase.REJECTED: AwardPhase.REJECTED,
    },
}
"""R-20, R-21: each exactly once; no row of a clock, for no clock decides."""


def refused(life: Life[AnyPhase], phase: AnyPhase, act: type) -> Reason | None:
    """Why this act cannot be in this phase; None if it can."""
    cell = life[act][phase]
    assert isinstance(cell, Reason | type(phase)), "a refusal, or a phase of the same life"
    return cell if isinstance(cell, Reason) else None


def after(life: Life[AnyPhase], phase: AnyPhase, act: type) -> AnyPhase:
    """The phase behind an act that was not refused."""
    cell = life[act].get(phase)
    assert cell is not None and not isinstance(cell, Reason), f"{act.__name__} in {phase}: refused, or impossible"
    return cell
