"""The commands of a record, as a person runs them: rehearse, verify, report, explain, meters, export, backup, restore."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pysqlite3
import pytest

from controller.node.store.store import Reader
from support.pozo import pozo

POZO = Path(sys.executable).parent / "pozo"
DAY = "2026-11-01"


def run(*arguments, typed=None):
    """Its exit code, output and complaints; whoever types PINs does it at the real command."""
    if typed is None:
        return pozo(*arguments)
    done = subprocess.run([POZO, *map(str, arguments)], input=typed, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def casino(tmp_path_factory):
    folder = tmp_path_factory.mktemp("casino") / "made" / "here"
    code, out, err = run("rehearse", folder, "--passes", 400, "--days", 2, "--seed", 5)
    assert (code, err) == (0, "")
    assert "2 días de juego" in out
    return folder


@pytest.fixture(scope="module")
def record(casino):
    return casino / "node.db"


def test_r27_a_whole_casino_is_verified_and_a_kept_witness_knows_it_again(casino, record):
    code, out, _ = run("verify", record, "--keep", casino / "witness.json")
    assert code == 0
    assert out.startswith("BIEN: ")

    head = out.split("Último hecho: ")[1].split()[0]
    for witness in (casino / "witness.json", head):
        assert run("verify", record, "--witness", witness)[0] == 0
    code, out, _ = run("verify", record, "--witness", "7-0123456789abcdef")
    assert code == 1
    assert out.startswith("MAL: testigo: ")
    code, _, err = run("verify", record, "--witness", "nada")
    assert code == 1
    assert err.startswith("pozo: el testigo no se puede leer")


def test_the_same_seed_plays_the_same_casino_and_never_into_an_old_record(casino, tmp_path, record):
    run("rehearse", tmp_path / "again", "--passes", 400, "--days", 2, "--seed", 5, "--pin", "987654")
    with pysqlite3.connect(record) as one, pysqlite3.connect(tmp_path / "again/node.db") as other:
        bets = "SELECT account, amount FROM posting ORDER BY fact, line"
        assert one.execute(bets).fetchall() == other.execute(bets).fetchall()
    one.close()
    other.close()
    code, _, err = run("rehearse", casino, "--passes", 20)
    assert code == 1
    assert "node.db" in err
    assert run("rehearse", tmp_path / "x", "--pin", "12")[0] == 2


def test_r27_a_report_is_the_same_as_text_csv_and_json_and_is_signed_as_pdf(casino, record):
    code, text, _ = run("report", "day", DAY, record, "--pdf", casino / "day.pdf")
    assert code == 0
    assert text.startswith(f"INFORME DE LA JORNADA {DAY}")
    assert (casino / "day.pdf").read_bytes().startswith(b"%PDF-")
    told = json.loads(run("report", "day", DAY, record, "--json")[1])
    rows = list(csv.reader(io.StringIO(run("report", "day", DAY, record, "--csv", "--facts")[1])))
    assert told["figures"]
    assert len(rows) > len(told["figures"])
    for kind, name in (("month", "2026-11"), ("pot", "ensayo-estelar"), ("table", "DP-01")):
        assert run("report", kind, name, record)[0] == 0


def test_what_is_not_there_is_one_clear_sentence(record, tmp_path):
    for arguments in (
        ("report", "day", "1999-01-01", record),
        ("report", "table", "ZZ-99", record),
        ("explain", "ZZ-99/1/1/1", record),
        ("explain", "99999999", record),
        ("meters", record, "--pot", "nada"),
        ("verify", tmp_path / "nothing.db"),
        ("backup", record, record),
        ("export", tmp_path / "nothing.db", tmp_path / "x"),
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (1, ""), arguments
        assert err.startswith("pozo: "), arguments
        assert err.count("\n") == 1, arguments


def test_r21_an_award_and_a_fact_are_explained_with_their_rules(record):
    award = re.findall(r'"award": *"([^"]+)"', run("meters", record, "--json")[1])[0]
    code, out, _ = run("explain", award, record)
    assert code == 0
    assert f"PREMIO {award}" in out
    assert "(R-" in out
    assert run("explain", "1", record)[1].startswith("HECHO 1 (node_founded)")
    assert "CONTADORES" in run("meters", record)[1]


def test_r27_an_export_is_verified_like_the_store_and_a_changed_line_is_found(record, tmp_path):
    exported = tmp_path / "record.jsonl"
    assert run("export", record, exported)[0] == 0
    assert run("verify", exported)[0] == 0
    code, _, err = run("export", record, exported)
    assert (code, err) == (1, f"pozo: {exported}: ya hay un archivo con este nombre; no se reemplaza\n")
    (to_nowhere := tmp_path / "link.jsonl").symlink_to(tmp_path / "missing")
    for command in ("export", "backup"):
        code, _, err = run(command, record, to_nowhere)
        assert code == 1 and "ya hay un archivo con este nombre" in err, "a link to nowhere has the name too"
    to_nowhere.unlink()
    code, _, err = run("export", record, tmp_path / "nowhere" / "x.jsonl")
    assert code == 1 and "disco" not in err, "the disk of the record is well"
    assert [path.name for path in tmp_path.iterdir()] == ["record.jsonl"], "nothing half done is left"
    text = exported.read_text()
    changed = tmp_path / "changed.jsonl"
    changed.write_text(text.replace('"kind":"bet_made"', '"kind":"bet_mode"', 1))
    code, out, _ = run("verify", changed)
    assert (code, out[:5]) == (1, "MAL: ")


@pytest.mark.process
def test_r26_a_backup_comes_back_under_a_new_epoch_by_two_persons_with_their_pins(record, casino, tmp_path):
    copy = tmp_path / "copy.db"
    assert run("backup", record, copy)[0] == 0
    asked = ("restore", copy, tmp_path / "back.db", "--key", casino / "node.key", "--reason", "prueba", "--by", "tito")
    assert run(*asked, "--second", "ana", typed="246810\n111111\n")[0] == 1
    assert run(*asked, "--second", "carla", typed="246810\n246810\n")[0] == 1
    assert run("restore", copy, tmp_path / "back.db", "--reason", "x", "--by", "tito", "--second", "ana")[0] == 2
    assert run("restore", copy, tmp_path / "back.db", "--reason", "\udcff", "--by", "tito", "--second", "ana")[0] == 2
    assert not list(tmp_path.glob("back.db*"))

    code, out, _ = run(*asked, "--second", "ana", typed="246810\n246810\n")

    assert code == 0
    assert int(out.split("época ")[1]) > 2, "a step by chance: the same backup twice is two epochs"
    code, out, _ = run("verify", tmp_path / "back.db")
    assert (code, out[:6]) == (0, "BIEN: ")
    assert run(*asked, "--second", "ana", typed="246810\n246810\n")[0] == 1, "never over another record"


@pytest.mark.process
def test_r26_two_with_the_key_come_back_where_the_pins_are_lost(record, casino, tmp_path):
    """On another machine, with the key and without the secret under which the PINs lay."""
    copy, key, back = tmp_path / "copy.db", tmp_path / "node.key", tmp_path / "node.db"
    assert run("backup", record, copy)[0] == 0
    shutil.copy(casino / "node.key", key)
    two = ("--key", key, "--reason", "el incendio", "--by", "luis", "--second", "ana")
    code, _, err = run("restore", copy, back, *two, typed="246810\n246810\n")
    assert code == 1 and "falta el secreto de los PIN" in err and "pozo new-pins" in err

    code, out, err = run("restore", copy, back, "--new-pins", *two, typed="121212\n343434\n")

    assert code == 0, err
    assert run("verify", back)[1][:6] == "BIEN: "
    assert "Dos personas con la llave del nodo hicieron PIN nuevos" in found(back, "pins_replaced")
    code, out, err = run(
        "new-pins", tmp_path, "--by", "ana", "--second", "jefa", "--reason", "otra vez", typed="565656\n787878\n"
    )
    assert (code, "PIN nuevos de ana y jefa" in out) == (0, True), err
    assert run("verify", back)[1][:6] == "BIEN: "
    for bad, typed in (
        (("ana", "ana"), "565656\n787878\n"),
        (("jefa", "jefe"), "565656\n787878\n"),
        (("ana", "luis"), "5\n"),
    ):
        by, second = bad
        assert run("new-pins", tmp_path, "--by", by, "--second", second, "--reason", "x", typed=typed)[0] != 0
    key.unlink()
    assert (
        run("new-pins", tmp_path, "--by", "ana", "--second", "luis", "--reason", "x", typed="565656\n787878\n")[0] == 2
    )


def found(record, kind):
    with Reader.open(record) as reader, reader.moment():
        numbers = [row.seq for row in reader.facts() if row.kind == kind]
    return run("explain", str(numbers[-1]), record)[1]
