"""An independent model: the rules written a second time, plainly and slowly, from the text of rules.md.

It shares nothing with `controller` but the TOML files: cards are strings, hands are looked at with sorted
lists, money is moved by hand in dictionaries. Where the two disagree, one of them is wrong.
"""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from support.places import CONFIG

Document = Mapping[str, Any]  # a TOML document, as it was read
Gave = dict[str, int]  # what each part of a pot, or the house, gave
Won = tuple[int, str, int]  # seat, hand, bet
Awarded = tuple[int, str, int, Gave]  # seat, hand, amount, and who gave it


class PotMoney(TypedDict):
    """A pot: its main part, the base it starts from, and its reserves in their order."""

    main: int
    base: int
    reserves: dict[str, int]


LAWS: dict[str, Document] = {
    path.stem: tomllib.loads(path.read_text()) for path in (CONFIG / "rulesets").glob("*.toml")
}
ORDER = ["escalera", "color", "full", "poker", "escalera_color", "escalera_real"]
RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]


def hand_of(cards: Sequence[str]) -> str | None:
    """R-10, the way one would explain it."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    in_sequence = ranks == list(range(ranks[0], ranks[0] + 5)) or ranks == [0, 1, 2, 3, 12]
    groups = sorted(ranks.count(rank) for rank in set(ranks))
    if one_suit and in_sequence:
        return "escalera_real" if ranks[0] == 8 else "escalera_color"
    if groups == [1, 4]:
        return "poker"
    if groups == [2, 3]:
        return "full"
    if one_suit:
        return "color"
    return "escalera" if in_sequence else None


def from_behind(reserves: dict[str, int], amount: int, backing: str) -> Gave:
    """R-18, R-19: the reserves in their order, then the house."""
    gave: Gave = {}
    if backing == "reserves_then_house":
        for name, there in reserves.items():
            part = min(there, amount)
            reserves[name] -= part
            amount -= part
            if part:
                gave[name] = part
    if amount:
        gave["house"] = amount
    return gave


def pay(pot: PotMoney, amount: int, backing: str) -> Gave:
    """R-18: the main pot first."""
    gave: Gave = {}
    main = min(pot["main"], amount)
    pot["main"] -= main
    if main:
        gave["main"] = main
    gave.update(from_behind(pot["reserves"], amount - main, backing))
    return gave


def settle(
    law: Document, readings: Mapping[str, str], pot: PotMoney, wins: Sequence[Won], unit: int
) -> tuple[list[Awarded], Gave | None, PotMoney]:
    """R-11 to R-19 for (seat, hand, bet) wins."""
    pot = {"main": pot["main"], "base": pot["base"], "reserves": dict(pot["reserves"])}
    awards: list[Awarded] = []
    reset: Gave | None = None
    cut = 0  # what caps have left in the pot that percentages would have taken
    for hand in ORDER:
        winners = sorted(win for win in wins if win[1] == hand)
        if not winners or hand not in law["paytable"]:
            continue
        prize = law["paytable"][hand]
        if "percent_ppm" in prize:
            uncut = readings.get("real_after_cap") == "uncut" and prize["percent_ppm"] == 1_000_000
            amounts = percentage(prize, readings, pot["main"] - cut if uncut else pot["main"], winners)
            cut += (pot["main"] - cut) * prize["percent_ppm"] // 1_000_000 - sum(amounts)
        elif "times" in prize:
            amounts = [bet * prize["times"] for _, _, bet in winners]
        elif readings.get("per_unit") == "bet":
            amounts = [prize["per_unit"] for _ in winners]
        else:
            amounts = [bet // unit * prize["per_unit"] for _, _, bet in winners]
        for (seat, _, _), amount in zip(winners, amounts, strict=True):
            awards.append((seat, hand, amount, pay(pot, amount, readings["shortfall_from"])))
        if prize.get("percent_ppm") == 1_000_000:
            reset = from_behind(pot["reserves"], max(pot["base"] - pot["main"], 0), readings["base_from"])
            pot["main"] = max(pot["base"], pot["main"])
    return awards, reset, pot


def percentage(prize: Document, readings: Mapping[str, str], left: int, winners: Sequence[Won]) -> list[int]:
    """R-15, R-16, R-17."""
    total: int = left * prize["percent_ppm"] // 1_000_000
    cap = prize.get("cap_times")
    if cap and readings["cap"] == "category":
        total = min(total, cap * min(bet for _, _, bet in winners))
    count = len(winners)
    amounts = [total // count] * count
    if readings["odd_units"] == "one_each":
        for at in range(total % count):
            amounts[at] += 1
    else:
        amounts[0] += total % count
    if cap and readings["cap"] == "each_winner":
        amounts = [min(amount, cap * bet) for amount, (_, _, bet) in zip(amounts, winners, strict=True)]
    return amounts
