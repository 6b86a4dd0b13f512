"""The tour of docs/tour.md as data, and its picture: `python -m support.node.tour` draws docs/tour.svg anew.

A section is a heading and a table whose rows are hops: a number, `path:function`, a sentence. The picture has a column
for each part of the program and a row for each hop of the first section, from the top down as time goes.
"""

import re
from typing import NamedTuple
from xml.sax.saxutils import escape

from support.node.trace import Hop
from support.places import ROOT

PAGE = ROOT / "docs/tour.md"
PICTURE = ROOT / "docs/tour.svg"
COMMIT = "commit"
"""The hop after which things may be seen: its function's last word."""

_ROW = re.compile(r"^\| *(\d+) *\| *`([\w./]+):([\w.]+)` *\| *(.*?) *\|$", re.MULTILINE)
LANES = (
    ("the table", ("firmware_sim/",)),
    ("line and driver", ("drivers/",)),
    ("node: engine and floor", ("controller/node/",)),
    ("pure: core and rules", ("controller/core/", "controller/rules/")),
    ("record", ("controller/node/book/", "controller/node/store/")),
    ("people", ("controller/ctl/", "controller/node/control/", "controller/node/publish/", "controller/node/signs/")),
)
_WIDTH, _BOX, _ROW_HEIGHT, _TOP = 236, (220, 30), 42, 70


class Step(NamedTuple):
    """One row of the tour."""

    number: int
    hop: Hop
    sentence: str

    @property
    def lane(self) -> int:
        """The most particular one."""
        starts = [(start, at) for at, (_, those) in enumerate(LANES) for start in those]
        return max((start, at) for start, at in starts if self.hop.path.startswith(start))[1]


def section(title: str) -> list[Step]:
    _, _, rest = PAGE.read_text().partition(f"\n## {title}\n")
    assert rest, f"docs/tour.md has no section {title!r}"
    text = rest.split("\n## ")[0]
    return [Step(int(row[1]), Hop(row[2], row[3]), row[4]) for row in _ROW.finditer(text)]


def picture(steps: list[Step]) -> str:
    """The steps as an SVG; nothing in it is measured or chosen by hand."""
    height = _TOP + _ROW_HEIGHT * len(steps) + 20
    committed = next(at for at, step in enumerate(steps) if step.hop.function.split(".")[-1] == COMMIT)
    below = _TOP + _ROW_HEIGHT * committed + 14
    return "\n".join(
        (
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH * len(LANES)} {height}"'
                ' font-family="sans-serif" font-size="12">'
            ),
            '<rect width="100%" height="100%" fill="#fff"/>',
            *(_lane(at, name, height) for at, (name, _) in enumerate(LANES)),
            f'<line x1="0" x2="{_WIDTH * len(LANES)}" y1="{below}" y2="{below}" stroke="#b33" stroke-dasharray="6 4"/>',
            f'<text x="8" y="{below - 5}" fill="#b33">committed: nothing above this line can be seen by anybody</text>',
            *(_arrow(steps[at], at, step, at + 1) for at, step in enumerate(steps[1:])),
            *(_box(step, at) for at, step in enumerate(steps)),
            "</svg>\n",
        )
    )


def _lane(at: int, name: str, height: int) -> str:
    x = at * _WIDTH
    return (
        f'<rect x="{x + 4}" y="34" width="{_WIDTH - 8}" height="{height - 44}" fill="#f4f6f8"/>'
        f'<text x="{x + _WIDTH // 2}" y="24" text-anchor="middle" font-weight="bold">{escape(name)}</text>'
    )


def _box(step: Step, row: int) -> str:
    x, y = step.lane * _WIDTH + (_WIDTH - _BOX[0]) // 2, _TOP + row * _ROW_HEIGHT - 22
    where = step.hop.path.removeprefix("controller/").removesuffix(".py")
    return (
        f'<rect x="{x}" y="{y}" width="{_BOX[0]}" height="{_BOX[1]}" rx="4" fill="#fff" stroke="#456"/>'
        f'<text x="{x + 6}" y="{y + 13}"><tspan fill="#888">{step.number}</tspan> {escape(step.hop.function)}</text>'
        f'<text x="{x + 6}" y="{y + 25}" font-size="9" fill="#678">{escape(where)}</text>'
    )


def _arrow(before: Step, row: int, after: Step, next_row: int) -> str:
    x1, x2 = (step.lane * _WIDTH + _WIDTH // 2 for step in (before, after))
    y1, y2 = _TOP + row * _ROW_HEIGHT + 8, _TOP + next_row * _ROW_HEIGHT - 22
    return f'<path d="M{x1} {y1} C{x1} {y2} {x2} {y1} {x2} {y2}" fill="none" stroke="#9ab" stroke-width="1.5"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(section("One press")))
