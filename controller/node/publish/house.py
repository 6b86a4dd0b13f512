"""Who may sign at a node now, and which terminals there are, of its state (R-36).

Theory. Made anew only when either changed; the words are those of the control socket. Pure.
"""

from controller.core.people import may_sign
from controller.core.state import State
from controller.node.vocabulary.house import House, PersonNow, TerminalNow


def house_of(state: State) -> House:
    """In the order of their names."""
    people = (PersonNow(id_, one.name, one.roles) for id_, one in sorted(state.people.items()) if may_sign(one))
    terminals = (TerminalNow(name, one.use, one.key, one.place) for name, one in sorted(state.terminals.items()))
    return House(tuple(people), tuple(terminals))
