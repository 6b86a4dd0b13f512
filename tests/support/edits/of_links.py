"""What somebody may write otherwise of what nodes told each other: in letters, marks, claims on a far pot, and who signed.

Each edit changes the bodies of a record's facts and says where it began. It is made by two people: by one who has the file and
not the key, who leaves the signatures out; and by the owner of machine and key, who makes every hash, posting and signature
anew, so that nothing but the rules of links is left to find it.
"""

import random
from collections.abc import Callable

import msgspec

from controller.verify.facts import Reached
from controller.verify.links.letters import hash_of
from support.edits.forger import Body, Forger, of_kind, one_of

Change = Callable[[list[Body], random.Random], int]
"""Says the number of the first fact that is another one."""
Edit = Callable[[Forger, random.Random], None]


def by_hand(change: Change) -> Edit:
    """With the file alone."""

    def edit(forger: Forger, chance: random.Random) -> None:
        bodies = forger.bodies()
        first = change(bodies, chance)
        forger.write_anew(bodies, first)

    return edit


def _mark(fact: Body) -> Reached:
    return Reached(fact["epoch"], fact["number"], "")


def retold(bodies: list[Body], *, renumbered: bool = True) -> None:
    """All streams that were told, with numbers and hashes that follow."""
    node = bodies[0]["fact"]["node"]
    last: dict[str, tuple[int, str]] = {}
    for body in of_kind(bodies, "letter_told"):
        fact = body["fact"]
        number, hash_ = last.get(fact["stream"], (0, ""))
        if renumbered:
            fact["number"] = number + 1
        fact["previous"] = hash_
        words = msgspec.json.encode(fact["letter"])
        after = hash_of(node, fact["stream"], fact["version"], _mark(fact), hash_, words)
        last[fact["stream"]] = (fact["number"], after)


def _heard_again(bodies: list[Body], body: Body) -> None:
    """A letter of a log, with the hash of what it says now."""
    fact = body["fact"]
    same = [one["fact"] for one in of_kind(bodies[: bodies.index(body)], "letter_heard")]
    before = [one["mark"]["hash"] for one in same if one["stream"] == fact["stream"]]
    mark = Reached(fact["mark"]["epoch"], fact["mark"]["number"], "")
    words = msgspec.json.encode(fact["letter"])
    fact["mark"]["hash"] = hash_of(
        fact["neighbour"], fact["stream"], fact["version"], mark, before[-1] if before else "", words
    )


def _letters(bodies: list[Body], *kinds: str) -> list[Body]:
    return [one for one in of_kind(bodies, "letter_told") if one["fact"]["letter"]["letter"] in kinds]


def _out(bodies: list[Body], gone: Body) -> None:
    """A fact less, of whatever answer."""
    bodies.remove(gone)


def _anew(body: Body) -> Body:
    copy: Body = msgspec.json.decode(msgspec.json.encode(body))
    return copy


# Letters that were told


def letter_amount(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, _letters(bodies, "bets_sealed"))
    one_of(chance, body["fact"]["letter"]["bets"])["amount"] += 1_000
    retold(bodies)
    return int(body["seq"])


def letter_amount_without_its_hash(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, _letters(bodies, "award_given", "house_bears"))
    body["fact"]["letter"]["amount"] += 1
    return int(body["seq"])


def letter_missing(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    _out(bodies, body)
    retold(bodies)
    return int(body["seq"])


def letter_missing_and_its_number(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    _out(bodies, body)
    return int(body["seq"])


def letters_renumbered(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    for one in of_kind(bodies[body["seq"] - 1 :], "letter_told"):
        one["fact"]["number"] += one["fact"]["stream"] == body["fact"]["stream"]
    retold(bodies, renumbered=False)
    return int(body["seq"])


def letter_rehashed(bodies: list[Body], chance: random.Random) -> int:
    told = [one for one in of_kind(bodies, "letter_told") if one["fact"]["number"] > 1]
    body = one_of(chance, told)
    body["fact"]["previous"] = chance.randbytes(32).hex()
    return int(body["seq"])


def letter_told_twice(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    bodies.insert(bodies.index(body) + 1, _anew(body))
    retold(bodies)
    return int(body["seq"])


def letter_that_no_fact_asks_for(bodies: list[Body], chance: random.Random) -> int:
    """A payment that nobody made."""
    told = one_of(chance, of_kind(bodies, "letter_told"))
    invented = _anew(told)
    pot = told["fact"]["letter"]["pot"]
    invented["fact"]["letter"] = {"letter": "award_given", "pot": pot, "award": "DP-01/1/1/1", "amount": 5, "by": "eva"}
    bodies.insert(bodies.index(told) + 1, invented)
    retold(bodies)
    return int(told["seq"])


def letters_exchanged(bodies: list[Body], chance: random.Random) -> int:
    """Two letters of one stream say what the other said."""
    told = [one for one in of_kind(bodies, "letter_told") if one["fact"]["stream"].startswith("to:")]
    one, other = sorted(chance.sample(told, 2), key=lambda body: int(body["seq"]))
    if one["fact"]["letter"] == other["fact"]["letter"]:
        return letters_exchanged(bodies, chance)
    one["fact"]["letter"], other["fact"]["letter"] = other["fact"]["letter"], one["fact"]["letter"]
    retold(bodies)
    return int(one["seq"])


def letter_of_another_stream(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    body["fact"]["stream"] = "pot:otro"
    retold(bodies)
    return int(body["seq"])


def letter_of_a_later_epoch(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    body["fact"]["epoch"] += 1
    retold(bodies)
    return int(body["seq"])


def letter_of_another_version(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_told"))
    body["fact"]["version"] += 8
    retold(bodies)
    return int(body["seq"])


def letter_written_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """Its fields in another order: the same to who reads it, another hash."""
    body = one_of(chance, of_kind(bodies, "letter_told"))
    letter = body["fact"]["letter"]
    body["fact"]["letter"] = {"letter": letter["letter"], **dict(reversed(letter.items()))}
    retold(bodies)
    return int(body["seq"])


# Marks and what was heard


def _heard(bodies: list[Body], stream: str) -> list[Body]:
    return [one for one in of_kind(bodies, "letter_heard") if one["fact"]["stream"].startswith(stream)]


def mark_goes_back(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in _heard(bodies, "") if one["fact"]["mark"]["number"] > 1])
    body["fact"]["mark"]["number"] -= 1
    return int(body["seq"])


def mark_leaves_one_out(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, _heard(bodies, ""))
    body["fact"]["mark"]["number"] += 1
    return int(body["seq"])


def heard_under_another_hash(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, _heard(bodies, "to:"))
    body["fact"]["mark"]["hash"] = chance.randbytes(32).hex()
    return int(body["seq"])


def heard_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """A letter of a log says more money, with a hash that is right for it."""
    kinds = ("claim_settled", "house_bears", "pot_moved", "plan_in_force")
    body = one_of(chance, [one for one in _heard(bodies, "pot:") if one["fact"]["letter"]["letter"] in kinds])
    body["fact"]["letter"]["after"]["main"] += 1_000
    _heard_again(bodies, body)
    return int(body["seq"])


def heard_of_nobody(bodies: list[Body], chance: random.Random) -> int:
    """What a letter made stands there; that it was heard does not."""
    body = one_of(chance, [one for one in _heard(bodies, "to:") if bodies[one["seq"] - 2]["id"] == one["id"]])
    _out(bodies, body)
    return int(body["seq"])


def heard_twice(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, _heard(bodies, "to:"))
    same = [one for one in bodies if one["id"] == body["id"]]
    again = [_anew(one) for one in same]
    ask = chance.randbytes(16).hex()
    for one in again:
        one["id"], one["ask"] = ["otra", 1, 1], ask
        if one["fact"]["kind"] == "letter_heard":
            one["fact"]["mark"]["number"] += 1
    at = bodies.index(same[-1]) + 1
    bodies[at:at] = [one for one in again if one["fact"]["kind"] != "letter_told"]
    return at + 1


def acknowledged_before(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_acknowledged")[2:])
    body["fact"]["mark"]["number"] = 0
    return int(body["seq"])


def acknowledged_what_was_not_told(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_acknowledged"))
    body["fact"]["mark"]["number"] += 1_000
    return int(body["seq"])


def acknowledged_another_letter(bodies: list[Body], chance: random.Random) -> int:
    """The last one that was told, with another hash."""
    acknowledged = of_kind(bodies, "letter_acknowledged")
    told = {one["fact"]["stream"]: one["fact"]["number"] for one in of_kind(bodies, "letter_told")}
    last = [one for one in acknowledged if one["fact"]["mark"]["number"] == told[one["fact"]["stream"]]]
    body = one_of(chance, last)
    body["fact"]["mark"]["hash"] = chance.randbytes(32).hex()
    return int(body["seq"])


# Claims on a far pot, and money


def _waiting(bodies: list[Body]) -> list[Body]:
    return [one for one in of_kind(bodies, "claim_decided") if one["fact"]["waited"]]


def percentage_decided_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """A peso more of the percentage, in the decision and in the letter that told it; the pot has it less."""
    body = one_of(chance, _waiting(bodies))
    heard = next(one for one in of_kind(bodies[body["seq"] :], "letter_heard") if one["id"] == body["id"])
    for fact in (body["fact"], heard["fact"]["letter"]):
        award = next(one for one in fact["awards"] if one["number"] in body["fact"]["waited"])
        award["amount"] = award.get("amount", 0) + 1
        award["parts"] = {"main": award["amount"]}
    _heard_again(bodies, heard)
    return int(body["seq"])


def base_decided_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """The pot as the claim found it was fuller, says the decision: so it stands fuller behind it."""
    body = one_of(chance, of_kind(bodies, "claim_decided"))
    heard = next(one for one in of_kind(bodies[body["seq"] :], "letter_heard") if one["id"] == body["id"])
    for fact in (body["fact"], heard["fact"]["letter"]):
        fact["after"]["main"] += 700
    _heard_again(bodies, heard)
    return int(body["seq"])


def waiting_award_paid(bodies: list[Body], chance: random.Random) -> int:
    """What the owner of the pot has not decided yet was confirmed."""
    confirmed = {one["fact"]["award"].rpartition("/")[0] for one in of_kind(bodies, "award_confirmed")}
    own = [one for one in of_kind(bodies, "claim_asked") if one["fact"]["claim"] in confirmed]
    asked = one_of(chance, [one for one in own if one["fact"]["waiting"]])
    claim = asked["fact"]["claim"]
    award = f"{claim}/{asked['fact']['waiting'][0]}"
    body = next(one for one in of_kind(bodies, "award_confirmed") if one["fact"]["award"] == award)
    last = max(int(one["seq"]) for one in bodies if one["id"] == asked["id"])
    bodies.remove(body)
    body["at"] = asked["at"]
    bodies.insert(last, body)
    return last + 1


def certain_amount_otherwise(bodies: list[Body], chance: random.Random) -> int:
    own = [one for one in of_kind(bodies, "claim_asked") if "@" not in one["fact"]["table"]]
    body = one_of(chance, [one for one in own if any(award["amount"] for award in one["fact"]["awards"])])
    award = next(one for one in body["fact"]["awards"] if one["amount"])
    award["amount"] += 1_000
    letter = next(one for one in _letters(bodies[body["seq"] :], "claim_made") if one["id"] == body["id"])
    letter["fact"]["letter"]["awards"] = body["fact"]["awards"]
    retold(bodies)
    return int(body["seq"])


def percentage_that_does_not_wait(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "claim_asked") if one["fact"]["waiting"]])
    body["fact"]["waiting"] = []
    return int(body["seq"])


def commission_a_peso_less(bodies: list[Body], chance: random.Random) -> int:
    """Of a box's pass: the commission is floor(ppm x total) with one carry for all tables of the casino."""
    sealed = [
        one
        for one in of_kind(bodies, "pass_sealed")
        if one["fact"].get("above") and one["fact"]["flow"].get("commission")
    ]
    body = one_of(chance, sealed)
    body["fact"]["bets"][0]["commission"] -= 1
    body["fact"]["flow"]["commission"] -= 1
    letter = next(one for one in _letters(bodies[body["seq"] :], "bets_sealed") if one["id"] == body["id"])
    letter["fact"]["letter"]["bets"] = body["fact"]["bets"]
    retold(bodies)
    return int(body["seq"])


def commission_carry_of_each_table(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "pass_sealed") if one["fact"].get("above")])
    body["fact"]["commission_carry"] = (body["fact"]["commission_carry"] + 1) % 1_000_000
    return int(body["seq"])


def house_charged_less(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "house_charged"))
    body["fact"]["amount"] -= 1
    return int(body["seq"])


def share_of_more(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "share_heard"))
    body["fact"]["amount"] += 1
    return int(body["seq"])


def share_from_nowhere(bodies: list[Body], chance: random.Random) -> int:
    """More than was given, out of an account that nobody else looks at."""
    moves = [one for one in of_kind(bodies, "money_moved") if one["fact"]["source"].startswith("share:")]
    body = one_of(chance, moves)
    body["fact"]["source"] = body["fact"]["source"].replace("share:", "share:otro-")
    return int(body["seq"])


def bets_of_a_neighbour_raised(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "pass_sealed") if "@" in one["fact"]["table"]])
    body["fact"]["bets"][0]["amount"] += 1_000_000
    return int(body["seq"])


def pass_of_a_neighbour_twice(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "pass_sealed") if "@" in one["fact"]["table"]][1:])
    body["fact"]["number"] -= 1
    return int(body["seq"])


def amount_in_dispute(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "letter_disputed"))
    body["fact"]["amount"] += 100
    return int(body["seq"])


def left_with_us_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """More than the letter had brought, says the owner of the pot; the house here bears it."""
    body = one_of(chance, of_kind(bodies, "dispute_heard"))
    heard = next(one for one in of_kind(bodies[body["seq"] :], "letter_heard") if one["id"] == body["id"])
    for fact in (body["fact"], heard["fact"]["letter"]):
        fact["amount"] += 500
    _heard_again(bodies, heard)
    return int(body["seq"])


def put_right_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """A peso more for who was not seen, in what became of it and in the letter that said it."""
    body = one_of(chance, [one for one in of_kind(bodies, "claim_corrected") if one["fact"]["awards"]])
    heard = next(one for one in of_kind(bodies[body["seq"] :], "letter_heard") if one["id"] == body["id"])
    for fact in (body["fact"], heard["fact"]["letter"]):
        fact["awards"][0]["amount"] += 1
    _heard_again(bodies, heard)
    return int(body["seq"])


def correction_that_nobody_asked(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "correction_asked"))
    body["fact"]["wanted"] += 7
    return int(body["seq"])


# Who did it, and when


def _alone(kind: str) -> Change:
    def change(bodies: list[Body], chance: random.Random) -> int:
        body = one_of(chance, of_kind(bodies, kind))
        body["fact"]["second"] = body["fact"]["by"]
        return int(body["seq"])

    return change


def accepted_from_elsewhere(bodies: list[Body], chance: random.Random) -> int:
    """Not where the neighbour says that it stands."""
    body = one_of(chance, of_kind(bodies, "neighbour_accepted"))
    body["fact"]["mark"]["number"] += 5
    return int(body["seq"])


def pass_opened_while_cut_off(bodies: list[Body], chance: random.Random) -> int:
    """That the owner of the pot was heard again after forty minutes is gone; a pass opened."""
    seen = [one for one in of_kind(bodies, "link_seen") if one["fact"]["up"]]
    body = one_of(chance, seen[-1:])
    _out(bodies, body)
    return int(body["seq"])


def pass_opened_before_a_silent_owner(bodies: list[Body], chance: random.Random) -> int:
    """The same of an owner who was silent behind a link that stood."""
    body = one_of(chance, [one for one in of_kind(bodies, "owner_seen") if one["fact"]["up"]])
    _out(bodies, body)
    return int(body["seq"])


def link_never_broke(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "link_seen") if not one["fact"]["up"]])
    _out(bodies, body)
    return int(body["seq"])


def neighbour_ready_without_a_word(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, [one for one in of_kind(bodies, "plan_ready") if one["fact"].get("neighbour")])
    body["fact"]["neighbour"] = "otro"
    return int(body["seq"])


def ready_before_the_box(bodies: list[Body], chance: random.Random) -> int:
    """The box's word is gone, with the letter that said it; its stream closes up behind it."""
    body = one_of(chance, [one for one in of_kind(bodies, "plan_ready") if one["fact"].get("neighbour")])
    gone = [
        one
        for one in bodies
        if one["id"] == body["id"]
        and one["fact"]["kind"] in ("plan_ready", "letter_heard")
        and one["fact"].get("neighbour")
    ]
    for one in gone:
        _out(bodies, one)
    return int(body["seq"])


def plan_in_force_otherwise(bodies: list[Body], chance: random.Random) -> int:
    """Of a pot that a neighbour owns: with its levels there."""
    body = one_of(chance, [one for one in of_kind(bodies, "plan_took_effect") if "after" in one["fact"]])
    body["fact"]["after"]["main"] += 1
    return int(body["seq"])


# Advances


def _advance(bodies: list[Body], chance: random.Random) -> tuple[Body, Body]:
    """One that was given here, and its letter."""
    body = one_of(chance, of_kind(bodies, "award_advanced"))
    return body, next(one for one in _letters(bodies, "advance_given") if one["id"] == body["id"])


def advance_over_the_bound(bodies: list[Body], chance: random.Random) -> int:
    """As much again as the award can ever be, with its letter."""
    body, letter = _advance(bodies, chance)
    body["fact"]["amount"] = letter["fact"]["letter"]["amount"] = 10_000_000
    retold(bodies)
    return int(body["seq"])


def advance_to_another_seat(bodies: list[Body], chance: random.Random) -> int:
    body, _ = _advance(bodies, chance)
    body["fact"]["seat"] += 1
    return int(body["seq"])


def advance_not_given_back(bodies: list[Body], chance: random.Random) -> int:
    """The award was paid in full, as if its winner had nothing of it."""
    body = one_of(chance, [one for one in of_kind(bodies, "award_paid") if "advanced" in one["fact"]])
    del body["fact"]["advanced"]
    return int(body["seq"])


def advance_nobody_gave(bodies: list[Body], chance: random.Random) -> int:
    """A payment of which the house kept part for itself."""
    paid = [one for one in of_kind(bodies, "award_paid") if "@" not in one["fact"]["award"]]
    body = one_of(chance, [one for one in paid if "advanced" not in one["fact"] and not one["fact"].get("promo")])
    body["fact"]["advanced"] = 1
    return int(body["seq"])


def advance_of_a_neighbour_otherwise(bodies: list[Body], chance: random.Random) -> int:
    body = one_of(chance, of_kind(bodies, "advance_heard"))
    body["fact"]["amount"] += 1
    return int(body["seq"])


FOUND: dict[str, Change] = {
    "letter_amount": letter_amount,
    "letter_amount_without_its_hash": letter_amount_without_its_hash,
    "letter_missing": letter_missing,
    "letter_missing_and_its_number": letter_missing_and_its_number,
    "letters_renumbered": letters_renumbered,
    "letter_rehashed": letter_rehashed,
    "letter_told_twice": letter_told_twice,
    "letter_that_no_fact_asks_for": letter_that_no_fact_asks_for,
    "letters_exchanged": letters_exchanged,
    "letter_of_another_stream": letter_of_another_stream,
    "letter_of_a_later_epoch": letter_of_a_later_epoch,
    "letter_of_another_version": letter_of_another_version,
    "letter_written_otherwise": letter_written_otherwise,
    "mark_goes_back": mark_goes_back,
    "mark_leaves_one_out": mark_leaves_one_out,
    "heard_under_another_hash": heard_under_another_hash,
    "heard_otherwise": heard_otherwise,
    "heard_of_nobody": heard_of_nobody,
    "heard_twice": heard_twice,
    "acknowledged_before": acknowledged_before,
    "acknowledged_what_was_not_told": acknowledged_what_was_not_told,
    "acknowledged_another_letter": acknowledged_another_letter,
    "percentage_decided_otherwise": percentage_decided_otherwise,
    "base_decided_otherwise": base_decided_otherwise,
    "waiting_award_paid": waiting_award_paid,
    "certain_amount_otherwise": certain_amount_otherwise,
    "percentage_that_does_not_wait": percentage_that_does_not_wait,
    "commission_a_peso_less": commission_a_peso_less,
    "commission_carry_of_each_table": commission_carry_of_each_table,
    "house_charged_less": house_charged_less,
    "share_of_more": share_of_more,
    "share_from_nowhere": share_from_nowhere,
    "bets_of_a_neighbour_raised": bets_of_a_neighbour_raised,
    "pass_of_a_neighbour_twice": pass_of_a_neighbour_twice,
    "amount_in_dispute": amount_in_dispute,
    "put_right_otherwise": put_right_otherwise,
    "correction_that_nobody_asked": correction_that_nobody_asked,
    "left_with_us_otherwise": left_with_us_otherwise,
    "neighbour_pinned_alone": _alone("neighbour_pinned"),
    "neighbour_revoked_alone": _alone("neighbour_revoked"),
    "neighbour_accepted_alone": _alone("neighbour_accepted"),
    "dispute_ended_alone": _alone("dispute_ended"),
    "accepted_from_elsewhere": accepted_from_elsewhere,
    "pass_opened_while_cut_off": pass_opened_while_cut_off,
    "pass_opened_before_a_silent_owner": pass_opened_before_a_silent_owner,
    "link_never_broke": link_never_broke,
    "neighbour_ready_without_a_word": neighbour_ready_without_a_word,
    "ready_before_the_box": ready_before_the_box,
    "plan_in_force_otherwise": plan_in_force_otherwise,
    "advance_over_the_bound": advance_over_the_bound,
    "advance_to_another_seat": advance_to_another_seat,
    "advance_not_given_back": advance_not_given_back,
    "advance_nobody_gave": advance_nobody_gave,
    "advance_of_a_neighbour_otherwise": advance_of_a_neighbour_otherwise,
    "advance_given_alone": _alone("award_advanced"),
}
