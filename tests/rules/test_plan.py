"""Plans: what an authority approved, and what it should never be asked to (R-3, R-9, R-22, R-24, R-26, R-28)."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from controller.documents import shelf
from controller.rules.cards import Category
from controller.rules.document import DocumentError
from controller.rules.money import Money
from controller.rules.plan import LampsSeen, load_plan, refuse_change, refuse_outdated
from controller.rules.readings import PerUnitOwed, Readings
from controller.rules.refusal import Reason

STELAR, ILLIMANI, PUERTO = (
    (shelf() / "plans" / f"{name}.toml").read_text() for name in ("pozo-estelar", "illimani", "puerto-norte")
)


def test_r9_r22_a_plan_says_who_feeds_the_pot_and_how(rulesets):
    plan = load_plan(STELAR, "x", rulesets)

    assert [modality.name for modality in plan.modalities] == ["draw", "caribbean_plus", "go", "texas_plus"]
    assert plan.casinos == ("central",)
    assert plan.main_share == Fraction(72, 100)
    assert plan.growth == Fraction(72, 100) - Fraction(1385, 3822)
    assert (plan.base, plan.ceiling) == (5_000_000, 400_000_000)
    assert plan.reserve_names == ("reserva0",)


def test_r11_the_unit_of_a_plan_is_what_its_law_pays_per(rulesets):
    assert load_plan(PUERTO, "x", rulesets).unit == Money(1000)
    assert load_plan(STELAR, "x", rulesets).unit == Money(1)


def test_r28_tables_of_two_casinos_need_a_law_that_allows_it(rulesets):
    two = STELAR.replace('casino = "central"', 'casino = "costa"', 1)
    assert load_plan(two, "x", rulesets).casinos == ("costa", "central")

    with pytest.raises(DocumentError) as caught:
        load_plan(ILLIMANI.replace('casino = "la-paz"', 'casino = "oruro"', 1), "x", rulesets)
    assert (caught.value.key, caught.value.rule) == ("tables[1].casino", "R-28")


def test_r26_r28_a_pot_between_casinos_says_its_registration_since_the_second_reading(rulesets):
    """Documents of older records lack it, and load; whoever stages or checks such a plan today is refused."""
    two = STELAR.replace('casino = "central"', 'casino = "costa"', 1)
    plan = load_plan(two, "x", rulesets)
    with pytest.raises(DocumentError, match=r"registrado el pozo entre casinos: costa, central") as caught:
        refuse_outdated(plan, "x")
    assert (caught.value.key, caught.value.rule) == ("registration", "R-26")

    registered = load_plan('registration = "Reg. 7/2026"\n' + two, "x", rulesets)
    refuse_outdated(registered, "x")
    refuse_outdated(load_plan(STELAR, "x", rulesets), "x")
    assert (registered.registration, plan.registration) == ("Reg. 7/2026", "")


def test_r6_r26_a_plan_says_who_sees_the_lamps_of_all_its_tables_or_of_each(rulesets):
    def seen(text):
        return [table.lamps for table in load_plan(text, "x", rulesets).tables]

    all_of_them = 'lamps = "sensor"\n' + STELAR
    assert seen(STELAR) == [None] * 4, "as no plan said before"
    assert seen(all_of_them) == [LampsSeen.SENSOR] * 4
    own = all_of_them.replace('name = "GO-01"', 'name = "GO-01"\nlamps = "croupier"')
    assert seen(own) == [LampsSeen.SENSOR, LampsSeen.SENSOR, LampsSeen.CROUPIER, LampsSeen.SENSOR]


def at_nodes(text, *nodes):
    """The tables of a plan, each at its node as the pot's owner sees it."""
    head, *rows = re.split(r"\[\[tables\]\].*\n", text)
    placed = [f'node = "{node}"\n{row}' if node else row for node, row in zip(nodes, rows, strict=True)]
    return head + "".join(f"[[tables]]\n{row}" for row in placed)


def test_r9_r28_a_table_may_be_another_nodes_and_a_plan_says_how_long_it_plays_cut_off(rulesets):
    far = load_plan(at_nodes(STELAR, "", "sala-1", "caja-2@sala-1", "sala-1"), "x", rulesets)

    assert [table.node for table in far.tables] == ["", "sala-1", "caja-2@sala-1", "sala-1"]
    assert (far.max_offline, load_plan(STELAR, "x", rulesets).max_offline) == (30, 30)
    for minutes in (0, 1, 10_080):
        assert load_plan(f"{STELAR}[links]\nmax_offline_minutes = {minutes}\n", "x", rulesets).max_offline == minutes


def test_r28_a_plan_says_how_much_of_a_percentage_is_advanced_while_it_waits(rulesets):
    assert load_plan(STELAR, "x", rulesets).advance_percent == 50
    for percent in (0, 1, 100):
        cut_off = load_plan(f"{STELAR}[links]\nadvance_percent = {percent}\n", "x", rulesets)
        assert (cut_off.advance_percent, cut_off.max_offline) == (percent, 30)
    both = load_plan(f"{STELAR}[links]\nmax_offline_minutes = 0\nadvance_percent = 20\n", "x", rulesets)
    assert (both.advance_percent, both.max_offline) == (20, 0)


@pytest.mark.parametrize(
    "node", ["", "@", "a@", "@a", "a@@b", "a b", "a/b", "~a", "ñ", "a" * 65, "a@b@a", "a@a", "a\u2028"]
)
def test_r28_the_way_to_a_node_is_names_each_once(rulesets, node):
    with pytest.raises(DocumentError) as caught:
        load_plan(STELAR.replace('name = "GO-01"', f'name = "GO-01"\nnode = "{node}"'), "x", rulesets)
    assert (caught.value.key, caught.value.rule) == ("tables[2].node", "R-28")


def test_r9_r28_two_nodes_may_have_tables_of_one_name_and_one_node_may_not(rulesets):
    two = STELAR.replace('casino = "central"', 'casino = "costa"', 1).replace('name = "CP-01"', 'name = "DP-01"')
    first, second, *_ = load_plan(at_nodes(two, "sala-1", "sala-2", "", ""), "x", rulesets).tables
    assert (first.name, first.node, first.casino) == ("DP-01", "sala-1", "costa")
    assert (second.name, second.node, second.casino) == ("DP-01", "sala-2", "central")

    with pytest.raises(DocumentError, match="el nodo sala-1 ya tiene una mesa DP-01") as caught:
        load_plan(at_nodes(two, "sala-1", "sala-1", "", ""), "x", rulesets)
    assert (caught.value.key, caught.value.rule) == ("tables[1].name", "R-9")


def test_r28_r29_a_prize_of_the_day_at_tables_of_other_nodes_is_not_built_and_says_so(rulesets):
    prize = '[[complementary]]\nname = "P"\namount = 5000\ndrawn = "seat"\npaid_in = "cash"\nfrom = "main"\n'
    daily, often = (STELAR + prize + when for when in ("within_minutes = 60\n", "one_in = 40\n"))
    for text in (daily, at_nodes(often, "", "", "sala-1", "")):
        refuse_outdated(load_plan(text, "x", rulesets), "x")

    with pytest.raises(DocumentError, match=r"P cae una vez por jornada.*\(sala-1\).*todavía no.*R-29") as caught:
        refuse_outdated(load_plan(at_nodes(daily, "", "", "sala-1", ""), "x", rulesets), "x")
    assert caught.value.key == "complementary"


def drain(amount, source="main", when="one_in = 1", drawn="seat"):
    """The Chilean plan with a prize: the auditor's `scj-drain` gave ten million in every pass (audit, F2)."""
    prize = f'[[complementary]]\nname = "P"\namount = {amount}\ndrawn = "{drawn}"\npaid_in = "cash"\n'
    return STELAR + f'{prize}from = "{source}"\n{when}\n'


@pytest.mark.parametrize(
    ("plan", "part"),
    [
        (drain(10_000_000), "el pozo principal"),
        # 6, 7, 7 and 6 seats bet 5,000 each: 32,500 a pass, of which the main pot keeps 35.7624 % after its hands.
        (drain(11_623), "el pozo principal"), (drain(116_228, when="one_in = 10"), "el pozo principal"),
        # Own cards of all seats: 30, 35, 21 and 12 of 52, so a drawn card is held 98 times in 208.
        (drain(24_670, drawn="card"), "el pozo principal"),
    ],
)  # fmt: skip
def test_r22_r26_r29_a_part_of_a_pot_that_can_only_shrink_by_its_prizes_is_refused_today(rulesets, plan, part):
    """A record that holds such a plan is read; nobody stages or checks another."""
    old = load_plan(plan, "x", rulesets)
    with pytest.raises(DocumentError, match=rf"{part} se achica por sus premios complementarios.*R-22") as caught:
        refuse_outdated(old, "x")
    assert caught.value.key == "complementary"


@pytest.mark.parametrize(
    "plan",
    [
        drain(11_622), drain(10_000_000, "reserva0"), drain(116_227, when="one_in = 10"),
        drain(10_000_000, when="within_minutes = 60"), STELAR.replace("main_ppm = 900000", "main_ppm = 1000000").replace("\nppm = 100000", "\nppm = 0"),
    ],
)  # fmt: skip
def test_r22_r29_what_a_full_table_can_bear_is_approvable_and_so_is_what_falls_once_a_day(rulesets, plan):
    refuse_outdated(load_plan(plan, "x", rulesets), "x")


def test_r22_what_each_reserve_receives_of_what_is_wagered(rulesets):
    assert load_plan(STELAR, "x", rulesets).reserve_shares == {"reserva0": Fraction(8, 100)}


MISTAKES = [
    (STELAR, 'name = "pozo-estelar"', 'lamps = "nobody"\nname = "pozo-estelar"', "lamps", "R-6"),
    (STELAR, 'name = "GO-01"', 'name = "GO-01"\nlamps = true', "tables[2].lamps", "R-6"),
    (STELAR, 'name = "pozo-estelar"', 'links = 3\nname = "pozo-estelar"', "links", "R-28"),
    (STELAR, "[pot]", "[links]\nmax_offline_minutes = -1\n[pot]", "links.max_offline_minutes", "R-28"),
    (STELAR, "[pot]", "[links]\nmax_offline_minutes = 10081\n[pot]", "links.max_offline_minutes", "R-28"),
    (STELAR, "[pot]", "[links]\nmax_offline_minutes = 1.5\n[pot]", "links.max_offline_minutes", "R-28"),
    (STELAR, "[pot]", "[links]\nadvance_percent = 101\n[pot]", "links.advance_percent", "R-28"),
    (STELAR, "[pot]", "[links]\nadvance_percent = -1\n[pot]", "links.advance_percent", "R-28"),
    (STELAR, "[pot]", "[links]\nadvance_percent = true\n[pot]", "links.advance_percent", "R-28"),
    (STELAR, "[pot]", "[links]\nadvance_percent = 1\nmore = 1\n[pot]", "links.more", "R-26"),
    (STELAR, "[pot]", "[links]\n[pot]", "links.max_offline_minutes", "R-28"),
    (STELAR, "[pot]", "[links]\nmax_offline_minutes = 1\nboth = 1\n[pot]", "links.both", "R-26"),
    (STELAR, 'name = "pozo-estelar"', 'registration = ""\nname = "pozo-estelar"', "registration", "R-28"),
    (STELAR, 'resolution = "', 'resolved = "', "resolution", "R-26"),
    (STELAR, 'name = "pozo-estelar"', 'name = "pozo-estelar"\nowner = "x"', "owner", "R-26"),
    (STELAR, 'ruleset = "scj-2023"', 'ruleset = "scj-1999"', "ruleset", "R-26"),
    (STELAR, "commission_ppm = 200000 ", "commission_ppm = 200000.5 ", "commission_ppm", "R-22"),
    (STELAR, "commission_ppm = 200000 ", "commission_ppm = 0.2 ", "commission_ppm", "R-22"),
    (STELAR, "commission_ppm = 200000 ", 'commission_ppm = "20 %" ', "commission_ppm", "R-22"),
    (STELAR, "main_ppm = 900000", "main_ppm = 900001", "allocation.main_ppm", "R-22"),
    (STELAR, "main_ppm = 900000", "main_ppm = 899999", "allocation.main_ppm", "R-22"),
    (STELAR, "\nppm = 100000", "\nppm = -1", "allocation.reserves[0].ppm", "R-22"),
    (STELAR, "\nppm = 100000", "\nppm = 100000\nx = 1", "allocation.reserves[0].x", "R-26"),
    (STELAR, "main_ppm = 900000", "main_ppm = 900000\nx = 1", "allocation.x", "R-26"),
    (STELAR, 'name = "reserva0"', 'name = "house"', "allocation.reserves[0].name", "R-24"),
    (ILLIMANI, 'name = "reserva1"', 'name = "reserva0"', "allocation.reserves[1].name", "R-24"),
    (STELAR, "base = 5000000", "base = 400000001", "pot.ceiling", "R-24"),
    (STELAR, "base = 5000000", "base = -1", "pot.base", "R-24"),
    (STELAR, "base = 5000000", "base = 5000000\nseed = 1", "pot.seed", "R-26"),
    (PUERTO, "base = 10000000", "base = 10000000\nceiling = 90000000", "pot.ceiling", "R-24"),
    (STELAR, "credit_value = 1000", "credit_value = 0", "bets.credit_value", "R-1"),
    (STELAR, "credit_value = 1000", "credit_value = 300", "bets.min_bet", "R-1"),
    (STELAR, "min_bet = 1000", "min_bet = 6000", "bets.min_bet", "R-3"),
    (STELAR, "max_bet = 5000", "max_bet = 10000001000", "bets.max_bet", "R-3"),
    (STELAR, "max_bet = 5000", "max_bet = 5500", "bets.max_bet", "R-1"),
    (STELAR, "max_bet = 5000", "max_bet = 5000\nunit = 1000", "bets.unit", "R-11"),
    (STELAR, "max_bet = 5000", "max_bet = 5000\nmid_bet = 1000", "bets.mid_bet", "R-26"),
    (PUERTO, "unit = 1000", "unit = 300", "bets.unit", "R-11"),
    (PUERTO, "unit = 1000", "", "bets.unit", "R-11"),
    (STELAR, 'modality = "go"', 'modality = "arica_plus"', "tables[2].modality", "R-7"),
    (STELAR, 'name = "GO-01"', 'name = "DP-01"', "tables[2].name", "R-9"),
    (STELAR, 'modality = "go"\nmin_bet = 1000', 'modality = "go"\nmin_bet = 2000', "tables[2].min_bet", "R-3"),
    (STELAR, 'modality = "go"\nmin_bet = 1000\nmax_bet = 5000', 'modality = "go"\nmin_bet = 1000\nmax_bet = 4000', "tables[2].max_bet", "R-3"),
    (STELAR, 'modality = "go"\nmin_bet = 1000', 'modality = "go"\nmin_bet = 1500', "tables[2].min_bet", "R-1"),
    (STELAR, 'modality = "go"', 'modality = "go"\nseats = 3', "tables[2].seats", "R-26"),
    (STELAR[: STELAR.index("[[tables]]")], "\n", "\n", "tables", "R-9"),
    (STELAR[: STELAR.index("[[tables]]")] + "[tables]\n", "\n", "\n", "tables", "R-9"),
    (STELAR, "commission_ppm = 200000 ", "commission_ppm = 600000 ", "commission_ppm", "R-22"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "right", "wrong", "key", "rule"), MISTAKES)
def test_a_mistake_in_a_plan_is_one_error_with_file_key_and_rule(rulesets, plan, right, wrong, key, rule):
    assert right in plan
    with pytest.raises(DocumentError) as caught:
        load_plan(plan.replace(right, wrong, 1), "plans/mine.toml", rulesets)

    assert (caught.value.file, caught.value.key, caught.value.rule) == ("plans/mine.toml", key, rule)


def test_r22_a_pot_that_shrinks_by_its_own_plan_is_refused_at_the_exact_bound(rulesets):
    """Part 6.3: commission and reserve together above 63.7624 % of the bet."""
    alone = PUERTO.replace("arica-2017", "scj-2023").replace("unit = 1000", "").replace("arica_plus", "caribbean")
    bound = 1_000_000 - 1_000_000 * 1385 // 3822

    assert load_plan(alone.replace("250000", str(bound - 1)), "x", rulesets).growth > 0
    with pytest.raises(DocumentError, match=r"63,7624 %.*R-22"):
        load_plan(alone.replace("250000", str(bound)), "x", rulesets)


def test_r22_r33_an_amount_owed_once_whatever_the_bet_costs_the_pot_most_at_the_least_bet(rulesets):
    once = {**rulesets, "arica-2017": replace(rulesets["arica-2017"], readings=Readings(per_unit=PerUnitOwed.BET))}
    five = PUERTO.replace("min_bet = 1000", "min_bet = 5000")

    assert load_plan(PUERTO, "x", once).growth == load_plan(PUERTO, "x", rulesets).growth
    assert load_plan(five, "x", once).fixed_cost * 5 == load_plan(five, "x", rulesets).fixed_cost


def test_r18_r23_a_bet_too_small_for_its_split_is_refused(rulesets):
    tiny = (
        ILLIMANI.replace("_bet = 500", "_bet = 1")
        .replace("_bet = 2000", "_bet = 2")
        .replace("credit_value = 500", "credit_value = 1")
    )

    with pytest.raises(DocumentError) as caught:
        load_plan(tiny, "x", rulesets)
    assert (caught.value.key, caught.value.rule) == ("bets.min_bet", "R-23")


def test_r28_the_same_name_may_stand_for_a_table_of_each_casino(rulesets):
    two = STELAR.replace('casino = "central"', 'casino = "costa"', 1).replace('name = "CP-01"', 'name = "DP-01"')

    assert [(table.casino, table.name) for table in load_plan(two, "x", rulesets).tables][:2] == [
        ("costa", "DP-01"), ("central", "DP-01"),
    ]  # fmt: skip


def test_r18_r23_every_bet_of_the_plan_covers_its_fractions_not_only_the_smallest(rulesets):
    reserves = "".join(f'[[allocation.reserves]]\nname = "r{at}"\nppm = 100000\n' for at in range(6))
    head, _, tail = ILLIMANI.partition("[allocation]")
    plan = head.replace("150000", "0") + "[allocation]\nmain_ppm = 400000\n" + reserves + tail[tail.index("[pot]") :]
    plan = plan.replace("= 500", "= 1").replace("_bet = 2000", "_bet = 90")

    with pytest.raises(DocumentError, match="R-23"):
        load_plan(plan.replace("min_bet = 1\n", "min_bet = 12\n"), "x", rulesets)
    assert load_plan(plan.replace("min_bet = 1\n", "min_bet = 13\n"), "x", rulesets).limits.least == 13


def test_r24_a_pot_has_at_most_sixteen_reserves(rulesets):
    reserves = "".join(f'[[allocation.reserves]]\nname = "r{at}"\nppm = 0\n' for at in range(17))
    head, _, tail = ILLIMANI.partition("[allocation]")
    many = head + "[allocation]\nmain_ppm = 1000000\n" + reserves + tail[tail.index("[pot]") :]

    with pytest.raises(DocumentError, match=r"allocation.reserves: .*R-24"):
        load_plan(many, "x", rulesets)


def test_r26_a_plan_changes_only_between_passes_with_nothing_pending_by_two_persons():
    def reason(*change):
        return refuse_change(*change).reason

    assert reason(True, 1, "", []) is Reason.PASS_OPEN
    assert reason(False, 1, "", []) is Reason.AWARD_PENDING
    assert reason(False, 0, " ", []) is Reason.RESOLUTION_MISSING
    assert reason(False, 0, "Res. 7", ["ana"]) is Reason.TWO_PERSONS_NEEDED
    assert reason(False, 0, "Res. 7", ["ana", " "]) is Reason.TWO_PERSONS_NEEDED
    assert reason(False, 0, "Res. 7", ["ana", "ana"]) is Reason.TWO_PERSONS_NEEDED
    assert refuse_change(False, 0, "Res. 7", ["ana", "luz"]) is None


PRIZE = """
[[complementary]]
name = "Estrella"
amount = 5000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 40
"""


def with_prize(plan, old="", new="", again=""):
    """A plan with a complementary prize, written a little differently."""
    assert old in PRIZE
    at = plan.index("[[tables]]")
    return plan[:at] + PRIZE.replace(old, new, 1) + again + plan[at:]


def test_r29_a_plan_names_its_complementary_prizes(rulesets):
    [prize] = load_plan(with_prize(STELAR), "x", rulesets).prizes
    assert (prize.name, prize.amount, prize.source, prize.one_in, prize.within_minutes) == (
        "Estrella",
        5000,
        "house",
        40,
        None,
    )

    moment = with_prize(STELAR, "one_in = 40", "within_minutes = 90")
    assert load_plan(moment, "x", rulesets).prizes[0].within_minutes == 90


@pytest.mark.parametrize(
    ("plan", "old", "new", "again", "key"),
    [
        (STELAR, "", "", PRIZE, "complementary[1].name"),
        (STELAR, 'promotional_credits"\nfrom = "house"', 'chips"\nfrom = "main"', "", "complementary[0].paid_in"),
        (STELAR, 'from = "house"', 'from = "main"', "", "complementary[0].from"),
        (STELAR, "promotional_credits", "cash", "", "complementary[0].from"),
        (STELAR, "one_in = 40", "one_in = 40\nwithin_minutes = 5", "", "complementary[0].one_in"),
        (STELAR, "one_in = 40", "", "", "complementary[0].one_in"),
        (STELAR, "one_in = 40", "one_in = 40\nodds = 2", "", "complementary[0].odds"),
        (PUERTO.replace("amount = 15000", "amount = 14000", 1), "", "", "", "complementary[0].amount"),
    ],
)
def test_r29_a_prize_that_the_law_does_not_allow_is_refused_with_its_key(rulesets, plan, old, new, again, key):
    with pytest.raises(DocumentError) as caught:
        load_plan(with_prize(plan, old, new, again), "x", rulesets)
    assert caught.value.key == key


def test_r29_a_law_without_complementary_prizes_has_none(rulesets):
    law = rulesets["scj-2023"]
    without = replace(law, complementary=replace(law.complementary, allowed=False, paid_in=()))

    with pytest.raises(DocumentError) as caught:
        load_plan(with_prize(STELAR), "x", {law.name: without})
    assert (caught.value.key, caught.value.rule) == ("complementary", "R-29")


def test_r21_without_a_threshold_every_award_needs_two_persons(rulesets):
    assert load_plan(STELAR, "x", rulesets).two_persons_above == 0
    at = STELAR.index("[[tables]]")
    told = STELAR[:at] + "[awards]\ntwo_persons_above = 250000\n" + STELAR[at:]
    assert load_plan(told, "x", rulesets).two_persons_above == 250_000


def with_awards(lines):
    at = STELAR.index("[[tables]]")
    return STELAR[:at] + "[awards]\n" + lines + "\n" + STELAR[at:]


def test_r36_a_plan_says_who_confirms_and_from_which_hand_on_cards_are_entered(rulesets):
    silent = load_plan(STELAR, "x", rulesets)
    assert (silent.none_registered_above, silent.cards_from) == (None, Category.POKER)
    told = load_plan(with_awards('none_registered_above = 500000\ncards_from = "color"'), "x", rulesets)
    assert (told.two_persons_above, told.none_registered_above, told.cards_from) == (0, 500_000, Category.COLOR)


@pytest.mark.parametrize("hand", ["escalera_color", "escalera_real", "pareja", ""])
def test_r36_no_plan_asks_for_less_than_poker(rulesets, hand):
    with pytest.raises(DocumentError) as refused:
        load_plan(with_awards(f'cards_from = "{hand}"'), "x", rulesets)
    assert (refused.value.key, refused.value.rule) == ("awards.cards_from", "R-36")
