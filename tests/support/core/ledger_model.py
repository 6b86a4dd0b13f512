"""An independent ledger: what every account stands at, from the facts' own JSON and the text of rules.md alone.

It takes from a fact what happened (who bet, which hand, which claim was rejected) and works out what that moves by
itself: the splits from exact cumulative millionths instead of carries, the awards with tests/support/core/model.py, and so on. It
shares nothing with `controller` but the names of accounts and of the fields. Where the two disagree, one is wrong.
"""

import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, TypedDict

from support.core.model import Awarded, Document, Gave, PotMoney, Won, hand_of, pay, settle

MILLION = 1_000_000
WORD = 2**32

Fact = dict[str, Any]  # a fact's own JSON, as it was read
Totals = dict[str, int]  # the totals of a unit
Sealed = tuple[int, int, int, int, int]  # seat, bet, promotional part, chips, what passed the ceiling


class SeatSums(TypedDict):
    """A seat: what stands on it, and its unit's totals as they were heard last."""

    bet: int
    promo: int
    slot: int
    lit: bool
    device: Totals


class TableSums(TypedDict):
    """A table, its pass and the bets that were sealed in it."""

    casino: str
    pot: str
    forfeits: list[str]
    seats: dict[int, SeatSums]
    number: int
    sealed: list[Sealed]


class PotSums(TypedDict):
    """A pot: its documents, and what each beneficiary is exactly owed, in millionths."""

    plan: Document
    law: Document
    reserves: list[str]
    commission: dict[str, int]
    allotted: dict[str, int]


class ClaimSums(TypedDict):
    """A claim, or a prize that was granted: its pass (a prize has none), its awards, and who gave what for them."""

    of_pass: tuple[str, int] | None
    pot: str
    casino: str
    bets: list[Sealed]
    before: PotMoney
    seats: set[int]
    awards: list[int]
    gave: list[Gave]
    reset: Gave | None


class Ledger:
    """Balances, and what one needs to know to keep them."""

    def __init__(self) -> None:
        self.balances: defaultdict[str, int] = defaultdict(int)
        self.kinds: Counter[str] = Counter()
        self.shared: set[str] = set()
        self.seen: Counter[str] = Counter()
        self._pots: dict[str, PotSums] = {}
        self._tables: dict[str, TableSums] = {}
        self._claims: dict[str, ClaimSums] = {}
        self._promotional: dict[str, tuple[str, str, int]] = {}
        self._lost: Counter[str] = Counter()  # of each award, what the house bears of it now
        self._moved: defaultdict[str, int] = defaultdict(int)

    def take(self, body: bytes) -> dict[str, int]:
        """One fact: what it moved, account by account, as the rules have it."""
        fact = json.loads(body)["fact"]
        kind = fact["kind"]
        self.kinds[kind] += 1
        self._moved = defaultdict(int)
        act = getattr(self, f"_{kind}", None)
        if act is not None:
            act(fact)
        return {account: amount for account, amount in self._moved.items() if amount}

    def _move(self, account: str, amount: int) -> None:
        self.balances[account] += amount
        self._moved[account] += amount

    def _pass_on(self, source: str, target: str, amount: int | None = None) -> None:
        """From one account to another: so much, or all of it."""
        amount = self.balances[source] if amount is None else amount
        self._move(source, -amount)
        self._move(target, amount)

    def _plan_took_effect(self, fact: Fact) -> None:
        plan, law = tomllib.loads(fact["plan"]), tomllib.loads(fact["ruleset"])
        name = plan["name"]
        reserves = [row["name"] for row in plan["allocation"].get("reserves", [])]
        if name in self._pots:
            self._pots[name] |= {"plan": plan, "law": law, "reserves": reserves}
        else:
            self._pots[name] = {"plan": plan, "law": law, "reserves": reserves, "commission": {}, "allotted": {}}
            self._pass_on(f"house:{name}:{plan['tables'][0]['casino']}", f"pot:{name}:main", plan["pot"]["base"])
        for row in plan["tables"]:
            casino, modality = row["casino"], law["modalities"][row["modality"]]
            folded = row["modality"] == "draw" and law["readings"].get("draw_fold_forfeits", False)
            forfeits = modality["forfeits"] + ["folded"] * folded
            if row["name"] in self._tables:
                self._tables[row["name"]] |= {"casino": casino, "pot": name, "forfeits": forfeits}
            else:
                self._tables[row["name"]] = {
                    "casino": casino, "pot": name, "forfeits": forfeits,
                    "seats": {n: _seat() for n in range(1, modality["seats"] + 1)}, "number": 0, "sealed": [],
                }  # fmt: skip

    def _pot(self, name: str) -> PotMoney:
        """A pot as tests/support/core/model.py knows one."""
        known = self._pots[name]
        reserves = {part: self.balances[f"pot:{name}:{part}"] for part in known["reserves"]}
        base = known["plan"]["pot"]["base"]
        return {"main": self.balances[f"pot:{name}:main"], "base": base, "reserves": reserves}

    def _becomes(self, name: str, pot: PotMoney) -> None:
        """A pot stands at this from now on."""
        for part, amount in {"main": pot["main"], **pot["reserves"]}.items():
            self._move(f"pot:{name}:{part}", amount - self.balances[f"pot:{name}:{part}"])

    def _money_moved(self, fact: Fact) -> None:
        name = fact["pot"]
        house = f"house:{name}:{self._pots[name]['plan']['tables'][0]['casino']}"
        source = house if fact["source"] == "house" else f"pot:{name}:{fact['source']}"
        self._pass_on(source, f"pot:{name}:{fact['target']}", fact["amount"])

    def _at(self, fact: Fact) -> tuple[TableSums, SeatSums, int]:
        table = self._tables[fact["table"]]
        return table, table["seats"][fact["seat"]], self._pots[table["pot"]]["plan"]["bets"]["credit_value"]

    def _credits_bought(self, fact: Fact) -> None:
        self._pass_on(_till(fact), f"credits:{fact['table']}:{fact['seat']}", fact["amount"])

    def _credits_cashed(self, fact: Fact) -> None:
        self._pass_on(f"credits:{fact['table']}:{fact['seat']}", _till(fact))

    def _credits_left(self, fact: Fact) -> None:
        name, table = fact["table"], self._tables[fact["table"]]
        self._pass_on(f"credits:{name}:{fact['seat']}", f"left:{name}")
        self._pass_on(f"promo:{name}:{fact['seat']}", f"promo_issued:{table['pot']}:{table['casino']}")

    def _left_paid(self, fact: Fact) -> None:
        self._pass_on(f"left:{fact['table']}", _till(fact), fact["amount"])

    def _owed_paid(self, fact: Fact) -> None:
        seat = self._at(fact)[1]
        self._pass_on(f"owed:{fact['table']}:{fact['seat']}", f"cash:{fact['table']}")
        seat["slot"] = min(seat["slot"], seat["bet"])

    def _seat_counted(self, fact: Fact) -> None:
        seat = f"credits:{fact['table']}:{fact['seat']}"
        self._pass_on(f"suspense:{fact['table']}", seat, fact["found"] - self.balances[seat])

    def _suspense_cleared(self, fact: Fact) -> None:
        table = self._tables[fact["table"]]
        self._pass_on(f"suspense:{fact['table']}", f"house:{table['pot']}:{table['casino']}")

    # Bets. A unit counts for ever: a bet is what its total gained.

    def _gained(self, seat: SeatSums, device: Totals, *totals: str) -> int:
        worth = {"late": device.get("worth", 1)}
        gained = sum((device[name] - seat["device"][name]) % WORD * worth.get(name, 1) for name in totals)
        seat["device"] = {**seat["device"], **{name: device[name] for name in totals}}
        return gained

    def _stands(self, seat: SeatSums, device: Totals) -> int:
        """What was bet, without the presses that came and went since the unit was heard last."""
        return self._gained(seat, device, "bets") - self._gained(seat, device, "voided")

    def _device_adopted(self, fact: Fact) -> None:
        self._at(fact)[1]["device"] = dict(fact["device"])

    _device_seen = _device_adopted

    def _device_disbelieved(self, fact: Fact) -> None:
        """R-37: it is booked nowhere."""

    def _firmware_seen(self, fact: Fact) -> None:
        """R-27: what counts money, and none itself."""

    def _unproven_refused(self, fact: Fact) -> None:
        """R-27: nobody did anything."""

    def _terminal_enrolled(self, fact: Fact) -> None:
        """R-36: a browser moves no money."""

    _terminal_withdrawn = _terminal_enrolled

    def _lamps_tested(self, fact: Fact) -> None:
        """R-6: the seats that stayed dark close by facts of their own."""

    def _bet_made(self, fact: Fact) -> None:
        _, seat, credit = self._at(fact)
        where = f"{fact['table']}:{fact['seat']}"
        amount = self._stands(seat, fact["device"]) * credit
        promo = min(amount, self.balances[f"promo:{where}"] // credit * credit)
        seat |= {"bet": amount, "promo": promo, "lit": False}
        self._move(f"credits:{where}", promo - amount)
        self._move(f"promo:{where}", -promo)
        self._move(f"bets:{fact['table']}", amount)

    def _bet_refused(self, fact: Fact) -> None:
        self._stands(self._at(fact)[1], fact["device"])

    def _chips_fell(self, fact: Fact) -> None:
        table, seat, credit = self._at(fact)
        amount = self._gained(seat, fact["device"], "chips", "late") * credit
        seat["device"] = dict(fact["device"])
        seat["slot"] += fact.get("counted", 0)
        limits = self._pots[table["pot"]]["plan"]["bets"]
        bet = min(seat["slot"] // credit * credit, limits["max_bet"]) if fact.get("counted", 0) else seat["bet"]
        bet = 0 if bet < limits["min_bet"] else bet
        self._move(f"cash:{fact['table']}", -amount)
        self._move(f"bets:{fact['table']}", bet - seat["bet"])
        self._move(f"owed:{fact['table']}:{fact['seat']}", amount - (bet - seat["bet"]))
        seat["bet"] = bet

    def _device_voided(self, fact: Fact) -> None:
        seat = self._at(fact)[1]
        unseen = self._gained(seat, fact["device"], "voided") - fact["credits"]
        seat["device"]["bets"] = (seat["device"]["bets"] + unseen) % WORD
        if "refund" in fact:
            self._back(fact["table"], fact["seat"])

    def _lamp_changed(self, fact: Fact) -> None:
        if fact["lamp"] == "lit":
            self._at(fact)[1]["lit"] = True
        elif fact.get("before_lock"):
            self._at(fact)[1]["lit"] = False
        elif not fact.get("locked"):
            self._back(fact["table"], fact["seat"])

    def _seat_closed(self, fact: Fact) -> None:
        if not fact.get("after_pass"):
            self._back(fact["table"], fact["seat"])

    def _back(self, name: str, number: int) -> None:
        """R-25: an unsealed bet back to its seat, in the form in which it was made."""
        seat = self._tables[name]["seats"][number]
        self._move(f"bets:{name}", -seat["bet"])
        self._to_seat(name, number, seat["bet"], seat["promo"], seat["bet"] if seat["slot"] else 0)
        _take_off(seat)

    def _to_seat(self, name: str, number: int, bet: int, promo: int, chips: int) -> None:
        self._move(f"credits:{name}:{number}", bet - promo - chips)
        self._move(f"promo:{name}:{number}", promo)
        self._move(f"owed:{name}:{number}", chips)

    def _pass_opened(self, fact: Fact) -> None:
        self._tables[fact["table"]]["number"] = fact["number"]

    def _pass_closed(self, fact: Fact) -> None:
        table = self._tables[fact["table"]]
        table["sealed"] = []
        for seat in table["seats"].values():
            _take_off(seat)

    def _pass_sealed(self, fact: Fact) -> None:
        name, table = fact["table"], self._tables[fact["table"]]
        for number, seat in table["seats"].items():
            if seat["bet"] and not seat["lit"]:
                self.seen["never lit, given back"] += 1
                self._back(name, number)
        for number, seat in table["seats"].items():
            if seat["bet"]:
                chips = seat["bet"] if seat["slot"] else 0
                table["sealed"].append((number, seat["bet"], seat["promo"], chips, self._give(table, seat["bet"])))
        self._move(f"bets:{name}", -sum(bet[1] for bet in table["sealed"]))

    def _split(self, table: TableSums, amount: int) -> tuple[int, dict[str, int]]:
        """R-22, R-23: everybody has exactly floor(percentage x total) at any time, also when the total falls."""
        known = self._pots[table["pot"]]
        commission = _rise(known["commission"], table["casino"], amount * known["plan"]["commission_ppm"])
        self._move(f"commission:{table['pot']}:{table['casino']}", commission)
        shares = {row["name"]: row["ppm"] for row in known["plan"]["allocation"].get("reserves", [])}
        net = amount - commission
        return net, {name: _rise(known["allotted"], name, net * ppm) for name, ppm in shares.items()}

    def _give(self, table: TableSums, amount: int) -> int:
        """R-22, R-24: one bet to all its beneficiaries; what passed the ceiling."""
        net, parts = self._split(table, amount)
        pot, main = self._pot(table["pot"]), net - sum(parts.values())
        ceiling: int = self._pots[table["pot"]]["plan"]["pot"].get("ceiling", pot["main"] + main)
        over = main - min(main, max(ceiling - pot["main"], 0))
        for name, amount_of in parts.items():
            pot["reserves"][name] += amount_of
        if over:
            self.seen["over the ceiling"] += 1
            pot["reserves"][next(iter(parts))] += over
        pot["main"] += main - over
        self._becomes(table["pot"], pot)
        return over

    def _hands_voided(self, fact: Fact) -> None:
        name, table = fact["table"], self._tables[fact["table"]]
        of = set(table["seats"]) if fact["whole_pass"] else {refund["seat"] for refund in fact["refunds"]}
        for bet in reversed([bet for bet in table["sealed"] if bet[0] in of]):
            self.seen["undone after the seal"] += 1
            self._take_back(table, bet[1], bet[4])
            self._to_seat(name, *bet[:4])
            _take_off(table["seats"][bet[0]])
        table["sealed"] = [bet for bet in table["sealed"] if bet[0] not in of]
        for number in of:
            if table["seats"][number]["bet"]:
                self._back(name, number)
        if fact["whole_pass"]:
            self._pass_closed(fact)

    def _take_back(self, table: TableSums, amount: int, over: int) -> None:
        """R-25: a bet out of the pots again; what they no longer have comes from who stands behind them (R-18)."""
        house = f"house:{table['pot']}:{table['casino']}"
        readings = self._pots[table["pot"]]["law"]["readings"]
        if readings["void_undoes"] == "nothing":
            self._move(house, -amount)
            return
        net, parts = self._split(table, -amount)
        main = net - sum(parts.values())
        over = min(over, max(-main, 0))
        pot, missing = self._pot(table["pot"]), 0
        for at, (name, part) in enumerate(parts.items()):
            wanted = -part + (over if at == 0 else 0)
            given = min(wanted, pot["reserves"][name])
            pot["reserves"][name] -= given
            missing += wanted - given
        pot["main"] += max(main, 0)
        missing += pay(pot, max(-main, 0) - over, readings["shortfall_from"]).get("house", 0)
        self._becomes(table["pot"], pot)
        self._move(house, -missing)

    def _wins(self, table: TableSums, pot: str, bets: Sequence[Sealed], fact: Fact) -> Iterator[Won]:
        """R-8, R-10: who won what: cards decide, else the word."""
        amounts = {bet[0]: bet[1] for bet in bets}
        for hand in fact["hands"]:
            if set(hand.get("acts", ())) & set(table["forfeits"]):
                continue
            cards = hand.get("cards", ())
            made = hand_of([*fact["community"], *cards]) if cards else hand.get("claimed")
            if made is not None and made in self._pots[pot]["law"]["paytable"]:
                yield hand["seat"], made, amounts[hand["seat"]]

    def _settled(self, pot: str, before: PotMoney, wins: Sequence[Won]) -> tuple[list[Awarded], Gave | None, PotMoney]:
        known = self._pots[pot]
        return settle(known["law"], known["law"]["readings"], before, wins, known["plan"]["bets"].get("unit", 1))

    def _claim_registered(self, fact: Fact) -> None:
        table = self._tables[fact["table"]]
        name, casino = table["pot"], table["casino"]
        same = [one for one in self._claims.values() if one["of_pass"] == (fact["table"], fact["number"])]
        here = table["number"] == fact["number"] and table["sealed"]
        bets = table["sealed"] if here else same[-1]["bets"]
        before = self._pot(name)
        wins = list(self._wins(table, name, bets, fact))
        awards, reset, after = self._settled(name, before, wins)
        self._becomes(name, after)
        house = sum(gave.get("house", 0) for *_, gave in awards) + (reset or {}).get("house", 0)
        self.seen["base put back"] += reset is not None
        self.seen["paid by the house in part"] += any(gave.get("house") for *_, gave in awards)
        self._move(f"house:{name}:{casino}", -house)
        self._move(f"held:{name}", sum(amount for _, _, amount, _ in awards))
        won = Counter(category for _, category, _ in wins)
        self.shared |= {category for category, count in won.items() if count > 1}
        if awards:
            self._claims[fact["claim"]] = {
                "of_pass": (fact["table"], fact["number"]), "pot": name, "casino": casino, "bets": bets, "before": before,
                "seats": {seat for seat, *_ in wins}, "awards": [amount for _, _, amount, _ in awards],
                "gave": [gave for *_, gave in awards], "reset": reset,
            }  # fmt: skip

    def _claim_rejected(self, fact: Fact) -> None:
        """R-21: exactly undone; what passes the ceiling only now goes to the first reserve (R-24)."""
        if fact["claim"] in self._promotional:
            return
        claim = self._claims[fact["claim"]]
        name, house, pot = claim["pot"], 0, self._pot(claim["pot"])
        for gave in claim["gave"]:
            house += _return(pot, gave)
        if claim["reset"] is not None:
            backing = self._pots[name]["law"]["readings"]["shortfall_from"]
            house -= pay(pot, sum(claim["reset"].values()), backing).get("house", 0)
            house += _return(pot, claim["reset"])
        ceiling = self._pots[name]["plan"]["pot"].get("ceiling")
        if ceiling is not None:
            over = max(0, pot["main"] - max(ceiling, claim["before"]["main"]))
            self.seen["over the ceiling when rejected"] += bool(over)
            pot["main"] -= over
            pot["reserves"][next(iter(pot["reserves"]))] += over
        self._becomes(name, pot)
        self._move(f"house:{name}:{claim['casino']}", house)
        self._move(f"held:{name}", -sum(claim["awards"]))

    def _claim_corrected(self, fact: Fact) -> None:
        """R-34: what is owed more and what is cancelled moves what is held; the flow must be the other half of it. Where
        the pot belongs is computed again elsewhere: by `controller.verify`, and by histories without the errors."""
        name, casino, flow = fact["pot"], fact["casino"], fact["flow"]
        more = self._owed_more(fact["claim"], name, casino, fact["awards"])
        for one in fact["resettled"]:
            more += self._owed_more(one["claim"], name, one["casino"], one["awards"])
        less = sum(self._cancelled(award) for award in fact["cancelled"])
        for loss in fact["lost"]:
            assert loss["amount"], "R-34: nothing is said of nothing"
            self._lost[loss["award"]] += loss["amount"]
            assert 0 <= self._lost[loss["award"]] <= self._award(loss["award"]), "R-34: no more is lost than was paid"
        self._move(f"held:{name}", more - less)
        for part, amount in flow["parts"].items():
            self._move(f"pot:{name}:{part}", amount)
        self._move(f"house:{name}:{casino}", less - more - sum(flow["parts"].values()))
        self.seen["corrected"] += 1
        self.seen["settled again"] += bool(fact["resettled"])
        self.seen["paid without being owed"] += bool(fact["lost"])

    def _owed_more(self, claim: str, pot: str, casino: str, awards: Sequence[Fact]) -> int:
        if claim in self._promotional:
            return 0
        known = self._claims.setdefault(claim, {
            "of_pass": None, "pot": pot, "casino": casino, "bets": [], "before": self._pot(pot), "seats": set(),
            "awards": [], "gave": [], "reset": None,
        })  # fmt: skip
        for award in awards:
            assert award["number"] == len(known["awards"]) + 1, "R-13: numbered on"
            known["awards"].append(award["amount"])
        return sum(award["amount"] for award in awards)

    def _award(self, award: str) -> int:
        claim, _, number = award.rpartition("/")
        return (
            self._promotional[claim][2]
            if claim in self._promotional
            else self._claims[claim]["awards"][int(number) - 1]
        )

    def _cancelled(self, award: str) -> int:
        return 0 if award.rpartition("/")[0] in self._promotional else self._award(award)

    def _late_registered(self, fact: Fact) -> None:
        """R-34: what they would have been paid then, from the house."""
        claim = self._claims[fact["claim"]]
        assert claim["of_pass"] is not None, "a prize has no winners to be found late"
        table = self._tables[claim["of_pass"][0]]
        wins = list(self._wins(table, claim["pot"], claim["bets"], fact))
        late = [one for one in self._settled(claim["pot"], claim["before"], wins)[0] if one[0] not in claim["seats"]]
        claim["awards"] += [amount for _, _, amount, _ in late]
        claim["seats"] |= {seat for seat, *_ in late}
        owed = sum(amount for _, _, amount, _ in late)
        self.seen["a percentage found late"] += any(category.startswith("escalera_") for _, category, *_ in late)
        self._pass_on(f"house:{claim['pot']}:{claim['casino']}", f"held:{claim['pot']}", owed)

    def _award_paid(self, fact: Fact) -> None:
        name, _, number = fact["award"].rpartition("/")
        if name in self._promotional:
            self._pass_on(*self._promotional[name])
            return
        claim = self._claims[name]
        amount = claim["awards"][int(number) - 1]
        self._pass_on(f"held:{claim['pot']}", f"paid:{claim['pot']}:{claim['casino']}", amount)

    def _prize_granted(self, fact: Fact) -> None:
        table = self._tables[fact["table"]]
        name, casino = table["pot"], table["casino"]
        prize = next(row for row in self._pots[name]["plan"]["complementary"] if row["name"] == fact["prize"])
        amount = prize["amount"]
        if prize["paid_in"] == "promotional_credits":
            given = (f"promo_issued:{name}:{casino}", f"promo:{fact['table']}:{fact['seat']}", amount)
            if fact.get("held"):  # nobody's money until it is paid
                self._promotional[fact["claim"]] = given
            else:
                self._pass_on(*given)
            return
        before, part = self._pot(name), prize["from"]
        there = min(amount, self.balances[f"pot:{name}:{part}"])
        self._pass_on(f"pot:{name}:{part}", f"held:{name}", there)
        self._pass_on(f"house:{name}:{casino}", f"held:{name}", amount - there)
        gave = [{part: there, "house": amount - there}]
        self._claims[fact["claim"]] = {
            "of_pass": None, "pot": name, "casino": casino, "bets": [], "before": before,
            "seats": set(), "awards": [amount], "gave": gave, "reset": None,
        }  # fmt: skip

    # Training: another book, a copy of everything, gone without a trace

    def _training_started(self, fact: Fact) -> None:
        name = fact["table"]
        live = self._tables[name[1:]]
        self._tables[name] = {**live, "pot": name, "seats": {number: _seat() for number in live["seats"]}, "sealed": []}
        self._pots[name] = deepcopy(self._pots[live["pot"]])
        pot = self._pot(live["pot"])
        self._becomes(name, pot)
        self._move(f"house:{name}:{live['casino']}", -pot["main"] - sum(pot["reserves"].values()))

    def _training_ended(self, fact: Fact) -> None:
        for account in [one for one in self.balances if one.split(":")[1] == fact["table"]]:
            self._move(account, -self.balances[account])


def _till(fact: Fact) -> str:
    """R-36: where a table trains nobody pays."""
    return ("practice:" if fact["table"].startswith("~") else "cash:") + str(fact["table"])


def _seat() -> SeatSums:
    return {"bet": 0, "promo": 0, "slot": 0, "lit": False, "device": {}}


def _take_off(seat: SeatSums) -> None:
    """Nothing stands on a seat any more."""
    seat |= {"bet": 0, "promo": 0, "slot": 0, "lit": False}


def _rise(exact: dict[str, int], whose: str, millionths: int) -> int:
    """A beneficiary's exact total in millionths rises (or falls): the whole units it gains."""
    before = exact.get(whose, 0)
    exact[whose] = before + millionths
    return exact[whose] // MILLION - before // MILLION


def _return(pot: PotMoney, gave: Gave) -> int:
    """An amount back to the parts of a pot that gave it; what goes back to the house."""
    for part, amount in gave.items():
        if part == "main":
            pot["main"] += amount
        elif part != "house":
            pot["reserves"][part] += amount
    return gave.get("house", 0)
