"""A simulated Alpha/BetaBrite sign, as a talker: memory map, files, strings, priority text, error register, battery.

It is as fussy as a real one: a packet with a pause of a second in it is dropped, a wrong checksum too, a nested command
that comes less than 100 ms after its STX is lost, a write to a file that is not in the map does nothing, what is too
long for its file is cut. Its memory goes with the power unless the battery is good. `displayed` is what a person reads.
"""

from dataclasses import dataclass

from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs import alpha
from drivers.signs.alpha import Code, Special
from drivers.signs.alpha_answers import ErrorRegister
from drivers.signs.letters import decoded

DROPS_AFTER: Micros = SECOND
NESTED: Micros = 100 * MILLISECOND
WAKES: Micros = 2 * SECOND  # after power or a soft reset it hears nothing
CLEARS: Micros = 300 * MILLISECOND  # the same after a memory map
MOST_PACKET = 4096
MOST_ANSWERS = 8  # it forgets to answer rather than to listen
POOL = 30_000
_ENTRY = 11
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaMake:
    kind: str = alpha.BETABRITE
    address: str = alpha.BROADCAST
    reads: bool = True  # it answers reads
    acknowledges: bool = False  # Alpha 2.0
    battery: bool = True
    answer: Micros = 30 * MILLISECOND


@dataclass(slots=True)
class _File:
    is_string: bool
    size: int
    content: bytes = b""


class AlphaFirmware:
    def __init__(self, make: AlphaMake) -> None:
        self.make = make
        self.powered = True
        self.transmissions = 0  # that the sign took: a test counts its flicker by them
        self.maps = 0
        self._wake: Micros = 0
        self._register = ErrorRegister.ALWAYS
        self._acknowledges = False
        self._packet: bytearray | None = None
        self._heard: Micros = 0
        self._spoilt = False  # the packet under way has an error
        self._lost = False  # the command under way came too soon
        self._commands = 0  # of the packet under way
        self._answers: list[tuple[Micros, bytes]] = []
        self._out = b""
        self.lose_memory()

    # What happens to it.

    def power_off(self, now: Micros) -> None:
        del now
        self.powered = False
        self._packet = None
        self._out = b""
        self._answers.clear()
        self._acknowledges = False
        if not self.make.battery:
            self.lose_memory()

    def power_on(self, now: Micros) -> None:
        self.powered = True
        self._wake = now + WAKES
        self._register = ErrorRegister.ALWAYS

    def displayed(self, now: Micros) -> str:
        if not self.powered or now < self._wake:
            return ""
        if self._priority:
            return self._reads_as(self._priority)
        running = [label for label in self._sequence if label in self._files and not self._files[label].is_string]
        return " ".join(filter(None, (self._reads_as(self._files[label].content) for label in running)))

    # The five verbs.

    def receive(self, data: bytes, now: Micros) -> None:
        if not self.powered or now < self._wake:
            return
        if self._packet is not None and now - self._heard > DROPS_AFTER:
            self._register |= ErrorRegister.TIME_OUT
            self._packet = None
        arrived, self._heard = self._heard, now
        for byte in data:
            self._byte(byte & 0x7F, arrived, now)
            arrived = now

    def to_send(self, now: Micros) -> bytes:
        self.tick(now)
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        return self._answers[0][0] if self._answers else None

    def tick(self, now: Micros) -> None:
        self._out += b"".join(data for due, data in self._answers if due <= now)
        self._answers = [answer for answer in self._answers if answer[0] > now]

    # Packets.

    def _byte(self, byte: int, before: Micros, now: Micros) -> None:
        if byte == alpha.SOH[0]:
            self._packet, self._spoilt, self._lost, self._commands = bytearray(), False, False, 0
            return
        packet = self._packet
        if packet is None:
            return
        if byte == alpha.EOT[0]:
            self._command(bytes(packet), now)
            self._end(now)
        elif byte == alpha.STX[0]:
            if self._commands or len(packet) > 3:
                self._command(bytes(packet), now)
            elif not self._is_mine(bytes(packet)):
                self._packet = None
                return
            self._commands += 1
            self._lost = False
            packet[:] = alpha.STX
        else:
            if self._commands > 1 and packet == alpha.STX and now - before < NESTED:
                self._lost = True
            packet.append(byte)
            if len(packet) > MOST_PACKET:
                self._register |= ErrorRegister.OVERFLOW
                self._packet = None

    def _is_mine(self, head: bytes) -> bool:
        """Kind, then address; `?` stands for any digit, and 00 is everybody's."""
        if len(head) != 3:
            return False
        kind, address = chr(head[0]), head[1:].decode("ascii")
        mine = all(one in {"?", other} for one, other in zip(address, self.make.address, strict=True))
        return kind in {alpha.EVERY_SIGN, "!", self.make.kind} and (address == alpha.BROADCAST or mine)

    def _end(self, now: Micros) -> None:
        self._packet = None
        if not self._commands:
            return
        self.transmissions += 1
        if self._acknowledges:
            verdict = alpha.NAK if self._spoilt else alpha.ACK
            self._say(bytes((verdict, self._register)), now)
            self._register = ErrorRegister.ALWAYS

    def _fault(self, fault: ErrorRegister) -> None:
        self._register |= fault
        self._spoilt = True

    def _command(self, block: bytes, now: Micros) -> None:
        """From its STX to before the next mark: command, and perhaps ETX and checksum."""
        if block[:1] != alpha.STX:
            return
        end = block.find(alpha.ETX)
        if end >= 0:
            given = block[end + 1 :]
            if given and given != alpha.checksum(block[: end + 1]):
                self._fault(ErrorRegister.CHECKSUM)
                return
            block = block[:end]
        if self._lost:
            self._fault(ErrorRegister.OVERFLOW)
        elif len(block) > 1 and not self._execute(chr(block[1]), block[2:], now):
            self._fault(ErrorRegister.ILLEGAL)

    # Commands.

    def _execute(self, code: str, data: bytes, now: Micros) -> bool:
        label = data[:1].decode("ascii")
        match code:
            case Code.WRITE_TEXT:
                return self._write_text(label, data[1:])
            case Code.WRITE_STRING:
                return self._write_file(label, data[1:], is_string=True)
            case Code.WRITE_SPECIAL:
                return self._special(label, data[1:].decode("ascii"), now)
            case Code.READ_TEXT if label == alpha.PRIORITY:
                self._answer(Code.WRITE_TEXT, label, self._priority, now)
            case Code.READ_TEXT | Code.READ_STRING if label in self._files:
                answer = Code.WRITE_TEXT if code == Code.READ_TEXT else Code.WRITE_STRING
                self._answer(answer, label, self._files[label].content, now)
            case Code.READ_SPECIAL if label == Special.STATUS:
                self._answer(Code.WRITE_SPECIAL, label, bytes((self._register,)), now)
                self._register = ErrorRegister.ALWAYS
            case _:
                return False
        return True

    def _write_text(self, label: str, content: bytes) -> bool:
        if label == alpha.PRIORITY:
            self._priority = content[: alpha.MOST_PRIORITY + 3]
            return True
        return self._write_file(label, content, is_string=False)

    def _write_file(self, label: str, content: bytes, *, is_string: bool) -> bool:
        file = self._files.get(label)
        if file is None or file.is_string != is_string:
            return False
        file.content = content[: file.size]
        return True

    def _special(self, function: str, data: str, now: Micros) -> bool:
        match function:
            case Special.MEMORY:
                return self._map(data, now)
            case Special.RUN_SEQUENCE if len(data) > 2:
                self._sequence = data[2:]
            case Special.SOFT_RESET:
                self._wake = now + WAKES
            case Special.ACKNOWLEDGE if self.make.acknowledges:
                self._acknowledges = data == "1"
            case _:
                return False
        return True

    def _map(self, entries: str, now: Micros) -> bool:
        files = {}
        for place in range(0, len(entries), _ENTRY):
            entry = entries[place : place + _ENTRY]
            size = entry[3 : 3 + _DIGITS]
            if len(entry) < _ENTRY or entry[1] not in "AB" or not all(digit in "0123456789ABCDEF" for digit in size):
                return False
            files[entry[0]] = _File(entry[1] == "B", int(size, 16))
        if sum(file.size for file in files.values()) > POOL:
            return False
        self.lose_memory()
        self._wake = now + CLEARS
        self.maps += 1
        if files:
            self._files = files
            self._sequence = "".join(label for label, file in files.items() if not file.is_string)
        return True

    def lose_memory(self) -> None:
        """As if its battery were taken out: one empty TEXT is there from the factory."""
        self._files = {"A": _File(is_string=False, size=256)}
        self._sequence = "A"
        self._priority = b""

    # What it says, and shows.

    def _answer(self, code: Code, label: str, content: bytes, now: Micros) -> None:
        if not self.make.reads:
            return
        block = alpha.STX + code.encode("ascii") + label.encode("ascii") + content + alpha.ETX
        head = 20 * alpha.NUL + alpha.SOH + b"0" + alpha.BROADCAST.encode("ascii")
        self._say(head + block + alpha.checksum(block) + alpha.EOT, now)

    def _say(self, data: bytes, now: Micros) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append((now + self.make.answer, data))

    def _reads_as(self, content: bytes) -> str:
        words = content[3:] if content[:1] == alpha.ESC else content
        before, *calls = words.split(alpha.CALL)
        text = decoded(before)
        for call in calls:
            file = self._files.get(call[:1].decode("ascii"))
            text += decoded(file.content) if file is not None and file.is_string else ""
            text += decoded(call[1:])
        return text
