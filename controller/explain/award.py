"""Why an award is what it is, for the player who disputes it (R-8 to R-21, R-29, R-34).

Theory. The arithmetic is done here a second time, in plain steps with their numbers, from the pot as the claim found
it; where a step comes to something else than the record, it says so. Each sentence names its rule, and where the
ruleset decides, its clause.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, tzinfo

from controller.core import facts
from controller.core.values import Hand, Lamp, RegisteredAward
from controller.explain.context import agrees, levels_told
from controller.explain.fate import WHOLE, base, fate, sources
from controller.explain.story import Story
from controller.record.award import AwardFacts
from controller.rules.cards import CARDS, CATEGORIES, HAND_NAMES, Category, classify, printed
from controller.rules.prizes import PlannedPrize
from controller.rules.readings import Cap, OddUnits, PerUnitOwed, RealAfterCap
from controller.rules.ruleset import PerUnit, Share, Times
from controller.spanish.names import ACT_WORDS, clipped, part_name, people, prize_name
from controller.spanish.numbers import share_percent, whole


def explain_award(found: AwardFacts, zone: tzinfo = UTC) -> Iterator[str]:
    """The whole story, one sentence a line."""
    story = Story(found, zone)
    granted, where = found.granted, found.where
    amount = "espera su monto" if story.waits else story.cash(granted.amount)
    yield f"PREMIO {found.award}: {prize_name(granted.prize)}, {amount}, posición {granted.seat}."
    yield (
        f"Mesa {where.table} ({found.modality.name}) del casino {where.casino}, pase {found.award.split('/')[1]}, "
        f"pozo {where.pot}, {found.plan.resolution} (R-26)."
    )
    if story.above:
        yield f"El pozo es de otro nodo; lo que su dueño decide se oye de {story.above} (R-28)."
    if story.below:
        yield f"La mesa es de otro nodo; lo que pasa en ella se oye de {story.below} (R-28)."
    yield from _bet(story)
    prize = found.granted_prize
    if prize is not None:
        yield from _complementary(story, prize)
    elif story.is_resettled:
        yield from _resettled(story)
    else:
        yield from _hand(story)
        yield from _arithmetic(story)
    yield from sources(story)
    yield from base(story)
    yield from fate(story)


def _bet(story: Story) -> Iterator[str]:
    yield ""
    yield "La apuesta"
    for entry in story.found.played:
        fact = entry.fact
        if isinstance(fact, facts.BetMade):
            promo = f", {story.cash(fact.promo)} de ello en promocionales" if fact.promo else ""
            yield f"   Apostó {story.cash(fact.amount)}{promo} en su posición (R-1; {story.at(entry)})."
        elif isinstance(fact, facts.ChipsFell):
            grown = f"{story.cash(fact.bet)} a la apuesta"
            yield f"   Cayeron fichas por {story.cash(fact.amount)}: {grown} (R-4; {story.at(entry)})."
        elif isinstance(fact, facts.LampChanged) and fact.lamp is Lamp.LIT:
            yield f"   Su lámpara se vio encendida: la apuesta vale (R-6; {story.at(entry)})."
        elif isinstance(fact, facts.PassSealed):
            yield f"   El pase se cerró con {story.cash(story.found.bet)} apostados por ella (R-5; {story.at(entry)})."


def _hand(story: Story) -> Iterator[str]:
    """R-8, R-10: what the player had, and that nothing he did loses it."""
    fact = story.found.registered.fact
    assert isinstance(fact, facts.ClaimRegistered | facts.ClaimAsked | facts.LateRegistered | facts.ClaimCorrected)
    hand = next((one for one in fact.hands if one.seat == story.granted.seat), Hand(story.granted.seat))
    modality = story.found.modality
    yield ""
    yield "La mano"
    if hand.cards:
        cards = (*fact.community, *hand.cards)
        shared = f" y las comunes {' '.join(map(printed, fact.community))}" if fact.community else ""
        made = classify(CARDS[card] for card in cards if card in CARDS)
        wrong = (
            ""
            if made is CATEGORIES.get(story.granted.prize)
            else f" ¡NO CUADRA: se registró {prize_name(story.granted.prize)}!"
        )
        yield f"   Cartas {' '.join(map(printed, hand.cards))}{shared}: hacen {HAND_NAMES[made]} (R-10).{wrong}"
    else:
        said = f"Se declaró {prize_name(story.granted.prize)} sin anotar las cartas"
        yield f"   {said}; solo los porcentajes las exigen (R-32). Véalas en la grabación de la mesa."
    acts = ", ".join(ACT_WORDS.get(act, act) for act in hand.acts)
    what = f"El jugador {acts}; en {modality.name} eso no pierde el pozo" if acts else "No hizo nada que pierda el pozo"
    yield f"   {what} (R-8) [{modality.clause}]."


def _arithmetic(story: Story) -> Iterator[str]:
    """R-11 to R-18: from the pot as it was to the amount."""
    category = CATEGORIES.get(story.granted.prize, Category.NOTHING)
    prize = story.ruleset.paytable.get(category)
    yield ""
    yield "La cuenta"
    if story.above and story.settled is None and not isinstance(story.found.registered.fact, facts.ClaimCorrected):
        yield f"   Cuánto había en el pozo lo dice su dueño; {story.above} todavía no lo dijo (R-20, R-28)."
    else:
        yield f"   El pozo antes: {levels_told(story.cash, story.before)} (R-20)."
    bet = story.bets.get(story.granted.seat, 0)
    if isinstance(prize, Times):
        owed = prize.times * bet
        product = f"{whole(prize.times)} × {story.cash(bet)} = {story.cash(owed)}"
        yield f"   {HAND_NAMES[category]} paga {whole(prize.times)} veces la apuesta [{prize.clause}]."
        yield f"   {product} (R-11, R-14).{agrees(owed, story.owed)}"
    elif isinstance(prize, PerUnit):
        yield from _per_unit(story, HAND_NAMES[category], prize, bet)
    elif isinstance(prize, Share) and story.waits:
        what = f"{HAND_NAMES[category]} paga {share_percent(prize.ppm)} de lo que haya cuando le toque"
        yield f"   {what} (R-15) [{prize.clause}]: sin saberlo no hay monto."
    elif isinstance(prize, Share):
        yield from _percentage(story, category, prize)
    else:
        yield f"   ¡NO CUADRA: el reglamento no paga {prize_name(story.granted.prize)} (R-11)!"
    yield from _lacking(story)
    yield "   La apuesta no se suma ni se devuelve (R-12)."


def _per_unit(story: Story, hand: str, prize: PerUnit, bet: int) -> Iterator[str]:
    """R-11, R-14: for each unit of the bet; R-33: or once, whatever the bet."""
    amount = story.cash(prize.amount)
    if story.ruleset.readings.per_unit is PerUnitOwed.BET:
        wrong = agrees(prize.amount, story.granted.amount)
        yield f"   {hand} paga {amount} una vez, cualquiera sea la apuesta (R-11, R-14, R-33) [{prize.clause}].{wrong}"
        return
    units = bet // story.plan.unit
    owed = units * prize.amount
    yield f"   {hand} paga {amount} por unidad apostada [{prize.clause}]."
    yield f"   {story.cash(bet)} son {whole(units)} unidades de {story.cash(story.plan.unit)} (R-11)."
    yield f"   {whole(units)} × {amount} = {story.cash(owed)} (R-11, R-14).{agrees(owed, story.owed)}"


def _percentage(story: Story, category: Category, prize: Share) -> Iterator[str]:
    """R-15, R-16, R-17: a percentage of what is left, shared, capped."""
    lower = [award for award in story.awards if CATEGORIES.get(award.prize, 0) < category]
    winners = [award.seat for award in story.awards if CATEGORIES.get(award.prize) is category]
    left = story.before.main
    for award in lower:
        taken = min(left, award.amount)
        left -= taken
        name = f"{prize_name(award.prize)}, posición {award.seat}"
        yield f"   Antes se paga {name}: del principal {story.cash(taken)}, quedan {story.cash(left)} (R-13, R-15)."
    uncut = _uncut(story, lower) if prize.ppm == WHOLE else left
    if uncut < left and story.ruleset.readings.real_after_cap is RealAfterCap.UNCUT:
        cut = f"El tope cortó {story.cash(left - uncut)}, que se quedan en el pozo principal"
        yield f"   {cut}: se cuenta como si nada hubiera cortado, {story.cash(uncut)} (R-17, R-33)."
        left = uncut
    total = left * prize.ppm // WHOLE
    yield f"   {share_percent(prize.ppm)} de {story.cash(left)} = {story.cash(total)} (R-15) [{prize.clause}]."
    if prize.cap_times is not None and story.ruleset.readings.cap is Cap.CATEGORY:
        smallest = min(story.bets.get(seat, 0) for seat in winners)
        cap = prize.cap_times * smallest
        product = f"{whole(prize.cap_times)} × {story.cash(smallest)} = {story.cash(cap)}"
        yield f"   Tope de la jugada: {product} (R-17, R-33)."
        total = min(total, cap)
    share = total
    if len(winners) > 1:
        share, odd = divmod(total, len(winners))
        mine = _odd_units(story, winners, odd)
        divided = f"{story.cash(total)} / {len(winners)} = {story.cash(share)}, y sobran {whole(odd)} unidades"
        yield f"   Entre {len(winners)} ganadores: {divided}; a esta posición le tocan {whole(mine)} (R-16)."
        share += mine
    if prize.cap_times is not None and story.ruleset.readings.cap is Cap.EACH_WINNER:
        bet = story.bets.get(story.granted.seat, 0)
        cap = prize.cap_times * bet
        cut = f"corta {story.cash(share - cap)}, que se quedan en el pozo principal" if share > cap else "no corta nada"
        yield f"   Tope: {whole(prize.cap_times)} × {story.cash(bet)} = {story.cash(cap)}: {cut} (R-17)."
        share = min(share, cap)
    yield f"   Se le debe {story.cash(share)}.{agrees(share, story.owed)}"


def _uncut(story: Story, lower: Iterable[RegisteredAward]) -> int:
    """R-17, R-33: what would be left of the pot had no cap cut anything."""
    left = story.before.main
    shares: dict[Category, int] = {}
    for award in lower:
        category = CATEGORIES[award.prize]
        prize = story.ruleset.paytable[category]
        if isinstance(prize, Share):
            shares[category] = prize.ppm
        else:
            left -= min(left, award.amount)
    for ppm in shares.values():
        left -= left * ppm // WHOLE
    return left


def _odd_units(story: Story, winners: list[int], odd: int) -> int:
    """R-16, R-33: the units that do not divide."""
    place = winners.index(story.granted.seat)
    if story.ruleset.readings.odd_units is OddUnits.ONE_EACH:
        return int(place < odd)
    return odd if place == 0 else 0


def _resettled(story: Story) -> Iterator[str]:
    """R-34: an earlier claim of the pot was put right, and this one was settled again in its order."""
    entry = story.found.registered
    fact = entry.fact
    assert isinstance(fact, facts.ClaimCorrected)
    yield ""
    yield "La cuenta"
    claim = fact.claim or "una jugada de otro nodo"
    yield f"   Antes que esta jugada, el pozo pagó {claim}, que no era como se registró: «{clipped(fact.reason)}»."
    yield f"   Se puso en lo cierto, y cada jugada posterior se liquidó de nuevo en su orden (R-34; {story.at(entry)})."
    yield f"   A esta posición le tocan {story.cash(story.owed)}; ya se le reconocían {story.cash(story.found.kept)}."
    yield f"   Se le deben {story.cash(story.granted.amount)} más. `pozo explain {entry.seq}` detalla la corrección."


def _lacking(story: Story) -> Iterator[str]:
    """R-34: of what the seat is owed, what it had already."""
    entry = story.found.registered
    if isinstance(entry.fact, facts.ClaimCorrected):
        yield f"   Se corrigió el pase: «{clipped(entry.fact.reason)}» (R-34, R-35; {story.at(entry)})."
        yield f"   Le tocan {story.cash(story.owed)} y ya se le reconocían {story.cash(story.found.kept)}:"
        yield f"   se le deben {story.cash(story.granted.amount)}. `pozo explain {entry.seq}` detalla la corrección."


def _complementary(story: Story, fact: facts.PrizeGranted) -> Iterator[str]:
    """R-29, R-30: a prize that was drawn, and has nothing to do with cards of the game."""
    planned = next((prize for prize in story.plan.prizes if prize.name == fact.prize), None)
    yield ""
    yield "El sorteo"
    for entry in story.found.played:
        if isinstance(entry.fact, facts.Drawn):
            drawn = f"Salió la carta {entry.fact.card}" if entry.fact.card else f"Salió la posición {entry.fact.seat}"
            again = f"`pozo explain {entry.seq}` lo recalcula"
            yield f"   {drawn} (R-30; {story.at(entry)}; {again})."
    if fact.by:
        yield f"   La posición {fact.seat} mostró la carta; lo registró {people(fact.by)} (R-29)."
    if planned is not None:
        clause = story.ruleset.complementary.clause
        gives = f"El plan da {story.cash(planned.amount)} por {fact.prize}, {_from_whom(fact, planned)}"
        yield f"   {gives} (R-29) [{clause}].{agrees(planned.amount, fact.amount)}"


def _from_whom(fact: facts.PrizeGranted, planned: PlannedPrize) -> str:
    number = f", autorizados por {planned.authorisation}" if planned.authorisation else ""
    return f"en créditos promocionales{number}" if fact.promo else f"de {part_name(planned.source)}"
