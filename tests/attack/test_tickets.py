"""The dishonest colleague and tickets: he has one whole, number and key, and gets nothing with it from where he stands."""

import os
import signal

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, asking, doing
from controller.node.vocabulary.protocol import Deed, Ticket
from support.attack.child import STRANGER
from support.attack.ground import begins, ground
from support.node.node_process import CARLA, casino

pytestmark = pytest.mark.process

TABLE = "DP-01"


def signed_in(client):
    ticket = client.sign_in(CARLA, "consola-1", TABLE)
    assert isinstance(ticket, Ticket), ticket
    return ticket


def test_a_ticket_out_of_another_process_opens_nothing_and_stands_nowhere(template):
    """Of another user, and of the same one; who was robbed goes on."""
    with ground(template) as place, Client(place.control) as client:
        ticket = signed_in(client)
        words = (*ticket[:4], ticket.key.hex(), *ticket[5:])
        for user in (STRANGER, os.geteuid()):
            thief = place.child("support.attack.thieves:uses", 5, *words, user=user)
            begins(thief)
            assert thief.communicate(timeout=20)[0] == "ticket_over\n"
        assert client.ask(doing(Deed.UNLOCK, ticket, table=TABLE)).ok
        assert client.ask(asking(ask.Lock(TABLE, Signature("")), ticket)).ok
        told = b"".join(client.since(0))
        kept = [one.read_bytes() for one in place.record.parent.rglob("*") if one.is_file()]

        assert b'"kind":"locked"' in told
        for text in (told, place.journal.read_bytes(), *kept):
            for secret in (ticket.number.encode(), ticket.key, ticket.key.hex().encode()):
                assert secret not in text


def test_a_node_that_was_killed_and_is_back_knows_no_ticket(template):
    """The same client, the same process, in the same minute: he types his PIN."""
    with casino(template) as place:
        node = place.start()
        node.ready()
        node.up()
        with Client(node.place / "control") as client:
            ticket = signed_in(client)
            assert client.ask(doing(Deed.UNLOCK, ticket, table=TABLE)).trouble.reason == "day_not_open"
            node.end(signal.SIGKILL)
            again = place.start()
            again.ready()
            assert client.ask(doing(Deed.UNLOCK, ticket, table=TABLE)).trouble.reason == "ticket_over"
            assert isinstance(client.sign_in(CARLA, "consola-1", TABLE), Ticket)
