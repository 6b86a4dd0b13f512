"""A member of a shared pot that was put back: no letter has a number that another one had, and nothing waits for ever (R-27, R-28)."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    Entry,
    LetterTold,
    MemberReturned,
    NeighbourStopped,
    NothingNew,
    PassSealed,
    Refused,
)
from controller.core.invariants import difference
from controller.core.links.restored.asking import LEAP
from controller.core.links.restored.taken import waits
from controller.core.project import project
from controller.core.values import Broken, Hand, Mark, Phase, Signature
from controller.rules.refusal import Reason
from support.links.evening import AT, BOX, CASINO, OWNER, POT, PRIZES, close, in_force, linked, sealed, shared_plan, won
from support.links.nodes import TWO
from support.links.restored import START, backup, put_back
from support.record.verify_history import COLOR, ruleset
from support.record.verifying import verify

EVA = Signature("eva")
UP, LOG = f"to:{OWNER}", f"pot:{POT}"


@pytest.fixture
def nodes():
    three = linked()
    in_force(three, base=700_000)
    return three


def facts_of(node, kind):
    found = (msgspec.json.decode(row.body, type=Entry).fact for row in node.kept.facts())
    return [fact for fact in found if isinstance(fact, kind)]


def refused(node, asked) -> str:
    (fact,) = node.ask(asked)
    assert isinstance(fact, Refused), fact
    return fact.reason


def says(nodes, above=OWNER, below=CASINO):
    """The one above says how far it has heard; what the one below makes of it."""
    mark = nodes[above].state.heard.get(f"{below}/to:{above}", START)
    return nodes[below].ask(ask.HearAcknowledged(above, f"to:{above}", mark))


def assert_good(*some):
    for node in some:
        assert not difference(node.state, node.book.balances)
        node.book.checkpoint()
        assert verify(node.kept, None, lambda _: None).wrong is None, node.name


def told_numbers(node):
    """Of every life of it, as its reader could have heard them."""
    return [(fact.number, fact.epoch) for fact in facts_of(node, LetterTold) if fact.stream == UP]


def test_r28_before_the_owner_has_said_how_far_he_heard_us_nothing_is_told_him(nodes):
    sol, caja = nodes[CASINO], nodes[BOX]
    sealed(sol, 1, 2)
    copy = backup(sol)
    put_back(sol, copy)
    sealed(caja, 1)
    told = sol.state.told[UP]

    assert refused(sol, ask.RegisterClaim("DP-01", (Hand(1, cards=COLOR),), EVA)) == Reason.LETTERS_COME_BACK.code
    assert refused(sol, ask.ClosePass("DP-01", EVA)) == "letters_come_back"
    assert refused(sol, ask.VoidPass("DP-01", "mazo", EVA)) == "letters_come_back"
    letter = caja.told[f"to:{CASINO}"][sol.heard_of(BOX, f"to:{CASINO}")]
    assert waits(sol.state, letter) and refused(sol, letter) == "letters_come_back"
    assert any("no ha dicho hasta dónde lo oyó" in alarm.sentence for alarm in project(sol.state).alarms)
    assert sol.state.told[UP] == told

    assert [type(fact) for fact in says(nodes)][-1] is MemberReturned
    assert not project(sol.state).alarms and not waits(sol.state, letter)
    nodes.settle()
    close(sol)
    close(caja)
    nodes.settle()
    assert nodes.clearing(POT)[CASINO, OWNER] == -nodes.clearing(POT)[OWNER, CASINO]
    assert_good(*nodes.all.values())


def test_r28_no_pass_opens_before(nodes):
    sol = nodes[CASINO]
    put_back(sol, backup(sol))
    assert refused(sol, ask.OpenPass("DP-01", EVA)) == "letters_come_back"
    says(nodes)
    sealed(sol, 1)
    nodes.settle()
    assert_good(*nodes.all.values())


def test_r5_a_pass_that_was_open_is_locked_and_sealed_once_it_can_be_told(nodes):
    sol = nodes[CASINO]
    sol.must(ask.OpenPass("DP-01", EVA))
    sol.bet("DP-01", 1, 2)
    sol.commit()
    put_back(sol, backup(sol))
    sol.lock("DP-01")
    assert sol.state.tables["DP-01"].phase is Phase.LOCKING

    assert [type(fact) for fact in says(nodes)] == [MemberReturned, PassSealed, LetterTold]
    nodes.settle()
    assert nodes[OWNER].state.away["DP-01@sol"].bets
    assert_good(*nodes.all.values())


def test_r30_a_draw_waits_too():
    nodes = linked()
    in_force(nodes, extra=PRIZES, base=700_000)
    sol = nodes[CASINO]
    sol.must(ask.OpenPass("DP-01", EVA))
    sol.bet("DP-01", 1, 2)
    sol.commit()
    sol.lock("DP-01")
    put_back(sol, backup(sol))
    assert sol.state.tables["DP-01"].draws
    sol.draws("DP-01")
    assert sol.state.tables["DP-01"].draws and not any(fact.reason for fact in facts_of(sol, Refused))
    says(nodes)
    sol.draws("DP-01")
    assert not sol.state.tables["DP-01"].draws


def test_r26_nobody_is_ready_for_a_plan_before(nodes):
    nodes[OWNER].stage(shared_plan("Res. 7", base=700_000), ruleset())
    sol = nodes[CASINO]
    nodes.carry(OWNER, CASINO)
    nodes.carry(CASINO, BOX)
    put_back(sol, backup(sol))
    assert not sol.state.proposed[POT].ready
    sol.ask(ask.LookAtClock())
    says(nodes)
    nodes.settle()
    assert nodes[OWNER].state.pots[POT].documents.plan.count("Res. 7")
    assert_good(*nodes.all.values())


def test_r28_what_the_owner_heard_and_this_record_lost_is_never_numbered_again(nodes):
    sol, mar = nodes[CASINO], nodes[OWNER]
    copy = backup(sol)
    sealed(sol, 1)
    close(sol)
    nodes.settle()
    heard = mar.state.heard[f"{CASINO}/{UP}"]
    put_back(sol, copy)

    (stop,) = says(nodes)
    assert isinstance(stop, NeighbourStopped) and stop.why is Broken.AHEAD
    assert refused(sol, ask.OpenPass("DP-01", EVA)) == "owner_stopped"
    sol.must(ask.AcceptNeighbour(OWNER, UP, heard, "se comparó", **TWO))
    assert not sol.state.recalls
    sealed(sol, 2)
    (first, *_) = [fact for fact in facts_of(sol, LetterTold) if fact.stream == UP and fact.epoch == 2]
    assert (first.number, first.previous) == (heard.number + 1, heard.hash)
    assert_good(sol)


# Without the owner


def test_r28_two_persons_go_on_without_him_by_name_far_behind_all_that_was_told(nodes):
    sol, mar = nodes[CASINO], nodes[OWNER]
    copy = backup(sol)
    go = ask.GoOnWithout(POT, (OWNER,), "no hay enlace", **TWO)
    assert refused(sol, go) == Reason.NOTHING_COMES_BACK.code
    sealed(sol, 1)
    close(sol)
    nodes.settle()
    heard = mar.state.heard[f"{CASINO}/{UP}"]
    put_back(sol, copy)
    before = sol.state.told[UP]

    assert refused(sol, replace(go, neighbours=())) == Reason.NOT_WHO_IS_MISSING.code
    assert refused(sol, replace(go, neighbours=(BOX,))) == "not_who_is_missing"
    assert refused(sol, replace(go, reason=" ")) == "reason_missing"
    sol.must(go)
    assert not sol.state.recalls and not project(sol.state).alarms
    assert sol.state.told[UP].number == before.number + LEAP > heard.number
    sealed(sol, 2)
    close(sol)

    first = sol.told[UP][-2]
    assert first.mark.number == before.number + LEAP + 1
    (stop,) = mar.hear(first)
    assert isinstance(stop, NeighbourStopped) and stop.why is Broken.GAP
    mar.must(ask.AcceptNeighbour(CASINO, UP, stop.said, "se llamó", **TWO))
    mar.hear(first)
    assert mar.state.heard[f"{CASINO}/{UP}"] == first.mark
    numbers = [number for number, _ in told_numbers(sol)]
    assert len({*numbers}) == len(numbers)
    assert_good(sol, mar)


def test_r28_also_where_nothing_was_ever_told():
    nodes = linked()
    nodes[OWNER].stage(shared_plan(base=700_000), ruleset())
    nodes.carry(OWNER, CASINO)
    sol = nodes[CASINO]
    assert UP not in sol.state.told
    put_back(sol, backup(sol))
    assert refused(sol, ask.GoOnWithout("otro", (OWNER,), "x", **TWO)) == "nothing_comes_back"
    says(nodes)
    assert not sol.state.recalls


def test_r28_who_is_revoked_is_asked_when_it_is_back_and_after_each_restore_anew(nodes):
    sol = nodes[CASINO]
    put_back(sol, backup(sol))
    sol.must(ask.RevokeNeighbour(OWNER, "se perdió", **TWO))
    assert sol.state.recalls
    put_back(sol, backup(sol), epoch=3)
    key = sol.state.neighbours[OWNER].key
    sol.must(ask.PinNeighbour(OWNER, sol.state.neighbours[OWNER].side, key, **TWO))
    assert refused(sol, ask.OpenPass("DP-01", EVA)) == "letters_come_back"
    assert isinstance(says(nodes)[-1], MemberReturned)
    assert isinstance(says(nodes)[0], NothingNew)
    put_back(sol, backup(sol), epoch=4)
    assert isinstance(says(nodes)[-1], MemberReturned)
    assert_good(sol)


def test_r28_a_claim_of_a_box_waits_at_it(nodes):
    sol, caja = nodes[CASINO], nodes[BOX]
    sealed(caja, 1, 2)
    nodes.settle()
    put_back(sol, backup(sol))
    won(caja, Hand(1, cards=COLOR))
    assert nodes.carry(BOX, CASINO) == 0
    says(nodes)
    nodes.settle()
    close(caja)
    caja.pay_all(f"{AT[BOX]}/{caja.state.tables[AT[BOX]].number}/1")
    nodes.settle()
    assert_good(*nodes.all.values())
    assert isinstance(
        nodes[OWNER].ask(ask.HearAcknowledged(CASINO, LOG, Mark(0, 0, "")))[0], NothingNew | NeighbourStopped
    )
