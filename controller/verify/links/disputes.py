"""What a neighbour told and was not believed: apart, until two persons decide (R-28).

Theory. The money of a letter that was not believed stands in the neighbour's record already; here it is neither in the
pot nor forgotten. How much that is follows from the letter alone, which stands in the fact. Taken after all, it goes
into the main pot of its owner and nowhere else.
"""

import re
from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.links import letters
from controller.verify.links.letters import Letter
from controller.verify.links.names import here
from controller.verify.links.neighbours import known
from controller.verify.links.state import Dispute
from controller.verify.links.taken import ended_as_told
from controller.verify.people import NAME
from controller.verify.world import World
from controller.verify.wrong import must, must_be, shown, there

_MOST = 4 * 10**15
_MOST_STEPS = 4
_NUMBER = re.compile(r"p?[0-9]{1,19}")


def disputed(world: World, fact: kinds.LetterDisputed) -> None:
    """R-28: what it says it would have brought is what the letter says."""
    letter = letters.read(fact.letter)
    is_owner = known(world, fact.neighbour).side == "above"
    pot = letter.pot if letter.pot in world.pots or is_owner else ""
    must_be(fact.pot, pot, "R-28", "el pozo de la disputa")
    amount = brings(letter)
    is_booked = bool(pot) and not is_owner and abs(amount) <= _MOST
    must_be(fact.amount, amount if is_booked else 0, "R-28", "la cantidad en disputa")
    must_be((fact.table, fact.about), _about(letter, fact.neighbour), "R-28", "de qué mesa y de qué se trata")
    must(bool(fact.why.strip()), "R-28", "falta por qué no se creyó")
    name = _place(world, fact)
    must(name not in world.links.disputes, "R-28", f"{shown(name)} ya estaba en disputa")
    world.links.disputes[name] = Dispute(
        fact.neighbour, fact.number, fact.pot, fact.table, fact.about, fact.amount, fact.why
    )
    world.links.heard_of(fact.neighbour, fact)


def _place(world: World, fact: kinds.LetterDisputed | kinds.DisputeEnded) -> str:
    """R-28: who is above has a log for each pot, each with numbers of its own."""
    one = there(world.links.neighbours.get(fact.neighbour), "R-28", f"nadie fijó la llave de {shown(fact.neighbour)}")
    of = f"{fact.pot}/{fact.number}" if one.side == "above" else str(fact.number)
    return f"{fact.neighbour}/{of}"


def brings(letter: Letter) -> int:
    """What who told it has booked as owed to the pot."""
    if isinstance(letter, letters.BetsSealed):
        return sum(bet.amount - bet.commission for bet in letter.bets)
    if isinstance(letter, letters.BetsVoided):
        return 0 if letter.kept else sum(bet.amount - bet.commission for bet in letter.undone)
    if isinstance(letter, letters.ClaimMade):
        return -sum(award.amount for award in letter.awards)
    if isinstance(letter, letters.OwnerLeft):
        return -letter.amount
    return -letter.amount if isinstance(letter, letters.PrizeDrawn) and not letter.promo else 0


def _about(letter: Letter, neighbour: str) -> tuple[str, str]:
    """R-28: the table, and the pass, claim or award, as far as these are names at all."""
    award = getattr(letter, "award", "")
    table = getattr(letter, "table", "") or award.split("/")[0]
    if not _is_table(table):
        return "", ""
    name = award or getattr(letter, "claim", "")
    if not name:
        number = getattr(letter, "pass_number", 0) or getattr(letter, "number", 0)
        name = f"{table}/{number}"
    first, *numbers = name.split("/")
    sound = _is_table(first) and all(map(_NUMBER.fullmatch, numbers))
    return here(table, neighbour), here(name, neighbour) if sound else ""


def _is_table(name: str) -> bool:
    words = name.split("@")
    return len(words) <= _MOST_STEPS and all(NAME.fullmatch(word) for word in words)


def ended(world: World, fact: kinds.DisputeEnded) -> None:
    """R-24, R-28: all of it, one way or the other; into a pot of ours, and under its ceiling."""
    name = _place(world, fact)
    dispute = there(world.links.disputes.pop(name, None), "R-28", f"no había una disputa {shown(name)}")
    must_be((fact.pot, fact.amount), (dispute.pot, dispute.amount), "R-28", "lo que estaba en disputa")
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
    if fact.log:
        ended_as_told(world, fact)
    if not fact.accepted:
        return
    pot = world.pot(fact.pot)
    must(not pot.above, "R-28", "el pozo es de otro nodo: solo su dueño toma algo en él")
    main = world.purse(pot).main + fact.amount
    fits = pot.law.ceiling is None or fact.amount <= 0 or main <= pot.law.ceiling
    must(fits, "R-24", f"el pozo pasaría su tope: {main}")


def heard(world: World, fact: kinds.DisputeHeard) -> None:
    """R-28: said by the owner of the pot, in its log."""
    pot = world.pot(fact.pot)
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    known(world, fact.above)
    casinos = [one.casino for one in world.tables.values() if one.pot == fact.pot]
    casinos += [one.casino for one in world.links.away.values() if one.pot == fact.pot]
    must_be(fact.casino, casinos[0] if casinos else None, "R-28", "el casino cuya casa lo lleva")
    brought = world.links.brought.get((f"to:{fact.above}", fact.number), 0)
    must_be(fact.amount, brought, "R-28", f"lo que traía la carta {fact.number}")
    world.links.heard_of(fact.above, fact)


CHECKS: dict[type, Callable[..., None]] = {
    kinds.LetterDisputed: disputed,
    kinds.DisputeEnded: ended,
    kinds.DisputeHeard: heard,
}
