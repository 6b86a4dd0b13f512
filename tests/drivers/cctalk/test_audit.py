"""The accept total against the events: what is missing, said only when it is certain."""

from drivers.cctalk.counting import AcceptAudit


def total(number):
    return number.to_bytes(3, "little")


def agreed(number=100):
    audit = AcceptAudit()
    audit.start_from(number)
    return audit


def test_the_events_tell_what_the_total_says():
    audit = agreed()
    audit.counted += 3
    audit.read(total(103))

    assert audit.difference() == 0 and audit.total_now == 103


def test_a_chip_between_the_two_readings_makes_the_comparison_void():
    audit = agreed()
    audit.read(total(100))
    audit.counted += 1

    assert audit.difference() is None and audit.total_now == 101


def test_each_reading_is_compared_once():
    audit = agreed()
    audit.read(total(102))

    assert audit.difference() == 2 and audit.difference() is None


def test_without_a_first_total_nothing_can_be_said():
    audit = AcceptAudit()
    assert audit.difference() is None and audit.total_now is None
    audit.read(total(7))
    assert audit.difference() is None and audit.total_now == 7


def test_the_total_goes_round():
    audit = agreed((1 << 24) - 1)
    audit.counted += 1
    audit.read(total(1))

    assert audit.difference() == 1


def test_a_total_that_went_back_is_negative():
    audit = agreed()
    audit.read(total(0))

    assert audit.difference() == -100


def test_a_device_may_count_a_moment_before_it_tells():
    audit = agreed()
    audit.read(total(101))
    assert audit.proven_difference() == 0, "perhaps"
    audit.counted += 1
    audit.read(total(101))
    assert audit.proven_difference() == 0, "it was told meanwhile"
    audit.read(total(102))
    assert audit.proven_difference() == 0
    audit.read(total(103))
    assert audit.proven_difference() == 0, "another difference needs another proof"
    audit.read(total(103))
    assert audit.proven_difference() == 2
    audit.read(total(103))
    assert audit.proven_difference() == 0, "said once"
