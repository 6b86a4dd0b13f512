"""Facts written anew, with every hash, posting, answer and balance that follows from them, and without a key.

`signed`: the fact stands before a signature, so one that must be there is missing afterwards. `unsigned`: it stands after
the last one, and says nothing that the rules forbid; nothing in the record can show it.
"""

import random
from collections.abc import Callable
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.node.book.chain import Key
from controller.verify.chain import hash_of_balances
from support.core.points import point_of
from support.edits.forger import Body, Forger, of_kind, one_of

Edit = Callable[[Forger, random.Random], None]
_Change = Callable[[dict[str, Any], random.Random], None]
_MINUTE = 60_000
_YEAR_2343 = 11_770_000_000_000


def _set(key: str, value: object) -> _Change:
    def change(fact: dict[str, Any], _chance: random.Random) -> None:
        fact[key] = value

    return change


def _swapped(key: str, one: str, other: str) -> _Change:
    def change(fact: dict[str, Any], _chance: random.Random) -> None:
        fact[key] = other if fact.get(key) == one else one

    return change


def signed(change: _Change, *kinds: str) -> Edit:
    """A fact of these kinds that a signature covers says something else."""

    def edit(forger: Forger, chance: random.Random) -> None:
        bodies = forger.bodies()
        body = one_of(chance, of_kind(bodies[: forger.last_asked()], *kinds))
        before = msgspec.json.encode(body)
        change(body["fact"], chance)
        assert msgspec.json.encode(body) != before, "an edit changes something"
        forger.write_anew(bodies, body["seq"])

    return edit


def confirmations_moved(forger: Forger, chance: random.Random) -> None:
    """Eight confirmations of one chief become the other's."""
    bodies = forger.bodies()
    confirmed = of_kind(bodies[: forger.last_asked()], "award_confirmed")
    chosen = chance.sample(confirmed, min(8, len(confirmed)))
    for body in chosen:
        body["fact"]["by"] = "dario" if body["fact"]["by"] == "carla" else "carla"
    forger.write_anew(bodies, min(body["seq"] for body in chosen))


def digest_of_what_was_asked(forger: Forger, chance: random.Random) -> None:
    bodies = forger.bodies()
    answer = one_of(chance, bodies[1 : forger.last_asked()])
    ask = chance.randbytes(16).hex()
    same = [body for body in bodies if (body["id"], body["ask"]) == (answer["id"], answer["ask"])]
    for body in same:
        body["ask"] = ask
    forger.write_anew(bodies, same[0]["seq"])


def instants_moved(forger: Forger, chance: random.Random) -> None:
    """From a fact on, all happened a little later."""
    bodies = forger.bodies()
    answer, by = one_of(chance, bodies[1 : forger.last_asked()]), chance.randrange(1, 1_000)
    for body in bodies[answer["seq"] - 1 :]:
        body["at"] += by
    forger.write_anew(bodies, answer["seq"])


def cards_shuffled(fact: dict[str, Any], _chance: random.Random) -> None:
    """The same hand, as if shown in another order."""
    for hand in fact["hands"]:
        if hand.get("cards"):
            hand["cards"] = hand["cards"][::-1]
            return


def draw_turned(fact: dict[str, Any], _chance: random.Random) -> None:
    fact["hit"] = not fact["hit"]


def award_raised(fact: dict[str, Any], chance: random.Random) -> None:
    chance.choice(fact["awards"])["amount"] += 1_000


def winner_exchanged(fact: dict[str, Any], _chance: random.Random) -> None:
    fact["awards"][0]["seat"] = fact["awards"][0]["seat"] % 6 + 1


def commission_lowered(fact: dict[str, Any], _chance: random.Random) -> None:
    """A hundred less from each bet, or from nothing at all."""
    for bet in fact["bets"]:
        bet["commission"] -= 100
        bet["main"] += 100
    by, flow = 100 * (len(fact["bets"]) or 1), fact["flow"]
    flow["parts"]["main"] = flow["parts"].get("main", 0) + by
    flow["commission"] = flow.get("commission", 0) - by


def role_added(fact: dict[str, Any], _chance: random.Random) -> None:
    fact["roles"] = [*sorted({*fact["roles"], "chief", "auditor"} - {"croupier"}), "croupier"]


def law_changed(fact: dict[str, Any], _chance: random.Random) -> None:
    fact["plan"] = fact["plan"].replace("ceiling", "ceiling ", 1)


def answers_taken_out(*kinds: str) -> Edit:
    """Every trace of an answer with such a fact is gone, and the rest closes up."""

    def edit(forger: Forger, chance: random.Random) -> None:
        bodies = forger.bodies()
        chosen = one_of(chance, of_kind(bodies[1 : forger.last_asked()], *kinds) if kinds else bodies[1:400])
        left = [body for body in bodies if (body["id"], body["ask"]) != (chosen["id"], chosen["ask"])]
        forger.write_anew(left, chosen["seq"])

    return edit


def answer_invented(forger: Forger, chance: random.Random) -> None:
    """Somebody bought credits twice, says the record."""
    bodies = forger.bodies()
    bought = one_of(chance, of_kind(bodies[: forger.last_asked()], "credits_bought"))
    bodies.insert(bought["seq"], {**bought, "id": ["piso", 1, 900_000], "ask": chance.randbytes(16).hex()})
    forger.write_anew(bodies, bought["seq"] + 1)


def answers_exchanged(forger: Forger, chance: random.Random) -> None:
    """Two purchases of credits in each other's place."""
    bodies = forger.bodies()
    one, other = sorted(
        chance.sample(of_kind(bodies[: forger.last_asked()], "credits_bought"), 2), key=lambda body: int(body["seq"])
    )
    one["id"], other["id"] = other["id"], one["id"]
    one["ask"], other["ask"] = other["ask"], one["ask"]
    one["fact"], other["fact"] = other["fact"], one["fact"]
    forger.write_anew(bodies, one["seq"])


def key_exchanged(forger: Forger, chance: random.Random) -> None:
    """The node's key in the first fact is another; no signature any more."""
    bodies = forger.bodies()
    bodies[0]["fact"]["key"] = chance.randbytes(32).hex()
    forger.write_anew(bodies, 1)


def seals_taken_out(forger: Forger, chance: random.Random) -> None:
    """No fact is touched; all signatures from a place on are gone, with what they vouch for."""
    seq = chance.randrange(1, forger.last_asked())
    for table in ("checkpoint", "snapshot"):
        forger(f"DELETE FROM {table} WHERE seq >= ?", seq)  # noqa: S608


def reading_lowered(forger: Forger, _chance: random.Random) -> None:
    """The record says of itself that it is of before signatures had to be there."""
    bodies = forger.bodies()
    bodies[0]["fact"].pop("reading", None)
    forger.write_anew(bodies, 1)


# How a body is written


def keys_in_another_order(body: Body) -> bytes:
    return msgspec.json.encode(dict(reversed(body.items())))


def escaped(body: Body) -> bytes:
    text = msgspec.json.encode(body)
    return text.replace(b'"kind":"', b'"\\u006bind":"', 1)


def spaced(body: Body) -> bytes:
    return msgspec.json.encode(body).replace(b",", b", ", 1)


def key_twice(body: Body) -> bytes:
    return msgspec.json.encode(body).replace(b'{"kind":', b'{"kind":"refused","kind":', 1)


def with_a_fraction(body: Body) -> bytes:
    return msgspec.json.encode(body).replace(f'"at":{body["at"]}'.encode(), f'"at":{body["at"]}.0'.encode(), 1)


def field_more(body: Body) -> bytes:
    return msgspec.json.encode({**body, "note": "x"})


def written(write: Callable[[Body], bytes]) -> Edit:
    """One fact says the same in another way; from there on every hash is right."""

    def edit(forger: Forger, chance: random.Random) -> None:
        bodies = forger.bodies()
        at = chance.randrange(2, forger.last())
        forger.write_anew(bodies, at, lambda body: write(body) if body["seq"] == at else msgspec.json.encode(body))

    return edit


def nul_in_a_text(fact: dict[str, Any], _chance: random.Random) -> None:
    fact["by"] += "\0"


# After the last signature


def unsigned(change: Callable[[list[Body], random.Random], None]) -> Edit:
    """Facts that no signature covers say something else; every signature stays."""

    def edit(forger: Forger, chance: random.Random) -> None:
        bodies, first = forger.bodies(), forger.last_signed() + 1
        tail = bodies[first - 1 :]
        assert len(tail) > 20, "a tail to choose from"
        change(tail, chance)
        forger.write_anew(bodies[: first - 1] + tail, first)

    return edit


def tail_moved_in_time(tail: list[Body], chance: random.Random) -> None:
    by = chance.randrange(1, 3 * _MINUTE)
    for body in tail:
        body["at"] += by


def tail_of_another_person(tail: list[Body], chance: random.Random) -> None:
    one_of(chance, of_kind(tail, "credits_bought"))["fact"]["by"] = "carla"


def tail_asked_otherwise(tail: list[Body], chance: random.Random) -> None:
    """Of an answer of one fact; what it is said to have answered is not what was asked."""
    one_of(chance, of_kind(tail, "credits_bought"))["ask"] = chance.randbytes(16).hex()


def tail_invented(tail: list[Body], chance: random.Random) -> None:
    bought = one_of(chance, of_kind(tail, "credits_bought"))
    invented = {**tail[-1], "id": ["piso", 1, 900_000], "ask": chance.randbytes(16).hex(), "fact": bought["fact"]}
    tail.append(invented)


def last_fact_dated(at: Callable[[Body], int]) -> Callable[[list[Body], random.Random], None]:
    def change(tail: list[Body], _chance: random.Random) -> None:
        del tail[_chance.randrange(10, len(tail)) :]
        while tail[-1]["id"] == tail[-2]["id"]:
            del tail[-1]
        tail[-1]["at"] = at(tail[-1])

    return change


def clock_stepped_back_invented(tail: list[Body], chance: random.Random) -> None:
    """The clock went back to before 1970, says a fact that nobody asked for."""
    last = tail[-1]
    now = -chance.randrange(1, 10**12)
    fact = {"kind": "clock_went_back", "was": last["at"], "now": now}
    tail.append({**last, "at": now, "id": ["piso", 1, 900_001], "ask": chance.randbytes(16).hex(), "fact": fact})


year_2343 = unsigned(last_fact_dated(lambda _: _YEAR_2343))
in_ten_years = unsigned(last_fact_dated(lambda body: int(body["at"]) + 3_650 * 24 * 60 * _MINUTE))
before_the_founding = unsigned(last_fact_dated(lambda body: int(body["at"]) - 30 * 24 * 60 * _MINUTE))
before_1970 = unsigned(clock_stepped_back_invented)


def signature_nobody_asked_for(forger: Forger, chance: random.Random) -> None:
    """A signature that was made unasked is gone, and what stands before it was written anew; not so far back as the
    draws, which know the hash of their pass, nor as the last signature that must be there."""
    bodies, signed_to = forger.bodies(), forger.last_signed()
    drawn = of_kind(bodies[:signed_to], "drawn", "pass_sealed")[-1]["seq"]
    first = max(forger.last_asked(), drawn) + 1
    assert first <= signed_to, "one that was made unasked"
    by = chance.randrange(1, 1_000)
    for body in bodies[first - 1 :]:
        body["at"] += by
    forger.write_anew(bodies, first)


def tail_cut(forger: Forger, chance: random.Random) -> None:
    """The record ends earlier, after the last signature."""
    first = forger.last_signed() + 1
    end = one_of(chance, [end for end in forger.ends() if first <= end < forger.last()])
    forger.write_anew(forger.bodies()[:end], first)


def _vouch_again(key: Key, bodies: list[Body], body: Body) -> None:
    """New PINs, with the word of another key."""
    fact = body["fact"]
    epochs = [one["fact"]["epoch"] for one in of_kind(bodies[: body["seq"]], "node_restored")]
    lines = "".join(f"{name} {secret}\n" for name, secret in fact["secrets"].items())
    text = f"{bodies[0]['fact']['node']}\n{epochs[-1] if epochs else 1}\n{body['at']}\n{lines}{fact['reason']}"
    fact["proof"] = key.vouch_for_pins(text.encode())


def another_key(forger: Forger, chance: random.Random) -> None:
    """All of it under a key of his own, with every signature there was."""
    key = Key(Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)))
    bodies = forger.bodies()
    seals = forger("SELECT seq, body FROM checkpoint ORDER BY seq")
    bodies[0]["fact"]["key"] = key.public
    for body in of_kind(bodies, "pins_replaced"):
        _vouch_again(key, bodies, body)
    forger.write_anew(bodies, 1)
    stands: dict[str, int] = {}
    lines = iter(forger("SELECT fact, account, amount FROM posting ORDER BY fact, line"))
    line = next(lines, None)
    for seq, text in seals:
        while line is not None and line[0] <= seq:
            stands[line[1]] = stands.get(line[1], 0) + line[2]
            line = next(lines, None)
        checkpoint = msgspec.json.decode(text)
        checkpoint["hash"] = forger.value("SELECT hash FROM fact WHERE seq = ?", seq).hex()
        checkpoint["balances"], checkpoint["state"] = hash_of_balances(stands), ""
        sealed = msgspec.json.encode(checkpoint)
        forger("INSERT INTO checkpoint VALUES (?, ?, ?)", seq, sealed, key.sign(sealed))


FOUND: dict[str, Edit] = {
    "confirmations_given_to_another_chief": confirmations_moved,
    "confirmation_of_another": signed(_swapped("by", "carla", "dario"), "award_confirmed"),
    "wrong_pin_of_another": signed(_swapped("by", "eva", "franco"), "refused"),
    "digest_of_what_was_asked": digest_of_what_was_asked,
    "instants_moved": instants_moved,
    "cards_of_a_claim": signed(cards_shuffled, "claim_registered"),
    "payer_of_an_award": signed(_swapped("by", "eva", "carla"), "award_paid"),
    "seller_of_credits": signed(_swapped("by", "eva", "carla"), "credits_bought"),
    "reason_of_a_void": signed(_set("reason", "carta expuesta"), "hands_voided"),
    "reason_of_a_correction": signed(_set("reason", "otra cosa"), "claim_corrected"),
    "award_raised": signed(award_raised, "claim_registered"),
    "winner_exchanged": signed(winner_exchanged, "claim_registered"),
    "commission_lowered": signed(commission_lowered, "pass_sealed"),
    "role_added": signed(role_added, "person_enrolled"),
    "verifier_of_a_pin_in_its_fact": signed(_set("secret", "ab" * 32), "person_enrolled"),
    "key_of_a_terminal": signed(_set("key", point_of(7)), "terminal_enrolled"),
    "terminal_let_in_again": answers_taken_out("terminal_withdrawn"),
    "law_changed": signed(law_changed, "plan_staged", "plan_took_effect"),
    "draw_turned": signed(draw_turned, "drawn"),
    "commitment_of_a_seed": signed(_set("commitment", "cd" * 32), "day_opened"),
    "seed_of_a_day": signed(_set("seed", "cd" * 32), "day_closed"),
    "resolution_of_a_move": signed(_set("resolution", "Res. 999"), "money_moved"),
    "count_of_a_seat": signed(_set("found", 1_000), "seat_counted"),
    "epoch_of_a_restore": signed(_set("epoch", 9), "node_restored"),
    "void_taken_out": answers_taken_out("hands_voided"),
    "wrong_pins_taken_out": answers_taken_out("refused"),
    "alarm_taken_out": answers_taken_out("award_overdue"),
    "training_taken_out": answers_taken_out("training_started", "training_ended"),
    "any_answer_taken_out": answers_taken_out(),
    "answer_invented": answer_invented,
    "answers_exchanged": answers_exchanged,
    "key_of_the_node": key_exchanged,
    "signatures_taken_out": seals_taken_out,
    "reading_lowered": reading_lowered,
    "keys_in_another_order": written(keys_in_another_order),
    "letters_escaped": written(escaped),
    "blank_more": written(spaced),
    "key_twice": written(key_twice),
    "whole_number_as_a_fraction": written(with_a_fraction),
    "field_more": written(field_more),
    "nul_in_a_text": signed(nul_in_a_text, "credits_bought", "award_paid", "money_moved"),
    "dated_in_the_year_2343": year_2343,
    "dated_ten_years_ahead": in_ten_years,
    "dated_before_the_fact_before": before_the_founding,
    "dated_before_1970": before_1970,
}
LIMITS: dict[str, Edit] = {
    "signature_nobody_asked_for": signature_nobody_asked_for,
    "tail_cut": tail_cut,
    "tail_moved_in_time": unsigned(tail_moved_in_time),
    "tail_of_another_person": unsigned(tail_of_another_person),
    "tail_asked_otherwise": unsigned(tail_asked_otherwise),
    "tail_invented": unsigned(tail_invented),
    "written_anew_under_another_key": another_key,
}
