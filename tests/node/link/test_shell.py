"""Two shells with real sockets over loopback (R-28): letters both ways, keys pinned, revoked and changed while they run."""

import socket
import threading
from contextlib import ExitStack, closing

import pytest

from controller.core.values import Levels, Side
from controller.node.link.links import MeterNow
from controller.node.link.outgoing import MOST_KEPT
from controller.node.link.sockets import Pinned, Sockets
from controller.node.vocabulary.bell import Bell
from drivers.punctual import micros
from drivers.session import SECOND
from support.link.node import LOG, LinkBroken, MeterHeard, SmallNode, new_key, until
from support.link.proxy import Proxy

pytestmark = pytest.mark.process

UP = "to:central"


@pytest.fixture
def central(tmp_path):
    with SmallNode("central", tmp_path / "central", "tcp://127.0.0.1:0").start() as made:
        yield made


@pytest.fixture
def box(tmp_path, central):
    with neighbours(tmp_path, central).start(central=central.address) as made:
        yield made


def neighbours(tmp_path, central, name="caja", key=None):
    made = SmallNode(name, tmp_path / name, key=key)
    central.pin(name, Side.BELOW, made.key.public)
    made.pin("central", Side.ABOVE, central.key.public)
    return made


def settled(one, other):
    return lambda: all(
        theirs.state.heard.get(f"{ours.name}/{stream}") == mark
        and ours.state.acknowledged.get(f"{theirs.name}/{stream}") == mark
        for ours, theirs in ((one, other), (other, one))
        for stream, mark in ours.state.told.items()
    )


def both_up(one, other):
    return lambda: one.up.get(other.name, False) and other.up.get(one.name, False)


def test_letters_go_both_ways_and_are_acknowledged_after_the_commit(central, box):
    box.tell(UP, *(f"M{number}" for number in range(1_000)))
    central.tell(LOG, "A", "B")
    until((central, box), settled(central, box))
    box.tell(UP, "last")
    until((central, box), settled(central, box))

    assert central.heard["caja/to:central"] == [*(f"M{number}" for number in range(1_000)), "last"]
    assert box.heard["central/pot:pozo"] == ["A", "B"]
    assert (box.up, central.up) == ({"central": True}, {"caja": True})
    assert not central.of(LinkBroken) + box.of(LinkBroken)


def test_who_keeps_up_costs_no_reading_of_the_record(central, box):
    until((central, box), both_up(central, box))
    for number in range(50):
        box.tell(UP, f"M{number}")
        until((central, box), settled(central, box))

    assert box.record.asked == 0


def test_who_was_away_is_served_from_the_record(tmp_path, central):
    box = neighbours(tmp_path, central)
    box.tell(UP, *(f"M{number}" for number in range(5 * MOST_KEPT)))
    with box.start(central=central.address):
        until((central, box), settled(central, box))

    assert len(central.heard["caja/to:central"]) == 5 * MOST_KEPT
    assert box.record.asked > 0


def test_either_end_goes_and_comes_back_and_nothing_is_doubled(tmp_path, central, box):
    box.tell(UP, "one")
    until((central, box), settled(central, box))
    place = central.address
    central.links.stop()
    until((box,), lambda: not box.up["central"])
    box.tell(UP, "two")
    central._listen = place
    central.start()
    until((central, box), settled(central, box))
    box.links.stop()
    until((central,), lambda: not central.up["caja"])
    central.tell(LOG, "A")
    box.start(central=central.address)
    until((central, box), settled(central, box))

    assert central.heard["caja/to:central"] == ["one", "two"]
    assert box.heard["central/pot:pozo"] == ["A"]


def test_the_newest_meter_is_there_soon_and_the_others_are_not(central, box):
    central.tell(LOG, "A")
    until((central, box), settled(central, box))
    for main in range(2_000):
        central.links.meters({"pozo": MeterNow(1, Levels(main, 0, {"r": 1}), 1_000 + main)})
    until((central, box), lambda: any(one.levels.main == 1_999 for one in box.of(MeterHeard)))

    assert box.of(MeterHeard)[-1] == MeterHeard("central", "pozo", 1, Levels(1_999, 0, {"r": 1}), 2_999)
    assert len(box.of(MeterHeard)) < 200


def test_nobody_is_heard_before_he_is_pinned_and_at_once_after(tmp_path, central):
    box = SmallNode("caja", tmp_path / "caja")
    box.pin("central", Side.ABOVE, central.key.public)
    box.tell(UP, "one")
    with box.start(central=central.address):
        until((central, box), lambda: central.links._shell._sockets.unknown_keys > 0)
        assert not central.up
        central.pin("caja", Side.BELOW, box.key.public)
        until((central, box), settled(central, box))


def test_who_is_revoked_is_out_at_once_and_does_not_come_back(central, box):
    until((central, box), both_up(central, box))
    central.revoke("caja")
    box.tell(UP, "late")
    until((central, box), lambda: not central.up["caja"] and not box.up["central"])
    until((central, box), lambda: central.links._shell._sockets.unknown_keys > 0)

    assert "caja/to:central" not in central.heard


def test_a_key_that_was_changed_opens_nothing_and_the_new_one_goes_on(tmp_path, central, box):
    box.tell(UP, "one")
    until((central, box), settled(central, box))
    stolen, own = box.key, new_key()
    central.pin("caja", Side.BELOW, own.public)
    until((central, box), lambda: not box.up["central"])
    box.links.stop()

    thief = SmallNode("caja", tmp_path / "ladron", key=stolen)
    thief.pin("central", Side.ABOVE, central.key.public)
    thief.tell(UP, "one", "mine")
    with thief.start(central=central.address):
        until((central, thief), lambda: central.links._shell._sockets.unknown_keys > 0)
    box.key = own
    box.tell(UP, "two")
    box.start(central=central.address)
    until((central, box), settled(central, box))

    assert central.heard["caja/to:central"] == ["one", "two"]


def test_whoever_is_above_with_another_key_is_told_nothing(tmp_path, central):
    """It has the address of the central, and not its key."""
    box = neighbours(tmp_path, central)
    box.pin("central", Side.ABOVE, new_key().public)
    box.tell(UP, "secret")
    with box.start(central=central.address):
        until((central, box), lambda: central.links._shell._sockets.gate.refused.total() > 0)

    assert not central.heard
    assert not box.up.get("central")


NAMED = {"neighbour": "central", "code": "name"}


def test_one_neighbour_cannot_speak_for_another(tmp_path, central, box):
    """It calls itself so, in Hello and at libzmq: its key says who it is."""
    other = SmallNode("caja", tmp_path / "otra")
    central.pin("caja-2", Side.BELOW, other.key.public)
    other.pin("central", Side.ABOVE, central.key.public)
    until((central, box), both_up(central, box))
    other.tell(UP, "mine")
    with other.start(central=central.address):
        until((central, other), lambda: any(event == "link_turned_down" for event, _ in central.said))
        until((central, other), lambda: ("link_turned_down", {**NAMED, "by_us": False}) in other.said)
        box.tell(UP, "its")
        until((central, box, other), settled(central, box))

    assert central.heard == {"caja/to:central": ["its"]}
    assert {fields["code"] for _, fields in central.said} == {"name"}
    assert ("link_turned_down", {**NAMED, "neighbour": "caja-2", "by_us": True}) in central.said


def test_recorded_traffic_that_is_played_again_is_nothing(tmp_path, central):
    box = neighbours(tmp_path, central)
    with Proxy(central.links.place) as between, box.start(central=f"tcp://127.0.0.1:{between.port}"):
        box.tell(UP, "one", "two")
        until((central, box), settled(central, box))
        recorded = between.upwards[0]
        for cut in (len(recorded), len(recorded) - 10, 300, 70):
            with socket.create_connection(central.links.place) as again:
                again.settimeout(8)
                again.sendall(bytes(recorded[:cut]))
                assert said_until_closed(again) < 300, "it gets a greeting and a welcome, and no READY"
        box.tell(UP, "three")
        until((central, box), settled(central, box))

    assert central.heard["caja/to:central"] == ["one", "two", "three"]


def said_until_closed(made):
    octets = 0
    try:
        while came := made.recv(65_536):
            octets += len(came)
    except ConnectionResetError:
        pass
    return octets


def test_a_cable_that_is_cut_and_joined_loses_nothing(tmp_path, central):
    box = neighbours(tmp_path, central)
    with Proxy(central.links.place) as between, box.start(central=f"tcp://127.0.0.1:{between.port}"):
        for number in range(5):
            box.tell(UP, *(f"M{number}-{one}" for one in range(300)))
            central.tell(LOG, f"A{number}")
            some = 300 * number + 100
            until((central, box), lambda some=some: len(central.heard.get("caja/to:central", ())) >= some)
            between.cut()
        until((central, box), settled(central, box), longest=60)

    assert len(central.heard["caja/to:central"]) == 1_500
    assert not central.of(LinkBroken) + box.of(LinkBroken)


def test_an_address_that_is_taken_is_said_at_the_start(tmp_path, central):
    with pytest.raises(OSError, match="in use"):
        SmallNode("dos", tmp_path / "dos", central.address).start()


def test_a_name_is_looked_up_beside_and_an_address_that_leads_nowhere_is_tried_again(tmp_path, central):
    box = neighbours(tmp_path, central)
    port = central.links.place[1]
    box.tell(UP, "one")
    with box.start(central=f"tcp://localhost:{port}"):
        until((central, box), settled(central, box))
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = neighbours(tmp_path, central, "caja-3")
        with nowhere.start(central=f"tcp://127.0.0.1:{closed.getsockname()[1]}"):
            line = nowhere.links._shell._lines["central"]
            until((nowhere,), lambda: line.dials >= 2)


def test_what_a_connection_that_was_ended_still_said_is_nothing(tmp_path):
    """It stands in libzmq already when the neighbour is revoked, or has come by another connection."""
    above, below = new_key(), new_key()
    with closing(Bell()) as bell, ExitStack() as ending:
        central = ending.enter_context(
            closing(Sockets(tmp_path / "a", ("127.0.0.1", 0), above, bell.fileno(), micros()))
        )
        box = ending.enter_context(closing(Sockets(tmp_path / "b", None, below, bell.fileno(), micros())))
        central.pin({"caja": Pinned(Side.BELOW, below.public)})
        box.pin({"central": Pinned(Side.ABOVE, above.public)})
        number = box.dial("central", (socket.AF_INET, central.gate.entrance.getsockname()), micros())
        came = []

        def turns(times):
            for _ in range(times):
                for one in (box, central):
                    one.wait(micros() + 5_000, micros())
                    came.extend(one.turn(micros()))

        while not came:
            box.send(number, b"one")
            turns(1)
        turns(20)
        central.drop(came[0].number)
        came.clear()
        box.send(number, b"late")
        turns(20)
        assert not came

        number, came[:] = box.dial("central", (socket.AF_INET, central.gate.entrance.getsockname()), micros()), []
        while not came:
            box.send(number, b"two")
            turns(1)
        turns(20)
        came.clear()
        box.send(number, b"three")
        for _ in range(20):  # it reaches libzmq, and nobody takes it from there
            box.wait(micros() + 5_000, micros())
            list(box.turn(micros()))
            central.gate.turn(micros())
        central.drop(next(iter(central.gate._pipes)))
        turns(5)
        assert not came


def test_strangers_are_summed_up_once_a_minute(tmp_path, central):
    for _ in range(3):
        with socket.create_connection(central.links.place) as stranger:
            stranger.sendall(b"GET / HTTP/1.1")
            stranger.settimeout(5)
            assert said_until_closed(stranger) <= 64
    with SmallNode("nadie", tmp_path / "nadie") as nobody:
        nobody.pin("central", Side.ABOVE, central.key.public)
        nobody.start(central=central.address)
        until((central, nobody), lambda: central.links._shell._sockets.gate.refused.total() == 4)
    assert not central.said
    central.later = 61 * SECOND
    until((central,), lambda: central.said)

    assert central.said == [("link_strangers", {"refused": 4, "unknown_keys": 1, "addresses": {"127.0.0.1": 4}})]


def test_the_end_of_the_links_leaves_nothing_behind(tmp_path, central):
    before = threading.active_count()
    for number in range(3):
        with neighbours(tmp_path, central, f"caja-{number}").start(central=central.address) as box:
            until((central, box), both_up(central, box))

    assert threading.active_count() <= before
    assert not [*(tmp_path / "caja-0" / "link").iterdir()]
    assert central.links.alive()
