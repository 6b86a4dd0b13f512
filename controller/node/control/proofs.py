"""Who proved his PIN or his ticket, of those who sign a request; and what a client needs to make a proof.

Theory. The node keeps of a PIN what a proof is checked with (proof.py), so nothing here is slow and nobody waits. Who
may not sign, or is nobody, is told a salt too, always the same one and of the same form: what is told says of nobody
that he exists. The second proof is not looked at where the first proved nothing: the core counts one wrong PIN, so one
is all that may be learnt. Who was wrong too often waits (guesses.py): then nothing of his is looked at, and nothing of
it reaches the core; so what stands on record of a guesser is bounded as his guesses are. Of names that are nobody's
only a few reach it (unproven.py). A ticket (tickets.py) is no guess at a PIN: one that is not good is refused at the
door, counts for nothing, and is on record nowhere.

Nor is a right PIN a licence to fill the record: what the core refuses is a fact under a person's name, for ever. So
whoever asks puts down one of the refusals that he has, at his user of the machine, and gets it back unless he was
refused; who has none left waits until one has grown again. Nobody who reads what he is answered comes to that.
"""

import hmac
import itertools
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.inputs import Input
from controller.core.values import TerminalUse, Unproven
from controller.node.book.pins import Pepper
from controller.node.control.door import UnderstoodRequest
from controller.node.control.peers import Peer, web_peer
from controller.node.control.tickets import IDLE, GivenTicket, Kept, Stand, Tickets
from controller.node.control.unproven import UnprovenCount
from controller.node.vocabulary.buckets import Buckets, Rate
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.guesses import Guesser, Guesses
from controller.node.vocabulary.house import TerminalNow
from controller.node.vocabulary.proof import (
    COST,
    KEY_BYTES,
    SALT_BYTES,
    Salted,
    StoredKey,
    proven_key,
    said_to,
    stored_key,
    ticket_key,
)
from controller.node.vocabulary.protocol import (
    TICKET_OVER,
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

NOT_PROVEN = Trouble(TICKET_OVER, "R-27", "by", "Se terminó el tiempo sin PIN: firme otra vez con el suyo.")
_NUMBER_BYTES = 16
REFUSALS = Rate(1 / 30, 60)
"""Of one person at one user of the machine: 60 at once, and one more in each half minute."""


class Asker(NamedTuple):
    """Who proved to ask, and from which user of the machine."""

    member: int
    person: str


class Proven(NamedTuple):
    """What the proofs of an order showed; the verifier of a new PIN; the ticket of who signs in, if he may."""

    by: bool
    second: bool = False
    verifier: str = ""
    ticket: GivenTicket | None = None


class ProofDesk:
    """Used by the control's thread; `people` and `terminals` may be called from any. `relay`: the user of the machine
    who is believed which terminal he speaks for, of those that two persons let in (R-36)."""

    def __init__(self, node: str, epoch: int, pepper: Pepper, relay: int | None = None) -> None:
        self._unproven = UnprovenCount()
        self._node, self._epoch, self._pepper, self._relay = node, epoch, pepper, relay
        self._stored: dict[str, StoredKey] = {}
        self._terminals: Mapping[str, str] = {}
        self._webs: Mapping[int, str] = {}  # by its user: the key, and which time it was let in
        self._let_in = itertools.count()
        self._guesses = Guesses()
        self._refusals = Buckets(REFUSALS)
        self._tickets = Tickets()

    def people(self, verifiers: Mapping[str, str]) -> None:
        """Of those only whose signature would be taken. What was right under another verifier is right no more."""
        opened = {person: self._pepper.open(person, verifier) for person, verifier in verifiers.items()}
        self._stored = {person: stored for person, stored in opened.items() if stored is not None}

    def terminals(self, terminals: Iterable[TerminalNow]) -> None:
        """Those that two persons let in."""
        webs, browsers = {}, {}
        for one in terminals:
            if one.use is TerminalUse.WEB:
                uid = web_peer(one.key).uid
                webs[uid] = self._webs.get(uid) or f"{one.key} {next(self._let_in)}"
            else:
                browsers[one.terminal] = one.key
        self._terminals, self._webs = browsers, webs

    def salts(self, request: Request) -> Reply:
        salts = tuple(_told(person, self._of(person).salted) for person in request.people)
        return Reply(v=VERSION, id=request.id, ok=True, node=self._node, epoch=self._epoch, salts=salts)

    def sums(self, now: Micros) -> Sequence[Input]:
        """What nobody proved, for the record; in the engine's thread."""
        return self._unproven.sums(now)

    def look_at(self, order: UnderstoodRequest, peer: Peer, now: Micros, wall: Millis) -> Proven | Trouble:
        said, by = said_to(self._node, self._epoch, order.covered), order.request.by
        assert by is not None, "the door refuses what nobody signs"
        if not by.ticket:
            return self._look_at_pins(order, peer, said, now, wall)
        stand = Stand(peer, by.person, order.request.terminal, order.table)
        if not self._tickets.is_proven(by.ticket, stand, self._kept(stand), by.proof, said, now):
            return NOT_PROVEN
        return self._too_often(Asker(peer.uid, by.person), now, wall) or Proven(by=True)

    def _look_at_pins(
        self, order: UnderstoodRequest, peer: Peer, said: bytes, now: Micros, wall: Millis
    ) -> Proven | Trouble:
        request, member = order.request, peer.uid
        believed = member == self._relay and request.terminal in self._terminals
        guesser = self._guesses.at(member, request.terminal if believed else "")
        for where, proof in (("by", request.by), ("second", request.second)):
            wait = self._guesses.wait(guesser, proof.person, now) if proof else 0
            if wait:
                self._unproven.count(member, Unproven.TOO_SOON, now, wall)
                return _wait(where, wait)
        for where, proof in (("by", request.by), ("second", request.second)):
            if proof is None or proof.person in self._stored:
                continue
            if not self._unproven.is_one_of_few(member, Unproven.UNKNOWN, now, wall):
                return _unknown(where, proof.person)
        signing = self._proven_key(request.by, said, guesser, now)
        if signing is None or request.by is None:
            return Proven(by=False)
        trouble = self._too_often(Asker(member, request.by.person), now, wall)
        if trouble is not None:
            return trouble
        second = self._proven_key(request.second, said, guesser, now) is not None
        verifier = self._verifier(request) if second and request.do is Deed.ENROL else ""
        return Proven(True, second, verifier, self._ticket(order, peer, signing))

    def _too_often(self, asker: Asker, now: Micros, wall: Millis) -> Trouble | None:
        """Why he waits who was refused too much; else one of the refusals that he has is put down."""
        if self._refusals.take(asker, now):
            return None
        self._unproven.count(asker.member, Unproven.TOO_SOON, now, wall)
        return _refused_too_often(self._refusals.wait(asker, now))

    def _ticket(self, order: UnderstoodRequest, peer: Peer, signing: bytes) -> GivenTicket | None:
        """For who signs in, if the core lets him."""
        request = order.request
        if request.do is not Deed.SIGN_IN or request.by is None:
            return None
        number = secrets.token_hex(_NUMBER_BYTES)
        stand = Stand(peer, request.by.person, request.terminal, request.table)
        return GivenTicket(number, stand, stored_key(ticket_key(signing, number)), self._kept(stand), request.id)

    def _kept(self, stand: Stand) -> Kept:
        """Of anybody but the relay a terminal is only a word; a far web that comes back begins anew."""
        uid = stand.peer.uid
        key = self._terminals.get(stand.terminal, "") if uid == self._relay else self._webs.get(uid, "")
        return Kept(self._stored.get(stand.person), key)

    def signed_in(self, ticket: GivenTicket, reply: Reply, now: Micros) -> Reply:
        """The core lets him: the same answer, with his ticket."""
        number = self._tickets.give(ticket, now)
        return replace(reply, ticket=number, idle=IDLE // SECOND, node=self._node, epoch=self._epoch)

    def sign_out(self, number: str) -> None:
        self._tickets.end(number)

    def was_not_refused(self, asker: Asker, now: Micros) -> None:
        """What he asked was done, or nothing of it stands on record."""
        self._refusals.give_back(asker, now)

    def lift(self, person: str) -> None:
        self._guesses.lift(person)

    def _proven_key(self, proof: Proof | None, said: bytes, guesser: Guesser, now: Micros) -> bytes | None:
        """The key that signs as he does, where his PIN is proven."""
        if proof is None:
            return None
        signing = proven_key(self._of(proof.person).key, proof.proof, said)
        if signing is not None:
            self._guesses.was_right(guesser, proof.person)
        elif proof.person in self._stored:  # names that are nobody's have no end: unproven.py
            self._guesses.was_wrong(guesser, proof.person, now)
        return signing

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
    sentence = f"Espere {_told_of(wait)}: hubo PIN equivocados. No se miró el que dio ahora."
    return Trouble(WAIT, "R-27", where, sentence, {"seconds": str(_seconds(wait))})


def _refused_too_often(wait: Micros) -> Trouble:
    sentence = f"Espere {_told_of(wait)}: se le rechazaron demasiados pedidos seguidos. Este no se miró."
    return Trouble(TOO_MANY_REFUSED, "R-27", "by", sentence, {"seconds": str(_seconds(wait))})


def _seconds(wait: Micros) -> int:
    return -(-wait // SECOND)


def _told_of(wait: Micros) -> str:
    seconds = _seconds(wait)
    return "1 segundo" if seconds == 1 else f"{seconds} segundos"


def _unknown(where: str, person: str) -> Trouble:
    """As the core says it of the first few."""
    reason = Reason.PERSON_UNKNOWN
    return Trouble(reason.code, reason.rule, where, reason.sentence.format(person=person), {"person": person})


def desk_of_nobody() -> ProofDesk:
    """For a node that hears nobody yet, or no more."""
    return ProofDesk("", 0, Pepper.fresh())


def _told(person: str, salted: Salted) -> Salt:
    return Salt(person, salted.salt.hex(), *salted.cost)
