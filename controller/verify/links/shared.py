"""Every fact that only shared pots have, and what judges it; and what an answer still owes when it is over (R-28)."""

from collections.abc import Callable

from controller.verify.links import (
    advances,
    claims,
    corrections,
    disputes,
    leaving,
    neighbours,
    plans,
    shares,
    streams,
    taken,
)

CHECKS: dict[type, Callable[..., None]] = {
    **neighbours.CHECKS,
    **streams.CHECKS,
    **disputes.CHECKS,
    **claims.CHECKS,
    **corrections.CHECKS,
    **plans.CHECKS,
    **shares.CHECKS,
    **advances.CHECKS,
    **leaving.CHECKS,
    **taken.CHECKS,
}
