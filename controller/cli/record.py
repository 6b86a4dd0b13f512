"""`pozo rehearse`, `verify`, `report`, `explain`, `meters`, `export`, `backup`, `migrate`.

Theory. Each command opens a record, lets the parts do the work and says what came out; nothing is decided here. Exit
code 0: all good. 1: an answer that says no (a damaged record, a refused report). 2: the command was called wrongly.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import click
import msgspec

from controller.cli.place import PLACE, record_at, record_in, zone_here
from controller.cli.progress import progress_of
from controller.core.facts import Fact
from controller.core.values import Documents
from controller.documents import fault_of, read_text, shelf
from controller.explain.explain import explain as explanation
from controller.node.book.book import Asked, Book, pepper_of
from controller.node.book.chain import Key
from controller.node.book.pins import Pepper, verifier_of
from controller.node.store.backup import back_up, give_name, make_private, refuse_taken
from controller.node.store.failure import StoreRefused
from controller.node.store.mirror import MirrorFile
from controller.node.store.rows import OutcomeKey
from controller.node.store.schema import NEWEST
from controller.node.store.store import Reader
from controller.node.store.versions import file_of
from controller.node.store.versions import migrate as lead_forward
from controller.node.vocabulary.protocol import is_pin
from controller.play.rehearsal import ADMINISTRATORS, START, Rehearsal, Said
from controller.record.export import export as write_export
from controller.record.reading import newest_witness
from controller.record.record import Record
from controller.report import forms as report_forms
from controller.report import meters as pot_meters
from controller.report.counting import report as report_of
from controller.report.pdf import as_pdf
from controller.report.scope import KINDS
from controller.report.scope import ask as report_asked
from controller.rules.refusal import Reason
from controller.verify.chain import Outside, read_key, read_release, read_witness
from controller.verify.law import Published
from controller.verify.links.across import Across, Side, compare, side_of
from controller.verify.links.mirror import Beside, beside
from controller.verify.links.months import months_of
from controller.verify.links.pages import Stated, Which
from controller.verify.verify import Verdict
from controller.verify.verify import verify as check_record


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--passes", type=click.IntRange(10, 10**8), default=3_000, help="Passes in all, at ten tables.")
@click.option("--days", type=click.IntRange(1, 3_650), default=3, help="Gaming days.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, help="The same seed plays the same casino.")
@click.option("--pin", default="246810", help="The PIN of everybody in the rehearsal.")
def rehearse(folder: Path, passes: int, days: int, seed: int, pin: str) -> None:
    """Play a whole casino into a new record: ten tables, two pots, every mishap (docs/operators/commands.md)."""
    if not is_pin(pin):
        raise click.BadParameter("six to twelve digits", param_hint="--pin")
    folder.mkdir(parents=True, exist_ok=True)
    book = Book.create(folder / "node.db", Key.load_or_make(folder / "node.key"), "ensayo", ADMINISTRATORS, START - 1)
    numbers = count(1)

    def take(said: Sequence[Said], at: int) -> list[tuple[Fact, ...]]:
        asks = [Asked(OutcomeKey("ensayo", 1, next(numbers)), at, one.input, one.verifier) for one in said]
        return [answered.facts for answered in book.take(asks)]

    laws = shelf()
    documents = tuple(
        Documents(read_text(laws / "plans" / plan).text, read_text(laws / "rulesets" / law).text)
        for plan, law in (("ensayo-estelar.toml", "scj-2023.toml"), ("ensayo-norte.toml", "arica-2017.toml"))
    )
    pepper = Pepper.load_or_make(pepper_of(folder))
    chance = random.Random(seed)  # noqa: S311  a play
    casino = Rehearsal(take, lambda: book.state, documents, chance, lambda one: verifier_of(pin, one, pepper))
    with closing(book), progress_of("jugando", passes) as step:
        casino.play(days, passes, step)
        book.checkpoint()
    click.echo(f"{folder / 'node.db'}: {casino.passes} pases, {book.seq} hechos, {days} días de juego")


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
PUBLISHED = Published(fault_of, {reason.code: (reason.rule, reason.sentence) for reason in Reason})


@contextmanager
def _upto(what: str, record: Record) -> Iterator[Callable[[int], None]]:
    """A progress bar that moves to the fact that was reached; its end is known only where the record has a head."""
    head = record.head() if isinstance(record, Reader) else None
    with progress_of(what, head.seq if head else None) as step:
        last = 0

        def reached(seq: int) -> None:
            nonlocal last
            step(seq - last)
            last = seq

        yield reached


@click.command()
@click.argument("places", metavar="RECORD...", nargs=-1, required=True)
@click.option("--witness", help="A kept checkpoint, or the digits of a report: finds a cut or rewritten record.")
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep the newest checkpoint as a witness."
)
@click.option("--key", help="The node's public key, from outside the record: its digits, or a file with them.")
@click.option("--program", "lists", multiple=True, type=_FILE, help="A vendor's signed list of a release; repeatable.")
@click.option("--vendor", help="The vendor's public key, from outside: its digits, or a file with them.")
@click.option("--mirror", type=_FILE, help="The mirror that the casino's node keeps of this record: where they part.")
@click.option("--months", is_flag=True, help="Also the hash of every month with each neighbour (pozo clearing).")
@click.option("--json", "json_wanted", is_flag=True, help="For programs.")
def verify(
    places: tuple[str, ...],
    witness: str | None,
    keep: Path | None,
    key: str | None,
    lists: tuple[Path, ...],
    vendor: str | None,
    mirror: Path | None,
    months: bool,
    json_wanted: bool,
) -> None:
    """Compute a whole record again, and name the first fact that is wrong; of several, also what they say otherwise."""
    of_one = {"--witness": witness, "--keep": keep, "--key": key, "--mirror": mirror, "--months": months or None}
    for option, given in of_one.items():
        if len(places) > 1 and given is not None:
            raise click.BadParameter("of one record only", param_hint=option)
    if lists and vendor is None:
        raise click.BadParameter("a list proves nothing without the vendor's own key", param_hint="--vendor")
    kept = None if witness is None else read_witness(_given(witness))
    of_vendor = read_key(_given(vendor)) if vendor is not None else ""
    programs = frozenset(read_release(file.read_bytes(), of_vendor) for file in lists)
    outside = Outside(read_key(_given(key)) if key is not None else "", programs)
    if len(places) > 1:
        sys.exit(_verify_several(places, outside, json_wanted=json_wanted))
    with record_at(places[0]) as record, _upto("verificando", record) as reached:
        verdict = check_record(record, PUBLISHED, kept, reached, outside)
        text = newest_witness(record) if keep is not None and verdict.is_good else b""
        compared = _beside(record, mirror) if mirror is not None else None
        stated = months_of(record) if months and verdict.is_good else {}
    if json_wanted:
        click.echo(_as_json(verdict, compared, stated))
    else:
        _say(verdict)
        if compared is not None:
            _say_beside(compared)
        for (month, pot, below, above), one in stated.items():
            click.echo(f"{below} y {above}, {pot}, {month}: saldo {one.closing}, huella {one.hash}.")
    if verdict.wrong is not None or (compared is not None and compared.wrong is not None):
        sys.exit(1)
    if keep is not None:
        keep.write_bytes(text)


def _verify_several(places: tuple[str, ...], outside: Outside, *, json_wanted: bool) -> int:
    """R-28: each by itself; then, where all are good, what they say of each other."""
    verdicts: dict[str, Verdict] = {}
    sides: list[Side] = []
    for place in places:
        with record_at(place) as record, _upto(f"verificando {record.node}", record) as reached:
            verdicts[place] = check_record(record, PUBLISHED, None, reached, outside)
            if verdicts[place].is_good:
                sides.append(side_of(record))
    all_good = all(verdict.is_good for verdict in verdicts.values())
    across = compare(sides) if all_good else None
    if json_wanted:
        said = {place: _fields(verdict) for place, verdict in verdicts.items()}
        both = {"records": said, "across": across and across._asdict() | {"good": across.is_good}}
        click.echo(msgspec.json.format(msgspec.json.encode(both)).decode())
    else:
        for place, verdict in verdicts.items():
            click.echo(f"== {place}")
            _say(verdict)
        _say_across(across)
    return 0 if across is not None and across.is_good else 1


def _say_across(across: Across | None) -> None:
    if across is None:
        click.echo("ENTRE ELLOS: no se compara mientras uno esté mal.")
        return
    click.echo(f"ENTRE ELLOS: {'BIEN' if across.is_good else 'MAL'}")
    for one in across.compared:
        click.echo(f"{one.below} y {one.above}: {one.letters} cartas iguales.")
        for cleared in one.clearing:
            marks = f"carta {cleared.up} de {one.below}, {cleared.log} del pozo"
            what = f"{cleared.times} saldos iguales, el último ({marks}) de {cleared.amount}"
            click.echo(f"{one.below} y {one.above}, {cleared.pot}: {what}.")
        for month in one.months:
            said = f"la misma compensación de {month.month}, saldo {month.closing}, huella {month.hash}"
            click.echo(f"{one.below} y {one.above}, {month.pot}: {said}.")
    for difference in across.different:
        click.echo(f"DISTINTO: {difference}.")
    for one_open in across.open:
        click.echo(f"No se pudo comprobar: {one_open}.")


def _given(text: str) -> bytes:
    """What stands in the file of this name; or the words themselves."""
    file = Path(text)
    return file.read_bytes() if file.is_file() else text.encode()


def _beside(record: Record, mirror: Path) -> Beside:
    with closing(MirrorFile.read(mirror)) as kept:
        return beside(record.facts(), kept.facts())


def _say_beside(compared: Beside) -> None:
    if compared.wrong is not None:
        click.echo(f"ESPEJO MAL: {compared.wrong}")
        click.echo(f"Los primeros {compared.equal} hechos son los mismos.")
    else:
        click.echo(f"ESPEJO BIEN: {compared.equal} hechos iguales.")
    click.echo(f"Al registro le faltan {compared.record_lacks} hechos del espejo; al espejo, {compared.mirror_lacks}.")


def _fields(verdict: Verdict) -> dict[str, Any]:
    return verdict._asdict() | {"wrong": verdict.wrong and verdict.wrong._asdict(), "good": verdict.is_good}


def _as_json(verdict: Verdict, compared: Beside | None, months: dict[Which, Stated]) -> str:
    said = _fields(verdict)
    if months:
        said["months"] = [[*of, *stated] for of, stated in months.items()]
    if compared is not None:
        said["mirror"] = compared._asdict() | {"wrong": compared.wrong and compared.wrong._asdict()}
    return msgspec.json.format(msgspec.json.encode(said)).decode()


def _say(verdict: Verdict) -> None:
    if verdict.wrong is not None:
        click.echo(f"MAL: {verdict.wrong.place}: {verdict.wrong.why} ({verdict.wrong.rule})")
        return
    click.echo(f"BIEN: {verdict.facts} hechos, {verdict.postings} asientos, {verdict.checkpoints} testigos firmados.")
    click.echo(f"Último hecho: {verdict.head}")
    click.echo(f"Llave del nodo: {verdict.key}")
    for one in verdict.not_verified:
        click.echo(f"No se pudo comprobar: {one}.")
    click.echo(_after_the_last_signature(verdict))


def _after_the_last_signature(verdict: Verdict) -> str:
    """What anybody could have written who can write the file."""
    if not verdict.unsigned:
        return "0 hechos después de la última firma."
    since = datetime.fromtimestamp(verdict.unsigned_since / 1000, UTC)
    return f"{verdict.unsigned} hechos después de la última firma, el más antiguo de {since:%Y-%m-%d %H:%M:%S} UTC."


@click.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("name")
@PLACE
@click.option("--day", default="", help="Narrow a pot or a table to one gaming day.")
@click.option("--month", default="", help="Narrow a pot or a table to one month, YYYY-MM.")
@click.option("--csv", "form", flag_value="csv", help="One row a figure, with the facts it comes from.")
@click.option("--json", "form", flag_value="json", help="For programs.")
@click.option("--pdf", type=click.Path(dir_okay=False, path_type=Path), help="Also as a PDF to sign.")
@click.option("--facts", is_flag=True, help="List the facts of every figure.")
def report(
    kind: str, name: str, place: str, day: str, month: str, form: str | None, pdf: Path | None, facts: bool
) -> None:
    """What a day, month, pot, award or table collected, gave and owes, each figure with its facts."""
    with record_at(place) as record:
        found = report_of(record, report_asked(kind, name, day, month), keep_facts=facts)
    if pdf is not None:
        pdf.write_bytes(as_pdf(found, zone_here()))
    forms = {"csv": report_forms.as_csv, "json": report_forms.as_json}
    click.echo(forms[form](found) if form else report_forms.as_text(found, zone_here()), nl=False)
    sys.exit(0 if found.holds else 1)


@click.command()
@click.argument("what", metavar="AWARD|FACT")
@PLACE
def explain(what: str, place: str) -> None:
    """The arithmetic of one award or one fact, rule by rule, as for a disputing player."""
    with record_at(place) as record:
        click.echo(explanation(record, what, zone_here()), nl=False)


@click.command()
@PLACE
@click.option("--pot", default="", help="Only this pot.")
@click.option("--json", "json_wanted", is_flag=True, help="For programs.")
def meters(place: str, pot: str, json_wanted: bool) -> None:
    """What each pot has seen in its life, counted again from the facts."""
    with record_at(place) as record:
        found = pot_meters.meters(record, pot)
    click.echo(pot_meters.as_json(found) if json_wanted else pot_meters.as_text(found, zone_here()), nl=False)


@click.command()
@PLACE
@click.argument("to", type=click.Path(dir_okay=False, path_type=Path))
def export(place: str, to: Path) -> None:
    """The whole record as JSON Lines, an open format that `verify` accepts (docs/record.md)."""
    refuse_taken(to)
    aside = to.with_name(to.name + ".part")
    with record_at(place) as record, _upto("exportando", record) as reached:
        make_private(aside)
        try:
            with aside.open("wb") as file:
                counts = write_export(record, file, reached)
            give_name(aside, to)
        finally:
            aside.unlink(missing_ok=True)
    click.echo(f"{to}: {counts.get('fact', 0)} hechos, {sum(counts.values())} líneas")


@click.command()
@click.argument("record", type=click.Path(exists=True, path_type=Path))
@click.argument("to", type=click.Path(dir_okay=False, path_type=Path))
def backup(record: Path, to: Path) -> None:
    """A proven copy of a record, also while its node runs."""
    record = record_in(record)
    back_up(record, to)
    click.echo(f"{to}: copia probada de {record}")


@click.command()
@PLACE
@click.option("--copied", is_flag=True, help="A PostgreSQL database was copied with pg_basebackup before.")
def migrate(place: str, copied: bool) -> None:
    """Lead the record of an earlier version to today's; no fact, balance or sum changes, and a copy stays."""
    path = Path(place)
    where = record_in(path) if path.is_dir() else place
    if file_of(where) is None and not copied:
        raise StoreRefused("base PostgreSQL", "primero cópiela con pg_basebackup; después: pozo migrate --copied")
    made = lead_forward(where)
    if made is None:
        click.echo(f"{where}: ya es de la versión {NEWEST}; no hay nada que migrar.")
        return
    proof = made.proof
    head = f"{proof.head[0]}-{proof.head[1].hex()[:16]}" if proof.head else "ninguno"
    click.echo(f"{where}: migrado de la versión {made.since} a la {NEWEST}.")
    click.echo(
        f"Antes y después, lo mismo: último hecho {head}; {proof.facts} hechos; {len(proof.balances)} saldos;"
        f" las sumas de los asientos de {len(proof.sums)} cuentas."
    )
    if made.copy is not None:
        click.echo(f"El registro como estaba antes: {made.copy}. Guárdelo hasta que `pozo verify` diga BIEN.")
    click.echo(
        "Desde el próximo arranque se decide por las reglas de este programa; lo que consta queda con las suyas."
    )
