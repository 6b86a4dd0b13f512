"""The day's seed (R-30): made once, kept in every place before anybody hears its hash, found again wherever it is left."""

import stat

import pytest

from controller.node.book.seeds import SeedNotKept, Seeds
from controller.rules.complementary import SEED_BYTES, commitment


def test_asking_twice_for_a_day_makes_one_seed(tmp_path):
    seeds = Seeds(tmp_path / "seeds")

    assert seeds.for_day("2026-11-18", 1) == Seeds(tmp_path / "seeds").for_day("2026-11-18", 1)


def test_two_days_have_two_seeds(tmp_path):
    seeds = Seeds(tmp_path)

    assert seeds.for_day("2026-11-18", 1) != seeds.for_day("2026-11-19", 1)


def test_after_a_restore_the_same_day_has_another_seed_for_the_old_one_may_be_known(tmp_path):
    seeds = Seeds(tmp_path)

    assert seeds.for_day("2026-11-18", 1) != seeds.for_day("2026-11-18", 2)


def test_a_seed_is_found_by_its_commitment_and_by_no_other(tmp_path):
    seeds = Seeds(tmp_path)
    one, other = seeds.for_day("d", 1), seeds.for_day("d", 2)

    assert seeds.of("d", commitment(one)) == one
    assert seeds.of("d", commitment(other)) == other
    assert seeds.of("d", commitment(bytes(SEED_BYTES))) is None
    assert seeds.of("e", commitment(one)) is None


def test_only_its_owner_reads_it(tmp_path):
    Seeds(tmp_path / "seeds", tmp_path / "copy").for_day("d", 1)

    files = [*tmp_path.rglob("*.seed")]
    assert len(files) == 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("lost", ["seeds", "copy"])
def test_the_second_place_has_what_the_first_one_lost(tmp_path, lost):
    seeds = Seeds(tmp_path / "seeds", tmp_path / "copy")
    seed = seeds.for_day("d", 1)
    for file in (tmp_path / lost).iterdir():
        file.unlink()

    assert seeds.of("d", commitment(seed)) == seed
    assert seeds.for_day("d", 1) == seed
    assert len([*tmp_path.rglob("*.seed")]) == 2, "and it is in both again"


def test_a_damaged_file_is_no_seed(tmp_path):
    seeds = Seeds(tmp_path / "seeds", tmp_path / "copy")
    seed = seeds.for_day("d", 1)
    next((tmp_path / "seeds").iterdir()).write_bytes(b"\xff" * 64)

    assert seeds.of("d", commitment(seed)) == seed


@pytest.mark.parametrize("place", ["seeds", "copy"])
def test_a_place_that_takes_nothing_refuses_the_day(tmp_path, place):
    (tmp_path / place).write_text("a file where a folder should be")

    with pytest.raises(SeedNotKept, match=r"la semilla del día no se pudo guardar"):
        Seeds(tmp_path / "seeds", tmp_path / "copy").for_day("d", 1)


@pytest.mark.parametrize("day", ["", "../d", "a/b", "día", "a" * 65])
def test_a_name_that_no_day_has_writes_nothing(tmp_path, day):
    Seeds(tmp_path).for_day(day, 1)

    assert not [*tmp_path.rglob("*")]
