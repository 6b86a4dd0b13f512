"""A picture of text: rows of cells, each with the name of a style; who draws it knows colours."""

from typing import NamedTuple


class Cell(NamedTuple):
    text: str
    style: str = ""


Row = tuple[Cell, ...]


def cut(row: Row, width: int) -> Row:
    """A row that is no wider than the screen."""
    cells: list[Cell] = []
    for cell in row:
        if len(cell.text) > width:
            return (*cells, Cell(cell.text[:width], cell.style))
        width -= len(cell.text)
        cells.append(cell)
    return tuple(cells)
