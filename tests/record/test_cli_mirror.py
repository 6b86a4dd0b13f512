"""A burned box made anew from the mirror at its casino's node, as two tired persons do it (issue 15, "The mirror")."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pysqlite3
import pytest

from controller.node.book.escrow import (
    EscrowRefused,
    new_code,
    opened,
    public_place,
    read_code,
    unseal,
)
from controller.node.book.seeds import Seeds
from controller.node.service.sealed import Sealer
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from support.edits.mirrored import mirrored
from support.pozo import pozo

pytestmark = pytest.mark.process  # whoever types codes and PINs does it at the real command
POZO = Path(sys.executable).parent / "pozo"
PIN = "246810"
REASON = ("--by", "tito", "--second", "ana", "--reason", "se quemó la caja")


def run(*arguments, typed=None):
    if typed is None:
        return pozo(*arguments)
    done = subprocess.run([POZO, *map(str, arguments)], input=typed, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """Its folder, as it was before it burned, and the two codes on paper."""
    folder = tmp_path_factory.mktemp("box")
    assert run("rehearse", folder, "--passes", 300, "--days", 2, "--seed", 7)[0] == 0
    code, out, err = run("escrow", folder, "--by", "tito", "--second", "ana", typed="\n\n\n\n")
    assert code == 0, err
    Seeds(folder / "seeds").save("2026-11-03", 1, bytes(range(32)))
    return folder, tuple(re.findall(r"Código de \w+: (\S+)", out))


@pytest.fixture(scope="module")
def mirror(box, tmp_path_factory):
    """At the casino's node, with what the box sealed."""
    folder, _ = box
    to = tmp_path_factory.mktemp("casino") / "ensayo.db"
    return mirrored(folder / "node.db", to, sealed(folder))


def sealed(folder):
    sealer = Sealer(SimpleNamespace(name="ensayo", folder=folder), lambda: Reader.open(folder / "node.db"))
    assert sealer() == sealer(), "what did not change is not sealed anew"
    return sealer()


def rows_of(record):
    """Every row of a record."""
    with Reader.open(record) as reader:
        return {
            name: list(rows())
            for name, rows in {
                "facts": reader.facts, "postings": reader.posting_rows, "balances": reader.balance_rows,
                "outcomes": reader.outcome_rows, "checkpoints": reader.checkpoints, "people": reader.people, "snapshots": reader.snapshots,
            }.items()
        }  # fmt: skip


def test_r26_a_burned_box_is_made_anew_from_its_mirror_with_key_pins_and_seeds(box, mirror, tmp_path):
    folder, codes = box
    back, typed = tmp_path / "new" / "node.db", f"{codes[0]}\n{codes[1].lower().replace('-', ' ')}\n{PIN}\n{PIN}\n"
    began = time.monotonic()
    code, out, err = run("restore", mirror, back, "--mirror", *REASON, typed=typed)
    took = time.monotonic() - began

    assert code == 0, err
    assert took < 120, "far from the five minutes of a person"
    before, after = rows_of(folder / "node.db"), rows_of(back)
    assert f"hasta el hecho {len(before['facts'])}, época" in out
    for name in ("facts", "postings", "outcomes", "checkpoints", "people", "snapshots"):
        assert after[name][: len(before[name])] == before[name], f"{name}: nothing acknowledged is missing"
    assert after["balances"] == before["balances"]
    assert after["facts"][-1].kind == "node_restored" and len(after["facts"]) == len(before["facts"]) + 1
    code, out, _ = run("verify", back)
    assert (code, out[:6]) == (0, "BIEN: "), out
    for name in ("node.key", "pepper", "escrow.pub"):
        assert (back.parent / name).read_bytes() == (folder / name).read_bytes()
        assert (back.parent / name).stat().st_mode & 0o077 == 0
    assert [one.name for one in (back.parent / "seeds").iterdir()] == [one.name for one in (folder / "seeds").iterdir()]
    assert run("restore", mirror, back, "--mirror", *REASON, typed=typed)[0] == 1, "never over another record"
    code, out, _ = run("verify", back, "--mirror", mirror)
    assert code == 0 and "ESPEJO BIEN" in out and "al espejo, 1." in out


def test_who_has_not_both_codes_and_both_pins_makes_nothing(box, mirror, tmp_path):
    _, codes = box
    back = tmp_path / "node.db"
    other = new_code()
    for typed, words in (
        (f"{codes[0]}\n{other}\n{PIN}\n{PIN}\n", "no abren el depósito"),
        (f"{codes[0]}\n{codes[0]}\n{PIN}\n{PIN}\n", "no abren el depósito"),
        (f"{codes[0][:-1]}?\n{codes[1]}\n{PIN}\n{PIN}\n", "letra por letra"),
        (f"{codes[0]}\n{codes[1]}\n111111\n{PIN}\n", "PIN"),
    ):
        code, _, err = run("restore", mirror, back, "--mirror", *REASON, typed=typed)
        assert code == 1 and words in err, err
        assert not back.exists()
    assert run("restore", mirror, back, "--mirror", *REASON, "--new-pins", typed="")[0] == 2
    shutil.copy(box[0] / "pepper", tmp_path / "node.key")
    code, _, err = run("restore", mirror, back, "--mirror", *REASON, typed=f"{codes[0]}\n{codes[1]}\n{PIN}\n{PIN}\n")
    assert code == 1 and "aquí ya hay otro" in err


def test_a_mirror_without_an_escrow_or_of_another_box_says_so(box, mirror, tmp_path):
    folder, codes = box
    bare = mirrored(folder / "node.db", tmp_path / "bare.db")
    typed = f"{codes[0]}\n{codes[1]}\n{PIN}\n{PIN}\n"
    code, _, err = run("restore", bare, tmp_path / "a/node.db", "--mirror", *REASON, typed=typed)
    assert code == 1 and "pozo escrow" in err
    code, _, err = run("restore", folder / "node.db", tmp_path / "a/node.db", "--mirror", *REASON, typed=typed)
    assert code == 1 and "no es el espejo" in err

    shutil.copy(mirror, tmp_path / "cut.db")
    raw = pysqlite3.connect(tmp_path / "cut.db")
    raw.execute("DROP TRIGGER fact_no_update")
    raw.execute("UPDATE fact SET body = CAST(replace(body, 'at', 'ta') AS BLOB) WHERE seq = 40")
    raw.commit()
    raw.close()
    code, _, err = run("restore", tmp_path / "cut.db", tmp_path / "a/node.db", "--mirror", *REASON, typed=typed)
    assert code == 1 and "hecho 40: " in err
    assert not (tmp_path / "a/node.db").exists()


def test_verify_beside_a_mirror_says_where_they_part(box, mirror, tmp_path):
    folder, _ = box
    code, out, _ = run("verify", folder / "node.db", "--mirror", mirror, "--json")
    assert code == 0 and '"record_lacks": 0' in out
    old = tmp_path / "old"
    assert run("rehearse", old, "--passes", 10, "--days", 1, "--seed", 8)[0] == 0
    code, out, _ = run("verify", old / "node.db", "--mirror", mirror)
    assert code == 1 and out.startswith("BIEN: ") and "ESPEJO MAL: fact 1: su espejo tiene otro" in out


def test_a_code_is_read_however_it_is_typed_and_a_slip_is_found():
    code = new_code()
    assert re.fullmatch(r"([0-9A-Z]{4}-){3}[0-9A-Z]{4}", code)
    assert read_code(code.lower()) == read_code(f"  {code.replace('-', '')} ") == code.replace("-", "")
    slips = 0
    for at in range(len(code)):
        other = "A" if code[at] != "A" else "B"
        try:
            read_code(code[:at] + other + code[at + 1 :])
        except EscrowRefused:
            slips += 1
    assert slips >= len(code) - 5, "31 of 32 slips"


def test_what_was_sealed_opens_for_both_codes_alone_and_whole(box):
    folder, codes = box
    text = sealed(folder)
    escrow = unseal(codes, text)

    assert escrow == unseal(codes[::-1], text), "in whatever order"
    assert (escrow.key, escrow.pepper) == ((folder / "node.key").read_bytes(), (folder / "pepper").read_bytes())
    assert sealed(folder) != text, "under another key each time"
    for secret in (escrow.key, escrow.pepper[:64], *(one.encode() for one in escrow.verifiers.values())):
        assert secret not in text
    for at in (0, 31, 32, len(text) - 1):
        assert unseal(codes, text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]) is None
    assert unseal((codes[0], new_code()), text) is None
    with pytest.raises(EscrowRefused):
        opened((codes[0], new_code()), [text])
    assert public_place(folder).read_bytes() not in text
    assert sealed(folder.parent) is None, "nothing is sealed for nobody"


def test_the_casinos_disk_holds_no_secret_of_the_box(box, mirror):
    """The thief of it, with a day to look."""
    folder, _ = box
    disk = mirror.read_bytes()
    pepper = (folder / "pepper").read_bytes().strip()
    key = b"".join((folder / "node.key").read_bytes().splitlines()[1:-1])

    assert pepper not in disk and bytes.fromhex(pepper.decode()) not in disk and key not in disk
    assert b"$pozo2$" not in disk and b"argon2" not in disk
    file = MirrorFile.read(mirror)
    assert file.escrows()
    file.close()
