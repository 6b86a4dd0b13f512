"""Where what persons ask becomes inputs of the core, and the core's facts become their replies.

Theory. A request has an id made by its client; the record keeps what an id was answered for ever, so a repeat is
answered alike and does nothing. Every request is an input, signed by its persons; what a device or the node itself
says is never taken from one, and a deed becomes an input with what only the node has (a seed, a verifier). What
concerns devices is done before it is recorded, and only what the core allows; a person with an unproven PIN always
goes to the core to be refused and counted, also under an id that was answered: a guess learns nothing.
"""

import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import msgspec
from msgspec.structs import replace

from controller.core.ahead.preview import Foreseen
from controller.core.facts import (
    ClaimCorrected,
    ClaimRegistered,
    DayClosed,
    DayOpened,
    DeviceTended,
    Entry,
    Fact,
    IdReused,
    PersonEnrolled,
    Refused,
    SeedLost,
)
from controller.core.inputs import (
    ClearFaults,
    CloseDay,
    ClosePass,
    EnrolPerson,
    Input,
    LoseSeed,
    OpenDay,
    SignIn,
    TryLamps,
    TrySign,
    UnlockTable,
)
from controller.core.machine import decide
from controller.core.past.claims import winners_of
from controller.core.past.inquiry import Inquiry
from controller.core.people import NAME, refuse_signatures
from controller.core.state import State, in_play
from controller.core.values import Phase, Role, Signature
from controller.core.view import Preview
from controller.node.book.pins import secret_of
from controller.node.book.seeds import SeedNotKept, Seeds, new_seed
from controller.node.control.door import BY_TWO, INPUTS
from controller.node.floor.floor import Floor
from controller.node.signs.signboard import Signboard
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Store
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import FromPerson
from controller.node.vocabulary.protocol import (
    AMOUNTS_CHANGED,
    VERSION,
    Deed,
    NodeView,
    Reply,
    Request,
    Trouble,
    is_pin,
)
from controller.record.record import FIRST_SEQ
from controller.rules.complementary import commitment
from controller.rules.refusal import Refusal, parts_of

_encode = msgspec.json.Encoder().encode
_read_entry = msgspec.json.Decoder(Entry)
_TWO = 2

ID_REUSED = Trouble("id_reused", "", "id", "Este pedido lleva el número de otro que ya se respondió.")
UNSIGNED = Trouble("signature_missing", "R-26", "by", "Falta quién lo pide, con su PIN.")
SECOND_MISSING = Trouble("signature_missing", "R-26", "second", "Falta la segunda persona, con su PIN.")
ROLE_UNKNOWN = Trouble("role_unknown", "R-26", "roles", "Hay un papel que no existe.")
NOT_A_PERSONS = Trouble("not_a_persons", "", "ask", "Esto no lo pide una persona, o se pide de otra manera.")
NOTHING_ASKED = Trouble("nothing_asked", "", "ask", "El pedido no dice qué se pide.")
STOPPING = Trouble("stopping", "", "node", "El nodo se está deteniendo: no se hizo. Repita cuando vuelva a arrancar.")
A_PIN_FOR_A_NAME = Trouble("person_is_a_pin", "R-27", "by", "Donde va el nombre vino algo como un PIN; no se registró.")


_OF_PERSONS = frozenset(INPUTS.values())


class NumberedInput(NamedTuple):
    """One input with the id under which the record will know it."""

    id: OutcomeKey
    input: Input
    verifier: str = ""
    history: Inquiry | None = None


class PendingRequest(NamedTuple):
    """A person's request under way: what it asks of the core; or what it was answered before; or why it is no use.
    `looks`: it only wants to know what that would do. `tries`: the sign whose answer it waits for (trials.py)."""

    person: FromPerson
    asks: tuple[NumberedInput, ...] = ()
    trouble: Trouble | None = None
    before: tuple[Fact, ...] = ()
    looks: bool = False
    tries: str = ""


def key_of(request: Request, part: str = "") -> OutcomeKey:
    """A source of its own for each request, asked once (book.py)."""
    return OutcomeKey(f"ctl:{request.id}{part}", 0, 0)


class Reception:
    def __init__(self, seeds: Seeds, floor: Floor, signs: Signboard, store: Store, clock: Clock) -> None:
        self._seeds, self._floor, self._signs, self._store, self._clock = seeds, floor, signs, store, clock
        self._made: dict[str, tuple[str, int, bytes]] = {}
        self._deeds: dict[Deed, Callable[[FromPerson, State], PendingRequest]] = {
            Deed.OPEN_DAY: self._open_day,
            Deed.CLOSE_DAY: self._close_day,
            Deed.LOSE_SEED: self._lose_seed,
            Deed.ENROL: _enrol,
            Deed.SIGN_IN: _sign_in,
            Deed.UNLOCK: self._unlock,
            Deed.LAMP_TEST: self._at_devices,
            Deed.SIGN_TEST: self._at_devices,
            Deed.CLEAR_FAULTS: self._at_devices,
        }

    def open(self, person: FromPerson, state: State) -> PendingRequest:
        """What a request asks of the core. Nothing outside is done but what the core would allow."""
        request = person.request
        if person.input is None and request.do is Deed.STATE:
            return PendingRequest(person)
        is_asked = person.input is not None or request.do in self._deeds
        trouble = _no_request(person) if is_asked else NOTHING_ASKED  # what only looks is answered at the door
        if trouble is not None:
            return PendingRequest(person, trouble=trouble)
        if not all(one.verified for one in _signatures(person)):
            return self._unproven(person)
        if person.input is not None:
            return _asking(person, person.input)._replace(looks=request.do is Deed.PREVIEW)
        assert request.do is not None, "a deed"
        before = self._earlier(key_of(request))
        return _again(person, before) if before else self._deeds[request.do](person, state)

    def _earlier(self, key: OutcomeKey) -> tuple[Fact, ...]:
        """What an id was answered before, as the record has it; nothing when it was never asked."""
        outcome = self._store.outcomes([key]).get(key)
        if outcome is None:
            return ()
        return tuple(_read_entry.decode(row.body).fact for row in self._store.facts(outcome.first, outcome.last))

    def _unproven(self, person: FromPerson) -> PendingRequest:
        """To be refused, and counted: where the id has an answer already, under one that the node makes."""
        request = person.request
        part = f":{secrets.token_hex(8)}" if self._earlier(key_of(request)) else ""
        return PendingRequest(person, (NumberedInput(key_of(request, part), _bare(person)),))

    def _open_day(self, person: FromPerson, state: State) -> PendingRequest:
        """R-30: the seed is made and kept before the day opens, and only for a day that the core would open. Where it
        would not, what is asked has no commitment, so that no day opens by chance without a seed."""
        seed = new_seed()
        bare = _bare(person)
        assert isinstance(bare, OpenDay), "what the deed becomes"
        asked = replace(bare, commitment=commitment(seed))
        wall = self._clock.wall()
        if isinstance(decide(replace(state, clock=wall), asked, wall), Refusal):
            return _asking(person, bare)
        found = self._seeds.found(asked.day, lambda: self._committed(asked.day))
        if found is not None:
            return _asking(person, replace(bare, found=_on_one_line(found)))
        try:
            self._seeds.save(asked.day, state.epoch, seed)
        except SeedNotKept as not_kept:
            return PendingRequest(person, trouble=Trouble("seed_not_kept", "R-30", "day", str(not_kept)))
        self._made[person.request.id] = (asked.day, state.epoch, seed)
        return _asking(person, asked)

    def _committed(self, day: str) -> set[str]:
        """The commitments of days that were opened under this name; each may be called otherwise now."""
        opened = (_read_entry.decode(row.body).fact for row in self._store.facts_since(FIRST_SEQ, ("day_opened",)))
        return {fact.commitment for fact in opened if isinstance(fact, DayOpened) and fact.day == day}

    def answered(self, request: Request, facts: Sequence[Fact]) -> None:
        """R-30: of a day that was not opened no seed is left; another request may have been quicker."""
        made = self._made.pop(request.id, None)
        if made is not None and not any(isinstance(fact, DayOpened) for fact in facts):
            self._seeds.forget(*made)

    def _close_day(self, person: FromPerson, state: State) -> PendingRequest:
        """R-30: the seed leaves the node only with a signature that may close the day."""
        asked, day = CloseDay("", person.signed[0]), state.day
        if day is not None and refuse_signatures(state, asked) is None:
            seed = self._seeds.of(day.first_name, day.commitment) or b""
            asked = CloseDay(seed.hex(), person.signed[0])
        return _asking(person, asked)

    def _lose_seed(self, person: FromPerson, state: State) -> PendingRequest:
        """R-30: a seed that the node still has is shown to the core, which then refuses; it never leaves the node."""
        reason, day = person.request.reason, state.day
        by, second = person.signed
        seed = self._seeds.of(day.first_name, day.commitment) if day is not None else None
        return _asking(person, LoseSeed((seed or b"").hex(), reason, by, second))

    def _unlock(self, person: FromPerson, state: State) -> PendingRequest:
        """A new pass; a sealed one is closed first; while one is open, the units that came back are opened again. What
        it is by then, the core sees when its turn comes: somebody else may be quicker."""
        request, by = person.request, person.signed[0]
        phase = _phase_of(state, request.table)
        if phase is Phase.OPEN:
            return self._at_devices(person, state)
        opening = NumberedInput(key_of(request), _bare(person))
        if phase is Phase.SEALED and refuse_signatures(state, opening.input) is None:
            return PendingRequest(
                person, (NumberedInput(key_of(request, ":close"), ClosePass(request.table, by)), opening)
            )
        return PendingRequest(person, (opening,))

    def _at_devices(self, person: FromPerson, state: State) -> PendingRequest:
        """What the core would refuse is for it to refuse, and no device hears of it."""
        asked = _bare(person)
        if isinstance(decide(state, asked, state.clock), Refusal):
            return _asking(person, asked)
        sentence = self._do(person.request, state)
        if sentence is not None:
            return PendingRequest(person, trouble=Trouble("not_now", "", str(person.request.do), sentence))
        return _asking(person, asked)._replace(tries=person.request.sign)

    def _do(self, request: Request, state: State) -> str | None:
        """The deed at its devices; a sentence why not, if it is not done."""
        assert request.do is not None, "a deed"
        if request.do is Deed.SIGN_TEST:
            return self._signs.test(request.sign, self._clock.now())
        return self._floor.deed(request.do, request, state, self._clock.now())


def _on_one_line(place: Path) -> str:
    """Whoever put the file there gave it its name."""
    name = os.fsencode(place).decode(errors="backslashreplace")
    return name if name.isprintable() else name.encode("unicode_escape").decode()


def _signatures(person: FromPerson) -> tuple[Signature, ...]:
    if person.input is None:
        return person.signed
    given = (getattr(person.input, name, None) for name in ("by", "second"))
    return tuple(one for one in given if one is not None)


def _no_request(person: FromPerson) -> Trouble | None:
    """What no person can ask; nothing of it is written down."""
    request = person.request
    if person.input is not None and type(person.input) not in _OF_PERSONS:
        return NOT_A_PERSONS
    if person.input is not None and getattr(person.input, "by", None) is None:
        return UNSIGNED  # only a button has no name
    signatures = _signatures(person)
    if not signatures:
        return UNSIGNED
    if any(is_pin(one.person) for one in signatures):
        return A_PIN_FOR_A_NAME
    if request.do in BY_TWO and person.input is None and len(signatures) < _TWO:
        return SECOND_MISSING
    unknown = request.do is Deed.ENROL and person.input is None and not {*request.roles} <= {*Role}
    return ROLE_UNKNOWN if unknown else None


def _phase_of(state: State, name: str) -> Phase | None:
    """Of a table that somebody may name; training goes before."""
    if not NAME.fullmatch(name) or name not in state.tables:
        return None
    return state.tables[in_play(state, name)].phase


def _bare(person: FromPerson) -> Input:
    """What is asked, without what only the node has."""
    if person.input is not None:
        return person.input
    request, by = person.request, person.signed[0]
    match request.do:
        case Deed.OPEN_DAY:
            return OpenDay(request.day, "", by, request.nonce)
        case Deed.CLOSE_DAY:
            return CloseDay("", by)
        case Deed.LOSE_SEED:
            return LoseSeed("", request.reason, by, person.signed[1])
        case Deed.ENROL:
            roles = tuple(map(Role, request.roles))
            second, secret = person.signed[1], secret_of(person.verifier)
            return EnrolPerson(request.person, request.name, roles, secret, by, second, request.known)
        case Deed.SIGN_IN:
            return SignIn(request.table, by)
        case Deed.UNLOCK:
            return UnlockTable(request.table, by)
        case Deed.LAMP_TEST:
            return TryLamps(request.table, by)
        case Deed.SIGN_TEST:
            return TrySign(request.sign, by)
        case _:
            assert request.do is Deed.CLEAR_FAULTS, "every deed is an input"
            return ClearFaults(request.table, request.seat, by)


def _enrol(person: FromPerson, _state: State) -> PendingRequest:
    return PendingRequest(person, (NumberedInput(key_of(person.request), _bare(person), person.verifier),))


def _sign_in(person: FromPerson, state: State) -> PendingRequest:
    """Who may sign in gets his ticket at the door, and nothing is on record; who may not is refused like anybody."""
    asked = _bare(person)
    refused = isinstance(decide(state, asked, state.clock), Refusal)
    return _asking(person, asked) if refused else PendingRequest(person)


def _again(person: FromPerson, before: tuple[Fact, ...]) -> PendingRequest:
    """An id that has its answer. A seed or a verifier made anew would make another request of it, so what the node
    put in is not compared; everything else the book compares."""
    names = [one.person for one in person.signed]
    if any(_tells_of(fact, person.request, names) for fact in before):
        return PendingRequest(person, before=before)
    return _asking(person, _bare(person))


def _tells_of(fact: Fact, request: Request, names: Sequence[str]) -> bool:
    """Whether this is what came of a day opened or closed, of a seed that was lost, or of somebody enrolled, as it is
    asked here."""
    match request.do, fact:
        case Deed.OPEN_DAY, DayOpened(day=day, by=by):
            return (day, by) == (request.day, names[0])
        case Deed.CLOSE_DAY, DayClosed(by=by):
            return by == names[0]
        case Deed.SIGN_TEST, DeviceTended():
            return (fact.sign, fact.by) == (request.sign, names[0])
        case Deed.LOSE_SEED, SeedLost():
            return (fact.reason, fact.by, fact.second) == (request.reason, *names)
        case Deed.ENROL, PersonEnrolled():
            asked = (request.person, request.name, sorted({*request.roles}), *names, request.known)
            return asked == (fact.person, fact.name, sorted(map(str, fact.roles)), fact.by, fact.second, fact.known)
        case ((Deed.OPEN_DAY | Deed.CLOSE_DAY | Deed.LOSE_SEED | Deed.ENROL), Refused(ask=ask, by=by)):
            return by in names and ask == {"enrol": "enrol_person"}.get(request.do, request.do)
        case _:
            return False


def _asking(person: FromPerson, asked: Input) -> PendingRequest:
    return PendingRequest(person, (NumberedInput(key_of(person.request), asked),))


def reply_to(request: Request, facts: Sequence[Fact], seq: int) -> Reply:
    """What the record says it did. The last fact decides: what went before it may have been done by somebody else.
    A claim that pays nobody is done and yet no good news, so the reply says it itself (R-32)."""
    troubles = [trouble for trouble in map(_trouble, facts) if trouble is not None]
    trouble = troubles[0] if facts and _trouble(facts[-1]) is not None else None
    raws = tuple(msgspec.Raw(_encode(fact)) for fact in facts)
    claims = [fact for fact in facts if isinstance(fact, ClaimRegistered) or _enters_hands(fact)]
    pays = sum(map(_winners, claims)) if claims else None
    unpaid = tuple(one for claim in claims for one in claim.unpaid)
    return Reply(VERSION, request.id, trouble is None, seq, raws, trouble, None, pays, unpaid)


def preview_reply(request: Request, seen: Foreseen, seq: int) -> Reply:
    """What an act would be answered; none of these facts is on record."""
    trouble = _trouble(seen.facts[-1])
    if trouble is not None:
        return plain_reply(request, seq, trouble)
    would = tuple(msgspec.Raw(_encode(fact)) for fact in seen.facts)
    return Reply(VERSION, request.id, ok=True, seq=seq, preview=seen.preview, would=would)


def changed_reply(request: Request, now: Preview, seq: int) -> Reply:
    """R-20: nothing was registered, because it would not be what was confirmed; and what it would be."""
    return Reply(VERSION, request.id, ok=False, seq=seq, trouble=AMOUNTS_CHANGED, preview=now)


def _enters_hands(fact: Fact) -> TypeGuard[ClaimCorrected]:
    """R-34: what rejects a claim, or concerns a drawn prize, has no hands; a void leaves those that stood."""
    return isinstance(fact, ClaimCorrected) and bool(fact.hands) and not fact.void


def _winners(claim: ClaimRegistered | ClaimCorrected) -> int:
    return len(winners_of(claim) if isinstance(claim, ClaimCorrected) else claim.awards)


def _trouble(fact: Any) -> Trouble | None:
    if isinstance(fact, Refused):
        return Trouble(fact.reason, fact.rule, fact.where, fact.message, parts_of(fact.reason, fact.message))
    return ID_REUSED if isinstance(fact, IdReused) else None


def plain_reply(request: Request, seq: int, trouble: Trouble | None, state: NodeView | None = None) -> Reply:
    return Reply(v=VERSION, id=request.id, ok=trouble is None, seq=seq, trouble=trouble, state=state)
