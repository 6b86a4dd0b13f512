"""Reports and meters of nodes that share a pot: each node's own book holds, and two neighbours say the same of what lies
between them (R-20, R-22, R-23, R-28, R-34)."""

import pytest
from conftest import CAMPAIGN

from controller.core.values import TRAINING
from controller.record.export import Exported, export
from controller.record.fold import Fold
from controller.record.reading import entries
from controller.report.counting import report
from controller.report.figures import CATALOGUE
from controller.report.forms import as_csv, as_json, as_text
from controller.report.links import items_between
from controller.report.meters import as_text as meters_as_text
from controller.report.meters import meters
from controller.report.scope import ask
from support.links.evening import BOX, CASINO, OWNER, POT, played
from support.links.histories import History
from support.record.report_cases import evening as without_neighbours

SEEDS = range(60 if CAMPAIGN else 4)


@pytest.fixture(scope="module")
def nodes():
    """The scripted evening, with every day closed."""
    found = played()
    for name in (OWNER, CASINO, BOX):
        for table in found[name].state.tables:
            found[name].empty(table)
        found[name].close_day()
    return found


def amount(told, key, detail=""):
    return sum(one.amount for one in told.figures if (one.key, one.detail, one.level) == (key, detail, "total"))


def closing(told, prefix):
    return sum(one.closing for one in told.accounts if one.account.startswith(prefix))


def every_report(node):
    """All that can be asked of this record but awards, each narrowed too."""
    state, kept = node.state, node.kept
    day = state.last_day or (state.day and state.day.name)
    yield report(kept, ask("day", day))
    yield report(kept, ask("month", day[:7]))
    for pot in state.pots:
        if not pot.startswith(TRAINING):
            yield report(kept, ask("pot", pot))
            yield report(kept, ask("pot", pot, day))
    fold = Fold()
    for entry in entries(kept):
        fold.follow(entry)
    for table in fold.tables:
        yield report(kept, ask("table", table))
        yield report(kept, ask("table", table, day))


def assert_holds(told):
    wrong = [one for one in told.proofs if not one.holds]
    assert not wrong, (told.node, told.asked, wrong)


def assert_meters(node):
    """Counted a second time they are the machine's own, and show what the machine shows."""
    told = {one.pot: one for one in meters(node.kept).pots}
    for name, pot in node.state.pots.items():
        if not name.startswith(TRAINING):
            assert told[name].meters == pot.meters, (node.name, name)
            assert (told[name].display, told[name].reserves) == (pot.main, pot.reserves)
            assert told[name].above == pot.above and not told[name].differs


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_every_report_of_a_linked_evening_holds(nodes, name):
    for told in every_report(nodes[name]):
        assert_holds(told)
        assert as_text(told) and as_csv(told) and as_json(told)


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_every_award_of_a_linked_evening_has_its_report(nodes, name):
    awards = [award for claim in nodes[name].state.claims.values() for award, one in claim.awards.items()]

    assert awards
    for award in awards:
        assert_holds(report(nodes[name].kept, ask("award", award)))


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_the_meters_are_those_of_the_machine(nodes, name):
    assert_meters(nodes[name])
    text = meters_as_text(meters(nodes[name].kept))
    assert ("Es de " in text) == (name != OWNER)


def test_two_neighbours_say_the_same_of_what_lies_between_them(nodes):
    told = {name: report(nodes[name].kept, ask("pot", POT)) for name in (OWNER, CASINO, BOX)}

    for below, above in ((BOX, CASINO), (CASINO, OWNER)):
        assert closing(told[below], f"clearing:{POT}:{above}") == -closing(told[above], f"clearing:{POT}:{below}")
        assert amount(told[below], "links.awards_above") == amount(told[above], "links.awards_below", below)
    box, casino, owner = told[BOX], told[CASINO], told[OWNER]
    assert amount(box, "split.commission") == 0 < amount(casino, "split.commission")
    assert amount(box, "split.above") == amount(box, "play.wagered")
    assert amount(box, "split.above") - amount(box, "split.above_undone") == amount(casino, "links.bets_below", BOX)
    taken = amount(casino, "split.commission") - amount(casino, "split.commission_undone")
    assert amount(casino, "play.net") == taken + amount(casino, "split.above") - amount(casino, "split.above_undone")
    assert amount(owner, "split.pots") > 0 == amount(box, "split.pots") == amount(casino, "split.pots")


def test_a_report_says_who_the_neighbour_is(nodes):
    text = as_text(report(nodes[CASINO].kept, ask("pot", POT)))

    assert "Entre nodos que comparten pozos (R-28)" in text
    assert "En cuenta con un nodo vecino pozo-del-mar, caja" in text
    assert "Compensación entre nodos = lo que movió su cuenta (R-28)" in text


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_an_exported_record_says_the_same(nodes, name, tmp_path):
    place, kept = tmp_path / "x.jsonl", nodes[name].kept
    with place.open("wb") as file:
        export(kept, file, lambda _seq: None)
    record, asked = Exported(place), ask("month", nodes[name].state.last_day[:7])

    assert as_json(report(record, asked)) == as_json(report(kept, asked))
    assert meters(record) == meters(kept)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_any_linked_history_holds(seed):
    history = History(seed)
    found = history.go(160)
    for node in found.all.values():
        for told in every_report(node):
            assert_holds(told)
    history.rest()
    for node in found.all.values():
        for told in every_report(node):
            assert_holds(told)
        assert_meters(node)


def test_without_neighbours_there_is_nothing_of_links():
    record = without_neighbours().record
    told = report(record, ask("month", "2026-11"))

    assert not [one.key for one in told.figures if CATALOGUE[one.key].of_links]
    assert not {"clearing", "dispute"} & {one.name for one in told.proofs}
    assert "above" not in as_json(told) and "Entre nodos" not in as_text(told)
    assert not [item for entry in entries(record) for item in items_between(entry.fact)]
