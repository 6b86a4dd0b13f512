"""Who signed a fact, and whether he might: roles, and two different persons where the rules ask for two (R-26, R-34).

Theory. Written from what the roles are for: the floor plays, the chief decides on the floor, the technician mends, the
administrator changes what was approved, the auditor looks. A signer was enrolled before and still has the role.
"""

import re
from collections.abc import Callable
from typing import Any

from controller.verify import facts as kinds
from controller.verify.world import SECOND_READING, Person, World
from controller.verify.wrong import must, must_be, shown, there, wrong

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_WRONG_PINS = 5
MOST_EPOCH = 2**31 - 1
NEWEST_READING = 3
ROLES = ("administrator", "auditor", "chief", "croupier", "technician")

_FLOOR, _CHIEF, _ADMINISTRATOR = {"croupier", "chief"}, {"chief"}, {"administrator"}
_CHIEFS = _CHIEF | _ADMINISTRATOR

# The roles that may sign, and those that may sign second; an empty set asks for no signature, and a kind that is not
# here carries none.
_SIGN: dict[type, tuple[set[str], set[str]]] = {
    kinds.NodeRestored: ({"technician", "administrator"}, _ADMINISTRATOR),
    kinds.PersonEnrolled: (_ADMINISTRATOR, _CHIEFS),
    kinds.PersonUnlocked: (_CHIEFS, set()),
    kinds.PlanStaged: (_ADMINISTRATOR, _CHIEFS),
    kinds.PlanWithdrawn: (_ADMINISTRATOR, set()),
    kinds.DayOpened: (_CHIEFS, set()),
    kinds.DayClosed: (_CHIEFS, set()),
    kinds.DayRenamed: (_CHIEFS, _CHIEFS),
    kinds.SeedLost: (_CHIEFS, _CHIEFS),
    kinds.MoneyMoved: (_ADMINISTRATOR, _CHIEFS),
    kinds.SuspenseCleared: (_CHIEF, _CHIEFS),
    kinds.TrainingStarted: (_FLOOR, _CHIEFS),
    kinds.TrainingEnded: (_CHIEF, set()),
    kinds.PassOpened: (_FLOOR, set()),
    kinds.DeviceTended: (_FLOOR | {"technician"}, set()),
    kinds.Locked: (_FLOOR, set()),
    kinds.PassClosed: (_FLOOR, set()),
    kinds.HandsVoided: (_FLOOR, set()),
    kinds.CreditsBought: (_FLOOR, set()),
    kinds.CreditsCashed: (_FLOOR, set()),
    kinds.CreditsLeft: (_FLOOR, _CHIEFS),
    kinds.LeftPaid: (_FLOOR, _CHIEFS),
    kinds.OwedPaid: (_FLOOR, _CHIEFS),
    kinds.SeatCounted: (_CHIEF, _CHIEFS),
    kinds.VoidSigned: (_CHIEF, set()),
    kinds.SeatClosed: (_FLOOR | {"technician"}, set()),
    kinds.SeatOpened: ({"technician", "chief"}, set()),
    kinds.ClaimRegistered: (_FLOOR, set()),
    kinds.ClaimRejected: (_CHIEF, _CHIEFS),
    kinds.ClaimCorrected: (_FLOOR, _CHIEFS),
    kinds.AwardSetAside: (_FLOOR, _CHIEFS),
    kinds.AwardConfirmed: (_CHIEF, _FLOOR | _ADMINISTRATOR),
    kinds.AwardPaid: (_FLOOR, set()),
    kinds.LateRegistered: (_CHIEF, _CHIEFS),
    kinds.PrizeGranted: (_FLOOR, set()),
    kinds.LampChanged: (_FLOOR, set()),
    kinds.LampsTested: (_FLOOR | {"technician"}, set()),
}
# R-36 came with the second reading: before it one chief signed these alone.
_SIGN_BEFORE: dict[type, tuple[set[str], set[str]]] = dict.fromkeys(
    (kinds.TrainingStarted, kinds.CreditsLeft, kinds.LeftPaid), (_CHIEF, set())
) | {kinds.AwardConfirmed: (_CHIEF, _CHIEFS)}
_TEND = {"reopen": _FLOOR, "clear_faults": {"technician", "chief"}}
_MAY_BE_ALONE = (kinds.AwardConfirmed, kinds.ClaimCorrected, kinds.OwedPaid)
_A_BUTTON_MAY = (
    kinds.LampChanged,
    kinds.PassOpened,
    kinds.Locked,
    kinds.PassClosed,
    kinds.SeatClosed,
    kinds.PrizeGranted,
)


def prove_signatures(world: World, fact: Any) -> None:
    """R-26, R-27: every signer may sign; a button and the node itself sign nothing."""
    before = _SIGN_BEFORE if world.reading < 2 else {}
    signed = before.get(type(fact)) or _SIGN.get(type(fact))
    if signed is None or (not fact.by and isinstance(fact, _A_BUTTON_MAY)):
        return
    first, second = signed
    if isinstance(fact, kinds.HandsVoided) and fact.whole_pass and world.reading < 2:
        first = _CHIEF
    if isinstance(fact, kinds.DeviceTended):
        first = _TEND.get(fact.what, first)
    _prove_one(world, fact.by, first)
    if not second or (isinstance(fact, _MAY_BE_ALONE) and not fact.second):
        return
    _prove_one(world, fact.second, second)
    must(fact.by != fact.second, "R-26", f"hacían falta dos personas distintas, y firmó dos veces {shown(fact.by)}")


def _prove_one(world: World, name: str, roles: set[str]) -> None:
    person = there(world.people.get(name), "R-27", f"firma {shown(name)}, que no está inscrito")
    must(bool(person.roles), "R-27", f"firma {shown(name)}, que no está inscrito")
    must(bool(roles & set(person.roles)), "R-27", f"firma {shown(name)}, que no tiene el papel que hace falta")
    must(person.wrong_pins < MOST_WRONG_PINS, "R-27", f"firma {shown(name)}, que estaba bloqueado")
    person.wrong_pins = 0


def founded(world: World, fact: kinds.NodeFounded) -> None:
    """R-26: a node begins with two different administrators and its key."""
    must(world.seq == 1, "R-27", "un nodo se funda una sola vez, con su primer hecho")
    names = (fact.node, *fact.administrators)
    must(all(map(NAME.fullmatch, names)), "R-27", "un nombre que no sirve de nombre")
    must(fact.administrators[0] != fact.administrators[1], "R-26", "los dos administradores son la misma persona")
    must(bool(DIGEST.fullmatch(fact.key)), "R-27", "la llave del nodo no son 64 cifras hexadecimales")
    must(1 <= fact.reading <= NEWEST_READING, "R-27", f"no hay una lectura {fact.reading} de las reglas")
    world.node, world.key, world.reading = fact.node, fact.key, fact.reading
    world.began_under = fact.reading
    world.people = {name: Person(name, ("administrator",), "") for name in fact.administrators}


def reading_adopted(world: World, fact: kinds.ReadingAdopted) -> None:
    """What stands before it is proven by the reading of its own day."""
    known = world.reading < fact.reading <= NEWEST_READING
    must(known, "R-27", f"la lectura {fact.reading} de las reglas no es posterior a la {world.reading}, o no la hay")
    if world.reading < SECOND_READING:
        world.day_before = ""
    world.reading = fact.reading


def restored(world: World, fact: kinds.NodeRestored) -> None:
    later = world.epoch < fact.epoch <= MOST_EPOCH
    must(later, "R-27", f"la época {fact.epoch} no es posterior a la {world.epoch}, o no puede ser")
    world.epoch = fact.epoch


def enrolled(world: World, fact: kinds.PersonEnrolled) -> None:
    """R-27: roles that fit together; two administrators always remain."""
    roles = set(fact.roles)
    must(bool(NAME.fullmatch(fact.person)), "R-27", f"{shown(fact.person)} no sirve de nombre")
    must(bool(DIGEST.fullmatch(fact.secret)), "R-27", "la huella del PIN no son 64 cifras hexadecimales")
    must_be(fact.roles, tuple(role for role in ROLES if role in roles), "R-27", "los papeles")
    alone = "auditor" in roles and len(roles) > 1
    must(not alone and not ("technician" in roles and len(roles) > 1), "R-27", "papeles que no van juntos")
    apart = world.reading < 2 or not {"administrator", "croupier"} <= roles
    must(apart, "R-36", "quien administra no es croupier")
    world.people[fact.person] = Person(fact.name, fact.roles, fact.secret)
    administrators = sum("administrator" in person.roles for person in world.people.values())
    must(administrators >= 2, "R-26", "quedan menos de dos administradores")


def unlocked(world: World, fact: kinds.PersonUnlocked) -> None:
    there(world.people.get(fact.person), "R-27", f"{shown(fact.person)} no está inscrito").wrong_pins = 0


def clock_went_back(world: World, fact: kinds.ClockWentBack) -> None:
    """The order comes from the sequence; the jump is on record."""
    must(fact.now == world.at and fact.was == world.clock and fact.now < fact.was, "R-27", "el reloj no retrocedió así")


def refused(world: World, fact: kinds.Refused) -> None:
    """R-32: a refusal has a known reason, its rule, and the sentence that a croupier reads for it."""
    if fact.reason not in world.published.refusals:
        wrong("R-32", f"no hay un rechazo {shown(fact.reason)}")
    rule, sentence = world.published.refusals[fact.reason]
    must_be(fact.rule, rule, "R-32", "la regla del rechazo")
    words = ".*".join(map(re.escape, re.split(r"\{[^}]*\}", sentence)))
    must(re.fullmatch(words, fact.message, re.DOTALL) is not None, "R-32", "la frase del rechazo no es la suya")
    person = world.people.get(fact.by)
    if fact.reason == "pin_wrong" and person is not None:
        person.wrong_pins += 1


CHECKS: dict[type, Callable[..., None]] = {
    kinds.NodeFounded: founded,
    kinds.ReadingAdopted: reading_adopted,
    kinds.NodeRestored: restored,
    kinds.PersonEnrolled: enrolled,
    kinds.PersonUnlocked: unlocked,
    kinds.ClockWentBack: clock_went_back,
    kinds.Refused: refused,
}
