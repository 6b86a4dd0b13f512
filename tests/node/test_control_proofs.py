"""PINs at the control socket: proven and never said; nobody guesses one for nothing."""

import hashlib
import hmac
import json
import re

import msgspec
import pytest

from controller.core import inputs as ask
from controller.node.control import proofs
from controller.node.control.client import Client, asking, doing, new_id
from controller.node.control.door import read
from controller.node.control.peers import Peer
from controller.node.control.proofs import ProofDesk
from controller.node.control.unproven import ONE_BY_ONE
from controller.node.vocabulary.buckets import Rate
from controller.node.vocabulary.proof import signing_key, slow_key
from controller.node.vocabulary.protocol import Deed, Pin, Reply
from support.node import ctl_engine
from support.node.ctl_engine import signs

pytestmark = pytest.mark.process

PEER = Peer(0, 1)


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


def failures(node, person):
    return node.book.state.people[person].failures


def guess(client, person, pin, id_=""):
    return client.ask(asking(ask.PayOwed("M1", 1, None), Pin(person, pin), id_=id_)).trouble


def test_who_guesses_waits_and_learns_nothing_meanwhile_under_any_id(node):
    id_ = new_id()
    with Client(node.control_folder) as client:
        assert guess(client, "jefa", "555555", id_).reason == "nothing_there"
        for number in range(3):
            assert guess(client, "jefa", f"00000{number}", id_).reason == "pin_wrong"
        before = node.book.seq
        for pin in ("000009", "555555", "555555"):
            for again in (id_, new_id()):
                wait = guess(client, "jefa", pin, again)
                assert (wait.reason, wait.rule, wait.where) == ("wait", "R-27", "by")
                assert wait.message == "Espere 1 segundo: hubo PIN equivocados. No se miró el que dio ahora."

    assert (failures(node, "jefa"), node.book.seq) == (3, before)


def test_a_second_person_who_waits_is_named(node):
    with Client(node.control_folder) as client:
        for _ in range(3):
            guess(client, "jefa", "000000")
        both = asking(ask.ClearSuspense("M1", "x", None, None), signs("jefe"), signs("jefa"))
        assert client.ask(both).trouble.where == "second"


def test_nobody_waits_any_more_once_another_person_took_note(node):
    with Client(node.control_folder) as client:
        for _ in range(3):
            client.ask(asking(ask.Lock("M1"), signs("carla", "000000")))
        assert client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1")).trouble.reason == "wait"
        assert client.ask(asking(ask.UnlockPerson("carla", None), signs("jefe"))).ok
        assert client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1")).ok
        for _ in range(3):
            client.ask(asking(ask.Lock("M1"), signs("carla", "000000")))
        again = {"person": "carla", "name": "Carla", "roles": ("croupier",), "known": True, "new_pin": "121212"}
        assert client.ask(doing(Deed.ENROL, signs("ana"), signs("luis"), **again)).ok
        assert client.ask(asking(ask.BuyCredits("M1", 1, 1, None), signs("carla", "121212"))).ok


@pytest.fixture
def strict(tmp_path, monkeypatch):
    """A node where four refusals in a row are enough."""
    monkeypatch.setattr(proofs, "REFUSALS", Rate(1 / 30, 4))
    with ctl_engine.running(tmp_path) as node:
        yield node


def refused(client, id_=""):
    return client.ask(asking(ask.PayOwed("M1", 1, None), signs("jefe"), id_=id_)).trouble.reason


def test_who_is_refused_again_and_again_waits_and_leaves_nothing_more_on_record(strict):
    with Client(strict.control_folder) as client:
        assert [refused(client) for _ in range(4)] == ["nothing_there"] * 4
        before = strict.book.seq
        wait = client.ask(asking(ask.Lock("M1"), signs("jefe"))).trouble
        assert (wait.reason, wait.rule, wait.where) == ("too_many_refused", "R-27", "by")
        assert re.fullmatch(
            r"Espere (29|30) segundos: se le rechazaron demasiados pedidos.* Este no se miró.", wait.message
        )
        assert guess(client, "jefe", "000000").reason == "pin_wrong", "whose PIN is wrong is told so, not that he waits"
        assert strict.book.seq == before + 1
        assert client.ask(asking(ask.BuyCredits("M1", 1, 1, None), signs("carla"))).ok, "and nobody else waits"


def test_who_is_heard_and_served_never_waits_however_much_he_asks(strict):
    with Client(strict.control_folder) as client:
        for number in range(12):
            assert client.ask(asking(ask.BuyCredits("M1", 1, 1, None), signs("carla"))).ok
            if number % 4 == 3:
                wrong = client.ask(asking(ask.PayOwed("M1", 1, None), signs("carla")))
                assert wrong.trouble.reason == "nothing_there"


def test_wrong_pins_of_another_take_nothing_of_a_persons_refusals(strict):
    with Client(strict.control_folder) as client:
        for _ in range(2):
            assert guess(client, "jefe", "000000").reason == "pin_wrong"
        assert [refused(client) for _ in range(4)] == ["nothing_there"] * 4


def test_what_was_done_and_changed_nothing_counts_as_refused(strict):
    with Client(strict.control_folder) as client:
        for _ in range(4):
            assert client.ask(asking(ask.NoteClock(None), signs("jefe"))).ok
        assert refused(client) == "too_many_refused"


@pytest.mark.parametrize("by", [Pin("nadie", "111111"), Pin("jefe", "000000"), Pin("jefe", "x")])
def test_a_second_proof_is_not_looked_at_where_the_first_proves_nothing(node, by):
    with Client(node.control_folder) as client:
        client.ask(asking(ask.ClearSuspense("M1", "x", None, None), by, signs("jefa")))

    assert not node.asked[-1].input.second.verified


def test_a_wrong_second_pin_counts_whatever_else_is_refused(node):
    """By somebody whose role is not enough, and in a message that no record would hold."""
    with Client(node.control_folder) as client:
        for reason in ("x", "y" * 3_000):
            wrong = asking(ask.ClearSuspense("M1", reason, None, None), signs("carla"), signs("jefa", "000000"))
            assert client.ask(wrong).trouble.reason == "pin_wrong"

    assert failures(node, "jefa") == 2


def test_no_new_pin_is_kept_for_whoever_proves_nothing(node):
    told = {"person": "eva", "name": "Eva", "roles": ("croupier",), "new_pin": "121212"}
    with Client(node.control_folder) as client:
        for by, second in (("000000", None), (None, "000000")):
            wrong = doing(Deed.ENROL, signs("ana", by), signs("luis", second), **told)
            assert client.ask(wrong).trouble.reason == "pin_wrong"
            assert not node.asked[-1].verifier


@pytest.mark.parametrize(
    "told",
    [
        {"ask": {"ask": "lock", "table": "M1"}, "by": {"person": "444444"}},
        {"ask": {"ask": "unlock_person", "person": "444444"}, "by": {"person": "jefe"}},
        {"do": "unlock", "table": "M1", "by": {"person": "444444"}},
        {"ask": {"ask": "clear_suspense", "table": "M1", "reason": "x"}, "by": {"person": "jefe"}, "second": {"person": "555555"}},
    ],
)  # fmt: skip
def test_a_pin_typed_for_a_name_stops_at_the_door_and_is_not_repeated(told):
    answer = read(msgspec.json.encode({"v": 2, "id": "0" * 32, **told}))

    assert isinstance(answer, Reply) and answer.trouble.reason == "person_is_a_pin"
    assert "444444" not in str(answer) and "555555" not in str(answer)


@pytest.mark.parametrize("table", ["~M1", "a/b", " M1", "x" * 65])
def test_a_deed_names_a_table_that_can_be_one(table):
    told = {"do": "unlock", "table": table, "by": {"person": "carla"}}

    assert read(msgspec.json.encode({"v": 2, "id": "0" * 32, **told})).trouble.where == "table"


def test_a_proof_is_of_one_request_at_one_node_in_one_epoch(node):
    """Whatever of it is changed, it proves nothing; and as it was, it has one effect."""
    right = json.loads(ctl_engine.proven(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla"))))
    changed = [
        right | {"id": "f" * 32},
        right | {"ask": right["ask"] | {"credits": 400}},
        right | {"ask": right["ask"] | {"seat": 2}},
        right | {"by": right["by"] | {"person": "jefe"}},
        right | {"by": {"person": "carla"}},
        right | {"by": right["by"] | {"proof": "0" * 64}},
        right | {"by": right["by"] | {"proof": right["by"]["proof"].upper()}},
    ]
    for other in (ProofDesk("nodo2", 1, ctl_engine.PEPPER), ProofDesk("nodo1", 2, ctl_engine.PEPPER)):
        other.people({"carla": ctl_engine.verifier("carla")})
        assert not other.look_at(read(json.dumps(right).encode()), PEER, 0, 0).by
    desk = ProofDesk("nodo1", 1, ctl_engine.PEPPER)
    desk.people({person: ctl_engine.verifier(person) for person in ctl_engine.PINS})

    assert desk.look_at(read(json.dumps(right).encode()), PEER, 0, 0).by
    assert not any(
        desk.look_at(read(json.dumps(one).encode()), Peer(number, 1), 0, 0).by for number, one in enumerate(changed)
    )


def test_a_proof_does_not_depend_on_how_the_message_is_written():
    right = json.loads(ctl_engine.proven(asking(ask.VoidHand("M1", 1, "Mañana", None), signs("carla"))))
    desk = ProofDesk("nodo1", 1, ctl_engine.PEPPER)
    desk.people({"carla": ctl_engine.verifier("carla")})

    for text in (json.dumps(right, indent=3), json.dumps(dict(reversed(right.items())), ensure_ascii=False)):
        assert desk.look_at(read(text.encode()), PEER, 0, 0).by


def test_who_does_not_exist_is_told_a_salt_like_anybody(node):
    """Always the same one, also after the node was started anew."""
    with Client(node.control_folder) as client:
        first, again = (client.ask(doing(Deed.SALTS, people=("carla", "nadie"))) for _ in range(2))
    other = ProofDesk("nodo1", 1, ctl_engine.PEPPER).salts(doing(Deed.SALTS, people=("nadie",)).request)

    carla, nobody = first.salts
    assert first.salts == again.salts and nobody == other.salts[0]
    assert (first.node, first.epoch) == ("nodo1", 1)
    assert len(carla.salt) == len(nobody.salt) == 32 and carla.salt != nobody.salt
    assert (carla.time, carla.memory, carla.lanes) == (nobody.time, nobody.memory, nobody.lanes) == (2, 19_456, 1)


def test_no_salts_are_told_for_a_pin_nor_for_a_crowd(node):
    with Client(node.control_folder) as client:
        assert client.ask(doing(Deed.SALTS, people=("444444",))).trouble.reason == "person_is_a_pin"
        assert client.ask(doing(Deed.SALTS, people=tuple("abcde"))).trouble.where == "people"


def test_what_a_client_sends_holds_no_pin_nor_what_a_pin_is_tried_with(node):
    """Neither of those who sign, nor of who is enrolled."""
    fields = {"person": "nora", "name": "Nora", "roles": ("croupier",)}
    sent = ctl_engine.proven(doing(Deed.ENROL, signs("ana"), signs("luis"), new_pin="121212", **fields))

    slow = slow_key("111111", ctl_engine.salted("ana"))
    for secret in (b"111111", b"222222", b"121212", slow.hex().encode(), signing_key(slow).hex().encode()):
        assert secret not in sent


def test_whoever_speaks_version_1_is_told_so_in_one_sentence(node):
    asked = {"v": 1, "id": "0" * 32, "ask": {"ask": "lock", "table": "M1"}, "by": {"person": "carla", "pin": "333333"}}

    answer = read(json.dumps(asked).encode())

    assert isinstance(answer, Reply) and (answer.trouble.reason, answer.trouble.where) == ("version", "v")
    assert answer.trouble.message == "Este nodo habla la versión 2 del protocolo, no la 1: actualice este programa."


def test_the_words_of_a_proof_are_those_of_the_page():
    """By hand, from docs/operators/control.md."""
    salted = ctl_engine.salted("carla")
    signing = hmac.digest(slow_key("333333", salted), b"pozo sign", "sha256")
    stored = hashlib.sha256(signing).digest()
    text = b'{"ask":{"ask":"lock","table":"M1"},"by":{"person":"carla"},"id":"%b","v":2}' % (b"7" * 32)
    mask = hmac.digest(stored, b"pozo proof 2\nnodo1\n1\n" + text, "sha256")
    proof = bytes(a ^ b for a, b in zip(signing, mask, strict=True)).hex()

    sent = json.loads(ctl_engine.proven(asking(ask.Lock("M1", None), signs("carla"), id_="7" * 32)))
    assert sent["by"] == {"person": "carla", "proof": proof}


def test_names_of_nobody_reach_the_core_a_few_times_and_then_are_a_number(node):
    """The same words for the person, whether he is one of the few or not; who is enrolled feels nothing of it."""
    before = node.book.seq
    with Client(node.control_folder) as client:
        heard = [client.ask(asking(ask.Lock("M1", None), Pin(f"x{number}", "123456"))).trouble for number in range(9)]
        assert client.ask(asking(ask.Lock("M1", None), signs("carla"))).trouble.reason == "pass_not_open"

    assert [(one.reason, one.message) for one in heard] == [
        ("person_unknown", f"x{number} no está inscrito.") for number in range(9)
    ]
    assert node.book.seq - before == ONE_BY_ONE + 1
