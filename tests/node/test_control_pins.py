"""PINs at the control socket: nobody guesses one for nothing, and whoever guesses keeps nobody else waiting."""

import threading
import time

import msgspec
import pytest
import zmq
from argon2 import PasswordHasher

from controller.core import inputs as ask
from controller.node.book import pins
from controller.node.control.client import Client, asking, doing, new_id
from controller.node.control.door import UnderstoodRequest, read
from controller.node.control.pins import MOST_OF_CLIENT, PinDesk
from controller.node.vocabulary.protocol import Deed, Pin, Reply
from support.node import ctl_engine
from support.node.ctl_engine import signs

pytestmark = pytest.mark.process

WORTH = 10_000_000


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def tried(monkeypatch):
    """Every PIN that is really tried; right is what stands in `ctl_engine.PINS`."""
    log = []
    right = {ctl_engine.verifier(person): pin for person, pin in ctl_engine.PINS.items()}
    monkeypatch.setattr(pins, "is_right", lambda verifier, pin: log.append(pin) or right.get(verifier) == pin)
    return log


def failures(node, person):
    return node.book.state.people[person].failures


def order(by, second=None):
    asked = ask.ClearSuspense("M1", "x", None, None) if second else ask.PayOwed("M1", 1, None)
    made = read(msgspec.json.encode(asking(asked, by, second)))
    assert isinstance(made, UnderstoodRequest)
    return made


def test_a_pin_guessed_under_one_id_locks_the_person_and_is_tried_no_more(node, tried):
    id_ = new_id()
    with Client(node.control_folder) as client:
        assert client.ask(asking(ask.PayOwed("M1", 1, None), signs("jefa"), id_=id_)).trouble.reason == "nothing_there"
        for number in range(5):
            guess = client.ask(asking(ask.PayOwed("M1", 1, None), Pin("jefa", f"00000{number}"), id_=id_))
            assert guess.trouble.reason == "pin_wrong"
        assert failures(node, "jefa") == 5
        before = len(tried)
        for pin in ("000009", "555555", "555555"):
            for again in (id_, new_id()):
                locked = client.ask(asking(ask.PayOwed("M1", 1, None), Pin("jefa", pin), id_=again))
                assert locked.trouble.reason == "person_locked"
        assert len(tried) == before


def test_whoever_is_unlocked_signs_again(node):
    with Client(node.control_folder) as client:
        for _ in range(5):
            client.ask(asking(ask.Lock("M1"), signs("carla", "000000")))
        assert client.ask(asking(ask.UnlockPerson("carla", None), signs("jefe"))).ok
        assert client.ask(doing(Deed.UNLOCK, signs("carla"), table="M1")).ok


@pytest.mark.parametrize("by", [Pin("nadie", "111111"), Pin("jefe", "000000"), Pin("jefe", "x")])
def test_a_second_pin_is_not_tried_where_the_first_proves_nothing(node, tried, by):
    with Client(node.control_folder) as client:
        client.ask(asking(ask.ClearSuspense("M1", "x", None, None), by, signs("jefa")))

    assert "555555" not in tried


def test_a_wrong_second_pin_counts_whatever_else_is_refused(node):
    """By somebody whose role is not enough, and in a message that no record would hold."""
    with Client(node.control_folder) as client:
        for reason in ("x", "y" * 140_000):
            wrong = asking(ask.ClearSuspense("M1", reason, None, None), signs("carla"), signs("jefa", "000000"))
            assert client.ask(wrong).trouble.reason == "pin_wrong"

    assert failures(node, "jefa") == 2


def test_no_new_pin_is_made_for_whoever_proves_nothing(node, monkeypatch):
    made = []
    monkeypatch.setattr(pins, "verifier_of", lambda pin: made.append(pin) or "v")
    told = {"person": "eva", "name": "Eva", "roles": ("croupier",), "new_pin": "121212"}
    with Client(node.control_folder) as client:
        for by, second in (("000000", None), (None, "000000")):
            wrong = doing(Deed.ENROL, signs("ana", by), signs("luis", second), **told)
            assert client.ask(wrong).trouble.reason == "pin_wrong"

    assert not made


def test_one_pin_of_a_person_is_tried_at_a_time_and_no_client_fills_the_desk():
    desk = PinDesk(lambda *_: None)  # nobody works at it
    desk.people({**dict.fromkeys(map(str.lower, "ABCDEFGH"), "v"), "carla": "w"})

    assert desk.try_later(1, b"one", order(Pin("carla", "111111")))
    assert not desk.try_later(2, b"two", order(Pin("carla", "222222"))), "a guess waits for the one before"
    assert desk.try_later(3, b"two", order(Pin("carla", "111111"))), "the same PIN is tried once"
    assert not desk.try_later(4, b"two", order(Pin("a", "111111"), Pin("carla", "222222")))
    taken = [desk.try_later(person, b"flood", order(Pin(person, "111111"))) for person in "abcdefgh"]
    assert taken.count(True) == MOST_OF_CLIENT
    assert desk.try_later("h", b"other", order(Pin("h", "111111")))


def test_five_who_guess_keep_nobody_else_waiting(node):
    with zmq.Context() as context, Client(node.control_folder) as client:
        guessing = [context.socket(zmq.DEALER) for _ in range(5)]
        for made in guessing:
            made.setsockopt(zmq.LINGER, 0)
            made.connect(f"ipc://{node.control_folder}/commands")
        stop = time.monotonic() + 2.5
        flood = threading.Thread(target=guess_until, args=(stop, guessing))
        flood.start()
        time.sleep(0.3)
        started = time.monotonic()

        assert client.ask(asking(ask.Lock("M1"), signs("carla"))).trouble.reason == "pass_not_open"
        took = time.monotonic() - started
        flood.join()
        for made in guessing:
            made.close()
    assert took < 2.0
    assert failures(node, "ana") == 5


def guess_until(stop, sockets):
    number = 0
    while time.monotonic() < stop:
        for made in sockets:
            for _ in range(8):
                number += 1
                made.send(msgspec.json.encode(asking(ask.PayOwed("M1", 1, None), Pin("ana", f"{number:06d}"))))
        time.sleep(0.02)


@pytest.mark.parametrize(
    "told",
    [
        {"ask": {"ask": "lock", "table": "M1"}, "by": {"person": "444444", "pin": "333333"}},
        {"ask": {"ask": "unlock_person", "person": "444444"}, "by": {"person": "jefe", "pin": "444444"}},
        {"do": "unlock", "table": "M1", "by": {"person": "444444", "pin": "carla"}},
        {"ask": {"ask": "clear_suspense", "table": "M1", "reason": "x"}, "by": {"person": "jefe", "pin": "444444"}, "second": {"person": "555555", "pin": "x"}},
    ],
)  # fmt: skip
def test_a_pin_typed_for_a_name_stops_at_the_door_and_is_not_repeated(told):
    answer = read(msgspec.json.encode({"v": 1, "id": "0" * 32, **told}))

    assert isinstance(answer, Reply) and answer.trouble.reason == "person_is_a_pin"
    assert "444444" not in str(answer) and "555555" not in str(answer)


@pytest.mark.parametrize("table", ["~M1", "a/b", " M1", "x" * 65])
def test_a_deed_names_a_table_that_can_be_one(table):
    told = {"do": "unlock", "table": table, "by": {"person": "carla", "pin": "333333"}}

    assert read(msgspec.json.encode({"v": 1, "id": "0" * 32, **told})).trouble.where == "table"


def test_a_verifier_is_small_and_one_of_before_still_verifies():
    assert "m=19456,t=2,p=1" in pins.verifier_of("123456")
    old = PasswordHasher(time_cost=1, memory_cost=65_536, parallelism=4).hash("123456")
    assert pins.is_right(old, "123456") and not pins.is_right(old, "123457")
