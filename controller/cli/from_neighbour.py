"""`pozo restore CONFIG --from NEIGHBOUR`: a burned box takes its mirror from its casino's node, to be made anew of it.

Theory. The settings of the box say where that node listens and what its key's fingerprint is; who typed the key is
compared with that. The codes are asked for first, because what comes is believed by them. When all of it is there, the
two hear in numbers what they are about to sign: up to which fact, what only the other node vouches for, and what heads
know more; then their PINs, and it is a restore like any other (restore.py). What came is removed at the end, and
stays whenever something else happens: the same command goes on with it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from controller.cli.asked import Mistyped, code_of, public_key_in
from controller.cli.progress import progress_of
from controller.core.values import Side
from controller.node.book.book import record_of
from controller.node.book.escrow import read_code
from controller.node.book.founded import founded_key
from controller.node.book.heads import RecordEnd, SignedHead, contradiction, own_place, place_in, read_heads
from controller.node.book.link_key import LinkKey
from controller.node.link.sockets import OwnKey
from controller.node.rebirth.fetch import Above, Fetch
from controller.node.rebirth.mirror_copy import MirrorCopy
from controller.node.service.installation import alone_in
from controller.node.service.owner import work_as_owner
from controller.node.settings.settings import SettingsForm, read_form
from controller.node.store.backup import refuse_taken, remove
from controller.node.store.mirror import MirrorFile
from controller.node.vocabulary.disk import private_folder
from controller.node.vocabulary.fingerprint import fingerprint_of

_FETCHED = ".fetched"
_SOCKETS = "link"


class Fetched(NamedTuple):
    """`copy`: the whole mirror, where it lies; `to`: the record that is to be; `places`: of heads that can be read."""

    copy: Path
    to: Path
    codes: tuple[str, str]
    places: tuple[Path, ...]


@contextmanager
def fetched_from(
    config: Path, neighbour: str, key: str, people: tuple[str, str], heads: Sequence[Path]
) -> Iterator[Fetched]:
    """The mirror, while nobody else works in the folder; it goes when all went well. Or one sentence why not."""
    form = read_form(config)
    above = _above(form, neighbour, key)
    to = record_of(form.folder)
    refuse_taken(to)
    work_as_owner(form.folder, config.stem)
    private_folder(form.folder)
    with alone_in(form.folder):
        own = LinkKey.load_or_make(form.folder)
        click.echo(f"Este nodo: huella {fingerprint_of(own.public.hex())}", err=True)
        codes = code_of(people[0]), code_of(people[1])
        for code in codes:
            read_code(code)
        copy = to.with_name(to.name + _FETCHED)
        _fetch(form, above, own, copy, codes)
        places = (*heads, *_that_can_be_read(form.head_places))
        _tell(copy, to, above.name, places)
        yield Fetched(copy, to, codes, places)
        remove(copy)


def _above(form: SettingsForm, neighbour: str, key: str) -> Above:
    places = {one.place.name: one.place for one in form.neighbours if one.place.side is Side.ABOVE}
    if neighbour not in places:
        raise Mistyped(
            f'{form.file}: no hay un [[neighbour]] {neighbour} con side = "above"; el espejo lo tiene su casino'
        )
    place, public = places[neighbour], public_key_in(key)
    if fingerprint_of(public) != place.fingerprint:
        raise Mistyped(
            f"{form.file}: neighbour.fingerprint de {neighbour} no es la de esta llave: una de las dos es de otro"
        )
    return Above(neighbour, place.address, bytes.fromhex(public))


def _fetch(form: SettingsForm, above: Above, own: LinkKey, fetched: Path, codes: tuple[str, str]) -> None:
    fetch = Fetch(form.name, above, OwnKey(own.public, own.secret), form.folder / _SOCKETS)
    with closing(fetch), closing(MirrorCopy(fetched, form.name, codes)) as copy, ExitStack() as shown:
        bar = _Bar(lambda last: shown.enter_context(progress_of(f"espejo en {above.name}", last)))
        fetch.run(copy, bar)


class _Bar:
    """On a terminal; it opens with the first answer, which says how much there is."""

    def __init__(self, opened: Callable[[int], Callable[[int], None]]) -> None:
        self._opened, self._done = opened, 0
        self._step: Callable[[int], None] | None = None

    def __call__(self, copy: MirrorCopy) -> None:
        assert copy.last is not None, "each answer says where the mirror ends"
        if self._step is None:
            self._step = self._opened(copy.last.seq)
        end = copy.end.seq if copy.end is not None else 0
        self._step(end - self._done)
        self._done = end


def _that_can_be_read(places: Sequence[Path]) -> list[Path]:
    """A stick that is not there is said, and keeps nobody from it."""
    there = [one for one in places if one.is_dir()]
    for one in places:
        if one not in there:
            click.echo(f"{one}: no está; lo que sabe de este registro no se mira", err=True)
    return there


def _tell(fetched: Path, to: Path, casino: str, places: Sequence[Path]) -> None:
    with closing(MirrorFile.read(fetched)) as mirror:
        end, signed = mirror.end(), mirror.last_signed()
        assert end is not None, "a whole copy has its founding"
        click.echo(
            f"Espejo en {casino}: hasta el hecho {end.seq}, época {end.epoch}. Firmado hasta el {signed}", err=True
        )
        if end.seq > signed:
            click.echo(f"De los {end.seq - signed} hechos que siguen responde sólo {casino}.", err=True)
        files = [own_place(to), *(place_in(folder, mirror.node) for folder in places)]
        found = [head for file in files for head in read_heads(file, mirror.node, founded_key(mirror)).heads]
        at = RecordEnd(end.epoch, end.seq, lambda seq: _hash_at(mirror, seq), ())
        _tell_what_is_missing(at, [head for head in found if contradiction(at, head)])


def _tell_what_is_missing(at: RecordEnd, ahead: Sequence[SignedHead]) -> None:
    newest = max(ahead, key=lambda head: head.order, default=None)
    if newest is not None:
        said = newest.checkpoint
        click.echo(
            f"A este espejo le falta: un testigo firmado llega al hecho {said.seq} (época {said.epoch}) y el espejo al"
            f" {at.seq} (época {at.epoch}). Las dos personas firman lo que se pierde.",
            err=True,
        )


def _hash_at(mirror: MirrorFile, seq: int) -> str:
    found = mirror.at(seq)
    return found.hash.hex() if found is not None else ""
