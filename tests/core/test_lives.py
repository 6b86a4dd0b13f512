"""The tables of lives: whole, consistent, and the same in the documents as in the code."""

from enum import StrEnum

import pytest

from controller.core import inputs as ask
from controller.core.inputs import Input
from controller.core.lives import AWARD, CLAIM, PASS, after, refused
from controller.core.values import AwardPhase, ClaimPhase, Phase
from controller.rules.refusal import Reason
from support.places import ROOT

LIVES = {"pass": (PASS, Phase), "claim": (CLAIM, ClaimPhase), "award": (AWARD, AwardPhase)}
PAGE = ROOT / "docs/lives.md"
ROWS = [(name, act) for name, (life, _) in LIVES.items() for act in life]


def written(name):
    """One life as its table in the documents."""
    life, phases = LIVES[name]
    lines = [f"| asked | {' | '.join(phases)} |", "|---|" + "---|" * len(phases)]
    for act, row in life.items():
        cells = [shown(row.get(phase), phase) for phase in phases]
        lines.append(f"| `{act.__struct_config__.tag}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def shown(cell, phase):
    if isinstance(cell, Reason):
        return f"*{cell.code}* ({cell.rule})"
    return "" if cell is None else "stays" if cell is phase else f"**{cell}**"


@pytest.mark.parametrize("name", LIVES)
def test_the_documents_show_the_table_that_the_core_reads(name):
    assert f"<!-- {name} -->\n{written(name)}\n" in PAGE.read_text(), f"docs/lives.md should have:\n{written(name)}"


@pytest.mark.parametrize(("name", "act"), ROWS, ids=lambda part: getattr(part, "__name__", part))
def test_r5_r21_r34_whatever_is_asked_has_an_answer_in_every_phase(name, act):
    life, phases = LIVES[name]
    if act in Input.__args__:
        assert list(life[act]) == list(phases)
    for phase, cell in life[act].items():
        assert isinstance(cell, Reason | phases)
        assert refused(life, phase, act) is (cell if isinstance(cell, Reason) else None)
        if isinstance(cell, StrEnum):
            assert after(life, phase, act) is cell


def test_r5_r34_what_is_refused_has_no_phase_behind_it():
    with pytest.raises(AssertionError, match="OpenPass in sealed"):
        after(PASS, Phase.SEALED, ask.OpenPass)
    with pytest.raises(AssertionError, match="PassSealed in open"):
        after(PASS, Phase.OPEN, next(act for act in PASS if act not in Input.__args__))


def test_r5_every_phase_is_reached_and_left_and_what_is_decided_stays_decided():
    for life, phases in LIVES.values():
        moves = {(old, new) for row in life.values() for old, new in row.items() if isinstance(new, StrEnum)}
        reached = {new for old, new in moves if old is not new}
        assert reached | {next(iter(phases))} == set(phases)
    for life, last in ((CLAIM, ClaimPhase.REJECTED), (AWARD, AwardPhase.PAID), (AWARD, AwardPhase.REJECTED)):
        assert not [row[last] for row in life.values() if row[last] not in (last, *Reason)]
