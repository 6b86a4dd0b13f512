"""Who can write where seeds lie, and who opens days in a hurry: no seed of a day is chosen, and none is left behind (R-30)."""

import hashlib

import pytest

from controller.core.values import Signature
from controller.node.book.seeds import Seeds
from controller.node.vocabulary.protocol import Deed
from support.node.engine_days import close_day
from support.node.node_process import JEFE as CHIEF
from support.node.node_process import casino, founded, today
from support.node.node_stand import Stand

CARLA, JEFE, JEFA = (Signature(name) for name in ("carla", "jefe", "jefa"))
DAY = "2026-11-02"
CHOSEN = b"B" * 32


@pytest.fixture
def stand(tmp_path):
    stand = Stand(tmp_path / "node")
    close_day(stand)
    yield stand
    stand.close()


def left(stand):
    return sorted(stand.folder.rglob("*.seed"))


def opened(stand, day=DAY, by=JEFE, **told):
    return stand.reply(do=Deed.OPEN_DAY, day=day, signed=[by], **told)


@pytest.mark.parametrize(
    ("day", "by", "why"),
    [
        ("2062-11-19", JEFE, "day_far"),
        ("z" * 64, JEFE, "day_no_date"),
        ("2026-11-01", JEFE, "day_out_of_order"),
        (DAY, CARLA, "role_missing"),
        (DAY, Signature("jefe", verified=False), "pin_wrong"),
    ],
)
def test_an_open_day_that_is_refused_leaves_no_seed(stand, day, by, why):
    assert opened(stand, day, by).trouble.reason == why
    assert not left(stand)


def test_two_chiefs_who_open_at_once_leave_one_seed(stand):
    for _ in range(2):
        stand.asks(do=Deed.OPEN_DAY, day=DAY, signed=[JEFE])
    stand.turn()

    assert sorted(reply.ok for reply in stand.replies[-2:]) == [False, True]
    (only,) = left(stand)
    assert stand.book.state.day.commitment in only.name


def test_a_day_that_is_opened_in_the_very_turn_of_the_close_is_never_without_a_seed(stand):
    assert opened(stand).ok
    stand.asks(do=Deed.CLOSE_DAY, signed=[JEFE])
    stand.asks(do=Deed.OPEN_DAY, day="2026-11-03", signed=[JEFE])
    stand.turn()

    day = stand.book.state.day
    assert day is None or stand.seeds.of(day.first_name, day.commitment) is not None


@pytest.mark.parametrize("name", [f"{DAY}.1.seed", f"{DAY}.1.{'0' * 64}.seed", f"{DAY}.\n{'x' * 200}.seed"])
def test_a_planted_seed_is_on_record_and_the_day_waits_until_it_is_gone(stand, name):
    own = stand.folder / "seeds"
    own.mkdir()
    (own / name).write_text(CHOSEN.hex())
    reply = opened(stand)

    assert (reply.trouble.reason, reply.trouble.rule) == ("seed_found", "R-30")
    assert name.replace("\n", "\\n") in reply.trouble.message and "técnico" in reply.trouble.message
    assert stand.kinds()[-1] == "refused", "the auditor sees it"
    (own / name).unlink()
    assert opened(stand).ok and len(left(stand)) == 1


def test_a_node_that_is_killed_between_the_file_and_the_record_opens_its_day_after_all(stand):
    left_over = Seeds(stand.folder / "seeds")
    left_over.save(DAY, 1, CHOSEN)

    assert opened(stand).ok
    assert stand.book.state.day.commitment != hashlib.sha256(CHOSEN).hexdigest()


def test_a_client_that_brings_the_same_number_every_day_opens_one(stand):
    nonce = "0" * 64
    assert opened(stand, nonce=nonce).ok
    assert stand.reply(do=Deed.CLOSE_DAY, signed=[JEFE]).ok
    stand.millis += 86_400_000

    assert opened(stand, "2026-11-03", nonce=nonce).trouble.reason == "nonce_used"
    assert opened(stand, "2026-11-03", nonce="").trouble.reason == "nonce_wrong"


@pytest.mark.process
def test_who_writes_to_the_copy_of_a_running_node_chooses_nothing(tmp_path):
    """The attack of the report: `dia abrir` took the seed that lay in the copy, and its commitment was of it."""
    founded(tmp_path)
    with casino(tmp_path, more='[seeds]\ncopy = "copy"\n') as place:
        planted = place.place / "copy" / f"{today()}.1.seed"
        planted.parent.mkdir()
        planted.write_text(CHOSEN.hex())
        node = place.start()
        node.ready()
        reply = node.do(Deed.OPEN_DAY, CHIEF, day=today())

        assert not reply.ok and reply.trouble.reason == "seed_found", reply
        assert str(planted) in reply.trouble.message
        planted.unlink()
        assert node.do(Deed.OPEN_DAY, CHIEF, day=today()).ok
        (own,), (copy,) = (sorted((place.place / where).glob("*.seed")) for where in ("folder/seeds", "copy"))
        assert own.name == copy.name and own.read_bytes() == copy.read_bytes()
        assert own.read_text().strip() != CHOSEN.hex()
