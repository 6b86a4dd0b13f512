"""The web process taken over, with everything that is in its memory: it opens and locks, and moves no money.

The thief here is the process itself: he has each ticket with its key, the clients, the node's socket, and no page's rules
hold him. What he lacks is a PIN that nobody types into him.
"""

import contextlib
import gc
import time
from collections import Counter

import msgspec
import pytest

from controller.node.control.client import Client, ToSign, previewing
from controller.node.control.description import description
from controller.node.control.door import DEEDS, INPUTS
from controller.node.vocabulary.protocol import VERSION, WHOEVER_LOOKS, Deed, Pin, Proof, Request
from support.node.ctl_engine import PINS
from support.node.schemas import Schemas
from support.web.asking import acted, web
from support.web.browser_double import new_id

pytestmark = pytest.mark.process

BUYS = {"ask": "buy_credits", "table": "M1", "seat": 1, "credits": 4}
BY_A_TICKET = {"open_pass", "lock", "close_pass", Deed.UNLOCK, Deed.PREVIEW}
"""Opens, locks, ends, and looks."""


@contextlib.contextmanager
def robbed_in(place):
    """Somebody signed in at a console and sold credits with his PIN; then the process was another's."""
    with web(place) as here:
        assert here.sign_in("consola-1", "carla", "M1").status == 200
        assert here.act("consola-1", "carla", BUYS).status == 200
        yield here


@pytest.fixture
def robbed(tmp_path):
    with robbed_in(tmp_path) as here:
        yield here


def tickets_in(here):
    return [kept.ticket for its in here.api.own.signed_in._kept.values() for kept in its.values()]


def everything(kind):
    """All of that kind that is in this process's memory."""
    return [one for one in gc.get_objects() if isinstance(one, kind)]


def by(ticket, **fields):
    return ToSign(
        Request(
            VERSION, new_id(), by=Proof(ticket.person, ticket=ticket.number), terminal=ticket.terminal, **fields
        ), ticket
    )  # fmt: skip


def kinds(folder):
    with Client(folder) as client:
        return Counter(msgspec.json.decode(one)["fact"]["kind"] for one in client.since(0))


def test_without_a_pin_typed_into_it_it_moves_no_money(robbed):
    """Every input and every deed there is, well said, signed with the ticket, alone and with a second person who gave
    nothing: those of a pass are done, each of all others is told that it wants a PIN."""
    folder = robbed.node.control_folder
    (ticket,) = tickets_in(robbed)
    before, done = kinds(folder), set()
    with Client(folder) as thief:
        for name, fields in every_act():
            seconds = (None, Proof("jefe"), Proof("jefe", ticket=ticket.number))
            replies = [thief.ask(by(ticket, second=second, **fields)) for second in seconds]
            done |= {name} if any(reply.ok for reply in replies) else set()
            why = {reply.trouble.reason for reply in replies if reply.trouble}
            assert name in BY_A_TICKET or "pin_needed" in why, (name, why)

    assert done <= BY_A_TICKET, done
    assert {Deed.UNLOCK, Deed.PREVIEW} <= done, "the ticket was good, or this would prove nothing"
    new = kinds(folder) - before
    assert set(new) <= {"pass_opened", "locked", "bets_sealed", "pass_closed", "device_tended", "refused"}, new


def every_act():
    schemas, whole = Schemas(description()), description()
    for tag in sorted(INPUTS):
        fields = {**schemas.sample(whole["asks"][tag]["schema"], full=False), "ask": tag}
        fields |= {"table": "M1"} if "table" in fields else {}
        yield tag, {"ask": msgspec.Raw(msgspec.json.encode(fields))}
    for deed in sorted({*DEEDS} - WHOEVER_LOOKS - {Deed.SIGN_OUT}):
        yield deed, {"do": deed, **samples_of(deed)}


def hers():
    return [one for one in everything(Pin) if (one.person, one.pin) == ("carla", PINS["carla"])]


def samples_of(deed):
    told = {"table": "M1", "seat": 1, "sign": "norte", "day": "2026-11-02", "nonce": "0" * 64, "reason": "x", "person": "eva", "name": "Eva", "roles": ("chief",), "known": True, "new_salt": "0" * 32, "new_key": "0" * 64, "ask": msgspec.Raw(msgspec.json.encode(BUYS))}  # fmt: skip
    return {name: told[name] for name in DEEDS[deed] if name in told}


def test_the_ticket_looks_and_what_is_seen_is_not_done(robbed):
    folder = robbed.node.control_folder
    (ticket,) = tickets_in(robbed)
    before = kinds(folder)
    with Client(folder) as thief:
        assert thief.ask(previewing(BUYS, ticket)).preview is not None

    assert kinds(folder) == before


def test_the_ticket_is_of_one_table_and_one_terminal(robbed):
    (ticket,) = tickets_in(robbed)
    with Client(robbed.node.control_folder) as thief:
        for other in (
            ticket._replace(table="M2"),
            ticket._replace(terminal="consola-2"),
            ticket._replace(person="jefe"),
        ):
            wanted = by(other, do=Deed.UNLOCK, table=other.table)
            assert thief.ask(wanted).trouble.reason == "ticket_over"


def test_nothing_that_a_pin_is_made_of_stays_when_it_was_used(tmp_path):
    """Neither the PIN, nor what proves it: whoever comes later finds tickets."""
    of_others = hers() + everything(Client)  # other tests of this process had theirs
    with robbed_in(tmp_path) as robbed:
        end = time.monotonic() + 10
        while new(hers(), of_others) and time.monotonic() < end:
            time.sleep(0.05)  # the thread that answered lets go of it after the answer
        assert not new(hers(), of_others)
        clients = new(everything(Client), of_others)
        assert clients and all(not one._keys for one in clients), "no client keeps what it made of a PIN"
        assert not robbed.api._joined._on_their_way


def new(found, known):
    return [one for one in found if not any(one is other for other in known)]


def test_a_request_that_a_person_signed_here_is_done_once_however_often_it_is_said(robbed):
    """The process may keep what it sent; the node does it once for ever."""
    body = acted("carla", BUYS)
    before = kinds(robbed.node.control_folder)["credits_bought"]
    for _ in range(3):
        assert robbed.post("consola-1", "acts", body).status == 200

    assert kinds(robbed.node.control_folder)["credits_bought"] == before + 1
