"""The streams of letters: what was told, what was heard, and what a neighbour has (R-20, R-28).

Theory. A stream is numbered from 1 without gaps, and each letter carries the hash of the one before, so the last hash
vouches for every word. Told is exactly what the facts before it in its answer ask for: a letter more, a letter less and
a letter in another order is wrong. What was heard is known by what followed from it; it rises by one, and of a pot's
log the letter itself stands there, so that what followed is compared with what was said.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.facts import Reached
from controller.verify.links import letters, taken
from controller.verify.links.disputes import brings
from controller.verify.links.hearing import prove_followed
from controller.verify.links.neighbours import heard_from, is_ours, is_theirs
from controller.verify.links.state import NOWHERE
from controller.verify.links.telling import ask_for_letters
from controller.verify.links.words import told_as
from controller.verify.people import DIGEST
from controller.verify.world import World
from controller.verify.wrong import must, must_be, shown, wrong


def told(world: World, fact: kinds.LetterTold) -> None:
    """R-28: the next of its stream, and word for word what is due."""
    links = world.links
    if links.handed is not None:
        taken.letter(world, fact)
        return
    ask_for_letters(world)
    before = links.told.get(fact.stream, NOWHERE)
    must_be((fact.epoch, fact.number), (world.epoch, before.number + 1), "R-28", "la época y el número de la carta")
    must_be(fact.previous, before.hash, "R-28", "la huella de la carta anterior")
    said = letters.read(fact.letter)
    known = fact.version in letters.READ and fact.version >= letters.version_of(said)
    must(known, "R-28", f"una carta de la versión {fact.version}")
    if not links.due:
        wrong("R-28", f"ningún hecho pide esta carta: {shown(repr(said))}")
    due = links.due.pop(0)
    must_be(fact.stream, due.stream, "R-28", "a quién va la carta")
    must_be(said, due.letter, "R-28", "lo que dice la carta")
    taken.prove_may_tell(world, fact.stream, said)
    mark = Reached(fact.epoch, fact.number, "")
    hash_ = letters.hash_of(world.node, fact.stream, fact.version, mark, fact.previous, bytes(fact.letter))
    now = links.told[fact.stream] = Reached(fact.epoch, fact.number, hash_)
    if isinstance(said, letters.DayOver) and links.tells_of_boxes:
        links.neighbours[fact.stream.removeprefix("to:")].day_over(said.pot, said.day, said.was)
    links.kept.setdefault(fact.stream, {})[fact.number] = now
    if amount := brings(said):
        links.brought[fact.stream, fact.number] = amount
        links.houses[fact.stream, fact.number] = said.casino if hasattr(said, "casino") else ""
    links.telling = True


def heard(world: World, fact: kinds.LetterHeard) -> None:
    """R-28: one after the other; of a log, with the letter, whose hash is that of the mark."""
    links = world.links
    one = heard_from(world, fact.neighbour)
    must(is_theirs(world, one, fact.stream), "R-28", f"{shown(fact.stream)} no es de {shown(one.name)}")
    place = f"{one.name}/{fact.stream}"
    before = links.heard.get(place, NOWHERE)
    must_be(fact.mark.number, before.number + 1, "R-28", "el número de la carta que se oyó")
    must(fact.mark.epoch >= max(before.epoch, 1), "R-28", "la época de la carta que se oyó")
    must(bool(DIGEST.fullmatch(fact.mark.hash)), "R-28", "la huella de la carta que se oyó")
    must(fact.version in letters.READ, "R-28", f"una carta de la versión {fact.version}")
    body = bytes(fact.letter)
    of_log = fact.stream.startswith("pot:")
    said = letters.read(fact.letter) if body else None
    must(bool(body) if of_log else said is None or isinstance(said, letters.DayOver), "R-28", "si se guarda la carta")
    must(links.said_by in ("", one.name), "R-28", f"lo anterior lo dijo {shown(links.said_by)}, no {shown(one.name)}")
    must(not links.is_heard, "R-28", "dos cartas en una respuesta")
    words: tuple[bytes, ...] = (body,)
    if not body:
        must(len(links.followed) <= 1, "R-28", "de una carta siguen dos hechos")
        words = told_as(world, one.name, links.followed[0]) if links.followed else ()
    if words:
        right = [
            letters.hash_of(one.name, fact.stream, fact.version, fact.mark, before.hash, letter) for letter in words
        ]
        if fact.mark.hash not in right:
            must_be(fact.mark.hash, right[0], "R-28", "la huella de la carta que se oyó")
    if body and not of_log:
        must(not links.followed, "R-28", "de una jornada cerrada no sigue nada")
        if isinstance(said, letters.DayOver) and links.tells_of_boxes:
            one.day_over(said.pot, said.day, said.was)
    elif body:
        prove_followed(world, one.name, fact.mark.number, letters.read(fact.letter))
    links.heard[place] = fact.mark
    links.said_by, links.is_heard = "", True


def acknowledged(world: World, fact: kinds.LetterAcknowledged) -> None:
    """R-28: never more than was told, never less than before. What a neighbour says of an older letter nobody could
    compare when he said it: where its hash is another one, that is said, and it is no fault of this record."""
    one, links = heard_from(world, fact.neighbour), world.links
    must(is_ours(world, one, fact.stream), "R-28", f"{shown(fact.stream)} no es para {shown(one.name)}")
    place = f"{one.name}/{fact.stream}"
    before, ours = links.acknowledged.get(place, NOWHERE), links.told.get(fact.stream, NOWHERE)
    must(fact.mark.number > before.number, "R-28", f"ya tenía hasta la carta {before.number}")
    must(fact.mark.number <= ours.number, "R-28", f"no se le dijo ninguna carta {fact.mark.number}")
    if fact.mark.number == ours.number:
        must_be(fact.mark, ours, "R-28", "la carta que tiene")
    elif fact.mark != links.kept.get(fact.stream, {}).get(fact.mark.number, fact.mark):
        links.odd.append(f"{one.name} acusó otra carta {fact.mark.number} de {fact.stream} que la que se le dijo")
    links.acknowledged[place] = fact.mark


def answered(world: World) -> None:
    """R-28: an answer has ended; all that was due is told, and what a neighbour said is marked as heard."""
    links = world.links
    ask_for_letters(world)
    if links.due:
        wrong("R-28", f"falta la carta {shown(links.due[0].stream)}: {shown(repr(links.due[0].letter))}")
    must(links.handed is None, "R-28", "falta la carta que se devolvió")
    must(
        links.taken is None and not links.granted, "R-28", "se tomó lo que no se creyó, y no está decidido o entregado"
    )
    must(not links.said_by, "R-28", f"ninguna carta de {shown(links.said_by)} lo dice")
    links.telling = links.is_heard = links.skipped = False
    links.followed.clear()


CHECKS: dict[type, Callable[..., None]] = {
    kinds.LetterTold: told,
    kinds.LetterHeard: heard,
    kinds.LetterAcknowledged: acknowledged,
}
