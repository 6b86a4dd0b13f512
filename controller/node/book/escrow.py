"""What a box leaves with its casino's node so that it can be made anew: sealed, so that this node cannot read it.

Theory. A burned box takes its key, the secret of its PINs, their verifiers and the open day's seed with it; its mirror
has none of them. So two persons each keep a code on paper, made once on the box (`pozo escrow`). Both codes together
are a private key that stands nowhere; the box keeps the public half and seals to it, its casino's node keeps what was
sealed. A thief of the casino's disk has nothing without both papers; one paper alone opens nothing; and the box, which
holds all of it anyway, needs no code to seal. What comes out is believed only as far as the chain says it too: the key
is the one its first fact names, a verifier the one of its person's fact, a seed the one its day promised.
"""

import hashlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.node.book.chain import KeyRefused, read_private
from controller.node.vocabulary.disk import keep

AFTER = frozenset(
    {"day_opened", "day_closed", "seed_lost", "person_enrolled", "verifiers_sealed", "pins_replaced", "node_restored"}
)
"""The kinds of facts after which something else must be sealed."""
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another on paper
_READ_AS = str.maketrans("OILU", "011V")
_CHANCE = 15
_GROUP = 4
_PUBLIC_BYTES = 32
_NONCE = bytes(12)  # a key of its own seals each time
_FILE = "escrow.pub"
_MOST_SEEDS = 4
"""The open day's, and of what was opened last under other names."""


class Escrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`key` and `pepper`: their files as they are; `verifiers`: by person; `seeds`: by the names of their files."""

    node: str
    key: bytes
    pepper: bytes
    verifiers: dict[str, str]
    seeds: dict[str, bytes]


class EscrowRefused(Exception):  # noqa: N818  says what happened
    """One Spanish sentence."""


_read = msgspec.msgpack.Decoder(Escrow)


def public_place(folder: Path) -> Path:
    return folder / _FILE


def new_code() -> str:
    """75 bits by chance and a letter that finds a slip, in groups as they are written down."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_CHANCE))
    code += _check(code)
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def read_code(text: str) -> str:
    """As it is meant, however it was typed; EscrowRefused where a letter is wrong."""
    code = "".join(one for one in text.upper().translate(_READ_AS) if one.isalnum())
    if len(code) != _CHANCE + 1 or set(code) - set(_LETTERS) or _check(code[:-1]) != code[-1]:
        raise EscrowRefused("el código no está bien escrito: son cuatro grupos de cuatro; compare letra por letra")
    return code


def _check(code: str) -> str:
    return _LETTERS[hashlib.sha256(code.encode()).digest()[0] % len(_LETTERS)]


def _private(codes: tuple[str, str]) -> X25519PrivateKey:
    """Of both, in whatever order they are typed."""
    text = "\n".join(sorted(map(read_code, codes))).encode()
    return X25519PrivateKey.from_private_bytes(hashlib.blake2b(text, digest_size=32, person=b"pozo escrow").digest())


def write_public(folder: Path, codes: tuple[str, str]) -> None:
    """From now on this node seals for whoever has both codes, and for nobody else."""
    keep(public_place(folder), _private(codes).public_key().public_bytes_raw().hex().encode() + b"\n")


def read_public(folder: Path) -> bytes | None:
    """The public half; nothing where no codes were made yet."""
    place = public_place(folder)
    try:
        text = read_private(place, "la llave pública del depósito")
        public = bytes.fromhex(text.decode())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise KeyRefused(str(place), "no es la llave pública de un depósito; hágala de nuevo: pozo escrow") from None
    return public if len(public) == _PUBLIC_BYTES else None


def seal(public: bytes, escrow: Escrow) -> bytes:
    """Anybody who has the public half can."""
    once = X25519PrivateKey.generate()
    mine = once.public_key().public_bytes_raw()
    shared = once.exchange(X25519PublicKey.from_public_bytes(public))
    return mine + ChaCha20Poly1305(_key(shared, mine, public)).encrypt(_NONCE, msgspec.msgpack.encode(escrow), None)


def unseal(codes: tuple[str, str], sealed: bytes) -> Escrow | None:
    """What was sealed, if it was for these two codes."""
    private = _private(codes)
    public = private.public_key().public_bytes_raw()
    mine, rest = sealed[:_PUBLIC_BYTES], sealed[_PUBLIC_BYTES:]
    try:
        shared = private.exchange(X25519PublicKey.from_public_bytes(mine))
        return _read.decode(ChaCha20Poly1305(_key(shared, mine, public)).decrypt(_NONCE, rest, None))
    except (InvalidTag, ValueError, msgspec.DecodeError):
        return None


def _key(shared: bytes, mine: bytes, public: bytes) -> bytes:
    return hashlib.blake2b(mine + public, key=shared, digest_size=32, person=b"pozo escrow").digest()


def gather(node: str, key: Path, pepper: Path, verifiers: Mapping[str, str], seeds: Path) -> Escrow:
    """What this node needs to be made anew; OSError where it cannot be read."""
    newest = sorted(seeds.glob("*.seed"), key=os.path.getmtime)[-_MOST_SEEDS:] if seeds.is_dir() else []
    return Escrow(
        node,
        read_private(key, "la llave de este nodo"),
        read_private(pepper, "el secreto de los PIN"),
        dict(verifiers),
        {place.name: read_private(place, "la semilla de un día") for place in newest},
    )


def opened(codes: tuple[str, str], sealed: list[bytes]) -> list[Escrow]:
    """What of these was sealed for these codes, the newest first; or EscrowRefused."""
    if not sealed:
        raise EscrowRefused("el espejo no tiene ningún depósito: en esa máquina nadie hizo los códigos (pozo escrow)")
    found = [one for one in (unseal(codes, text) for text in sealed) if one is not None]
    if not found:
        raise EscrowRefused("estos dos códigos no abren el depósito: son otros, o se hicieron nuevos después")
    return found
