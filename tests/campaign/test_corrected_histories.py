"""People err, and put right what they find, at any later time: `pozo verify` agrees with every step (R-25, R-29, R-34, R-35).

The auditor's code was written from the rules alone and shares nothing with the core. What it proves of each correction is every
figure: who is owed what, what is cancelled and lost, how the pot moves, what every later claim is owed anew.
"""

import copy
import random
from collections import Counter

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.node.store.store import Reader
from controller.record.export import Exported, export
from support.record.mistakes import Mistakes
from support.record.verify_rows import Rows
from support.record.verifying import verify

HISTORIES, STEPS = (20_000, 200) if CAMPAIGN else (32, 60)
PARTS = 16


def silent(_seq):
    """Nobody looks at the progress."""


def told(folder, seed, steps=STEPS):
    """One history, verified; what was done in it."""
    history = Mistakes(folder, seed)
    try:
        history.play(steps)
        history.floor.commit()
        history.floor.book.checkpoint()
        with Reader.open(history.floor.path) as reader:
            verdict = verify(reader, None, silent)
    finally:
        history.floor.book.close()
    assert verdict.wrong is None, (seed, history.readings, verdict.wrong)
    return history


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_r34_every_correction_of_a_random_history_is_computed_the_same_twice(tmp_path, part):
    done = Counter()
    for seed in range(part, HISTORIES, PARTS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        done += told(folder, seed).done
    if CAMPAIGN:  # the two short histories of a part need not have everything
        assert done["CorrectClaim"] and done["RejectClaim"] and done["PayAward"]


def lied(value, chance):
    """The same, but not quite."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1))
    if isinstance(value, list):
        return value[1:] if value else [1]
    return value


FIGURES = (
    "place",
    "before",
    "awards",
    "unpaid",
    "cancelled",
    "lost",
    "resettled",
    "flow",
    "overflows",
    "since",
    "confirmed",
    "late",
)


def figures_of(fact):
    """Every number of a correction, by the way to it."""
    stack = [((name,), fact[name]) for name in FIGURES if name in fact]
    while stack:
        way, value = stack.pop()
        if isinstance(value, dict):
            stack += [((*way, key), one) for key, one in value.items()]
        elif isinstance(value, list) and value and not isinstance(value[0], str):
            yield way
            stack += [((*way, at), one) for at, one in enumerate(value)]
        elif isinstance(value, int):
            yield way


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1_000 if CAMPAIGN else 3))
def test_r34_a_lie_in_any_figure_of_a_correction_is_found_there(tmp_path, seed):
    with Reader.open(told(tmp_path, seed, 80).floor.path) as reader:
        rows = Rows(reader)
    chance = random.Random(seed)
    bodies = rows.bodies()
    corrections = [at for at, body in enumerate(bodies) if body["fact"]["kind"] == "claim_corrected"]
    for at in chance.sample(corrections, min(len(corrections), 4)):
        fact = bodies[at]["fact"]
        ways = [way for way in figures_of(fact) if way != ("confirmed",) or fact["awards"] or fact["resettled"]]
        for way in chance.sample(ways, min(len(ways), 8)):
            changed = copy.deepcopy(bodies)
            *path, last = way
            inside = changed[at]["fact"]
            for step in path:
                inside = inside[step]
            inside[last] = lied(inside[last], chance)
            wrong = verify(copy.copy(rows).make_whole(changed), None, silent).wrong
            assert wrong is not None and wrong.place == f"fact {at + 1}", (seed, at + 1, way, wrong)


def test_r34_an_exported_record_is_read_again_as_well(tmp_path):
    history = told(tmp_path, 5)
    with Reader.open(history.floor.path) as reader, (tmp_path / "x.jsonl").open("wb") as file:
        export(reader, file, silent)

    assert history.done["CorrectClaim"]
    assert verify(Exported(tmp_path / "x.jsonl"), None, silent).is_good


def test_every_kind_of_error_is_made_and_put_right(tmp_path):
    """A history that errs too little proves too little."""
    kinds = Counter()
    for seed in range(12):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with Reader.open(told(folder, seed).floor.path) as reader:
            for row in reader.facts():
                fact = msgspec.json.decode(row.body)["fact"]
                if fact["kind"] != "claim_corrected":
                    continue
                kinds["prize" if "/p" in fact["claim"] else "void" if fact.get("void") else "hands"] += 1
                kinds["alone"] += "second" not in fact
                for name in ("awards", "cancelled", "lost", "resettled", "overflows"):
                    kinds[name] += bool(fact[name])

    assert all(kinds[name] for name in ("prize", "void", "hands", "alone", "awards", "cancelled", "lost", "resettled"))
