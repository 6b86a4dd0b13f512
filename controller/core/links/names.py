"""What a table and a claim of a neighbour are called here: `TABLE@NEIGHBOUR` (R-9, R-28).

Theory. Two casinos may have tables of one name. Each node calls its own tables by their names and a neighbour's by name
and neighbour; a table two steps away is `TABLE@BOX@CASINO`. So a name says which way a thing lies, and nothing else has
to be remembered. The plan of a shared pot names each table's node as its owner sees it (`node = "BOX@CASINO"`); whoever
stands on the way finds his own name in it and reads what stands before.
"""

AT = "@"


def is_away(table: str) -> bool:
    """Of a neighbour below, and not of this node."""
    assert table, "a table has a name"
    return AT in table


def neighbour_of(table: str) -> str:
    """The neighbour below through which this table is reached."""
    assert is_away(table), "a table of a neighbour"
    return table.rpartition(AT)[2]


def plain(table: str) -> str:
    """As the people there call it."""
    return table.partition(AT)[0]


def here(name: str, neighbour: str) -> str:
    """A table, claim or award as a neighbour below calls it, as it is called here."""
    table, slash, rest = name.partition("/")
    assert table and neighbour, "named at the writer"
    return f"{table}{AT}{neighbour}{slash}{rest}"


def there(name: str, neighbour: str) -> str | None:
    """The same the other way; None where it is not that neighbour's."""
    table, slash, rest = name.partition("/")
    its = table.removesuffix(f"{AT}{neighbour}")
    assert neighbour, "a neighbour has a name"
    return f"{its}{slash}{rest}" if its != table else None


def seen_from(node: str, me: str, owns: bool) -> str | None:
    """Where a table that a plan places at `node` lies, seen from here; empty: it is ours; None: elsewhere."""
    if owns or not node:
        return node if owns else None
    way = node.split(AT)
    assert all(way), "nodes have names"
    return AT.join(way[: way.index(me)]) if me in way else None


def table_at(name: str, node: str) -> str:
    """A table's name here, by where it lies."""
    assert name and AT not in name, "as its plan names it"
    return f"{name}{AT}{node}" if node else name
