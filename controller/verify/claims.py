"""Who won and what he is owed, computed a second time from the hands and the pot (R-6, R-8, R-10 to R-20, R-32).

Theory. The hands are looked at with sorted lists, the awards are computed category by category in the order in which
the rules pay them. What is entered for a seat without a bet, or that forfeited, is read but wins nothing.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from controller.verify.facts import Hand
from controller.verify.law import ORDER, WHOLE, Game, Law, Prize, hand_of, is_card
from controller.verify.money import HOUSE, MAIN, Purse, from_behind, take
from controller.verify.wrong import must

_LOSES = ("folded", "exchanged", "bought")  # of several acts that forfeit, the first of these is named


class Winner(NamedTuple):
    seat: int
    hand: str
    bet: int


class Judged(NamedTuple):
    """Who wins, and why every other seat does not."""

    winners: list[Winner]
    unpaid: list[tuple[int, str]]


class Owed(NamedTuple):
    """R-12, R-13: one award: to whom, for what, from where, by which rules."""

    seat: int
    prize: str
    amount: int
    parts: dict[str, int]
    house: int
    rules: tuple[str, ...]


class Settled(NamedTuple):
    """The awards in paying order, and who put the base back, if 100 % was paid."""

    awards: list[Owed]
    base: dict[str, int] | None


def judge(
    law: Law,
    game: Game,
    bets: dict[int, int],
    hands: Iterable[Hand],
    community: tuple[str, ...],
    dark: Collection[int] = (),
) -> Judged:
    """R-32, R-34: every seat of the pass wins or has its reason; a record that cannot be true is wrong."""
    dealt = list(hands)
    _must_be_possible(law, game, bets, dealt, community)
    winners: list[Winner] = []
    unpaid: list[tuple[int, str]] = []
    for hand in dealt:
        made = hand_of([*community, *hand.cards]) if hand.cards else hand.claimed
        reason = _lost(game, hand, bets.get(hand.seat, 0))
        if reason == "no_bet" and hand.seat in dark:
            reason = "lamp"
        must(not hand.claimed or made == hand.claimed, "R-32", f"posición {hand.seat}: sus cartas hacen otra jugada")
        if hand.claimed and not reason:
            must(made in law.paytable, "R-11", f"posición {hand.seat}: este reglamento no paga {made}")
            must(bool(hand.cards) or not law.paytable[made].ppm, "R-32", f"posición {hand.seat}: faltan las cartas")
        if not reason and not made and not hand.cards:
            reason = "no_claim"
        if not reason and made not in law.paytable:
            reason = "no_prize"
        if reason:
            unpaid.append((hand.seat, reason))
        else:
            winners.append(Winner(hand.seat, made, bets[hand.seat]))
    named = {hand.seat for hand in dealt}
    unpaid += [(seat, "no_claim") for seat in bets if seat not in named]
    return Judged(winners, sorted(unpaid))


def prove_shown(law: Law, hands: Iterable[Hand], winners: Iterable[Winner]) -> None:
    """R-32, R-36: from Poker up, or from where the plan says, a hand is entered with its cards."""
    shown = {hand.seat for hand in hands if hand.cards}
    for winner in winners:
        unseen = winner.seat not in shown and ORDER.index(winner.hand) >= ORDER.index(law.cards_from)
        must(not unseen, "R-36", f"posición {winner.seat}: faltan las cartas de {winner.hand}")


def prove_entered(bets: Collection[int], hands: Iterable[Hand]) -> None:
    """R-32: at a live table nobody enters a hand for a seat without a valid bet."""
    vain = [hand.seat for hand in hands if hand.seat not in bets and (hand.claimed or hand.cards)]
    must(not vain, "R-32", f"una jugada de una posición sin apuesta válida ({', '.join(map(str, vain))})")


def _lost(game: Game, hand: Hand, bet: int) -> str:
    """R-6, R-8: no bet; or an act that forfeits in this game."""
    if not bet:
        return "no_bet"
    return next((act for act in _LOSES if act in hand.acts and act in game.forfeits), "")


def _must_be_possible(
    law: Law, game: Game, bets: dict[int, int], hands: list[Hand], community: tuple[str, ...]
) -> None:
    """R-7, R-8, R-11, R-32: seats, whole units, complete hands, and no card in two places."""
    seats = [hand.seat for hand in hands]
    must(all(1 <= seat <= game.seats for seat in seats), "R-7", "una mano de una posición que no existe")
    must(len(set(seats)) == len(seats), "R-32", "dos manos de la misma posición")
    must(all(bet % law.unit == 0 for bet in bets.values()), "R-11", "una apuesta no es de unidades enteras")
    must(all(act in game.acts for hand in hands for act in hand.acts), "R-8", "un acto que el juego no tiene")
    must(all(not hand.claimed or hand.claimed in ORDER for hand in hands), "R-10", "una jugada que no existe")
    cards = [*community, *(card for hand in hands for card in hand.cards)]
    must(all(map(is_card, cards)), "R-32", "una carta que no existe")
    must(len(set(cards)) == len(cards), "R-32", "la misma carta dos veces en el pase")
    shown = any(hand.cards for hand in hands)
    must(len(community) == game.community or not (community or shown), "R-8", "faltan o sobran cartas comunes")
    must(all(len(hand.cards) in (0, game.own) for hand in hands), "R-8", "una mano incompleta")


def settle(law: Law, purse: Purse, base_of_pot: int, winners: Iterable[Winner]) -> Settled:
    """R-11 to R-19: low category first, from seat 1; the purse is afterwards what the pot is."""
    won = sorted(winners)
    awards: list[Owed] = []
    base = None
    uncut = purse.main  # what would be left in it had no cap cut anything
    for name in ORDER:
        of_hand = [winner for winner in won if winner.hand == name]
        if not of_hand:
            continue
        prize = law.paytable[name]
        if not prize.ppm:
            amounts = _fixed(law, prize, of_hand)
        elif prize.ppm == WHOLE and law.real_of_uncut and uncut < purse.main:
            amounts = _shared(law, prize, uncut, of_hand, ["R-11", "R-15", "R-33"])
        else:
            amounts = _shared(law, prize, purse.main * prize.ppm // WHOLE, of_hand, ["R-11", "R-15"])
        for winner, (amount, rules) in zip(of_hand, amounts, strict=True):
            gave = take(purse, amount, law.shortfall_by_house)
            short = () if gave.get(MAIN, 0) == amount else ("R-18",)
            house = gave.pop(HOUSE, 0)
            awards.append(Owed(winner.seat, name, amount, gave, house, (*rules, *short)))
        uncut = uncut - uncut * prize.ppm // WHOLE if prize.ppm else purse.main
        if prize.ppm == WHOLE:
            missing = max(base_of_pot - purse.main, 0)
            base = from_behind(purse, missing, law.base_by_house)
            purse.main += missing
    return Settled(awards, base)


def _fixed(law: Law, prize: Prize, winners: list[Winner]) -> list[tuple[int, tuple[str, ...]]]:
    """R-11, R-14: a multiple of the bet; an amount for each unit of it, or once where the reading says so (R-33)."""
    units = [1 if law.unit_once else winner.bet // law.unit for winner in winners]
    amounts = [winner.bet * prize.times + many * prize.per_unit for winner, many in zip(winners, units, strict=True)]
    return [(amount, ("R-11", "R-14")) for amount in amounts]


def _shared(
    law: Law, prize: Prize, total: int, winners: list[Winner], rules: list[str]
) -> list[tuple[int, tuple[str, ...]]]:
    """R-16, R-17: the winners of a percentage share what it comes to."""
    rules = rules + ["R-16"] * (len(winners) > 1)
    lowest = prize.cap * min(winner.bet for winner in winners)
    if prize.cap and law.cap_by_category and total > lowest:
        total = lowest
        rules.append("R-17")
    each, odd = divmod(total, len(winners))
    extra = [1] * odd if law.one_odd_unit_each else [odd]
    amounts = [each + (extra[at] if at < len(extra) else 0) for at in range(len(winners))]
    owed: list[tuple[int, tuple[str, ...]]] = []
    for amount, winner in zip(amounts, winners, strict=True):
        cap = prize.cap * winner.bet
        is_cut = bool(prize.cap) and not law.cap_by_category and amount > cap
        owed.append((cap, (*rules, "R-17")) if is_cut else (amount, tuple(rules)))
    return owed


def late(law: Law, purse: Purse, winners: Iterable[Winner], known: set[int]) -> list[Owed]:
    """R-34: what those who were not registered would have been paid then, now from the house."""
    return [
        owed._replace(parts={}, house=owed.amount, rules=(*owed.rules, "R-34"))
        for owed in settle(law, purse, law.base, winners).awards
        if owed.seat not in known
    ]
