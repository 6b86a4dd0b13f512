"""Tickets: one PIN for what every pass needs, at one terminal, for one table, for ten minutes. In virtual time, at the
node's own proof desk; tests/attack/test_tickets.py tries them on a running node."""

import json

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.node.control import proofs
from controller.node.control.client import asking, by_ticket, doing, previewing
from controller.node.control.door import read
from controller.node.control.peers import Peer
from controller.node.control.proofs import NOT_PROVEN, Asker, ProofDesk, Proven
from controller.node.control.tickets import (
    IDLE,
    LONGEST,
    MOST_OF_ALL,
    MOST_OF_PERSON,
    MOST_OF_TERMINAL,
    GivenTicket,
    Kept,
    Tickets,
)
from controller.node.control.tickets import Stand as Place
from controller.node.vocabulary.buckets import Rate
from controller.node.vocabulary.proof import proof_of, stored_key, stored_of, ticket_key
from controller.node.vocabulary.protocol import VERSION, Deed, Reply, Ticket
from drivers.session import SECOND
from support.node import ctl_engine
from support.node.ctl_engine import PINS, salted, signing, signs, verifier

CONSOLE = Peer(20_001, 700)
VERIFIERS = {person: verifier(person) for person in PINS}
ANOTHER = ctl_engine.PEPPER.seal("carla", stored_of("121212", salted("carla")))
"""Of another PIN of hers."""


class Stand:
    """A proof desk, a clock, and somebody who stands before it."""

    def __init__(self, epoch=1):
        self.desk = ProofDesk("nodo1", epoch, ctl_engine.PEPPER)
        self.desk.people(VERIFIERS)
        self.now = 0

    def look(self, body, peer=CONSOLE):
        order = read(body)
        assert not isinstance(order, Reply), order
        return self.desk.look_at(order, peer, self.now, 0)

    def sign_in(self, person="carla", terminal="consola-1", table="M1", peer=CONSOLE, id_=""):
        """What the client of a node has then; the core, which lets him, is not here."""
        wanted = doing(Deed.SIGN_IN, signs(person), id_=id_, table=table, terminal=terminal)
        looked = self.look(ctl_engine.proven(wanted), peer)
        assert looked.by and looked.ticket is not None
        reply = self.desk.signed_in(looked.ticket, Reply(VERSION, wanted.id, True), self.now)
        self.desk.was_not_refused(Asker(peer.uid, person), self.now)
        assert reply.idle == 600
        key = ticket_key(signing(signs(person), salted(person)), reply.ticket)
        return Ticket(person, terminal, table, reply.ticket, key, reply.node, reply.epoch)

    def takes(self, ticket, peer=CONSOLE):
        looked = self.look(lock(ticket), peer)
        assert looked in (NOT_PROVEN, Proven(by=True))
        return looked != NOT_PROVEN


def lock(ticket, table=None):
    return by_ticket(asking(ask.Lock(table or ticket.table, None), ticket), ticket)


@pytest.fixture
def stand():
    return Stand()


def test_one_pin_signs_what_a_pass_needs_and_the_end_of_it(stand):
    ticket = stand.sign_in()
    acts = [asking(kind("M1", None), ticket) for kind in (ask.OpenPass, ask.Lock, ask.ClosePass)]
    acts += [doing(do, ticket, table="M1") for do in (Deed.UNLOCK, Deed.SIGN_OUT)]

    for one in acts:
        assert stand.look(by_ticket(one, ticket)) == Proven(by=True)
    assert all(looked.table == "M1" for looked in (read(by_ticket(one, ticket)) for one in acts))


@pytest.mark.parametrize(
    ("asked", "may"),
    [
        (ask.RegisterClaim("M1", (Hand(3, claimed="full"),), None), True),
        (ask.RegisterClaim("M2", (Hand(3, claimed="full"),), None), False),
        (ask.ConfirmAward("M1/4/1/1", None), True),
        (ask.ConfirmAward("M2/4/1/1", None), False),
        (ask.ConfirmAward("~M1/4/1/1", None), True),
        (ask.RejectClaim("M1/4/1", "x", None, None), True),
        (ask.RejectClaim("M10/4/1", "x", None, None), False),
    ],
    ids=str,
)
def test_what_an_act_would_do_is_seen_with_a_ticket_of_its_table(stand, asked, may):
    """Claims and awards are named after theirs, in training too; to do it needs the PIN."""
    ticket = stand.sign_in()

    assert stand.look(by_ticket(previewing(asked, ticket), ticket)) == (Proven(by=True) if may else NOT_PROVEN)
    if not isinstance(asked, ask.RejectClaim):  # which is read on only where a second person signs
        assert read(by_ticket(asking(asked, ticket), ticket)).trouble.reason == "pin_needed"


@pytest.mark.parametrize(
    "stolen",
    [
        {"person": "jefe"},
        {"terminal": "consola-2"},
        {"table": "M2"},
        {"number": "0" * 32},
        {"number": ""},
        {"key": bytes(32)},
        {"epoch": 2},
        {"node": "nodo2"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_it_is_good_for_nobody_else_and_nowhere_else(stand, stolen):
    ticket = stand.sign_in()

    changed = ticket._replace(**stolen)
    looked = stand.look(lock(changed))
    assert looked == NOT_PROVEN if changed.number else not looked.by
    assert stand.takes(ticket), "and whoever tries ends nothing"


@pytest.mark.parametrize("peer", [Peer(20_001, 701), Peer(20_002, 700), Peer(0, 700)])
def test_another_process_has_nothing_of_it(stand, peer):
    ticket = stand.sign_in()

    assert not stand.takes(ticket, peer)
    assert stand.takes(ticket)


def test_the_ticket_of_another_is_not_his_own(stand):
    """Two people at one console: each one's key is his."""
    carla, jefe = stand.sign_in(), stand.sign_in("jefe")

    assert not stand.takes(carla._replace(number=jefe.number))
    assert not stand.takes(carla._replace(number=jefe.number, person="jefe"))
    assert stand.takes(carla) and stand.takes(jefe)


def test_a_proof_is_of_one_request(stand):
    ticket = stand.sign_in()
    right = json.loads(lock(ticket))
    changed = [
        right | {"id": "f" * 32},
        right | {"ask": {"ask": "open_pass", "table": "M1"}},
        right | {"by": right["by"] | {"proof": "0" * 64}},
        right | {"by": right["by"] | {"proof": right["by"]["proof"].upper()}},
        right | {"by": right["by"] | {"proof": ""}},
    ]

    assert all(stand.look(json.dumps(one).encode()) == NOT_PROVEN for one in changed)
    assert stand.look(json.dumps(right).encode()).by, "as it was it is the same request, which has one effect"


def test_a_ticket_is_no_pin_and_a_pin_no_ticket(stand):
    ticket = stand.sign_in()
    proof = json.loads(ctl_engine.proven(asking(ask.Lock("M1", None), signs("carla"), id_="7" * 32)))
    by_pin = proof | {"terminal": "consola-1", "by": proof["by"] | {"ticket": ticket.number}}
    without = json.loads(lock(ticket))
    del without["by"]["ticket"]

    assert stand.look(json.dumps(by_pin).encode()) == NOT_PROVEN
    assert not stand.look(json.dumps(without).encode()).by


def test_it_lasts_as_long_as_it_is_used_and_no_longer_than_a_shift(stand):
    ticket = stand.sign_in()
    stand.now = IDLE - 1
    assert stand.takes(ticket)
    stand.now += IDLE
    assert not stand.takes(ticket), "ten minutes without a touch"

    ticket, since = stand.sign_in(), stand.now
    while stand.now - since < LONGEST - IDLE:
        stand.now += IDLE - 1
        assert stand.takes(ticket)
    stand.now = since + LONGEST
    assert not stand.takes(ticket), "twelve hours"


def test_what_is_refused_of_it_does_not_prolong_it(stand):
    ticket = stand.sign_in()
    stand.now = IDLE - 1
    assert not stand.takes(ticket, Peer(0, 1))
    stand.now = IDLE
    assert not stand.takes(ticket)


def test_who_signs_out_is_out(stand):
    ticket, other = stand.sign_in(), stand.sign_in(table="M2")
    stand.desk.sign_out(ticket.number)
    stand.desk.sign_out(ticket.number)

    assert not stand.takes(ticket) and stand.takes(other)


def test_another_pin_or_none_ends_it_and_anothers_does_not(stand):
    carla, jefe = stand.sign_in(), stand.sign_in("jefe")
    stand.desk.people(VERIFIERS | {"carla": ANOTHER})
    assert not stand.takes(carla) and stand.takes(jefe)
    stand.desk.people({"carla": VERIFIERS["carla"]})
    assert not stand.takes(jefe), "withdrawn"
    stand.desk.people(VERIFIERS)
    assert stand.takes(carla), "the very PIN it was made with"


@pytest.mark.parametrize("now", [VERIFIERS | {"carla": ANOTHER}, {"jefe": VERIFIERS["jefe"]}])
def test_one_who_was_enrolled_anew_or_withdrawn_while_he_signed_in_has_nothing(stand, now):
    """His PIN was right when it was looked at, and another one, or none, when the core had answered."""
    wanted = doing(Deed.SIGN_IN, signs("carla"), table="M1", terminal="consola-1")
    looked = stand.look(ctl_engine.proven(wanted))
    stand.desk.people(now)
    reply = stand.desk.signed_in(looked.ticket, Reply(VERSION, wanted.id, True), 0)
    key = ticket_key(signing(signs("carla"), salted("carla")), reply.ticket)

    assert not stand.takes(Ticket("carla", "consola-1", "M1", reply.ticket, key, "nodo1", 1))


def test_of_nobody_there_is_no_ticket_though_nothing_of_him_has_changed():
    """He was withdrawn between his proof and his ticket."""
    tickets, key, at, nobody = Tickets(), bytes(32), Place(CONSOLE, "carla", "consola-1", "M1"), Kept(None, "")
    tickets.give(GivenTicket("a" * 32, at, stored_key(key), nobody, "1"), 0)

    assert not tickets.is_proven("a" * 32, at, nobody, proof_of(key, b"said"), b"said", 0)


def test_a_node_that_was_started_anew_knows_none(stand):
    ticket = stand.sign_in()

    assert not Stand().takes(ticket)


def test_the_same_request_again_has_the_same_ticket_and_another_one_replaces_it(stand):
    """The answer may be lost, or come twice."""
    first, again = (stand.sign_in(id_="a" * 32) for _ in range(2))
    assert first == again and stand.takes(first)
    other = stand.sign_in()

    assert not stand.takes(first) and stand.takes(other)


def test_what_was_read_along_at_a_sign_in_signs_nothing(stand):
    """The request, its answer, and every request since: a relay has a number, and no key. Said again after its end it
    makes another ticket, whose key needs the PIN as well."""
    wanted = doing(Deed.SIGN_IN, signs("carla"), id_="b" * 32, table="M1", terminal="consola-1")
    body = ctl_engine.proven(wanted)
    ticket = stand.sign_in(id_="b" * 32)
    stand.desk.sign_out(ticket.number)
    looked = stand.look(body)
    again = stand.desk.signed_in(looked.ticket, Reply(VERSION, wanted.id, True), 0)

    assert again.ticket != ticket.number
    assert not stand.takes(ticket) and not stand.takes(ticket._replace(number=again.ticket))
    for part in (body, lock(ticket), str(again).encode()):
        assert ticket.key.hex().encode() not in part and ticket.key not in part


def test_a_thousand_tickets_of_one_person_push_out_his_own_alone(stand):
    """And memory is bounded: by terminal, by person, in all."""
    others = [stand.sign_in("jefe"), stand.sign_in("jefa", terminal="consola-9", peer=Peer(20_003, 1))]
    at_others = [stand.sign_in(terminal="consola-9", peer=Peer(20_003, 1))]
    tickets = [stand.sign_in(terminal=f"inventada-{number}") for number in range(1_000)]

    assert [stand.takes(one) for one in tickets[-MOST_OF_PERSON:]] == [True] * MOST_OF_PERSON
    assert not any(stand.takes(one) for one in tickets[:-MOST_OF_PERSON])
    assert all(stand.takes(one) for one in others[:1]) and stand.takes(others[1], Peer(20_003, 1))
    assert stand.takes(at_others[0], Peer(20_003, 1)), "nor his own, of another user"


def test_of_one_terminal_there_are_few_and_the_longest_unused_gives_way(stand):
    tickets = [stand.sign_in(table=f"M{number}") for number in range(MOST_OF_TERMINAL)]
    assert stand.takes(tickets[0])
    stand.sign_in("jefe")

    assert stand.takes(tickets[0]) and not stand.takes(tickets[1]) and stand.takes(tickets[2])


def test_of_all_together_there_are_so_many(stand):
    def place(number):
        return {"peer": Peer(number, 1), "terminal": f"t{number}"}

    tickets = [stand.sign_in(**place(number)) for number in range(MOST_OF_ALL + 1)]

    assert not stand.takes(tickets[0], Peer(0, 1))
    assert stand.takes(tickets[1], Peer(1, 1)) and stand.takes(tickets[-1], Peer(MOST_OF_ALL, 1))


def test_wrong_pins_of_somebody_else_do_not_stop_who_signed_in(stand):
    ticket = stand.sign_in()
    for _ in range(5):
        stand.look(ctl_engine.proven(asking(ask.Lock("M1", None), signs("carla", "000000"))))
    waits = stand.look(ctl_engine.proven(asking(ask.Lock("M1", None), signs("carla"))))

    assert waits.reason == "wait" and stand.takes(ticket)


def test_a_ticket_that_is_none_is_no_guess_at_a_pin_and_leaves_nothing(stand):
    ticket = stand.sign_in()
    for _ in range(1_000):
        assert not stand.takes(ticket._replace(key=bytes(32)))

    assert stand.look(ctl_engine.proven(asking(ask.Lock("M1", None), signs("carla")))).by, "nobody waits for it"
    assert not stand.desk.sums(10_000 * SECOND)


def test_who_is_refused_again_and_again_waits_with_a_ticket_too(stand, monkeypatch):
    """Each refusal of the core is a fact for ever."""
    monkeypatch.setattr(proofs, "REFUSALS", Rate(1 / 30, 4))
    strict = Stand()
    ticket = strict.sign_in()
    seen = [strict.look(lock(ticket)) for _ in range(5)]

    assert seen[:4] == [Proven(by=True)] * 4
    assert seen[4].reason == "too_many_refused"


def test_nobody_gets_one_without_his_pin_and_for_anything_else_there_is_none(stand):
    wrong = doing(Deed.SIGN_IN, signs("carla", "000000"), table="M1", terminal="consola-1")
    act = asking(ask.Lock("M1", None), signs("carla"))

    assert stand.look(ctl_engine.proven(wrong)) == Proven(by=False)
    assert stand.look(ctl_engine.proven(act)).ticket is None


SIGN_IN = {"do": "sign_in", "table": "M1", "terminal": "c-1", "by": {"person": "carla", "proof": "0" * 64}}
TICKET = {"person": "carla", "proof": "0" * 64, "ticket": "0" * 32}


@pytest.mark.parametrize(
    ("changed", "reason", "where"),
    [
        ({"terminal": ""}, "field_missing", "terminal"),
        ({"terminal": "a b"}, "name_wrong", "terminal"),
        ({"terminal": "x" * 65}, "name_wrong", "terminal"),
        ({"terminal": "444444"}, "person_is_a_pin", "by"),
        ({"table": ""}, "field_missing", "table"),
        ({"by": TICKET}, "pin_needed", "by"),
        ({"by": None}, "signature_missing", "by"),
        ({"second": TICKET}, "field_unknown", "second"),
        ({"do": "sign_out"}, "field_missing", "by.ticket"),
        ({"do": "unlock", "by": TICKET, "terminal": ""}, "field_missing", "terminal"),
        ({"do": "lamp_test", "by": TICKET}, "pin_needed", "by"),
        ({"do": "state", "table": "", "by": None}, "field_unknown", "terminal"),
    ],
)
def test_the_door_reads_strictly_what_concerns_tickets(changed, reason, where):
    told = {"v": 2, "id": "0" * 32, **SIGN_IN, **changed}

    refused = read(json.dumps({name: value for name, value in told.items() if value is not None}).encode())

    assert (refused.trouble.reason, refused.trouble.where) == (reason, where)


def test_a_second_person_has_a_pin():
    both = {"ask": {"ask": "clear_suspense", "table": "M1", "reason": "x"}, "by": SIGN_IN["by"], "second": TICKET}

    refused = read(json.dumps({"v": 2, "id": "0" * 32, "terminal": "c-1", **both}).encode())

    assert (refused.trouble.reason, refused.trouble.where) == ("pin_needed", "second")
