"""Who signed a fact, and whether he might: roles, and two different persons where the rules ask for two (R-26, R-34).

Theory. Written from what the roles are for: the floor plays, the chief decides on the floor, the technician mends, the
administrator changes what was approved, the auditor looks. A signer was enrolled before and still has the role.

Two different people sign, and they have different names for whoever reads them. What is lost when a name is read in a
hurry is the case, accents, spaces and signs; letters of other alphabets pass for ours where they are drawn like them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from controller.verify import facts as kinds
from controller.verify.chain import is_key_of_curve25519, is_point_of_p256, is_signed_for_pins
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.world import SECOND_READING, THIRD_READING, Person, Terminal, World
from controller.verify.wrong import must, must_be, shown, there, wrong

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_BOOT = re.compile(r"[0-9a-f-]{1,64}")
DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_WRONG_PINS = 5
MOST_TERMINALS = 256
MOST_EPOCH = 2**31 - 1
_AGREES = 3_000  # milliseconds: so far apart two clocks agree
_DAY = 86_400_000
NEWEST_READING = 3
ROLES = ("administrator", "auditor", "chief", "croupier", "technician")

# A letter of ours, and what is drawn like it: Cyrillic, Greek, and our own with a stroke or without a dot.
_LOOK: dict[str, str] = {
    "a": "\u0410\u0430\u0391\u03b1", "b": "\u0412\u0432\u0392\u03b2", "c": "\u0421\u0441",
    "d": "\u0501\u0110\u0111\u00d0\u00f0", "e": "\u0415\u0435\u0395\u03b5",
    "h": "\u04ba\u04bb\u041d\u043d\u0397\u0126\u0127", "j": "\u0408\u0458", "k": "\u041a\u043a\u039a\u03ba",
    "m": "\u041c\u043c\u039c", "n": "\u03b7\u039d", "o": "0\u041e\u043e\u039f\u03bf\u03c3\u00d8\u00f8",
    "p": "\u0420\u0440\u03a1\u03c1", "q": "\u051a\u051b", "s": "\u0405\u0455",
    "t": "\u0422\u0442\u03a4\u03c4\u0166\u0167", "u": "\u03bc\u03c5", "v": "\u0474\u0475\u03bd",
    "w": "\u051c\u051d\u03c9", "x": "\u0425\u0445\u03a7\u03c7", "y": "\u0423\u0443\u03a5\u03b3", "z": "\u0396",
    "i": "1lL\u0406\u0456\u0399\u03b9\u0131\u0141\u0142",
}  # fmt: skip
_OURS = {drawn: ours for ours, alike in _LOOK.items() for drawn in alike}
_TWO = {"\u00e6": "ae", "\u00c6": "ae", "\u0153": "oe", "\u0152": "oe"}

_FLOOR, _CHIEF, _ADMINISTRATOR = {"croupier", "chief"}, {"chief"}, {"administrator"}
_CHIEFS = _CHIEF | _ADMINISTRATOR

# The roles that may sign, and those that may sign second; an empty set asks for no signature, and a kind that is not
# here carries none.
_SIGN: dict[type, tuple[set[str], set[str]]] = {
    kinds.NodeRestored: ({"technician", "administrator"}, _ADMINISTRATOR),
    kinds.PersonEnrolled: (_ADMINISTRATOR, _CHIEFS),
    kinds.PersonUnlocked: (_CHIEFS, set()),
    kinds.TerminalEnrolled: (_CHIEFS, _CHIEFS),
    kinds.TerminalWithdrawn: (_CHIEFS, set()),
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
    kinds.ClockNoted: ({"technician", "chief"}, set()),
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
    kinds.NeighbourPinned: (_ADMINISTRATOR, _CHIEFS),
    kinds.NeighbourRevoked: (_ADMINISTRATOR, _CHIEFS),
    kinds.NeighbourAccepted: (_ADMINISTRATOR, _CHIEFS),
    kinds.DisputeEnded: (_ADMINISTRATOR, _CHIEFS),
    kinds.PotLeft: (_ADMINISTRATOR, _CHIEFS),
    kinds.WentOnWithout: (_ADMINISTRATOR, _CHIEFS),
    kinds.CorrectionAsked: (_FLOOR, _CHIEFS),
    kinds.AwardAdvanced: (_CHIEF, _FLOOR | _ADMINISTRATOR),
}
# R-36 came with the second reading: before it one chief signed these alone.
_SIGN_BEFORE: dict[type, tuple[set[str], set[str]]] = dict.fromkeys(
    (kinds.TrainingStarted, kinds.CreditsLeft, kinds.LeftPaid), (_CHIEF, set())
) | {kinds.AwardConfirmed: (_CHIEF, _CHIEFS)}
_TEND = {"reopen": _FLOOR, "clear_faults": {"technician", "chief"}}
_MAY_BE_ALONE = (kinds.AwardConfirmed, kinds.ClaimCorrected, kinds.CorrectionAsked, kinds.OwedPaid)
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
    if neighbour := of_neighbour(fact):
        for name in filter(None, (fact.by, getattr(fact, "second", ""))):
            must(name.startswith(f"{neighbour}/"), "R-28", f"{shown(name)} no es una persona de su nodo")
        return
    if getattr(fact, "log", 0):
        return  # R-28: signed before a restore; what was told of it is compared
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
    if world.reading >= THIRD_READING and not isinstance(fact, kinds.PersonEnrolled):
        two = read_as(fact.by) != read_as(fact.second)
        must(two, "R-36", f"{shown(fact.by)} y {shown(fact.second)} se leen como un solo nombre")


def of_neighbour(fact: Any) -> str:
    """R-28: at whose table somebody did it, and had his PIN checked; nobody's, where it was here."""
    if isinstance(fact, kinds.ClaimCorrected) and fact.above and not fact.claim:
        return fact.above
    table = getattr(fact, "table", "") or getattr(fact, "award", "").split("/")[0]
    return neighbour_of(table) if is_away(table) and hasattr(fact, "by") else ""


def _prove_one(world: World, name: str, roles: set[str]) -> None:
    person = there(world.people.get(name), "R-27", f"firma {shown(name)}, que no está inscrito")
    must(bool(person.roles), "R-27", f"firma {shown(name)}, que no está inscrito")
    must(bool(roles & set(person.roles)), "R-27", f"firma {shown(name)}, que no tiene el papel que hace falta")
    locked = person.wrong_pins >= MOST_WRONG_PINS and world.reading < THIRD_READING
    must(not locked, "R-27", f"firma {shown(name)}, que estaba bloqueado")
    person.wrong_pins = 0


def _letters(name: str) -> Iterator[str]:
    for sign in unicodedata.normalize("NFKD", name):
        for small in unicodedata.normalize("NFKD", _OURS.get(sign) or _TWO.get(sign) or sign.casefold()):
            if small.isalnum():
                yield _OURS.get(small, small)


def read_as(name: str) -> str:
    """The same for all spellings that pass for one another."""
    letters = "".join(_letters(name))
    return letters.replace("rn", "m").replace("vv", "w")


def founded(world: World, fact: kinds.NodeFounded) -> None:
    """R-26: a node begins with two different administrators and its key."""
    must(world.seq == 1, "R-27", "un nodo se funda una sola vez, con su primer hecho")
    names = (fact.node, *fact.administrators)
    must(all(map(NAME.fullmatch, names)), "R-27", "un nombre que no sirve de nombre")
    one, other = fact.administrators
    same = one == other or (fact.reading >= THIRD_READING and read_as(one) == read_as(other))
    must(not same, "R-26", "los dos administradores son la misma persona")
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


def started(world: World, fact: kinds.NodeStarted) -> None:
    world.links.all_cut(world.clock)
    must(world.reading >= THIRD_READING, "R-27", "la lectura de entonces no anotaba los arranques")
    must(bool(DIGEST.fullmatch(fact.program)), "R-27", "la huella del programa no son 64 cifras hexadecimales")
    must(bool(_BOOT.fullmatch(fact.boot)), "R-27", f"{shown(fact.boot)} no es el arranque de una máquina")
    must(fact.signing in {1, 2}, "R-27", f"no hay una lista {fact.signing} de lo que se firma enseguida")
    if world.links.neighbours or fact.tells != 1:
        world.links.tell_by(fact.tells)


def stopped(world: World, _fact: kinds.NodeStopped) -> None:
    must(world.reading >= THIRD_READING, "R-27", "la lectura de entonces no anotaba las paradas")


def restored(world: World, fact: kinds.NodeRestored) -> None:
    later = world.epoch < fact.epoch <= MOST_EPOCH
    must(later, "R-27", f"la época {fact.epoch} no es posterior a la {world.epoch}, o no puede ser")
    if fact.left is not None:
        sound = 0 < fact.left.epoch < fact.epoch and fact.left.seq > 0 and bool(DIGEST.fullmatch(fact.left.hash))
        must(sound, "R-27", "lo que dice dejar atrás no es un hecho de una época anterior")
        world.left.append(fact.left)
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
    if world.reading >= THIRD_READING:
        _one_human_has_one_name(world, fact)
    was = world.people.get(fact.person)
    world.people[fact.person] = Person(fact.name, fact.roles, fact.secret)
    if was is not None and world.day is not None and world.reading >= THIRD_READING:
        world.people[fact.person].on_this_day = {*was.on_this_day, *was.roles}
    administrators = sum("administrator" in person.roles for person in world.people.values())
    must(administrators >= 2, "R-26", "quedan menos de dos administradores")


def _one_human_has_one_name(world: World, fact: kinds.PersonEnrolled) -> None:
    """R-36: who enrols says so; no name passes for somebody else's; nobody changes sides within a gaming day."""
    must(fact.known or not fact.roles, "R-36", f"nadie dijo que conoce a {shown(fact.person)}")
    must(bool(read_as(fact.name)), "R-27", f"{shown(fact.name)} no es el nombre de nadie")
    own = {read_as(fact.person), read_as(fact.name)}
    for person, one in world.people.items():
        alike = person != fact.person and (read_as(person) in own or read_as(one.name) in own)
        must(not alike, "R-36", f"{shown(fact.person)} se lee como {shown(person)}, y son dos inscritos")
    before = world.people.get(fact.person)
    if world.day is not None and before is not None:
        had = {*before.roles, *before.on_this_day}
        changes = [pair for pair in (("administrator", "croupier"), ("croupier", "administrator")) if pair[1] in had]
        must(
            not any(now in fact.roles for now, _ in changes), "R-36",
            f"{shown(fact.person)} fue administrador y croupier en una misma jornada",
        )  # fmt: skip


def unlocked(world: World, fact: kinds.PersonUnlocked) -> None:
    there(world.people.get(fact.person), "R-27", f"{shown(fact.person)} no está inscrito").wrong_pins = 0
    another = fact.by != fact.person or world.reading < THIRD_READING
    must(another, "R-36", f"{shown(fact.by)} dio por vistos sus propios PIN equivocados")


def verifiers_sealed(world: World, fact: kinds.VerifiersSealed) -> None:
    """R-27: once, by the node that adopted the third reading; of people who have a PIN, which stays the same."""
    once = world.reading >= THIRD_READING and not world.sealed
    must(once, "R-27", "los PIN se sellan una vez, desde la tercera lectura")
    must(bool(fact.secrets), "R-27", "no sella los PIN de nadie")
    had = [name for name, person in world.people.items() if person.secret]
    must(set(fact.secrets) <= set(had), "R-27", "sella el PIN de quien no lo tenía")
    world.sealed = True
    _take_secrets(world, fact.secrets)


def pins_replaced(world: World, fact: kinds.PinsReplaced) -> None:
    """R-26: two who may enrol the others, vouched for by the node's key at this very instant."""
    people = [there(world.people.get(name), "R-27", f"{shown(name)} no está inscrito") for name in fact.secrets]
    two = world.reading >= THIRD_READING and len(people) == 2
    must(two, "R-26", "hacían falta dos personas, desde la tercera lectura")
    roles = [set(person.roles) for person in people]
    must(all(one & _CHIEFS for one in roles), "R-27", "un PIN nuevo sin firma es de quien puede inscribir a otros")
    must(any("administrator" in one for one in roles), "R-26", "ninguno de los dos es administrador")
    lines = "".join(f"{name} {secret}\n" for name, secret in fact.secrets.items())
    text = f"{world.node}\n{world.epoch}\n{world.at}\n{lines}{fact.reason}"
    signed = is_signed_for_pins(text.encode(), fact.proof, world.key)
    must(signed, "R-27", "la firma de los PIN nuevos no es de la llave de este nodo")
    _take_secrets(world, fact.secrets)


def _take_secrets(world: World, secrets: dict[str, str]) -> None:
    for name, secret in secrets.items():
        person = there(world.people.get(name), "R-27", f"{shown(name)} no está inscrito")
        must(bool(DIGEST.fullmatch(secret)), "R-27", "la huella del PIN no son 64 cifras hexadecimales")
        person.secret, person.wrong_pins = secret, 0


def terminal_enrolled(world: World, fact: kinds.TerminalEnrolled) -> None:
    """R-36: for one use, at a place that fits it, with a key that no other one has; the one it had is named."""
    must(world.reading >= THIRD_READING, "R-36", "la lectura de entonces no tenía terminales")
    must(bool(NAME.fullmatch(fact.terminal)), "R-36", f"{shown(fact.terminal)} no sirve de nombre")
    fits = {
        "table": fact.place in world.tables and fact.place[:1] != "~",
        "chief": not fact.place,
        "web": not fact.place,
    }
    fits["sign"] = bool(NAME.fullmatch(fact.place))
    must(fits[fact.use], "R-36", f"{shown(fact.place)} no es el lugar de una terminal así")
    if fact.use == "web":
        must(is_key_of_curve25519(fact.key), "R-36", "la llave de la web no es de Curve25519")
    else:
        must(is_point_of_p256(fact.key), "R-36", "la llave de la terminal no es un punto de P-256")
    others = {name: one for name, one in world.terminals.items() if name != fact.terminal}
    must(fact.key not in {one.key for one in others.values()}, "R-36", "esa llave es de otra terminal")
    was, now = world.terminals.get(fact.terminal), Terminal(fact.use, fact.place, fact.key)
    must(was != now, "R-36", f"la terminal {shown(fact.terminal)} ya estaba inscrita así")
    must_be(fact.replaces, was.key if was else "", "R-36", "la llave que tenía")
    must(len(others) < MOST_TERMINALS, "R-36", f"son más de {MOST_TERMINALS} terminales")
    world.terminals[fact.terminal] = now


def terminal_withdrawn(world: World, fact: kinds.TerminalWithdrawn) -> None:
    there(world.terminals.pop(fact.terminal, None), "R-36", f"no había una terminal {shown(fact.terminal)}")
    must(bool(fact.reason.strip()), "R-36", "falta el motivo")


def clock_went_back(world: World, fact: kinds.ClockWentBack) -> None:
    """The order comes from the sequence; the jump is on record."""
    must(fact.now == world.at and fact.was == world.clock and fact.now < fact.was, "R-27", "el reloj no retrocedió así")


def unproven_refused(world: World, fact: kinds.UnprovenRefused) -> None:
    """What nobody proved is summed up since the third reading, and nobody says of the future what was tried."""
    must(world.reading >= THIRD_READING, "R-27", "antes de la tercera lectura nada se sumaba")
    must(fact.count > 0, "R-27", "una suma de nada")
    must(fact.since <= world.at, "R-27", "lo que se suma empezó después de anotarse")


def clock_stepped(world: World, fact: kinds.ClockStepped) -> None:
    """R-29: the time of the day goes on from where it was. A step forward lies between two facts."""
    must(fact.stop or abs(fact.ms) > _AGREES, "R-27", "así no cambió el reloj")
    passed = world.at - world.clock
    must(fact.stop or fact.ms <= passed + _AGREES, "R-27", f"el reloj no pudo adelantarse {fact.ms} ms en {passed} ms")
    least, most = world.clock_off
    if not fact.stop:
        least, most = least + fact.ms, most + fact.ms
    elif not -_AGREES <= fact.ms <= _stop_at_most(world):
        least, most = least + fact.ms - _stop_at_most(world), most + fact.ms
    world.clock_off = (0, 0) if least <= _AGREES and most >= -_AGREES else (least, most)
    if world.day is not None:
        world.day.skipped += fact.ms
    world.links.clock_moved(world.at, fact.ms, stop=fact.stop)
    for pot in world.pots.values():
        pot.clock_moved(fact.ms, stop=fact.stop)


def _stop_at_most(world: World) -> int:
    return _DAY if world.day is not None else 31 * _DAY


def clock_noted(world: World, _fact: kinds.ClockNoted) -> None:
    must(world.clock_off != (0, 0), "R-27", "el reloj no había cambiado")
    world.clock_off = (0, 0)


def refused(world: World, fact: kinds.Refused) -> None:
    """R-32: a refusal has a known reason, its rule, and the sentence that a croupier reads for it."""
    if fact.reason not in world.published.refusals:
        wrong("R-32", f"no hay un rechazo {shown(fact.reason)}")
    rule, sentence = world.published.refusals[fact.reason]
    must_be(fact.rule, rule, "R-32", "la regla del rechazo")
    words = ".*".join(map(re.escape, re.split(r"\{[^}]*\}", sentence)))
    stale = fact.reason == "person_locked" and world.reading >= THIRD_READING
    must(not stale, "R-27", "desde la tercera lectura los PIN equivocados no bloquean a nadie")
    must(re.fullmatch(words, fact.message, re.DOTALL) is not None, "R-32", "la frase del rechazo no es la suya")
    person = world.people.get(fact.by)
    if fact.reason == "pin_wrong" and person is not None:
        person.wrong_pins += 1


CHECKS: dict[type, Callable[..., None]] = {
    kinds.NodeFounded: founded,
    kinds.ReadingAdopted: reading_adopted,
    kinds.NodeStarted: started,
    kinds.NodeStopped: stopped,
    kinds.PersonEnrolled: enrolled,
    kinds.PersonUnlocked: unlocked,
    kinds.VerifiersSealed: verifiers_sealed,
    kinds.PinsReplaced: pins_replaced,
    kinds.TerminalEnrolled: terminal_enrolled,
    kinds.TerminalWithdrawn: terminal_withdrawn,
    kinds.ClockWentBack: clock_went_back,
    kinds.ClockStepped: clock_stepped,
    kinds.ClockNoted: clock_noted,
    kinds.Refused: refused,
    kinds.UnprovenRefused: unproven_refused,
}
