"""Which addresses a folder of pages has, and what is told of each."""

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.web.language import Language
from controller.web.static import PAGES, StaticPages


def asked(path, **headers):
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": path, "headers": told, "query_string": b"", "server": ("m", 80), "scheme": "http"})  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for name, text in (("croupier/index.html", "mesa"), ("ground/a.js", "let a;\n" * 100), ("felt/index.html", "old")):
        (tmp_path / "pages" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pages" / name).write_text(text)
    (tmp_path / "pages/.hidden.js").write_text("no")
    (tmp_path / "felt").mkdir()
    (tmp_path / "felt/index.html").write_text("paño")
    return tmp_path


def test_every_file_has_an_address_and_nothing_else_has(folder):
    pages = StaticPages({"/": folder / "pages"})

    assert pages.addresses() == {"/croupier/index.html", "/ground/a.js", "/felt/index.html"}
    with pytest.raises(HTTPException):
        pages.answer(asked("/.hidden.js"))


def test_a_folder_is_its_index_and_its_address_ends_with_a_slash(folder):
    pages = StaticPages({"/": folder / "pages"})

    assert pages.answer(asked("/croupier/")).body == b"mesa"
    sent = pages.answer(asked("/croupier"))
    assert (sent.status_code, sent.headers["location"]) == (308, "/croupier/")


def test_a_page_comes_in_the_language_of_the_settings():
    spoken = lambda *language: StaticPages({"/": PAGES}, *language).answer(asked("/chief/")).body.splitlines()[1]

    assert (spoken(), spoken(Language.ENGLISH)) == (b'<html lang="es">', b'<html lang="en">')


def test_a_browser_that_can_is_sent_less(folder):
    pages = StaticPages({"/": folder / "pages"})

    plain, squeezed = pages.answer(asked("/ground/a.js")), pages.answer(asked("/ground/a.js", accept_encoding="gzip"))
    assert len(squeezed.body) < len(plain.body) / 10
    assert squeezed.headers["content-encoding"] == "gzip"
    assert plain.headers["content-type"] == squeezed.headers["content-type"] == "text/javascript; charset=utf-8"
    assert {one.headers["vary"] for one in (plain, squeezed)} == {"accept-encoding"}
    assert plain.headers["etag"] == squeezed.headers["etag"]


def test_what_is_served_besides_comes_first(folder):
    pages = StaticPages({"/felt/": folder / "felt", "/": folder / "pages"})

    assert pages.answer(asked("/felt/")).body == "paño".encode()


def test_a_file_of_an_unknown_kind_is_a_mistake_at_the_start(folder):
    (folder / "pages/a.exe").write_text("")

    with pytest.raises(AssertionError, match="no browser is told what that is"):
        StaticPages({"/": folder / "pages"})


def test_all_of_ours_can_be_served():
    assert "/index.html" in StaticPages({"/": PAGES}).addresses()


def test_a_browser_that_looks_for_an_icon_by_itself_finds_our_mark():
    pages = StaticPages({"/": PAGES})
    found = pages.answer(asked("/favicon.ico"))

    assert (found.status_code, found.media_type) == (200, "image/svg+xml")
    assert found.body == (PAGES / "ground/mark.svg").read_bytes()
