"""What the book signs, and when: in the same commit, at the answers that must be signed, and after five minutes (R-27)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import NodeStarted
from controller.node.book.book import Asked, Book
from controller.node.book.chain import BookDamaged, Key, is_signed, read_checkpoint
from controller.node.book.seal import SIGNED_WITHIN
from controller.node.engine.due import TAIL_WAITS, Tail
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.record.reading import entries
from controller.verify.wrong import Wrong
from support.core.book_cases import JEFE, founded, restarted
from support.record.verify_rows import Rows
from support.record.verify_tamper import Edited
from support.record.verifying import verify

BOOT = "2f1c0d3e-0000-4000-8000-000000000000"
MINUTE = 60_000


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "node.db"


@pytest.fixture
def book(place, key):
    made = founded(place, key)
    yield made
    made.close()


def signed(book: Book) -> list[int]:
    return [row.seq for row in book.store.checkpoints()]


def kinds(book: Book) -> dict[int, str]:
    return {row.seq: row.kind for row in book.store.facts()}


def verdict_on(place):
    with Reader.open(place) as reader, reader.moment():
        return verify(reader, None, lambda _: None)


def nothing(book: Book, number: int, at: int) -> None:
    """A fact that need not be signed."""
    book.take([Asked(OutcomeKey("nada", 1, number), at, ask.LookAtClock())])


def test_a_founding_people_plans_and_a_day_are_signed_each_with_its_answer(book):
    of = kinds(book)
    assert [of[seq] for seq in signed(book)] == [
        "node_founded", "person_enrolled", "person_enrolled", "person_enrolled", "plan_took_effect", "day_opened"
    ]  # fmt: skip
    assert book.unsigned_since is None


def test_each_signature_is_given_away_after_its_commit(book, key):
    heard = []
    book.sealed = lambda body, signature: heard.append(
        (body, signature, [row.seq for row in book.store.checkpoints()][-1])
    )
    nothing(book, 1, book.state.clock)
    assert heard == []
    book.take(
        [
            Asked(OutcomeKey("dia", 1, 1), book.state.clock, ask.CloseDay("00", JEFE)),
            Asked(OutcomeKey("dia", 1, 2), book.state.clock, ask.StartNode("ab" * 32, BOOT)),
        ]
    )
    ((body, signature, newest),) = heard  # the day's seed was not that one: refused, and not signed
    assert is_signed(body, signature, key.public)
    assert read_checkpoint(body).seq == book.seq == newest


def test_a_start_and_a_stop_are_signed_and_say_what_runs(book, place, key):
    book.start(BOOT, book.state.clock)
    checkpoint = read_checkpoint(book.store.newest_checkpoint().body)
    last = [entry.fact for entry in entries(book.store)][-1]
    assert isinstance(last, NodeStarted) and last.boot == BOOT
    assert checkpoint.software.startswith("pozo ") and checkpoint.software.endswith(f"sha256:{last.program}")
    assert (checkpoint.seq, checkpoint.state) == (book.seq, "")
    book.stop(book.state.clock)
    assert book.store.newest_snapshot().seq == book.seq == signed(book)[-1]
    book = restarted(book, place, key)
    book.start(BOOT, book.state.clock)
    book.close()
    assert verdict_on(place).wrong is None


def test_a_fact_that_comes_five_minutes_after_the_oldest_unsigned_one_is_signed(book, place):
    start = book.state.clock
    nothing(book, 1, start + 10)
    nothing(book, 2, start + 9 + SIGNED_WITHIN)
    assert signed(book)[-1] == book.seq - 2
    assert book.unsigned_since == start + 10
    nothing(book, 3, start + 10 + SIGNED_WITHIN)
    assert signed(book)[-1] == book.seq
    nothing(book, 4, start + 5)  # the clock went back, and is signed
    assert signed(book)[-1] == book.seq and kinds(book)[book.seq - 1] == "clock_went_back"
    nothing(book, 5, start + 6)
    book.close()

    verdict = verdict_on(place)
    assert (verdict.wrong, verdict.unsigned, verdict.unsigned_since) == (None, 1, start + 6)


def test_a_step_of_the_clock_is_signed_and_a_record_of_before_that_did_not_is_good(book, place, key):
    """`node_started` says by which list: a program of before signed no steps."""
    book.start(BOOT, book.state.clock)
    start = book.seq
    book.take([Asked(OutcomeKey("reloj", 1, 1), book.state.clock, ask.StepClock(-36_000_000))])
    step = signed(book)[-1]
    assert step == book.seq and kinds(book)[step] == "clock_stepped"
    nothing(book, 1, book.state.clock + 5)
    book.sign()
    book.close()
    assert verdict_on(place).wrong is None
    for signing, wrong in ((2, f"fact {step}"), (1, None)):
        with Reader.open(place) as reader:
            rows = Rows(reader)
        bodies = rows.bodies()
        if signing == 1:
            del bodies[start - 1]["fact"]["signing"]
        rows.make_whole(bodies, key)
        rows.all_checkpoints = [row for row in rows.all_checkpoints if row.seq != step]
        found = verify(rows, None, lambda _: None).wrong
        assert (found and found.place) == wrong
        assert found is None or "dice que cambiaron el reloj" in found.why


def test_in_one_commit_each_answer_that_must_be_signed_is(book):
    """What a signature covers is known from the facts alone, whatever stood in the same commit."""
    at, before = book.state.clock, len(signed(book))
    many = [Asked(OutcomeKey("x", 1, n), at, ask.StartNode("ab" * 32, BOOT)) for n in range(1, 4)]
    book.take([many[0], Asked(OutcomeKey("y", 1, 1), at, ask.LookAtClock()), *many[1:]])
    assert signed(book)[before:] == [book.seq - 3, book.seq - 1, book.seq]


def test_an_idle_tail_is_signed_within_five_minutes(book):
    assert TAIL_WAITS < 300_000_000
    tail = Tail(book.sign)
    turn = lambda now: tail.turn(book.unsigned_since, now)
    turn(0)
    nothing(book, 1, book.state.clock + 5)
    turn(7)
    turn(7 + TAIL_WAITS - 1)
    assert book.unsigned_since is not None
    turn(7 + TAIL_WAITS)
    assert book.unsigned_since is None and signed(book)[-1] == book.seq
    before = signed(book)
    for now in range(10):
        turn((9 + now) * TAIL_WAITS)
    assert signed(book) == before, "nothing new waits"


def test_a_restart_knows_since_when_facts_wait(book, place, key):
    nothing(book, 1, book.state.clock + 5)
    since = book.unsigned_since
    nothing(book, 2, book.state.clock + 5)
    book = restarted(book, place, key)
    assert book.unsigned_since == since is not None
    nothing(book, 3, since + SIGNED_WITHIN)
    assert book.unsigned_since is None


@pytest.mark.parametrize("which", range(6))
def test_r27_a_signature_that_must_be_there_is_missed(book, place, tmp_path, which):
    seq = signed(book)[which]
    nothing(book, 1, book.state.clock + 5)
    book.checkpoint()
    book.close()
    copy = tmp_path / "copy.db"
    with Edited(place, copy) as edit:
        edit("DELETE FROM checkpoint WHERE seq = ?", seq)
    wrong = verdict_on(copy).wrong
    assert (wrong.place, wrong.rule) == (f"fact {seq}", "R-27") and "falta la firma" in wrong.why


def test_r27_five_minutes_without_a_signature_are_missed(book, place, tmp_path):
    first = book.seq + 1
    start = book.state.clock
    for number in range(1, 8):
        nothing(book, number, start + number * MINUTE)
    seq = signed(book)[-1]
    nothing(book, 8, start + 8 * MINUTE)
    book.checkpoint()
    book.close()
    copy = tmp_path / "copy.db"
    with Edited(place, copy) as edit:
        edit("DELETE FROM checkpoint WHERE seq = ?", seq)
    why = f"falta una firma: el hecho {first} espera la suya desde hace 5 minutos"
    assert verdict_on(copy).wrong == Wrong(f"fact {seq}", "R-27", why)


def test_a_record_without_any_signature_is_no_record_to_go_on_with(book, place, key, tmp_path):
    book.close()
    with Edited(place, tmp_path / "copy.db") as edit:
        edit("DELETE FROM checkpoint")
        edit("DELETE FROM snapshot")
    with pytest.raises(BookDamaged, match="registro: no lleva ninguna firma"):
        Book.open(tmp_path / "copy.db", key)


def test_a_record_whose_newest_signature_is_of_another_chain_is_not_gone_on_with(book, place, key, tmp_path):
    nothing(book, 1, book.state.clock + 5)
    book.sign()
    newest = book.seq
    book.close()
    other = Key.load_or_make(tmp_path / "other.key")
    for change, why in ((b"x" * 64, "no lo firmó este nodo"), (None, "no es el que se firmó")):
        with Edited(place, tmp_path / "copy.db") as edit:
            if change is None:
                body = edit.value("SELECT body FROM checkpoint WHERE seq = ?", newest - 1)
                edit("UPDATE checkpoint SET body = ?, signature = ? WHERE seq = ?", body, key.sign(body), newest)
            else:
                edit("UPDATE checkpoint SET signature = ? WHERE seq = ?", change, newest)
        with pytest.raises(BookDamaged, match=f"testigo {newest}: .*{why}"):
            Book.open(tmp_path / "copy.db", key)
    assert other.public != key.public
