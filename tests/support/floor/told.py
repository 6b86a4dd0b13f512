"""What a record in memory tells an act that asks for it, as the shell of a node does with a store (R-34)."""

from collections.abc import Sequence

from controller.core.facts import Entry, Fact
from controller.core.inputs import Input
from controller.core.past.inquiry import Inquiry, inquiry_for
from controller.core.state import State


def told(state: State, asked: Input, record: Sequence[tuple[int, Fact]]) -> Inquiry | None:
    """The inquiry of this input, answered from facts with their instants; None where it needs nothing."""
    inquiry, before = inquiry_for(state, asked), None
    while inquiry is not None and (search := inquiry.query()) is not None:
        assert search is not before, "R-34: what was read is not read again"
        before, last = search, len(record)
        numbers = range(search.start, last + 1) if search.forwards else range(min(search.start, last), 0, -1)
        for seq in numbers:
            at, fact = record[seq - 1]
            is_wanted = str(fact.__struct_config__.tag) in search.kinds
            if is_wanted and inquiry.take(Entry(seq, at, ("", 0, 0), "", fact)):
                break
        else:
            inquiry.done()
    if inquiry is not None:
        follow(inquiry, record)
    return inquiry


def follow(inquiry: Inquiry, record: Sequence[tuple[int, Fact]]) -> None:
    """What came after all that was read; what was heard already changes nothing."""
    for seq, (at, fact) in enumerate(record[max(inquiry.seq - 1, 0) :], max(inquiry.seq, 1)):
        inquiry.follow(Entry(seq, at, ("", 0, 0), "", fact))
