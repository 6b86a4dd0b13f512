"""Who may do what: roles, PINs, and what two different persons must decide (R-26, R-34, design.md People).

Theory. One table says which roles may ask for what, another for what a second person of which role is needed; it is
asked before anything else, so no part of the core has a back door. A PIN is verified outside; here arrives only
whether it was right. Wrong ones are counted for the day and shown to everybody; they lock nobody, because whoever
guesses would then lock the house. How long a guesser waits is the door's affair. In the first two readings five in a
row locked a person, until another one unlocked him.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    DayOpened,
    Fact,
    NothingNew,
    PersonEnrolled,
    PersonUnlocked,
    PinsReplaced,
    PlanTookEffect,
    Refused,
    UnprovenRefused,
    VerifiersSealed,
)
from controller.core.inputs import CountUnproven, EnrolPerson, Input, ReplacePins, SealVerifiers, SignIn, UnlockPerson
from controller.core.state import THIRD_READING, Person, State, Table
from controller.core.values import Role, Signature
from controller.rules.approval import as_read, refuse_without_two
from controller.rules.refusal import Reason, Refusal, refuse

MOST_UNPROVEN = 2**40
ALARM_AT = 3
"""Wrong PINs of one person within a day: every screen says so."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
SOMEBODY = Signature("?")
"""Who stands in for a second person, where one looks at what two would do: nobody can be enrolled under this name."""
_SPANISH = {Role.ADMINISTRATOR: "administrador", Role.CROUPIER: "croupier"}
_SECRET = re.compile(r"[0-9a-f]{64}")

_FLOOR = frozenset({Role.CROUPIER, Role.CHIEF})
_CHIEF = frozenset({Role.CHIEF})
_ADMINISTRATOR = frozenset({Role.ADMINISTRATOR})
_CHIEFS = _CHIEF | _ADMINISTRATOR
_TECHNICAL = frozenset({Role.TECHNICIAN, Role.CHIEF})

MAY: dict[type, frozenset[Role]] = {
    ask.RestoreNode: frozenset({Role.TECHNICIAN, Role.ADMINISTRATOR}),
    ask.EnrolPerson: _ADMINISTRATOR,
    ask.UnlockPerson: _CHIEFS,
    ask.SignIn: _FLOOR,
    ask.EnrolTerminal: _CHIEFS,
    ask.WithdrawTerminal: _CHIEFS,
    ask.StagePlan: _ADMINISTRATOR,
    ask.WithdrawPlan: _ADMINISTRATOR,
    ask.OpenDay: _CHIEFS,
    ask.CloseDay: _CHIEFS,
    ask.RenameDay: _CHIEFS,
    ask.LoseSeed: _CHIEFS,
    ask.OpenPass: _FLOOR,
    ask.UnlockTable: _FLOOR,
    ask.Lock: _FLOOR,
    ask.ClosePass: _FLOOR,
    ask.VoidHand: _FLOOR,
    ask.VoidPass: _FLOOR,
    ask.CloseSeat: _FLOOR | _TECHNICAL,
    ask.OpenSeat: _TECHNICAL,
    ask.ClearFaults: _TECHNICAL,
    ask.TryLamps: _FLOOR | _TECHNICAL,
    ask.TellLamps: _FLOOR | _TECHNICAL,
    ask.LampDark: _FLOOR,
    ask.TrySign: _FLOOR | _TECHNICAL,
    ask.NoteClock: _TECHNICAL,
    ask.BuyCredits: _FLOOR,
    ask.CashOut: _FLOOR,
    ask.LeaveCredits: _FLOOR,
    ask.PayLeft: _FLOOR,
    ask.PayOwed: _FLOOR,
    ask.CountSeat: _CHIEF,
    ask.SignVoid: _CHIEF,
    ask.RegisterClaim: _FLOOR,
    ask.CorrectClaim: _FLOOR,
    ask.RejectClaim: _CHIEF,
    ask.GrantAnew: _CHIEF,
    ask.SetAside: _FLOOR,
    ask.ConfirmAward: _CHIEF,
    ask.PayAward: _FLOOR,
    ask.ShowCard: _FLOOR,
    ask.MoveMoney: _ADMINISTRATOR,
    ask.ClearSuspense: _CHIEF,
    ask.StartTraining: _FLOOR,
    ask.EndTraining: _CHIEF,
    ask.PinNeighbour: _ADMINISTRATOR,
    ask.RevokeNeighbour: _ADMINISTRATOR,
    ask.AcceptNeighbour: _ADMINISTRATOR,
    ask.EndDispute: _ADMINISTRATOR,
    ask.AdvanceAward: _CHIEF,
    ask.LeavePot: _ADMINISTRATOR,
    ask.GoOnWithout: _ADMINISTRATOR,
}

SECOND: dict[type, frozenset[Role]] = {
    ask.RestoreNode: _ADMINISTRATOR,
    ask.EnrolPerson: _CHIEFS,
    ask.EnrolTerminal: _CHIEFS,
    ask.StagePlan: _CHIEFS,
    ask.RenameDay: _CHIEFS,
    ask.LoseSeed: _CHIEFS,
    ask.CorrectClaim: _CHIEFS,
    ask.RejectClaim: _CHIEFS,
    ask.GrantAnew: _CHIEFS,
    ask.SetAside: _CHIEFS,
    ask.MoveMoney: _CHIEFS,
    ask.CountSeat: _CHIEFS,
    ask.ClearSuspense: _CHIEFS,
    ask.ConfirmAward: _FLOOR | _ADMINISTRATOR,  # with one chief at night, the croupier
    ask.LeaveCredits: _CHIEFS,
    ask.PayLeft: _CHIEFS,
    ask.StartTraining: _CHIEFS,
    ask.PayOwed: _CHIEFS,
    ask.PinNeighbour: _CHIEFS,
    ask.RevokeNeighbour: _CHIEFS,
    ask.AcceptNeighbour: _CHIEFS,
    ask.EndDispute: _CHIEFS,
    ask.AdvanceAward: _FLOOR | _ADMINISTRATOR,  # as an award is confirmed
    ask.LeavePot: _CHIEFS,
    ask.GoOnWithout: _CHIEFS,
}


def refuse_signatures(state: State, asked: Input) -> Refusal | None:
    """Whether those who sign may ask for this; nobody signs for a device or a button. Every PIN comes before every
    role: else one that is wrong would not count wherever something else is refused, and could be tried for ever."""
    roles = MAY.get(type(asked))
    by: Signature | None = getattr(asked, "by", None)
    if roles is None or by is None:
        return None
    second: Signature | None = getattr(asked, "second", None)
    if second is None:
        return _refuse_proof(state, by, "by") or _refuse_roles(state, by, roles, "by")
    assert type(asked) in SECOND, "a second signature is asked for by name"
    return (
        _refuse_proof(state, by, "by")
        or _refuse_proof(state, second, "second")
        or _refuse_roles(state, by, roles, "by")
        or _refuse_roles(state, second, SECOND[type(asked)], "second")
        or _refuse_one_signer(asked, by.person, second.person)
    )


def _refuse_one_signer(asked: Input, by: str, second: str) -> Refusal | None:
    """R-26: by two persons. Enrolment alone takes two names that are read alike, which only a record of earlier
    readings has: it is how such a house enrols somebody else in place of one of the two."""
    assert by and second, "who signs has a name"
    if isinstance(asked, EnrolPerson) and by != second:
        return None
    return refuse_without_two([by, second], "second")


def with_somebody(state: State, asked: Input) -> State:
    """Where two sign: somebody who may be the second is there."""
    roles = SECOND.get(type(asked))
    if roles is None:
        return state
    assert SOMEBODY.person not in state.people, "nobody is called so"
    return replace(state, people={**state.people, SOMEBODY.person: Person("", tuple(sorted(roles)))})


def may_sign(person: Person) -> bool:
    """Whether a right PIN of his would be taken at all."""
    assert person.failures >= 0, "counted from nothing, and no reason to lock anybody"
    return bool(person.roles)


def _refuse_proof(state: State, by: Signature, where: str) -> Refusal | None:
    """Whether he is who he says he is."""
    person = state.people.get(by.person)
    if person is None or not may_sign(person):
        return refuse(Reason.PERSON_UNKNOWN, where, person=by.person)
    if not by.verified:
        return refuse(Reason.PIN_WRONG, where, person=by.person)
    return None


def _refuse_roles(state: State, by: Signature, roles: frozenset[Role], where: str) -> Refusal | None:
    assert roles, "somebody may"
    if not roles & set(state.people[by.person].roles):
        return refuse(Reason.ROLE_MISSING, where, person=by.person, roles=", ".join(sorted(roles)))
    return None


def without_pins(asked: Input) -> Input:
    """What is asked, not whether a PIN was right: with the same id a guess is no new try, and learns nothing."""
    for name in ("by", "second"):
        signature: Signature | None = getattr(asked, name, None)
        if signature is not None and not signature.verified:
            asked = replace(asked, **{name: replace(signature, verified=True)})
    assert getattr(getattr(asked, "by", None), "verified", True), "nothing of a PIN is left"
    return asked


def enrol(state: State, asked: EnrolPerson) -> tuple[PersonEnrolled] | Refusal:
    """A person with roles; roles that contradict each other, and too few administrators, are refused."""
    roles = frozenset(asked.roles)
    if not (asked.name.isprintable() and len(asked.name) <= 64 and as_read(asked.name)):
        return refuse(Reason.NAME_WRONG, "name", name=asked.name)
    if not NAME.fullmatch(asked.person):
        return refuse(Reason.NAME_WRONG, "person", name=asked.person)
    if not _SECRET.fullmatch(asked.secret):
        return refuse(Reason.SECRET_WRONG, "secret", person=asked.person)
    money = {Role.CROUPIER, Role.CHIEF, Role.ADMINISTRATOR}
    if (Role.AUDITOR in roles and len(roles) > 1) or (Role.TECHNICIAN in roles and roles & money):
        return refuse(Reason.ROLES_CLASH, "roles")
    # whoever was enrolled as both before this was refused keeps his roles, until they are changed.
    if {Role.ADMINISTRATOR, Role.CROUPIER} <= roles:
        return refuse(Reason.ADMINISTRATOR_IS_CROUPIER, "roles")
    refusal = _refuse_one_person_as_two(state, asked)
    if refusal is not None:
        return refusal
    others = sum(Role.ADMINISTRATOR in one.roles for id_, one in state.people.items() if id_ != asked.person)
    if others + (Role.ADMINISTRATOR in roles) < 2:
        return refuse(Reason.ADMINISTRATORS_NEEDED, "roles")
    ordered = tuple(sorted(roles))
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    by, second = asked.by.person, asked.second.person
    return (PersonEnrolled(asked.person, asked.name, ordered, asked.secret, by, second, asked.known),)


def _refuse_one_person_as_two(state: State, asked: EnrolPerson) -> Refusal | None:
    """R-36: two signatures are two people. One human has one name on a node, those who enrol him say so, and he does
    not change sides while a day is open. Who has retired keeps his name: he does not come back as somebody else."""
    assert as_read(asked.person) and as_read(asked.name), "names of letters"
    names = {as_read(asked.person): asked.person, as_read(asked.name): asked.name}
    for person, one in state.people.items():
        for other in (person, one.name) if person != asked.person else ():
            if as_read(other) in names:
                name = names[as_read(other)]
                where = "person" if name == asked.person else "name"
                return refuse(Reason.NAME_READ_ALIKE, where, name=name, other=other, person=person)
    was = _held_today(state, asked.person)
    for role, other in ((Role.ADMINISTRATOR, Role.CROUPIER), (Role.CROUPIER, Role.ADMINISTRATOR)):
        if role in asked.roles and other in was:
            return refuse(Reason.CHANGES_SIDES, "roles", person=asked.person, was=_SPANISH[other])
    if asked.roles and not asked.known:
        return refuse(Reason.PERSON_NOT_KNOWN, "known", person=asked.person)
    return None


def _held_today(state: State, person: str) -> frozenset[Role]:
    """The roles of a person since the gaming day was opened; none while none is open."""
    one = state.people.get(person)
    if one is None or state.day is None:
        return frozenset()
    assert state.day.name, "a day is open"
    return frozenset((*one.roles, *one.held))


def unlock(state: State, asked: UnlockPerson) -> tuple[PersonUnlocked] | Refusal:
    """By somebody else (R-36): whose PIN was guessed does not say himself that it was nothing."""
    if asked.person not in state.people:
        return refuse(Reason.PERSON_UNKNOWN, "person", person=asked.person)
    assert asked.by.person in state.people, "signatures are looked at first"
    return refuse_without_two([asked.by.person, asked.person], "person") or (
        PersonUnlocked(asked.person, asked.by.person),
    )


def sign_in(state: State, table: Table, asked: SignIn) -> tuple[NothingNew]:
    """R-27: by whoever may open and lock this table. What he does then is on record with his name, this is not."""
    assert table.name in state.tables, "a table that is here"
    assert asked.by.verified, "signatures are looked at first"
    return (NothingNew("quién atiende la mesa"),)


def seal(state: State, asked: SealVerifiers) -> tuple[VerifiersSealed] | Refusal:
    """By the node itself: the PINs stay as they are."""
    assert state.people, "R-26: a node has administrators"
    if not asked.secrets:
        return refuse(Reason.PERSON_UNKNOWN, "secrets", person="")
    return _refuse_secrets(state, asked.secrets) or (VerifiersSealed(asked.secrets),)


def replace_pins(state: State, asked: ReplacePins) -> tuple[PinsReplaced] | Refusal:
    """Two who may enrol all others: nothing but the node's key vouches for them, which the book has proven."""
    people = [*asked.secrets]
    refusal = _refuse_secrets(state, asked.secrets) or refuse_without_two(people, "secrets")
    if refusal is not None:
        return refusal
    roles = [set(state.people[person].roles) for person in people]
    may_enrol = any(Role.ADMINISTRATOR in one for one in roles) and all(_CHIEFS & one for one in roles)
    if len(people) != 2 or not may_enrol:
        return refuse(Reason.ROLE_MISSING, "secrets", person=" y ".join(people), roles=", ".join(sorted(_CHIEFS)))
    assert len(set(people)) == 2, "R-26: two different persons"
    return (PinsReplaced(asked.secrets, asked.reason, asked.proof),)


def _refuse_secrets(state: State, secrets: Mapping[str, str]) -> Refusal | None:
    """Of people who are here, and fingerprints."""
    assert state.node, "founded"
    for person, secret in secrets.items():
        if person not in state.people:
            return refuse(Reason.PERSON_UNKNOWN, "secrets", person=person)
        if not _SECRET.fullmatch(secret):
            return refuse(Reason.SECRET_WRONG, "secrets", person=person)
    return None


def pins_replaced(state: State, fact: PinsReplaced) -> State:
    assert len(fact.secrets) == 2, "R-26: two different persons"
    assert fact.secrets.keys() <= state.people.keys(), "who is here already"
    fresh = {person: replace(state.people[person], failures=0) for person in fact.secrets}
    return replace(state, people={**state.people, **fresh})


def count_unproven(state: State, asked: CountUnproven) -> tuple[UnprovenRefused] | Refusal:
    """R-27: nobody was named who could answer for it, so it stands on record by the user and as a number."""
    if not (0 < asked.count <= MOST_UNPROVEN and 0 <= asked.user <= MOST_UNPROVEN and asked.since >= 0):
        return refuse(Reason.AMOUNT_WRONG, "count", amount=asked.count, most=MOST_UNPROVEN)
    return (UnprovenRefused(asked.what, asked.user, asked.count, min(asked.since, state.clock)),)


def enrolled(state: State, fact: PersonEnrolled) -> State:
    assert fact.by != fact.second, "R-26: two different persons"
    # What an older program remembered in its snapshots is not known anew.
    held = tuple(sorted(_held_today(state, fact.person))) if state.reading >= THIRD_READING else ()
    assert state.day is not None or not held, "what he had today, while a day is open"
    return replace(state, people={**state.people, fact.person: Person(fact.name, fact.roles, held=held)})


def unlocked(state: State, fact: PersonUnlocked) -> State:
    assert fact.person in state.people, "who is unlocked is enrolled"
    person = replace(state.people[fact.person], failures=0)
    return replace(state, people={**state.people, fact.person: person})


def refused(state: State, fact: Refused) -> State:
    """A wrong PIN counts against the person; nothing else that was refused changes anything."""
    if fact.reason != Reason.PIN_WRONG.code or fact.by not in state.people:
        return state
    person = state.people[fact.by]
    assert person.failures >= 0, "counted from nothing"
    return replace(state, people={**state.people, fact.by: replace(person, failures=person.failures + 1)})


def signed(state: State, fact: Fact) -> State:
    """In the first two readings a right PIN ended a row of wrong ones. Since then it says nothing of a guesser's; a new
    day begins anew."""
    if state.reading >= THIRD_READING:
        return with_nobody_wrong(state) if isinstance(fact, DayOpened) else state
    # A plan takes effect long after its two persons signed; their names in it prove no PIN of this moment.
    if isinstance(fact, Refused | PlanTookEffect):
        return state
    assert state.reading > 0, "readings are numbered from 1"
    for name in (getattr(fact, "by", ""), getattr(fact, "second", "")):
        person = state.people.get(name)
        if person is not None and person.failures:
            state = replace(state, people={**state.people, name: replace(person, failures=0)})
    return state


def with_nobody_wrong(state: State) -> State:
    """What was counted of wrong PINs is over; who was locked in an earlier reading is free."""
    if not any(person.failures for person in state.people.values()):
        return state
    free = {name: replace(person, failures=0) for name, person in state.people.items()}
    assert free.keys() == state.people.keys(), "nobody comes or goes by it"
    return replace(state, people=free)


DECIDE: dict[type, Callable[..., tuple[Fact, ...] | Refusal]] = {
    EnrolPerson: enrol,
    UnlockPerson: unlock,
    SealVerifiers: seal,
    ReplacePins: replace_pins,
    CountUnproven: count_unproven,
}
APPLY: dict[type, Callable[[State, Any], State]] = {
    PersonEnrolled: enrolled,
    PersonUnlocked: unlocked,
    PinsReplaced: pins_replaced,
    Refused: refused,
}
