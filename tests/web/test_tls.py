"""TLS of the web process, looked at by OpenSSL's own client; and the certificate that it makes."""

import re
import shutil
import ssl
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509

from controller.web.door.tls import AUTHORITY, MADE, TlsRefused, sealed_with, sealed_with_our_own
from support.web.web_process import web_process

OPENSSL = shutil.which("openssl")
NAMES = frozenset({"mesa-1.casino.example", "10.0.0.7"})
NOW = datetime(2026, 11, 19, tzinfo=UTC)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    place = tmp_path_factory.mktemp("web")
    with web_process(place, place / "control", scheme="https") as web:
        yield web


def told(served, *options):
    """What openssl's client says of one connection."""
    place = f"127.0.0.1:{served.port}"
    command = [OPENSSL, "s_client", "-connect", place, "-CAfile", str(served.certificate), "-verify_ip", "127.0.0.1"]
    return subprocess.run([*command, *options], input="", capture_output=True, text=True, timeout=60, check=False)


needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="no openssl: the foreign tool that looks at TLS")


@needs_openssl
@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "protocol"), [(["-tls1_3"], "TLSv1.3"), (["-tls1_2"], "TLSv1.2")], ids=["1.3", "1.2"]
)
def test_what_is_safe_is_spoken_and_the_certificate_proves_itself(served, options, protocol):
    said = told(served, *options).stdout

    assert protocol in said and "Verify return code: 0 (ok)" in said, said
    cipher = re.search(r"Cipher is (\S+)", said)[1]
    assert "GCM" in cipher or "CHACHA20" in cipher
    assert "Compression: NONE" in said
    assert re.search(r"Server Temp Key: (X25519|ECDH)", said), "forward secrecy"


@needs_openssl
@pytest.mark.process
@pytest.mark.parametrize(
    "options",
    [
        ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
        ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "AES128-SHA:AES256-SHA256:AES128-GCM-SHA256"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384"],
        ["-tls1_2", "-cipher", "DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305"],
        ["-tls1_2", "-cipher", "ALL:eNULL:@SECLEVEL=0:!ECDHE"],
    ],
    ids=["1.1", "1.0", "rsa", "cbc", "dhe", "no forward secrecy"],
)
def test_what_is_old_or_weak_is_not(served, options):
    said = told(served, *options)

    assert "Cipher is (NONE)" in said.stdout or "no protocols available" in said.stderr, said.stdout + said.stderr
    assert "BEGIN CERTIFICATE" not in said.stdout


@needs_openssl
@pytest.mark.process
def test_a_client_cannot_begin_tls_anew(served):
    asked = subprocess.run(
        [OPENSSL, "s_client", "-connect", f"127.0.0.1:{served.port}", "-tls1_2"],
        input="R\n", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert "no renegotiation" in asked.stderr and asked.returncode != 0


@pytest.mark.process
def test_plain_words_to_tls_are_no_answer(served):
    import socket

    with socket.create_connection(("127.0.0.1", served.port), 20) as way:
        way.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert not way.recv(4096).startswith(b"HTTP")


def test_a_made_certificate_is_for_these_names_for_two_years_and_its_key_nobody_elses(tmp_path):
    sealed_with_our_own(tmp_path, NAMES, NOW)

    made = tmp_path / MADE
    assert made.stat().st_mode & 0o777 == 0o600
    found = x509.load_pem_x509_certificate(made.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["mesa-1.casino.example"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["10.0.0.7"]
    assert found.not_valid_after_utc == NOW + timedelta(days=730)
    assert not found.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_its_authority_is_for_these_names_alone_and_its_key_is_nowhere(tmp_path):
    sealed_with_our_own(tmp_path, NAMES, NOW)

    said = (tmp_path / AUTHORITY).read_text()
    found = x509.load_pem_x509_certificate(said.encode())
    assert "PRIVATE" not in said and (tmp_path / MADE).read_text().count("BEGIN PRIVATE KEY") == 1
    x509.load_pem_x509_certificate((tmp_path / MADE).read_bytes()).verify_directly_issued_by(found)
    basic = found.extensions.get_extension_for_class(x509.BasicConstraints)
    only = found.extensions.get_extension_for_class(x509.NameConstraints)
    assert basic.critical and basic.value.ca and basic.value.path_length == 0
    told = [str(one.value) for one in only.value.permitted_subtrees]
    assert only.critical and sorted(told) == ["10.0.0.7/32", "mesa-1.casino.example"]


@pytest.mark.parametrize("left", ["nothing", "noise", "another one"])
def test_without_its_authority_a_certificate_is_made_anew(tmp_path, left):
    sealed_with_our_own(tmp_path / "other", NAMES, NOW)
    sealed_with_our_own(tmp_path, NAMES, NOW)
    first = (tmp_path / MADE).read_bytes()
    (tmp_path / AUTHORITY).unlink()
    if left != "nothing":
        (tmp_path / AUTHORITY).write_bytes(b"x" if left == "noise" else (tmp_path / "other" / AUTHORITY).read_bytes())

    sealed_with_our_own(tmp_path, NAMES, NOW)

    assert (tmp_path / MADE).read_bytes() != first


def test_it_stays_until_a_month_before_its_end_and_is_made_anew_for_other_names(tmp_path):
    def after(days, names=NAMES):
        sealed_with_our_own(tmp_path, names, NOW + timedelta(days=days))
        return (tmp_path / MADE).read_bytes()

    first = after(0)
    assert after(699) == first
    second = after(701)
    assert second != first and after(702, NAMES | {"otro.example"}) != second


def test_one_that_others_could_read_or_that_is_damaged_is_made_anew(tmp_path):
    sealed_with_our_own(tmp_path, NAMES, NOW)
    made = tmp_path / MADE
    first = made.read_bytes()
    made.chmod(0o640)
    sealed_with_our_own(tmp_path, NAMES, NOW)
    assert made.read_bytes() != first and made.stat().st_mode & 0o777 == 0o600
    made.write_bytes(b"noise")
    sealed_with_our_own(tmp_path, NAMES, NOW)
    assert made.read_bytes().startswith(b"-----BEGIN")


def test_the_casinos_own_is_taken_and_a_key_that_others_read_is_refused(tmp_path):
    sealed_with_our_own(tmp_path, NAMES, NOW)
    made = tmp_path / MADE

    assert isinstance(sealed_with(made, made), ssl.SSLContext)
    made.chmod(0o644)
    with pytest.raises(TlsRefused, match="chmod 600"):
        sealed_with(made, made)
    made.chmod(0o600)
    made.write_bytes(b"noise")
    with pytest.raises(TlsRefused):
        sealed_with(made, made)
    with pytest.raises(TlsRefused):
        sealed_with(tmp_path / "none", tmp_path / "none")
