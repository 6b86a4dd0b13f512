"""The chain, the key and the signed checkpoint, held against a second writing of their definitions."""

import hashlib
import json
import os
import stat
import struct
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from controller.node.book.chain import (
    GENESIS,
    Checkpoint,
    Key,
    KeyRefused,
    balances_hash,
    is_signed,
    link,
    read_checkpoint,
)
from support.drivers import peers

CHECKPOINT = Checkpoint(
    node="mesa4", epoch=1, seq=1234567, hash="9f86d081884c7d65" + "0" * 48, balances="b" * 64, state="",
    software="pozo 0.2.0", at=1_700_000_000_000,
)  # fmt: skip


@pytest.fixture
def key(tmp_path):
    return Key.load_or_make(tmp_path / "node.key")


def test_a_link_is_the_hash_its_sentence_defines():
    node, body = "Ñuñoa", b"body"
    name = node.encode()
    by_hand = b"\x01" + GENESIS + struct.pack(">Q", len(name)) + name + struct.pack(">QQQ", 3, 4, len(body)) + body

    assert link(GENESIS, node, 3, 4, body) == hashlib.sha256(by_hand).digest()


def test_a_link_changes_with_everything_it_covers():
    previous = hashlib.sha256(b"x").digest()
    links = {
        link(GENESIS, "a", 1, 2, b"b"),
        link(previous, "a", 1, 2, b"b"),
        link(GENESIS, "ab", 1, 2, b"b"),
        link(GENESIS, "a", 2, 2, b"b"),
        link(GENESIS, "a", 1, 3, b"b"),
        link(GENESIS, "a", 1, 2, b"bb"),
        link(GENESIS, "a", 1, 2, b""),
    }

    assert len(links) == 7
    with pytest.raises(AssertionError):
        link(b"short", "a", 1, 2, b"b")


def test_the_balances_hash_is_of_sorted_lines():
    text = "cash:mesa4 -300\npot:a:main 300\npot:b:main 0\npot:ñ:main 5\n"
    balances = {"pot:ñ:main": 5, "pot:b:main": 0, "pot:a:main": 300, "cash:mesa4": -300}

    assert balances_hash(balances) == hashlib.sha256(text.encode()).hexdigest()
    assert balances_hash({}) == hashlib.sha256(b"").hexdigest()
    with pytest.raises(AssertionError):
        balances_hash({"pot:a\npot:b": 1})


def test_a_checkpoint_is_canonical_and_read_back():
    body = CHECKPOINT.canonical()

    assert body == json.dumps(json.loads(body), sort_keys=True, separators=(",", ":")).encode()
    assert read_checkpoint(body) == CHECKPOINT
    assert CHECKPOINT.digits == "1234567-9f86d081884c7d65"


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body + b" ",
        lambda body: body[:-1],
        lambda body: body.replace(b'"at":', b'"at": '),
        lambda body: body.replace(b'"seq":1234567', b'"seq":"1234567"'),
        lambda body: body.replace(b'{"at"', b'{"a":1,"at"'),
        lambda body: body.replace(b"mesa4", b"mesa\xff"),
        lambda _: b"",
        lambda _: b"null",
    ],
)
def test_any_other_bytes_are_no_checkpoint(change):
    assert read_checkpoint(change(CHECKPOINT.canonical())) is None


def test_a_signature_is_of_this_key_these_bytes_and_this_purpose(key, tmp_path):
    body = CHECKPOINT.canonical()
    signature = key.sign(body)
    other = Key.load_or_make(tmp_path / "other.key")

    assert len(signature) == 64
    assert is_signed(body, signature, key.public)
    assert key.sign(body) == signature
    assert not is_signed(body + b" ", signature, key.public)
    assert not is_signed(body, signature, other.public)
    assert not is_signed(body, signature[:-1], key.public)
    assert not is_signed(body, signature[:-1] + bytes([signature[-1] ^ 1]), key.public)
    assert not is_signed(body, key._private.sign(body), key.public), "signed for another purpose"
    assert not is_signed(body, signature, "not hex")
    assert not is_signed(body, signature, "ab")


@pytest.mark.process
def test_openssl_agrees(key, tmp_path):
    body = CHECKPOINT.canonical()
    (tmp_path / "text").write_bytes(b"pozo checkpoint 1\n" + body)
    (tmp_path / "signature").write_bytes(key.sign(body))
    openssl = peers.program("openssl")
    said = subprocess.run(
        [openssl, "pkeyutl", "-verify", "-inkey", "node.key", "-rawin", "-in", "text", "-sigfile", "signature"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert "Signature Verified Successfully" in said.stdout, said.stderr


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "node.key"
    made = Key.load_or_make(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["node.key"]
    assert Key.load_or_make(path).public == made.public
    assert len(bytes.fromhex(made.public)) == 32


def test_a_start_that_was_quicker_made_the_key(tmp_path, monkeypatch):
    path = tmp_path / "node.key"
    first = Key.load_or_make(path)
    monkeypatch.setattr(os.path, "lexists", lambda _: False)

    assert Key.load_or_make(path).public == first.public
    assert [file.name for file in tmp_path.iterdir()] == ["node.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_key_that_others_may_read_is_refused(tmp_path, mode):
    path = tmp_path / "node.key"
    Key.load_or_make(path)
    path.chmod(mode)
    with pytest.raises(KeyRefused, match="otros pueden leer la llave") as caught:
        Key.load_or_make(path)

    assert caught.value.place == str(path)


def test_a_key_file_that_is_no_key_is_refused(tmp_path):
    path = tmp_path / "node.key"
    path.touch(mode=0o600)
    with pytest.raises(KeyRefused, match="está dañado o no es una llave"):
        Key.load_or_make(path)
    path.write_bytes(
        generate_private_key(SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    with pytest.raises(KeyRefused, match="no es Ed25519"):
        Key.load_or_make(path)


def test_a_key_behind_a_link_a_folder_or_a_pipe_is_refused(tmp_path):
    Key.load_or_make(tmp_path / "real.key")
    (tmp_path / "link.key").symlink_to(tmp_path / "real.key")
    (tmp_path / "folder.key").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "pipe.key", 0o600)
    for name in ("link.key", "folder.key", "pipe.key", "no/such/folder/node.key"):
        with pytest.raises(KeyRefused, match=r"la llave de este nodo no (se puede leer ni crear|es un archivo)"):
            Key.load_or_make(tmp_path / name)
