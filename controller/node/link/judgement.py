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
    that wait for two persons. While there is one, nothing that this neighbour tells is heard. `missing`: the logs here
    of which it is to say, after our restore, how far it has heard them, and where they stand; `its_epoch`: the newest
    in which it is known to have lived; `relayed`: the logs here of pots that a neighbour above owns; `mirrors_us`: it
    keeps our mirror; `written`: our last fact that may concern a neighbour."""

    epoch: int
    told: Mapping[str, Mark]
    heard: Mapping[str, Mark]
    acknowledged: Mapping[str, Mark]
    stopped: frozenset[str]
    missing: Mapping[str, Mark] = {}
    its_epoch: int = 0
    relayed: frozenset[str] = frozenset()
    mirrors_us: bool = False
    written: int = 0

    def streams(self) -> list[str]:
        """The streams of ours that it is told, or asked about."""
        return [*self.told, *self.missing]

    def stands(self, name: str) -> Mark:
        """Where a stream of ours stands."""
        return self.told.get(name, self.missing.get(name, START))


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


def is_restored(heard: Mark, told: Mark, epoch: int) -> bool:
    """Whether the writer of a log was put back, lives in a new epoch, and has told nothing of it since: then it takes
    back what we have, and goes on from there."""
    return epoch > heard.epoch >= told.epoch and told.number < heard.number


def has_lost(told: Mark, said: Mark, epoch: int) -> bool:
    """Whether a log of ours went on before our restore, up to where its reader has it."""
    return told.epoch < epoch and said.epoch < epoch and told.number < said.number
