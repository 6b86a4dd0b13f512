"""Whether the marks that two neighbours have of one stream can both be.

Theory. Whoever writes a stream keeps all of it for ever, and whoever hears it never forgets what is committed. So of
two marks of one stream the one is always a beginning of the other, the writer's never stands lower than the reader's,
and neither moves back. Where that is not so, one of both was put back from an old copy, or there are two that call
themselves the same; no more of that stream is sent or taken until two persons have looked (R-28). A writer that simply
has more is the usual case. Pure; what cannot be seen from two marks alone shows when the letters between them come:
each carries the hash of the one before.
"""

from collections.abc import Mapping
from typing import NamedTuple

from controller.core.values import Broken, Mark

START = Mark(0, 0, "")
"""Of a stream of which nothing was told, or nothing heard."""


class LinkMarks(NamedTuple):
    """What the record says of one neighbour. `told`: of the streams that it may hear; `stopped`: streams of either way
    that wait for two persons. While there is one, nothing that this neighbour tells is heard."""

    epoch: int
    told: Mapping[str, Mark]
    heard: Mapping[str, Mark]
    acknowledged: Mapping[str, Mark]
    stopped: frozenset[str]


def of_theirs(heard: Mark, told: Mark, epoch: int) -> Broken | None:
    """A stream that we hear: `told` is where its writer says that it stands, `epoch` the one the writer lives in."""
    if epoch < heard.epoch:
        return Broken.FOREIGN_EPOCH
    if told.number < heard.number:
        return Broken.ROLLED_BACK if epoch == heard.epoch else Broken.FOREIGN_EPOCH
    if told.number == heard.number and told.hash != heard.hash:
        return Broken.FORK if epoch == heard.epoch else Broken.FOREIGN_EPOCH
    return None


def of_ours(told: Mark, acknowledged: Mark, said: Mark) -> Broken | None:
    """A stream that we tell: `said` is how far its reader says to have it, `acknowledged` what our record knows of
    that, where also stands what two persons have accepted."""
    if said == acknowledged:
        return None
    if said.number > told.number:
        return Broken.AHEAD
    if said.number < acknowledged.number:
        return Broken.ROLLED_BACK
    for known in (told, acknowledged):
        if said.number == known.number and said.hash != known.hash:
            return Broken.FORK
    return None
