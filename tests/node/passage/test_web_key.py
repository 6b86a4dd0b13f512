"""The key of a web: made once, its owner's alone, and the same at every start."""

import stat

import pytest

from controller.node.passage.web_key import NoWebKey, web_key


def test_it_is_made_once_and_only_its_owner_reads_it(tmp_path):
    made = web_key(tmp_path / "web")
    assert web_key(tmp_path / "web") == made
    assert stat.S_IMODE((tmp_path / "web/boxes.key").stat().st_mode) == 0o600
    assert len(made.public) == len(made.secret) == 32


def test_a_key_that_others_can_read_is_nobodys(tmp_path):
    web_key(tmp_path)
    (tmp_path / "boxes.key").chmod(0o640)
    with pytest.raises(NoWebKey, match="llave de esta web"):
        web_key(tmp_path)


def test_a_file_that_is_no_key_is_none(tmp_path):
    (tmp_path / "boxes.key").touch(0o600)
    with pytest.raises(NoWebKey, match="dañado"):
        web_key(tmp_path)


def test_a_link_to_another_file_is_none(tmp_path):
    web_key(tmp_path / "other")
    (tmp_path / "boxes.key").symlink_to(tmp_path / "other/boxes.key")
    with pytest.raises(NoWebKey, match="no se puede leer"):
        web_key(tmp_path)
