"""What persons ask of the engine: one effect and one answer for each id, deeds on record, and no PIN that is guessed."""

from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json

from controller.core import inputs as ask
from controller.core.facts import DeviceTended
from controller.core.values import Device, Signature, Tending, TerminalUse
from controller.node.publish.show import VIEW_EVERY
from controller.node.vocabulary.house import House, TerminalNow
from controller.node.vocabulary.protocol import Deed
from support.core import book_cases
from support.core.book_cases import ANA, CARLA, JEFA, JEFE, LUIS
from support.core.points import point_of
from support.node.engine_days import STAR, close_day, keep_seed
from support.node.node_stand import Stand, wrong

REPORT = ask.SeatReport("M1", 1, Device(77, 1, 1))


@pytest.fixture
def stand(tmp_path):
    stand = Stand(tmp_path / "node")
    stand.turn()
    stand.log.clear()
    yield stand
    stand.close()


def test_a_persons_answer_says_what_the_record_says(stand):
    reply = stand.reply(ask.OpenPass("M1", CARLA))

    assert reply.ok and reply.seq == stand.book.seq
    assert [json.decode(bytes(fact))["kind"] for fact in reply.facts] == ["pass_opened"]


def test_a_refusal_is_told_with_rule_place_and_sentence(stand):
    reply = stand.reply(ask.OpenPass("M9", CARLA))

    assert not reply.ok
    assert reply.trouble.reason == "table_unknown" and reply.trouble.where == "table" and reply.trouble.message


def test_the_same_id_is_answered_alike_and_does_nothing_twice(stand):
    id_ = stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))
    stand.asks(ask.BuyCredits("M1", 1, 4, CARLA), id_=id_)
    stand.turn()
    stand.turn()

    first, second = stand.replies
    assert first == second
    assert stand.kinds().count("credits_bought") == 1


def test_the_same_id_with_other_content_is_refused(stand):
    id_ = stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))
    stand.turn()

    reply = stand.reply(ask.BuyCredits("M1", 1, 5, CARLA), id_=id_)

    assert reply.trouble.reason == "id_reused"
    assert stand.book.state.tables["M1"].seat(1).credits == 2000


@pytest.mark.parametrize("asked", [ask.OpenPass("M1"), ask.Lock("M1"), REPORT, ask.LookAtClock(), ask.Draw("M1", "x", hit=True), ask.OpenDay("2026-11-02", "0" * 64, JEFE), ask.EnrolPerson("eva", "Eva", (), "0" * 64, ANA, LUIS)])  # fmt: skip
def test_what_a_button_a_device_or_the_node_says_is_never_taken_from_a_person(stand, asked):
    before = stand.book.seq

    reply = stand.reply(asked)

    assert reply.trouble.reason in {"not_a_persons", "signature_missing"}
    assert stand.book.seq == before


# Deeds


def test_a_day_is_opened_with_a_seed_that_was_kept_first(stand):
    close_day(stand)
    reply = stand.reply(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE])

    assert reply.ok
    day = stand.book.state.day
    assert stand.seeds.of("2026-11-02", day.commitment) is not None


def test_a_day_is_closed_with_its_seed_and_both_deeds_are_repeated_alike(stand):
    close_day(stand)
    opening = stand.asks(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE])
    stand.turn()
    closing = stand.asks(do=Deed.CLOSE_DAY, signed=[JEFE])
    stand.turn()
    stand.asks(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE], id_=opening)
    stand.asks(do=Deed.CLOSE_DAY, signed=[JEFE], id_=closing)
    stand.turn()

    assert [reply.ok for reply in stand.replies] == [True] * 4
    assert [reply.facts for reply in stand.replies[:2]] == [reply.facts for reply in stand.replies[2:]]
    assert stand.book.state.day is None and stand.book.state.last_day == "2026-11-02"


def test_no_seed_is_made_for_whoever_may_not_open_a_day(stand, tmp_path):
    close_day(stand)

    reply = stand.reply(do=Deed.OPEN_DAY, day="2026-11-02", signed=[CARLA])

    assert reply.trouble.reason == "role_missing"
    assert not list((tmp_path / "node").rglob("*.seed"))


def test_a_seed_that_cannot_be_kept_keeps_the_day_closed(stand, tmp_path):
    close_day(stand)
    (tmp_path / "node/seeds").write_text("a file where the folder should be")

    reply = stand.reply(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE])

    assert reply.trouble.reason == "seed_not_kept" and reply.trouble.rule == "R-30"
    assert stand.book.state.day is None


def test_somebody_is_enrolled_and_the_control_hears_of_his_pin(stand):
    reply = stand.reply(
        do=Deed.ENROL,
        person="eva",
        name="Eva",
        roles=("croupier",),
        known=True,
        verifier="a verifier",
        signed=[ANA, LUIS],
    )

    assert reply.ok
    assert stand.control.verifiers["eva"] == "a verifier"


def test_r36_a_terminal_is_let_in_and_taken_away_and_the_control_hears_of_it_before_who_asked(stand):
    enrolled = ask.EnrolTerminal("consola-1", TerminalUse.TABLE, "M1", point_of(1), ANA, JEFE)
    assert stand.reply(enrolled).ok
    assert stand.control.house.terminals == (TerminalNow("consola-1", TerminalUse.TABLE, point_of(1), "M1"),)
    people = stand.control.house.people
    assert {"ana", "carla", "jefe"} <= {one.person for one in people}

    assert stand.reply(ask.WithdrawTerminal("consola-1", "se perdió", JEFE)).ok
    assert stand.control.house == House(people, ())


def test_an_enrolment_repeated_with_another_verifier_of_the_same_pin_is_the_same(stand):
    told = {
        "do": Deed.ENROL,
        "person": "eva",
        "name": "Eva",
        "roles": ("croupier",),
        "known": True,
        "signed": [ANA, LUIS],
    }
    id_ = stand.asks(verifier="salted so", **told)
    stand.asks(verifier="salted otherwise", id_=id_, **told)
    stand.turn()
    stand.turn()

    assert [reply.ok for reply in stand.replies] == [True, True]
    assert stand.kinds().count("person_enrolled") == 4


def test_an_enrolment_needs_a_second_person_and_roles_that_exist(stand):
    told = {"do": Deed.ENROL, "person": "eva", "name": "Eva", "verifier": "v"}

    assert stand.reply(roles=("croupier",), signed=[ANA], **told).trouble.where == "second"
    assert stand.reply(roles=("king",), signed=[ANA, LUIS], **told).trouble.where == "roles"


@pytest.mark.parametrize(
    "told", [{"do": Deed.LAMP_TEST, "table": "M1"}, {"do": Deed.SIGN_TEST, "sign": "bus"}, {"do": Deed.UNLOCK, "table": "M1"}]
)  # fmt: skip
def test_wrong_pins_at_deeds_are_counted_and_do_nothing(stand, told):
    stand.reply(ask.OpenPass("M1", JEFA))
    for _ in range(6):
        assert stand.reply(signed=[wrong("carla")], **told).trouble.reason == "pin_wrong"

    assert stand.book.state.people["carla"].failures == 6
    assert not stand.floor.asked_for


@pytest.mark.parametrize(
    ("told", "fact"),
    [
        ({"do": Deed.LAMP_TEST, "table": "M1"}, DeviceTended(Tending.LAMPS, "jefa", "M1")),
        ({"do": Deed.SIGN_TEST, "sign": "bus"}, DeviceTended(Tending.SIGN, "jefa", sign="bus")),
        ({"do": Deed.CLEAR_FAULTS, "table": "M1", "seat": 2}, DeviceTended(Tending.FAULTS, "jefa", "M1", 2)),
    ],
)
def test_a_deed_on_devices_stands_on_record_with_who_did_it_where_and_is_done_once(stand, told, fact):
    id_ = stand.asks(signed=[JEFA], **told)
    stand.turn()
    stand.reply(id_=id_, signed=[JEFA], **told)

    assert [reply.ok for reply in stand.replies] == [True, True] and stand.replies[0].facts == stand.replies[1].facts
    assert stand.floor.asked_for + stand.signs.asked_for == [told["do"]]
    assert [one for one in stand.facts() if isinstance(one, DeviceTended)] == [fact]


def test_a_deed_that_cannot_be_done_says_why_and_is_not_on_record(stand):
    stand.floor.sentence = "La mesa está en juego."
    before = stand.book.seq

    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[CARLA]).trouble.message == "La mesa está en juego."
    assert stand.book.seq == before


def test_what_the_core_refuses_no_device_hears_of(stand):
    stand.reply(ask.OpenPass("M1", CARLA))

    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[CARLA]).trouble.reason == "pass_in_progress"
    assert stand.reply(do=Deed.CLEAR_FAULTS, table="M1", seat=1, signed=[CARLA]).trouble.reason == "role_missing"
    assert stand.reply(do=Deed.CLEAR_FAULTS, table="M1", seat=99, signed=[JEFA]).trouble.reason == "seat_not_there"
    assert not stand.floor.asked_for


def test_a_stranger_may_do_no_deed(stand):
    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[Signature("nadie")]).trouble.reason == "person_unknown"
    assert stand.reply(do=Deed.LAMP_TEST, table="M1").trouble.reason == "signature_missing"


def test_unlock_opens_a_pass_between_passes(stand):
    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA]).ok
    assert stand.book.state.tables["M1"].phase == "open"


def test_unlock_closes_a_sealed_pass_first(stand):
    stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    stand.reply(ask.Lock("M1", CARLA))
    assert stand.book.state.tables["M1"].phase == "sealed"

    reply = stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])

    assert reply.ok and [json.decode(bytes(fact))["kind"] for fact in reply.facts] == ["pass_closed", "pass_opened"]
    assert stand.book.state.tables["M1"].number == 2


def test_unlock_in_an_open_pass_opens_the_units_that_came_back(stand):
    stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])

    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA]).ok
    assert stand.floor.asked_for == [Deed.UNLOCK]
    assert stand.facts()[-1] == DeviceTended(Tending.REOPEN, "carla", "M1")


def test_an_unlock_repeated_in_a_later_phase_does_nothing_more(stand):
    stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    id_ = stand.asks(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    stand.turn()
    stand.reply(ask.Lock("M1", CARLA))
    before = stand.book.seq

    again = stand.reply(id_=id_, do=Deed.UNLOCK, table="M1", signed=[CARLA])

    assert again.facts == stand.replies[1].facts and stand.book.seq == before
    assert stand.book.state.tables["M1"].phase == "sealed" and stand.floor.asked_for == [Deed.UNLOCK]


DEEDS = [
    {"do": Deed.LAMP_TEST, "table": "M1"},
    {"do": Deed.SIGN_TEST, "sign": "bus"},
    {"do": Deed.CLEAR_FAULTS, "table": "M1", "seat": 1},
    {"do": Deed.ENROL, "person": "eva", "name": "Eva", "roles": ("croupier",), "known": True, "verifier": "v"},
    {"do": Deed.CLOSE_DAY},
    {"do": Deed.OPEN_DAY, "day": "2026-11-02"},
    {"do": Deed.UNLOCK, "table": "M1"},
]
OTHERS = [
    {"do": Deed.UNLOCK, "table": "M2"},
    {"do": Deed.LAMP_TEST, "table": "M2"},
    {"do": Deed.SIGN_TEST, "sign": "otro"},
    {"do": Deed.CLEAR_FAULTS, "table": "M1", "seat": 2},
    {"do": Deed.ENROL, "person": "eva", "name": "Eva", "roles": ("chief",), "known": True, "verifier": "v"},
    {"do": Deed.OPEN_DAY, "day": "2026-11-03"},
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda told: told["do"])
def test_the_id_of_a_deed_is_good_for_no_other(stand, other):
    keep_seed(stand)
    for told in DEEDS:
        signed = {Deed.ENROL: [ANA, LUIS]}
        id_ = stand.asks(signed=signed.get(told["do"], [JEFA]), **told)
        stand.turn()
        assert stand.replies[-1].ok, (told, stand.replies[-1])
        before = (len(stand.floor.asked_for), stand.book.state.day, dict(stand.book.state.people))

        reply = stand.reply(id_=id_, signed=signed.get(other["do"], [JEFA]), **other)

        assert reply.trouble.reason == "id_reused", told
        assert (len(stand.floor.asked_for), stand.book.state.day, dict(stand.book.state.people)) == before


def test_whoever_closes_a_sealed_pass_first_the_unlock_opens_the_next(stand):
    stand.reply(ask.OpenPass("M1", CARLA))
    stand.reply(ask.Lock("M1", CARLA))
    stand.floor.rounds = [[ask.ClosePass("M1")], []]

    reply = stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])

    assert reply.ok and reply.trouble is None
    assert (stand.book.state.tables["M1"].phase, stand.book.state.tables["M1"].number) == ("open", 2)


def test_two_unlock_a_sealed_table_in_one_moment_and_both_hear_yes(stand):
    stand.reply(ask.OpenPass("M1", CARLA))
    stand.reply(ask.Lock("M1", CARLA))
    stand.asks(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    stand.asks(do=Deed.UNLOCK, table="M1", signed=[JEFA])
    stand.turn()

    assert [reply.ok for reply in stand.replies[-2:]] == [True, True]
    assert stand.book.state.tables["M1"].number == 2


def test_an_unlock_that_cannot_close_the_pass_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", STAR + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.say(*group)

    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA]).trouble.reason == "draw_due"
    stand.close()


# PINs


def failures(stand, person):
    return stand.book.state.people[person].failures


def test_one_wrong_pin_is_one_at_a_sealed_table_too(stand):
    stand.reply(ask.OpenPass("M1", CARLA))
    stand.reply(ask.Lock("M1", CARLA))

    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[wrong("carla")]).trouble.reason == "pin_wrong"
    assert failures(stand, "carla") == 1


@pytest.mark.parametrize("told", [{"asked": ask.OpenPass("M1", JEFA)}, {"signed": [JEFA], **DEEDS[0]}, {"signed": [JEFA], **DEEDS[-1]}])  # fmt: skip
def test_a_pin_guessed_under_an_answered_id_is_refused_counted_and_learns_nothing(stand, told):
    id_ = stand.asks(**told)
    stand.turn()
    assert stand.replies[-1].ok
    guess = {"asked": ask.OpenPass("M1", wrong("jefa"))} if "asked" in told else {**told, "signed": [wrong("jefa")]}
    for count in range(1, 6):
        assert stand.reply(id_=id_, **guess).trouble.reason == "pin_wrong"
        assert failures(stand, "jefa") == count


def test_a_wrong_pin_refused_under_an_id_is_repeated_as_another_try(stand):
    id_ = stand.asks(ask.OpenPass("M1", wrong("jefa")))
    stand.turn()
    stand.reply(ask.OpenPass("M1", wrong("jefa")), id_=id_)

    assert failures(stand, "jefa") == 2


def test_who_checks_proofs_knows_nobody_who_is_retired(stand):
    stand.reply(
        do=Deed.ENROL, person="carla", name="Carla", roles=("croupier",), known=True, verifier="w", signed=[ANA, LUIS]
    )
    assert "carla" in stand.control.verifiers
    stand.reply(do=Deed.ENROL, person="carla", name="Carla", roles=(), known=True, verifier="v", signed=[ANA, LUIS])
    assert stand.control.verifiers and "carla" not in stand.control.verifiers


@pytest.mark.parametrize("told", [{"asked": ask.OpenPass("M1", Signature("444444", verified=False))}, {"signed": [wrong("444444")], **DEEDS[0]}, {"signed": [ANA, wrong("444444")], **DEEDS[3]}])  # fmt: skip
def test_a_pin_typed_for_a_name_stands_nowhere(stand, told):
    before = stand.book.seq

    assert stand.reply(**told).trouble.reason == "person_is_a_pin"
    stand.turn(VIEW_EVERY)
    assert stand.book.seq == before
    assert "444444" not in str(stand.journal.calls) and "444444" not in str(stand.replies)


# Whatever anybody asks


_TABLES = st.sampled_from(["M1", "M2", "~M1", "~", "", "M9", "a/b"]) | st.text(max_size=5)
_SIGNERS = st.builds(
    Signature, st.sampled_from(["ana", "luis", "carla", "jefa", "nadie", "", "~", "123456"]), st.booleans()
)
_REQUESTS = st.fixed_dictionaries(
    {"do": st.none() | st.sampled_from(Deed)},
    optional={
        "table": _TABLES,
        "seat": st.integers(-2, 12),
        "sign": st.text(max_size=5),
        "day": st.text(max_size=5) | st.just("2026-11-02"),
        "person": st.text(max_size=5),
        "name": st.text(max_size=5),
        "roles": st.lists(st.sampled_from(["croupier", "auditor", "king"]), max_size=2).map(tuple),
        "signed": st.lists(_SIGNERS, max_size=2),
        "verifier": st.sampled_from(["", "v"]),
        "saw": st.sampled_from(["", "0" * 32]),
        "id_": st.sampled_from(["a" * 32, "b" * 32, ""]),
    },
)
_INPUTS = st.one_of(
    st.builds(ask.OpenPass, _TABLES, _SIGNERS | st.none()),
    st.builds(ask.Lock, _TABLES, _SIGNERS),
    st.builds(ask.StartTraining, _TABLES, _SIGNERS, _SIGNERS),
    st.builds(ask.EndTraining, _TABLES, _SIGNERS),
    st.builds(ask.UnlockTable, _TABLES, _SIGNERS),
    st.builds(ask.UnlockPerson, st.text(max_size=3), _SIGNERS),
    st.builds(ask.BuyCredits, _TABLES, st.integers(-2, 9), st.integers(-5, 20), _SIGNERS),
    st.builds(ask.CountSeat, _TABLES, st.integers(-2, 9), st.integers(-5, 20), _SIGNERS, _SIGNERS),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.none() | _INPUTS, _REQUESTS), max_size=12))
def test_no_request_in_any_state_breaks_the_engine(tmp_path_factory, asked):
    stand = Stand(tmp_path_factory.mktemp("node"))
    try:
        for one, told in asked:
            before = len(stand.replies)
            stand.asks(one, **told)
            stand.turn()
            assert len(stand.replies) == before + 1
    finally:
        stand.close()


def test_no_name_of_a_training_table_reaches_it(stand):
    stand.reply(ask.StartTraining("M1", JEFA, ANA))

    assert stand.reply(do=Deed.UNLOCK, table="~M1", signed=[CARLA]).trouble.reason == "table_unknown"
    assert stand.reply(do=Deed.UNLOCK, table="~M1", signed=[wrong("nadie")]).trouble.reason == "person_unknown"
