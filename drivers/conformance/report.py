"""What an examination found, for a person and for a program. The words are the clauses' own; here they are only set."""

from collections.abc import Iterable, Sequence

from drivers.conformance.steps import ClauseOutcome, ClauseVerdict
from drivers.conformance.wire import Wire
from drivers.conformance.words import identity_words
from drivers.native.blocks import Identity
from drivers.session import MILLISECOND

_NAME = 30
_D_AND_A = 25 + 8 + 8 + 61  # bytes of both questions and both answers, with one seat
_THINKING = 5 * MILLISECOND


def lines_of(verdict: ClauseVerdict) -> list[str]:
    """One line, and for a failure what was promised, what came, and the last frames of the line."""
    lines = [f"{verdict.outcome:<8}{verdict.name:<{_NAME}} {verdict.sentence}"]
    match verdict.outcome:
        case ClauseOutcome.FAIL:
            lines += [f"        expected: {verdict.expected}", f"        came:     {verdict.came}"]
            lines += [f"        {frame}" for frame in verdict.frames]
        case ClauseOutcome.SKIPPED:
            lines.append(f"        because: {verdict.why}")
    return lines


def count(verdicts: Iterable[ClauseVerdict], outcome: ClauseOutcome) -> int:
    return sum(verdict.outcome is outcome for verdict in verdicts)


def conforms(verdicts: Sequence[ClauseVerdict]) -> bool:
    """Nothing failed, and something was examined."""
    return count(verdicts, ClauseOutcome.PASS) > 0 and count(verdicts, ClauseOutcome.FAIL) == 0


def summary(identity: Identity | None, verdicts: Sequence[ClauseVerdict]) -> list[str]:
    failed = [verdict.name for verdict in verdicts if verdict.outcome is ClauseOutcome.FAIL]
    passed, skipped = count(verdicts, ClauseOutcome.PASS), count(verdicts, ClauseOutcome.SKIPPED)
    who = identity_words(identity) if identity else "no identity"
    lines = [f"{passed} passed, {len(failed)} failed, {skipped} skipped: {who}"]
    if failed:
        lines.append(f"Does not conform: {', '.join(failed)}")
    elif not conforms(verdicts):
        lines.append("Nothing was examined.")
    return lines


def limits(wire: Wire) -> list[str]:
    """What no verdict of this examination says, whatever passed."""
    told = []
    if not wire.serial:
        told.append("Over TCP nothing of a serial line is examined: no silence, no noise, no foreign frames (1.7).")
    elif not wire.takes_time:
        told.append("A pty takes bytes at once: no silence before an answer, no gap inside a frame is examined (1.7).")
    told.append(
        f"A time is held between two looks: what is wrong by less than its tolerance and some {_sight(wire)} ms more, "
        "one look at one seat on this line, may pass (2.3 C); with more seats a look is longer."
    )
    if wire.serial:
        told.append("What an adapter does to a gap inside a frame is not seen: 2.2-gap-inside may pass for it (1.7).")
    told.append(
        "From outside nobody sees whether a total and its event are written at one instant, how long the memory lasts, "
        "what light a player sees, and whether a broken lock line locks: a laboratory does (2.8)."
    )
    return told


def _sight(wire: Wire) -> int:
    timing = wire.timing
    look = timing.wire(_D_AND_A) + 4 * timing.silence + 2 * (timing.latency + _THINKING)
    return look // MILLISECOND


def as_document(
    place: str, wire: Wire, unit: int, identity: Identity | None, verdicts: Sequence[ClauseVerdict]
) -> dict[str, object]:
    """For programs; its keys stay."""
    return {
        "port": place,
        "unit": unit,
        "identity": None if identity is None else identity_document(identity),
        "conforms": conforms(verdicts),
        "passed": count(verdicts, ClauseOutcome.PASS),
        "failed": count(verdicts, ClauseOutcome.FAIL),
        "skipped": count(verdicts, ClauseOutcome.SKIPPED),
        "limits": limits(wire),
        "verdicts": [_row(verdict) for verdict in verdicts],
    }


def identity_document(identity: Identity) -> dict[str, object]:
    return {name: getattr(identity, name) for name in identity.__slots__}


def _row(verdict: ClauseVerdict) -> dict[str, object]:
    row: dict[str, object] = {
        "clause": verdict.name, "sentence": verdict.sentence, "verdict": verdict.outcome.value.lower(),
    }  # fmt: skip
    if verdict.outcome is ClauseOutcome.FAIL:
        row |= {
            "expected": verdict.expected, "came": verdict.came, "frames": [str(frame) for frame in verdict.frames],
        }  # fmt: skip
    if verdict.outcome is ClauseOutcome.SKIPPED:
        row["because"] = verdict.why
    return row
