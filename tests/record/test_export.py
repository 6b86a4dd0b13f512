"""An exported record says what the store says, is verified like it, and shows every damage by its line (R-27)."""

import copy
import io
import random
import tracemalloc

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.node.store.rows import Batch
from controller.node.store.store import Reader, Store
from controller.record.export import Exported, export
from controller.record.record import Fingerprint, PositionRow, RecordDamaged
from controller.verify.wrong import Wrong
from support.record import verify_history
from support.record.verify_rows import Rows
from support.record.verify_tamper import Edited, fact_body, flipped
from support.record.verifying import verify


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A store, and what was exported of it."""
    folder = tmp_path_factory.mktemp("evening")
    floor = verify_history.play(folder)
    with Store.open(floor.path) as store:
        first = next(store.facts(1, 1))
        acknowledged = PositionRow("vecino", "out", 1, 1, first.hash)
        store.commit(Batch(heard=[acknowledged, PositionRow("lejano", "in", 1, 9, bytes(32))]))
    with Reader.open(floor.path) as reader, (folder / "all.jsonl").open("wb") as file:
        told = []
        counts = export(reader, file, told.append)
    assert told[-1] == counts["fact"] and counts["position"] == 2
    return floor.path, folder / "all.jsonl"


def test_an_export_is_verified_like_its_store(evening):
    path, exported = evening
    with Reader.open(path) as reader:
        of_store = verify(reader, None, silent)
    of_export = verify(Exported(exported), None, silent)

    assert of_export._replace(not_verified=()) == of_store._replace(not_verified=())
    assert [one for one in of_export.not_verified if one not in of_store.not_verified] == [
        "tablas y disparadores: esta forma del registro no los tiene"
    ]


@pytest.mark.parametrize("every", [1, 7, 10_000])
def test_facts_of_some_kinds_are_read_again_from_anywhere(evening, monkeypatch, every):
    """R-34: a correction needs a pot's past, and no more of a file of years than from there on."""
    monkeypatch.setattr("controller.record.export._MARK_EVERY", every)
    path, exported = evening
    record, kinds = Exported(exported), ("pass_sealed", "claim_corrected")
    assert verify(record, None, silent).is_good
    with Reader.open(path) as reader:
        last = max(row.seq for row in reader.facts())
        for first in (1, 2, 99, 300, last, last + 1):
            assert list(record.facts_since(first, kinds)) == list(reader.facts_since(first, kinds))


def test_a_line_that_is_damaged_since_it_was_read_is_named(tmp_path, evening):
    copied = tmp_path / "x.jsonl"
    copied.write_bytes(evening[1].read_bytes())
    record = Exported(copied)
    assert list(record.facts_since(1, ("node_founded",)))
    copied.write_bytes(evening[1].read_bytes().replace(b'"kind":"pass_sealed"', b'"kind":"pass_sealed', 1))

    with pytest.raises(RecordDamaged, match="la línea está dañada"):
        list(record.facts_since(1, ("pass_sealed",)))


def test_an_export_holds_every_row_and_no_verifier(evening):
    path, exported = evening
    record = Exported(exported)
    with Reader.open(path) as reader:
        assert (record.node, record.epoch) == (reader.node, reader.epoch)
        for name in (
            "facts",
            "postings",
            "posting_rows",
            "balance_rows",
            "outcome_rows",
            "checkpoints",
            "snapshots",
            "positions",
        ):
            assert [tuple(one) for one in getattr(record, name)()] == [tuple(one) for one in getattr(reader, name)()], (
                name
            )
        assert [tuple(one) for one in record.facts(10, 20)] == [tuple(one) for one in reader.facts(10, 20)]
        assert [tuple(one) for one in record.postings(100, 200)] == [tuple(one) for one in reader.postings(100, 200)]
        verifiers = [one.verifier for one in reader.people()]
    assert all(isinstance(one.verifier, Fingerprint) for one in record.people())
    text = exported.read_bytes()
    assert verifiers and not any(verifier.encode() in text for verifier in verifiers)
    assert record.schema() is None


def test_the_export_of_an_export_is_the_same(evening):
    again = io.BytesIO()
    export(Exported(evening[1]), again, silent)

    assert again.getvalue() == evening[1].read_bytes()


def test_every_line_is_json_that_anyone_can_read(evening):
    for line in evening[1].read_bytes().splitlines():
        ((kind, row),) = msgspec.json.decode(line).items()
        assert isinstance(row, dict)
        if kind == "fact":
            assert row["body"]["seq"] == row["seq"] and row["body"]["fact"]["kind"] == row["kind"]


def test_what_cannot_stand_as_json_stands_in_base64(evening, tmp_path):
    """A damaged store is exported as it is, and its export is as wrong as it is."""
    for number in range(12):
        with Edited(evening[0], tmp_path / "copy.db") as edit:
            (place,) = fact_body(edit, random.Random(number))
            edit("INSERT INTO posting VALUES (1000000, 1, 'cash:x', 5, 'x'), (1000001, 1, 'cash:x', 5, 'x')")
            edit("INSERT INTO outcome VALUES ('zz', 1, 1, ?, 1000000, 1000000)", bytes(16))
        with Reader.open(tmp_path / "copy.db") as reader, (tmp_path / "copy.jsonl").open("wb") as file:
            export(reader, file, silent)
            rows = [tuple(one) for one in reader.facts()]
        record = Exported(tmp_path / "copy.jsonl")
        assert [tuple(one) for one in record.facts()] == rows
        assert list(record.posting_rows())[-1].fact == 1_000_001
        assert verify(record, None, silent).wrong.place == place


@pytest.mark.campaign
def test_a_changed_byte_is_found_by_its_line_or_by_what_it_says(evening, tmp_path):
    text = evening[1].read_bytes()
    copy_ = tmp_path / "copy.jsonl"
    unfound = 0
    for number in range(2_000 if CAMPAIGN else 80):
        chance = random.Random(f"byte {number}")
        at = chance.randrange(len(text))
        line = text.count(b"\n", 0, at) + 1
        copy_.write_bytes(text[:at] + flipped(text[at : at + 1], chance) + text[at + 1 :])
        wrong = wrong_of(copy_)
        if wrong is None:
            assert b'"in"' in text.splitlines()[line - 1], f"line {line} of a neighbour's facts alone may change"
            unfound += 1
        elif "línea" in wrong.place:
            assert wrong.place in {f"{copy_}, línea {line}", f"{copy_}, línea {line + 1}", last_line(copy_)}
    assert unfound < 5


def wrong_of(path):
    """What a verification finds, or why the file is no record at all."""
    try:
        return verify(Exported(path), None, silent).wrong
    except RecordDamaged as damaged:
        return Wrong(damaged.place, "R-27", damaged.sentence)


def last_line(path):
    return f"{path}, línea {path.read_bytes().count(bytes([10]))}"


@pytest.mark.campaign
def test_a_line_left_out_doubled_or_swapped_is_found(evening, tmp_path):
    lines = evening[1].read_bytes().splitlines(keepends=True)
    copy_ = tmp_path / "copy.jsonl"
    for number in range(600 if CAMPAIGN else 60):
        chance = random.Random(f"line {number}")
        one, two = sorted(chance.sample(range(1, len(lines)), 2))
        changed = list(lines)
        if number % 3 == 0:
            del changed[one]
        elif number % 3 == 1:
            changed.insert(one, lines[one])
        else:
            changed[one], changed[two] = lines[two], lines[one]
        copy_.write_bytes(b"".join(changed))
        wrong = verify(Exported(copy_), None, silent).wrong
        assert wrong is not None or same_order(changed, lines), (number, lines[one][:60], lines[two][:60])


def same_order(changed, lines):
    """Rows of different kinds may stand in any order among each other; so may those in front of the facts."""

    def in_order(all_lines):
        step = [line for line in all_lines if line.startswith((b'{"fact"', b'{"posting"', b'{"outcome"'))]
        return sorted(all_lines), sorted(step, key=lambda line: line[:6])

    return in_order(changed) == in_order(lines)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda _: [], 1),
        (lambda lines: lines[:-1], -1),
        (lambda lines: [*lines[:40], lines[40][:-1]], 41),
        (lambda lines: [*lines, lines[-1]], "+1"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[5:]], 6),
        (lambda lines: [*lines[:5], b"\n", *lines[5:]], 6),
        (lambda lines: lines[1:], 1),
        (lambda lines: [lines[0], *lines], 2),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]], 1),
        (lambda lines: [lines[0].replace(b"pozo-record", b"pozo"), *lines[1:]], 1),
        (lambda lines: [b'{"header":1}\n', *lines[1:]], 1),
        (lambda lines: [*lines[:-1], b'{"end":{"fact":"x"}}\n'], "last"),
        (lambda lines: [*lines[:-1], b'{"end":{}}\n'], "last"),
        (lambda lines: [*lines[:3], b'{"person":{"id":1}}\n', *lines[4:]], 4),
        (lambda lines: [*lines[:3], b'{"person":' + b"[" * 9999 + b"\n", *lines[4:]], 4),
    ],
)  # fmt: skip
def test_a_damaged_line_is_one_clear_error_with_its_number(evening, tmp_path, change, line):
    lines = evening[1].read_bytes().splitlines(keepends=True)
    number = {-1: len(lines), "last": len(lines), "+1": len(lines) + 1}.get(line, line)
    copy_ = tmp_path / "copy.jsonl"
    copy_.write_bytes(b"".join(change(lines)))

    assert wrong_of(copy_).place == f"{copy_}, línea {number}"


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(RecordDamaged, match="no se puede leer"):
        Exported(tmp_path / "nowhere.jsonl")
    with pytest.raises(RecordDamaged, match="no se puede leer"):
        Exported(tmp_path)


def test_reading_an_export_holds_one_line_at_a_time(evening, tmp_path):
    """Ten times the facts, no more memory: the rows are read, not kept."""
    lines = evening[1].read_bytes().splitlines(keepends=True)
    many = [line for line in lines if line.startswith(b'{"posting"')]
    counts = msgspec.json.decode(lines[-1])["end"]
    counts["posting"] += 40 * len(many)
    long = tmp_path / "long.jsonl"
    long.write_bytes(b"".join([*lines[:-1], *many * 40, msgspec.json.encode({"end": counts}), b"\n"]))
    record = Exported(long)

    tracemalloc.start()
    assert sum(1 for _ in record.posting_rows()) == 41 * len(many)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 1_000_000


def test_rows_that_are_asked_for_twice_are_the_same(evening):
    rows = Rows(Exported(evening[1]))
    again = copy.copy(rows)

    assert verify(again, None, silent) == verify(rows, None, silent)
