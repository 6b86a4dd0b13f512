"""`pozo clearing`: what two nodes that share a pot owe each other for a month, and whether two pages of it agree.

Theory. The page is made from one record and signed where the node's key lies; elsewhere it says that nobody signed it.
A record that is behind a head which this node signed is an old copy, and nobody signs its page. Exit code 1: it does
not hold, the pages differ, or nobody vouches for them.
"""

import sys
from pathlib import Path

import click

from controller.cli.place import RECORD, record_at, zone_here
from controller.core.facts import NodeRestored
from controller.node.book.chain import Key, KeyRefused
from controller.node.book.heads import contradiction, end_of, own_place, read_heads
from controller.node.store.store import Reader
from controller.record.reading import entries
from controller.record.record import Record
from controller.report.clearing import clearing as clearing_of
from controller.report.clearing_page import Sign, as_csv, as_json, as_pdf, as_text
from controller.verify.chain import read_key
from controller.verify.links.pages import Page, compare_pages, read_page

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("words", metavar="MONTH RECORD | --check PAGE...", nargs=-1, required=True)
@click.option("--pot", default="", help="Only this pot.")
@click.option("--with", "neighbour", default="", help="Only with this neighbour.")
@click.option("--csv", "form", flag_value="csv", help="One row a line, in whole minor units.")
@click.option("--json", "form", flag_value="json", help="For programs.")
@click.option("--pdf", type=_FILE, help="Also as a PDF to sign.")
@click.option("--sign", "key_file", type=_FILE, help="The node's key; that beside the record, if there is one.")
@click.option("--check", is_flag=True, help="Compare pages of two nodes, and look at their signatures.")
@click.option("--key", "keys", multiple=True, metavar="NODE=KEY", help="With --check: a node's key, from outside.")
def clearing(
    words: tuple[str, ...],
    pot: str,
    neighbour: str,
    form: str | None,
    pdf: Path | None,
    key_file: Path | None,
    keys: tuple[str, ...],
    *,
    check: bool,
) -> None:
    """What a node and its neighbours owe each other for a month, from its record; the same hash on both sides."""
    if check:
        sys.exit(_check(words, dict(_key_of(one) for one in keys)))
    if len(words) != 2:
        raise click.BadParameter("a month, YYYY-MM, and a record", param_hint="MONTH RECORD")
    month, place = words
    with record_at(place) as record:
        found = clearing_of(record, month, pot, neighbour)
        sign = _signature(record, place, key_file, found.key)
    if pdf is not None:
        pdf.write_bytes(as_pdf(found, zone_here(), sign))
    forms = {"csv": as_csv, "json": as_json}
    click.echo(forms[form](found, sign) if form else as_text(found, zone_here(), sign), nl=False)
    sys.exit(0 if found.holds else 1)


def _signature(record: Record, place: str, key_file: Path | None, public: str) -> Sign | None:
    """The node's own, where its key can be read; never that of another node, nor under an old copy of its record."""
    path = Path(place) / RECORD if Path(place).is_dir() else Path(place)
    file = key_file or path.with_suffix(".key")
    if key_file is None and not _can_be_read(file):
        return None
    if not file.exists():
        raise KeyRefused(str(file), "no hay una llave aquí")
    key = Key.load_or_make(file)
    if key.public != public:
        raise KeyRefused(str(file), "no es la llave del nodo de este registro: con ella no se firma su página")
    _refuse_old_copy(record, path, key)
    return key.sign_clearing


def _can_be_read(file: Path) -> bool:
    try:
        with file.open("rb"):
            return True
    except OSError:
        return False


def _refuse_old_copy(record: Record, path: Path, key: Key) -> None:
    """R-27: the heads beside the record say where it once stood."""
    if not isinstance(record, Reader) or not path.is_file():
        return
    left = tuple(one.fact.left for one in entries(record) if isinstance(one.fact, NodeRestored) and one.fact.left)
    end = end_of(record, left)
    for head in read_heads(own_place(path), record.node, key.public).heads:
        if why := contradiction(end, head):
            raise KeyRefused(str(path), f"este registro {why}: su página no se firma")


def _key_of(text: str) -> tuple[str, str]:
    node, _, key = text.partition("=")
    file = Path(key)
    return node, read_key(file.read_bytes() if file.is_file() else key.encode())


def _check(places: tuple[str, ...], keys: dict[str, str]) -> int:
    """R-28: each page by itself, then what they say of each other."""
    pages = [read_page(place, Path(place).read_bytes()) for place in places]
    good = [_say_page(page, keys) for page in pages]
    found = compare_pages(pages)
    for one in found.same:
        click.echo(f"IGUAL: {one}")
    for one in found.different:
        click.echo(f"DISTINTO: {one}")
    for one in found.alone:
        click.echo(f"Sin comparar: {one}")
    return 0 if all(good) and not found.different and (found.same or len(pages) == 1) else 1


def _say_page(page: Page, keys: dict[str, str]) -> bool:
    """Whose it is, and whether it is as it was signed."""
    right = keys.get(page.node)
    for why in page.wrong:
        click.echo(f"MAL: {page.place}: {why}")
    if page.signed is None:
        click.echo(f"SIN FIRMA: {page.place}: dice ser de {page.node}, y nadie la firmó")
    elif not page.signed:
        click.echo(f"FIRMA MALA: {page.place}: no es como {page.node} la firmó; alguien la cambió")
    elif right is not None and right != page.key:
        click.echo(f"LLAVE AJENA: {page.place}: la firmó la llave {page.key}, que no es la de {page.node}")
    else:
        known = "es su llave" if right else "compárela con la que usted guardó"
        click.echo(f"FIRMADA: {page.place}: de {page.node}, con la llave {page.key} ({known})")
    return page.signed is True and not page.wrong and right in (None, page.key)
