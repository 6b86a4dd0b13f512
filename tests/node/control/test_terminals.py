"""Who is believed which terminal he speaks for, and what a liar has of inventing them; in virtual time."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.values import MOST_TERMINALS, TerminalUse
from controller.node.control.client import asking, by_ticket, doing
from controller.node.control.door import read
from controller.node.control.peers import Peer
from controller.node.control.proofs import NOT_PROVEN, ProofDesk
from controller.node.vocabulary.house import TerminalNow
from controller.node.vocabulary.proof import ticket_key
from controller.node.vocabulary.protocol import VERSION, Deed, Reply, Ticket
from drivers.session import SECOND
from support.node import ctl_engine
from support.node.ctl_engine import PINS, salted, signing, signs, verifier
from support.places import ROOT

WEB, STRANGER = 20_001, 20_002
HOUR = 3_600 * SECOND
LET_IN = tuple(f"consola-{number}" for number in range(10))
WRONG = "000000"


@pytest.fixture
def desk():
    """Of a node whose settings name the user WEB."""
    desk = ProofDesk("nodo1", 1, ctl_engine.PEPPER, WEB)
    desk.people({person: verifier(person) for person in PINS})
    desk.terminals(browsers({terminal: f"key of {terminal}" for terminal in LET_IN}))
    return desk


def browsers(keys):
    return [TerminalNow(name, TerminalUse.TABLE, key, "M1") for name, key in keys.items()]


def look(desk, user, terminal, now, pin=WRONG, person="carla"):
    """Whether the PIN was right; nothing, where it was not looked at."""
    asked = asking(ask.Lock("M1", None), signs(person, pin))
    asked = asked._replace(request=replace(asked.request, terminal=terminal))
    looked = desk.look_at(read(ctl_engine.proven(asked)), Peer(user, 1), now, 0)
    return getattr(looked, "by", None)


def in_an_hour(desk, user, terminals):
    """How many wrong PINs of one person are looked at where he tries again and again at each terminal of these."""
    return sum(
        look(desk, user, terminal, second * SECOND) is False
        for second in range(0, 3_600, 60 if len(terminals) > 1 else 1)
        for terminal in terminals
    )


def test_each_terminal_of_who_is_believed_is_counted_by_itself(desk):
    for _ in range(3):
        assert look(desk, WEB, "consola-1", 0) is False
    assert look(desk, WEB, "consola-1", 0, PINS["carla"]) is None

    assert look(desk, WEB, "consola-2", 0, PINS["carla"]) is True
    assert look(desk, WEB, "", 0, PINS["carla"]) is True, "and who says none is one of them"
    assert look(desk, WEB, "consola-1", 0, PINS["carla"]) is None, "what is right elsewhere ends no wait here"


@pytest.mark.parametrize("names", [1, 30])
def test_whoever_is_not_believed_has_nothing_of_inventing_terminals(desk, names):
    """Fifteen in the first hour, as without any."""
    assert in_an_hour(desk, STRANGER, [f"consola-{number}" for number in range(names)]) == 15
    assert look(desk, STRANGER, "another", HOUR, PINS["carla"]) is None
    assert look(desk, WEB, "another", HOUR, PINS["carla"]) is True, "and nobody else waits for it"


def test_a_node_that_nobody_told_believes_nobody():
    desk = ProofDesk("nodo1", 1, ctl_engine.PEPPER)
    desk.people({person: verifier(person) for person in PINS})
    for number in range(3):
        assert look(desk, WEB, f"consola-{number}", 0) is False

    assert look(desk, WEB, "consola-9", 0) is None


def test_who_is_believed_and_lies_has_so_many_guesses_an_hour_and_no_more(desk):
    """docs/operators/security.md: 15 of one person at each terminal that was let in, and at all others as one."""
    looked_at = in_an_hour(desk, WEB, [*LET_IN, *(f"inventada-{number}" for number in range(30))])

    assert looked_at == 15 * (len(LET_IN) + 1) == 165


def test_r36_a_terminal_that_nobody_let_in_is_none_and_one_that_is_taken_away_no_more(desk):
    for number in range(3):
        assert look(desk, WEB, f"inventada-{number}", 0) is False
    assert look(desk, WEB, "inventada-9", 0, PINS["carla"]) is None
    assert look(desk, WEB, "consola-1", 0, PINS["carla"]) is True

    desk.terminals(browsers({"consola-2": "key of consola-2"}))
    assert look(desk, WEB, "consola-1", 0, PINS["carla"]) is None
    assert look(desk, WEB, "consola-2", 0, PINS["carla"]) is True


def test_r36_every_terminal_that_there_can_be_is_counted_by_itself():
    desk = ProofDesk("nodo1", 1, ctl_engine.PEPPER, WEB)
    desk.people({person: verifier(person) for person in PINS})
    names = [f"t{number}" for number in range(MOST_TERMINALS)]
    desk.terminals(browsers(dict.fromkeys(names, "key")))
    for name in names[:-1]:
        for _ in range(3):
            assert look(desk, WEB, name, 0) is False

    assert look(desk, WEB, names[-1], 0, PINS["carla"]) is True
    assert look(desk, WEB, "", 0, PINS["carla"]) is True


@pytest.mark.parametrize(
    ("user", "key", "lasts"),
    [(WEB, "another", False), (WEB, "", False), (WEB, "key of consola-1", True), (STRANGER, "", True)],
)
def test_r36_a_ticket_ends_with_its_terminal(desk, user, key, lasts):
    """Taken away, or with another key; of who is no relay the terminal is a word that he says."""
    wanted = doing(Deed.SIGN_IN, signs("carla"), table="M1", terminal="consola-1")
    peer = Peer(user, 1)
    looked = desk.look_at(read(ctl_engine.proven(wanted)), peer, 0, 0)
    number = desk.signed_in(looked.ticket, Reply(VERSION, wanted.id, True), 0).ticket
    made = ticket_key(signing(signs("carla"), salted("carla")), number)
    ticket = Ticket("carla", "consola-1", "M1", number, made, "nodo1", 1)
    said = read(by_ticket(asking(ask.Lock("M1", None), ticket), ticket))
    assert desk.look_at(said, peer, 0, 0).by

    desk.terminals(browsers({"consola-1": key} if key else {}))
    assert (desk.look_at(said, peer, 0, 0) != NOT_PROVEN) is lasts


def test_both_who_sign_are_counted_where_they_stand(desk):
    asked = asking(ask.ClearSuspense("M1", "x", None, None), signs("jefe"), signs("jefa", WRONG))
    asked = asked._replace(request=replace(asked.request, terminal="consola-1"))
    for _ in range(3):
        assert not desk.look_at(read(ctl_engine.proven(asked)), Peer(WEB, 1), 0, 0).second

    assert look(desk, WEB, "consola-1", 0, PINS["jefa"], "jefa") is None
    assert look(desk, WEB, "consola-2", 0, PINS["jefa"], "jefa") is True


def test_the_figures_of_the_page():
    """Of a terminal: tests/node/test_guesses.py."""
    text = (ROOT / "docs/operators/security.md").read_text()
    ten, most = 11, MOST_TERMINALS + 1

    assert "15 guesses in the first hour and 107 a day of one person, 25 and 117 of all persons together" in text
    assert f"with ten of them {15 * ten} guesses in the first hour and {107 * ten:,} a day" in text
    assert f"{25 * ten:,} and {117 * ten:,} of all" in text
    assert f"holds {1_000_000 // 2 // (107 * ten) + 1} days on average" in text
    assert f"with all {MOST_TERMINALS} that there can be {1_000_000 // 2 // (107 * most) + 1} days" in text
