"""What a snapshot must say of neighbours, streams and tables that are elsewhere (R-27, R-28).

Theory. A node starts from a snapshot that it sealed; one that forgot a mark would hear a letter twice, or tell another
one under its number. So all of it is compared, as it is written: what holds its default is left out.
"""

from typing import Any

import msgspec

from controller.verify.links.shares import shares_kept
from controller.verify.links.state import AwayTable, Dispute, Neighbour, Proposed, TakingBack
from controller.verify.world import World


def links_of(world: World) -> dict[str, tuple[Any, Any]]:
    """By the key of the state: what must stand there, and what is meant where nothing stands."""
    links = world.links
    return {
        "neighbours": ({name: _neighbour(one) for name, one in links.neighbours.items()}, {}),
        "told": (_written(links.told), {}),
        "heard": (_written(links.heard), {}),
        "acknowledged": (_written(links.acknowledged), {}),
        "away": ({name: _away(one) for name, one in links.away.items()}, {}),
        "proposed": ({name: _proposed(one) for name, one in links.proposed.items()}, {}),
        "disputes": ({name: _disputed(one) for name, one in links.disputes.items()}, {}),
        "emptying": (_written(links.emptying), {}),
        "wanted": (links.wanted, 0),
        "awaited": (_written(links.awaited), {}),
        "undecided": ([*world.undecided], []),
        "shares": (shares_kept(world), {}),
        "recalls": ({name: {"missing": True} for name in links.recalls}, {}),
        "taking_back": ({pot: _taking(one) for pot, one in links.taking.items()}, {}),
    }


def _neighbour(one: Neighbour) -> dict[str, Any]:
    stopped = {stream: {"why": why, "said": _written(said)} for stream, (why, said) in one.stopped.items()}
    rest = {
        "inside": one.inside,
        "up": one.up,
        "since": one.since,
        "revoked": one.revoked,
        "stopped": stopped,
        "went_back": one.went_back,
        "days": one.last_days,
        "playing": one.in_play,
    }
    return {"name": one.name, "side": one.side, "key": one.key, **_said(rest)}


def _disputed(one: Dispute) -> dict[str, Any]:
    rest = _said({"letter": _written(one.letter), "bets": _written(one.bets)})
    return {key: value for key, value in one._asdict().items() if key not in ("letter", "bets")} | rest


def _taking(one: TakingBack) -> dict[str, Any]:
    bound = [{"number": number, "letter": _written(said)} for number, said in one.bound.items()]
    return _said({"missing": one.missing, "bound": bound, "without": one.without})


def _away(one: AwayTable) -> dict[str, Any]:
    rest = _said({"number": one.number, "bets": _written(one.bets), "dark": list(one.dark)})
    closed = {} if one.closed else {"closed": False}
    return {"name": one.name, "casino": one.casino, "pot": one.pot, "modality": one.game.name, **rest, **closed}


def _proposed(one: Proposed) -> dict[str, Any]:
    plan, ruleset = one.documents
    rest = {"ready": one.ready, "below": one.ready_below, "by": one.signed[0], "second": one.signed[1]}
    of = {"documents": {"plan": plan, "ruleset": ruleset}, "resolution": one.resolution, "above": one.above}
    return {**of, **_said(rest)}


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    """Without those that hold their default."""
    return {key: value for key, value in fields.items() if value}


def _written(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
