"""A rehearsed month through the real core and the real store, and everything that must be true of it afterwards.

Ten tables of every modality on two pots play, win, err and correct (controller/play/rehearsal.py). Then the same record
is looked at in five ways that share as little as they can: the live book, a start from its snapshot, a replay from the
first fact, an independent ledger (support/core/ledger_model.py), and `pozo verify`.
"""

import random
import sys
import time
import typing
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import Entry, Fact, IdReused, NeighbourPinned
from controller.core.invariants import difference
from controller.core.machine import apply
from controller.core.state import State
from controller.core.values import Documents
from controller.node.book.book import Asked, Book
from controller.node.book.chain import GENESIS, Key, is_signed, link
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.play.rehearsal import ADMINISTRATORS, START, Rehearsal, Said
from controller.rules.cards import CATEGORIES
from support.core.ledger_compare import first_difference, standing
from support.places import CONFIG
from support.record.verifying import verify
from support.store.store_cases import faults

PASSES, DAYS = (200_000, 30) if CAMPAIGN else (1_500, 3)
LAWS = (("ensayo-estelar", "scj-2023"), ("ensayo-norte", "arica-2017"))
KINDS = {kind.__struct_config__.tag for kind in typing.get_args(Fact)}
# A node that shares no pot has none of these; they stand together at the end of the vocabulary.
OF_LINKS = {
    kind.__struct_config__.tag for kind in typing.get_args(Fact)[typing.get_args(Fact).index(NeighbourPinned) :]
}
HAPPENS = {"corrected", "never lit, given back", "undone after the seal", "base put back"}
if CAMPAIGN:
    HAPPENS |= {"paid by the house in part", "over the ceiling"}
# A restore needs another store; nobody here lays hands on a device, and no device lies; the rest is of the first reading.
NEVER = {
    "node_restored", "device_tended", "device_disbelieved", "late_registered", "claim_rejected", "reading_adopted",
    "seed_lost", "day_renamed", "lamps_tested", "verifiers_sealed", "pins_replaced", "unproven_refused",
    "terminal_enrolled", "terminal_withdrawn", "firmware_seen",
    "node_started", "node_stopped", "clock_stepped", "clock_noted",  # here is a book without its node
}  # fmt: skip


class Floor:
    """The client of a rehearsal: numbers what is asked; now and then asks again, or uses a number twice."""

    def __init__(self, book: Book) -> None:
        self.book, self.number, self.doubled = book, 0, 0
        self.chance = random.Random(5)

    def take(self, said: typing.Sequence[Said], at: int) -> list[tuple[Fact, ...]]:
        first = self.number + 1
        self.number += len(said)
        asks = [Asked(OutcomeKey("ensayo", 1, first + n), at, one.input, one.verifier) for n, one in enumerate(said)]
        answers = self.book.take(asks)
        if self.chance.random() < 0.01:
            again = self.chance.choice(asks)
            self.take_again(again, answers[again.id.number - first])
        return [answer.facts for answer in answers]

    def take_again(self, asked: Asked, answer: object) -> None:
        """The same request has no second effect; another one under its number none at all."""
        before = (self.book.state, self.book.balances)
        assert self.book.take([asked]) == [answer._replace(repeated=True)]
        self.doubled += 1
        if self.chance.random() < 0.1:
            other = ask.OpenDay("9999", f"{self.number:064}", ask.Signature("jefe"))
            assert isinstance(self.book.take([asked._replace(input=other)])[0].facts[-1], IdReused)
            assert (self.book.state, self.book.balances) == before


def played(place: Path, key: Key, capsys: pytest.CaptureFixture[str]) -> Floor:
    """The month, with a line now and then."""
    book = Book.create(place, key, "ensayo", ADMINISTRATORS, START - 1000)
    documents = tuple(
        Documents((CONFIG / f"plans/{plan}.toml").read_text(), (CONFIG / f"rulesets/{law}.toml").read_text())
        for plan, law in LAWS
    )
    floor, start, done = Floor(book), time.monotonic(), 0

    def told(passes: int) -> None:
        nonlocal done
        done += passes
        if CAMPAIGN and done // 10_000 > (done - passes) // 10_000:
            with capsys.disabled():
                rate = book.seq / (time.monotonic() - start)
                print(f"\n{done:,} of {PASSES:,} passes, {book.seq:,} facts, {rate:,.0f} a second", file=sys.stderr)

    Rehearsal(floor.take, lambda: book.state, documents, random.Random(11), winning=0.05).play(DAYS, PASSES, told)
    book.checkpoint()
    return floor


@pytest.mark.campaign
def test_a_month_is_the_same_however_it_is_looked_at(tmp_path, capsys):
    place, key = tmp_path / "pozo.db", Key.load_or_make(tmp_path / "node.key")
    floor = played(place, key, capsys)
    with closing(floor.book) as live:
        model, wrong = first_difference(live.store)
        seals = list(live.store.checkpoints())
        booked = live.store.balances()

    # Everything happened
    assert model.kinds.keys() == KINDS - NEVER - OF_LINKS
    assert model.shared == CATEGORIES.keys(), "every category was won by more than one at once"
    assert model.kinds["pass_opened"] >= PASSES and model.kinds["day_closed"] == DAYS
    assert floor.doubled > PASSES / 1_000
    assert {what for what, times in model.seen.items() if times} >= HAPPENS

    # The independent ledger, fact by fact, and at the end
    assert wrong is None
    assert standing(model.balances) == standing(booked) == standing(live.balances)
    assert sum(booked.values()) == 0
    assert difference(live.state, booked) == ""
    assert not [account for account in standing(booked) if "~" in account], "training left nothing"

    # A start from the snapshot; a replay from the first fact
    with closing(Book.open(place, key)) as again:
        assert (again.state, again.seq, again.hash, again.balances) == (live.state, live.seq, live.hash, live.balances)
    with Reader.open(place) as reader:
        state, hash_, answered = State(), GENESIS, Counter()
        read = msgspec.json.Decoder(Entry)
        for row in reader.facts():
            entry = read.decode(row.body)
            state = apply(state, entry.at, entry.fact)
            hash_ = link(hash_, state.node, state.epoch, entry.seq, row.body)
            answered[entry.id] += 1
        assert (state, hash_) == (live.state, live.hash)
        assert answered.total() == live.seq
        assert faults(reader) == []
        verdict = verify(reader, None, lambda _: None)
        assert verdict.is_good, verdict.wrong
        assert (verdict.facts, verdict.checkpoints) == (live.seq, len(seals))
    assert len(seals) > live.seq // 10_500 and all(is_signed(one.body, one.signature, key.public) for one in seals)
