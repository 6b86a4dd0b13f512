"""A sentence with gaps, such as `POZO {amount} +{increment}`: its parts, and the sentence when the gaps are filled.

A gap is a name in braces and nothing else; any other brace is refused, because it was meant to be something.
"""

import re
from collections.abc import Collection, Mapping

from drivers.signs.letters import Unwritable

_GAP = re.compile(r"\{([a-z]+)\}")

Part = tuple[str, str | None]  # letters, and the gap behind them


def parts(layout: str, known: Collection[str], needed: str) -> list[Part] | Unwritable:
    pieces = _GAP.split(layout)
    literals, gaps = pieces[::2], pieces[1::2]
    for literal in literals:
        if "{" in literal or "}" in literal:
            return Unwritable(f"{literal!r} has a brace that is no gap")
    for gap in gaps:
        if gap not in known:
            return Unwritable(f"{{{gap}}} is nothing; it knows {', '.join(sorted(known))}")
    if needed not in gaps:
        return Unwritable(f"it has no {{{needed}}}")
    return list(zip(literals, [*gaps, None], strict=True))


def filled(layout: str, texts: Mapping[str, str]) -> str:
    return _GAP.sub(lambda gap: texts[gap[1]], layout)
