"""What a browser asks becomes what the node is asked, and the answer its own: against a real node's socket."""

import pytest

from controller.node.control.client import Client
from controller.node.control.door import DEEDS
from controller.node.vocabulary.protocol import Deed, Request
from controller.web.acts.asked import ActAsked
from controller.web.live.notes import Entering, NoteEntity
from support.node.ctl_engine import signs
from support.web.asking import KEYS, acted, web
from support.web.browser_double import BrowserKey, looked, new_id, posted

pytestmark = pytest.mark.process


@pytest.fixture
def here(tmp_path):
    with web(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    """One for all that changes nothing."""
    with web(tmp_path_factory.mktemp("web")) as made:
        made.hello("consola-1")
        yield made


def buy(table="M1", seat=1, many=4):
    return {"ask": "buy_credits", "table": table, "seat": seat, "credits": many}


def record(here):
    with Client(here.node.control_folder) as client:
        return b"\n".join(client.since(0))


BY_TICKET = {"by": {"person": "carla"}}


def test_an_act_with_a_pin_is_done_and_answered_with_its_facts(here):
    told = here.act("consola-1", "carla", buy())

    assert told.status == 200, told.json
    assert told.json["ok"] and told.json["facts"][0]["kind"] == "credits_bought"


def test_a_rules_refusal_is_409_with_reason_rule_place_and_sentence(here):
    told = here.act("consola-1", "carla", {"ask": "lock", "table": "M1"})

    assert told.status == 409
    assert told.json["trouble"] == {
        "reason": "pass_not_open", "rule": "R-5", "where": "table", "message": "La mesa M1 no está abierta a apuestas.",
        "parts": {"table": "M1"},
    }  # fmt: skip


def test_a_ticket_opens_and_locks_and_anything_else_asks_the_pin(here):
    assert here.sign_in("consola-1", "carla", "M1").json == {"person": "carla", "idle": 600}

    opened = here.post("consola-1", "acts", {"id": new_id(), "do": "unlock", "table": "M1", **BY_TICKET})
    locked = here.post("consola-1", "acts", {"id": new_id(), "ask": {"ask": "lock", "table": "M1"}, **BY_TICKET})
    bought = here.post("consola-1", "acts", {"id": new_id(), "ask": buy(), **BY_TICKET})

    assert (opened.status, locked.status) == (200, 200), (opened.json, locked.json)
    assert (bought.status, bought.reason) == (409, "pin_needed")


def test_who_never_signed_in_or_signed_out_has_no_ticket(here):
    opens = {"do": "unlock", "table": "M1", **BY_TICKET}

    assert here.post("consola-1", "acts", {"id": new_id(), **opens}).reason == "ticket_over"
    here.sign_in("consola-1", "carla", "M1")
    assert here.get("consola-1", "house").json["signed_in"] == [{"person": "carla", "table": "M1"}]
    assert here.post("consola-1", "sign-out", {"id": new_id()}).status == 200
    assert here.post("consola-1", "acts", {"id": new_id(), **opens}).reason == "ticket_over"
    assert here.get("consola-1", "house").json["signed_in"] == []


def test_a_look_says_what_an_act_would_do_and_the_act_confirms_what_was_seen(here):
    here.sign_in("consola-1", "carla", "M1")
    seen = here.post("consola-1", "preview", {"id": new_id(), "ask": buy(), **BY_TICKET})

    assert seen.status == 200 and seen.json["would"][0]["kind"] == "credits_bought"
    changed = here.act("consola-1", "carla", buy(), saw="0" * 32)
    assert (changed.status, changed.reason) == (409, "amounts_changed")
    assert changed.json["preview"]["sees"] == seen.json["preview"]["sees"]
    assert here.act("consola-1", "carla", buy(), saw=changed.json["preview"]["sees"]).status == 200


def test_the_same_twice_at_once_is_asked_once_and_answered_alike(here):
    request = here.request("consola-1", "acts", acted("carla", buy()))
    before = len(here.node.asked)

    one, other = here.run(request, request)

    assert one.status == other.status == 200 and one.json == other.json
    assert len(here.node.asked) == before + 1
    assert here.ask(request).json == one.json, "and later the node's own memory answers"
    assert record(here).count(b'"kind":"credits_bought"') == 1


def test_the_same_id_with_another_pin_is_no_way_to_hear_an_answer(here):
    asked = acted("carla", buy())
    guessed = asked | {"by": {"person": "carla", "pin": "999999"}}

    assert here.post("consola-1", "acts", asked).status == 200
    wrong = here.post("consola-1", "acts", guessed)

    assert wrong.status == 409 and b"credits_bought" not in wrong.answer.body


def test_a_wrong_pin_is_counted_at_its_terminal_and_soon_waits(here):
    wrong = {"by": {"person": "carla", "pin": "999999"}}
    said = [here.post("consola-1", "acts", {"id": new_id(), "ask": buy(), **wrong}) for _ in range(4)]

    assert [one.status for one in said[:3]] == [409, 409, 409] and said[0].reason == "pin_wrong"
    assert (said[3].status, said[3].reason) == (429, "wait")


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"{", 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b'"' + b"x" * 100 + b'"', 400, "malformed"),
        ({"id": "x", "ask": {"ask": "lock", "table": "M1"}, "by": {"person": "carla", "pin": "333333"}}, 400, "id_wrong"),
        ({"ask": {"ask": "lock", "tabel": "M1"}}, 400, "field_unknown"),
        ({"ask": {"ask": "lock", "table": "M1"}, "pin": "333333"}, 400, "malformed"),
        ({"ask": {"ask": "lock", "table": "M1"}, "do": "unlock", "table": "M1"}, 400, "nothing_asked"),
        ({"do": "state"}, 400, "malformed"),
        ({"do": "sign_in", "table": "M1"}, 400, "malformed"),
        ({"do": "fly"}, 400, "malformed"),
        ({"ask": {"ask": "lock", "table": "M1"}, "by": {"person": "333333", "pin": "333333"}}, 409, "person_is_a_pin"),
        ({"ask": {"ask": "lock", "table": "M1"}, "by": {"person": "carla", "pin": "33"}}, 400, "pin_form"),
        ({"ask": {"ask": "lock", "table": "M1"}, "new_pin": "777777"}, 400, "malformed"),
        ({"ask": {"ask": "buy_credits", "table": "M1", "seat": 2**60, "credits": 1}}, 400, "number_wrong"),
        ({"ask": {"ask": "close_seat", "table": "M1", "seat": 1, "reason": "\u202eabc"}}, 400, "text_wrong"),
        ({"ask": {"ask": "close_seat", "table": "M1", "seat": 1, "reason": "x" * 9_000}}, 413, "too_long"),
        ({"ask": {"ask": "close_seat", "table": "M1", "seat": 1, "reason": " 333333"}}, 409, "reason_is_a_pin"),
    ],
)  # fmt: skip
def test_what_is_not_understood_never_reaches_the_node(refusing, body, status, reason):
    if isinstance(body, dict):
        body = {"id": new_id(), "by": {"person": "carla", "pin": "333333"}} | body
    before = len(refusing.node.asked)

    told = refusing.post("consola-1", "acts", body)

    assert (told.status, told.reason) == (status, reason), told.json
    assert len(refusing.node.asked) == before


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "open_day", "day": "2026-11-02"},
        {"do": "close_day"},
        {"do": "sign_test", "sign": "norte"},
        {"ask": {"ask": "unlock_person", "person": "tito"}},
        {"ask": {"ask": "withdraw_terminal", "terminal": "consola-2", "reason": "es mía"}},
        {"ask": {"ask": "buy_credits", "table": "M2", "seat": 1, "credits": 1}},
        {"ask": {"ask": "pay_award", "award": "M2/1/1/1"}},
        {"do": "unlock", "table": "M2"},
        {"do": "enrol", "person": "eva", "name": "Eva", "roles": ["chief"], "known": True, "new_pin": "777777", "second": {"person": "jefa", "pin": "555555"}},
    ],
)  # fmt: skip
def test_a_tables_terminal_asks_for_its_table_alone_whoever_signs(refusing, asked):
    before = len(refusing.node.asked)

    told = refusing.post("consola-1", "acts", {"id": new_id(), "by": {"person": "jefe", "pin": "444444"}, **asked})

    assert (told.status, told.reason) == (403, "not_for_this_terminal"), told.json
    assert len(refusing.node.asked) == before


def test_a_croupiers_pin_signs_no_chiefs_act_at_a_chiefs_terminal_either(refusing):
    told = refusing.act("tableta", "carla", {"ask": "open_seat", "table": "M1", "seat": 1})

    assert (told.status, told.reason) == (409, "role_missing")


def test_a_sign_asks_nothing_and_a_console_reports_nothing(refusing):
    assert refusing.act("cartel", "carla", buy()).reason == "not_for_this_terminal"
    assert refusing.post(
        "cartel", "sign-in", sign_in := {"id": new_id(), "person": "carla", "pin": "333333", "table": "M1"}
    )
    assert refusing.post("cartel", "sign-in", sign_in).status == 403
    assert refusing.post("consola-1", "shown", {}).status == 403
    assert refusing.post("cartel", "shown", {}).status == 200


def test_a_sign_hangs_where_everybody_is_and_is_told_nobodys_name(refusing):
    refusing.hello("cartel")
    named, unnamed = (refusing.get(name, "house").json["people"] for name in ("consola-1", "cartel"))
    assert named and unnamed == []


def test_a_console_says_which_pass_it_enters_at_its_own_table_alone(refusing):
    assert refusing.post("consola-1", "note", {"table": "M1", "number": 9}).status == 200
    assert refusing.notes.of("M1", refusing.now) == NoteEntity("M1", (Entering("consola-1", 9),))
    assert refusing.post("consola-1", "note", {"table": "M2", "number": 9}).reason == "not_for_this_terminal"
    assert refusing.post("cartel", "note", {"table": "M1", "number": 9}).reason == "not_for_this_terminal"
    assert refusing.post("consola-1", "note", {"table": "M1", "number": -1}).status == 400
    assert refusing.post("consola-1", "note", {"table": "M1", "number": 0}).status == 200
    assert refusing.notes.of("M1", refusing.now) is None


def test_a_person_is_enrolled_with_a_pin_that_only_the_browser_and_this_process_had(here):
    who = {"person": "eva", "name": "Eva", "roles": ["croupier"], "known": True, "new_pin": "777777"}
    body = {"id": new_id(), "do": "enrol", **who}
    signed = {"by": {"person": "ana", "pin": "111111"}, "second": {"person": "luis", "pin": "222222"}}

    told = here.post("tableta", "acts", body | signed)

    assert told.status == 200, told.json
    assert told.json["facts"][0] | {"kind": "person_enrolled", "secret": ""} == told.json["facts"][0]
    assert "eva" in {one["person"] for one in here.get("tableta", "house").json["people"]}, "heard at once"
    buys = {"id": new_id(), "ask": buy(), "by": {"person": "eva", "pin": "777777"}}
    assert here.post("consola-1", "acts", buys).status == 200


def test_the_days_number_by_chance_is_of_the_request_so_that_it_may_be_asked_again(here):
    opens = {"id": new_id(), "do": "open_day", "day": "2026-11-02", "by": {"person": "jefe", "pin": "444444"}}
    told = here.post("tableta", "acts", opens), here.post("tableta", "acts", opens)

    asked = [one.request for one in here.node.asked if one.request.do is Deed.OPEN_DAY]
    assert len(asked[0].nonce) == 64 and {one.nonce for one in asked} == {asked[0].nonce}
    assert told[0].json == told[1].json


def test_two_persons_let_a_browser_in_and_it_must_have_the_key_that_it_names(tmp_path):
    with web(tmp_path, ()) as here:
        key = KEYS["consola-1"]
        two = {"by": {"person": "jefe", "pin": "444444"}, "second": {"person": "ana", "pin": "111111"}}
        said = {"id": new_id(), "terminal": "consola-1", "use": "table", "place": "M1", "key": key.public, **two}

        assert here.hello("consola-1").status == 403, "nobody knows it"
        foreign = here.ask(posted("/api/v1/enrol", said, BrowserKey(99)))
        alone = here.ask(posted("/api/v1/enrol", said | {"second": two["by"]}, key))
        done = here.ask(posted("/api/v1/enrol", said | {"id": new_id()}, key))

        assert (foreign.status, foreign.reason) == (403, "not_signed")
        assert alone.status == 409 and done.status == 200, (alone.json, done.json)
        assert here.hello("consola-1").json == {"terminal": "consola-1", "use": "table", "place": "M1"}


def test_a_node_that_is_silent_is_503_and_the_same_may_be_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.web.acts.askers.PATIENCE", 0.3)
    with web(tmp_path) as here:
        request = here.request("consola-1", "acts", acted("carla", buy()))
        here.node.stop_control()
        told = here.ask(request)

        assert (told.status, told.reason) == (503, "node_silent")


def test_a_body_of_ours_has_every_field_that_a_deed_needs():
    needed = {field for deed, fields in DEEDS.items() if deed not in {Deed.FACTS, Deed.SALTS} for field in fields}
    ours, theirs = set(ActAsked.__struct_fields__), set(Request.__struct_fields__)

    assert needed - ours == {"new_salt", "new_key", "terminal"}, "made here, of the PIN and of who asks"
    assert ours - theirs == {"new_pin"}


def test_addresses_and_ways_that_are_not(refusing):
    assert refusing.ask(looked("/api/v1/act")).status == 404
    assert refusing.ask(looked("/api/v2/acts")).status == 404
    assert refusing.ask(looked("/api/v1/acts")).status == 405
    assert refusing.ask(looked("/api/v1/challenge")._replace(query=b"a=b")).status == 400, "no signature covers it"
    assert refusing.ask(posted("/api/v1/house", {})).status == 405
    assert signs("carla").pin not in str(refusing.get("consola-1", "house").json)
