"""A month between two nodes that share a pot: both say the same to the peso, from their own records alone (R-28)."""

from itertools import pairwise

import msgspec
import pytest
from conftest import CAMPAIGN
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import AwardPaid, LetterHeard, LetterTold
from controller.core.links.letters import AdvanceGiven, AwardGiven, DayOver, PotMoved
from controller.core.values import Hand, Mark, Signature
from controller.record.reading import ReportRefused, entries
from controller.report import clearing_links
from controller.report.clearing import clearing
from controller.report.clearing_letters import LINES
from controller.report.clearing_links import LetterReader
from controller.report.clearing_value import Body
from support.links import evening
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.histories import History
from support.links.months import DECEMBER, NOVEMBER, begin_day, end_day, played_months, two_months
from support.links.nodes import TWO, Nodes
from support.record.verify_history import COLOR, STRAIGHT_FLUSH, ruleset

SEEDS = range(120 if CAMPAIGN else 5)
READINGS = (
    {}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"}, {"real_after_cap": "uncut"},
)  # fmt: skip
LINKS = ((BOX, CASINO), (CASINO, OWNER))
DAY = 86_400_000


@pytest.fixture(scope="module")
def nodes():
    """The scripted evening, with claims, voids, corrections and disputes, and its day closed."""
    return played_months()


def statement(nodes, node, other, month=NOVEMBER):
    (one,) = clearing(nodes[node].kept, month, neighbour=other).statements
    return one


def both(nodes, below, above, month=NOVEMBER):
    return statement(nodes, below, above, month), statement(nodes, above, below, month)


def assert_same(nodes, below, above, month=NOVEMBER):
    ours, theirs = both(nodes, below, above, month)
    assert ours.body == theirs.body and ours.body.hash == theirs.body.hash
    assert ours.holds and theirs.holds
    return ours.body


def letters_of(record):
    """What each letter brings, as one record has it: by (pot, member), of both streams."""
    reader = LetterReader(record.node)
    for entry in entries(record):
        reader.follow(entry)
    return {(link.pot, link.member, link.owner): (link.up, link.log) for link in reader.links.values()}


@pytest.mark.parametrize(("below", "above"), LINKS)
def test_r28_both_sides_say_the_same_of_a_month_to_the_peso(nodes, below, above):
    body = assert_same(nodes, below, above)

    assert body.closing == nodes.clearing(POT)[below, above] != 0
    assert body.opening == 0 and body.days == ("2026-11-01",)
    assert body.until_up == nodes[below].state.told[f"to:{above}"] == nodes[above].state.heard[f"{below}/to:{above}"]
    assert body.until_log == nodes[above].state.told[f"pot:{POT}"]
    assert body.closing == sum(line.amount for key, line in body.lines.items() if LINES[key].moves)
    assert body.lines["bets.wagered"].amount + body.lines["voids.wagered"].amount > 0


def test_r23_a_box_takes_no_commission_and_its_casino_does(nodes):
    box, casino = (statement(nodes, *link).body for link in LINKS)

    assert "bets.commission" not in box.lines and box.lines["bets.net"] == box.lines["bets.wagered"]
    lines = casino.lines
    assert lines["bets.commission"].amount * 5 == -lines["bets.wagered"].amount, "a fifth of it, by the plan"
    assert lines["bets.net"].amount == lines["bets.wagered"].amount + lines["bets.commission"].amount


def test_r28_a_month_says_also_what_was_in_dispute_and_what_was_paid(nodes):
    lines = statement(nodes, CASINO, OWNER).body.lines
    paid = [one.letter for one in nodes[CASINO].told[f"to:{OWNER}"] if isinstance(one.letter, AwardGiven)]

    assert lines["disputes.left"].amount == -2_400 and lines["disputes.taken"].amount == 2_400
    moved = (one.letter for one in nodes[OWNER].told[f"pot:{POT}"] if isinstance(one.letter, PotMoved))
    share = next(one for one in moved if one.neighbour == CASINO)
    assert lines["share"].amount == -share.amount < 0, "what it was given when it left"
    assert lines["paid"].amount == sum(one.amount for one in paid if not one.aside)
    assert lines["paid"].letters == sum(one.amount > 0 and not one.aside for one in paid)
    assert lines["aside"].amount == sum(one.amount for one in paid if one.aside)


@pytest.mark.parametrize(("below", "above"), LINKS)
def test_r20_a_month_says_what_was_advanced_and_what_came_back(nodes, below, above):
    body = statement(nodes, below, above).body
    given = [one.letter for one in nodes[below].told[f"to:{above}"] if isinstance(one.letter, AdvanceGiven)]
    back = body.lines["advances.back"].amount

    assert given and body.lines["advances.given"].amount == sum(one.amount for one in given)
    assert body.advanced == body.lines["advances.given"].amount + back
    paid = [fact for fact in (entry.fact for entry in entries(nodes[below].kept)) if isinstance(fact, AwardPaid)]
    own = sum(fact.advanced for fact in paid)
    assert own and (own == -back if below == BOX else own < -back), "of a box's players its own record says it"


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_r28_random_months_are_the_same_on_both_sides(seed):
    nodes = two_months(seed, **READINGS[seed % len(READINGS)])
    for below, above in LINKS:
        november, december = (assert_same(nodes, below, above, month) for month in (NOVEMBER, DECEMBER))

        assert december.opening == november.closing and december.closing == nodes.clearing(POT)[below, above]
        assert (december.from_up, december.from_log) == (november.until_up, november.until_log)
        assert november.days[-1] == "2026-11-30" and december.days == ("2026-12-01",)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_r28_each_letter_brings_the_same_at_both_ends_whatever_is_under_way(seed):
    """So both are equal at every mark, and not only where a month ends."""
    history = History(seed, **READINGS[seed % len(READINGS)])
    history.go(250)
    looked = 0
    for below, above in LINKS:
        name = (POT, below, above)
        sides = (letters_of(history.nodes[node].kept).get(name, ((), ())) for node in (below, above))
        for ours, theirs in zip(*sides, strict=True):
            for here, there in zip(ours, theirs, strict=False):
                assert here == there
                looked += 1
    assert looked


def test_r28_the_base_that_a_plan_puts_in_is_of_the_house_that_it_names():
    """R-24: of the first table's casino, which here is two nodes away from the pot."""
    nodes = evening.linked()
    plan = evening.shared_plan(tables=evening.TABLES[::-1], base=700_000, ceiling=900_000)
    nodes[OWNER].stage(plan, ruleset())
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
        evening.sealed(node, 1)
        evening.close(node)
        assert end_day(node)
    nodes.settle()
    for below, above in LINKS:
        assert assert_same(nodes, below, above).lines["house.plan"].amount == 700_000


@pytest.fixture
def cut():
    """November ends at a casino while it is cut off, with a claim that waits."""
    nodes = evening.linked()
    evening.in_force(nodes)
    nodes.tick(29 * DAY)
    sol = nodes[CASINO]
    for node in nodes.all.values():
        assert end_day(node)
        begin_day(node)
    nodes.settle()
    evening.sealed(sol, 1, 2)
    evening.won(sol, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH))
    evening.close(sol)
    assert end_day(sol)
    return nodes


def test_r28_a_member_says_what_its_owner_has_not_heard_yet(cut):
    ours = statement(cut, CASINO, OWNER)

    assert ours.beside.unknown == 4 and ours.beside.over, "bets, claim, close, day"
    assert ours.body.waiting == ("DP-01/1/1",) and ours.holds
    assert ours.body.lines["awards.certain"].amount == -50_000 and "awards.decided" not in ours.body.lines
    theirs = statement(cut, OWNER, CASINO)
    assert theirs.body.days == ("2026-11-01",) and not theirs.beside.over, "the owner says that the month may go on"


def test_r20_what_the_owner_decides_later_belongs_to_the_month_in_which_he_is_heard(cut):
    cut.settle()
    november = assert_same(cut, CASINO, OWNER)

    assert november.waiting == ("DP-01/1/1",)
    assert statement(cut, CASINO, OWNER).beside.unknown == 0
    sol = cut[CASINO]
    cut.tick(DAY)
    begin_day(sol)
    assert end_day(sol)
    cut.settle()
    december = assert_same(cut, CASINO, OWNER, DECEMBER)
    assert december.opening == november.closing and december.waiting == ()
    assert december.lines.keys() == {"awards.decided"}


def test_r34_a_claim_of_november_that_is_rejected_in_december_counts_in_december(cut):
    cut.settle()
    before = assert_same(cut, CASINO, OWNER)
    sol = cut[CASINO]
    cut.tick(DAY)
    begin_day(sol)
    sol.must(ask.RejectClaim("DP-01/1/1", "era otra mano", Signature("carla"), Signature("dario")))
    cut.settle()
    assert end_day(sol)
    cut.settle()

    december = assert_same(cut, CASINO, OWNER, DECEMBER)
    assert december.lines["awards.corrected"].amount > 50_000 and assert_same(cut, CASINO, OWNER) == before


def test_r27_a_day_that_gets_another_name_is_of_that_month_on_both_sides(cut):
    cut.settle()
    sol = cut[CASINO]
    cut.tick(DAY)
    begin_day(sol)
    assert end_day(sol)
    cut.settle()
    assert assert_same(cut, CASINO, OWNER, DECEMBER).days == ("2026-12-01",)
    cut.tick(DAY)
    sol.must(ask.RenameDay("2026-12-02", "se abrió tarde", **TWO))
    cut.settle()
    assert assert_same(cut, CASINO, OWNER, DECEMBER).days == ("2026-12-02",)


def test_r27_the_last_day_of_november_opened_as_the_first_of_december_goes_back_to_november(cut):
    cut.settle()
    sol = cut[CASINO]
    begin_day_named(sol, "2026-12-01")
    assert end_day(sol)
    cut.settle()
    december = assert_same(cut, CASINO, OWNER, DECEMBER)
    with pytest.raises(AssertionError, match="day_out_of_order"):
        sol.must(ask.RenameDay("2026-11-30", "era de ayer", **TWO))
    assert assert_same(cut, CASINO, OWNER, DECEMBER) == december


def begin_day_named(node, name):
    node.now += DAY
    begin_day(node)
    assert node.state.day.name == name


# Questions that have no answer, and records that are not as they were written


@pytest.mark.parametrize(
    ("month", "more", "why"),
    [
        ("noviembre", {}, "Un mes se escribe AAAA-MM"),
        ("2026-12", {}, "hay: 2026-11"),
        (NOVEMBER, {"pot": "otro"}, f"hay: {POT}"),
        (NOVEMBER, {"neighbour": "otro"}, "No hay un vecino otro"),
    ],
)
def test_r28_what_is_not_there_is_said_with_what_is(nodes, month, more, why):
    with pytest.raises(ReportRefused, match=why):
        clearing(nodes[CASINO].kept, month, **more)


def test_r28_a_node_that_shares_nothing_has_nothing_to_clear():
    alone = Nodes(OWNER)
    alone.people()
    with pytest.raises(ReportRefused, match="no comparte ningún pozo"):
        clearing(alone[OWNER].kept, NOVEMBER)


def edited(kept, at, change):
    """A copy of a record in which one fact says something else, or is not there."""
    copy = kept.backup()
    row = copy.all_facts[at]
    changed = change(msgspec.json.decode(row.body))
    copy.all_facts[at : at + 1] = [] if changed is None else [row._replace(body=msgspec.json.encode(changed))]
    return copy


def letters_at(kept, kind):
    return [at for at, entry in enumerate(entries(kept)) if isinstance(entry.fact, kind)]


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
@pytest.mark.parametrize("kind", [LetterTold, LetterHeard])
def test_r28_a_letter_that_was_dropped_leaves_a_gap(nodes, name, kind):
    kept = nodes[name].kept
    streams: dict[str, list[int]] = {}
    for at, entry in enumerate(entries(kept)):
        if isinstance(entry.fact, kind) and getattr(entry.fact, "neighbour", "") != evening.STRANGER:
            streams.setdefault(entry.fact.stream, []).append(at)
    for at in (at for places in streams.values() for at in places[:-1:5]):
        with pytest.raises(ReportRefused, match=r"no sigue a la|no es la que se oyó"):
            clearing(edited(kept, at, lambda _: None), NOVEMBER)


def test_r28_a_letter_that_was_edited_is_not_the_one_that_the_next_names(nodes):
    """The one who edits a bet of his own breaks the hash that the next letter has; the last one's stands at the other end."""
    kept = nodes[CASINO].kept
    bets = [at for at in letters_at(kept, LetterTold) if b"bets_sealed" in kept.all_facts[at].body]

    def less(entry):
        entry["fact"]["letter"]["bets"][0]["amount"] -= 1_000
        return entry

    for at in bets[:-1]:
        with pytest.raises(ReportRefused, match="no sigue a la"):
            clearing(edited(kept, at, less), NOVEMBER)


def test_r28_a_letter_of_the_log_that_was_edited_is_not_what_was_heard(nodes):
    kept = nodes[CASINO].kept
    of_log = [
        at for at in letters_at(kept, LetterHeard) if b'"letter":{"letter":"claim_settled"' in kept.all_facts[at].body
    ]

    def more(entry):
        entry["fact"]["letter"]["before"]["main"] += 1_000
        return entry

    for at in of_log:
        with pytest.raises(ReportRefused, match="no es la que se oyó"):
            clearing(edited(kept, at, more), NOVEMBER)


def test_r27_a_letter_cannot_be_led_over_midnight(cut):
    """December's first letter told before the close of November's last day: its number, and the hash of the one before,
    stand in it; put there under another number, it is a different letter, and the owner has none of it."""
    sol = cut[CASINO]
    cut.settle()
    cut.tick(DAY)
    begin_day(sol)
    evening.sealed(sol, 3)
    evening.close(sol)
    assert end_day(sol)
    cut.settle()
    kept = sol.kept.backup()
    told = [at for at in letters_at(kept, LetterTold) if b'"stream":"to:mar"' in kept.all_facts[at].body]
    over = next(at for at in reversed(told[:-1]) if b"day_over" in kept.all_facts[at].body)
    bets = next(at for at in told if at > over and b"bets_sealed" in kept.all_facts[at].body)
    kept.all_facts[over], kept.all_facts[bets] = kept.all_facts[bets], kept.all_facts[over]
    with pytest.raises(ReportRefused, match="no sigue a la"):
        clearing(kept, NOVEMBER)


def test_r28_an_older_copy_of_a_record_has_no_such_month_or_another_one():
    nodes = evening.linked()
    evening.in_force(nodes)
    sol = nodes[CASINO]
    for _ in range(2):
        evening.sealed(sol, 1, 2)
        evening.close(sol)
        assert end_day(sol)
        nodes.settle()
        older, before = sol.kept.backup(), assert_same(nodes, CASINO, OWNER)
        nodes.tick(DAY)
        begin_day(sol)
    evening.sealed(sol, 3)
    evening.close(sol)
    assert end_day(sol)
    nodes.settle()

    now = assert_same(nodes, CASINO, OWNER)
    (copy,) = clearing(older, NOVEMBER).statements
    assert copy.body == before and copy.holds and not copy.beside.over
    assert copy.body.hash != now.hash and copy.body.until_up.number < now.until_up.number


def test_r28_the_ledger_that_says_something_else_is_named(nodes, monkeypatch):
    def wrong(fact):
        lines = clearing_links_postings(fact)
        return tuple(
            line._replace(amount=line.amount + 1) if line.account.startswith("clearing:") else line for line in lines
        )

    clearing_links_postings = clearing_links.postings
    monkeypatch.setattr(clearing_links, "postings", wrong)
    assert not clearing(nodes[CASINO].kept, NOVEMBER).holds


def test_r28_a_body_is_its_bytes(nodes):
    body = statement(nodes, CASINO, OWNER).body

    assert msgspec.json.decode(body.canonical(), type=Body) == body
    assert body.canonical() == msgspec.json.encode(msgspec.json.decode(body.canonical()), order="sorted")
    assert replace(body, closing=body.closing + 1).hash != body.hash


def test_r27_a_day_that_is_not_later_or_names_no_letter_ends_nothing(nodes):
    """Both ends leave it out, so a member who told nonsense has no month by it."""
    reader = LetterReader(CASINO)
    for entry in entries(nodes[CASINO].kept):
        reader.follow(entry)
    link = reader.links[POT, OWNER]
    ended = list(link.ended)
    link.day_over(99, DayOver(POT, "2026-11-01", Mark(0, 0, "")), 30)
    link.day_over(99, DayOver(POT, "nunca", Mark(0, 0, "")), 30)
    link.day_over(99, DayOver(POT, "2026-11-02", Mark(1, 9, "x")), None)
    link.day_over(99, DayOver(POT, "2026-11-02", Mark(1, 9, "x")), 2)
    link.day_over(99, DayOver(POT, "2026-11-03", Mark(1, 9, "x"), "2026-11-02"), 30)
    assert link.ended == ended
    assert all(one.day < other.day for one, other in pairwise(link.ended))
