"""`pozo report`: every figure can be added up again from the facts it names, and every report proves itself."""

from collections import Counter

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core.facts import (
    ClaimCorrected,
    CreditsBought,
    CreditsCashed,
    DayClosed,
    DayOpened,
    Entry,
    NodeFounded,
    PlanTookEffect,
    PrizeGranted,
    SeatCounted,
)
from controller.core.inputs import MoveMoney, OpenPass, RenameDay, SeatReport, StagePlan, VoidHand
from controller.core.values import Flow
from controller.documents import shelf
from controller.explain.explain import explain
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.record.fold import granted_in
from controller.record.reading import ReportRefused, dated, entries, witness
from controller.report.counting import report
from controller.report.figures import CATALOGUE, LEVELS, SECTIONS
from controller.report.forms import as_text
from controller.report.items import items, owed_by_correction
from controller.report.meters import meters
from controller.report.pdf import as_pdf
from controller.report.proofs import proofs
from controller.report.scope import ask
from controller.report.value import Account
from support.record.report_cases import (
    ANA,
    BETO,
    CARLA,
    DORA,
    PLAN,
    VERIFIER,
    Floor,
    Memory,
    agree,
    evening,
    everything,
    record_of,
    total,
    wander,
)

SEEDS = range(200 if CAMPAIGN else 12)
LAW = (shelf() / "rulesets" / "scj-2023.toml").read_text()
FOUNDED = NodeFounded("caja-1", "k", ("ana", "beto"))
IN_FORCE = PlanTookEffect("estelar", PLAN, LAW, "Res. 1", "ana", "beto", "central", base_put_in=5_000_000)


@pytest.fixture(scope="module")
def all_of_it():
    return everything()


def amount(told, key, detail=""):
    figure = total(told, key, detail)
    return figure.amount if figure else None


def test_a_small_day_by_hand():
    record = record_of(
        FOUNDED,
        IN_FORCE,
        DayOpened("2026-11-01", "0" * 64, "dora"),
        CreditsBought("DP-01", 1, 5_000, "carla"),
        CreditsBought("TX-01", 2, 3_000, "carla"),
        CreditsCashed("DP-01", 1, 2_000, "carla"),
        DayClosed("2026-11-01", "", "dora"),
        CreditsCashed("DP-01", 1, 1_000, "carla"),
    )

    told = report(record, ask("day", "2026-11-01"), keep_facts=True)

    assert [(one.level, one.pot, one.table, one.casino, one.amount, one.first, one.last, one.facts, one.numbers)
            for one in told.figures if one.key == "cash.in"] == [
        ("total", "", "", "", 8_000, 4, 5, 2, ((4, 5),)),
        ("pot", "estelar", "", "", 8_000, 4, 5, 2, ((4, 5),)),
        ("casino", "", "", "central", 5_000, 4, 4, 1, ((4, 4),)),
        ("casino", "", "", "norte", 3_000, 5, 5, 1, ((5, 5),)),
        ("table", "estelar", "DP-01", "central", 5_000, 4, 4, 1, ((4, 4),)),
        ("table", "estelar", "TX-01", "norte", 3_000, 5, 5, 1, ((5, 5),)),
    ]  # fmt: skip
    assert (amount(told, "cash.out"), amount(told, "cash.net"), amount(told, "house.base")) == (2_000, 6_000, 5_000_000)
    assert (told.first, told.last, told.facts, told.node, told.still_open) == (1, 7, 7, "caja-1", False)
    assert told.currency.code == "CLP"
    assert Account("credits:DP-01:1", 0, 5_000, 2_000, 3_000, 4, 6, 2, ((4, 4), (6, 6))) in told.accounts
    assert told.holds


def test_what_comes_between_two_days_is_counted_in_the_day_that_follows():
    floor = evening()

    first, second = (report(floor.record, ask("day", day)) for day in ("2026-11-01", "2026-11-02"))

    assert first.last + 1 == second.first
    assert amount(first, "awards.paid_count") == amount(second, "awards.paid_count") == 1
    assert (amount(second, "awards.before"), amount(second, "awards.paid")) == (495_432, 495_432)
    assert (amount(first, "changes.between"), amount(second, "changes.between")) == (5, 3)
    closing = {one.account: one.closing for one in first.accounts if one.closing}
    assert closing == {one.account: one.opening for one in second.accounts if one.opening}


def test_what_comes_after_the_last_close_is_in_no_day_but_in_the_record():
    floor = Floor()
    floor.open_day()
    floor.close_day()
    before = report(floor.record, ask("month", "2026-11"))
    floor.ask(MoveMoney("estelar", "house", "main", 500, "Res. 9", ANA, DORA))

    assert report(floor.record, ask("month", "2026-11")) == before
    whole = report(floor.record, ask("pot", "estelar"))
    assert amount(whole, "house.moved") == 500
    assert whole.days == ("2026-11-01",) and not whole.still_open


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_any_history_adds_up_to_what_the_ledger_moved(seed):
    floor = wander(seed)
    record = floor.record

    month = report(record, ask("month", "2026-11"), keep_facts=True)

    assert month.holds and any(one.name == "ledger" for one in month.proofs)
    moved = Counter()
    for row in record.postings(month.first, month.last):
        moved[row.account] += row.amount
    assert {one.account: one.rises - one.falls for one in month.accounts if one.rises != one.falls} == {
        account: amount for account, amount in moved.items() if amount
    }
    assert {one.account: one.closing for one in month.accounts} == {
        row.account: row.amount for row in record.balance_rows()
    }
    by_day = [report(record, ask("day", day)) for day in month.days]
    for key, kind in CATALOGUE.items():
        if not (kind.each or kind.of_links) and not key.startswith(("award.", "awards.before", "awards.pending")):
            assert sum(amount(day, key) for day in by_day) == amount(month, key), key


@pytest.mark.parametrize("history", [evening, everything])
def test_every_figure_is_the_sum_of_the_facts_it_names(history):
    """Computed again from the named facts alone, for each figure at every level."""
    floor = history()
    facts = {row.seq: msgspec.json.decode(row.body, type=Entry).fact for row in floor.record.rows}

    told = report(floor.record, ask("pot", "estelar"), keep_facts=True)

    of_the_atlas = {"before", "pending", "paid", "rejected"}  # said by the award, not by the fact that ends it
    for one in told.figures:
        numbers = [seq for first, last in one.numbers for seq in range(first, last + 1)]
        assert (len(numbers), min(numbers, default=0), max(numbers, default=0)) == (one.facts, one.first, one.last)
        if not (one.section == "awards" and one.name.removesuffix("_count") in of_the_atlas) and one.name != "between":
            added = [item for seq in numbers for item in told_of(facts[seq], one) if item.key == one.key]
            assert sum(item.amount for item in added if one.detail in {"", item.detail}) == one.amount, one.key


def told_of(fact, figure):
    """What a fact adds; a correction also what it owes, to the winners of each table."""
    yield from items(fact)
    for award, granted in granted_in(fact) if isinstance(fact, ClaimCorrected) else ():
        if figure.table in {"", award.partition("/")[0]}:
            yield from owed_by_correction(granted)


def test_the_levels_of_a_figure_agree(all_of_it):
    told = report(all_of_it.record, ask("month", "2026-11"))

    assert told.holds
    of_tables = [key for key in CATALOGUE if key.startswith(("cash.", "play.", "split."))]
    for key in of_tables:
        sums = {
            level: sum(one.amount for one in told.figures if (one.key, one.level) == (key, level) and not one.detail)
            for level in LEVELS
        }
        assert len(set(sums.values())) == 1, (key, sums)
    for key in ("split.part", "awards.registered", "incidents.refused"):
        details = [one.amount for one in told.figures if (one.key, one.level) == (key, "total") and one.detail]
        assert details
        if not CATALOGUE[key].each:
            assert sum(details) == amount(told, key)


def test_a_month_in_which_everything_happens(all_of_it):
    told = report(all_of_it.record, ask("month", "2026-11"))
    table = report(all_of_it.record, ask("table", "TX-01", month="2026-11"))

    wanted = {
        "cash.chips": 7_000, "cash.owed_paid": 2_000, "cash.left": 4_000, "cash.left_paid": 1_000, "cash.promo": 3_000,
        "cash.lapsed": 3_000, "play.chips": 5_000, "play.undone": 5_000, "play.voided_bets": 3, "split.overflow": 2_320,
        "awards.corrected": 100_000, "house.lost": 0, "house.prize": 16_800, "house.base_back": 4_998_880,
        "house.corrected": -4_998_880, "house.suspense": 3_000, "house.base_reserves": 1_120, "incidents.overdue": 6, "incidents.corrected": 3,
        "incidents.voided_passes": 3, "incidents.id_reused": 1, "incidents.clock_back": 1, "incidents.lamp_fault": 1,
        "incidents.suspense": 3_000, "incidents.suspense_cleared": 1, "changes.unlocked": 1, "awards.rejected_count": 3,
    }  # fmt: skip
    assert {key: amount(told, key) for key in wanted} == wanted
    assert amount(told, "incidents.refused", "pin_wrong") == 5
    assert told.days == ("2026-11-01",)
    december = report(all_of_it.record, ask("day", "2026-12-01"))
    assert (amount(december, "house.parts_moved"), amount(december, "changes.restored")) == (1_000, 1)
    assert amount(december, "changes.withdrawn") == 1 and december.still_open and december.holds
    assert table.holds and amount(table, "awards.registered") == 2_610_000
    assert table.pots[0].casinos == ("norte",)


def test_training_is_another_book(all_of_it):
    told = report(all_of_it.record, ask("pot", "estelar"))

    assert not [one for one in told.figures if "~" in one.pot + one.table]
    assert not [one for one in told.accounts if "~" in one.account]
    with pytest.raises(ReportRefused, match=r"No hay una mesa ~TX-01; hay: DP-01, TX-01\."):
        report(all_of_it.record, ask("table", "~TX-01"))


def test_an_award_and_what_became_of_it(all_of_it):
    record = all_of_it.record

    paid, rejected, pending, drawn, late = (
        report(record, ask("award", award))
        for award in ("DP-01/1/1/1", "DP-01/5/1/2", "DP-01/1/1/2", "DP-01/2/p2/1", "TX-01/2/1/2")
    )

    assert [amount(paid, f"award.{name}") for name in ("bet", "amount", "parts", "house", "paid")] == [
        5_000,
        250_000,
        250_000,
        0,
        250_000,
    ]
    assert amount(rejected, "award.rejected") == 1_823_112 and not rejected.still_open
    assert amount(pending, "award.pending") == 100_000 and pending.still_open
    assert (amount(drawn, "award.house"), amount(drawn, "award.parts")) == (16_800, 3_200)
    assert (amount(late, "award.house"), amount(late, "award.corrected")) == (0, 100_000)
    assert all(one.holds for one in (paid, rejected, pending, drawn, late))
    about = dict(paid.about)
    assert about["Premio"] == "DP-01/1/1/1: Color, posición 1"
    assert about["Confirmado"].endswith("por dora y ana") and "por carla" in about["Pagado"]
    assert dict(late.about)["Confirmado"].endswith("por dora y ana"), "R-36: two are its confirmation"
    assert dict(pending.about)["Estado"].startswith("retenido")
    assert {one.section for one in paid.figures} == {"award"}


def test_an_award_whose_pass_is_not_there_is_still_told():
    record = record_of(
        FOUNDED, IN_FORCE, PrizeGranted("DP-01/1/p1", "DP-01", 1, "estelar", "central", "Fama", 2, 9, Flow({}, -9))
    )

    told = report(record, ask("award", "DP-01/1/p1/1"))

    assert (amount(told, "award.bet"), amount(told, "award.house")) == (0, 9)


def test_a_plan_that_changes_and_a_table_that_leaves():
    floor = Floor()
    floor.open_day()
    floor.play("TX-01", {1: 5})
    floor.close_day()
    alone = PLAN.partition('[[tables]]\nname = "TX-01"')[0].replace("100/2026", "101/2026")
    floor.ask(StagePlan(alone, floor.law, ANA, BETO))
    floor.open_day()
    floor.play("DP-01", {1: 1})

    told = report(floor.record, ask("table", "TX-01"))

    assert amount(told, "play.wagered") == 5_000
    assert told.pots[0].resolution == "Res. Ex. N° 101/2026"
    assert report(floor.record, ask("day", "2026-11-01")).pots[0].resolution == "Res. Ex. N° 100/2026"


def test_two_pots_are_told_apart_and_two_currencies_are_never_added():
    second = PLAN.replace('"estelar"', '"otro"').replace("-01", "-02").replace("5000000", "7000000")
    floor = Floor()
    floor.ask(StagePlan(second, floor.law, ANA, BETO))
    floor.open_day()
    floor.play("DP-01", {1: 5})
    floor.play("DP-02", {1: 2})

    told = report(floor.record, ask("day", "2026-11-01"))

    assert told.holds and [pot.name for pot in told.pots] == ["estelar", "otro"]
    assert [one.amount for one in told.figures if (one.key, one.level) == ("play.wagered", "pot")] == [5_000, 2_000]
    bolivian = (shelf() / "plans" / "illimani.toml").read_text()
    floor.ask(StagePlan(bolivian, (shelf() / "rulesets" / "aj-bolivia.toml").read_text(), ANA, BETO))
    with pytest.raises(ReportRefused, match=r"monedas distintas: .*CLP.*illimani \(BOB\)"):
        report(floor.record, ask("day", "2026-11-01"))
    assert report(floor.record, ask("pot", "illimani")).currency.code == "BOB"
    assert report(floor.record, ask("table", "DP-02")).pots[0].name == "otro"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("year", "2026"), "No hay un informe year; hay: day, month, pot, table, award."),
        (("day", ""), "Un informe day necesita un nombre."),
        (("pot", "a", "2026-11-01", "2026-11"), "Un informe es de una jornada o de un mes, no de ambos."),
        (("day", "2026-11-01", "", "2026-11"), "Solo el informe de un pozo o de una mesa se limita a una jornada o a un mes."),
        (("month", "11-2026"), "Un mes se escribe AAAA-MM, no 11-2026."),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(asked, sentence):
    with pytest.raises(ReportRefused) as refused:
        ask(*asked)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("day", "2026-11-09"), "No hay una jornada 2026-11-09; hay: 2026-11-01, 2026-11-02."),
        (("month", "2025-11"), "No hay jornadas del mes 2025-11; hay: 2026-11."),
        (("pot", "luna"), "No hay un pozo luna; hay: estelar."),
        (("table", "X", "2026-11-01"), "No hay una mesa X; hay: DP-01, TX-01."),
        (("table", "X", "2020-01-01"), "No hay una jornada 2020-01-01; hay: 2026-11-01, 2026-11-02."),
        (("award", "DP-01/9/1/1"), "No hay un premio DP-01/9/1/1; hay: DP-01/1/1/1, DP-01/1/1/2, TX-01/2/1/1, DP-01/3/1/1, DP-01/3/1/2."),
    ],
)  # fmt: skip
def test_what_is_not_there_is_answered_with_what_is(asked, sentence):
    with pytest.raises(ReportRefused) as refused:
        report(evening().record, ask(*asked))
    assert str(refused.value) == sentence


def test_of_many_names_the_newest_are_named():
    days = [
        fact
        for number in range(10, 40)
        for fact in (DayOpened(f"d{number}", "", "dora"), DayClosed(f"d{number}", "", "dora"))
    ]

    with pytest.raises(ReportRefused, match=r"No hay una jornada x; hay: d20, .*, d39 y 10 más\."):
        report(record_of(FOUNDED, *days), ask("day", "x"))
    with pytest.raises(ReportRefused, match=r"No hay un premio x; este registro todavía no tiene\."):
        report(Memory(), ask("award", "x"))


def test_a_damaged_fact_is_named():
    record = evening().record
    record.rows[9] = record.rows[9]._replace(body=b'{"seq":10')
    with pytest.raises(ReportRefused, match="El hecho 10 no se puede leer"):
        report(record, ask("pot", "estelar"))
    record.rows[9] = record.rows[9]._replace(body=b"\xff")
    with pytest.raises(ReportRefused, match="El hecho 10 no se puede leer"):
        report(record, ask("pot", "estelar"))


def test_a_fact_that_cannot_be_and_a_plan_nobody_can_read_are_named():
    wrong = PrizeGranted("DP-01/1/p1", "DP-01", 1, "estelar", "central", "Fama", 2, 15_000, Flow({"main": -1}))
    with pytest.raises(ReportRefused, match=r"El hecho 3 no cuadra \(double entry"):
        report(record_of(FOUNDED, IN_FORCE, wrong), ask("pot", "estelar"))
    with pytest.raises(ReportRefused, match="El plan del hecho 2 no se puede leer: plan: "):
        report(record_of(FOUNDED, msgspec.structs.replace(IN_FORCE, plan="name = 3")), ask("pot", "estelar"))


def test_a_report_that_does_not_add_up_says_so():
    floor = evening()
    balances = floor.record.balance_rows()
    floor.record.balance_rows = lambda: [balances[0]._replace(amount=7), *balances[1:]]

    told = report(floor.record, ask("day", "2026-11-02"))

    assert [one.name for one in told.proofs if not one.holds] == ["ledger"]
    assert not told.holds
    accounts = [Account("cash:X", 1, 0, 0, 2, 0, 0, 0)]
    assert {one.name for one in proofs(told.figures, accounts, None) if not one.holds} >= {
        "opening_zero",
        "closing_zero",
        "each_account",
        "cash",
    }


def test_a_table_counted_as_it_was_is_no_incident():
    assert not list(items(SeatCounted("DP-01", 1, 5, 5, "dora", "ana")))


def test_r27_the_first_checkpoint_that_covers_a_report_is_its_witness():
    record = evening().record
    record.signed.clear()
    for seq in (9, 30, 40):
        record.sign(seq)

    for last, digits in ((1, "9-"), (9, "9-"), (10, "30-"), (31, "40-"), (41, "40-")):
        found = witness(record, last).digits
        assert found.startswith(digits) and len(found) == len(digits) + 16
    assert witness(Memory(), 1).digits == ""
    record.signed.append(record.signed[0]._replace(seq=50, body=b"[]"))
    with pytest.raises(ReportRefused, match="El testigo 50 no se puede leer"):
        report(record, ask("pot", "estelar"))


@pytest.mark.parametrize("signed", [[], [9], [9, 10**6]])
def test_r27_a_report_that_no_signature_covers_says_so_in_red(signed):
    record = evening().record
    record.signed.clear()
    for seq in signed:
        record.sign(seq)
    told = report(record, ask("month", "2026-11"))
    text, pdf = as_text(told), as_pdf(told)

    covered = signed[-1:] == [10**6]
    assert told.is_signed is covered
    assert ("NINGUNA FIRMA CUBRE ESTE INFORME" in text) is not covered
    assert (b"NINGUNA FIRMA CUBRE ESTE INFORME" in pdf and b"SIN FIRMA QUE LO CUBRA" in pdf) is not covered
    red = b".627451 .062745 .062745 rg"
    assert (red in pdf) is not covered
    assert ("llega al hecho 9" in text) is (signed == [9])


@pytest.mark.parametrize("history", [evening, lambda: wander(5)], ids=["evening", "wander"])
def test_a_report_of_a_real_store_is_the_same(history, tmp_path):
    """The same inputs through the book and SQLite, read beside it as an auditor reads."""
    floor = history()
    key = Key.load_or_make(tmp_path / "key.pem")
    (at, _), *rest = floor.asked
    book = Book.create(tmp_path / "caja.db", key, "caja-1", ("ana", "beto"), at)
    asked = [Asked(OutcomeKey("consola", 1, number), at, one, VERIFIER) for number, (at, one) in enumerate(rest, 1)]
    for start in range(0, len(asked), 7):
        book.take(asked[start : start + 7])
    book.checkpoint()
    scope = ask("month", "2026-11")

    with Reader.open(tmp_path / "caja.db") as reader:
        told = report(reader, scope, keep_facts=True)
        counted = meters(reader)
        explained = explain(reader, "20")
    book.close()

    memory = report(floor.record, scope, keep_facts=True)
    assert (told.figures, told.accounts, told.proofs) == (memory.figures, memory.accounts, memory.proofs)
    assert told.holds and told.witness.seq == told.last and agree(counted)
    assert explained.splitlines()[2:] == explain(floor.record, "20").splitlines()[2:]


def test_r27_a_renamed_day_is_reported_under_its_right_name_alone():
    floor = Floor()
    floor.open_day()
    floor.play("DP-01", {1: 2})
    floor.ask(RenameDay("2026-11-02", "era mañana", DORA, ANA))
    floor.close_day()
    floor.ask(RenameDay("2026-11-01", "era hoy", DORA, ANA))
    floor.open_day("2026-11-02")
    floor.close_day()

    told = report(floor.record, ask("day", "2026-11-01"))

    assert told.first == 1 and told.holds
    assert report(floor.record, ask("day", "2026-11-02")).first > told.last
    assert {one.day for one in dated(floor.record)} == {"2026-11-01", "2026-11-02"}


def test_days_hold_every_fact_once():
    record = everything().record
    facts = list(entries(record))

    seen = [one.entry.seq for one in dated(record)]

    assert seen == [entry.seq for entry in facts]


def test_the_figures_of_an_evening():
    told = report(evening().record, ask("day", "2026-11-01"))

    wanted = {
        "cash.net": 14_000, "play.wagered": 18_000, "play.undone": 4_000, "play.net": 14_000, "split.commission": 3_600,
        "split.commission_undone": 800, "split.pots": 14_400, "split.pots_undone": 3_200, "house.total": 5_000_000,
        "awards.registered": 645_432, "awards.paid": 50_000, "awards.rejected": 100_000, "awards.pending": 495_432,
    }  # fmt: skip
    assert {key: amount(told, key) for key in wanted} == wanted


def test_a_void_hand_that_the_house_gives_back():
    """R-33: the pots keep what they got."""
    law = LAW.replace('void_undoes = "contributions"', 'void_undoes = "nothing"')
    floor = Floor()
    floor.ask(StagePlan(PLAN, law, ANA, BETO))
    floor.open_day()
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 2, 4)
    floor.lock("DP-01")
    floor.ask(VoidHand("DP-01", 2, "carta a la vista", CARLA))

    told = report(floor.record, ask("day", "2026-11-01"))

    assert [amount(told, key) for key in ("house.void", "play.undone", "play.net", "split.pots_undone")] == [
        4_000,
        4_000,
        0,
        0,
    ]
    assert amount(told, "house.total") == 5_004_000 and told.holds


def test_what_a_running_node_has_moved_since_is_not_compared():
    record = evening().record
    rows = record.balance_rows()
    record.balance_rows = lambda: [rows[0]._replace(amount=7, fact=9_999), *rows[1:]]

    told = report(record, ask("day", "2026-11-02"))

    assert told.holds and told.proofs[-1].name == "ledger"


def test_a_bet_that_nobody_confirmed_goes_back():
    floor = Floor()
    floor.open_day()
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 1, 2, lit=False)
    floor.ask(SeatReport("DP-01", 1, floor.unit("DP-01", 1, voided=2)))

    told = report(floor.record, ask("day", "2026-11-01"))

    assert (amount(told, "play.voided"), amount(told, "play.voided_bets")) == (2_000, 1) and told.holds


def test_a_report_of_an_open_pass():
    floor = Floor()
    floor.open_day()
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 1, 2)

    told = report(floor.record, ask("table", "DP-01", "2026-11-01"))

    assert {one.account: one.closing for one in told.accounts}["bets:DP-01"] == 2_000
    assert told.holds and told.still_open


def test_every_figure_has_its_section_and_the_catalogue_is_what_reports_have():
    assert {key.partition(".")[0] for key in CATALOGUE} == set(SECTIONS)
