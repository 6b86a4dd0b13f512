"""The links in a life of the node: nothing without neighbours; an address that is taken stops no table."""

import socket
from types import SimpleNamespace

import pytest
import structlog

from controller.core.state import State
from controller.core.values import Side
from controller.node.engine.told import NO_LINKS
from controller.node.service.node_links import NodeLinks
from controller.node.telemetry.counts import Counts
from controller.node.vocabulary.clock import of_this_machine
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.inbox import Inbox
from controller.node.vocabulary.places import NeighbourPlace

BELOW = NeighbourPlace(name="valle", side=Side.BELOW, inside=False, address="", fingerprint=fingerprint_of("ab" * 32))


def links_of(folder, listen="", neighbours=()):
    node = SimpleNamespace(name="norte", folder=folder, listen=listen, neighbours=neighbours)
    said = structlog.testing.CapturingLogger()
    return NodeLinks(node, Inbox(), of_this_machine(), said, Counts()), said


def test_a_node_without_neighbours_has_no_links_and_no_key_for_them(tmp_path):
    links, _ = links_of(tmp_path)

    stop = links.start(State(), 0, None)

    assert links.told is NO_LINKS and links.alive() and not list(tmp_path.iterdir())
    stop()


@pytest.mark.process
def test_where_its_address_is_taken_it_plays_on_and_somebody_is_told(tmp_path):
    tmp_path.chmod(0o700)
    alarms = {}
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        links, said = links_of(tmp_path, f"tcp://127.0.0.1:{other.getsockname()[1]}", (BELOW,))

        links.start(State(node="norte"), 0, SimpleNamespace(raise_alarm=alarms.__setitem__))

    assert "se juega sin enlaces" in alarms["links"].sentence
    assert [call.args[0] for call in said.calls] == ["links_refused"]
    assert links.alive(), "there is no thread that could have died"
    links.told.committed(State(), (), 0)
    links.told.meters({})
    links.stop()
