"""The engine: one loop that hears, asks the core, makes it durable, and only then lets anything happen.

Theory. A turn takes all that waits and answers it in one commit where it can; what the devices said goes before what
persons ask, because it was said under the state that was, and what neighbours told goes last (letters.py). Nothing
leaves before the commit: then the wishes, then the replies, then what neighbours are told, and when no reply waits any
more the show (design.md, From input to truth); at last, one who only looks (previews.py). A request that needs a record
of years waits beside the engine until that is read (inquiries.py), and its repeats with it. Whatever breaks here ends
the loop, and the service locks the tables. The engine decides nothing about money, devices or signs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from controller.core.facts import Fact
from controller.core.inputs import Input, StepClock
from controller.core.past.inquiry import inquiry_for
from controller.core.state import State
from controller.node.book.book import Answer, Asked, Book
from controller.node.devices.ports import Ports
from controller.node.engine.due import Draws, Overdue, Tail
from controller.node.engine.inquiries import Inquiries, InquiryEnded
from controller.node.engine.letters import Letters
from controller.node.engine.previews import MOST_READ_FOR, Previews, as_asked
from controller.node.engine.reception import (
    STOPPING,
    PendingRequest,
    Reception,
    changed_reply,
    key_of,
    plain_reply,
    reply_to,
)
from controller.node.engine.told import NO_LINKS, LinksTold, NeighboursTold
from controller.node.engine.trials import SignTrials
from controller.node.publish.house import house_of
from controller.node.publish.show import Show, Surroundings
from controller.node.store.failure import StoreError
from controller.node.store.rows import OutcomeKey
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import Halted, Journal, Says
from controller.node.vocabulary.clock import Clock, SteppedClock
from controller.node.vocabulary.commands import BeginLampTest, LoadCredits, UnlockUnit, Wish
from controller.node.vocabulary.inbox import (
    LONGEST_WAIT,
    FromLine,
    FromNeighbour,
    FromPerson,
    GivenBackToUs,
    Inbox,
    InquiryRead,
    Item,
    LinkBroken,
    LinkChanged,
    MeterHeard,
    NeighbourAcknowledged,
    NeighbourBehind,
    PrizesHeard,
    Reload,
    Stop,
)
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import BUSY, Deed, Trouble
from drivers.model import Notice, SeatSeen
from drivers.pump import PortClosed, PortNotOpened, PortOpened
from drivers.session import MILLISECOND, Micros

MOST_ROUNDS = 100
WAIT_FOR_LOCKS: Micros = 500 * MILLISECOND
SHORTEST_WAIT: Micros = MILLISECOND
"""Only for what time alone brings; whatever comes in wakes the engine at once."""

_NOT_WHEN_STOPPING = UnlockUnit | LoadCredits | BeginLampTest


@dataclass
class _Reading:
    """A request whose inquiry is under way, and whoever asked the same meanwhile."""

    case: PendingRequest
    repeats: list[FromPerson] = field(default_factory=list)


class Engine:
    """`run` until Stop is in the inbox, or something breaks."""

    def __init__(
        self,
        book: Book,
        inbox: Inbox,
        around: Surroundings,
        show: Show,
        reception: Reception,
        draws: Draws,
        inquiries: Inquiries,
        clock: Clock,
        watched: SteppedClock,
        journal: Journal,
        counts: Counts,
        reload: Callable[[], None],
        pulse: Callable[[Micros], None],
        links: LinksTold = NO_LINKS,
    ) -> None:
        self._book, self._inbox, self._around, self._show = book, inbox, around, show
        self._reception, self._draws, self._clock, self._journal = reception, draws, clock, journal
        self._counts, self._reload, self._pulse = counts, reload, pulse
        self._inquiries, self._watched, (self._wall, _) = inquiries, watched, watched.read()
        self._reading: dict[str, _Reading] = {}
        self._previews, self._trials = Previews(book, clock), SignTrials(around.signs)
        self._letters, self._overdue = Letters(book, inquiries), Overdue()
        self._told, self._committed = NeighboursTold(links), list[Fact]()
        self._tail, self._ports = Tail(book.sign), Ports(show.raise_alarm)
        self._stopping = ""
        self._later: list[FromPerson] = []
        self._verifiers, self._house = book.verifiers(), house_of(book.state)
        self._people, self._terminals = book.state.people, book.state.terminals
        source = (f"{book.state.node}/floor", book.state.epoch)
        self._source, self._number = source, book.store.last_of(*source)

    # The loop.

    def run(self) -> None:
        """Until Stop; then every table is locked, and what was already here is committed."""
        while not self._stopping:
            self.turn()
        self._journal.info(Says.STOPPING, why=self._stopping)
        self._show.stopping = True
        self._around.hands.lock_everything()
        until = self._clock.now() + WAIT_FOR_LOCKS
        while self._clock.now() < until and not self.locked:
            self.turn(until)
        self.turn(self._clock.now())
        self._dismiss()
        self._show.now(self._clock.now())

    @property
    def locked(self) -> bool:
        """Every seat that can be heard reads back locked."""
        return all(seat.locked for seat in self._around.floor.seats() if seat.health == "up")

    def turn(self, latest: Micros | None = None) -> None:
        """Takes what waits, or waits; answers it; shows what is due."""
        items = self._inbox.take(self._wake(latest))
        if self._inbox.overflowed:
            raise Halted(Says.INBOX_FULL, "Los aparatos dijeron más de lo que se pudo registrar; se vuelve a arrancar.")
        now = self._clock.now()
        self._around.floor.attend(now)
        persons = self._hear(items, now)
        opened = [self._open(person, self._book.state) for person in self._first_of_each_id(persons)]
        cases = [case for case in map(self._sent_to_read, self._trials.take_out(opened, now)) if case is not None]
        self._settle(items, self._previews.take_out([*self._read_for(items), *cases]), now)
        self._tail.turn(self._book.unsigned_since, now)
        self._show.turn(now)
        self._previews.turn(self._wall)
        self._pulse(now)
        self._counts.turns += 1

    def _wake(self, latest: Micros | None) -> Micros:
        """When to come back although nothing comes."""
        now = self._clock.now()
        if self._later or self._letters.waiting:
            return now
        times = (
            self._around.floor.deadline(), self._show.deadline(), self._overdue.deadline(self._book.state),
            self._previews.deadline(), latest,
        )  # fmt: skip
        return min(now + LONGEST_WAIT, *(max(time, now + SHORTEST_WAIT) for time in times if time is not None))

    # What comes in.

    def _hear(self, items: Iterable[Item], now: Micros) -> list[FromPerson]:
        persons, self._later = self._later, []
        for item in items:
            match item:
                case FromLine():
                    self._hear_line(item, now)
                case FromPerson():
                    persons.append(item)
                case FromNeighbour() | NeighbourAcknowledged() | LinkChanged() | LinkBroken():
                    self._letters.heard(item)
                case GivenBackToUs() | NeighbourBehind():
                    self._letters.heard(item)
                case MeterHeard() | PrizesHeard():
                    self._hear_meter(item, now)
                case Reload():
                    self._reload()
                case Stop(why):
                    self._stopping = self._stopping or why
        return persons

    def _hear_line(self, item: FromLine, now: Micros) -> None:
        """A unit's memory is on the disk before what it said can be committed: behind the books it would lose."""
        self._counts.heard += 1
        event = item.event
        if item.base is not None and isinstance(event, SeatSeen):
            self._around.memories.save(UnitKey(item.line, event.unit), item.base)
        if isinstance(event, PortOpened | PortClosed | PortNotOpened | Notice):
            self._ports.heard(item.line, event)
        if not self._around.floor.heard(item.line, event, now):
            self._around.signs.heard(item.line, event, now)
        self._show.changed()

    def _hear_meter(self, meter: MeterHeard | PrizesHeard, now: Micros) -> None:
        if self._show.far.heard(self._book.state, meter, now):
            self._told.heard(meter)
            self._show.changed()

    def _first_of_each_id(self, persons: Sequence[FromPerson]) -> list[FromPerson]:
        """A repeat waits for the next turn, when its answer stands in the record."""
        first: dict[str, FromPerson] = {}
        for person in persons:
            if person.request.id in self._reading:
                self._reading[person.request.id].repeats.append(person)
            elif first.setdefault(person.request.id, person) is not person:
                self._later.append(person)
        return list(first.values())

    def _open(self, person: FromPerson, state: State) -> PendingRequest:
        """Refuse new requests during shutdown: no device will execute them."""
        if self._stopping and person.request.do is not Deed.STATE:
            return PendingRequest(person, trouble=STOPPING)
        return self._reception.open(person, state)

    # What has to be read first.

    def _sent_to_read(self, case: PendingRequest) -> PendingRequest | None:
        """A request that needs the record waits beside; every other, and one with an answer already, is asked now."""
        inquiry = inquiry_for(as_asked(case, self._book.state), case.asks[0].input) if len(case.asks) == 1 else None
        if inquiry is None or self._book.store.outcomes([case.asks[0].id]):
            return case
        id_, asked = case.person.request.id, case.asks[0]
        looking = sum(one.case.looks for one in self._reading.values())
        full = case.looks and looking >= MOST_READ_FOR
        if full or not self._inquiries.begin(id_, getattr(asked.input, "table", ""), inquiry):
            return PendingRequest(case.person, trouble=BUSY)
        self._reading[id_] = _Reading(case)
        kind = str(type(asked.input).__struct_config__.tag)
        self._journal.info(Says.READING, id=asked.id.source, ask=kind, facts=self._book.seq)
        self._show.changed()
        return None

    def _read_for(self, items: Iterable[Item]) -> list[PendingRequest]:
        """Requests whose inquiry came back; their repeats find the answer in the record."""
        ready: list[PendingRequest] = []
        for item in items:
            if not isinstance(item, InquiryRead) or self._letters.read(item) or item.id not in self._reading:
                continue
            case, repeats = self._taken_back(item.id)
            self._later += repeats
            try:
                case = case._replace(asks=(case.asks[0]._replace(history=item.read.result()),))
            except (StoreError, InquiryEnded) as failed:
                case = PendingRequest(case.person, trouble=Trouble("not_read", "", "record", str(failed)))
            ready.append(case)
        return ready

    def _taken_back(self, id_: str) -> tuple[PendingRequest, list[FromPerson]]:
        self._inquiries.over(id_)
        self._show.changed()
        reading = self._reading.pop(id_)
        return reading.case, reading.repeats

    def _dismiss(self) -> None:
        """At the end: what is still read for was not done."""
        for id_ in [*self._reading]:
            case, repeats = self._taken_back(id_)
            for person in (case.person, *repeats):
                person.answer(plain_reply(person.request, self._book.seq, STOPPING))
        self._trials.dismiss(STOPPING)
        self._previews.dismiss(STOPPING)
        self._letters.dismiss()

    # What follows.

    def _settle(self, items: Sequence[Item], cases: Sequence[PendingRequest], now: Micros) -> None:
        """Rounds of asking and committing, until the floor has nothing more to say about this."""
        group = self._of_machine(now) + self._of_persons(cases) + self._of_neighbours()
        answers = self._take(group)
        self._give(now)
        if answers:
            self._note_time(items)
        self._reply(cases, answers)
        rounds = 0
        while answers and (asks := self._of_machine(now)):
            rounds += 1
            assert rounds < MOST_ROUNDS, f"the floor never comes to rest: {[asked.input for asked in asks]}"
            answers = self._take(asks)
            self._give(now)
        if self._book.state.neighbours:
            self._told.turn(self._book.state, self._committed, self._book.seq, now, self._wall)
        self._committed = []

    def _of_machine(self, now: Micros) -> list[Asked]:
        """A step of the wall clock first: what is dated after it was asked after it."""
        self._wall, stepped = self._watched.read()
        state, wall = self._book.state, self._wall
        asks: list[Input] = [StepClock(stepped)] if stepped else []
        asks += self._around.floor.asks(state, now)
        asks += self._draws.asks(state, now)
        asks += self._overdue.asks(state, now, wall)
        if state.neighbours:
            asks += self._show.far.asks(state, now)
        asks += self._around.control.unproven(now)
        return [Asked(self._next_id(), wall, asked) for asked in asks]

    def _next_id(self) -> OutcomeKey:
        """Of what the node says by itself."""
        self._number += 1
        return OutcomeKey(*self._source, self._number)

    def _of_persons(self, cases: Sequence[PendingRequest]) -> list[Asked]:
        """With the very time that was looked at just now."""
        self._counts.asked += len(cases)
        return [
            Asked(ask.id, self._wall, ask.input, ask.verifier, ask.history, saw=case.person.request.saw)
            for case in cases
            for ask in case.asks
        ]

    def _of_neighbours(self) -> list[Asked]:
        """Nothing more when stopping: what was not acknowledged comes again."""
        if self._stopping:
            return []
        asks = self._letters.asks(self._book.state)
        return [Asked(ask.id or self._next_id(), self._wall, ask.input, history=ask.history) for ask in asks]

    def _take(self, group: Sequence[Asked]) -> dict[OutcomeKey, Answer]:
        """One commit. A broken assertion in one input must not cost the others of its group."""
        if not group:
            return {}
        started = self._clock.now()
        try:
            answers = self._book.take(group)
        except AssertionError:
            if len(group) == 1:
                raise
            answers = self._one_by_one(group)
        self._counts.commits += 1
        self._counts.commit_times.took(self._clock.now() - started)
        new = [answer for answer in answers if not answer.repeated]
        self._counts.facts += sum(len(answer.facts) for answer in new)
        self._committed += (fact for answer in new for fact in answer.facts)
        self._show.changed(new)
        self._tell_of_people()
        return {answer.id: answer for answer in answers}

    def _tell_of_people(self) -> None:
        """The control tries the PINs of those who may sign now, and of nobody else; and says who they are."""
        state = self._book.state
        if self._people is state.people and self._terminals is state.terminals:
            return
        self._people, self._terminals = state.people, state.terminals
        before = self._verifiers, self._house
        self._verifiers, self._house = self._book.verifiers(), house_of(state)
        if (self._verifiers, self._house) != before:
            self._around.control.people(self._verifiers, self._house)

    def _one_by_one(self, group: Sequence[Asked]) -> list[Answer]:
        """What is sound is committed; what breaks is raised then, and halts the node."""
        answers: list[Answer] = []
        broken: AssertionError | None = None
        for asked in group:
            try:
                answers += self._book.take([asked._replace(history=None)])  # it heard what was not committed then
            except AssertionError as error:
                broken = broken or error
        if broken is not None:
            raise broken
        return answers

    def _give(self, now: Micros) -> None:
        wishes: Sequence[Wish] = self._around.floor.wishes(self._book.state, now)
        if self._show.stopping:
            wishes = [wish for wish in wishes if not isinstance(wish.command, _NOT_WHEN_STOPPING)]
        if wishes:
            self._counts.wishes += len(wishes)
            self._around.hands.give(wishes)

    def _note_time(self, items: Sequence[Item]) -> None:
        first = min((item.at for item in items if isinstance(item, FromLine)), default=None)
        if first is not None:
            self._counts.answer_times.took(self._clock.now() - first)

    def _reply(self, cases: Sequence[PendingRequest], answers: dict[OutcomeKey, Answer]) -> None:
        """After the commit, and each once."""
        seq = self._book.seq
        for case in cases:
            request = case.person.request
            if case.before or case.asks:
                facts = case.before or tuple(fact for ask in case.asks for fact in answers[ask.id].facts)
                self._reception.answered(request, facts)
                anew = next((now for ask in case.asks if (now := answers[ask.id].anew) is not None), None)
                reply = reply_to(request, facts, seq) if anew is None else changed_reply(request, anew, seq)
            else:
                reply = plain_reply(request, seq, case.trouble)
            if request.do is Deed.STATE:
                reply = plain_reply(request, seq, None, self._show.fresh(self._clock.now()))
            elif case.trouble is not None:
                id_, asked = key_of(request).source, str(request.do or "ask")
                self._journal.info(Says.NOT_DONE, do=asked, id=id_, reason=case.trouble.reason)
            case.person.answer(reply)
