"""PINs of an earlier program under the pepper, and new ones where they are lost: the disk, the record, the auditor."""

import shutil

import pytest
from argon2 import PasswordHasher

from controller.core import inputs as ask
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key, KeyRefused
from controller.node.book.new_pins import NewPins, replace_pins, seal_verifiers
from controller.node.book.pins import Pepper, is_right, pepper_for, secret_of, stored_before, verifier_of
from controller.node.store.backup import back_up
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Pin
from support.core.book_cases import ANA, LUIS, START
from support.record.verifying import verify

OLD = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def key(tmp_path):
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture
def pepper(tmp_path):
    return Pepper.load_or_make(tmp_path / "pepper")


@pytest.fixture
def book(tmp_path, key):
    """With PINs as an earlier program kept them."""
    book = Book.create(tmp_path / "node.db", key, "nodo1", ("ana", "luis"), START)
    roles = {"ana": ("administrator",), "luis": ("administrator",), "jefe": ("chief",), "carla": ("croupier",)}
    for number, (person, role) in enumerate(roles.items()):
        verifier = OLD.hash(pin(person))
        asked = ask.EnrolPerson(person, person.title(), role, secret_of(verifier), ANA, LUIS, known=True)
        book.take([Asked(OutcomeKey("old", 1, number + 1), START + number, asked, verifier)])
    yield book
    book.close()


def verdict_on(record):
    with Reader.open(record) as reader, reader.moment():
        return verify(reader, None, lambda _: None)


def pin(person):
    return {"ana": "111111", "luis": "222222", "jefe": "444444", "carla": "333333"}[person]


def kept(book):
    return {row.id: row.verifier for row in book.store.people()}


def test_what_an_earlier_program_kept_is_sealed_once_and_the_pins_stay(book, pepper, tmp_path):
    assert seal_verifiers(book, pepper) and not seal_verifiers(book, pepper)

    for person, verifier in kept(book).items():
        assert verifier.startswith(f"$pozo2${pepper.name}$m=8,t=1,p=1$")
        assert is_right(verifier, person, pin(person), pepper) and not is_right(verifier, person, "000000", pepper)
        assert not is_right(verifier, "other", pin(person), pepper), "bound to its person"
        assert pepper.open(person, verifier).salted.salt.hex() not in verifier
    book.close()
    assert verdict_on(tmp_path / "node.db").is_good


def test_a_stolen_record_holds_nothing_that_a_pin_can_be_tried_with(book, pepper, tmp_path):
    """security.md 14: with the pepper each try tells; without it neither the record, nor a backup, nor what the facts
    of before say. On dc78732 a copy held an argon2 text of each person, to be tried as it is."""
    assert all(map(stored_before, kept(book).values()))
    seal_verifiers(book, pepper)
    back_up(tmp_path / "node.db", tmp_path / "stolen.db")
    verifiers = kept(book)
    salts = [pepper.open(person, verifier).salted.salt for person, verifier in verifiers.items()]
    book.close()

    thief = Pepper.fresh()
    assert not any(map(stored_before, verifiers.values()))
    assert not any(is_right(verifier, person, pin(person), thief) for person, verifier in verifiers.items())
    for stolen in (tmp_path / "node.db", tmp_path / "stolen.db"):
        text = stolen.read_bytes()
        assert b"$argon2id$" not in text
        assert not any(salt in text or salt.hex().encode() in text for salt in salts)
    assert not list(tmp_path.glob("*stolen*pepper*"))


@pytest.mark.parametrize("how", ["lost", "another", "damaged", "open"])
def test_a_pepper_that_is_not_the_one_is_never_made_good_in_silence(book, pepper, tmp_path, how):
    seal_verifiers(book, pepper)
    place = tmp_path / "pepper"
    if how == "open":
        place.chmod(0o644)
    else:
        place.unlink()
    if how == "another":
        Pepper.load_or_make(place)
    if how == "damaged":
        place.touch(mode=0o600)

    with pytest.raises(KeyRefused, match="secreto de los PIN"):
        pepper_for(place, kept(book).values())
    assert place.exists() is (how != "lost")


def test_two_with_the_key_make_new_pins_and_it_stands_on_record(book, key, pepper, tmp_path):
    seal_verifiers(book, Pepper.fresh())
    replace_pins(book, key, pepper, NewPins((Pin("jefe", "454545"), Pin("ana", "121212")), "se perdió", START + 10_000))

    verifiers = kept(book)
    assert is_right(verifiers["ana"], "ana", "121212", pepper) and is_right(verifiers["jefe"], "jefe", "454545", pepper)
    assert not is_right(verifiers["luis"], "luis", pin("luis"), pepper), "he is enrolled anew by the two"
    with pytest.raises(StoreRefused, match="no puede hacer esto"):
        replace_pins(book, key, pepper, NewPins((Pin("ana", "454545"), Pin("carla", "121212")), "x", START + 20_000))
    book.close()
    assert verdict_on(tmp_path / "node.db").is_good


def test_new_pins_that_the_key_did_not_vouch_for_are_found(book, pepper, tmp_path):
    """Who can write the record and has no key; also who brings back an old fact at another instant."""
    other = tmp_path / "other"
    other.mkdir()
    seal_verifiers(book, pepper)
    shutil.copy(tmp_path / "node.db", other / "node.db")
    thief = Key.load_or_make(other / "node.key")
    replace_pins(book, thief, pepper, NewPins((Pin("luis", "454545"), Pin("ana", "121212")), "robo", START + 10_000))
    book.close()

    verdict = verdict_on(tmp_path / "node.db")
    assert not verdict.is_good and "la firma de los PIN nuevos no es de la llave" in verdict.wrong.why


def test_a_sealed_verifier_is_opened_by_its_pepper_alone(pepper):
    verifier = verifier_of("123456", "ana", pepper)

    assert "$m=19456,t=2,p=1$" in verifier and is_right(verifier, "ana", "123456", pepper)
    assert Pepper.fresh().open("ana", verifier) is None
    for strange in ("", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$A$A", verifier[:-1]):
        assert pepper.open("ana", strange) is None
