"""People: who may do what, what two different persons must decide, and what wrong PINs do (R-26, R-27)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import NodeFounded, PersonEnrolled, PersonUnlocked, Refused
from controller.core.people import MAY, SECOND, without_pins
from controller.core.values import Role, Signature
from support.floor.floor import ANA, CARLA, INES, JEFA, JEFE, LUIS, SECRET, TABLE, TITO, Floor, kinds, plan


def wrong(signature):
    return Signature(signature.person, verified=False)


def enrol(person, *roles, by=ANA, second=LUIS, secret=SECRET):
    return ask.EnrolPerson(person, person.title(), roles, secret, by, second)


def failures(floor, person):
    return floor.state.people[person].failures


def test_r27_a_record_begins_with_its_node_and_two_administrators():
    floor = Floor(founded=False)
    assert floor.reason(ask.OpenPass(TABLE)) == "not_founded"
    for administrators, reason in ((("ana", "ana"), "two_persons_needed"), (("ana", "lu is"), "name_wrong")):
        assert floor.reason(ask.FoundNode("central", "k", administrators)) == reason
    assert floor.reason(ask.FoundNode("cen/tral", "k", ("ana", "luis"))) == "name_wrong"
    (founded,) = floor.ask(ask.FoundNode("central", "k", ("ana", "luis")))

    assert founded == NodeFounded("central", "k", ("ana", "luis"), 2)
    assert (floor.state.node, floor.state.epoch) == ("central", 1)
    assert {name: one.roles for name, one in floor.state.people.items()} == {
        "ana": (Role.ADMINISTRATOR,),
        "luis": (Role.ADMINISTRATOR,),
    }
    assert floor.reason(ask.FoundNode("otro", "k", ("x", "y"))) == "already_founded"


def test_r27_a_clock_may_step_back_before_the_node_is_founded():
    floor = Floor(founded=False)
    floor.reason(ask.OpenPass(TABLE))
    jump, founded = floor.ask(ask.FoundNode("central", "k", ("ana", "luis")), after=-2_000_000)

    assert (jump.was - jump.now, kinds([founded])) == (2_000_000, [NodeFounded])


@pytest.mark.parametrize("name", ["", " ana", "ana ", "a/b", "~ana", "ñandú", "x" * 65, ".x", "a\n", "a:b"])
def test_r27_names_are_plain(name):
    floor = Floor()

    assert floor.reason(enrol(name, Role.CROUPIER)) == "name_wrong"


@pytest.mark.parametrize("name", ["x", "X.1_-", "9", "x" * 64])
def test_r27_names_that_are_plain_are_taken(name):
    floor = Floor()

    assert kinds(floor.ask(enrol(name, Role.CROUPIER))) == [PersonEnrolled]


def test_r26_r27_a_person_is_enrolled_by_two_and_may_do_what_the_roles_say():
    floor = Floor()
    assert floor.reason(ask.OpenPass(TABLE, Signature("nuevo"))) == "person_unknown"
    (enrolled,) = floor.ask(enrol("nuevo", Role.CHIEF, Role.CROUPIER, second=JEFA))
    assert (enrolled.roles, enrolled.by, enrolled.second) == ((Role.CHIEF, Role.CROUPIER), "ana", "jefa")

    floor.ask(ask.OpenPass(TABLE, Signature("nuevo")))
    floor.ask(enrol("nuevo", Role.AUDITOR))
    assert floor.reason(ask.Lock(TABLE, Signature("nuevo"))) == "role_missing"
    floor.ask(enrol("nuevo"))
    assert floor.reason(ask.Lock(TABLE, Signature("nuevo"))) == "person_unknown", "retired"


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        ((Role.AUDITOR, Role.CROUPIER), "roles_clash"),
        ((Role.TECHNICIAN, Role.CHIEF), "roles_clash"),
        ((Role.TECHNICIAN, Role.AUDITOR), "roles_clash"),
        ((Role.TECHNICIAN, Role.ADMINISTRATOR), "roles_clash"),
        ((Role.CROUPIER, Role.ADMINISTRATOR), "administrator_is_croupier"),
        ((Role.CROUPIER, Role.CHIEF, Role.ADMINISTRATOR), "administrator_is_croupier"),
    ],
    ids=str,
)
def test_r27_roles_that_contradict_each_other_are_refused(roles, reason):
    assert Floor().reason(enrol("nuevo", *roles)) == reason


def test_r26_two_administrators_always_remain():
    floor = Floor()
    assert floor.reason(enrol("luis", Role.CHIEF)) == "administrators_needed"
    assert floor.reason(enrol("luis")) == "administrators_needed"
    floor.ask(enrol("eva", Role.ADMINISTRATOR))

    assert kinds(floor.ask(enrol("luis"))) == [PersonEnrolled]


@pytest.mark.parametrize("secret", ["", "x" * 64, "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_r27_the_fingerprint_of_a_pin_is_a_digest_and_a_wrong_one_is_nobody_s_wrong_pin(secret):
    floor = Floor()

    for _ in range(6):
        assert floor.reason(enrol("nuevo", Role.CROUPIER, secret=secret)) == "secret_wrong"
    assert failures(floor, "ana") == 0


# Two persons


@pytest.mark.parametrize(
    ("by", "second", "reason", "where"),
    [
        (ANA, ANA, "two_persons_needed", "second"),
        (CARLA, LUIS, "role_missing", "by"),
        (ANA, CARLA, "role_missing", "second"),
        (Signature("nadie"), LUIS, "person_unknown", "by"),
        (ANA, Signature("nadie"), "person_unknown", "second"),
        (wrong(ANA), LUIS, "pin_wrong", "by"),
        (ANA, wrong(LUIS), "pin_wrong", "second"),
        (INES, LUIS, "role_missing", "by"),
    ],
    ids=str,
)
def test_r26_two_different_persons_with_their_roles_and_pins(by, second, reason, where):
    floor = Floor()

    assert floor.reason(enrol("nuevo", Role.CROUPIER, by=by, second=second)) == reason
    refused = floor.heard(Refused)[-1]
    assert (refused.where, refused.by) == (where, by.person if where == "by" else second.person)


def test_r26_whatever_takes_two_persons_takes_them_by_name():
    signed_twice = {kind for kind in MAY if "second" in kind.__struct_fields__}

    assert signed_twice == set(SECOND)
    assert {kind for kind in ask.Input.__args__ if "by" in kind.__struct_fields__} == set(MAY)


def test_r27_nobody_signs_for_a_button():
    floor = Floor()

    assert floor.ask(ask.OpenPass(TABLE))[0].by == ""
    assert floor.ask(ask.CloseSeat(TABLE, 1, "sin respuesta"))[0].by == ""


# PINs


def test_r27_five_wrong_pins_lock_a_person_and_another_one_unlocks():
    floor = Floor()
    for count in range(1, 6):
        assert floor.reason(ask.OpenPass(TABLE, wrong(CARLA))) == "pin_wrong"
        assert failures(floor, "carla") == count
    assert floor.reason(ask.OpenPass(TABLE, CARLA)) == "person_locked"
    assert floor.reason(ask.OpenPass(TABLE, wrong(CARLA))) == "person_locked"
    assert failures(floor, "carla") == 5

    assert floor.reason(ask.UnlockPerson("carla", TITO)) == "role_missing"
    assert floor.reason(ask.UnlockPerson("nadie", JEFA)) == "person_unknown"
    assert floor.ask(ask.UnlockPerson("carla", JEFA)) == (PersonUnlocked("carla", "jefa"),)
    assert failures(floor, "carla") == 0
    floor.open_pass()


def test_r27_a_locked_person_does_not_unlock_himself():
    floor = Floor()
    for _ in range(5):
        floor.reason(ask.UnlockPerson("carla", wrong(JEFA)))

    assert floor.reason(ask.UnlockPerson("jefa", JEFA)) == "person_locked"
    floor.ask(ask.UnlockPerson("jefa", JEFE))
    assert kinds(floor.ask(ask.UnlockPerson("carla", JEFA))) == [PersonUnlocked]


def test_r27_a_right_pin_ends_a_row_of_wrong_ones():
    floor = Floor()
    for _ in range(4):
        floor.reason(ask.OpenPass(TABLE, wrong(CARLA)))
    floor.open_pass()
    assert failures(floor, "carla") == 0

    for _ in range(4):
        floor.reason(enrol("nuevo", Role.CROUPIER, second=wrong(JEFA)))
    floor.ask(enrol("nuevo", Role.CROUPIER, second=JEFA))
    assert failures(floor, "jefa") == 0


def test_r27_a_refusal_for_another_reason_counts_against_nobody():
    floor = Floor()
    floor.reason(ask.OpenPass(TABLE, wrong(CARLA)))
    floor.reason(ask.Lock(TABLE, CARLA))

    assert failures(floor, "carla") == 1


def test_r27_a_wrong_pin_of_somebody_unknown_is_kept_nowhere():
    floor = Floor()
    people = floor.state.people
    floor.reason(ask.OpenPass(TABLE, Signature("nadie", verified=False)))

    assert floor.state.people == people


def test_r26_a_plan_that_takes_effect_later_is_no_right_pin_of_who_staged_it():
    floor = Floor()
    floor.open_pass()
    floor.stage(plan(resolution="Res. 2"))
    floor.reason(ask.WithdrawPlan("pozo", wrong(ANA)))
    floor.lock()
    floor.close_pass()

    assert floor.state.staged == {} and failures(floor, "ana") == 1


def test_r27_enrolling_a_person_again_changes_the_roles_and_forgets_wrong_pins():
    floor = Floor()
    floor.reason(ask.OpenPass(TABLE, wrong(CARLA)))
    floor.ask(enrol("carla", Role.CHIEF))

    assert (floor.state.people["carla"].roles, failures(floor, "carla")) == ((Role.CHIEF,), 0)


@pytest.mark.parametrize("name", ["", "con\0cero", "dos\nlíneas", "x" * 65])
def test_r27_a_persons_name_is_one_line_that_any_database_holds(name):
    refused = Floor().ask(ask.EnrolPerson("nueva", name, (Role.CROUPIER,), SECRET, ANA, LUIS))[0]

    assert (refused.reason, refused.where) == ("name_wrong", "name")


def test_r27_whether_a_pin_was_right_is_no_part_of_what_is_asked():
    right = ask.RejectClaim("DP-01/1/1", "otra mano", JEFA, LUIS)

    for by, second in ((wrong(JEFA), LUIS), (JEFA, wrong(LUIS)), (wrong(JEFA), wrong(LUIS)), (JEFA, LUIS)):
        assert without_pins(ask.RejectClaim("DP-01/1/1", "otra mano", by, second)) == right
    for asked in (ask.Lock(TABLE), ask.LookAtClock()):
        assert without_pins(asked) is asked
