"""A picture of text: rows of cells, each with the name of a style; the screen knows the colours. Pure."""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple


class Cell(NamedTuple):
    text: str
    style: str = ""


Row = tuple[Cell, ...]


def length(row: Row) -> int:
    return sum(len(cell.text) for cell in row)


def beside(blocks: Sequence[Sequence[Row]], margin: int = 0) -> list[Row]:
    """Blocks of equal height with one column between them, so far from the edge."""
    gap = Cell(" ")
    rows: list[Row] = []
    for line in zip(*blocks, strict=True):
        cells = [cell for row in line for cell in (*row, gap)]
        rows.append((Cell(" " * margin), *cells[:-1]))
    return rows


def cut(row: Row, width: int) -> Row:
    """A row that is no wider than the screen."""
    cells: list[Cell] = []
    for cell in row:
        if len(cell.text) > width:
            return (*cells, Cell(cell.text[:width], cell.style))
        width -= len(cell.text)
        cells.append(cell)
    return tuple(cells)


def wrapped(row: Row, width: int) -> list[Row]:
    """A row over as many rows as its last cell needs; what stands before that cell is the margin of all."""
    if length(row) <= width:
        return [row]
    *before, last = row
    margin = length(tuple(before))
    parts = wrap(last.text, max(1, width - margin), subsequent_indent="" if before else "  ") or [""]
    rows: list[Row] = [(*before, Cell(parts[0], last.style))]
    rows += [(Cell(" " * margin), Cell(part, last.style)) for part in parts[1:]]
    return [cut(one, width) for one in rows]
