"""The day's seed (R-30): made once, kept in every place before anybody hears its hash, found again wherever it is left;
and never one that lay there before."""

import os
import stat

import pytest

from controller.node.book.seeds import SeedNotKept, Seeds, new_seed
from controller.rules.complementary import SEED_BYTES, commitment

DAY = "2026-11-18"
PLANTED = (b"B" * SEED_BYTES).hex() + "\n"


def nothing_opened():
    return ()


@pytest.fixture
def seeds(tmp_path):
    return Seeds(tmp_path / "seeds", tmp_path / "copy")


def saved(seeds, day=DAY, epoch=1):
    seed = new_seed()
    seeds.save(day, epoch, seed)
    return seed


def test_a_seed_is_found_by_its_commitment_and_by_no_other(seeds):
    one, other = saved(seeds), saved(seeds, epoch=2)

    assert seeds.of(DAY, commitment(one)) == one
    assert seeds.of(DAY, commitment(other)) == other
    assert seeds.of(DAY, commitment(bytes(SEED_BYTES))) is None
    assert seeds.of("2026-11-19", commitment(one)) is None


def test_only_its_owner_reads_it(seeds, tmp_path):
    saved(seeds)

    files = [*tmp_path.rglob("*.seed")]
    assert len(files) == 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("lost", ["seeds", "copy"])
def test_the_second_place_has_what_the_first_one_lost(seeds, tmp_path, lost):
    seed = saved(seeds)
    for file in (tmp_path / lost).iterdir():
        file.unlink()

    assert seeds.of(DAY, commitment(seed)) == seed


def test_a_damaged_file_is_no_seed(seeds, tmp_path):
    seed = saved(seeds)
    next((tmp_path / "seeds").iterdir()).write_bytes(b"\xff" * 64)

    assert seeds.of(DAY, commitment(seed)) == seed


def test_the_file_of_an_earlier_version_is_the_seed_of_its_day_still(seeds, tmp_path):
    seed = new_seed()
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / f"{DAY}.1.seed").write_text(seed.hex() + "\n")

    assert seeds.of(DAY, commitment(seed)) == seed


@pytest.mark.parametrize("place", ["seeds", "copy"])
def test_a_place_that_takes_nothing_refuses_the_day_and_leaves_nothing(seeds, tmp_path, place):
    (tmp_path / place).write_text("a file where a folder should be")

    with pytest.raises(SeedNotKept, match=r"la semilla del día no se pudo guardar"):
        saved(seeds)
    assert not [*tmp_path.rglob("*.seed")]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_write_to_takes_no_seed(seeds, tmp_path, mode):
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy").chmod(mode)

    with pytest.raises(SeedNotKept, match=r"otros usuarios pueden escribir"):
        saved(seeds)
    assert not [*tmp_path.rglob("*.seed")]


def test_a_folder_in_whose_place_others_can_put_another_takes_none_either(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)

    with pytest.raises(SeedNotKept, match=r"otros usuarios pueden escribir"):
        saved(Seeds(tmp_path / "seeds", tmp_path / "open" / "copy"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
def test_a_folder_of_another_user_takes_none(seeds, tmp_path):
    (tmp_path / "copy").mkdir()
    os.chown(tmp_path / "copy", 20_003, -1)

    with pytest.raises(SeedNotKept, match=r"es de otro usuario"):
        saved(seeds)


# What lies there before


@pytest.mark.parametrize("name", [f"{DAY}.1.seed", f"{DAY}.1.{'0' * 64}.seed", f"{DAY}.x.seed"])
@pytest.mark.parametrize("where", ["seeds", "copy"])
def test_a_seed_that_lies_there_before_the_day_is_named(seeds, tmp_path, where, name):
    (tmp_path / where).mkdir()
    (tmp_path / where / name).write_text(PLANTED)

    assert seeds.found(DAY, nothing_opened) == tmp_path / where / name
    assert seeds.found("2026-11-19", nothing_opened) is None


def test_a_seed_in_the_copy_alone_is_named_also_under_its_right_name(seeds, tmp_path):
    saved(seeds)
    (only,) = (tmp_path / "seeds").iterdir()
    only.unlink()

    assert seeds.found(DAY, nothing_opened) == tmp_path / "copy" / only.name


def test_what_a_crash_left_before_the_record_had_it_keeps_no_day_closed(seeds):
    left = saved(seeds)

    assert seeds.found(DAY, nothing_opened) is None
    assert seeds.of(DAY, commitment(new_seed())) is None, "and nobody uses it"
    seeds.forget(DAY, 1, left)
    assert seeds.of(DAY, commitment(left)) is None


def test_the_seed_of_a_day_on_record_is_no_stranger_whatever_the_day_is_called_now(seeds, tmp_path):
    seed = new_seed()
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / f"{DAY}.1.seed").write_text(seed.hex())

    assert seeds.found(DAY, lambda: {commitment(seed)}) is None
    assert seeds.found(DAY, lambda: {commitment(new_seed())}) is not None


def test_what_is_no_file_is_named_and_not_waited_for(seeds, tmp_path):
    (tmp_path / "copy").mkdir()
    os.mkfifo(tmp_path / "copy" / f"{DAY}.1.seed")

    assert seeds.found(DAY, nothing_opened) == tmp_path / "copy" / f"{DAY}.1.seed"
    assert seeds.of(DAY, "0" * 64) is None


def test_a_link_to_a_seed_is_none(seeds, tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "chosen").write_text(PLANTED)
    (tmp_path / "copy" / f"{DAY}.1.seed").symlink_to(tmp_path / "chosen")

    assert seeds.found(DAY, nothing_opened) is not None
    assert seeds.of(DAY, commitment(bytes.fromhex(PLANTED))) is None
