"""`pozo meters`: counted a second time from the facts, the same as the machine counted."""

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core.facts import DayClosed, Entry
from controller.core.values import Hit, Meters
from controller.record.reading import ReportRefused
from controller.report.meters import MetersNow, as_json, as_text, meters
from support.record.report_cases import Floor, Memory, agree, evening, everything, wander

SEEDS = range(200 if CAMPAIGN else 12)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_any_history_counts_as_the_machine_counted_it(seed):
    floor = wander(seed)

    told = meters(floor.record)

    pot = floor.state.pots["estelar"]
    assert told.pots[0].meters == pot.meters and agree(told)
    assert (told.pots[0].display, told.pots[0].reserves) == (pot.main, pot.reserves)
    assert (told.last, told.at) == (len(floor.record.rows), floor.clock)


@pytest.mark.parametrize("history", [evening, everything])
def test_what_happens_to_a_pot_is_counted(history):
    floor = history()

    told = meters(floor.record, "estelar")

    assert told.pots[0].meters == floor.state.pots["estelar"].meters
    assert told.pots[0].held == sum(
        held.granted.amount
        for claim in floor.state.claims.values()
        for held in claim.awards.values()
        if claim.pending and not held.paid and not claim.promo
    )
    assert agree(told)


def test_the_figures_of_an_evening():
    [pot] = meters(evening().record).pots

    assert pot.meters == Meters(
        24_000, 4_000, 4_000, 17_280, 1_920, 0, 10_000_000, 5, 5_114_400, 1, 100_000, 2, 545_432, pot.meters.last
    )
    assert pot.meters.last[0] == Hit(1_793_531_218_000, "DP-01/1/1/1", "color", 50_000)
    assert (pot.display, pot.reserves, pot.held) == (5_000_000, {"reserva0": 0}, 4_468_968)


def test_only_the_last_25_hits_are_kept():
    floor = wander(3, 30)

    [pot] = meters(floor.record).pots

    assert pot.meters.hits > 25 == len(pot.meters.last)
    assert pot.meters.last == floor.state.pots["estelar"].meters.last


def test_a_close_that_says_something_else_is_named():
    record = evening().record
    for at, row in enumerate(record.rows):
        entry = msgspec.json.decode(row.body, type=Entry)
        if isinstance(entry.fact, DayClosed):
            wrong = msgspec.structs.replace(entry.fact, meters={"estelar": Meters(wagered=1), "luna": Meters(hits=1)})
            record.rows[at] = row._replace(body=msgspec.json.encode(msgspec.structs.replace(entry, fact=wrong)))

    told = meters(record)

    assert told.pots[0].differs == ("2026-11-01",) and not agree(told)
    assert "NO CUADRAN los de 2026-11-01" in as_text(told)


def test_text_and_json():
    told = meters(evening().record)

    text = as_text(told)

    assert msgspec.json.decode(as_json(told), type=MetersNow) == told
    assert "   Muestra (pozo principal)         $ 5.000.000   R-31" in text
    assert "01-11-2026 11:06:58 UTC   DP-01/1/1/2   Escalera de Color   $ 495.432" in text
    assert text.index("Escalera Real") < text.index("Escalera de Color")


def test_a_node_without_pots_and_a_pot_that_is_not_there():
    assert "Este nodo no tiene pozos todavía" in as_text(meters(Memory()))
    assert "Últimos premios" not in as_text(meters(Floor().record))
    with pytest.raises(ReportRefused, match=r"No hay un pozo luna; hay: estelar\."):
        meters(Floor().record, "luna")
