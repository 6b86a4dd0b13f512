"""The tables of a plan as a node sees them: its own, those of neighbours below, and none of the others (R-9, R-28).

Theory. The plan of a shared pot names each table with the way to it from the pot's owner. Every node reads the same
plan, and finds in it what is its own business by who it is and whether the pot is its own.
"""

from collections.abc import Mapping

from controller.core.links.names import AT, is_away, seen_from, table_at
from controller.rules.plan import LinkedTable, Plan


def is_named(plan: Plan, me: str) -> bool:
    """R-28: whether a plan places a table at this node, or behind it: then its pot is another node's."""
    assert me, "who looks has a name"
    return any(me in table.node.split(AT) for table in plan.tables)


def nodes_above(plan: Plan, me: str) -> set[str]:
    """R-28: who is next on the way from this node's tables to the pot; empty: its owner, whom no plan names."""
    ways = [f"{table.node}{AT}".split(AT) for table in plan.tables]
    assert me, "who looks has a name"
    return {way[way.index(me) + 1] for way in ways if me in way}


def seen_tables(plan: Plan, me: str, owns_it: bool) -> Mapping[str, LinkedTable]:
    """R-9: the tables of a plan that are ours or lie below us, by the names that they have here."""
    places = [(table, seen_from(table.node, me, owns_it)) for table in plan.tables]
    assert places, "R-9: a plan has tables"
    return {table_at(table.name, place): table for table, place in places if place is not None}


def linked(plan: Plan, me: str, owns_it: bool) -> Mapping[str, LinkedTable]:
    """R-9: the tables of a plan that are ours."""
    mine = {name: table for name, table in seen_tables(plan, me, owns_it).items() if not is_away(name)}
    assert all(name == table.name for name, table in mine.items()), "our own have their plain names"
    return mine


def away_of(plan: Plan, me: str, owns_it: bool) -> Mapping[str, LinkedTable]:
    """R-28: the tables of a plan that are of neighbours below."""
    assert me or owns_it, "who looks has a name"
    return {name: table for name, table in seen_tables(plan, me, owns_it).items() if is_away(name)}
