"""A node's book is killed at any moment, and loses its power before any statement: nothing acknowledged is lost, nothing
is done twice. The writer is a real process (support/core/book_writer.py); the cuts are those of support/store/store_cuts.py.
"""

import json
import random
import select
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.values import Documents
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.play import rehearsal
from controller.rules.complementary import commitment
from support.core.book_cases import JEFE, SEED, START, Client, everything_of, founded
from support.core.book_cuts import KINDS, NUMBER, prepared
from support.core.book_writer import heard
from support.core.ledger_compare import first_difference, standing
from support.nonces import nonce_of
from support.places import CONFIG, TESTS
from support.store.store_cases import faults, outcome_of

pytestmark = pytest.mark.process

KILLS = 300 if CAMPAIGN else 12


# Each kind of work that is cut, and the fact that shows that it was done.
DOES = {
    "bet": "bet_made", "seal": "pass_sealed", "claim": "claim_registered", "snapshot": "credits_bought",
    "person": "person_enrolled", "restore": "node_restored",
}  # fmt: skip


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


def ten_tables(place: Path, key: Key) -> None:
    """A node whose rehearsal can begin: people, plans, an open day."""
    documents = [
        Documents((CONFIG / f"plans/{plan}.toml").read_text(), (CONFIG / f"rulesets/{law}.toml").read_text())
        for plan, law in (("ensayo-estelar", "scj-2023"), ("ensayo-norte", "arica-2017"))
    ]
    with closing(Book.create(place, key, "ensayo", rehearsal.ADMINISTRATORS, START)) as book:
        client = Client(book, "preparation")

        def take(said, at):
            return [
                one.facts for one in book.take([client.asked(one.input, one.verifier)._replace(at=at) for one in said])
            ]

        rehearsal.Rehearsal(take, lambda: book.state, tuple(documents), random.Random(0))._set_up()
        client.say(ask.OpenDay("2026-11-01", commitment(SEED), JEFE, nonce_of("2026-11-01")))


def killed(place: Path, seed: int, asked: Path, after: float) -> list[dict[str, object]]:
    """What a writer had heard when it was killed, that many seconds after its book was open."""
    words = [
        sys.executable,
        str(TESTS / "support/core/book_writer.py"),
        "play",
        str(place),
        str(place.with_name("node.key")),
        str(seed),
        str(asked),
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        said = b""
        kill_at = None
        while kill_at is None or time.monotonic() < kill_at:
            wait = 30.0 if kill_at is None else max(kill_at - time.monotonic(), 0)
            if not select.select([writer.stdout], [], [], wait)[0]:
                break
            said += writer.stdout.read1()
            assert writer.poll() is None, writer.stderr.read().decode()[-2000:]
            if kill_at is None and b"\n" in said:
                kill_at = time.monotonic() + after
        writer.kill()  # the process that was started here, and no other
        said += writer.stdout.read()
    lines = [line for line in said.split(b"\n")[:-1] if line]
    return [json.loads(line) for line in lines if b"number" in line]


def requests_in(asked: Path) -> list[Asked]:
    """Every request that was about to be made; a line the kill cut in half was never asked."""
    requests = []
    for line in asked.read_bytes().split(b"\n") if asked.exists() else ():
        with suppress(msgspec.DecodeError):
            requests.append(msgspec.json.decode(line, type=Asked))
    return requests


@pytest.mark.campaign
def test_a_writer_killed_at_any_moment_loses_and_doubles_nothing(tmp_path, key, capsys):
    place, chance = tmp_path / "pozo.db", random.Random(20261118)
    ten_tables(place, key)
    answered: dict[int, dict[str, object]] = {}
    seen = {"unheard": 0, "done and unheard": 0, "snapshots": 0}
    for kill in range(1, KILLS + 1):
        asked = tmp_path / f"asked{kill}"
        told = killed(place, kill, asked, chance.random() * 0.25)
        answered |= {one["number"]: one for one in told}
        with closing(Book.open(place, key)) as book:
            for one in told:
                outcome = outcome_of(book.store, "ensayo", 1, one["number"])
                assert (outcome.first, outcome.last) == (one["first"], one["last"])
            requests = requests_in(asked)
            unheard = [one for one in requests if one.id.number not in answered]
            assert [one.id.number for one in requests[: len(told)]] == [one["number"] for one in told]
            answers = book.take(unheard)
            seen["unheard"] += len(unheard)
            seen["done and unheard"] += sum(answer.repeated for answer in answers)
            after = everything_of(book)
            assert book.take(unheard) == [answer._replace(repeated=True) for answer in answers]
            assert everything_of(book) == after
            answered |= {answer.id.number: heard(answer) for answer in answers}
            again = chance.choices(requests, k=5) if requests else []
            assert [heard(answer) for answer in book.take(again)] == [answered[one.id.number] for one in again]
            assert everything_of(book) == after
        asked.unlink(missing_ok=True)
        if CAMPAIGN and kill % 25 == 0:
            with capsys.disabled():
                print(
                    f"\n{kill} of {KILLS} kills: {len(answered):,} answers, {after['seq']:,} facts, {seen}",
                    file=sys.stderr,
                )
    with closing(Book.open(place, key)) as book:
        seen["snapshots"] = sum(1 for _ in book.store.checkpoints())
        assert_every_request_has_one_answer(book, answered)
    if not CAMPAIGN:
        print(seen)
    assert seen["unheard"] > KILLS / 4, "the kills came while something was under way"
    assert seen["snapshots"] > KILLS / 12


def assert_every_request_has_one_answer(book: Book, answered: dict[int, dict[str, object]]) -> None:
    """Fact by fact: each belongs to one request, whose facts stand together; and the money is where the model says."""
    ids, last = {}, None
    for row in book.store.facts():
        source, epoch, number = json.loads(row.body)["id"]
        assert (source, epoch, number) == last or (source, epoch, number) not in ids, "an id whose facts stand apart"
        last = (source, epoch, number)
        ids.setdefault(last, []).append(row.seq)
    of_rehearsal = {number: facts for (source, _, number), facts in ids.items() if source == "ensayo"}
    assert of_rehearsal.keys() == answered.keys()
    assert all(
        (facts[0], facts[-1]) == (answered[number]["first"], answered[number]["last"])
        for number, facts in of_rehearsal.items()
    )
    model, difference = first_difference(book.store)
    assert difference is None
    assert standing(model.balances) == standing(book.store.balances()) == standing(book.balances)
    assert model.kinds["pass_sealed"] > KILLS and model.kinds["claim_registered"]


# The power is cut before every statement


@pytest.mark.parametrize("kind", [kind.__name__ for kind in KINDS])
def test_a_commit_of_the_book_cut_before_any_statement_is_there_whole_or_not_at_all(kind, tmp_path):
    base, cuts = tmp_path / "base", tmp_path / "cuts"
    base.mkdir()
    cuts.mkdir()
    key = Key.load_or_make(base / "node.key")
    with closing(founded(base / "pozo.db", key)) as book:
        prepared(kind, book)
        before, signed = everything_of(book), sum(1 for _ in book.store.checkpoints())
    words = [sys.executable, str(TESTS / "support/core/book_cuts.py"), kind, str(base), str(cuts)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    left = [cuts / str(cut) for cut in range(1, json.loads((cuts / "done.json").read_text())["cuts"] + 1)]
    states, outcomes, seals = [], [], []
    for folder in left:
        with closing(Book.open(folder / "pozo.db", key)) as book:
            states.append(everything_of(book))
            outcomes.append(outcome_of(book.store, "caja", 1, NUMBER) is not None)
            seals.append(sum(1 for _ in book.store.checkpoints()))
            assert book.store.epoch == book.state.epoch
            asks = asked_in(kind, book)
            answers = book.take(asks)
            assert all(answer.repeated == outcomes[-1] for answer in answers)
            assert book.take(asks) == [answer._replace(repeated=True) for answer in answers]
            after = everything_of(book)
            model, difference = first_difference(book.store)
            assert difference is None
            assert standing(model.balances) == standing(book.balances)
            assert "refused" not in model.kinds and model.kinds[DOES[kind]]
        with Reader.open(folder / "pozo.db") as reader:
            assert faults(reader) == []

    committed = [any(step == "COMMIT" for step in (folder / "steps").read_text().splitlines()) for folder in left]
    assert outcomes == committed
    assert states == [states[-1] if there else before for there in committed]
    assert after == states[-1] != before
    assert seals == [seals[-1] if there else signed for there in committed], "a signature comes with its commit"
    assert seals[-1] > signed or kind in {"bet", "seal"}
    assert committed[-1] and not committed[0] and len(left) >= 6


def asked_in(kind: str, book: Book) -> list[Asked]:
    """What was asked when the power went, with the same ids and at the same instants."""
    return [
        Asked(OutcomeKey("caja", 1, NUMBER + n), START + 10**6, one.input, one.verifier)
        for n, one in enumerate({kind.__name__: kind for kind in KINDS}[kind](book))
    ]


def test_every_kind_of_commit_is_cut_somewhere_here():
    assert {kind.__name__ for kind in KINDS} == DOES.keys()
