"""The control socket's description: it says all that is read and told, the page is it, and tests are made from it."""

import json
import re
import threading
from functools import partial
from typing import get_args

import msgspec
import pytest
import zmq

from controller.core import inputs as ask
from controller.core.facts import Fact
from controller.core.values import Hand, Signature
from controller.node.control.client import Client, asking, doing
from controller.node.control.control import MOST_OF_ONE
from controller.node.control.description import description, description_body
from controller.node.control.door import INPUTS, UnderstoodRequest, read
from controller.node.control.reference import page
from controller.node.control.shelf import MOST_FACTS, FactShelf
from controller.node.vocabulary.protocol import FACT_TOPIC, MOST_BYTES, Deed, Reply
from controller.rules.refusal import Reason
from support.node import ctl_engine
from support.node.ctl_engine import signs
from support.node.schemas import Schemas
from support.places import ROOT

WHOLE = json.loads(description_body())
SCHEMAS = Schemas(WHOLE)
PINS = {"by": {"person": "carla", "proof": "0" * 64}, "second": {"person": "jefe", "proof": "0" * 64}}
TICKET = {"by": {"person": "carla", "proof": "0" * 64, "ticket": "0" * 32}, "terminal": "consola-1"}
NAMES = {"v": 2, "id": "0" * 32}
EVERY_DEED = {
    "table": "M1", "seat": 1, "sign": "norte/1", "day": "2026-11-19", "person": "nora", "name": "Nora", "roles": [],
    "known": True, "nonce": "0" * 64,
    "new_salt": "0" * 32, "new_key": "0" * 64, "people": ["carla"], "since": 3, "reason": "se rompió el disco",
    "ask": {"ask": "lock", "table": "M1"},
}  # fmt: skip
OF_WHO_SIGNS = {"terminal": "consola-1"}
"""Needed by some deeds, allowed where anybody signs."""


def said(asked, *, two):
    return read(
        json.dumps({**NAMES, "ask": asked, **PINS} if two else {**NAMES, "ask": asked, "by": PINS["by"]}).encode()
    )


def test_the_page_is_what_the_types_say():
    """Made anew with: pozo describe --page > docs/operators/control-reference.md"""
    assert (ROOT / "docs/operators/control-reference.md").read_text() == page()


def test_every_input_deed_fact_and_refusal_is_described():
    assert set(WHOLE["asks"]) == set(INPUTS)
    assert set(WHOLE["deeds"]) == {*map(str, Deed)}
    assert set(WHOLE["facts"]) == {str(kind.__struct_config__.tag) for kind in get_args(Fact)}
    assert set(WHOLE["reasons"]) == {reason.code for reason in Reason}


def test_the_table_of_who_may_what_says_what_the_core_asks_for():
    """docs/operators/control.md has each input in a row; whoever may sign it first is named at its left."""
    text = (ROOT / "docs/operators/control.md").read_text()
    rows = re.findall(r"^\| ((?:croupier|chief|technician|administrator)[^|]*) \| ([^|]*) \|$", text, re.MULTILINE)
    named = {
        tag: re.split(r"; |, and ", who)[0] for who, tags in rows for tag in re.findall(r"`(\w+)`", tags.split(";")[0])
    }

    for tag, asked in WHOLE["asks"].items():
        assert sorted(re.findall("croupier|chief|technician|administrator", named[tag])) == asked["by"], tag


def test_everything_says_in_a_sentence_what_it_means():
    kinds = {**WHOLE["types"], **WHOLE["sent"], "Request": WHOLE["request"]}
    named = [name for name, schema in kinds.items() if "properties" in schema and not schema.get("description")]
    named += [name for name, one in (*WHOLE["asks"].items(), *WHOLE["deeds"].items()) if not one["means"]]

    assert not named, "a docstring says it"


def test_every_field_says_what_it_means():
    kinds = {**WHOLE["types"], **WHOLE["sent"], "Request": WHOLE["request"]}
    kinds |= {one["schema"]["title"]: one["schema"] for one in WHOLE["asks"].values()}
    fields = [(kind, name, one) for kind, schema in kinds.items() for name, one in schema.get("properties", {}).items()]

    assert not [f"{kind}.{name}" for kind, name, one in fields if not one.get("description")], "field_words.py"


def test_the_digest_changes_with_what_is_described():
    first = description()["digest"]

    assert len(first) == 16 and int(first, 16)
    assert first == WHOLE["digest"]


def refs(value):
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for one in value.values():
            yield from refs(one)
    elif isinstance(value, list):
        for one in value:
            yield from refs(one)


def test_whatever_it_names_is_in_it():
    for ref in set(refs(WHOLE)):
        assert SCHEMAS.of({"$ref": ref})


@pytest.mark.parametrize("tag", sorted(INPUTS))
def test_the_door_reads_what_the_description_allows(tag):
    asked = WHOLE["asks"][tag]
    for full in (False, True):
        for two in {asked["second"] == "must", asked["second"] != "none"}:
            order = said(SCHEMAS.sample(asked["schema"], full=full), two=two)

            assert isinstance(order, UnderstoodRequest), order
            assert type(order.input) is INPUTS[tag]


@pytest.mark.parametrize("tag", sorted(INPUTS))
def test_the_door_refuses_what_the_description_does_not_allow(tag):
    asked = WHOLE["asks"][tag]
    wrong = list(SCHEMAS.mistakes(asked["schema"]))
    refused = [said(one, two=asked["second"] == "must") for one in wrong]

    assert len(wrong) > 10
    assert not [one for one, reply in zip(wrong, refused, strict=True) if not isinstance(reply, Reply)]
    assert all(reply.trouble.message for reply in refused)
    if asked["second"] == "none":
        assert said(SCHEMAS.sample(asked["schema"], full=False), two=True).trouble.reason == "field_unknown"


@pytest.mark.parametrize("do", [*Deed])
def test_a_deed_has_the_fields_and_the_signatures_that_the_description_says(do):
    deed = WHOLE["deeds"][do]
    fields = {name: {**EVERY_DEED, **OF_WHO_SIGNS}[name] for name in deed["fields"]}
    signer = TICKET["by"] if do is Deed.SIGN_OUT else PINS["by"]
    pins = {} if not deed["by"] else PINS if deed["second"] == "must" else {"by": signer}
    whole = {**NAMES, "do": do, **fields, **pins}

    assert SCHEMAS.fits(whole, WHOLE["request"])
    assert isinstance(read(json.dumps(whole).encode()), UnderstoodRequest)
    for name, value in EVERY_DEED.items():
        if name not in fields and value and name != "ask":
            assert read(json.dumps({**whole, name: value}).encode()).trouble.reason == "field_unknown"
    for name in pins:
        less = {key: value for key, value in whole.items() if key != name}
        assert read(json.dumps(less).encode()).trouble.reason in {"signature_missing", "two_persons_needed"}


@pytest.mark.parametrize("tag", sorted(INPUTS))
def test_a_ticket_signs_the_inputs_that_the_description_says(tag):
    asked = WHOLE["asks"][tag]
    two = {"second": PINS["second"]} if asked["second"] == "must" else {}
    order = read(json.dumps({**NAMES, "ask": SCHEMAS.sample(asked["schema"], full=True), **TICKET, **two}).encode())

    assert isinstance(order, UnderstoodRequest) if asked["ticket"] else order.trouble.reason == "pin_needed"
    assert asked["ticket"] is (tag in {"open_pass", "lock", "close_pass"})


@pytest.mark.parametrize("do", [do for do in Deed if WHOLE["deeds"][do]["by"]])
def test_a_ticket_signs_the_deeds_that_the_description_says(do):
    deed = WHOLE["deeds"][do]
    two = {"second": PINS["second"]} if deed["second"] == "must" else {}
    fields = {name: EVERY_DEED[name] for name in deed["fields"] if name != "terminal"}
    order = read(json.dumps({**NAMES, "do": do, **fields, **TICKET, **two}).encode())

    assert isinstance(order, UnderstoodRequest) if deed["ticket"] else order.trouble.reason == "pin_needed"
    assert deed["ticket"] is (do in {Deed.UNLOCK, Deed.SIGN_OUT, Deed.PREVIEW})


def test_a_word_that_is_misspelt_deep_inside_is_refused():
    reply = said(
        {"ask": "register_claim", "table": "M1", "hands": [{"seat": 1}, {"seat": 2, "claimd": "full"}]}, two=False
    )

    assert (reply.trouble.reason, reply.trouble.where) == ("field_unknown", "ask.hands[1].claimd")


@pytest.mark.parametrize("since", [-1, 2**53 + 1])
def test_facts_are_counted_from_one(since):
    assert read(json.dumps({**NAMES, "do": "facts", "since": since}).encode()).trouble.reason == "number_wrong"


# On a running node.


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def client(node):
    with Client(node.control_folder) as client:
        yield client


def in_json(reply):
    return json.loads(msgspec.json.encode(reply))


@pytest.mark.process
def test_a_node_describes_itself_to_whoever_asks(client):
    reply = client.ask(doing(Deed.DESCRIBE))

    assert json.loads(bytes(reply.description)) == WHOLE
    assert SCHEMAS.fits(in_json(reply), WHOLE["reply"])


@pytest.mark.process
def test_what_a_node_answers_and_shows_is_as_described(client, node):
    client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1"))
    client.ask(asking(ask.BuyCredits("M1", 1, 4, None), signs("carla")))
    replies = [
        client.ask(asking(ask.Lock("M2"), signs("carla"))),
        client.ask(asking(ask.RegisterClaim("M1", (Hand(1, claimed="full"),), None), signs("carla"))),
        client.ask(doing(Deed.STATE)),
        client.ask(doing(Deed.FACTS)),
    ]
    for reply in replies:
        assert SCHEMAS.fits(in_json(reply), WHOLE["reply"]), reply
    assert not SCHEMAS.fits({**in_json(replies[2]), "ok": 1}, WHOLE["reply"]), "else this test sees nothing"
    for entry in replies[3].entries:
        assert SCHEMAS.fits(json.loads(bytes(entry)), WHOLE["entry"])


@pytest.mark.process
def test_a_claim_says_in_its_reply_how_many_it_pays_and_why_the_others_are_not(client, node):
    def played():
        node.say(ask.OpenPass("M1"), *(ask.BuyCredits("M1", seat, 4, Signature("carla")) for seat in (1, 3)))
        node.press("M1", 1)
        node.press("M1", 3)
        node.say(ask.Lock("M1"))
        node.prove("M1")

    def entered(*hands, number=0):
        return client.ask(asking(ask.RegisterClaim("M1", hands, None, (), number), signs("carla")))

    node.during(played)
    nobody = entered(Hand(1, ("folded",)))
    assert (nobody.ok, nobody.pays) == (True, 0)
    assert [(one.seat, one.reason) for one in nobody.unpaid] == [(1, "folded"), (3, "no_claim")]
    refused = entered(Hand(5, claimed="full"))
    assert (refused.trouble.reason, refused.trouble.rule, refused.pays) == ("seat_did_not_bet", "R-32", None)
    assert "Apuesta válida tienen: 1, 3." in refused.trouble.message
    assert client.ask(asking(ask.ClosePass("M1"), signs("carla"))).ok
    late = entered(Hand(3, claimed="full"), number=1)
    assert (late.pays, [(one.seat, one.reason) for one in late.unpaid]) == (1, [(1, "no_claim")])
    claim = json.loads(bytes(late.facts[-1]))["claim"]
    rejected = client.ask(asking(ask.RejectClaim(claim, "no era", None, None), signs("jefe"), signs("jefa")))
    assert (rejected.ok, rejected.pays) == (True, None), rejected.trouble


def all_facts(client, since=0):
    while entries := (reply := client.ask(doing(Deed.FACTS, since=since))).entries:
        yield from map(bytes, entries)
        since = json.loads(bytes(entries[-1]))["seq"]
        assert since <= reply.seq


@pytest.mark.process
def test_facts_since_a_number_are_the_record_in_pages(client, node):
    carla = Signature("carla")
    for _ in range(MOST_FACTS // 2):
        node.during(partial(node.say, ask.BuyCredits("M1", 1, 1, carla), ask.CashOut("M1", 1, carla)))
    last = node.book.seq

    assert last > MOST_FACTS
    shown = [re.sub(rb'"secret":"[0-9a-f]{64}"', b'"secret":""', row.body) for row in node.book.store.facts()]
    assert list(all_facts(client)) == shown
    assert len(client.ask(doing(Deed.FACTS)).entries) == MOST_FACTS
    assert [json.loads(body)["seq"] for body in all_facts(client, last - 3)] == [last - 2, last - 1, last]
    for beyond in (last, last + 1_000_000):
        reply = client.ask(doing(Deed.FACTS, since=beyond))
        assert (reply.ok, reply.entries, reply.seq) == (True, (), last)
    assert not node.asked, "the engine hears nothing of it"


@pytest.mark.process
def test_a_page_of_long_facts_is_no_longer_than_a_message(client, node):
    for seat in range(1, 7):
        long = ask.CloseSeat("M1", seat, "x" * (MOST_BYTES // 4))
        node.during(partial(node.say, long))
    first = client.ask(doing(Deed.FACTS, since=node.book.seq - 6))

    assert 0 < sum(map(len, map(bytes, first.entries))) <= MOST_BYTES
    assert len(list(all_facts(client, node.book.seq - 6))) == 6


@pytest.mark.process
def test_a_follower_that_missed_facts_reads_on_from_the_last_one_he_has(node):
    with Client(node.control_folder, FACT_TOPIC) as follower:
        feed = follower.facts(0.1)
        node.during(lambda: node.say(ask.CloseSeat("M1", 1, "revisar")))
        missed = node.book.seq
        node.during(lambda: node.say(ask.CloseSeat("M1", 2, "revisar")))
        body = next(iter(node.book.store.facts(missed + 1, missed + 1))).body
        teller = threading.Timer(0.3, lambda: node.control.show(node.view(), [body]))
        teller.start()
        told = next(feed)
        teller.join()
        assert json.loads(told)["seq"] == missed + 1

        assert list(all_facts(follower, missed - 1))[-1] == told


@pytest.mark.process
def test_who_reads_the_record_holds_nobody_up_and_only_so_much_of_it_waits(node, client, monkeypatch):
    slow, page = threading.Event(), FactShelf._page
    monkeypatch.setattr(FactShelf, "_page", lambda shelf, request: (slow.wait(10), page(shelf, request))[1])
    with zmq.Context() as context, context.socket(zmq.DEALER) as reader:
        reader.setsockopt(zmq.LINGER, 0)
        reader.connect(f"ipc://{node.control_folder}/commands")
        for _ in range(2 * MOST_OF_ONE):
            reader.send(ctl_engine.proven(doing(Deed.FACTS)))
        said = [reader.recv_multipart()[-1] for _ in range(MOST_OF_ONE) if reader.poll(5_000)]
        assert [json.loads(body)["trouble"]["reason"] for body in said] == ["busy"] * MOST_OF_ONE
        assert client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1")).ok, "the table plays on"
        slow.set()
        read = [json.loads(reader.recv_multipart()[-1]) for _ in range(MOST_OF_ONE) if reader.poll(5_000)]

    assert [one["ok"] for one in read] == [True] * MOST_OF_ONE


@pytest.mark.process
def test_a_node_without_a_record_says_that_it_cannot_read_it(tmp_path):
    control = ctl_engine.Control(tmp_path / "ctl", lambda _: True)
    control.start()
    with Client(tmp_path / "ctl") as client:
        assert client.ask(doing(Deed.FACTS)).trouble.reason == "not_now"
    control.stop()


@pytest.mark.process
def test_the_view_has_reserves_held_awards_and_what_the_house_advanced(client, node):
    view = client.state()
    (funds,) = [one for one in view.funds if one.pot == view.pots[0].pot]
    pot, books = node.book.state.pots[funds.pot], node.book.balances

    assert funds.reserves == pot.reserves
    assert sum(funds.house.values()) == -sum(
        amount for account, amount in books.items() if account.startswith(f"house:{funds.pot}:")
    )
    assert sum(funds.house.values()) == 5_000_000, "the base"
    assert funds.held == books.get(f"held:{funds.pot}", 0)
