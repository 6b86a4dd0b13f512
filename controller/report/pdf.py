"""A report as a PDF to be signed: A4, the same tables as the text, two signatures, the witness on every page.

Theory. The same report gives the same bytes (reportlab's invariant mode, no clock), so a signed paper can be compared
with what the record says today. The pages are written uncompressed with the standard fonts, so their text can be read
and searched by anything. Pages are counted before the first one is written, because each says of how many it is.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, tzinfo
from io import BytesIO
from textwrap import wrap
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from reportlab.lib import colors  # type: ignore[import-untyped]
from reportlab.lib.enums import TA_RIGHT  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import A4  # type: ignore[import-untyped]
from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.lib.units import mm  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfmetrics import stringWidth  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]
from reportlab.platypus import (  # type: ignore[import-untyped]
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    LongTable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from controller.report.layout import Block, blocks_of, heading_of, title_of, witness_of
from controller.report.unusual_page import unusual_blocks
from controller.report.value import Report
from controller.spanish.names import harmless

_SIDE, _TOP, _FOOT = 15 * mm, 24 * mm, 20 * mm
_WIDTH = A4[0] - 2 * _SIDE
_INK, _PALE, _LINE = colors.HexColor("#1b2a3a"), colors.HexColor("#eef1f4"), colors.HexColor("#9aa5b1")
_SIZE, _SMALL = 8.5, 7.0
_PADDING = 5.0
_ROOM_TO_BEGIN = 32 * mm
_AT_ONCE = 2_000

_TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=15, leading=19, textColor=_INK)
_HEADING = ParagraphStyle(
    "heading", fontName="Helvetica-Bold", fontSize=10, leading=13, textColor=_INK, spaceBefore=9, spaceAfter=3
)
_LABEL = ParagraphStyle("label", fontName="Helvetica-Bold", fontSize=_SMALL, leading=9, textColor=_INK, spaceBefore=3)
_LIST = ParagraphStyle("list", fontName="Helvetica", fontSize=_SMALL, leading=9, textColor=_INK, splitLongWords=1)
_NOTE = ParagraphStyle("note", fontName="Helvetica-Oblique", fontSize=_SMALL, leading=9, textColor=_INK, spaceBefore=2)
_RED = colors.HexColor("#a01010")
_ALARM = ParagraphStyle("alarm", fontName="Helvetica-Bold", fontSize=10, leading=13, textColor=_RED)


class Paper(NamedTuple):
    """What is printed: `whose` at the top of each page; at its foot the first signature that covers it, or that there
    is none, and `facts`; `apart`: blocks that begin on a page of their own."""

    title: str
    node: str
    whose: str
    witness: str
    is_signed: bool
    facts: str
    alarms: tuple[str, ...]
    heading: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    apart: tuple[Block, ...] = ()


def as_pdf(report: Report, zone: tzinfo = UTC) -> bytes:
    """The report for signing; the same bytes for the same report."""
    casinos = ", ".join(dict.fromkeys(casino for pot in report.pots for casino in pot.casinos))
    alarms = () if report.is_signed else (f"{witness_of(report)}.",)
    if not report.holds:
        alarms = (*alarms, "ATENCIÓN: este informe no cuadra; vea la comprobación.")
    return printed(
        Paper(
            title_of(report),
            report.node,
            f"Nodo {report.node}" + (f" · casino {casinos}" if casinos else ""),
            witness_of(report),
            report.is_signed,
            f"Hechos {report.first} a {report.last}",
            alarms,
            tuple(heading_of(report, zone)),
            tuple(blocks_of(report)),
            tuple(unusual_blocks(report, zone)),
        )
    )


def printed(paper: Paper) -> bytes:
    """On A4; the same bytes for the same paper."""
    sink = BytesIO()
    document = BaseDocTemplate(
        sink,
        pagesize=A4,
        leftMargin=_SIDE,
        rightMargin=_SIDE,
        topMargin=_TOP,
        bottomMargin=_FOOT,
        title=paper.title,
        author=paper.node,
        subject=f"Testigo {paper.witness}",
        creator="pozo",
        invariant=1,
        pageCompression=0,
        lang="es",
    )
    frame = Frame(
        _SIDE, _FOOT, _WIDTH, A4[1] - _TOP - _FOOT, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
    document.addPageTemplates([PageTemplate("report", [frame])])
    document.build(list(_story(paper)), canvasmaker=_pages_of(paper))
    return sink.getvalue()


def _pages_of(paper: Paper) -> Callable[..., Canvas]:
    """A canvas that knows how many pages there are before it writes the first one."""

    class Pages(Canvas):  # type: ignore[misc]  # reportlab has no types
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self._kept: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802  reportlab's name
            self._kept.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._kept, 1):
                self.__dict__.update(page)
                _frame_the_page(self, paper, number, len(self._kept))
                super().showPage()
            super().save()

    return Pages


def _frame_the_page(canvas: Canvas, paper: Paper, number: int, of: int) -> None:
    """Head and foot: whose report, of what, the witness, the page."""
    right, high = A4[0] - _SIDE, A4[1] - 14 * mm
    canvas.setFillColor(_INK)
    canvas.setStrokeColor(_LINE)
    canvas.setFont("Helvetica-Bold", _SIZE)
    canvas.drawString(_SIDE, high, _fitting(paper.title, _WIDTH * 0.5))
    canvas.setFont("Helvetica", _SIZE)
    canvas.drawRightString(right, high, _fitting(paper.whose, _WIDTH * 0.45))
    canvas.line(_SIDE, high - 4, right, high - 4)
    canvas.line(_SIDE, 15 * mm, right, 15 * mm)
    canvas.setFont("Helvetica", _SMALL + 0.5)
    canvas.setFillColor(_INK if paper.is_signed else _RED)
    canvas.drawString(_SIDE, 11 * mm, f"Testigo {paper.witness}" if paper.is_signed else "SIN FIRMA QUE LO CUBRA")
    canvas.setFillColor(_INK)
    canvas.drawCentredString(A4[0] / 2 + 12 * mm, 11 * mm, paper.facts)
    canvas.drawRightString(right, 11 * mm, f"Página {number} de {of}")


def _fitting(text: str, width: float) -> str:
    """A line of the head never runs into the other one."""
    while text and stringWidth(text, "Helvetica-Bold", _SIZE) > width:
        text = text[:-2].rstrip("…") + "…"
    return text


def _story(paper: Paper) -> Iterator[Flowable]:
    yield Paragraph(escape(paper.title), _TITLE)
    yield Spacer(1, 3 * mm)
    yield _about(paper)
    for alarm in paper.alarms:
        yield Paragraph(escape(alarm), _ALARM)
    for number, block in enumerate(paper.blocks, 1):
        yield from _block(number, block)
    if paper.apart:
        yield PageBreak()  # a page that can be handed on alone
    for number, block in enumerate(paper.apart, len(paper.blocks) + 1):
        yield from _block(number, block)
    yield _signatures()


def _about(paper: Paper) -> Flowable:
    rows = [[_words(name, bold=True), _words(value)] for name, value in paper.heading]
    table = Table(rows, colWidths=[32 * mm, _WIDTH - 32 * mm])
    table.setStyle(TableStyle([*_TIGHT, ("LINEBELOW", (0, 0), (-1, -1), 0.25, _PALE)]))
    return table


_TIGHT: list[tuple[Any, ...]] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("TOPPADDING", (0, 0), (-1, -1), 1.6),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1.6),
    ("LEFTPADDING", (0, 0), (-1, -1), _PADDING),
    ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING),
]


def _words(text: str, size: float = _SIZE, *, bold: bool = False, right: bool = False) -> Paragraph:
    """A cell that may need more than one line; its spaces at the left are an indent."""
    indent = len(text) - len(text.lstrip(" "))
    style = ParagraphStyle(
        "cell",
        fontName="Helvetica-Bold" if bold else "Helvetica",
        fontSize=size,
        leading=size * 1.25,
        leftIndent=indent * 3,
        textColor=_INK,
        alignment=TA_RIGHT if right else 0,
        splitLongWords=1,
    )
    return Paragraph(escape(harmless(text.strip())), style)


def _block(number: int, block: Block) -> Iterator[Flowable]:
    """A title that stays with the beginning of its table, the table over as many pages as it needs, its note."""
    yield CondPageBreak(_ROOM_TO_BEGIN)
    yield Paragraph(f"{number}. {escape(block.title)}", _HEADING)
    yield from _annex(block) if block.sides == "ll" else _table(block)
    if block.note:
        yield Paragraph(escape(block.note), _NOTE)


def _annex(block: Block) -> Iterator[Flowable]:
    """Lists that may be longer than a page are paragraphs, because a row of a table cannot be cut."""
    for label, numbers in block.rows:
        yield Paragraph(escape(label), _LABEL)
        for some in wrap(numbers, _AT_ONCE):
            yield Paragraph(some, _LIST)


def _table(block: Block) -> Iterator[Flowable]:
    size = _SIZE if len(block.header) < 6 else _SMALL
    rows = [
        [_words(cell, size, bold=True, right=side == "r") for side, cell in zip(block.sides, block.header, strict=True)]
    ]
    for row in block.rows:
        bold = row[0].startswith("Todo") or row[-1] == "NO CUADRA"
        rows.append(
            [_words(cell, size, bold=bold, right=side == "r") for side, cell in zip(block.sides, row, strict=True)]
        )
    table = LongTable(rows, colWidths=_columns(block, size), repeatRows=1)
    lines = [
        ("LINEBELOW", (0, 0), (-1, 0), 0.6, _INK),
        ("BACKGROUND", (0, 0), (-1, 0), _PALE),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, _PALE),
    ]
    table.setStyle(TableStyle([*_TIGHT, *lines]))
    yield table


def _columns(block: Block, size: float) -> list[float]:
    """Numbers get what they need; words share what is left, and break their lines."""
    rows = [block.header, *block.rows]
    needs = [
        max(stringWidth(row[at].strip(), "Helvetica-Bold", size) for row in rows) + 2 * _PADDING + 1
        for at in range(len(block.header))
    ]
    # One long line of words would take the place of all others, down to less than their own margins.
    needs = [min(need, _WIDTH * 0.4) if side == "l" else need for need, side in zip(needs, block.sides, strict=True)]
    free = _WIDTH - sum(need for need, side in zip(needs, block.sides, strict=True) if side == "r")
    free = max(free, _WIDTH * 0.2)
    words = sum(need for need, side in zip(needs, block.sides, strict=True) if side == "l")
    widths = [need if side == "r" else free * need / words for need, side in zip(needs, block.sides, strict=True)]
    scale = _WIDTH / sum(widths)
    return [width * scale for width in widths]


def _signatures() -> Flowable:
    """Two persons sign; the place stays on one page."""
    line = "_" * 38
    rows = [
        [line, line],
        ["Nombre y cargo", "Nombre y cargo"],
        ["", ""],
        [line, line],
        ["Firma y fecha", "Firma y fecha"],
    ]
    table = Table(rows, colWidths=[_WIDTH / 2] * 2)
    table.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), "Helvetica", _SIZE),
                ("TEXTCOLOR", (0, 0), (-1, -1), _INK),
                ("ALIGN", (0, 0), (-1, -1), "CENTER"),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
            ]
        )
    )
    heading = Paragraph("Firmas de dos personas distintas", _HEADING)
    return KeepTogether([Spacer(1, 6 * mm), heading, Spacer(1, 14 * mm), table])
