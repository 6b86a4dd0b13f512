"""R-27, R-28: `pozo verify` knows what may be said of a box's mirror: of a box of this casino, ended by exactly what it says."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Broken, Mark, Side, Signature
from controller.node.store.store import Reader
from support.edits.forger import Forger
from support.record.verify_history import Floor
from support.record.verifying import verify

SAID = Mark(1, 812, "ab" * 32)
ANA, BEA = Signature("ana"), Signature("bea")


@pytest.fixture
def record(tmp_path):
    """A casino's node whose box was put back, and two accepted it."""
    floor = Floor(tmp_path)
    floor.must(ask.PinNeighbour("caja1", Side.BELOW, "cd" * 32, ANA, BEA, inside=True))
    floor.must(ask.StopNeighbour("caja1", "mirror", Broken.ROLLED_BACK, SAID))
    floor.must(ask.AcceptNeighbour("caja1", "mirror", SAID, "lo vimos", ANA, BEA))
    floor.must(ask.StopNeighbour("caja1", "mirror", Broken.FORK, SAID))
    floor.book.checkpoint()
    floor.book.close()
    return tmp_path / "book.db"


def wrong_in(path):
    with Reader.open(path) as reader, reader.moment():
        return verify(reader, None, lambda _: None).wrong


def test_r27_what_was_said_of_a_mirror_is_good_by_the_second_hand(record):
    assert wrong_in(record) is None


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("neighbour_pinned", {"inside": False}, "no hay una serie mirror"),
        ("neighbour_pinned", {"side": "above"}, "no hay una serie mirror"),
        ("neighbour_accepted", {"mark": {"epoch": 1, "number": 811, "hash": "ab" * 32}}, "desde dónde sigue"),
        ("neighbour_accepted", {"stream": "to:central-1"}, "no estaba detenida"),
    ],
)
def test_r28_what_cannot_be_said_of_it_is_found(record, tmp_path, kind, change, words):
    with Forger(record, tmp_path / "copy.db") as forger:
        bodies = forger.bodies()
        body = next(one for one in bodies if one["fact"]["kind"] == kind)
        body["fact"] |= change
        if not body["fact"].get("inside", True):
            del body["fact"]["inside"]
        forger.write_anew(bodies, body["seq"])

    assert words in wrong_in(tmp_path / "copy.db").why
