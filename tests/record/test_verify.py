"""`pozo verify` agrees with what the real core wrote, and with nothing that the rules do not allow (R-5 to R-34).

The strongest liar owns the machine: he changes what a fact says and makes the whole record anew around it, hashes,
postings, balances, outcomes. Then only the rules are left to find him. Every field of every kind of fact is changed
here in that way; what cannot be found, because it is only words or because it tells another honest story, is listed.
"""

import copy
import gc
import random
import typing
from collections import Counter
from contextlib import closing

import msgspec
import pytest
from conftest import CAMPAIGN
from record.test_month import LAWS

from controller.core import facts
from controller.core.values import Documents
from controller.node.book.book import Asked, Book
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.play.rehearsal import ADMINISTRATORS, START, Rehearsal
from controller.verify import facts as verify_facts
from support.links.evening import OF_LINKS
from support.record import verify_history
from support.record.verify_history import CONFIG
from support.record.verify_rows import Rows
from support.record.verifying import verify

LIES = 12_000 if CAMPAIGN else 450


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The rows of an evening, and what its facts say."""
    floor = verify_history.play(tmp_path_factory.mktemp("evening"))
    with Reader.open(floor.path) as reader:
        rows = Rows(reader)
        told = []
        assert verify(reader, None, told.append).is_good
    assert told == sorted(told) and told[-1] == len(rows.all_facts)
    return rows


def verdict_on(evening, bodies):
    return verify(copy.copy(evening).make_whole(bodies), None, silent)


def test_a_verification_that_ends_early_leaves_no_reading_open(evening):
    """PostgreSQL answers such a reading row by row: one that is ended by chance, in the middle of another question, waits
    for itself for ever."""
    ended = []

    def read(rows):
        def again():
            try:
                yield from rows
            finally:
                ended.append(rows)

        return again

    record = copy.copy(evening)
    record.all_facts = [row._replace(hash=bytes(32)) if row.seq == 40 else row for row in evening.all_facts]
    streams = (record.all_postings, record.all_outcomes, record.all_checkpoints, record.all_snapshots)
    record.posting_rows, record.outcome_rows, _, _ = map(read, streams)

    gc.disable()
    try:
        verdict = verify(record, None, silent)
        assert (verdict.wrong.place, len(ended)) == ("fact 40", 2)
    finally:
        gc.enable()


# The format


def test_every_kind_of_fact_and_every_field_is_known():
    written = {kind.__struct_config__.tag: kind for kind in typing.get_args(facts.Fact)}
    read = {kind.__struct_config__.tag: kind for kind in typing.get_args(verify_facts.Fact)}

    assert written.keys() == read.keys()
    for name, kind in written.items():
        assert kind.__struct_fields__ == read[name].__struct_fields__, name
        assert kind.__struct_config__.omit_defaults == read[name].__struct_config__.omit_defaults, name


def test_an_evening_has_every_kind_of_fact(evening):
    kinds = {one.kind for one in evening.all_facts}

    # What stands in records of the first reading alone.
    earlier = {"reading_adopted", "claim_rejected", "late_registered"}
    assert kinds | earlier | OF_LINKS == {kind.__struct_config__.tag for kind in typing.get_args(facts.Fact)}


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
def test_verify_agrees_with_a_rehearsal(tmp_path, seed):
    """Days at ten tables of two laws, with everything that goes wrong there (controller/play/rehearsal.py)."""
    documents = tuple(
        Documents((CONFIG / f"plans/{plan}.toml").read_text(), (CONFIG / f"rulesets/{law}.toml").read_text())
        for plan, law in LAWS
    )
    number = 0

    def take(said, at):
        nonlocal number
        asks = [
            Asked(OutcomeKey("ensayo", 1, at_), at, one.input, one.verifier) for at_, one in enumerate(said, number + 1)
        ]
        number += len(asks)
        return [answer.facts for answer in book.take(asks)]

    key = verify_history.key_of("ensayo")
    with closing(Book.create(tmp_path / "book.db", key, "ensayo", ADMINISTRATORS, START - 1000)) as book:
        chance = random.Random(seed)
        Rehearsal(take, lambda: book.state, documents, chance, winning=0.2).play(
            2, 20_000 if CAMPAIGN else 250, lambda _: None
        )
        book.checkpoint()

    with Reader.open(tmp_path / "book.db") as reader:
        verdict = verify(reader, None, silent)

    assert verdict.wrong is None and verdict.facts == book.seq and verdict.checkpoints >= 1


# One lie, and the whole record made anew around it

# Words that decide nothing.
WORDS = {
    "claim_corrected.reason", "claim_corrected.recording", "claim_corrected.resolution", "award_set_aside.reason",
    "hands_voided.reason", "money_moved.resolution", "node_restored.reason", "nothing_new.what",
    "person_enrolled.name", "refused.ask", "refused.by", "refused.message", "refused.where", "seat_closed.reason",
    "seat_proven.cut", "suspense_cleared.reason", "device_tended.sign",
    "device_tended.seat", "day_renamed.reason", "terminal_withdrawn.reason",
}  # fmt: skip
# Another honest story: the last reports of a unit, money that stays on a seat, a day's name, what is only staged.
OTHER_STORIES = {
    "firmware_seen.table", "firmware_seen.unit", "firmware_seen.box.serial", "firmware_seen.box.firmware",
    "firmware_seen.box.check",
    "credits_bought.seat",
    "credits_bought.amount", "day_opened.day", "left_paid.amount", "node_restored.epoch", "person_enrolled.person", "plan_staged.plan",
    "plan_staged.ruleset", "plan_withdrawn.pot",
    "clock_stepped.ms", "clock_stepped.stop",
    "terminal_enrolled.terminal", "terminal_enrolled.place",  # of one that nobody enrols again; of a sign
    "node_started.signing",  # an earlier program; what it signs at once was signed then too
}  # fmt: skip


def leaves(value, path=()):
    """Every value that a fact holds, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
    else:
        for key, one in inner:
            yield from leaves(one, (*path, key))


def fields(bodies):
    """Where each field of each kind of fact stands."""
    places = {}
    for at, body in enumerate(bodies):
        kind = body["fact"]["kind"]
        for path, _ in leaves(body["fact"]):
            name = ".".join([kind, *("*" if isinstance(step, int) else step for step in path)])
            places.setdefault(name, []).append((at, path))
    return places


def lied(value, chance):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, value + 1000, -value or 5, value * 2 or 3))
    return chance.choice((value + "x", "zz", value[:-1], value[:1] + "q" + value[2:]))


def may_pass(name):
    # A hand that wins nothing says nothing, where the claim had been registered before.
    # A unit that could count more than it did is no contradiction.
    return (
        name in WORDS | OTHER_STORIES
        or ".device." in name
        or ".bounds." in name
        or name.startswith("late_registered.hands.")
    )


@pytest.mark.campaign
def test_a_lie_in_any_field_is_found_by_the_rules(evening):
    bodies = evening.bodies()
    places = fields(bodies)
    missed, told = Counter(), Counter()
    for number in range(LIES):
        chance = random.Random(f"lie {number}")
        name = sorted(places)[number % len(places)]
        at, path = chance.choice(places[name])
        changed = copy.copy(bodies)
        changed[at] = copy.deepcopy(bodies[at])
        holder = changed[at]["fact"]
        for step in path[:-1]:
            holder = holder[step]
        before, holder[path[-1]] = holder[path[-1]], lied(holder[path[-1]], chance)
        if holder[path[-1]] != before:
            told[name] += 1
            if verdict_on(evening, changed).is_good:
                missed[name] += 1

    assert not {name for name in missed if not may_pass(name)}, missed
    assert len(told) > 300
    assert sum(count for name, count in missed.items() if ".device." in name) < 0.3 * sum(
        count for name, count in told.items() if ".device." in name
    )


# What may be left out or doubled without a contradiction: it changed nothing, or nothing came of it.
NOTHING_CAME = {
    "device_seen", "device_voided", "nothing_new", "refused", "credits_bought", "pass_closed", "plan_withdrawn",
    "person_unlocked", "person_enrolled", "lamp_changed", "plan_staged", "bet_made", "id_reused", "seat_opened",
    "award_overdue", "award_confirmed", "award_paid", "node_restored", "clock_went_back", "clock_stepped", "clock_noted", "day_opened", "drawn",
    "seat_proven", "device_adopted", "pass_opened", "device_tended", "left_paid", "owed_paid", "credits_left", "credits_cashed",
    "node_started", "node_stopped", "lamps_tested", "terminal_enrolled", "terminal_withdrawn", "firmware_seen",
}  # fmt: skip


@pytest.mark.campaign
def test_a_fact_that_is_left_out_is_missed_by_the_ones_that_build_on_it(evening):
    bodies = evening.bodies()
    seen = {"good": 0, "wrong": 0}
    for at in range(1, len(bodies), 1 if CAMPAIGN else 9):
        verdict = verdict_on(evening, bodies[:at] + bodies[at + 1 :])
        kind = bodies[at]["fact"]["kind"]
        assert verdict.wrong is not None or kind in NOTHING_CAME, f"{at + 1} {kind}"
        seen["good" if verdict.is_good else "wrong"] += 1
    assert seen["wrong"] > 2 * seen["good"]


@pytest.mark.campaign
def test_a_fact_that_stands_twice_is_found(evening):
    """Under an id of its own, as if it had been asked again."""
    bodies = evening.bodies()
    for at in range(0, len(bodies), 1 if CAMPAIGN else 9):
        kind = bodies[at]["fact"]["kind"]
        end = next((n for n in range(at + 1, len(bodies)) if bodies[n]["id"] != bodies[at]["id"]), len(bodies))
        again = copy.deepcopy(bodies[at]) | {"id": ["otro", 1, at], "at": bodies[end - 1]["at"]}
        verdict = verdict_on(evening, [*bodies[:end], again, *bodies[end:]])
        allowed = {
            "credits_bought",
            "refused",
            "nothing_new",
            "device_tended",
            "person_enrolled",
            "plan_staged",
            "person_unlocked",
            "pins_replaced",
            "unproven_refused",
            "node_started",
            "node_stopped",
        }
        assert verdict.wrong is not None or kind in allowed, f"{at + 1} {kind}"


STRANGE = (None, True, -1, 0, 2**63, 2**64 - 1, -(2**63), 1.5, "", "~", ":", "\n", "x" * 500, [], {}, [[]], {"": 0})


@pytest.mark.campaign
def test_whatever_stands_in_a_body_is_a_verdict_and_never_an_error(evening):
    """Hostile bytes, hostile JSON, hostile values of every type in every place."""
    bodies = evening.bodies()
    for number in range(LIES // 2):
        chance = random.Random(f"hostile {number}")
        at = chance.randrange(len(bodies))
        changed = copy.copy(bodies)
        changed[at] = copy.deepcopy(bodies[at])
        holder, path = changed[at], chance.choice(list(leaves(bodies[at])))[0]
        path = path[: chance.randint(1, len(path))]
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = chance.choice(STRANGE)
        try:
            rows = copy.copy(evening).make_whole(changed)
        except (TypeError, ValueError, KeyError, AttributeError):
            continue  # the liar's own tools give up before ours have to
        verdict = verify(rows, None, silent)
        assert verdict.wrong is None or verdict.wrong.place, verdict


@pytest.mark.parametrize(
    "body",
    [b"", b"\x00", b"\xff" * 40, b"{", b"[" * 10_000, b"{}", b"null", b"1e999", b'"\\ud800"', b'{"seq":1}' * 3, b"9" * 5000],
)  # fmt: skip
def test_bytes_that_are_no_fact_are_a_verdict(evening, body):
    rows = copy.copy(evening)
    rows.all_facts = [*evening.all_facts]
    rows.all_facts[4] = evening.all_facts[4]._replace(body=body)

    assert verify(rows, None, silent).wrong.place == "fact 5"


def test_a_record_begins_with_its_foundation(evening):
    rows = copy.copy(evening)
    rows.all_facts = []
    assert "ningún hecho" in verify(rows, None, silent).wrong.why

    bodies = evening.bodies()[1:]
    bodies[0]["fact"]["node"] = "x"
    verdict = verdict_on(evening, evening.bodies()[1:])
    assert verdict.wrong.place == "fact 1" and "funda" in verdict.wrong.why


@pytest.mark.campaign
@pytest.mark.long
def test_a_snapshot_that_is_signed_and_untrue_is_found(evening):
    """Signed by the node itself, and something of the state is another one."""
    whole = evening
    seq, body = whole.all_snapshots[-1]
    state = msgspec.json.decode(body)
    key = verify_history.key_of("central-1")
    changed = 0
    for path, value in leaves(state):
        if path[-1] in IN_THE_STATE_ONLY or {"training", "numbers", "staged", "hands", "after"} & set(path):
            continue
        if path[-1] in {"plan", "ruleset"} and "claims" in path:
            continue
        chance = random.Random(str(path))
        if chance.random() > (1 if CAMPAIGN else 0.15):
            continue
        untrue = copy.deepcopy(state)
        holder = untrue
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = lied(value, chance)
        wrong = verdict_with_snapshot(whole, seq, msgspec.json.encode(untrue), key).wrong
        assert wrong is not None and wrong.place == f"snapshot {seq}", path
        changed += 1
        holder[path[-1]] = chance.choice(STRANGE)
        strange = verdict_with_snapshot(whole, seq, msgspec.json.encode(untrue), key).wrong
        assert strange is None or strange.place == f"snapshot {seq}", path
    assert changed > 30
    for body in (
        b"",
        b"[]",
        b"{}",
        b'{"state":[],"balances":{}}',
        b'{"state":{"people":1},"balances":{}}',
        b"\xff",
        b"{ }",
    ):
        assert verdict_with_snapshot(whole, seq, body, key).wrong.place == f"snapshot {seq}"


# What the state keeps beside what money depends on; the chain holds the facts it came from.
IN_THE_STATE_ONLY = {
    "id", "name", "modality", "last_day", "sealed_at", "attempts", "failures", "closed", "closing", "proven", "confirmed",
}  # fmt: skip


def verdict_with_snapshot(whole, seq, body, key):
    import hashlib

    rows = copy.copy(whole)
    rows.all_snapshots = [one for one in whole.all_snapshots if one.seq != seq] + [
        whole.all_snapshots[-1]._replace(body=body)
    ]
    last = whole.all_checkpoints[-1]
    signed = msgspec.json.encode(msgspec.json.decode(last.body) | {"state": hashlib.sha256(body).hexdigest()})
    rows.all_checkpoints = [*whole.all_checkpoints[:-1], last._replace(body=signed, signature=key.sign(signed))]
    return verify(rows, None, silent)
