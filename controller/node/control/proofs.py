"""Who proved his PIN, of those who sign a request; and what a client needs to make a proof.

Theory. The node keeps of a PIN what a proof is checked with (proof.py), so nothing here is slow and nobody waits. Who
may not sign, or is nobody, is told a salt too, always the same one and of the same form: what is told says of nobody
that he exists. The second proof is not looked at where the first proved nothing: the core counts one wrong PIN, so one
is all that may be learnt. Who was wrong too often waits (guesses.py): then nothing of his is looked at, and nothing of
it reaches the core; so what stands on record of a guesser is bounded as his guesses are. Of names that are nobody's
only a few reach it (unproven.py).

Nor is a right PIN a licence to fill the record: what the core refuses is a fact under a person's name, for ever. So
whoever asks puts down one of the refusals that he has, at his user of the machine, and gets it back unless he was
refused; who has none left waits until one has grown again. Nobody who reads what he is answered comes to that.
"""

import hmac
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from controller.core.inputs import Input
from controller.core.values import Unproven
from controller.node.book.pins import Pepper
from controller.node.control.door import UnderstoodRequest
from controller.node.control.unproven import UnprovenCount
from controller.node.vocabulary.buckets import Buckets, Rate
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.guesses import Guesses
from controller.node.vocabulary.proof import COST, KEY_BYTES, SALT_BYTES, Salted, StoredKey, proves, said_to
from controller.node.vocabulary.protocol import (
    TOO_MANY_REFUSED,
    VERSION,
    WAIT,
    Deed,
    Proof,
    Reply,
    Request,
    Salt,
    Trouble,
)
from controller.rules.refusal import Reason
from drivers.session import SECOND, Micros

REFUSALS = Rate(1 / 30, 60)
"""Of one person at one user of the machine: 60 at once, and one more in each half minute."""


class Asker(NamedTuple):
    """Who proved to ask, and from which user of the machine."""

    member: int
    person: str


class Proven(NamedTuple):
    """What the proofs of an order showed, and the verifier of a new PIN."""

    by: bool
    second: bool
    verifier: str


class ProofDesk:
    """Used by the control's thread; `people` may be called from any."""

    def __init__(self, node: str, epoch: int, pepper: Pepper) -> None:
        self._unproven = UnprovenCount()
        self._node, self._epoch, self._pepper = node, epoch, pepper
        self._stored: dict[str, StoredKey] = {}
        self._guesses = Guesses()
        self._refusals = Buckets(REFUSALS)

    def people(self, verifiers: Mapping[str, str]) -> None:
        """Of those only whose signature would be taken. What was right under another verifier is right no more."""
        opened = {person: self._pepper.open(person, verifier) for person, verifier in verifiers.items()}
        self._stored = {person: stored for person, stored in opened.items() if stored is not None}

    def salts(self, request: Request) -> Reply:
        salts = tuple(_told(person, self._of(person).salted) for person in request.people)
        return Reply(v=VERSION, id=request.id, ok=True, node=self._node, epoch=self._epoch, salts=salts)

    def sums(self, now: Micros) -> Sequence[Input]:
        """What nobody proved, for the record; in the engine's thread."""
        return self._unproven.sums(now)

    def look_at(self, order: UnderstoodRequest, member: int, now: Micros, wall: Millis) -> Proven | Trouble:
        request = order.request
        for where, proof in (("by", request.by), ("second", request.second)):
            wait = self._guesses.wait(member, proof.person, now) if proof else 0
            if wait:
                self._unproven.count(member, Unproven.TOO_SOON, now, wall)
                return _wait(where, wait)
        for where, proof in (("by", request.by), ("second", request.second)):
            if proof is None or proof.person in self._stored:
                continue
            if not self._unproven.is_one_of_few(member, Unproven.UNKNOWN, now, wall):
                return _unknown(where, proof.person)
        said = said_to(self._node, self._epoch, order.covered)
        by = self._is_proven(request.by, said, member, now)
        if by and request.by is not None and not self._refusals.take(asker := Asker(member, request.by.person), now):
            self._unproven.count(member, Unproven.TOO_SOON, now, wall)
            return _refused_too_often(self._refusals.wait(asker, now))
        second = by and self._is_proven(request.second, said, member, now)
        enrols = by and second and request.do is Deed.ENROL
        return Proven(by, second, self._verifier(request) if enrols else "")

    def was_not_refused(self, asker: Asker, now: Micros) -> None:
        """What he asked was done, or nothing of it stands on record."""
        self._refusals.give_back(asker, now)

    def lift(self, person: str) -> None:
        self._guesses.lift(person)

    def _is_proven(self, proof: Proof | None, said: bytes, member: int, now: Micros) -> bool:
        if proof is None:
            return False
        right = proves(self._of(proof.person).key, proof.proof, said)
        if right:
            self._guesses.was_right(member, proof.person)
        elif proof.person in self._stored:  # names that are nobody's have no end: unproven.py
            self._guesses.was_wrong(member, proof.person, now)
        return right

    def _of(self, person: str) -> StoredKey:
        """What is kept of him; of nobody, what no PIN makes."""
        return self._stored.get(person) or self._of_nobody(person)

    def _of_nobody(self, person: str) -> StoredKey:
        salt, key = (hmac.digest(self._pepper.inventing, what + person.encode(), "sha256") for what in (b"s", b"k"))
        return StoredKey(Salted(salt[:SALT_BYTES], COST), key[:KEY_BYTES])

    def _verifier(self, request: Request) -> str:
        salted = Salted(bytes.fromhex(request.new_salt), COST)
        return self._pepper.seal(request.person, StoredKey(salted, bytes.fromhex(request.new_key)))


def _wait(where: str, wait: Micros) -> Trouble:
    return Trouble(WAIT, "R-27", where, f"Espere {_told_of(wait)}: hubo PIN equivocados. No se miró el que dio ahora.")


def _refused_too_often(wait: Micros) -> Trouble:
    sentence = f"Espere {_told_of(wait)}: se le rechazaron demasiados pedidos seguidos. Este no se miró."
    return Trouble(TOO_MANY_REFUSED, "R-27", "by", sentence)


def _told_of(wait: Micros) -> str:
    seconds = -(-wait // SECOND)
    return "1 segundo" if seconds == 1 else f"{seconds} segundos"


def _unknown(where: str, person: str) -> Trouble:
    """As the core says it of the first few."""
    reason = Reason.PERSON_UNKNOWN
    return Trouble(reason.code, reason.rule, where, reason.sentence.format(person=person))


def desk_of_nobody() -> ProofDesk:
    """For a node that hears nobody yet, or no more."""
    return ProofDesk("", 0, Pepper.fresh())


def _told(person: str, salted: Salted) -> Salt:
    return Salt(person, salted.salt.hex(), *salted.cost)
