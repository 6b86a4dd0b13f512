"""People: who may do what, what two different persons must decide, and what wrong PINs do (R-26, R-27)."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    NodeFounded,
    NodeStarted,
    NodeStopped,
    PersonEnrolled,
    PersonUnlocked,
    PinsReplaced,
    Refused,
    UnprovenRefused,
    VerifiersSealed,
)
from controller.core.node import READING, SIGNING
from controller.core.people import MAY, SECOND, without_pins
from controller.core.project import project
from controller.core.values import Role, Signature, Unproven
from support.floor.floor import ANA, CARLA, INES, JEFA, LUIS, SECRET, SEED, TABLE, TITO, Floor, kinds, plan


def wrong(signature):
    return Signature(signature.person, verified=False)


def enrol(person, *roles, by=ANA, second=LUIS, secret=SECRET):
    return ask.EnrolPerson(person, person.title(), roles, secret, by, second, known=True)


def failures(floor, person):
    return floor.state.people[person].failures


def test_r27_what_runs_and_that_it_ended_in_order_stands_on_record():
    floor = Floor()
    before = floor.state
    assert floor.ask(ask.StartNode("ab" * 32, "0f-1")) == (NodeStarted("ab" * 32, "0f-1", SIGNING),)
    assert floor.ask(ask.StopNode()) == (NodeStopped(),)
    assert replace(floor.state, clock=before.clock) == before, "and it changes nothing"
    for program, boot in (("AB" * 32, "0f-1"), ("ab" * 32, ""), ("ab", "0f-1")):
        assert floor.reason(ask.StartNode(program, boot)) == "name_wrong"


def test_r27_a_record_begins_with_its_node_and_two_administrators():
    floor = Floor(founded=False)
    assert floor.reason(ask.OpenPass(TABLE)) == "not_founded"
    for administrators, reason in ((("ana", "ana"), "two_persons_needed"), (("ana", "lu is"), "name_wrong")):
        assert floor.reason(ask.FoundNode("central", "k", administrators)) == reason
    assert floor.reason(ask.FoundNode("cen/tral", "k", ("ana", "luis"))) == "name_wrong"
    (founded,) = floor.ask(ask.FoundNode("central", "k", ("ana", "luis")))

    assert founded == NodeFounded("central", "k", ("ana", "luis"), READING)
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


@pytest.mark.parametrize("other", ["Ana", "ANA", "a.n.a", "an-a"])
def test_r36_one_person_under_two_spellings_founds_no_node(other):
    floor = Floor(founded=False)

    assert floor.reason(ask.FoundNode("central", "k", ("ana", other))) == "two_persons_needed"


def named(person, name, *roles, known=True):
    return ask.EnrolPerson(person, name, roles, SECRET, ANA, LUIS, known)


@pytest.mark.parametrize(
    ("person", "name", "where", "said"),
    [
        ("Carla", "Otra", "person", "'Carla' se lee como 'carla' (carla)"),
        ("car1a", "Otra", "person", "'car1a' se lee como 'carla' (carla)"),
        ("nueva", "Cárla", "name", "'Cárla' se lee como 'carla' (carla)"),
        ("nueva", "Ana Rojas", "name", "'Ana Rojas' se lee como 'Ana  Rójas' (rojas)"),
        ("anarojas", "Otra", "person", "'anarojas' se lee como 'Ana  Rójas' (rojas)"),
    ],
)
def test_r36_a_second_self_is_not_enrolled(person, name, where, said):
    floor = Floor()
    floor.ask(named("rojas", "Ana  Rójas", Role.CROUPIER))
    (refused,) = floor.ask(named(person, name, Role.CHIEF))

    assert (refused.reason, refused.where) == ("name_read_alike", where)
    assert refused.message == f"{said}: una persona tiene un solo nombre en el nodo."


def test_r36_who_retired_does_not_come_back_as_somebody_else_and_keeps_his_own_name():
    floor = Floor()
    floor.ask(named("carla", "Carla"))
    assert floor.reason(named("nueva", "Carla", Role.CHIEF)) == "name_read_alike"

    assert kinds(floor.ask(named("carla", "CARLA", Role.CHIEF))) == [PersonEnrolled]


def test_r36_a_name_that_was_wrong_is_given_free_by_giving_its_person_another():
    floor = Floor()
    floor.ask(named("crala", "Carla Rojas", Role.CROUPIER))
    floor.ask(named("crala", "inscrita por error"))

    assert kinds(floor.ask(named("crojas", "Carla Rojas", Role.CROUPIER))) == [PersonEnrolled]


def test_r36_who_enrols_says_that_he_knows_the_person_but_anybody_can_be_retired():
    floor = Floor()
    (refused,) = floor.ask(named("nueva", "Nueva", Role.CROUPIER, known=False))
    assert (refused.reason, refused.where) == ("person_not_known", "known")

    assert floor.ask(named("nueva", "Nueva", Role.CROUPIER))[0].known
    assert kinds(floor.ask(named("nueva", "Nueva", known=False))) == [PersonEnrolled]


@pytest.mark.parametrize("between", [(), (Role.CHIEF,)], ids=["retired", "chief"])
def test_r36_nobody_changes_sides_within_a_gaming_day(between):
    floor = Floor()
    floor.ask(enrol("eva", Role.ADMINISTRATOR))
    said = (
        "En esta jornada eva ya fue administrador: quien administra no es croupier. Se cambia con la jornada cerrada."
    )
    assert floor.ask(enrol("eva", Role.CROUPIER))[0].message == said
    floor.ask(enrol("eva", *between))
    assert floor.reason(enrol("eva", Role.CROUPIER)) == "changes_sides"
    assert floor.reason(enrol("carla", Role.ADMINISTRATOR)) == "changes_sides"

    floor.ask(ask.CloseDay(SEED.hex(), JEFA))
    assert kinds(floor.ask(enrol("eva", Role.CROUPIER))) == [PersonEnrolled]
    assert floor.state.people["eva"].held == ()
    floor.open_day("2026-11-19")
    assert all(one.held == () for one in floor.state.people.values())
    floor.ask(enrol("carla", Role.CHIEF))
    assert floor.state.people["carla"].held == (Role.CROUPIER,)
    assert kinds(floor.ask(enrol("carla", Role.CROUPIER, Role.CHIEF))) == [PersonEnrolled], "no two sides"


def older(floor, *, reading):
    """A floor whose record began under an earlier reading, with one person under two names."""
    twin = floor.state.people["luis"]
    floor.state = replace(floor.state, reading=reading, people={**floor.state.people, "Ana": twin})


def test_r36_two_names_of_an_older_record_that_are_read_alike_sign_nothing_but_what_mends_it():
    floor = Floor()
    older(floor, reading=3)
    twin = Signature("Ana")

    assert floor.reason(ask.MoveMoney("pozo", "house", "main", 5, "R", ANA, twin)) == "two_persons_needed"
    assert floor.reason(ask.EnrolPerson("luis", "Luis", (), SECRET, ANA, ANA, known=True)) == "two_persons_needed"
    mended = ask.EnrolPerson("Ana", "Segundo", (), SECRET, ANA, twin)
    assert floor.reason(mended) == "name_read_alike", "its own name is still read as another's"
    assert kinds(floor.ask(ask.EnrolPerson("eva", "Eva", (Role.CHIEF,), SECRET, ANA, twin, known=True))) == [
        PersonEnrolled
    ]


def test_r36_what_a_record_of_an_earlier_reading_did_not_know_is_not_known_anew():
    floor = Floor()
    older(floor, reading=2)
    floor.ask(enrol("carla", Role.CHIEF))

    assert floor.state.people["carla"].held == ()


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


def test_r27_wrong_pins_lock_nobody_and_are_counted_for_the_day():
    """A right one of the owner takes nothing back of what a guesser did; the third is an alarm."""
    floor = Floor()
    for count in range(1, 8):
        assert floor.reason(ask.OpenPass(TABLE, wrong(CARLA))) == "pin_wrong"
        assert failures(floor, "carla") == count
        assert len(guessed(floor)) == (count >= 3)
    floor.open_pass()
    assert failures(floor, "carla") == 7
    (alarm,) = guessed(floor)
    assert (alarm.where, alarm.rule) == ("carla", "R-27")
    assert alarm.sentence.startswith("Van 7 PIN equivocados de Carla en el día")


def guessed(floor):
    return [alarm for alarm in project(floor.state).alarms if "PIN" in alarm.sentence]


def test_r27_a_new_day_begins_without_wrong_pins():
    floor = Floor()
    for _ in range(3):
        floor.reason(ask.OpenPass(TABLE, wrong(CARLA)))
    floor.close_day()
    assert failures(floor, "carla") == 3
    floor.now += 86_400_000
    floor.open_day("2026-11-19")

    assert failures(floor, "carla") == 0 and not guessed(floor)
    people = floor.state.people
    floor.close_day()
    floor.now += 86_400_000
    floor.open_day("2026-11-20")
    assert floor.state.people == people


def test_r27_r36_another_person_takes_note_of_wrong_pins():
    floor = Floor()
    for _ in range(6):
        floor.reason(ask.UnlockPerson("carla", wrong(JEFA)))

    assert floor.reason(ask.UnlockPerson("jefa", JEFA)) == "two_persons_needed"
    assert floor.reason(ask.UnlockPerson("carla", TITO)) == "role_missing"
    assert floor.reason(ask.UnlockPerson("nadie", JEFA)) == "person_unknown"
    assert failures(floor, "jefa") == 6
    assert floor.ask(ask.UnlockPerson("jefa", ANA)) == (PersonUnlocked("jefa", "ana"),)
    assert failures(floor, "jefa") == 0


# PINs that lie otherwise


def test_r27_what_is_kept_of_pins_is_sealed_by_the_node():
    floor = Floor()
    people = floor.state.people

    assert floor.ask(ask.SealVerifiers({"carla": SECRET})) == (VerifiersSealed({"carla": SECRET}),)
    assert floor.state.people is people
    assert floor.reason(ask.SealVerifiers({"nadie": SECRET})) == "person_unknown"
    assert floor.reason(ask.SealVerifiers({"carla": "x"})) == "secret_wrong"
    assert floor.reason(ask.SealVerifiers({})) == "person_unknown"


def test_r26_two_who_may_enrol_make_new_pins_and_one_of_them_administers():
    floor = Floor()
    for _ in range(3):
        floor.reason(ask.OpenPass(TABLE, wrong(JEFA)))

    def anew(*people, secret=SECRET):
        return ask.ReplacePins(dict.fromkeys(people, secret), "se perdieron", "firma")

    assert floor.ask(anew("jefa", "ana"))[0] == PinsReplaced({"jefa": SECRET, "ana": SECRET}, "se perdieron", "firma")
    assert failures(floor, "jefa") == 0
    assert kinds(floor.ask(anew("luis", "ana"))) == [PinsReplaced]
    assert floor.reason(anew("ana")) == floor.reason(anew()) == "two_persons_needed"
    for people in (("jefa", "jefe"), ("ana", "carla"), ("ana", "luis", "jefa")):
        assert floor.reason(anew(*people)) == "role_missing"
    assert floor.reason(anew("ana", "nadie")) == "person_unknown"
    assert floor.reason(anew("ana", "luis", secret=SECRET[1:])) == "secret_wrong"


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
    refused = Floor().ask(ask.EnrolPerson("nueva", name, (Role.CROUPIER,), SECRET, ANA, LUIS, known=True))[0]

    assert (refused.reason, refused.where) == ("name_wrong", "name")


def test_r27_whether_a_pin_was_right_is_no_part_of_what_is_asked():
    right = ask.RejectClaim("DP-01/1/1", "otra mano", JEFA, LUIS)

    for by, second in ((wrong(JEFA), LUIS), (JEFA, wrong(LUIS)), (wrong(JEFA), wrong(LUIS)), (JEFA, LUIS)):
        assert without_pins(ask.RejectClaim("DP-01/1/1", "otra mano", by, second)) == right
    for asked in (ask.Lock(TABLE), ask.LookAtClock()):
        assert without_pins(asked) is asked


def test_r27_what_nobody_proved_is_a_number_on_record_and_changes_nothing():
    floor = Floor()
    before = floor.state
    since = before.clock - 60_000
    (fact,) = floor.ask(ask.CountUnproven(Unproven.UNKNOWN, 1_002, 314, since))

    assert fact == UnprovenRefused(Unproven.UNKNOWN, 1_002, 314, since)
    assert replace(floor.state, clock=before.clock) == before


@pytest.mark.parametrize(("user", "count", "since"), [(-1, 1, 0), (2**41, 1, 0), (1, 0, 0), (1, 2**41, 0), (1, 1, -1)])
def test_r27_a_sum_that_cannot_be_is_refused(user, count, since):
    assert Floor().reason(ask.CountUnproven(Unproven.TOO_SOON, user, count, since)) == "amount_wrong"


def test_r27_a_sum_never_begins_after_it_is_recorded():
    floor = Floor()
    (fact,) = floor.ask(ask.CountUnproven(Unproven.TOO_SOON, 1, 1, 2**50))

    assert fact.since == floor.state.clock
