"""R-20, R-21, R-28: winners whom the owner of their pot does not believe do not wait for ever. Both ends say why they wait; two
of the owner's people take them, and they are decided like any others, or leave them, and their own house bears them."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    AwardPaid,
    AwardSetAside,
    ClaimDecided,
    ClaimDoubted,
    ClaimRegistered,
    ClaimRejected,
    DisputeEnded,
    DisputeHeard,
    LetterDisputed,
    LetterTold,
    Refused,
)
from controller.core.invariants import difference
from controller.core.links import letters
from controller.core.project import project
from controller.core.values import Hand, Levels, Mark, RegisteredAward, Signature
from controller.node.publish.neighbours import link_alarms
from controller.rules.refusal import Reason
from controller.verify.links.across import compare, side_of
from support.links import evening
from support.links.doubted import BASE, doubted, end, hand_out, of_claim, unheard
from support.links.evening import AT, BOX, CASINO, OWNER, POT, TABLES
from support.links.nodes import TWO, Node, Nodes
from support.links.restored import backup, meet, put_back
from support.links.stream import Stream
from support.record.verify_history import COLOR, OTHER_STRAIGHT_FLUSH, ROYAL, STRAIGHT_FLUSH, ruleset
from support.record.verifying import verify

CHIEFS = {"by": Signature("carla"), "second": Signature("ana")}


def assert_a_month_agrees(nodes: Nodes) -> None:
    """R-28: closed with that day, it is the same on both pages: what was told, by letters and by the ledger."""
    sol = nodes[CASINO]
    evening.close(sol)
    nodes.settle()
    sol.close_day()
    nodes.settle()
    mine, theirs = (next(iter(side_of(nodes[name].kept).months.values())) for name in (CASINO, OWNER))
    assert mine and theirs
    assert_all_agree(nodes)


def assert_all_agree(nodes: Nodes) -> None:
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing), clearing
    for node in nodes.all.values():
        assert not difference(node.state, node.book.balances)
        node.book.checkpoint()
        verdict = verify(node.kept, None, lambda _: None)
        assert verdict.wrong is None, (node.name, verdict.wrong)
    across = compare([side_of(node.kept) for node in nodes.all.values()])
    assert across.is_good, across.different


def alarms(node: Node) -> list[str]:
    return [one.sentence for one in project(node.state).alarms]


def balance(node: Node, account: str) -> int:
    return node.book.balances.get(account, 0)


FLUSH = Hand(2, cards=STRAIGHT_FLUSH)


# Both ends say it


@pytest.mark.parametrize("player", [CASINO, BOX])
def test_r21_both_ends_say_that_winners_wait_and_why(player):
    nodes = doubted(player, FLUSH)
    mar, there = nodes[OWNER], nodes[player]
    claim = f"{AT[player]}/1/1"
    number = list(mar.state.disputes.values())[of_claim(nodes)].number

    (at_owner,) = (one.sentence for one in link_alarms(mar.state) if "disputa" in one.sentence)
    assert f"disputa tomar {CASINO}/{number}" in at_owner and "no está en curso" in at_owner
    (at_table,) = (one for one in alarms(there) if "no cree" in one)
    above = OWNER if player == CASINO else CASINO
    assert claim in at_table and above in at_table and "no está en curso" in at_table
    assert there.state.claims[claim].doubted and there.state.undecided == (claim,)
    (award,) = (one for sign in project(there.state).signs for one in sign.awards)
    assert award.waits and award.doubted


def test_d215_the_word_of_it_waits_for_whoever_does_not_read_it():
    nodes = doubted(CASINO, FLUSH)
    told = [one.letter for one in nodes[OWNER].told[f"pot:{POT}"]]
    (doubt,) = (one for one in told if isinstance(one, letters.ClaimNotBelieved))

    assert letters.version_of(doubt) == 3
    assert letters.version_of(letters.DisputeOver(POT, "sol", 1, 0, True, "x", "a", "b", claim="x")) == 3


def test_d210_a_record_that_tells_by_an_earlier_list_tells_no_doubt_and_keeps_nothing_of_it():
    nodes = evening.linked()
    evening.in_force(nodes, base=BASE)
    mar = nodes[OWNER]
    mar.book.state = replace(mar.state, tells=2)
    stream = Stream(CASINO, "to:mar")
    stream.mark = mar.state.heard.get("sol/to:mar", Mark(1, 0, ""))
    made = letters.ClaimMade(POT, "DP-01/9/1", "DP-01", 9, "sol", (), (), (), (), "eva")
    facts = mar.hear(stream.next(made))

    assert not any(isinstance(one, LetterTold) for one in facts)
    (dispute,) = mar.state.disputes.values()
    assert dispute.letter is None and dispute.bets == ()
    (ended,) = (
        one
        for one in mar.must(ask.EndDispute(CASINO, dispute.number, False, "x", **TWO))
        if isinstance(one, DisputeEnded)
    )
    assert ended.claim == ""


# Taken


@pytest.mark.parametrize("player", [CASINO, BOX])
def test_r20_taken_they_are_decided_like_any_others_on_the_pot_as_it_is_then(player):
    nodes = doubted(player, FLUSH, Hand(3, cards=COLOR))
    mar, there = nodes[OWNER], nodes[player]
    end(nodes, 0, accepted=True)  # the bets of the pass first: they are in the pot
    main = mar.state.pots[POT].main
    facts = end(nodes, of_claim(nodes), accepted=True)

    (made,) = (one for one in facts if isinstance(one, ClaimRegistered))
    claim = f"{AT[player]}/1/1"
    color, flush = made.awards
    assert made.taken and made.before.main == main and color.amount == 3_000 * 50
    assert flush.amount == (main - color.amount) // 10, "R-15: a tenth of what the multiples left"
    mine = there.state.claims[claim]
    assert [one.granted.amount for one in mine.awards.values()] == [color.amount, flush.amount]
    assert not mine.doubted and not there.state.undecided and not any("no cree" in one for one in alarms(there))
    there.pay_all(claim)
    nodes.settle()
    assert not mar.state.disputes and not any(one.pending for one in mar.state.claims.values())
    assert_all_agree(nodes)


def test_r19_taken_a_whole_pot_is_paid_and_its_base_is_put_back():
    nodes = doubted(CASINO, Hand(2, cards=ROYAL))
    mar, sol = nodes[OWNER], nodes[CASINO]
    main = mar.state.pots[POT].main
    end(nodes, of_claim(nodes), accepted=True)

    assert sol.state.claims["DP-01/1/1"].awards["DP-01/1/1/1"].granted.amount == main
    assert mar.state.pots[POT].main == BASE
    assert_all_agree(nodes)


def test_r21_what_was_handed_out_meanwhile_is_booked_with_them():
    nodes = doubted(CASINO, FLUSH, Hand(3, cards=COLOR), pay=True)
    mar = nodes[OWNER]
    given = next(at for at, one in enumerate(mar.state.disputes.values()) if isinstance(one.letter, letters.AwardGiven))
    number = list(mar.state.disputes.values())[given].number
    (refused,) = mar.ask(ask.EndDispute(CASINO, number, True, "x", **TWO))
    assert isinstance(refused, Refused) and refused.reason == Reason.DISPUTE_CLAIM_FIRST.code
    facts = end(nodes, of_claim(nodes), accepted=True)

    (paid,) = (one for one in facts if isinstance(one, AwardPaid))
    assert (paid.award, paid.amount, paid.by) == ("DP-01@sol/1/1/1", 150_000, "sol/eva")
    assert [one.accepted for one in facts if isinstance(one, DisputeEnded)] == [True, True]
    nodes[CASINO].pay_all("DP-01/1/1")
    nodes.settle()
    assert not any(one.pending for one in mar.state.claims.values())
    assert_a_month_agrees(nodes)


def test_r35_what_was_set_aside_meanwhile_is_booked_with_them():
    nodes = doubted(BOX, FLUSH, Hand(3, cards=COLOR))
    nodes[BOX].must(ask.SetAside("CP-01/1/1/1", "se fue", Signature("eva"), Signature("carla")))
    nodes.settle()
    facts = end(nodes, of_claim(nodes), accepted=True)

    assert [one.award for one in facts if isinstance(one, AwardSetAside)] == ["CP-01@caja@sol/1/1/1"]
    assert_all_agree(nodes)


def test_r34_a_pass_before_them_is_corrected_and_they_stay_what_they_were_told():
    """What two persons took counts by what they said of it, as what was told before a restore."""
    nodes = doubted(CASINO, FLUSH)
    mar = nodes[OWNER]
    evening.sealed(mar, 1, 2)
    false = evening.won(mar, Hand(1, cards=OTHER_STRAIGHT_FLUSH))
    end(nodes, 0, accepted=True)
    end(nodes, of_claim(nodes), accepted=True)
    was = mar.state.claims["DP-01@sol/1/1"].awards["DP-01@sol/1/1/1"].granted.amount
    evening.close(mar)
    mar.must(ask.RejectClaim(false, "mal vista", **CHIEFS))
    nodes.settle()

    (award,) = nodes[CASINO].state.claims["DP-01/1/1"].awards.values()
    assert award.granted.amount == was
    assert_all_agree(nodes)


def test_r34_a_pass_before_bets_that_were_taken_is_corrected():
    """Another hand tells the pot again as this one does: what two persons put in is in it."""
    nodes = doubted(CASINO)
    mar = nodes[OWNER]
    evening.sealed(mar, 1, 2)
    false = evening.won(mar, Hand(1, cards=OTHER_STRAIGHT_FLUSH))
    end(nodes, 0, accepted=True)
    end(nodes, 0, accepted=True)
    evening.close(mar)
    evening.sealed(mar, 1, 2)
    later = evening.won(mar, Hand(2, cards=STRAIGHT_FLUSH))
    evening.close(mar)
    mar.must(ask.RejectClaim(false, "mal vista", **CHIEFS))
    nodes.settle()

    assert len(mar.state.claims[later].awards) == 2, "and the later one is owed more"
    assert_all_agree(nodes)


def heard(nodes: Nodes, letter, node=OWNER, writer=CASINO, name="to:mar"):
    stream, reader = Stream(writer, name), nodes[node]
    stream.mark = reader.state.heard.get(f"{writer}/{name}", Mark(1, 0, ""))
    return reader.hear(stream.next(letter))


def made_of(nodes: Nodes) -> letters.ClaimMade:
    return next(one.letter for one in nodes[CASINO].told["to:mar"] if isinstance(one.letter, letters.ClaimMade))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "XX-01", "claim": "XX-01/1/1"}, "no enlaza la mesa"),
        ({"casino": "mar"}, "no enlaza la mesa"),
        ({"claim": "DP-01/2/1"}, "ya tiene sus premios"),
        ({"claim": "DP-01/1/p1"}, "ya tiene sus premios"),
        ({"number": 7, "claim": "DP-01/7/1"}, "no se conocen las apuestas"),
        ({"seat": 5}, "no se conocen las apuestas"),
        ({"prize": "nada"}, "el plan no tiene"),
        ({"amount": 7}, "no son los de esas apuestas"),
    ],
)
def test_r28_what_nobody_can_settle_is_only_left(change, why):
    nodes = doubted(CASINO, FLUSH)
    mar, good = nodes[OWNER], made_of(nodes)
    of_award = {key: change[key] for key in ("seat", "prize", "amount") if key in change}
    of_claim_ = {key: value for key, value in change.items() if key not in of_award}
    awards = tuple(replace(one, **of_award) for one in good.awards)
    bad = replace(good, **{"claim": "DP-01/1/2", "awards": awards, **of_claim_})
    facts = heard(nodes, bad)
    number = next(one.number for one in facts if isinstance(one, LetterDisputed))
    (refused,) = mar.ask(ask.EndDispute(CASINO, number, True, "lo vimos", **TWO))

    assert isinstance(refused, Refused) and refused.reason == Reason.CLAIM_NOT_TAKEN.code and why in refused.message
    (ended, *_) = mar.must(ask.EndDispute(CASINO, number, False, "lo vimos", **TWO))
    assert isinstance(ended, DisputeEnded) and not ended.accepted


def test_r34_a_second_claim_of_a_pass_is_not_taken_beside_the_first():
    nodes = doubted(CASINO, FLUSH)
    mar, good = nodes[OWNER], made_of(nodes)
    end(nodes, of_claim(nodes), accepted=True)
    facts = heard(nodes, replace(good, claim="DP-01/1/2"))
    number = next(one.number for one in facts if isinstance(one, LetterDisputed))
    (refused,) = mar.ask(ask.EndDispute(CASINO, number, True, "lo vimos", **TWO))

    assert isinstance(refused, Refused) and "ya tiene sus premios" in refused.message


def test_r28_winners_of_a_pass_that_is_believed_are_taken_on_its_bets():
    """Its hands are what two persons say, where this program would say something else."""
    nodes = evening.linked()
    evening.in_force(nodes, base=BASE)
    sol, mar = nodes[CASINO], nodes[OWNER]
    evening.without_prize(sol, 1, 2)
    number = sol.state.tables["DP-01"].number
    evening.won(sol, FLUSH)
    nodes.carry(CASINO, OWNER, most=len(sol.told["to:mar"]) - mar.heard_of(CASINO, "to:mar") - 1)
    good = made_of(nodes)
    facts = heard(nodes, replace(good, hands=()))
    (dispute,) = mar.state.disputes.values()
    assert facts and [bet.seat for bet in dispute.bets] == [1, 2]
    (_, made, *_) = mar.must(ask.EndDispute(CASINO, dispute.number, True, "lo vimos", **TWO))

    assert isinstance(made, ClaimRegistered) and made.claim == f"DP-01@sol/{number}/1"
    assert made.awards[0].amount == made.before.main // 10


# Left


@pytest.mark.parametrize("player", [CASINO, BOX])
def test_r28_left_they_wait_no_more_and_their_house_bears_them(player):
    nodes = doubted(player, FLUSH, Hand(3, cards=COLOR))
    mar, sol, there = nodes[OWNER], nodes[CASINO], nodes[player]
    end(nodes, 0, accepted=False)
    main = mar.state.pots[POT].main
    end(nodes, of_claim(nodes), accepted=False)

    claim = f"{AT[player]}/1/1"
    mine = there.state.claims[claim]
    color, flush = (one.granted for one in mine.awards.values())
    assert (color.amount, flush.amount) == (150_000, (main - 150_000) // 10)
    assert not any(one.waits for one in mine.awards.values()) and mine.left == OWNER and not mine.doubted
    assert not there.state.undecided and not sol.state.undecided
    assert [one for one in alarms(there) if claim in one and OWNER in one and "la paga la casa de" in one]
    assert mar.state.pots[POT].main == main, "the pot gave nothing"
    borne = balance(sol, f"house:{POT}:sol") + (balance(there, f"house:{POT}:sol") if player == BOX else 0)
    assert borne == 4_800 - (150_000 + flush.amount), "the house of that casino, which keeps the bets"
    assert balance(there, f"held:{POT}") == 150_000 + flush.amount
    there.pay_all(claim)
    nodes.settle()
    assert not mar.state.disputes, "of what its owner left he hears no more"
    assert not any("la paga la casa de" in one for one in alarms(there)), "paid, nobody must look at it"
    assert all(not one.pending for node in nodes.all.values() for one in node.state.claims.values())
    assert_all_agree(nodes)


def test_r26_nothing_holds_up_a_plan_any_more():
    nodes = doubted(CASINO, FLUSH)
    sol = nodes[CASINO]
    evening.close(sol)
    nodes.settle()
    for _ in range(len(nodes[OWNER].state.disputes)):
        waiting = nodes[OWNER].state.disputes
        end(nodes, of_claim(nodes) if any(one.letter for one in waiting.values()) else 0, accepted=False)
        if not nodes[OWNER].state.disputes:
            break
    sol.pay_all("DP-01/1/1")
    nodes.settle()
    nodes[OWNER].stage(evening.shared_plan("Res. 302", base=BASE), ruleset())
    nodes.settle()

    assert "Res. 302" in sol.state.pots[POT].documents.plan


def test_r21_what_is_false_is_rejected_by_two_of_the_house_that_has_it():
    nodes = doubted(CASINO, FLUSH, Hand(3, cards=COLOR), pay=True)
    sol = nodes[CASINO]
    end(nodes, of_claim(nodes), accepted=False)
    house, amount = balance(sol, f"house:{POT}:sol"), sol.state.claims["DP-01/1/1"].awards["DP-01/1/1/2"].granted.amount
    facts = sol.must(ask.RejectClaim("DP-01/1/1", "la cámara no lo muestra", **CHIEFS))

    (rejected,) = (one for one in facts if isinstance(one, ClaimRejected))
    assert rejected.held == amount and balance(sol, f"house:{POT}:sol") == house + amount
    first, second = sol.state.claims["DP-01/1/1"].awards.values()
    assert first.paid and not first.cancelled and second.cancelled, "what was paid the house has lost"
    assert not sol.state.claims["DP-01/1/1"].pending and balance(sol, f"held:{POT}") == 0
    nodes.settle()
    (refused,) = sol.ask(ask.RejectClaim("DP-01/1/1", "otra vez", **CHIEFS))
    assert isinstance(refused, Refused) and refused.reason == Reason.CLAIM_REJECTED.code
    assert_a_month_agrees(nodes)


def test_r28_what_the_owner_of_all_left_with_a_casino_no_box_rejects_alone():
    """Its casino's node has it, and asks the owner, who knows nothing of it: the box sets it aside or pays it."""
    nodes = doubted(BOX, FLUSH)
    end(nodes, of_claim(nodes), accepted=False)
    nodes[BOX].must(ask.RejectClaim("CP-01/1/1", "no era", **CHIEFS))
    nodes.settle()

    assert nodes[BOX].state.claims["CP-01/1/1"].pending and not nodes[BOX].state.awaited
    assert_all_agree(nodes)


def test_r20_a_claim_without_winners_ends_too():
    nodes = doubted(CASINO, Hand(1, acts=("folded",)))
    sol = nodes[CASINO]
    assert sol.state.undecided == ("DP-01/1/1",)
    facts = end(nodes, of_claim(nodes), accepted=False)

    assert facts and sol.state.undecided == ()
    assert_all_agree(nodes)


def over(nodes: Nodes, **change):
    made = letters.DisputeOver(
        POT, CASINO, 1, 0, False, "no", "mar/ana", "mar/bea", Levels(1, BASE, {"reserva0": 0}), claim="DP-01@sol/1/1"
    )  # fmt: skip
    return heard(nodes, replace(made, **change), CASINO, OWNER, f"pot:{POT}")


@pytest.mark.parametrize(
    "after", [None, Levels(-1, BASE, {"reserva0": 0}), Levels(1, BASE, {}), Levels(1, BASE, {"reserva0": 2**60})]
)
def test_r28_an_owner_who_does_not_say_how_the_pot_stands_leaves_nothing(after):
    nodes = doubted(CASINO, FLUSH)

    assert isinstance(over(nodes, after=after)[0], LetterDisputed)
    assert nodes[CASINO].state.undecided == ("DP-01/1/1",)


@pytest.mark.parametrize("change", [{"claim": "DP-01@sol/9/1"}, {"claim": "DP-01@luna/1/1"}, {"accepted": True}])
def test_r28_what_does_not_wait_here_is_not_ended_here(change):
    nodes = doubted(CASINO, FLUSH)
    facts = over(nodes, **change)

    assert isinstance(facts[0], DisputeHeard) and not any(isinstance(one, ClaimDecided) for one in facts)


def test_r28_a_doubt_about_what_does_not_wait_here_is_nothing():
    nodes = doubted(CASINO, FLUSH)
    good = letters.ClaimNotBelieved(POT, "DP-01@sol/1/1", "DP-01@sol", "porque\nno")
    said = [
        heard(nodes, one, CASINO, OWNER, f"pot:{POT}")
        for one in (good, replace(good, claim="DP-01@sol/9/1"), replace(good, table="AA@sol"), replace(good, claim="DP-01@luna/1/1", table="DP-01@luna"), replace(good, why="\n "))
    ]  # fmt: skip
    found = [[one for one in facts if isinstance(one, ClaimDoubted)] for facts in said]
    assert [len(one) for one in found] == [1, 0, 0, 0, 1] and found[0][0].why == "porque?no"


def test_r20_a_box_takes_what_was_left_only_as_it_was_asked():
    """Its casino says what waited; what was certain stays what it was, and the house is the only one who gives."""
    nodes = doubted(BOX, FLUSH, Hand(3, cards=COLOR))
    end(nodes, of_claim(nodes), accepted=False)
    (settled,) = (
        one.letter for one in nodes[CASINO].told[f"pot:{POT}"] if isinstance(one.letter, letters.ClaimSettled)
    )

    assert settled.left == OWNER and letters.version_of(settled) == 3
    color, flush = settled.awards
    assert (color.house, flush.house, color.parts, flush.parts) == (0, flush.amount, {}, {})
    assert TABLES and balance(nodes[BOX], f"house:{POT}:sol") == -flush.amount


# The owner is put back


def put_back_then(*, accepted: bool, keep: int | None = None) -> Nodes:
    """The owner ended it, its members heard of that (or only so many letters of its log), and it comes back from a copy of before."""
    nodes = unheard(CASINO, FLUSH, Hand(3, cards=COLOR))
    mar, sol = nodes[OWNER], nodes[CASINO]
    saved = backup(mar)
    hand_out(sol, "DP-01/1/1/1")
    nodes.settle()
    number = list(mar.state.disputes.values())[of_claim(nodes)].number
    mar.must(ask.EndDispute(CASINO, number, accepted, "lo vimos", **TWO))
    nodes.carry(OWNER, CASINO, most=1_000 if keep is None else keep)
    if keep is None:
        sol.pay_all("DP-01/1/1")
        nodes.settle()
    put_back(mar, saved)
    meet(nodes, OWNER)
    nodes.settle()
    return nodes


@pytest.mark.parametrize("accepted", [True, False])
def test_r28_after_a_restore_it_is_ended_as_it_was_told(accepted):
    nodes = put_back_then(accepted=accepted)
    mar, sol = nodes[OWNER], nodes[CASINO]

    assert not mar.state.taking_back and not any(one.letter for one in mar.state.disputes.values())
    assert [one.id for one in mar.state.claims.values()] == (["DP-01@sol/1/1"] if accepted else [])
    assert not any(one.pending for node in (mar, sol) for one in node.state.claims.values())
    assert_all_agree(nodes)


def test_r28_after_a_restore_what_nobody_had_heard_is_decided_then():
    """Its table heard that two persons took it, and not yet what it is: that is settled when it is told again, once."""
    nodes = put_back_then(accepted=True, keep=heard_until_over())
    sol = nodes[CASINO]

    assert not nodes[OWNER].state.taking_back and not sol.state.undecided
    sol.pay_all("DP-01/1/1")
    nodes.settle()
    assert_all_agree(nodes)


def heard_until_over() -> int:
    """How many letters of the log tell the end of the dispute, and not yet the amounts."""
    nodes = unheard(CASINO, FLUSH, Hand(3, cards=COLOR))
    hand_out(nodes[CASINO], "DP-01/1/1/1")
    nodes.settle()
    mar, had = nodes[OWNER], nodes[CASINO].heard_of(OWNER, f"pot:{POT}")
    number = list(mar.state.disputes.values())[of_claim(nodes)].number
    mar.must(ask.EndDispute(CASINO, number, True, "lo vimos", **TWO))
    over = [at for at, one in enumerate(mar.told[f"pot:{POT}"]) if isinstance(one.letter, letters.DisputeOver)]
    return over[0] + 1 - had


def handed_back(mar: Node, letter) -> None:
    """The next letter of the log, as if it had been told before the restore."""
    stream = Stream(OWNER, f"pot:{POT}")
    stream.mark = mar.state.told[stream.name]
    said = stream.next(letter)
    mar.must(ask.TakeBack(CASINO, stream.name, said.mark, said.previous, said.version, said.letter))


def end_of(mar: Node, number: int, claim: str) -> letters.DisputeOver:
    return letters.DisputeOver(
        POT, CASINO, number, 0, True, "lo vimos", "mar/ana", "mar/bea", Levels(1, BASE, {"reserva0": 0}), claim=claim
    )  # fmt: skip


@pytest.mark.parametrize(
    ("letter", "claim", "ends"),
    [
        (letters.ClaimMade(POT, "XX-01/1/1", "XX-01", 1, "sol", (), (), (), (), "eva"), "XX-01@sol/1/1", False),
        (letters.AwardGiven(POT, "XX-01/1/1/1", 5, "eva"), "", True),
    ],
)
def test_r28_a_member_who_hands_back_an_end_that_cannot_be_gets_nothing(letter, claim, ends):
    """Its letters carry no signature of the owner's: winners whom nobody could take stand apart, and two persons look."""
    nodes = evening.linked()
    evening.in_force(nodes, base=BASE)
    mar = nodes[OWNER]
    put_back(mar, backup(mar))
    stream = Stream(CASINO, "to:mar")
    stream.mark = mar.state.heard["sol/to:mar"]
    handed_back(mar, end_of(mar, stream.mark.number + 1, claim))
    meet(nodes, OWNER)
    facts = mar.hear(stream.next(letter))

    assert isinstance(facts[0], LetterDisputed) and any(isinstance(one, DisputeEnded) for one in facts) is ends
    assert not any(isinstance(one, AwardPaid | ClaimRegistered) for one in facts)


def test_r18_what_was_decided_of_them_before_a_restore_waits_for_the_pot():
    nodes = doubted(CASINO, FLUSH)
    mar = nodes[OWNER]
    number = list(mar.state.disputes.values())[of_claim(nodes)].number
    put_back(mar, backup(mar))
    level = Levels(BASE, BASE, {"reserva0": 0})
    award = RegisteredAward(1, 2, "escalera_color", 10**9, {"main": 10**9})
    handed_back(mar, letters.ClaimSettled(POT, "DP-01@sol/1/1", "DP-01@sol", 1, "sol", level, (award,), level))
    (refused,) = mar.ask(ask.EndDispute(CASINO, number, True, "lo vimos", **TWO))

    assert isinstance(refused, Refused) and refused.reason == Reason.POT_LACKS.code


def test_r21_what_was_handed_out_of_something_else_stays_in_dispute():
    nodes = doubted(CASINO, FLUSH)
    heard(nodes, letters.AwardGiven(POT, "DP-01/9/1/1", 5, "eva"))
    end(nodes, of_claim(nodes), accepted=True)

    (left,) = (one for one in nodes[OWNER].state.disputes.values() if one.letter is not None)
    assert left.about == "DP-01@sol/9/1/1"
