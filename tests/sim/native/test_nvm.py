"""The memory of a unit: whole before, whole after, whatever happens in between (2.1.1, 2.6)."""

import pytest

from drivers.native.contract import MemoryHealth as Health
from firmware_sim.native.nvm import Nvm, PowerCutError

OLD, NEW = b"old" * 20, b"new" * 25


def written(*images):
    nvm = Nvm()
    for image in images:
        nvm.save(image)
    return nvm


def test_a_memory_that_was_never_written_is_empty_and_not_lost():
    assert Nvm().load() == (None, Health.OK)


def test_what_was_saved_last_is_read():
    assert written(OLD, NEW).load() == (NEW, Health.OK)


def test_a_power_cut_after_any_byte_leaves_the_image_before_or_the_image_after():
    seen = set()
    for cut in range(2 * (len(NEW) + 20)):
        nvm = written(OLD)
        nvm.cut_after(cut)
        try:
            nvm.save(NEW)
        except PowerCutError:
            image, health = nvm.load()
            assert image in {OLD, NEW}
            assert health in {Health.OK, Health.RECOVERED}
            seen.add((image, health))
    assert seen == {(OLD, Health.OK), (OLD, Health.RECOVERED), (NEW, Health.OK)}


def test_after_a_torn_write_the_next_one_is_whole_and_is_newer():
    nvm = written(OLD)
    nvm.cut_after(5)
    with pytest.raises(PowerCutError):
        nvm.save(b"torn")
    nvm.load()
    nvm.save(NEW)

    assert nvm.load() == (NEW, Health.OK)


def test_power_that_goes_later_lets_the_writes_before_pass():
    nvm = written(OLD)
    nvm.cut_after(10_000)
    nvm.save(NEW)

    assert nvm.load() == (NEW, Health.OK)


def test_mended_power_does_not_go():
    nvm = written(OLD)
    nvm.cut_after(0)
    nvm.cut_after(1_000_000)
    nvm.save(NEW)

    assert nvm.load() == (NEW, Health.OK)


def test_a_damaged_bank_is_read_from_its_copy():
    nvm = written(OLD, NEW)
    nvm.damage()

    assert nvm.load() == (NEW, Health.RECOVERED)


def test_a_damaged_empty_memory_is_lost():
    nvm = Nvm()
    nvm.damage()

    assert nvm.load() == (None, Health.LOST)


def test_two_lost_banks_are_lost_and_not_empty():
    nvm = written(OLD)
    nvm.lose()

    assert nvm.load() == (None, Health.LOST)


def test_every_single_damaged_byte_is_noticed():
    whole = written(NEW)._banks[0]
    for place in range(len(whole)):
        nvm = written(NEW)
        nvm._banks[0] = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert nvm.load() == (NEW, Health.RECOVERED)
