"""What wrong PINs cost whoever gives them, in virtual time: a guesser waits, the house does not (security.md 2, 14)."""

from controller.core.values import MOST_TERMINALS
from controller.node.vocabulary.guesses import FORGOTTEN_AFTER, LONGEST, Guesser, Guesses
from drivers.session import SECOND

HOUR, DAY = 3_600 * SECOND, 86_400 * SECOND
GUESSER, HOUSE = Guesser(20_002), Guesser(20_001)
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
    """docs/operators/security.md says 107 of one person, and 117 of all persons together; 15 and 25 in the first hour."""
    assert (tries(("jefa",), DAY), tries(PEOPLE, DAY)) == (107, 117)
    assert (tries(("jefa",), HOUR), tries(PEOPLE, HOUR)) == (15, 25)


def tries(people, span, guesses=None, guesser=GUESSER):
    guesses, now, count = guesses or Guesses(), 0, 0
    while now < span:
        person, wait = min(((one, guesses.wait(guesser, one, now)) for one in people), key=lambda pair: pair[1])
        now += wait
        if now < span:
            guesses.was_wrong(guesser, person, now)
            count += 1
    return count


def test_no_number_of_terminals_keeps_a_person_waiting_at_another_one():
    """As many as there can be; some of them have been guessed at for a day, all others for a minute."""
    guesses = Guesses()
    for number in range(MOST_TERMINALS - 1):
        tries(PEOPLE, DAY if number < 5 else 60 * SECOND, guesses, guesses.at(HOUSE.user, f"consola-{number}"))
    hers = guesses.at(HOUSE.user, "hers")

    assert [guesses.wait(hers, person, DAY) for person in PEOPLE] == [0] * 6
    assert guesses.wait(guesses.at(HOUSE.user, "consola-3"), "carla", DAY - 1) > 0


def test_a_terminal_stops_at_three_for_the_person_and_at_thirteen_for_all():
    guesses = Guesses()
    here = guesses.at(HOUSE.user, "consola-1")
    for _ in range(3):
        guesses.was_wrong(here, "carla", 0)
    assert [guesses.wait(here, person, 0) for person in ("carla", "jefa")] == [SECOND, 0]
    for person in PEOPLE[3:] * 4:
        guesses.was_wrong(here, person, 0)

    assert guesses.wait(here, "ana", 0) == 4 * SECOND


def test_terminals_beyond_those_that_are_counted_are_one():
    """A user who is believed, and lies: he has as many guesses as so many terminals and one, whatever he invents."""
    guesses = Guesses()
    for number in range(MOST_TERMINALS):
        guesses.was_wrong(guesses.at(HOUSE.user, f"consola-{number}"), "carla", 0)
    invented = {guesses.at(HOUSE.user, f"otra-{number}") for number in range(1_000)}

    assert invented == {HOUSE} and guesses.at(HOUSE.user, "consola-5") == Guesser(HOUSE.user, "consola-5")
    assert guesses.at(GUESSER.user, "otra-1") == Guesser(GUESSER.user, "otra-1"), "places are a user's own"
    guesses.was_right(Guesser(HOUSE.user, "consola-5"), "carla")
    guesses.was_wrong(guesses.at(HOUSE.user, "otra-1"), "jefa", 0)
    assert guesses.of(Guesser(HOUSE.user, "otra-1")), "there was a place"
    assert guesses.at(HOUSE.user, "otra-2") == HOUSE
    guesses.lift("carla")
    assert guesses.at(HOUSE.user, "otra-2") == Guesser(HOUSE.user, "otra-2")


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
