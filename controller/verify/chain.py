"""The chain, its signed checkpoints and a witness from outside, from the sentences that define their bytes.

Theory. Each fact's hash covers the fact before it. The owner of a machine could write the whole chain anew; a
checkpoint kept outside (by a neighbour, on a printed report) shows it: then either the hash at its number is
another one, or the record ends before it. The hashes are computed here a second time and share no line with the
node's own.

Where signatures must stand the record says itself (R-27, third reading): at the last fact of every answer that founded,
started, stopped or restored the node, opened or closed a day, enrolled a person or a terminal, moved a plan or money by
two, or registered, confirmed or paid an award; where the clock stepped back, or was set while a program ran that said
at its start that it signs that too; and no fact may wait for one while another comes five minutes after it. All of this
is said by the facts alone, so commits need not be known. What stands after the last signature may be of a power cut, or
written by anybody: it is counted, and its age said.
"""

import hashlib
import re
import struct
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from msgspec import Struct

from controller.record.record import CheckpointRow
from controller.verify import facts as kinds
from controller.verify.facts import Count, Entry, Instant
from controller.verify.world import THIRD_READING
from controller.verify.wrong import must, must_be, there, wrong

BEGINNING = bytes(32)
_SIGNED_AS = b"pozo checkpoint 1\n"
_SIGNED_FOR_PINS = b"pozo pins 1\n"
_SIGNED_CLEARING = b"pozo clearing 1\n"
_DIGITS = re.compile(r"([1-9][0-9]{0,17})-([0-9a-f]{16})")
_HEX = re.compile(r"[0-9a-f]{64}")
_WITHIN = 300_000  # milliseconds
_SOFTWARE = re.compile(r"pozo \S{1,40} sha256:([0-9a-f]{64})")
_FOLLOWED: Mapping[type[Struct], str] = {
    kinds.NodeFounded: "funda el nodo",
    kinds.ReadingAdopted: "adopta una lectura",
    kinds.NodeRestored: "restaura el nodo",
    kinds.NodeStarted: "arranca el nodo",
    kinds.NodeStopped: "detiene el nodo",
    kinds.ClockWentBack: "dice que el reloj retrocedió",
    kinds.PersonEnrolled: "inscribe a una persona",
    kinds.VerifiersSealed: "cierra los verificadores",
    kinds.PinsReplaced: "cambia los PIN",
    kinds.TerminalEnrolled: "inscribe una terminal",
    kinds.TerminalWithdrawn: "retira una terminal",
    kinds.PlanStaged: "deja un plan en espera",
    kinds.PlanTookEffect: "pone un plan en vigor",
    kinds.MoneyMoved: "mueve dinero",
    kinds.PotLeft: "deja un pozo",
    kinds.DayOpened: "abre un día",
    kinds.DayClosed: "cierra un día",
    kinds.DayRenamed: "cambia el nombre de un día",
    kinds.SeedLost: "declara perdida una semilla",
    kinds.PrizeGranted: "otorga un premio",
    kinds.ClaimRegistered: "registra premios",
    kinds.ClaimCorrected: "corrige un pase",
    kinds.AwardConfirmed: "confirma un premio",
    kinds.AwardPaid: "paga un premio",
    kinds.AwardSetAside: "aparta un premio",
    kinds.AwardAdvanced: "adelanta parte de un premio",
}
_FOLLOWED_TOO: Mapping[type[Struct], str] = {kinds.ClockStepped: "dice que cambiaron el reloj"}
"""By a program whose start said `signing` 2."""


def next_hash(previous: bytes, node: bytes, epoch: int, seq: int, body: bytes) -> bytes:
    """SHA-256 of: 0x01, the previous hash, the node's name behind its length, epoch, seq, the body behind its length;
    every number in 8 bytes, big-endian."""
    length = len(node)
    head = struct.pack(f">c32sQ{length}sQQQ", b"\x01", previous, length, node, epoch, seq, len(body))
    return hashlib.sha256(head + body).digest()


def hash_of_balances(stands: dict[str, int]) -> str:
    """SHA-256 of one line "account amount" for each account, in the order of their UTF-8 bytes."""
    text = "".join(f"{account} {stands[account]}\n" for account in sorted(stands, key=lambda name: name.encode()))
    return hashlib.sha256(text.encode()).hexdigest()


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """What a node signs; the fields stand in the order of the signed bytes."""

    at: Instant
    balances: str
    epoch: Count
    hash: str
    node: str
    seq: Count
    software: str
    state: str


class Witness(NamedTuple):
    """What was kept of a record outside it: a place in the chain and the first digits of its hash; with a signed
    checkpoint also the whole hash and the key."""

    seq: int
    digits: str
    key: str = ""
    body: bytes = b""
    signature: bytes = b""


class NoWitness(Exception):  # noqa: N818  says what it is
    """A text that is no witness, and the Spanish sentence."""


class NoRelease(Exception):  # noqa: N818  says what it is
    """A file that is no signed list of a release, and the Spanish sentence."""


_LIST = re.compile(
    rb"(pozo release 1\nversion \S{1,40}\nvendor ([0-9a-f]{64})\nprogram ([0-9a-f]{64})\n((?:[0-9a-f]{64}  \S+\n)+))"
    rb"signature ([0-9a-f]{128})\n"
)


def read_release(text: bytes, vendor: str) -> str:
    """The program that a list of its files stands for, if this vendor signed it: the hash of the lines themselves."""
    found = _LIST.fullmatch(text)
    if found is None:
        raise NoRelease("no es una lista firmada de una versión del programa (pozo release)")
    signed, by, program, lines, signature = found.groups()
    if by.decode() != vendor:
        raise NoRelease(f"la firmó otra llave ({by.decode()[:16]}...) que la del fabricante que se dio")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(vendor)).verify(bytes.fromhex(signature.decode()), signed)
    except (InvalidSignature, ValueError):
        raise NoRelease("la firma no es de la llave que nombra: la lista se cambió") from None
    if hashlib.sha256(lines).hexdigest().encode() != program:
        raise NoRelease("sus archivos no son los del programa que nombra")
    return program.decode()


def read_key(text: bytes) -> str:
    """A public key: 64 hexadecimal digits, alone in a file, or in a witness beside what it signed."""
    alone = text.decode(errors="replace").strip()
    if _HEX.fullmatch(alone):
        return alone
    key = read_witness(text).key
    if not key:
        raise NoWitness("esta no es una llave pública: son 64 cifras hexadecimales, o un testigo firmado que la nombre")
    return key


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    checkpoint: Checkpoint
    signature: str
    key: str


def read_witness(text: bytes) -> Witness:
    """The digits of a report ("1234567-9f86d081884c7d65"), a file with checkpoint, signature and key, or one of heads,
    whose last line is the newest of them."""
    digits = _DIGITS.fullmatch(text.decode(errors="replace").strip())
    if digits:
        return Witness(int(digits[1]), digits[2])
    lines = text.splitlines()
    text = lines[-1] if len(lines) > 1 and lines[-1].startswith(b'{"checkpoint"') else text
    try:
        kept = msgspec.json.decode(text, type=_Kept)
        signature = bytes.fromhex(kept.signature)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise NoWitness(
            "el testigo no se puede leer: son las cifras de un informe (1234567-9f86d081884c7d65) o un archivo"
            ' {"checkpoint": ..., "signature": ..., "key": ...}'
        ) from None
    checkpoint = kept.checkpoint
    return Witness(checkpoint.seq, checkpoint.hash, kept.key, msgspec.json.encode(checkpoint), signature)


def is_signed(body: bytes, signature: bytes, key: str) -> bool:
    """Whether the holder of the key signed these bytes as a checkpoint."""
    if not _HEX.fullmatch(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, _SIGNED_AS + body)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_signed_for_pins(text: bytes, signature: str, key: str) -> bool:
    """Whether the holder of the key vouched for new PINs; no signature of a checkpoint is one of these."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), _SIGNED_FOR_PINS + text)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_point_of_p256(key: str) -> bool:
    """Whether this is a point, uncompressed, as it is written: in small hexadecimal (R-36)."""
    try:
        point = bytes.fromhex(key)
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        return False
    return point[0] == 4 and point.hex() == key


def is_key_of_curve25519(key: str) -> bool:
    """Whether this is a public key whose holder shares secrets that nobody else knows, as it is written (R-36)."""
    if not _HEX.fullmatch(key):
        return False
    octets = bytes.fromhex(key)
    try:
        shared = X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(octets))
    except ValueError:  # the same for everybody
        return False
    return any(shared) and int.from_bytes(octets, "little") < 2**255 - 19


def is_signed_clearing(page: bytes, signature: bytes, key: str) -> bool:
    """Whether the holder of the key signed this page of a month between two nodes (R-28)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, _SIGNED_CLEARING + page)
    except (InvalidSignature, ValueError):
        return False
    return True


def read_checkpoint(body: bytes) -> Checkpoint | None:
    """A checkpoint from its canonical bytes, and from no others."""
    try:
        checkpoint = msgspec.json.decode(body, type=Checkpoint)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return checkpoint if msgspec.json.encode(checkpoint) == body else None


class Stand(NamedTuple):
    """Where a chain stands after one fact, as far as it was computed."""

    node: str
    epoch: int
    key: str
    seq: int
    hash: bytes
    clock: int


def prove_checkpoint(body: bytes, signature: bytes, stand: Stand, balances: dict[str, int]) -> Checkpoint:
    """R-27: it says what the chain and the books say, and this node signed it."""
    checkpoint = there(read_checkpoint(body), "R-27", "el texto del sello no es el de un sello")
    must(is_signed(body, signature, stand.key), "R-27", "la firma no es de la llave de este nodo")
    must_be(checkpoint.node, stand.node, "R-27", "el nodo del sello")
    must_be(checkpoint.epoch, stand.epoch, "R-27", "la época del sello")
    must_be(checkpoint.seq, stand.seq, "R-27", "el número del hecho sellado")
    must_be(checkpoint.hash, stand.hash.hex(), "R-27", "la huella del hecho sellado")
    must_be(checkpoint.balances, hash_of_balances(balances), "R-27", "la huella de los saldos sellados")
    return checkpoint


def prove_witness(witness: Witness, stand: Stand) -> None:
    """What was kept outside, against the chain at the same fact."""
    if witness.key:
        signed = is_signed(witness.body, witness.signature, witness.key)
        must(signed, "R-27", "el testigo no lleva la firma de la llave que nombra", "testigo")
        why = "este registro es de otra llave que la del testigo: otro nodo, o se escribió de nuevo"
        must(witness.key == stand.key, "R-27", why, "testigo")
    why = f"el hecho {witness.seq} no es el que se atestiguó: este registro se escribió de nuevo"
    must(stand.hash.hex().startswith(witness.digits), "R-27", why, "testigo")


class Outside(NamedTuple):
    """What an auditor brings from outside the record: the node's public key, and the programs its vendor signed for."""

    key: str = ""
    programs: frozenset[str] = frozenset()


def prove_key(outside: Outside, key: str) -> None:
    """R-27: a record that was written anew under a key of its own is another node's."""
    why = f"es de otra llave ({key[:16]}...) que la que se dio: otro nodo, o se escribió de nuevo"
    must(not outside.key or key == outside.key, "R-27", why, "registro")


class Signatures:
    """Where the walk stands between signatures: `many` facts follow the last one, the oldest of them of `since`."""

    def __init__(self, programs: frozenset[str]) -> None:
        """`programs`: the hashes that a vendor's lists name; none where nobody asked."""
        self._programs = programs
        self.many = self.since = 0
        self._answer: tuple[tuple[str, int, int], str] | None = None
        self._last = self._oldest = self._signed = 0
        self._due = ""
        self._followed = _FOLLOWED

    def begins(self, entry: Entry) -> None:
        """A fact comes: if it is of another answer, the one before has ended."""
        answer = (entry.id, entry.ask)
        if answer != self._answer:
            self.answered()
        # What answers a repeat of a used id may come twice, and look the same.
        self._answer = None if isinstance(entry.fact, kinds.IdReused) else answer

    def answered(self) -> None:
        """The answer has ended: what had to be signed with it is signed."""
        must(not self._due or self._signed == self._last, "R-27", self._due, f"fact {self._last}")
        self._due = ""

    def fact(self, entry: Entry, reading: int) -> None:
        """It was proven by itself; `reading`: the one it stands under, if it adopts one itself that one."""
        fact, self._last = entry.fact, entry.seq
        if not self.many:
            self._oldest, self.since = entry.seq, entry.at
        self.many += 1
        if isinstance(fact, kinds.NodeStarted):
            self._prove_program(fact.program)
            self._followed = _FOLLOWED if fact.signing < 2 else {**_FOLLOWED, **_FOLLOWED_TOO}
        if reading < THIRD_READING or self._due:
            return
        if type(fact) in self._followed:
            self._due = f"falta la firma que sigue a un hecho que {self._followed[type(fact)]}"
        elif entry.at - self.since >= _WITHIN:
            minutes = (entry.at - self.since) // 60_000
            self._due = f"falta una firma: el hecho {self._oldest} espera la suya desde hace {minutes} minutos"

    def seal(self, row: CheckpointRow, fact: kinds.Fact, reading: int) -> None:
        """A checkpoint of the fact that was just seen; that it is this node's was proven."""
        self.many, self._signed = 0, row.seq
        checkpoint = read_checkpoint(row.body)
        software = _SOFTWARE.fullmatch(checkpoint.software) if checkpoint is not None else None
        place = f"checkpoint {row.seq}"
        if software is not None:
            self._prove_program(software[1], place)
        elif reading >= THIRD_READING:
            wrong("R-27", "el sello no dice la huella del programa que lo hizo", place)
        if isinstance(fact, kinds.NodeStarted):
            must_be(software and software[1], fact.program, "R-27", "el programa que selló", place)

    def _prove_program(self, program: str, place: str = "") -> None:
        known = not self._programs or program in self._programs
        must(
            known, "R-27", f"el programa {program[:16]}... no está en ninguna lista firmada de las que se dieron", place
        )
