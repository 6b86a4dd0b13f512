"""Who can write the file of a record and has no key: what he changes is found, or it is said what finds it (R-27).

The chain has no key, and before records had to be signed verify asked for no signature: a02, a04, a05, a06, a07, a11, a28, a30
and a31, played on dc78732, were each BIEN (docs/campaigns.md, "Attacks, before and now"); the others of this file were not
played there. He is given everything but the key: triggers, postings, outcomes and balances are all made anew for him.
"""

import copy
import json
from itertools import pairwise

import pytest

from controller.about import files, program
from controller.node.store.store import Reader
from controller.verify.chain import NoRelease, Outside, Signatures, read_release, read_witness
from support.pozo import pozo
from support.record import verify_history
from support.record.verify_history import key_of
from support.record.verify_rows import Rows
from support.record.verifying import PUBLISHED, check, verify

silent = lambda _: None


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Stopped in order: its last fact is signed."""
    floor = verify_history.play(tmp_path_factory.mktemp("evening"))
    with Reader.open(floor.path) as reader:
        rows = Rows(reader)
    bodies = rows.bodies()
    (last,) = [at for at, body in enumerate(bodies) if body["fact"]["kind"] == "node_stopped"]
    genuine = [one for one in rows.all_checkpoints if one.seq <= last + 1]
    rows.all_checkpoints, rows.all_snapshots, kept = [], [], genuine
    rows.make_whole(bodies[: last + 1])
    assert rows.all_facts[-1].seq == kept[-1].seq
    rows.all_checkpoints = [stateless(one, floor.key) for one in kept]
    return rows


def stateless(row, key):
    """The node's own signature, of a place without a snapshot: this evening is held in lists that have none."""
    body = json.loads(row.body) | {"state": ""}
    written = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return row._replace(body=written, signature=key.sign(written))


def forged(evening, bodies, keep=lambda _row: False):
    """All made anew, with no signatures but those of the node that he leaves."""
    rows = copy.copy(evening).make_whole(bodies)
    rows.all_checkpoints = [row for row in evening.all_checkpoints if keep(row) and row.seq <= len(bodies)]
    return rows


def wrong_of(rows):
    return verify(rows, None, silent).wrong


def confirmed_by_another(bodies):
    """The eight confirmations of the examiner: from one chief to the other."""
    changed = 0
    for body in bodies:
        fact = body["fact"]
        if fact["kind"] == "award_confirmed" and not fact.get("second"):
            fact["by"], changed = {"dario": "elisa", "elisa": "dario"}.get(fact["by"], fact["by"]), changed + 1
    assert changed
    return bodies


def test_the_evening_itself_is_good_and_signed_to_its_end(evening):
    verdict = verify(evening, None, silent)
    assert verdict.wrong is None and verdict.unsigned == 0


@pytest.mark.parametrize("change", [confirmed_by_another, lambda bodies: bodies], ids=["who confirmed", "nothing"])
def test_a_record_whose_signatures_were_all_taken_away_is_not_believed(evening, change):
    """a02, a04, a28, a30: it was `BIEN ... 0 testigos firmados`."""
    wrong = wrong_of(forged(evening, change(evening.bodies())))
    assert wrong.place == "fact 1" and "falta la firma que sigue a un hecho que funda el nodo" in wrong.why


def test_one_fact_that_was_changed_breaks_the_first_signature_after_it(evening):
    bodies = evening.bodies()
    (at, _) = next((n, one) for n, one in enumerate(bodies) if one["fact"]["kind"] == "claim_corrected")
    bodies[at]["fact"]["reason"] = "otra cosa"
    wrong = wrong_of(forged(evening, bodies, keep=lambda _row: True))
    after = min(row.seq for row in evening.all_checkpoints if row.seq > at)
    assert wrong.place == f"checkpoint {after}" and "huella" in wrong.why
    wrong = wrong_of(forged(evening, bodies, keep=lambda row: row.seq <= at))
    assert "falta la firma" in wrong.why and wrong.place == f"fact {after}"


def test_the_newest_signature_alone_is_missed(evening):
    """a11: whose facts are true."""
    newest = evening.all_checkpoints[-1].seq
    rows = forged(evening, evening.bodies(), keep=lambda row: row.seq != newest)
    assert wrong_of(rows).place == f"fact {newest}"


def test_what_follows_the_last_signature_can_be_written_by_anybody_and_is_counted(evening):
    """a05: 4,768 facts of the examiner's record; now what came within five minutes of a power cut, and it is said."""
    bodies = evening.bodies()
    places = [row.seq for row in evening.all_checkpoints]
    before, after = max(pairwise(places), key=lambda pair: pair[1] - pair[0])
    ends = [one.last for one in evening.all_outcomes if before < one.last < after]
    tail = bodies[: ends[-1]]
    verdict = verify(forged(evening, tail, keep=lambda _row: True), None, silent)
    assert verdict.wrong is None and verdict.unsigned == ends[-1] - before > 0
    assert verdict.unsigned_since == bodies[before]["at"]
    # And it cannot be stretched: a fact five minutes later asks for a signature that he cannot make.
    tail[-1]["at"] += 300_000
    assert "espera la suya" in wrong_of(forged(evening, tail, keep=lambda _row: True)).why


def test_a_cut_tail_is_found_with_a_witness_or_a_head_from_outside(evening):
    """a06, a07: nothing in a record says that it once was longer; a node's own start asks its heads (test_heads.py)."""
    digits = f"{evening.all_facts[-1].seq}-{evening.all_facts[-1].hash.hex()[:16]}"
    last = evening.all_checkpoints[-6].seq
    rows = forged(evening, evening.bodies()[:last], keep=lambda _row: True)
    verdict = verify(rows, None, silent)
    assert verdict.wrong is None and verdict.unsigned == 0
    assert "cortado" in verify(rows, read_witness(digits.encode()), silent).wrong.why


def test_a_record_written_anew_under_another_key_is_found_with_the_key_from_outside(evening):
    """a31: it agrees with itself."""
    other = key_of("otro")
    bodies = [body for body in confirmed_by_another(evening.bodies()) if body["fact"]["kind"] != "pins_replaced"]
    bodies[0]["fact"]["key"] = other.public
    rows = copy.copy(evening).make_whole(bodies, other)
    assert "firma" not in str(wrong_of(rows)), "every signature is there"
    mine = bodies[0]["fact"]["key"] != key_of("central-1").public
    found = check(rows, PUBLISHED, None, silent, Outside(key_of("central-1").public)).wrong
    assert mine and found.place == "registro" and "otra llave" in found.why


def test_a_record_of_today_cannot_be_passed_for_one_of_before(evening):
    """Under an earlier reading nothing asks for signatures at their places; but then it has none at all."""
    bodies = [body for body in evening.bodies() if body["fact"]["kind"] not in {"node_started", "node_stopped"}]
    bodies[0]["fact"]["reading"] = 2
    assert wrong_of(forged(evening, bodies[:20], keep=lambda _row: True)) is not None
    wrong = wrong_of(forged(evening, bodies[:1]))
    assert (wrong.place, wrong.why) == ("registro", "no lleva ninguna firma: nada prueba quién lo escribió")


# The program


def test_a_program_that_no_list_names_is_found(tmp_path):
    node, vendor, listed = tmp_path / "n", tmp_path / "vendor.key", tmp_path / "release.txt"
    assert pozo("rehearse", node, "--passes", 10, "--days", 1)[0] == 0
    code, out, _ = pozo("release", listed, "--key", vendor)
    public = out.split("fabricante: ")[1].strip()
    assert code == 0 and program() in out
    assert pozo("verify", node, "--program", listed, "--vendor", public)[0] == 0
    assert read_release(listed.read_bytes(), public) == program()

    other = listed.read_bytes().replace(files()[0][1].encode(), b"0" * 64)
    (tmp_path / "other.txt").write_bytes(other)
    for text, key, why in (
        (listed.read_bytes(), "ab" * 32, "otra llave"),
        (other, public, "la lista se cambió"),
        (b"pozo release 1\n", public, "no es una lista firmada"),
    ):
        with pytest.raises(NoRelease, match=why):
            read_release(text, key)
    assert pozo("verify", node, "--program", tmp_path / "other.txt", "--vendor", public)[0] == 1
    assert pozo("verify", node, "--program", listed)[0] == 2, "a list proves nothing without its vendor's key"

    wrong = Signatures(frozenset({"ab" * 32}))
    with Reader.open(node / "node.db") as reader:
        verdict = check(reader, PUBLISHED, None, silent, Outside("", frozenset({"ab" * 32})))
    assert wrong.many == 0
    assert verdict.wrong.place == "checkpoint 1" and "no está en ninguna lista firmada" in verdict.wrong.why


def test_verify_says_how_many_facts_follow_the_last_signature_and_whose_key_it_is(tmp_path):
    node = tmp_path / "n"
    assert pozo("rehearse", node, "--passes", 10, "--days", 1)[0] == 0
    code, out, _ = pozo("verify", node)
    assert code == 0 and out.splitlines()[-1] == "0 hechos después de la última firma."
    key = out.split("Llave del nodo: ")[1].split()[0]
    (tmp_path / "node.pub").write_text(f"{key}\n")
    for given in (key, tmp_path / "node.pub"):
        assert pozo("verify", node, "--key", given)[0] == 0
    code, out, _ = pozo("verify", node, "--key", "ab" * 32)
    assert code == 1 and out.startswith("MAL: registro: es de otra llave")
    assert "llave pública" in pozo("verify", node, "--key", "12-" + "0" * 16)[2]
    code, out, _ = pozo("verify", node, "--json")
    said = json.loads(out)
    assert (code, said["good"], said["wrong"], said["unsigned"], said["key"]) == (0, True, None, 0, key)
    assert json.loads(pozo("verify", node, "--json", "--key", "ab" * 32)[1])["wrong"]["place"] == "registro"
