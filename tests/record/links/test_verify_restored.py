"""R-28: `pozo verify` knows what an owner that was put back may take back, what it books of that, and what it must not decide."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.node.store.store import Reader
from controller.verify.links.across import compare, side_of
from support.edits.forger import Forger
from support.links.evening import BOX, CASINO, OWNER, POT, close, in_force, linked, sealed, without_prize, won
from support.links.nodes import TWO
from support.links.restored import backup, meet, put_back
from support.record.verify_history import ROYAL
from support.record.verifying import verify


@pytest.fixture(scope="module")
def nodes():
    """The box won 100 %, it was decided and paid; then the owner was put back and took its decision back."""
    three = linked()
    in_force(three, base=700_000)
    copy = backup(three[OWNER])
    caja = three[BOX]
    without_prize(caja, 1, 2)
    claim = won(caja, Hand(1, cards=ROYAL))
    three.settle()
    close(caja)
    caja.pay_all(claim)
    three.settle()
    put_back(three[OWNER], copy)
    meet(three, OWNER)
    three.settle()
    sealed(three[CASINO], 1)
    three.settle()
    put_back(three[OWNER], backup(three[OWNER]), epoch=3)
    three[OWNER].must(ask.GoOnWithout(POT, (CASINO,), "no contesta", **TWO))
    for node in three.all.values():
        node.book.checkpoint()
    return three


@pytest.fixture
def record(nodes, tmp_path):
    nodes[OWNER].kept.write(tmp_path / "book.db")
    return tmp_path / "book.db"


def wrong_in(path):
    with Reader.open(path) as reader, reader.moment():
        return verify(reader, None, lambda _: None).wrong


def test_r28_what_came_back_is_good_by_the_second_hand_and_all_records_agree(nodes):
    for node in nodes.all.values():
        assert verify(node.kept, None, lambda _: None).wrong is None, node.name
    across = compare([side_of(node.kept) for node in nodes.all.values()])
    assert across.is_good, across.different


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("node_restored", {"asks": ["caja"]}, "a quién pregunta"),
        ("decision_taken", {"mark": {"epoch": 1, "number": 2, "hash": "ab" * 32}}, "la marca de la carta devuelta"),
        ("decision_taken", {"stream": "to:mar"}, "no es una serie"),
        ("member_returned", {"neighbour": "luna"}, "nadie fijó la llave"),
        ("member_returned", {"mark": {"epoch": 1, "number": 1, "hash": "ab" * 32}}, "la carta que tiene"),
        ("claim_registered", {"log": 7}, "no decidió estos premios"),
        ("claim_registered", {"base_back": None}, "lo que dijo"),
        ("went_on_without", {"neighbours": ["luna"]}, "quiénes faltaban"),
        ("went_on_without", {"reason": " "}, "falta el motivo"),
        ("went_on_without", {"pot": "otro"}, "no esperaba a nadie"),
    ],
)
def test_r28_what_cannot_be_said_of_it_is_found(record, tmp_path, kind, change, words):
    with Forger(record, tmp_path / "copy.db") as forger:
        bodies = forger.bodies()
        body = next(one for one in bodies if one["fact"]["kind"] == kind)
        body["fact"] |= change
        body["fact"] = {key: value for key, value in body["fact"].items() if value is not None}
        forger.write_anew(bodies, body["seq"])

    assert words in wrong_in(tmp_path / "copy.db").why


@pytest.mark.parametrize("kind", ["decision_taken", "member_returned"])
def test_r28_what_is_left_out_is_found(record, tmp_path, kind):
    """A decision that nobody handed back, or one that was told before everybody had answered."""
    with Forger(record, tmp_path / "copy.db") as forger:
        bodies = forger.bodies()
        at = next(place for place, one in enumerate(bodies) if one["fact"]["kind"] == kind)
        body = bodies[at]
        body["fact"] = {"kind": "nothing_new", "what": "x"}
        forger.write_anew(bodies, body["seq"])

    assert wrong_in(tmp_path / "copy.db") is not None


@pytest.fixture(scope="module")
def member():
    """A casino was put back twice: the owner said how far it had heard it; then two persons went on without him."""
    three = linked()
    in_force(three, base=700_000)
    sol = three[CASINO]
    put_back(sol, backup(sol))
    mark = three[OWNER].state.heard[f"{CASINO}/to:{OWNER}"]
    sol.must(ask.HearAcknowledged(OWNER, f"to:{OWNER}", mark))
    sealed(sol, 1)
    close(sol)
    three.settle()
    put_back(sol, backup(sol), epoch=3)
    sol.must(ask.GoOnWithout(POT, (OWNER,), "no contesta", **TWO))
    sealed(sol, 2)
    close(sol)
    sol.book.checkpoint()
    return sol


def test_r28_a_member_that_was_put_back_is_good_by_the_second_hand(member):
    assert verify(member.kept, None, lambda _: None).wrong is None


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("node_restored", {"asks_above": ["caja"]}, "a quién pregunta hasta dónde"),
        ("member_returned", {"stream": f"pot:{POT}"}, "no es para"),
        ("member_returned", {"kind": "nothing_new", "what": "x"}, "no había dicho hasta dónde"),
        ("went_on_without", {"neighbours": ["caja"]}, "quiénes faltaban"),
        ("went_on_without", {"reason": ""}, "falta el motivo"),
        ("went_on_without", {"kind": "nothing_new", "what": "x"}, "no había dicho hasta dónde"),
    ],
)
def test_r28_a_member_that_asked_nobody_is_found(member, tmp_path, kind, change, words):
    member.kept.write(tmp_path / "book.db")
    with Forger(tmp_path / "book.db", tmp_path / "copy.db") as forger:
        bodies = forger.bodies()
        body = next(one for one in bodies if one["fact"]["kind"] == kind)
        body["fact"] = change if "kind" in change else body["fact"] | change
        forger.write_anew(bodies, body["seq"])

    assert words in wrong_in(tmp_path / "copy.db").why


def test_r28_a_casino_that_was_put_back_is_told_so(nodes):
    assert any(row.kind == "neighbour_went_back" for row in nodes[CASINO].kept.facts())
    path = nodes[CASINO].kept
    assert verify(path, None, lambda _: None).wrong is None
