"""Metrics in Prometheus' text, on a port of the loopback address, in a thread of its own.

Theory. The engine counts in plain numbers (`counts`); here they are read when somebody asks, so that counting costs the
engine nothing. A scrape never waits for the engine and never makes it wait. Names begin with `pozo_`; a name, once
given, keeps its meaning (docs/operators/operations.md lists them).
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from controller.node.telemetry.counts import BOUNDS, Counts, Durations
from controller.node.vocabulary.protocol import Health, NeighbourNow, NodeView
from drivers.pump import PumpCounters
from drivers.session import SECOND

LOOPBACK = "127.0.0.1"


class MetricSources(NamedTuple):
    """Where the numbers are."""

    counts: Counts
    view: Callable[[], NodeView | None]
    lines: Callable[[], dict[str, PumpCounters]]
    waiting: Callable[[], int]
    replay_seconds: float


class _OfNode(Collector):
    def __init__(self, sources: MetricSources) -> None:
        self._from = sources

    def collect(self) -> Iterable[Metric]:
        counts = self._from.counts
        for name, value, what in (
            ("facts", counts.facts, "facts committed"),
            ("commits", counts.commits, "transactions committed"),
            ("refused", counts.refused, "inputs that were refused"),
            ("heard", counts.heard, "events of lines heard"),
            ("asked", counts.asked, "requests of persons"),
            ("wishes", counts.wishes, "wishes handed to lines"),
            ("views", counts.views, "views shown"),
            ("turns", counts.turns, "turns of the engine"),
        ):
            yield CounterMetricFamily(f"pozo_{name}", f"{what} since the start", value=value)
        if counts.links:
            family = CounterMetricFamily(
                "pozo_link_events", "what happened on the links since the start", labels=["what"]
            )
            for what, often in sorted(counts.links.items()):
                family.add_metric([what], often)
            yield family
        yield _histogram("pozo_commit_seconds", "one commit, on the disk", counts.commit_times)
        yield _histogram("pozo_answer_seconds", "from an event to what follows from it", counts.answer_times)
        yield GaugeMetricFamily("pozo_inbox_waiting", "items that wait for the engine", value=self._from.waiting())
        yield GaugeMetricFamily(
            "pozo_replay_seconds", "how long opening the book took", value=self._from.replay_seconds
        )
        yield from self._of_lines()
        view = self._from.view()
        if view is not None:
            yield from _of_view(view)

    def _of_lines(self) -> Iterable[Metric]:
        lines = self._from.lines()
        for name in ("opened", "lost", "refused", "octets_in", "octets_out", "floods"):
            family = CounterMetricFamily(f"pozo_line_{name}", f"{name} of a line since the start", labels=["line"])
            for line, counters in lines.items():
                family.add_metric([line], getattr(counters, name))
            yield family


def _of_view(view: NodeView) -> Iterable[Metric]:
    yield GaugeMetricFamily("pozo_fact", "number of the record's last fact shown", value=view.seq)
    yield GaugeMetricFamily("pozo_alarms", "alarms now", value=len(view.alarms))
    yield GaugeMetricFamily("pozo_claims_pending", "claims not decided", value=len(view.claims))
    units = GaugeMetricFamily("pozo_unit_up", "1 when a device is trusted", labels=["line", "unit", "table"])
    for unit in view.units:
        units.add_metric([unit.line, str(unit.number), unit.table], unit.health is Health.UP)
    yield units
    pots = GaugeMetricFamily("pozo_pot_main", "main pot in minor units", labels=["pot"])
    for pot in view.pots:
        if not pot.training:
            pots.add_metric([pot.pot], pot.main)
    yield pots
    yield from _of_links(view)


def _of_links(view: NodeView) -> Iterable[Metric]:
    """Of neighbours and of the pots of others; nothing where there are none."""
    of_neighbours: tuple[tuple[str, str, Callable[[NeighbourNow], float]], ...] = (
        ("pozo_link_up", "1 while the link to a neighbour stands", lambda one: one.up),
        ("pozo_link_waiting", "letters that a neighbour has not acknowledged", lambda one: one.waits),
        ("pozo_link_acknowledged", "letters that a neighbour has acknowledged", lambda one: one.acknowledged),
        ("pozo_link_lag_seconds", "age of the oldest letter that waits", lambda one: _seconds(view.at, one.oldest)),
        ("pozo_link_stopped", "streams of a neighbour that two persons must look at", lambda one: len(one.stopped)),
    )
    for name, what, value in of_neighbours if view.neighbours else ():
        family = GaugeMetricFamily(name, what, labels=["neighbour"])
        for one in view.neighbours:
            family.add_metric([one.neighbour], value(one))
        yield family
    if view.far_pots:
        ages = GaugeMetricFamily("pozo_far_pot_age_seconds", "since its owner spoke of a pot", labels=["pot"])
        for pot in view.far_pots:
            ages.add_metric([pot.pot], pot.age / 1_000)
        yield ages
    if view.neighbours:
        yield GaugeMetricFamily("pozo_disputes", "what neighbours told and was not believed", value=len(view.disputes))


def _seconds(now: int, since: int) -> float:
    return max(0, now - since) / 1_000 if since else 0


def _histogram(name: str, what: str, times: Durations) -> HistogramMetricFamily:
    bounds = [*(str(bound / SECOND) for bound in BOUNDS), "+Inf"]
    return HistogramMetricFamily(
        name, what, buckets=list(zip(bounds, times.sums, strict=True)), sum_value=times.total / SECOND
    )


class Metrics:
    """The server; OSError when the port is another's."""

    def __init__(self, port: int, sources: MetricSources) -> None:
        registry = CollectorRegistry()
        registry.register(_OfNode(sources))
        ProcessCollector(registry=registry)
        self._server, self._thread = start_http_server(port, LOOPBACK, registry)

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
