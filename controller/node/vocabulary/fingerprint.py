"""The fingerprint of a node's link key, as two persons read it aloud: eight groups of four hexadecimal digits (R-28).

Theory. The first 128 bits of the SHA-256 of the public key: nobody finds another key with the same. It is written as
`ab12-cd34-...`; whoever types it may leave out the hyphens, use spaces, or write capitals. Where it is not the key's,
the person hears which groups differ and not what they should be: the one who reads it aloud reads it again.
"""

import hashlib
import re

_GROUPS, _DIGITS = 8, 4
_BETWEEN = str.maketrans("", "", " -:.\t\n")
_WHOLE = re.compile(rf"[0-9a-f]{{{_GROUPS * _DIGITS}}}")
_KEY = re.compile(r"[0-9a-f]{64}")


def is_link_key(text: str) -> bool:
    """A public key of a link: 64 hexadecimal digits."""
    return _KEY.fullmatch(text) is not None


def fingerprint_of(key: str) -> str:
    assert key, "a public key, of a link or of a terminal"
    digits = hashlib.sha256(bytes.fromhex(key)).hexdigest()
    return "-".join(digits[at : at + _DIGITS] for at in range(0, _GROUPS * _DIGITS, _DIGITS))


def as_fingerprint(text: str) -> str | None:
    """What somebody wrote, if it is one."""
    digits = text.translate(_BETWEEN).lower()
    if not _WHOLE.fullmatch(digits):
        return None
    return "-".join(digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS))


def trouble_with(typed: str, key: str) -> str:
    """Why what somebody typed is not the fingerprint of this key; empty: it is."""
    said = as_fingerprint(typed)
    if said is None:
        return f"una huella son {_GROUPS} grupos de {_DIGITS} cifras (0-9, a-f)"
    pairs = zip(said.split("-"), fingerprint_of(key).split("-"), strict=True)
    other = [str(at) for at, (one, right) in enumerate(pairs, 1) if one != right]
    if not other:
        return ""
    groups = f"el grupo {other[0]} no es" if len(other) == 1 else f"los grupos {', '.join(other)} no son"
    return f"{groups} de esta llave: que la lean otra vez; si es la misma, la llave no es de ese nodo"
