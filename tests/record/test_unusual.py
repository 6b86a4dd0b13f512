"""R-36: the page of what is unusual in a day or a month: each thing once, who and where, beside what chance would give."""

from copy import deepcopy
from fractions import Fraction

import msgspec
import pytest

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.facts import Entry
from controller.core.values import Bounds, Box, Hand, HeadLeft, TerminalUse, Unproven, web_user
from controller.record.record import FactRow
from controller.report.counting import report
from controller.report.forms import as_csv, as_json, as_text
from controller.report.pdf import as_pdf
from controller.report.scope import ask as asked_for
from controller.report.unusual import KINDS
from controller.report.unusual_page import thousandths, unusual_blocks
from support.core.points import point_of, web_key_of
from support.floor.floor import (
    ANA,
    CARLA,
    DAY,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    SECRET,
    SEED,
    TABLE,
    Floor,
    hands_of,
    plan,
)
from support.record.report_cases import Memory, evening

ANY_PRIZE_SCJ = Fraction(5108 + 3744 + 624 + 36 + 4, 2598960)


def record_of(floor):
    """What a floor of the core has heard, as a record."""
    rows = []
    for seq, (at, fact) in enumerate(floor.record, 1):
        kind = str(type(fact).__struct_config__.tag)
        rows.append(FactRow(seq, at, kind, msgspec.json.encode(Entry(seq, at, ("a", 1, seq), "00", fact)), b""))
    return Memory(rows)


def unusual(floor, name=DAY):
    return report(record_of(floor), asked_for("day", name)).unusual


def told(floor, *kinds):
    return [
        (one.kind, one.table, one.seat, one.persons, one.amount)
        for one in unusual(floor).oddities
        if not kinds or one.kind in kinds
    ]


def of(sums, who):
    (found,) = [one for one in sums if one.who == who]
    return found


def test_r36_an_evening_without_anything_unusual_lists_nothing_and_still_says_what_chance_gives():
    floor = Floor(plan(alone=10**9))
    for _ in range(3):
        floor.sealed({1: 2, 2: 2})
        floor.claim((1, POKER)) if floor.table().number == 2 else None
        floor.close_pass()
    page = unusual(floor)

    assert page.oddities == ()
    seat = of(page.seats, f"{TABLE}/1")
    assert (seat.bets, seat.awards, seat.odd) == (3, 1, {})
    assert seat.by_chance == int(3 * ANY_PRIZE_SCJ * 1000 + Fraction(1, 2)) == 11
    carla = of(page.persons, "carla")
    assert (carla.bets, carla.awards, carla.by_chance) == (6, 1, 22)


def test_r36_awards_on_a_word_are_counted_to_who_entered_them_and_to_their_seat():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2, 3: 1})
    floor.claim((1, "color"), (2, POKER), (3, "full"))

    assert told(floor) == [("no_cards", TABLE, 1, ("carla",), 100_000), ("no_cards", TABLE, 3, ("carla",), 100_000)]
    page = unusual(floor)
    assert of(page.persons, "carla").odd == {"no_cards": 2}
    assert of(page.seats, f"{TABLE}/1").odd == {"no_cards": 1} and of(page.seats, f"{TABLE}/2").odd == {}


@pytest.mark.parametrize(
    ("registers", "second", "pays", "same"),
    [(JEFA, DIEGO, JEFA, "jefa"), (CARLA, CARLA, CARLA, "carla"), (CARLA, DIEGO, CARLA, ""), (CARLA, CARLA, DIEGO, "")],
)
def test_r36_who_entered_confirmed_and_paid_an_award_is_the_same_person_throughout(registers, second, pays, same):
    floor = Floor(plan(alone=10**9))
    floor.sealed({4: 2})
    floor.ask(ask.RegisterClaim(TABLE, hands_of([(4, POKER)]), registers))
    floor.ask(ask.ConfirmAward("DP-01/1/1/1", JEFA, second))
    floor.ask(ask.PayAward("DP-01/1/1/1", pays))

    assert told(floor) == ([("same_person", TABLE, 4, (same,), 1_000_000)] if same else [])


def test_r36_voids_after_the_lock_are_counted_by_seat_and_person_and_others_are_not():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.ask(ask.VoidHand(TABLE, 1, "antes", CARLA))
    floor.bet(2, 3)
    floor.bet(3, 1)
    floor.lock()
    floor.ask(ask.VoidHand(TABLE, 2, "carta a la vista", DIEGO))
    floor.ask(ask.VoidPass(TABLE, "baraja", CARLA))

    assert told(floor) == [("void_late", TABLE, 2, ("diego",), 3_000), ("void_late", TABLE, 3, ("carla",), 1_000)]
    assert [one.what for one in unusual(floor).oddities] == ["carta a la vista", "baraja"]


def test_r35_r36_late_winners_corrections_and_rejections_each_by_its_name():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, POKER))
    floor.ask(ask.CorrectClaim(TABLE, 1, hands_of([(2, POKER)]), "era la 2", JEFA, LUIS))
    floor.close_pass()
    floor.sealed({1: 2})
    floor.close_pass()
    floor.ask(ask.CorrectClaim(TABLE, 2, hands_of([(1, POKER)]), "no se vio", CARLA, JEFE))
    floor.sealed({5: 1})
    floor.claim((5, POKER))
    floor.reject("DP-01/3/1")

    found = [(kind, persons) for kind, _, _, persons, _ in told(floor, "late", "corrected", "rejected")]
    assert found == [("corrected", ("jefa", "luis")), ("late", ("carla", "jefe")), ("rejected", ("jefa", "jefe"))]
    assert of(unusual(floor).seats, f"{TABLE}/1").odd == {"late": 1}


def test_r27_r36_what_nobody_proved_is_listed_by_the_user_of_the_machine():
    floor = Floor()
    floor.ask(ask.CountUnproven(Unproven.UNKNOWN, 1_002, 314, 0))
    floor.ask(ask.CountUnproven(Unproven.TOO_SOON, 1_003, 2, 0))

    assert [(one.kind, one.what) for one in unusual(floor).oddities] == [
        ("door", "usuario 1002: 314, de quien no está inscrito"),
        ("door", "usuario 1003: 2, PIN mientras debía esperar"),
    ]


def test_r36_a_web_of_another_box_is_listed_by_the_name_under_which_it_was_let_in():
    floor = Floor()
    floor.ask(ask.EnrolTerminal("web-central", TerminalUse.WEB, "", web_key_of(7), JEFA, ANA))
    floor.ask(ask.CountUnproven(Unproven.TOO_SOON, web_user(web_key_of(7)), 5, 0))
    floor.ask(ask.CountUnproven(Unproven.TOO_SOON, web_user(web_key_of(8)), 2, 0))

    assert [one.what for one in unusual(floor).oddities if one.kind == "door"] == [
        "web web-central: 5, PIN mientras debía esperar",
        f"usuario {web_user(web_key_of(8))}: 2, PIN mientras debía esperar",
    ]


def test_r27_r36_wrong_pins_clock_steps_and_counts_by_hand():
    floor = Floor()
    floor.ask(ask.OpenPass(TABLE, msgspec.structs.replace(CARLA, verified=False)))
    floor.ask(ask.OpenPass(TABLE, CARLA), after=-60_000)
    floor.buy(1, 2)
    floor.ask(ask.CountSeat(TABLE, 1, 500, JEFA, LUIS))
    floor.ask(ask.OpenPass("X-9", CARLA))

    assert told(floor) == [
        ("pin", "", 0, ("carla",), 0), ("clock", "", 0, (), 0), ("count", TABLE, 1, ("jefa", "luis"), -1_500),
    ]  # fmt: skip
    page = unusual(floor)
    assert of(page.persons, "-").odd == {"clock": 1} and of(page.persons, "luis").odd == {"count": 1}
    assert page.oddities[1].what == "60000 milisegundos"


def test_r36_a_training_has_its_line_and_nothing_of_it_is_counted_to_anybody():
    floor = Floor(plan(alone=10**9))
    floor.ask(ask.StartTraining(TABLE, CARLA, JEFA))
    floor.sealed({1: 2, 2: 1})
    floor.claim((1, "color"))
    floor.close_pass()
    (running,) = unusual(floor).oddities
    assert running.what == "sigue; pases 1, apuestas 2, premios 1; nada de ello es dinero"
    floor.ask(ask.EndTraining(TABLE, JEFE))
    (line,) = unusual(floor).oddities

    assert (line.kind, line.table, line.persons, line.amount) == ("training", TABLE, ("carla", "jefa"), 3_000)
    assert line.what == "pases 1, apuestas 2, premios 1; nada de ello es dinero" and line.seq == len(floor.record)
    page = unusual(floor)
    assert page.seats == () and {one.who: (one.bets, one.awards) for one in page.persons} == {
        "carla": (0, 0), "jefa": (0, 0),
    }  # fmt: skip


def test_r36_who_entered_yesterday_is_known_today_and_each_day_has_its_own():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.close_day()
    floor.open_day("2026-11-19", SEED[::-1])
    floor.ask(ask.ConfirmAward("DP-01/1/1/1", JEFA, CARLA))
    floor.ask(ask.PayAward("DP-01/1/1/1", CARLA))

    assert [one[0] for one in told(floor)] == ["no_cards"]
    assert [one.kind for one in unusual(floor, "2026-11-19").oddities] == ["same_person"]
    month = report(record_of(floor), asked_for("month", "2026-11")).unusual
    assert [one.kind for one in month.oddities] == ["no_cards", "same_person"]


def test_r34_r36_facts_of_the_first_reading_are_listed_too():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2})
    (claim,) = floor.claim((1, POKER))
    late = said.LateRegistered(claim.claim, claim.pot, "central", (), (Hand(2, cards=POKER),), (), "jefa", "luis")
    award = msgspec.structs.replace(claim.awards[0], number=2, seat=2, parts={}, house=1_000_000)
    floor.record.append((floor.now, msgspec.structs.replace(late, awards=(award,))))
    floor.record.append(
        (
            floor.now,
            said.ClaimRejected(claim.claim, claim.pot, "central", 1, said.Flow({"main": 1}), "x", "jefa", "luis"),
        )
    )

    assert [(kind, seat) for kind, _, seat, _, _ in told(floor)] == [("late", 2), ("rejected", 0)]


def test_r27_r30_a_day_with_another_name_and_one_without_its_seed_are_listed():
    floor = Floor()
    floor.ask(ask.RenameDay("2026-11-19", "era mañana", JEFA, JEFE))
    floor.ask(ask.LoseSeed("", "se rompió el disco", JEFA, LUIS))
    floor.close_day()

    listed = unusual(floor, "2026-11-19").oddities

    assert [(one.kind, one.persons, one.what) for one in listed] == [
        ("day", ("jefa", "jefe"), "2026-11-18 se llama 2026-11-19: era mañana"),
        ("day", ("jefa", "luis"), "semilla perdida: se rompió el disco"),
    ]


def test_r36_a_browser_that_was_let_in_and_one_that_was_taken_away_are_listed_and_counted():
    floor = Floor()
    for number in (1, 2):
        floor.ask(ask.EnrolTerminal("consola-1", TerminalUse.TABLE, TABLE, point_of(number), JEFA, ANA))
    floor.ask(ask.EnrolTerminal("tableta", TerminalUse.CHIEF, "", point_of(3), JEFA, ANA))
    floor.ask(ask.WithdrawTerminal("tableta", "se perdió", JEFE))

    assert [(one.kind, one.persons, one.what) for one in unusual(floor).oddities] == [
        ("people", ("jefa", "ana"), f"terminal consola-1: table {TABLE}"),
        ("people", ("jefa", "ana"), f"terminal consola-1: table {TABLE}, otra llave"),
        ("people", ("jefa", "ana"), "terminal tableta: chief"),
        ("people", ("jefe",), "terminal tableta: se perdió"),
    ]
    figures = report(record_of(floor), asked_for("day", DAY)).figures
    assert [one.amount for one in figures if one.key == "changes.terminals"] == [4]


def test_r27_r36_another_box_and_another_program_in_it_are_listed_and_counted_and_the_first_is_no_change():
    floor = Floor()
    for box in (Box(7, 1, 0x5A3C), Box(7, 2, 0x11), Box(8, 2, 0x11)):
        floor.ask(ask.SeeFirmware(TABLE, "dp/1", box))

    assert [(one.kind, one.table, one.what) for one in unusual(floor).oddities] == [
        ("device", TABLE, "dp/1: serie 00000007, programa 1 (5A3C) → serie 00000007, programa 2 (0011)"),
        ("device", TABLE, "dp/1: serie 00000007, programa 2 (0011) → serie 00000008, programa 2 (0011)"),
    ]
    figures = report(record_of(floor), asked_for("day", DAY)).figures
    assert {(one.detail, one.amount) for one in figures if one.key == "incidents.firmware_changed"} >= {("dp/1", 2)}


def test_only_the_day_and_the_month_have_the_page():
    record = evening().record
    for kind, name in (("pot", "estelar"), ("table", "DP-01"), ("award", "DP-01/1/1/1")):
        assert report(record, asked_for(kind, name)).unusual is None
    assert report(record, asked_for("month", "2026-11")).unusual is not None


def test_every_form_of_the_report_has_every_line():
    told_ = report(evening().record, asked_for("month", "2026-11"))
    text, table, data, pdf = as_text(told_), as_csv(told_), as_json(told_), as_pdf(told_)
    assert {one.kind for one in told_.unusual.oddities} >= {"no_cards", "void_late", "rejected"}
    for one in told_.unusual.oddities:
        assert KINDS[one.kind] in text and f"unusual.{one.kind}" in table
        assert any(str(one.seq) in line.split() and KINDS[one.kind] in line for line in text.splitlines())
    for one in (*told_.unusual.persons, *told_.unusual.seats):
        assert any(line.split()[:2] == [one.who, str(one.bets)] for line in text.splitlines()), one.who
    assert "Lo inusual (R-36): uno por uno" in text
    assert '"by_chance"' in data and pdf.startswith(b"%PDF")
    assert len(list(unusual_blocks(told_))) == 4
    assert "quiénes firmaron juntos" in text and "unusual.pareja.moved" in table


@pytest.mark.parametrize(("amount", "words"), [(0, "0,000"), (7, "0,007"), (1_042, "1,042"), (1_234_567, "1.234,567")])
def test_a_part_of_an_award_is_written_with_three_places(amount, words):
    assert thousandths(amount) == words


def test_r36_each_seldom_act_has_its_line_and_who_signs_together_is_counted():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2, 3: 2})
    (claim,) = floor.claim((1, "full"))
    award = f"{claim.claim}/1"
    floor.ask(ask.SetAside(award, "no se halla", CARLA, JEFA))
    floor.ask(ask.VoidHand(TABLE, 2, "carta a la vista", JEFE))
    floor.reason(ask.SignVoid(TABLE, 2, JEFE))
    floor.ask(ask.SignVoid(TABLE, 2, JEFA))
    floor.ask(ask.PayAward(award, CARLA))
    floor.close_pass()
    floor.ask(ask.BuyCredits(TABLE, 3, 2, CARLA))
    floor.ask(ask.LeaveCredits(TABLE, 3, CARLA, JEFA))
    floor.ask(ask.PayLeft(TABLE, 1_000, CARLA, JEFA))
    floor.ask(ask.TellLamps(TABLE, (2,), CARLA))
    floor.ask(ask.TellLamps(TABLE, (), CARLA))
    floor.ask(ask.CloseSeat(TABLE, 4, "mancha", CARLA))
    floor.ask(ask.CloseSeat(TABLE, 5, "sin respuesta"))
    floor.ask(ask.MoveMoney("pozo", "house", "main", 5, "Res. 7", ANA, JEFA))
    floor.ask(ask.EnrolPerson("eva", "Eva", (), SECRET, ANA, LUIS))
    floor.stage(plan(resolution="Res. 2"))
    floor.ask(ask.RestoreNode(7, "disco roto", ANA, LUIS))
    unit = floor.units[TABLE, 1]
    floor.ask(ask.SeatReport(TABLE, 1, msgspec.structs.replace(unit, bets=unit.bets + 9)))

    lines = {(one.kind, one.seat, one.persons): one.what for one in unusual(floor).oddities}
    assert lines == {
        ("no_cards", 1, ("carla",)): award,
        ("aside", 0, ("carla", "jefa")): f"{award}: no se halla",
        ("void_late", 2, ("jefe",)): "carta a la vista",
        ("tried", 0, ("jefe",)): "sign_void: jefe lo anotó; tiene que firmar otra persona.",
        ("signed", 2, ("jefa",)): "se puede pagar en dinero",
        ("aside", 1, ("carla",)): f"{award}: cobrado",
        ("left", 3, ("carla", "jefa")): "apartado",
        ("left", 0, ("carla", "jefa")): "entregado",
        ("lamp", 0, ("carla",)): "prueba: no encendieron 2",
        ("seat", 2, ("carla",)): "cerrada: luz",
        ("seat", 4, ("carla",)): "cerrada: mancha",
        ("moved", 0, ("ana", "jefa")): "de house a main: Res. 7",
        ("people", 0, ("ana", "luis")): "eva (Eva): sin papel",
        ("plan", 0, ("ana", "jefa")): "puesto en espera: Res. 2",
        ("restored", 0, ("ana", "luis")): "época 7: disco roto",
        ("device", 1, ()): "no se le cree: contó sin que pasara nada",
    }
    pairs = {pair.who: pair.odd for pair in unusual(floor).together}
    assert pairs["carla", "jefa"] == {"aside": 1, "left": 2}


def test_r27_r37_a_box_that_burned_with_bets_nobody_else_had_names_what_is_lost():
    """Its mirror ends in the middle of a pass. A player had bought and bet since, his lamp lit; the new box has neither. The head
    on the stick knows how far the record went, and the unit what was pressed: the page of the day says both, and who counted."""
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2})
    floor.close_pass()
    floor.open_pass()
    mirrored = deepcopy(floor)
    floor.bet(2, 3)
    burned = HeadLeft(1, len(floor.record), "ab" * 32)

    mirrored.ask(ask.RestoreNode(7, "se quemó la caja", ANA, LUIS, burned))
    lost = floor.units[TABLE, 2]
    mirrored.ask(ask.SeatReport(TABLE, 2, lost, bounds=Bounds(press=5), knows_more=True))
    assert mirrored.reason(ask.OpenSeat(TABLE, 2, JEFA)) == "seat_uncounted"
    mirrored.ask(ask.CountSeat(TABLE, 2, 3_000, JEFA, LUIS))

    lines = [(one.kind, one.table, one.seat, one.persons, one.amount, one.what) for one in unusual(mirrored).oddities]
    assert lines == [
        (
            "restored",
            "",
            0,
            ("ana", "luis"),
            0,
            f"época 7: se quemó la caja; llegaba por lo menos al hecho {burned.seq} de la época 1",
        ),
        ("device", TABLE, 2, (), 0, "no se le cree: sabe más que el registro"),
        ("count", TABLE, 2, ("jefa", "luis"), 3_000, "hallado menos libro"),
    ]
    text = as_text(report(record_of(mirrored), asked_for("day", DAY)))
    assert f"llegaba por lo menos al hecho {burned.seq}" in " ".join(text.split())
