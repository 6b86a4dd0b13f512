"""Who gives an award, and what became of it (R-18 to R-21, R-28, R-34, R-35).

Theory. Of a pot that nodes share its owner says from where an award comes, and the house that makes up for what the pot
lacks is that of the casino where it was won. Until the owner has said it the whole of it is on account with him.
"""

from collections.abc import Iterator

from controller.core import facts
from controller.core.facts import Entry
from controller.explain.context import agrees
from controller.explain.far import handed
from controller.explain.story import Story
from controller.record.award import ADVANCES
from controller.rules.cards import CATEGORIES, Category
from controller.rules.ruleset import Share
from controller.spanish.names import clipped, part_name, people

WHOLE = 1_000_000


def sources(story: Story) -> Iterator[str]:
    """R-18: who gives it."""
    yield ""
    yield "De dónde sale"
    fact = story.found.registered.fact
    if isinstance(fact, facts.PrizeGranted) and fact.promo:
        yield "   De la casa, en créditos promocionales: de ningún pozo; solo se apuestan, nunca se cobran (R-29)."
    elif isinstance(fact, facts.ClaimCorrected):
        yield "   Del pozo, hasta donde habría quedado si todo se hubiera hecho bien; el resto es de la casa (R-34)."
    elif isinstance(fact, facts.PrizeGranted) and fact.above:
        yield from _far_prize(story, fact)
    elif story.above and story.settled is None:
        yield f"   Lo dice el dueño del pozo; hasta entonces está a la cuenta con {story.above} (R-28)."
    else:
        yield from _given(story)


def _given(story: Story) -> Iterator[str]:
    granted = story.granted
    given = [f"{part_name(part)} {story.cash(amount)}" for part, amount in granted.parts.items()]
    if granted.house:
        late = "R-34" if isinstance(story.found.registered.fact, facts.LateRegistered) else "R-18"
        given.append(f"la casa, como anticipo, {story.cash(granted.house)} ({late})")
    total = sum(granted.parts.values()) + granted.house
    who = "; ".join(given) or "de nadie: el premio es cero"
    yield f"   {who}; suma {story.cash(total)}.{agrees(total, granted.amount)}"
    yield from _shared(story, granted.house)
    yield f"   Las reglas que el registro anota: {', '.join(granted.rules) or '-'}."


def _shared(story: Story, house: int) -> Iterator[str]:
    """R-18, R-28: whose house, and through whom the pot's part comes or goes."""
    if story.above:
        yield f"   Lo que da el pozo viene por la cuenta con {story.above} (R-28)."
    if story.below:
        yield f"   Lo que da el pozo va por la cuenta con {story.below}; se retiene en {story.table_at} (R-28)."
    if house and (story.above or story.below):
        where = f", en el libro de {story.table_at}" if story.below else ""
        yield f"   La casa es la del casino {story.found.where.casino}{where} (R-18)."


def _far_prize(story: Story, fact: facts.PrizeGranted) -> Iterator[str]:
    """R-18, R-29: in full, whatever the pot holds; its owner says if it lacked something."""
    charged = story.found.charged
    if charged is None or not isinstance(charged.fact, facts.HouseCharged):
        yield f"   Del pozo, por la cuenta con {fact.above}: {story.cash(fact.amount)} (R-28)."
        yield f"   Si al pozo le faltara, su dueño lo dice, y lo pone la casa de {fact.casino} (R-18)."
        return
    house = charged.fact.amount
    given = f"   Del pozo, por la cuenta con {fact.above}: {story.cash(fact.amount - house)}; la casa de {fact.casino}"
    yield f"{given}: {story.cash(house)}, que al pozo le faltaban (R-18; {story.at(charged)})."


def base(story: Story) -> Iterator[str]:
    """R-19: after 100 % the pot begins anew."""
    fact = story.settled
    is_corrected = isinstance(story.found.registered.fact, facts.ClaimCorrected | facts.LateRegistered)
    prize = story.ruleset.paytable.get(CATEGORIES.get(story.granted.prize, Category.NOTHING))
    whole_pot = isinstance(prize, Share) and prize.ppm == WHOLE
    if fact is None or is_corrected or fact.base_back is None or not whole_pot:
        return
    given = [
        f"reserva {part_name(part)} {story.cash(-amount)}"
        for part, amount in fact.base_back.parts.items()
        if part != "main"
    ]
    given.append(f"la casa {story.cash(-fact.base_back.house)}")
    level, after = fact.before.base, fact.after.main
    put_in = fact.base_back.parts.get("main", 0)
    if after > level:
        left = f"Después quedan {story.cash(after)}, más que la base de {story.cash(level)}"
        yield f"   {left}: nadie pone nada (R-19, R-33)."
    else:
        kept = f"quedaban {story.cash(level - put_in)} que cortó el tope; " * (put_in < level)
        yield f"   Después el principal volvió a su base, {story.cash(level)}: {kept}{'; '.join(given)} (R-19)."


def fate(story: Story) -> Iterator[str]:
    """R-20, R-21: registered, decided, confirmed, paid or rejected, and by whom."""
    found = story.found
    fact = found.registered.fact
    yield ""
    yield "Qué pasó con él"
    if isinstance(fact, facts.PrizeGranted) and fact.promo and not fact.held:
        at_once = f"Lo registró {_who(fact)}; sus créditos quedaron en la posición al instante"
        yield f"   {at_once}: no hay nada que confirmar ni pagar (R-29; {story.at(found.registered)})."
        return
    yield from _registered(story)
    if found.overdue is not None:
        late = f"Pasaron {story.ruleset.verification_minutes} minutos sin confirmarse: aviso, no decisión"
        yield f"   {late} (R-21; {story.at(found.overdue)}) [{story.ruleset.verification_clause}]."
    yield from _advances(story)
    yield from _confirmed(story)
    if isinstance(found.aside, Entry) and isinstance(found.aside.fact, facts.AwardSetAside):
        aside = found.aside.fact
        said = f": «{clipped(aside.reason)}»" if aside.reason else ""
        why = f"no se halló a quien lo ganó{said}"
        yield f"   Apartado sin plazo por {people(aside.by, aside.second)}: {why} (R-35; {story.at(found.aside)})."
    yield from _end(story)
    if found.lost:
        yield f"   Se pagó sin deberse: {story.cash(found.lost)} los pierde la casa; nadie los devuelve (R-34)."


def _who(fact: facts.Fact) -> str:
    by, second = getattr(fact, "by", ""), getattr(fact, "second", "")
    return people(by, second) if by else "la semilla del día"


def _registered(story: Story) -> Iterator[str]:
    """R-20: held from then on; a percentage of a neighbour's pot from when its owner said what it is."""
    found = story.found
    who, decided = _who(found.registered.fact), found.decided
    is_asked = isinstance(found.registered.fact, facts.ClaimAsked)
    waited = is_asked and story.granted.number in getattr(found.registered.fact, "waiting", ())
    if not waited:
        yield f"   Lo registró {who}: desde entonces está retenido (R-20; {story.at(found.registered)})."
    else:
        yield f"   Lo registró {who} (R-20; {story.at(found.registered)})."
    if decided is not None and is_asked:
        held = ": desde entonces está retenido" if waited else ""
        yield f"   El dueño del pozo lo decidió, como lo dice {story.above}{held} (R-20, R-28; {story.at(decided)})."
    elif waited:
        yield f"   Espera a que {story.above} diga cuánto es: entre tanto no se confirma ni se paga (R-20, R-28)."


def _advances(story: Story) -> Iterator[str]:
    """R-20: what of it the winner had before its amount was known."""
    total = 0
    for entry in story.found.advances:
        fact = entry.fact
        assert isinstance(fact, ADVANCES), "found as such"
        total += fact.amount
        why = f": «{clipped(fact.reason)}»" if isinstance(fact, facts.AwardAdvanced) else ""
        by = people(fact.by, getattr(fact, "second", ""))
        yield f"   {by} adelantaron {story.cash(fact.amount)} de la casa{why} (R-20; {story.at(entry)})."
    if total and story.found.ended is not None and isinstance(story.found.ended.fact, facts.ClaimCorrected):
        yield f"   De {story.cash(total)} adelantados nada se debía: los pierde la casa; nadie los devuelve (R-34)."
    elif story.found.decided is not None and total > story.granted.amount:
        lost = f"{story.cash(total)} - {story.cash(story.granted.amount)} = {story.cash(total - story.granted.amount)}"
        yield f"   Se adelantó más de lo que fue: {lost} los pone la casa; no se entrega más (R-18, R-20)."


def _confirmed(story: Story) -> Iterator[str]:
    found = story.found
    if found.confirmed is not None and isinstance(found.confirmed.fact, facts.AwardConfirmed):
        who = people(found.confirmed.fact.by, found.confirmed.fact.second)
        above = story.plan.two_persons_above
        needed = "hacen falta dos" if story.granted.amount > above else "basta una persona"
        limit = f"sobre {story.cash(above)} confirman dos; aquí {needed}" if above else "el plan pide siempre dos"
        yield f"   Confirmado por {who} (R-21: {limit}; {story.at(found.confirmed)})."
    elif found.confirmed is not None:
        yield f"   La corrección la firmaron dos: es su propia confirmación (R-36; {story.at(found.confirmed)})."
    elif story.below:
        yield f"   Se confirma y se paga en {story.table_at}; quién lo confirmó lo dice su registro (R-21, R-28)."


def _end(story: Story) -> Iterator[str]:
    """R-21, R-34: paid, rejected, cancelled, or none of it yet."""
    found = story.found
    if found.ended is None:
        yield "   Todavía no se pagó ni se rechazó."
        if found.frozen is not None:
            yield f"   Se pidió corregir su pase: nada se paga hasta la respuesta (R-34; {story.at(found.frozen)})."
    elif isinstance(found.ended.fact, facts.AwardPaid):
        paid = found.ended.fact
        wrong = agrees(paid.amount, story.granted.amount)
        yield f"   Pagado por {people(paid.by)}: {story.cash(paid.amount)} (R-21; {story.at(found.ended)}).{wrong}"
        if paid.advanced:
            yield f"   {handed(story.cash, paid.amount, paid.advanced)} (R-20)."
    elif isinstance(found.ended.fact, facts.ClaimRejected):
        no = found.ended.fact
        why = f"con todos los premios del pase: «{clipped(no.reason)}»"
        yield f"   Rechazado por {people(no.by, no.second)}, {why} (R-21; {story.at(found.ended)})."
        yield f"   Lo retenido volvió adonde estaba; `pozo explain {found.ended.seq}` lo detalla."
    elif isinstance(found.ended.fact, facts.ClaimCorrected):
        corrected = found.ended.fact
        who = people(corrected.by, corrected.second)
        why = f"al corregir el pase: «{clipped(corrected.reason)}»"
        yield f"   Anulado sin pagarse por {who}, {why} (R-34; {story.at(found.ended)})."
        yield f"   `pozo explain {found.ended.seq}` lo detalla."
