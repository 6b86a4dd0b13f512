"""Complementary prizes of a pot that nodes share: drawn at the table, taken from the pot above (R-29, R-30).

Theory. The node of the table draws from its own seed, so no far draw holds up a pass; what fell is owed whatever the
pot holds. The owner of the pot takes it from its part as far as that goes, and the house of that casino bears the rest.
"""

from controller.core.draws import taken_from
from controller.core.facts import HouseCharged, PrizeGranted
from controller.core.links.bets import Unbelieved, away_table
from controller.core.links.letters import HouseBears, PrizeDrawn
from controller.core.links.names import AT, here
from controller.core.links.restored.bound import charged_as_told
from controller.core.past.claims import is_prize
from controller.core.people import NAME
from controller.core.state import PotNow, State, levels_of, money_of, plan_of
from controller.rules.money import MOST_MONEY


def hear_prize(state: State, neighbour: str, letter: PrizeDrawn) -> tuple[PrizeGranted]:
    """R-18, R-29: in full; a prize of the plan, to a seat that bet, once."""
    table, pot = away_table(state, neighbour, letter.pot, letter.table, letter.casino)
    claim = here(letter.claim, neighbour)
    prize = next((one for one in plan_of(pot.documents).prizes if one.name == letter.prize), None)
    if prize is None or (prize.amount, prize.is_promotional) != (letter.amount, letter.promo):
        raise Unbelieved(f"{letter.prize} de {letter.amount} no es un premio del plan")
    if table.closed or table.number != letter.number or letter.seat not in {bet.seat for bet in table.bets}:
        raise Unbelieved(f"{letter.prize}: {table.name}/{letter.seat} no participa en el pase {letter.number}")
    if claim in state.claims or not claim.startswith(f"{table.name}/{table.number}/p"):
        raise Unbelieved(f"{claim} no es un premio nuevo del pase {letter.number} de {table.name}")
    assert prize.amount > 0, "R-29: a prize is something"
    by = f"{neighbour}/{letter.by}" if letter.by else ""
    flow, log = charged_as_told(state, pot.name, claim, taken_from(pot, prize))
    return (
        PrizeGranted(
            claim, table.name, letter.number, pot.name, table.casino, prize.name, letter.seat, prize.amount,
            flow, prize.is_promotional, by, held=True, paid_in=prize.paid_in.value,
            before=None if pot.above else levels_of(money_of(pot)), card=letter.card, above=pot.above, log=log,
        ),
    )  # fmt: skip


def hear_charge(state: State, above: str, table: str, letter: HouseBears) -> tuple[HouseCharged]:
    """R-18: what the pot lacked, at the casino where it happened."""
    if not 0 < letter.amount <= MOST_MONEY or not NAME.fullmatch(letter.casino):
        raise Unbelieved(f"la casa no pone {letter.amount}")
    feeds = state.tables.get(table) or state.away.get(table)
    if feeds is None or (feeds.pot, feeds.casino) != (letter.pot, letter.casino):
        raise Unbelieved(f"la mesa {table} no alimenta el pozo {letter.pot} por {letter.casino}")
    if not f"{letter.cause.partition('/')[0]}{AT}".startswith(f"{letter.table}{AT}"):  # named by the owner of the pot
        raise Unbelieved(f"lo que la casa pondría por {letter.cause} no pasó en la mesa {table}")
    if letter.amount > (most := _most_borne(state.pots[letter.pot], feeds.modality, letter.cause)):
        raise Unbelieved(f"por {letter.cause} la casa pone a lo más {most}, y dice {letter.amount}")
    assert state.pots[letter.pot].above == above, "R-28: its owner decides"
    return (HouseCharged(letter.pot, table, letter.casino, above, letter.amount, letter.cause),)


def _most_borne(pot: PotNow, modality: str, cause: str) -> int:
    """R-18, R-25: of a prize, what it can be; of a void, the highest bets of all seats."""
    plan = plan_of(pot.documents)
    assert "/" in cause, "R-18: of a pass, or of a claim of it"
    if is_prize(cause):
        return max((int(prize.amount) for prize in plan.prizes), default=0)
    return plan.ruleset.modalities[modality].seats * plan.limits.most
