"""`pozo verify` finds every edit of a store, and names the place (R-27).

A thousand edits of a real evening's store, of every table and every column, each on a copy whose triggers are put back; then
what no single record can show, a copy that was cut or written anew from beginning to end, with a witness from outside.
"""

import random
from collections import Counter

import pytest
from conftest import CAMPAIGN

from controller.node.store.rows import Batch
from controller.node.store.store import Reader, Store
from controller.record.record import PositionRow
from controller.verify.chain import NoWitness, Witness, read_witness
from support.record import verify_history
from support.record.verify_rows import Rows
from support.record.verify_tamper import EDITS, Edited, flipped
from support.record.verifying import verify

EDITS_MADE = 1_000 if CAMPAIGN else 84


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A store with an evening in it, and two neighbours."""
    folder = tmp_path_factory.mktemp("evening")
    floor = verify_history.play(folder)
    with Store.open(floor.path) as store:
        seq, hash_ = next((row.seq, row.hash) for row in store.facts(400))
        acknowledged = PositionRow("vecino", "out", 1, seq, hash_)
        store.commit(Batch(heard=[acknowledged, PositionRow("lejano", "in", 1, 9, bytes(32))]))
    return floor


def verdict_of(path, witness=None):
    with Reader.open(path) as reader:
        return verify(reader, witness, silent)


def test_an_untouched_store_is_good(evening):
    verdict = verdict_of(evening.path)

    assert verdict.wrong is None and verdict.is_good
    assert verdict.facts == evening.book.seq and verdict.checkpoints > 50
    assert 0 < verdict.unsigned < 40 and verdict.unsigned_since > 0, "it was not stopped"
    assert verdict.head == f"{evening.book.seq}-{evening.book.hash.hex()[:16]}"
    assert any("semilla" in one for one in verdict.not_verified)


@pytest.mark.campaign
def test_every_edit_is_found_and_its_place_is_named(evening, tmp_path):
    made = Counter()
    for number in range(EDITS_MADE):
        chance = random.Random(f"edit {number}")
        act = EDITS[number % len(EDITS)]
        copy = tmp_path / "copy.db"
        with Edited(evening.path, copy) as edit:
            places = act(edit, chance)
        verdict = verdict_of(copy)

        assert verdict.wrong is not None, f"edit {number}, {act.__name__}, was not found: {places}"
        assert verdict.wrong.place in places, f"edit {number}, {act.__name__}: {verdict.wrong}, not {places}"
        assert verdict.wrong.rule.startswith("R-") and verdict.wrong.why
        made[act.__name__] += 1
    assert made.keys() == {act.__name__ for act in EDITS} and made.total() == EDITS_MADE


@pytest.mark.parametrize(
    ("statements", "place"),
    [
        (["DROP TRIGGER fact_no_update"], "trigger fact_no_update"),
        (["DROP TABLE snapshot"], "table snapshot"),
        (["CREATE TRIGGER mine AFTER INSERT ON fact BEGIN SELECT 1; END"], "trigger mine"),
        (["CREATE VIEW mine AS SELECT 1"], "view mine"),
        (
            [
                "DROP TRIGGER posting_no_delete",
                "CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting BEGIN SELECT 1; END",
            ],
            "trigger posting_no_delete",
        ),
        (
            [
                "DROP TRIGGER fact_no_delete",
                "CREATE TRIGGER fact_no_delete BEFORE DELETE ON fact WHEN 0 BEGIN SELECT RAISE(ABORT, 'no'); END",
            ],
            "trigger fact_no_delete",
        ),
    ],
)
def test_a_trigger_that_is_missing_changed_or_strange_is_named(evening, tmp_path, statements, place):
    with Edited(evening.path, tmp_path / "copy.db") as edit:
        pass
    raw = Edited(tmp_path / "copy.db", tmp_path / "copy2.db").raw
    for statement in statements:
        raw.execute(statement)
    raw.close()
    assert edit

    with Reader.open(tmp_path / "copy2.db") as reader:
        rows = Rows(verify_safe(reader)) if place == "table snapshot" else reader
        if place == "table snapshot":
            rows.objects = reader.schema()
        assert verify(rows, None, silent).wrong.place == place


def verify_safe(reader):
    """A reader whose snapshots are not asked for: their table is gone."""
    reader.snapshots = list
    return reader


# What one record alone cannot show


def cut(rows, last):
    """The same record as it stood after an earlier fact: every row of it is as it was then."""
    return rows.make_whole(rows.bodies()[:last])


def ends_of_answers(rows):
    """The facts after which a record may end: nothing of the answer is missing."""
    return [one.last for one in rows.all_outcomes]


def test_a_copy_that_was_cut_is_found_with_the_witness(evening):
    with Reader.open(evening.path) as reader:
        rows = Rows(reader)
        checkpoint = list(reader.checkpoints())[-1]
    kept = b'{"checkpoint":%b,"signature":"%b","key":"%b"}' % (
        checkpoint.body,
        checkpoint.signature.hex().encode(),
        evening.key.public.encode(),
    )
    cut(rows, [end for end in ends_of_answers(rows) if end < checkpoint.seq][-1])

    assert verify(rows, None, silent).is_good, "nothing in the record says that it once was longer"
    for witness in (kept, f"{checkpoint.seq}-{rows_hash(evening, checkpoint.seq)[:16]}\n".encode()):
        verdict = verify(rows, read_witness(witness), silent)
        assert verdict.wrong.place == "testigo" and "cortado" in verdict.wrong.why
        assert verdict_of(evening.path, read_witness(witness)).is_good


def rows_hash(evening, seq):
    with Reader.open(evening.path) as reader:
        return next(reader.facts(seq, seq)).hash.hex()


@pytest.mark.parametrize("same_key", [True, False], ids=["by the owner of the key", "with another key"])
def test_a_record_written_anew_is_found_with_the_witness(evening, same_key):
    with Reader.open(evening.path) as reader:
        rows = Rows(reader)
        checkpoint = list(reader.checkpoints())[-1]
    bodies = rows.bodies()
    key = evening.key if same_key else verify_history.key_of("otro")
    bodies[0]["fact"]["key"] = key.public
    changed = next(body for body in bodies if body["fact"]["kind"] == "claim_corrected")
    changed["fact"]["reason"] = "otra cosa"
    pins = next(body for body in bodies if body["fact"]["kind"] == "pins_replaced")
    new = pins["fact"]
    new["proof"] = verify_history.vouched(key, rows.node, 1, pins["at"], new["secrets"], new["reason"])
    rows.make_whole(bodies, key)

    assert verify(rows, None, silent).is_good, "a record written anew agrees with itself"
    digits = rows_hash(evening, checkpoint.seq)[:16]
    printed = verify(rows, read_witness(f"{checkpoint.seq}-{digits}".encode()), silent)
    assert printed.wrong.place == "testigo" and "de nuevo" in printed.wrong.why
    signed = Witness(checkpoint.seq, digits, evening.key.public, checkpoint.body, checkpoint.signature)
    verdict = verify(rows, signed, silent)
    assert verdict.wrong.place == "testigo"
    assert ("otra llave" in verdict.wrong.why) is not same_key


def test_a_witness_must_itself_be_signed(evening):
    with Reader.open(evening.path) as reader:
        checkpoint = next(reader.checkpoints())
    signature = flipped(checkpoint.signature, random.Random(1))
    witness = Witness(checkpoint.seq, "0", evening.key.public, checkpoint.body, signature)

    wrong = verdict_of(evening.path, witness).wrong

    assert wrong.place == "testigo" and "firma" in wrong.why
    assert verdict_of(evening.path, witness._replace(key="zz")).wrong.place == "testigo"
    assert verdict_of(evening.path, witness._replace(key="ff" * 32)).wrong.place == "testigo"


@pytest.mark.parametrize(
    "text",
    [b"", b"123", b"0-9f86d081884c7d65", b"12-9F86D081884C7D65", b"\xff\xfe", b"{}", b"[" * 100_000,
     b'{"checkpoint":{},"signature":"","key":""}', b'{"checkpoint":null,"signature":"zz","key":""}'],
)  # fmt: skip
def test_what_is_no_witness_is_said(text):
    with pytest.raises(NoWitness, match="no se puede leer"):
        read_witness(text)


def test_a_checkpoint_must_say_what_the_chain_says(evening):
    """Signed with the node's own key, and untrue."""
    with Reader.open(evening.path) as reader:
        rows = Rows(reader)
    for change, what in (
        ({"node": "otro"}, "nodo"),
        ({"epoch": 9}, "época"),
        ({"seq": 5}, "número"),
        ({"hash": "00"}, "huella del hecho"),
        ({"balances": "00"}, "saldos"),
    ):
        rows.make_whole(rows.bodies(), evening.key)
        one = rows.all_checkpoints[0]
        body = signed_body(one.body, change)
        rows.all_checkpoints = [one._replace(body=body, signature=evening.key.sign(body))]
        wrong = verify(rows, None, silent).wrong
        assert wrong.place == f"checkpoint {one.seq}" and what in wrong.why


def signed_body(body, change):
    import msgspec

    return msgspec.json.encode(msgspec.json.decode(body) | change)
