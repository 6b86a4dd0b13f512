"""A verification as the command does it: with the program's own readers of documents and refusals handed in."""

from collections.abc import Callable

from controller.cli.record import PUBLISHED
from controller.record.record import Record
from controller.verify.chain import Witness
from controller.verify.verify import Verdict
from controller.verify.verify import verify as check


def verify(record: Record, witness: Witness | None, progress: Callable[[int], None]) -> Verdict:
    return check(record, PUBLISHED, witness, progress)
