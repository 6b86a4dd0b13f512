"""Where letters to tell come from: what was just committed, and a record of any length, found without reading all of it."""

import msgspec
import pytest

from controller.core.facts import Entry, LetterTold, NodeStopped
from controller.core.links.letters import VERSION
from controller.core.links.streams import letter_told
from controller.core.state import State
from controller.core.values import Mark
from controller.node.link.judgement import START
from controller.node.link.messages import MOST_BATCH, MOST_LETTERS
from controller.node.link.outgoing import MOST_KEPT, MOST_KEPT_OCTETS, Archive, NewestLetters, told_letter
from controller.node.store.rows import Batch
from controller.node.store.store import Reader, Store
from controller.record.record import FactRow
from support.link.pair import letter
from support.store.store_cases import DIALECTS, new_place

UP, LOG = "to:central", "pot:pozo"


def told(many, stream=UP, size=1):
    state, facts = State(node="caja", epoch=1), []
    for number in range(many):
        last = state.told.get(stream, START)
        facts.append(LetterTold(stream, 1, last.number + 1, last.hash, VERSION, letter(str(number) * size)))
        state = letter_told(state, facts[-1])
    return facts, state.told.get(stream, START)


def test_the_newest_letters_are_kept_and_no_more():
    facts, mark = told(3 * MOST_KEPT)
    newest = NewestLetters()
    for fact in facts:
        newest.add(told_letter("caja", fact, 1))

    assert newest.after(START) is None
    assert newest.after(mark) is None, "nothing follows"
    before = told_letter("caja", facts[-3], 1).mark
    assert [one.sent.number for one in newest.after(before)] == [len(facts) - 1, len(facts)]
    assert newest.after(before)[-1].mark == mark, "the hash is the one that the state has"
    first = Mark(1, len(facts) - MOST_KEPT, "")
    assert len(newest.after(first)) == MOST_LETTERS
    assert newest.after(Mark(1, len(facts) - MOST_KEPT - 1, "")) is None


def test_long_letters_are_not_kept_by_the_hundred_and_a_gap_forgets_what_was_before():
    facts, _ = told(40, size=MOST_BATCH // 10)
    newest = NewestLetters()
    for fact in facts:
        newest.add(told_letter("caja", fact, 1))
    kept = [number for number in range(40) if newest.after(Mark(1, number, "")) is not None]
    assert len(kept) * MOST_BATCH // 10 <= MOST_KEPT_OCTETS

    newest.add(told_letter("caja", LetterTold(UP, 1, 90, "a" * 64, VERSION, letter("x")), 1))
    assert newest.after(Mark(1, 39, "")) is None
    assert [one.sent.number for one in newest.after(Mark(1, 89, ""))] == [90]


class Asked:
    """A reader that counts the facts that were looked at."""

    def __init__(self, reader, counts):
        self._reader, self._counts = reader, counts

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._reader.close()

    def head(self):
        return self._reader.head()

    def facts_since(self, first, kinds):
        for row in self._reader.facts_since(first, kinds):
            self._counts.append(row.seq)
            yield row


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_old_letter_is_found_between_all_others(dialect, tmp_path, pytestconfig):
    up, mark = told(1_500)
    log, _ = told(1_500, LOG)
    facts = [fact for pair in zip(up, log, strict=True) for fact in (*pair, *[NodeStopped()] * 8)]
    rows = [
        FactRow(seq, seq, msgspec.json.decode(msgspec.json.encode(fact))["kind"],
                msgspec.json.encode(Entry(seq, seq, ("caja", 1, seq), "", fact)), bytes(32))
        for seq, fact in enumerate(facts, 1)
    ]  # fmt: skip
    place = new_place(dialect, tmp_path, pytestconfig)
    with Store.create(place, "caja") as store:
        for first in range(0, len(rows), 3_000):
            store.commit(Batch(facts=rows[first : first + 3_000]))
    looked = []
    archive = Archive("caja", lambda: Asked(Reader.open(place), looked))

    for number in (0, 700, 1_299):
        after = START if not number else told_letter("caja", up[number - 1], 1).mark
        found = archive.after(UP, after)
        assert [one.sent.number for one in found] == [*range(number + 1, number + MOST_LETTERS + 1)]
        assert (found[0].previous, found[-1].hash) == (after.hash, told_letter("caja", up[number + 199], 1).hash)
    assert len(looked) < 4_000, "of 15,000"
    looked.clear()
    assert archive.after(UP, found[-1].mark)[-1].mark == mark
    assert len(looked) < 2 * MOST_LETTERS + 50, "where it went on is remembered"
    assert archive.after(UP, mark) == []
    assert archive.after("to:nobody", START) == []
