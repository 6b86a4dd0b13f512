"""What neighbours say in the running engine: behind devices and persons, each once, told on after the commit."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import LetterHeard, LinkSeen, NeighbourStopped, PassClosed
from controller.core.links.letters import VERSION, PassOver, hash_of
from controller.core.values import Broken, Device, Mark, Side
from controller.node.book.book import Answer
from controller.node.engine.letters import MOST_BESIDE_TABLES
from controller.node.engine.told import LinksTold
from controller.node.publish.show import VIEW_EVERY
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.inbox import FromNeighbour, LinkBroken, LinkChanged, Stop
from support.core.book_cases import ANA, CARLA, LUIS
from support.node.node_stand import Stand

REPORT = ask.SeatReport("M1", 1, Device(77, 1, 1))


@pytest.fixture
def told():
    return []


@pytest.fixture
def stand(tmp_path, told):
    links = LinksTold(lambda state, facts, _seq: told.append((state, list(facts))), told.append, told.append)
    stand = Stand(tmp_path / "node", links=links)
    stand.client.say(ask.PinNeighbour("norte", Side.BELOW, "ab" * 32, ANA, LUIS))
    stand.turn()
    stand.inbox.put(LinkChanged("norte", up=True))
    stand.turn()
    stand.log.clear()
    told.clear()
    yield stand
    stand.close()


def letters(first, last, hash_="", neighbour="norte", stream="to:nodo1"):
    """Of nobody's table: each is taken, and put in dispute."""
    said = []
    for number in range(first, last + 1):
        letter = PassOver("chico", "M9", number, reviewed=True)
        mark = Mark(1, number, "")
        mark = Mark(1, number, hash_of(neighbour, stream, VERSION, mark, hash_, letter))
        said.append(ask.HearLetter(neighbour, stream, mark, hash_, VERSION, letter))
        hash_ = mark.hash
    return tuple(said)


def batch(said):
    return FromNeighbour("norte", "to:nodo1", said)


def commits(stand):
    return [kinds for what, *rest in stand.log if what == "commit" for kinds in rest]


def test_letters_share_a_commit_with_devices_and_persons_and_go_last(stand):
    stand.inbox.put(batch(letters(1, 2)))
    stand.floor.rounds = [[REPORT]]
    stand.asks(ask.OpenPass("M1", CARLA))

    stand.turn()

    first = commits(stand)[0]
    assert first[:2] == ["device_adopted", "pass_opened"] and first.count("letter_heard") == 2
    assert first.index("letter_heard") > 1 and stand.book.state.heard["norte/to:nodo1"].number == 2


def test_a_week_of_letters_does_not_hold_up_a_press(stand):
    stand.inbox.put(batch(letters(1, 200)))
    stand.turn()
    stand.floor.rounds = [[REPORT]]
    stand.turn()

    one, two = commits(stand)
    assert one.count("letter_heard") == two.count("letter_heard") == MOST_BESIDE_TABLES
    assert two[0] == "device_adopted", "before the letters that waited already"
    for _ in range(6):
        stand.turn()
    assert stand.book.state.heard["norte/to:nodo1"].number == 200


def test_a_letter_that_comes_twice_is_heard_once(stand):
    said = letters(1, 3)
    for _ in range(2):
        stand.inbox.put(batch(said))
        stand.turn()

    assert sum(isinstance(fact, LetterHeard) for fact in stand.facts()) == 3


def test_links_hear_of_a_commit_after_the_replies_with_the_state_after_it(stand, told):
    stand.inbox.put(batch(letters(1, 1)))
    order = []
    stand.log.clear()
    stand.asks(ask.OpenPass("M1", CARLA))
    before = len(told)
    stand.turn()

    (state, facts), *rest = told[before:]
    order = [one[0] for one in stand.log]
    assert order[:2] == ["commit", "reply"] and state is stand.book.state
    assert {type(fact).__name__ for fact in facts} >= {"PassOpened", "LetterHeard"} and not rest


def test_a_pass_of_a_neighbour_stands_in_its_own_journal_and_not_in_ours(stand):
    away, here = (PassClosed(table, 1, "", "chico", None, reviewed=True) for table in ("M1@norte", "M1"))
    stand.show.changed([Answer(OutcomeKey("norte/to:nodo1", 1, 1), 700, (away, here))])
    stand.turn(VIEW_EVERY)

    lines = [call.kwargs for call in stand.journal.calls if call.args[0] == "fact"]
    assert [line["fact"] for line in lines if line["kind"] == "pass_closed"] == [701]


def test_a_link_that_comes_and_goes_is_on_record_at_its_changes(stand):
    for up in (True, False, False, True):
        stand.inbox.put(LinkChanged("norte", up))
        stand.turn()

    seen = [fact.up for fact in stand.facts() if isinstance(fact, LinkSeen)]
    assert seen == [True, False, True]
    stand.turn(VIEW_EVERY)
    assert [one.up for one in stand.control.views[-1].neighbours] == [True]


def test_a_neighbour_that_contradicts_itself_is_stopped_and_its_letters_fall_away(stand):
    stand.inbox.put(LinkBroken("norte", "to:nodo1", Broken.ROLLED_BACK, Mark(1, 0, "")))
    stand.turn()
    stand.inbox.put(batch(letters(1, 5)))
    stand.turn()
    stand.turn(VIEW_EVERY)

    assert [type(fact) for fact in stand.facts()][-1] is NeighbourStopped
    assert "heard" not in stand.kinds() and "refused" not in stand.kinds()
    view = stand.control.views[-1]
    assert view.neighbours[0].stopped[0].why is Broken.ROLLED_BACK
    assert any("norte" in alarm.sentence for alarm in view.alarms)


def test_when_two_persons_accepted_it_is_heard_where_it_says(stand):
    """What was refused, or under way, when it was stopped does not stand in the way."""
    forged = letters(1, 3)
    good = letters(1, 1)
    wrong = ask.HearLetter("norte", "to:nodo1", Mark(1, 2, "0" * 64), forged[0].mark.hash, VERSION, forged[1].letter)
    stand.inbox.put(batch((*good, wrong, forged[2])))
    stand.turn()
    stopped = stand.book.state.neighbours["norte"].stopped["to:nodo1"]
    assert stopped.why is Broken.FORK

    stand.client.say(ask.AcceptNeighbour("norte", "to:nodo1", stopped.said, "revisado", ANA, LUIS))
    stand.inbox.put(batch(letters(1, 3)))
    stand.turn()

    assert stand.book.state.heard["norte/to:nodo1"].number == 3


def test_a_node_that_stops_takes_no_more_letters(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.inbox.put(batch(letters(1, 60)))
    stand.engine.run()

    assert "norte/to:nodo1" not in stand.book.state.heard
