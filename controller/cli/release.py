"""`pozo release`: a vendor's signed list of the files that a release consists of.

Theory. A node signs with the hash of the program that runs it (docs/record.md, The program), and anybody could have
made that program. A vendor says once for each release which files it has, and signs the list with a key that never
comes near a casino; its public half reaches the auditor by another way than the program. `pozo verify --program LIST
--vendor KEY` compares every signature and every start on record with such lists.
"""

from pathlib import Path

import click

from controller.about import VERSION, files, program
from controller.node.book.chain import Key


@click.command()
@click.argument("to", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The vendor's private key (Ed25519, mode 600); made where there is none yet.",
)
def release(to: Path, key_file: Path) -> None:
    """Sign a list of this program's files, for auditors (docs/record.md)."""
    key = Key.load_or_make(key_file)
    lines = "".join(f"{hash_}  {name}\n" for name, hash_ in files())
    text = f"pozo release 1\nversion {VERSION}\nvendor {key.public}\nprogram {program()}\n{lines}"
    to.write_text(f"{text}signature {key.sign_release(text.encode())}\n", encoding="utf-8")
    click.echo(f"{to}: pozo {VERSION}, {len(files())} archivos, programa {program()}")
    click.echo(f"Llave pública del fabricante: {key.public}")
