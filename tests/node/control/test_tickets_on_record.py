"""Tickets at the control socket of a node with a record: what is done with one, and what of it is written down."""

import pytest

from controller.core import inputs as ask
from controller.node.control.client import Client, asking, doing, new_id
from controller.node.vocabulary.protocol import Deed, Pin, Ticket
from support.node import ctl_engine
from support.node.ctl_engine import signs

pytestmark = pytest.mark.process


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def client(node):
    with Client(node.control_folder) as client:
        yield client


def signed_in(client, person="carla", table="M1", terminal="consola-1"):
    ticket = client.sign_in(signs(person), terminal, table)
    assert isinstance(ticket, Ticket), ticket
    return ticket


def test_a_pass_with_one_pin_leaves_the_facts_that_it_leaves_with_many(node, client):
    before = node.book.seq
    ticket = signed_in(client)
    assert node.book.seq == before, "nothing was done"
    replies = [client.ask(doing(Deed.UNLOCK, ticket, table="M1"))]
    replies.append(client.ask(asking(ask.Lock("M1", None), ticket)))
    node.during(lambda: node.prove("M1"))
    replies.append(client.ask(asking(ask.ClosePass("M1", None), ticket)))
    replies.append(client.ask(asking(ask.OpenPass("M1", None), ticket)))

    assert [reply.trouble for reply in replies] == [None] * 4
    told = b"".join(bytes(fact) for reply in replies for fact in reply.facts)
    for part in (b'{"kind":"pass_opened","table":"M1","number":1,"by":"carla"}', b'"kind":"locked"', b'"by":"carla"'):
        assert part in told
    assert ticket.number.encode() not in told


@pytest.mark.parametrize(
    ("pin", "table", "reason"),
    [
        (Pin("carla", "000000"), "M1", "pin_wrong"),
        (Pin("nadie", "333333"), "M1", "person_unknown"),
        (signs("tito"), "M1", "role_missing"),
        (signs("ana"), "M1", "role_missing"),
        (signs("carla"), "M9", "table_unknown"),
    ],
)
def test_who_may_not_sign_in_is_refused_like_anybody_and_it_is_on_record(node, client, pin, table, reason):
    before = node.book.seq
    reply = client.sign_in(pin, "consola-1", table)

    assert reply.trouble.reason == reason and not reply.ticket
    assert node.book.seq == before + 1
    assert b'"kind":"refused","ask":"sign_in"' in bytes(reply.facts[0])


def test_three_wrong_pins_at_a_sign_in_are_counted_and_make_wait_like_all_others(node, client):
    reasons = [client.sign_in(signs("carla", "000000"), "consola-1", "M1").trouble.reason for _ in range(4)]

    assert reasons == ["pin_wrong"] * 3 + ["wait"]
    assert node.book.state.people["carla"].failures == 3


def test_a_request_whose_ticket_ended_is_asked_again_with_a_pin_and_done_once(node, client):
    """The answer was lost; meanwhile ten minutes were over, or he signed out."""
    ticket, id_ = signed_in(client), new_id()
    first = client.ask(doing(Deed.UNLOCK, ticket, id_=id_, table="M1"))
    assert client.ask(doing(Deed.SIGN_OUT, ticket, table="M1")).ok
    over = client.ask(doing(Deed.UNLOCK, ticket, id_=id_, table="M1"))
    again = client.ask(doing(Deed.UNLOCK, signs("carla"), id_=id_, table="M1"))

    assert (over.trouble.reason, over.trouble.where, over.facts) == ("ticket_over", "by", ())
    assert again.facts == first.facts
    assert node.book.state.tables["M1"].number == 1


def test_who_is_enrolled_anew_or_withdrawn_has_no_ticket_any_more(node, client):
    carla, jefe = signed_in(client), signed_in(client, "jefe")
    told = {"person": "carla", "name": "Carla", "roles": ("croupier",), "known": True, "new_pin": "121212"}
    assert client.ask(doing(Deed.ENROL, signs("ana"), signs("luis"), **told)).ok
    assert client.ask(doing(Deed.UNLOCK, carla, table="M1")).trouble.reason == "ticket_over"
    told = {"person": "jefe", "name": "Jefe", "roles": (), "known": True, "new_pin": "131313"}
    assert client.ask(doing(Deed.ENROL, signs("ana"), signs("luis"), **told)).ok

    assert client.ask(doing(Deed.UNLOCK, jefe, table="M1")).trouble.reason == "ticket_over"


def test_what_the_core_refuses_it_refuses_with_a_ticket_too(node, client):
    reply = client.ask(asking(ask.Lock("M1", None), signed_in(client)))

    assert (reply.trouble.reason, reply.trouble.rule) == ("pass_not_open", "R-5")
    assert b'"by":"carla"' in bytes(reply.facts[0])


def test_a_client_keeps_nothing_of_the_pin(node, client):
    ticket = signed_in(client)

    assert "333333" not in repr((vars(client), ticket))
    assert not client._keys
