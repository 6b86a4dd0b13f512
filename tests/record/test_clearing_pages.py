"""Pages of a month between two nodes: each form under its node's signature, and what the dishonest colleague gets (R-28)."""

import csv
import subprocess

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization

from controller.node.book.heads import head_of, own_place, write_heads
from controller.report.clearing import clearing
from controller.report.clearing_page import as_csv, as_json, as_pdf, as_text
from controller.spanish.numbers import whole
from controller.verify.links.pages import NoPage, compare_pages, read_page
from support.links import evening
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.months import NOVEMBER, begin_day, end_day, played_months
from support.pozo import pozo

FORMS = {"text": as_text, "csv": as_csv, "json": as_json}
DAY = 86_400_000


@pytest.fixture(scope="module")
def nodes():
    return played_months()


@pytest.fixture(scope="module")
def months(nodes):
    return {name: clearing(node.kept, NOVEMBER) for name, node in nodes.all.items()}


def signer(node):
    return node.key.sign_clearing


def page(nodes, months, name, form, *, signed=True):
    return FORMS[form](months[name], sign=signer(nodes[name]) if signed else None)


def look(text, place="página"):
    return read_page(place, text.encode())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_r28_pages_of_any_form_agree_and_say_whose_they_are(nodes, months, form, other):
    one, two = look(page(nodes, months, CASINO, form)), look(page(nodes, months, OWNER, other))

    assert one.signed is two.signed is True and (one.node, two.node) == (CASINO, OWNER)
    assert (one.key, two.key) == tuple(nodes[name].key.public for name in (CASINO, OWNER))
    found = compare_pages([one, two])
    assert found.different == () and len(found.same) == 1 and f"pozo {POT}, {CASINO} y {OWNER}" in found.same[0]
    assert found.alone == (f"{NOVEMBER}, pozo {POT}, {BOX} y {CASINO}: falta la página de {BOX}",)


def test_r28_three_nodes_and_two_links(nodes, months):
    found = compare_pages([look(page(nodes, months, name, "text")) for name in nodes.all])

    assert len(found.same) == 2 and found.different == found.alone == ()


@pytest.mark.parametrize("form", FORMS)
def test_r28_every_byte_of_a_page_is_signed(nodes, months, form):
    """Whatever he changes, one digit or a space, the signature is of something else."""
    right = page(nodes, months, CASINO, form).encode()
    seal = right.rindex(b'"signature"') if form == "json" else right.rstrip(b"\n").rindex(b"\n")
    for at in range(0, seal, 37):
        if right[at : at + 1] in b" \n" and form == "json":
            continue  # between the words of JSON nothing is said
        changed = bytes([right[at] ^ 1])
        try:
            found = read_page("página", right[:at] + changed + right[at + 1 :])
        except NoPage:
            continue
        assert not found.signed, f"{at}: {right[at - 20 : at + 20]!r}"


@pytest.mark.parametrize("form", FORMS)
def test_r28_a_page_that_nobody_signed_says_so_and_can_still_be_compared(nodes, months, form):
    found = look(page(nodes, months, CASINO, form, signed=False))

    assert found.signed is None and found.wrong == ()
    assert len(compare_pages([found, look(page(nodes, months, OWNER, form))]).same) == 1


def test_r28_a_page_that_was_edited_and_not_signed_contradicts_itself(nodes, months):
    said = msgspec.json.decode(page(nodes, months, CASINO, "json", signed=False))
    for one in said["page"]["statements"]:
        one["body"]["closing"] += 1_000
    wrong = look(msgspec.json.encode(said).decode()).wrong

    assert any("la huella no es la de lo que dice" in one for one in wrong)
    assert any("sus líneas no suman su saldo" in one for one in wrong)


def test_r28_an_edited_page_that_another_key_signed_is_of_another_key(nodes, months):
    """He has a key of his own; it is not the node's, which the other casino keeps."""
    changed = clearing(nodes[CASINO].kept, NOVEMBER)._replace(key=nodes[BOX].key.public)
    found = look(as_text(changed, sign=signer(nodes[BOX])))

    assert found.signed and found.node == CASINO and found.key != nodes[CASINO].key.public


def test_r28_pages_of_one_node_or_of_a_third_one_are_no_proof(nodes, months):
    mine = look(page(nodes, months, CASINO, "text"), "una")
    twice = compare_pages([mine, look(page(nodes, months, CASINO, "csv"), "otra")])
    assert twice.different == (f"otra y una son las dos de {CASINO}",)
    foreign = compare_pages([mine._replace(node="luna")])
    assert all("luna no es ninguno de los dos" in one for one in foreign.different) and foreign.different


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"page": 1}', "hola\n", "x\nFirma: \n", "mes\n,,,,firma,,,,,,,,\n", "\xff\nFirma: \n"]
)
def test_r28_what_is_no_page_is_said_in_one_sentence(text):
    with pytest.raises(NoPage, match="no es una página de `pozo clearing`"):
        read_page("esto", text.encode("latin-1"))


# As people read it


def who_owes(body):
    assert body.closing < 0
    return f"{OWNER} debe a {CASINO} $ {whole(-body.closing)}."


def test_r28_the_text_names_every_line_its_letters_and_who_owes_whom(nodes, months):
    text = page(nodes, months, OWNER, "text")
    (one,) = months[OWNER].statements

    for words in (
        f"COMPENSACIÓN DEL MES {NOVEMBER}", who_owes(one.body), f"mesas de {CASINO}, pozo de {OWNER}",
        "Recaudado, sin la comisión del casino (R-22, R-23)", f"la {one.body.until_up.number} (época 1", "cuadra", "Provisional",
    ):  # fmt: skip
        assert words in text
    body = one.body
    assert (
        f"{CASINO} {body.lines['bets.net'].first} a {body.lines['bets.net'].last} ({body.lines['bets.net'].letters})"
        in text
    )
    assert text.count(body.hash) == 2, "beside its figures, and in the list for a program"
    assert max(map(len, text.split("\n"))) < 180


def test_r28_the_table_has_whole_units_and_the_letters_of_each_line(nodes, months):
    rows = list(csv.DictReader(page(nodes, months, CASINO, "csv").splitlines()))
    body = next(one.body for one in months[CASINO].statements if one.body.above == OWNER)
    of = {row["clave"]: row for row in rows if row["pozo_de"] == OWNER}

    assert of["saldo"]["importe"] == str(body.closing) and of["huella"]["texto"] == body.hash
    for key, line in body.lines.items():
        found = tuple(of[key][column] for column in ("importe", "primera_carta", "ultima_carta", "cartas"))
        assert found == (str(line.amount), str(line.first), str(line.last), str(line.letters))
    moved = sum(int(of[key]["importe"]) for key in body.lines if of[key]["texto"] != "detalle")
    assert int(of["saldo.anterior"]["importe"]) + moved == int(of["saldo"]["importe"])


@pytest.mark.process  # pdftotext
def test_r28_the_pdf_is_the_same_page_and_holds_its_hashes_and_signature(nodes, months, tmp_path):
    file = tmp_path / "mes.pdf"
    file.write_bytes(as_pdf(months[OWNER], sign=signer(nodes[OWNER])))
    text = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True, text=True).stdout
    whole = "".join(text.split())

    assert f"COMPENSACIÓN DEL MES {NOVEMBER}" in text and who_owes(months[OWNER].statements[0].body) in text
    assert months[OWNER].statements[0].body.hash in whole
    seal = page(nodes, months, OWNER, "text").rstrip("\n").rpartition("Firma: ")[2]
    assert len(seal) == 128 and seal in whole
    assert "Firmas de dos personas distintas" in text
    assert as_pdf(months[OWNER], sign=signer(nodes[OWNER])) == file.read_bytes(), "the same page, the same bytes"


def test_r28_what_stands_apart_is_said_in_words(months):
    """A month that may go on, letters under way, a dispute, a ledger that has something else."""
    found = months[CASINO]
    one = next(one for one in found.statements if one.body.above == OWNER)
    beside = one.beside._replace(
        unknown=3, later=2, later_amount=-5_000, disputed=1, disputed_amount=700, book=one.beside.book + 1
    )
    body = type(one.body)(
        **{name: getattr(one.body, name) for name in one.body.__struct_fields__ if name != "waiting"},
        waiting=("DP-01/7/1",),
    )
    text = as_text(found._replace(statements=(one._replace(beside=beside, body=body),)))
    for words in (
        "no ha acusado 3 cartas de este mes", "2 cartas posteriores, por $ -5.000", "1 cartas que este nodo no creyó",
        "NO CUADRA", "ATENCIÓN", "DP-01/7/1", "Firma: ninguna",
    ):  # fmt: skip
        assert words in text
    assert b"NO CUADRA" in as_pdf(found._replace(statements=(one._replace(beside=beside),)))
    even = type(one.body)(
        **{name: getattr(one.body, name) for name in one.body.__struct_fields__ if name != "closing"}, closing=0
    )
    assert f"{CASINO} y {OWNER} no se deben nada." in as_text(found._replace(statements=(one._replace(body=even),)))


# The command


@pytest.fixture(scope="module")
def folder(nodes, tmp_path_factory):
    """Each record with its node's key beside it."""
    found = tmp_path_factory.mktemp("registros")
    for name, node in nodes.all.items():
        put(found / f"{name}.db", node)
    return found


def put(file, node, kept=None):
    (kept or node.kept).write(file)
    key = file.with_suffix(".key")
    key.write_bytes(
        node.key._private.private_bytes(  # what the node's own file holds
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    key.chmod(0o600)


def test_r28_the_command_signs_where_the_key_lies_and_two_pages_agree(nodes, folder, tmp_path):
    files = []
    for name, form in ((CASINO, "--csv"), (OWNER, "--json"), (BOX, None)):
        code, out, err = pozo("clearing", NOVEMBER, folder / f"{name}.db", *([form] if form else []))
        assert code == 0 and err == ""
        files.append(tmp_path / f"{name}{form}")
        files[-1].write_text(out)
    keys = [f"--key={name}={node.key.public}" for name, node in nodes.all.items()]
    code, out, _ = pozo("clearing", "--check", *files, *keys)

    assert code == 0 and out.count("FIRMADA: ") == 3 and out.count("es su llave") == 3 and out.count("IGUAL: ") == 2
    assert pozo("clearing", "--check", files[0])[0] == 0, "one page alone: is it as it was signed?"
    other = f"--key={CASINO}={nodes[OWNER].key.public}"
    code, out, _ = pozo("clearing", "--check", *files, other)
    assert code == 1 and "LLAVE AJENA" in out
    files[0].write_text(files[0].read_text().replace(",bets.net,", ",bets.nett,"))
    code, out, _ = pozo("clearing", "--check", *files)
    assert code == 1 and "FIRMA MALA" in out and "alguien la cambió" in out


def test_r28_the_command_can_ask_for_one_neighbour_and_write_a_pdf(folder, tmp_path):
    code, out, _ = pozo(
        "clearing", NOVEMBER, folder / f"{CASINO}.db", "--with", OWNER, "--pot", POT, "--pdf", tmp_path / "m"
    )

    assert code == 0 and f"mesas de {BOX}" not in out and (tmp_path / "m").read_bytes().startswith(b"%PDF")


def test_r28_a_copy_without_key_gives_a_page_that_nobody_signed(nodes, tmp_path):
    nodes[CASINO].kept.write(tmp_path / "copia.db")
    code, out, _ = pozo("clearing", NOVEMBER, tmp_path / "copia.db")
    assert code == 0 and out.endswith("Firma: ninguna, la llave del nodo no está aquí\n")
    (tmp_path / "p").write_text(out)
    code, out, _ = pozo("clearing", "--check", tmp_path / "p")
    assert code == 1 and "SIN FIRMA" in out


def test_r28_the_key_of_another_node_signs_nothing(folder):
    code, out, err = pozo("clearing", NOVEMBER, folder / f"{CASINO}.db", "--sign", folder / f"{BOX}.key")
    assert code == 1 and out == "" and "no es la llave del nodo de este registro" in err
    code, _, err = pozo("clearing", NOVEMBER, folder / f"{CASINO}.db", "--sign", folder / "nada.key")
    assert code == 1 and "no hay una llave aquí" in err


def test_r28_a_month_and_a_record_are_asked_for(folder):
    code, _, err = pozo("clearing", NOVEMBER)
    assert code == 2 and "a month, YYYY-MM, and a record" in err
    code, _, err = pozo("clearing", "2027-01", folder / f"{CASINO}.db")
    assert code == 1 and "hay: 2026-11" in err


def test_r27_an_older_copy_of_a_record_is_not_signed_and_its_page_lacks_letters(tmp_path):
    """The colleague puts yesterday's copy in the place of the record, and prints the month without today."""
    nodes = evening.linked()
    evening.in_force(nodes)
    sol, mar = nodes[CASINO], nodes[OWNER]
    for seats in ((1, 2), (3,)):
        evening.sealed(sol, *seats)
        evening.close(sol)
        assert end_day(sol)
        nodes.settle()
        sol.book.checkpoint()
        mar.book.checkpoint()
        older = sol.kept.backup() if seats == (1, 2) else older  # noqa: F821  of the first day
        nodes.tick(DAY)
        begin_day(sol)
    put(tmp_path / "mar.db", mar)
    put(tmp_path / "sol.db", sol, older)
    newest = sol.kept.checkpoints()[-1]
    code, before, _ = pozo("clearing", NOVEMBER, tmp_path / "sol.db")
    assert code == 0, "where no head was kept, nothing shows that it is old"
    write_heads(own_place(tmp_path / "sol.db"), [head_of(newest.body, newest.signature)], sol.key.public)
    code, out, err = pozo("clearing", NOVEMBER, tmp_path / "sol.db")
    assert code == 1 and out == "" and "es una copia vieja" in err and "su página no se firma" in err

    (tmp_path / "sol.txt").write_text(before)
    (tmp_path / "mar.txt").write_text(pozo("clearing", NOVEMBER, tmp_path / "mar.db")[1])
    code, out, _ = pozo("clearing", "--check", tmp_path / "sol.txt", tmp_path / "mar.txt")
    assert code == 1 and f"a la página de {CASINO} le faltan cartas" in out and "DISTINTO" in out
