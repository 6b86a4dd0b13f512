"""Administrator and chief, or a patched program: another law under the name of one that the program ships (R-26, R-33)."""

import lzma
import tomllib

import msgspec
import pytest

from controller.core import inputs as ask
from controller.core import plans
from controller.core.facts import Refused
from controller.core.values import Signature
from controller.node.store.store import Reader
from controller.report.counting import report
from controller.report.layout import heading_of
from controller.report.scope import ask as scope
from controller.rules.approval import refuse_borrowed_name
from controller.rules.refusal import Reason
from controller.verify.law import prove_named
from controller.verify.people import read_as
from support.places import TESTS
from support.record import verify_history
from support.record.verify_history import plan, ruleset
from support.record.verifying import verify

EARLIER = TESTS / "record/earlier/6262aba.db.xz"
TWO = Signature("ana"), Signature("carla")
MANY = ruleset().replace("times = 100", "times = 350")
RICH = plan(commission_ppm=10_000)


@pytest.fixture
def floor(tmp_path):
    floor = verify_history.Floor(tmp_path)
    floor.people()
    return floor


def verdict(floor):
    with Reader.open(floor.path) as reader:
        return verify(reader, None, lambda _done: None)


def test_full_paid_350_times_under_the_name_of_the_law_is_refused(floor):
    (refused,) = floor.ask(ask.StagePlan(RICH, MANY, *TWO))

    assert isinstance(refused, Refused) and refused.reason == "law_not_its_name"
    assert "scj-2023" in refused.message and "otro nombre" in refused.message


def test_a_patched_program_stages_it_all_the_same_and_the_auditor_and_the_report_say_so(floor, monkeypatch):
    monkeypatch.setattr(plans, "refuse_borrowed_name", lambda _name, _law: None)
    floor.must(ask.StagePlan(RICH, MANY, *TWO))

    wrong = verdict(floor).wrong
    assert wrong is not None and "no es el que se llama scj-2023" in str(wrong)
    with Reader.open(floor.path) as reader:
        heading = dict(heading_of(report(reader, scope("pot", "pozo-estelar"))))
    assert "NO ES el que el programa trae con ese nombre" in heading["Ley"]


def test_an_earlier_version_of_a_shipped_law_is_known_and_staged_by_nobody_today(floor, tmp_path):
    old = tmp_path / "old.db"
    old.write_bytes(lzma.decompress(EARLIER.read_bytes()))
    with Reader.open(old) as reader:
        staged = [msgspec.json.decode(row.body)["fact"] for row in reader.facts() if row.kind == "plan_staged"]
    laws = {fact["ruleset"] for fact in staged}

    assert {tomllib.loads(law)["name"] for law in laws} == {"scj-2023", "arica-2017"}
    for law in laws:
        prove_named(law, read_as)
        refusal = refuse_borrowed_name(tomllib.loads(law)["name"], plans.content_of(law))
        assert refusal is not None and refusal.reason is Reason.LAW_NOT_ITS_NAME
