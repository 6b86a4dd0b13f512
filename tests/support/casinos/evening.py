"""The evening's troubles, by a seed: lines, processes, records and clocks; and how everything comes to rest again.

Each trouble is told with the instant at which it began, so that a failure can be read. They overlap: a line may be bad
while a node is killed. What a person would have to do about them is done here too: who was killed is started again, who
was burned is made anew from its mirror by the operators' commands, and a stream that stopped because of that is looked
at by two. A stream that stopped for any other reason is a failure.
"""

import itertools
import json
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from controller.core import inputs as ask
from controller.core.values import Broken
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import NodeView, StoppedNow
from controller.play.staff import ANA, LUIS, TITO
from support.casinos.floor import BOXES
from support.casinos.places import BY, PATIENCE, Casinos, Place
from support.casinos.referee import levels_differ

OF_A_RESTORED = {Broken.FOREIGN_EPOCH, Broken.ROLLED_BACK, Broken.FORK, Broken.AHEAD}
OF_A_DISPUTE = {"dispute_claim_first", "dispute_unknown"}  # the winners before what was handed out to them
_CLOCKS = (2, -2, 75, -75, 900, -900, 3 * 3600, -3 * 3600)
_GLANCE, _QUIET = 0.1, 15


class Due(NamedTuple):
    at: float
    what: str
    act: Callable[[], None]


class Troubles:
    """`every`: seconds between two; `worst`: how long a bad line stays so."""

    def __init__(self, casinos: Casinos, seed: int, every: float, worst: float) -> None:
        self._casinos, self._chance, self._every, self._worst = casinos, Random(seed), every, worst
        self._began = time.monotonic()
        self._due: list[Due] = []
        self._bad: set[str] = set()
        self._down: set[str] = set()
        self.seen: Counter[str] = Counter()
        self.story: list[str] = []
        self.restored: set[str] = set()
        self.lagged: set[str] = set()
        """Of those, who had said before that its mirror may lack what was told."""
        self._codes: dict[str, list[str]] = {}
        self._bag: list[Callable[[], None]] = [self._clock, self._kill, self._line]
        self._looks_at = itertools.cycle(casinos)

    def tell(self, what: str) -> None:
        self.story.append(f"{time.monotonic() - self._began:6.1f} s  {what}")

    def escrowed(self) -> None:
        """Two persons keep a code each of every box, before anything burns; it seals for them from its next start on."""
        for box in self._casinos.floor.boxes:
            said = self._casinos[box].command(
                "escrow", self._casinos[box].folder, "--by", TITO.person, "--second", ANA.person
            )
            self._codes[box] = re.findall(r"Código de \w+: (\S+)", said)
            assert len(self._codes[box]) == 2, said

    def last(self, seconds: float, burns: int) -> None:
        """Trouble for so long; so many boxes burn on the way."""
        end = time.monotonic() + seconds
        burning = sorted(self._chance.uniform(0.25, 0.75) * seconds for _ in range(burns))
        begun = time.monotonic()
        again = begun + self._chance.expovariate(1 / self._every)
        while (now := time.monotonic()) < end:
            self._what_is_due(now)
            self._all_live()
            self.look()
            if burning and now - begun >= burning[0] and self.burns():
                burning.pop(0)
                took = time.monotonic() - now  # trouble lasts as long as without
                begun, end, again = begun + took, end + took, again + took
            if now >= again:
                again = now + self._chance.expovariate(1 / self._every)
                self._one()
            time.sleep(_GLANCE)

    def over(self) -> None:
        """Everything is put right."""
        while self._due:
            self._what_is_due(float("inf"))
        for place in self._casinos:
            place.clock_is_off_by(0)
        self.tell("all is put right")

    def afterwards(self) -> None:
        """While everything comes to rest."""
        self._all_live()
        self.look()

    def _what_is_due(self, now: float) -> None:
        due = sorted((one for one in self._due if one.at <= now), key=lambda one: one.at)
        self._due = [one for one in self._due if one.at > now]
        for one in due:
            one.act()
            self.tell(one.what)

    def _later(self, seconds: float, what: str, act: Callable[[], None]) -> None:
        self._due.append(Due(time.monotonic() + seconds, what, act))

    def _all_live(self) -> None:
        """Nobody ends by himself, however long he stood still (D-222)."""
        for place in self._casinos:
            assert place.name in self._down or place.runs, f"{place.name} ended by itself: {place.last_words(40)}"

    # What can happen

    def _one(self) -> None:
        """Of eleven, six are of lines and three are deaths; the first three are of each kind that hurts most."""
        if not self._bag:
            self._bag = [self._line] * 6 + [self._kill] * 3 + [self._sleep, self._clock]
            self._chance.shuffle(self._bag)
        self._bag.pop()()

    def _line(self) -> None:
        links = [link.name for link in self._casinos.floor.links if link.name not in self._bad]
        if not links:
            return
        link, trouble = self._chance.choice(links), self._chance.choice(self._casinos.lines.troubles)
        lasts = self._chance.uniform(0.3, self._worst)
        self._casinos.lines.has(link, trouble)
        self._bad.add(link)
        self._note(f"line: {trouble}", f"{link}: {trouble}, for {lasts:.1f} s")

        def mended() -> None:
            self._casinos.lines.has(link, "")
            self._bad.discard(link)

        self._later(lasts, f"{link}: mended", mended)

    def _kill(self) -> None:
        name = self._chance.choice(self._casinos.floor.nodes)
        place = self._casinos[name]
        if name in self._down:
            return
        place.kill()
        self._down.add(name)
        lasts = self._chance.choice((0.0, 0.3, self._chance.uniform(0, 3)))
        self._note("killed", f"{name}: killed, starts again in {lasts:.1f} s")

        def begins() -> None:
            place.start()
            if self._chance.random() < 0.2:  # and again while it starts
                self._later(self._chance.uniform(0.05, 1.2), f"{name}: killed while it starts", again)
            else:
                self._down.discard(name)

        def again() -> None:
            place.kill()
            self.seen["killed while it starts"] += 1
            self._later(0.1, f"{name}: starts", begins)

        self._later(lasts, f"{name}: starts", begins)

    def _sleep(self) -> None:
        name = self._chance.choice(self._casinos.floor.nodes)
        place = self._casinos[name]
        if name in self._down or place.sleeps:
            return
        lasts = self._chance.uniform(0.5, 6)
        place.sleep()
        self._down.add(name)
        self._note("stopped", f"{name}: stands still for {lasts:.1f} s")

        def wakes() -> None:
            place.wake()
            self._down.discard(name)

        self._later(lasts, f"{name}: goes on", wakes)

    def _clock(self) -> None:
        name = self._chance.choice(self._casinos.floor.nodes)
        off = self._chance.choice(_CLOCKS)
        self._casinos[name].clock_is_off_by(off)
        self._note("clock", f"{name}: its clock is wrong by {off} s")
        self._later(
            self._chance.uniform(1, 10), f"{name}: its clock is right", lambda: self._casinos[name].clock_is_off_by(0)
        )

    def _note(self, kind: str, what: str) -> None:
        self.seen[kind] += 1
        self.tell(what)

    # A box burns

    def burns(self) -> bool:
        """R-26, R-27: in the middle of whatever is played and told there, and is made anew from its mirror. Whatever its
        casino's node has heard the mirror has too; unless the box had said that it may not. Whether one was there to burn."""
        self._all_live()
        names = [box for box in self._casinos.floor.boxes if not {box, BOXES[box]} & self._down]
        if not names:
            return False
        box = self._chance.choice(names)
        place, casino = self._casinos[box], self._casinos[BOXES[box]]
        place.kill()
        how = self._chance.choice(("", " with its casino's node killed"))
        if how:
            casino.kill()
            casino.start()
        self._casinos.lines.has(f"{box}-{casino.name}", "")
        if _lagged(place):
            how += ", and had said that its mirror lags"
            self.lagged.add(box)
        self._note("burned" + ", its mirror lagged" * (box in self.lagged), f"{box}: burned{how}")
        stick = self.stick(box)
        heard, has = _heard(casino, box), _told(stick, casino.name)
        assert heard <= has or box in self.lagged, f"{casino.name} has heard {heard} of {box}, whose mirror has {has}"
        self.made_anew(box, stick)
        return True

    def stick(self, box: str) -> Path:
        """A copy of its mirror."""
        place, casino = self._casinos[box], self._casinos[BOXES[box]]
        stick = place.place / f"stick{place.lives}.db"
        casino.command("backup", casino.folder / "mirrors" / f"{box}.db", stick)
        return stick

    def made_anew(self, box: str, stick: Path) -> None:
        """As docs/operators/operations.md says, "A box burned"; its old folder is gone."""
        place, casino, began = self._casinos[box], self._casinos[BOXES[box]], time.monotonic()
        self._casinos.people(f"rest {box}")
        shutil.rmtree(place.folder)
        place.folder.mkdir(mode=0o700)
        signs = ("--by", TITO.person, "--second", ANA.person)
        typed = "\n".join((*self._codes[box], TITO.pin, ANA.pin, ""))
        said = place.command("restore", stick, place.record, "--mirror", *signs, "--reason", "se quemó", typed=typed)
        key = place.command("key", "new", place.settings)
        heard = re.search(r"huella (\S+)", key)
        assert heard is not None, key
        _fingerprint(casino, box, heard[1])
        casino.until(lambda _: True, "it answers")
        (place.place / "new.pub").write_text(key)
        twice = ("--heard", heard[1], "--heard", heard[1])
        casino.command("peer", "add", casino.settings, box, place.place / "new.pub", *twice)
        self._codes[box] = re.findall(r"Código de \w+: (\S+)", place.command("escrow", place.folder, *signs))
        place.start()
        self.restored.add(box)
        self._agreed(box)
        self._casinos.people(f"play {box}")
        took = time.monotonic() - began
        self._note("restored", f"{box}: made anew from its mirror in {took:.1f} s: {said.splitlines()[0]}")

    def _agreed(self, box: str) -> None:
        """Nobody plays at its tables before both sides agree where each stream goes on."""
        place, casino = self._casinos[box], self._casinos[BOXES[box]]
        place.until(lambda view: view.neighbours[0].up, "it hears its casino's node again")
        end, quiet = time.monotonic() + PATIENCE, 0
        while quiet < _QUIET:
            time.sleep(_GLANCE)
            stopped = [one for each in (place, casino) for one in self._stopped(each, {box, casino.name})]
            quiet = 0 if stopped else quiet + 1
            for where, neighbour, what in stopped:
                self._accept(where, neighbour, what)
            assert time.monotonic() < end, f"{box} and {casino.name} do not agree: {stopped}"

    def _stopped(self, place: Place, of: set[str]) -> list[tuple[Place, str, StoppedNow]]:
        view = place.view()
        found = view.neighbours if view is not None else ()
        return [(place, one.neighbour, what) for one in found if one.neighbour in of for what in one.stopped]

    def look(self) -> None:
        """Two persons look at what stopped: at one node now, at the next one later."""
        place = next(self._looks_at)
        if place.name not in self._down and (self.restored or self._chance.random() < 0.1):
            for where, neighbour, what in self._stopped(place, {*self._casinos.places}):
                self._accept(where, neighbour, what)
            if self.lagged and (view := place.view()) is not None:
                self._leave(place, view)

    def _leave(self, place: Place, view: NodeView) -> None:
        """R-28: a box whose mirror lagged plays passes anew that were heard of its lost life. Two persons leave them with
        it; what was heard stays."""
        for dispute in view.disputes:
            if any(box == dispute.neighbour or f"@{box}" in dispute.table for box in self.lagged):
                self._note(
                    "left", f"{place.name}: {dispute.neighbour}/{dispute.number}, {dispute.about}: {dispute.why}"
                )
                left = ask.EndDispute(dispute.neighbour, dispute.number, False, "se quemó", BY, BY, dispute.pot)
                reply = place.ask(left, ANA, LUIS)
                assert reply.ok or reply.trouble.reason in OF_A_DISPUTE, (dispute, reply.trouble)

    def _accept(self, place: Place, neighbour: str, stopped: StoppedNow) -> None:
        """R-28: at the box from where it is said to stand, at the other end from where it was heard (operations.md)."""
        whole = (
            f"{place.name} stopped {neighbour}/{stopped.stream}: {stopped.why} at {stopped.said}, here {stopped.here}"
        )
        assert {place.name, neighbour} & self.restored and stopped.why in OF_A_RESTORED, whole
        self._note("accepted", whole)
        goes_on = stopped.said if stopped.here is None else stopped.here  # what was heard once stays heard
        asked = ask.AcceptNeighbour(neighbour, stopped.stream, goes_on, "se quemó", BY, BY)
        reply = place.ask(asked, ANA, LUIS)
        assert reply.ok or reply.trouble.reason == "neighbour_not_stopped", (whole, reply.trouble)


def _lagged(place: Place) -> bool:
    """What it said last of its mirror, also in an earlier life."""
    said = [line["lacks"] for line in place.journal() if line.get("event") == "link_unmirrored"]
    return bool(said) and said[-1]


def _heard(casino: Place, box: str) -> int:
    """The number of the last letter of the box that its casino's node has in its record."""
    with Reader.open(casino.record) as reader:
        head = reader.head()
        facts = (json.loads(row.body)["fact"] for row in reader.facts_back(head.seq if head else 0, ("letter_heard",)))
        return next((one["mark"]["number"] for one in facts if one["neighbour"] == box), 0)


def _told(stick: Path, casino: str) -> int:
    """The number of the last letter for the casino's node that a copy of the mirror has."""
    with closing(MirrorFile.read(stick)) as mirror:
        facts = [json.loads(row.body)["fact"] for row in mirror.facts() if row.kind == "letter_told"]
    return max((one["number"] for one in facts if one["stream"] == f"to:{casino}"), default=0)


def _fingerprint(casino: Place, box: str, heard: str) -> None:
    """Into the settings of its casino's node."""
    before, name, after = casino.settings.read_text().partition(f'name = "{box}"\n')
    assert name, f"{box} is a neighbour of {casino.name}"
    casino.settings.write_text(
        before + name + re.sub(r'fingerprint = "[^"]*"', f'fingerprint = "{heard}"', after, count=1)
    )


def at_rest(casinos: Casinos, patience: float, look: Callable[[], None]) -> dict[str, NodeView]:
    """Nothing waits any more, anywhere; what does is named."""
    end = time.monotonic() + patience
    while True:
        look()
        views = {place.name: place.view() for place in casinos}
        waits = [what for name, view in views.items() for what in _waits(casinos, name, view)]
        found = {name: view for name, view in views.items() if view is not None}
        waits += levels_differ(found)
        if not waits:
            return found
        assert time.monotonic() < end, "\n".join(["after so long there still waits:", *waits])
        time.sleep(0.3)


def _waits(casinos: Casinos, name: str, view: NodeView | None) -> list[str]:
    if view is None:
        return [f"{name}: does not answer: {casinos[name].last_words(4)}"]
    found = []
    for one in view.neighbours:
        if not one.up:
            found.append(f"{name}: its link to {one.neighbour} is down since {one.since}")
        if one.waits:
            found.append(f"{name}: {one.waits} letters wait for {one.neighbour}, which has {one.acknowledged}")
        found += [
            f"{name}: {one.neighbour}/{broken.stream} is stopped: {broken.why} at {broken.said}"
            for broken in one.stopped
        ]
    for pot in view.pots:
        found += [f"{name}: {award.award} of {pot.pot} is not given: {award}" for award in pot.awards]
    found += [f"{name}: {claim.claim} is not decided" for claim in view.claims]
    found += [f"{name}: in dispute: {dispute}" for dispute in view.disputes]
    found += [f"{name}: the plan of {pot.pot} waits" for pot in view.far_pots if pot.plan_waits]
    return found
