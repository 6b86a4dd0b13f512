"""What follows from a letter of a pot's log, compared with the letter (R-20, R-26, R-28).

Theory. A log is the same for all who share the pot, and a node makes a fact of what concerns its own tables or those
below; the rest only moves the pot that is shown. So from each letter it follows what facts stand before it in the same
answer: these, word for word, and no others. What was not believed stands there as a dispute, with the letter.
"""

from controller.verify import facts as kinds
from controller.verify.facts import Fact, Levels
from controller.verify.links import letters
from controller.verify.links.corrections import asked_by
from controller.verify.links.letters import Letter
from controller.verify.links.names import there
from controller.verify.links.shares import share_in
from controller.verify.links.state import AwayTable
from controller.verify.money import Purse
from controller.verify.world import Table, World
from controller.verify.wrong import must, must_be, shown, wrong


def prove_followed(world: World, writer: str, number: int, letter: Letter) -> None:
    """R-28: each in its own words, and the pot as its owner left it."""
    found = world.links.followed
    if len(found) == 1 and isinstance(found[0], kinds.LetterDisputed):
        _prove_disputed(found[0], number, letter)
    elif world.pots.get(letter.pot) is not None and world.pots[letter.pot].left == writer:
        known = [one for one in world.links.disputes.values() if (one.neighbour, one.pot) == (writer, letter.pot)]
        must(bool(known) and not found, "R-28", f"a {shown(writer)} se le dejó: no se le cree")
    elif isinstance(letter, _PLANS):
        _prove_plan(writer, letter, found)
    else:
        right = _asked_by(world, writer, letter)
        must_be(found, right, "R-28", "lo que sigue de la carta")
    _follow(world, writer, letter)


_PLANS = (letters.PlanOffered, letters.PlanInForce, letters.PlanTakenBack)


def _asked_by(world: World, writer: str, letter: Letter) -> list[Fact]:
    """The facts that a letter makes here."""
    table = there(getattr(letter, "table", ""), world.node)
    if isinstance(letter, letters.DisputeOver):
        return _dispute_over(world, writer, letter)
    if isinstance(letter, letters.ClaimPutRight):
        return asked_by(world, writer, letter)
    if isinstance(letter, letters.PotMoved):
        return share_in(world, writer, letter)
    if isinstance(letter, letters.ClaimNotBelieved):
        return _doubted(world, writer, letter)
    if table is None:
        return []
    if isinstance(letter, letters.HouseBears):
        return [kinds.HouseCharged(letter.pot, table, letter.casino, writer, letter.amount, letter.cause)]
    if not isinstance(letter, letters.ClaimSettled):
        wrong("R-28", f"un dueño de pozo no dice {shown(type(letter).__name__)} a quien lo comparte")
    waited = next((one.waited for one in world.links.followed if isinstance(one, kinds.ClaimDecided)), ())
    return [
        kinds.ClaimDecided(
            there(letter.claim, world.node) or "", table, letter.number, letter.pot, letter.casino, writer,
            letter.before, letter.awards, letter.after, waited, letter.base_back, letter.left,
        )
    ]  # fmt: skip


def _doubted(world: World, writer: str, letter: letters.ClaimNotBelieved) -> list[Fact]:
    """R-21: of a claim here that waits; of others' nothing follows, nor of one that is decided."""
    name, table = there(letter.claim, world.node), there(letter.table, world.node)
    claim = world.claims.get(name or "")
    if claim is None or name not in world.undecided or claim.table != table:
        return []
    why = "".join(one if one.isprintable() else "?" for one in letter.why[:500]).strip()
    found = kinds.ClaimDoubted(name or "", claim.table, claim.number, claim.pot, writer, why)
    return [found] if why else []


def _left_here(world: World, writer: str, letter: letters.DisputeOver) -> list[Fact]:
    """R-28: what was left with this house is decided by what the letter says of the pot."""
    name = there(letter.claim, world.node)
    made = [one for one in world.links.followed if isinstance(one, kinds.ClaimDecided)]
    if letter.accepted or not made:
        must(letter.accepted or name not in world.undecided, "R-28", f"{shown(name)} espera todavía")
        return []
    one = made[0]
    must_be((one.claim, one.left, one.before), (name, writer, letter.after), "R-28", "lo que su dueño dejó")
    return [one]


def _dispute_over(world: World, writer: str, letter: letters.DisputeOver) -> list[Fact]:
    if letter.neighbour != world.node:
        return []
    casino = _house_of(world, letter)
    whose = world.links.houses.get((f"to:{writer}", letter.number), "") or casino
    if not letter.accepted and whose != casino:
        world.links.odd.append(f"{writer} dejó con {casino} la carta {letter.number}, que era de {whose}")
    return [
        kinds.DisputeHeard(
            letter.pot, casino, writer, letter.number, letter.amount, letter.accepted, letter.reason
        ),
        *(_left_here(world, writer, letter) if letter.claim else []),
    ]  # fmt: skip


def _house_of(world: World, letter: letters.DisputeOver) -> str:
    """R-28: of the table that is named; where none is, of the first one of the pot, as earlier programs wrote it."""
    tables: list[Table | AwayTable] = [*world.tables.values(), *world.links.away.values()]
    if letter.table:
        name = there(letter.table, world.node)
        return next((table.casino for table in tables if table.name == name), "")
    return next((table.casino for table in tables if table.pot == letter.pot), "")


def _prove_disputed(fact: kinds.LetterDisputed, number: int, letter: Letter) -> None:
    must_be(fact.number, number, "R-28", "el número de la carta en disputa")
    must_be(letters.read(fact.letter), letter, "R-28", "la carta en disputa")


def _prove_plan(writer: str, letter: Letter, found: list[Fact]) -> None:
    """R-26: it concerns this node, and then it is the same plan; or it does not, and nothing follows."""
    must(len(found) <= 1, "R-28", "de una carta siguen dos hechos")
    if not found:
        return
    fact = found[0]
    if isinstance(letter, letters.PlanTakenBack):
        right: Fact = kinds.PlanDropped(letter.pot, letter.plan, writer, letter.by)
    elif isinstance(letter, letters.PlanOffered):
        signed = (letter.by, letter.second)
        right = kinds.PlanProposed(letter.pot, letter.plan, letter.ruleset, letter.resolution, writer, *signed)
    else:
        took = fact if isinstance(fact, kinds.PlanTookEffect) else None
        must(took is not None, "R-26", "el plan rige, y no hay un hecho que lo diga")
        same = ("pot", "plan", "ruleset", "resolution", "by", "second", "casino", "after")
        must_be([getattr(took, key) for key in same], [getattr(letter, key) for key in same], "R-26", "el plan")
        return
    must_be(fact, right, "R-26", "lo que sigue de la carta")


def _follow(world: World, writer: str, letter: Letter) -> None:
    """R-20: the pot as its owner left it."""
    after: Levels | None = getattr(letter, "after", None)
    pot = world.pots.get(letter.pot)
    if after is None or pot is None or pot.above != writer or after.reserves.keys() != pot.law.reserves.keys():
        return
    pot.followed = Purse(after.main, {name: after.reserves[name] for name in pot.law.reserves})
