"""The pages as they are served: every file of a folder by its address, read once, and what a browser is told of it.

Theory. The addresses that exist are made from the files at the start; what is asked is only looked up among them. So no
path leads anywhere else, whatever stands in it, and nothing is read from a disk while people play. A folder is answered
by its `index.html`; an address without the last slash is sent to the one with it, because the page's own links begin
there. A browser keeps what it has as long as the fingerprint is the same. A file of a kind that is not known here is a
mistake of the program, and is said at the start. A page's first line says in which language it speaks to a browser that
has chosen none (ground/texts.js).
"""

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from controller.web.language import Language

PAGES = Path(__file__).resolve().parent / "pages"
_INDEX = "index.html"
_SPEAKS = b'<html lang="es">'
_MARK, _ASKED_UNASKED = "/ground/mark.svg", "/favicon.ico"
"""Our mark, and where a browser looks for one wherever no page tells it otherwise."""
_LEAST_WORTH_SQUEEZING = 256
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".txt": "text/plain; charset=utf-8",
}
_PACKED = frozenset({".png", ".woff2", ".ogg"})


class _File(NamedTuple):
    content: bytes
    squeezed: bytes | None
    kind: str
    etag: str


class StaticPages:
    """`folders`: below which address each stands; the first one that has a file gives it."""

    def __init__(self, folders: Mapping[str, Path], language: Language = Language.SPANISH) -> None:
        self._files: dict[str, _File] = {}
        for below, folder in folders.items():
            assert below.startswith("/") and below.endswith("/"), "an address of a folder"
            for path in _files_of(folder):
                self._files.setdefault(below + path.relative_to(folder).as_posix(), _read(path, language))
        if _MARK in self._files:
            self._files[_ASKED_UNASKED] = self._files[_MARK]

    def addresses(self) -> frozenset[str]:
        return frozenset(self._files)

    def answer(self, request: Request) -> Response:
        """To GET and HEAD; of the last nothing but the headers is sent (server.py)."""
        path = request.url.path
        file = self._files.get(path + _INDEX if path.endswith("/") else path)
        if file is None and f"{path}/{_INDEX}" in self._files:
            return RedirectResponse(f"{path}/", status_code=308)
        if file is None:
            raise HTTPException(404)
        headers = {"etag": file.etag, "vary": "accept-encoding"}
        if file.etag in _known(request):
            return Response(status_code=304, headers=headers)
        if file.squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.squeezed, headers=headers | {"content-encoding": "gzip"}, media_type=file.kind)
        return Response(file.content, headers=headers, media_type=file.kind)


def _files_of(folder: Path) -> Iterator[Path]:
    """Those that are meant to be served; what an editor or a system leaves there is none."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts):
            yield path


def _read(path: Path, language: Language) -> _File:
    assert path.suffix in _KINDS, f"{path}: no browser is told what that is"
    content = path.read_bytes()
    if path.suffix == ".html":
        content = content.replace(_SPEAKS, f'<html lang="{language}">'.encode(), 1)
    squeezed = gzip.compress(content, mtime=0) if path.suffix not in _PACKED else content
    is_worth = len(content) >= _LEAST_WORTH_SQUEEZING and len(squeezed) < len(content)
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return _File(content, squeezed if is_worth else None, _KINDS[path.suffix], etag)


def _known(request: Request) -> set[str]:
    """The fingerprints of what the browser has."""
    return {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
