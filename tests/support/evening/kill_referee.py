"""What must hold whenever the node dies: the record beside the devices' own totals and beside what people were told.

While it goes on: a lamp that is steady is a bet of the record, and the record never has less than before. At rest: what
each device counted is what was booked, the credits on the units are those that were sold and neither cashed nor bet,
each answered request stands in the record once, with the facts of its answer.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, TypeVar

import msgspec

from controller.core.state import Seat, Table
from controller.node.book.book import Book
from controller.node.book.chain import Key
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import NodeView, Reply
from drivers.native.contract import LampDrive
from support.core.ledger_compare import first_difference, standing
from support.evening.kill_crowd import Told
from support.evening.kill_place import ACCEPTOR, ELECTRONIC, FOUND_AGAIN, MODULE, SEATS, SLOT, TABLE, Place

T = TypeVar("T")
VALUE = 1_000
WORD = 2**32
NATIVE = (*ELECTRONIC, SLOT)
FIRST_EPOCH = 1  # of an acceptor that is counted by us; another one begins at nothing, and the seat is counted by hand
LATEST = 2  # a lamp goes out while its pass ends: of the newest pass or the one before


class Referee:
    def __init__(self, place: Place) -> None:
        self.place = place
        self.broken: list[str] = []
        self.seen: Counter[str] = Counter()
        self.rows, self._hash = 0, b""
        self.entries: list[dict[str, Any]] = []
        self._booked: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(
            list
        )  # (seat, serial, epoch) -> totals as they were when a bet was booked
        self._passes: dict[int, set[int]] = defaultdict(set)  # seat -> passes with a bet of it
        self._stale: dict[int, float] = {}  # lamps of passes that are long over: since when
        self._pass = 0

    def wrong(self, what: str) -> None:
        if what not in self.broken:
            self.broken.append(what)

    # ------------------------------------------------------------------------------------------------ any time

    def look(self) -> None:
        """First the lamps, then the record: what is lit now was booked before."""
        lit = self.place.do(self._lit)
        self.read()
        for dark in self._stale.keys() - {seat for seat, *_ in lit}:
            del self._stale[dark]
        for seat, serial, epoch, memory in lit:
            self.seen["steady lamps"] += 1
            if seat in ELECTRONIC:
                good = any(bets == memory["bets"] for bets, _ in self._booked[seat, serial, epoch])
            elif seat == SLOT:
                known = self._booked[seat, serial, epoch]
                good = any((memory["chips"] - chips) % WORD < memory["credits"] for _, chips in known)
            else:
                good = self._goes_out_in_time(seat)
            if not good:
                known = self._booked[seat, serial, epoch][-3:]
                self.wrong(f"seat {seat} is steady without a booked bet: {memory}, {known}, pass {self._pass}")

    def _goes_out_in_time(self, seat: int) -> bool:
        """Nobody darkens the lamp of such a device but a node that found it again, which takes a moment after each kill."""
        of_late = any(number > self._pass - LATEST for number in self._passes[seat])
        if of_late or self.place.is_out_of_reach(seat):
            self._stale.pop(seat, None)
            return True
        return time.monotonic() - self._stale.setdefault(seat, time.monotonic()) < FOUND_AGAIN

    def _lit(self) -> list[tuple[int, int, int, dict[str, Any]]]:
        found: list[tuple[int, int, int, dict[str, Any]]] = []
        for shown in self.place.seen():
            if shown.lamp is not LampDrive.STEADY or not shown.powered:
                continue
            device = self.place.device(shown.number)
            if shown.number not in NATIVE:
                found.append((shown.number, 0, 0, {}))
                continue
            unit = device.firmware
            memory = unit.seats[shown.number - device.seats[0]].memory
            said = {"bets": memory.bets, "chips": memory.chips, "credits": memory.credits, "bet": memory.bet.name}
            found.append((shown.number, unit.make.serial, unit.nvm.epoch, said))
        return found

    def read(self) -> None:
        """What is new in the record; what was there before is there now."""
        with Reader.open(self.place.record) as reader:
            fresh = list(reader.facts(max(self.rows, 1)))
        if self.rows:
            last, fresh = fresh[:1], fresh[1:]
            if not last or last[0].hash != self._hash:
                self.wrong(f"fact {self.rows} was there, and is gone or another")
        for row in fresh:
            self.rows, self._hash = row.seq, row.hash
            self._note(msgspec.json.decode(row.body))

    def _note(self, entry: dict[str, Any]) -> None:
        self.entries.append(entry)
        fact = entry["fact"]
        self.seen[fact["kind"]] += 1
        if fact["kind"] == "seat_closed":
            self.seen[f"closed: {fact['reason']}"] += 1
        match fact["kind"]:
            case "pass_opened":
                self._pass = fact["number"]
            case "bet_made" | "chips_fell":
                device = fact["device"]
                key = (fact["seat"], device["serial"], device["epoch"])
                self._booked[key].append((device["bets"], device["chips"]))
                self._passes[fact["seat"]].add(fact["number"])

    # ------------------------------------------------------------------------------------------------ a sealed pass

    def lamps_differ(self, view: NodeView) -> str:
        """Of a pass that is sealed: which valid bets are dark, which seats are lit for nothing."""
        bets = {seat.seat for seat in view.tables[0].seats if seat.bet}
        lit = {seat for seat, *_ in self.place.do(self._lit)}
        return f"bets of seats {sorted(bets)}, lit are {sorted(lit)}" if bets != lit else ""

    # ------------------------------------------------------------------------------------------------ at rest

    def at_rest(self, told: Sequence[Told], again: Sequence[tuple[Told, Reply]]) -> None:
        """The node has ended; `told`: every request that was answered."""
        self.read()
        key = Key.load_or_make(self.place.folder / "folder/node.key")
        with closing(Book.open(self.place.record, key)) as book:
            model, difference = first_difference(book.store)
            if difference or standing(model.balances) != standing(book.balances):
                self.wrong(f"the model of the ledger says otherwise: {difference}")
            table = book.state.tables[TABLE]
        for seat in SEATS:
            for what in self.seat_differs(table.seat(seat)):
                self.wrong(f"seat {seat}: {what}")
        self._sums(told, table)
        self._answers(told)
        for old, reply in again:
            if (old.reply.ok, _facts(old.reply)[-1:]) != (reply.ok, _facts(reply)[-1:]) and old.reply.facts:
                self.wrong(f"answered {old.reply}, and when it was asked again {reply}")

    def seat_differs(self, seat: Seat) -> Iterator[str]:
        """The books of one seat beside its device."""
        known, device = seat.device, self.place.device(seat.number)
        if known is None:
            yield "its device was never adopted"
            return
        if seat.closed:
            yield f"closed: {seat.closed}"
        if seat.giving_back:
            yield f"{seat.giving_back} credits to give back for ever"
        if seat.number in NATIVE:
            unit = device.firmware
            memory = unit.seats[seat.number - device.seats[0]].memory
            if (known.serial, known.epoch) != (unit.make.serial, unit.nvm.epoch):
                yield f"books of {known}, unit {unit.make.serial} {unit.nvm.epoch}"
            if (known.bets, known.chips, known.late) != (memory.bets, memory.chips, memory.late):
                yield f"booked {known}, counted {memory}"
            on_unit = (memory.loaded - memory.cashed - memory.bets + memory.voided) % WORD
            if seat.number in ELECTRONIC and (known.voided != memory.voided or on_unit != seat.credits // VALUE):
                yield f"{on_unit} credits on the unit, {seat.credits} in the books; {known}, {memory}"
        elif seat.number == ACCEPTOR:
            coins = device.firmware.coins
            if known.chips + known.late != len(coins.box) and known.epoch == FIRST_EPOCH:
                yield f"{len(coins.box)} chips in the box, booked {known}"
        elif known.bets > (pressed := _pressed(device)):
            yield f"booked {known.bets} credits, pressed {pressed}"

    def _sums(self, told: Sequence[Told], table: Table) -> None:
        """Credits by what people were told, and by what the units say; bets by the facts."""
        bought: Counter[int] = Counter()
        cashed: Counter[int] = Counter()
        owed: Counter[int] = Counter()
        for one in told:
            for fact in _facts(one.reply):
                if fact["kind"] in {"credits_bought", "credits_cashed", "owed_paid"}:
                    which = {"credits_bought": bought, "credits_cashed": cashed, "owed_paid": owed}[fact["kind"]]
                    which[fact["seat"]] += fact["amount"]
        made: Counter[int] = Counter()
        back: Counter[int] = Counter()
        for entry in self.entries:
            fact = entry["fact"]
            if fact["kind"] == "bet_made":
                made[fact["seat"]] += fact["amount"]
            for refund in [*fact.get("refunds", ()), *fact.get("returned", ()), fact.get("refund")]:
                if refund:
                    back[refund["seat"]] += refund.get("cash", 0)
        for seat in (*ELECTRONIC, MODULE):
            left = bought[seat] - cashed[seat] - made[seat] + back[seat]
            if left != table.seat(seat).credits:
                self.wrong(f"seat {seat}: {left} left of what was sold, booked {table.seat(seat)}")
        for seat in ELECTRONIC:
            device = self.place.device(seat)
            memory = device.firmware.seats[seat - device.seats[0]].memory
            net = (memory.loaded - memory.cashed) % WORD
            if net * VALUE != bought[seat] - cashed[seat]:
                self.wrong(f"seat {seat}: {net} credits loaded, sold {bought[seat]}, cashed {cashed[seat]}")
            if (memory.bets - memory.voided) * VALUE != made[seat] - back[seat]:
                self.wrong(f"seat {seat}: counted {memory}, bets {made[seat]}, given back {back[seat]}")

    def _answers(self, told: Sequence[Told]) -> None:
        """Each in the record once, as it was answered; and nothing there that nobody asked."""
        by_id: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        last: tuple[Any, ...] | None = None
        for entry in self.entries:
            id_ = tuple(entry["id"])
            if id_ != last and id_ in by_id:
                self.wrong(f"the facts of {id_} stand apart")
            by_id.setdefault(id_, []).append(entry["fact"])
            last = id_
        if self.seen["id_reused"]:
            self.wrong("the id of a request was taken for that of another")
        asked = {one.request.id for one in told}
        for source in {id_[0] for id_ in by_id if id_[0].startswith("ctl:")}:
            if source.split(":")[1] not in asked:
                self.wrong(f"{source} was never asked")
        for one in told:
            heard = _facts(one.reply)
            if not heard:
                continue  # only devices were asked
            source = f"ctl:{one.request.id}"
            found = by_id.get((source, 0, 0), [])
            if heard != found and heard != by_id.get((f"{source}:close", 0, 0), []) + found:
                self.wrong(f"{one.request}: answered {heard}, the record has {found}")
        if len(asked) != len(told):
            self.wrong("an id was made twice")


def _facts(reply: Reply) -> list[dict[str, Any]]:
    return [msgspec.json.decode(raw) for raw in reply.facts]


def _pressed(device: Any) -> int:
    counters = device.firmware._counters
    (seat,) = device.map.seats
    return sum(counters[button.counter] * button.credits for button in seat.buttons)


def wait_until(condition: Callable[[], T], seconds: float, step: float = 0.1) -> T:
    """What it was at last: empty when it came true."""
    end = time.monotonic() + seconds
    while (left := condition()) and time.monotonic() < end:
        time.sleep(step)
    return left
