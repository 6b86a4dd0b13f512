"""Two different persons: what nobody may decide alone (R-26, R-34).

Theory. A person is a name that is not blank; the same name twice is one person. Who they are and what role
each has is for the core to know.
"""

from collections.abc import Sequence

from controller.rules.refusal import Reason, Refusal, refuse


def refuse_without_two(approvers: Sequence[str], where: str) -> Refusal | None:
    """R-26, R-34: the approval of two different persons."""
    # One name is also a sequence, of its letters; two letters would be taken for two persons.
    assert not isinstance(approvers, str), "R-26: the names of persons"
    persons = {person.strip() for person in approvers} - {""}
    return refuse(Reason.TWO_PERSONS_NEEDED, where) if len(persons) < 2 else None
