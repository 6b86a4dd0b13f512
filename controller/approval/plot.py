"""The picture of a forecast, for the operator's board: where the pot goes, and what a bet returns.

Theory. Two panels in one SVG that any browser opens: on the left the main pot over many bets, as bands that
hold nine and five of ten simulated paths, with their median; on the right the return of a bet as the pot
grows, with and without the cap. Each panel is an `Axes`, which only knows how to put a value on paper.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from controller.approval.forecast import Forecast
from controller.rules.plan import Plan
from controller.spanish.numbers import money, percent, whole

_WIDTH, _HEIGHT = 1280, 636
_TOP, _BOTTOM = 132, 520
_INK, _SOFT, _GRID = "#1f2933", "#616e7c", "#e4e7eb"
_BAND, _CORE, _MEDIAN, _RETURN, _UNCAPPED, _MARK = "#d5e6f3", "#a6cbe6", "#14609c", "#b4441c", "#d9a48f", "#3f7d4e"
_FONT = "font-family='Helvetica Neue, Helvetica, Arial, sans-serif'"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axes:
    """A panel: from values to places on the paper."""

    left: int
    right: int
    most_x: float
    most_y: float

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * value / self.most_x

    def y(self, value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * value / self.most_y

    def place(self, points: Iterable[Point]) -> str:
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)

    def line(self, points: Sequence[Point], color: str, width: float, dash: str = "") -> str:
        dashed = f" stroke-dasharray='{dash}'" if dash else ""
        return (
            f"<polyline points='{self.place(points)}' fill='none' stroke='{color}' stroke-width='{width}'"
            f" stroke-linejoin='round'{dashed}/>"
        )

    def band(self, lower: Sequence[Point], upper: Sequence[Point], color: str) -> str:
        return f"<polygon points='{self.place([*lower, *reversed(upper)])}' fill='{color}'/>"


def plot(forecast: Forecast) -> str:
    """The whole picture as SVG text."""
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {_HEIGHT}' width='{_WIDTH}'>",
        f"<rect width='{_WIDTH}' height='{_HEIGHT}' fill='white'/>",
        *_title(forecast),
        *_pot_panel(forecast),
        *_return_panel(forecast),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(
    x: float, y: float, text: str, *, size: int = 13, color: str = _INK, anchor: str = "start", bold: bool = False
) -> str:
    weight = " font-weight='600'" if bold else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' {_FONT} font-size='{size}' fill='{color}'"
        f" text-anchor='{anchor}'{weight}>{escape(text)}</text>"
    )


def _note(x: float, y: float, text: str, color: str = _SOFT, anchor: str = "start") -> str:
    """Small words beside a line."""
    return _text(x, y, text, size=12, color=color, anchor=anchor)


def _title(forecast: Forecast) -> Iterator[str]:
    plan, course = forecast.plan, forecast.solvency.course
    yield _text(72, 46, f"{plan.title}", size=24, bold=True)
    bet = money(plan.ruleset.currency, forecast.bet)
    yield _text(72, 70, f"{plan.ruleset.title}. {plan.resolution}. Apuesta de {bet}.", color=_SOFT)
    played = f"{whole(course.paths)} veces {whole(course.played)} apuestas, semilla {forecast.solvency.seed}"
    yield _note(72, _HEIGHT - 18, f"Simulado: {played}. El retorno es exacto.")


def _nice_steps(most: float, wanted: int) -> list[float]:
    """Round numbers from 0 up to about `most`."""
    raw = max(most, 1.0) / wanted
    size = 10.0 ** (len(str(int(raw))) - 1) if raw >= 1 else 0.1 if raw >= 0.1 else 0.01
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= raw)
    count = int(most / step) + 1
    return [step * at for at in range(count + 1)]


def _frame(
    axes: Axes, title: str, steps_y: Sequence[tuple[float, str]], steps_x: Sequence[tuple[float, str]]
) -> Iterator[str]:
    yield _text(axes.left, _TOP - 24, title, size=15, bold=True)
    for value, label in steps_y:
        y = axes.y(value)
        yield f"<line x1='{axes.left}' y1='{y:.1f}' x2='{axes.right}' y2='{y:.1f}' stroke='{_GRID}'/>"
        yield _note(axes.left - 8, y + 4, label, anchor="end")
    for value, label in steps_x:
        yield _note(axes.x(value), _BOTTOM + 20, label, anchor="middle")


def _short_money(plan: Plan, amount: float) -> str:
    """An amount for an axis: in thousands or millions where it is that large."""
    units = amount / 10**plan.ruleset.currency.decimals
    size, name = next(((size, name) for size, name in _SIZES if units >= size), (1, ""))
    figure = f"{units / size:,.2f}".rstrip("0").rstrip(".").translate(str.maketrans(",.", ".,"))
    return f"{plan.ruleset.currency.symbol} {figure}{name}"


_SIZES = ((10**9, " mil M"), (10**6, " M"), (10**3, " mil"))


def _pot_panel(forecast: Forecast) -> Iterator[str]:
    plan, solvency = forecast.plan, forecast.solvency
    bets = [0, *solvency.marks]
    marks = range(len(solvency.marks))
    levels = {
        per_hundred: list(zip(bets, [plan.base, *(solvency.level(mark, per_hundred) for mark in marks)], strict=True))
        for per_hundred in (5, 25, 50, 75, 95)
    }
    steps_y = _nice_steps(max(level for _, level in levels[95]) * 1.04, 6)
    steps_x = _nice_steps(bets[-1], 5)
    axes = Axes(124, 664, bets[-1], steps_y[-1])
    yield from _frame(
        axes,
        "El pozo principal a lo largo de las apuestas",
        [(step, _short_money(plan, step)) for step in steps_y],
        [(step, whole(int(step))) for step in steps_x if step <= bets[-1]],
    )
    yield axes.band(levels[5], levels[95], _BAND)
    yield axes.band(levels[25], levels[75], _CORE)
    yield axes.line(levels[50], _MEDIAN, 2.5)
    yield from _level_mark(axes, forecast.zero_drift.capped, "sin crecimiento")
    yield from _level_mark(axes, plan.ceiling, "tope")
    pace = whole(forecast.pace.bets_per_hour(len(plan.tables)))
    name = f"apuestas ({pace} por hora al ritmo dado)"
    yield _note((axes.left + axes.right) / 2, _BOTTOM + 42, name, anchor="middle")
    yield from _legend(axes.left, [(_BAND, "9 de 10 veces"), (_CORE, "la mitad de las veces"), (_MEDIAN, "mediana")])


def _level_mark(axes: Axes, level: object, name: str) -> Iterator[str]:
    if level is not None and 0 < (value := float(level)) <= axes.most_y:  # type: ignore[arg-type]
        yield axes.line([(0, value), (axes.most_x, value)], _MARK, 1.2, "5 4")
        yield _note(axes.right - 4, axes.y(value) - 5, name, _MARK, "end")


def _return_panel(forecast: Forecast) -> Iterator[str]:
    plan = forecast.plan
    capped = [(float(point.pot), float(point.capped)) for point in forecast.returns]
    uncapped = [(float(point.pot), float(point.uncapped)) for point in forecast.returns]
    steps_y = _nice_steps(max(y for _, y in uncapped) * 1.02, 6)
    axes = Axes(776, 1240, capped[-1][0], steps_y[-1])
    yield from _frame(
        axes,
        "Lo que devuelve una apuesta, según el pozo",
        [(step, f"{100 * step:.0f} %") for step in steps_y],
        [(x, _short_money(plan, x)) for x, _ in capped[:: (len(capped) - 1) // 4]],
    )
    differ = capped != uncapped
    if differ:
        yield axes.line(uncapped, _UNCAPPED, 2, "6 5")
    yield axes.line(capped, _RETURN, 2.5)
    yield axes.line([(0, 1), (axes.most_x, 1)], _SOFT, 1)
    if forecast.break_even.capped is not None:
        pot = float(forecast.break_even.capped)
        yield f"<circle cx='{axes.x(pot):.1f}' cy='{axes.y(1):.1f}' r='5' fill='{_RETURN}'/>"
        beside = min(axes.x(pot) + 12, axes.right - 170)  # below the rising line, and still inside the panel
        even = money(plan.ruleset.currency, forecast.break_even.capped)
        yield _note(beside, axes.y(1) + 20, f"100 % en {even}", _RETURN)
    fixed = percent(forecast.returns[0].capped, 2)
    yield _note(axes.x(0) + 6, axes.y(capped[0][1]) + 18, f"premios fijos {fixed}")
    yield _note((axes.left + axes.right) / 2, _BOTTOM + 42, "pozo principal", anchor="middle")
    entries = [(_RETURN, "con el tope de la norma" if differ else "retorno")]
    yield from _legend(axes.left, [*entries, *(((_UNCAPPED, "sin tope"),) if differ else ())])


def _legend(left: int, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    x: float = left
    for color, name in entries:
        yield f"<rect x='{x:.1f}' y='{_BOTTOM + 54}' width='14' height='10' fill='{color}'/>"
        yield _note(x + 20, _BOTTOM + 63, name)
        x += 34 + 7.2 * len(name)
