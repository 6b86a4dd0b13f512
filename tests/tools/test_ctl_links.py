"""What the console and the signs say of neighbours and of far pots: who reads knows at once what he may pay."""

from collections.abc import Iterable

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import facts as said
from controller.core.values import Broken, Levels, Mark, RegisteredAward, Side
from controller.ctl.command import _still
from controller.ctl.link_words import ago, moment, neighbour_lines
from controller.ctl.picture import picture
from controller.ctl.words import award_text, fact_lines, state_lines
from controller.node.signs.words import prizes, stale
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.metrics import MetricSources, _OfNode
from controller.node.vocabulary.protocol import (
    DisputeNow,
    FarPotNow,
    Feed,
    NeighbourNow,
    NodeView,
    StoppedNow,
)
from drivers.session import SECOND
from drivers.signs.amount import AmountForm
from support.node.demo_views import award, seat, view

NOW = 1_795_000_000_000
MINUTE = 60_000
AT = moment(NOW, NOW)
HUB = NeighbourNow("hub", Side.ABOVE, up=True, since=NOW - 2 * MINUTE)
SALA = NeighbourNow("sala-2", Side.BELOW, up=True, since=NOW, inside=True)
FAR = FarPotNow("pozo", "hub", up=True, age=300)
DOWN = replace(HUB, up=False, waits=3, oldest=NOW - MINUTE)
CUT = replace(FAR, up=False, age=2 * MINUTE, closes=NOW + MINUTE)


def linked(
    neighbours: Iterable[NeighbourNow] = (HUB, SALA), far: FarPotNow = FAR, base: NodeView | None = None
) -> NodeView:
    feeds = (Feed("DP-01", "pozo", "draw"),)
    base = base or view(seats=[seat(1)])
    return replace(base, at=NOW, feeds=feeds, neighbours=tuple(neighbours), far_pots=(far,))


def text(of: NodeView, height: int = 24) -> str:
    rows = picture(of, "DP-01", "", 80, height, silent=False)
    return "\n".join("".join(cell.text for cell in row) for row in rows)


def test_while_the_link_stands_nothing_of_it_is_in_the_way():
    assert "hub" not in text(linked()) and "hace" not in text(linked())
    assert [*neighbour_lines(linked())] == [
        f"vecino hub (dueño de pozo): en línea desde {moment(NOW - 2 * MINUTE, NOW)}",
        f"vecino sala-2 (alimenta pozos de aquí, misma casa): en línea desde {AT}",
        "pozo pozo, de hub: al día",
    ]


def test_a_cut_link_says_since_when_what_may_be_paid_and_until_when_passes_open():
    cut = linked([DOWN], CUT)
    since = moment(NOW - 2 * MINUTE, NOW)

    assert f" SIN ENLACE con hub desde {since} " in text(cut)
    assert " múltiplos y montos fijos: sí; porcentajes: esperan " in text(cut)
    assert "$ 5.000.000 (hace 2 min)" in text(cut)
    first, later = moment(NOW - MINUTE, NOW), moment(NOW + MINUTE, NOW)
    link, pot = neighbour_lines(cut)
    assert (
        link
        == f"vecino hub (dueño de pozo): SIN ENLACE desde {since}; 3 cartas esperan su acuse, la primera de las {first}"
    )
    paid = "múltiplos y montos fijos: sí; porcentajes: esperan"
    assert pot == f"pozo pozo, de hub: hace 2 min, {paid}, se abren pases hasta las {later}"
    closed = linked([DOWN], replace(CUT, closes=NOW))
    assert "SIN ENLACE con hub desde" in text(closed) and "NO SE ABREN PASES" in text(closed)
    assert "no se abren pases" in "".join(neighbour_lines(closed))
    assert "(hace 2 min)" in "".join(state_lines(cut)) and "vecino hub" in "".join(state_lines(cut))


def test_an_owner_who_is_silent_behind_the_link_says_since_when_and_until_when_passes_open():
    behind = linked([HUB], replace(CUT, silent=NOW - 2 * MINUTE))
    since = moment(NOW - 2 * MINUTE, NOW)

    assert f" SIN ENLACE con el dueño, más allá de hub, desde {since} " in text(behind)
    assert "múltiplos y montos fijos: sí; porcentajes: esperan" in [*neighbour_lines(behind)][1]
    both = linked([DOWN], replace(CUT, silent=NOW - 2 * MINUTE))
    assert f" SIN ENLACE con hub desde {since} " in text(both)


def test_an_advance_is_shown_with_its_award_and_taken_off_when_it_is_paid():
    waits = replace(award(amount=0, prize="escalera_real"), waits=True, advanced=200_000)
    paid = replace(award("DP-01/6/1/1", confirmed=True), advanced=200_000)
    now = linked(base=view(seats=[seat(1)], awards=[waits, paid]))

    assert "espera a hub · adelantado $ 200.000" in award_text(now, waits)
    assert "pagar · adelantado $ 200.000" in award_text(now, paid) and "ADELANTADO $ 200.000" in text(now)

    given = said.AwardAdvanced("M/1/1/1", "pozo", "c", 3, 200_000, "cable", "a", "b")
    first = said.AwardPaid("M/1/1/1", "pozo", "c", 3, 500_000, "a", advanced=200_000, paid_in="chips")
    assert lines_of(given) == ["Premio M/1/1/1: adelante $ 200.000 a la posición 3; lo pone la casa (cable)."]
    assert lines_of(first) == ["Premio M/1/1/1: pague $ 300.000 en fichas (de $ 500.000 ya tenía $ 200.000)."]
    assert lines_of(replace(first, amount=200_000)) == ["Premio M/1/1/1: no entregue nada, ya tenía $ 200.000."]
    assert lines_of(replace(first, advanced=0)) == ["Premio M/1/1/1: pague $ 500.000 en fichas."]
    heard = said.AdvanceHeard("M@sol/1/1/1", "pozo", "c", 3, 200_000, "sol/a")
    assert lines_of(heard) == ["Premio M@sol/1/1/1: su casino adelantó $ 200.000."]


def test_a_percentage_that_waits_has_no_amount_and_a_frozen_one_is_not_paid():
    waits = replace(award(amount=0, prize="escalera_real"), waits=True)
    frozen = replace(award("DP-01/6/1/1", confirmed=True), frozen=True)
    now = linked(base=view(seats=[seat(1)], awards=[waits, frozen]))

    shown = text(now)

    assert "por decidir" in shown and " ESPERA A HUB " in shown and "NO PAGUE: ESPERA A HUB" in shown
    assert award_text(now, waits) == "DP-01/7/1/1 · posición 3 · Escalera Real · por decidir · espera a hub"
    assert award_text(now, replace(waits, overdue=True)).endswith("VENCIDO: espera a hub")


def test_what_waits_for_whom_stands_with_its_pot_and_what_two_must_look_at_with_its_place():
    pot = replace(FAR, percentages=("DP-01/7/1/1",), corrections=("DP-01/6/1",), plan_waits=True)
    stopped = replace(SALA, stopped=(StoppedNow("to:hub", Broken.FORK, Mark(2, 40, "ab" * 32)),))
    of = replace(
        linked([replace(HUB, revoked=True), stopped], pot),
        disputes=(DisputeNow("sala-2", 9, "casa", "M1@sala-2", "M1@sala-2/4", 5_000, "limits"),),
    )

    lines = [*neighbour_lines(of)]

    assert lines[0].endswith("REVOCADO")
    assert (
        lines[2]
        == f"  no se escucha: dijo dos cosas distintas en el mismo lugar; dice estar en 2/40/{'ab' * 8} de to:hub"
    )
    assert "esperan su monto: DP-01/7/1/1" in lines[3] and "esperan corrección: DP-01/6/1" in lines[3]
    assert lines[4] == "disputa sala-2/9: M1@sala-2/4 del pozo casa, 5000 (limits)"


@pytest.mark.parametrize(
    ("age", "words"),
    [(11_000, "hace 11 s"), (119_000, "hace 1 min"), (7_200_000, "hace 2 h"), (3 * 86_400_000, "hace 3 d"), (-1, "sin dato")],
)  # fmt: skip
def test_an_age_is_said_in_its_largest_unit(age, words):
    assert ago(age) == words


def test_an_hour_of_another_day_has_its_date():
    assert len(moment(NOW, NOW)) == 5 and len(moment(NOW - 2 * 86_400_000, NOW)) == 11


def test_who_follows_the_state_is_not_told_every_second_that_an_amount_grows_old():
    assert _still(linked()) == _still(replace(linked(far=replace(FAR, age=4_000)), at=NOW + 1))


# What an order did


AWARDS = (
    RegisteredAward(1, 2, "full", 100_000, 100_000),
    RegisteredAward(2, 5, "escalera_color", 0, 0),
)


def lines_of(fact: said.Fact) -> list[str]:
    return fact_lines(msgspec.json.decode(msgspec.json.encode(fact)), linked())


def test_a_claim_on_a_far_pot_says_which_award_waits_for_whom():
    asked = said.ClaimAsked("DP-01/7/1", "DP-01", 7, "pozo", "sala", "hub", (), (), AWARDS, (2,), (), "carla")

    assert lines_of(asked) == [
        "Jugada DP-01/7/1: premios por pagar, en este orden:",
        "  1. posición 2: Full, $ 100.000 (premio DP-01/7/1/1)",
        "  2. posición 5: Escalera de Color, espera a hub (premio DP-01/7/1/2)",
    ]
    assert lines_of(msgspec.structs.replace(asked, awards=())) == ["Jugada DP-01/7/1: NADIE COBRA."]
    paid = RegisteredAward(2, 5, "escalera_color", 490_000, 490_000)
    decided = said.ClaimDecided(
        "DP-01/7/1", "DP-01", 7, "pozo", "sala", "hub", Levels(5, 0), (AWARDS[0], paid), Levels(4, 0), (2,)
    )
    assert lines_of(decided) == [
        "Jugada DP-01/7/1: hub decidió.",
        "  posición 5: Escalera de Color, $ 490.000 (premio DP-01/7/1/2)",
    ]


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (said.LinkSeen("hub", True, NOW), "Enlace con hub: en pie."),
        (said.LinkSeen("hub", False, NOW), "SIN ENLACE con hub."),
        (said.OwnerSeen("pozo", "hub", True, NOW), "Detrás de hub se oye otra vez al dueño del pozo pozo."),
        (said.OwnerSeen("pozo", "hub", False, NOW), "Detrás de hub NO SE OYE al dueño del pozo pozo."),
        (said.NeighbourStopped("hub", "pot:pozo", Broken.GAP, Mark(1, 2, "")),
         "No se escucha más a hub (falta parte de lo que dijo), hasta que lo revisen dos personas."),
        (said.CorrectionAsked(1, "correct_claim", "DP-01", 7, "pozo", "sala", "hub"),
         "Mesa DP-01, pase 7: corrección pedida a hub. No pague nada de ese pase hasta su respuesta."),
        (said.HouseCharged("pozo", "DP-01", "sala", "hub", 5_000, "DP-01/7"),
         "Pozo pozo: la casa pone $ 5.000 (DP-01/7)."),
        (said.DisputeHeard("pozo", "sala", "hub", 3, 5_000, False, "no consta"),
         "hub no acepta $ 5.000 de pozo (no consta): queda en esta casa."),
    ],
)  # fmt: skip
def test_facts_of_links_are_said_in_words(fact, line):
    assert lines_of(fact) == [line]


# The public


def test_a_sign_says_how_old_its_amount_is_and_never_nothing_for_an_amount():
    assert stale(12 * SECOND)[-2:] == ["HACE 12 S", "SIN ENLACE"]
    assert stale(150 * SECOND)[2] == "HACE 2 MIN" and stale(7_300 * SECOND)[2] == "HACE 2 H"
    assert stale(3 * 86_400 * SECOND)[2] == "HACE 3 DÍAS" and stale(2**60) == ["SIN ENLACE"]
    waits = replace(award(amount=0, prize="escalera_real"), waits=True)
    texts = [*prizes(waits, (AmountForm(before="$"),))]
    assert texts[0] == "MESA DP-01 POSICIÓN 3 ESCALERA REAL EN DECISIÓN" and not any("0 " in one for one in texts)
    assert texts[-1] == "PREMIO"


# Prometheus


def test_links_are_measured():
    counts = Counts(links={"link_stranger": 2})
    of = MetricSources(counts, lambda: linked([DOWN, SALA], CUT), dict, int, 0.1)
    told = {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in _OfNode(of).collect()
        for sample in family.samples
    }
    assert told["pozo_link_uphub"] == 0 and told["pozo_link_upsala-2"] == 1
    assert told["pozo_link_waitinghub"] == 3 and told["pozo_link_lag_secondshub"] == 60
    assert told["pozo_far_pot_age_secondspozo"] == 120 and told["pozo_disputes"] == 0
    assert told["pozo_link_events_totallink_stranger"] == 2
