"""R-28: an owner of a pot who never comes back: what waits is decided, the money is a pot of this house, nothing stands with him."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import ClaimDecided, CorrectionRefused, PotLeft, Refused
from controller.core.invariants import difference
from controller.core.links import leaving
from controller.core.links.letters import OwnerLeft
from controller.core.values import Hand, Side, Signature
from controller.rules.refusal import Reason
from support.links.evening import AT, BOX, CASINO, OWNER, POT, TABLES, close, in_force, linked, sealed, shared_plan, won
from support.links.nodes import TWO, Nodes, key_of
from support.record.verify_history import COLOR, OTHER_STRAIGHT_FLUSH, ROYAL, STRAIGHT_FLUSH, ruleset

OWN = (("DP-01", "sol", "draw", ""), ("CP-01", "sol", "caribbean_plus", "caja"))
LEAVE = ask.LeavePot(POT, "Res. 950", Signature("ana"), Signature("carla"))


def played(passes=3, **how) -> Nodes:
    nodes = linked()
    in_force(nodes, **how)
    for _ in range(passes):
        for node in nodes.all.values():
            sealed(node, 1, 2, 3)
            close(node)
        nodes.settle()
    return nodes


def cut(nodes):
    """The owner is gone, and two here have revoked its key."""
    nodes.links = [(BOX, CASINO)]
    nodes[CASINO].must(ask.SeeLink(OWNER, up=False))
    nodes[CASINO].must(ask.RevokeNeighbour(OWNER, "no vuelve", **TWO))
    return nodes[CASINO]


def alone(**how) -> Nodes:
    nodes = played(**how)
    cut(nodes)
    return nodes


def sound(node):
    assert not difference(node.state, node.book.balances)
    assert sum(node.book.balances.values()) == 0
    return True


def own_plan(nodes):
    nodes[CASINO].stage(shared_plan("Res. 951", tables=OWN), ruleset())
    nodes.settle()


def left_by(node):
    return next(fact for fact in node.must(LEAVE) if isinstance(fact, PotLeft))


def refused(node, asked):
    (fact,) = node.ask(asked)
    assert isinstance(fact, Refused), fact
    return fact.reason


def test_r28_what_the_casino_still_owes_the_pot_is_its_own_pot_and_it_plays_on():
    nodes = alone()
    sol, caja = nodes[CASINO], nodes[BOX]
    owed = sol.book.balances[f"clearing:{POT}:{OWNER}"]

    fact = left_by(sol)

    assert fact.amount == owed == fact.after.main > 0
    assert (sol.state.pots[POT].main, sol.state.pots[POT].above, sol.state.pots[POT].left) == (owed, "", OWNER)
    assert sol.book.balances[f"clearing:{POT}:{OWNER}"] == 0 and sound(sol)
    assert refused(sol, ask.OpenPass(AT[CASINO], Signature("eva"))) == Reason.POT_LEFT.code
    assert refused(sol, ask.MoveMoney(POT, "house", "main", 5, "R", Signature("ana"), Signature("carla"))) == "pot_left"
    nodes.settle()
    assert caja.state.pots[POT].main == owed
    own_plan(nodes)
    for node in (sol, caja):
        sealed(node, 1, 2)
        close(node)
    nodes.settle()
    clearing = nodes.clearing(POT)
    assert clearing[CASINO, BOX] == -clearing[BOX, CASINO]
    assert sol.state.pots[POT].main > owed and caja.state.pots[POT].main < sol.state.pots[POT].main
    assert sound(sol) and sound(caja)


def test_r20_percentages_that_waited_are_decided_in_their_order_and_the_house_pays_what_the_casino_has_not():
    nodes = played()
    sol, caja = nodes[CASINO], nodes[BOX]
    cut(nodes)
    sealed(caja, 1, 2, 3)
    of_box = won(caja, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH))
    close(caja)
    nodes.settle()
    main, owed = sol.state.pots[POT].main, sol.book.balances[f"clearing:{POT}:{OWNER}"]
    assert f"{of_box}@{CASINO}" not in sol.state.undecided and sol.state.undecided

    facts = sol.must(LEAVE)

    decided, left = ([one for one in facts if isinstance(one, kind)] for kind in (ClaimDecided, PotLeft))
    (claim,) = decided
    color, flush = claim.awards
    assert flush.amount == min((main - color.amount) // 10, 5_000 * 2_000)
    assert (left[0].stood, left[0].amount) == (owed, owed - flush.amount) and left[0].amount < 0
    assert sol.book.balances[f"house:{POT}:sol"] == left[0].amount and sol.state.pots[POT].main == 0
    nodes.settle()
    assert caja.state.claims[of_box].awards[f"{of_box}/2"].granted.amount == flush.amount
    caja.pay_all(of_box)
    nodes.settle()
    clearing = nodes.clearing(POT)
    assert clearing[CASINO, BOX] == -clearing[BOX, CASINO] and sol.book.balances[f"clearing:{POT}:{OWNER}"] == 0
    assert sound(sol) and sound(caja) and not sol.state.undecided and not caja.state.undecided


def test_r19_the_second_that_waits_is_paid_from_the_base_and_all_of_it_is_said_below():
    nodes = played()
    sol, caja = nodes[CASINO], nodes[BOX]
    number = sealed(sol, 1, 2)
    cut(nodes)
    of_casino = won(sol, Hand(1, cards=ROYAL))
    close(sol)
    sealed(caja, 1, 2)
    of_box = won(caja, Hand(2, cards=OTHER_STRAIGHT_FLUSH))
    close(caja)
    nodes.settle()

    first, second = [one for one in sol.must(LEAVE) if isinstance(one, ClaimDecided)]

    assert number and (first.claim, second.claim) == (of_casino, of_box.replace("CP-01", f"CP-01@{BOX}"))
    assert first.awards[0].amount == first.before.main and second.before == first.after
    assert second.awards[0].amount == second.before.main // 10
    sol.pay_all(of_casino)
    nodes.settle()
    caja.pay_all(of_box)
    nodes.settle()
    assert sound(sol) and sound(caja)


def test_r28_passes_of_a_box_that_were_under_way_are_of_the_casinos_pot():
    nodes = alone()
    sol, caja = nodes[CASINO], nodes[BOX]
    sealed(caja, 1, 2, 3)
    claim = won(caja, Hand(2, cards=STRAIGHT_FLUSH))
    left_by(sol)
    nodes.settle()
    close(caja)
    caja.pay_all(claim)
    nodes.settle()

    assert not sol.state.disputes and not caja.state.disputes and not caja.state.undecided
    clearing = nodes.clearing(POT)
    assert clearing[CASINO, BOX] == -clearing[BOX, CASINO]
    by, second = Signature("carla"), Signature("dario")
    number = caja.state.tables[AT[BOX]].number
    caja.must(ask.CorrectClaim(AT[BOX], number, (Hand(1, cards=COLOR),), "cámara", by, second, (), "cam 3"))
    nodes.settle()
    assert not caja.state.awaited and sound(sol) and sound(caja)
    assert caja.state.claims[claim].awards[f"{claim}/2"].granted.prize == "color"


def test_r34_a_pass_since_then_is_put_right_and_one_from_before_is_not():
    nodes = alone()
    sol = nodes[CASINO]
    before = sol.state.tables[AT[CASINO]].number
    left_by(sol)
    own_plan(nodes)
    number = sealed(sol, 1, 2)
    close(sol)
    by, second = Signature("carla"), Signature("dario")
    hands = (Hand(2, cards=COLOR),)

    (fact, *_) = sol.must(ask.CorrectClaim(AT[CASINO], number, hands, "cámara", by, second, (), "cam 3"))

    assert fact.awards[0].amount and sound(sol)
    old = ask.CorrectClaim(AT[CASINO], before, hands, "cámara", by, second, (), "cam 3")
    assert refused(sol, old) == Reason.PASS_OF_ANOTHER.code


def test_r34_a_pass_since_then_is_put_right_beside_one_that_was_under_way_and_claimed_later():
    """At two tables of the box: what was bet at the first was told while the pot was the owner's, who won there is told
    behind a whole pass of the second, and that one is put right."""
    nodes = linked()
    second_table = "CP-02"
    tables = (*TABLES, (second_table, "sol", "caribbean_plus", "caja@sol"))
    nodes[OWNER].stage(shared_plan(tables=tables), ruleset())
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
    sol, caja = nodes[CASINO], nodes[BOX]
    number = sealed(caja, 1, 2, 3)
    nodes.settle()
    sealed(sol, 1)
    close(sol)
    nodes.settle()
    cut(nodes)
    left_by(sol)
    nodes.settle()

    with_table(caja, second_table, 1, 2)
    nodes.settle()
    claim = won(caja, Hand(2, cards=STRAIGHT_FLUSH))
    close(caja)
    nodes.settle()
    by, second = Signature("carla"), Signature("dario")
    caja.must(ask.CorrectClaim(second_table, 1, (Hand(2, cards=COLOR),), "cámara", by, second, (), "cam 3"))
    nodes.settle()

    assert not caja.state.awaited and not sol.state.disputes and sound(sol) and sound(caja)
    late = next(one for one in caja.state.claims.values() if one.table == second_table)
    assert [one.granted.prize for one in late.awards.values()] == ["color"]
    assert caja.state.claims[claim].number == number and not caja.state.undecided
    clearing = nodes.clearing(POT)
    assert clearing[CASINO, BOX] == -clearing[BOX, CASINO]


def with_table(node, table, *seats):
    """A whole pass at another table of the node."""
    node.must(ask.OpenPass(table, Signature("eva")))
    for seat in seats:
        node.bet(table, seat, seat)
    node.commit()
    node.lock(table)
    node.draws(table)
    node.must(ask.ClosePass(table, Signature("eva")))
    node.give_back(table)


def test_r34_a_pot_that_never_played_before_it_was_left_is_told_from_there():
    nodes = alone(passes=0)
    sol = nodes[CASINO]
    left_by(sol)
    own_plan(nodes)
    number = sealed(sol, 1, 2)
    close(sol)
    by, second = Signature("carla"), Signature("dario")

    (fact, *_) = sol.must(
        ask.CorrectClaim(AT[CASINO], number, (Hand(2, cards=COLOR),), "cámara", by, second, (), "cam 3")
    )

    assert fact.before.main == sol.state.pots[POT].main - fact.flow.parts.get("main", 0) and sound(sol)


def test_r34_a_correction_that_waited_ends_and_its_pass_goes_on_as_it_was():
    nodes = played()
    sol, caja = nodes[CASINO], nodes[BOX]
    for node in (sol, caja):
        sealed(node, 1, 2)
    mine, boxed = (won(node, Hand(1, cards=COLOR)) for node in (sol, caja))
    nodes.settle()
    for node in (sol, caja):
        close(node)
    nodes.settle()
    cut(nodes)
    by, second = Signature("carla"), Signature("dario")
    for node, claim in ((sol, mine), (caja, boxed)):
        node.must(ask.RejectClaim(claim, "otra mano", by, second))
    nodes.settle()
    assert sol.state.claims[mine].frozen and caja.state.claims[boxed].frozen

    ended = [one for one in sol.must(LEAVE) if isinstance(one, CorrectionRefused)]
    nodes.settle()

    assert {one.table for one in ended} == {AT[CASINO], f"{AT[BOX]}@{BOX}"}
    assert not sol.state.claims[mine].frozen and not caja.state.claims[boxed].frozen
    caja.must(ask.RejectClaim(boxed, "otra mano", by, second))
    nodes.settle()
    assert not caja.state.awaited and not caja.state.claims[boxed].frozen, "R-28: asked again, it is refused"


def test_r28_a_plan_that_he_proposed_is_taken_back_below_too():
    nodes = played()
    nodes[OWNER].stage(shared_plan("Res. 940"), ruleset())
    sealed(nodes[BOX], 1)
    nodes.carry(OWNER, CASINO)
    nodes.carry(CASINO, BOX)
    cut(nodes)
    close(nodes[BOX])
    assert nodes[BOX].state.proposed and nodes[CASINO].state.proposed

    left_by(nodes[CASINO])
    nodes.settle()

    assert not nodes[BOX].state.proposed and not nodes[CASINO].state.proposed


@pytest.mark.parametrize("again", [True, False])
def test_r28_if_he_comes_back_his_log_is_not_believed_and_he_reads_who_left(again):
    nodes = alone()
    mar, sol = nodes[OWNER], nodes[CASINO]
    fact = left_by(sol)
    stood = sol.book.balances[f"pot:{POT}:main"]
    for _ in range(3):
        mar.must(ask.MoveMoney(POT, "house", "main", 1_000, "R", Signature("ana"), Signature("carla")))
    sol.must(ask.PinNeighbour(OWNER, Side.ABOVE, key_of("otra vez"), **TWO))
    nodes.links.append((CASINO, OWNER))
    nodes.see(CASINO, OWNER, up=True) if not mar.state.neighbours[CASINO].up else sol.must(ask.SeeLink(OWNER, up=True))
    nodes.settle()

    (dispute,) = sol.state.disputes.values()
    assert (dispute.neighbour, dispute.amount, sol.book.balances[f"pot:{POT}:main"]) == (OWNER, 0, stood)
    (theirs,) = mar.state.disputes.values()
    assert (theirs.neighbour, theirs.amount) == (CASINO, -fact.amount)
    assert "dejó el pozo" in theirs.why
    main, at = mar.state.pots[POT].main, f"clearing:{POT}:{CASINO}"
    assert mar.book.balances[at] == 0
    mar.must(ask.EndDispute(CASINO, theirs.number, accepted=again, reason="se vio", **TWO))
    assert (mar.state.pots[POT].main, mar.book.balances[at]) == (
        (main - fact.amount, 0) if again else (main, -fact.amount)
    )
    nodes.settle()
    sol.must(ask.EndDispute(OWNER, dispute.number, accepted=False, reason="se sabe", pot=POT, **TWO))
    assert all(map(sound, nodes.all.values()))


def test_r28_two_who_keep_the_money_of_an_owner_that_lives_are_seen_by_him():
    """The dishonest colleagues: nothing here can know that he lives; he sees it, and what he is owed stays on his side."""
    nodes = played()
    mar, sol = nodes[OWNER], nodes[CASINO]
    owed = -mar.book.balances[f"clearing:{POT}:{CASINO}"]
    assert refused(sol, LEAVE) == Reason.OWNER_NOT_REVOKED.code
    nodes.see(CASINO, OWNER, up=False)
    sol.must(ask.RevokeNeighbour(OWNER, "no vuelve", **TWO))
    left_by(sol)

    assert mar.book.balances[f"clearing:{POT}:{CASINO}"] == -owed, "R-28: by his book they owe it"
    assert not mar.state.neighbours[CASINO].up
    assert sol.told[f"to:{OWNER}"][-2].letter == OwnerLeft(POT, owed, "Res. 950", "ana", "carla")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (replace(LEAVE, pot="otro"), Reason.POT_UNKNOWN),
        (replace(LEAVE, resolution=" "), Reason.RESOLUTION_MISSING),
    ],
)
def test_r28_what_is_no_leaving_is_refused(asked, code):
    assert refused(alone()[CASINO], asked) == code.code


def test_r28_nobody_leaves_his_own_pot_nor_the_node_of_his_casino():
    nodes = alone()
    assert refused(nodes[OWNER], LEAVE) == Reason.POT_IS_OURS.code
    nodes[BOX].must(ask.RevokeNeighbour(CASINO, "no vuelve", **TWO))
    assert refused(nodes[BOX], LEAVE) == Reason.OWNER_INSIDE.code
    left_by(nodes[CASINO])
    assert refused(nodes[CASINO], LEAVE) == Reason.POT_IS_OURS.code


def test_r28_not_while_a_table_plays_or_trains_or_must_be_emptied():
    nodes = played()
    sol = nodes[CASINO]
    sealed(sol, 1)
    cut(nodes)
    assert refused(sol, LEAVE) == Reason.PASS_IN_PROGRESS.code
    close(sol)
    sol.must(ask.StartTraining(AT[CASINO], Signature("carla"), Signature("ana")))
    assert refused(sol, LEAVE) == Reason.TRAINING_ON.code
    sol.must(ask.EndTraining(AT[CASINO], Signature("carla")))
    left_by(sol)


def test_r28_what_the_books_say_is_not_who_asks():
    sol = alone()[CASINO]
    owed = sol.book.balances[f"clearing:{POT}:{OWNER}"]

    sol.must(replace(LEAVE, booked=99))
    assert sol.book.balances[f"pot:{POT}:main"] == owed


def test_r28_the_others_go_on_without_a_casino_that_is_silent_for_ever():
    """What it collected and never told, it owes: by the book of the owner what it had told, and no more."""
    nodes = played()
    mar, sol = nodes[OWNER], nodes[CASINO]
    nodes.see(CASINO, OWNER, up=False)
    told = mar.book.balances[f"clearing:{POT}:{CASINO}"]
    sealed(sol, 1, 2)
    close(sol)
    mar.must(ask.RevokeNeighbour(CASINO, "no vuelve", **TWO))
    mar.empty(AT[OWNER])
    mar.stage(shared_plan("Res. 960", tables=(("DP-01", "mar", "draw", ""),)), ruleset())
    assert "Res. 960" in mar.state.pots[POT].documents.plan and not mar.state.away
    sealed(mar, 1, 2)
    close(mar)

    assert mar.book.balances[f"clearing:{POT}:{CASINO}"] == told < 0
    assert sol.book.balances[f"clearing:{POT}:{OWNER}"] > -told and sound(mar)


def test_r28_what_is_of_another_pot_waits_on():
    """A correction of a table that is not here any more, and a claim on a pot of somebody else."""
    nodes = played()
    sol = nodes[CASINO]
    sealed(sol, 1, 2)
    claim = won(sol, Hand(2, cards=STRAIGHT_FLUSH))
    close(sol)
    state = cut(nodes).state
    other = {**state.claims, claim: replace(state.claims[claim], pot="otro")}
    state = replace(state, claims=other, awaited={"9": ("XX-09", 1)})

    assert [type(fact) for fact in leaving.leave(state, LEAVE)] == [PotLeft]


def test_r28_a_table_that_must_be_emptied_is_named_and_no_book_holds_such_a_sum():
    state = alone()[CASINO].state
    waiting = replace(state, emptying={POT: (AT[CASINO],)})

    assert leaving.leave(waiting, LEAVE).reason is Reason.TABLE_TO_EMPTY
    assert leaving.leave(state, replace(LEAVE, booked=10**16)).reason is Reason.AMOUNT_WRONG
