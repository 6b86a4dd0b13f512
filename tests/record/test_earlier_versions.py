"""Records of earlier versions open, go on and verify, for ever.

`earlier/` holds, by its commit, a record that a version of the program made (`pozo rehearse --passes 50 --days 3 --seed
20`), its key, and the digits of its last fact. What the version of today adds must verify together with the old.
"""

import json
import lzma
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.core import inputs as ask
from controller.core.facts import DayClosed, DayOpened
from controller.core.values import Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.store.versions import migrate
from controller.rules.complementary import commitment
from controller.rules.refusal import Reason
from controller.verify.verify import Verdict
from support.places import TESTS
from support.record.verifying import verify

EARLIER = TESTS / "record/earlier"
HEADS = {"6262aba": "1320-84b538487f6c6d7f"}
SEED = bytes(range(32))
JEFE = Signature("jefe")


@pytest.fixture(params=HEADS)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    record = tmp_path / "node.db"
    record.write_bytes(lzma.decompress((EARLIER / f"{request.param}.db.xz").read_bytes()))
    shutil.copy(EARLIER / f"{request.param}.key", tmp_path / "node.key")
    (tmp_path / "node.key").chmod(0o600)
    return request.param, record


def verdict_on(record: Path) -> Verdict:
    with Reader.open(record) as reader, reader.moment():
        return verify(reader, None, lambda _: None)


def verified(record: Path) -> str:
    verdict = verdict_on(record)
    assert verdict.wrong is None, verdict.wrong
    return verdict.head


def test_a_record_of_an_earlier_version_verifies(earlier):
    version, record = earlier

    assert verified(record) == HEADS[version]


def test_a_record_of_an_earlier_version_opens_and_goes_on_and_verifies_with_what_came(earlier):
    _, record = earlier
    migrate(record)
    book = Book.open(record, Key.load_or_make(record.with_name("node.key")))
    before, state = dict(book.balances), book.state
    at, source = state.clock + 86_400_000, ("hoy", state.epoch)
    today = datetime.fromtimestamp(at / 1000, UTC).date()
    assert state.last_day < today.isoformat()
    wanted = [ask.OpenDay(today.isoformat(), commitment(SEED), JEFE), ask.CloseDay(SEED.hex(), JEFE)]
    answers = [
        book.take([Asked(OutcomeKey(*source, number), at + number, asked)])[0]
        for number, asked in enumerate(wanted, start=1)
    ]
    assert [type(answer.facts[-1]) for answer in answers] == [DayOpened, DayClosed]
    assert dict(book.balances) == before, "a day without a bet moves nothing"
    book.checkpoint()
    book.close()

    assert verified(record).startswith(f"{int(HEADS['6262aba'].split('-')[0]) + 3}-")
    again = Book.open(record, Key.load_or_make(record.with_name("node.key")))
    assert dict(again.balances) == before
    again.close()


def test_a_record_of_an_earlier_version_that_was_changed_is_found(earlier, tmp_path):
    """The tests above can fail."""
    _, record = earlier
    body = record.read_bytes()
    assert body.count(b'"bet_made"') > 1
    record.write_bytes(body.replace(b'"credits":2', b'"credits":3', 1))

    assert verdict_on(record).wrong is not None


def test_r27_a_refusal_of_an_earlier_version_is_known_by_its_sentence_for_ever():
    """Refusals stand in records word for word, and verify compares them; a new sentence has a new name."""
    earlier = json.loads((EARLIER / "refusals.json").read_text())

    assert {name: list(Reason[name.upper()].value) for name in earlier} == earlier
