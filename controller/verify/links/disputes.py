"""What a neighbour told and was not believed: apart, until two persons decide (R-28).

Theory. The money of a letter that was not believed stands in the neighbour's record already; here it is neither in the
pot nor forgotten. How much that is follows from the letter alone, which stands in the fact. Taken after all, it goes
into the main pot of its owner and nowhere else.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.links import letters
from controller.verify.links.letters import Letter
from controller.verify.links.names import here
from controller.verify.links.neighbours import known
from controller.verify.links.state import Dispute
from controller.verify.people import NAME
from controller.verify.world import World
from controller.verify.wrong import must, must_be, shown, there

_MOST = 4 * 10**15
_MOST_STEPS = 4


def disputed(world: World, fact: kinds.LetterDisputed) -> None:
    """R-28: what it says it would have brought is what the letter says."""
    letter = letters.read(fact.letter)
    pot = letter.pot if letter.pot in world.pots else ""
    must_be(fact.pot, pot, "R-28", "el pozo de la disputa")
    amount = brings(letter)
    must_be(fact.amount, amount if pot and abs(amount) <= _MOST else 0, "R-28", "la cantidad en disputa")
    must_be((fact.table, fact.about), _about(letter, fact.neighbour), "R-28", "de qué mesa y de qué se trata")
    must(bool(fact.why.strip()), "R-28", "falta por qué no se creyó")
    name = f"{fact.neighbour}/{fact.number}"
    must(name not in world.links.disputes, "R-28", f"{shown(name)} ya estaba en disputa")
    world.links.disputes[name] = Dispute(
        fact.neighbour, fact.number, fact.pot, fact.table, fact.about, fact.amount, fact.why
    )
    world.links.heard_of(fact.neighbour, fact)


def brings(letter: Letter) -> int:
    """What who told it has booked as owed to the pot."""
    if isinstance(letter, letters.BetsSealed):
        return sum(bet.amount - bet.commission for bet in letter.bets)
    if isinstance(letter, letters.BetsVoided):
        return sum(bet.amount - bet.commission for bet in letter.undone)
    if isinstance(letter, letters.ClaimMade):
        return -sum(award.amount for award in letter.awards)
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
    sound = _is_table(first) and all(number.isdecimal() for number in numbers)
    return here(table, neighbour), here(name, neighbour) if sound else ""


def _is_table(name: str) -> bool:
    words = name.split("@")
    return len(words) <= _MOST_STEPS and all(NAME.fullmatch(word) for word in words)


def ended(world: World, fact: kinds.DisputeEnded) -> None:
    """R-24, R-28: all of it, one way or the other; into a pot of ours, and under its ceiling."""
    name = f"{fact.neighbour}/{fact.number}"
    dispute = there(world.links.disputes.pop(name, None), "R-28", f"no había una disputa {shown(name)}")
    must_be((fact.pot, fact.amount), (dispute.pot, dispute.amount), "R-28", "lo que estaba en disputa")
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
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
    world.links.heard_of(fact.above, fact)


CHECKS: dict[type, Callable[..., None]] = {
    kinds.LetterDisputed: disputed,
    kinds.DisputeEnded: ended,
    kinds.DisputeHeard: heard,
}
