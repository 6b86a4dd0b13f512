"""An owner of a shared pot that was put back: what it decided binds it, and nothing is decided twice (R-18, R-20, R-28)."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    ClaimCorrected,
    ClaimRegistered,
    CorrectionRefused,
    DecisionTaken,
    Entry,
    LetterDisputed,
    LetterTold,
    MemberReturned,
    NeighbourStopped,
    NeighbourWentBack,
    NothingNew,
    Refused,
)
from controller.core.invariants import difference
from controller.core.links.letters import (
    BetsSealed,
    BetsVoided,
    ClaimPutRight,
    ClaimSettled,
    HouseBears,
    PassOver,
    PlanInForce,
    PlanTakenBack,
    PotMoved,
)
from controller.core.links.restored.bound import awaited_of
from controller.core.links.restored.taken import waits
from controller.core.project import project
from controller.core.values import Broken, Hand, Levels, Mark, RegisteredAward, SealedBet, Side, Signature
from controller.rules.refusal import Reason
from support.laws import naming
from support.links.evening import (
    AT,
    BOX,
    CASINO,
    OWNER,
    POT,
    PRIZES,
    close,
    in_force,
    linked,
    sealed,
    shared_plan,
    without_prize,
    won,
)
from support.links.histories import History
from support.links.nodes import TWO, Nodes, key_of
from support.links.restored import START, backup, greet, hand_back, heard_letters, meet, put_back
from support.links.stream import Stream
from support.record.verify_history import COLOR, POKER, ROYAL, STRAIGHT_FLUSH, ruleset

EVA = Signature("eva")
LOG, UP = f"pot:{POT}", f"to:{OWNER}"


@pytest.fixture
def nodes() -> Nodes:
    """Of the casino and its box."""
    three = linked()
    in_force(three, base=700_000)
    return three


@pytest.fixture
def two() -> Nodes:
    return two_casinos("", ruleset())


def two_casinos(prizes: str, law: str) -> Nodes:
    """`caja` is the other one's."""
    three = Nodes(OWNER, CASINO, BOX)
    three.people()
    for casino in (CASINO, BOX):
        three.link(casino, OWNER)
    tables = (("DP-01", "mar", "draw", ""), ("DP-01", "sol", "draw", "sol"), ("CP-01", "luz", "caribbean_plus", "caja"))
    three[OWNER].stage(shared_plan(extra=prizes, base=20_000, tables=tables), law)
    three.settle()
    for node in three.all.values():
        node.open_day()
    return three


def facts_of(node, kind):
    found = (msgspec.json.decode(row.body, type=Entry).fact for row in node.kept.facts())
    return [fact for fact in found if isinstance(fact, kind)]


def assert_nothing_twice(nodes):
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing), clearing
    for node in nodes.all.values():
        assert not difference(node.state, node.book.balances)
        assert not facts_of(node, LetterDisputed), node.name
        told = [fact.letter.claim for fact in facts_of(node, LetterTold) if isinstance(fact.letter, ClaimSettled)]
        assert len(told) == len(set(told)), told


def wins(nodes, name, *hands, seats=(1, 2)) -> str:
    """A pass of this node is won, the owner decides it, and it is paid."""
    node = nodes[name]
    without_prize(node, *seats)
    claim = won(node, *hands)
    nodes.settle()
    close(node)
    node.pay_all(claim)
    nodes.settle()
    return claim


def refused(node, asked) -> str:
    (fact,) = node.ask(asked)
    assert isinstance(fact, Refused), fact
    return fact.reason


def waiting(nodes, writer):
    """The letter that its writer has next."""
    heard = nodes[OWNER].heard_of(writer, UP)
    return nodes[writer].told[UP][heard]


def alarms(node):
    return [alarm.sentence for alarm in project(node.state).alarms]


# The story


@pytest.mark.parametrize("winner", [BOX, CASINO])
def test_r28_the_whole_pot_decided_and_paid_and_the_owner_put_back_decides_it_as_it_was(nodes, winner):
    copy = backup(nodes[OWNER])
    claim = wins(nodes, winner, Hand(1, cards=ROYAL))
    amount = nodes[winner].state.claims[claim].awards[f"{claim}/1"].granted.amount
    before = nodes.clearing(POT), nodes[OWNER].state.pots[POT].main

    put_back(nodes[OWNER], copy)
    assert nodes[OWNER].state.taking_back[POT].missing == (CASINO,)
    meet(nodes, OWNER)
    nodes.settle()

    assert not nodes[OWNER].state.taking_back
    there = nodes[OWNER].state.claims[f"{AT[winner]}@{'caja@sol' if winner == BOX else 'sol'}/1/1"]
    assert [(one.paid, one.granted.amount) for one in there.awards.values()] == [(True, amount)]
    assert (nodes.clearing(POT), nodes[OWNER].state.pots[POT].main) == before
    assert_nothing_twice(nodes)


def test_r28_two_casinos_are_paid_what_they_were_told_whoever_is_heard_first(two):
    for name in (CASINO, BOX):
        sealed(two[name], 1, 2, 3)
        close(two[name])
    two.settle()
    copy = backup(two[OWNER])
    wins(two, CASINO, Hand(1, cards=STRAIGHT_FLUSH))
    wins(two, BOX, Hand(2, cards=STRAIGHT_FLUSH))
    before = two.clearing(POT), two[OWNER].state.pots[POT].main

    put_back(two[OWNER], copy)
    meet(two, OWNER)
    assert [one.number for one in two[OWNER].state.taking_back[POT].bound]
    two.carry(BOX, OWNER)  # who was second is heard first
    two.settle()

    assert not two[OWNER].state.taking_back
    assert (two.clearing(POT), two[OWNER].state.pots[POT].main) == before
    assert_nothing_twice(two)


# Nothing is decided before


def test_r28_before_its_members_have_answered_the_owner_decides_nothing(two):
    mar, sol = two[OWNER], two[CASINO]
    copy = backup(mar)
    wins(two, BOX, Hand(1, cards=COLOR))
    put_back(mar, copy)
    sealed(mar, 1)
    claim = ask.RegisterClaim("DP-01", (Hand(1, cards=COLOR),), EVA)

    assert refused(mar, claim) == Reason.DECISIONS_COME_BACK.code
    assert refused(mar, ask.MoveMoney(POT, "house", "main", 500, "Res. 8", **TWO)) == "decisions_come_back"
    assert any("recupera lo que decidió" in what and "caja, sol" in what for what in alarms(mar))
    without_prize(sol, 1, 2)
    won(sol, Hand(1, cards=COLOR))
    two.carry(CASINO, OWNER)
    letter = waiting(two, CASINO)
    assert waits(mar.state, letter) and refused(mar, letter) == "decisions_come_back"
    assert not facts_of(mar, NeighbourStopped)

    meet(two, OWNER)
    two.settle()
    assert not mar.state.taking_back and not alarms(mar)
    assert isinstance(mar.ask(claim)[0], ClaimRegistered)
    assert_nothing_twice(two)


def test_r26_a_plan_that_waits_does_not_take_effect_before(nodes):
    mar = nodes[OWNER]
    mar.stage(shared_plan("Res. 7", base=700_000), ruleset())
    nodes.carry(OWNER, CASINO)
    nodes.carry(CASINO, BOX)
    nodes.carry(BOX, CASINO)
    copy = backup(mar)
    put_back(mar, copy)
    nodes.carry(CASINO, OWNER)
    assert mar.state.staged[POT].ready == (CASINO,)

    meet(nodes, OWNER)
    assert not mar.state.staged and mar.state.pots[POT].documents.plan.count("Res. 7")


def test_r28_a_node_without_a_shared_pot_asks_nobody(nodes):
    caja = nodes[BOX]
    put_back(caja, backup(caja))
    assert not caja.state.taking_back

    mar = nodes[OWNER]
    mar.must(ask.RevokeNeighbour(CASINO, "se fue", **TWO))
    put_back(mar, backup(mar))
    assert not mar.state.taking_back


def test_r28_nobody_waits_for_who_is_revoked_or_was_accepted(two):
    mar = two[OWNER]
    copy = backup(mar)
    wins(two, BOX, Hand(1, cards=COLOR))
    put_back(mar, copy)
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    assert mar.state.taking_back[POT].missing == (BOX,)
    mark = two[BOX].state.heard[f"{OWNER}/{LOG}"]
    mar.must(ask.StopNeighbour(BOX, LOG, Broken.AHEAD, mark))
    mar.must(ask.AcceptNeighbour(BOX, LOG, mark, "se vio", **TWO))
    assert not mar.state.taking_back


# What is handed back


def test_r28_what_does_not_follow_our_own_log_is_a_fork(two):
    mar = two[OWNER]
    copy = backup(mar)
    wins(two, CASINO, Hand(1, cards=COLOR))
    put_back(mar, copy)
    told = mar.state.told[LOG].number
    before, fact = next(one for one in heard_letters(two[CASINO], OWNER, LOG) if one[1].mark.number == told + 1)
    good = ask.TakeBack(CASINO, LOG, fact.mark, before, fact.version, fact.letter)
    late = replace(good, mark=replace(fact.mark, epoch=2))
    other = replace(good, letter=replace(fact.letter, casino="luna"))
    up = replace(good, letter=PassOver(POT, "DP-01", 1, reviewed=False))
    moved = replace(good, letter=PotMoved("otro", Levels(0, 0), "x", "mar/ana", "mar/bea"))
    gap = replace(good, mark=replace(fact.mark, number=told + 2))
    for wrong in (late, other, up, moved, gap, replace(good, version=9), replace(good, previous="")):
        (stop,) = mar.ask(replace(wrong, neighbour=BOX))
        assert isinstance(stop, NeighbourStopped) and stop.why is Broken.FORK, wrong
        mar.must(ask.AcceptNeighbour(BOX, LOG, stop.said, "se vio", **TWO))
        put_back(mar, copy)

    (taken, told_again) = mar.ask(good)
    assert isinstance(taken, DecisionTaken) and told_again.epoch == 1
    assert isinstance(mar.ask(replace(good, neighbour=BOX))[0], NothingNew)
    assert refused(mar, replace(good, neighbour="luna")) == "neighbour_unknown"
    assert refused(mar, replace(good, stream="pot:otro")) == "stream_not_its"
    assert refused(mar, replace(good, stream=UP)) == "stream_not_its"


def test_r28_after_a_new_decision_nothing_old_is_taken_back(two):
    mar = two[OWNER]
    copy = backup(mar)
    wins(two, CASINO, Hand(1, cards=COLOR))
    put_back(mar, copy)
    mar.must(ask.GoOnWithout(POT, (BOX, CASINO), "nadie contesta", **TWO))
    mar.must(ask.MoveMoney(POT, "house", "main", 500, "Res. 8", **TWO))
    (stop,) = hand_back(two, OWNER, CASINO, LOG, most=1) or [None]
    assert stop is None or isinstance(stop, NothingNew | NeighbourStopped)


def test_r28_a_node_above_never_hands_back(nodes):
    sol = nodes[CASINO]
    letter = PotMoved(POT, Levels(0, 0), "x", "a", "b")
    assert refused(sol, ask.TakeBack(OWNER, LOG, Mark(1, 9, "ab" * 32), "", 1, letter)) == "stream_not_its"


# Two persons name who is missing


def test_r28_two_persons_go_on_without_who_is_missing_by_name(two):
    mar = two[OWNER]
    copy = backup(mar)
    wins(two, BOX, Hand(1, cards=COLOR))
    amount = mar.book.balances[f"clearing:{POT}:{BOX}"]
    go = ask.GoOnWithout(POT, (BOX,), "sin enlace", **TWO)
    assert refused(mar, go) == Reason.NOTHING_COMES_BACK.code
    put_back(mar, copy)
    greet(two, OWNER, CASINO)

    assert refused(mar, replace(go, neighbours=(CASINO,))) == Reason.NOT_WHO_IS_MISSING.code
    assert refused(mar, replace(go, neighbours=())) == "not_who_is_missing"
    assert refused(mar, replace(go, reason=" ")) == "reason_missing"
    mar.must(go)  # what was decided of it came back from the other one, and binds
    assert mar.state.taking_back and not awaited_of(mar.state, POT)
    assert not any("recupera" in what for what in alarms(mar))
    greet(two, OWNER, BOX)
    two.settle()
    assert not mar.state.taking_back and mar.book.balances[f"clearing:{POT}:{BOX}"] == amount
    assert_nothing_twice(two)


def test_r28_who_was_gone_without_is_heard_after_all_while_nothing_new_was_decided(two):
    mar = two[OWNER]
    copy = backup(mar)
    wins(two, BOX, Hand(1, cards=COLOR))
    put_back(mar, copy)
    mar.must(ask.GoOnWithout(POT, (BOX, CASINO), "sin enlace", **TWO))
    assert not mar.state.taking_back
    meet(two, OWNER)
    two.settle()
    assert not mar.state.taking_back
    assert_nothing_twice(two)


def test_r28_what_people_decided_people_decide_again(nodes):
    mar = nodes[OWNER]
    copy = backup(mar)
    mar.must(ask.MoveMoney(POT, "house", "main", 500, "Res. 8", **TWO))
    nodes.settle()
    put_back(mar, copy)
    meet(nodes, OWNER)
    assert awaited_of(mar.state, POT) == ("",) and any("falta: mar" in what for what in alarms(mar))
    assert refused(mar, ask.GoOnWithout(POT, (CASINO,), "x", **TWO)) == "not_who_is_missing"
    mar.must(ask.GoOnWithout(POT, (), "se mueve otra vez", **TWO))
    assert not mar.state.taking_back and not alarms(mar)


def test_r28_what_nobody_tells_again_is_named_letter_by_letter(nodes):
    mar = nodes[OWNER]
    without_prize(mar, 1, 2)
    won(mar, Hand(1, cards=COLOR))
    close(mar)
    nodes.settle()
    copy = backup(mar)
    first = mar.state.told[LOG].number
    mar.must(ask.MoveMoney(POT, "house", "main", 500, "Res. 8", **TWO))
    stood = mar.state.pots[POT].main
    hands = (Hand(1, cards=COLOR), Hand(2, cards=POKER))
    by, second = Signature("carla"), Signature("dario")
    mar.must(ask.CorrectClaim(AT[OWNER], 1, hands, "cámara", by, second, (), "cam 3"))
    more = sum(one.amount for fact in facts_of(mar, ClaimCorrected) for one in fact.awards)
    mar.pay_all(f"{AT[OWNER]}/1/1")
    mar.stage(shared_plan("Res. 9", base=700_000), ruleset())
    wins(nodes, BOX, Hand(1, cards=COLOR))
    put_back(mar, copy)
    meet(nodes, OWNER)
    nodes.settle()

    named = [what for what in alarms(mar) if what.startswith("La carta")]
    assert [int(what.split()[2]) - first for what in named] == [1, 2, 3, 5]  # the fourth decided the box's claim
    assert f"ana y bea movieron dinero (Res. 8), y el pozo quedó con {stood} en main, " in named[0]
    assert f"carla y dario corrigieron el pase 1 de DP-01 (cámara): {more} más" in named[1]
    assert "propusieron un plan (Res. 9)" in named[2] and "empezó a regir" in named[3]


def test_r28_a_plan_in_force_or_taken_back_and_a_share_are_named(nodes):
    mar, level = nodes[OWNER], Levels(7, 5)
    put_back(mar, backup(mar))
    documents = mar.state.pots[POT].documents
    of = (documents.plan, documents.ruleset, "Res. 9", "mar/ana", "mar/bea", "mar", level)
    mar.must(handed(mar, PlanInForce(POT, *of)))
    mar.must(handed(mar, PlanInForce(POT, *of, 700_000)))
    mar.must(handed(mar, PlanTakenBack(POT, "ab" * 32, "mar/ana")))
    mar.must(handed(mar, PotMoved(POT, level, "Res. 3", "ana", "bea", "sol", 900)))
    mar.must(
        handed(mar, ClaimPutRight(POT, 0, "DP-01/1/1", "DP-01", 1, "mar", level, cancelled=("DP-01/1/1/1",), by="eva"))
    )
    named = " ".join(what for what in alarms(mar) if what.startswith("La carta"))
    assert "mar/ana y mar/bea (Res. 9)." in named and "base de 700000 de la casa mar" in named
    assert "mar/ana retiró el plan" in named and "ana y bea dieron 900 a sol (Res. 3)" in named
    assert "eva corrigieron el pase 1 de DP-01 (): 0 más, sin DP-01/1/1/1" in named


# What the pot lacks


def test_r18_what_its_own_lost_bets_gave_two_persons_put_in(nodes):
    mar, caja = nodes[OWNER], nodes[BOX]
    copy = backup(mar)
    sealed(mar, 5)
    close(mar)
    wins(nodes, BOX, Hand(1, cards=ROYAL))
    whole = nodes.clearing(POT)
    put_back(mar, copy)
    meet(nodes, OWNER)
    nodes.settle()

    letter = waiting(nodes, CASINO)
    assert waits(mar.state, letter) and any("ya decidido" in what and "main" in what for what in alarms(mar))
    mar.must(ask.GoOnWithout(POT, (CASINO,), "se puso", **TWO))
    assert refused(mar, letter) == Reason.POT_LACKS.code
    mar.must(ask.MoveMoney(POT, "house", "main", 5_000, "Res. 8", **TWO))
    mar.must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 8", **TWO))
    nodes.settle()
    assert not mar.state.taking_back and not alarms(mar)
    assert nodes.clearing(POT) == whole and caja.state.claims["CP-01/1/1"].awards["CP-01/1/1/1"].paid
    assert_nothing_twice(nodes)


def test_r28_what_was_decided_of_an_own_table_is_owed_again(nodes):
    mar = nodes[OWNER]
    without_prize(nodes[BOX], 1, 2, 3)
    close(nodes[BOX])
    nodes.settle()
    copy = backup(mar)
    claim = wins(nodes, OWNER, Hand(1, cards=STRAIGHT_FLUSH))
    amount = mar.state.claims[claim].awards[f"{claim}/1"].granted.amount
    put_back(mar, copy)
    meet(nodes, OWNER)

    (award,) = mar.state.claims[claim].awards.values()
    assert (award.granted.amount, award.pending, mar.state.taking_back) == (amount, True, {})
    assert not difference(mar.state, mar.book.balances)


def test_r18_an_own_award_waits_until_the_pot_has_it_and_a_table_that_is_gone_for_people(nodes):
    mar = nodes[OWNER]
    copy = backup(mar)
    without_prize(mar, 1, 2)
    sealed(nodes[BOX], 1, 2, 3)
    nodes.settle()
    claim = won(mar, Hand(1, cards=ROYAL))
    nodes.settle()
    put_back(mar, copy)
    meet(nodes, OWNER)
    assert mar.state.taking_back[POT].bound and claim not in mar.state.claims
    mar.must(ask.MoveMoney(POT, "house", "main", 5_000, "Res. 8", **TWO))
    mar.must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 8", **TWO))
    nodes.settle()
    assert claim in mar.state.claims and not mar.state.taking_back


# Voids, prizes, disputes, corrections


def test_r18_a_house_bears_of_a_void_and_a_prize_what_it_was_told():
    two = two_casinos(PRIZES, naming(ruleset(), "Carta Mágica"))
    mar, caja = two[OWNER], two[BOX]
    copy = backup(mar)
    without_prize(caja, 1, 2, 3)
    claim = won(caja, Hand(1, cards=ROYAL))
    two.settle()
    close(caja)
    caja.pay_all(claim)
    while not facts_of(mar, LetterTold) or not any(isinstance(f.letter, HouseBears) for f in facts_of(mar, LetterTold)):
        sealed(caja, 1, 2, 3)
        for prize in [*caja.state.tables["CP-01"].cards]:
            caja.must(ask.ShowCard("CP-01", prize, caja.state.tables["CP-01"].bets[0].seat, EVA))
        two.settle()
        close(caja)
        two.settle()
    before = two.clearing(POT)
    put_back(mar, copy)
    meet(two, OWNER)
    two.settle()
    for _ in range(5):
        if mar.state.taking_back:
            mar.ask(ask.MoveMoney(POT, "house", "main", 20_000, "Res. 8", **TWO))
            mar.ask(ask.MoveMoney(POT, "house", "reserva0", 20_000, "Res. 8", **TWO))
            two.settle()
    assert not mar.state.taking_back and two.clearing(POT) == before
    assert_nothing_twice(two)


@pytest.mark.parametrize("accepted", [True, False])
def test_r28_a_dispute_ends_as_it_ended(nodes, accepted):
    mar = nodes[OWNER]
    mar.must(ask.PinNeighbour("luna", Side.BELOW, key_of("luna"), **TWO))
    copy = backup(mar)
    stream = Stream("luna", UP)
    bad = stream.next(BetsSealed(POT, "XX-01", 1, "luna", (SealedBet(1, 3_000, 600, 0),), "ab" * 32, "cd" * 32))
    mar.hear(bad)
    mar.must(ask.EndDispute("luna", 1, accepted=accepted, reason="visto", **TWO))
    nodes.settle()
    before = mar.state.pots[POT].main, dict(mar.book.balances)

    put_back(mar, copy)
    meet(nodes, OWNER)
    mar.must(ask.HearAcknowledged("luna", LOG, START))
    assert awaited_of(mar.state, POT) == ("",)
    mar.hear(bad)
    assert not mar.state.taking_back and not mar.state.disputes
    assert (mar.state.pots[POT].main, dict(mar.book.balances)) == before
    nodes.settle()


def test_r34_a_correction_is_answered_as_it_was(nodes):
    mar, caja = nodes[OWNER], nodes[BOX]
    without_prize(caja, 1, 2)
    won(caja, Hand(1, cards=COLOR))
    nodes.settle()
    close(caja)
    nodes.settle()
    copy = backup(mar)
    by, second = Signature("carla"), Signature("dario")
    both = (Hand(1, cards=COLOR), Hand(2, cards=POKER))
    caja.must(ask.CorrectClaim(AT[BOX], 1, both, "cámara", by, second, (), "cam 3"))
    nodes.settle()
    caja.pay_all("CP-01/1/1")
    nodes.settle()
    caja.must(ask.CorrectClaim(AT[BOX], 1, (Hand(1, cards=COLOR),), "otra", by, second, (), "cam 4"))
    nodes.settle()
    before = nodes.clearing(POT), mar.state.pots[POT].main

    put_back(mar, copy)
    meet(nodes, OWNER)
    nodes.settle()
    assert not mar.state.taking_back
    assert (nodes.clearing(POT), mar.state.pots[POT].main) == before
    assert_nothing_twice(nodes)


# The other way


def test_r28_whoever_is_below_tells_again_what_a_restored_owner_lost_once_in_each_epoch(nodes):
    mar, sol = nodes[OWNER], nodes[CASINO]
    copy = backup(mar)
    sealed(sol, 1, 2)
    close(sol)
    nodes.settle()
    put_back(mar, copy)
    has = mar.state.heard.get(f"{CASINO}/{UP}", START)
    back = ask.HearWentBack(OWNER, UP, 2, has)

    assert isinstance(sol.ask(replace(back, epoch=1))[0], NothingNew)
    assert refused(sol, replace(back, stream=LOG)) == "stream_not_its"
    assert refused(sol, replace(back, neighbour=BOX)) == "stream_not_its"
    assert refused(sol, replace(back, neighbour="luna")) == "neighbour_unknown"
    assert isinstance(sol.ask(replace(back, mark=Mark(1, 99, "ab" * 32)))[0], NothingNew)
    assert isinstance(sol.ask(back)[0], NeighbourWentBack)
    assert isinstance(sol.ask(back)[0], NothingNew)
    assert sol.state.acknowledged.get(f"{OWNER}/{UP}", START) == has


def test_r28_a_member_that_has_all_says_so_once(nodes):
    mar = nodes[OWNER]
    put_back(mar, backup(mar))
    mark = mar.state.acknowledged[f"{CASINO}/{LOG}"]
    assert [type(fact) for fact in mar.ask(ask.HearAcknowledged(CASINO, LOG, mark))] == [MemberReturned]
    assert not mar.state.taking_back
    assert isinstance(mar.ask(ask.HearAcknowledged(CASINO, LOG, mark))[0], NothingNew)


# Whatever happened


class Rolled(History):
    def plan(self, node):
        if not self.nodes[OWNER].state.taking_back:
            super().plan(node)

    def go_on(self) -> bool:
        """What people must do."""
        owner = self.nodes[OWNER]
        if not owner.state.taking_back:
            return False
        if waited := awaited_of(owner.state, POT):
            owner.must(ask.GoOnWithout(POT, tuple(filter(None, waited)), "se llamó", **TWO))
        else:
            part = self.chance.choice(("main", "reserva0"))
            owner.ask(ask.MoveMoney(POT, "house", part, 20_000, "Res. 8", **TWO))
        return True


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), late=st.integers(0, 60))
def test_r28_whenever_the_owner_is_put_back_it_comes_to_rest_and_nothing_it_decided_is_decided_otherwise(seed, late):
    history = Rolled(seed)
    nodes, mar = history.nodes, history.nodes[OWNER]
    history.go(40)
    copy = backup(mar)
    history.go(late)
    decided = {
        one.letter.claim: one.letter.awards
        for one in (fact.letter and fact for fact in facts_of(nodes[CASINO], LetterTold))
        if one and isinstance(one.letter, ClaimSettled)
    }
    put_back(mar, copy)
    greet(nodes, OWNER, CASINO)
    history.go(10)
    nodes.settle()
    persons = 0
    while history.go_on():
        nodes.settle()
        persons += 1
        assert persons < 60, mar.state.taking_back
    history.rest()
    assert decided is not None
    assert not any(difference(node.state, node.book.balances) for node in nodes.all.values())
    for name in (CASINO, BOX):
        twice = [
            fact.letter.claim for fact in facts_of(nodes[OWNER], LetterTold) if isinstance(fact.letter, ClaimSettled)
        ]
        assert len(twice) == len(set(twice)), (name, twice)


# What somebody in the name of a member could hand back


def handed(mar, letter):
    """The next letter of the log, as if it had been told before the restore."""
    stream = Stream(OWNER, LOG)
    stream.mark = mar.state.told[LOG]
    said = stream.next(letter)
    return ask.TakeBack(CASINO, LOG, said.mark, said.previous, said.version, said.letter)


def test_r28_a_claim_that_was_decided_otherwise_than_it_is_told_stands_apart(nodes):
    mar, sol = nodes[OWNER], nodes[CASINO]
    put_back(mar, backup(mar))
    level = Levels(700_000, 700_000, {"reserva0": 0})
    award = RegisteredAward(1, 1, "poker", 70, {"main": 70})
    mar.must(handed(mar, ClaimSettled(POT, "DP-01@sol/1/1", "DP-01@sol", 1, "sol", level, (award,), level)))
    without_prize(sol, 1, 2)
    won(sol, Hand(1, cards=COLOR))
    nodes.settle()

    (dispute,) = mar.state.disputes.values()
    assert "los que se decidieron antes de restaurar" in dispute.why
    assert not difference(mar.state, mar.book.balances)


@pytest.mark.parametrize("refused_as", ["porque no", ""])
def test_r34_an_answer_is_given_as_it_was_or_stands_apart(nodes, refused_as):
    mar, caja = nodes[OWNER], nodes[BOX]
    without_prize(caja, 1, 2)
    won(caja, Hand(1, cards=COLOR))
    nodes.settle()
    close(caja)
    nodes.settle()
    put_back(mar, backup(mar))
    level = Levels(0, 0)
    answer = ClaimPutRight(POT, 1, "", "CP-01@caja@sol", 1, "sol", level, house=7, refused=refused_as)
    mar.must(handed(mar, answer))
    mar.must(handed(mar, HouseBears(POT, "CP-01@caja@sol", "sol", 5, "CP-01@caja@sol/9", level)))
    mar.must(ask.HearAcknowledged(CASINO, LOG, mar.state.acknowledged[f"{CASINO}/{LOG}"]))
    by, second = Signature("carla"), Signature("dario")
    both = (Hand(1, cards=COLOR), Hand(2, cards=POKER))
    caja.must(ask.CorrectClaim(AT[BOX], 1, both, "cámara", by, second, (), "cam 3"))
    nodes.settle()

    assert bool(mar.state.disputes) is not bool(refused_as)
    assert [one.sentence for one in facts_of(mar, CorrectionRefused)] == [refused_as] * bool(refused_as)
    assert not difference(mar.state, mar.book.balances)


def test_r34_what_was_decided_before_a_restore_can_be_put_right_later(nodes):
    mar, caja = nodes[OWNER], nodes[BOX]
    copy = backup(mar)
    wins(nodes, BOX, Hand(1, cards=COLOR))
    put_back(mar, copy)
    meet(nodes, OWNER)
    nodes.settle()
    wins(nodes, CASINO, Hand(1, cards=POKER))
    by, second = Signature("carla"), Signature("dario")
    for node, cards in ((caja, POKER), (nodes[CASINO], STRAIGHT_FLUSH)):
        hands = (Hand(1, cards=COLOR if node is caja else POKER), Hand(2, cards=cards))
        node.must(ask.CorrectClaim(AT[node.name], 1, hands, "cámara", by, second, (), "cam 3"))
        nodes.settle()
    assert_nothing_twice(nodes)


def test_r28_what_is_not_believed_waits_for_nobody(nodes):
    mar, sol = nodes[OWNER], nodes[CASINO]
    put_back(mar, backup(mar))
    mark = mar.state.heard.get(f"{CASINO}/{UP}", START)
    stream = Stream(CASINO, UP)
    stream.mark = mark if mark.number else stream.mark
    letter = stream.next(BetsVoided(POT, "DP-01", 9, "sol", True, (), "x", "eva"))
    assert not waits(mar.state, letter) and sol
