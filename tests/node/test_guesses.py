"""What wrong PINs cost whoever gives them, in virtual time: a guesser waits, the house does not (security.md 2, 14)."""

from controller.node.vocabulary.guesses import FORGOTTEN_AFTER, LONGEST, Guesses
from drivers.session import SECOND

DAY = 86_400 * SECOND
GUESSER, HOUSE = 20_002, 20_001
PEOPLE = ("ana", "luis", "carla", "jefe", "jefa", "tito")


def test_two_mistakes_are_free_and_then_each_costs_twice_as_long():
    guesses, now, waits = Guesses(), 0, []
    for _ in range(14):
        guesses.was_wrong(GUESSER, "carla", now)
        waits.append(guesses.wait(GUESSER, "carla", now) // SECOND)
        now += waits[-1] * SECOND
        assert guesses.wait(GUESSER, "carla", now) == 0

    assert waits == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]


def test_another_member_is_not_kept_waiting_and_his_right_pin_frees_himself_alone():
    guesses = Guesses()
    for person in PEOPLE:
        for _ in range(5):
            guesses.was_wrong(GUESSER, person, 0)
    guesses.was_wrong(HOUSE, "carla", 0)
    guesses.was_right(HOUSE, "carla")

    assert [guesses.wait(HOUSE, person, 0) for person in PEOPLE] == [0] * 6
    assert all(guesses.wait(GUESSER, person, 0) for person in PEOPLE)


def test_who_tries_many_persons_waits_for_all_of_them_together():
    guesses = Guesses()
    for person in PEOPLE:
        for _ in range(2):
            guesses.was_wrong(GUESSER, person, 0)
            assert guesses.wait(GUESSER, person, 0) == 0
    guesses.was_wrong(GUESSER, "ana", 0)

    assert guesses.wait(GUESSER, "nobody he tried yet", 0) == SECOND


def test_his_own_right_pin_gives_a_guesser_nothing_for_another_person():
    guesses = Guesses()
    for _ in range(5):
        guesses.was_wrong(GUESSER, "jefa", 0)
    guesses.was_right(GUESSER, "carla")

    assert guesses.wait(GUESSER, "jefa", 0) == 4 * SECOND


def test_a_guesser_has_some_hundred_guesses_a_day_whatever_he_does():
    """docs/operators/security.md says 107 of one person, and 117 of all persons together."""
    assert (tries(("jefa",)), tries(PEOPLE)) == (107, 117)


def tries(people):
    guesses, now, count = Guesses(), 0, 0
    while now < DAY:
        person, wait = min(((one, guesses.wait(GUESSER, one, now)) for one in people), key=lambda pair: pair[1])
        now += wait
        if now < DAY:
            guesses.was_wrong(GUESSER, person, now)
            count += 1
    return count


def test_everything_ends_by_time_or_by_another_person():
    guesses = Guesses()
    for _ in range(40):
        guesses.was_wrong(GUESSER, "jefa", 0)
    assert guesses.wait(GUESSER, "jefa", 0) == LONGEST
    assert guesses.wait(GUESSER, "jefa", LONGEST) == 0
    guesses.was_wrong(GUESSER, "ana", FORGOTTEN_AFTER)
    guesses.was_wrong(GUESSER, "jefa", FORGOTTEN_AFTER)
    assert guesses.wait(GUESSER, "jefa", FORGOTTEN_AFTER) == 0, "yesterday's are forgotten"
    for _ in range(9):
        guesses.was_wrong(GUESSER, "jefa", FORGOTTEN_AFTER)
    guesses.lift("jefa")
    assert guesses.wait(GUESSER, "jefa", FORGOTTEN_AFTER) == 0
