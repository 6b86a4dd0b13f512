"""What somebody who is no node tells: letters of one stream, each on the hash of the one before, as a node would write them."""

from controller.core.inputs import HearLetter
from controller.core.links.letters import Letter, PassOver, hash_of, version_of
from controller.core.values import Mark


class Stream:
    def __init__(self, writer: str, name: str, epoch: int = 1) -> None:
        self.writer, self.name = writer, name
        self.mark = Mark(epoch, 0, "")

    def next(self, letter: Letter | None = None, number: int = 0) -> HearLetter:
        """The next one; with a number of its own, it leaves a gap."""
        said = letter if letter is not None else PassOver("pozo", "M1", 1, reviewed=False)
        place, before = Mark(self.mark.epoch, number or self.mark.number + 1, ""), self.mark.hash
        hash_ = hash_of(self.writer, self.name, version_of(said), place, before, said)
        self.mark = Mark(place.epoch, place.number, hash_)
        return HearLetter(self.writer, self.name, self.mark, before, version_of(said), said)
