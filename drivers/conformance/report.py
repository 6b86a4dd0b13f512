"""What an examination found, for a person and for a program. The words are the clauses' own; here they are only set."""

from collections.abc import Iterable, Sequence

from drivers.conformance.steps import Outcome, Verdict
from drivers.conformance.words import identity_words
from drivers.native.blocks import Identity

_NAME = 30


def lines_of(verdict: Verdict) -> list[str]:
    """One line, and for a failure what was promised, what came, and the last frames of the line."""
    lines = [f"{verdict.outcome:<8}{verdict.name:<{_NAME}} {verdict.sentence}"]
    match verdict.outcome:
        case Outcome.FAIL:
            lines += [f"        expected: {verdict.expected}", f"        came:     {verdict.came}"]
            lines += [f"        {frame}" for frame in verdict.frames]
        case Outcome.SKIPPED:
            lines.append(f"        because: {verdict.why}")
    return lines


def count(verdicts: Iterable[Verdict], outcome: Outcome) -> int:
    return sum(verdict.outcome is outcome for verdict in verdicts)


def conforms(verdicts: Sequence[Verdict]) -> bool:
    """Nothing failed, and something was examined."""
    return count(verdicts, Outcome.PASS) > 0 and count(verdicts, Outcome.FAIL) == 0


def summary(identity: Identity | None, verdicts: Sequence[Verdict]) -> list[str]:
    failed = [verdict.name for verdict in verdicts if verdict.outcome is Outcome.FAIL]
    told = [
        f"{count(verdicts, Outcome.PASS)} passed, {len(failed)} failed, {count(verdicts, Outcome.SKIPPED)} skipped: "
        + (identity_words(identity) if identity else "no identity")
    ]
    if failed:
        told.append(f"Does not conform: {', '.join(failed)}")
    elif not conforms(verdicts):
        told.append("Nothing was examined.")
    return told


def as_document(place: str, unit: int, identity: Identity | None, verdicts: Sequence[Verdict]) -> dict[str, object]:
    """For programs; its keys stay."""
    return {
        "port": place,
        "unit": unit,
        "identity": None if identity is None else identity_document(identity),
        "conforms": conforms(verdicts),
        "passed": count(verdicts, Outcome.PASS),
        "failed": count(verdicts, Outcome.FAIL),
        "skipped": count(verdicts, Outcome.SKIPPED),
        "verdicts": [_row(verdict) for verdict in verdicts],
    }


def identity_document(identity: Identity) -> dict[str, object]:
    return {name: getattr(identity, name) for name in identity.__slots__}


def _row(verdict: Verdict) -> dict[str, object]:
    row: dict[str, object] = {
        "clause": verdict.name, "sentence": verdict.sentence, "verdict": verdict.outcome.value.lower(),
    }  # fmt: skip
    if verdict.outcome is Outcome.FAIL:
        row |= {
            "expected": verdict.expected, "came": verdict.came, "frames": [str(frame) for frame in verdict.frames],
        }  # fmt: skip
    if verdict.outcome is Outcome.SKIPPED:
        row["because"] = verdict.why
    return row
