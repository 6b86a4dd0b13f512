"""`pozo found`: two administrators make a node that can be started, or nothing at all."""

import subprocess
import sys

import pytest

from controller.core.values import Role
from controller.node.book.book import key_of, open_book, record_of
from controller.node.book.founding import Administrator, FoundingRefused, Member, found
from controller.node.settings.settings import read_node
from controller.node.store.failure import StoreRefused
from support.node.node_process import START, _write

FOUND = "from controller.cli.node import found; found()"
ANA, LUIS = Administrator("ana", "Ana", "111111"), Administrator("luis", "Luis", "222222")


@pytest.fixture
def node(tmp_path):
    _write(tmp_path, "")
    return read_node(tmp_path / "node.toml")


def test_a_founded_node_has_its_people_and_its_plan_in_force(node):
    found(node, (ANA, LUIS), [Member("carla", "Carla", (Role.CROUPIER,), "333333")], START)

    book = open_book(node)
    state, people = book.state, book.store.people()
    book.close()
    assert {name: person.roles for name, person in state.people.items()} == {
        "ana": (Role.ADMINISTRATOR,), "luis": (Role.ADMINISTRATOR,), "carla": (Role.CROUPIER,),
    }  # fmt: skip
    assert {person.id for person in people} == {"ana", "luis", "carla"}
    assert [*state.tables] == ["DP-01"]
    assert record_of(node.folder).stat().st_mode & 0o077 == 0


def test_nothing_is_founded_twice(node):
    found(node, (ANA, LUIS), [], START)

    with pytest.raises(StoreRefused, match="ya hay un registro"):
        found(node, (ANA, LUIS), [], START)
    open_book(node).close()


@pytest.mark.parametrize(
    ("administrators", "people"),
    [
        ((ANA, ANA), []),
        ((ANA, Administrator("Ana", "Otra", "222222")), []),
        ((ANA, Administrator("luis", "ÁNA", "222222")), []),
        ((ANA, LUIS), [Member("an-a", "Otra", (Role.CROUPIER,), "333333")]),
        ((ANA, LUIS), [Member("ana", "Ana", (Role.ADMINISTRATOR, Role.CROUPIER), "333333")]),
        ((ANA, Administrator("no such name", "x", "222222")), []),
        ((ANA, LUIS), [Member("eva", "Eva", (Role.AUDITOR, Role.CROUPIER), "333333")]),
        ((ANA, LUIS), [Member("eva", "", (Role.CROUPIER,), "333333")]),
    ],
)
def test_a_refused_founding_leaves_no_record(node, administrators, people):
    with pytest.raises(FoundingRefused):
        found(node, administrators, people, START)

    assert not [*node.folder.glob("node.db*")]
    found(node, (ANA, LUIS), [], START)
    assert key_of(node.folder).exists()


def command(node, *arguments, pins):
    return subprocess.run(
        [sys.executable, "-c", FOUND, str(node.file), *arguments],
        input=pins, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


PEOPLE = ("--administrator", "ana", "Ana", "--administrator", "luis", "Luis", "--person", "jefe", "Jefe", "chief")


@pytest.mark.process
def test_the_command_reads_pins_and_says_how_to_start(node):
    done = command(node, *PEOPLE, pins="111111\n222222\n333333\n")

    assert done.returncode == 0 and "pozo node" in done.stdout
    assert "111111" not in done.stdout + done.stderr


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "pins"),
    [
        (PEOPLE[:3], "111111\n"),
        (PEOPLE, "111111\n222\n333333\n"),
        ((*PEOPLE[:-1], "king"), "111111\n222222\n333333\n"),
    ],
)
def test_a_command_called_wrongly_founds_nothing(node, arguments, pins):
    assert command(node, *arguments, pins=pins).returncode == 2
    assert not record_of(node.folder).exists()
