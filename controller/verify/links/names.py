"""What a table and a claim of a neighbour are called in this record: `TABLE@NEIGHBOUR` (R-9, R-28).

Theory. Everything behind the last `@` is the neighbour below through which a thing is reached; what stands before it is
its name there. A plan says where each table is, as the owner of the pot sees it, and each node finds itself on the way.
"""


def is_away(table: str) -> bool:
    return "@" in table


def neighbour_of(table: str) -> str:
    return table.rpartition("@")[2]


def here(name: str, neighbour: str) -> str:
    """What a neighbour below calls so."""
    table, *rest = name.split("/", 1)
    return "/".join((f"{table}@{neighbour}", *rest))


def there(name: str, neighbour: str) -> str | None:
    """What that neighbour calls it; None where it is not its own."""
    table, *rest = name.split("/", 1)
    words = table.split("@")
    if len(words) < 2 or words.pop() != neighbour:
        return None
    return "/".join(("@".join(words), *rest))


def seen_from(node: str, me: str, owns: bool) -> str | None:
    """The way from here to a table that a plan places at `node`: "" for one of ours, None for one elsewhere."""
    if owns:
        return node
    words = node.split("@") if node else []
    return "@".join(words[: words.index(me)]) if me in words else None
