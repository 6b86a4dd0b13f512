"""R-18, R-28: whose house bears what. One node may have tables of several casinos of one pot, its own and those of its boxes:
what happened at a table is borne by the house of that table, whatever stands first in the plan, and whatever an owner tells."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import ClaimDecided, DisputeHeard, HouseCharged, LetterDisputed, LetterTold
from controller.core.links.letters import ClaimSettled, DisputeOver, HouseBears, version_of
from controller.core.values import Levels, Mark, Side
from controller.verify.links.across import compare, side_of
from support.links import evening
from support.links.evening import AT, BOX, CASINO, OWNER, POT
from support.links.nodes import TWO, Nodes, key_of
from support.links.stream import Stream
from support.record.verify_history import ruleset
from support.record.verifying import verify

OTHER = "luz"
TABLES = (
    ("DP-01", "mar", "draw", ""),
    ("AA-01", OTHER, "draw", "sol"),
    ("DP-01", "sol", "draw", "sol"),
    ("CP-01", OTHER, "caribbean_plus", "caja@sol"),
)
"""The node `sol` has a table of each of two casinos, and below it lies one of the other."""
LEVELS = Levels(5_000_000, 5_000_000, {"reserva0": 0})


def several(tables=TABLES, extra="") -> Nodes:
    nodes = evening.linked()
    for node in nodes.all.values():
        node.book.start(evening.BOOT, node.now)
    nodes[OWNER].stage(evening.shared_plan(tables=tables, extra=extra), ruleset())
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
    return nodes


def disputed(nodes: Nodes, player: str, tables=TABLES) -> int:
    """A pass of this node that its owner does not believe, because it was played under a plan that was over; the number."""
    mar = nodes[OWNER]
    mar.stage(evening.shared_plan("Res. 301", tables=tables), ruleset())
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    evening.sealed(nodes[player], 1, 2)
    nodes.carry(BOX, CASINO)
    mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of("otra"), **TWO))
    nodes.carry(CASINO, OWNER)
    (dispute,) = mar.state.disputes.values()
    return dispute.number


def end(nodes: Nodes, number: int, *, accepted: bool) -> DisputeOver:
    mar = nodes[OWNER]
    facts = mar.must(ask.EndDispute(CASINO, number, accepted=accepted, reason="se vio", **TWO))
    (letter,) = (fact.letter for fact in facts if isinstance(fact, LetterTold))
    nodes.settle()
    assert isinstance(letter, DisputeOver)
    return letter


def houses(nodes: Nodes, node: str) -> dict[str, int]:
    balances = nodes[node].book.balances
    return {casino: balances.get(f"house:{POT}:{casino}", 0) for casino in ("sol", OTHER)}


def assert_good(nodes: Nodes) -> None:
    for node in nodes.all.values():
        node.book.checkpoint()
        verdict = verify(node.kept, None, lambda _: None)
        assert verdict.wrong is None, verdict.wrong
    assert compare([side_of(node.kept) for node in nodes.all.values()]).is_good


@pytest.mark.parametrize(("player", "house"), [(CASINO, "sol"), (BOX, OTHER)])
@pytest.mark.parametrize("accepted", [True, False])
def test_r28_what_is_left_with_a_node_is_borne_by_the_house_of_the_table(player, house, accepted):
    nodes = several()
    before = houses(nodes, CASINO)
    letter = end(nodes, disputed(nodes, player), accepted=accepted)
    after = houses(nodes, CASINO)

    assert letter.table == f"{AT[player]}@{'sol' if player == CASINO else 'caja@sol'}" and version_of(letter) == 3
    other = "sol" if house == OTHER else OTHER
    assert after[other] == before[other], "a house pays for no other"
    assert after[house] == before[house] + (0 if accepted else letter.amount) and letter.amount > 0
    clearing = nodes.clearing(POT)
    assert clearing[OWNER, CASINO] == -clearing[CASINO, OWNER]
    assert_good(nodes)


def test_r28_where_all_tables_are_of_one_house_the_letter_is_the_one_of_before():
    """D-215: an older program need not wait for what it has no use for."""
    nodes = several(evening.TABLES)
    letter = end(nodes, disputed(nodes, CASINO, evening.TABLES), accepted=False)

    assert letter.table == "" and version_of(letter) == 1
    assert_good(nodes)


def heard(nodes: Nodes, letter):
    told, sol = Stream(OWNER, f"pot:{POT}"), nodes[CASINO]
    told.mark = sol.state.heard.get(f"{OWNER}/{told.name}", Mark(1, 0, ""))
    return sol.hear(told.next(letter))[0]


OVER = DisputeOver(POT, CASINO, 1, 5, False, "se vio", "mar/ana", "mar/bea", LEVELS)


@pytest.mark.parametrize(
    ("table", "casino"),
    [("DP-01@sol", "sol"), ("AA-01@sol", OTHER), ("CP-01@caja@sol", OTHER), ("", OTHER)],
)
def test_r28_an_owner_who_names_no_table_knows_of_one_house_only(table, casino):
    nodes = several()
    evening.sealed(nodes[CASINO], 1)
    fact = heard(nodes, replace(OVER, table=table))

    assert isinstance(fact, DisputeHeard) and fact.casino == casino


@pytest.mark.parametrize("table", ["DP-01", "XX-01@sol", "DP-01@luna"])
def test_r28_a_table_that_is_not_ours_is_borne_by_no_house_here(table):
    nodes = several()
    evening.sealed(nodes[CASINO], 1)
    before = houses(nodes, CASINO)

    assert isinstance(heard(nodes, replace(OVER, table=table)), LetterDisputed)
    assert houses(nodes, CASINO) == before


def test_r28_an_owner_who_leaves_it_with_another_house_is_named_beside_the_verdict():
    nodes = several()
    evening.sealed(nodes[CASINO], 1, 2)
    sol = nodes[CASINO]
    number = sol.state.told[f"to:{OWNER}"].number
    assert isinstance(heard(nodes, replace(OVER, number=number, amount=2_400, table="AA-01@sol")), DisputeHeard)
    sol.book.checkpoint()

    verdict = verify(sol.kept, None, lambda _: None)
    assert verdict.wrong is None and f"mar dejó con luz la carta {number}, que era de sol" in verdict.not_verified


BORNE = HouseBears(POT, "DP-01@sol", "sol", 1, "DP-01@sol/1", LEVELS)


def most_void(nodes: Nodes) -> int:
    return 5_000 * len(nodes[CASINO].state.tables["DP-01"].seats)


@pytest.mark.parametrize(("more", "kind"), [(0, HouseCharged), (1, LetterDisputed)])
def test_r18_no_void_costs_a_house_more_than_all_seats_can_bet(more, kind):
    nodes = several()
    fact = heard(nodes, replace(BORNE, amount=most_void(nodes) + more))

    assert type(fact) is kind


@pytest.mark.parametrize(("amount", "kind"), [(15_000, HouseCharged), (15_001, LetterDisputed)])
def test_r18_no_prize_costs_a_house_more_than_it_is(amount, kind):
    nodes = several(extra=evening.PRIZES.partition('[[complementary]]\nname = "Carta')[0])
    fact = heard(nodes, replace(BORNE, amount=amount, cause="DP-01@sol/1/p1"))

    assert type(fact) is kind


@pytest.mark.parametrize(
    "letter",
    [
        replace(BORNE, cause="DP-01@sol/1/p1"),
        replace(BORNE, cause="AA-01@sol/1"),
        replace(BORNE, cause="DP-01@solo/1"),
        replace(BORNE, cause="x"),
        replace(BORNE, casino=OTHER),
    ],
)
def test_r18_a_house_bears_what_happened_at_its_table_and_can_be_there(letter):
    nodes = several()
    before = houses(nodes, CASINO)

    assert isinstance(heard(nodes, letter), LetterDisputed) and houses(nodes, CASINO) == before


def test_r18_what_a_box_bears_is_told_on_by_its_casino():
    nodes = several()
    fact = heard(nodes, replace(BORNE, table="CP-01@caja@sol", casino=OTHER, amount=7, cause="CP-01@caja@sol/1"))
    nodes.carry(CASINO, BOX)

    assert isinstance(fact, HouseCharged) and fact.table == "CP-01@caja"
    assert nodes[BOX].book.balances[f"house:{POT}:{OTHER}"] == -7


def test_r18_a_claim_that_left_with_its_day_is_decided_for_the_house_of_its_table():
    """Nothing of it is known any more but that its owner has not decided it."""
    nodes = several()
    sol = nodes[CASINO]
    evening.sealed(sol, 1)
    claim = evening.won(sol, evening.Hand(1, acts=("folded",)))
    assert claim in sol.state.undecided and claim not in sol.state.claims
    settled = ClaimSettled(POT, f"{claim.replace('/', '@sol/', 1)}", "DP-01@sol", 1, OTHER, LEVELS, (), LEVELS)

    assert isinstance(heard(nodes, settled), LetterDisputed)
    assert isinstance(heard(nodes, replace(settled, casino="sol")), ClaimDecided)
