"""R-27, R-28: the days of a casino whose node has no tables, told to the owner of the pot when the last box has closed them."""

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import NodeStarted
from controller.core.links.letters import DayOver
from controller.core.state import State
from controller.core.values import Mark, Signature
from support.links.boxes import behind, next_day, over, plays
from support.links.evening import AT, BOX, CASINO, OWNER, POT, SECOND, TABLES, sealed, shared_plan
from support.links.months import end_day
from support.links.nodes import TWO, Node, Nodes
from support.links.stream import Stream
from support.record.verify_history import ruleset

FIRST, NEXT, LAST = "2026-11-01", "2026-11-02", "2026-11-03"


def told(nodes: Nodes, node: str = CASINO) -> list[tuple[str, str]]:
    """The days that a node told the owner, and what they were called before."""
    letters = (one.letter for one in nodes[node].told.get(f"to:{OWNER}", []))
    return [(one.day, one.was) for one in letters if isinstance(one, DayOver)]


def test_r27_the_day_is_over_when_the_last_box_that_plays_has_closed_it():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX)
    assert told(nodes) == []
    over(nodes, SECOND)

    assert told(nodes) == [(FIRST, "")]
    (day,) = (one.letter for one in nodes[CASINO].told[f"to:{OWNER}"] if isinstance(one.letter, DayOver))
    assert day.heard == nodes[OWNER].state.told[f"pot:{POT}"]
    assert nodes[OWNER].state.neighbours[CASINO].days == {POT: FIRST}


def test_r27_what_a_box_plays_meanwhile_belongs_to_the_day_that_is_not_over():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX)
    next_day(nodes, BOX)
    plays(nodes, BOX)
    assert told(nodes) == []
    over(nodes, SECOND)

    assert told(nodes) == [(FIRST, "")]


def test_r27_a_box_that_did_not_bet_since_its_last_day_is_not_waited_for():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)
    next_day(nodes, BOX, SECOND)
    plays(nodes, BOX)
    over(nodes, BOX)

    assert told(nodes) == [(FIRST, ""), (NEXT, "")]
    over(nodes, SECOND)
    assert told(nodes) == [(FIRST, ""), (NEXT, "")], "it is over already"


def test_r27_a_box_that_forgot_a_close_ends_both_days_in_their_order():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX)
    next_day(nodes, BOX)
    plays(nodes, BOX)
    over(nodes, BOX)
    assert told(nodes) == []
    over(nodes, SECOND)

    assert told(nodes) == [(FIRST, ""), (NEXT, "")]


def test_r28_a_box_whose_key_is_revoked_holds_up_nobodys_day():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    nodes[CASINO].must(ask.RevokeNeighbour(SECOND, "se quemó", **TWO))
    over(nodes, BOX)

    assert told(nodes) == [(FIRST, "")]


def test_r27_a_box_that_never_played_has_no_day_to_wait_for():
    nodes = behind()
    plays(nodes, BOX)
    over(nodes, BOX)

    assert told(nodes) == [(FIRST, "")]


def renamed(nodes: Nodes, box: str, day: str) -> None:
    nodes[box].must(ask.RenameDay(day, "se abrió tarde", **TWO))
    nodes.settle()


def test_r27_the_day_has_another_name_when_no_box_calls_it_so_any_more():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)
    nodes.tick(86_400_000)
    renamed(nodes, BOX, NEXT)
    assert told(nodes) == [(FIRST, "")]
    renamed(nodes, SECOND, NEXT)

    assert told(nodes) == [(FIRST, ""), (NEXT, FIRST)]
    assert nodes[OWNER].state.neighbours[CASINO].days == {POT: NEXT}


def test_r27_another_name_for_a_day_that_is_still_on_above_is_told_with_its_end():
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX)
    nodes.tick(86_400_000)
    renamed(nodes, BOX, NEXT)
    over(nodes, SECOND)

    assert told(nodes) == [(FIRST, ""), (NEXT, "")], "no bet came from either since"


def then(node: Node, writer: str) -> Stream:
    """Somebody who goes on telling a box's letters in its name."""
    stream = Stream(writer, f"to:{node.name}")
    stream.mark = node.state.heard[f"{writer}/{stream.name}"]
    return stream


def test_r27_a_box_that_lies_about_its_date_spoils_one_day_and_not_the_century():
    nodes = behind()
    sol = nodes[CASINO]
    plays(nodes, BOX, SECOND)
    box = then(sol, SECOND)
    sol.hear(box.next(DayOver(POT, "2099-01-01", Mark(0, 0, ""))))
    over(nodes, BOX)
    assert told(nodes) == [(FIRST, "")]
    sol.hear(box.next(DayOver(POT, "2026-10-01", Mark(0, 0, ""))))
    sol.hear(box.next(DayOver(POT, "2098-01-01", Mark(0, 0, ""), "2098-12-31")))
    next_day(nodes, BOX)
    plays(nodes, BOX)
    over(nodes, BOX)

    assert told(nodes) == [(FIRST, ""), (NEXT, "")]


def test_r27_another_name_from_far_ahead_is_not_told_on():
    nodes = behind()
    plays(nodes, BOX)
    over(nodes, BOX)
    sol = nodes[CASINO]
    sol.hear(then(sol, BOX).next(DayOver(POT, "2099-01-01", Mark(0, 0, ""), FIRST)))

    assert told(nodes) == [(FIRST, "")] and sol.state.neighbours[OWNER].days == {POT: FIRST}


def test_r27_where_people_open_a_day_they_close_it_and_no_box_does():
    nodes = behind()
    nodes[CASINO].open_day()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)
    assert told(nodes) == []
    nodes[CASINO].close_day()
    nodes.settle()

    assert told(nodes) == [(FIRST, "")]


def test_r27_a_node_with_a_table_closes_its_own_day():
    nodes = Nodes(OWNER, CASINO, BOX)
    nodes.people()
    nodes.link(CASINO, OWNER)
    nodes.link(BOX, CASINO, inside=True)
    nodes[OWNER].stage(shared_plan(tables=TABLES), ruleset())
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
    sealed(nodes[BOX], 1)
    nodes[BOX].must(ask.ClosePass(AT[BOX], Signature("eva")))
    nodes.settle()
    assert end_day(nodes[CASINO])
    nodes.settle()
    assert told(nodes) == [(FIRST, "")]
    assert end_day(nodes[BOX])
    nodes.settle()

    assert told(nodes) == [(FIRST, "")]


def test_r27_of_a_pot_of_its_own_a_node_in_the_middle_tells_nobody():
    nodes = Nodes(OWNER, BOX)
    nodes.people()
    nodes.link(BOX, OWNER, inside=True)
    nodes[OWNER].stage(shared_plan(tables=(("CP-01", "mar", "caribbean_plus", BOX),)), ruleset())
    nodes.settle()
    nodes[BOX].open_day()
    assert end_day(nodes[BOX])
    nodes.settle()

    assert nodes[OWNER].state.neighbours[BOX].days == {POT: FIRST}
    assert not any(stream.startswith("to:") for stream in nodes[OWNER].told)


def of_the_second_list(state: State) -> State:
    return replace(state, tells=2)


def test_r28_a_record_that_tells_by_the_second_list_goes_on_by_it_until_its_next_start():
    nodes = behind()
    sol = nodes[CASINO]
    sol.book.state = of_the_second_list(sol.book.state)
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)
    assert told(nodes) == [] and sol.state.neighbours[BOX].days == {}
    (started, *_) = sol.must(ask.StartNode("ab" * 32, "2f1c0d3e-0000-4000-8000-000000000000"))
    assert isinstance(started, NodeStarted) and started.tells == 4
    for link in nodes.links:
        if CASINO in link:
            nodes.see(*link, up=True)
    next_day(nodes, BOX, SECOND)
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)

    assert told(nodes) == [(NEXT, "")]


def test_r27_the_letters_of_the_day_stand_before_its_end():
    """What a box tells behind its close is of the next day, and so it is for its casino."""
    nodes = behind()
    plays(nodes, BOX, SECOND)
    over(nodes, BOX, SECOND)
    next_day(nodes, BOX)
    plays(nodes, BOX)
    kinds = [str(one.letter.__struct_config__.tag) for one in nodes[CASINO].told[f"to:{OWNER}"]]

    assert kinds[-3:] == ["day_over", "bets_sealed", "pass_over"]
