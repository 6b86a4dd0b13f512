"""Who gives way at the door, and how much each may say: the clock is given."""

from controller.node.control.peers import (
    MOST_OF_ALL,
    MOST_OF_PROCESS,
    MOST_OF_USER,
    OF_PROCESS,
    Guests,
    Peer,
)
from controller.node.vocabulary.buckets import Buckets, Rate
from drivers.session import SECOND

CROUPIER, GREEDY = Peer(1_001, 7), Peer(1_002, 8)


def come(guests, peer, count, first=1, at=0):
    for number in range(first, first + count):
        guests.came(number, peer, at + number)
    return first + count


def test_who_has_a_place_left_makes_nobody_go():
    guests = Guests()
    come(guests, GREEDY, MOST_OF_PROCESS - 1)

    assert guests.who_goes(GREEDY) is None and guests.who_goes(CROUPIER) is None


def test_a_process_that_takes_too_much_pays_with_its_own_longest_idle():
    guests = Guests()
    come(guests, CROUPIER, 2)
    come(guests, GREEDY, MOST_OF_PROCESS, first=3)
    guests.moved(3, 10**9)

    assert guests.who_goes(GREEDY) == 4


def test_a_users_greediest_process_gives_way_to_an_honest_one_of_the_same_user():
    guests = Guests()
    after = come(guests, Peer(1_001, 7), 2)
    after = come(guests, Peer(1_001, 8), 500, first=after)
    come(guests, Peer(1_001, 9), MOST_OF_USER - 502, first=after)

    assert guests.who_goes(Peer(1_001, 10)) == 3


def test_the_greediest_user_gives_way_to_another():
    guests = Guests()
    after = come(guests, CROUPIER, 2)
    after = come(guests, GREEDY, 500, first=after)
    come(guests, Peer(1_003, 9), MOST_OF_ALL - 502, first=after)

    assert guests.who_goes(Peer(1_004, 1)) == 503


def test_of_many_processes_with_few_each_the_longest_idle_goes_whoever_has_two():
    guests = Guests()
    for number in range(MOST_OF_USER - 2):
        guests.came(number, Peer(1_001, 100 + number), 1_000 + number)
    guests.came(9_000, CROUPIER, 5_000)
    guests.came(9_001, CROUPIER, 5_000)

    assert guests.who_goes(Peer(1_001, 99)) == 0


def test_who_is_gone_leaves_nothing_behind():
    guests = Guests()
    come(guests, CROUPIER, 3)
    for number in (1, 2, 3):
        guests.gone(number, CROUPIER)

    assert guests.anybody() is None
    assert vars(guests) == vars(Guests())


def test_a_bucket_fills_again_with_time_and_everybody_has_his_own():
    buckets = Buckets(Rate(10, 20))
    took = sum(buckets.take("one", 0) for _ in range(50))

    assert took == 20
    assert buckets.take("other", 0)
    assert not buckets.take("one", SECOND // 20)
    assert sum(buckets.take("one", SECOND) for _ in range(50)) == 10


def test_names_that_come_and_go_are_forgotten():
    buckets = Buckets(OF_PROCESS)
    for number in range(50_000):
        assert buckets.take(number, number)

    assert len(buckets._left) <= 4_096


def test_what_was_taken_and_not_used_comes_back_and_how_long_it_is_until_there_is_one_is_known():
    purse = Buckets(Rate(1 / 32, 2))
    assert purse.wait("carla", 0) == 0
    assert purse.take("carla", 0) and purse.take("carla", 0) and not purse.take("carla", 0)
    assert purse.wait("carla", 8 * SECOND) == 24 * SECOND and purse.wait("jefe", 0) == 0

    purse.give_back("carla", 0)
    assert purse.take("carla", 0) and not purse.take("carla", 31 * SECOND)
    assert purse.take("carla", 32 * SECOND)
    purse.give_back("nobody who took", 0)
    for _ in range(3):
        purse.give_back("carla", 32 * SECOND)
    assert purse.left("carla", 32 * SECOND) == 2
