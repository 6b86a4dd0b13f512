"""A report as text, CSV, JSON and PDF: the same figures in each, and nothing that a record holds can break one."""

import csv
import io
import re
import subprocess
from datetime import timedelta, timezone

import msgspec
import pytest

from controller.core.facts import DayOpened, NodeFounded, SeatClosed
from controller.core.inputs import CloseSeat
from controller.core.values import Signature
from controller.report.counting import report
from controller.report.forms import as_csv, as_json, as_text
from controller.report.pdf import as_pdf
from controller.report.scope import ask
from controller.report.value import Report
from controller.spanish.names import account_name, listed, people, prize_name, ranges, trace, when
from controller.spanish.numbers import money, whole
from support.drivers import peers
from support.record.report_cases import PLAN, Floor, evening, everything, record_of, total

ASKED = [
    ask("day", "2026-11-01"),
    ask("month", "2026-11"),
    ask("pot", "estelar"),
    ask("table", "DP-01", month="2026-11"),
    ask("award", "DP-01/1/1/1"),
]
CHILE = timezone(-timedelta(hours=3), "CLST")


@pytest.fixture(scope="module")
def record():
    return everything().record


def text_of(pdf):
    """The words of a PDF that was written uncompressed, page by page."""
    pages = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        strings = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", stream, re.DOTALL)
        words = [re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8)]), one) for one in strings]
        if words:
            pages.append("\n".join(re.sub(rb"\\(.)", rb"\1", one).decode("cp1252") for one in words))
    return pages


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.kind)
def test_the_text_has_every_figure_that_is_not_nothing(record, asked):
    told = report(record, asked)

    text = as_text(told)

    assert text.splitlines()[0].endswith(asked.name) and "NO CUADRA" not in text
    for one in told.figures:
        if one.level == "total" and one.facts:
            assert (money(told.currency, one.amount) if one.unit == "money" else whole(one.amount)) in text, one.key
    assert told.witness.digits in text


def test_a_page_of_text():
    lines = as_text(report(evening().record, ask("day", "2026-11-01")), CHILE).splitlines()

    assert lines[0] == "INFORME DE LA JORNADA 2026-11-01"
    assert "   Estado    cerrada" in lines
    assert "   Desde     01-11-2026 08:06:41 CLST" in lines
    assert "   Testigo   NINGUNA FIRMA CUBRE ESTE INFORME: la última, 20-0000000000001400, llega al hecho 20" in lines
    assert "   Créditos vendidos              $ 19.000    8 a 57 (8)" in lines
    assert "      estelar, reserva0                 $ 1.440   19 a 65 (4)" in lines
    assert "   Escalera de Color            -   1 · $ 495.432              -               -   1 · $ 495.432" in lines
    assert "   Pozo estelar, principal                $ 0   $ 5.112.960     $ 648.312    $ 4.464.648    5 a 66" in lines


def test_a_report_of_almost_nothing():
    told = report(
        record_of(NodeFounded("caja-1", "k", ("ana", "beto")), DayOpened("2026-01-01", "", "x")),
        ask("day", "2026-01-01"),
    )

    text = as_text(told)

    assert "   Casino    -" in text.splitlines() and "Testigo   NINGUNA FIRMA CUBRE ESTE INFORME" in text
    assert "Neto de caja        0" in text and "ABIERTA" in text
    assert "Moneda" not in text


def test_a_pot_without_a_day_yet():
    text = as_text(report(Floor().record, ask("pot", "estelar")))

    assert "Jornadas   todo el registro: ninguna todavía" in text


def test_a_report_that_does_not_add_up_shouts():
    floor = evening()
    rows = floor.record.balance_rows()
    floor.record.balance_rows = lambda: [rows[0]._replace(amount=7), *rows[1:]]
    told = report(floor.record, ask("day", "2026-11-02"))

    assert "NO CUADRA" in as_text(told)
    assert "ATENCIÓN" in "".join(text_of(as_pdf(told)))


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.kind)
def test_the_json_is_the_report(record, asked):
    told = report(record, asked, keep_facts=True)

    assert msgspec.json.decode(as_json(told), type=Report) == told
    keys = msgspec.json.decode(as_json(told))
    assert set(keys) >= {"format", "asked", "node", "witness", "figures", "accounts", "proofs", "still_open"}
    assert set(keys["figures"][0]) >= {
        "section",
        "name",
        "level",
        "table",
        "casino",
        "amount",
        "first",
        "last",
        "facts",
    }


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.kind)
@pytest.mark.parametrize("keep", [False, True])
def test_the_csv_has_one_row_for_each_figure(record, asked, keep):
    told = report(record, asked, keep_facts=keep)

    rows = list(csv.DictReader(io.StringIO(as_csv(told))))

    figures = [row for row in rows if not row["clave"].startswith(("accounts.", "unusual."))]
    assert [(row["clave"], int(row["cantidad"]), int(row["hechos"])) for row in figures] == [
        (one.key, one.amount, one.facts) for one in told.figures
    ]
    unusual = [row for row in rows if row["clave"].startswith("unusual.")]
    assert len(rows) - len(figures) - len(unusual) == 4 * len(told.accounts)
    assert bool(unusual) is (told.unusual is not None)
    assert ("numeros" in rows[0]) is keep
    closing = {row["detalle"]: int(row["cantidad"]) for row in rows if row["clave"] == "accounts.closing"}
    assert closing == {one.account: one.closing for one in told.accounts}


def test_the_csv_of_cents_says_so_and_no_word_becomes_a_formula(record):
    text = as_csv(report(record, ask("month", "2026-11")))

    assert "'=silencio" in text and ",=silencio" not in text
    cents = report(record, ask("month", "2026-11"))
    cents = msgspec.convert(
        msgspec.to_builtins(cents) | {"currency": {"code": "BOB", "symbol": "Bs", "decimals": 2, "clause": ""}},
        type(cents),
    )
    assert ",BOB/100," in as_csv(cents)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.kind)
def test_the_pdf_has_the_figures_the_witness_and_two_signatures(record, asked):
    told = report(record, asked)

    pdf = as_pdf(told)

    assert pdf == as_pdf(report(record, asked)) and pdf.startswith(b"%PDF-")
    pages = text_of(pdf)
    for number, page in enumerate(pages, 1):
        assert f"Testigo {told.witness.digits}" in page and f"Página {number} de {len(pages)}" in page
        assert asked.name in page and "Nodo caja-1" in page
    words = "\n".join(pages)
    assert words.count("Firma y fecha") == 2
    for one in told.figures:
        if one.level == "total" and one.facts:
            assert (money(told.currency, one.amount) if one.unit == "money" else whole(one.amount)) in words, one.key


@pytest.mark.process
def test_the_pdf_as_another_program_reads_it(record):
    pdftotext = peers.program("pdftotext")
    told = report(record, ask("month", "2026-11"))

    read = subprocess.run(
        [pdftotext, "-layout", "-", "-"], input=as_pdf(told), capture_output=True, check=True
    ).stdout.decode()

    assert "INFORME DEL MES 2026-11" in read and money(told.currency, total(told, "play.wagered").amount) in read


def test_an_annex_longer_than_any_page_and_words_longer_than_any_line():
    floor = Floor()
    floor.open_day()
    for _ in range(250):
        floor.play("DP-01", {1: 1})
    for seat in (2, 3):
        floor.ask(CloseSeat("DP-01", seat, "x" * 900 + "<b>&" + "\n" * seat, Signature("dora")))

    told = report(floor.record, ask("day", "2026-11-01"), keep_facts=True)
    pages = text_of(as_pdf(told))

    numbers = [line for line in as_text(told).splitlines() if line.lstrip().startswith("Juego: Apuestas válidas")]
    assert len(numbers) == 1 and len(pages) > 3
    assert max(map(len, as_text(told).splitlines())) < 400
    assert "Anexo: los hechos de cada cifra" in "".join(pages)
    numbers = set(re.findall(r"[0-9]+", "\n".join(pages)))
    assert {str(first) for first, last in total(told, "play.bets").numbers} <= numbers


def test_markup_in_the_record_is_only_text():
    plan = PLAN.replace("Pozo Estelar", "Pozo <i>&amp; Estelar " + "Ñ" * 400)
    told = report(Floor(plan).record, ask("pot", "estelar"))

    words = "".join(text_of(as_pdf(told))).replace("\n", "")

    assert "<i>&amp;" in words and "…" in words


def test_no_letter_of_the_record_breaks_a_page_or_moves_a_cursor():
    floor = Floor()
    floor.open_day()
    for seat, reason in enumerate(("\x1b[31mrojo\x00", "漢字 🎰 ñandú", "\ud7ff\u202e\x85"), 1):
        floor.ask(CloseSeat("DP-01", seat, reason, Signature("dora")))
    told = report(floor.record, ask("day", "2026-11-01"), keep_facts=True)

    text = as_text(told)

    assert "·[31mrojo·" in text and "漢字 🎰 ñandú" in text and not set(text) & set("\x1b\x00\x85\u202e")
    assert "·[31mrojo·" in "".join(text_of(as_pdf(told)))


def test_more_casinos_than_fit_in_a_head():
    tables = "".join(
        f'[[tables]]\nname = "M-{at}"\ncasino = "casino-de-nombre-largo-{at}"\nmodality = "draw"\nmin_bet = 1000\nmax_bet = 5000\n'
        for at in range(20)
    )
    floor = Floor(PLAN.partition("[[tables]]")[0] + tables)

    pages = text_of(as_pdf(report(floor.record, ask("pot", "estelar"))))

    assert "casino-de-nombre-largo-0" in pages[0] and "…" in pages[0]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (when(0), "01-01-1970 00:00:00 UTC"),
        (when(1_795_000_000_000, CHILE), "18-11-2026 08:06:40 CLST"),
        (when(-1), "instante -1"),
        (when(10**18), "instante 1000000000000000000"),
        (listed(ranges([])), ""),
        (listed(ranges([4, 5, 6, 9, 11, 12])), "4-6, 9, 11-12"),
        (trace(0, 0, 0), "-"),
        (trace(7, 7, 1), "hecho 7"),
        (trace(7, 1900, 1200), "7 a 1900 (1.200)"),
        (prize_name("escalera_real"), "Escalera Real"),
        (prize_name("Carta Mágica"), "Carta Mágica"),
        (people("ana", ""), "ana"),
        (people("ana", "beto"), "ana y beto"),
        (people(""), "un botón de la mesa"),
        (account_name("credits:DP-01:3"), "Créditos en posiciones DP-01"),
        (account_name("pot:estelar:main"), "Pozo estelar, principal"),
        (account_name("other:x:y"), "other x, y"),
    ],
)
def test_words(said, written):
    assert said == written


def test_a_reason_is_one_line():
    told = report(
        record_of(NodeFounded("caja-1", "k", ("a", "b")), SeatClosed("T", 1, "a\nb\tc"), DayOpened("d", "", "x")),
        ask("day", "d"),
    )

    assert "      a b c" in as_text(told)
