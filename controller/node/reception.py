"""Where what persons ask becomes inputs of the core, and the core's facts become their replies.

Theory. A request has an id made by its client; the record keeps what an id was answered for ever, so a repeat is
answered alike and does nothing. Most requests are inputs already, those of people, signed; what a device or the node
itself says is never taken from a person. A deed becomes an input too, with what only the node has (a seed, a verifier);
or it concerns devices alone, and is held to the core's rules about people all the same: a signature the core would
refuse is given to the core to refuse, on an input that can do nothing else; so wrong PINs count wherever one is typed.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from controller.core.facts import Fact, IdReused, Refused
from controller.core.inputs import CloseDay, ClosePass, CloseSeat, EnrolPerson, Input, OpenDay, OpenPass
from controller.core.people import refuse_signatures
from controller.core.state import Phase, State, in_play
from controller.core.words import Role
from controller.node.control_door import INPUTS
from controller.node.inbox import FromPerson
from controller.node.pins import secret_of
from controller.node.protocol import VERSION, Deed, NodeView, Reply, Request, Trouble
from controller.node.seeds import SeedNotKept, Seeds
from controller.node.store_rows import OutcomeKey
from controller.rules.complementary import commitment

_encode = msgspec.json.Encoder().encode
_NO_COMMITMENT = "0" * 64
_TWO = 2

ID_REUSED = Trouble("id_reused", "", "id", "Este pedido lleva el número de otro que ya se respondió.")
UNSIGNED = Trouble("signature_missing", "R-26", "by", "Falta quién lo pide, con su PIN.")
SECOND_MISSING = Trouble("signature_missing", "R-26", "second", "Falta la segunda persona, con su PIN.")
ROLE_UNKNOWN = Trouble("role_unknown", "R-26", "roles", "Hay un cargo que no existe.")
NOT_A_PERSONS = Trouble("not_a_persons", "", "ask", "Esto no lo pide una persona, o se pide de otra manera.")
NOTHING_ASKED = Trouble("nothing_asked", "", "ask", "El pedido no dice qué se pide.")


_OF_PERSONS = frozenset(INPUTS.values())


class OnDevices(Protocol):
    """The deeds that no fact records: done at once, or a sentence why not (floor.py, signboard.py)."""

    def do(self, request: Request, state: State) -> str | None: ...


class Ask(NamedTuple):
    """One input with the id under which the record will know it."""

    id: OutcomeKey
    input: Input
    verifier: str = ""


class Case(NamedTuple):
    """A person's request under way: what it asks of the core; or what it was answered before; or why it is no use."""

    person: FromPerson
    asks: tuple[Ask, ...] = ()
    trouble: Trouble | None = None
    before: tuple[Fact, ...] = ()


def key_of(request: Request, part: str = "") -> OutcomeKey:
    """A source of its own for each request, asked once (book.py)."""
    return OutcomeKey(f"ctl:{request.id}{part}", 0, 0)


class Reception:
    def __init__(self, seeds: Seeds, devices: OnDevices, earlier: Callable[[OutcomeKey], tuple[Fact, ...]]) -> None:
        self._seeds, self._devices, self._earlier = seeds, devices, earlier
        self._deeds: dict[Deed, Callable[[FromPerson, State], Case]] = {
            Deed.OPEN_DAY: self._open_day,
            Deed.CLOSE_DAY: self._close_day,
            Deed.ENROL: _enrol,
            Deed.UNLOCK: self._unlock,
            Deed.LAMP_TEST: self._at_devices,
            Deed.SIGN_TEST: self._at_devices,
            Deed.CLEAR_FAULTS: self._at_devices,
        }

    def open(self, person: FromPerson, state: State) -> Case:
        """What a request asks of the core. Nothing outside is done but what no record holds."""
        request = person.request
        if person.input is not None:
            trouble = _not_for_persons(person.input)
            return Case(person, trouble=trouble) if trouble else _asking(person, person.input)
        if request.do is None:
            return Case(person, trouble=NOTHING_ASKED)
        if request.do is Deed.STATE:
            return Case(person)
        if not person.signed:
            return Case(person, trouble=UNSIGNED)
        before = self._earlier(key_of(request))  # a seed or a verifier made anew would make it another request
        return Case(person, before=before) if before else self._deeds[request.do](person, state)

    def _open_day(self, person: FromPerson, state: State) -> Case:
        """R-30: the seed is kept before the day opens; no seed is made for whoever may not open one."""
        request, by = person.request, person.signed[0]
        asked = OpenDay(request.day, _NO_COMMITMENT, by)
        if refuse_signatures(state, asked) is None and state.day is None:
            try:
                asked = OpenDay(request.day, commitment(self._seeds.for_day(request.day, state.epoch)), by)
            except SeedNotKept as not_kept:
                return Case(person, trouble=Trouble("seed_not_kept", "R-30", "day", str(not_kept)))
        return _asking(person, asked)

    def _close_day(self, person: FromPerson, state: State) -> Case:
        """R-30: the seed leaves the node only with a signature that may close the day."""
        asked, day = CloseDay("", person.signed[0]), state.day
        if day is not None and refuse_signatures(state, asked) is None:
            seed = self._seeds.of(day.name, day.commitment) or b""
            asked = CloseDay(seed.hex(), person.signed[0])
        return _asking(person, asked)

    def _unlock(self, person: FromPerson, state: State) -> Case:
        """A new pass; a sealed one is closed first; while one is open, the units that came back are opened again."""
        request, by = person.request, person.signed[0]
        asked = OpenPass(request.table, by)
        table = state.tables.get(in_play(state, request.table)) if request.table in state.tables else None
        phase = table.phase if table else None
        if phase is Phase.OPEN and refuse_signatures(state, asked) is None:
            return self._done(person, state)
        if phase is Phase.SEALED:
            closing = Ask(key_of(request, ":close"), ClosePass(request.table, by))
            return Case(person, (closing, Ask(key_of(request), asked)))
        return _asking(person, asked)

    def _at_devices(self, person: FromPerson, state: State) -> Case:
        asked = CloseSeat("", 0, person.request.do or "", person.signed[0])  # at no table: it can only be refused
        if refuse_signatures(state, asked) is not None:
            return _asking(person, asked)
        return self._done(person, state)

    def _done(self, person: FromPerson, state: State) -> Case:
        sentence = self._devices.do(person.request, state)
        return Case(person, trouble=Trouble("not_now", "", str(person.request.do), sentence) if sentence else None)


def _not_for_persons(asked: Input) -> Trouble | None:
    if type(asked) not in _OF_PERSONS:
        return NOT_A_PERSONS
    return UNSIGNED if getattr(asked, "by", None) is None else None  # only a button has no name


def _enrol(person: FromPerson, _state: State) -> Case:
    request = person.request
    if len(person.signed) < _TWO:
        return Case(person, trouble=SECOND_MISSING)
    if not {*request.roles} <= {*Role}:
        return Case(person, trouble=ROLE_UNKNOWN)
    roles = tuple(map(Role, request.roles))
    by, second = person.signed
    asked = EnrolPerson(request.person, request.name, roles, secret_of(person.verifier), by, second)
    return Case(person, (Ask(key_of(request), asked, person.verifier),))


def _asking(person: FromPerson, asked: Input) -> Case:
    return Case(person, (Ask(key_of(person.request), asked),))


def reply_to(request: Request, facts: Sequence[Fact], seq: int) -> Reply:
    """What the record says it did, and the first refusal in it."""
    trouble = next(filter(None, map(_trouble, facts)), None)
    raws = tuple(msgspec.Raw(_encode(fact)) for fact in facts)
    return Reply(v=VERSION, id=request.id, ok=trouble is None, seq=seq, facts=raws, trouble=trouble)


def _trouble(fact: Any) -> Trouble | None:
    if isinstance(fact, Refused):
        return Trouble(fact.reason, fact.rule, fact.where, fact.message)
    return ID_REUSED if isinstance(fact, IdReused) else None


def plain_reply(request: Request, seq: int, trouble: Trouble | None, state: NodeView | None = None) -> Reply:
    return Reply(v=VERSION, id=request.id, ok=trouble is None, seq=seq, trouble=trouble, state=state)
