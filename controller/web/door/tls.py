"""What the connections of browsers are sealed with: the casino's certificate, or one that is made here.

Theory. A casino that has an authority of its own gives a certificate and its key; both are read as they are. Elsewhere
one is made for the names of this machine, good for two years, and made anew a month before it ends or when the names
are others; its key lies in one file with it that only its user reads. What tablets and signs are given to believe is
the authority that signed it: made for this one signature, good for these names alone, its key never kept, so whoever
believes it believes nothing else. TLS 1.2 and newer, with forward secrecy and authenticated ciphers, and nothing else.
"""

import ipaddress
import os
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from controller.node.vocabulary.disk import keep, private_folder

MADE, AUTHORITY = "web.pem", "authority.pem"
_GOOD_FOR, _MADE_ANEW = timedelta(days=730), timedelta(days=30)
_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
_MOST_OTHERS = 0o077
_SERVES = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
_SIGNS = x509.KeyUsage(False, False, False, False, False, True, False, False, False)


class TlsRefused(Exception):  # noqa: N818  says what happened
    """A sentence for whoever installs it."""


def sealed_with(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS with the casino's certificate (with those between it and its authority), and its key."""
    try:
        if key.stat().st_mode & _MOST_OTHERS:
            raise TlsRefused(f"{key}: otros usuarios pueden leer esta llave; con chmod 600 ya no")
        return _context(certificate, key)
    except OSError as error:  # an SSLError is one
        raise TlsRefused(f"{certificate}: no sirve como certificado con {key}: {error}") from None


def sealed_with_our_own(folder: Path, names: frozenset[str], now: datetime | None = None) -> ssl.SSLContext:
    """TLS with the certificate of this folder; one is made where none is good."""
    path, now = folder / MADE, now or datetime.now(UTC)
    if not _is_good(path, names, now):
        private_folder(folder)
        secret, certificate, authority = _made(names, now)
        keep(folder / AUTHORITY, authority)
        keep(path, secret + certificate)
    return _context(path, path)


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(_CIPHERS)
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    return context


def _is_good(path: Path, names: frozenset[str], now: datetime) -> bool:
    try:
        if path.stat().st_mode & _MOST_OTHERS or path.stat().st_uid != os.geteuid():
            return False
        found = x509.load_pem_x509_certificate(path.read_bytes())
        told = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        found.verify_directly_issued_by(x509.load_pem_x509_certificate(path.with_name(AUTHORITY).read_bytes()))
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
        return False
    lasts = found.not_valid_before_utc <= now < found.not_valid_after_utc - _MADE_ANEW
    return lasts and frozenset(told) == _told(names)


def _made(names: frozenset[str], now: datetime) -> tuple[bytes, bytes, bytes]:
    """A key, its certificate, and the authority that signed it and never signs again."""
    signs, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    # A name of its own each time: browsers take two authorities of one name for one another.
    above = _named(f"pozo web {x509.random_serial_number():x}"[:40])
    authority = (
        _blank(above, above, signs, now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_SIGNS, critical=True)
        .add_extension(
            x509.NameConstraints([_alone(name) for name in sorted(_told(names), key=str)], None), critical=True
        )
        .sign(signs, SHA256())
    )
    certificate = (
        _blank(_named("pozo web"), above, key, now)
        .add_extension(x509.SubjectAlternativeName(sorted(_told(names), key=str)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_SERVES, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(signs, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret, certificate.public_bytes(Encoding.PEM), authority.public_bytes(Encoding.PEM)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _blank(who: x509.Name, above: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(above, who, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _GOOD_FOR)
    )


def _alone(name: x509.GeneralName) -> x509.GeneralName:
    """As a constraint says it: an address is a network of one."""
    return x509.IPAddress(ipaddress.ip_network(name.value)) if isinstance(name, x509.IPAddress) else name


def _told(names: frozenset[str]) -> frozenset[x509.GeneralName]:
    return frozenset(_address(name) or x509.DNSName(name) for name in names)


def _address(name: str) -> x509.GeneralName | None:
    try:
        return x509.IPAddress(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return None
