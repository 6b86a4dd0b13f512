"""`pozo verify A B C`: records of nodes that share a pot, compared with each other (R-28).

Each record here is good by itself; what one alone cannot show, two of them do.
"""

from itertools import permutations

import msgspec
import pytest

from controller.core import inputs as ask
from controller.core.values import Broken
from controller.verify.links.across import compare, side_of
from support.edits.forger import of_kind
from support.links import evening
from support.links.nodes import TWO
from support.links.restored import backup, put_back
from support.pozo import pozo
from support.record.verify_rows import Rows
from support.record.verifying import verify


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def nodes():
    return evening.played()


@pytest.fixture(scope="module")
def files(nodes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("registros")
    for name, node in nodes.all.items():
        node.kept.write(folder / f"{name}.db")
    return {name: folder / f"{name}.db" for name in nodes.all}


def sides_of(nodes, **instead):
    return [side_of(instead.get(name, node.kept)) for name, node in nodes.all.items()]


def test_records_of_one_evening_say_the_same(nodes):
    across = compare(sides_of(nodes))

    assert across.is_good and across.open == ()
    pairs = {(one.below, one.above): one for one in across.compared}
    assert pairs.keys() == {("sol", "mar"), ("caja", "sol")}
    for (below, above), one in pairs.items():
        (cleared,) = one.clearing
        assert one.letters > 30 and cleared.times > 10
        assert cleared.amount == nodes.clearing(evening.POT)[above, below] != 0


def test_the_command_compares_them_in_any_order(files):
    for names in permutations(files):
        code, out, _ = pozo("verify", *(files[name] for name in names))
        assert code == 0, out
        assert out.count("BIEN: ") == 3 and "ENTRE ELLOS: BIEN" in out and "cartas iguales" in out
        assert "DISTINTO" not in out
    said = msgspec.json.decode(pozo("verify", "--json", *files.values())[1])
    assert said["across"]["good"] and len(said["records"]) == 3 and len(said["across"]["compared"]) == 2


def test_what_is_of_one_record_is_not_asked_of_several(files):
    code, _, err = pozo("verify", "--witness", "1-ab", *files.values())

    assert code == 2 and "of one record only" in err


def test_a_record_that_is_missing_is_said(nodes):
    across = compare([side_of(nodes[evening.BOX].kept), side_of(nodes[evening.OWNER].kept)])

    assert across.is_good and across.compared == ()
    assert across.open == ("lo que caja y sol se dijeron: falta el registro de sol",)


def test_one_record_twice_is_said(nodes):
    side = side_of(nodes[evening.BOX].kept)

    assert compare([side, side]).different == ("dos de estos registros son del mismo nodo",)


@pytest.fixture
def forked():
    """A box that was led back to a copy of an hour before, where nobody noticed: it tells other letters under the same numbers."""
    nodes = evening.linked()
    evening.in_force(nodes)
    box = nodes[evening.BOX]
    older = backup(box)
    evening.sealed(box, 1, 2)
    evening.close(box)
    nodes.settle()
    return nodes, older


def test_a_record_that_was_cut_lacks_what_the_other_heard(forked):
    nodes, older = forked
    whole = compare(sides_of(nodes))
    across = compare(sides_of(nodes, caja=older.kept))

    assert whole.is_good
    assert any("en el registro de caja no está" in one for one in across.different)


def test_what_a_box_lost_when_it_was_put_back_is_open_once_two_went_on_from_there(forked):
    """Its mirror had lagged, and it had said so: what was heard of its lost life stays heard (D-233)."""
    nodes, older = forked
    box, stream = nodes[evening.BOX], f"to:{evening.CASINO}"
    heard = nodes[evening.CASINO].state.heard[f"{evening.BOX}/{stream}"]
    put_back(box, older)
    box.must(ask.StopNeighbour(evening.CASINO, stream, Broken.AHEAD, heard))
    before = compare(sides_of(nodes))
    box.must(ask.AcceptNeighbour(evening.CASINO, stream, heard, "se quemó", **TWO))
    evening.sealed(box, 3)
    nodes.settle()
    after = compare(sides_of(nodes))

    assert any("en el registro de caja no está" in one for one in before.different)
    assert after.is_good, after.different
    assert any("en el registro de caja no está" in one for one in after.open)


def test_another_evening_under_the_same_numbers_is_named(forked):
    nodes, _ = forked
    others = evening.linked()
    evening.in_force(others)
    evening.sealed(others[evening.BOX], 4)
    evening.close(others[evening.BOX])
    others.settle()
    across = compare(sides_of(nodes, caja=others[evening.BOX].kept))

    assert any("dice otra cosa que en" in one for one in across.different)
    assert any("tiene" in one and "pozo pozo-del-mar" in one for one in across.different), "the money differs too"


def test_who_entered_a_claim_is_compared_though_one_record_cannot_know(nodes):
    owner = nodes[evening.OWNER]
    rows = Rows(owner.kept)
    bodies = rows.bodies()
    registered = next(one for one in of_kind(bodies, "claim_registered") if "@sol" in one["fact"]["table"])
    registered["fact"]["by"] = "sol/nadie"
    rows.make_whole(bodies, owner.key)

    assert verify(rows, None, silent).wrong is None
    assert any("quién los anotó: allá" in one for one in compare(sides_of(nodes, mar=rows)).different)
