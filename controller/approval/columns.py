"""Text in columns, for sheets that are printed: headings, and rows whose columns are as wide as they need.

Theory. One line is one fact, so that two sheets can be compared. This file must not know what a sheet says.
"""

from collections.abc import Iterable, Iterator, Sequence


def lay_out(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"


def table(sides: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need, each to its side: l or r."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = zip(sides, row, widths, strict=True)
        yield "   " + "   ".join(cell.ljust(width) if side == "l" else cell.rjust(width) for side, cell, width in cells)


def facts(*rows: tuple[str, str]) -> Iterator[str]:
    """A name and what it is, line by line."""
    return table("ll", rows)


def heading(title: str) -> list[str]:
    return ["", title]
