"""The far door: what a web of another box has at a node, what a stranger has, and what is left of who was sent away."""

import sys
import time

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, NodeSilent, NotOurs, asking, doing
from controller.node.control.zmtp import framed, opening, subscribed
from controller.node.vocabulary.protocol import FACT_TOPIC, MOST_BYTES, WAIT, Deed, Ticket
from support.node.ctl_engine import signs
from support.node.far import NODE_KEY, STRANGERS_KEY, WEB_KEY, far_node, key_of, ways

pytestmark = pytest.mark.process
PATIENCE = 20
A_WHILE = 1.5


@pytest.fixture
def far(tmp_path):
    with far_node(tmp_path) as far:
        yield far


@pytest.fixture
def web(far, tmp_path):
    far.enrol()
    with ways(tmp_path / "web", far.place) as web:
        until(lambda: web.said == [True])
        yield web


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def test_a_web_that_two_let_in_asks_and_looks_as_one_of_this_machine_does(far, web):
    with web.client() as client:
        reply = client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1"))
        assert reply.ok, reply.trouble
        assert far.node.book.state.tables["M1"].phase == "open"
        assert next(view for view in client.views() if view is not None).node == "nodo1"
        assert client.house().terminals[0].terminal == "web-sur"
        assert client.ask(asking(ask.Lock("nada"), signs("carla"))).trouble.rule == "R-9"


def test_the_same_request_again_has_one_effect_whatever_was_lost_between(far, web):
    request = asking(ask.BuyCredits("M1", 1, 4, None), signs("carla"))
    with web.client() as client:
        first = client.ask(request)
    far.withdraw()
    until(lambda: web.said == [True, False])
    far.enrol()
    until(lambda: web.said == [True, False, True])
    with web.client() as client:
        assert client.ask(request).facts == first.facts
    assert far.node.book.state.tables["M1"].seat(1).credits == 2_000


def test_facts_are_told_in_their_order(far, web):
    with web.client(FACT_TOPIC) as ear, web.client() as client:
        facts = ear.facts(0.1)
        until(lambda: ear._end.news(0.05) or far.node.control._end.heard(FACT_TOPIC))
        client.ask(doing(Deed.STATE))
        far.node.during(lambda: far.node.control.show(far.node.view(), [b'{"seq":1}', b'{"seq":2}']))
        assert [next(facts), next(facts)] == [b'{"seq":1}', b'{"seq":2}']


@pytest.mark.parametrize(
    ("own", "node_key", "box"),
    [(STRANGERS_KEY, NODE_KEY, "nodo1"), (WEB_KEY, STRANGERS_KEY, "nodo1")],
    ids=["a key that nobody enrolled", "another node's key"],
)
def test_with_a_wrong_key_on_either_side_nobody_is_there(far, tmp_path, own, node_key, box):
    far.enrol()
    with ways(tmp_path / "stranger", far.place, own, node_key, box) as stranger, stranger.client() as client:
        with pytest.raises(NodeSilent):
            client.state(A_WHILE)
        assert stranger.said == []
    assert not far.node.asked


def test_of_a_stranger_the_journal_has_where_from_and_how_often(far, tmp_path):
    with ways(tmp_path / "stranger", far.place, STRANGERS_KEY):
        until(lambda: far.door._hub._sockets.unknown_keys)
    far.door._summed_up_at -= 60_000_000
    until(lambda: any(event == "web_strangers" for event, _ in far.said))
    fields = next(fields for event, fields in far.said if event == "web_strangers")
    assert fields["unknown_keys"] >= 1
    assert "127.0.0.1" in fields["addresses"]


def test_a_box_that_answers_under_another_nodes_name_is_given_no_proof(far, tmp_path):
    """What a chief signs there would else be good at the node whose name it borrowed."""
    far.enrol()
    with ways(tmp_path / "web", far.place, box="central") as web:
        until(lambda: web.said == [True])
        with web.client() as client:
            with pytest.raises(NotOurs, match="nodo1"):
                client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1"))
            with pytest.raises(NotOurs, match="nodo1"):
                next(view for view in client.views() if view is not None)
    assert not far.node.asked


def test_r36_a_web_that_is_sent_away_is_out_at_once_and_its_tickets_with_it(far, web):
    with web.client() as client:
        ticket = client.sign_in(signs("carla"), "tableta", "M1")
        assert isinstance(ticket, Ticket)
        views = client.views(0.1)
        next(views)
        far.withdraw()
        until(lambda: web.said == [True, False])
        until(lambda: ("web_went", {"web": "web-sur"}) in far.said)
        with pytest.raises(NodeSilent):
            client.ask(doing(Deed.UNLOCK, ticket, table="M1"), A_WHILE)

        far.enrol()
        until(lambda: web.said == [True, False, True])
        assert client.ask(doing(Deed.UNLOCK, ticket, table="M1")).trouble.reason == "ticket_over", (
            "also when it is back"
        )


def test_r36_what_a_web_signed_with_before_is_worth_nothing_under_another_key(far, web, tmp_path):
    with web.client() as client:
        ticket = client.sign_in(signs("carla"), "tableta", "M1")
    far.enrol(key_of(10))
    with ways(tmp_path / "other", far.place, key_of(10)) as other:
        until(lambda: other.said == [True])
        with other.client() as client:
            assert client.ask(doing(Deed.UNLOCK, ticket, table="M1")).trouble.reason == "ticket_over"


def test_wrong_pins_at_a_web_make_nobody_wait_at_a_console(far, web):
    with web.client() as client:
        wrong = [client.ask(doing(Deed.UNLOCK, signs("carla", "000000"), table="M1")) for _ in range(4)]
        assert wrong[-1].trouble.reason == WAIT
    with Client(far.node.control_folder) as console:
        assert console.ask(doing(Deed.UNLOCK, signs("carla"), table="M1")).ok


def ends(made, octets):
    """Whether the connection is over once this was said."""
    try:
        made.sendall(octets)
        while made.recv(65_536):
            pass
    except OSError:
        return not isinstance(sys.exception(), TimeoutError)
    return True


def test_what_is_too_long_ends_one_connection_and_the_way_stands(far, web):
    with web.ways.opened("nodo1", "commands") as made:
        made.settimeout(PATIENCE)
        made.sendall(opening(b"DEALER"))
        assert ends(made, framed([b"x" * (3 * MOST_BYTES)]))
    assert web.said == [True]
    with web.client() as client:
        assert client.state().node == "nodo1"


def test_a_socket_that_there_is_not_is_none(web):
    with web.ways.opened("nodo1", "secrets") as made:
        made.settimeout(PATIENCE)
        assert made.recv(1) == b""


def test_a_web_that_reads_nothing_holds_up_nobody(far, web):
    """Views are shown over and over; who does not take them has the newest when he looks again."""
    deaf = web.ways.opened("nodo1", "state")
    deaf.sendall(opening(b"SUB") + subscribed(b""))
    with web.client() as client:
        for number in range(200):
            far.node.during(lambda: far.node.control.show(far.node.view(), [b'{"seq":1,"x":"%b"}' % (b"y" * 4_000)]))
            if number % 50 == 0:
                assert client.state().node == "nodo1"
    assert web.said == [True]
    deaf.close()


def test_a_node_that_comes_back_is_seen_as_it_is_within_three_seconds(far, web):
    with web.client() as client:
        views = client.views(0.1)
        next(views)
        far.door.stop()
        until(lambda: web.said == [True, False])
        with pytest.raises(NodeSilent):
            client.state(0.2)
        far.node.during(lambda: far.node.say(ask.BuyCredits("M1", 1, 4, Signature("carla"))))
        at = time.monotonic()
        far.open(far.place)
        seq = far.node.book.seq
        while (view := next(views)) is None or view.seq < seq:
            assert time.monotonic() < at + 3
        print(f"back after {time.monotonic() - at:.2f} s")
