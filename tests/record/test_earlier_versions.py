"""Records of earlier versions open, go on and verify, for ever.

`earlier/` holds records that earlier versions of the program made, each with its key; here stand the digits of their last
facts, schema and reading. Three have the name of the commit that made them (`pozo rehearse`, 6262aba with `--passes 50 --days 3
--seed 20`, dc78732 with `--passes 40 --days 2 --seed 14`, 36cd7b9 with `--seed 15`); one was made by 6262aba (`--passes 10 --days 1 --seed 7`) and stands as
the first version of the schema had it, without the table of neighbours' positions. What the version of today adds must verify
together with the old.
"""

import json
import lzma
import random
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import (
    ClaimCorrected,
    DayClosed,
    DayOpened,
    NothingNew,
    PassSealed,
    PersonEnrolled,
    ReadingAdopted,
    TerminalEnrolled,
    TerminalWithdrawn,
)
from controller.core.node import READING
from controller.core.values import Hand, Signature, Terminal, TerminalUse
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.restore import Restoring, restore
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import Batch, OutcomeKey
from controller.node.store.schema import NEWEST
from controller.node.store.store import Reader, Store
from controller.node.store.versions import migrate
from controller.node.vocabulary.protocol import Pin
from controller.record.reading import entries
from controller.record.record import BalanceRow
from controller.rules.complementary import commitment
from controller.rules.refusal import Reason
from controller.verify.verify import Verdict
from support.core.points import point_of
from support.nonces import nonce_of
from support.places import TESTS
from support.pozo import pozo
from support.record.mistakes import COMMUNITY, cards_of
from support.record.verifying import verify

EARLIER = TESTS / "record/earlier"
HEADS = {
    "6262aba": "1320-84b538487f6c6d7f",
    "schema-1": "350-4d1bc6372a4b0c83",
    "dc78732": "1063-e56368558753e589",
    "36cd7b9": "1079-9be115ec23dd081a",
}
SCHEMAS = {"6262aba": 2, "schema-1": 1, "dc78732": 3, "36cd7b9": 4}
READINGS = {"6262aba": 1, "schema-1": 1, "dc78732": 2, "36cd7b9": 3}
OF_EARLIER_SCHEMAS = [version for version, schema in SCHEMAS.items() if schema < NEWEST]
PIN = "246810"
SEED = bytes(range(32))
JEFE = Signature("jefe")


@pytest.fixture(params=HEADS)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, unpacked(request.param, tmp_path)


@pytest.fixture(params=OF_EARLIER_SCHEMAS)
def earlier_schema(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, unpacked(request.param, tmp_path)


@pytest.fixture(params=[version for version, reading in READINGS.items() if reading < READING])
def earlier_reading(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, unpacked(request.param, tmp_path)


def unpacked(version: str, folder: Path) -> Path:
    record = folder / "node.db"
    record.write_bytes(lzma.decompress((EARLIER / f"{version}.db.xz").read_bytes()))
    shutil.copy(EARLIER / f"{version}.key", folder / "node.key")
    (folder / "node.key").chmod(0o600)
    return record


def verdict_on(record: Path) -> Verdict:
    with Reader.open(record) as reader, reader.moment():
        return verify(reader, None, lambda _: None)


def verified(record: Path) -> str:
    verdict = verdict_on(record)
    assert verdict.wrong is None, verdict.wrong
    return verdict.head


def key_beside(record: Path) -> Key:
    return Key.load_or_make(record.with_name("node.key"))


def readings(record: Path) -> list[int]:
    """Which readings of the rules a record says it goes on under."""
    with Reader.open(record) as reader:
        return [entry.fact.reading for entry in entries(reader) if isinstance(entry.fact, ReadingAdopted)]


def test_a_record_of_every_earlier_schema_and_reading_is_kept():
    earlier = set(range(1, NEWEST))
    assert earlier <= set(SCHEMAS.values()), "a step of the schema keeps a record of the one before"
    assert set(READINGS.values()) >= set(range(1, READING)), "a new reading keeps a record of the one before"
    assert SCHEMAS.keys() == HEADS.keys() == READINGS.keys()


def test_a_record_of_an_earlier_schema_is_what_it_says(earlier):
    version, record = earlier

    with Reader.open(record) as reader:
        assert reader.version == SCHEMAS[version]
        tables = {one.name for one in reader.schema() if one.kind == "table"}
    assert ("position" in tables) is (SCHEMAS[version] > 1)


def test_pozo_migrate_leads_it_forward_says_what_it_proved_and_keeps_a_copy(earlier_schema):
    version, record = earlier_schema
    before = record.read_bytes()
    code, out, err = pozo("migrate", record)

    assert (code, err) == (0, "")
    assert f"migrado de la versión {SCHEMAS[version]} a la {NEWEST}" in out
    assert f"último hecho {HEADS[version]}; {HEADS[version].split('-')[0]} hechos" in out
    (copy,) = record.parent.glob("node.db.v*")
    assert str(copy) in out and verified(copy) == HEADS[version]
    assert verified(record) == HEADS[version] and record.read_bytes() != before
    assert readings(record) == [], "a migration writes no fact"
    again = pozo("migrate", record.parent)
    assert again[0] == 0 and f"ya es de la versión {NEWEST}; no hay nada que migrar" in again[1]
    assert pozo("migrate", "postgresql+psycopg://nowhere/x")[2].startswith("pozo: base PostgreSQL: primero cópiela")


def test_a_node_of_an_earlier_schema_says_how_it_is_led_forward(earlier_schema):
    version, record = earlier_schema

    with pytest.raises(StoreRefused, match=f"es de la versión {SCHEMAS[version]}: .* con: pozo migrate"):
        Book.open(record, key_beside(record))


def test_the_first_start_says_where_the_new_reading_begins_and_no_later_one_does(earlier_reading):
    version, record = earlier_reading
    migrate(record)
    for _ in range(2):
        book = Book.open(record, key_beside(record))
        assert book.state.reading == READING
        book.checkpoint()
        book.close()

    assert readings(record) == [READING]
    assert verified(record).startswith(f"{int(HEADS[version].split('-')[0]) + 1}-")
    copy, exported = record.with_name("copy.db"), record.with_name("copy.jsonl")
    assert pozo("backup", record, copy)[0] == 0
    assert pozo("export", record, exported)[0] == 0
    for place in (copy, exported):
        code, out, _ = pozo("verify", place)
        assert (code, out[:6]) == (0, "BIEN: ")


def test_a_backup_of_an_earlier_schema_comes_back_as_it_is_and_goes_on_under_the_new_reading(earlier_reading):
    """R-26: the backup of years ago is itself never changed."""
    _, backup = earlier_reading
    before, to = backup.read_bytes(), backup.with_name("back.db")

    two = Pin("tito", PIN), Pin("ana", PIN)
    pepper = backup.with_name("pepper")
    epoch = restore(Restoring(backup, to, key_beside(backup), pepper, two, "disco nuevo", 1_793_700_000_000))

    assert backup.read_bytes() == before
    assert readings(to) == [READING]
    book = Book.open(to, key_beside(backup))
    assert (book.state.epoch, book.state.reading) == (epoch, READING)
    book.close()
    assert verdict_on(to).wrong is None
    assert b"$argon2id$" not in to.read_bytes(), "its PINs lie under the pepper now"


def test_a_reading_that_is_adopted_again_changes_nothing(earlier):
    _, record = earlier
    migrate(record)
    book = Book.open(record, key_beside(record))
    source = OutcomeKey(f"{book.state.node}/reading", 9, 9)
    (again,) = book.take([Asked(source, book.state.clock, ask.AdoptReading(READING))])
    assert again.facts == (NothingNew("la lectura de las reglas"),)
    book.close()


def test_a_record_of_an_earlier_version_verifies(earlier):
    version, record = earlier

    assert verified(record) == HEADS[version]


def test_a_record_of_an_earlier_version_opens_and_goes_on_and_verifies_with_what_came(earlier):
    version, record = earlier
    migrate(record)
    book = Book.open(record, key_beside(record))
    before, state = dict(book.balances), book.state
    at, source = state.clock + 86_400_000, ("hoy", state.epoch)
    today = datetime.fromtimestamp(at / 1000, UTC).date()
    assert state.last_day < today.isoformat()
    wanted = [
        ask.OpenDay(today.isoformat(), commitment(SEED), JEFE, nonce_of(today.isoformat())),
        ask.CloseDay(SEED.hex(), JEFE),
    ]
    answers = [
        book.take([Asked(OutcomeKey(*source, number), at + number, asked)])[0]
        for number, asked in enumerate(wanted, start=1)
    ]
    assert [type(answer.facts[-1]) for answer in answers] == [DayOpened, DayClosed]
    assert dict(book.balances) == before, "a day without a bet moves nothing"
    book.checkpoint()
    book.close()

    adopted = READINGS[version] < READING
    assert verified(record).startswith(f"{int(HEADS[version].split('-')[0]) + 2 + adopted}-")
    again = Book.open(record, key_beside(record))
    assert dict(again.balances) == before
    again.close()


def test_a_record_of_an_earlier_version_that_was_changed_is_found(earlier, tmp_path):
    """The tests above can fail."""
    _, record = earlier
    body = record.read_bytes()
    assert body.count(b'"kind":"bet_made"') > 1
    record.write_bytes(body.replace(b'"kind":"bet_made"', b'"kind":"bet_mode"', 1))

    assert verdict_on(record).wrong is not None


def test_r27_a_refusal_of_an_earlier_version_is_known_by_its_sentence_for_ever():
    """Refusals stand in records word for word, and verify compares them; a new sentence has a new name."""
    earlier = json.loads((EARLIER / "refusals.json").read_text())

    assert {name: list(Reason[name.upper()].value) for name in earlier} == earlier


def cut_after(record: Path, last: int, to: Path) -> None:
    """The record as it was when this fact was its last, as a node of its time would have left it."""
    with Reader.open(record) as reader, Store.create(to, reader.node) as store:
        postings = [row for row in reader.posting_rows() if row.fact <= last]
        stands: dict[str, BalanceRow] = {}
        for row in postings:
            before = stands.get(row.account, BalanceRow(row.account, 0, 0))
            stands[row.account] = BalanceRow(row.account, before.amount + row.amount, row.fact)
        facts = list(reader.facts(last=last))
        enrolled = {entry.fact.person for entry in entries(reader, last=last) if isinstance(entry.fact, PersonEnrolled)}
        store.commit(
            Batch(
                postings=postings,
                facts=facts,
                balances=list(stands.values()),
                outcomes=[row for row in reader.outcome_rows() if row.last <= last],
                people=[row for row in reader.people() if row.id in enrolled],
            )
        )


def test_an_upgrade_in_the_middle_of_an_evening_is_understood_by_both_hands(earlier_reading, tmp_path):
    """What the node then knows, from facts of an earlier reading, is what the auditor knows: its snapshot is proven."""
    version, record = earlier_reading
    migrate(record)
    with Reader.open(record) as reader:
        ends = [row.last for row in reader.outcome_rows()]
    for last in ends[len(ends) // 25 :: len(ends) // 12]:
        cut = tmp_path / f"{last}.db"
        cut_after(record, last, cut)
        book = Book.open(cut, key_beside(record))
        assert (book.seq, book.state.reading) == (last + 1, READING)
        book.close()

        verdict = verdict_on(cut)
        assert verdict.wrong is None, (version, last, verdict.wrong)
        assert verdict.checkpoints == 1


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(300 if CAMPAIGN else 4))
def test_r34_passes_of_an_earlier_reading_are_put_right_and_verify(earlier, seed):
    """Any of them, in any order, with anything that cards can make; claims of that reading count as they were recorded."""
    _, record = earlier
    migrate(record)
    with Reader.open(record) as reader:
        played = [entry.fact for entry in entries(reader) if isinstance(entry.fact, PassSealed) and entry.fact.bets]
    live = [fact for fact in played if not fact.table.startswith("~")]
    chance, jefa, ana, luis = random.Random(seed), Signature("jefa"), Signature("ana"), Signature("luis")
    with closing(Book.open(record, key_beside(record))) as book:
        games = {table.name: table.modality for table in book.state.tables.values()}
        at, taken = book.state.clock, 0
        for number in range(12):
            fact = chance.choice(live)
            game = {"go": "GO-01", "texas_plus": "TX-01"}.get(games[fact.table], "DP-01")
            hands = tuple(Hand(seat, cards=cards) for seat, cards in some_cards(chance, game, fact.bets).items())
            act = ask.CorrectClaim(fact.table, fact.number, hands, "cámara", jefa, ana, COMMUNITY[game], "cam 3")
            asks = [act]
            if chance.random() < 0.4:
                waiting = [
                    name for claim in book.state.claims.values() for name, one in claim.awards.items() if one.pending
                ]
                asks += [
                    one for name in waiting for one in (ask.ConfirmAward(name, JEFE, luis), ask.PayAward(name, JEFE))
                ]
            for asked in asks:
                at += 400_000
                facts = book.take([Asked(OutcomeKey("x", number, at), at, asked)])[0].facts
                taken += isinstance(facts[0], ClaimCorrected)
        book.checkpoint()
    assert taken
    verified(record)


def some_cards(chance, table, bets):
    """What some of them truly held, no card twice."""
    dealt = {}
    for bet in bets:
        made = chance.choice(("", "color", "full", "poker", "escalera_color", "escalera_real"))
        cards = cards_of(table, made, chance.choice("cdhs")) if made else ()
        if cards and not {card for other in dealt.values() for card in other} & set(cards):
            dealt[bet.seat] = cards
    return dealt


def test_r36_a_record_of_an_earlier_version_lets_browsers_in_and_opens_again_with_them(earlier):
    """Its snapshots know of none."""
    _, record = earlier
    migrate(record)
    with closing(Book.open(record, key_beside(record))) as book:
        assert book.state.terminals == {}
        table = next(name for name in book.state.tables if not name.startswith("~"))
        asks = (
            ask.EnrolTerminal("consola-1", TerminalUse.TABLE, table, point_of(1), JEFE, Signature("ana")),
            ask.EnrolTerminal("tableta", TerminalUse.CHIEF, "", point_of(2), JEFE, Signature("ana")),
            ask.WithdrawTerminal("tableta", "se perdió", JEFE),
        )
        for number, asked in enumerate(asks, 1):
            (answer,) = book.take([Asked(OutcomeKey("x", number, 1), book.state.clock + 1, asked)])
            assert isinstance(answer.facts[-1], TerminalEnrolled | TerminalWithdrawn)
        book.checkpoint()
    verified(record)
    with closing(Book.open(record, key_beside(record))) as book:
        assert book.state.terminals == {"consola-1": Terminal(TerminalUse.TABLE, table, point_of(1))}


def test_a_table_of_a_record_that_was_led_forward_may_train(earlier):
    """What it practises with stands below zero: the balances of an older schema refused that, and the node halted."""
    _, record = earlier
    migrate(record)
    with closing(Book.open(record, key_beside(record))) as book:
        table = next(name for name in book.state.tables if not name.startswith("~"))
        two = (Signature("jefe"), Signature("jefa"))
        asks = (ask.StartTraining(table, *two), ask.BuyCredits(table, 1, 3, JEFE))
        for number, asked in enumerate(asks, 1):
            book.take([Asked(OutcomeKey("x", number, 1), book.state.clock + 1, asked)])
        assert any(account.startswith("practice:") and amount < 0 for account, amount in book.balances.items())
        book.checkpoint()
    verified(record)
