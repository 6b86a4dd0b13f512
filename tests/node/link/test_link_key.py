"""R-28: the key of a node's links, and the fingerprint that two persons read aloud."""

import hashlib
import stat

import pytest
from zmq import curve_public
from zmq.utils import z85

from controller.node.book.chain import KeyRefused
from controller.node.book.link_key import LinkKey, link_key_of, make, next_link_key_of, rotate
from controller.node.vocabulary.fingerprint import as_fingerprint, fingerprint_of, is_link_key, trouble_with

KEY = "ab" * 32
PRINT = fingerprint_of(KEY)


def test_r28_a_key_is_a_pair_of_curve_as_libzmq_makes_it(tmp_path):
    key = LinkKey.load_or_make(tmp_path)

    assert z85.decode(curve_public(z85.encode(key.secret))) == key.public
    assert is_link_key(key.public.hex()) and len(key.secret) == 32


def test_r28_it_is_made_once_and_nobody_else_reads_it(tmp_path):
    key = LinkKey.load_or_make(tmp_path)

    assert LinkKey.load_or_make(tmp_path).secret == key.secret
    assert stat.S_IMODE(link_key_of(tmp_path).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["link.key"]
    make(link_key_of(tmp_path))
    assert LinkKey.load_or_make(tmp_path).secret == key.secret, "never over another"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_r28_a_key_that_others_may_read_is_none(tmp_path, mode):
    LinkKey.load_or_make(tmp_path)
    link_key_of(tmp_path).chmod(mode)

    with pytest.raises(KeyRefused, match=r"link\.key: otros pueden leer la llave de enlace"):
        LinkKey.load_or_make(tmp_path)


@pytest.mark.parametrize(
    "text", [b"", b"x", b"pozo link key 1\n" + b"ab" * 31 + b"\n", b"pozo link key 1\n" + b"AB" * 32]
)
def test_r28_a_damaged_key_is_said_and_not_replaced(tmp_path, text):
    link_key_of(tmp_path).write_bytes(text)
    link_key_of(tmp_path).chmod(0o600)

    with pytest.raises(KeyRefused, match="dañado"):
        LinkKey.load_or_make(tmp_path)
    assert link_key_of(tmp_path).read_bytes() == text


def test_r28_a_key_that_is_no_file_or_in_no_folder_is_said(tmp_path):
    link_key_of(tmp_path).mkdir()
    with pytest.raises(KeyRefused, match="no se puede leer"):
        LinkKey.load_or_make(tmp_path)
    link_key_of(tmp_path).rmdir()
    link_key_of(tmp_path).symlink_to("/etc/hostname")
    with pytest.raises(KeyRefused, match="no se puede leer"):
        LinkKey.load_or_make(tmp_path)
    with pytest.raises(KeyRefused, match="no se puede crear"):
        LinkKey.load_or_make(tmp_path / "no")


def test_r28_a_second_key_takes_the_place_of_the_first_at_one_instant(tmp_path):
    old = LinkKey.load_or_make(tmp_path)
    with pytest.raises(KeyRefused, match="pozo key new"):
        rotate(tmp_path)
    make(next_link_key_of(tmp_path))
    new = LinkKey.load(next_link_key_of(tmp_path))
    assert LinkKey.load_or_make(tmp_path).secret == old.secret

    assert rotate(tmp_path).secret == new.secret != old.secret
    assert LinkKey.load_or_make(tmp_path).secret == new.secret
    assert [path.name for path in tmp_path.iterdir()] == ["link.key"]


def test_r28_a_second_key_that_others_may_read_stays_where_it_is(tmp_path):
    old = LinkKey.load_or_make(tmp_path)
    make(next_link_key_of(tmp_path))
    next_link_key_of(tmp_path).chmod(0o644)

    with pytest.raises(KeyRefused, match="otros pueden leer"):
        rotate(tmp_path)
    assert LinkKey.load_or_make(tmp_path).secret == old.secret


def test_r28_a_fingerprint_is_sixteen_octets_of_the_hash_in_eight_groups():
    digits = hashlib.sha256(bytes.fromhex(KEY)).hexdigest()

    assert PRINT.replace("-", "") == digits[:32] and len(PRINT.split("-")) == 8
    assert as_fingerprint(PRINT.upper().replace("-", " ")) == PRINT
    assert as_fingerprint(PRINT[:-1]) is as_fingerprint(PRINT + "0") is as_fingerprint("") is None


@pytest.mark.parametrize("typed", [PRINT, PRINT.upper(), PRINT.replace("-", ""), f"  {PRINT.replace('-', ':')}\n"])
def test_r28_who_types_it_right_hears_nothing(typed):
    assert trouble_with(typed, KEY) == ""


def test_r28_who_mistypes_hears_which_group_and_never_what_it_should_be():
    groups = PRINT.split("-")
    one = "-".join([*groups[:2], "0000", *groups[3:]])
    two = "-".join(["ffff", *groups[1:7], "ffff"])

    assert trouble_with(one, KEY).startswith("el grupo 3 no es de esta llave")
    assert trouble_with(two, KEY).startswith("los grupos 1, 8 no son")
    assert not any(group in trouble_with(one, KEY) for group in groups)
    assert trouble_with("hola", KEY) == "una huella son 8 grupos de 4 cifras (0-9, a-f)"
