"""The control socket: who asks is answered once and truly, whatever else comes through the door."""

import json
import random
import re
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.values import Role, Signature, TerminalUse
from controller.node.control.client import Client, NodeSilent, asking, doing, new_id, previewing
from controller.node.control.control import MOST_OF_ONE, Control, ControlRefused
from controller.node.control.door import UnderstoodRequest, read
from controller.node.engine.reception import plain_reply
from controller.node.vocabulary.house import House, PersonNow, TerminalNow
from controller.node.vocabulary.proof import new_salt, stored_of
from controller.node.vocabulary.protocol import (
    FACT_TOPIC,
    MOST_BYTES,
    Deed,
    InquiryNow,
    NodeView,
    Reply,
    Request,
    Ticket,
)
from drivers.session import SECOND
from support.core.points import point_of
from support.node import ctl_engine
from support.node.ctl_engine import PINS, signs

pytestmark = pytest.mark.process


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def client(node):
    with Client(node.control_folder) as client:
        yield client


def opened(client, table="M1"):
    reply = client.ask(doing(Deed.UNLOCK, signs("carla"), table=table))
    assert reply.ok, reply.trouble


@pytest.fixture
def raw(node):
    """A stranger with a socket."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as made:
        made.setsockopt(zmq.LINGER, 0)
        made.connect(f"ipc://{node.control_folder}/commands")
        yield made


def said(made, body):
    made.send(body)
    assert made.poll(10_000), "no answer"
    return msgspec.json.decode(made.recv_multipart()[-1], type=Reply)


def test_a_croupier_opens_a_table_and_hears_the_facts(client):
    reply = client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1"))

    assert reply.ok
    assert json.loads(bytes(reply.facts[0])) == {"kind": "pass_opened", "table": "M1", "number": 1, "by": "carla"}


def test_an_input_of_the_core_is_asked_as_it_stands(client, node):
    reply = client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla")))

    assert reply.ok
    assert node.book.state.tables["M1"].seat(1).credits == 2_000


def test_a_refusal_comes_back_with_its_rule_and_a_sentence(client):
    reply = client.ask(asking(ask.Lock("M1"), signs("carla")))

    assert not reply.ok
    assert (reply.trouble.reason, reply.trouble.rule) == ("pass_not_open", "R-5")
    assert "M1" in reply.trouble.message


def test_the_same_id_has_one_effect_and_one_answer(client, node):
    request = asking(ask.BuyCredits("M1", 1, 4, None), signs("carla"))

    first, again = client.ask(request), client.ask(request)

    assert (first.ok, first.facts) == (again.ok, again.facts)
    assert node.book.state.tables["M1"].seat(1).credits == 2_000


def test_a_wrong_pin_is_refused_by_the_core_and_counted_there(client, node):
    for _ in range(3):
        reply = client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla", "999999")))

        assert reply.trouble.reason == "pin_wrong"
    assert node.book.state.people["carla"].failures == 3
    assert node.asked[-1].input.by.verified is False


def test_a_pin_is_slow_to_try_once_and_is_right_until_the_verifiers_change(client, node, monkeypatch):
    opened(client)
    tried = []
    monkeypatch.setattr("controller.node.control.client.slow_key", lambda pin, _: tried.append(pin) or b"")

    assert client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla"))).ok
    assert not tried
    node.control.people({"carla": ctl_engine.PEPPER.seal("carla", stored_of("333333", new_salt()))}, House())
    assert client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla"))).trouble.reason == "pin_wrong"
    assert tried == ["333333"]


def test_a_remembered_pin_lets_no_other_one_in(client):
    opened(client)

    assert client.ask(asking(ask.Lock("M1"), signs("carla", "333334"))).trouble.reason == "pin_wrong"
    assert client.ask(asking(ask.Lock("M1"), signs("jefe", "333333"))).trouble.reason == "pin_wrong"


def test_two_persons_sign_what_two_must(client, node):
    moved = asking(ask.ClearSuspense("M1", "conteo", None, None), signs("jefe"), signs("jefa"))

    reply = client.ask(moved)

    assert reply.trouble.reason == "nothing_there"
    assert (node.asked[-1].input.by.person, node.asked[-1].input.second.person) == ("jefe", "jefa")
    assert node.asked[-1].input.second.verified


def test_a_wrong_second_pin_is_the_second_persons(client, node):
    reply = client.ask(asking(ask.ClearSuspense("M1", "conteo", None, None), signs("jefe"), signs("jefa", "999999")))

    assert (reply.trouble.reason, reply.trouble.where) == ("pin_wrong", "second")
    assert (node.book.state.people["jefe"].failures, node.book.state.people["jefa"].failures) == (0, 1)


def test_one_person_alone_is_told_that_two_are_needed(client, node):
    reply = client.ask(asking(ask.ClearSuspense("M1", "conteo", None, None), signs("jefe")))

    assert (reply.trouble.reason, reply.trouble.where) == ("two_persons_needed", "second")
    assert not node.asked


def test_a_person_is_enrolled_and_signs_with_the_new_pin(client, node):
    request = doing(
        Deed.ENROL, signs("ana"), signs("luis"),
        person="nora", name="Nora Núñez", roles=("croupier",), known=True, new_pin="121212",
    )  # fmt: skip

    assert client.ask(request).ok
    assert client.ask(request).ok, "a repeat is no second enrolment"
    assert PersonNow("nora", "Nora Núñez", (Role.CROUPIER,)) in client.house().people
    assert client.ask(doing(Deed.UNLOCK, signs("nora", "121212"), table="M1")).ok


def test_r36_who_may_sign_and_which_terminals_there_are_is_told_to_whoever_asks(client, node):
    told = client.house()
    assert [one.person for one in told.people] == sorted(PINS)
    assert told.people[1] == PersonNow("carla", "Carla", (Role.CROUPIER,))
    assert told.terminals == ()

    enrolled = ask.EnrolTerminal("consola-1", TerminalUse.TABLE, "M1", point_of(1), None, None)
    assert client.ask(asking(enrolled, signs("jefe"), signs("ana"))).ok
    assert client.house().terminals == (TerminalNow("consola-1", TerminalUse.TABLE, point_of(1), "M1"),)
    assert client.ask(asking(ask.WithdrawTerminal("consola-1", "se perdió", None), signs("jefa"))).ok
    assert client.house() == told

    nobody = doing(Deed.ENROL, signs("ana"), signs("luis"), person="carla", name="Carla", roles=(), new_pin="121212")
    assert client.ask(nobody).ok
    assert "carla" not in {one.person for one in client.house().people}, "who retired"


def test_r36_one_person_lets_no_terminal_in_and_none_is_called_like_a_pin(client, node):
    enrolled = ask.EnrolTerminal("consola-1", TerminalUse.TABLE, "M1", point_of(1), None, None)
    alone = client.ask(asking(enrolled, signs("jefe")))
    assert (alone.trouble.reason, alone.trouble.where) == ("two_persons_needed", "second")
    named = client.ask(asking(replace(enrolled, terminal="333333"), signs("jefe"), signs("ana")))
    assert named.trouble.reason == "person_is_a_pin"
    second = client.ask(asking(ask.WithdrawTerminal("consola-1", "x", None), signs("jefe"), signs("ana")))
    assert (second.trouble.reason, second.trouble.where) == ("field_unknown", "second")
    use = client.ask(asking({**msgspec.to_builtins(enrolled), "use": "phone"}, signs("jefe"), signs("ana")))
    assert use.trouble.reason == "malformed"

    assert not node.asked and not client.house().terminals


def test_a_node_that_still_starts_says_so_to_whoever_asks_who_may_sign(tmp_path):
    control = Control(tmp_path / "ctl", lambda _: True)
    control.start()
    try:
        with Client(tmp_path / "ctl") as client, pytest.raises(NodeSilent, match="todavía está arrancando"):
            client.house()
    finally:
        control.stop()


def test_whoever_looks_needs_no_pin(client):
    view = client.state()

    assert [table.table for table in view.tables] == ["M1", "M2"]
    assert view.pots[0].main == 5_000_000


def test_a_new_listener_sees_the_state_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.node.control.control.TOLD_EVERY", 60 * SECOND)
    with ctl_engine.running(tmp_path) as node:
        for _ in range(2):
            with Client(node.control_folder) as client:
                assert isinstance(next(client.views(5)), NodeView)


def test_a_listener_hears_of_a_change_and_then_every_second(client, node):
    views = client.views()
    first = next(views)
    opened(client)
    phases = {view.tables[0].phase for view in (next(views), next(views))}

    assert first.tables[0].phase == "between"
    assert "open" in phases
    started = time.monotonic()
    assert next(views) is not None, "silence is not the end of a node"
    assert time.monotonic() - started < 2


def test_facts_are_told_to_those_who_want_them(node):
    with Client(node.control_folder, FACT_TOPIC) as follower:
        facts = follower.facts(0.1)
        teller = threading.Timer(0.3, lambda: node.control.show(node.view(), [b'{"seq":1}', b'{"seq":2}']))
        teller.start()

        assert [next(facts), next(facts)] == [b'{"seq":1}', b'{"seq":2}']
        teller.join()


@pytest.mark.parametrize("word", [b"\2state", b"\0state", b"\0", b"", b"\1", b"\1x"])
def test_no_strange_listener_takes_the_state_from_the_others(node, word):
    with Client(node.control_folder) as client, zmq.Context() as context, context.socket(zmq.XSUB) as strange:
        views = client.views(3)
        assert next(views) is not None
        strange.setsockopt(zmq.LINGER, 0)
        strange.connect(f"ipc://{node.control_folder}/state")
        time.sleep(0.1)
        strange.send(word)
        time.sleep(0.2)
        client._end.news(0)

        assert next(views) is not None and next(views) is not None


def test_the_last_view_says_that_the_node_stops(tmp_path):
    with ctl_engine.running(tmp_path) as node, Client(node.control_folder) as client:
        views = client.views(5)
        assert next(views).stopping is False
        node.control.show(replace(node.view(), stopping=True))
        node.stop_control()
        assert [view.stopping for view in (next(views),)] == [True]


def test_a_state_is_never_older_than_an_answer_given_before(raw, node, client):
    old = node.view()
    opened(client)
    node.control.show(old)
    look, other = doing(Deed.STATE), doing(Deed.DESCRIBE)
    raw.send(ctl_engine.proven(look))

    assert said(raw, ctl_engine.proven(other)).id == other.id, "the other waits for nothing"
    node.during(lambda: None)
    assert raw.poll(10_000)
    seen = msgspec.json.decode(raw.recv_multipart()[-1], type=Reply)
    assert (seen.id, seen.state.seq) == (look.id, node.book.seq)
    assert node.book.seq > old.seq


def test_who_looks_when_no_newer_view_comes_any_more_sees_the_last(raw, node, client):
    old = node.view()
    opened(client)
    node.control.show(old)
    raw.send(ctl_engine.proven(doing(Deed.STATE)))
    said(raw, ctl_engine.proven(doing(Deed.DESCRIBE)))  # so it was heard
    node.stop_control()

    assert raw.poll(10_000)
    assert msgspec.json.decode(raw.recv_multipart()[-1], type=Reply).state.seq == old.seq


def test_no_node_is_one_clear_sentence(tmp_path):
    with Client(tmp_path) as client, pytest.raises(NodeSilent, match="no hay ningún nodo"):
        client.ask(doing(Deed.STATE))


def test_a_node_that_does_not_answer_says_that_nothing_is_known(client, node):
    node.telling = False

    with pytest.raises(NodeSilent, match="no se sabe si lo hizo"):
        client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla")), timeout=0.5)


def test_the_sockets_are_for_the_group_and_nobody_else(node):
    folder = node.control_folder

    assert stat.S_IMODE(folder.stat().st_mode) == 0o750
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in ("commands", "state")} == {0o660}


def test_a_second_node_on_the_same_folder_is_refused_and_the_first_goes_on(node, client):
    with pytest.raises(ControlRefused, match="otro nodo") as refused:
        Control(node.control_folder, lambda _: True).start()
    assert refused.value.again
    assert client.state().node == "nodo1"


def test_a_folder_whose_name_no_socket_can_have_is_refused(tmp_path):
    with pytest.raises(ControlRefused, match="demasiado largo") as refused:
        Control(tmp_path / ("x" * 100), lambda _: True).start()
    assert not refused.value.again, "a person must act"


def test_a_folder_that_takes_no_socket_is_named(tmp_path):
    (tmp_path / "ctl/state").mkdir(parents=True)

    with pytest.raises(OSError, match=re.escape(str(tmp_path / "ctl/state"))):
        Control(tmp_path / "ctl", lambda _: True).start()
    (tmp_path / "ctl/state").rmdir()
    control = Control(tmp_path / "ctl", lambda _: True)
    control.start()
    control.stop()


def test_what_a_killed_node_left_is_no_obstacle(tmp_path):
    code = f"""
import os, signal
from pathlib import Path
from controller.node.control.control import Control
Control(Path({str(tmp_path / "ctl")!r}), lambda _: True).start()
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert (tmp_path / "ctl/commands").exists()

    with Client(tmp_path / "ctl") as early, pytest.raises(NodeSilent, match="no hay ningún nodo"):
        early.state()
    with ctl_engine.running(tmp_path) as node, Client(node.control_folder) as client:
        assert client.state().node == "nodo1"


def test_a_client_outlives_the_node_it_talks_to(tmp_path):
    control = Control(tmp_path / "ctl", lambda _: False)
    control.start()
    with Client(tmp_path / "ctl") as client:
        assert client.ask(doing(Deed.STATE)).trouble.reason == "starting"
        control.stop()
        with pytest.raises(NodeSilent):
            client.ask(doing(Deed.STATE))
        with ctl_engine.running(tmp_path):
            assert client.ask(doing(Deed.STATE)).ok


BAD = [
    (b"", "malformed"),
    (b"\xff\xfe", "malformed"),
    (b"[" * 200_000, "too_long"),
    (b"[" * 33, "too_deep"),
    (b"[" * 32, "malformed"),
    (b'{"v":2,"id":"' + b"0" * 32 + b'","do":"open_day","day":"' + b"x" * 4_096 + b'"}', "too_long"),
    (b'{"v":2,"id":"' + b"0" * 32 + b'","do":"state","extra":1}', "malformed"),
    (b'{"v":3,"id":"' + b"0" * 32 + b'","do":"state"}', "version"),
    (b'{"v":2,"id":"short","do":"state"}', "id_wrong"),
    (b'{"v":2,"id":"' + b"0" * 32 + b'"}', "nothing_asked"),
    (b'{"v":2,"id":"' + b"0" * 32 + b'","do":"open_day","day":"1"}', "signature_missing"),
    (b'{"v":2,"id":"' + b"0" * 32 + b'","do":"state","table":"' + b"x" * MOST_BYTES + b'"}', "too_long"),
]
SIGNED = '"by":{"person":"carla"}'
BAD_ASKS = [
    ('{"ask":"draw","table":"M1","prize":"x","hit":true}', "not_a_persons"),
    ('{"ask":"seat_report","table":"M1","seat":1,"device":{"serial":1,"epoch":1,"seq":1}}', "not_a_persons"),
    ('{"ask":"lamp_seen","table":"M1","seat":1,"lamp":"lit"}', "not_a_persons"),
    ('{"ask":"look_at_clock"}', "not_a_persons"),
    ('{"ask":"found_node","node":"n","key":"k","administrators":["a","b"]}', "not_a_persons"),
    ('{"ask":"open_day","day":"2","commitment":"00"}', "not_a_persons"),
    ('{"ask":"close_day","seed":"00"}', "not_a_persons"),
    ('{"ask":"enrol_person","person":"x","name":"X","roles":[],"secret":"0"}', "not_a_persons"),
    ('{"ask":"lock","table":"M1","by":{"person":"jefe"}}', "field_unknown"),
    ('{"ask":"lock","table":"M1","tabel":"M2"}', "field_unknown"),
    ('{"ask":"lock"}', "malformed"),
    ('{"ask":"lock","table":1}', "malformed"),
    ('{"ask":"lock","table":"M\\u0000"}', "text_wrong"),
    ('{"ask":["lock"],"table":"M1"}', "not_a_persons"),
    ('{"ask":"buy_credits","table":"M1","seat":1,"credits":1e3}', "malformed"),
    ('{"ask":"buy_credits","table":"M1","seat":1,"credits":' + "9" * 400 + "}", "number_wrong"),
    ('{"ask":"buy_credits","table":"M1","seat":1,"credits":' + "9" * 5_000 + "}", "too_long"),
    ('{"ask":"lock","table":' + "[" * 100_000 + "}", "too_long"),
    ('{"ask":"lock","table":"M1","x":' + "[" * 900 + "0" + "]" * 900 + "}", "too_deep"),
    ('{"ask":"lock","table":"' + "M" * 65 + '"}', "name_wrong"),
    ('{"ask":"unlock_person","person":"jefa suprema"}', "name_wrong"),
    ('{"ask":"lock","table":"M1","x":"stage_plan' + "x" * 5_000 + '"}', "too_long"),
    ('{"ask":"clear_suspense","table":"M1","reason":"x"}', "two_persons_needed"),
    ("[]", "malformed"),
    ("7", "malformed"),
    ("null", "malformed"),
]


@pytest.mark.parametrize(("body", "reason"), BAD)
def test_what_is_no_request_is_answered_with_its_reason(raw, node, body, reason):
    reply = said(raw, body)

    assert (reply.ok, reply.trouble.reason) == (False, reason)
    assert not node.asked


@pytest.mark.parametrize(("asked", "reason"), BAD_ASKS)
def test_what_no_person_may_ask_never_reaches_the_engine(raw, node, asked, reason):
    reply = said(raw, f'{{"v":2,"id":"{new_id()}","ask":{asked},{SIGNED}}}'.encode())

    assert (reply.ok, reply.trouble.reason) == (False, reason)
    assert not node.asked


def test_a_second_signature_is_refused_where_one_person_signs(raw, node):
    second = '"second":{"person":"jefe"}'
    body = f'{{"v":2,"id":"{new_id()}","ask":{{"ask":"lock","table":"M1"}},{SIGNED},{second}}}'

    assert said(raw, body.encode()).trouble.reason == "field_unknown"
    assert not node.asked


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ('"do":"unlock"', "field_missing"),
        ('"do":"unlock","table":"M1","seat":3', "field_unknown"),
        ('"do":"clear_faults","seat":1', "field_missing"),
        (
            '"do":"enrol","person":"x","name":"X","roles":["croupier"],"new_salt":"00","new_key":"00"',
            "two_persons_needed",
        ),
        ('"do":"sing"', "malformed"),
    ],
)
def test_a_deed_has_what_it_needs_and_nothing_else(raw, told, reason):
    assert said(raw, f'{{"v":2,"id":"{new_id()}",{told},{SIGNED}}}'.encode()).trouble.reason == reason


LOOKS = '"do":"preview"'
CLAIM = '"ask":{"ask":"register_claim","table":"M1","hands":[{"seat":1,"claimed":"full"}]}'


@pytest.mark.parametrize(
    ("told", "reason", "where"),
    [
        (LOOKS, "nothing_asked", "ask"),
        (f'{LOOKS},"table":"M1",{CLAIM}', "field_unknown", "table"),
        (f'{LOOKS},{CLAIM},"second":{{"person":"jefe","proof":"0"}}', "field_unknown", "second"),
        (f'{LOOKS},{CLAIM},"saw":"{"0" * 32}"', "field_unknown", "saw"),
        (f'{LOOKS},"ask":{{"ask":"unlock_person","person":"jefe"}}', "not_previewed", "ask.ask"),
        (f'{LOOKS},"ask":{{"ask":"move_money","pot":"x"}}', "not_previewed", "ask.ask"),
        (f'{LOOKS},"ask":{{"ask":"draw","table":"M1"}}', "not_a_persons", "ask.ask"),
        (f'{LOOKS},"ask":{{"ask":"reject_claim","claim":"M1/1/1","reason":"x","second":{{"person":"?"}}}}',
         "field_unknown", "ask.second"),
        (f'{LOOKS},{CLAIM.replace("claimed", "claimd")}', "field_unknown", "ask.hands[0].claimd"),
        (f'{CLAIM},"saw":"0"', "malformed", "saw"),
        (f'{CLAIM},"saw":"{"A" * 32}"', "malformed", "saw"),
        (f'"ask":{{"ask":"unlock_person","person":"jefe"}},"saw":"{"0" * 32}"', "not_previewed", "ask.ask"),
        (f'"do":"unlock","table":"M1","saw":"{"0" * 32}"', "field_unknown", "saw"),
        (f'"do":"unlock","table":"M1",{CLAIM}', "nothing_asked", "ask"),
    ],
)  # fmt: skip
def test_whoever_looks_asks_one_act_alone_and_confirms_it_as_he_saw_it(raw, node, told, reason, where):
    trouble = said(raw, f'{{"v":2,"id":"{new_id()}",{told},{SIGNED}}}'.encode()).trouble

    assert (trouble.reason, trouble.where) == (reason, where)
    assert not node.asked


def test_r27_nobody_looks_without_his_name_or_with_another_ones_proof(raw, node):
    nobody = said(raw, f'{{"v":2,"id":"{new_id()}",{LOOKS},{CLAIM}}}'.encode())
    assert nobody.trouble.reason == "signature_missing" and not node.asked

    guessed = said(raw, f'{{"v":2,"id":"{new_id()}",{LOOKS},{CLAIM},{SIGNED}}}'.encode())
    assert guessed.trouble.reason == "pin_wrong" and guessed.preview is None
    assert node.book.state.people["carla"].failures == 1


def test_a_ticket_lets_its_person_look_at_its_table_and_do_nothing_of_it(client, node):
    ticket = client.sign_in(signs("carla"), "consola-1", "M1")
    assert isinstance(ticket, Ticket)
    sold = [ask.BuyCredits(table, 2, 4, Signature("")) for table in ("M1", "M2")]

    seen = client.ask(previewing(sold[0], ticket))
    assert [one.credits for one in seen.preview.seats] == [4]
    assert client.ask(previewing(sold[1], ticket)).trouble.reason == "ticket_over"
    assert client.ask(asking(sold[0], ticket, saw=seen.preview.sees)).trouble.reason == "pin_needed"
    claim = ask.ConfirmAward("M1/1/1/1", Signature(""))
    assert client.ask(previewing(claim, ticket)).trouble.reason == "role_missing"
    assert client.ask(previewing(ask.PayAward("M2/1/1/1", Signature("")), ticket)).trouble.reason == "ticket_over"
    assert client.ask(asking(sold[0], signs("carla"), saw=seen.preview.sees)).ok


def test_r20_what_one_sees_he_confirms_over_the_socket(client, node):
    sold = ask.BuyCredits("M1", 2, 4, Signature(""))
    seen = client.ask(previewing(sold, signs("carla")))
    before = node.book.seq
    assert [one.credits for one in seen.preview.seats] == [4] and not seen.facts

    client.ask(asking(sold, signs("carla"), saw=seen.preview.sees))
    assert node.book.state.tables["M1"].seat(2).credits == 2_000
    again = client.ask(asking(ask.CashOut("M1", 2, Signature("")), signs("carla"), saw=seen.preview.sees))

    assert (again.ok, again.trouble.reason) == (False, "amounts_changed")
    assert again.preview.seats[0].credits == 0 and node.book.seq == before + 1


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_JSON = st.recursive(
    _LEAVES, lambda more: st.lists(more, max_size=4) | st.dictionaries(st.text(max_size=8), more), max_leaves=12
)
_FIELDS = st.sampled_from([*Request.__struct_fields__, "x"])
_TAGS = st.sampled_from(["lock", "buy_credits", "register_claim", "stage_plan", "draw", "x"])
_ASKS = st.fixed_dictionaries(
    {"ask": _TAGS}, optional=dict.fromkeys(("table", "seat", "hands", "by", "credits"), _JSON)
)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_door(body):
    assert isinstance(read(body), UnderstoodRequest | Reply)


@given(st.dictionaries(_FIELDS, _JSON), _ASKS, st.booleans())
def test_no_json_breaks_the_door(told, asked, signed):
    whole = {"v": 2, "id": "0" * 32, "ask": asked} | ({"by": {"person": "a", "proof": "1"}} if signed else {})
    for message in (told, whole | told, whole):
        assert isinstance(read(json.dumps(message).encode()), UnderstoodRequest | Reply)


def test_random_bytes_hurt_nobody(raw, node, client):
    chance = random.Random(4)
    seed = doing(Deed.UNLOCK, signs("carla"), table="M1")
    whole = ctl_engine.proven(seed)
    for _ in range(400):
        body = bytearray(whole if chance.random() < 0.7 else chance.randbytes(chance.randrange(200)))
        for _ in range(chance.randrange(1, 6)):
            if body:
                body[chance.randrange(len(body))] = chance.randrange(256)
        raw.send_multipart([chance.randbytes(3) for _ in range(chance.randrange(4))] + [bytes(body)])

    deadline = time.monotonic() + 30
    while raw.poll(300) and time.monotonic() < deadline:
        msgspec.json.decode(raw.recv_multipart()[-1], type=Reply)
    assert client.state().node == "nodo1"
    assert node.control.alive()


def test_bytes_that_are_not_even_zeromq_hurt_nobody(node, client):
    for name in ("commands", "state"):
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(node.control_folder / name))
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" * 50)

    assert client.state().node == "nodo1"


def test_one_client_that_floods_gets_no_place_of_the_others(raw, node, client):
    opened(client)
    node.telling = False
    for _ in range(3 * MOST_OF_ONE):
        raw.send(ctl_engine.proven(asking(ask.Lock("M1"), signs("carla"))))
    busy = []
    while raw.poll(1_000):
        busy.append(msgspec.json.decode(raw.recv_multipart()[-1], type=Reply).trouble.reason)
    node.telling = True

    assert busy == ["busy"] * 2 * MOST_OF_ONE
    assert client.ask(asking(ask.Lock("M1"), signs("carla"))).trouble.reason == "pass_not_open"


def test_what_is_said_again_while_it_is_done_reaches_the_engine_once(raw, node, client):
    opened(client)
    before = len(node.asked)
    node.telling = False
    body = ctl_engine.proven(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla")))
    for _ in range(5):
        raw.send(body)
    client.state()
    node.during(lambda: None)

    assert len(node.asked) == before + 1


def test_a_node_that_is_busy_is_asked_again(tmp_path):
    places = iter([False, True])
    put = []
    control = Control(tmp_path / "ctl", lambda person: next(places) and put.append(person) is None)
    control.start()
    answering = threading.Timer(2.5, lambda: put[0].answer(Reply(v=1, id=put[0].request.id, ok=True)))
    answering.start()
    with Client(tmp_path / "ctl") as client:
        assert client.ask(asking(ask.Lock("M1"), signs("carla"))).ok
    answering.join()
    control.stop()


def test_who_waits_for_the_record_to_be_read_hears_how_far_it_is_and_then_the_answer(client, node, monkeypatch):
    """R-35: as long as the node says so, no time runs out."""
    monkeypatch.setattr("controller.node.control.client._AGAIN_AFTER", 0.05)
    monkeypatch.setattr("controller.node.control.client._HOW_FAR_AFTER", 0.05)
    assert client.ask(asking(ask.Lock("M1"), signs("carla"))).trouble is not None, "her PIN took its time"
    request, told = doing(Deed.UNLOCK, signs("carla"), table="M1"), []
    heard, node.telling = len(node.asked), False

    def hears(sentence):
        told.append(sentence)
        node.control.show(replace(node.view(), inquiries=(InquiryNow(request.id, "M1", 10 * len(told)),)))
        if len(told) == 12:
            answered = node.asked[-1]
            answered.answer(plain_reply(answered.request, 77, None))

    deadline = threading.Timer(
        0.2, lambda: node.control.show(replace(node.view(), inquiries=(InquiryNow(request.id, "M1", 0),)))
    )
    deadline.start()
    reply = client.ask(request, timeout=0.5, told=hears)

    assert reply.ok and reply.seq == 77
    assert told[:2] == ["Revisando el registro: 0 %", "Revisando el registro: 10 %"] and len(told) >= 12
    assert len(node.asked) == heard + 1


def test_a_client_that_never_reads_holds_nobody_up(node, client):
    with zmq.Context() as context, context.socket(zmq.SUB) as deaf, context.socket(zmq.DEALER) as mute:
        for made, name in ((deaf, "state"), (mute, "commands")):
            made.setsockopt(zmq.LINGER, 0)
            made.setsockopt(zmq.RCVHWM, 1)
            made.connect(f"ipc://{node.control_folder}/{name}")
        deaf.setsockopt(zmq.SUBSCRIBE, b"")
        for _ in range(2_000):
            with suppress(zmq.Again):  # as much as the node lets him say
                mute.send(ctl_engine.proven(doing(Deed.STATE)), zmq.NOBLOCK)
        view = node.view()
        for _ in range(200):
            node.control.show(view, [b"x" * 20_000] * 20)
        assert client.state().node == "nodo1"
        assert node.control.alive()


def test_a_stopped_control_is_not_alive_and_its_folder_is_free(tmp_path):
    one = Control(tmp_path / "ctl", lambda _: True)
    one.start()
    assert one.alive()
    one.stop()

    assert not one.alive()
    other = Control(Path(tmp_path / "ctl"), lambda _: True)
    other.start()
    other.stop()
