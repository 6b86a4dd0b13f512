"""Random histories, sensible and not: replay is the live state, money is never made, nothing that is asked ever raises.

What a step must hold is asked by `Floor.hear` after every fact: its lines add up to nothing, no account leaves its
bounds, state and ledger agree. Here it is asked of what no one would think of.
"""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core import inputs as ask
from controller.core import ledger
from controller.core.facts import (
    ClaimRejected,
    Fact,
    IdReused,
    LateRegistered,
    NeighbourPinned,
    NodeFounded,
    NodeStarted,
    PinsReplaced,
    ReadingAdopted,
    Refused,
    VerifiersSealed,
)
from controller.core.ledger import postings
from controller.core.machine import answer, apply
from controller.core.state import State
from support.core.core_histories import History, hostile
from support.core.lives_watch import CELLS, Witness
from support.floor.floor import Floor, replayed
from support.floor.told import told

KINDS = sorted(ask.Input.__args__, key=lambda kind: kind.__name__)
read_state = msgspec.json.Decoder(State).decode
read_fact = msgspec.json.Decoder(Fact).decode
write = msgspec.json.encode


def play(seed, steps, nonsense=0.1):
    history = History(random.Random(seed), nonsense)
    for _ in range(steps):
        yield history, *history.step()


def stages():
    """Floors in the middle of everything."""
    yield Floor(founded=False)
    for seed in range(12):
        *_, (history, _, _) = play(seed, 30 + 5 * seed)
        yield history.floor


STAGES = list(stages())


@pytest.mark.campaign
@given(st.integers(0, 2**64), st.sampled_from([0, 0.1, 0.5]))
def test_r27_the_facts_alone_make_the_live_state(seed, nonsense):
    for history, _, _ in play(seed, 60, nonsense):
        floor = history.floor
    assert replayed(floor.record) == floor.state

    written = [(at, read_fact(write(fact))) for at, fact in floor.record]
    assert written == floor.record
    assert replayed(written) == floor.state


@pytest.mark.campaign
@given(st.integers(0, 2**64))
def test_r27_a_snapshot_is_the_state_at_every_step_and_answers_the_same(seed):
    resumed = None
    for history, asked, facts in play(seed, 60):
        if resumed is not None:
            known = history.floor.record[: len(history.floor.record) - len(facts)]
            assert answer(resumed, asked, history.floor.now, told(resumed, asked, known)) == facts
        body = write(history.floor.state)
        resumed = read_state(body)
        assert resumed == history.floor.state
        assert write(resumed) == body, "in the same order too"


@pytest.mark.campaign
@given(st.integers(0, 2**64))
def test_r18_r22_every_peso_that_a_pot_has_or_had_came_from_somewhere(seed):
    """The world's accounts and the floor's add up to nothing, and only named causes make a pot lower."""
    for history, _, facts in play(seed, 60):
        assert sum(history.floor.balances.values()) == 0
        for fact in facts:
            for line in postings(fact):
                assert line.amount != 0
                if line.account.startswith("pot:") and line.amount < 0:
                    assert line.cause in ledger.POT_FALLS_BY


@pytest.mark.campaign
@given(st.integers(0, 2**64))
def test_r27_what_is_refused_or_repeated_changes_nothing_but_the_clock_and_wrong_pins(seed):
    before = None
    for history, _, facts in play(seed, 60, 0.3):
        state = msgspec.structs.replace(history.floor.state, clock=0, people={})
        if before is not None and isinstance(facts[-1], Refused):
            assert state == before
        before = state


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(seed=st.integers(0, 2**64))
def test_r27_nonsense_is_answered_in_any_state(kind, seed):
    """A name that is nobody's, a number beyond all measure, a card that is none: a fact, never an exception."""
    chance = random.Random(seed)
    floor = STAGES[chance.randrange(len(STAGES))]
    asked = hostile(kind, chance)
    history = told(floor.state, asked, floor.record)
    facts = answer(floor.state, asked, chance.choice((floor.now, 0, -5, 2**62)), history)

    state = floor.state
    for fact in facts:
        assert read_fact(write(fact)) == fact
        state = apply(state, floor.now, fact)
    assert facts


def test_histories_come_across_every_kind_of_fact_and_most_refusals():
    """Two hundred of them; and a few more until the rarest cell has happened, for a new input is another chance."""
    seen = Counter()
    witness = Witness()
    histories = 0
    while histories < 200 or (CELLS - set(witness.seen) and histories < 1_000):
        history = History(random.Random(histories), 0.02)
        histories += 1
        for _ in range(250):
            before = history.floor.state
            asked, facts = history.step()
            witness.see(before, asked, facts, history.floor.now)
        seen.update(type(fact) if not isinstance(fact, Refused) else fact.reason for _, fact in history.floor.record)

    of_the_first_reading = {ClaimRejected, LateRegistered, ReadingAdopted}
    # The book alone says that an id was reused and which program runs; what lies otherwise of PINs is proven in
    # tests/node/store/test_new_pins.py.
    of_the_book = {Refused, IdReused, VerifiersSealed, PinsReplaced, NodeStarted}
    # What several nodes say to each other is played in tests/core/links.
    kinds = list(Fact.__args__)
    of_links = set(kinds[kinds.index(NeighbourPinned) :])
    never = set(kinds) - set(seen) - of_links | {VerifiersSealed}  # it may come across that one
    assert never == of_the_book | of_the_first_reading
    assert sum(isinstance(name, str) for name in seen) > 45
    assert seen[NodeFounded] == histories
    assert not CELLS - set(witness.seen), "each cell of docs/lives.md happens"
