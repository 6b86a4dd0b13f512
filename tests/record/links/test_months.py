"""The second hand makes a month between two nodes again, in its own way, and comes to the same bytes (R-28)."""

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.values import Hand, Side, Signature
from controller.record.reading import ReportRefused
from controller.report.clearing import clearing
from controller.verify.links.across import compare, side_of
from controller.verify.links.months import months_of
from support.edits.forger import of_kind
from support.laws import naming
from support.links import evening
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.months import DECEMBER, NOVEMBER, begin_day, end_day, played_months, two_months
from support.links.nodes import TWO, key_of
from support.pozo import pozo
from support.record.verify_history import COLOR, STRAIGHT_FLUSH, ruleset
from support.record.verify_rows import Rows
from support.record.verifying import verify

SEEDS = range(120 if CAMPAIGN else 5)
READINGS = (
    {}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"}, {"real_after_cap": "uncut"},
)  # fmt: skip


@pytest.fixture(scope="module")
def nodes():
    return played_months()


def first_hand(record):
    """What `pozo clearing` says of every month."""
    found = {}
    for month in (NOVEMBER, DECEMBER):
        try:
            statements = clearing(record, month).statements
        except ReportRefused:
            continue
        for body in (one.body for one in statements):
            of = (body.month, body.pot, body.below, body.above)
            found[of] = (body.until_up.number, body.until_log.number, body.closing, body.hash)
    return found


def assert_both_hands_agree(nodes):
    assert_both_hands_agree_at(nodes, *nodes.all)


def assert_both_hands_agree_at(nodes, *names):
    for name in names:
        second = {of: tuple(stated) for of, stated in months_of(nodes[name].kept).items()}
        assert second == first_hand(nodes[name].kept) != {}, name


def test_r28_both_hands_make_the_same_statement_of_the_scripted_evening(nodes):
    assert_both_hands_agree(nodes)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_r28_both_hands_make_the_same_statements_of_random_months(seed):
    nodes = two_months(seed, **READINGS[seed % len(READINGS)])
    assert_both_hands_agree(nodes)
    across = compare([side_of(node.kept) for node in nodes.all.values()])
    assert across.is_good and across.open == ()
    months = {(one.below, one.above): [month.month for month in one.months] for one in across.compared}
    assert months == {(BOX, CASINO): [NOVEMBER, DECEMBER], (CASINO, OWNER): [NOVEMBER, DECEMBER]}


def test_r24_a_base_that_a_member_s_house_put_in_is_of_the_month():
    nodes = evening.linked()
    plan = evening.shared_plan(tables=evening.TABLES[::-1], base=700_000, ceiling=900_000)
    nodes[OWNER].stage(plan, ruleset())
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
        assert end_day(node)
    nodes.settle()
    assert_both_hands_agree(nodes)


def test_r27_a_day_with_another_name_is_so_at_both_hands():
    found = evening.linked()
    evening.in_force(found)
    sol = found[CASINO]
    assert end_day(sol)
    found.tick(40 * 86_400_000)
    begin_day(sol)
    assert end_day(sol)
    found.settle()
    name = sol.state.last_day
    found.tick(86_400_000)
    sol.must(ask.RenameDay(f"{name[:8]}{int(name[8:]) + 1:02}", "se abrió tarde", **TWO))
    found.settle()
    for node in (sol, found[OWNER]):
        assert {of: tuple(stated) for of, stated in months_of(node.kept).items()} == first_hand(node.kept)


def test_r28_a_month_that_two_records_count_otherwise_is_named(nodes):
    sides = [side_of(node.kept) for node in nodes.all.values()]
    owner = next(side for side in sides if side.node == OWNER)
    ((of, stated),) = owner.months.items()
    owner.months[of] = stated._replace(closing=stated.closing + 1, hash="0" * 64)
    across = compare(sides)

    assert not across.is_good
    assert any(f"{NOVEMBER}, pozo {POT}, {CASINO} y {OWNER}: con las mismas cartas" in one for one in across.different)
    del owner.months[of]
    across = compare(sides)
    assert across.is_good and any("no llegan a la misma jornada" in one for one in across.open)


def test_r28_the_command_says_the_hash_of_each_month_and_compares_them(nodes, tmp_path):
    for name, node in nodes.all.items():
        node.kept.write(tmp_path / f"{name}.db")
    hashes = {one.body.hash for one in clearing(nodes[CASINO].kept, NOVEMBER).statements}
    code, out, _ = pozo("verify", tmp_path / f"{CASINO}.db", "--months")
    assert code == 0 and len(hashes) == 2 and all(f"huella {one}." in out for one in hashes)
    said = msgspec.json.decode(pozo("verify", tmp_path / f"{CASINO}.db", "--months", "--json")[1])
    assert {one[-1] for one in said["months"]} == hashes
    code, out, _ = pozo("verify", *(tmp_path / f"{name}.db" for name in nodes.all))
    assert code == 0 and out.count("la misma compensación de 2026-11") == 2
    assert pozo("verify", "--months", *(tmp_path / f"{name}.db" for name in nodes.all))[0] == 2


def test_r28_a_casino_of_which_nothing_is_believed_has_the_same_month_as_its_owner():
    """It was left out of a plan: bets, claims, prizes, advances, payments and a void, all of it in dispute, some of it decided."""
    law = naming(ruleset(), "Carta Mágica")
    nodes = evening.linked()
    mar, sol = nodes[OWNER], nodes[CASINO]
    mar.stage(evening.shared_plan(extra=evening.PRIZES), law)
    nodes.settle()
    sol.open_day()
    mar.stage(evening.shared_plan("Res. 301", extra=evening.PRIZES), law)
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    for number in range(6):
        evening.sealed(sol, 1, 2, 3)
        evening.show_cards(sol)
        claim = evening.won(sol, Hand(2, cards=STRAIGHT_FLUSH), Hand(3, cards=COLOR))
        if number == 0:
            evening.advance(sol, f"{claim}/2")
        evening.close(sol)
    for claim in list(sol.state.claims.values()):
        for award in [name for name, one in claim.awards.items() if one.pending and not one.waits]:
            sol.must(ask.ConfirmAward(award, Signature("carla"), Signature("ana")))
            sol.must(ask.PayAward(award, Signature("eva")))
    evening.sealed(sol, 1)
    sol.must(ask.VoidPass(evening.AT[CASINO], "mazo", Signature("eva")))
    mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of("otra"), **TWO))
    mar.must(ask.SeeLink(CASINO, up=True))
    nodes.settle()
    disputes = sorted(mar.state.disputes.values(), key=lambda one: one.number)
    for at, one in enumerate(disputes[:9]):
        mar.must(ask.EndDispute(CASINO, one.number, accepted=bool(at % 3), reason="se vio", **TWO))
    nodes.settle()
    assert end_day(sol)
    nodes.settle()

    assert_both_hands_agree_at(nodes, CASINO, OWNER)
    ours, theirs = (
        {of: one for of, one in first_hand(nodes[name].kept).items() if OWNER in of} for name in (CASINO, OWNER)
    )
    assert ours == theirs != {}
    lines = clearing(mar.kept, NOVEMBER).statements[0].body.lines
    assert {
        "bets.net",
        "awards.certain",
        "prizes",
        "paid",
        "advances.given",
        "disputes.left",
        "voids.net",
    } <= lines.keys()


# The dishonest colleague who has the node's key too, and writes his record anew


def told_days(bodies):
    return [one for one in of_kind(bodies, "letter_told") if one["fact"]["letter"]["letter"] == "day_over"]


def heard_days(bodies):
    kept = [one for one in of_kind(bodies, "letter_heard") if one["fact"].get("letter")]
    return [one for one in kept if one["fact"]["letter"]["letter"] == "day_over"]


def later(one):
    one["fact"]["letter"]["day"] = "2026-12-01"


def less_heard(one):
    one["fact"]["letter"]["heard"] = {"epoch": 0, "number": 0, "hash": ""}


@pytest.mark.parametrize("change", [later, less_heard, None])
def test_r27_a_day_is_told_as_it_was_closed_or_the_record_is_wrong(nodes, change):
    rows = Rows(nodes[CASINO].kept)
    bodies = rows.bodies()
    (day,) = told_days(bodies)
    if change is None:
        bodies.remove(day)
    else:
        change(day)
    rows.make_whole(bodies, nodes[CASINO].key)
    wrong = verify(rows, None, lambda _: None).wrong

    assert wrong is not None and wrong.rule == "R-28"


@pytest.mark.parametrize("change", [later, less_heard])
def test_r27_a_day_stands_as_it_was_heard_or_the_record_is_wrong(nodes, change):
    rows = Rows(nodes[OWNER].kept)
    bodies = rows.bodies()
    (day,) = heard_days(bodies)
    change(day)
    rows.make_whole(bodies, nodes[OWNER].key)
    wrong = verify(rows, None, lambda _: None).wrong

    assert wrong is not None and "huella" in wrong.why
    with pytest.raises(ReportRefused, match="no es la que se oyó"):
        clearing(rows, NOVEMBER)


def test_r27_a_day_that_is_left_out_where_it_was_heard_shows_beside_the_other_record(nodes):
    """One record alone cannot know which letter moved nothing; the one who told it has its words."""
    rows = Rows(nodes[OWNER].kept)
    bodies = rows.bodies()
    (day,) = heard_days(bodies)
    del day["fact"]["letter"]
    rows.make_whole(bodies, nodes[OWNER].key)

    assert verify(rows, None, lambda _: None).wrong is None
    across = compare([side_of(rows), *(side_of(nodes[name].kept) for name in (CASINO, BOX))])
    assert any("dice que la jornada se cerró" in one for one in across.different)
